/*
 * q_marks: what trace events tell that is no call.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/columns_trace.h"
#include "query/trace/trace.h"

static const column_id name_needs[] = { COL_THREAD_TID, COL_NONE };

/* A table of files of trace events, in order of time. */
#define MARK_TABLE(name, says, query, table) TABLE_SOURCE(name, says, query, SHAPE_MARKS, table), .views = VIEWS_OF_TIMES

/* ---- instants -------------------------------------------------------------------------- */

static void
scope_cell(const struct store *st, uint32_t id, struct cell *c)
{
	uint64_t scope = store_cell(st, COL_INSTANT_SCOPE, id);

	c->text = scope == 'g' ? STR("global") : scope == 'p' ? STR("process") : STR("thread");
}

static const struct coldef mark_cols[] = {
	{ "id", CELL_ID, "mark number, in time order", false, FIELD_ID, COL_INSTANT_TIME },
	{ "time", CELL_TIME, "time since the first event", false, FIELD_MOMENT, COL_INSTANT_TIME },
	{ "name", CELL_TEXT, "name of the event", false, FIELD_WORD, COL_INSTANT_NAME },
	{ "scope", CELL_TEXT, "scope: thread, process or global", false, FIELD_CELL,
	    .cell = scope_cell },
	{ "thread", CELL_TEXT, "thread", false, THREAD_IN(COL_INSTANT_THREAD), .needs = name_needs },
	{ "process", CELL_TEXT, "process", false, FIELD_PROCESS, COL_INSTANT_PROCESS },
	{ "cat", CELL_TEXT, "categories", true, FIELD_WORD, COL_INSTANT_CAT },
	{ "pid", CELL_TEXT, "process id in the file", true, FIELD_PID, COL_INSTANT_PROCESS },
	{ "detail", CELL_TEXT, "what its data or args say", true, FIELD_WORD, COL_INSTANT_DETAIL },
	{ "letter", CELL_TEXT, "phase: i, I, or R (navigation mark)", true, FIELD_LETTER, COL_INSTANT_LETTER },
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_NUMBER, COL_INSTANT_THREAD },
	{ "at", CELL_TEXT, "time by the clock (UTC), where the file has it", true, FIELD_CLOCK, COL_INSTANT_TIME }
};

const struct command source_marks = {
	MARK_TABLE("marks", "instant events of Chrome traces", "marks | group name : count | sort -count",
	    mark_cols),
	.names = { "name" }
};

/* ---- async operations -------------------------------------------------------------------- */

static const struct coldef async_cols[] = {
	{ "name", CELL_TEXT, "name", false, FIELD_WORD, COL_OPERATION_NAME },
	{ "cat", CELL_TEXT, "categories", false, FIELD_WORD, COL_OPERATION_CAT },
	{ "count", CELL_COUNT, "complete slices", false, FIELD_NUMBER, COL_OPERATION_COUNT },
	{ "total", CELL_TIME, "total time", false, FIELD_NUMBER, COL_OPERATION_TOTAL },
	{ "max", CELL_TIME, "longest time", false, FIELD_NUMBER, COL_OPERATION_MAX },
	{ "points", CELL_COUNT, "events of this name", false, FIELD_NUMBER, COL_OPERATION_POINTS },
	{ "open", CELL_COUNT, "slices without an end", false, FIELD_NUMBER, COL_OPERATION_OPEN }
};

const struct command source_async = {
	TABLE_SOURCE("async", "kinds of async slices, by total time", "async | head 10",
	    SHAPE_MARKS, async_cols),
	.names = { "name", "cat" }
};

static void
async_length(const struct store *st, uint32_t id, struct cell *c)
{
	c->u = store_cell(st, COL_ASYNC_END, id) - store_cell(st, COL_ASYNC_START, id);
}

static const struct coldef async_span_cols[] = {
	{ "id", CELL_ID, "slice number, in time order", false, FIELD_ID, COL_ASYNC_START },
	{ "parent", CELL_ID, "parent slice; 0: none", false, FIELD_NUMBER, COL_ASYNC_PARENT },
	{ "name", CELL_TEXT, "name", false, FIELD_WORD, COL_ASYNC_NAME },
	{ "cat", CELL_TEXT, "categories", false, FIELD_WORD, COL_ASYNC_CAT },
	{ "process", CELL_TEXT, "process", false, FIELD_PROCESS, COL_ASYNC_PROCESS },
	{ "start_wall", CELL_TIME, "start, since the first event", false, FIELD_MOMENT, COL_ASYNC_START },
	{ "wall", CELL_TIME, "duration, as far as recorded", false, FIELD_CELL, .cell = async_length },
	{ "open", CELL_BOOL, "no end recorded", false, FIELD_NUMBER, COL_ASYNC_OPEN },
	{ "key", CELL_TEXT, "event id in the file", true, FIELD_WORD, COL_ASYNC_ID },
	{ "pid", CELL_TEXT, "process id in the file", true, FIELD_PID, COL_ASYNC_PROCESS },
	{ "points", CELL_COUNT, "events", true, FIELD_NUMBER, COL_ASYNC_POINTS },
	{ "thread", CELL_TEXT, "thread of a marker (Firefox)", true, THREAD_IN(COL_ASYNC_THREAD), .needs = name_needs },
	{ "detail", CELL_TEXT, "what its data or args say", true, FIELD_WORD, COL_ASYNC_DETAIL },
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_NUMBER, COL_ASYNC_THREAD }
};

const struct command source_async_spans = {
	MARK_TABLE("async_spans", "async slices, in time order", "async_spans | top 10 wall",
	    async_span_cols),
	.names = { "name", "cat" }
};

/* ---- counters ------------------------------------------------------------------------------ */

static const struct coldef counter_cols[] = {
	{ "counter", CELL_TEXT, "name, with its id in brackets", false, FIELD_WORD, COL_COUNTER_NAME },
	{ "key", CELL_TEXT, "series of the counter", false, FIELD_WORD, COL_COUNTER_KEY },
	{ "process", CELL_TEXT, "process", false, FIELD_PROCESS, COL_COUNTER_PROCESS },
	{ "points", CELL_COUNT, "recorded values", false, FIELD_NUMBER, COL_COUNTER_POINTS },
	{ "min", CELL_REAL, "smallest value", false, FIELD_REAL, COL_COUNTER_MIN },
	{ "max", CELL_REAL, "largest value", false, FIELD_REAL, COL_COUNTER_MAX },
	{ "last", CELL_REAL, "last value", false, FIELD_REAL, COL_COUNTER_LAST },
	{ "pid", CELL_TEXT, "process id in the file", true, FIELD_PID, COL_COUNTER_PROCESS }
};

const struct command source_counters = {
	TABLE_SOURCE("counters", "counters; their values over time are tracks", "counters | sort -points", SHAPE_MARKS,
	    counter_cols),
	.names = { "counter", "key" }
};

/* ---- categories ---------------------------------------------------------------------------- */

static const struct coldef category_cols[] = {
	{ "category", CELL_TEXT, "category of the innermost frame", false, FIELD_WORD, COL_CATEGORY_NAME },
	{ "subcategory", CELL_TEXT, "subcategory; empty: none", false, FIELD_WORD, COL_CATEGORY_SUB },
	{ "thread", CELL_TEXT, "thread", false, THREAD_IN(COL_CATEGORY_THREAD), .needs = name_needs },
	{ "samples", CELL_COUNT, "samples", false, FIELD_NUMBER, COL_CATEGORY_SAMPLES },
	{ "cpu", CELL_TIME, "CPU time of the samples", false, FIELD_NUMBER, COL_CATEGORY_CPU },
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_NUMBER, COL_CATEGORY_THREAD }
};

const struct command source_categories = {
	TABLE_SOURCE("categories", "categories of samples by thread (Firefox)",
	    "categories | group category : sum samples, sum cpu", SHAPE_MARKS, category_cols),
	.names = { "category", "subcategory" }
};

/* ---- flows --------------------------------------------------------------------------------- */

static void
flow_delay(const struct store *st, uint32_t id, struct cell *c)
{
	c->type = store_cell(st, COL_FLOW_WHOLE, id) != 0 ? CELL_TIME : CELL_NONE;
	c->u = store_cell(st, COL_FLOW_DELAY, id);
}

static const struct coldef flow_cols[] = {
	{ "id", CELL_ID, "flow number, in time order", false, FIELD_ID, COL_FLOW_START },
	{ "name", CELL_TEXT, "name, or that of the first call with its id", false, FIELD_WORD, COL_FLOW_NAME },
	{ "cat", CELL_TEXT, "categories", false, FIELD_WORD, COL_FLOW_CAT },
	{ "count", CELL_COUNT, "events", false, FIELD_NUMBER, COL_FLOW_POINTS },
	{ "whole", CELL_BOOL, "has a start and an end", false, FIELD_NUMBER, COL_FLOW_WHOLE },
	{ "from", CELL_TEXT, "source call; empty: none", false, FIELD_METHOD, COL_FLOW_FROM_METHOD,
	    .needs = name_needs },
	{ "to", CELL_TEXT, "target call; empty: none", false, FIELD_METHOD, COL_FLOW_TO_METHOD,
	    .needs = name_needs },
	{ "start", CELL_TIME, "start, since the first event", false, FIELD_MOMENT, COL_FLOW_START },
	{ "delay", CELL_TIME, "time from the start to the first end", false, FIELD_CELL, .cell = flow_delay },
	{ "from_thread", CELL_TEXT, "thread of the start",
	    true, THREAD_IN(COL_FLOW_FROM_THREAD), .needs = name_needs },
	{ "to_thread", CELL_TEXT, "thread of the end", true, THREAD_IN(COL_FLOW_TO_THREAD), .needs = name_needs },
	{ "key", CELL_TEXT, "event id in the file", true, FIELD_WORD, COL_FLOW_ID }
};

const struct command source_flows = {
	MARK_TABLE("flows", "flows between calls, across threads", "flows | where whole | top 10 delay", flow_cols),
	.names = { "name", "cat" }
};
