/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_keys: keys of the Chart pane.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "time.h"
#include "ui/prompt/prompt.h"

/* ---- the window ---------------------------------------------------------- */

static void
time_keys_zoom(struct time_pane *t, bool in)
{
	uint64_t	w = t->now.to - t->now.from, mid = t->now.from + w / 2, from, to;

	if (time_piece(t, &from, &to)) {
		from = time_ticks(t, from);
		to = time_ticks(t, to);
		if (to > t->now.from && from < t->now.to) {
			from = from > t->now.from ? from : t->now.from;
			mid = from + ((to < t->now.to ? to : t->now.to) - from) / 2;
		}
	}
	w = in ? w / 2 : w < UINT64_MAX / 2 ? w * 2 : w;
	if (w == 0)
		return;
	from = mid > w / 2 ? mid - w / 2 : 0;
	time_window(t, from, from + w, true);
}

static void
time_keys_pan(struct time_pane *t, bool left)
{
	uint64_t	w = t->now.to - t->now.from, by = w / 4 > 0 ? w / 4 : 1, room;

	room = left ? t->now.from - t->all.from : t->all.to - t->now.to;
	by = by < room ? by : room;
	if (left)
		time_window(t, t->now.from - by, t->now.to - by, false);
	else
		time_window(t, t->now.from + by, t->now.to + by, false);
}

static void
time_keys_fit(struct time_pane *t)
{
	uint64_t	from, to;

	if (time_piece(t, &from, &to))
		time_window(t, time_ticks(t, from), time_ticks(t, to), true);
}

/* Center the window on the start or the end of the selection. */
static void
go_edge(struct time_pane *t, bool end)
{
	uint64_t	from, to;

	if (time_piece(t, &from, &to))
		time_center(t, time_ticks(t, end ? to : from), false);
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
	time_keys_seek(t, 0, time_ticks(t, t->display.length), s->start, backward);
}

/* ---- display frames --------------------------------------------------------- */

/* Switch display-frame boundaries on or off.  They are counted from the start of the selection. */
static void
borders(struct time_pane *t)
{
	uint64_t	from, to;

	t->display.on = !t->display.on;
	t->display.from = t->display.on && time_piece(t, &from, &to) ? from : 0;
	if (t->display.on && time_ns(t, t->now.to - t->now.from) / t->display.length >= (uint64_t)t->width / 3)
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

static uint64_t
time_keys_cell(const struct time_pane *t)
{
	uint64_t	ns = time_ns(t, t->now.to - t->now.from) / (uint64_t)(t->width > 0 ? t->width : 1);

	return ns > 0 ? ns : 1;
}

/* After the selection moved, extend the range being marked to it. */
void
time_extend(struct time_pane *t)
{
	uint64_t	from, to, cell = time_keys_cell(t);
	bool		moved = t->extend;

	t->extend = false;
	if (!moved || !t->mark.open || !time_piece(t, &from, &to))
		return;
	if (from >= t->mark.anchor)
		from = to > t->mark.anchor + cell ? to - cell : t->mark.anchor;
	marking_to(&t->mark, from, cell);
}

/* Move the end of the range by a cell; the window follows. */
static void
time_keys_mark(struct time_pane *t, bool left)
{
	uint64_t	cell = time_keys_cell(t), at = t->mark.at, first = time_ns(t, t->all.from), ticks, w = t->now.to - t->now.from;

	at = left ? (at > first + cell ? at - cell : first) : num_add(at, cell);
	if (!left && num_add(at, cell) > time_ns(t, t->all.to))
		at = t->mark.at;
	marking_to(&t->mark, at, cell);
	ticks = time_ticks(t, at);
	if (ticks < t->now.from)
		time_window(t, ticks, ticks + w, false);
	ticks = time_ticks(t, num_add(at, cell));
	if (ticks > t->now.to)
		time_window(t, ticks - w, ticks, false);
}

/* Begin at the visible start of the selection. */
static void
time_keys_range(struct time_pane *t)
{
	uint64_t	from, to, now = time_ns(t, t->now.from);

	if (t->mark.open)
		marking_set(&t->mark, t->pane->ui);
	else
		marking_to(&t->mark, time_piece(t, &from, &to) && from > now && from < time_ns(t, t->now.to) ? from : now, time_keys_cell(t));
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
	if (t->mark.open) {
		t->mark.open = false;
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
		if (t->mark.open)
			time_keys_mark(t, verb == VERB_PAN_LEFT);
		else
			time_keys_pan(t, verb == VERB_PAN_LEFT);
		return true;
	case VERB_FIT: case VERB_ENTER:
		time_keys_fit(t);
		return true;
	case VERB_ALL:
		time_window(t, t->all.from, t->all.to, true);
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
		axis_choose(t->pane->ui, time_ns(t, t->now.from), time_ns(t, t->now.to));
		return true;
	case VERB_LEFT: case VERB_RIGHT:
		if (t->mark.open)
			time_keys_mark(t, verb == VERB_LEFT);
		return t->mark.open;
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
	if (t->fresh && t->width > 0)
		time_lay(t);
	known = act_window(t, verb) || act_calls(t, verb);
	if (!known)
		t->extend = known = time_tracks_act(t, verb) || act_frames(t, verb);
	if (t->fresh && t->width > 0)
		time_lay(t);
	time_extend(t);
	return known;
}
