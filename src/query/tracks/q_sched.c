/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_sched: the tasks, CPUs, switches and wakeups of a scheduler trace.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/idle.h"
#include "icecore/sched.h"
#include "icecore/sums.h"
#include "icecore/view.h"
#include "query/trace/trace.h"

/* ---- tasks --------------------------------------------------------------------------- */

static const column_id tasks_needs[] = { COL_TASK_ON, COL_NONE };
static const column_id name_needs[] = { COL_THREAD_TID, COL_NONE };

/* Tasks with a reused id, or without one, have another number in the store. */
static void
task_tid_cell(struct item_rows *s, uint64_t task, struct cell *c)
{
	bool told = store_column(s->st, COL_LISTED_TOLD) != NULL;

	c->u = store_cell(s->st, told ? COL_LISTED_TOLD : COL_LISTED_TID, task);
	if (told && c->u == 0)
		c->type = CELL_NONE;
}

/* Show CPU time as a share of the trace, or of the range of the view. */
static void
util_cell(struct item_rows *s, uint64_t on, struct cell *c)
{
	uint64_t from, to, begin = sched_recorded_from(s->st), end = sched_recorded_to(s->st);

	view_range(s->st, &from, &to);
	from = from > begin ? from : begin;
	to = to < end ? to : end;
	cell_use(on, to > from ? to - from : 0, c);
}

static const column_id frequency_needs[] = { COL_TASK_ON, COL_TASK_FREQUENCY, COL_NONE };
static const column_id idle_needs[] = { COL_TASK_ON, COL_TASK_IDLE, COL_NONE };

/* A column of pass "tasks".  A query that only counts tasks or reads names does not run the pass. */
#define OF_TASKS(col) NUMBER(col), .needs = tasks_needs

static const struct coldef task_cols[] = {
	{ "id", CELL_ID, "task number, equal to that of its thread", OWN_NUMBER },
	{ "name", CELL_TEXT, "name (the last one)", THREAD_FROM(.by = COL_NONE), .needs = name_needs },
	{ "tid", CELL_ID, "OS thread id (tid)", COMPUTED(task_tid_cell) },
	{ "pid", CELL_ID, "process id, if known", NUMBER(COL_LISTED_PID) },
	{ "process", CELL_TEXT, "process", IN(TRACE_PROCESS, COL_LISTED_PROCESS), .beside = SHAPE_MARKS,
	    .cut = CUT_FRONT },
	{ "cpu", CELL_TIME, "CPU time", OF_TASKS(COL_TASK_ON), .was = "on" },
	{ "utilisation", CELL_PERCENT, "CPU time as a share of the trace or range",
	    COMPUTED(util_cell, .by = COL_TASK_ON),
	    .needs = tasks_needs, .was = "util", .head = "util" },
	{ "off_cpu", CELL_TIME, "off-CPU time", OF_TASKS(COL_TASK_OFF), .was = "off" },
	{ "waits", CELL_COUNT, "number of off-CPU intervals",
	    OF_TASKS(COL_TASK_GAPS), .was = "gaps" },
	{ "max_wait", CELL_TIME, "longest off-CPU interval; empty: never waited",
	    IN(SHOW_SOME, COL_TASK_MAX_GAP), .needs = tasks_needs,
	    .was = "max_gap" },
	{ "max_wait_at", CELL_TIME, "start of the longest off-CPU interval", MORE,
	    OF_TASKS(COL_TASK_MAX_GAP_AT), .was = "max_gap_at" },
	{ "p50_wait", CELL_TIME, "median off-CPU interval", OF_TASKS(COL_TASK_P50), .was = "p50" },
	{ "p99_wait", CELL_TIME, "99th percentile off-CPU interval", OF_TASKS(COL_TASK_P99), .was = "p99" },
	{ "sleeping", CELL_TIME, "time asleep (S)", OF_TASKS(COL_TASK_SLEEPING) },
	{ "disk", CELL_TIME, "uninterruptible sleep (D)", OF_TASKS(COL_TASK_DISK) },
	{ "preempted", CELL_TIME, "preempted (R): the part of run_queue after it lost its CPU",
	    OF_TASKS(COL_TASK_PREEMPTED) },
	{ "other", CELL_TIME, "time off CPU in any other state", MORE, OF_TASKS(COL_TASK_OTHER) },
	{ "run_queue", CELL_TIME, "runnable and on no CPU, after wakeups or preempted", OF_TASKS(COL_TASK_DELAY),
	    .was = "delay" },
	{ "run_queue_waits", CELL_COUNT, "number of waits for a CPU", MORE, OF_TASKS(COL_TASK_DELAYS),
	    .was = "delays" },
	{ "max_run_queue", CELL_TIME, "longest time in the run queue", OF_TASKS(COL_TASK_MAX_DELAY),
	    .was = "max_delay" },
	{ "p99_run_queue", CELL_TIME, "99th percentile of times in the run queue", MORE, OF_TASKS(COL_TASK_P99_DELAY),
	    .was = "p99_delay" },
	{ "switches_in", CELL_COUNT, "switches in", OF_TASKS(COL_TASK_IN), .was = "in" },
	{ "switches_out", CELL_COUNT, "switches out", MORE, OF_TASKS(COL_TASK_OUT), .was = "out" },
	THREAD_LABEL(.needs = name_needs),
	{ "former_names", CELL_TEXT, "former names of this id", MORE,
	    MADE(TRACE_EARLIER), .needs = name_needs, .was = "earlier" },
	{ "io_wait", CELL_TIME, "off CPU in sleeps that waited for I/O, if recorded", MORE,
	    IN(SHOW_SOME, COL_TASK_IO),
	    .needs = frequency_needs },
	{ "frequency", CELL_COUNT, "mean frequency of its CPU while it ran (kHz); empty: unknown", MORE,
	    IN(SHOW_SOME, COL_TASK_FREQUENCY), .needs = frequency_needs, .head = "kHz" },
	{ "idle", CELL_BOOL, IDLE_BY_TIMES, MORE,
	    NUMBER(COL_TASK_IDLE),
	    .needs = idle_needs }
};

const struct command source_tasks = {
	TASK_TABLE("tasks", "tasks with CPU time, run-queue time and waits",
	    "tasks | sort -max_wait | head 10", task_cols, COL_LISTED_TID),
	.lists_threads = true,
	.names = { "name" }
};

/* ---- CPUs ------------------------------------------------------------------------------ */

static const column_id use_needs[] = { COL_CPU_USE, COL_NONE };

static void
use_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	const struct column *use = store_column(s->st, COL_CPU_USE);

	c->type = use != NULL && use->type == COL_U8 && use->rows / USE_PARTS >= id ? CELL_TEXT : CELL_NONE;
	if (c->type == CELL_TEXT)
		c->text = (struct str){ column_span(use, (id - 1) * USE_PARTS, USE_PARTS), USE_PARTS };
}

static const struct coldef cpu_cols[] = {
	{ "cpu", CELL_ID, "number of the CPU", NUMBER(COL_CPU_NUMBER) },
	{ "busy", CELL_TIME, "busy time", NUMBER(COL_CPU_BUSY) },
	{ "idle", CELL_TIME, "idle time", NUMBER(COL_CPU_IDLE) },
	{ "utilisation", CELL_PERCENT, "utilisation: busy / (busy + idle)",
	    IN(TRACE_PART, COL_CPU_BUSY, .other = COL_CPU_IDLE), .was = "use", .head = "util" },
	{ "switches", CELL_COUNT, "context switches", NUMBER(COL_CPU_SWITCHES) },
	{ "max_idle", CELL_TIME, "longest idle interval", NUMBER(COL_CPU_MAX_IDLE) },
	{ "max_idle_at", CELL_TIME, "start of the longest idle interval", MORE, NUMBER(COL_CPU_MAX_IDLE_AT) },
	{ "unaccounted", CELL_TIME, "unaccounted time (lost switches)", MORE, NUMBER(COL_CPU_UNKNOWN),
	    .was = "unknown" },
	{ "frequency", CELL_COUNT, "mean frequency while it ran tasks (kHz); empty: unknown", MORE,
	    IN(SHOW_SOME, COL_CPU_FREQUENCY), .needs = frequency_needs, .head = "kHz" },
	{ "max_frequency", CELL_COUNT, "highest frequency (kHz)", MORE, IN(SHOW_SOME, COL_CPU_MAX_FREQUENCY),
	    .needs = frequency_needs, .head = "max kHz" },
	{ "use_over_time", CELL_TEXT, "CPU use in 20 equal parts: steps 0 to 8", MORE, COMPUTED(use_cell),
	    .needs = use_needs,
	    .bars = true, .head = "CPU use over time" }
};

static const column_id cpus_needs[] = { COL_CPU_NUMBER, COL_NONE };

const struct command source_cpus = {
	TASK_TABLE("cpus", "CPUs with utilisation", "cpus | sort -busy", cpu_cols, COL_CPU_NUMBER),
	.needs = cpus_needs,
	.names = { "cpu" }
};

/* ---- switches -------------------------------------------------------------------------- */

static const struct coldef switch_cols[] = {
	{ "id", CELL_ID, "switch number, in time order", OWN_NUMBER },
	{ "time", CELL_TIME, "time since the first event", NUMBER(COL_SWITCH_TIME) },
	{ "cpu", CELL_ID, "CPU, if known", IN(TRACE_CPU, COL_SWITCH_CPU) },
	{ "from", CELL_TEXT, "previous task; empty: idle",
	    THREAD_FROM(.by = COL_SWITCH_FROM), .needs = name_needs },
	{ "state", CELL_TEXT, "state of the previous task (kernel letter)",
	    IN(TRACE_LETTER, COL_SWITCH_STATE) },
	{ "to", CELL_TEXT, "next task; empty: idle",
	    THREAD_FROM(.by = COL_SWITCH_TO), .needs = name_needs },
	{ "from_id", CELL_ID, "id of the task switched out; 0: idle task", MORE, NUMBER(COL_SWITCH_FROM) },
	{ "to_id", CELL_ID, "id of the task switched in; 0: idle task", MORE, NUMBER(COL_SWITCH_TO) },
	{ "from_process", CELL_TEXT, "process of the previous task", MORE, .beside = SHAPE_MARKS,
	    IN(TRACE_PROCESS_OF, COL_SWITCH_FROM) },
	{ "process", CELL_TEXT, "process of the next task", MORE, .beside = SHAPE_MARKS,
	    IN(TRACE_PROCESS_OF, COL_SWITCH_TO) }
};

static const column_id switches_needs[] = { COL_SWITCH_TIME, COL_NONE };

const struct command source_switches = {
	TASK_TABLE("switches", "context switches", "switches | where cpu = 0 | head 3", switch_cols,
	    COL_SWITCH_TIME, .moments = true),
	.needs = switches_needs
};

/* ---- wakeups ------------------------------------------------------------------------- */

static void
waker_id_cell(UNUSED struct item_rows *s, uint64_t by, struct cell *c)
{
	cell_number(c, CELL_ID, WAKE_ID(by) <= TASKS_MOST ? WAKE_ID(by) : 0);
}

static void
waker_process_cell(struct item_rows *s, uint64_t by, struct cell *c)
{
	c->text = waker_process(s->st, (uint32_t)by);
}

/* Empty if the woken task was already running, or never got a CPU. */
static void
latency_cell(struct item_rows *s, uint64_t at, struct cell *c)
{
	c->type = at != 0 ? CELL_TIME : CELL_NONE;
	c->u = at == 0 ? 0 : store_cell(s->st, COL_SWITCH_TIME, at) - item_other(s);
}

static const struct coldef wakeup_cols[] = {
	{ "id", CELL_ID, "wakeup number, in time order", OWN_NUMBER },
	{ "time", CELL_TIME, "time since the first event", NUMBER(COL_WAKE_TIME) },
	{ "task", CELL_TEXT, "woken task", THREAD_FROM(.by = COL_WAKE_THREAD), .needs = name_needs },
	{ "waker", CELL_TEXT, "task that woke it, (irq) or (idle); empty: unknown",
	    IN(TRACE_WAKER, COL_WAKE_BY),
	    .needs = name_needs },
	{ "cpu", CELL_ID, "CPU of the waker", IN(TRACE_CPU, COL_WAKE_CPU) },
	{ "target_cpu", CELL_ID, "CPU on which it is woken, if known", IN(TRACE_CPU, COL_WAKE_TARGET) },
	{ "latency", CELL_TIME, "time until it runs; empty: already running, or never ran",
	    COMPUTED(latency_cell, .by = COL_WAKE_SWITCH, .other = COL_WAKE_TIME) },
	{ "context", CELL_TEXT, "task, irq, softirq or new", MADE(.word = waker_context, .by = COL_WAKE_BY) },
	{ "task_id", CELL_ID, "task id", MORE, NUMBER(COL_WAKE_THREAD) },
	{ "waker_id", CELL_ID, "id of the waker; empty: no task", MORE,
	    COMPUTED(waker_id_cell, .by = COL_WAKE_BY) },
	{ "process", CELL_TEXT, "process of the woken task", MORE, .beside = SHAPE_MARKS,
	    IN(TRACE_PROCESS_OF, COL_WAKE_THREAD) },
	{ "waker_process", CELL_TEXT, "process of the waker; empty: no task", MORE, .beside = SHAPE_MARKS,
	    COMPUTED(waker_process_cell, .by = COL_WAKE_BY) }
};

static const column_id wakeups_needs[] = { COL_WAKE_TIME, COL_NONE };

const struct command source_wakeups = {
	TASK_TABLE("wakeups", "wakeups of tasks, with the waker",
	    "wakeups | where latency > 1ms | group task waker : count | sort -count", wakeup_cols,
	    COL_WAKE_TIME, .moments = true),
	.needs = wakeups_needs
};
