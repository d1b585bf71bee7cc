/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_pane: the pane Stack chart: results of the worker, and what other panes ask for.
 */
#include "config.h"

#include <stdlib.h>

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
		if (axis_zoomed(&t->axis))
			t->kept.window = (struct time_window){ t->axis.from, t->axis.to };
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
	t->axis.mark.open = false;
}

static void
show_flow(struct time_pane *t)
{
	const struct time_seek *k = &t->seek;

	if (!k->hit) {
		ui_say(t->pane->ui, "%s", k->backward ?
		    hint(VERB_FLOW, "no flow ends in this call; _ shows flows that start here").s :
		    hint(VERB_FLOW_BACK, "no flow starts in this call; _ shows flows that end here").s);
		return;
	}
	step_add(t->pane, STEP_VISIT, "flow");
	if (k->thread != t->thread)
		time_thread(t, k->thread);
	time_flow_show(t, &k->found, k->at < k->there ? k->at : k->there, k->at < k->there ? k->there :
	    k->at);
}

static void
time_pane_done(struct task *task, bool ok, const struct err *err)
{
	struct time_pane	*t = (struct time_pane *)task;

	if (!ok && t->job != TIME_PREPARE)
		ui_fail(task->ui, err);
	else if (!ok) {
		time_pane_release(t);
		task_why(err, t->error, sizeof t->error);
	} else if (t->job == TIME_PREPARE) {
		time_pane_release(t);
		t->st = t->next;
		t->files = ui_session(task->ui)->nstores;
		time_tracks_told(t);
		t->ready = true;
		t->error[0] = '\0';
		time_set_thread(t);
		if (t->method != 0)
			time_give(t, TIME_LONGEST);
		return;
	} else if (t->job == TIME_FLOW)
		show_flow(t);
	else {
		if (t->job == TIME_LONGEST && t->seek.hit && t->seek.thread != t->thread) {
			t->thread = t->seek.thread;
			time_set_thread(t);
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
time_pane_close(struct pane *p)
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

static void
time_pane_follow(struct pane *p)
{
	struct time_pane	*t = p->data;

	if (t->ready && axis_follow(&t->axis, p))
		time_marked(p);
}

static bool
time_pane_step(struct pane *p, uint64_t deadline)
{
	struct time_pane	*t = p->data;

	return t->ready && t->axis.w > 0 && time_tracks_step(t, deadline);
}

/* ---- navigation from other panes ------------------------------------------- */

/*
 * Return the id in the file for an id of the view: the same id if its name matches, otherwise the first one
 * with the name; 0: none.
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
			time_set_thread(t);
	} else
		t->fresh = t->ready;
	if (t->ready && method != 0)
		time_give(t, TIME_LONGEST);
}

/*
 * Coming from Timeline: the range if it has some of that time, or the window of Timeline if it does not
 * have all of it.
 */
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
		time_take_wanted(t);
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
		time_window(t, from, to, true);
	else {
		time_center(t, from, true);
		t->lanes.focus = 0;
		t->sel_start = axis_floor(&t->axis, from);
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
		t->track_before = v->n;
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
	    column_rows(store_column(ui_store(ui), COL_TRACK_KIND)) > 0 ||
	    column_rows(store_column(ui_store(ui), COL_SERIES_KIND)) > 0;
}

/* Keys wait for the first rows. */
static bool
time_pane_busy(struct pane *p)
{
	const struct time_pane *t = p->data;

	return !t->ready && t->task.given;
}

const struct pane_kind pane_time = {
	"Stack chart", "spans", SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_SAMPLES, IN_TIME | IN_CLOCKS,
	    sizeof(struct time_pane),
	.plain = true, .fits = time_pane_fits, .places =
	1 << PLACE_TIME | 1 << PLACE_TRACK | 1 << PLACE_STRETCH | 1 << PLACE_WINDOW,
	.run = time_pane_run, .done = time_pane_done,
	.on = {
		[PANE_BEGINS] = time_pane_begin, [PANE_CLOSES] = time_pane_close,
		    [PANE_RESET] = time_pane_reset,
		[PANE_FORGETS] = time_pane_forget, [PANE_MARKED] = time_marked, [PANE_UNMARKS] = time_unmark,
		[PANE_FOLLOWS] = time_pane_follow
	},
	.tell = {
		[TELL_PATH] = time_path, [TELL_STRIP] = time_strip, [TELL_MODES] = time_modes,
		    [TELL_STATUS] = time_status, [TELL_COPY] = time_copy,
		[TELL_QUERY] = time_text, [TELL_SUBJECT] = time_subject
	},
	.step = time_pane_step, .draw = time_draw, .busy = time_pane_busy, .act = time_act, .find = time_find,
	.go = time_pane_go,
	.drag = time_drag,
	.place = &time_places, .details = time_details, .legend = time_legend_items
};
