/*
 * q_trace: the threads, the methods and the call tree of a trace.
 */
#include "config.h"

#include <stdlib.h>

#include "trace.h"

static const char *const calls_needs[] = { "call.method", NULL };

/* ---- threads --------------------------------------------------------------------- */

static const struct coldef thread_cols[] = {
	{ "id", CELL_ID, "number of the thread", false },
	{ "tid", CELL_ID, "thread id of the system", false },
	{ "name", CELL_TEXT, "its last name", false },
	{ "main", CELL_COUNT, "1: the main thread", false },
	{ "calls", CELL_COUNT, "calls made", false },
	{ "wall", CELL_TIME, "wall time in calls", false },
	{ "cpu", CELL_TIME, "CPU time in calls, or of the thread's track", false },
	{ "off_cpu", CELL_TIME, "wall time without CPU time in calls", false },
	{ "start", CELL_TIME, "time of the first record", false },
	{ "end", CELL_TIME, "time of the last record", false },
	{ "depth", CELL_COUNT, "calls open at once, at most", false },
	{ "repairs", CELL_COUNT, "repairs made in its records", false },
	{ "records", CELL_COUNT, "records in the file", true },
	{ "pool", CELL_TEXT, "its name with * for each number and hash", true },
	{ "earlier", CELL_TEXT, "names it, or another thread with this tid, had before", true },
	{ "named_by", CELL_TEXT, "where its name is from: tid or name (how --threads found it), file, or empty", true },
	{ "state", CELL_TEXT, "what it did when a thread dump of --threads was taken", true }
};

static const struct field thread_fields[NELEM(thread_cols)] = {
	{ FIELD_ID, NULL, NULL },
	{ FIELD_NUMBER, "thread.tid", NULL },
	{ FIELD_THREAD, NULL, NULL },
	{ FIELD_NUMBER, "thread.main", NULL },
	{ FIELD_NUMBER, "thread.calls", NULL },
	{ FIELD_TICKS, "thread.wall", NULL },
	{ FIELD_CPU, "thread.cpu", NULL },
	{ FIELD_OFF_CPU, "thread.wall", "thread.cpu" },
	{ FIELD_TICKS, "thread.start", NULL },
	{ FIELD_TICKS, "thread.end", NULL },
	{ FIELD_NUMBER, "thread.depth", NULL },
	{ FIELD_NUMBER, "thread.repairs", NULL },
	{ FIELD_NUMBER, "thread.records", NULL },
	{ FIELD_POOL, NULL, NULL },
	{ FIELD_EARLIER, NULL, NULL },
	{ FIELD_BY, NULL, NULL },
	{ FIELD_STATE, NULL, NULL }
};

static const struct table_kind trace_threads = {
	thread_cols, NELEM(thread_cols), thread_fields, "thread.tid"
};

bool
threads_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	(void)in;
	return stage_at_most(stage, 0, err) && table_open(session,
	    weights_are_profile(session, stage) ? &profile_threads : &trace_threads, NULL, 0, out, err);
}

const struct command source_threads = {
	.word = "threads",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_CALLS | SHAPE_TASKS,
	.what = "the threads, in order of their first record",
	.example = "threads | sort -wall",
	.needs = calls_needs,
	.cols = thread_cols,
	.ncols = NELEM(thread_cols),
	.names = { "name" },
	.views = VIEWS_OF_TREES,
	.lists_threads = true,
	.open = threads_open
};

/* ---- methods --------------------------------------------------------------------- */

static const char *const methods_needs[] = { "call.method", "method.calls", NULL };

static const struct coldef method_cols[] = {
	{ "id", CELL_ID, "number of the method", false },
	{ "class", CELL_TEXT, "its class", false },
	{ "name", CELL_TEXT, "its name without the class", false },
	{ "signature", CELL_TEXT, "types of arguments and result", true },
	{ "file", CELL_TEXT, "source file", true },
	{ "line", CELL_INT, "line in the source file", true },
	{ "calls", CELL_COUNT, "how often it was called", false },
	{ "self_wall", CELL_TIME, "wall time in it, not in what it called", false },
	{ "total_wall", CELL_TIME, "wall time in it and what it called, recursion once", false },
	{ "self_cpu", CELL_TIME, "CPU time in it", false },
	{ "total_cpu", CELL_TIME, "CPU time in it and what it called", false },
	{ "self_off", CELL_TIME, "wall time without CPU time in it", true },
	{ "total_off", CELL_TIME, "wall time without CPU time in it and what it called", true },
	{ "method", CELL_TEXT, "class and name", true },
	{ "method_id", CELL_ID, "same as id", true },
	{ "raw", CELL_ID, "id in the file", true },
	{ "obfuscated", CELL_TEXT, "what the file calls it, where --mapping has another name", true }
};

static const struct field method_fields[NELEM(method_cols)] = {
	{ FIELD_ID, NULL, NULL },
	{ FIELD_DOTTED, "listed.class", NULL },
	{ FIELD_NAME, "listed.name", NULL },
	{ FIELD_TEXT, "listed.signature", NULL },
	{ FIELD_TEXT, "listed.file", NULL },
	{ FIELD_LINE, "listed.line", NULL },
	{ FIELD_NUMBER, "method.calls", NULL },
	{ FIELD_TICKS, "method.self_wall", NULL },
	{ FIELD_TICKS, "method.total_wall", NULL },
	{ FIELD_TICKS, "method.self_cpu", NULL },
	{ FIELD_TICKS, "method.total_cpu", NULL },
	{ FIELD_OFF, "method.self_wall", "method.self_cpu" },
	{ FIELD_OFF, "method.total_wall", "method.total_cpu" },
	{ FIELD_METHOD, NULL, NULL },
	{ FIELD_ID, NULL, NULL },
	{ FIELD_NUMBER, "method.raw", NULL },
	{ FIELD_TEXT, "raw.method", NULL }
};

static const struct table_kind trace_methods = {
	method_cols, NELEM(method_cols), method_fields, "method.raw"
};

bool
methods_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	(void)in;
	return stage_at_most(stage, 0, err) && table_open(session,
	    weights_are_profile(session, stage) ? &profile_methods : &trace_methods, NULL, 0, out, err);
}

const struct command source_methods = {
	.word = "methods",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_CALLS,
	.what = "the methods with their totals over all threads",
	.example = "methods | sort -self | head 10",
	.needs = methods_needs,
	.cols = method_cols,
	.ncols = NELEM(method_cols),
	.names = { "name" },
	.views = VIEWS_OF_TREES,
	.open = methods_open
};

/* ---- calls ----------------------------------------------------------------------- */

const struct coldef call_cols[CALL_COLS] = {
	[CALL_ID] = { "id", CELL_ID, "number of the call in the tree", false },
	[CALL_PARENT] = { "parent", CELL_ID, "id of the caller, 0 at the top", false },
	[CALL_THREAD] = { "thread", CELL_TEXT, "name of the thread", false },
	[CALL_DEPTH] = { "depth", CELL_COUNT, "calls above it", false },
	[CALL_METHOD] = { "method", CELL_TEXT, "class and name", false },
	[CALL_CALLS] = { "calls", CELL_COUNT, "how often this stack was called", false },
	[CALL_SELF_WALL] = { "self_wall", CELL_TIME, "wall time in it, not in what it called", false },
	[CALL_TOTAL_WALL] = { "total_wall", CELL_TIME, "wall time in it and what it called", false },
	[CALL_SELF_CPU] = { "self_cpu", CELL_TIME, "CPU time in it", false },
	[CALL_TOTAL_CPU] = { "total_cpu", CELL_TIME, "CPU time in it and what it called", false },
	[CALL_SELF_OFF] = { "self_off", CELL_TIME, "wall time without CPU time in it", true },
	[CALL_TOTAL_OFF] = { "total_off", CELL_TIME, "wall time without CPU time in it and what it called", true },
	[CALL_THREAD_ID] = { "thread_id", CELL_ID, "id of the thread", true },
	[CALL_METHOD_ID] = { "method_id", CELL_ID, "id of the method", true }
};

static const struct field call_fields[CALL_COLS] = {
	[CALL_ID] = { FIELD_ID, NULL, NULL },
	[CALL_PARENT] = { FIELD_NUMBER, "call.parent", NULL },
	[CALL_THREAD] = { FIELD_THREAD, "call.thread", NULL },
	[CALL_DEPTH] = { FIELD_NUMBER, "call.depth", NULL },
	[CALL_METHOD] = { FIELD_METHOD, "call.method", NULL },
	[CALL_CALLS] = { FIELD_NUMBER, "call.calls", NULL },
	[CALL_SELF_WALL] = { FIELD_TICKS, "call.self_wall", NULL },
	[CALL_TOTAL_WALL] = { FIELD_TICKS, "call.total_wall", NULL },
	[CALL_SELF_CPU] = { FIELD_TICKS, "call.self_cpu", NULL },
	[CALL_TOTAL_CPU] = { FIELD_TICKS, "call.total_cpu", NULL },
	[CALL_SELF_OFF] = { FIELD_OFF, "call.self_wall", "call.self_cpu" },
	[CALL_TOTAL_OFF] = { FIELD_OFF, "call.total_wall", "call.total_cpu" },
	[CALL_THREAD_ID] = { FIELD_NUMBER, "call.thread", NULL },
	[CALL_METHOD_ID] = { FIELD_NUMBER, "call.method", NULL }
};

/* The calls of each thread stand together. */
static bool
thread_ranges(const struct store *st, const struct thread_list *list,
    struct id_range **out, struct err *err)
{
	const struct column *first = store_column(st, "thread.call");
	const struct column *size = store_column(st, "thread.size");
	struct id_range *range = mem_array(list->n, sizeof *range);
	size_t i;

	if (range == NULL)
		return fail(err, E_SYSTEM, "no memory for the answer");
	for (i = 0; i < list->n; i++) {
		range[i].first = (uint32_t)column_get(first, list->id[i] - 1);
		range[i].n = (uint32_t)column_get(size, list->id[i] - 1);
	}
	*out = range;
	return true;
}

static const struct table_kind trace_calls = {
	call_cols, CALL_COLS, call_fields, "call.method"
};

bool
calls_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	const struct store *st = session_store(session);
	struct thread_list list = { NULL, 0, 0 };
	struct id_range *range = NULL;
	bool ok;

	(void)in;
	ok = threads_of_stage(&list, st, stage, err) &&
	    (list.n == 0 || thread_ranges(st, &list, &range, err)) &&
	    table_open(session, weights_are_profile(session, stage) ? &profile_calls :
	    &trace_calls, range, list.n, out, err);
	free(list.id);
	return ok;
}

const struct command source_calls = {
	.word = "calls",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_CALLS,
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.what = "the merged call tree of each thread, parents first",
	.example = "calls main | where total > 1ms",
	.needs = calls_needs,
	.cols = call_cols,
	.ncols = CALL_COLS,
	.views = VIEWS_OF_TREES,
	.open = calls_open
};
