/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline_keys: keys of the timeline.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "timeline.h"

/* ---- the window and the cursor ---------------------------------------------- */

/* The cursor keeps its distance from the left end, relative to the window. */
static void
timeline_keys_zoom(struct timeline *t, bool in)
{
	uint64_t	w = t->axis.to - t->axis.from, at = t->at.cursor - t->axis.from;

	if (in ? w < 2 : w > UINT64_MAX / 4)
		return;
	step_add(t->pane, STEP_ZOOM, "zoom");
	axis_around(&t->axis, t->at.cursor, in ? at / 2 : at * 2, in ? w / 2 : w * 2);
}

/* Move the cursor; the window follows. */
static void
set_cursor(struct timeline *t, uint64_t at)
{
	at = at > t->axis.all_from ? at : t->axis.all_from;
	t->at.cursor = at < t->axis.all_to ? at : t->axis.all_to - 1;
	if (t->at.cursor < t->axis.from || t->at.cursor >= t->axis.to)
		axis_center(&t->axis, t->at.cursor);
}

bool
timeline_zoomed(const struct pane *p, uint64_t *from, uint64_t *to)
{
	const struct timeline *t = p->data;

	*from = t->axis.from;
	*to = t->axis.to;
	return t->ready && axis_zoomed(&t->axis);
}

bool
timeline_go_window(struct timeline *t, uint64_t from, uint64_t to)
{
	if (!t->ready)
		return false;
	step_add(t->pane, STEP_ZOOM, "zoom");
	if (from != to)
		axis_window(&t->axis, from, to);
	t->axis.own = true;
	set_cursor(t, from);
	return true;
}

static void
timeline_keys_pan(struct timeline *t, bool left)
{
	axis_pan(&t->axis, left);
	if (t->at.cursor < t->axis.from)
		t->at.cursor = t->axis.from;
	if (t->at.cursor >= t->axis.to)
		t->at.cursor = t->axis.to - 1;
}

/* Go to the next state change of the selected line. */
static void
timeline_keys_next_event(struct timeline *t, struct tline *line, bool backward)
{
	const struct lane *l = &line->lane;
	uint64_t	 row = lane_at(l, t->at.cursor), from, to;

	if (row == 0)
		return;
	lane_stretch(l, row, &from, &to);
	if (backward ? from >= t->at.cursor : from <= t->at.cursor)
		row = lane_next(l, row, backward);
	if (row == 0)
		return;
	lane_stretch(l, row, &from, &to);
	set_cursor(t, from);
}

static void
timeline_keys_fit(struct timeline *t, struct tline *line)
{
	uint64_t	row = lane_at(&line->lane, t->at.cursor), from, to;

	if (row == 0)
		return;
	lane_stretch(&line->lane, row, &from, &to);
	step_add(t->pane, STEP_ZOOM, "zoom");
	axis_window(&t->axis, from, to);
	t->at.cursor = t->axis.from;
}

/* Go to the longest wait, then to shorter ones; after the shortest start again. */
static void
go_longest(struct timeline *t, const struct tline *l)
{
	uint64_t	 w = t->axis.to - t->axis.from, cells = (uint64_t)(t->axis.w > 0 ? t->axis.w : 80);
	struct longest	*x = &t->longest;
	char		 s[NUM_TEXT];

	if (x->thread != l->thread || x->cpu != l->cpu)
		x->length = 0;
	if (!line_longest(l, x)) {
		x->length = 0;
		if (!line_longest(l, x)) {
			ui_say(t->pane->ui, "no wait in this row except idle sleep");
			return;
		}
	}
	step_add(t->pane, STEP_ZOOM, "longest wait");
	if (x->length > w || x->length < w / cells * 3)
		w = x->length < UINT64_MAX / 3 ? x->length * 3 : w;
	axis_window(&t->axis, x->at > w / 3 ? x->at - w / 3 : 0, x->at + w / 3 * 2);
	t->at.cursor = x->at;
	num_show_duration(s, sizeof s, x->length);
	ui_say(t->pane->ui, "wait of %s; %s", s,
	    hint_in(t->pane->kind->where, VERB_NEXT_LONGER, "_ goes to the next shorter one").s);
}

/* ---- the range -------------------------------------------------------------- */

static void
extend(struct timeline *t)
{
	if (t->axis.mark.open)
		axis_mark(&t->axis, t->at.cursor, axis_step(&t->axis));
}

/* Cancel the range, step back, or zoom out; false: nothing to go back to. */
static bool
timeline_keys_go_back(struct timeline *t)
{
	bool	was = t->axis.mark.open || step_back(t->pane), all = !axis_zoomed(&t->axis);

	t->axis.mark.open = false;
	if (was || all)
		return was;
	step_add(t->pane, STEP_ZOOM, "zoom");
	axis_all(&t->axis);
	return true;
}

/* ---- navigation to other panes ------------------------------------------------ */

static void
timeline_keys_enter(struct timeline *t, struct tline *l)
{
	uint64_t	 row = lane_at(&l->lane, t->at.cursor), from = t->at.cursor, to = from + 1,
	    thread = l->thread;

	if (l->of_process) {
		ui_visit(t->pane->ui, &(struct visit){ .to = PLACE_WINDOW, .from = t->axis.from,
		    .until = t->axis.to });
		return;
	}
	if (row != 0)
		lane_stretch(&l->lane, row, &from, &to);
	if (l->cpu != 0)
		thread = row != 0 ? column_get(l->lane.track.value, row - 1) : 0;
	if (thread == 0)
		ui_say(t->pane->ui, "CPU idle here");
	else
		ui_visit(t->pane->ui, &(struct visit){ .to = PLACE_STRETCH, .id = (uint32_t)thread,
		    .from = from, .until = to });
}

static void
timeline_keys_unfold(struct timeline *t)
{
	step_add(t->pane, STEP_GROUP, "unfold");
	t->at.unfolded = true;
}

static void
change_lines(struct timeline *t)
{
	if (t->task.given)
		return;
	if (!t->tasks && !t->at.cpus) {
		ui_say(t->pane->ui, "this file does not record which CPU a thread ran on");
		return;
	}
	step_add(t->pane, STEP_GROUP, t->at.cpus ? "threads" : "CPUs");
	t->at.cpus = !t->at.cpus;
	timeline_ask(t);
}

static void
change_order(struct timeline *t)
{
	step_add(t->pane, STEP_SORT, "sort");
	timeline_keep(t);
	t->at.order = (timeline_order(t) + 1) % ORDERS;
	timeline_sort(t);
	timeline_find_kept(t);
	ui_say(t->pane->ui, "sorted by %s", timeline_order_name(t));
}

/* Find a line by name; unfold if it is folded. */
void
timeline_find(struct pane *p, const char *what, bool backward)
{
	struct timeline	*t = p->data;
	struct pattern	*pattern;
	size_t		 i, k;

	if (what != NULL)
		TEXT_COPY(t->find, what);
	pattern = pattern_make(str_of(t->find), NULL);
	for (k = 1, i = t->at.sel; pattern != NULL && k <= t->lines.n; k++) {
		i = backward ? (i + t->lines.n - 1) % t->lines.n : (i + 1) % t->lines.n;
		if (pattern_match(pattern, buf_view(&t->lines.at[i].name)))
			break;
	}
	if (pattern != NULL && k <= t->lines.n) {
		if (timeline_rows(t) < t->lines.n && i >= t->lines.busy)
			timeline_keys_unfold(t);
		t->at.sel = i;
	} else
		found_none(p->ui, t->find, "");
	pattern_free(pattern);
}

/* ---- verbs ------------------------------------------------------------------- */

static bool
move_time(struct timeline *t, enum verb verb)
{
	uint64_t	cell = axis_step(&t->axis);

	/* A range is marked with all keys that move. */
	if (t->axis.mark.open && (verb == VERB_PAN_LEFT || verb == VERB_PAN_RIGHT))
		verb = verb == VERB_PAN_LEFT ? VERB_LEFT : VERB_RIGHT;
	switch (verb) {
	case VERB_LEFT: case VERB_RIGHT:
		set_cursor(t, verb == VERB_RIGHT ? t->at.cursor + cell : t->at.cursor > cell ?
		    t->at.cursor - cell : 0);
		return true;
	case VERB_PAN_LEFT: case VERB_PAN_RIGHT:
		timeline_keys_pan(t, verb == VERB_PAN_LEFT);
		return true;
	case VERB_ZOOM_IN: case VERB_ZOOM_OUT:
		timeline_keys_zoom(t, verb == VERB_ZOOM_IN);
		return true;
	case VERB_ALL:
		if (axis_zoomed(&t->axis))
			step_add(t->pane, STEP_ZOOM, "zoom");
		axis_all(&t->axis);
		return true;
	default:
		return false;
	}
}

/* Verbs for one line.  On the row of folded lines they unfold it. */
static bool
act_line(struct timeline *t, enum verb verb)
{
	struct tline *l = timeline_selected(t);

	switch (verb) {
	case VERB_ENTER: case VERB_TIME: case VERB_FIT: case VERB_PREV_EVENT: case VERB_NEXT_EVENT:
	    case VERB_NEXT_LONGER:
		break;
	default:
		return false;
	}
	if (l == NULL && split_couples(t->pane->ui))
		return false;
	if (l == NULL)
		timeline_keys_unfold(t);
	else if (verb == VERB_FIT)
		timeline_keys_fit(t, l);
	else if (verb == VERB_PREV_EVENT || verb == VERB_NEXT_EVENT)
		timeline_keys_next_event(t, l, verb == VERB_PREV_EVENT);
	else if (verb == VERB_NEXT_LONGER)
		go_longest(t, l);
	else
		timeline_keys_enter(t, l);
	return true;
}

bool
timeline_act(struct pane *p, enum verb verb)
{
	struct timeline	*t = p->data;
	uint64_t	 page = t->pane->area.h > 2 ? (uint64_t)t->pane->area.h - 2 : 1;
	bool		 known = true;

	if (verb == VERB_LINES) {
		change_lines(t);
		return true;
	}
	if (t->lines.n == 0) {
		if (verb == VERB_ENTER && !t->ready)
			timeline_ask(t);
		return verb == VERB_ENTER;
	}
	switch (verb) {
	case VERB_ORDER:
		change_order(t);
		break;
	case VERB_POOLS:
		timeline_groups_change(t);
		break;
	case VERB_RANGE:
		axis_range(&t->axis, p->ui, t->at.cursor);
		break;
	case VERB_RANGE_WINDOW:
		axis_choose(t->pane->ui, t->axis.from, t->axis.to);
		break;
	case VERB_BACK:
		known = timeline_keys_go_back(t);
		break;
	default:
		known = act_line(t, verb) || key_moves(verb, &t->at.sel, timeline_rows(t), page) ||
		    move_time(t, verb);
	}
	extend(t);
	return known;
}

/* ---- clicks -------------------------------------------------------------- */

/* Select the clicked row and the time of the clicked cell. */
void
timeline_click(void *who, size_t what, int y, int x)
{
	struct timeline	*t = who;
	size_t		 row = y == SPOT_FOCUS ? SIZE_MAX : timeline_groups_row(t, y);

	(void)what;
	if (row == SIZE_MAX)
		return;
	t->at.sel = row;
	x += t->pane->area.x;
	if (x >= t->axis.x && x < t->axis.x + t->axis.w)
		t->at.cursor = axis_begin(&t->axis, x - t->axis.x);
}

/* ---- its places ------------------------------------------------------------ */

static const char *const kinds_of_lines[] = { "threads", "cpus" };

#define TIMELINE_AT(F, s) F(s, TEXT, BOTH, lines) F(s, TEXT, BOTH, order) F(s, FLAG, BOTH, unfolded) F(s, FLAG, \
    BOTH, flat) \
	F(s, TEXT, MARK, line) F(s, NUMBER, STEP, row) F(s, NUMBER, STEP, top) F(s, NUMBER, BOTH, from) F(s, NUMBER, \
	    BOTH, to) \
	F(s, NUMBER, BOTH, cursor)

PLACED(timeline_at, TIMELINE_AT);

static bool
timeline_keys_take(struct pane *p, void *place, enum placed_use use)
{
	struct timeline	*t = p->data;
	struct timeline_at *at = place;
	const struct tline *l = timeline_selected(t);

	(void)use;
	buf_str(&at->lines, str_of(kinds_of_lines[t->at.cpus]));
	buf_str(&at->order, str_of(order_names[t->at.order]));
	at->unfolded = t->at.unfolded;
	at->flat = t->at.flat;
	if (l != NULL)
		line_name(l, &at->line);
	at->row = t->at.sel;
	at->top = t->at.top;
	at->from = t->axis.from;
	at->to = t->axis.to;
	at->cursor = t->at.cursor;
	return t->ready;
}

/* Lines of CPUs may begin later than those of threads. */
static void
choose_window(struct timeline *t, const struct timeline_at *at, enum placed_use use)
{
	bool	valid = at->from < at->to && at->from < t->axis.all_to;

	t->axis.own = true;
	if (use == OF_MARK)
		axis_window(&t->axis, valid ? at->from : t->axis.all_from, valid ? at->to : t->axis.all_to);
	else {
		t->axis.from = at->from;
		t->axis.to = at->to;
		if (at->from >= t->axis.all_to || at->to <= t->axis.all_from)
			axis_window(&t->axis, at->from, at->to);
	}
	t->at.cursor = at->cursor < t->axis.from || at->cursor >= t->axis.to ? t->axis.from : at->cursor;
}

/* If it shows CPUs instead of threads or vice versa, build its lines first. */
static bool
timeline_keys_go(struct pane *p, void *place, enum placed_use use, bool moved)
{
	struct timeline	*t = p->data;
	const struct timeline_at *at = place;
	bool		 cpus = placed_word(&at->lines, kinds_of_lines, NELEM(kinds_of_lines), 0) == 1,
	    other = cpus != t->at.cpus;

	if (use == OF_MARK && (!t->ready || t->task.given))
		return false;
	if (other && use == OF_STEP)
		task_drop(&t->task);
	if (other || t->task.given) {
		t->at.cpus = cpus;
		timeline_ask(t);
	}
	if (!t->ready || t->task.given)
		return false;
	t->at = (struct timeline_view){ at->cursor, moved || use == OF_MARK ? t->at.sel : at->row,
	    (size_t)at->top,
	    (enum line_order)placed_word(&at->order, order_names, ORDERS, t->at.order), cpus, at->unfolded,
	    at->flat };
	timeline_sort(t);
	if (use == OF_MARK) {
		buf_clear(&t->kept);
		buf_str(&t->kept, buf_view(&at->line));
		timeline_find_kept(t);
	}
	choose_window(t, at, use);
	t->at.sel = t->at.sel < timeline_rows(t) ? t->at.sel : 0;
	return true;
}

const struct placed_kind timeline_places = PLACED_KIND(timeline_at, TIMELINE_AT, timeline_keys_take,
    timeline_keys_go);
