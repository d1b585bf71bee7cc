/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow_dex: steps of the code of dex files.  The result of a call is in one more register until the next
 * instruction.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "flow.h"

/* The same call in the notation of class files. */
static enum flow_call
call_kind(uint8_t op)
{
	static const uint8_t calls[] = { CALL_VIRTUAL, CALL_SPECIAL, CALL_SPECIAL, CALL_STATIC,
	    CALL_INTERFACE };

	return (enum flow_call)calls[op >= 0x74 ? op - 0x74 : op - 0x6e];
}

static bool
is_call(uint8_t op)
{
	return (op >= 0x6e && op <= 0x72) || (op >= 0x74 && op <= 0x78);
}

static bool
add_registers(struct code_flow *f, struct flow_step *s, const struct insn *i, struct err *err)
{
	s->n = i->nregs;
	s->index = i->index;
	for (uint32_t k = 0; k < i->nregs; k++)
		if (!flow_list(f, i->range ? i->reg[0] + k : i->reg[k], err))
			return false;
	return true;
}

static bool
add_move(struct code_flow *f, struct flow_step *s, uint32_t to, uint32_t from, struct err *err)
{
	s->kind = FLOW_MOVE;
	s->n = 1;
	return flow_list(f, to, err) && flow_list(f, from, err);
}

/* Fill in the registers that the instruction writes, from its effect (struct insn_op). */
static bool
make_effect(struct code_flow *f, struct flow_step *s, const struct insn *i, struct err *err)
{
	switch (i->op->effect) {
	case 'm': return add_move(f, s, i->reg[0], i->reg[1], err);
	case 'r': return add_move(f, s, i->reg[0], f->result, err);
	case 'c':
		s->value = i->value == 0 ? VALUE_ZERO : i->value == 1 &&
		    i->code != 0x15 ? VALUE_ONE : VALUE_SOME;
		break;
	case 'y': s->value = VALUE_SOME; break;
	case 0: return true;
	default: break;
	}
	s->to = i->reg[0];
	s->width = i->op->effect == 'W' && i->reg[0] + 1 < f->locals ? 2 : 1;
	return true;
}

static bool
flow_dex_make_step(struct code_flow *f, struct flow_step *s, const struct code_body *b, const struct insn *i,
    struct err *err)
{
	uint8_t op = i->code;
	uint32_t field;

	if (is_call(op) || op == 0x24 || op == 0x25 || (op >= 0xfa && op <= 0xfd)) {
		s->kind = is_call(op) ? FLOW_CALL : FLOW_TAKE;
		s->test = is_call(op) ? (uint8_t)call_kind(op) : 0;
		s->to = f->result;
		s->width = 1;
		s->value = op == 0x24 || op == 0x25 ? VALUE_SOME : VALUE_ANY;
		return add_registers(f, s, i, err);
	}
	s->from = i->nregs > 0 ? i->reg[0] : STEP_NONE;
	switch (op) {
	case 0x0e: case 0x0f: case 0x10: case 0x11:
		s->kind = FLOW_RETURN;
		if (op != 0x11)
			s->from = STEP_NONE;
		return true;
	case 0x20:
		s->to = i->reg[0];
		s->from = i->reg[1];
		flow_is(s, &b->pool, i->index);
		return true;
	case 0x22:
		s->kind = FLOW_NEW;
		s->to = i->reg[0];
		s->width = 1;
		s->value = VALUE_SOME;
		s->index = i->index;
		return true;
	case 0x27: s->kind = FLOW_THROW; return true;
	case 0x28: case 0x29: case 0x2a: case 0x2b: case 0x2c: s->kind = FLOW_GO; return true;
	case 0x32: case 0x33:
		s->kind = FLOW_IF_SAME;
		s->test = op == 0x32 ? TEST_EQ : TEST_NE;
		s->other = i->reg[1];
		return true;
	case 0x34: case 0x35: case 0x36: case 0x37: s->kind = FLOW_GO; return true;
	case 0x38: case 0x39: case 0x3a: case 0x3b: case 0x3c: case 0x3d:
		s->kind = FLOW_IF_ZERO;
		s->test = op - 0x38;
		return true;
	case 0x4d: case 0x5b: case 0x5c: case 0x69: case 0x6a:
		s->kind = FLOW_PUT;
		s->other = op == 0x4d ? STEP_NONE : flow_field(f, i->index);
		return true;
	case 0x54: case 0x55: case 0x62: case 0x63:
		field = flow_reads_field(f, b, i, 0) ? flow_field(f, i->index) : STEP_NONE;
		return field == STEP_NONE ? make_effect(f, s, i, err) : add_move(f, s, i->reg[0], field, err);
	default: return make_effect(f, s, i, err);
	}
}

/* Targets in the order of the instruction, and the next instruction. */
static bool
make_targets(struct code_flow *f, const struct code_body *b, uint32_t step, const struct insn *i,
    struct err *err)
{
	uint32_t from = (uint32_t)f->nlists;
	int64_t key;

	flow_steps(f)[step].target = i->target >= 0 ? flow_step_at(f, i->target) : STEP_NONE;
	if (flow_steps(f)[step].kind != FLOW_GO)
		return true;
	for (uint32_t k = 0; k < i->cases; k++)
		if (!flow_list(f, flow_step_at(f, code_case(b, i, k, &key)), err))
			return false;
	if (i->code != 0x2b && i->code != 0x2c && !flow_list(f, flow_step_at(f, i->target), err))
		return false;
	if (i->code > 0x2a && !flow_list(f, flow_steps(f)[step].next, err))
		return false;
	flow_steps(f)[step].list = from;
	flow_steps(f)[step].n = (uint32_t)f->nlists - from;
	return true;
}

bool
flow_dex(struct code_flow *f, const struct code_body *b, struct err *err)
{
	struct flow_step *s;
	struct insn i;

	for (uint32_t pc = 0; pc < b->size; pc += i.size) {
		if (!code_insn(b, pc, &i))
			return false;
		if (i.op == NULL)
			continue;
		if ((s = flow_add(f, pc, FLOW_SET, err)) == NULL || !flow_dex_make_step(f, s, b, &i, err))
			return false;
		s->height = f->fields;
	}
	for (uint32_t k = 0; k < f->nsteps; k++) {
		if (!code_insn(b, flow_steps(f)[k].pc, &i))
			return false;
		flow_steps(f)[k].next = flow_step_at(f, (int64_t)i.pc + i.size);
		if (!make_targets(f, b, k, &i, err))
			return false;
	}
	return f->nsteps > 0;
}
