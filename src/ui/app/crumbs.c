/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * crumbs: the line below the tabs: active filters, one chip each, oldest first, then the path.
 */
#include "config.h"

#include "app.h"
#include "ui/list/list.h"

enum { STRIP_SCREEN_W = 80 };

/* Append the chips as raw lines: stages of the view that apply to the pane, then the pane's own filters. */
static void
add_chips(const struct app *app, struct buf *b)
{
	struct pane	*p = ui_pane(app->ui);
	struct str	range = look_stage(look_now(app->ui), "range");

	if (app->state != LOAD_DONE)
		return;
	if (!p->kind->plain && !p->other)
		look_chips(app->ui, b);
	else if (range.n > 0 && !p->extra) {
		look_chip(range, b);
		buf_chr(b, '\n');
	}
	pane_tell(p, TELL_LIMITS, b);
	if (*ui_search(app->ui) != '\0')
		buf_printf(b, "/%s\n", ui_search(app->ui));
}

static size_t
crumbs_count(struct str rest)
{
	struct str	one;
	size_t		n = 0;

	while (str_split(&rest, '\n', &one))
		n += one.n > 0;
	return n;
}

/* Append the chips except the first left ones, which are counted in one chip. */
static void
crumbs_add_text(struct str rest, size_t left, struct buf *b)
{
	struct str	one;
	size_t		at;

	if (left > 0)
		buf_printf(b, "[%s +%zu]", glyph(GLYPH_CUT), left);
	for (size_t i = 0; str_split(&rest, '\n', &one);) {
		if (one.n == 0 || i++ < left)
			continue;
		buf_str(b, b->n > 0 ? STR(" [") : STR("["));
		at = b->n;
		buf_str(b, one);
		screen_fit_from(b, at);
		buf_chr(b, ']');
	}
}

/* Return the view stage of a chip; n 0: the chip is not a stage of the view. */
static struct str
stage_of(const struct app *app, size_t chip)
{
	struct str	rest = str_of(look_now(app->ui)), one;

	while (!ui_pane(app->ui)->kind->plain && !ui_pane(app->ui)->other && str_split(&rest, '\n', &one))
		if (one.n > 0 && chip-- == 0)
			return one;
	return STR("");
}

static void
crumbs_click(void *who, size_t chip, int y, int x)
{
	struct app	*app = who;
	struct buf	 stage = BUF_INIT;

	(void)x;
	if (y == SPOT_FOCUS)
		return;
	buf_str(&stage, stage_of(app, chip));
	if (stage.n > 0)
		history_back_to(app->ui, buf_view(&stage));
	buf_free(&stage);
}

/* Make the chips clickable: a click on a chip undoes all stages after it. */
static void
add_spots(struct app *app, struct str rest, size_t left, int y, int end)
{
	struct buf	b = BUF_INIT;
	struct str	one;
	int		x = 0, w;

	if (left > 0) {
		crumbs_add_text(STR(""), left, &b);
		x = (int)text_width(buf_view(&b)) + 1;
	}
	for (size_t i = 0; str_split(&rest, '\n', &one);) {
		if (one.n == 0 || i++ < left)
			continue;
		buf_clear(&b);
		screen_fit(&b, one);
		w = (int)text_width(buf_view(&b)) + 2;
		if (stage_of(app, i - 1).n > 0 && x + w <= end)
			spot_add(&(struct spot){ .area = { y, x, 1, w }, .click = crumbs_click, .who = app,
			    .what = i - 1 });
		x += w + 1;
	}
	buf_free(&b);
}

bool
crumbs_any(const struct app *app)
{
	struct buf	b = BUF_INIT;
	bool		any = PANE_DOES(ui_pane(app->ui), tell[TELL_PATH]) != NULL;

	if (!any)
		add_chips(app, &b);
	any |= b.n > 0;
	buf_free(&b);
	return any;
}

/* Draw the chips; drop the oldest if they do not fit.  The path keeps need columns, at most half of the line. */
static int
draw_chips(struct app *app, int y, int w, int need)
{
	struct buf	chips = BUF_INIT, b = BUF_INIT, cut = BUF_INIT;
	size_t		n, left = 0;
	int		room = w - (need < w / 2 ? need : w / 2), x;

	add_chips(app, &chips);
	n = crumbs_count(buf_view(&chips));
	do {
		buf_clear(&b);
		crumbs_add_text(buf_view(&chips), left, &b);
	} while ((int)text_width(buf_view(&b)) > room && ++left < n);
	screen_short(&cut, buf_view(&b), (size_t)room);
	x = screen_put(y, 0, w, ROLE_CHIP, LOOK_PLAIN, buf_view(&cut));
	add_spots(app, buf_view(&chips), left, y, x);
	buf_free(&chips);
	buf_free(&b);
	buf_free(&cut);
	return x;
}

void
crumbs_strip(struct app *app, int y, int x, int w)
{
	struct buf	 b = BUF_INIT;
	int		 h, all;

	screen_size(&h, &all);
	if (all >= STRIP_SCREEN_W && app->state == LOAD_DONE && !compare_lacks(app))
		pane_tell(ui_pane(app->ui), TELL_STRIP, &b);
	if (x + 2 + (int)text_width(buf_view(&b)) <= w)
		screen_put(y, x + 2, w - x - 2, ROLE_DIM, LOOK_PLAIN, buf_view(&b));
	buf_free(&b);
}

int
crumbs_draw(struct app *app, int y, int w)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 b = BUF_INIT, cut = BUF_INIT;
	int		 x, into;

	if (app->state == LOAD_DONE && !compare_lacks(app))
		pane_tell(p, TELL_PATH, &b);
	into = (int)text_width(str_of(glyph(GLYPH_INTO)));
	x = draw_chips(app, y, w, (int)text_width(buf_view(&b)) + into);
	if (x > 0 && b.n > 0)
		x += screen_puts(y, x, w - x, ROLE_DIM, LOOK_PLAIN, glyph(GLYPH_INTO));
	/* Cut a query at its end, but a path in the middle: both ends matter. */
	(PANE_DOES(p, tell[TELL_PATH]) == list_pane_path ? screen_short : screen_middle)(&cut, buf_view(&b),
	    (size_t)(w > x ? w - x : 0));
	x += screen_put(y, x, w - x, ROLE_DIM, LOOK_PLAIN, buf_view(&cut));
	buf_free(&b);
	buf_free(&cut);
	return x;
}
