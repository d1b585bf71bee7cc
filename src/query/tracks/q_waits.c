/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_waits: the times in which threads did not run, with what they were in and who ended them.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/idle.h"
#include "icecore/sched.h"
#include "icecore/sums.h"
#include "icecore/view.h"
#include "blocked.h"
#include "stack_at.h"
#include "stretch.h"

struct wait_state {
	const char		*wait;		/* what a wait in it is called; NULL: it is none */
	enum state_class	 class;
	bool			 idle;		/* the kernel says so of its own threads */
};

struct waits_rows {
	struct item_rows	 rows;
	struct stretches	 stretches;
	struct wait_state	*state;
	size_t			 nstates;
	bool			 asked, none;	/* the threads of in were read; there is none */
	uint32_t		 part;		/* the track, from 1, that the next two are of */
	bool			 idle_thread;
	struct track_sums	 sums;
	bool			 stacks;	/* calls say what threads wait for, and two clocks for how long */
	struct idle_methods	 methods;	/* once they are asked for */
	struct stack_at		 stack;
	ARRAY(struct top_calls)	tops;		/* by row, of all rows; or empty */
	struct outer		 outer;		/* once it is asked for: see q_waits_loop */
};

/* ---- which of them ------------------------------------------------------------------ */

/* Native code that runs waits for nothing. */
static bool
is_wait(struct waits_rows *w, const struct stretch *x)
{
	struct cell cpu, use;

	if (x->length == 0 || x->state >= w->nstates || w->state[x->state].wait == NULL)
		return false;
	if (w->state[x->state].class != STATE_NATIVE)
		return true;
	cell_cpu_inside(&TRACE(&w->rows)->cpu, w->rows.st, x->thread, x->start, x->end, &cpu, &use);
	return use.type == CELL_NONE || use.f < 50;
}

/* Read the threads of the rows in front. */
static bool
q_waits_read_threads(struct waits_rows *w)
{
	struct thread_list *list = &w->stretches.threads;
	struct rows *in = w->rows.rows.in;
	size_t cap = 0;
	struct cell c;

	for (uint64_t row = 0; rows_reach(in, row + 1) > row; row++) {
		if (!rows_tick(&w->rows.rows, row))
			return false;
		rows_cell(in, row, w->rows.col, &c);
		if (c.type != CELL_ID || c.u > UINT32_MAX)
			continue;
		if (!mem_grow(&list->id, &cap, list->n + 1, sizeof *list->id))
			return fail_memory(&w->rows.rows.err, "list of threads");
		list->id[list->n++] = (uint32_t)c.u;
	}
	w->asked = true;
	w->none = list->n == 0;
	return rows_error(in) == NULL;
}

static bool
waits_step(struct item_rows *r)
{
	struct waits_rows *w = (struct waits_rows *)r;
	struct stretch x;
	bool more = (r->rows.in == NULL || w->asked || q_waits_read_threads(w)) && !w->none;

	w->stretches.least = item_rows_least(r);
	for (unsigned i = 0; more && i < 256 && w->stretches.n < r->wanted; i++)
		more = stretches_read(&w->stretches, &x, &r->rows.err) &&
		    (!is_wait(w, &x) || stretches_keep(&w->stretches, &r->rows.err));
	r->n = w->stretches.n;
	return more;
}

static const void *
wait_at(struct item_rows *r, uint64_t row)
{
	return stretches_row(&((struct waits_rows *)r)->stretches, row);
}

/* ---- what ended it ------------------------------------------------------------------ */

/* Return the CPU that a thread is switched to at a time; SWITCH_NO_CPU: none. */
static uint32_t
cpu_at(const struct store *st, uint32_t thread, uint64_t time)
{
	uint64_t row = event_at(st, COL_SWITCH_TIME, COL_SWITCH_TO, thread, time);

	return row == 0 ? SWITCH_NO_CPU : (uint32_t)store_cell(st, COL_SWITCH_CPU, row);
}

/* ---- cells -------------------------------------------------------------------------- */

static const struct idle_methods *
q_waits_methods(struct item_rows *s)
{
	struct waits_rows *w = (struct waits_rows *)s;

	/* A file may have no method. */
	if (w->methods.is.raw.data == NULL)
		(void)idle_methods_open(&w->methods, s->st, s->rows.work, &s->rows.err);
	return &w->methods;
}

/* Find the innermost calls of all rows in one pass, if that is faster than one by one. */
static bool
q_waits_find_tops(struct waits_rows *w)
{
	ARRAY(struct stack_time) times = ARRAY_INIT;
	uint64_t n = rows_reach(&w->rows.rows, ROWS_ALL);
	const struct stretch *x;
	bool ok = w->rows.rows.err.kind == E_NONE && array_grow(&times, n, &w->rows.rows.err);

	for (uint64_t row = 0; ok && row < n; row++) {
		x = stretches_row(&w->stretches, row);
		times.at[row] = (struct stack_time){ x->thread, stack_ticks(&w->stack, x->start), row };
		ok = row % 1024 != 0 || rows_tick(&w->rows.rows, row);
	}
	w->stack.methods = q_waits_methods(&w->rows);
	ok = ok && array_grow(&w->tops, n, &w->rows.rows.err) &&
	    stack_tops(&w->stack, &times.raw, n, w->tops.at, w->rows.rows.work, &w->rows.rows.err);
	array_free(&times);
	if (!ok)
		array_free(&w->tops);
	/* The rows were read through the one that is asked for. */
	(void)stretches_row(&w->stretches, w->rows.at);
	return ok;
}

enum { WAITING_IN, WAIT_CALLER };

/* The innermost calls at the start of a wait. */
static bool
q_waits_top(struct item_rows *s, struct top_calls *top)
{
	struct waits_rows *w = (struct waits_rows *)s;
	const struct stretch *x = s->item;
	bool ok = w->tops.raw.data != NULL || !stack_is_slow(&w->stack) || q_waits_find_tops(w);

	*top = (struct top_calls){ .method = 0 };
	if (ok && w->tops.raw.data != NULL)
		*top = w->tops.at[s->at];
	else
		ok = ok && stack_top(&w->stack, x->thread, x->start, top, &s->rows.err);
	return ok;
}

/* Append the innermost call at the start of a wait, or the one around it. */
static bool
call_at_start(struct item_rows *s, uint64_t thread, struct buf *b)
{
	struct top_calls top;
	bool ok = q_waits_top(s, &top);
	uint32_t method = item_show(s) == WAIT_CALLER ? top.caller : top.method;

	if (ok && method != 0)
		method_name(s->st, method, b);
	else if (ok && item_show(s) == WAITING_IN)
		buf_str(b, thread_top(s->st, (uint32_t)thread));
	return true;
}

static enum state_class
q_waits_class_of(const struct item_rows *s, uint32_t state)
{
	const struct waits_rows *w = (const struct waits_rows *)s;

	return state < w->nstates ? w->state[state].class : STATE_OTHER;
}

/* A sleep that turns runnable was ended by a wakeup; returns wake.by of it, or 0. */
static uint32_t
q_waits_by(const struct item_rows *s)
{
	const struct stretch *x = s->item;

	return q_waits_class_of(s, x->then) == STATE_RUNNABLE &&
	    q_waits_class_of(s, x->state) != STATE_RUNNABLE ?
	    woken_by(s->st, x->thread, x->until) : 0;
}

static bool
waker_of(struct item_rows *s, UNUSED uint64_t n, struct buf *b)
{
	waker_name(s->st, q_waits_by(s), b);
	return true;
}

/* A runnable wait was ended by a CPU; how long it had that may be unknown. */
static bool
waker_or_end(struct item_rows *s, uint64_t n, struct buf *b)
{
	const struct stretch *x = s->item;
	uint32_t cpu = SWITCH_NO_CPU;

	if ((q_waits_class_of(s, x->then) == STATE_RUNNING || x->then == STATE_NONE) &&
	    q_waits_class_of(s, x->state) == STATE_RUNNABLE)
		cpu = cpu_at(s->st, x->thread, x->until);
	if (cpu != SWITCH_NO_CPU)
		buf_printf(b, "CPU %u free", cpu);
	if (x->then == STATE_NONE && x->until == ((struct waits_rows *)s)->stretches.end)
		buf_text(b, "(end of trace)");
	if (b->n == 0)
		waker_of(s, n, b);
	if (b->n == 0 && stretch_lost(s->st, x))
		buf_text(b, "(events lost)");
	return true;
}

static void
q_waits_lost_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	c->u = stretch_lost(s->st, s->item);
}

static void
q_waits_waker_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	uint32_t id = WAKE_ID(q_waits_by(s));

	cell_number(c, CELL_ID, id <= TASKS_MOST ? id : 0);
}

static void
q_waits_process_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	c->text = waker_process(s->st, q_waits_by(s));
}

static void
q_waits_context_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	c->text = str_of(waker_context(q_waits_by(s)));
}

static void
q_waits_state_cell(struct item_rows *s, uint64_t state, struct cell *c)
{
	c->text = str_of(((struct waits_rows *)s)->state[state].wait);
}

/* Compute how long a thread lived, and whether it was idle. */
static bool
q_waits_look_at_thread(struct waits_rows *w)
{
	bool ok;

	sums_free(&w->sums);
	w->part = 0;
	ok = sums_make(&w->sums, w->rows.st, &w->stretches.got_track, w->stretches.end, false, w->rows.rows.work,
	    &w->rows.rows.err);
	w->idle_thread = ok && sums_idle(&w->sums);
	return ok;
}

static uint64_t
q_waits_life(const struct waits_rows *w)
{
	return w->sums.last - w->sums.first;
}

/* The main thread of its process, as far as that is known. */
static bool
q_waits_is_main(const struct store *st, uint32_t thread)
{
	uint64_t pid = store_cell(st, COL_LISTED_PID, thread);

	return (load_shapes(st) & SHAPE_TASKS) == 0 ? store_cell(st, COL_THREAD_MAIN, thread) != 0 :
	    pid != 0 && store_cell(st, COL_LISTED_TID, thread) == pid;
}

static bool
q_waits_is_runtime(struct item_rows *s, uint32_t thread)
{
	struct buf *name = cell_begin(s);

	thread_name(s->st, thread, name);
	return runtime_thread(buf_view(name));
}

/*
 * A thread that was runnable or blocked for so long is not idle.  One that sleeps to the end has done its work, unless
 * it is a main thread, or slept far shorter before.  judged: the times say whether the thread is idle.
 */
static bool
q_waits_sleeps(struct waits_rows *w, bool judged)
{
	const struct stretch *x = w->rows.item;
	enum state_class class = q_waits_class_of(&w->rows, x->state);
	struct idle_sleep sleep;
	bool idle;

	if (w->part != x->part + 1 && !q_waits_look_at_thread(w))
		return false;
	w->part = x->part + 1;
	idle = w->state[x->state].idle || (judged && w->idle_thread);
	if (w->state[x->state].idle || class == STATE_RUNNABLE || class == STATE_BLOCKED ||
	    x->until - x->start <= q_waits_life(w) / 2)
		return idle;
	sums_sleep(&w->sums, x->start, x->until, &sleep);
	sleep.last = x->then == STATE_NONE && !q_waits_is_main(w->rows.st, x->thread);
	return q_waits_is_runtime(&w->rows, x->thread) || (!idle_sleep_hangs(&sleep) && (idle || idle_sleep(&sleep)));
}

static void
q_waits_idle_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	c->u = q_waits_sleeps((struct waits_rows *)s, true);
}

static void
q_waits_blocked_cell(struct item_rows *s, uint64_t thread, struct cell *c)
{
	blocked_cell(s->st, (uint32_t)thread, ((const struct stretch *)s->item)->start, item_show(s), c);
}

#define OF(member) ITEM(struct stretch, member)

static const column_id call_needs[] = { COL_SPAN_START, COL_NONE },
    idle_needs[] = { COL_SPAN_START, COL_THREAD_IDLE, COL_THREAD_MAIN, COL_METHOD_RAW, COL_NONE };

#define WHEN \
	{ "thread", CELL_TEXT, "thread name", THREAD_FROM(OF(thread)) }, \
	{ "state", CELL_TEXT, "sleep, disk, runnable, preempted, blocked, gc, native ...", \
	    COMPUTED(q_waits_state_cell, OF(state)) }, \
	{ "start_wall", CELL_TIME, "when the wait began", MADE(OF(start)) }, \
	{ "wall", CELL_TIME, "duration", MADE(OF(length)) }
#define WAKERS \
	{ "waker", CELL_TEXT, "task that woke it, (irq) or (idle); empty: unknown", TEXT(waker_of) }, \
	{ "waker_id", CELL_ID, "id of that task; empty: no task", MORE, COMPUTED(q_waits_waker_cell) }, \
	{ "context", CELL_TEXT, "kind of waker: task, irq, softirq or new", MORE, COMPUTED(q_waits_context_cell) }, \
	{ "waker_or_end", CELL_TEXT, "the waker, the freed CPU, (end of trace) or (events lost)", MORE, \
	    TEXT(waker_or_end), .head = "waker" }, \
	{ "blocked_in", CELL_TEXT, "kernel function that a sleep was in; empty: unknown", MORE, \
	    COMPUTED(q_waits_blocked_cell, .show = BLOCKED_IN, OF(thread)), FUNCTION }, \
	{ "io_wait", CELL_BOOL, "whether a sleep waited for I/O; empty: unknown", MORE, \
	    COMPUTED(q_waits_blocked_cell, .show = BLOCKED_IO, \
	    OF(thread)) }, \
	{ "lost", CELL_BOOL, "events of a CPU were lost during it", MORE, COMPUTED(q_waits_lost_cell) }, \
	{ LABEL_FROM(OF(thread)) }, \
	{ PROCESS_FROM(OF(thread)) }, \
	{ "waker_process", CELL_TEXT, "process of the waker; empty: no task", MORE, .beside = SHAPE_MARKS, \
	    COMPUTED(q_waits_process_cell) }, \
	{ "thread_id", CELL_ID, "id of the thread", MORE, MADE(OF(thread)) }
#define IDLE_WAIT "wait for work, or of a thread that hardly ran"

/* Columns for scheduler traces opened with samples: there are no calls, only functions of the kernel. */
static const struct coldef sampled_cols[] = {
	WHEN,
	{ "waiting_in", CELL_TEXT, "kernel function that a sleep was in; empty: unknown",
	    COMPUTED(q_waits_blocked_cell, .show = BLOCKED_IN, OF(thread)),
	    FUNCTION },
	WAKERS,
	{ "idle", CELL_BOOL, IDLE_WAIT, MORE, COMPUTED(q_waits_idle_cell) }
};

/* Row of the event that a recorded wait is made from; 0: none. */
static uint64_t
q_waits_interval(const struct item_rows *s)
{
	const struct stretch *x = s->item;

	return event_at(s->st, COL_INTERVAL_START, COL_INTERVAL_THREAD, x->thread, x->start);
}

static void
q_waits_lock_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	c->text = column_text(store_column(s->st, COL_INTERVAL_TEXT),
	    store_cell(s->st, COL_INTERVAL_WHAT, q_waits_interval(s)));
}

/* Row of the stack that a recorded wait is in, below the class of what it waits for; 0: unknown. */
static uint64_t
q_waits_stack(const struct item_rows *s)
{
	uint64_t row = q_waits_interval(s),
	    stack = row == 0 ? 0 : store_cell(s->st, COL_INTERVAL_STACK, row), up;
	struct str what = column_text(store_column(s->st, COL_INTERVAL_TEXT),
	    store_cell(s->st, COL_INTERVAL_WHAT, row));
	OWN_BUF name = BUF_INIT;

	if (stack == 0)
		return 0;
	method_name(s->st, (uint32_t)store_cell(s->st, COL_STACK_METHOD, stack), &name);
	up = store_cell(s->st, COL_STACK_PARENT, stack);
	return !str_eq(buf_view(&name), what) ? stack : up < stack ? up : 0;
}

/* Whether a thread waits in the call that it never leaves, its loop, and in no call in there: it has no work. */
static bool
q_waits_loop(struct waits_rows *w, const struct top_calls *top)
{
	uint32_t thread = ((const struct stretch *)w->rows.item)->thread;

	return top->caller == 0 && outer_make(&w->outer, w->rows.st, &w->rows.rows.err) &&
	    outer_only(&w->outer, thread) == top->method;
}

/*
 * Where the stack of a long wait is known, it says what for; otherwise the times of the thread do.  Between its calls
 * a thread waits for work.  A main thread has no work that could come later: what it waits for in a call holds the
 * program up.
 */
static void
q_waits_in_idle_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	enum { PARTS = 20 };	/* of its life: few waits are as long */
	struct waits_rows *w = (struct waits_rows *)s;
	const struct stretch *x = s->item;
	bool held_up = w->stacks && q_waits_is_main(s->st, x->thread);
	bool idle = (q_waits_sleeps(w, true) && !held_up) || (w->stacks && thread_idle(s->st, x->thread));
	struct top_calls top = { .method = 0 };

	/* The search for a stack costs most. */
	if (!idle && (w->stacks || x->until - x->start > q_waits_life(w) / PARTS)) {
		w->stack.methods = q_waits_methods(s);
		(void)q_waits_top(s, &top);
		idle = top.idle || (w->stacks && (top.method == 0 || (!held_up && q_waits_loop(w, &top))));
	}
	c->u = idle;
}

static const struct coldef waits_cols[] = {
	WHEN,
	{ "waiting_in", CELL_TEXT, "innermost call or section open when it began",
	    TEXT(call_at_start, .show = WAITING_IN, OF(thread)), .needs = call_needs, FUNCTION },
	{ "caller", CELL_TEXT, "the call around waiting_in", MORE,
	    TEXT(call_at_start, .show = WAIT_CALLER, OF(thread)),
	    .needs = call_needs, FUNCTION },
	WAKERS,
	{ "idle", CELL_BOOL, IDLE_WAIT, MORE, COMPUTED(q_waits_in_idle_cell), .needs = idle_needs }
};

/* Recordings do not know when threads ran, but where they waited. */
static void
q_waits_recorded_idle_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	enum time_kind kind = state_kind(s->st, ((const struct stretch *)s->item)->state);
	uint64_t stack = q_waits_stack(s);

	c->u = stack == 0 ? q_waits_sleeps((struct waits_rows *)s, false) :
	    (kind == KIND_SLEEP || kind == KIND_SOCKET) && idle_stack(q_waits_methods(s),
	    store_column(s->st, COL_STACK_PARENT), store_column(s->st, COL_STACK_METHOD), stack);
}

/* The innermost method of the program, otherwise the innermost one. */
static bool
q_waits_method(struct item_rows *s, UNUSED uint64_t n, struct buf *b)
{
	const struct idle_methods *methods = q_waits_methods(s);
	uint64_t first = q_waits_stack(s), stack = first, up;

	while (stack != 0 && !idle_is_own(methods, store_cell(s->st, COL_STACK_METHOD, stack))) {
		up = store_cell(s->st, COL_STACK_PARENT, stack);
		stack = up < stack ? up : 0;
	}
	method_name(s->st, (uint32_t)store_cell(s->st, COL_STACK_METHOD, stack != 0 ? stack : first), b);
	return true;
}

static bool
q_waits_owner(struct item_rows *s, UNUSED uint64_t n, struct buf *b)
{
	uint64_t row = q_waits_interval(s), owner = row == 0 ? 0 : store_cell(s->st, COL_INTERVAL_OWNER, row);

	if (owner != 0)
		thread_label(s->st, (uint32_t)owner, b);
	return true;
}

static const column_id method_needs[] = { COL_METHOD_RAW, COL_NONE };

/* Columns for recordings, which have neither calls in time order nor wakers. */
static const struct coldef recorded_cols[] = {
	{ "thread", CELL_TEXT, "thread name", THREAD_FROM(OF(thread)) },
	{ "state", CELL_TEXT, "blocked, wait, parked, sleep, socket, file, pinned",
	    COMPUTED(q_waits_state_cell, OF(state)) },
	{ "start_wall", CELL_TIME, "when the wait began", MADE(OF(start)) },
	{ "wall", CELL_TIME, "duration", MADE(OF(length)) },
	{ LABEL_FROM(OF(thread)) },
	{ "waits_for", CELL_TEXT, "class of the lock; file or address", COMPUTED(q_waits_lock_cell),
	    .cut = CUT_FRONT },
	{ "waiting_in", CELL_TEXT, "innermost method, preferably of the program", TEXT(q_waits_method),
	    .needs = method_needs,
	    FUNCTION },
	{ "holder", CELL_TEXT, "thread that held the monitor before", TEXT(q_waits_owner) },
	{ "thread_id", CELL_ID, "id of the thread", MORE, MADE(OF(thread)) },
	{ "idle", CELL_BOOL, IDLE_WAIT, MORE,
	    COMPUTED(q_waits_recorded_idle_cell), .needs = method_needs }
};

/* ---- opening ------------------------------------------------------------------------ */

static bool
words_of_states(struct waits_rows *w, struct err *err)
{
	const struct store *st = w->rows.st;

	w->nstates = states_count(st);
	w->state = mem_array(w->nstates + 1, sizeof *w->state);
	for (uint32_t i = 0; w->state != NULL && i < w->nstates; i++)
		w->state[i] = (struct wait_state){ state_wait(st, i), state_class(st, i),
		    str_is(str_of(state_name(st, i)), "idle") };
	return w->state != NULL || fail_memory(err, "names of states");
}

/* Find the ids of the threads or tasks whose waits are asked for, unless that is in the arguments. */
static bool
q_waits_find_ids(struct item_rows *r, const struct stage *stage, struct err *err)
{
	const struct rows *source = r->rows.in;
	int id = source == NULL ? 0 : rows_column(source, STR("id"));

	while (source != NULL && source->in != NULL)
		source = source->in;
	if (source != NULL && (id < 0 || source->command == NULL || !source->command->lists_threads))
		return fail_at(err, E_USAGE, stage->at, "'waits' starts a query or follows threads "
		    "or tasks (column id), e.g. '%s'", stage->command->example);
	r->col = (size_t)id;
	r->rows.reads = COLUMN_BIT(r->col);
	return true;
}

static bool
waits_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	struct waits_rows *w = (struct waits_rows *)r;

	stack_open(&w->stack, r->st);
	w->stacks = trace_has_idle(r->st);
	r->rows.skips = item_rows_columns(r, offsetof(struct stretch, length));
	return (r->rows.in == NULL || stage_at_most(stage, 0, err)) && q_waits_find_ids(r, stage, err) &&
	    stretches_open(&w->stretches, r->rows.session, r->rows.in == NULL ? stage : NULL, err) &&
	    words_of_states(w, err);
}

static void
waits_end(struct item_rows *r)
{
	struct waits_rows *w = (struct waits_rows *)r;

	stretches_close(&w->stretches);
	stack_close(&w->stack);
	sums_free(&w->sums);
	array_free(&w->tops);
	outer_end(&w->outer);
	idle_methods_close(&w->methods);
	free(w->state);
}

static const struct source waits = {
	.domain = &trace_domain, .size = sizeof(struct waits_rows), .args = ARGS_OWN, .begin = waits_begin,
	.step = waits_step, .item_at = wait_at, .end = waits_end
};

static const column_id needs[] = { COL_THREAD_TID, COL_TRACK_KIND, COL_NONE };

const struct command source_waits = {
	SOURCE("waits", "times when threads did not run, with their causes",
	    "waits | where not idle | top 10 wall", item_rows_open),
	OVER(SHAPE_TRACKS, waits_cols), .source = &waits, .unless = SHAPE_SAMPLES,
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};

const struct command stage_waits = {
	STAGE("waits", "waits of the threads of the rows, with their causes",
	    "threads | where name = main | waits | top 5 wall", item_rows_open),
	OVER(SHAPE_TRACKS, waits_cols), .source = &waits, .unless = SHAPE_SAMPLES,
	.needs = needs
};

const struct command source_sampled_waits = {
	SOURCE("waits", "times when tasks did not run, with their causes",
	    "waits | where not idle | top 10 wall", item_rows_open),
	OVER(SHAPE_TASKS, sampled_cols), .source = &waits,
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};

const struct command stage_sampled_waits = {
	STAGE("waits", "waits of the threads of the rows, with their causes",
	    "threads | where name = main | waits | top 5 wall", item_rows_open),
	OVER(SHAPE_TASKS, sampled_cols), .source = &waits,
	.needs = needs
};

const struct command source_recorded_waits = {
	SOURCE("waits", "times when threads did not run, as far as recorded",
	    "waits | where not idle | top 10 wall", item_rows_open),
	OVER(SHAPE_LASTING, recorded_cols), .source = &waits, .unless = SHAPE_TASKS,
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};

const struct command stage_recorded_waits = {
	STAGE("waits", "waits of the threads of the rows, as far as recorded",
	    "threads | where name = main | waits | top 5 wall", item_rows_open),
	OVER(SHAPE_LASTING, recorded_cols), .source = &waits, .unless = SHAPE_TASKS,
	.needs = needs
};
