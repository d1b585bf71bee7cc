/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "task idle": tasks that did next to nothing, by their states, and how many points their tracks have.
 */
#include "config.h"

#include "icecore/columns_sched.h"
#include "icecore/idle.h"
#include "sched_tracks.h"

struct task_idle {
	uint8_t		*idle;
	uint64_t	*points;
};

static bool
make_idle(struct task_idle *to, struct tracks *t, struct err *err)
{
	uint64_t n = t->feed.threads;

	return (to->idle = store_make(t->st, COL_TASK_IDLE, COL_U8, n, err)) != NULL &&
	    (to->points = store_make(t->st, COL_TASK_POINTS, COL_U64, 2 * n + t->cpus.n, err)) != NULL;
}

static bool
task_idle_run(struct store *st, struct work *w, struct err *err)
{
	struct tracks t = { .st = st, .work = w, .text = BUF_INIT };
	struct task_idle to;
	bool ok = sched_tracks_open(&t, err) && sched_tracks_walk(&t, err) && make_idle(&to, &t, err);
	uint64_t end = ok ? sched_tracks_end(&t) : 0;

	for (uint32_t i = 0; ok && i < t.feed.threads; i++) {
		struct task_track *k = sched_tracks_task_at(&t, i + 1);

		sched_tracks_count(k, end);
		to.idle[i] = k->state.begun &&
		    idle_thread(&(struct idle_times){ .whole = end, .run = k->ran, .blocked = k->waited });
		*to.points++ = k->state.at;
		*to.points++ = k->cpu.at;
	}
	for (uint32_t i = 0; ok && i < t.cpus.n; i++)
		*to.points++ = t.cpu.at[i].at;
	sched_tracks_close(&t);
	return ok;
}

const struct pass pass_task_idle = {
	.name = "task idle", .what = "idle tasks", .when = COL_SWITCH_TIME, .run = task_idle_run,
	.needs = PASS_COLUMNS(COL_SWITCH_TIME),
	.makes = PASS_COLUMNS(COL_TASK_IDLE, COL_TASK_POINTS)
};
