/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_thread: choose the thread that Stack chart shows, its extent, and the window that another pane asked for.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/sampled.h"
#include "time.h"

/* Return the first thread with the maximum of a column; 0: all are 0. */
static uint32_t
busiest(const struct column *c)
{
	uint64_t	most = 0;

	for (uint64_t i = 1; c != NULL && i < c->rows; i++)
		if (column_get(c, i) > column_get(c, most))
			most = i;
	return c != NULL && c->rows > 0 && column_get(c, most) > 0 ? (uint32_t)most + 1 : 0;
}

/* A thread of a profile that only waits has no CPU time over its samples. */
static bool
only_waits(const struct store *st, uint32_t thread)
{
	struct track t;

	return sampled_track(st, thread, &t) && t.n > 0 &&
	    column_get(t.value, t.first + t.n - 1) == column_get(t.value, t.first);
}

/* The thread with most calls of those that do something; 0: all wait. */
static uint32_t
some_worker(const struct store *st)
{
	const struct column *calls = store_column(st, COL_THREAD_CALLS);
	uint32_t most = 0;

	for (uint32_t i = 1; calls != NULL && i <= calls->rows; i++)
		if (!only_waits(st, i) && (most == 0 || column_get(calls, i - 1) > column_get(calls, most - 1)))
			most = i;
	return most;
}

/* Choose the main thread, otherwise the one with most calls, then with most CPU time (tasks), then the first. */
static uint32_t
some_thread(const struct store *st)
{
	const struct column *is_main = store_column(st, COL_THREAD_MAIN);
	const struct column *calls = store_column(st, COL_THREAD_CALLS);
	bool		 tasks = load_shapes(st) & SHAPE_TASKS;
	uint32_t	 i = busiest(is_main), worker;

	/* The main thread may have no calls or samples, or do nothing in them. */
	if (i == 0 || (load_shapes(st) & (SHAPE_TASKS | SHAPE_SAMPLES) && column_get(calls, i - 1) == 0))
		i = busiest(calls);
	if (i != 0 && only_waits(st, i) && (worker = some_worker(st)) != 0)
		i = worker;
	if (i == 0 && tasks)
		i = busiest(store_column(st, COL_TASK_ON));
	return i != 0 ? i : is_main != NULL && is_main->rows > 0 ? 1 : 0;
}

/* Find the thread that was shown in the previous file, by tid and name. */
uint32_t
time_kept_thread(struct time_pane *t)
{
	const struct column *tids = store_column(t->st, COL_THREAD_TID);
	uint32_t	 i = 0;

	while ((i = time_named(t->st, COL_THREAD_TID, thread_name, buf_view(&t->kept.thread), i + 1)) != 0 &&
	    column_get(tids, i - 1) != t->kept.tid)
		;
	return i;
}

/* Compute the extent of the thread: all of its calls and tracks. */
static void
set_extent(struct time_pane *t)
{
	const struct lane *l;
	uint64_t	 from, to;

	t->axis.tick = trace_ns(t->st, 1);
	t->axis.tick += t->axis.tick == 0;
	t->axis.all_from = t->calls ? trace_ns(t->st, column_get(store_column(t->st, COL_THREAD_START),
	    t->thread - 1)) : UINT64_MAX;
	t->axis.all_to = t->calls ? trace_ns(t->st, column_get(store_column(t->st, COL_THREAD_END),
	    t->thread - 1)) : 0;
	for (size_t i = 0; i < t->lanes.n; i++) {
		l = &t->lanes.at[i];
		if (l->st != t->st || (l->track.cpu != 0 && t->axis.all_to > 0))
			continue;
		lane_stretch(l, lane_at(l, 0), &from, &to);
		axis_extend(&t->axis, from, lane_end(l));
	}
	axis_extended(&t->axis);
}

/* The next step back leads to the pane that led here. */
static void
lead(struct time_pane *t, uint64_t from, uint64_t to)
{
	struct span	call;
	struct err	err;

	t->led = true;
	if (t->aim_method != 0 && time_flow_call(t, t->thread, t->aim_method, t->aim_end ? to : from, &call,
	    &err))
		time_flow_show(t, &call, from, to);
	else if (t->exactly) {
		t->lanes.focus = 0;
		t->lanes.stretch = 0;
		t->begin = t->fresh = true;
		time_window(t, from, to, false);
	} else
		time_point(t, from, to);
	t->led = false;
}

bool
time_take_wanted(struct time_pane *t)
{
	const struct time_window aim = t->aim, w = t->wanted;

	t->aim = t->wanted = (struct time_window){ 0, 0 };
	if (aim.to > aim.from)
		lead(t, aim.from, aim.to);
	if (w.to > w.from && time_has_data(t, w.from, w.to))
		time_window(t, w.from, w.to, false);
	return aim.to > aim.from || w.to > w.from;
}

/* Show the window requested meanwhile, otherwise that of the previous snapshot or file. */
static void
set_window(struct time_pane *t)
{
	const struct time_window w = t->kept.window;

	axis_all(&t->axis);
	t->axis.own = time_take_wanted(t);
	if (!t->axis.own && w.to > w.from && w.from < t->axis.all_to && w.to > t->axis.all_from)
		time_window(t, w.from, w.to, false);
	else if (!t->axis.own)
		t->axis.range = (struct time_window){ 0, 0 };
	t->kept.window = (struct time_window){ 0, 0 };
}

void
time_set_thread(struct time_pane *t)
{
	struct track	track;

	if (t->thread == 0)
		t->thread = time_kept_thread(t);
	if (t->thread == 0)
		t->thread = some_thread(t->st);
	/* Stacks of samples count as calls too, but have no time order. */
	t->calls = t->thread != 0 && store_column(t->st, COL_SPAN_START) != NULL &&
	    column_get(store_column(t->st, COL_THREAD_CALLS), t->thread - 1) > 0;
	t->stacks = t->thread != 0 && !t->calls && sampled_track(t->st, t->thread, &track);
	time_tracks(t);
	if (t->thread == 0 && t->lanes.n == 0) {
		snprintf(t->error, sizeof t->error, "no threads and no tracks in this file");
		return;
	}
	set_extent(t);
	t->f.n = 0;
	t->f.top = t->f.sel_level = 0;
	t->spans.n = 0;
	t->sel_start = 0;
	t->sel_depth = 0;
	t->begin = t->kept.window.to <= t->kept.window.from;
	set_window(t);
	time_tracks_select(t);
	t->fresh = true;
}

void
time_thread(struct time_pane *t, uint32_t thread)
{
	time_stop(t);
	t->thread = thread;
	time_set_thread(t);
}
