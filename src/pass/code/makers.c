/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * makers: which instructions make a Cursor: those that construct one, and calls that return one that was made.
 */
#include "config.h"

#include "code.h"

enum makes { MAKES_UNKNOWN, MAKES_NONE, MAKES_SOME };

struct maker {
	uint32_t	method, pc;	/* pc: of the instruction that is looked at next */
};

static bool
makers_call_of(const struct code_body *b, const struct insn *i, enum flow_call *call)
{
	static const uint8_t dex_calls[] = { CALL_VIRTUAL, CALL_SPECIAL, CALL_SPECIAL, CALL_STATIC, CALL_INTERFACE };
	static const uint8_t jvm_calls[] = { CALL_VIRTUAL, CALL_SPECIAL, CALL_STATIC, CALL_INTERFACE };
	uint8_t op = i->code;

	if (i->op == NULL)
		return false;
	if (b->pool.dex && op >= 0x6e && op <= 0x78 && op != 0x73)
		*call = (enum flow_call)dex_calls[op >= 0x74 ? op - 0x74 : op - 0x6e];
	else if (!b->pool.dex && op >= 0xb6 && op <= 0xb9)
		*call = (enum flow_call)jvm_calls[op - 0xb6];
	else
		return false;
	return true;
}

/* The effect of the instruction apart from the called method: *method is that method, if it decides. */
static bool
looks_like_site(struct code_world *w, const struct code_body *b, const struct insn *i, bool *yes, uint32_t *method, struct err *err)
{
	enum flow_call call;
	uint32_t constant = i->index;

	*yes = false;
	*method = 0;
	if (i->op == NULL || constant == CODE_NONE)
		return true;
	if (i->code == (b->pool.dex ? 0x22 : 0xbb)) {
		*yes = world_mark(w, b->piece, b->pool.dex ? b->pool.table[DEX_METHODS].n + constant : constant) == SITE_NEW;
		return true;
	}
	if (!makers_call_of(b, i, &call) || world_mark(w, b->piece, constant) != SITE_CALL)
		return true;
	*yes = true;
	return world_call(w, b, constant, call, method, err);
}

/* The rest of a method; *next: another one must be known before.  */
static bool
look_on(struct code_world *w, struct maker *m, bool *made, uint32_t *next, struct err *err)
{
	struct insn i;
	bool site;

	*made = false;
	*next = 0;
	if (!code_body_open(&w->body, &w->code, m->method, err)) {
		*made = true;
		return err->kind == E_NONE;
	}
	if (!w->any[w->body.piece])
		return true;
	for (; m->pc < w->body.size && !*made; m->pc += i.size) {
		uint32_t method;

		if (!code_insn(&w->body, m->pc, &i)) {
			*made = true;
			return true;
		}
		if (!looks_like_site(w, &w->body, &i, &site, &method, err))
			return false;
		if (!site)
			continue;
		if (method != 0 && w->makes[method] == MAKES_UNKNOWN) {
			*next = method;
			return true;
		}
		*made = method == 0 || w->makes[method] == MAKES_SOME;
	}
	return true;
}

bool
world_makes(struct code_world *w, uint32_t method, bool *yes, struct err *err)
{
	struct scratch stack = SCRATCH_INIT;
	struct maker m = { method, 0 };
	uint64_t n = 0;
	bool ok = true, made;
	uint32_t next;

	if (w->makes[method] == MAKES_UNKNOWN) {
		/* While it is looked at it is an owner, for those that call one another. */
		w->makes[method] = MAKES_SOME;
		ok = scratch_add(&stack, &n, &m, sizeof m, err);
	}
	while (ok && n > 0) {
		struct maker *top = &SCRATCH(stack, struct maker)[n - 1];

		if (!(ok = look_on(w, top, &made, &next, err)))
			break;
		if (next != 0) {
			w->makes[next] = MAKES_SOME;
			ok = scratch_add(&stack, &n, &(struct maker){ next, 0 }, sizeof m, err);
			continue;
		}
		w->makes[top->method] = made ? MAKES_SOME : MAKES_NONE;
		n--;
	}
	SCRATCH_FREE(&stack);
	*yes = w->makes[method] == MAKES_SOME;
	return ok;
}

bool
world_site(struct code_world *w, const struct code_body *b, const struct insn *i, bool *yes, struct err *err)
{
	uint32_t method;

	if (!looks_like_site(w, b, i, yes, &method, err))
		return false;
	return !*yes || method == 0 || world_makes(w, method, yes, err);
}
