/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass idle: threads that did almost nothing: less than 1% of the elapsed time on a CPU, in calls and by their clock, and
 * at least 95% of their wall time in one stack, or no time at all between their first record and the last.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/pass.h"

/* The most time in one stack, by thread. */
static bool
find_longest(struct store *st, uint64_t *longest, uint64_t n, struct work *w, struct err *err)
{
	const struct column *thread = store_column(st, COL_CALL_THREAD), *self = store_column(st, COL_CALL_SELF_WALL);
	uint64_t of, time;

	for (uint64_t row = 0; row < column_rows(thread); row++) {
		if (row % 4096 == 0 && !work_tick(w, row))
			return fail_cancel(err);
		of = column_get(thread, row);
		time = column_get(self, row);
		if (of > 0 && of <= n && time > longest[of - 1])
			longest[of - 1] = time;
	}
	return true;
}

static uint64_t
idle_elapsed(const struct column *start, const struct column *end)
{
	uint64_t first = UINT64_MAX, last = 0, at;

	for (uint64_t i = 0; i < column_rows(start); i++) {
		at = column_get(start, i);
		first = at < first ? at : first;
		at = column_get(end, i);
		last = at > last ? at : last;
	}
	return last > first ? last - first : 0;
}

static bool
is_at_least(uint64_t part, uint64_t percent, uint64_t whole)
{
	return (unsigned __int128)part * 100 >= (unsigned __int128)whole * percent;
}

static bool
idle_run(struct store *st, struct work *w, struct err *err)
{
	const struct column *wall = store_column(st, COL_THREAD_WALL), *cpu = store_column(st, COL_THREAD_CPU);
	const struct column *clock = store_column(st, COL_THREAD_CLOCK);
	const struct column *start = store_column(st, COL_THREAD_START), *end = store_column(st, COL_THREAD_END);
	uint64_t n = column_rows(wall), all = idle_elapsed(start, end);
	bool clocks = trace_has_clock(st, CLOCK_WALL) && trace_has_clock(st, CLOCK_CPU);
	struct scratch longest = SCRATCH_INIT;
	uint64_t *most, time;
	uint8_t *idle = NULL;
	bool ok;

	work_start(w, "idle threads", column_rows(store_column(st, COL_CALL_THREAD)));
	ok = scratch_array(&longest, n, sizeof *most, err);
	most = SCRATCH(longest, uint64_t);
	ok = ok && (!clocks || find_longest(st, most, n, w, err)) &&
	    (idle = store_make(st, COL_THREAD_IDLE, COL_U8, n, err)) != NULL;
	for (uint64_t i = 0; ok && clocks && i < n; i++) {
		time = column_get(wall, i);
		idle[i] = !is_at_least(column_get(cpu, i), 1, all) && !is_at_least(column_get(clock, i), 1, all) &&
		    (time > 0 ? is_at_least(most[i], 95, time) : column_get(start, i) == column_get(end, i));
	}
	scratch_free(&longest);
	return ok;
}

const struct pass pass_idle = {
	.name = "idle", .what = "idle threads", .run = idle_run,
	.needs = PASS_COLUMNS(COL_CALL_THREAD, COL_CALL_SELF_WALL),
	.makes = PASS_COLUMNS(COL_THREAD_IDLE)
};
