/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jvm: decode instructions of class files.
 */
#include "config.h"

#include <assert.h>

#include "bytes.h"

/* Read the cases of a switch. They are aligned to 4 bytes, with 0 to 3 bytes of padding after the opcode. */
static bool
read_cases(const struct code_body *b, struct insn *i)
{
	const uint8_t *c = b->insns;
	uint64_t at = ((uint64_t)i->pc + 4) & ~(uint64_t)3, n, width = i->op->form == FORM_TABLE ? 4 : 8;
	int64_t low, high;

	if (at + 12 > b->size && (at + 8 > b->size || width == 4))
		return false;
	i->target = (int64_t)i->pc + (int32_t)be32(c + at);
	low = (int32_t)be32(c + at + 4);
	if (width == 4) {
		high = (int32_t)be32(c + at + 8);
		if (high < low || high - low >= (int64_t)b->size)
			return false;
		n = (uint64_t)(high - low) + 1;
		i->value = low;
		at += 12;
	} else {
		if (low < 0)
			return false;
		n = (uint64_t)low;
		at += 8;
		i->keys = (uint32_t)at;
	}
	if (n > (b->size - at) / width)
		return false;
	assert(at > i->pc && at + n * width <= b->size);
	i->cases = (uint32_t)n;
	i->targets = (uint32_t)(width == 4 ? at : at + 4);
	i->size = (uint32_t)(at + n * width - i->pc);
	return true;
}

static bool
read_wide(const struct code_body *b, struct insn *i)
{
	const uint8_t *c = b->insns + i->pc;
	uint32_t left = b->size - i->pc;
	const struct insn_op *op;

	if (left < 4)
		return false;
	op = &jvm_ops[c[1]];
	if (op->name == NULL || (op->form != FORM_SLOT && (op->form != FORM_INC || left < 6)))
		return false;
	i->op = op;
	i->code = c[1];
	i->wide = true;
	i->nregs = 1;
	i->reg[0] = be16(c + 2);
	i->size = op->form == FORM_INC ? 6 : 4;
	if (op->form == FORM_INC)
		i->value = (int16_t)be16(c + 4);
	return true;
}

/* Return the slot of iload_0 and similar instructions, the last digit of their names. */
static void
read_short(struct insn *i)
{
	uint8_t op = i->code;

	if ((op >= 0x1a && op <= 0x2d) || (op >= 0x3b && op <= 0x4e)) {
		i->reg[0] = (op - (op < 0x3b ? 0x1au : 0x3bu)) % 4;
		i->nregs = 1;
	}
}

/* Length of each form, 0: computed by a function. */
static const uint8_t form_size[FORM_MULTI + 1] = {
	[FORM_NONE] = 1, [FORM_BYTE] = 2, [FORM_SHORT] = 3, [FORM_CONST1] = 2, [FORM_CONST2] = 3,
	[FORM_SLOT] = 2,
	[FORM_INC] = 3, [FORM_BRANCH] = 3, [FORM_BRANCH4] = 5, [FORM_INTERFACE] = 5, [FORM_DYNAMIC] = 5,
	[FORM_ARRAY] = 2,
	[FORM_MULTI] = 4
};

bool
jvm_insn(const struct code_body *b, uint32_t pc, struct insn *i)
{
	const uint8_t *c = b->insns + pc;

	*i = (struct insn){ .pc = pc, .index = CODE_NONE, .target = -1 };
	if (pc >= b->size || jvm_ops[*c].name == NULL)
		return false;
	i->op = &jvm_ops[*c];
	i->code = *c;
	assert(i->op->form < NELEM(form_size));
	i->size = form_size[i->op->form];
	if (i->size > b->size - pc)
		return false;
	switch ((enum insn_form)i->op->form) {
	case FORM_NONE: read_short(i); break;
	case FORM_BYTE: i->value = (int8_t)c[1]; break;
	case FORM_SHORT: i->value = (int16_t)be16(c + 1); break;
	case FORM_CONST1: i->index = c[1]; break;
	case FORM_CONST2:
	case FORM_INTERFACE:
	case FORM_DYNAMIC: i->index = be16(c + 1); break;
	case FORM_MULTI:
		i->index = be16(c + 1);
		i->value = c[3];
		break;
	case FORM_INC:
		i->value = (int8_t)c[2];
		/* fallthrough */
	case FORM_SLOT:
		i->reg[0] = c[1];
		i->nregs = 1;
		break;
	case FORM_ARRAY: i->value = c[1]; break;
	case FORM_BRANCH: i->target = (int64_t)pc + (int16_t)be16(c + 1); break;
	case FORM_BRANCH4: i->target = (int64_t)pc + (int32_t)be32(c + 1); break;
	case FORM_TABLE:
	case FORM_LOOKUP: return read_cases(b, i);
	case FORM_WIDE: return read_wide(b, i);
	default: return false;
	}
	return true;
}
