/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "order": data needed to draw any window of a thread's time without reading the trace from its start.
 *
 * Marks are checkpoints: at the first record of a thread in each block of rows, the clock and the stack of
 * that thread. Spans are the calls a window cannot find by replaying the blocks it covers: those open at some
 * mark, and those so long (in time or in records) that a window that shows all of them is too wide to be
 * replayed.  Shorter siblings between them are kept as crowds: from, to, count.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "order.h"

#define LONG_ROWS 2048		/* a call over this many records is long */

/* State of the children of an open call. */
struct inner {
	uint64_t	start, end, start_cpu, end_cpu;	/* times of the crowd */
	uint32_t	crowd, row;
	uint32_t	calls;		/* below the open call */
};

struct order_thread {
	struct stack	 stack;		/* frame.node: id of its saved row, or 0 */
	struct inner	*inner;		/* [d]: children at depth d */
	size_t		 cap;
	uint64_t	 block;		/* 1 + the block of the last mark */
};

static struct order_thread *
order_thread_at(struct order *o, uint32_t thread)
{
	return &SCRATCH(o->threads.rows, struct order_thread)[thread - 1];
}

static uint64_t
order_time_of(const struct order *o, uint64_t wall, uint64_t cpu)
{
	return o->wall ? wall : cpu;
}

/* ---- saving ------------------------------------------------------------------------------ */

static struct saved *
new_saved(struct order *o, struct err *err)
{
	if (o->nsaved >= UINT32_MAX) {
		fail(err, E_SYSTEM, "too many long calls (limit: 2^32)");
		return NULL;
	}
	if (!array_grow(&o->saved, o->nsaved + 1, err))
		return NULL;
	return &o->saved.at[o->nsaved++];
}

/* The open calls up to depth become rows, with an end still to come. */
static bool
save_open(struct order *o, struct stack *s, uint32_t depth, struct err *err)
{
	uint32_t d = depth;

	assert(depth <= s->depth);
	while (d > 0 && s->frame[d - 1].node == 0)
		d--;
	for (; d < depth; d++) {
		struct frame *f = &s->frame[d];
		struct saved *row = new_saved(o, err);

		if (row == NULL)
			return false;
		assert(d == 0 || s->frame[d - 1].node != 0);
		*row = (struct saved){ .start = order_time_of(o, f->wall, f->cpu), .start_cpu = f->cpu,
		    .thread = s->thread, .parent = d == 0 ? 0 : s->frame[d - 1].node, .method = f->method,
		    .depth = d, .row = f->row };
		f->node = (uint32_t)o->nsaved;
	}
	return true;
}

/* The crowd at a depth becomes a row below its (open, hence long) caller. */
static bool
save_crowd(struct order *o, struct order_thread *t, uint32_t depth, struct err *err)
{
	struct inner *in = &t->inner[depth];
	struct saved *row;

	assert(depth <= t->stack.depth && depth < t->cap);
	if (in->crowd == 0)
		return true;
	if (!save_open(o, &t->stack, depth, err) || (row = new_saved(o, err)) == NULL)
		return false;
	*row = (struct saved){ .start = in->start, .end = in->end, .start_cpu = in->start_cpu,
	    .end_cpu = in->end_cpu, .thread = t->stack.thread,
	    .parent = depth == 0 ? 0 : t->stack.frame[depth - 1].node, .depth = depth,
	    .crowd = in->crowd, .row = in->row };
	in->crowd = 0;
	return true;
}

/* ---- events --------------------------------------------------------------------------------- */

static bool
order_is_long(const struct order *o, uint64_t from, uint64_t to, uint32_t row, uint64_t now)
{
	return to - from >= o->long_ticks || (uint32_t)now - row >= LONG_ROWS;
}

/* A short call joins the crowd of its siblings. */
static bool
join_crowd(struct order *o, struct order_thread *t, uint64_t wall, uint64_t cpu,
    uint64_t now, struct err *err)
{
	uint32_t d = t->stack.depth - 1;
	const struct frame *f = &t->stack.frame[d];
	struct inner *in = &t->inner[d];

	assert(t->stack.depth > 0 && t->stack.depth < t->cap);
	if (in->crowd > 0 && order_is_long(o, in->start, order_time_of(o, f->wall, f->cpu),
	    in->row, now) && !save_crowd(o, t, d, err))
		return false;
	if (in->crowd == 0) {
		in->start = order_time_of(o, f->wall, f->cpu);
		in->start_cpu = f->cpu;
		in->row = f->row;
	}
	in->crowd += 1 + t->inner[d + 1].calls;
	in->end = order_time_of(o, wall, cpu);
	in->end_cpu = cpu;
	return true;
}

static bool
order_close_top(struct order *o, struct order_thread *t, uint64_t wall, uint64_t cpu,
    uint64_t now, struct err *err)
{
	struct stack *s = &t->stack;
	uint32_t d = s->depth - 1;
	struct frame *f = &s->frame[d];

	assert(s->depth > 0 && s->depth < t->cap);
	if (f->node != 0 || order_is_long(o, order_time_of(o, f->wall, f->cpu),
	    order_time_of(o, wall, cpu), f->row, now)) {
		struct saved *row;

		if (!save_crowd(o, t, d, err) || !save_open(o, s, d + 1, err) ||
		    !save_crowd(o, t, d + 1, err))
			return false;
		assert(f->node != 0 && f->node <= o->nsaved);
		row = &o->saved.at[f->node - 1];
		row->end = order_time_of(o, wall, cpu);
		assert(row->start <= row->end);
		row->end_cpu = cpu;
	} else if (!join_crowd(o, t, wall, cpu, now, err)) {
		return false;
	}
	t->inner[d].calls += 1 + t->inner[d + 1].calls;
	return stack_pop(&o->threads.index, s, err);
}

static bool
order_enter(struct order *o, struct order_thread *t, const struct event *ev,
    uint64_t now, struct err *err)
{
	struct frame *f = &t->stack.frame[t->stack.depth];

	assert(t->stack.depth < t->stack.cap && t->stack.depth + 1ull < t->cap);
	f->node = 0;
	f->row = (uint32_t)now;
	memset(&t->inner[t->stack.depth + 1], 0, sizeof *t->inner);
	return stack_push(&o->threads.index, &t->stack, ev, err);
}

static bool
order_leave(struct order *o, struct order_thread *t, const struct event *ev,
    uint64_t now, struct err *err)
{
	struct stack *s = &t->stack;
	uint32_t closes;

	if (!stack_leave(&o->threads.index, s, ev, &closes, err))
		return false;
	while (closes-- > 0)
		if (!order_close_top(o, t, ev->wall, ev->cpu, now, err))
			return false;
	return true;
}

static bool
set_mark(struct order *o, struct order_thread *t, const struct event_run *run,
    struct err *err)
{
	uint64_t block = run->row / BLOCK_ROWS;

	if (t->block == block + 1)
		return true;
	assert(t->block <= block);
	t->block = block + 1;
	if (!save_open(o, &t->stack, t->stack.depth, err) ||
	    !array_grow(&o->marks, o->nmarks + 1, err))
		return false;
	o->marks.at[o->nmarks++] = (struct marked){ run->before, run->thread,
	    (uint32_t)block, t->stack.depth == 0 ? 0 : t->stack.frame[t->stack.depth - 1].node,
	    t->stack.floor };
	if (block < o->nblocks)
		return true;
	/* The first record of a block sets a mark, so that every block has one. */
	assert(block == o->nblocks);
	if (!array_grow(&o->latest, block + 1, err))
		return false;
	o->latest.at[block] = run->latest;
	o->nblocks = block + 1;
	return true;
}

static bool
grow_inner(struct order_thread *t, struct err *err)
{
	size_t old = t->cap;

	if (!mem_grow(&t->inner, &t->cap, t->stack.cap + 1, sizeof *t->inner))
		return fail(err, E_SYSTEM, "out of memory");
	memset(t->inner + old, 0, (t->cap - old) * sizeof *t->inner);
	/* The open call at the largest depth has children, too. */
	assert(t->cap > t->stack.cap);
	return true;
}

static bool
order_take_run(struct order *o, const struct event_run *run, struct err *err)
{
	struct order_thread *t = order_thread_at(o, run->thread);
	bool ok;

	ok = stack_reserve(&t->stack, run->n, err) && grow_inner(t, err) &&
	    set_mark(o, t, run, err);
	for (uint32_t i = 0; ok && i < run->n; i++) {
		const struct event *ev = &run->ev[i];

		if (ev->action == ACT_ENTER)
			ok = order_enter(o, t, ev, run->row + i + 1, err);
		else if (ev->action != ACT_OTHER)
			ok = order_leave(o, t, ev, run->row + i + 1, err);
	}
	return ok;
}

/* ---- begin and end ------------------------------------------------------------------------------- */

static bool
order_close_open(struct order *o, struct err *err)
{
	for (uint32_t i = 1; i <= o->threads.n; i++) {
		struct order_thread *t = order_thread_at(o, i);
		const struct thread_clock *c = &replay_thread(&o->replay, i)->clock;

		/* Nothing was entered: only a damaged index has open calls of a thread without records. */
		if (t->inner == NULL)
			continue;
		while (t->stack.depth > 0)
			if (!order_close_top(o, t, c->wall, c->cpu, o->replay.row, err))
				return false;
		if (!save_crowd(o, t, 0, err))
			return false;
	}
	return true;
}

static bool
build(struct order *o, struct err *err)
{
	uint64_t rows = o->replay.in.rows, tick = fact_value(o->st, FACT_TRACE_TICK);
	uint64_t elapsed = fact_value(o->st, o->wall ? FACT_LAST_WALL : FACT_LAST_CPU);
	struct event_run run;

	/* The mean time that LONG_ROWS records take. */
	o->long_ticks = rows == 0 || tick == 0 ? 0 :
	    num_whole((double)elapsed / (double)tick * LONG_ROWS / (double)rows);
	work_start(o->work, "stack chart", rows);
	while (replay_next(&o->replay, &run)) {
		if (run.thread > o->threads.n)
			return fail(err, E_SYSTEM, "index does not match the trace; --no-index ignores it");
		if (!order_take_run(o, &run, err))
			return false;
	}
	return !o->replay.failed && order_close_open(o, err);
}

static bool
run(struct store *st, struct work *w, struct err *err)
{
	struct order o = { .st = st, .work = w, .wall = trace_has_clock(st, CLOCK_WALL),
	    .threads.size = sizeof(struct order_thread) };
	bool ok = replay_open(&o.replay, st, w, err) && stacks_grow(&o.threads, o.replay.nthreads, err) &&
	    stacks_begin(&o.threads, st, err) && build(&o, err) && order_publish(&o, err);

	replay_close(&o.replay);
	for (uint32_t i = 1; i <= o.threads.n; i++)
		free(order_thread_at(&o, i)->inner);
	stacks_close(&o.threads);
	SCRATCH_FREE(&o.saved, &o.marks, &o.latest);
	return ok;
}

const struct pass pass_order = {
	.name = "order", .what = "stack chart",
	.when = COL_SEGMENT_ROW, .run = run,
	.needs = PASS_COLUMNS(COL_THREAD_RAW, COL_SYNTHETIC_THREAD),
	.makes = PASS_COLUMNS(COL_SPAN_START, COL_SPAN_END, COL_SPAN_START_CPU, COL_SPAN_END_CPU,
	    COL_SPAN_PARENT, COL_SPAN_METHOD, COL_SPAN_DEPTH, COL_SPAN_CROWD, COL_SPAN_ROW, COL_SPAN_FIRST,
	    COL_MARK_THREAD, COL_MARK_BLOCK, COL_MARK_TOP, COL_MARK_FLOOR, COL_MARK_WALL, COL_MARK_CPU,
	    COL_MARK_RAW_WALL, COL_MARK_RAW_CPU, COL_MARK_BASE_WALL, COL_MARK_BASE_CPU, COL_MARK_SEEN,
	    COL_MARK_FIRST, COL_MARK_LIST, COL_BLOCK_MARK, COL_BLOCK_LATEST)
};
