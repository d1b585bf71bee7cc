/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_draw: draw the calls of a thread in time order, below its tracks.
 */
#include "config.h"

#include "time.h"

/* minimum width of a display frame to draw its boundaries */
enum { WIDE = 100, NARROW = 60, SIDE = 50, BORDER_CELLS = 3 };

/* Mark the display-frame boundaries, unless they are too close to distinguish. */
static void
draw_borders(const struct time_pane *t, const struct axis *a)
{
	uint64_t	at = t->display.from % t->display.length;

	if (!t->display.on || (a->to - a->from) / t->display.length >= (uint64_t)a->w / BORDER_CELLS)
		return;
	if (at < a->from)
		at += (a->from - at + t->display.length - 1) / t->display.length * t->display.length;
	for (; at < a->to; at += t->display.length)
		screen_puts(a->y, a->x + axis_cell(a, at), 1, ROLE_MATCH, LOOK_BOLD, "+");
}

void
time_drag(struct pane *p, int from, int to, bool end)
{
	struct time_pane	*t = p->data;

	if (t->ready && t->axis.w > 0)
		axis_drag(&t->axis, p->ui, from, to, end);
}

static void
time_draw_name_of(void *data, const struct box *fr, struct buf *b)
{
	struct time_pane	*t = data;

	method_name(t->st, fr->method, b);
}

/*
 * Reserve columns for track names (left) and, unless it is a side of a narrow screen, values; true: the width of the
 * cells changed.
 */
static bool
set_width(struct time_pane *t, struct area a)
{
	bool	tracks = lanes_shown(&t->lanes) > 0;
	int	left = tracks ? lanes_left(&t->lanes, a.w) : 0;
	int	right = a.w >= WIDE ? 15 : a.w >= NARROW ? 9 : a.w >= SIDE ? 7 : 0,
	    w = a.w - left - (tracks ? right : 0);

	t->axis.x = a.x + left;
	if (w == t->axis.w)
		return false;
	t->axis.w = w;
	t->fresh = true;
	return true;
}

static void
time_draw_click(void *who, size_t what, int y, int x)
{
	struct time_pane *t = who;

	(void)what;
	t->lanes.focus = 0;
	if (y != SPOT_FOCUS)
		frames_click(&t->f, y, x);
}

static void
draw_calls(struct time_pane *t, struct area a)
{
	spot_add(&(struct spot){ .area = a, .click = time_draw_click, .who = t, .enters = true });
	frames_draw(&t->f, a, t, time_draw_name_of);
}

void
time_draw(struct pane *p, struct area a)
{
	struct time_pane	*t = p->data;
	size_t		 used;
	int		 top;
	bool		 resized;

	if (!t->ready || t->error[0] != '\0') {
		screen_hint(a, t->error[0] != '\0' ? t->error : "working");
		return;
	}
	resized = set_width(t, a);
	if (t->fresh)
		time_lay(t);
	time_extend(t);
	t->axis.y = a.y;
	axis_rule(&t->axis);
	draw_borders(t, &t->axis);
	axis_ticks(&t->axis, p->ui);
	top = 1 + time_tracks_draw(t, resized, (struct area){ a.y + 1, a.x, a.h - 1, a.w });
	/* Below the calls, after an empty line. */
	if (a.h > top)
		draw_calls(t, (struct area){ a.y + top, t->axis.x, a.h - top, t->axis.w });
	axis_fade(&t->axis, a.y + 1, a.h - 1);
	used = t->f.nlevels - t->f.top + (size_t)top + 1;
	if (used < (size_t)a.h)
		time_legend(t, (struct area){ a.y + (int)used, a.x, a.h - (int)used, a.w });
}
