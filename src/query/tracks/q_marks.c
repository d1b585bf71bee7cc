/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_marks: trace events other than calls.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/event_args.h"
#include "marks.h"

static const column_id name_needs[] = { COL_THREAD_TID, COL_NONE };
static const column_id main_needs[] = { COL_PROCESS_MAIN, COL_NONE };

/* A table of files of trace events, in order of time. */
#define MARK_TABLE(name, says, query, table, times) \
	TABLE_SOURCE(name, says, query, SHAPE_MARKS, table, times, .moments = true), .views = VIEWS_OF_TIMES

/* ---- instants -------------------------------------------------------------------------- */

static const char *
scope_word(unsigned scope)
{
	return scope == 'g' ? "global" : scope == 'p' ? "process" : "thread";
}

/* Data of the event as a word, or args, which are read when they are asked for. */
static bool
mark_detail(const struct store *st, uint64_t row, column_id word, column_id args, column_id end,
    struct buf *b)
{
	if (store_column(st, args) != NULL)
		args_detail(st, store_cell(st, args, row), end == COL_NONE ? 0 : store_cell(st, end, row), b);
	else if (store_column(st, word) != NULL)
		buf_str(b, word_text(st, (uint32_t)store_cell(st, word, row)));
	return true;
}

bool
instant_detail(struct item_rows *s, uint64_t row, struct buf *b)
{
	return mark_detail(s->st, row, COL_INSTANT_DETAIL, COL_INSTANT_ARGS, COL_NONE, b);
}

bool
async_detail(struct item_rows *s, uint64_t row, struct buf *b)
{
	return mark_detail(s->st, row, COL_ASYNC_DETAIL, COL_ASYNC_ARGS, COL_ASYNC_END_ARGS, b);
}

static const struct coldef mark_cols[] = {
	{ "id", CELL_ID, "mark number, in time order", OWN_NUMBER },
	{ "time", CELL_TIME, "time since the first event", NUMBER(COL_INSTANT_TIME) },
	{ "name", CELL_TEXT, "name of the event", WORD(COL_INSTANT_NAME) },
	{ "scope", CELL_TEXT, "scope: thread, process or global",
	    MADE(.word = scope_word, .by = COL_INSTANT_SCOPE) },
	{ "thread", CELL_TEXT, "thread", THREAD_FROM(.by = COL_INSTANT_THREAD), .needs = name_needs },
	{ "process", CELL_TEXT, "process", IN(TRACE_PROCESS, COL_INSTANT_PROCESS), .cut = CUT_FRONT },
	{ "cat", CELL_TEXT, "categories", MORE, WORD(COL_INSTANT_CAT) },
	{ "pid", CELL_TEXT, "process id in the file", MORE, IN(TRACE_PID, COL_INSTANT_PROCESS) },
	{ "detail", CELL_TEXT, "data or args of the event", MORE, TEXT(instant_detail) },
	{ "tag", CELL_TEXT, "tag of a line of the log", MORE, WORD(COL_INSTANT_TAG) },
	{ "priority", CELL_TEXT, "its priority: V, D, I, W, E or F", MORE,
	    IN(TRACE_LETTER, COL_INSTANT_PRIORITY), .head = "prio" },
	{ "letter", CELL_TEXT, "phase: i, I, or R (navigation mark)", MORE,
	    IN(TRACE_LETTER, COL_INSTANT_LETTER) },
	{ "thread_id", CELL_ID, "id of the thread", MORE, NUMBER(COL_INSTANT_THREAD) },
	{ "main_id", CELL_ID, "id of the main thread of its process", MORE,
	    NUMBER(COL_INSTANT_PROCESS, .then = COL_PROCESS_MAIN),
	    .needs = main_needs },
	{ "track", CELL_TEXT, "its named track, after those above it (Android, Perfetto)", MORE,
	    WORD(COL_INSTANT_TRACK) },
	{ "at", CELL_TEXT, "time of day (UTC), if known", MORE, IN(TRACE_CLOCK, COL_INSTANT_TIME) }
};

const struct command source_marks = {
	MARK_TABLE("marks", "instant events of Chrome traces", "marks | group name : count | sort -count",
	    mark_cols, COL_INSTANT_TIME),
	.names = { "name" }
};

/* ---- async operations -------------------------------------------------------------------- */

static const struct coldef async_cols[] = {
	{ "name", CELL_TEXT, "name", WORD(COL_OPERATION_NAME) },
	{ "cat", CELL_TEXT, "categories", WORD(COL_OPERATION_CAT) },
	{ "count", CELL_COUNT, "complete slices", NUMBER(COL_OPERATION_COUNT) },
	{ "total", CELL_TIME, "total time", NUMBER(COL_OPERATION_TOTAL) },
	{ "max", CELL_TIME, "longest time", NUMBER(COL_OPERATION_MAX) },
	{ "points", CELL_COUNT, "events of this name", NUMBER(COL_OPERATION_POINTS) },
	{ "open", CELL_COUNT, "slices without an end", NUMBER(COL_OPERATION_OPEN) },
	{ "process", CELL_TEXT, "process", IN(TRACE_PROCESS, COL_OPERATION_PROCESS), .cut = CUT_FRONT },
	{ "track", CELL_TEXT, "its named track, after those above it (Perfetto)", MORE,
	    WORD(COL_OPERATION_TRACK) },
	{ "process_id", CELL_ID, "number of the process", MORE, NUMBER(COL_OPERATION_PROCESS) }
};

const struct command source_async = {
	TABLE_SOURCE("async", "kinds of async slices, by total time", "async | head 10",
	    SHAPE_MARKS, async_cols, COL_OPERATION_NAME),
	.names = { "name", "cat" }
};

static void
async_length(struct item_rows *s, uint64_t end, struct cell *c)
{
	c->u = end - item_other(s);
}

static const struct coldef async_span_cols[] = {
	{ "id", CELL_ID, "slice number, in time order", OWN_NUMBER },
	{ "parent", CELL_ID, "parent slice; 0: none", NUMBER(COL_ASYNC_PARENT) },
	{ "name", CELL_TEXT, "name", WORD(COL_ASYNC_NAME) },
	{ "cat", CELL_TEXT, "categories", WORD(COL_ASYNC_CAT) },
	{ "process", CELL_TEXT, "process", IN(TRACE_PROCESS, COL_ASYNC_PROCESS), .cut = CUT_FRONT },
	{ "start_wall", CELL_TIME, "start, since the first event", NUMBER(COL_ASYNC_START) },
	{ "wall", CELL_TIME, "duration, as far as recorded",
	    COMPUTED(async_length, .by = COL_ASYNC_END, .other = COL_ASYNC_START) },
	{ "open", CELL_BOOL, "no end recorded", NUMBER(COL_ASYNC_OPEN) },
	{ "key", CELL_TEXT, "event id in the file", MORE, WORD(COL_ASYNC_ID) },
	{ "pid", CELL_TEXT, "process id in the file", MORE, IN(TRACE_PID, COL_ASYNC_PROCESS) },
	{ "points", CELL_COUNT, "events", MORE, NUMBER(COL_ASYNC_POINTS) },
	{ "depth", CELL_COUNT, "slices around it on its track", MORE, NUMBER(COL_ASYNC_DEPTH) },
	{ "track", CELL_TEXT, "its named track, after those above it (Perfetto)", MORE,
	    WORD(COL_ASYNC_TRACK) },
	{ "thread", CELL_TEXT, "thread of a marker (Firefox)", MORE, THREAD_FROM(.by = COL_ASYNC_THREAD),
	    .needs = name_needs },
	{ "detail", CELL_TEXT, "data or args of the event", MORE, TEXT(async_detail) },
	{ "thread_id", CELL_ID, "id of the thread", MORE, NUMBER(COL_ASYNC_THREAD) },
	{ "process_id", CELL_ID, "number of the process", MORE, NUMBER(COL_ASYNC_PROCESS) },
	{ "main_id", CELL_ID, "id of the main thread of its process", MORE,
	    NUMBER(COL_ASYNC_PROCESS, .then = COL_PROCESS_MAIN),
	    .needs = main_needs }
};

const struct command source_async_spans = {
	MARK_TABLE("async_spans", "async slices, in time order", "async_spans | top 10 wall",
	    async_span_cols, COL_ASYNC_START),
	.names = { "name", "cat" }
};

/* ---- counters ------------------------------------------------------------------------------ */

static const struct coldef counter_cols[] = {
	{ "counter", CELL_TEXT, "name, with its id in brackets", WORD(COL_COUNTER_NAME) },
	{ "key", CELL_TEXT, "series of the counter", WORD(COL_COUNTER_KEY) },
	{ "process", CELL_TEXT, "process", IN(TRACE_PROCESS, COL_COUNTER_PROCESS), .cut = CUT_FRONT },
	{ "points", CELL_COUNT, "recorded values", NUMBER(COL_COUNTER_POINTS) },
	{ "min", CELL_REAL, "smallest value", IN(TRACE_LEVEL, COL_COUNTER_MIN, .other = COL_COUNTER_UNIT) },
	{ "max", CELL_REAL, "largest value", IN(TRACE_LEVEL, COL_COUNTER_MAX, .other = COL_COUNTER_UNIT) },
	{ "last", CELL_REAL, "last value", IN(TRACE_LEVEL, COL_COUNTER_LAST, .other = COL_COUNTER_UNIT) },
	{ "unit", CELL_TEXT, "unit of the values (Perfetto)", MORE, WORD(COL_COUNTER_UNIT) },
	{ "pid", CELL_TEXT, "process id in the file", MORE, IN(TRACE_PID, COL_COUNTER_PROCESS) },
	{ "process_id", CELL_ID, "number of the process", MORE, NUMBER(COL_COUNTER_PROCESS) },
	{ "main_id", CELL_ID, "number of the main thread of the process; 0: unknown", MORE,
	    NUMBER(COL_COUNTER_PROCESS, .then = COL_PROCESS_MAIN), .needs = main_needs },
	PROCESS_LABEL(.by = COL_COUNTER_PROCESS),
	{ "id", CELL_ID, "number in file order", MORE, OWN_NUMBER }
};

const struct command source_counters = {
	TABLE_SOURCE("counters", "counters; their values over time are tracks", "counters | sort -points",
	    SHAPE_MARKS,
	    counter_cols, COL_COUNTER_NAME),
	.names = { "counter", "key" }
};

/* ---- categories ---------------------------------------------------------------------------- */

static const struct coldef category_cols[] = {
	{ "category", CELL_TEXT, "category of the innermost frame", WORD(COL_CATEGORY_NAME) },
	{ "subcategory", CELL_TEXT, "subcategory; empty: none", WORD(COL_CATEGORY_SUB) },
	{ "thread", CELL_TEXT, "thread", THREAD_FROM(.by = COL_CATEGORY_THREAD), .needs = name_needs },
	{ "samples", CELL_COUNT, "samples", NUMBER(COL_CATEGORY_SAMPLES) },
	{ "cpu", CELL_TIME, "CPU time of the samples", NUMBER(COL_CATEGORY_CPU) },
	{ "thread_id", CELL_ID, "id of the thread", MORE, NUMBER(COL_CATEGORY_THREAD) }
};

const struct command source_categories = {
	TABLE_SOURCE("categories", "categories of samples by thread (Firefox)",
	    "categories | group category : sum samples, sum cpu", SHAPE_MARKS, category_cols,
	    COL_CATEGORY_NAME),
	.names = { "category", "subcategory" }
};

/* ---- flows --------------------------------------------------------------------------------- */

static void
flow_delay(struct item_rows *s, uint64_t delay, struct cell *c)
{
	c->type = item_other(s) != 0 ? CELL_TIME : CELL_NONE;
	c->u = delay;
}

/* The call at an end, or the name of another event. */
static bool
flow_end(struct item_rows *s, uint64_t method, struct buf *b)
{
	if (method != 0)
		method_name(s->st, (uint32_t)method, b);
	else
		buf_str(b, word_text(s->st, (uint32_t)item_other(s)));
	return true;
}

static const struct coldef flow_cols[] = {
	{ "id", CELL_ID, "flow number, in time order", OWN_NUMBER },
	{ "name", CELL_TEXT, "name, or that of the first call with its id", WORD(COL_FLOW_NAME) },
	{ "cat", CELL_TEXT, "categories", WORD(COL_FLOW_CAT) },
	{ "count", CELL_COUNT, "events", NUMBER(COL_FLOW_POINTS) },
	{ "whole", CELL_BOOL, "has a start and an end", NUMBER(COL_FLOW_WHOLE) },
	{ "from", CELL_TEXT, "source: call, async slice or mark; empty: none",
	    TEXT(flow_end, .by = COL_FLOW_FROM_METHOD, .other = COL_FLOW_FROM_NAME), .needs = name_needs },
	{ "to", CELL_TEXT, "target, likewise; empty: none",
	    TEXT(flow_end, .by = COL_FLOW_TO_METHOD, .other = COL_FLOW_TO_NAME), .needs = name_needs },
	{ "start", CELL_TIME, "start, since the first event", NUMBER(COL_FLOW_START) },
	{ "delay", CELL_TIME, "time from the start to the first end",
	    COMPUTED(flow_delay, .by = COL_FLOW_DELAY, .other = COL_FLOW_WHOLE) },
	{ "from_thread", CELL_TEXT, "thread of the start",
	    MORE, THREAD_FROM(.by = COL_FLOW_FROM_THREAD), .needs = name_needs },
	{ "to_thread", CELL_TEXT, "thread of the end", MORE, THREAD_FROM(.by = COL_FLOW_TO_THREAD),
	    .needs = name_needs },
	{ "key", CELL_TEXT, "event id in the file", MORE, WORD(COL_FLOW_ID) },
	{ "from_id", CELL_ID, "id of the thread of the start; 0: none", MORE, NUMBER(COL_FLOW_FROM_THREAD) },
	{ "to_id", CELL_ID, "id of the thread of the end; 0: none", MORE, NUMBER(COL_FLOW_TO_THREAD) },
	{ "from_process", CELL_TEXT, "process of the start", MORE, IN(TRACE_PROCESS_OF, COL_FLOW_FROM_THREAD),
	    .needs = name_needs, .cut = CUT_FRONT },
	{ "to_process", CELL_TEXT, "process of the end", MORE, IN(TRACE_PROCESS_OF, COL_FLOW_TO_THREAD),
	    .needs = name_needs, .cut = CUT_FRONT },
	{ "from_method", CELL_ID, "id of the source call's method; 0: none", MORE,
	    NUMBER(COL_FLOW_FROM_METHOD), METHOD_ID },
	{ "to_method", CELL_ID, "id of the target call's method; 0: none", MORE, NUMBER(COL_FLOW_TO_METHOD),
	    METHOD_ID },
	/* For stages that need these columns: the receiver while the flow was on its way. */
	{ "start_wall", CELL_TIME, "start, as start", MORE, NUMBER(COL_FLOW_START) },
	{ "wall", CELL_TIME, "duration, as delay", MORE,
	    COMPUTED(flow_delay, .by = COL_FLOW_DELAY, .other = COL_FLOW_WHOLE) },
	{ "thread_id", CELL_ID, "id of the thread of the end, as to_id", MORE, NUMBER(COL_FLOW_TO_THREAD) }
};

const struct command source_flows = {
	MARK_TABLE("flows", "flows between calls, across threads", "flows | where whole | top 10 delay",
	    flow_cols, COL_FLOW_START),
	.names = { "name", "cat" }
};
