/*
 * Pass "task idle": tasks that did next to nothing, by their states.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/sums.h"

static bool
task_idle_run(struct store *st, struct work *w, struct err *err)
{
	uint64_t tasks = column_rows(store_column(st, COL_LISTED_TID)), n = tracks_count(st), end = tracks_end(st);
	uint8_t *idle = store_make(st, COL_TASK_IDLE, COL_U8, tasks, err);
	struct scratch seen = SCRATCH_INIT;
	struct track_sums sums;
	struct track track;
	bool ok = idle != NULL && scratch_array(&seen, tasks, 1, err);

	work_start(w, "idle tasks", n);
	for (size_t i = 0; ok && i < n; i++) {
		if (!(ok = work_go(w, i, err)))
			break;
		/* The first of a task counts. */
		if (!track_get(st, i, &track) || track.thread == 0 || track.thread > tasks || strcmp(track.name, "state") != 0 ||
		    seen.data[track.thread - 1])
			continue;
		seen.data[track.thread - 1] = 1;
		ok = sums_make(&sums, st, &track, end, false, w, err);
		idle[track.thread - 1] = ok && sums_idle(&sums);
		sums_free(&sums);
	}
	scratch_free(&seen);
	return ok;
}

const struct pass pass_task_idle = {
	.name = "task idle", .what = "idle tasks", .when = COL_SWITCH_TIME, .run = task_idle_run,
	.needs = PASS_COLUMNS(COL_TRACK_KIND),
	.makes = PASS_COLUMNS(COL_TASK_IDLE)
};
