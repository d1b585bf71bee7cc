/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "task idle": tasks that did next to nothing, by their states, of which no tracks are made.
 */
#include "config.h"

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "sched_tracks.h"

static bool
task_idle_run(struct store *st, struct work *w, struct err *err)
{
	struct tracks t = { .st = st, .work = w, .text = BUF_INIT };
	uint8_t *idle = store_make(st, COL_TASK_IDLE, COL_U8, column_rows(store_column(st, COL_LISTED_TID)), err);
	bool ok = idle != NULL && sched_tracks_open(&t, err) && sched_tracks_walk(&t, err);
	uint64_t end = ok ? sched_tracks_end(&t) : 0;

	for (uint32_t i = 1; ok && i <= t.feed.threads; i++) {
		struct task_track *k = sched_tracks_task_at(&t, i);

		sched_tracks_count(k, end);
		idle[i - 1] = k->state.begun && times_idle(k->ran, k->waited, end);
	}
	sched_tracks_close(&t);
	return ok;
}

const struct pass pass_task_idle = {
	.name = "task idle", .what = "idle tasks", .when = COL_SWITCH_TIME, .run = task_idle_run,
	.needs = PASS_COLUMNS(COL_SWITCH_TIME),
	.makes = PASS_COLUMNS(COL_TASK_IDLE)
};
