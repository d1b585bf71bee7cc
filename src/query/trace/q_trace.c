/*
 * q_trace: the threads, the methods and the call trees of a trace; of a profile the same, of samples and their weights
 * instead of calls and their times.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/view.h"
#include "trace.h"

static const column_id needs[] = { COL_CALL_METHOD, COL_NONE };
/* Totals of methods come from a pass of their own. */
static const column_id totals_needs[] = { COL_METHOD_CALLS, COL_NONE };
/* Percentages of methods also need the self weights of calls.  The lists below are for columns of calls. */
static const column_id share_needs[] = { COL_METHOD_CALLS, COL_CALL_SELF_WALL, COL_NONE };
static const column_id self_needs[] = { COL_CALL_SELF_WALL, COL_NONE };
static const column_id thread_needs[] = { COL_CALL_THREAD, COL_NONE };
static const column_id detail_needs[] = { COL_CALL_DETAIL, COL_NONE };
static const column_id depth_needs[] = { COL_CALL_DEPTH, COL_NONE };

/* A table whose rows are known by their names. */
#define NAMED(...) TABLE_SOURCE(__VA_ARGS__), .needs = needs, .names = { "name" }, .views = VIEWS_OF_TREES

/* ---- threads ----------------------------------------------------------------------- */

/* Columns of threads before and after their CPU time. */
#define THREAD_CALLS \
	{ "id", CELL_ID, "thread number", false, FIELD_ID, COL_THREAD_TID }, \
	{ "tid", CELL_ID, "OS thread id (tid)", false, FIELD_NUMBER, COL_THREAD_TID, TIMED }, \
	{ "tid", CELL_ID, "system thread id; 0: unknown", false, FIELD_NUMBER, COL_THREAD_TID, SAMPLED }, \
	{ "pid", CELL_ID, "process id; 0: unknown", true, FIELD_NUMBER, COL_LISTED_PID, SAMPLED }, \
	{ "name", CELL_TEXT, "name (the last one)", false, THREAD_IN(COL_NONE), TIMED }, \
	{ "name", CELL_TEXT, "name", false, THREAD_IN(COL_NONE), SAMPLED }, \
	{ "main", CELL_COUNT, "1: the main thread", false, FIELD_NUMBER, COL_THREAD_MAIN, TIMED }, \
	{ "main", CELL_COUNT, "1: the main thread", true, FIELD_NUMBER, COL_THREAD_MAIN, SAMPLED }, \
	{ "calls", CELL_COUNT, "calls made", false, FIELD_NUMBER, COL_THREAD_CALLS, TIMED }, \
	{ "wall", CELL_TIME, "wall time", false, FIELD_WEIGHT, COL_THREAD_WALL, TIMED }
#define THREAD_RECORDS \
	{ "start", CELL_TIME, "time of the first record", false, FIELD_TICKS, COL_THREAD_START, TIMED }, \
	{ "end", CELL_TIME, "time of the last record", false, FIELD_TICKS, COL_THREAD_END, TIMED }, \
	{ "depth", CELL_COUNT, "deepest stack", false, FIELD_NUMBER, COL_THREAD_DEPTH }, \
	{ "repairs", CELL_COUNT, "repairs", false, FIELD_NUMBER, COL_THREAD_REPAIRS, TIMED }, \
	{ "records", CELL_COUNT, "records in the file", true, FIELD_NUMBER, COL_THREAD_RECORDS, TIMED }, \
	{ "start", CELL_TIME, "time of the first sample", true, FIELD_NUMBER, COL_THREAD_START, SAMPLED }, \
	{ "end", CELL_TIME, "time of the last sample", true, FIELD_NUMBER, COL_THREAD_END, SAMPLED }, \
	THREAD_LABEL(), \
	{ "pool", CELL_TEXT, "pool: name with digits and hashes as *", true, FIELD_POOL }, \
	{ "former_names", CELL_TEXT, "former names of this tid", true, FIELD_EARLIER, .was = "earlier" }, \
	{ "name_source", CELL_TEXT, "source of the name: file, tid or name (--threads)", true, \
	    FIELD_BY, .was = "named_by" }, \
	{ "state", CELL_TEXT, "state in the --threads dump", true, FIELD_STATE }, \
	{ "top", CELL_TEXT, "innermost frame in the --threads dump", true, FIELD_TOP, .function = true }

static void
process_cell(const struct store *st, uint32_t id, struct cell *c)
{
	c->text = process_name(st, (uint32_t)store_cell(st, COL_LISTED_PROCESS, store_cell(st, COL_THREAD_LISTED, id)));
}

static const column_id idle_needs[] = { COL_THREAD_IDLE, COL_NONE };

static void
idle_cell(const struct store *st, uint32_t id, struct cell *c)
{
	c->u = thread_idle(st, id);
}

static const struct coldef thread_cols[] = {
	THREAD_CALLS,
	{ "cpu", CELL_TIME, "CPU time; empty: no CPU clock", false, FIELD_CPU, COL_THREAD_CPU, TIMED },
	{ "off_cpu", CELL_TIME, "off-CPU time: wall - CPU", false, FIELD_OFF_CPU, COL_THREAD_WALL, COL_THREAD_CPU, TIMED },
	{ "cpu_pct", CELL_PERCENT, "share of the CPU time of all threads", false, FIELD_PART_OF_CPU, COL_THREAD_CPU, TIMED },
	{ "samples", CELL_COUNT, "samples", false, FIELD_NUMBER, COL_THREAD_CALLS, SAMPLED },
	{ "total", CELL_NONE, "self weight", false, FIELD_WEIGHT, COL_THREAD_WALL, SAMPLED },
	{ "total_pct", CELL_PERCENT, "share of total weight", false, FIELD_SHARE, COL_THREAD_WALL, SAMPLED },
	{ "total_before", CELL_NONE, "weight in the first file", false, FIELD_WEIGHT, COL_THREAD_CPU, SAMPLED, .differs = WEIGHT_BEFORE },
	{ "total_delta", CELL_NONE, "change: second minus first",
	    false, FIELD_OFF, COL_THREAD_WALL, COL_THREAD_CPU, SAMPLED, .differs = WEIGHT_DELTA },
	THREAD_RECORDS,
	{ "process", CELL_TEXT, "process name, if the trace has it", true, FIELD_CELL, .cell = process_cell },
	{ "idle", CELL_BOOL, "under 1% CPU, 95% of its time in one stack; no range", true, FIELD_CELL, COL_THREAD_TID,
	    .needs = idle_needs, .cell = idle_cell, TIMED }
};

const struct command source_threads = {
	NAMED("threads", "threads with wall, CPU and off-CPU time", "threads | sort -wall", SHAPE_TREES, thread_cols),
	.what_samples = "threads with samples and weight", .example_samples = "threads | sort -total", .lists_threads = true
};

/* The CPU and off-CPU time of tasks comes from the switches, inside calls and between them. */
static const column_id on_needs[] = { COL_TASK_ON, COL_NONE };

/* The times of a task without any switch are unknown: the cell is empty. */
static void
task_cell(const struct store *st, column_id column, uint32_t id, struct cell *c)
{
	static const column_id told[] = { COL_TASK_IN, COL_TASK_OUT, COL_TASK_ON, COL_TASK_OFF };
	bool some = false;

	for (size_t i = 0; i < NELEM(told); i++)
		some = some || store_cell(st, told[i], id) != 0;
	c->u = store_cell(st, column, id);
	c->type = some ? CELL_TIME : CELL_NONE;
}

static void
on_cell(const struct store *st, uint32_t id, struct cell *c)
{
	task_cell(st, COL_TASK_ON, id, c);
}

static void
q_trace_off_cell(const struct store *st, uint32_t id, struct cell *c)
{
	task_cell(st, COL_TASK_OFF, id, c);
}

static const struct coldef task_thread_cols[] = {
	THREAD_CALLS,
	{ "cpu", CELL_TIME, "time on a CPU; empty: no context switches", false, FIELD_CELL, COL_TASK_ON,
	    .needs = on_needs, .cell = on_cell },
	{ "off_cpu", CELL_TIME, "off-CPU time", false, FIELD_CELL, COL_TASK_OFF,
	    .needs = on_needs, .cell = q_trace_off_cell },
	{ "cpu_pct", CELL_PERCENT, "share of the CPU time of all threads", false, FIELD_PART_OF_CPU,
	    .needs = on_needs, .cell = on_cell },
	THREAD_RECORDS
};

const struct command source_task_threads = {
	NAMED("threads", "threads with wall, CPU and off-CPU time",
	    "threads | sort -cpu", SHAPE_TASKS, task_thread_cols),
	.unless = SHAPE_SAMPLES,
	.lists_threads = true, .by_rows = true
};

/* ---- methods ----------------------------------------------------------------------- */

static const struct coldef method_cols[] = {
	{ "id", CELL_ID, "method number", false, FIELD_ID, COL_METHOD_RAW, .of = ID_METHOD, TIMED },
	{ "id", CELL_ID, "frame number", false, FIELD_ID, COL_METHOD_RAW, .of = ID_METHOD, SAMPLED },
	{ "class", CELL_TEXT, "class", false, FIELD_DOTTED, COL_LISTED_CLASS, .cut = CUT_FRONT, TIMED },
	{ "name", CELL_TEXT, "name without the class", false, FIELD_NAME, COL_LISTED_NAME, .function = true, TIMED },
	{ "signature", CELL_TEXT, "argument and return types", true, FIELD_TEXT, COL_LISTED_SIGNATURE, TIMED },
	{ "file", CELL_TEXT, "source file", true, FIELD_TEXT, COL_LISTED_FILE, .cut = CUT_MIDDLE, TIMED },
	{ "line", CELL_INT, "line in the source file", true, FIELD_LINE, COL_LISTED_LINE, TIMED },
	{ "calls", CELL_COUNT, "calls", false, FIELD_NUMBER, COL_METHOD_CALLS, .needs = totals_needs, TIMED },
	{ "self_wall", CELL_TIME, "wall self time", false,
	    FIELD_WEIGHT, COL_METHOD_SELF_WALL, .needs = totals_needs, TIMED },
	{ "total_wall", CELL_TIME, "wall total time, recursion once", false,
	    FIELD_WEIGHT, COL_METHOD_TOTAL_WALL, .needs = totals_needs, TIMED },
	{ "self_cpu", CELL_TIME, "CPU time; empty: no CPU clock",
	    false, FIELD_WEIGHT_CPU, COL_METHOD_SELF_CPU, .needs = totals_needs, TIMED },
	{ "total_cpu", CELL_TIME, "CPU total time", false,
	    FIELD_WEIGHT_CPU, COL_METHOD_TOTAL_CPU, .needs = totals_needs, TIMED },
	{ "self_off", CELL_TIME, "off-CPU self time", true,
	    FIELD_OFF, COL_METHOD_SELF_WALL, COL_METHOD_SELF_CPU, .needs = totals_needs, TIMED },
	{ "total_off", CELL_TIME, "off-CPU total time", true,
	    FIELD_OFF, COL_METHOD_TOTAL_WALL, COL_METHOD_TOTAL_CPU, .needs = totals_needs, TIMED },
	{ "self_pct", CELL_PERCENT, "self time, share of all, by the clock", false,
	    FIELD_PART_OF_SELF, COL_METHOD_SELF_WALL, COL_METHOD_SELF_CPU, .needs = share_needs, TIMED },
	{ "total_pct", CELL_PERCENT, "total time, share of all, by the clock", false,
	    FIELD_PART_OF_SELF, COL_METHOD_TOTAL_WALL, COL_METHOD_TOTAL_CPU, .needs = share_needs, TIMED },
	{ "name", CELL_TEXT, "name", false, FIELD_METHOD, .function = true, SAMPLED },
	{ "samples", CELL_COUNT, "self samples", false, FIELD_NUMBER, COL_METHOD_CALLS, .needs = totals_needs, SAMPLED },
	{ "self", CELL_NONE, "self weight", false, FIELD_WEIGHT, COL_METHOD_SELF_WALL, .needs = totals_needs, SAMPLED },
	{ "total", CELL_NONE, "total weight, recursion once", false,
	    FIELD_WEIGHT, COL_METHOD_TOTAL_WALL, .needs = totals_needs, SAMPLED },
	{ "self_pct", CELL_PERCENT, "self weight, share of all", false,
	    FIELD_SHARE, COL_METHOD_SELF_WALL, .needs = totals_needs, SAMPLED },
	{ "total_pct", CELL_PERCENT, "total weight, share of all", false,
	    FIELD_SHARE, COL_METHOD_TOTAL_WALL, .needs = totals_needs, SAMPLED },
	{ "self_before", CELL_NONE, "self before", false,
	    FIELD_WEIGHT, COL_METHOD_SELF_CPU, .needs = totals_needs, SAMPLED, .differs = WEIGHT_BEFORE },
	{ "total_before", CELL_NONE, "total before", false,
	    FIELD_WEIGHT, COL_METHOD_TOTAL_CPU, .needs = totals_needs, SAMPLED, .differs = WEIGHT_BEFORE },
	{ "self_delta", CELL_NONE, "change of self", false,
	    FIELD_OFF, COL_METHOD_SELF_WALL, COL_METHOD_SELF_CPU, .needs = totals_needs, SAMPLED, .differs = WEIGHT_DELTA },
	{ "total_delta", CELL_NONE, "change of total", false,
	    FIELD_OFF, COL_METHOD_TOTAL_WALL, COL_METHOD_TOTAL_CPU, .needs = totals_needs, SAMPLED, .differs = WEIGHT_DELTA },
	{ "kind", CELL_TEXT, "frame kind: k kernel, j JIT, i inlined, w waker, 0, 1", false, FIELD_KIND, SAMPLED },
	{ "module", CELL_TEXT, "program, library or kernel; empty: unknown", true, FIELD_MODULE, .cut = CUT_MIDDLE, SAMPLED },
	{ "file", CELL_TEXT, "source file; empty: unknown", true, FIELD_FILE, .cut = CUT_MIDDLE, SAMPLED },
	{ "line", CELL_INT, "where the function begins; in recordings a sampled line", true, FIELD_LINE, COL_LISTED_LINE, SAMPLED },
	{ "package", CELL_TEXT, "package, as by package has it", true, FIELD_PACKAGE },
	{ "method", CELL_TEXT, "class and method", true, FIELD_METHOD, .function = true, TIMED },
	{ "method", CELL_TEXT, "same as name", true, FIELD_METHOD, .function = true, SAMPLED },
	{ "method_id", CELL_ID, "same as id", true, FIELD_ID, .of = ID_METHOD },
	{ "raw", CELL_ID, "id in the file", true, FIELD_NUMBER, COL_METHOD_RAW, TIMED },
	{ "obfuscated", CELL_TEXT, "obfuscated name (with --mapping)", true,
	    FIELD_TEXT, COL_RAW_METHOD }
};

const struct command source_methods = {
	NAMED("methods", "methods with self and total time", "methods | sort -self | head 10", SHAPE_TREES, method_cols),
	.what_samples = "functions with self and total weight"
};

/* ---- call trees ----------------------------------------------------------------------- */

static void
said_cell(const struct store *st, uint32_t id, struct cell *c)
{
	c->text = column_text(store_column(st, COL_CALL_DETAIL_TEXT), store_cell(st, COL_CALL_DETAIL, id));
}

const struct coldef call_cols[CALL_COLS] = {
	[CALL_ID] = { "id", CELL_ID, "node id", false, FIELD_ID, COL_CALL_METHOD },
	[CALL_PARENT] = { "parent", CELL_ID, "parent node; 0: top", false, FIELD_NUMBER, COL_CALL_PARENT },
	[CALL_THREAD] = { "thread", CELL_TEXT, "thread name", false, THREAD_IN(COL_CALL_THREAD), .needs = thread_needs },
	[CALL_DEPTH] = { "depth", CELL_COUNT, "depth", false, FIELD_NUMBER, COL_CALL_DEPTH, .needs = depth_needs },
	[CALL_METHOD] = { "method", CELL_TEXT, "class and method", false, FIELD_METHOD, COL_CALL_METHOD, .function = true, TIMED },
	[CALL_CALLS] = { "calls", CELL_COUNT, "calls from this caller", false, FIELD_NUMBER, COL_CALL_CALLS, TIMED },
	[CALL_SELF_WALL] = { "self_wall", CELL_TIME, "wall self time", false,
	    FIELD_WEIGHT, COL_CALL_SELF_WALL, .needs = self_needs, TIMED },
	[CALL_TOTAL_WALL] = { "total_wall", CELL_TIME, "wall total time", false, FIELD_WEIGHT, COL_CALL_TOTAL_WALL, TIMED },
	[CALL_SELF_CPU] = { "self_cpu", CELL_TIME, "CPU time; empty: no CPU clock",
	    false, FIELD_WEIGHT_CPU, COL_CALL_SELF_CPU, .needs = self_needs, TIMED },
	[CALL_TOTAL_CPU] = { "total_cpu", CELL_TIME, "CPU total time", false, FIELD_WEIGHT_CPU, COL_CALL_TOTAL_CPU, TIMED },
	[CALL_SELF_OFF] = { "self_off", CELL_TIME, "off-CPU self time", true,
	    FIELD_OFF, COL_CALL_SELF_WALL, COL_CALL_SELF_CPU, .needs = self_needs, TIMED },
	[CALL_TOTAL_OFF] = { "total_off", CELL_TIME, "off-CPU total time", true,
	    FIELD_OFF, COL_CALL_TOTAL_WALL, COL_CALL_TOTAL_CPU, TIMED },
	/* The same of profiles. */
	[CALL_FUNCTION] = { "method", CELL_TEXT, "function", false, FIELD_METHOD, COL_CALL_METHOD, .function = true, SAMPLED },
	{ "samples", CELL_COUNT, "self samples", false, FIELD_NUMBER, COL_CALL_CALLS, SAMPLED },
	{ "self", CELL_NONE, "self weight", false, FIELD_WEIGHT, COL_CALL_SELF_WALL, .needs = self_needs, SAMPLED },
	{ "total", CELL_NONE, "total weight", false, FIELD_WEIGHT, COL_CALL_TOTAL_WALL, SAMPLED },
	{ "self_before", CELL_NONE, "self before", false, FIELD_WEIGHT, COL_CALL_SELF_CPU,
	    .needs = self_needs, .differs = WEIGHT_BEFORE, SAMPLED },
	{ "total_before", CELL_NONE, "total before", false, FIELD_WEIGHT, COL_CALL_TOTAL_CPU, .differs = WEIGHT_BEFORE, SAMPLED },
	{ "self_delta", CELL_NONE, "change of self", false,
	    FIELD_OFF, COL_CALL_SELF_WALL, COL_CALL_SELF_CPU, .needs = self_needs, .differs = WEIGHT_DELTA, SAMPLED },
	{ "total_delta", CELL_NONE, "change of total", false,
	    FIELD_OFF, COL_CALL_TOTAL_WALL, COL_CALL_TOTAL_CPU, .differs = WEIGHT_DELTA, SAMPLED },
	[CALL_THREAD_ID] = { "thread_id", CELL_ID, "id of the thread", true, FIELD_NUMBER, COL_CALL_THREAD, .needs = thread_needs },
	[CALL_METHOD_ID] = { "method_id", CELL_ID, "id of the method", true, FIELD_NUMBER, COL_CALL_METHOD, .of = ID_METHOD },
	[CALL_SELF_PCT] = { "self_pct", CELL_PERCENT, "self, share of all, by the clock", false,
	    FIELD_PART_OF_SELF, COL_CALL_SELF_WALL, COL_CALL_SELF_CPU, .needs = self_needs },
	[CALL_TOTAL_PCT] = { "total_pct", CELL_PERCENT, "total, share of all, by the clock", false,
	    FIELD_PART_OF_SELF, COL_CALL_TOTAL_WALL, COL_CALL_TOTAL_CPU, .needs = self_needs },
	[CALL_PACKAGE] = { "package", CELL_TEXT, "package, as by package has it", true, FIELD_PACKAGE, COL_CALL_METHOD },
	[CALL_KIND] = { "kind", CELL_TEXT, "frame kind, as in methods", true, FIELD_KIND, COL_CALL_METHOD, SAMPLED },
	[CALL_MODULE] = { "module", CELL_TEXT, "module, as in methods", true,
	    FIELD_MODULE, COL_CALL_METHOD, .cut = CUT_MIDDLE, SAMPLED },
	[CALL_DETAIL] = { "detail", CELL_TEXT, "what the args of these calls say, if all say the same", true,
	    FIELD_CELL, .cell = said_cell, .needs = detail_needs, TIMED }
};

/* The calls of a thread have consecutive ids. */
static bool
thread_ranges(const struct store *st, const struct thread_list *list,
    struct id_range **out, struct err *err)
{
	const struct column *first = store_column(st, COL_THREAD_CALL);
	const struct column *size = store_column(st, COL_THREAD_SIZE);
	struct id_range *range = mem_array(list->n, sizeof *range);

	if (range == NULL)
		return fail(err, E_SYSTEM, "out of memory (answer)");
	for (size_t i = 0; i < list->n; i++) {
		range[i].first = (uint32_t)column_get(first, list->id[i] - 1);
		range[i].n = (uint32_t)column_get(size, list->id[i] - 1);
	}
	*out = range;
	return true;
}

static bool
calls_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	const struct store *st = session_store(session);
	struct thread_list list;
	struct id_range *range = NULL;
	bool ok;

	(void)in;
	ok = threads_of_stage(&list, st, stage, false, err) &&
	    (list.n == 0 || thread_ranges(st, &list, &range, err)) &&
	    table_open(session, stage, range, list.n, out, err);
	free(list.id);
	return ok;
}

/* Calls of several threads, or of several callers, are one row in merged and inverted: they have no detail. */
#define TREES(word, opens, columns, what, says, query) SOURCE(word, says, query, opens), .shapes = SHAPE_TREES, \
	.cols = call_cols, .ncols = (columns), .args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }), .needs = what, .views = VIEWS_OF_TREES

const struct command source_calls = {
	TREES("calls", calls_open, CALL_COLS, needs, "call tree of each thread, top-down", "calls main | where total > 1ms"),
	.example_samples = "calls | where depth < 3"
};
const struct command source_merged = {
	TREES("merged", merged_open, CALL_DETAIL, needs, "call tree of all or the named threads, merged", "merged | where depth < 3")
};
const struct command source_inverted = {
	TREES("inverted", inverted_open, CALL_DETAIL, self_needs,
	    "bottom-up tree: methods by self time, callers below", "inverted main | where depth < 2 | head 20"),
	.what_samples = "bottom-up tree: functions by self weight, callers below",
	.example_samples = "inverted | where depth < 2 | head 20"
};
