/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_processes: the processes of a trace of a whole system.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/facts.h"
#include "icecore/sched.h"
#include "icecore/view.h"
#include "query/trace/trace.h"

static const column_id count_needs[] = { COL_PROCESS_THREADS, COL_NONE };
static const column_id times_needs[] = { COL_PROCESS_CPU, COL_NONE };

/* CPU time as a share of one CPU over the trace, or over the range of the view. */
static void
process_util_cell(struct item_rows *s, uint64_t cpu, struct cell *c)
{
	uint64_t from, to, begin = sched_recorded_from(s->st), end = sched_recorded_to(s->st);

	view_range(s->st, &from, &to);
	from = from > begin ? from : begin;
	to = to < end ? to : end;
	cell_use(cpu, to > from ? to - from : 0, c);
}

#define COUNTED(col) NUMBER(col), .needs = count_needs
#define TIMES(col) NUMBER(col), .needs = times_needs, .beside = SHAPE_TASKS

static const struct coldef process_cols[] = {
	{ "id", CELL_ID, "process number", OWN_NUMBER },
	{ "name", CELL_TEXT, "name, or the id of a nameless process", MADE(TRACE_PROCESS), .cut = CUT_FRONT },
	{ "pid", CELL_TEXT, "process id in the file", MADE(TRACE_PID) },
	{ "threads", CELL_COUNT, "number of threads", COUNTED(COL_PROCESS_THREADS) },
	{ "cpu", CELL_TIME, "CPU time of its threads", TIMES(COL_PROCESS_CPU) },
	{ "utilisation", CELL_PERCENT, "CPU share of the trace or range; over 100 %: several CPUs",
	    COMPUTED(process_util_cell, .by = COL_PROCESS_CPU), .needs = times_needs, .beside = SHAPE_TASKS,
	    .head = "util" },
	{ "run_queue", CELL_TIME, "run-queue time of its threads", TIMES(COL_PROCESS_DELAY) },
	{ "disk", CELL_TIME, "uninterruptible sleep (D) of its threads", TIMES(COL_PROCESS_DISK) },
	{ "frames", CELL_COUNT, "frames (Android)", COUNTED(COL_PROCESS_FRAMES) },
	{ "late_frames", CELL_COUNT, "frames presented late (see frames)", COUNTED(COL_PROCESS_LATE) },
	{ "main_id", CELL_ID, "number of its main thread; 0: unknown", MORE, COUNTED(COL_PROCESS_MAIN) },
	{ "uid", CELL_TEXT, "user id; empty: unknown", MORE, WORD(COL_PROCESS_UID) },
	{ "parent", CELL_TEXT, "process that started it; empty: unknown", MORE,
	    IN(TRACE_PROCESS, COL_PROCESS_PARENT) },
	{ "parent_id", CELL_ID, "number of that process", MORE, NUMBER(COL_PROCESS_PARENT) },
	{ "cmdline", CELL_TEXT, "command line; empty: unknown", MORE, WORD(COL_PROCESS_COMMAND) }
};

const struct command source_processes = {
	TABLE_SOURCE("processes", "processes of a trace, with threads, CPU time and frames",
	    "processes | sort -threads", SHAPE_MARKS, process_cols,
	    COL_PROCESS_PID), .views = VIEWS_OF_TIMES,
	.names = { "name" }
};
