/*
 * q_marks: what trace events tell that is no call.
 */
#include "config.h"

#include "query/trace/trace.h"

static const enum col name_needs[] = { COL_THREAD_TID, COL_NONE };

/* Of files of trace events, in order of time. */
#define MARK_TABLE(name, says, query, table) TABLE_SOURCE(name, says, query, SHAPE_MARKS, table), .views = VIEWS_OF_TIMES

/* ---- instants -------------------------------------------------------------------------- */

static void
scope_cell(const struct store *st, uint32_t id, struct cell *c)
{
	uint64_t scope = store_cell(st, COL_INSTANT_SCOPE, id);

	c->text = scope == 'g' ? STR("global") : scope == 'p' ? STR("process") : STR("thread");
}

static const struct coldef mark_cols[] = {
	{ "id", CELL_ID, "number of the mark, in order of time", false, FIELD_ID, COL_INSTANT_TIME },
	{ "time", CELL_TIME, "when, since the first event", false, FIELD_MOMENT, COL_INSTANT_TIME },
	{ "name", CELL_TEXT, "what happened", false, FIELD_WORD, COL_INSTANT_NAME },
	{ "scope", CELL_TEXT, "whom it is about: the thread, the process, or all (global)", false, FIELD_CELL,
	    .cell = scope_cell },
	{ "thread", CELL_TEXT, "the thread that said so", false, FIELD_THREAD, COL_INSTANT_THREAD, .needs = name_needs },
	{ "process", CELL_TEXT, "its process", false, FIELD_PROCESS, COL_INSTANT_PROCESS },
	{ "cat", CELL_TEXT, "categories, as the program has them", true, FIELD_WORD, COL_INSTANT_CAT },
	{ "pid", CELL_TEXT, "id of the process in the file", true, FIELD_PID, COL_INSTANT_PROCESS },
	{ "letter", CELL_TEXT, "kind of the event: i, I, or R for a mark of navigation", true, FIELD_LETTER, COL_INSTANT_LETTER },
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_NUMBER, COL_INSTANT_THREAD }
};

const struct command source_marks = {
	MARK_TABLE("marks", "the events of a moment in a trace of Chrome's kind", "marks | group name : count | sort -count",
	    mark_cols),
	.names = { "name" }
};

/* ---- async operations -------------------------------------------------------------------- */

static const struct coldef async_cols[] = {
	{ "name", CELL_TEXT, "what it is called", false, FIELD_WORD, COL_OPERATION_NAME },
	{ "cat", CELL_TEXT, "categories, as the program has them", false, FIELD_WORD, COL_OPERATION_CAT },
	{ "count", CELL_COUNT, "operations that began and ended", false, FIELD_NUMBER, COL_OPERATION_COUNT },
	{ "total", CELL_TIME, "how long they took together", false, FIELD_NUMBER, COL_OPERATION_TOTAL },
	{ "max", CELL_TIME, "how long the longest took", false, FIELD_NUMBER, COL_OPERATION_MAX },
	{ "points", CELL_COUNT, "events of that name in operations", false, FIELD_NUMBER, COL_OPERATION_POINTS },
	{ "open", CELL_COUNT, "operations that did not end", false, FIELD_NUMBER, COL_OPERATION_OPEN }
};

const struct command source_async = {
	TABLE_SOURCE("async", "the kinds of asynchronous operations, which take the most time first", "async | head 10",
	    SHAPE_MARKS, async_cols),
	.names = { "name", "cat" }
};

static void
async_length(const struct store *st, uint32_t id, struct cell *c)
{
	c->u = store_cell(st, COL_ASYNC_END, id) - store_cell(st, COL_ASYNC_START, id);
}

static const struct coldef async_span_cols[] = {
	{ "id", CELL_ID, "number of the operation, in order of time", false, FIELD_ID, COL_ASYNC_START },
	{ "parent", CELL_ID, "number of the one around it; 0: none", false, FIELD_NUMBER, COL_ASYNC_PARENT },
	{ "name", CELL_TEXT, "what it is called", false, FIELD_WORD, COL_ASYNC_NAME },
	{ "cat", CELL_TEXT, "categories, as the program has them", false, FIELD_WORD, COL_ASYNC_CAT },
	{ "process", CELL_TEXT, "the process that began it", false, FIELD_PROCESS, COL_ASYNC_PROCESS },
	{ "start_wall", CELL_TIME, "when it began, since the first event", false, FIELD_MOMENT, COL_ASYNC_START },
	{ "wall", CELL_TIME, "how long it took, as far as the trace tells", false, FIELD_CELL, .cell = async_length },
	{ "open", CELL_BOOL, "it did not end", false, FIELD_NUMBER, COL_ASYNC_OPEN },
	{ "key", CELL_TEXT, "the id that its events have in the file", true, FIELD_WORD, COL_ASYNC_ID },
	{ "pid", CELL_TEXT, "id of the process in the file", true, FIELD_PID, COL_ASYNC_PROCESS },
	{ "points", CELL_COUNT, "events in it", true, FIELD_NUMBER, COL_ASYNC_POINTS }
};

const struct command source_async_spans = {
	MARK_TABLE("async_spans", "the asynchronous operations, in order of time", "async_spans | top 10 wall",
	    async_span_cols),
	.names = { "name", "cat" }
};

/* ---- counters ------------------------------------------------------------------------------ */

static const struct coldef counter_cols[] = {
	{ "counter", CELL_TEXT, "its name, with the id in brackets where it has one", false, FIELD_WORD, COL_COUNTER_NAME },
	{ "key", CELL_TEXT, "which of the values of that name", false, FIELD_WORD, COL_COUNTER_KEY },
	{ "process", CELL_TEXT, "its process", false, FIELD_PROCESS, COL_COUNTER_PROCESS },
	{ "points", CELL_COUNT, "how often it was told", false, FIELD_NUMBER, COL_COUNTER_POINTS },
	{ "min", CELL_REAL, "the lowest value", false, FIELD_REAL, COL_COUNTER_MIN },
	{ "max", CELL_REAL, "the highest value", false, FIELD_REAL, COL_COUNTER_MAX },
	{ "last", CELL_REAL, "the last value", false, FIELD_REAL, COL_COUNTER_LAST },
	{ "pid", CELL_TEXT, "id of the process in the file", true, FIELD_PID, COL_COUNTER_PROCESS }
};

const struct command source_counters = {
	TABLE_SOURCE("counters", "the counters, whose values over time are tracks", "counters | sort -points", SHAPE_MARKS,
	    counter_cols),
	.names = { "counter", "key" }
};

/* ---- flows --------------------------------------------------------------------------------- */

static void
flow_delay(const struct store *st, uint32_t id, struct cell *c)
{
	c->type = store_cell(st, COL_FLOW_WHOLE, id) != 0 ? CELL_TIME : CELL_NONE;
	c->u = store_cell(st, COL_FLOW_DELAY, id);
}

static const struct coldef flow_cols[] = {
	{ "id", CELL_ID, "number of the flow, in order of time", false, FIELD_ID, COL_FLOW_START },
	{ "name", CELL_TEXT, "what it is called; where calls have its id, the first of them", false, FIELD_WORD, COL_FLOW_NAME },
	{ "cat", CELL_TEXT, "categories, as the program has them", false, FIELD_WORD, COL_FLOW_CAT },
	{ "count", CELL_COUNT, "events of it", false, FIELD_NUMBER, COL_FLOW_POINTS },
	{ "whole", CELL_BOOL, "it has a start and an end", false, FIELD_NUMBER, COL_FLOW_WHOLE },
	{ "from", CELL_TEXT, "the call that it leaves; empty: none", false, FIELD_METHOD, COL_FLOW_FROM_METHOD,
	    .needs = name_needs },
	{ "to", CELL_TEXT, "the call that it reaches; empty: none", false, FIELD_METHOD, COL_FLOW_TO_METHOD,
	    .needs = name_needs },
	{ "start", CELL_TIME, "when it began, since the first event", false, FIELD_MOMENT, COL_FLOW_START },
	{ "delay", CELL_TIME, "from its start to the first end behind it", false, FIELD_CELL, .cell = flow_delay },
	{ "from_thread", CELL_TEXT, "the thread of its start", true, FIELD_THREAD, COL_FLOW_FROM_THREAD, .needs = name_needs },
	{ "to_thread", CELL_TEXT, "the thread of its end", true, FIELD_THREAD, COL_FLOW_TO_THREAD, .needs = name_needs },
	{ "key", CELL_TEXT, "the id that its events have in the file", true, FIELD_WORD, COL_FLOW_ID }
};

const struct command source_flows = {
	MARK_TABLE("flows", "what leads from call to call, over threads", "flows | where whole | top 10 delay", flow_cols),
	.names = { "name", "cat" }
};
