/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_recall: places of the pane Stack chart: the thread, by name and tid in marks; the window and the start of
 * the selected call, ns.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "time.h"

#define TIME_AT(F, s) F(s, NUMBER, MARK, tid) F(s, TEXT, MARK, thread) F(s, NUMBER, STEP, id) F(s, NUMBER, BOTH, from) \
	F(s, NUMBER, BOTH, to) F(s, NUMBER, BOTH, start) F(s, NUMBER, BOTH, depth) F(s, NUMBER, STEP, stretch) F(s, \
	    NUMBER, STEP, focus) \
	F(s, NUMBER, STEP, top) F(s, NUMBER, STEP, frames_top)

PLACED(time_at, TIME_AT);

static bool
time_recall_take(struct pane *p, void *place, enum placed_use use)
{
	struct time_pane *t = p->data;
	struct time_at	*at = place;
	const struct span *s = use == OF_MARK || !t->fresh ? time_selected(t) : NULL;

	if (!t->ready || (use == OF_MARK && t->thread == 0))
		return false;
	if (t->thread != 0) {
		at->tid = column_get(store_column(t->st, COL_THREAD_TID), t->thread - 1);
		thread_name(t->st, t->thread, &at->thread);
	}
	at->id = t->thread;
	at->from = t->axis.from;
	at->to = t->axis.to;
	at->start = s != NULL ? s->start : t->sel_start;
	at->depth = s != NULL ? s->depth : t->sel_depth;
	at->stretch = t->lanes.stretch;
	at->focus = t->lanes.focus;
	at->top = t->lanes.top;
	at->frames_top = t->f.top;
	return true;
}

/* Choose the thread of a mark, by name; false: the file lacks it, or has no data in its window. */
static bool
time_recall_find_thread(struct time_pane *t, const struct time_at *at)
{
	uint32_t	 thread;

	buf_clear(&t->kept.thread);
	buf_str(&t->kept.thread, buf_view(&at->thread));
	t->kept.tid = (uint32_t)at->tid;
	thread = time_kept_thread(t);
	if (thread != 0 && thread != t->thread)
		time_thread(t, thread);
	if (thread == 0)
		ui_say(t->pane->ui, "the thread of this mark is not in this file");
	return thread != 0 && at->from < at->to && at->from < t->axis.all_to && at->to > t->axis.all_from;
}

static bool
time_recall_go(struct pane *p, void *place, enum placed_use use, bool moved)
{
	struct time_pane *t = p->data;
	const struct time_at *at = place;

	if (!t->ready || (use == OF_MARK && t->task.given))
		return use == OF_STEP;
	if (use == OF_MARK && !time_recall_find_thread(t, at))
		return true;
	if (use == OF_STEP && !moved && at->id != t->thread)
		time_thread(t, (uint32_t)at->id);
	time_stop(t);
	time_window(t, at->from, at->to, false);
	t->axis.own = true;
	t->fresh = true;
	t->begin = t->under = false;
	t->sel_start = axis_floor(&t->axis, at->start);
	t->sel_depth = (uint32_t)at->depth;
	if (use == OF_MARK || moved)
		return true;
	t->lanes.focus = at->focus <= t->lanes.n ? (size_t)at->focus : 0;
	t->lanes.stretch = t->lanes.focus == at->focus ? at->stretch : 0;
	t->lanes.top = (size_t)at->top;
	t->f.top = (size_t)at->frames_top;
	return true;
}

const struct placed_kind time_places = PLACED_KIND(time_at, TIME_AT, time_recall_take, time_recall_go);
