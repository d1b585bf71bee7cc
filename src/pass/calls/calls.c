/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "calls": replays all records once and builds the merged call tree of
 * every thread.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "icecore/make.h"
#include "calls_pass.h"

/* ---- results, as columns -------------------------------------------------------------------- */

static bool
put_synthetic(struct call_trees *c, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_SYNTHETIC_THREAD, synthetic, thread), MAKE(COL_SYNTHETIC_METHOD, synthetic, method),
		MAKE(COL_SYNTHETIC_WALL, synthetic, wall), MAKE(COL_SYNTHETIC_CPU, synthetic, cpu)
	};

	return make_columns(c->st, columns, NELEM(columns), MAKE_ROWS(c->synthetic.at,
	    c->nsynthetic), err);
}

static bool
calls_publish(struct call_trees *c, struct err *err)
{
	uint32_t n = c->replay.nthreads, *depths = mem_array(n + 1u, sizeof *depths);
	/* Threads without records were in no run. */
	bool ok = stacks_grow(&c->threads, n, err) && build_threads(&c->tree, n, err) &&
	    (depths != NULL || fail(err, E_SYSTEM, "out of memory"));

	for (uint32_t i = 0; ok && i < n; i++)
		depths[i] = calls_thread(c, i + 1)->depth;
	c->tree.depths = depths;
	/* Facts first: columns use up the nodes. */
	ok = ok && calls_threads(c, err) && build_columns(&c->tree, c->st, c->replay.nmethods, c->work,
	    err) &&
	    put_synthetic(c, err) && store_pack(c->st, COL_METHOD_RAW, c->replay.methods.at,
	    c->replay.nmethods, err);
	free(depths);
	return ok;
}

/* ---- events -------------------------------------------------------------------------- */

/* Threads mostly get their numbers as they appear, but some files have them numbered before. */
static struct call_thread *
calls_thread_at(struct call_trees *c, const struct event_run *run, struct err *err)
{
	struct call_thread *t;

	assert(run->n > 0 && run->thread > 0 && run->thread <= c->replay.nthreads);
	if (run->thread > c->threads.n && (!stacks_grow(&c->threads, run->thread, err) ||
	    !build_threads(&c->tree, run->thread, err)))
		return NULL;
	t = calls_thread(c, run->thread);
	if (*build_root(&c->tree, run->thread) == 0)
		*build_root(&c->tree, run->thread) = build_node(&c->tree, 0, 0);
	if (t->records == 0) {
		t->first_wall = run->ev[0].wall;
		t->first_cpu = run->ev[0].cpu;
	}
	t->records += run->n;
	return t;
}

/*
 * An exit without an enter: the call was open when the trace began, around everything the thread did so far.
 */
static bool
synthesize(struct call_trees *c, struct call_thread *t, const struct event *ev,
    uint32_t method, struct err *err)
{
	uint32_t call = *build_root(&c->tree, t->stack.thread);

	assert(call != 0 && t->stack.depth == 0);
	build_at(&c->tree, call)->calls = 1;
	t->fixed.synthetic++;
	return build_wrap(&c->tree, t->stack.thread, method, err) &&
	    build_weigh(&c->tree, call, ev->wall, ev->cpu, err) && array_add(&c->synthetic, &c->nsynthetic,
	    (&(struct synthetic){ t->stack.thread, method, ev->wall, ev->cpu }), err);
}

/* Closes the innermost call at a time. */
static inline bool
calls_close_top(struct call_trees *c, struct stack *s, uint64_t wall, uint64_t cpu,
    struct err *err)
{
	const struct frame *f = &s->frame[s->depth - 1];

	assert(s->depth > 0 && wall >= f->wall && cpu >= f->cpu);
	return build_weigh(&c->tree, f->node, wall - f->wall, cpu - f->cpu, err) &&
	    stack_pop(&c->threads.index, s, err);
}

static inline bool
calls_enter(struct call_trees *c, struct call_thread *t, const struct event *ev,
    struct err *err)
{
	struct stack *s = &t->stack;
	uint32_t parent = s->depth == 0 ? *build_root(&c->tree, s->thread) : s->frame[s->depth - 1].node;
	uint32_t n = build_child(&c->tree, parent, ev->method);

	build_at(&c->tree, n)->calls++;
	assert(s->depth < s->cap);
	s->frame[s->depth].node = n;
	if (!stack_push(&c->threads.index, s, ev, err))
		return false;
	if (s->depth > t->depth)
		t->depth = s->depth;
	return true;
}

static inline bool
calls_leave(struct call_trees *c, struct call_thread *t, const struct event *ev,
    const struct record *rec, struct err *err)
{
	uint32_t closes, method = ev->method;

	/* A record that names no method means the innermost call, or the last one named. */
	if (method == 0) {
		method = t->stack.depth > 0 ?
		    t->stack.frame[t->stack.depth - 1].method :
		    replay_method(&c->replay, rec->method);
		c->replay.unknown_records += method > c->replay.nlisted;
	}
	if (t->stack.depth == 0)
		return method != 0 && synthesize(c, t, ev, method, err);
	if (!stack_leave(&c->threads.index, &t->stack, ev, &closes, err))
		return false;
	assert(closes <= t->stack.depth);
	if (closes == 0)
		t->fixed.ignored++;
	else
		t->fixed.forced += closes - 1;
	while (closes-- > 0)
		if (!calls_close_top(c, &t->stack, ev->wall, ev->cpu, err))
			return false;
	return true;
}

/*
 * The next events that enter a call, or leave the innermost one by its name, as nearly all do: the stack is
 * in locals meanwhile.  *i is then the first that does neither.
 */
static bool
calls_take_plain(struct call_trees *c, struct call_thread *t, const struct event_run *run, uint32_t *i,
    struct err *err)
{
	struct build *b = &c->tree;
	struct stack *s = &t->stack;
	struct frame *top = s->frame + s->depth, *most = s->frame + t->depth;
	const struct frame *floor = s->frame + s->floor;
	const struct event *ev = &run->ev[*i], *end = run->ev + run->n;
	uint32_t root = *build_root(b, s->thread), node, enters = 0, unrolls = 0;
	bool ok = true;

	assert(root != 0 && s->floor <= s->depth && s->depth <= t->depth && t->depth <= s->cap);
	for (; ok && ev < end; ev++) {
		if (ev->action == ACT_ENTER) {
			node = build_child(b, top == s->frame ? root : top[-1].node, ev->method);
			build_at(b, node)->calls++;
			top->wall = ev->wall;
			top->cpu = ev->cpu;
			top->method = ev->method;
			top->node = node;
			if (++top > most)
				most = top;
			enters++;
		} else if (ev->action <= ACT_UNROLL && top > floor && top[-1].method == ev->method) {
			top--;
			ok = build_weigh(b, top->node, ev->wall - top->wall, ev->cpu - top->cpu, err);
			unrolls += ev->action == ACT_UNROLL;
		} else {
			break;
		}
	}
	assert(top >= floor && top <= most && enters + unrolls <= (uint32_t)(ev - &run->ev[*i]));
	t->depth = (uint32_t)(most - s->frame);
	s->depth = (uint32_t)(top - s->frame);
	/* calls_take_run reserved a frame for each event. */
	assert(s->depth <= t->depth && t->depth <= s->cap);
	t->actions[ACT_ENTER] += enters;
	t->actions[ACT_UNROLL] += unrolls;
	t->actions[ACT_EXIT] += (uint32_t)(ev - &run->ev[*i]) - enters - unrolls;
	*i = (uint32_t)(ev - run->ev);
	return ok;
}

static bool
calls_take_run(struct call_trees *c, const struct event_run *run, struct err *err)
{
	static const uint8_t action[] = { 0, 1, 2, 3, 1, 2 };
	struct call_thread *t;
	bool ok = true;

	/* At most a node for each event, and one for the thread. */
	if (!build_reserve(&c->tree, run->n + 1, err) ||
	    (t = calls_thread_at(c, run, err)) == NULL ||
	    !stack_reserve(&t->stack, run->n, err))
		return false;
	for (uint32_t i = 0; ok; i++) {
		const struct event *ev;

		if (!t->stack.tracked && !calls_take_plain(c, t, run, &i, err))
			return false;
		if (i == run->n)
			break;
		ev = &run->ev[i];
		t->actions[action[ev->action]]++;
		if (ev->action == ACT_ENTER)
			ok = calls_enter(c, t, ev, err);
		else if (ev->action == ACT_OTHER)
			t->fixed.action3++;
		else
			ok = calls_leave(c, t, ev, &run->rec[i], err);
	}
	return ok;
}

/* Calls still open end with the last record of their thread. */
static bool
calls_close_open(struct call_trees *c, struct err *err)
{
	for (uint32_t i = 1; i <= c->threads.n; i++) {
		struct call_thread *t = calls_thread(c, i);
		const struct thread_clock *k = &replay_thread(&c->replay, i)->clock;

		assert(t->stack.depth <= t->depth);
		t->fixed.open = t->stack.depth;
		while (t->stack.depth > 0)
			if (!calls_close_top(c, &t->stack, k->wall, k->cpu, err))
				return false;
	}
	return true;
}

static bool
calls_replay(struct call_trees *c, struct err *err)
{
	bool wall = trace_has_clock(c->st, CLOCK_WALL);
	struct event_run run;

	work_start(c->work, "call tree", c->replay.in.rows);
	scratch_budget_rows(c->replay.in.rows);
	while (replay_next(&c->replay, &run))
		/* The first odd one decides that it is traced. */
		if (!calls_take_run(c, &run, err) || (run.row < SAMPLED_ROWS && c->sampled.odd == 0 &&
		    !sampled_run(&c->sampled, &run, wall, err)))
			return false;
	return !c->replay.failed && calls_close_open(c, err);
}

static bool
calls_run(struct store *st, struct work *w, struct err *err)
{
	struct call_trees c = { .st = st, .work = w, .threads.size = sizeof(struct call_thread) };
	bool ok = build_open(&c.tree, 0, err) && replay_open(&c.replay, st, w, err) &&
	    calls_replay(&c, err) &&
	    calls_publish(&c, err);

	replay_close(&c.replay);
	stacks_close(&c.threads);
	build_close(&c.tree);
	SCRATCH_FREE(&c.synthetic, &c.sampled.threads);
	return ok;
}

const struct pass pass_calls = {
	.name = "calls", .what = "call trees", .when = COL_SEGMENT_ROW, .run = calls_run,
	.needs = PASS_COLUMNS(COL_SEGMENT_ROW),
	.makes = PASS_COLUMNS(BUILD_MAKES, COL_SYNTHETIC_THREAD, COL_SYNTHETIC_METHOD, COL_SYNTHETIC_WALL,
	    COL_SYNTHETIC_CPU)
};
