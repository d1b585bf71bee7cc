/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * makers: which instructions make a Cursor or another resource, and which methods release one.
 */
#include "config.h"

#include "code.h"

enum makes { MAKES_UNKNOWN, MAKES_NONE, MAKES_SOME };

struct maker {
	uint32_t	method, pc;	/* pc: of the instruction that is looked at next */
};

bool
world_is_call(const struct code_body *b, const struct insn *i, enum flow_call *call)
{
	static const uint8_t dex_calls[] = { CALL_VIRTUAL, CALL_SPECIAL, CALL_SPECIAL, CALL_STATIC,
	    CALL_INTERFACE };
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
looks_like_site(struct code_world *w, const struct code_body *b, const struct insn *i, uint32_t *mark,
    uint32_t *method,
    struct err *err)
{
	enum flow_call call;
	uint32_t constant = i->index;

	*mark = 0;
	*method = 0;
	if (i->op == NULL || constant == CODE_NONE)
		return true;
	if (i->code == (b->pool.dex ? 0x22 : 0xbb)) {
		*mark = world_mark(w, b->piece, b->pool.dex ? b->pool.table[DEX_METHODS].n + constant : constant);
		return true;
	}
	if (!world_is_call(b, i, &call))
		return true;
	*mark = world_mark(w, b->piece, constant);
	return *mark != 1 || world_call(w, b, constant, call, method, err);
}

/* The rest of a method; *next: another one must be known before.  */
static bool
look_on(struct code_world *w, struct maker *m, bool *made, uint32_t *next, struct err *err)
{
	struct insn i;
	uint32_t mark;

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
		if (!looks_like_site(w, &w->body, &i, &mark, &method, err))
			return false;
		if (mark != 1)
			continue;
		if (method != 0 && w->makes[method] == MAKES_UNKNOWN) {
			*next = method;
			return true;
		}
		*made = method == 0 || w->makes[method] == MAKES_SOME;
	}
	return true;
}

/* The method returns cursors that it made. */
static bool
world_makes(struct code_world *w, uint32_t method, bool *yes, struct err *err)
{
	ARRAY(struct maker) stack = ARRAY_INIT;
	struct maker m = { method, 0 };
	uint64_t n = 0;
	bool ok = true, made;
	uint32_t next;

	if (w->makes[method] == MAKES_UNKNOWN) {
		/* While it is looked at it is an owner, for those that call one another. */
		w->makes[method] = MAKES_SOME;
		ok = array_add(&stack, &n, &m, err);
	}
	while (ok && n > 0) {
		struct maker *top = &stack.at[n - 1];

		if (!(ok = look_on(w, top, &made, &next, err)))
			break;
		if (next != 0) {
			w->makes[next] = MAKES_SOME;
			ok = array_add(&stack, &n, (&(struct maker){ next, 0 }), err);
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
world_site(struct code_world *w, const struct code_body *b, const struct insn *i, uint32_t *mark,
    struct err *err)
{
	uint32_t method;
	bool yes = true;

	if (!looks_like_site(w, b, i, mark, &method, err) ||
	    (*mark == 1 && method != 0 && !world_makes(w, method, &yes, err)))
		return false;
	*mark = yes ? *mark : 0;
	return true;
}

/* ---- methods that release, or throw ------------------------------------------------------------- */

#define CONTAINS_DEEP 4		/* methods that call one another and are looked into */

/* A call releases w->row, wherever its arguments come from; class: that of the caller. */
static bool
world_releases(struct code_world *w, const struct code_pool *p, const struct code_ref *ref,
    enum flow_call call, uint32_t class)
{
	if (!resource_is_check(w->row))
		return resources_has(&w->resources, w->row, RESOURCE_RELEASED, ref->owner, ref->name);
	buf_clear(&w->other);
	code_pool_desc(p, ref, &w->other);
	return world_fits(w, RESOURCE_RELEASED, ref, buf_view(&w->other), call == CALL_SPECIAL, class);
}

/* A call of code that was not read: nothing is known of it, unless the table calls it quiet. */
static bool
unknown_does(const struct code_world *w, enum world_does what, const struct code_ref *ref)
{
	return what == DOES_THROW && !resources_has(&w->resources, 0, RESOURCE_QUIET, ref->owner, ref->name);
}

static uint64_t
does_key(const struct code_world *w, enum world_does what, uint32_t method)
{
	return (uint64_t)method << 16 | (what == DOES_THROW ? 0 : w->row);
}

/*
 * The method does it by one of its instructions, or by a method it calls; *next: that one must be known
 * before.
 */
static bool
does_itself(struct code_world *w, enum world_does what, uint32_t method, bool last, bool *yes, uint32_t *next,
    struct err *err)
{
	enum flow_call call;
	struct code_ref ref;
	uint32_t known;
	struct insn i;

	*yes = false;
	*next = 0;
	if (!code_body_open(&w->body, &w->code, method, err)) {
		*yes = what == DOES_THROW;
		return err->kind == E_NONE;
	}
	for (uint32_t pc = 0; pc < w->body.size && !*yes && *next == 0 &&
	    code_insn(&w->body, pc, &i); pc += i.size) {
		*yes = what == DOES_THROW && i.op != NULL && i.code == (w->body.pool.dex ? 0x27 : 0xbf);
		if (*yes || !world_is_call(&w->body, &i, &call) ||
		    !code_pool_method(&w->body.pool, i.index, &ref) ||
		    (*yes = what == DOES_RELEASE && world_releases(w, &w->body.pool, &ref, call,
		    w->body.class)))
			continue;
		if (!world_call(w, &w->body, i.index, call, &method, err))
			return false;
		known = method == 0 ? MAKES_NONE : idmap_get(&w->does, does_key(w, what, method));
		*yes = known == MAKES_SOME || (method == 0 && unknown_does(w, what, &ref)) ||
		    (known == MAKES_UNKNOWN && last && what == DOES_THROW);
		*next = known == MAKES_UNKNOWN && !last ? method : 0;
	}
	return true;
}

bool
world_does(struct code_world *w, enum world_does what, uint32_t method, bool *yes, struct err *err)
{
	uint32_t stack[CONTAINS_DEEP + 1] = { method }, n = 1, next;

	*yes = idmap_get(&w->does, does_key(w, what, method)) == MAKES_SOME;
	if (idmap_get(&w->does, does_key(w, what, method)) != MAKES_UNKNOWN)
		return true;
	while (n > 0) {
		uint64_t key = does_key(w, what, stack[n - 1]);

		/* While it is looked at it does not, for those that call one another. */
		if (!idmap_put(&w->does, key, MAKES_NONE, err) ||
		    !does_itself(w, what, stack[n - 1], n > CONTAINS_DEEP, yes, &next, err))
			return false;
		if (next != 0) {
			stack[n++] = next;
			continue;
		}
		if (*yes && !idmap_put(&w->does, key, MAKES_SOME, err))
			return false;
		n--;
	}
	return true;
}

bool
world_ends_first(struct code_world *w, const struct code_body *b, uint32_t before, bool *yes, struct err *err)
{
	enum flow_call call;
	struct code_ref ref;
	uint32_t mark, called;
	struct insn i;

	*yes = false;
	for (uint32_t pc = 0; pc < before && !*yes && code_insn(b, pc, &i); pc += i.size) {
		if (!looks_like_site(w, b, &i, &mark, &called, err))
			return false;
		if (mark == w->row + 1)
			return true;
		*yes = world_is_call(b, &i, &call) && code_pool_method(&b->pool, i.index, &ref) &&
		    world_releases(w, &b->pool, &ref, call, b->class);
	}
	return true;
}

bool
world_begins(struct code_world *w, uint32_t method, bool *yes, struct err *err)
{
	uint32_t mark, called;
	struct insn i;

	*yes = false;
	if (!code_body_open(&w->body, &w->code, method, err))
		return err->kind == E_NONE;
	for (uint32_t pc = 0; pc < w->body.size && !*yes && code_insn(&w->body, pc, &i); pc += i.size) {
		if (!looks_like_site(w, &w->body, &i, &mark, &called, err))
			return false;
		*yes = mark == w->row + 1;
	}
	return true;
}
