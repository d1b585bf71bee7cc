/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * axis: the line of times above the Chart and Timeline, and the legend of state letters below.
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
	return a->w > 0 ? a->from + (uint64_t)((unsigned __int128)(a->to - a->from) * (unsigned)cell / (unsigned)a->w) : a->from;
}

void
axis_rule(const struct axis *a)
{
	screen_fill(a->y, a->x, a->w, ROLE_DIM, LOOK_PLAIN, GLYPH_RULE, false);
}

void
axis_ticks(const struct axis *a)
{
	uint64_t	 step = nice_step((a->to - a->from) / (uint64_t)(a->w / LABEL_CELLS + 1) + 1), at;
	struct scale	 scale = scale_of(a->to, step);
	char		 label[40], number[NUM_TEXT];
	int		 x, end = 0;

	at = a->from / step * step;
	if (at < a->from)
		at += step;
	for (; at <= a->to && at >= a->from; at += step) {
		x = axis_cell(a, at);
		snprintf(label, sizeof label, "%s%s", scale_show(number, sizeof number, &scale, at), scale.unit);
		if (x < end || x + (int)strlen(label) >= a->w)
			continue;
		screen_puts(a->y, a->x + x, 1, ROLE_DIM, LOOK_PLAIN, glyph(GLYPH_BAR));
		end = x + 2 + screen_puts(a->y, a->x + x + 1, a->w - x - 1, ROLE_DIM,
		    LOOK_PLAIN, label);
	}
}

void
axis_range(const struct axis *a, uint64_t from, uint64_t to)
{
	int	x, end;

	if (to < a->from || from > a->to)
		return;
	x = axis_cell(a, from);
	end = axis_cell(a, to);
	x = x < a->w ? x : a->w - 1;
	end = end > x ? end : x + 1;
	screen_fill(a->y, a->x + x, end - x, ROLE_NORMAL, LOOK_REVERSE, GLYPH_RULE, false);
	screen_puts(a->y, a->x + x, 1, ROLE_NORMAL, LOOK_REVERSE, "[");
	if (end - x > 1)
		screen_puts(a->y, a->x + end - 1, 1, ROLE_NORMAL, LOOK_REVERSE, "]");
}

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

/* ---- the legend ---------------------------------------------------------- */

enum role
state_role(enum state_class class)
{
	static const enum role roles[] = {
		[STATE_RUNNING] = ROLE_HUE + 0, [STATE_RUNNABLE] = ROLE_HUE + 4, [STATE_NATIVE] = ROLE_HUE + 2,
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
			screen_puts(y + lines - 1, a.x + x, 1, state_role(state_class(st, i)), LOOK_PLAIN, letter);
			screen_put(y + lines - 1, a.x + x + LETTER_W, a.w - x - LETTER_W, ROLE_DIM, LOOK_PLAIN,
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
