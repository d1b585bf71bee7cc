/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of call graphs with costs: functions, and arcs from callers to callees.  A ref is text in the
 * source (ref_make).
 *
 * Columns of costs have a value for each event: row (event - 1) * rows + n is that of row n, all from 1.
 * Numbers of calls are those of all threads, then those of each thread: cost.thread of the event instead of
 * event - 1.
 */
#ifndef ICECORE_COLUMNS_COSTS_H
#define ICECORE_COLUMNS_COSTS_H

#include "icecore/columns.h"

#define COLUMNS_COSTS(ROW) \
	/* Functions, in the order of the file. */ \
	ROW(COST_NAME, "cost.name")			/* ref */ \
	ROW(COST_FILE, "cost.file")			/* ref */ \
	ROW(COST_OBJECT, "cost.object")			/* ref: program or library */ \
	/* u32 or u64, for each thread: calls of the function by all arcs. */ \
	ROW(COST_CALLS, "cost.calls") \
	/* u32: number of the cycle that it is in, from 1; 0: none. */ \
	ROW(COST_CYCLE, "cost.cycle") \
	ROW(COST_SELF, "cost.self")			/* u32 or u64, for each event */ \
	ROW(COST_TOTAL, "cost.total")			/* the same: self and all arcs to other functions */ \
	ROW(COST_SUM, "cost.sum")			/* u64: by event, of all self costs */ \
	/* By event: row of the thread with these costs; 0: all threads. */ \
	ROW(COST_THREAD, "cost.thread") \
	/* Arcs, in the order of the file; each pair of functions has one. */ \
	ROW(ARC_CALLER, "arc.caller")			/* u32: function */ \
	ROW(ARC_CALLEE, "arc.callee")			/* u32: function */ \
	ROW(ARC_CALLS, "arc.calls")			/* u32 or u64, for each thread */ \
	/* u32 or u64, for each event: cost of the calls, including all that they call. */ \
	ROW(ARC_COST, "arc.cost") \
	/* Lines of the source, each in a function, in the order of the file. */ \
	ROW(COST_LINE_FUNCTION, "cost.line_function")	/* u32 */ \
	/* ref: file of the line; for inlined lines it differs from that of the function. */ \
	ROW(COST_LINE_FILE, "cost.line_file") \
	ROW(COST_LINE, "cost.line")			/* number of the line; 0: unknown */ \
	ROW(COST_LINE_SELF, "cost.line_self")		/* u32 or u64, for each event */ \
	ROW(COST_LINE_TOTAL, "cost.line_total")		/* the same: self and its calls of other functions */

COLUMN_FAMILY(COSTS, COL_NUMBER, COL_OF_COUNTS);

#endif
