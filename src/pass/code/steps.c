/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps: the effect of a step on a state: the following states, and exits of the method.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "walk.h"

#define WIDEN 256		/* states at one step; from this many on they are merged more coarsely */
#define WIDEN_RESOURCES 24	/* the same for resources other than Cursors, whose states know more of conditions */
#define GIVE_UP 20000		/* states of a site */
#define STATES_MOST (64u << 20)	/* bytes of them */

/* ---- states ---------------------------------------------------------------------------------- */

struct walk_state *
walk_state_at(const struct path_walk *k, uint64_t i)
{
	return (struct walk_state *)(void *)(k->states.data + i * k->bytes);
}

uint8_t *
walk_registers(struct walk_state *s)
{
	return (uint8_t *)(s + 1);
}

/* The state in k->row, unless it was there. */
static bool
steps_add_state(struct path_walk *k, struct err *err)
{
	const struct walk_state *row = (const struct walk_state *)(const void *)k->row.data;
	uint64_t key = idmap_hash_text((struct str){ (const char *)row, k->bytes }, 0);

	if (idmap_get(&k->known, key) != 0)
		return true;
	if (k->nstates >= GIVE_UP || (k->nstates + 1) * k->bytes > STATES_MOST) {
		k->full = true;
		return true;
	}
	if (!scratch_add(&k->states, &k->nstates, row, k->bytes, err) || !idmap_put(&k->known, key, 1, err))
		return false;
	k->count.at[row->step]++;
	/* scratch_add() may have moved the states. */
	k->from = walk_state_at(k, k->next);
	k->old = walk_registers(walk_state_at(k, k->next));
	return true;
}

static uint8_t *
row_registers(struct path_walk *k)
{
	return walk_registers((struct walk_state *)(void *)k->row.data);
}

/* Copy the registers of the current state to the row, where the caller turns them into a following state. */
static uint8_t *
row_begin(struct path_walk *k)
{
	uint8_t *to = row_registers(k);

	memcpy(to, k->old, k->flow.width);
	if (k->flow.result != STEP_NONE)
		to[k->flow.result] = VALUE_ANY;
	return to;
}

/* The cursor is no longer of interest, or is known to be null. */
static void
row_drop(struct path_walk *k, enum flow_value to)
{
	uint8_t *r = row_registers(k);

	for (uint32_t i = 0; i < k->flow.width; i++)
		if (r[i] == VALUE_CURSOR || r[i] == VALUE_CLOSED || r[i] == VALUE_PRESENT)
			r[i] = (uint8_t)to;
}

/* The state in the row follows, at a step. */
bool
walk_go(struct path_walk *k, uint32_t step, enum walk_status status, uint32_t handler, struct err *err)
{
	struct walk_state *row = (struct walk_state *)(void *)k->row.data;
	uint8_t *r = row_registers(k);
	uint32_t height;

	k->result->escapes |= status == STATUS_ESCAPED;
	if (step == STEP_NONE) {
		k->result->complete = false;
		return true;
	}
	assert(step < k->flow.nsteps);
	if (step == k->born && status == STATUS_UNBORN)
		status = STATUS_OPEN;
	/*
	 * The rest of the path is of no interest: another resource that the site makes is followed from
	 * there.
	 */
	if (k->world->row != 0 && status > STATUS_OPEN) {
		k->result->ends |= 1u << status;
		return true;
	}
	*row = (struct walk_state){ .step = step, .status = (uint8_t)status,
	    .handler = status == STATUS_OPEN ? handler : NO_HANDLER,
	    .unlikely = status == STATUS_OPEN && (k->unlikely || (k->from != NULL && k->from->unlikely)) };
	if (k->count.at[step] > (k->world->row == 0 ? WIDEN : WIDEN_RESOURCES))
		for (uint32_t i = 0; i < k->flow.width; i++)
			if ((i < k->flow.locals || i >= k->flow.fields) && r[i] != VALUE_CURSOR &&
			    r[i] < VALUE_CLOSED)
				r[i] = VALUE_ANY;
	height = flow_steps(&k->flow)[step].height;
	if (height < k->flow.fields)
		memset(r + height, VALUE_ANY, k->flow.fields - height);
	return steps_add_state(k, err);
}

/* ---- ways out ----------------------------------------------------------------------------------- */

static bool
steps_leave(struct path_walk *k, enum exit_kind kind, uint32_t pc, enum walk_status status, uint32_t handler,
    struct err *err)
{
	struct walk_exit e = k->from->unlikely ? (struct walk_exit){ .pc = handler, .handler = NO_HANDLER,
	    .kind = EXIT_CALL } :
	    (struct walk_exit){ .pc = pc, .handler = handler, .kind = kind };
	uint64_t key = (uint64_t)e.kind << 61 | (uint64_t)(e.pc & 0x3fffffff) << 31 | ((e.handler + 1) & 0x7fffffff);

	if (kind == EXIT_RETURN)
		k->result->ends |= 1u << status;
	k->result->escapes |= status == STATUS_ESCAPED;
	if (status != STATUS_OPEN || idmap_get(&k->exits, key + 1) != 0)
		return true;
	return idmap_put(&k->exits, key + 1, 1, err) &&
	    array_add(&k->result->exits, &k->result->nexits, &e, err);
}

static bool
holds_cursor(const struct path_walk *k, const uint8_t *r)
{
	return memchr(r, VALUE_CURSOR, k->flow.locals) != NULL;
}

/*
 * The handler catches the exception, if the call that throws it declares those of the resource: of a Cursor
 * or check any handler, of another resource only one for all exceptions or for its own.
 */
static bool
is_caught(const struct path_walk *k, const struct flow_try *t, enum walk_status status, bool declared,
    enum exit_kind kind)
{
	const struct code_world *w = k->world;

	if (w->row == 0 || resource_is_check(w->row) || status != STATUS_OPEN || kind == EXIT_ATHROW ||
	    (t->what != CATCH_SOME && !str_is(t->type, "java/lang/RuntimeException")))
		return true;
	return declared && resources_has(&w->resources, w->row, RESOURCE_THROWS, t->type, STR(""));
}

/*
 * The path behind the handler is followed only if a call throws that is not known to do so.  The rules of
 * checks are about all paths to a handler that ends the exception.
 */
static bool
is_unlikely(const struct path_walk *k, const struct flow_try *t, bool declared, enum exit_kind kind)
{
	if (resource_is_check(k->world->row))
		return kind == EXIT_CALL && t->type.n == 0 && k->until == STEP_NONE;
	return kind == EXIT_ATHROW ? t->what == CATCH_SOME : kind == EXIT_CALL && !declared;
}

/* Follow an exception thrown at a step into its handlers; drop: stop tracking the cursor. */
static bool
throw(struct path_walk *k, const struct flow_step *s, enum walk_status status, bool drop, bool declared,
    enum exit_kind kind,
    struct err *err)
{
	const struct flow_try *t = SCRATCH(k->flow.tries, struct flow_try);
	uint32_t handler = k->from->handler;
	bool caught = false, ok, resource = k->world->row != 0 && status == STATUS_OPEN;
	bool first = resource && kind != EXIT_ATHROW && !resource_is_check(k->world->row);

	k->world->effort += k->flow.ntries / 8;
	for (uint64_t i = 0; i < k->flow.ntries; i++) {
		uint32_t last = handler;

		if (s->pc < t[i].start || s->pc >= t[i].end || !is_caught(k, &t[i], status, declared, kind))
			continue;
		caught = true;
		k->world->effort += 1 + k->bytes / 64;
		row_begin(k);
		if (drop)
			row_drop(k, VALUE_ANY);
		k->unlikely = resource && is_unlikely(k, &t[i], declared, kind);
		if (k->unlikely)
			last = s->pc;
		else if (status == STATUS_OPEN && !k->from->unlikely && holds_cursor(k, row_registers(k)))
			last = t[i].handler_pc;
		row_registers(k)[k->flow.caught] = VALUE_SOME;
		ok = walk_go(k, t[i].handler, status, last, err);
		k->unlikely = false;
		if (!ok)
			return false;
		if (t[i].what != CATCH_SOME || first)
			return true;
	}
	/* An exception that is thrown on purpose is probably caught by one of the handlers. */
	if (caught && resource && kind == EXIT_ATHROW)
		return true;
	return steps_leave(k, kind, s->pc, status, status == STATUS_OPEN ? handler : NO_HANDLER, err);
}

/* ---- steps ----------------------------------------------------------------------------------------- */

static enum walk_status
when_nothing(enum walk_status status)
{
	return status == STATUS_OPEN ? STATUS_NOTHING : status;
}

static bool
go_as_is(struct path_walk *k, uint32_t step, struct err *err)
{
	row_begin(k);
	return walk_go(k, step, (enum walk_status)k->from->status, k->from->handler, err);
}

/* The cursor is null there, or was seen closed. */
static bool
go_without(struct path_walk *k, uint32_t step, enum flow_value value, struct err *err)
{
	row_begin(k);
	row_drop(k, value);
	return walk_go(k, step, when_nothing((enum walk_status)k->from->status), k->from->handler, err);
}

static bool
steps_holds(enum flow_test test, uint64_t value)
{
	switch (test) {
	case TEST_EQ: case TEST_LE: return value == 0;
	case TEST_NE: case TEST_GT: return value != 0;
	case TEST_LT: return false;
	case TEST_GE: break;
	}
	return true;
}

/* The tested register, and the local that it was loaded from, have the value from here on. */
static bool
go_known(struct path_walk *k, const struct flow_step *s, uint32_t step, enum flow_value value,
    struct err *err)
{
	const struct flow_step *load = s == flow_steps(&k->flow) ? NULL : s - 1;
	uint8_t *r = row_begin(k);

	r[s->from] = (uint8_t)value;
	if (load != NULL && load->kind == FLOW_MOVE && load->n == 1 &&
	    flow_words(&k->flow, load)[0] == s->from)
		r[flow_words(&k->flow, load)[1]] = (uint8_t)value;
	return walk_go(k, step, (enum walk_status)k->from->status, k->from->handler, err);
}

static bool
if_zero(struct path_walk *k, const struct flow_step *s, struct err *err)
{
	uint8_t v = k->old[s->from];
	bool equal = s->test == TEST_EQ, either = equal || s->test == TEST_NE, take = true, stay = true;
	uint32_t zero = equal ? s->target : s->next, other = equal ? s->next : s->target;

	if (either && (v == VALUE_CURSOR || v == VALUE_PRESENT))
		return go_without(k, zero, VALUE_ZERO, err) && go_as_is(k, other, err);
	if (either && v == VALUE_CLOSED)
		return go_without(k, other, VALUE_ANY, err) && go_as_is(k, zero, err);
	if (either && v == VALUE_ANY && k->world->row != 0)
		return go_known(k, s, zero, VALUE_ZERO, err) && go_known(k, s, other, VALUE_SOME, err);
	if (s->ref)
		return (v == VALUE_SOME || go_as_is(k, zero, err)) &&
		    (v == VALUE_ZERO || go_as_is(k, other, err));
	if (v == VALUE_ZERO || v == VALUE_ONE)
		stay = !(take = steps_holds((enum flow_test)s->test, v == VALUE_ONE));
	else if (v == VALUE_SOME && either)
		stay = !(take = !equal);
	return (!take || go_as_is(k, s->target, err)) && (!stay || go_as_is(k, s->next, err));
}

static bool
if_same(struct path_walk *k, const struct flow_step *s, struct err *err)
{
	uint8_t a = k->old[s->from], b = k->old[s->other], low = a < b ? a : b, high = a < b ? b : a;
	bool equal = s->test == TEST_EQ;
	uint32_t same = equal ? s->target : s->next, other = equal ? s->next : s->target;

	if ((low == VALUE_ZERO && high == VALUE_CURSOR) ||
	    (k->world->row != 0 && low != high && high == VALUE_CURSOR))
		return go_without(k, same, VALUE_ZERO, err) && go_as_is(k, other, err);
	if (!s->ref)
		return go_as_is(k, s->target, err) && go_as_is(k, s->next, err);
	if (!(low == VALUE_ZERO && high == VALUE_SOME) && !go_as_is(k, same, err))
		return false;
	return (low == high && (low == VALUE_ZERO || low == VALUE_CURSOR)) || go_as_is(k, other, err);
}

static void
put_result(struct path_walk *k, const struct flow_step *s, enum flow_value value)
{
	uint8_t *r = row_registers(k);

	assert(s->width == 0 || s->to + s->width <= k->flow.width);
	for (uint32_t i = 0; i < s->width; i++)
		r[s->to + i] = (uint8_t)(i == 0 ? value : VALUE_ANY);
}

/*
 * The site makes another one while this one is open, which is lost then.  One of the table may be closed
 * later if a register still has it: it is followed, too.
 */
static bool
made_again(struct path_walk *k, const struct flow_step *s, struct err *err)
{
	if (k->world->row == 0 || (!holds_cursor(k, k->old) && k->from->handler == NO_HANDLER &&
	    !k->world->resources.row[k->world->row].with)) {
		k->result->lost_pc = k->result->lost ? k->result->lost_pc : s->pc;
		k->result->lost = true;
		return true;
	}
	row_begin(k);
	put_result(k, s, VALUE_SOME);
	return walk_go(k, s->next, STATUS_OPEN, k->from->handler, err);
}

static bool
make_cursor(struct path_walk *k, const struct flow_step *s, struct err *err)
{
	if (k->from->status == STATUS_OPEN && !made_again(k, s, err))
		return false;
	row_begin(k);
	row_drop(k, VALUE_ANY);
	put_result(k, s, VALUE_CURSOR);
	return walk_go(k, s->next, STATUS_UNBORN, NO_HANDLER, err);
}

/* The cursor is stored where other code finds it; then as if a value was set. */
static bool
hand_out(struct path_walk *k, const struct flow_step *s, bool kept, struct err *err)
{
	enum walk_status status = (enum walk_status)k->from->status;

	row_begin(k);
	if (kept && status == STATUS_OPEN) {
		status = STATUS_ESCAPED;
		row_drop(k, VALUE_ANY);
	}
	put_result(k, s, (enum flow_value)s->value);
	if (s->kind == FLOW_PUT && s->other != STEP_NONE)
		row_registers(k)[s->other] = k->old[s->from] < VALUE_CURSOR ? k->old[s->from] : VALUE_ANY;
	return walk_go(k, s->next, status, k->from->handler, err);
}

/* Null is of no type. */
static bool
is_of_type(struct path_walk *k, const struct flow_step *s, struct err *err)
{
	uint8_t v = k->old[s->from];

	row_begin(k);
	put_result(k, s, v == VALUE_CURSOR ? (enum flow_value)s->value : v == VALUE_ZERO ? VALUE_ZERO :
	    VALUE_ANY);
	return walk_go(k, s->next, (enum walk_status)k->from->status, k->from->handler, err);
}

static bool
steps_move(struct path_walk *k, const struct flow_step *s, struct err *err)
{
	const uint32_t *pair = flow_words(&k->flow, s);
	uint8_t *r = row_begin(k);

	for (uint32_t i = 0; i < s->n; i++)
		r[pair[2 * i]] = k->old[pair[2 * i + 1]];
	return walk_go(k, s->next, (enum walk_status)k->from->status, k->from->handler, err);
}

static bool
jump_to_subroutine(struct path_walk *k, const struct flow_step *s, struct err *err)
{
	uint32_t i = 0;

	assert(k->nreturns <= VALUE_RETURNS);
	while (i < k->nreturns && k->returns[i] != s->next)
		i++;
	if (i == VALUE_RETURNS) {
		k->result->complete = false;
		return true;
	}
	k->returns[i] = s->next;
	k->nreturns += i == k->nreturns;
	row_begin(k)[s->to] = (uint8_t)(VALUE_RETURN + i);
	return walk_go(k, s->target, (enum walk_status)k->from->status, k->from->handler, err);
}

/*
 * The object that was constructed is the resource from here on: in dex files the register of the receiver, in
 * class files the copy of it that "dup" left below the arguments.
 */
static void
put_wrapper(struct path_walk *k, const struct flow_step *s)
{
	uint32_t first = *flow_words(&k->flow, s);

	row_registers(k)[k->flow.dex ? first : first - 1] = VALUE_CURSOR;
}

static bool
steps_go_on(struct path_walk *k, const struct flow_step *s, const struct call_edges *e, bool site,
    struct err *err)
{
	row_begin(k);
	if ((e->status != k->from->status || site) && !e->born)
		row_drop(k, VALUE_ANY);
	put_result(k, s, e->value);
	if (e->wraps)
		put_wrapper(k, s);
	return walk_go(k, s->next, (enum walk_status)e->status, k->from->handler, err);
}

/* Follow a call; e->need: the method that must be walked first. */
static bool
steps_call(struct code_world *w, struct path_walk *k, const struct flow_step *s, struct call_edges *e,
    struct err *err)
{
	bool site = (uint32_t)(s - flow_steps(&k->flow)) == k->site;
	enum exit_kind kind;

	if (!call_edges(w, k, k->body, s, e, err))
		return false;
	if (e->need != 0 || e->ends)
		return true;
	if (e->lost && !made_again(k, s, err))
		return false;
	if (e->returns_first && !steps_go_on(k, s, e, site, err))
		return false;
	kind = e->operation && e->thrown == STATUS_OPEN ? EXIT_OPERATION : EXIT_CALL;
	if (e->throws && !throw(k, s, (enum walk_status)e->thrown, e->thrown != k->from->status, e->declared,
	    kind, err))
		return false;
	return e->returns_first || steps_go_on(k, s, e, site, err);
}

bool
walk_step(struct code_world *w, struct path_walk *k, const struct flow_step *s, struct call_edges *e,
    struct err *err)
{
	const uint32_t *list = flow_words(&k->flow, s);
	enum walk_status status = (enum walk_status)k->from->status;

	e->need = 0;
	if ((uint32_t)(s - flow_steps(&k->flow)) == k->until && status == STATUS_OPEN)
		return steps_leave(k, EXIT_REACHED, s->pc, status, NO_HANDLER, err);
	switch ((enum flow_kind)s->kind) {
	case FLOW_SET: return hand_out(k, s, false, err);
	case FLOW_MOVE: return steps_move(k, s, err);
	case FLOW_IF_ZERO: return if_zero(k, s, err);
	case FLOW_IF_SAME: return if_same(k, s, err);
	case FLOW_IS: return is_of_type(k, s, err);
	case FLOW_GO:
		for (uint32_t i = 0; i < s->n; i++)
			if (!go_as_is(k, list[i], err))
				return false;
		return true;
	case FLOW_JSR: return jump_to_subroutine(k, s, err);
	case FLOW_RET:
		if (k->old[s->from] < VALUE_RETURN) {
			k->result->complete = false;
			return true;
		}
		return go_as_is(k, k->returns[k->old[s->from] - VALUE_RETURN], err);
	case FLOW_RETURN:
		if (s->from != STEP_NONE && k->old[s->from] == VALUE_CURSOR)
			status = STATUS_ESCAPED;
		return steps_leave(k, EXIT_RETURN, s->pc, status, k->from->handler, err);
	case FLOW_THROW:
		if (status == STATUS_OPEN && w->resources.row[w->row].may_throw)
			return true;
		return throw(k, s, status, false, false, EXIT_ATHROW, err);
	case FLOW_PUT: return hand_out(k, s, s->from != STEP_NONE && k->old[s->from] == VALUE_CURSOR, err);
	case FLOW_TAKE: return hand_out(k, s, walk_takes_cursor(k, s), err);
	case FLOW_CALL: return steps_call(w, k, s, e, err);
	case FLOW_NEW:
		return (uint32_t)(s - flow_steps(&k->flow)) == k->site ? make_cursor(k, s, err) :
		    hand_out(k, s, false, err);
	}
	return true;
}
