/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * axis: the line of times above Stack chart and Timeline, its window and its range; and the legend of state
 * letters below.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lane.h"

enum { LABEL_CELLS = 12 };	/* approximate distance of labels */
enum { FIRST_STATES = 64, LETTER_W = 2, GAP = 2 };

static uint64_t
nice_step(uint64_t least)
{
	uint64_t	step = 1;

	while (step < least && step < UINT64_MAX / 10) {
		if (step * 2 >= least)
			return step * 2;
		if (step * 5 >= least)
			return step * 5;
		step *= 10;
	}
	return step;
}

int
axis_cell(const struct axis *a, uint64_t ns)
{
	if (ns <= a->from || a->to <= a->from)
		return 0;
	return ns >= a->to ? a->w : (int)((double)(ns - a->from) / (double)(a->to - a->from) * a->w);
}

uint64_t
axis_begin(const struct axis *a, int cell)
{
	return a->w > 0 ? a->from + (uint64_t)((unsigned __int128)(a->to - a->from) * (unsigned)cell / (unsigned)a->w) :
	    a->from;
}

uint64_t
axis_step(const struct axis *a)
{
	uint64_t	ns = (a->to - a->from) / (uint64_t)(a->w > 0 ? a->w : 1);

	return ns > 0 ? ns : 1;
}

static uint64_t
tick_of(const struct axis *a)
{
	return a->tick > 0 ? a->tick : 1;
}

uint64_t
axis_floor(const struct axis *a, uint64_t ns)
{
	return ns - ns % tick_of(a);
}

uint64_t
axis_part(const struct axis *a, uint64_t ns, uint64_t n)
{
	return ns / tick_of(a) / n * tick_of(a);
}

bool
axis_zoomed(const struct axis *a)
{
	return a->from != a->all_from || a->to != a->all_to;
}

void
axis_extend(struct axis *a, uint64_t from, uint64_t to)
{
	from = axis_floor(a, from);
	to = axis_floor(a, to);
	a->all_from = from < a->all_from ? from : a->all_from;
	a->all_to = to > a->all_to ? to : a->all_to;
}

void
axis_extended(struct axis *a)
{
	if (a->all_from == UINT64_MAX)
		a->all_from = 0;
	if (a->all_to <= a->all_from)
		a->all_to = a->all_from + tick_of(a);
}

/* ---- the window ---------------------------------------------------------- */

void
axis_window(struct axis *a, uint64_t from, uint64_t to)
{
	a->from = axis_floor(a, from > a->all_from ? from : a->all_from);
	a->to = axis_floor(a, to < a->all_to ? to : a->all_to);
	if (a->to <= a->from)
		a->to = a->from + tick_of(a);
}

void
axis_all(struct axis *a)
{
	a->from = a->all_from;
	a->to = a->all_to;
}

void
axis_around(struct axis *a, uint64_t at, uint64_t before, uint64_t length)
{
	uint64_t	from = axis_floor(a, at > before ? at - before : 0);

	axis_window(a, from, num_add(from, length));
}

void
axis_center(struct axis *a, uint64_t at)
{
	uint64_t	w = a->to - a->from, half = axis_part(a, w, 2), from = axis_floor(a, at);

	from = from > half ? from - half : 0;
	from = from > a->all_from ? from : a->all_from;
	if (a->all_to < from || a->all_to - from < w)
		from = a->all_to - w;
	axis_window(a, from, from + w);
}

void
axis_pan(struct axis *a, bool left)
{
	uint64_t	quarter = axis_part(a, a->to - a->from, 4), by = quarter > 0 ? quarter : tick_of(a);
	uint64_t	room = left ? a->from - a->all_from : a->all_to - a->to;

	by = by < room ? by : room;
	if (left)
		axis_window(a, a->from - by, a->to - by);
	else
		axis_window(a, a->from + by, a->to + by);
}

/* ---- drawing ------------------------------------------------------------- */

void
axis_rule(const struct axis *a)
{
	screen_fill(a->y, a->x, a->w, ROLE_DIM, LOOK_PLAIN, GLYPH_RULE, false);
}

/* Return the ends of the range while it is marked. */
static void
axis_ends(const struct marking *m, uint64_t *from, uint64_t *to)
{
	*from = m->at < m->anchor ? m->at : m->anchor;
	*to = num_add(m->at > m->anchor ? m->at : m->anchor, m->cell);
}

static void
draw_range(const struct axis *a, uint64_t from, uint64_t to)
{
	int	x, end;

	if (to < a->from || from > a->to)
		return;
	x = axis_cell(a, from);
	end = axis_cell(a, to);
	x = x < a->w ? x : a->w - 1;
	end = end > x ? end : x + 1;
	/* In a wide range times can be read. */
	if (end - x < 2 * LABEL_CELLS)
		screen_fill(a->y, a->x + x, end - x, ROLE_NORMAL, LOOK_REVERSE, GLYPH_RULE, false);
	screen_look(a->y, a->x + x, end - x, ROLE_NORMAL, LOOK_REVERSE);
	screen_puts(a->y, a->x + x, 1, ROLE_NORMAL, LOOK_REVERSE, "[");
	if (end - x > 1)
		screen_puts(a->y, a->x + end - 1, 1, ROLE_NORMAL, LOOK_REVERSE, "]");
}

void
axis_ticks(const struct axis *a, const struct ui *ui)
{
	uint64_t	 step = nice_step((a->to - a->from) / (uint64_t)(a->w / LABEL_CELLS + 1) + 1), at;
	struct scale	 scale = scale_of(a->to, step);
	char		 label[40], number[NUM_TEXT];
	uint64_t	 from, to;
	int		 x, end = 0;

	at = a->from / step * step;
	if (at < a->from)
		at += step;
	for (; at <= a->to && at >= a->from; at += step) {
		x = axis_cell(a, at);
		snprintf(label, sizeof label, "%s%s", scale_show(number, sizeof number, &scale, at),
		    scale.unit);
		if (x < end || x + (int)strlen(label) >= a->w)
			continue;
		screen_puts(a->y, a->x + x, 1, ROLE_DIM, LOOK_PLAIN, glyph(GLYPH_BAR));
		end = x + 2 + screen_puts(a->y, a->x + x + 1, a->w - x - 1, ROLE_DIM,
		    LOOK_PLAIN, label);
	}
	if (a->mark.open)
		axis_ends(&a->mark, &from, &to);
	if (a->mark.open || look_ranged(ui, &from, &to))
		draw_range(a, from, to);
}

/* ---- the range ----------------------------------------------------------- */

void
axis_choose(struct ui *ui, uint64_t from, uint64_t to)
{
	if ((ui_shapes(ui) & (SHAPE_TREES | SHAPE_TRACKS)) == 0) {
		ui_say(ui, to > from ? "this file has no times; ranges need a trace" : "");
		return;
	}
	look_range(ui, from, to);
	look_say_range(ui);
}

void
axis_mark(struct axis *a, uint64_t at, uint64_t cell)
{
	struct marking	*m = &a->mark;

	if (!m->open)
		m->anchor = at;
	m->open = true;
	m->at = at;
	m->cell = cell > 0 ? cell : 1;
}

static void
set_range(struct axis *a, struct ui *ui)
{
	uint64_t	from, to;

	axis_ends(&a->mark, &from, &to);
	a->mark.open = false;
	a->own = true;
	axis_choose(ui, from, to);
}

bool
axis_follow(struct axis *a, const struct pane *p)
{
	struct time_window now = { 0, 0 }, before = a->range;

	if (!p->other && !look_ranged(p->ui, &now.from, &now.to))
		now = (struct time_window){ 0, 0 };
	if ((now.from != before.from || now.to != before.to) && !a->own) {
		if (now.from < a->all_to && now.to > a->all_from)
			axis_window(a, now.from, now.to);
		else if (now.to == 0 && axis_floor(a, before.from) == a->from && axis_floor(a, before.to) == a->to)
			axis_all(a);
	}
	a->range = now;
	a->own = false;
	return now.from != before.from || now.to != before.to;
}

void
axis_fade(const struct axis *a, int y, int h)
{
	int	from = axis_cell(a, a->range.from), to = axis_cell(a, a->range.to);

	if (a->range.to <= a->range.from)
		return;
	for (int i = y; i < y + h; i++) {
		screen_look(i, a->x, from, ROLE_DIM, LOOK_PLAIN);
		screen_look(i, a->x + to, a->w - to, ROLE_DIM, LOOK_PLAIN);
	}
}

void
axis_range(struct axis *a, struct ui *ui, uint64_t at)
{
	if (a->mark.open)
		set_range(a, ui);
	else
		axis_mark(a, at, axis_step(a));
	ui_pane(ui)->ranging = a->mark.open;
}

void
axis_drag(struct axis *a, struct ui *ui, int from, int to, bool end)
{
	uint64_t	at;

	from -= a->x;
	to -= a->x;
	if (from < 0 || from >= a->w)
		return;
	to = to < 0 ? 0 : to < a->w ? to : a->w - 1;
	a->mark.open = false;
	at = axis_begin(a, from);
	axis_mark(a, at, axis_begin(a, from + 1) - at);
	at = axis_begin(a, to);
	axis_mark(a, at, axis_begin(a, to + 1) - at);
	if (end)
		set_range(a, ui);
}

void
axis_status(const struct axis *a, struct buf *b)
{
	uint64_t	from, to;

	axis_ends(&a->mark, &from, &to);
	buf_str(b, STR("range "));
	scale_window(b, from, to);
	if (from > 0)
		screen_number(b, ", ", num_show_duration, to - from);
	buf_str(b, str_of(hint(VERB_RANGE, ": _ applies it, digits type one, Esc cancels").s));
}

/* ---- the legend ---------------------------------------------------------- */

enum role
state_role(enum state_class class)
{
	static const enum role roles[] = {
		[STATE_RUNNING] = ROLE_HUE + 0, [STATE_RUNNABLE] = ROLE_HUE + 4,
		    [STATE_NATIVE] = ROLE_HUE + 2,
		[STATE_BLOCKED] = ROLE_HUE + 1, [STATE_OTHER] = ROLE_HUE + 3, [STATE_SLEEPING] = ROLE_DIM
	};

	return roles[class];
}

uint64_t
lane_states(const struct lane *l)
{
	uint64_t	states = 0;

	for (int i = 0; l->track.kind == TRACK_STATE && i < l->seen; i++)
		if (l->piece[i].state < FIRST_STATES)
			states |= (uint64_t)1 << l->piece[i].state;
	return states;
}

/* Return the number of lines; draw them from line y on, if y is a line. */
static int
lay(const struct store *st, uint64_t states, struct area a, int y)
{
	struct buf	name = BUF_INIT;
	char		letter[2] = "";
	uint32_t	n = states_count(st) < FIRST_STATES ? (uint32_t)states_count(st) : FIRST_STATES;
	int		x = 0, lines = 0, w;

	for (uint32_t i = 0; i < n; i++) {
		if ((states >> i & 1) == 0)
			continue;
		buf_clear(&name);
		screen_fit(&name, str_of(state_word(st, i)));
		w = (int)text_width(buf_view(&name)) + LETTER_W;
		if (lines == 0 || x + w > a.w) {
			lines++;
			x = 0;
		}
		if (y >= 0) {
			letter[0] = state_letter(st, i);
			screen_puts(y + lines - 1, a.x + x, 1, state_role(state_class(st, i)), LOOK_PLAIN,
			    letter);
			screen_put(y + lines - 1, a.x + x + LETTER_W, a.w - x - LETTER_W, ROLE_DIM,
			    LOOK_PLAIN,
			    buf_view(&name));
		}
		x += w + GAP;
	}
	buf_free(&name);
	return lines;
}

void
lane_legend(const struct store *st, uint64_t states, struct area a)
{
	int	lines = lay(st, states, a, -1);

	if (lines <= a.h)
		lay(st, states, a, a.y + a.h - lines);
}
