/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view_records: the call tree of a time range.
 *
 * Records are replayed from the marks of pass "order" on; without marks, all of them.  The time between two
 * records of a thread belongs to the innermost call, as far as it is inside the range; CPU time between two
 * records of which one is outside is assumed to have passed evenly.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/sched.h"
#include "views.h"

struct cut_thread {
	/* frame.node: its node, 0: it has none yet; frame.row: its serial number or 0 */
	struct stack	stack;
	uint64_t	time, cpu;	/* wall and CPU time of the thread's last record */
	uint32_t	known;		/* so many frames, from the outermost one, have nodes */
	bool		seen;
	uint64_t	block, end;	/* blocks in which its records are read, end outside */
};

struct cut {
	const struct view	*view;
	struct store		*base;
	struct work		*work;
	uint64_t		 from, to;	/* ticks */
	bool			 wall, marked;
	struct replay		 replay;
	struct thread_stacks	 threads;	/* struct cut_thread */
	ARRAY(uint8_t)	wanted;	/* by block: 1: it is read */
	uint64_t		 nblocks;
	struct build		 build;
};

static struct cut_thread *
view_records_thread_at(const struct cut *c, uint32_t thread)
{
	return &SCRATCH(c->threads.rows, struct cut_thread)[thread - 1];
}

/* ---- time ------------------------------------------------------------------------------------ */

/* All open calls reach into the piece of time: those that have no node yet get one. */
static bool
know_stack(struct cut *c, struct cut_thread *t, struct err *err)
{
	uint32_t node, *root = build_root(&c->build, t->stack.thread);

	assert(t->known <= t->stack.depth);
	if (t->known == t->stack.depth && *root != 0)
		return true;
	if (!build_reserve(&c->build, t->stack.depth - t->known + 1, err))
		return false;
	if (*root == 0)
		*root = build_node(&c->build, 0, 0);
	for (; t->known < t->stack.depth; t->known++) {
		node = t->known == 0 ? *root : t->stack.frame[t->known - 1].node;
		node = build_child(&c->build, node, t->stack.frame[t->known].method);
		t->stack.frame[t->known].node = node;
		build_at(&c->build, node)->calls++;
	}
	return true;
}

/* part / whole of an amount, rounded down. */
static uint64_t
view_records_share(uint64_t amount, uint64_t part, uint64_t whole)
{
	return (uint64_t)((unsigned __int128)amount * part / whole);
}

/* Accounts for the time since the last record of the thread, up to this one. */
static bool
pass_time(struct cut *c, struct cut_thread *t, uint64_t wall, uint64_t cpu, struct err *err)
{
	uint64_t time = c->wall ? wall : cpu;
	uint64_t from = t->time > c->from ? t->time : c->from, to = time < c->to ? time : c->to;
	uint64_t before = t->time, cpu_before = t->cpu;
	uint32_t node;

	t->time = time;
	t->cpu = cpu;
	/* A gap without length is either inside the range or not. */
	if ((from >= to && (before != time || time < c->from || time >= c->to)) || t->stack.depth == 0)
		return true;
	if (!know_stack(c, t, err))
		return false;
	node = t->stack.frame[t->stack.depth - 1].node;
	if (before == time)
		return build_weigh(&c->build, node, 0, cpu - cpu_before, err);
	/* Proportional from the start of the gap, so that adjacent ranges add up. */
	return build_weigh(&c->build, node, c->wall ? to - from : 0,
	    view_records_share(cpu - cpu_before, to - before, time - before) -
	    view_records_share(cpu - cpu_before, from - before, time - before), err);
}

/* ---- events ----------------------------------------------------------------------------------- */

static bool
view_records_pop(struct cut *c, struct cut_thread *t, struct err *err)
{
	if (!stack_pop(&c->threads.index, &t->stack, err))
		return false;
	if (t->known > t->stack.depth)
		t->known = t->stack.depth;
	return true;
}

static bool
view_records_take_event(struct cut *c, struct cut_thread *t, const struct event *ev, struct err *err)
{
	uint32_t closes;

	if (!pass_time(c, t, ev->wall, ev->cpu, err))
		return false;
	if (ev->action == ACT_OTHER)
		return true;
	if (ev->action == ACT_ENTER)
		return stack_push(&c->threads.index, &t->stack, ev, err) &&
		    (t->time < c->from || t->time >= c->to || know_stack(c, t, err));
	if (!stack_leave(&c->threads.index, &t->stack, ev, &closes, err))
		return false;
	while (closes-- > 0)
		if (!view_records_pop(c, t, err))
			return false;
	return true;
}

/* A thread's clocks begin at 0 for calls that were open before the first record, else with that record. */
static void
view_records_begin_thread(const struct cut *c, struct cut_thread *t, const struct event *ev)
{
	t->seen = true;
	if (t->stack.floor > 0)
		return;
	t->time = c->wall ? ev->wall : ev->cpu;
	t->cpu = ev->cpu;
}

static bool
view_records_is_wanted(const struct view *v, uint32_t thread)
{
	size_t i;

	if (v->threads == NULL)
		return true;
	for (i = 0; i < v->nthreads && v->threads[i] != thread; i++)
		;
	return i < v->nthreads;
}

static bool
view_records_take_run(struct cut *c, const struct event_run *run, struct err *err)
{
	struct cut_thread *t = view_records_thread_at(c, run->thread);
	bool ok = stack_reserve(&t->stack, run->n, err);

	/* Behind the piece nothing counts any more. */
	if (ok && t->seen && t->time >= c->to)
		return true;
	if (ok && !t->seen)
		view_records_begin_thread(c, t, &run->ev[0]);
	for (uint32_t i = 0; ok && i < run->n; i++)
		ok = view_records_take_event(c, t, &run->ev[i], err);
	return ok;
}

static bool
is_read(const struct cut *c, const struct event_run *run)
{
	const struct cut_thread *t = view_records_thread_at(c, run->thread);
	uint64_t block = run->row / BLOCK_ROWS;

	return view_records_is_wanted(c->view, run->thread) &&
	    (!c->marked || (block >= t->block && block < t->end));
}

static bool
read_runs(struct cut *c, struct err *err)
{
	struct event_run run;

	while (replay_next(&c->replay, &run)) {
		if (run.thread > c->threads.n)
			return fail(err, E_SYSTEM, "index does not match the trace; --no-index ignores it");
		if (is_read(c, &run) && !view_records_take_run(c, &run, err))
			return false;
	}
	return !c->replay.failed;
}

/* Reads each stretch of adjacent wanted blocks in one go. */
static bool
read_blocks(struct cut *c, struct err *err)
{
	const uint8_t *wanted = c->wanted.at;
	struct marks m;
	uint64_t end;

	if (!marks_open(&m, c->base, 1, err))
		return false;
	for (uint64_t i = 0; i < c->nblocks; i = end) {
		end = i + 1;
		if (wanted[i] == 0)
			continue;
		while (end < c->nblocks && wanted[end] != 0)
			end++;
		marks_clocks(&m, &c->replay, i);
		if (!replay_seek(&c->replay, i * BLOCK_ROWS, end * BLOCK_ROWS) || !read_runs(c, err))
			return c->replay.failed ? false : fail(err, E_SYSTEM,
			    "index does not match the trace; --no-index ignores it");
	}
	return true;
}

static bool
replay(struct cut *c, struct err *err)
{
	work_start(c->work, "range", c->replay.in.rows);
	if (!(c->marked ? read_blocks(c, err) : read_runs(c, err)))
		return false;
	/* Calls still open end with the last record of their thread, which was seen. */
	for (uint32_t i = 1; i <= c->threads.n && !c->replay.failed; i++)
		while (view_records_thread_at(c, i)->stack.depth > 0)
			if (!view_records_pop(c, view_records_thread_at(c, i), err))
				return false;
	return !c->replay.failed && build_totals(&c->build, err);
}

/* ---- begin ------------------------------------------------------------------------------------- */

/* When the first gap between two records can begin that counts in chunk k. */
static uint64_t
chunk_begin(const struct marks *m, uint64_t k)
{
	if (column_get(m->clock[6], mark_of(m, k)) != 0 || column_get(m->floor, mark_of(m, k)) > 0)
		return mark_time(m, k);
	return store_cell(m->st, COL_THREAD_START, m->id);
}

/* When chunk k of the thread ends: the last record in it. */
static uint64_t
chunk_end(const struct marks *m, uint64_t k)
{
	return k + 1 < m->n ? mark_time(m, k + 1) : store_cell(m->st, COL_THREAD_END, m->id);
}

/* The chunks of a thread that have a part in the piece; it begins as it was at the first of them. */
static bool
begin_marked(struct cut *c, uint32_t thread, struct err *err)
{
	struct cut_thread *t = view_records_thread_at(c, thread);
	uint64_t k = 0, mark, block;
	struct marks m;

	if (!marks_open(&m, c->base, thread, err))
		return false;
	while (k < m.n && chunk_end(&m, k) < c->from)
		k++;
	if (k == m.n || chunk_begin(&m, k) >= c->to)
		return true;
	mark = mark_of(&m, k);
	t->seen = column_get(m.clock[6], mark) != 0;
	t->time = t->seen ? mark_time(&m, k) : 0;
	t->cpu = t->seen ? column_get(m.clock[1], mark) : 0;
	t->block = column_get(m.block, mark);
	if (!marks_stack(&m, mark, &t->stack, err))
		return false;
	for (; k < m.n && chunk_begin(&m, k) < c->to; k++) {
		block = column_get(m.block, mark_of(&m, k));
		if (block >= c->nblocks)
			return fail(err, E_SYSTEM, "index does not match the trace; --no-index ignores it");
		c->wanted.at[block] = 1;
		t->end = block + 1;
	}
	return true;
}

static bool
begin_all_marked(struct cut *c, struct err *err)
{
	bool ok;

	c->nblocks = c->replay.in.rows / BLOCK_ROWS + 1;
	ok = array_grow(&c->wanted, c->nblocks, err);
	for (uint32_t i = 1; ok && i <= c->threads.n; i++)
		ok = !view_records_is_wanted(c->view, i) || begin_marked(c, i, err);
	return ok;
}

/* Making marks takes as long as reading all: that is worth it when they are kept. */
static bool
want_marks(struct cut *c, struct err *err)
{
	struct store *st = c->base;

	c->marked = c->threads.n > 0 && store_column(st, COL_MARK_FIRST) != NULL;
	while (store_below(st) != NULL)
		st = store_below(st);
	if (c->marked || c->threads.n == 0 || store_index_path(st)[0] == '\0')
		return true;
	c->marked = true;
	return pass_want(c->base, COL_MARK_FIRST, c->work, err);
}

/* ---- columns ------------------------------------------------------------------------------------ */

static bool
view_records_put_view(struct cut *c, struct store **top, struct err *err)
{
	static const column_id masked[] = { BUILD_CALLS, BUILD_THREADS, TREES_MAKE, RANGED_COLUMNS,
	    COL_NONE };
	struct store *st;

	if (!store_over(&st, c->base, masked, err))
		return false;
	return view_put(top, st, view_put_range(st, c->view, err) &&
	    build_columns(&c->build, st, c->replay.nmethods, c->work, err));
}

bool
view_records(struct store **top, const struct view *v, struct work *work, struct err *err)
{
	uint64_t tick = trace_ns(*top, 1) == 0 ? 1 : trace_ns(*top, 1);
	struct cut c = { .view = v, .base = *top, .work = work, .from = v->from / tick,
	    .to = v->to == UINT64_MAX ? UINT64_MAX : v->to / tick, .wall = trace_has_clock(*top, CLOCK_WALL),
	    .threads.size = sizeof(struct cut_thread) };
	bool ok = stacks_grow(&c.threads, (uint32_t)store_column(*top, COL_THREAD_CALL)->rows, err) &&
	    want_marks(&c, err) && build_open(&c.build, c.threads.n, err) &&
	    replay_open(&c.replay, *top, work, err) &&
	    (c.marked ? begin_all_marked(&c, err) : stacks_begin(&c.threads, *top, err)) &&
	    replay(&c, err) && view_records_put_view(&c, top, err);

	replay_close(&c.replay);
	build_close(&c.build);
	stacks_close(&c.threads);
	array_free(&c.wanted);
	return ok;
}
