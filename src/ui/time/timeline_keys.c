/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline_keys: keys of the timeline.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "timeline.h"

/* ---- the window and the cursor ---------------------------------------------- */

void
timeline_window(struct timeline *t, uint64_t from, uint64_t to)
{
	t->at.from = from > t->all_from ? from : t->all_from;
	t->at.to = to < t->all_to ? to : t->all_to;
	if (t->at.to <= t->at.from)
		t->at.to = t->at.from + 1;
}

static void
timeline_keys_zoom(struct timeline *t, bool in)
{
	uint64_t	w = t->at.to - t->at.from, at = t->at.cursor - t->at.from;

	if (in ? w < 2 : w > UINT64_MAX / 4)
		return;
	step_add(t->pane, STEP_ZOOM, "zoom");
	at = in ? at / 2 : at * 2;
	w = in ? w / 2 : w * 2;
	timeline_window(t, t->at.cursor > at ? t->at.cursor - at : 0, (t->at.cursor > at ? t->at.cursor - at : 0) + w);
}

static uint64_t
cell_ns(const struct timeline *t)
{
	uint64_t	ns = (t->at.to - t->at.from) / (uint64_t)(t->width > 0 ? t->width : 1);

	return ns > 0 ? ns : 1;
}

/* Move the cursor; the window follows. */
static void
set_cursor(struct timeline *t, uint64_t at)
{
	uint64_t	w = t->at.to - t->at.from;

	at = at > t->all_from ? at : t->all_from;
	at = at < t->all_to ? at : t->all_to - 1;
	t->at.cursor = at;
	if (at >= t->at.from && at < t->at.to)
		return;
	at = at > w / 2 ? at - w / 2 : 0;
	at = at > t->all_from ? at : t->all_from;
	at = t->all_to - at < w ? t->all_to - w : at;
	timeline_window(t, at, at + w);
}

bool
timeline_zoomed(const struct pane *p, uint64_t *from, uint64_t *to)
{
	const struct timeline *t = p->data;

	*from = t->at.from;
	*to = t->at.to;
	return t->ready && (t->at.from != t->all_from || t->at.to != t->all_to);
}

bool
timeline_go_window(struct timeline *t, uint64_t from, uint64_t to)
{
	if (!t->ready)
		return false;
	step_add(t->pane, STEP_ZOOM, "zoom");
	if (from != to)
		timeline_window(t, from, to);
	set_cursor(t, from);
	return true;
}

static void
timeline_keys_pan(struct timeline *t, bool left)
{
	uint64_t	by = (t->at.to - t->at.from) / 4 + 1, room;

	room = left ? t->at.from - t->all_from : t->all_to - t->at.to;
	by = by < room ? by : room;
	timeline_window(t, left ? t->at.from - by : t->at.from + by, left ? t->at.to - by : t->at.to + by);
	if (t->at.cursor < t->at.from)
		t->at.cursor = t->at.from;
	if (t->at.cursor >= t->at.to)
		t->at.cursor = t->at.to - 1;
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
	timeline_window(t, from, to);
	t->at.cursor = t->at.from;
}

/* Go to the longest wait, then to shorter ones; after the shortest start again. */
static void
go_longest(struct timeline *t, const struct tline *l)
{
	uint64_t	 w = t->at.to - t->at.from, cells = (uint64_t)(t->width > 0 ? t->width : 80);
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
	timeline_window(t, x->at > w / 3 ? x->at - w / 3 : 0, x->at + w / 3 * 2);
	t->at.cursor = x->at;
	num_show_duration(s, sizeof s, x->length);
	ui_say(t->pane->ui, "wait of %s; L goes to the next shorter one", s);
}

/* ---- the range -------------------------------------------------------------- */

static void
extend(struct timeline *t)
{
	if (t->mark.open)
		marking_to(&t->mark, t->at.cursor, cell_ns(t));
}

static void
timeline_keys_range(struct timeline *t)
{
	if (t->mark.open)
		marking_set(&t->mark, t->pane->ui);
	else
		marking_to(&t->mark, t->at.cursor, cell_ns(t));
}

/* Cancel the range, step back, or zoom out; false: nothing to go back to. */
static bool
timeline_keys_go_back(struct timeline *t)
{
	bool	was = t->mark.open || step_back(t->pane), all = t->at.from == t->all_from && t->at.to == t->all_to;

	t->mark.open = false;
	if (was || all)
		return was;
	step_add(t->pane, STEP_ZOOM, "zoom");
	timeline_window(t, t->all_from, t->all_to);
	return true;
}

/* ---- navigation to other panes ------------------------------------------------ */

static void
timeline_keys_enter(struct timeline *t, struct tline *l)
{
	uint64_t	 row = lane_at(&l->lane, t->at.cursor), from = t->at.cursor, to = from + 1, thread = l->thread;

	if (l->of_process) {
		ui_visit(t->pane->ui, &(struct visit){ .to = PLACE_WINDOW, .from = t->at.from, .until = t->at.to });
		return;
	}
	if (row != 0)
		lane_stretch(&l->lane, row, &from, &to);
	if (l->cpu != 0)
		thread = row != 0 ? column_get(l->lane.track.value, row - 1) : 0;
	if (thread == 0)
		ui_say(t->pane->ui, "CPU idle here");
	else
		ui_visit(t->pane->ui, &(struct visit){ .to = PLACE_STRETCH, .id = (uint32_t)thread, .from = from, .until = to });
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
	ui_say(t->pane->ui, "sorted by %s", order_names[timeline_order(t)]);
}

/* Find a line by name; unfold if it is folded. */
void
timeline_find(struct pane *p, const char *what, bool backward)
{
	struct timeline	*t = p->data;
	struct pattern	*pattern;
	size_t		 i, k;

	if (what != NULL)
		snprintf(t->find, sizeof t->find, "%s", what);
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
	uint64_t	cell = cell_ns(t);

	/* A range is marked with all keys that move. */
	if (t->mark.open && (verb == VERB_PAN_LEFT || verb == VERB_PAN_RIGHT))
		verb = verb == VERB_PAN_LEFT ? VERB_LEFT : VERB_RIGHT;
	switch (verb) {
	case VERB_LEFT: case VERB_RIGHT:
		set_cursor(t, verb == VERB_RIGHT ? t->at.cursor + cell : t->at.cursor > cell ? t->at.cursor - cell : 0);
		return true;
	case VERB_PAN_LEFT: case VERB_PAN_RIGHT:
		timeline_keys_pan(t, verb == VERB_PAN_LEFT);
		return true;
	case VERB_ZOOM_IN: case VERB_ZOOM_OUT:
		timeline_keys_zoom(t, verb == VERB_ZOOM_IN);
		return true;
	case VERB_ALL:
		if (t->at.from != t->all_from || t->at.to != t->all_to)
			step_add(t->pane, STEP_ZOOM, "zoom");
		timeline_window(t, t->all_from, t->all_to);
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
	case VERB_ENTER: case VERB_TIME: case VERB_FIT: case VERB_PREV_EVENT: case VERB_NEXT_EVENT: case VERB_NEXT_LONGER:
		break;
	default:
		return false;
	}
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
	if (!t->ready || t->lines.n == 0) {
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
		timeline_keys_range(t);
		break;
	case VERB_RANGE_WINDOW:
		axis_choose(t->pane->ui, t->at.from, t->at.to);
		break;
	case VERB_BACK:
		known = timeline_keys_go_back(t);
		break;
	default:
		known = act_line(t, verb) || key_moves(verb, &t->at.sel, timeline_rows(t), page) || move_time(t, verb);
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
	if (x >= t->x && x < t->x + t->width)
		t->at.cursor = cell_begins(t, x - t->x);
}

/* ---- its place, for undo --------------------------------------------------- */

void
timeline_tell(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;

	if (t->ready || t->goes)
		buf_add(b, t->goes ? &t->going : &t->at, sizeof t->at);
}

void
timeline_arrive(struct timeline *t)
{
	if (!t->goes)
		return;
	t->goes = false;
	t->at = t->going;
	timeline_sort(t);
	/* Lines of CPUs may begin later than those of threads, whose window stays. */
	if (t->at.from >= t->all_to || t->at.to <= t->all_from)
		timeline_window(t, t->at.from, t->at.to);
	t->at.cursor = t->at.cursor < t->at.from || t->at.cursor >= t->at.to ? t->at.from : t->at.cursor;
	t->at.sel = t->at.sel < timeline_rows(t) ? t->at.sel : 0;
}

/* Restore a place.  If it shows CPUs instead of threads or vice versa, make its lines first. */
void
timeline_put(struct pane *p, struct str place, bool moved)
{
	struct timeline	*t = p->data;
	bool		 other;

	if (place.n != sizeof t->going)
		return;
	memcpy(&t->going, place.s, sizeof t->going);
	if (moved)
		t->going.sel = t->at.sel;
	other = t->going.cpus != t->at.cpus;
	if (other)
		task_drop(&t->task);
	t->at.cpus = t->going.cpus;
	t->goes = true;
	if (other || t->task.given)
		timeline_ask(t);
	else if (t->ready)
		timeline_arrive(t);
}

/* ---- its place, for marks -------------------------------------------------- */

void
timeline_mark(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;
	const struct tline *l = t->ready ? timeline_selected(t) : NULL;
	struct buf	 name = BUF_INIT;

	if (!t->ready)
		return;
	note_add(b, "lines", t->at.cpus ? STR("cpus") : STR("threads"));
	note_add(b, "order", str_of(order_names[t->at.order]));
	if (t->at.unfolded)
		note_add(b, "unfolded", STR(""));
	if (t->at.flat)
		note_add(b, "flat", STR(""));
	if (l != NULL)
		line_name(l, &name);
	note_add(b, "line", buf_view(&name));
	buf_free(&name);
	note_number(b, "from", t->at.from);
	note_number(b, "to", t->at.to);
	note_number(b, "cursor", t->at.cursor);
}

static void
timeline_recall_line(struct timeline *t, struct timeline_at *at, struct str word, struct str value)
{
	if (str_eq(word, STR("lines")))
		at->cpus = str_eq(value, STR("cpus"));
	else if (str_eq(word, STR("unfolded")))
		at->unfolded = true;
	else if (str_eq(word, STR("flat")))
		at->flat = true;
	else if (str_eq(word, STR("line"))) {
		buf_clear(&t->kept);
		buf_str(&t->kept, value);
	} else if (str_eq(word, STR("order")))
		for (size_t i = 0; i < ORDERS; i++)
			at->order = str_eq(value, str_of(order_names[i])) ? (enum line_order)i : at->order;
	else if (str_eq(word, STR("from")) || str_eq(word, STR("to")) || str_eq(word, STR("cursor")))
		num_u64(value, 10, word.s[0] == 'f' ? &at->from : word.s[0] == 't' ? &at->to : &at->cursor);
}

bool
timeline_recall(struct pane *p, struct str text, bool moved)
{
	struct timeline	*t = p->data;
	struct timeline_at at = { .order = t->at.order };
	struct buf	 value = BUF_INIT;
	struct str	 word;

	(void)moved;
	if (!t->ready || t->task.given)
		return false;
	while (note_next(&text, &word, &value))
		timeline_recall_line(t, &at, word, buf_view(&value));
	buf_free(&value);
	/* Build its lines first; then this function is called again. */
	if (at.cpus != t->at.cpus) {
		t->at.cpus = at.cpus;
		timeline_ask(t);
		return false;
	}
	if (at.from >= at.to || at.from >= t->all_to) {
		at.from = t->all_from;
		at.to = t->all_to;
	}
	t->at = at;
	timeline_sort(t);
	timeline_find_kept(t);
	timeline_window(t, at.from, at.to);
	if (at.cursor < t->at.from || at.cursor >= t->at.to)
		t->at.cursor = t->at.from;
	return true;
}
