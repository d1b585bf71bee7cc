/*
 * q_waits: the times in which threads did not run, with what they were in and who ended them.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/sched.h"
#include "icecore/sums.h"
#include "stack_at.h"
#include "stretch.h"

struct wait_state {
	const char		*wait;		/* what a wait in it is called; NULL: it is none */
	enum state_class	 class;
};

struct waits_rows {
	struct rows		 rows;
	struct stretches	 stretches;
	struct wait_state	*state;
	size_t			 nstates;
	bool			 asked, none;	/* the threads of in were read; there is none */
	size_t			 id;		/* column of in */
	uint32_t		 part;		/* the track, from 1, that the next two are of */
	bool			 idle_thread;
	uint64_t		 life;
	struct scratch		 idle;		/* bits by row: idle waits */
	struct track_index	 cpu;
	struct stack_at		 stack;
	struct scratch		 tops;		/* struct top_calls by row, of all rows; or empty */
	struct buf		 text;
};

/* Cells computed from the wait, not stored in struct stretch. */
enum { WAITS_STATE = FIELD_OWN, WAITS_WALL, WAITS_IN, WAITS_CALLER, WAITS_WAKER, WAITS_WAKER_ID, WAITS_CONTEXT, WAITS_ENDED_BY, WAITS_IDLE };

static const column_id call_needs[] = { COL_SPAN_START, COL_NONE };

#define WHEN \
	{ "thread", CELL_TEXT, "thread name", false, THREAD_OF(struct stretch, thread) }, \
	{ "state", CELL_TEXT, "sleep, disk, runnable, preempted, blocked, gc, native ...", false, WAITS_STATE }, \
	{ "start_wall", CELL_TIME, "when the wait began", false, FIELD_OF(struct stretch, start) }, \
	{ "wall", CELL_TIME, "duration", false, WAITS_WALL }
#define WAKERS \
	{ "waker", CELL_TEXT, "task that woke it, (irq) or (idle); empty: unknown", false, WAITS_WAKER }, \
	{ "waker_id", CELL_ID, "id of that task; empty: no task", true, WAITS_WAKER_ID }, \
	{ "context", CELL_TEXT, "task, irq, softirq or new: what the waker was", true, WAITS_CONTEXT }, \
	{ "ended_by", CELL_TEXT, "the waker, the CPU that became free, or (end of trace)", true, WAITS_ENDED_BY }, \
	THREAD_LABEL_OF(struct stretch, thread), \
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_OF(struct stretch, thread) }, \
	{ "idle", CELL_BOOL, "sleep of over half the thread's life, or of an idle task", true, WAITS_IDLE }

static const struct coldef waits_cols[] = {
	WHEN,
	{ "waiting_in", CELL_TEXT, "innermost call or section open when it began", false, WAITS_IN, .needs = call_needs,
	    .function = true },
	{ "caller", CELL_TEXT, "the call around waiting_in", true, WAITS_CALLER, .needs = call_needs, .function = true },
	WAKERS
};

/* Columns for scheduler traces opened with samples: there are no calls. */
static const struct coldef sampled_cols[] = { WHEN, WAKERS };

/* Columns for recordings, which have neither calls in time order nor wakers. */
static const struct coldef recorded_cols[] = {
	{ "thread", CELL_TEXT, "thread name", false, THREAD_OF(struct stretch, thread) },
	{ "state", CELL_TEXT, "blocked, wait, parked, sleep, socket, file, pinned", false, WAITS_STATE },
	{ "start_wall", CELL_TIME, "when the wait began", false, FIELD_OF(struct stretch, start) },
	{ "wall", CELL_TIME, "duration", false, WAITS_WALL },
	THREAD_LABEL_OF(struct stretch, thread),
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_OF(struct stretch, thread) },
	{ "idle", CELL_BOOL, "sleep of over half the thread's life", true, WAITS_IDLE }
};

/* ---- which of them ------------------------------------------------------------------ */

/* Compute how long a new thread lived, and whether it was idle. */
static bool
q_waits_look_at_thread(struct waits_rows *w)
{
	struct track_sums sums;
	bool ok = sums_make(&sums, w->stretches.store, &w->stretches.track, w->stretches.end, false, w->rows.work, &w->rows.err);

	w->life = sums.last - sums.first;
	w->idle_thread = ok && sums_idle(&sums);
	sums_free(&sums);
	return ok;
}

/* Native code that runs waits for nothing. */
static bool
is_wait(struct waits_rows *w, const struct stretch *x)
{
	const struct store *st = w->stretches.store;
	struct cell cpu, use;

	if (x->state >= w->nstates || w->state[x->state].wait == NULL)
		return false;
	if (w->state[x->state].class != STATE_NATIVE)
		return true;
	cell_cpu_inside(&w->cpu, st, x->thread, x->start, x->end, &cpu, &use);
	return use.type == CELL_NONE || use.f < 50;
}

static bool
q_waits_add_wait(struct waits_rows *w, const struct stretch *x)
{
	uint64_t row = w->stretches.n;
	enum state_class class;
	bool idle;

	if (w->part != x->part + 1) {
		w->part = x->part + 1;
		if (!q_waits_look_at_thread(w))
			return false;
	}
	if (!is_wait(w, x))
		return true;
	/* A thread that was runnable or blocked for so long is not idle. */
	class = w->state[x->state].class;
	idle = w->idle_thread || (class != STATE_RUNNABLE && class != STATE_BLOCKED && x->until - x->start > w->life / 2);
	if (!scratch_array(&w->idle, row / 8 + 1, 1, &w->rows.err))
		return false;
	if (idle)
		w->idle.data[row / 8] |= (uint8_t)(1u << row % 8);
	return stretches_keep(&w->stretches, &w->rows.err);
}

/* Read the threads of the rows in front. */
static bool
q_waits_read_threads(struct waits_rows *w)
{
	struct thread_list *list = &w->stretches.threads;
	struct rows *in = w->rows.in;
	size_t cap = 0;
	struct cell c;

	for (uint64_t row = 0; rows_reach(in, row + 1) > row; row++) {
		if (!rows_tick(&w->rows, row))
			return false;
		rows_cell(in, row, w->id, &c);
		if (c.type != CELL_ID || c.u > UINT32_MAX)
			continue;
		if (!mem_grow(&list->id, &cap, list->n + 1, sizeof *list->id))
			return fail(&w->rows.err, E_SYSTEM, "out of memory (list of threads)");
		list->id[list->n++] = (uint32_t)c.u;
	}
	w->asked = true;
	w->none = list->n == 0;
	return rows_error(in) == NULL;
}

static uint64_t
waits_reach(struct rows *r, uint64_t n)
{
	struct waits_rows *w = (struct waits_rows *)r;
	struct stretch x;
	uint64_t turn = 0;

	if (r->in != NULL && !w->asked && !q_waits_read_threads(w))
		return 0;
	while (!w->none && w->stretches.n < n && r->err.kind == E_NONE)
		if ((turn++ % 256 == 0 && !rows_tick(r, w->stretches.n)) ||
		    !stretches_read(&w->stretches, &x, &r->err) || !q_waits_add_wait(w, &x))
			break;
	return w->stretches.n;
}

/* ---- what ended it ------------------------------------------------------------------ */

/* Return the row (from 1) of the first event of a thread at a time; columns are ordered by time.  0: none. */
static uint64_t
q_waits_event_at(const struct store *st, column_id times, column_id threads, uint32_t thread, uint64_t time)
{
	const struct column *t = store_column(st, times), *who = store_column(st, threads);
	uint64_t n = column_rows(t);

	for (uint64_t i = n == 0 ? 0 : column_place(t, time); i < n && column_get(t, i) == time; i++)
		if (column_get(who, i) == thread)
			return i + 1;
	return 0;
}

/* Return wake.by of the wakeup of a thread at a time; 0: no wakeup, or unknown. */
static uint32_t
woken_by(const struct store *st, uint32_t thread, uint64_t time)
{
	uint64_t row = q_waits_event_at(st, COL_WAKE_TIME, COL_WAKE_THREAD, thread, time);

	return row == 0 ? 0 : (uint32_t)store_cell(st, COL_WAKE_BY, row);
}

/* Return the CPU that a thread is switched to at a time; SWITCH_NO_CPU: none. */
static uint32_t
cpu_at(const struct store *st, uint32_t thread, uint64_t time)
{
	uint64_t row = q_waits_event_at(st, COL_SWITCH_TIME, COL_SWITCH_TO, thread, time);

	return row == 0 ? SWITCH_NO_CPU : (uint32_t)store_cell(st, COL_SWITCH_CPU, row);
}

/* ---- cells -------------------------------------------------------------------------- */

/* Find the innermost calls of all rows in one pass, if that is faster than one by one. */
static bool
q_waits_find_tops(struct waits_rows *w)
{
	struct scratch times = SCRATCH_INIT;
	uint64_t n = waits_reach(&w->rows, ROWS_ALL);
	const struct stretch *x;
	bool ok = w->rows.err.kind == E_NONE && scratch_array(&times, n, sizeof(struct stack_time), &w->rows.err);

	for (uint64_t row = 0; ok && row < n; row++) {
		x = stretches_row(&w->stretches, row);
		SCRATCH(times, struct stack_time)[row] = (struct stack_time){ x->thread, stack_ticks(&w->stack, x->start), row };
		ok = row % 1024 != 0 || rows_tick(&w->rows, row);
	}
	ok = ok && scratch_array(&w->tops, n, sizeof(struct top_calls), &w->rows.err) &&
	    stack_tops(&w->stack, &times, n, SCRATCH(w->tops, struct top_calls), w->rows.work, &w->rows.err);
	scratch_free(&times);
	if (!ok)
		scratch_free(&w->tops);
	return ok;
}

static void
in_cell(struct waits_rows *w, uint64_t row, bool around, struct cell *c)
{
	bool ok = w->tops.data != NULL || !stack_is_slow(&w->stack) || q_waits_find_tops(w);
	const struct stretch *x = stretches_row(&w->stretches, row);
	struct top_calls top = { 0, 0 };
	uint32_t method;

	if (ok && w->tops.data != NULL)
		top = SCRATCH(w->tops, struct top_calls)[row];
	else
		ok = ok && stack_top(&w->stack, x->thread, x->start, &top, &w->rows.err);
	method = around ? top.caller : top.method;
	buf_clear(&w->text);
	if (ok && method != 0)
		method_name(w->stretches.store, method, &w->text);
	else if (ok && !around)
		buf_str(&w->text, thread_top(w->stretches.store, x->thread));
	cell_text(&w->rows, c, &w->text);
}

static enum state_class
q_waits_class_of(const struct waits_rows *w, uint32_t state)
{
	return state < w->nstates ? w->state[state].class : STATE_OTHER;
}

/* A sleep that turns runnable was ended by a wakeup; a runnable wait was ended by a CPU. */
static void
ended_cell(struct waits_rows *w, const struct stretch *x, unsigned what, struct cell *c)
{
	enum state_class now = q_waits_class_of(w, x->state), then = q_waits_class_of(w, x->then);
	const struct store *st = w->stretches.store;
	uint32_t cpu = SWITCH_NO_CPU, by = 0;

	if (then == STATE_RUNNABLE && now != STATE_RUNNABLE)
		by = woken_by(st, x->thread, x->until);
	/* How long it had that CPU may be unknown. */
	if ((then == STATE_RUNNING || x->then == STATE_NONE) && now == STATE_RUNNABLE)
		cpu = cpu_at(st, x->thread, x->until);
	if (what == WAITS_WAKER_ID) {
		c->u = WAKE_ID(by);
		c->type = c->u > 0 && c->u <= TASKS_MOST ? CELL_ID : CELL_NONE;
		return;
	}
	if (what == WAITS_CONTEXT) {
		c->text = str_of(waker_context(by) != NULL ? waker_context(by) : "");
		return;
	}
	buf_clear(&w->text);
	waker_name(st, by, &w->text);
	if (what == WAITS_ENDED_BY && cpu != SWITCH_NO_CPU)
		buf_printf(&w->text, "CPU %u free", cpu);
	if (what == WAITS_ENDED_BY && x->then == STATE_NONE && x->until == w->stretches.end)
		buf_str(&w->text, STR("(end of trace)"));
	cell_text(&w->rows, c, &w->text);
}

static void
waits_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct waits_rows *w = (struct waits_rows *)r;
	const struct store *st = w->stretches.store;
	const struct stretch *x = stretches_row(&w->stretches, row);
	unsigned what = r->cols[col].kind;

	if (cell_member(r, st, x, col, &w->text, c))
		return;
	switch (what) {
	case WAITS_STATE:
		c->text = str_of(w->state[x->state].wait);
		break;
	case WAITS_WALL:
		c->u = x->end - x->start;
		break;
	case WAITS_IN: case WAITS_CALLER:
		in_cell(w, row, what == WAITS_CALLER, c);
		break;
	case WAITS_IDLE:
		c->u = w->idle.data[row / 8] >> row % 8 & 1;
		break;
	default:
		ended_cell(w, x, what, c);
		break;
	}
}

static void
waits_close(struct rows *r)
{
	struct waits_rows *w = (struct waits_rows *)r;

	stretches_close(&w->stretches);
	stack_close(&w->stack);
	SCRATCH_FREE(&w->idle, &w->tops);
	idmap_free(&w->cpu.places);
	buf_free(&w->text);
	free(w->state);
}

/* ---- opening ------------------------------------------------------------------------ */

static const struct rows_ops waits_ops = { .reach = waits_reach, .cell = waits_cell, .close = waits_close,
	.touch = touch_own };

static bool
words_of_states(struct waits_rows *w, struct err *err)
{
	const struct store *st = w->stretches.store;

	w->nstates = states_count(st);
	w->state = mem_array(w->nstates + 1, sizeof *w->state);
	for (uint32_t i = 0; w->state != NULL && i < w->nstates; i++)
		w->state[i] = (struct wait_state){ state_wait(st, i), state_class(st, i) };
	return w->state != NULL || fail(err, E_SYSTEM, "out of memory (names of states)");
}

static struct waits_rows *
new_waits(struct session *session, const struct stage *stage, struct rows *in, struct err *err)
{
	struct waits_rows *w = rows_of_command(sizeof *w, &waits_ops, session, stage, in, err);

	if (w == NULL)
		return NULL;
	w->cpu = TRACK_INDEX("cpu");
	stack_open(&w->stack, session_store(session));
	return w;
}

static bool
waits_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	struct waits_rows *w = new_waits(session, stage, in, err);

	return w != NULL && rows_opened(&w->rows, stretches_open(&w->stretches, session, stage, err) &&
	    words_of_states(w, err), out);
}

/* Behind rows of threads or tasks, that still have their ids. */
static bool
waits_behind(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	const struct rows *source = in;
	int id = rows_column(in, STR("id"));
	struct waits_rows *w;

	while (source->in != NULL)
		source = source->in;
	if (id < 0 || source->command == NULL || !source->command->lists_threads) {
		rows_close(in);
		return fail_at(err, E_USAGE, stage->at, "'waits' begins a query, or takes rows of threads or tasks with "
		    "their column id, as in '%s'", stage->command->example);
	}
	if ((w = new_waits(session, stage, in, err)) == NULL)
		return false;
	w->id = (size_t)id;
	w->rows.reads = COLUMN_BIT(w->id);
	return rows_opened(&w->rows, stretches_open(&w->stretches, session, NULL, err) && words_of_states(w, err), out);
}

static const column_id needs[] = { COL_THREAD_TID, COL_TRACK_KIND, COL_NONE };

const struct command source_waits = {
	SOURCE("waits", "the times in which threads did not run, with their causes",
	    "waits | where not idle | top 10 wall", waits_open),
	OVER(SHAPE_TRACKS, waits_cols), .unless = SHAPE_SAMPLES,
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};

const struct command stage_waits = {
	STAGE("waits", "waits of the threads of the rows, with their causes",
	    "threads | where name = main | waits | top 5 wall", waits_behind),
	OVER(SHAPE_TRACKS, waits_cols), .unless = SHAPE_SAMPLES,
	.needs = needs
};

const struct command source_sampled_waits = {
	SOURCE("waits", "the times in which tasks did not run, with their causes", "waits | where not idle | top 10 wall", waits_open),
	OVER(SHAPE_TASKS, sampled_cols),
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};

const struct command stage_sampled_waits = {
	STAGE("waits", "waits of the threads of the rows, with their causes", "threads | where name = main | waits | top 5 wall", waits_behind),
	OVER(SHAPE_TASKS, sampled_cols),
	.needs = needs
};

const struct command source_recorded_waits = {
	SOURCE("waits", "the times in which threads did not run, as far as recorded", "waits | where not idle | top 10 wall", waits_open),
	OVER(SHAPE_LASTING, recorded_cols),
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};

const struct command stage_recorded_waits = {
	STAGE("waits", "waits of the threads of the rows, as far as recorded", "threads | where name = main | waits | top 5 wall", waits_behind),
	OVER(SHAPE_LASTING, recorded_cols),
	.needs = needs
};
