/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_keys: keys of the pane Stack chart.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "time.h"
#include "ui/prompt/prompt.h"

/* ---- the window ---------------------------------------------------------- */

/* Around the middle of the visible part of the selection. */
static void
time_keys_zoom(struct time_pane *t, bool in)
{
	struct axis	a = t->axis;
	uint64_t	w = a.to - a.from, from, to;

	if (!time_piece(t, &from, &to) || to <= a.from || from >= a.to) {
		from = a.from;
		to = a.to;
	}
	from = from > a.from ? axis_floor(&a, from) : a.from;
	to = to < a.to ? axis_floor(&a, to) : a.to;
	w = in ? axis_part(&a, w, 2) : w < UINT64_MAX / 2 ? w * 2 : w;
	if (w == 0)
		return;
	axis_around(&a, from + axis_part(&a, to - from, 2), axis_part(&a, w, 2), w);
	time_axis(t, &a, true);
}

static void
time_keys_pan(struct time_pane *t, bool left)
{
	struct axis	a = t->axis;

	axis_pan(&a, left);
	time_axis(t, &a, false);
}

static void
time_keys_fit(struct time_pane *t)
{
	uint64_t	from, to;

	if (time_piece(t, &from, &to))
		time_window(t, from, to, true);
}

/* Center the window on the start or the end of the selection. */
static void
go_edge(struct time_pane *t, bool end)
{
	uint64_t	from, to;

	if (time_piece(t, &from, &to))
		time_center(t, end ? to : from, false);
}

/* ---- calls --------------------------------------------------------------- */

/* Start a search, unless the same search already runs (key held down). */
static void
time_keys_seek(struct time_pane *t, uint32_t method, uint64_t longer, uint64_t start, bool backward)
{
	if (t->task.given && t->job == TIME_SEEK && t->seek.method == method && t->seek.longer == longer &&
	    t->seek.start == start && t->seek.backward == backward)
		return;
	time_stop(t);
	t->seek.method = method;
	t->seek.longer = longer;
	t->seek.start = start;
	t->seek.backward = backward;
	time_give(t, TIME_SEEK);
}

static void
next_call(struct time_pane *t, bool backward)
{
	const struct box *fr = frames_selected(&t->f);
	const struct span *s = time_selected(t);

	if (t->stacks) {
		ui_say(t->pane->ui, "samples do not show single calls");
		return;
	}
	if (s == NULL || fr->group > 0) {
		ui_say(t->pane->ui, "several short calls in this cell; + zooms in");
		return;
	}
	time_keys_seek(t, s->method, 0, s->start, backward);
}

static void
next_longer(struct time_pane *t, bool backward)
{
	const struct span *s = time_selected(t);

	if (!t->calls || s == NULL)
		return;
	t->display.on = true;
	time_keys_seek(t, 0, t->display.length, s->start, backward);
}

/* ---- display frames --------------------------------------------------------- */

/* Switch display-frame boundaries on or off.  They are counted from the start of the selection. */
static void
borders(struct time_pane *t)
{
	uint64_t	from, to;

	t->display.on = !t->display.on;
	t->display.from = t->display.on && time_piece(t, &from, &to) ? from : 0;
	if (t->display.on && (t->axis.to - t->axis.from) / t->display.length >= (uint64_t)t->axis.w / 3)
		ui_say(t->pane->ui, "zoom in (+) to see frame boundaries");
}

static void
length_entered(void *asker, const char *line)
{
	struct time_pane *t = asker;
	char		*end;
	double		 ms;

	if (*line == '\0')
		return;
	ms = strtod(line, &end);
	if (strcmp(end, "Hz") == 0 && ms > 0) {
		ms = 1000 / ms;
		end += 2;
	} else if (strcmp(end, "ms") == 0)
		end += 2;
	if (*end != '\0' || !(ms >= 0.001 && ms <= 1e7)) {
		ui_say(t->pane->ui, "not a frame time; e.g. 16.67 or 60Hz");
		return;
	}
	t->display.length = (uint64_t)(ms * 1e6 + 0.5);
	t->display.on = true;
}

/* ---- the range -------------------------------------------------------------- */

/* After the selection moved, extend the range being marked to it. */
void
time_extend(struct time_pane *t)
{
	uint64_t	from, to, cell = axis_step(&t->axis);
	bool		moved = t->extend;

	t->extend = false;
	if (!moved || !t->axis.mark.open || !time_piece(t, &from, &to))
		return;
	if (from >= t->axis.mark.anchor)
		from = to > t->axis.mark.anchor + cell ? to - cell : t->axis.mark.anchor;
	axis_mark(&t->axis, from, cell);
}

/* Move the end of the range by a cell; the window follows. */
static void
time_keys_mark(struct time_pane *t, bool left)
{
	uint64_t	cell = axis_step(&t->axis), at = t->axis.mark.at, first = t->axis.all_from,
	    w = t->axis.to - t->axis.from;

	at = left ? (at > first + cell ? at - cell : first) : num_add(at, cell);
	if (!left && num_add(at, cell) > t->axis.all_to)
		at = t->axis.mark.at;
	axis_mark(&t->axis, at, cell);
	if (at < t->axis.from)
		time_window(t, at, at + w, false);
	at = axis_floor(&t->axis, num_add(at, cell));
	if (at > t->axis.to)
		time_window(t, at - w, at, false);
}

/* Begin at the visible start of the selection. */
static void
time_keys_range(struct time_pane *t)
{
	uint64_t	from, to, now = t->axis.from;

	axis_range(&t->axis, t->pane->ui, time_piece(t, &from, &to) && from > now && from < t->axis.to ? from : now);
}

/* ---- back ------------------------------------------------------------------- */

/* Return to the pane that led here; false: there is none. */
static bool
time_keys_leave(struct time_pane *t)
{
	struct ui	*ui = t->pane->ui;
	struct pane	*p;

	if (ui_leave(t->pane))
		return true;
	p = ui_answers(ui, PLACE_THREADS);
	if (p == NULL)
		p = ui_answers(ui, PLACE_CPU);
	if (p != NULL)
		ui_show(ui, p);
	return p != NULL;
}

static bool
time_keys_go_back(struct time_pane *t)
{
	if (t->axis.mark.open) {
		t->axis.mark.open = false;
		return true;
	}
	return step_back(t->pane) || time_keys_leave(t);
}

/* ---- verbs ------------------------------------------------------------------- */

static bool
act_window(struct time_pane *t, enum verb verb)
{
	switch (verb) {
	case VERB_ZOOM_IN: case VERB_ZOOM_OUT:
		time_keys_zoom(t, verb == VERB_ZOOM_IN);
		return true;
	case VERB_PAN_LEFT: case VERB_PAN_RIGHT:
		if (t->axis.mark.open)
			time_keys_mark(t, verb == VERB_PAN_LEFT);
		else
			time_keys_pan(t, verb == VERB_PAN_LEFT);
		return true;
	case VERB_FIT: case VERB_ENTER:
		time_keys_fit(t);
		return true;
	case VERB_ALL:
		time_window(t, t->axis.all_from, t->axis.all_to, true);
		return true;
	case VERB_TO_START: case VERB_TO_END:
		go_edge(t, verb == VERB_TO_END);
		return true;
	default:
		return false;
	}
}

/* Verbs for calls, display-frame boundaries and the range. */
static bool
act_calls(struct time_pane *t, enum verb verb)
{
	const struct span *s = time_selected(t);

	switch (verb) {
	case VERB_PREV_CALL: case VERB_NEXT_CALL:
		next_call(t, verb == VERB_PREV_CALL);
		return true;
	case VERB_PREV_LONGER: case VERB_NEXT_LONGER:
		next_longer(t, verb == VERB_PREV_LONGER);
		return true;
	case VERB_FLOW: case VERB_FLOW_BACK:
		time_flow(t, verb == VERB_FLOW_BACK);
		return true;
	case VERB_TIME:
		time_keys_leave(t);
		return true;
	case VERB_GOTO:
		if (s != NULL && s->crowd == 0)
			ui_go(t->pane->ui, PLACE_METHOD, s->method);
		return true;
	case VERB_SIDE:
		ui_visit(t->pane->ui, &(struct visit){ .to = PLACE_WINDOW, .from = t->axis.from, .until = t->axis.to });
		return true;
	case VERB_BORDERS:
		borders(t);
		return true;
	case VERB_BORDER_LENGTH:
		prompt_open(PROMPT_LINE, "display-frame time, ms or Hz: ", "", length_entered, t);
		return true;
	case VERB_RANGE:
		time_keys_range(t);
		return true;
	case VERB_RANGE_WINDOW:
		axis_choose(t->pane->ui, t->axis.from, t->axis.to);
		return true;
	case VERB_LEFT: case VERB_RIGHT:
		if (t->axis.mark.open)
			time_keys_mark(t, verb == VERB_LEFT);
		return t->axis.mark.open;
	case VERB_BACK:
		return time_keys_go_back(t);
	default:
		return false;
	}
}

static bool
act_frames(struct time_pane *t, enum verb verb)
{
	int	lines = t->pane->area.h - 1 - (int)lanes_shown(&t->lanes);
	bool	moved = frames_move(&t->f, verb, (size_t)(lines > 1 ? lines : 1));

	if (moved) {
		t->lanes.focus = 0;
		t->lanes.stretch = 0;
	}
	return moved;
}

bool
time_act(struct pane *p, enum verb verb)
{
	struct time_pane	*t = p->data;
	bool		 known;

	if (!t->ready) {
		if (verb != VERB_ENTER)
			return false;
		time_give(t, TIME_PREPARE);
		return true;
	}
	if (t->fresh && t->axis.w > 0)
		time_lay(t);
	known = act_window(t, verb) || act_calls(t, verb);
	if (!known)
		t->extend = known = time_tracks_act(t, verb) || act_frames(t, verb);
	if (t->fresh && t->axis.w > 0)
		time_lay(t);
	time_extend(t);
	return known;
}
