/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_intervals: events of a recording that last.
 */
#include "config.h"

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/view.h"
#include "query/trace/trace.h"

static const column_id name_needs[] = { COL_THREAD_TID, COL_NONE };

static struct str
q_intervals_event_of(const struct store *st, uint64_t id)
{
	return column_text(store_column(st, COL_INTERVAL_TEXT), store_cell(st, COL_INTERVAL_EVENT, id));
}

static void
interval_text_cell(struct item_rows *s, uint64_t place, struct cell *c)
{
	c->text = column_text(store_column(s->st, COL_INTERVAL_TEXT), place);
}

static void
bytes_cell(UNUSED struct item_rows *s, uint64_t bytes, struct cell *c)
{
	c->u = bytes;
	c->type = bytes == UINT64_MAX ? CELL_NONE : CELL_BYTES;
}

/* Only recordings of a JVM have the column. */
static void
pause_cell(struct item_rows *s, uint64_t ns, struct cell *c)
{
	c->u = ns;
	c->type = ns == UINT64_MAX || store_column(s->st, COL_INTERVAL_PAUSED) == NULL ? CELL_NONE : CELL_TIME;
}

static const column_id function_needs[] = { COL_METHOD_RAW, COL_NONE };

/* The innermost function that is not the subject itself. */
static bool
interval_function(struct item_rows *s, uint64_t row, struct buf *b)
{
	uint64_t stack = store_cell(s->st, COL_INTERVAL_STACK, row), up;
	struct str what = column_text(store_column(s->st, COL_INTERVAL_TEXT),
	    store_cell(s->st, COL_INTERVAL_WHAT, row));

	for (int i = 0; i < 2 && stack != 0; i++) {
		buf_clear(b);
		method_name(s->st, (uint32_t)store_cell(s->st, COL_STACK_METHOD, stack), b);
		up = store_cell(s->st, COL_STACK_PARENT, stack);
		if (!str_eq(buf_view(b), what))
			break;
		stack = up < stack ? up : 0;
	}
	return true;
}

static const struct coldef interval_cols[] = {
	{ "start_wall", CELL_TIME, "start, since the recording began", NUMBER(COL_INTERVAL_START) },
	{ "wall", CELL_TIME, "duration", NUMBER(COL_INTERVAL_LENGTH) },
	{ "thread", CELL_TEXT, "thread; empty: none", THREAD_FROM(.by = COL_INTERVAL_THREAD),
	    .needs = name_needs },
	{ "event", CELL_TEXT, "event", COMPUTED(interval_text_cell, .by = COL_INTERVAL_EVENT) },
	{ "what", CELL_TEXT, "subject: class, file, address or cause",
	    COMPUTED(interval_text_cell, .by = COL_INTERVAL_WHAT) },
	{ "bytes", CELL_BYTES, "bytes read or written; empty: unknown",
	    COMPUTED(bytes_cell, .by = COL_INTERVAL_BYTES) },
	{ "paused", CELL_TIME, "pauses of a garbage collection in all; empty: unknown", MORE,
	    COMPUTED(pause_cell, .by = COL_INTERVAL_PAUSED) },
	{ "longest_pause", CELL_TIME, "longest pause of a garbage collection; empty: unknown", MORE,
	    COMPUTED(pause_cell, .by = COL_INTERVAL_PAUSE) },
	{ "function", CELL_TEXT, "innermost function when it began; empty: unknown", MORE,
	    TEXT(interval_function), .needs = function_needs, FUNCTION },
	{ "thread_id", CELL_ID, "id of the thread", MORE, NUMBER(COL_INTERVAL_THREAD) },
	{ "at", CELL_TEXT, "time of day of the start (UTC), if known", MORE,
	    IN(TRACE_CLOCK, COL_INTERVAL_START) },
};

/* ---- those of some events ------------------------------------------------------------------------ */

static const struct arg_type arg_event = { .name = "EVENT", .look = LOOK_NAMES, .query = "intervals",
    .column = "event" };

static bool
q_intervals_is_named(const struct stage *stage, struct str event)
{
	const struct token *t;
	size_t i = 0;

	while ((t = stage_next(stage, &i)) != NULL)
		if (token_means(t, event))
			return true;
	return false;
}

static bool
check_arguments(const struct stage *stage, struct err *err)
{
	const struct token *t;
	size_t i = 0;

	while ((t = stage_next(stage, &i)) != NULL)
		if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
			return fail_at(err, E_USAGE, t->at,
			    "expected the name of an event, as in jdk.GCPhasePause");
	return true;
}

/* The events with a duration, one row each. */
struct lasting {
	const struct store	*st;
	ARRAY(uint64_t)	row;	/* the first one of intervals, from 1 */
	uint64_t		 n;
};

static struct str
q_intervals_name_of_event(void *arg, uint64_t i)
{
	const struct lasting *l = arg;

	return q_intervals_event_of(l->st, l->row.at[i]);
}

static bool
find_events(struct lasting *l, struct err *err)
{
	const struct column *events = store_column(l->st, COL_INTERVAL_EVENT);
	OWN_IDMAP seen = IDMAP_INIT;
	bool ok = true;
	uint32_t found;

	for (uint64_t row = 1; ok && row <= column_rows(events); row++) {
		uint32_t new = (uint32_t)l->n + 1;

		ok = idmap_enter(&seen, column_get(events, row - 1), new, &found, err) &&
		    (found != new || array_add(&l->row, &l->n, &row, err));
	}
	return ok;
}

/* Check that each argument names an event that has a duration somewhere in the file. */
static bool
check_names(const struct store *st, const struct stage *stage, struct err *err)
{
	struct lasting l = { .st = st };
	const struct token *t;
	size_t i = 0;
	bool ok = find_events(&l, err);

	while (ok && (t = stage_next(stage, &i)) != NULL) {
		uint64_t k = 0;

		while (k < l.n && !token_means(t, q_intervals_name_of_event(&l, k)))
			k++;
		ok = k < l.n || fail_no_name(t, "event with a duration", "intervals | group event",
		    q_intervals_name_of_event, &l, l.n, err);
	}
	array_free(&l.row);
	return ok;
}

/* Add those of the rows first .. end - 1 whose event an argument names. */
static bool
add_named(struct item_rows *s, const struct stage *stage, uint64_t first, uint64_t end)
{
	const struct column *events = store_column(s->st, COL_INTERVAL_EVENT);
	uint64_t last = 0, event;
	bool hit = false;

	for (uint64_t i = first; i < end; i++, last = event) {
		event = column_get(events, i);
		if (event != last)
			hit = q_intervals_is_named(stage, q_intervals_event_of(s->st, i + 1));
		if (hit && !item_rows_run(s, (uint32_t)i + 1, 1))
			return false;
	}
	return true;
}

static bool
intervals_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	const struct column *start = store_column(s->st, COL_INTERVAL_START);
	uint64_t from, to, first = 0, end = column_rows(start);

	if (!check_arguments(stage, err))
		return false;
	if (stage->n == 0 || start == NULL)
		return item_rows_each(s, COL_INTERVAL_START, true);
	if (!check_names(s->st, stage, err))
		return false;
	if (view_range(s->st, &from, &to)) {
		first = column_place(start, from);
		end = column_place(start, to);
	}
	return add_named(s, stage, first, end);
}

static const struct source intervals = { .domain = &trace_domain, .args = ARGS_OWN,
    .begin = intervals_begin };

const struct command source_intervals = {
	SOURCE("intervals", "events with a duration: waits, pauses, I/O",
	    "intervals jdk.GCPhasePause | during states", item_rows_open),
	OVER(SHAPE_LASTING, interval_cols), .source = &intervals,
	.args = ARGS({ &arg_event, ARG_OPTIONAL | ARG_MANY }),
	.views = VIEWS_OF_TIMES,
	.names = { "event", "what" }
};
