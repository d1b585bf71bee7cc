/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_blame: the critical path of a thread: which threads used the time while it waited.
 *
 * While the thread runs or waits for a CPU, the time is its own.  While it sleeps, the time belongs to the
 * task that later wakes it. If that task sleeps at the same moment, the time belongs to the task that wakes
 * it, and so on.  This makes a chain of wakeups, each earlier than the previous one.  A sleep for I/O ends
 * the chain.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/sched.h"
#include "icecore/view.h"
#include "blocked.h"
#include "stack_at.h"

/* The thread and the time span whose path is requested. */
struct whose {
	uint64_t	row, from, to;
	uint32_t	thread;
};

/* A row: the thread that used a piece of the time. */
struct blamed {
	uint64_t	row, start, length;
	uint32_t	thread, state, wakes, depth, by;
};

/* A task of the chain, which begins with the requested thread, and its state at the current moment. */
struct link {
	uint64_t	until;		/* end of its state */
	uint64_t	end;		/* earliest end of the links up to this one */
	uint32_t	thread, state;
	uint32_t	by;		/* the waker that ends its sleep; 0: awake, or unknown */
};

struct blame_rows {
	struct item_rows	 rows;
	struct whose		 asked;
	size_t			 col[3];	/* columns of the input: start_wall, wall, thread_id */
	uint64_t		 at, end;	/* current moment; end of the file */
	ARRAY(struct link)	chain;
	uint64_t		 nchain;
	struct track_index	 states;
	enum doing {			/* by state */
		AWAKE,
		ASLEEP,
		WAITS_FOR_CPU
	}			*doing;
	size_t			 nstates;
	struct stack_at		 stack;
};

/* ---- the chain ---------------------------------------------------------------------- */

static enum doing
doing_in(const struct blame_rows *b, uint64_t state)
{
	return state < b->nstates ? b->doing[state] : AWAKE;
}

/* Set the state of a thread at a time, the end of that state, and the waker. */
static void
link_read(struct blame_rows *b, struct link *l, uint64_t at)
{
	struct track t;
	uint64_t row, end, next;

	l->state = STATE_NONE;
	l->until = b->end;
	l->by = 0;
	if (!track_index_find(&b->states, b->rows.st, l->thread, &t))
		return;
	end = t.first + t.n;
	row = track_before(&t, at);
	if (row == 0) {
		l->until = t.n > 0 ? column_get(t.time, t.first) : b->end;
		return;
	}
	l->state = column_get(t.value, row - 1) < STATE_NONE ? (uint32_t)column_get(t.value, row - 1) :
	    STATE_NONE;
	for (next = row; next < end && column_get(t.value, next) == l->state; next++)
		;
	l->until = next < end ? column_get(t.time, next) : b->end;
	/*
	 * A device ends a sleep for I/O; the kernel attributes the wakeup to the task that the device
	 * interrupted.
	 */
	if (next < end && doing_in(b, l->state) == ASLEEP &&
	    doing_in(b, column_get(t.value, next)) == WAITS_FOR_CPU &&
	    !blocked_for_io(b->rows.st, l->thread, column_get(t.time, row - 1)))
		l->by = woken_by(b->rows.st, l->thread, l->until);
}

/* Add the link of a thread. The chain ends at a thread that is not yet awake when it wakes the last link. */
static bool
chain_add(struct blame_rows *b, uint32_t thread)
{
	struct link l = { .thread = thread }, *last = b->nchain == 0 ? NULL : &b->chain.at[b->nchain - 1];

	link_read(b, &l, b->at);
	if (last != NULL && l.until >= last->until)
		l.by = 0;
	l.end = last != NULL && last->end < l.until ? last->end : l.until;
	return array_add(&b->chain, &b->nchain, &l, &b->rows.rows.err);
}

/* Update the chain for the current moment: keep the links whose state still lasts. */
static bool
chain_move(struct blame_rows *b)
{
	const struct link *l = b->chain.at;
	uint64_t keep = 0, n = b->nchain;
	uint32_t thread;

	while (keep < n && l[keep].until > b->at)
		keep++;
	thread = keep < n ? l[keep].thread : b->asked.thread;
	b->nchain = keep < n ? keep : 0;
	do {
		if (!chain_add(b, thread))
			return false;
		thread = WAKE_ID(b->chain.at[b->nchain - 1].by);
	} while (thread != 0 && thread <= TASKS_MOST);
	return true;
}

/* ---- rows --------------------------------------------------------------------------- */

static uint64_t
q_blame_number_of(struct blame_rows *b, size_t col)
{
	struct cell c;

	rows_cell(b->rows.rows.in, b->asked.row, b->col[col], &c);
	return c.type == CELL_TIME || c.type == CELL_ID || c.type == CELL_COUNT ? c.u : 0;
}

/* Start with the next row of the input, if any. */
static bool
q_blame_next(struct blame_rows *b)
{
	struct whose *a = &b->asked;
	uint64_t thread;

	if (b->rows.rows.in == NULL || rows_reach(b->rows.rows.in, a->row + 1) <= a->row)
		return false;
	a->from = q_blame_number_of(b, 0);
	a->to = num_add(a->from, q_blame_number_of(b, 1));
	a->to = a->to < b->end ? a->to : b->end;
	thread = q_blame_number_of(b, 2);
	a->thread = thread < STATE_NONE ? (uint32_t)thread : 0;
	a->row++;
	b->at = a->from;
	b->nchain = 0;
	return true;
}

static bool
blame_step(struct item_rows *r)
{
	struct blame_rows *b = (struct blame_rows *)r;
	const struct link *l;
	struct blamed item;

	if (b->at >= b->asked.to || b->asked.thread == 0)
		return q_blame_next(b);
	if (!chain_move(b))
		return false;
	l = &b->chain.at[b->nchain - 1];
	item = (struct blamed){ .row = b->asked.row, .start = b->at, .thread = l->thread, .state = l->state,
	    .by = l->by,
	    .wakes = b->nchain > 1 ? l[-1].thread : 0, .depth = (uint32_t)(b->nchain - 1) };
	b->at = l->end < b->asked.to ? l->end : b->asked.to;
	item.length = b->at - item.start;
	return item_rows_add(r, &item);
}

static void
blame_end(struct item_rows *r)
{
	struct blame_rows *b = (struct blame_rows *)r;

	array_free(&b->chain);
	idmap_free(&b->states.places);
	stack_close(&b->stack);
	free(b->doing);
}

/* ---- columns ------------------------------------------------------------------------ */

static bool
q_blame_in(struct item_rows *s, uint64_t thread, struct buf *b)
{
	struct blame_rows *rows = (struct blame_rows *)s;
	struct top_calls top = { 0, 0 };

	if (stack_top(&rows->stack, (uint32_t)thread, ((const struct blamed *)s->item)->start, &top,
	    &s->rows.err) && top.method != 0)
		method_name(s->st, top.method, b);
	return true;
}

static bool
q_blame_waker(struct item_rows *s, uint64_t by, struct buf *b)
{
	waker_name(s->st, (uint32_t)by, b);
	return true;
}

#define OF(member) ITEM(struct blamed, member)

static const column_id call_needs[] = { COL_SPAN_START, COL_NONE };

#define WHEN \
	{ "start_wall", CELL_TIME, "start", MADE(OF(start)) }, \
	{ "wall", CELL_TIME, "duration", MADE(OF(length)) }, \
	{ "thread", CELL_TEXT, "thread that used the time", THREAD_FROM(OF(thread)) }, \
	{ "state", CELL_TEXT, "state of that thread, as in waits", MADE(.show = TRACE_STATE, OF(state)) }, \
	{ "depth", CELL_COUNT, "0: the thread itself; 1: the task that wakes it, ...", MADE(OF(depth)) }, \
	{ "wakes", CELL_TEXT, "thread that this thread wakes later", THREAD_FROM(OF(wakes)) }
#define IDS \
	{ "woken_by", CELL_TEXT, "what ended a sleep: (irq) or (idle) if no task did", MORE, \
	    TEXT(q_blame_waker, OF(by)) }, \
	{ LABEL_FROM(OF(thread)) }, \
	{ PROCESS_FROM(OF(thread)) }, \
	{ "thread_id", CELL_ID, "id of the thread", MORE, MADE(OF(thread)) }, \
	{ "wakes_id", CELL_ID, "id of the thread that it wakes", MORE, MADE(OF(wakes)) }, \
	{ "row", CELL_ID, "row number of the input", MORE, MADE(OF(row)) }

static const struct coldef blame_cols[] = {
	WHEN,
	{ "running_in", CELL_TEXT, "innermost call of that thread at the start", TEXT(q_blame_in, OF(thread)),
	    .needs = call_needs,
	    FUNCTION },
	IDS
};

/* Columns for scheduler traces opened with samples, which have no calls. */
static const struct coldef sampled_blame_cols[] = { WHEN, IDS };

/* ---- opening ------------------------------------------------------------------------ */

static bool
q_blame_read_states(struct blame_rows *b, struct err *err)
{
	b->nstates = states_count(b->rows.st);
	b->doing = mem_array(b->nstates + 1, sizeof *b->doing);
	for (uint32_t i = 0; b->doing != NULL && i < b->nstates; i++)
		b->doing[i] = state_class(b->rows.st, i) == STATE_RUNNABLE ? WAITS_FOR_CPU :
		    state_wait(b->rows.st, i) != NULL ? ASLEEP : AWAKE;
	return b->doing != NULL || fail_memory(err, "states");
}

/* Read "THREAD from TIME to TIME". */
static bool
q_blame_read_arguments(struct blame_rows *b, const struct stage *stage, struct err *err)
{
	struct bounds bounds = { 0, UINT64_MAX, 0 };
	struct thread_list list = { NULL, 0 };
	struct stage names = *stage;
	bool ok;

	if ((names.n = bounds_place(stage)) == 0)
		return fail_at(err, E_USAGE, stage->end, "'blame' needs a thread, e.g. '%s'",
		    stage->command->example);
	ok = bounds_read(&bounds, stage, names.n, false, err) &&
	    threads_of_stage(&list, b->rows.st, &names, false, err);
	if (ok && list.n > 1)
		ok = fail_at(err, E_USAGE, names.token[0].at,
		    "'blame' takes one thread, and %zu match: give one by tid or @id ('threads' lists them)",
		    list.n);
	if (ok && list.n == 1) {
		b->asked.thread = list.id[0];
		view_range(b->rows.st, &b->asked.from, &b->asked.to);
		b->asked.from = bounds.from > b->asked.from ? bounds.from : b->asked.from;
		b->asked.to = bounds.to < b->asked.to ? bounds.to : b->asked.to;
		b->asked.to = b->end < b->asked.to ? b->end : b->asked.to;
		b->at = b->asked.from;
	}
	free(list.id);
	return ok;
}

static bool
q_blame_find_columns(struct blame_rows *b, const struct stage *stage, struct err *err)
{
	static const char *const names[] = { "start_wall", "wall", "thread_id" };
	int col;

	b->rows.rows.reads = 0;
	for (size_t i = 0; i < NELEM(names); i++) {
		if ((col = rows_column(b->rows.rows.in, str_of(names[i]))) < 0)
			return fail_at(err, E_USAGE, stage->at,
			    "'blame' begins a query, or needs columns start_wall, wall, thread_id, e.g. '%s'",
			    stage->command->example);
		b->col[i] = (size_t)col;
		b->rows.rows.reads |= COLUMN_BIT(col);
	}
	return stage_at_most(stage, 0, err);
}

static bool
blame_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	struct blame_rows *b = (struct blame_rows *)r;

	b->states = TRACK_INDEX("state");
	b->end = tracks_end(r->st);
	stack_open(&b->stack, r->st);
	return (r->rows.in == NULL ? q_blame_read_arguments(b, stage, err) : q_blame_find_columns(b, stage,
	    err)) &&
	    q_blame_read_states(b, err);
}

static const struct source blame = {
	.domain = &trace_domain, .size = sizeof(struct blame_rows), .item = sizeof(struct blamed),
	    .args = ARGS_OWN,
	.begin = blame_begin, .step = blame_step, .steps = 64, .end = blame_end
};

static const column_id needs[] = { COL_THREAD_TID, COL_TRACK_KIND, COL_NONE };

#define BLAME_SOURCE(unfit, table) \
	SOURCE("blame", "critical path of a thread: who used the time while it waited", \
	    "blame main from 1s to 2s | group thread state : sum wall | sort -sum_wall", item_rows_open), \
	OVER(SHAPE_TASKS, table), .source = &blame, .unless = (unfit), \
	.args = ARGS({ .type = &arg_thread }, { &arg_time, ARG_OPTIONAL, "from" }, { &arg_time, ARG_OPTIONAL, "to" }), \
	.needs = needs, \
	.views = VIEWS_OF_TIMES
#define BLAME_STAGE(unfit, table) \
	STAGE("blame", "critical path of each row: who used its time", \
	    "waits | where not idle | top 1 wall | blame", item_rows_open), \
	OVER(SHAPE_TASKS, table), .source = &blame, .unless = (unfit), \
	.needs = needs

const struct command source_blame = { BLAME_SOURCE(SHAPE_SAMPLES, blame_cols) };
const struct command source_sampled_blame = { BLAME_SOURCE(0, sampled_blame_cols) };
const struct command stage_blame = { BLAME_STAGE(SHAPE_SAMPLES, blame_cols) };
const struct command stage_sampled_blame = { BLAME_STAGE(0, sampled_blame_cols) };
