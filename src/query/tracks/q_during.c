/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_during: what happened on a thread while the rows lasted: calls, metrics or states.
 *
 * Rows are taken one after the other, as far as answers are asked for.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "during.h"

/* ---- states ---------------------------------------------------------------------------- */

static bool
during_states(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	size_t n = states_count(d->rows.st), i;
	uint64_t *ns, first = d->rows.n;
	struct during_item *item;
	struct track t;
	bool ok = true;

	if (n == 0 || !track_index_find(&d->states, d->rows.st, thread, &t))
		return true;
	if ((ns = mem_array(n, sizeof *ns)) == NULL)
		return fail_memory(&d->rows.rows.err, "times of states");
	track_states(&t, x->from, x->to, ns, n);
	for (i = 0; ok && i < n; i++) {
		if (ns[i] == 0)
			continue;
		if (!(ok = (item = during_add(d, x, thread)) != NULL))
			break;
		item->id = (uint32_t)i;
		item->order = i;
		item->inside = ns[i];
	}
	free(ns);
	during_sort(d, first);
	return ok;
}

/*
 * Events with a duration on a thread without recorded states, as pauses on those of the collector, stop the
 * whole process.
 */
static bool
lasting_is_of_all(const struct store *st, struct track_index *states, uint32_t thread)
{
	struct track t;

	return store_column(st, COL_INTERVAL_START) != NULL && !track_index_find(states, st, thread, &t);
}

/* ---- rows ---------------------------------------------------------------------------- */

static uint64_t
q_during_number_of(struct during *d, size_t col)
{
	struct cell c;

	rows_cell(d->rows.rows.in, d->next, d->col[col], &c);
	return c.type == CELL_TIME || c.type == CELL_ID || c.type == CELL_COUNT ? c.u : 0;
}

static bool
one_thread(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	switch (d->what) {
	case DURING_CALLS:
		return d->all ? during_ask(d, x, thread) : during_calls(d, x, thread);
	case DURING_METRICS:
		return during_metrics(d, x, thread);
	case DURING_STATES:
		return during_states(d, x, thread);
	}
	return true;
}

static bool
q_during_next_row(struct during *d)
{
	const struct column *tids = store_column(d->rows.st, COL_THREAD_TID),
	    *pids = store_column(d->rows.st, COL_LISTED_PID);
	struct span_of_row x = { .row = d->next + 1 };
	uint32_t n = tids == NULL ? 0 : (uint32_t)tids->rows;
	bool all;

	x.from = q_during_number_of(d, 0);
	x.to = num_add(x.from, q_during_number_of(d, 1));
	x.thread = (uint32_t)q_during_number_of(d, 2);
	d->next++;
	if (x.thread > n)
		return true;
	all = x.thread == 0 || (d->what == DURING_STATES &&
	    lasting_is_of_all(d->rows.st, &d->states, x.thread));
	if (d->what == DURING_METRICS || !all)
		return one_thread(d, &x, x.thread);
	for (uint32_t i = 1; i <= n; i++)
		if ((x.thread == 0 || column_get(pids, i - 1) == column_get(pids, x.thread - 1)) &&
		    !one_thread(d, &x, i))
			return false;
	return true;
}

static bool
during_step(struct item_rows *r)
{
	struct during *d = (struct during *)r;

	if (rows_reach(r->rows.in, d->next + 1) <= d->next) {
		if (d->nasked > 0)
			during_answer(d);
		return false;
	}
	d->all = d->all || (d->what == DURING_CALLS && (r->wanted == ROWS_ALL || during_is_slow(d)));
	return q_during_next_row(d);
}

static void
during_end(struct item_rows *r)
{
	struct during *d = (struct during *)r;

	SCRATCH_FREE(&d->calls.open, &d->calls.inner, &d->asked, &d->tracks);
	idmap_free(&d->states.places);
	spans_free(&d->calls.spans);
}

/* ---- columns -------------------------------------------------------------------------- */

#define OF(member) ITEM(struct during_item, member)

static void
wall_cell(struct item_rows *s, uint64_t start, struct cell *c)
{
	const struct during_item *item = s->item;

	c->u = item->end > start ? item->end - start : 0;
}

static void
q_during_percent_cell(struct item_rows *s, uint64_t inside, struct cell *c)
{
	cell_use(inside, ((const struct during_item *)s->item)->length, c);
}

enum { METRIC_TRACK, METRIC_WALL, METRIC_VALUE, METRIC_MAX, METRIC_RATE, METRIC_USE, METRIC_PROCESS };

static void
q_during_metric_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	const struct during_item *item = s->item;
	struct track_piece p;
	struct track t;

	if (!track_get(s->st, (size_t)id - 1, &t)) {
		c->type = CELL_NONE;
		return;
	}
	if (item_show(s) == METRIC_TRACK || item_show(s) == METRIC_PROCESS) {
		c->text = item_show(s) == METRIC_TRACK ? str_of(t.name) :
		    process_name(s->st, t.process != 0 ? t.process : thread_process(s->st, item->thread));
		return;
	}
	track_piece(&t, item->start, item->end, &p);
	switch (item_show(s)) {
	case METRIC_WALL: c->u = p.known; break;
	case METRIC_RATE: cell_rate(p.sum, t.kind == TRACK_LEVEL ? 0 : p.known, c); break;
	case METRIC_USE: cell_use(p.sum, t.kind == TRACK_CPU ? p.known : 0, c); break;
	default: cell_track(&t, item_show(s) == METRIC_MAX ? p.max : p.sum, c); break;
	}
}

static const struct coldef call_cols_during[] = {
	{ "row", CELL_ID, "row number of the input", MADE(OF(row)) },
	{ "thread", CELL_TEXT, "thread name", THREAD_FROM(OF(thread)) },
	{ "depth", CELL_COUNT, "depth", MADE(OF(depth)) },
	{ "method", CELL_TEXT, "class and method", MADE(.show = TRACE_METHOD, OF(id)), FUNCTION },
	{ "start_wall", CELL_TIME, "start", MADE(OF(start)) },
	{ "wall", CELL_TIME, "duration", COMPUTED(wall_cell, OF(start)) },
	{ "overlap", CELL_TIME, "time as the innermost call within the row", MADE(OF(inside)),
	    .was = "inside" },
	{ "percent", CELL_PERCENT, "share of the row", COMPUTED(q_during_percent_cell, OF(inside)) },
	{ "thread_id", CELL_ID, "id of the thread", MORE, MADE(OF(thread)) },
	{ "method_id", CELL_ID, "id of the method", MORE, MADE(OF(id)), METHOD_ID },
	{ PROCESS_FROM(OF(thread)) }
};

#define METRIC(what) COMPUTED(q_during_metric_cell, .show = (what), OF(id))

static const struct coldef metric_cols_during[] = {
	{ "row", CELL_ID, "row number of the input", MADE(OF(row)) },
	{ "track", CELL_TEXT, "track name", METRIC(METRIC_TRACK) },
	{ "thread", CELL_TEXT, "thread; empty: process track", THREAD_FROM(OF(thread)) },
	{ "start_wall", CELL_TIME, "start of the row", MADE(OF(start)) },
	{ "wall", CELL_TIME, "time covered by the track", METRIC(METRIC_WALL) },
	{ "value", CELL_NONE, "growth of totals; mean of levels", METRIC(METRIC_VALUE) },
	{ "max", CELL_NONE, "maximum level, or largest single growth", METRIC(METRIC_MAX) },
	{ "rate", CELL_REAL, "growth per second", METRIC(METRIC_RATE) },
	{ "utilisation", CELL_PERCENT, "CPU utilisation", METRIC(METRIC_USE), .was = "use", .head = "util" },
	{ "thread_id", CELL_ID, "thread id; 0: none", MORE, MADE(OF(thread)) },
	{ "process", CELL_TEXT, "process of the track or of its thread", MORE, .beside = SHAPE_MARKS,
	    METRIC(METRIC_PROCESS) }
};

static const struct coldef state_cols_during[] = {
	{ "row", CELL_ID, "row number of the input", MADE(OF(row)) },
	{ "thread", CELL_TEXT, "thread name", THREAD_FROM(OF(thread)) },
	{ "state", CELL_TEXT, "thread state", MADE(.show = TRACE_STATE, OF(id)) },
	{ "start_wall", CELL_TIME, "start of the row", MADE(OF(start)) },
	{ "wall", CELL_TIME, "duration of the row", COMPUTED(wall_cell, OF(start)) },
	{ "overlap", CELL_TIME, "time in the state within the row", MADE(OF(inside)), .was = "inside" },
	{ "percent", CELL_PERCENT, "share of the row", COMPUTED(q_during_percent_cell, OF(inside)) },
	{ "thread_id", CELL_ID, "id of the thread", MORE, MADE(OF(thread)) },
	{ PROCESS_FROM(OF(thread)) }
};

static const struct form {
	const char		*word;
	const struct coldef	*cols;
	size_t			 ncols;
} forms[] = {
	[DURING_CALLS] = { "calls", COLUMNS(call_cols_during) },
	[DURING_METRICS] = { "metrics", COLUMNS(metric_cols_during) },
	[DURING_STATES] = { "states", COLUMNS(state_cols_during) }
};

/* ---- the stage ------------------------------------------------------------------------- */

static bool
form_of(const struct stage *stage, enum what *what, struct err *err)
{
	*what = DURING_CALLS;
	if (!stage_at_most(stage, 1, err))
		return false;
	for (size_t i = 0; stage->n > 0 && i < NELEM(forms); i++)
		if (token_is(&stage->token[0], forms[i].word)) {
			*what = (enum what)i;
			return true;
		}
	return stage->n == 0 || fail_at(err, E_USAGE, stage->token[0].at,
	    "expected calls, metrics or states");
}

static bool
q_during_find_columns(struct during *d, const struct stage *stage, struct err *err)
{
	static const char *const names[] = { "start_wall", "wall", "thread_id" };
	int col;

	d->rows.rows.reads = 0;
	for (size_t i = 0; i < NELEM(names); i++) {
		if ((col = rows_column(d->rows.rows.in, str_of(names[i]))) < 0)
			return fail_at(err, E_USAGE, stage->at,
			    "'during' needs columns start_wall, wall, thread_id, e.g. '%s'",
			    stage->command->example);
		d->col[i] = (size_t)col;
		d->rows.rows.reads |= COLUMN_BIT(col);
	}
	return true;
}

/* Return the mean duration of 65536 records, in ticks. */
static uint64_t
piece_ticks(const struct store *st, uint64_t tick)
{
	uint64_t records = fact_value(st, FACT_RECORDS), wall = fact_value(st, FACT_LAST_WALL);

	return records == 0 || tick == 0 ? 0 :
	    num_whole((double)(wall / tick) * 65536 / (double)records);
}

static bool
during_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	struct during *d = (struct during *)r;
	unsigned shapes = session_shapes(r->rows.session);

	d->states = TRACK_INDEX("state");
	d->calls.ahead = piece_ticks(r->st, TRACE(r)->tick);
	if (!form_of(stage, &d->what, err))
		return false;
	if (d->what == DURING_CALLS && (stage->command->with & SHAPE_SAMPLES) != 0)
		return fail_at(err, E_USAGE, stage->at,
		    "this file has samples, and no calls in time order; use 'during states' or 'during metrics'");
	r->rows.cols = forms[d->what].cols;
	/* The last column is the process. */
	r->rows.ncols = forms[d->what].ncols - (shapes != 0 && (shapes & SHAPE_MARKS) == 0);
	return q_during_find_columns(d, stage, err);
}

static const struct source during_source = {
	.domain = &trace_domain, .size = sizeof(struct during), .item = sizeof(struct during_item),
	    .args = ARGS_OWN,
	.begin = during_begin, .step = during_step, .end = during_end
};

static const column_id needs[] = { COL_THREAD_TID, COL_TRACK_KIND, COL_SPAN_START, COL_NONE };

static const column_id track_needs[] = { COL_THREAD_TID, COL_TRACK_KIND, COL_NONE };

/* For scheduler traces opened with samples, which have no calls. */
const struct command stage_sampled_during = {
	STAGE("during", "states or metrics of the thread during each row",
	    "waits | top 1 wall | during states", item_rows_open),
	OVER(SHAPE_TASKS, call_cols_during), .with = SHAPE_TASKS | SHAPE_SAMPLES, .source = &during_source,
	.args = ARGS({ NULL, ARG_OPTIONAL, "calls" }, { NULL, ARG_OR, "metrics" },
	    { NULL, ARG_OR, "states" }),
	.needs = track_needs
};

const struct command stage_during = {
	STAGE("during", "what ran on the thread during each row",
	    "states | where state = native and wall > 50ms and utilisation < 10 | during", item_rows_open),
	OVER(SHAPE_TRACKS | SHAPE_INTERVALS, call_cols_during), .unless = SHAPE_SAMPLES,
	    .source = &during_source,
	.args = ARGS({ NULL, ARG_OPTIONAL, "calls" }, { NULL, ARG_OR, "metrics" },
	    { NULL, ARG_OR, "states" }),
	.needs = needs
};

/* Reject "during calls": a recording has no calls in time order. */
static bool
recorded_during(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	if (stage->n > 0 && !token_is(&stage->token[0], "calls"))
		return item_rows_open(session, stage, in, out, err);
	rows_close(in);
	return fail_at(err, E_USAGE, stage->at,
	    "a recording has no calls in time order; use 'during states' or 'during metrics'");
}

const struct command stage_recorded_during = {
	STAGE("during", "states or values of tracks during each row", "states | top 5 wall | during metrics",
	    recorded_during),
	.shapes = SHAPE_LASTING, .source = &during_source,
	.args = ARGS({ NULL, ARG_OPTIONAL, "metrics" }, { NULL, ARG_OR, "states" }),
	.needs = track_needs
};
