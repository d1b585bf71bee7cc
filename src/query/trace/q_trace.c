/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_trace: the threads, the methods and the call trees of a trace; of a profile the same, of samples and
 * their weights instead of calls and their times.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/idle.h"
#include "icecore/runtime.h"
#include "icecore/view.h"
#include "trace.h"

static const column_id needs[] = { COL_CALL_METHOD, COL_NONE };
/* Totals of methods come from a pass of their own. */
static const column_id totals_needs[] = { COL_METHOD_CALLS, COL_NONE };
/* Percentages of methods also need the self weights of calls.  The lists below are for columns of calls. */
static const column_id share_needs[] = { COL_METHOD_CALLS, COL_CALL_SELF_WALL, COL_NONE };
static const column_id about_needs[] = { COL_METHOD_DIRECT, COL_NONE };
static const column_id waited_needs[] = { COL_METHOD_WAITED, COL_NONE };
static const column_id self_needs[] = { COL_CALL_SELF_WALL, COL_NONE };
static const column_id thread_needs[] = { COL_CALL_THREAD, COL_NONE };
static const column_id detail_needs[] = { COL_CALL_DETAIL, COL_NONE };
static const column_id depth_needs[] = { COL_CALL_DEPTH, COL_NONE };

/* A table whose rows are known by their names. */
#define NAMED(...) TABLE_SOURCE(__VA_ARGS__), .needs = needs, .names = { "name" }, .views = VIEWS_OF_TREES

/* ---- threads ----------------------------------------------------------------------- */

/* Columns of threads before and after their CPU time. */
#define THREAD_CALLS \
	{ "id", CELL_ID, "thread number", OWN_NUMBER }, \
	{ "tid", CELL_ID, "OS thread id; 0: unknown, or over 32 bits", NUMBER(COL_THREAD_TID), TIMED }, \
	{ "tid", CELL_ID, "system thread id; 0: unknown", NUMBER(COL_THREAD_TID), SAMPLED }, \
	{ "pid", CELL_ID, "process id; 0: unknown", MORE, NUMBER(COL_LISTED_PID), SAMPLED }, \
	{ "pid", CELL_ID, "process id; 0: unknown", MORE, NUMBER(COL_THREAD_LISTED, .then = COL_LISTED_PID), TIMED }, \
	{ "name", CELL_TEXT, "name (the last one)", THREAD_FROM(.by = COL_NONE), TIMED }, \
	{ "name", CELL_TEXT, "name", THREAD_FROM(.by = COL_NONE), SAMPLED }, \
	{ "main", CELL_BOOL, "the main thread", NUMBER(COL_THREAD_MAIN), TIMED }, \
	{ "main", CELL_BOOL, "the main thread", MORE, NUMBER(COL_THREAD_MAIN), SAMPLED }, \
	{ "calls", CELL_COUNT, "calls made", NUMBER(COL_THREAD_CALLS), TIMED }
#define THREAD_RECORDS \
	{ "start", CELL_TIME, "time of the first record", IN(TRACE_TICKS, COL_THREAD_START), TIMED }, \
	{ "end", CELL_TIME, "time of the last record", IN(TRACE_TICKS, COL_THREAD_END), TIMED }, \
	{ "depth", CELL_COUNT, "deepest stack", NUMBER(COL_THREAD_DEPTH) }, \
	{ "repairs", CELL_COUNT, "repairs", NUMBER(COL_THREAD_REPAIRS), TIMED }, \
	{ "records", CELL_COUNT, "records in the file", MORE, NUMBER(COL_THREAD_RECORDS), TIMED }, \
	{ "start", CELL_TIME, "time of the first sample", MORE, NUMBER(COL_THREAD_START), SAMPLED }, \
	{ "end", CELL_TIME, "time of the last sample", MORE, NUMBER(COL_THREAD_END), SAMPLED }, \
	THREAD_LABEL(), \
	{ "pool", CELL_TEXT, "pool: name with digits and hashes as *", MORE, MADE(TRACE_POOL) }, \
	{ "former_names", CELL_TEXT, "former names of this tid", MORE, MADE(TRACE_EARLIER), .was = "earlier" }, \
	{ "name_source", CELL_TEXT, "source of the name: file, tid or name (--threads)", MORE, \
	    MADE(TRACE_BY), .was = "named_by" }, \
	{ "state", CELL_TEXT, "state in the --threads dump", MORE, MADE(TRACE_DUMPED) }, \
	{ "top", CELL_TEXT, "innermost frame in the --threads dump", MORE, MADE(TRACE_TOP), FUNCTION }

static const column_id idle_needs[] = { COL_THREAD_IDLE, COL_NONE };

static void
idle_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	c->u = thread_idle(s->st, (uint32_t)id);
}

/* Read the CPU time of a thread from its track, between its first and last record and within the view. */
static bool
cpu_of_track(struct item_rows *s, uint64_t id, struct cell *cpu)
{
	struct trace_own *t = TRACE(s);
	struct cell start, end, use;
	uint64_t from, to;

	cpu->type = CELL_NONE;
	if (!t->tracks)
		return false;
	cell_ticks(&start, store_cell(s->st, COL_THREAD_START, id), t->tick);
	cell_ticks(&end, store_cell(s->st, COL_THREAD_END, id), t->tick);
	view_range(s->st, &from, &to);
	from = from > start.u ? from : start.u;
	to = to < end.u ? to : end.u;
	cell_cpu_inside(&t->cpu, s->st, (uint32_t)id, from, to > from ? to : from, cpu, &use);
	return cpu->type != CELL_NONE;
}

static void
cpu_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	if (TRACE(s)->cpu_clock)
		cell_ticks(c, store_cell(s->st, COL_THREAD_CPU, id), TRACE(s)->tick);
	else
		(void)cpu_of_track(s, id, c);
}

static void
q_trace_off_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	const struct trace_own *t = TRACE(s);
	uint64_t wall = store_cell(s->st, COL_THREAD_WALL, id), cpu = store_cell(s->st, COL_THREAD_CPU, id);
	struct cell used;

	if (t->cpu_clock) {
		cell_ticks(c, t->off && wall > cpu ? wall - cpu : 0, t->tick);
	} else if (cpu_of_track(s, id, &used)) {
		cell_ticks(c, wall, t->tick);
		c->u = c->u > used.u ? c->u - used.u : 0;
	} else
		c->type = CELL_NONE;
}

/* Set the share of a thread in the sum of a column. */
static void
part_of_cpu(struct item_rows *s, uint64_t id, void (*cell)(struct item_rows *, uint64_t, struct cell *),
    struct cell *c)
{
	struct trace_own *t = TRACE(s);
	struct cell cpu;

	for (uint64_t i = column_rows(store_column(s->st, COL_THREAD_TID)); !t->has_cpu && i > 0; i--) {
		cell(s, i, &cpu);
		t->whole_cpu = num_add(t->whole_cpu, cpu.type == CELL_NONE ? 0 : cpu.u);
	}
	t->has_cpu = true;
	cell(s, id, &cpu);
	c->type = CELL_NONE;
	if (cpu.type != CELL_NONE)
		cell_part(c, cpu.u, t->whole_cpu);
}

static void
cpu_part_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	part_of_cpu(s, id, cpu_cell, c);
}

static const struct coldef thread_cols[] = {
	THREAD_CALLS,
	{ "wall", CELL_TIME, "wall time", IN(TRACE_WEIGHT, COL_THREAD_WALL), TIMED },
	{ "cpu", CELL_TIME, "CPU time; empty: no CPU clock", COMPUTED(cpu_cell), TIMED },
	{ "off_cpu", CELL_TIME, "off-CPU time: wall - CPU", COMPUTED(q_trace_off_cell), TIMED },
	{ "cpu_pct", CELL_PERCENT, "share of the CPU time of all threads", COMPUTED(cpu_part_cell), TIMED },
	{ "samples", CELL_COUNT, "samples", NUMBER(COL_THREAD_CALLS), SAMPLED },
	{ "total", CELL_NONE, "self weight", IN(TRACE_WEIGHT, COL_THREAD_WALL), SAMPLED },
	{ "total_pct", CELL_PERCENT, "share of total weight", IN(TRACE_SHARE, COL_THREAD_WALL), SAMPLED },
	{ "total_before", CELL_NONE, "weight in the first file", IN(TRACE_WEIGHT, COL_THREAD_CPU), SAMPLED,
	    .differs = WEIGHT_BEFORE },
	{ "total_delta", CELL_NONE, "change: second minus first",
	    IN(TRACE_OFF, COL_THREAD_WALL, .other = COL_THREAD_CPU), SAMPLED, .differs = WEIGHT_DELTA },
	THREAD_RECORDS,
	{ "process", CELL_TEXT, "process name, if the trace has it", MORE,
	    IN(TRACE_PROCESS, COL_THREAD_LISTED, .then = COL_LISTED_PROCESS) },
	{ "idle", CELL_BOOL, IDLE_BY_STACKS "; no range", MORE,
	    COMPUTED(idle_cell),
	    .needs = idle_needs, TIMED }
};

const struct command source_threads = {
	NAMED("threads", "threads with wall, CPU and off-CPU time", "threads | sort -wall", SHAPE_TREES,
	    thread_cols, COL_THREAD_TID),
	.what_samples = "threads with samples and weight", .example_samples = "threads | sort -total",
	    .unless = SHAPE_DUMPS, .lists_threads = true
};

/* The CPU and off-CPU time of tasks comes from the switches, inside calls and between them. */
static const column_id on_needs[] = { COL_TASK_ON, COL_NONE };

/* The times of a task without any switch are unknown: the cell is empty. */
static void
task_cell(const struct store *st, column_id column, uint64_t id, struct cell *c)
{
	static const column_id told[] = { COL_TASK_IN, COL_TASK_OUT, COL_TASK_ON, COL_TASK_OFF };
	bool some = false;

	for (size_t i = 0; i < NELEM(told); i++)
		some = some || store_cell(st, told[i], id) != 0;
	c->u = store_cell(st, column, id);
	c->type = some ? CELL_TIME : CELL_NONE;
}

static void
on_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	task_cell(s->st, COL_TASK_ON, id, c);
}

static void
task_off_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	task_cell(s->st, COL_TASK_OFF, id, c);
}

static void
on_part_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	part_of_cpu(s, id, on_cell, c);
}

/* A task is on a CPU between its calls, too: its wall time is more than theirs. */
static void
task_wall_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	struct cell off;

	task_off_cell(s, id, &off);
	on_cell(s, id, c);
	if (c->type == CELL_NONE)
		cell_ticks(c, store_cell(s->st, COL_THREAD_WALL, id), TRACE(s)->tick);
	else
		c->u = num_add(c->u, off.u);
}

static const struct coldef task_thread_cols[] = {
	THREAD_CALLS,
	{ "wall", CELL_TIME, "on and off the CPU; of its calls, if that is unknown", COMPUTED(task_wall_cell),
	    .needs = on_needs },
	{ "cpu", CELL_TIME, "time on a CPU; empty: no context switches", COMPUTED(on_cell),
	    .needs = on_needs },
	{ "off_cpu", CELL_TIME, "off-CPU time", COMPUTED(task_off_cell), .needs = on_needs },
	{ "cpu_pct", CELL_PERCENT, "share of the CPU time of all threads", COMPUTED(on_part_cell),
	    .needs = on_needs },
	THREAD_RECORDS,
	{ "process", CELL_TEXT, "process", MORE, IN(TRACE_PROCESS, COL_THREAD_LISTED,
	    .then = COL_LISTED_PROCESS), .beside = SHAPE_MARKS }
};

const struct command source_task_threads = {
	NAMED("threads", "threads with wall, CPU and off-CPU time",
	    "threads | sort -cpu", SHAPE_TASKS, task_thread_cols, COL_THREAD_TID),
	.unless = SHAPE_SAMPLES,
	.lists_threads = true, .by_rows = true
};

/* ---- methods ----------------------------------------------------------------------- */

static void
sampled_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	c->u = store_cell(s->st, COL_LISTED_SAMPLED, id);
}

static void
noise_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	cell_noise(c, TRACE(s), store_cell(s->st, COL_METHOD_TOTAL_WALL, id),
	    store_cell(s->st, COL_METHOD_CALLS, id));
}

/* The total time of one call, by the current clock: recursive calls count, but their time is in it once. */
static void
average_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	const struct trace_own *t = TRACE(s);
	uint64_t calls = store_cell(s->st, COL_METHOD_CALLS, id), weight;
	bool known = calls > 0 && (s->rows.session->clock == CLOCK_WALL || t->all_cpu ||
	    method_has_cpu(s->st, (uint32_t)id)) && weight_by_clock(&s->rows, &t->weights,
	    store_cell(s->st, COL_METHOD_TOTAL_WALL, id), store_cell(s->st, COL_METHOD_TOTAL_CPU, id), &weight);

	c->type = known ? CELL_TIME : CELL_NONE;
	c->u = known ? trace_ns(s->st, weight) / calls : 0;
}

/* In a profile of all threads, most of them wait. */
static void
method_waits_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	struct buf *name = cell_begin(s);

	method_name(s->st, (uint32_t)id, name);
	c->u = runtime_is(buf_view(name), WAITING_ANY);
	if (name->bad)
		fail_memory(&s->rows.err, "names");
}

static const struct coldef method_cols[] = {
	{ "id", CELL_ID, "method number", OWN_NUMBER, METHOD_ID, TIMED },
	{ "id", CELL_ID, "frame number", OWN_NUMBER, METHOD_ID, SAMPLED },
	{ "class", CELL_TEXT, "class", IN(TRACE_DOTTED, COL_LISTED_CLASS), .cut = CUT_FRONT, TIMED },
	{ "name", CELL_TEXT, "name without the class", IN(TRACE_NAME, COL_LISTED_NAME), FUNCTION, TIMED },
	{ "signature", CELL_TEXT, "argument and return types", MORE, IN(SHOW_REF, COL_LISTED_SIGNATURE),
	    TIMED },
	{ "file", CELL_TEXT, "source file", MORE, IN(SHOW_REF, COL_LISTED_FILE), .cut = CUT_MIDDLE, TIMED },
	{ "line", CELL_INT, "line in the source file", MORE, IN(TRACE_SIGNED, COL_LISTED_LINE), TIMED },
	{ "calls", CELL_COUNT, "calls", NUMBER(COL_METHOD_CALLS), .needs = totals_needs, TIMED },
	{ "self_wall", CELL_TIME, "wall self time",
	    IN(TRACE_WEIGHT, COL_METHOD_SELF_WALL), .needs = totals_needs, TIMED },
	{ "total_wall", CELL_TIME, "wall total time, recursion once",
	    IN(TRACE_WEIGHT, COL_METHOD_TOTAL_WALL), .needs = totals_needs, TIMED },
	{ "self_cpu", CELL_TIME, "CPU self time; empty: unknown",
	    IN(TRACE_WEIGHT_CPU, COL_METHOD_SELF_CPU), .needs = totals_needs, TIMED },
	{ "total_cpu", CELL_TIME, "CPU total time",
	    IN(TRACE_WEIGHT_CPU, COL_METHOD_TOTAL_CPU), .needs = totals_needs, TIMED },
	{ "self_off", CELL_TIME, "off-CPU self time", MORE,
	    IN(TRACE_OFF, COL_METHOD_SELF_WALL, .other = COL_METHOD_SELF_CPU), .needs = totals_needs, TIMED },
	{ "total_off", CELL_TIME, "off-CPU total time", MORE,
	    IN(TRACE_OFF, COL_METHOD_TOTAL_WALL, .other = COL_METHOD_TOTAL_CPU), .needs = totals_needs,
	    TIMED },
	{ "self_pct", CELL_PERCENT, "self time as a share of all self time (current clock)", .head = "self%",
	    IN(TRACE_PART_OF_SELF, COL_METHOD_SELF_WALL, .other = COL_METHOD_SELF_CPU), .needs = share_needs,
	    TIMED },
	{ "total_pct", CELL_PERCENT, "total time as a share of all self time (current clock)",
	    .head = "total%",
	    IN(TRACE_PART_OF_SELF, COL_METHOD_TOTAL_WALL, .other = COL_METHOD_TOTAL_CPU),
	    .needs = share_needs, TIMED },
	{ "average", CELL_TIME, "total time of one call (current clock)", MORE, COMPUTED(average_cell),
	    .needs = totals_needs, TIMED },
	{ "noise", CELL_BOOL, "average call shorter than a clock read (clock_overhead)", MORE,
	    COMPUTED(noise_cell),
	    .needs = totals_needs, TIMED },
	{ "sampled", CELL_BOOL, "seen in samples alone: a call is a run of samples", MORE,
	    COMPUTED(sampled_cell), .beside = SHAPE_EVENTS, TIMED },
	{ "name", CELL_TEXT, "name", MADE(TRACE_METHOD), FUNCTION, SAMPLED },
	{ "samples", CELL_COUNT, "self samples", NUMBER(COL_METHOD_CALLS), .needs = totals_needs, SAMPLED },
	{ "self", CELL_NONE, "self weight", IN(TRACE_WEIGHT, COL_METHOD_SELF_WALL), .needs = totals_needs,
	    SAMPLED },
	{ "total", CELL_NONE, "total weight, recursion once",
	    IN(TRACE_WEIGHT, COL_METHOD_TOTAL_WALL), .needs = totals_needs, SAMPLED },
	{ "self_pct", CELL_PERCENT, "self weight as a share of the weight of the file", .head = "self%",
	    IN(TRACE_SHARE, COL_METHOD_SELF_WALL), .needs = totals_needs, SAMPLED },
	{ "total_pct", CELL_PERCENT, "total weight as a share of the weight of the file", .head = "total%",
	    IN(TRACE_SHARE, COL_METHOD_TOTAL_WALL), .needs = totals_needs, SAMPLED },
	{ "self_before", CELL_NONE, "self before",
	    IN(TRACE_WEIGHT, COL_METHOD_SELF_CPU), .needs = totals_needs, SAMPLED, .differs = WEIGHT_BEFORE },
	{ "total_before", CELL_NONE, "total before",
	    IN(TRACE_WEIGHT, COL_METHOD_TOTAL_CPU), .needs = totals_needs, SAMPLED,
	    .differs = WEIGHT_BEFORE },
	{ "self_delta", CELL_NONE, "change of self",
	    IN(TRACE_OFF, COL_METHOD_SELF_WALL, .other = COL_METHOD_SELF_CPU), .needs = totals_needs, SAMPLED,
	    .differs = WEIGHT_DELTA },
	{ "total_delta", CELL_NONE, "change of total",
	    IN(TRACE_OFF, COL_METHOD_TOTAL_WALL, .other = COL_METHOD_TOTAL_CPU), .needs = totals_needs,
	    SAMPLED, .differs = WEIGHT_DELTA },
	{ "kind", CELL_TEXT, "frame: k kernel, j JIT, i inlined, w waker, 0 interp., 1 C1", MADE(TRACE_KIND),
	    SAMPLED,
	    .kinds = true },
	{ "module", CELL_TEXT, "program, library or kernel; empty: unknown", MORE, MADE(TRACE_MODULE),
	    .cut = CUT_MIDDLE, SAMPLED },
	{ "file", CELL_TEXT, "source file; empty: unknown", MORE, MADE(TRACE_FILE), .cut = CUT_MIDDLE,
	    SAMPLED },
	{ "line", CELL_INT, "first line of the function; in recordings, a sampled line", MORE,
	    IN(TRACE_SIGNED, COL_LISTED_LINE), SAMPLED },
	{ "waits", CELL_BOOL, "threads wait in it, by its name", MORE, COMPUTED(method_waits_cell) },
	{ "package", CELL_TEXT, "package, as in 'by package'", MORE, MADE(TRACE_PACKAGE) },
	{ "method", CELL_TEXT, "class and method", MORE, MADE(TRACE_METHOD), FUNCTION, TIMED },
	{ "method", CELL_TEXT, "same as name", MORE, MADE(TRACE_METHOD), FUNCTION, SAMPLED },
	{ "method_id", CELL_ID, "same as id", MORE, OWN_NUMBER, METHOD_ID },
	{ "raw", CELL_ID, "id in the file", MORE, NUMBER(COL_METHOD_RAW), TIMED },
	{ "obfuscated", CELL_TEXT, "obfuscated name (with --mapping)", MORE,
	    IN(SHOW_REF, COL_RAW_METHOD) },
	{ "self_with_class", CELL_NONE, "self weight, plus that of class frames it calls", .head = "self", MORE,
	    IN(TRACE_WEIGHT, COL_METHOD_DIRECT),
	    .needs = about_needs, SAMPLED },
	{ "self_with_class_pct", CELL_PERCENT, "self_with_class as a share of the weight of the file", .head = "self%",
	    MORE,
	    IN(TRACE_SHARE, COL_METHOD_DIRECT), .needs = about_needs, SAMPLED },
	{ "top_class", CELL_TEXT, "class with the largest part of self_with_class", MORE,
	    IN(TRACE_METHOD, COL_METHOD_MOSTLY), .cut = CUT_FRONT,
	    .needs = about_needs, SAMPLED },
	{ "self_with_waits", CELL_NONE, "self weight, plus that of waits and kernel below it", .head = "self", MORE,
	    IN(TRACE_WEIGHT, COL_METHOD_WAITED), .needs = waited_needs, SAMPLED },
	{ "self_with_waits_pct", CELL_PERCENT, "self_with_waits as a share of the weight of the file", .head = "self%",
	    MORE, IN(TRACE_SHARE, COL_METHOD_WAITED), .needs = waited_needs, SAMPLED }
};

const struct command source_methods = {
	NAMED("methods", "methods with self and total time", "methods | sort -self | head 10", SHAPE_TREES,
	    method_cols, COL_METHOD_RAW),
	.what_samples = "functions with self and total weight"
};

/* ---- call trees ----------------------------------------------------------------------- */

static void
said_cell(struct item_rows *s, uint64_t place, struct cell *c)
{
	c->text = column_text(store_column(s->st, COL_CALL_DETAIL_TEXT), place);
}

const struct coldef call_cols[CALL_COLS] = {
	[CALL_ID] = { "id", CELL_ID, "node id", OWN_NUMBER },
	[CALL_PARENT] = { "parent", CELL_ID, "parent node; 0: top", NUMBER(COL_CALL_PARENT) },
	[CALL_THREAD] = { "thread", CELL_TEXT, "thread name", THREAD_FROM(.by = COL_CALL_THREAD),
	    .needs = thread_needs },
	[CALL_DEPTH] = { "depth", CELL_COUNT, "depth", NUMBER(COL_CALL_DEPTH), .needs = depth_needs },
	[CALL_METHOD] = { "method", CELL_TEXT, "class and method", IN(TRACE_METHOD, COL_CALL_METHOD),
	    FUNCTION, TIMED },
	[CALL_CALLS] = { "calls", CELL_COUNT, "calls from this caller", NUMBER(COL_CALL_CALLS), TIMED },
	[CALL_SELF_WALL] = { "self_wall", CELL_TIME, "wall self time",
	    IN(TRACE_WEIGHT, COL_CALL_SELF_WALL), .needs = self_needs, TIMED },
	[CALL_TOTAL_WALL] = { "total_wall", CELL_TIME, "wall total time",
	    IN(TRACE_WEIGHT, COL_CALL_TOTAL_WALL), TIMED },
	[CALL_SELF_CPU] = { "self_cpu", CELL_TIME, "CPU self time; empty: unknown",
	    IN(TRACE_WEIGHT_CPU, COL_CALL_SELF_CPU), .needs = self_needs, TIMED },
	[CALL_TOTAL_CPU] = { "total_cpu", CELL_TIME, "CPU total time",
	    IN(TRACE_WEIGHT_CPU, COL_CALL_TOTAL_CPU), TIMED },
	[CALL_SELF_OFF] = { "self_off", CELL_TIME, "off-CPU self time", MORE,
	    IN(TRACE_OFF, COL_CALL_SELF_WALL, .other = COL_CALL_SELF_CPU), .needs = self_needs, TIMED },
	[CALL_TOTAL_OFF] = { "total_off", CELL_TIME, "off-CPU total time", MORE,
	    IN(TRACE_OFF, COL_CALL_TOTAL_WALL, .other = COL_CALL_TOTAL_CPU), TIMED },
	/* The columns of profiles. */
	[CALL_FUNCTION] = { "method", CELL_TEXT, "function", IN(TRACE_METHOD, COL_CALL_METHOD), FUNCTION,
	    SAMPLED },
	{ "samples", CELL_COUNT, "self samples", NUMBER(COL_CALL_CALLS), SAMPLED },
	{ "self", CELL_NONE, "self weight", IN(TRACE_WEIGHT, COL_CALL_SELF_WALL), .needs = self_needs,
	    SAMPLED },
	{ "total", CELL_NONE, "total weight", IN(TRACE_WEIGHT, COL_CALL_TOTAL_WALL), SAMPLED },
	{ "self_before", CELL_NONE, "self before", IN(TRACE_WEIGHT, COL_CALL_SELF_CPU),
	    .needs = self_needs, .differs = WEIGHT_BEFORE, SAMPLED },
	{ "total_before", CELL_NONE, "total before", IN(TRACE_WEIGHT, COL_CALL_TOTAL_CPU),
	    .differs = WEIGHT_BEFORE, SAMPLED },
	{ "self_delta", CELL_NONE, "change of self",
	    IN(TRACE_OFF, COL_CALL_SELF_WALL, .other = COL_CALL_SELF_CPU), .needs = self_needs,
	    .differs = WEIGHT_DELTA, SAMPLED },
	{ "total_delta", CELL_NONE, "change of total",
	    IN(TRACE_OFF, COL_CALL_TOTAL_WALL, .other = COL_CALL_TOTAL_CPU), .differs = WEIGHT_DELTA,
	    SAMPLED },
	[CALL_THREAD_ID] = { "thread_id", CELL_ID, "id of the thread", MORE, NUMBER(COL_CALL_THREAD),
	    .needs = thread_needs },
	[CALL_METHOD_ID] = { "method_id", CELL_ID, "id of the method", MORE, NUMBER(COL_CALL_METHOD),
	    METHOD_ID },
	[CALL_SELF_PCT] = { "self_pct", CELL_PERCENT, "self as a share of the file (current clock or event)",
	    .head = "self%",
	    IN(TRACE_PART_OF_SELF, COL_CALL_SELF_WALL, .other = COL_CALL_SELF_CPU), .needs = self_needs },
	[CALL_TOTAL_PCT] = { "total_pct", CELL_PERCENT,
	    "total as a share of the file (current clock or event)", .head = "total%",
	    IN(TRACE_PART_OF_SELF, COL_CALL_TOTAL_WALL, .other = COL_CALL_TOTAL_CPU), .needs = self_needs },
	[CALL_PACKAGE] = { "package", CELL_TEXT, "package, as in 'by package'", MORE,
	    IN(TRACE_PACKAGE, COL_CALL_METHOD) },
	[CALL_KIND] = { "kind", CELL_TEXT, "frame kind, as in methods", MORE, IN(TRACE_KIND, COL_CALL_METHOD),
	    SAMPLED, .kinds = true },
	[CALL_MODULE] = { "module", CELL_TEXT, "module, as in methods", MORE,
	    IN(TRACE_MODULE, COL_CALL_METHOD), .cut = CUT_MIDDLE, SAMPLED },
	[CALL_PROCESS] = { PROCESS_FROM(.by = COL_CALL_THREAD), .needs = thread_needs },
	[CALL_DETAIL] = { "detail", CELL_TEXT, "args of these calls, if all are equal", MORE,
	    COMPUTED(said_cell, .by = COL_CALL_DETAIL), .needs = detail_needs, TIMED }
};

/* All calls, or those of the threads of the arguments; the calls of a thread have consecutive ids. */
static bool
calls_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	struct thread_list list;
	bool ok = threads_of_stage(&list, s->st, stage, false, err) &&
	    (list.n > 0 || item_rows_each(s, COL_CALL_METHOD, false));

	for (size_t i = 0; ok && i < list.n; i++)
		ok = item_rows_run(s, (uint32_t)store_cell(s->st, COL_THREAD_CALL, list.id[i]),
		    store_cell(s->st, COL_THREAD_SIZE, list.id[i]));
	free(list.id);
	return ok;
}

static const struct source calls = { .domain = &trace_domain, .args = ARGS_OWN, .begin = calls_begin,
    .ops = &calls_ops };

/*
 * Calls of several threads, or of several callers, are one row in merged and inverted: they have no detail.
 */
#define TREE_OF(word, opens, columns, what, says, query) SOURCE(word, says, query, opens), .shapes = SHAPE_TREES, \
	.cols = call_cols, .ncols = (columns), .needs = what, .views = VIEWS_OF_TREES, .source = &calls
#define TREES(...) TREE_OF(__VA_ARGS__), .args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY })

const struct command source_calls = {
	TREES("calls", item_rows_open, CALL_COLS, needs, "call tree of each thread, top-down",
	    "calls main | where total > 1ms"),
	.example_samples = "calls | where depth < 3"
};
const struct command source_merged = {
	TREES("merged", merged_open, CALL_PROCESS, needs, "call tree of all or the named threads, merged",
	    "merged | where depth < 3")
};
const struct command source_process_calls = {
	TREES("process_calls", process_calls_open, CALL_DETAIL, needs,
	    "call tree of each process, threads merged", "process_calls | where depth < 3")
};
const struct command source_inverted = {
	TREES("inverted", inverted_open, CALL_PROCESS, self_needs,
	    "bottom-up tree: methods by self time, callers below",
	    "inverted main | where depth < 2 | head 20"),
	.what_samples = "bottom-up tree: functions by self weight, callers below",
	.example_samples = "inverted | where depth < 2 | head 20"
};

static const struct arg_type arg_method = { .name = "METHOD", .hint = "method: name or @id",
    .look = LOOK_NAMES, .query = "methods",
	.column = "method", .quoted = true };
/* Trees of a method, which share their words with the stages of one level. */
#define TREES_OF_METHOD(...) TREE_OF(__VA_ARGS__), .args = ARGS({ &arg_method, ARG_MANY })

const struct command source_callers = {
	TREES_OF_METHOD("callers", callers_open, CALL_PROCESS, needs,
	    "callers of a method up to the top, as a tree",
	    "callers @1 | where depth < 3")
};
const struct command source_callees = {
	TREES_OF_METHOD("callees", callees_open, CALL_PROCESS, needs, "callees of a method down "
	    "to the bottom, as a tree", "callees @1 | where depth < 3")
};
