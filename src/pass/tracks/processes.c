/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Passes "processes" and "process times": threads, frames, late frames and task times of each process.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/make.h"
#include "icecore/sched.h"
#include "scheds.h"

struct process_sum {
	uint64_t	cpu, delay, disk;
	uint32_t	threads, main, frames, late;
};

/*
 * The sums of a process, numbered from 1. Numbers out of range share the sums of process 0, which are
 * dropped.
 */
static struct process_sum *
process_sum_of(struct scratch *sums, const struct store *st, uint64_t process)
{
	return &SCRATCH(*sums, struct process_sum)[process <= column_rows(store_column(st,
	    COL_PROCESS_PID)) ? process : 0];
}

static bool
process_has_sums(struct scratch *sums, const struct store *st, struct err *err)
{
	return scratch_array(sums, column_rows(store_column(st, COL_PROCESS_PID)) + 1,
	    sizeof(struct process_sum), err);
}

static bool
process_put_sums(struct scratch *sums, struct store *st, const struct make_column *columns, size_t n,
    struct err *err)
{
	return make_columns(st, columns, n,
	    MAKE_ROWS(SCRATCH(*sums, struct process_sum) + 1, column_rows(store_column(st, COL_PROCESS_PID))),
	    err);
}

/* ---- threads and frames -------------------------------------------------------------- */

static void
count_process_threads(const struct store *st, struct scratch *sums)
{
	const struct column *process = store_column(st, COL_LISTED_PROCESS),
	    *told = store_column(st, COL_LISTED_TOLD), *pid = store_column(st, COL_LISTED_PID);
	/* Threads with a reused id have another number in the store. */
	const struct column *tid = told != NULL ? told : store_column(st, COL_LISTED_TID);

	for (uint64_t i = 0; i < column_rows(process); i++) {
		struct process_sum *s = process_sum_of(sums, st, column_get(process, i));

		s->threads++;
		if (tid != NULL && pid != NULL && column_get(pid, i) != 0 &&
		    column_get(tid, i) == column_get(pid, i))
			s->main = (uint32_t)i + 1;
	}
}

static bool
count_process_frames(const struct store *st, struct scratch *sums, struct work *w, struct err *err)
{
	uint64_t n = column_rows(store_column(st, COL_FRAME_ACTUAL));
	struct sched_range range = sched_range_of(st);

	work_start(w, "processes", n);
	for (uint64_t frame = 1; frame <= n; frame++) {
		struct process_sum *s;

		if (!work_each(w, frame, 4096, err))
			return false;
		if (store_cell(st, COL_FRAME_START, frame) >= range.to ||
		    store_cell(st, COL_ASYNC_END, store_cell(st, COL_FRAME_ACTUAL, frame)) < range.from)
			continue;
		s = process_sum_of(sums, st, store_cell(st, COL_FRAME_PROCESS, frame));
		s->frames++;
		s->late += store_cell(st, COL_FRAME_LATE, frame) != 0;
	}
	return true;
}

static bool
processes_run(struct store *st, struct work *w, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_PROCESS_THREADS, process_sum, threads), MAKE(COL_PROCESS_MAIN, process_sum, main),
		MAKE(COL_PROCESS_FRAMES, process_sum, frames), MAKE(COL_PROCESS_LATE, process_sum, late),
	};
	OWN_SCRATCH sums = SCRATCH_INIT;
	bool ok = process_has_sums(&sums, st, err);

	if (ok)
		count_process_threads(st, &sums);
	return ok && count_process_frames(st, &sums, w, err) &&
	    process_put_sums(&sums, st, columns, NELEM(columns), err);
}

const struct pass pass_processes = {
	.name = "processes", .what = "threads and frames of each process", .when = COL_LISTED_PROCESS,
	    .run = processes_run,
	.needs = PASS_COLUMNS(COL_PROCESS_PID),
	.makes = PASS_COLUMNS(COL_PROCESS_THREADS, COL_PROCESS_MAIN, COL_PROCESS_FRAMES, COL_PROCESS_LATE)
};

/* ---- times of tasks ------------------------------------------------------------------- */

static bool
process_times_run(struct store *st, UNUSED struct work *w, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_PROCESS_CPU, process_sum, cpu), MAKE(COL_PROCESS_DELAY, process_sum, delay),
		MAKE(COL_PROCESS_DISK, process_sum, disk),
	};
	const struct column *process = store_column(st, COL_LISTED_PROCESS);
	OWN_SCRATCH sums = SCRATCH_INIT;
	bool ok = process_has_sums(&sums, st, err);

	for (uint64_t i = 0; ok && i < column_rows(process); i++) {
		struct process_sum *s = process_sum_of(&sums, st, column_get(process, i));

		s->cpu = num_add(s->cpu, store_cell(st, COL_TASK_ON, i + 1));
		s->delay = num_add(s->delay, store_cell(st, COL_TASK_DELAY, i + 1));
		s->disk = num_add(s->disk, store_cell(st, COL_TASK_DISK, i + 1));
	}
	return ok && process_put_sums(&sums, st, columns, NELEM(columns), err);
}

const struct pass pass_process_times = {
	.name = "process times", .what = "task times of each process", .when = COL_SWITCH_TIME,
	    .run = process_times_run,
	.needs = PASS_COLUMNS(COL_TASK_ON),
	.makes = PASS_COLUMNS(COL_PROCESS_CPU, COL_PROCESS_DELAY, COL_PROCESS_DISK)
};
