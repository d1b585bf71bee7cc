/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_pane: the Chart pane: its thread and extent.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/keys.h"
#include "time.h"
#include "timeline.h"
#include "ui/prompt/prompt.h"

/* ---- on the worker ------------------------------------------------------- */

/* Run the passes that the pane needs; lists of tasks have no calls in time order. */
static bool
time_pane_prepare(struct time_pane *t, struct work *work, struct err *err)
{
	struct store	*st = t->next;

	if (!pass_want(st, COL_THREAD_TID, work, err))
		return false;
	if (load_shapes(st) & SHAPE_TASKS && !pass_want(st, COL_TASK_ON, work, err))
		return false;
	if (load_shapes(st) & SHAPE_CALLS && (!pass_want(st, COL_CALL_METHOD, work, err) ||
	    !pass_want(st, COL_METHOD_CALLS, work, err) || !pass_want(st, COL_SPAN_START, work, err)))
		return false;
	return time_tracks_want(t, work, err);
}

static bool
time_pane_run(struct task *task, struct work *work, struct err *err)
{
	struct time_pane	*t = (struct time_pane *)task;

	if (t->job == TIME_SEEK)
		return time_seek(t, work, err);
	if (t->job == TIME_SEARCH)
		return time_search(t, work, err);
	if (t->job == TIME_LONGEST)
		return time_longest(t, work, err);
	if (t->job == TIME_FLOW)
		return time_flow_find(t, work, err);
	return time_pane_prepare(t, work, err);
}

/* ---- choosing the thread ------------------------------------------------- */

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

/* Choose the main thread, otherwise the one with most calls, then with most CPU time (tasks), then the first. */
static uint32_t
some_thread(const struct store *st)
{
	const struct column *is_main = store_column(st, COL_THREAD_MAIN);
	const struct column *calls = store_column(st, COL_THREAD_CALLS);
	bool		 tasks = load_shapes(st) & SHAPE_TASKS;
	uint32_t	 i = busiest(is_main);

	/* The main thread may have no calls or samples. */
	if (i == 0 || (load_shapes(st) & (SHAPE_TASKS | SHAPE_SAMPLES) && column_get(calls, i - 1) == 0))
		i = busiest(calls);
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
time_pane_set_extent(struct time_pane *t)
{
	const struct lane *l;
	uint64_t	 from, to;

	t->all.from = t->calls ? column_get(store_column(t->st, COL_THREAD_START), t->thread - 1) : UINT64_MAX;
	t->all.to = t->calls ? column_get(store_column(t->st, COL_THREAD_END), t->thread - 1) : 0;
	for (size_t i = 0; i < t->lanes.n; i++) {
		l = &t->lanes.at[i];
		if (l->st != t->st || (l->track.cpu != 0 && t->all.to > 0))
			continue;
		lane_stretch(l, lane_at(l, 0), &from, &to);
		from = time_ticks(t, from);
		to = time_ticks(t, lane_end(l));
		t->all.from = from < t->all.from ? from : t->all.from;
		t->all.to = to > t->all.to ? to : t->all.to;
	}
	if (t->all.from == UINT64_MAX)
		t->all.from = 0;
	if (t->all.to <= t->all.from)
		t->all.to = t->all.from + 1;
}

/* The next step back leads to the pane that led here. */
static void
lead(struct time_pane *t, uint64_t from, uint64_t to)
{
	struct span	call;
	struct err	err;

	t->led = true;
	if (t->aim_method != 0 && time_flow_call(t, t->thread, t->aim_method, t->aim_end ? to : from, &call, &err))
		time_flow_show(t, &call, from, to);
	else if (t->exactly) {
		t->lanes.focus = 0;
		t->lanes.stretch = 0;
		t->begin = t->fresh = true;
		time_window(t, time_ticks(t, from), time_ticks(t, to), false);
	} else
		time_point(t, from, to);
	t->led = false;
}

/* Select what another pane asked for, and show the window it asked for; false: none did. */
static bool
take_wanted(struct time_pane *t)
{
	const struct time_window aim = t->aim, w = t->wanted;

	t->aim = t->wanted = (struct time_window){ 0, 0 };
	if (aim.to > aim.from)
		lead(t, aim.from, aim.to);
	if (w.to > w.from && time_has_data(t, w.from, w.to))
		time_window(t, time_ticks(t, w.from), time_ticks(t, w.to), false);
	return aim.to > aim.from || w.to > w.from;
}

/* Show the window requested meanwhile, otherwise that of the previous snapshot or file. */
static void
set_window(struct time_pane *t)
{
	struct time_window	w = { time_ticks(t, t->kept.window.from), time_ticks(t, t->kept.window.to) };

	t->now = t->all;
	if (!take_wanted(t) && w.to > w.from && w.from < t->all.to && w.to > t->all.from)
		time_window(t, w.from, w.to, false);
	t->kept.window = (struct time_window){ 0, 0 };
}

static void
set_thread(struct time_pane *t)
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
	time_pane_set_extent(t);
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

/* ---- results of the worker ----------------------------------------------- */

/* Release everything of the store; keep the shown thread by name and tid, and the window in ns. */
static void
time_pane_release(struct time_pane *t)
{
	if (t->ready && t->thread != 0) {
		buf_clear(&t->kept.thread);
		thread_name(t->st, t->thread, &t->kept.thread);
		t->kept.tid = (uint32_t)column_get(store_column(t->st, COL_THREAD_TID), t->thread - 1);
		t->thread = 0;
		if (t->now.from != t->all.from || t->now.to != t->all.to)
			t->kept.window = (struct time_window){ time_ns(t, t->now.from), time_ns(t, t->now.to) };
	}
	lanes_clear(&t->lanes);
	spans_free(&t->spans);
	frames_clear(&t->f);
	free(t->search.set);
	t->search.set = NULL;
	t->search.nset = t->search.thread = 0;
	t->search.n = 0;
	t->search.text[0] = '\0';
	t->st = NULL;
	t->ready = t->calls = t->stacks = false;
	t->mark.open = false;
}

static void
time_pane_done(struct task *task, bool ok, const struct err *err)
{
	struct time_pane	*t = (struct time_pane *)task;

	if (!ok && t->job != TIME_PREPARE)
		ui_fail(task->ui, err);
	else if (!ok) {
		time_pane_release(t);
		snprintf(t->error, sizeof t->error, "%s",
		    err->kind == E_CANCEL ? "stopped; Enter resumes" : err->text);
	} else if (t->job == TIME_PREPARE) {
		time_pane_release(t);
		t->st = t->next;
		t->files = ui_session(task->ui)->nstores;
		time_tracks_told(t);
		t->ready = true;
		t->error[0] = '\0';
		set_thread(t);
		if (t->method != 0)
			time_give(t, TIME_LONGEST);
		return;
	} else {
		if (t->job == TIME_LONGEST && t->seek.hit && t->seek.thread != t->thread) {
			t->thread = t->seek.thread;
			set_thread(t);
		}
		time_found(t);
	}
	t->method = 0;
}

/* ---- the pane ------------------------------------------------------------ */

static void
time_pane_forget(struct pane *p)
{
	struct time_pane	*t = p->data;

	task_drop(&t->task);
	time_pane_release(t);
	t->next = NULL;
	t->method = 0;
}

/* Switch to another file; until it is ready, the pane shows the old one. */
static void
time_pane_reset(struct pane *p)
{
	struct time_pane	*t = p->data;

	if (t->ready && t->st == ui_file(p->ui) && t->files == ui_session(p->ui)->nstores)
		return;
	if (t->next != ui_file(p->ui)) {
		task_drop(&t->task);
		t->next = ui_file(p->ui);
	}
	time_give(t, TIME_PREPARE);
}

static void
time_pane_begin(struct pane *p)
{
	struct time_pane	*t = p->data;

	t->pane = p;
	t->search.hits = SCRATCH_INIT;
	t->display.length = FRAME_NS;
}

static void
time_pane_pane_close(struct pane *p)
{
	struct time_pane	*t = p->data;

	task_drop(&t->task);
	prompt_disown(t);
	lanes_clear(&t->lanes);
	free(t->lanes.at);
	spans_free(&t->spans);
	frames_free(&t->f);
	scratch_free(&t->search.hits);
	buf_free(&t->kept.thread);
	buf_free(&t->track);
	free(t->search.set);
}

static bool
time_pane_step(struct pane *p, uint64_t deadline)
{
	struct time_pane	*t = p->data;

	return t->ready && t->width > 0 && time_tracks_step(t, deadline);
}

/* ---- navigation from other panes ------------------------------------------- */

/*
 * Return the id in the file for an id of the view: the same id if its name matches, otherwise the first one with the
 * name; 0: none.
 */
static uint32_t
same_in_file(const struct ui *ui, uint32_t id, column_id column,
    void (*name)(const struct store *, uint32_t, struct buf *))
{
	struct buf	want = BUF_INIT;
	uint32_t	i;

	name(ui_store(ui), id, &want);
	i = time_named(ui_file(ui), column, name, buf_view(&want), id);
	if (i != id)
		i = time_named(ui_file(ui), column, name, buf_view(&want), 1);
	buf_free(&want);
	return i;
}

void
time_thread(struct time_pane *t, uint32_t thread)
{
	time_stop(t);
	t->thread = thread;
	set_thread(t);
}

static void
go_thread(struct pane *p, uint32_t thread, uint32_t method)
{
	struct time_pane *t = p->data;

	if (t->st != ui_file(p->ui))
		time_pane_forget(p);
	time_stop(t);
	t->method = method;
	if (thread != 0 && thread != t->thread) {
		t->thread = thread;
		if (t->ready)
			set_thread(t);
	} else
		t->fresh = t->ready;
	if (t->ready && method != 0)
		time_give(t, TIME_LONGEST);
}

/* Coming from Timeline: the range if it has some of that time, or the window of Timeline if it does not have all of it. */
static bool
time_pane_around(const struct pane *asker, uint64_t from, uint64_t to, struct time_window *w)
{
	if ((asker->kind->where & IN_TIMELINE) == 0)
		return false;
	if (look_ranged(asker->ui, &w->from, &w->to) && from < w->to && to > w->from)
		return true;
	return timeline_zoomed(asker, &w->from, &w->to) && (from < w->from || to > w->to);
}

static void
go_stretch(struct pane *p, const struct visit *v)
{
	struct time_pane *t = p->data;

	go_thread(p, v->id, 0);
	t->exactly = v->exactly;
	t->aim_method = v->method;
	t->aim_end = v->at_end;
	t->aim = (struct time_window){ v->from, v->until > v->from ? v->until : v->from + 1 };
	if (!time_pane_around(v->asker, t->aim.from, t->aim.to, &t->wanted))
		t->wanted = (struct time_window){ 0, 0 };
	if (t->ready && t->thread == v->id)
		take_wanted(t);
}

/* Go to a range or a time and select a call there, because the window may already show everything. */
static void
go_window(struct time_pane *t, uint64_t from, uint64_t to)
{
	if (!t->ready) {
		t->wanted = (struct time_window){ from, to };
		t->aim = (struct time_window){ from, to > from ? 0 : from + 1 };
	}
	else if (!time_has_data(t, from, to))
		return;
	else if (from < to)
		time_window(t, time_ticks(t, from), time_ticks(t, to), true);
	else {
		time_center(t, time_ticks(t, from), true);
		t->lanes.focus = 0;
		t->sel_start = time_ticks(t, from);
		t->fresh = true;
	}
}

static bool
time_pane_go(struct pane *p, const struct visit *v)
{
	struct time_pane *t = p->data;
	uint32_t	thread = v->id, method = v->method;

	if (v->to == PLACE_TRACK) {
		buf_clear(&t->track);
		buf_str(&t->track, v->about);
		t->track_process = v->method;
		go_thread(p, v->id, 0);
		if (t->ready)
			time_tracks_select(t);
		return true;
	}

	if (v->to == PLACE_STRETCH) {
		go_stretch(p, v);
		return true;
	}
	if (v->to == PLACE_WINDOW) {
		go_window(t, v->from, v->until);
		return true;
	}
	t->any = thread == 0;
	if (thread == 0 && method != 0)
		thread = ui_method_thread(p->ui, method);
	if (ui_session(p->ui)->view != NULL && thread != 0)
		thread = same_in_file(p->ui, thread, COL_THREAD_TID, thread_name);
	if (ui_session(p->ui)->view != NULL && method != 0)
		method = same_in_file(p->ui, method, COL_METHOD_RAW, method_name);
	go_thread(p, thread, method);
	return true;
}

/* The pane needs calls, tasks, tracks or samples with times. */
static bool
time_pane_fits(const struct ui *ui)
{
	return (ui_shapes(ui) & (SHAPE_INTERVALS | SHAPE_TASKS)) != 0 || sampled_has(ui_file(ui)) ||
	    column_rows(store_column(ui_store(ui), COL_TRACK_KIND)) > 0 || column_rows(store_column(ui_store(ui), COL_SERIES_KIND)) > 0;
}

const struct pane_kind pane_time = {
	"Chart", "spans", SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_SAMPLES, IN_TIME | IN_CLOCKS, sizeof(struct time_pane),
	.plain = true, .fits = time_pane_fits, .places = 1 << PLACE_TIME | 1 << PLACE_TRACK | 1 << PLACE_STRETCH | 1 << PLACE_WINDOW,
	.run = time_pane_run, .done = time_pane_done,
	.on = {
		[PANE_BEGINS] = time_pane_begin, [PANE_CLOSES] = time_pane_pane_close, [PANE_RESET] = time_pane_reset,
		[PANE_FORGETS] = time_pane_forget, [PANE_MARKED] = time_marked, [PANE_UNMARKS] = time_unmark
	},
	.tell = {
		[TELL_PATH] = time_path, [TELL_STRIP] = time_strip, [TELL_MODES] = time_modes, [TELL_STATUS] = time_status, [TELL_COPY] = time_copy,
		[TELL_QUERY] = time_text, [TELL_SUBJECT] = time_subject, [TELL_PLACE] = time_tell, [TELL_MARK] = time_mark
	},
	.step = time_pane_step, .draw = time_draw, .act = time_act, .find = time_find, .go = time_pane_go, .drag = time_drag,
	.put = time_put, .recall = time_recall, .details = time_details, .legend = time_legend_items
};
