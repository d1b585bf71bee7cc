/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dex_insn: decode instructions of dex files. Positions and sizes are in 16-bit units.
 */
#include "config.h"

#include <assert.h>

#include "bytes.h"

static uint32_t
dex_insn_unit(const struct code_body *b, uint64_t at)
{
	assert(at < b->size);
	return le16(b->insns + 2 * at);
}

static int64_t
unit2(const struct code_body *b, uint64_t at)
{
	assert(at + 1 < b->size);
	return (int32_t)le32(b->insns + 2 * at);
}

/* ---- payloads: data of switches and arrays after the code ----------------------------------- */

enum { PAYLOAD_PACKED = 0x100, PAYLOAD_SPARSE = 0x200, PAYLOAD_ARRAY = 0x300 };

/* Return the units of the payload at pc; 0: outside the code. */
static uint64_t
payload_size(const struct code_body *b, uint64_t at)
{
	uint64_t left = at < b->size ? b->size - at : 0, n;

	if (left < 4)
		return left >= 2 && dex_insn_unit(b, at) == PAYLOAD_SPARSE &&
		    dex_insn_unit(b, at + 1) == 0 ? 2 : 0;
	n = dex_insn_unit(b, at + 1);
	switch (dex_insn_unit(b, at)) {
	case PAYLOAD_PACKED: n = 4 + 2 * n; break;
	case PAYLOAD_SPARSE: n = 2 + 4 * n; break;
	case PAYLOAD_ARRAY: n = 4 + (n * (uint32_t)unit2(b, at + 2) + 1) / 2; break;
	default: return 0;
	}
	return n <= left ? n : 0;
}

static bool
read_switch(const struct code_body *b, struct insn *i)
{
	uint64_t at = (uint64_t)i->value;

	if (i->value < 0 || payload_size(b, at) == 0 || dex_insn_unit(b, at) == PAYLOAD_ARRAY)
		return false;
	i->cases = dex_insn_unit(b, at + 1);
	if (dex_insn_unit(b, at) == PAYLOAD_PACKED) {
		i->value = i->cases > 0 ? unit2(b, at + 2) : 0;
		i->targets = (uint32_t)at + 4;
	} else {
		i->value = 0;
		i->keys = (uint32_t)at + 2;
		i->targets = i->keys + 2 * i->cases;
	}
	return true;
}

/* ---- instructions ------------------------------------------------------------------------- */

static const uint8_t form_units[] = {
	[FORM_10X] = 1, [FORM_12X] = 1, [FORM_11N] = 1, [FORM_11X] = 1, [FORM_10T] = 1, [FORM_20T] = 2,
	[FORM_30T] = 3,
	[FORM_22X] = 2, [FORM_32X] = 3, [FORM_21T] = 2, [FORM_21S] = 2, [FORM_21H] = 2, [FORM_21C] = 2,
	[FORM_23X] = 2,
	[FORM_22B] = 2, [FORM_22T] = 2, [FORM_22S] = 2, [FORM_22C] = 2, [FORM_31T] = 3, [FORM_31I] = 3,
	[FORM_31C] = 3,
	[FORM_51L] = 5, [FORM_35C] = 3, [FORM_3RC] = 3, [FORM_45CC] = 4, [FORM_4RCC] = 4
};

static void
set_regs(struct insn *i, uint32_t n, uint32_t a, uint32_t b, uint32_t c)
{
	i->nregs = n;
	i->reg[0] = a;
	i->reg[1] = b;
	i->reg[2] = c;
}

/* Read the registers of a call. */
static bool
dex_insn_read_arguments(const struct code_body *b, uint32_t head, struct insn *i)
{
	uint32_t list = dex_insn_unit(b, i->pc + 2);

	i->index = dex_insn_unit(b, i->pc + 1);
	if (i->op->form == FORM_3RC || i->op->form == FORM_4RCC) {
		i->range = true;
		i->nregs = head;
		i->reg[0] = list;
		return true;
	}
	i->nregs = head >> 4;
	for (unsigned k = 0; k < 4; k++)
		i->reg[k] = list >> 4 * k & 15;
	i->reg[4] = head & 15;
	return i->nregs <= 5;
}

static bool
registers_fit(const struct code_body *b, const struct insn *i)
{
	for (uint32_t k = 0; k < (i->range ? 1 : i->nregs); k++)
		if (i->reg[k] >= b->regs && i->nregs > 0)
			return false;
	return !i->range || i->nregs <= b->regs - i->reg[0] || i->nregs == 0;
}

static bool
read_operands(const struct code_body *b, uint32_t h, struct insn *i)
{
	uint32_t pc = i->pc, u = i->size > 1 ? dex_insn_unit(b, pc + 1) : 0, low = h & 15, high = h >> 4;

	switch ((enum insn_form)i->op->form) {
	case FORM_10X: break;
	case FORM_12X: set_regs(i, 2, low, high, 0); break;
	case FORM_11N:
		set_regs(i, 1, low, 0, 0);
		i->value = high < 8 ? (int64_t)high : (int64_t)high - 16;
		break;
	case FORM_11X: set_regs(i, 1, h, 0, 0); break;
	case FORM_10T: i->target = (int64_t)pc + (int8_t)h; break;
	case FORM_20T: i->target = (int64_t)pc + (int16_t)u; break;
	case FORM_30T: i->target = (int64_t)pc + unit2(b, pc + 1); break;
	case FORM_22X: set_regs(i, 2, h, u, 0); break;
	case FORM_32X: set_regs(i, 2, u, dex_insn_unit(b, pc + 2), 0); break;
	case FORM_21T:
		set_regs(i, 1, h, 0, 0);
		i->target = (int64_t)pc + (int16_t)u;
		break;
	case FORM_21S:
	case FORM_21H:
	case FORM_21C:
		set_regs(i, 1, h, 0, 0);
		i->value = i->op->form == FORM_21C ? 0 : (int16_t)u;
		i->index = i->op->form == FORM_21C ? u : CODE_NONE;
		break;
	case FORM_23X: set_regs(i, 3, h, u & 255, u >> 8); break;
	case FORM_22B:
		set_regs(i, 2, h, u & 255, 0);
		i->value = (int8_t)(u >> 8);
		break;
	case FORM_22T:
	case FORM_22S:
	case FORM_22C:
		set_regs(i, 2, low, high, 0);
		i->target = i->op->form == FORM_22T ? (int64_t)pc + (int16_t)u : -1;
		i->value = i->op->form == FORM_22S ? (int16_t)u : 0;
		i->index = i->op->form == FORM_22C ? u : CODE_NONE;
		break;
	case FORM_31T:
	case FORM_31I:
		set_regs(i, 1, h, 0, 0);
		i->value = unit2(b, pc + 1) + (i->op->form == FORM_31T ? (int64_t)pc : 0);
		break;
	case FORM_31C:
		set_regs(i, 1, h, 0, 0);
		i->index = (uint32_t)unit2(b, pc + 1);
		break;
	case FORM_51L:
		set_regs(i, 1, h, 0, 0);
		i->value = (int64_t)le64(b->insns + 2 * ((uint64_t)pc + 1));
		break;
	default: return dex_insn_read_arguments(b, h, i);
	}
	return true;
}

bool
dex_insn(const struct code_body *b, uint32_t pc, struct insn *i)
{
	uint32_t head;

	*i = (struct insn){ .pc = pc, .index = CODE_NONE, .target = -1 };
	if (pc >= b->size)
		return false;
	head = dex_insn_unit(b, pc);
	if (head == PAYLOAD_PACKED || head == PAYLOAD_SPARSE || head == PAYLOAD_ARRAY) {
		i->size = (uint32_t)payload_size(b, pc);
		return i->size > 0;
	}
	i->code = head & 255;
	i->op = &dex_ops[i->code];
	if (i->op->name == NULL)
		return false;
	assert(i->op->form < NELEM(form_units) && form_units[i->op->form] > 0);
	i->size = form_units[i->op->form];
	return i->size <= b->size - pc && read_operands(b, head >> 8, i) && registers_fit(b, i) &&
	    ((i->code != 0x2b && i->code != 0x2c) || read_switch(b, i));
}
