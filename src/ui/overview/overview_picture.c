/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overview_picture: a small chart beside the lines, if they leave room: CPU time of threads over time, or
 * shares as bars.
 */
#include "config.h"

#include "overview.h"

/* Widths: pane with a picture, picture, gap before it, name, value; minimum number of rows. */
enum { LEAST_PANE = 120, LEAST_W = 40, BEFORE = 3, LEAST_NAME = 12, VALUE_W = 9, LEAST_ROWS = 3 };

bool
overview_has_room(struct area a)
{
	return a.w >= LEAST_PANE;
}

/* ---- where ------------------------------------------------------------------------ */

/* Find the largest free area at the right, with a title above its rows; h 0: none. */
static struct area
find_room(struct area a, const int *ends, int rows)
{
	struct area best = { 0, 0, 0, 0 };
	int		least = rows < LEAST_ROWS ? rows : LEAST_ROWS, most = a.w * 9 / 20, end, h, w;

	for (int from = 0; from < a.h && from < OVERVIEW_LINES; from++) {
		end = 0;
		for (h = 1; from + h <= a.h && from + h <= OVERVIEW_LINES && h <= rows + 1; h++) {
			end = ends[from + h - 1] > end ? ends[from + h - 1] : end;
			w = a.w - end - BEFORE < most ? a.w - end - BEFORE : most;
			if (w >= LEAST_W && h > least && h * w > best.h * best.w)
				best = (struct area){ a.y + from, a.x + a.w - w, h, w };
		}
	}
	return best;
}

/* ---- rows -------------------------------------------------------------------------- */

static int
name_width(const struct overview *o, int w)
{
	struct buf	b = BUF_INIT;
	int		longest = LEAST_NAME, most = (w - VALUE_W) * 2 / 5, n;

	for (size_t i = o->nlines; i < o->nrows; i++) {
		buf_clear(&b);
		screen_fit(&b, buf_view(&o->row[i].item->words));
		n = (int)text_width(buf_view(&b));
		longest = n > longest ? n : longest;
	}
	buf_free(&b);
	return longest < most ? longest : most;
}

/* CPU use in a column: the mean of its bars. */
static unsigned
bar_at(const struct overview_item *item, int x, int w)
{
	int		from = x * item->bars / w, to = ((x + 1) * item->bars + w - 1) / w;
	unsigned	sum = 0, n = 0;

	for (int i = from; i < to && i < item->bars; i++, n++)
		sum += item->bar[i];
	return n == 0 ? 0 : (sum + n - 1) / n;
}

static void
draw_bars(const struct overview *o, const struct overview_item *item, struct area a)
{
	double		most = o->row[o->nlines].item->share;
	unsigned	step;

	for (int x = 0; x < a.w; x++) {
		step = item->bars > 0 ? bar_at(item, x, a.w) : 0;
		if (item->shared && (x == 0 || item->share * a.w >= most * (x + 0.5)))
			screen_puts(a.y, a.x + x, 1, ROLE_BAR, LOOK_PLAIN, screen_bar(USE_STEPS));
		else if (!item->shared)
			screen_puts(a.y, a.x + x, 1, screen_bar_role(step), LOOK_PLAIN, screen_bar(step));
	}
}

/* The name, the bars, and a number after them. */
static void
overview_picture_row(const struct overview *o, size_t row, struct area a, int name_w)
{
	const struct overview_item *item = o->row[row].item;
	unsigned	look = row == o->sel ? LOOK_REVERSE : LOOK_PLAIN;
	struct buf	name = BUF_INIT, value = BUF_INIT;
	int		n;

	overview_words(item, (size_t)name_w, &name);
	if (item->shared)
		buf_printf(&value, "%.1f%%", item->share);
	else
		overview_value(item, &value);
	if (row == o->sel) {
		screen_puts(a.y, a.x - 2, 1, ROLE_NORMAL, look, ">");
		screen_cursor(a.y, a.x - 2, false);
	}
	screen_put(a.y, a.x, name_w, ROLE_NORMAL, look, buf_view(&name));
	draw_bars(o, item, (struct area){ a.y, a.x + name_w + 1, 1, a.w - name_w - 1 - VALUE_W });
	n = (int)text_width(buf_view(&value));
	screen_put(a.y, a.x + a.w - (n < VALUE_W ? n : VALUE_W), VALUE_W, ROLE_NORMAL, look,
	    buf_view(&value));
	buf_free(&name);
	buf_free(&value);
}

static void
overview_picture_click(void *who, size_t what, int y, int x)
{
	struct overview	*o = who;

	(void)what;
	(void)x;
	if (y != SPOT_FOCUS && y >= 1 && o->nlines + (size_t)y <= o->nrows)
		o->sel = o->nlines + (size_t)y - 1;
}

void
overview_draw_picture(struct overview *o, struct area a, const int *ends)
{
	struct area	room = find_room(a, ends, (int)(o->nrows - o->nlines));
	int		name_w = name_width(o, room.w);

	o->nrows = o->nlines + (room.h > 0 ? (size_t)room.h - 1 : 0);
	o->sel = o->sel < o->nrows || o->sel < o->nlines ? o->sel : o->left;
	if (room.h == 0)
		return;
	spot_add(&(struct spot){ .area = room, .click = overview_picture_click, .who = o, .enters = true });
	for (int y = 0; y < room.h; y++)
		screen_fill(room.y + y, room.x - 2, room.w + 2, ROLE_NORMAL, LOOK_PLAIN, GLYPH_RULE, true);
	screen_puts(room.y, room.x, room.w, ROLE_HEAD, LOOK_PLAIN, o->row[o->nlines].line->name);
	for (int y = 1; y < room.h; y++)
		overview_picture_row(o, o->nlines + (size_t)y - 1,
		    (struct area){ room.y + y, room.x, 1, room.w }, name_w);
}
