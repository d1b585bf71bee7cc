/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overlay: windows over a pane: open, move, search, close.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "overlay.h"
#include "ui/prompt/prompt.h"

enum { BLOCKS_W = 118, NARROW_W = 60 };

static const struct overlay_kind *const kinds[] = { &overlay_help, &overlay_details, &overlay_legend,
    &overlay_events };

/* ---- open and close ------------------------------------------------------ */

/* Return the overlay opened last; NULL: none is open. */
static struct overlay *
overlay_top(struct overlays *all)
{
	return all->n > 0 ? &all->at[all->n - 1] : NULL;
}

uint64_t
overlay_where(struct overlays *all, struct ui *ui)
{
	return all->n > 0 ? overlay_top(all)->kind->where : ui_where(ui, ui_pane(ui));
}

void
overlay_close(struct overlays *all)
{
	struct overlay	*o = overlay_top(all);

	if (o == NULL)
		return;
	prompt_disown(o);
	pattern_free(o->pattern);
	items_free(&o->items);
	*o = (struct overlay){ .kind = NULL };
	all->n--;
}

static bool
overlay_can_choose(const struct remark *item)
{
	return item->key != NULL || item->choice != 0;
}

static size_t
next_key(const struct overlay *o, size_t from, int by)
{
	for (size_t i = from; i < o->items.n; i += (size_t)by)
		if (overlay_can_choose(&o->items.at[i]))
			return i;
	return SIZE_MAX;
}

/* False: nothing to show. */
static bool
overlay_fill(struct overlay *o)
{
	items_free(&o->items);
	o->kind->fill(&o->of, &o->items);
	o->top = 0;
	o->sel = o->kind->chooses ? next_key(o, 0, 1) : 0;
	for (size_t i = 0; i < o->items.n; i++)
		o->sel = o->items.at[i].now ? i : o->sel;
	return o->items.n > 0;
}

static void
open_one(struct overlays *all, struct ui *ui, const struct overlay_kind *kind)
{
	struct overlay	*below = overlay_top(all), *o;

	if (all->n == OVERLAYS) {
		overlay_close(all);
		below = overlay_top(all);
	}
	o = &all->at[all->n++];
	*o = (struct overlay){ .kind = kind };
	o->of = (struct overlay_of){ ui, below != NULL ? below->kind->name : ui_pane(ui)->kind->name,
	    below != NULL ? below->kind->where : ui_where(ui, ui_pane(ui)), false };
	if (overlay_fill(o))
		return;
	overlay_close(all);
	ui_say(ui, "%s", kind->empty);
}

/* Open an overlay.  If it is already open, its key switches to all panes or closes it. */
static void
open_or_close(struct overlays *all, struct ui *ui, const struct overlay_kind *kind)
{
	struct overlay	*o = overlay_top(all);

	if (o == NULL || o->kind != kind)
		open_one(all, ui, kind);
	else if (kind->more) {
		o->of.all = !o->of.all;
		overlay_fill(o);
	} else
		overlay_close(all);
}

/* ---- moving -------------------------------------------------------------- */

/* Move the selection by that many lines, item by item. */
static void
overlay_step(struct overlay *o, int lines, int by)
{
	size_t	next;

	while (lines > 0 && (next = next_key(o, o->sel + (size_t)by, by)) != SIZE_MAX) {
		lines -= sheet_height(&o->sheet, &o->items.at[o->sel]);
		o->sel = next;
	}
}

static bool
move_chosen(struct overlay *o, enum verb verb)
{
	switch (verb) {
	case VERB_UP: case VERB_DOWN:
		overlay_step(o, 1, verb == VERB_UP ? -1 : 1);
		return true;
	case VERB_PAGE_UP: case VERB_PAGE_DOWN:
		overlay_step(o, o->h, verb == VERB_PAGE_UP ? -1 : 1);
		o->top += verb == VERB_PAGE_UP ? -o->h : o->h;
		return true;
	case VERB_HALF_UP: case VERB_HALF_DOWN:
		overlay_step(o, o->h / 2 + 1, verb == VERB_HALF_UP ? -1 : 1);
		return true;
	case VERB_TOP: case VERB_BOTTOM:
		o->sel = verb == VERB_TOP ? next_key(o, 0, 1) : next_key(o, o->items.n - 1, -1);
		return true;
	default:
		return false;
	}
}

static bool
overlay_move(struct overlay *o, enum verb verb)
{
	uint64_t	top = (uint64_t)o->top;

	if (o->kind->chooses)
		return o->sel != SIZE_MAX && move_chosen(o, verb);
	if (!key_moves(verb, &top, o->lines > o->h ? (uint64_t)(o->lines - o->h) + 1 : 1, (uint64_t)o->h))
		return false;
	o->top = (int)top;
	return true;
}

/* ---- search -------------------------------------------------------------- */

static bool
is_hit(const struct overlay *o, const struct remark *item)
{
	return o->pattern != NULL && (pattern_match(o->pattern, buf_view(&item->left)) ||
	    pattern_match(o->pattern, buf_view(&item->text)) ||
	    pattern_match(o->pattern, buf_view(&item->note)));
}

static int
overlay_line_of(const struct overlay *o, size_t item)
{
	int	line = 0;

	for (size_t i = 0; i < item; i++)
		line += sheet_height(&o->sheet, &o->items.at[i]);
	return line;
}

/* The item that the search continues from. */
static size_t
overlay_place(const struct overlay *o)
{
	int	line = 0;
	size_t	i = 0;

	if (o->kind->chooses)
		return o->sel;
	while (i + 1 < o->items.n && (line += sheet_height(&o->sheet, &o->items.at[i])) <= o->top)
		i++;
	return i;
}

static void
next_hit(struct overlay *o, bool backward)
{
	size_t	n = o->items.n, at, from = overlay_place(o);

	for (size_t i = 1; i <= n; i++) {
		at = (from + (backward ? n - i : i)) % n;
		if (!is_hit(o, &o->items.at[at]) ||
		    (o->kind->chooses && !overlay_can_choose(&o->items.at[at])))
			continue;
		if (backward ? at >= from : at <= from)
			ui_say(o->of.ui, "/%s: search wrapped at the %s", o->search, backward ? "end" :
			    "top");
		o->sel = at;
		o->top = o->kind->chooses ? o->top : overlay_line_of(o, at);
		return;
	}
	found_none(o->of.ui, o->search, "");
}

static void
search_entered(void *asker, const char *line)
{
	struct overlay	*o = asker;

	if (*line != '\0') {
		TEXT_COPY(o->search, line);
		pattern_free(o->pattern);
		o->pattern = pattern_make(str_of(line), NULL);
	}
	if (o->pattern != NULL)
		next_hit(o, false);
}

static bool
overlay_search(struct overlay *o, enum verb verb)
{
	switch (verb) {
	case VERB_FIND:
		prompt_open(PROMPT_LINE, "/", "", search_entered, o);
		return true;
	case VERB_FIND_NEXT: case VERB_FIND_PREV:
		if (o->pattern == NULL)
			ui_say_hint(o->of.ui, VERB_FIND, "no search yet; press _");
		else
			next_hit(o, verb == VERB_FIND_PREV);
		return true;
	default:
		return false;
	}
}

/* ---- keys ---------------------------------------------------------------- */

bool
overlay_act(struct overlays *all, struct ui *ui, enum verb verb)
{
	struct overlay	*o = overlay_top(all);

	for (size_t i = 0; i < NELEM(kinds); i++)
		if (kinds[i]->verb == verb) {
			open_or_close(all, ui, kinds[i]);
			return true;
		}
	if (o == NULL)
		return false;
	if (verb == VERB_BACK) {
		overlay_close(all);
		return true;
	}
	return overlay_move(o, verb) || overlay_search(o, verb);
}

const struct remark *
overlay_chosen(struct overlays *all)
{
	struct overlay	*o = overlay_top(all);

	return o != NULL && o->kind->chooses && o->sel < o->items.n ? &o->items.at[o->sel] : NULL;
}

bool
overlay_choose(struct overlays *all, struct ui *ui)
{
	const struct remark *item = overlay_chosen(all);
	void		(*take)(struct ui *, uint32_t) = item != NULL ? overlay_top(all)->kind->take : NULL;
	uint32_t	 choice = item != NULL ? item->choice : 0;

	if (take == NULL)
		return false;
	overlay_close(all);
	take(ui, choice);
	return true;
}

void
overlay_text(struct overlays *all, struct buf *b)
{
	if (all->n > 0)
		items_text(&overlay_top(all)->items, b);
}

/* ---- drawing ------------------------------------------------------------- */

static void
draw_title(const struct overlay *o, struct area a)
{
	struct buf	b = BUF_INIT, range = BUF_INIT;
	int		last = o->top + o->h < o->lines ? o->top + o->h : o->lines, w;

	buf_printf(&b, "%s: %s", o->kind->name, o->of.all ? "all panes" : o->of.name);
	if (o->lines > o->h)
		buf_printf(&range, "%d-%d of %d", o->top + 1, last, o->lines);
	w = (int)range.n;
	screen_name(a.y, a.x + 1, a.w - 1, ROLE_TITLE, LOOK_BOLD, buf_view(&b));
	if ((int)b.n + 3 + w <= a.w)
		screen_put(a.y, a.x + a.w - w, w, ROLE_DIM, LOOK_PLAIN, buf_view(&range));
	buf_free(&b);
	buf_free(&range);
}

static void
overlay_click(void *who, size_t item, int y, int x)
{
	struct overlay	*o = who;

	(void)x;
	if (y != SPOT_FOCUS && o->kind != NULL && o->kind->chooses && item < o->items.n &&
	    overlay_can_choose(&o->items.at[item]))
		o->sel = item;
}

/* Visible lines of an item can be clicked. */
static void
overlay_add_spot(struct overlay *o, size_t item, int y, struct area a)
{
	int	first = y > a.y ? y : a.y, end = y + sheet_height(&o->sheet, &o->items.at[item]);

	end = end < a.y + a.h ? end : a.y + a.h;
	if (first < end)
		spot_add(&(struct spot){ .area = { first, a.x, end - first, a.w }, .click = overlay_click,
		    .who = o, .what = item,
		    .enters = overlay_can_choose(&o->items.at[item]) });
}

/* Draw the items of one block, scrolled like the overlay. */
static void
draw_block(struct overlay *o, size_t from, size_t to, struct area a)
{
	int	y = a.y - o->top;

	for (size_t i = from; i < to; i++) {
		overlay_add_spot(o, i, y, a);
		sheet_draw(&o->sheet, &o->items.at[i], y, a,
		    (o->kind->chooses && i == o->sel ? SHEET_CHOSEN : 0) | (is_hit(o, &o->items.at[i]) ||
		    o->items.at[i].now ? SHEET_HIT : 0));
		y += sheet_height(&o->sheet, &o->items.at[i]);
	}
}

/* Return the first item of the second block so that both blocks fit, preferably a heading; 0: they do not fit. */
static size_t
second_block(struct overlay *o, int h)
{
	int	all = overlay_line_of(o, o->items.n), before = 0;
	size_t	second = 0;

	for (size_t i = 0; i < o->items.n; i++) {
		if (before <= h && all - before <= h && (second == 0 || o->items.at[i].head))
			second = i;
		before += sheet_height(&o->sheet, &o->items.at[i]);
	}
	return second;
}

static bool
draw_blocks(struct overlay *o, struct area a)
{
	struct area	half = { a.y, a.x, a.h, a.w / 2 };
	size_t		second;

	if (!o->kind->chooses || o->kind->take != NULL || a.w < BLOCKS_W)
		return false;
	sheet_fit(&o->sheet, &o->items, half.w - 1, o->kind->left, false);
	second = second_block(o, a.h);
	if (second == 0)
		return false;
	o->top = 0;
	o->lines = o->h = a.h;
	draw_block(o, 0, second, half);
	half.x += half.w;
	draw_block(o, second, o->items.n, half);
	return true;
}

/* Scroll to show the selection; for the first item also its heading. */
static void
overlay_keep_visible(struct overlay *o)
{
	int	first, last;

	if (o->kind->chooses && o->sel != SIZE_MAX) {
		first = o->sel == next_key(o, 0, 1) ? 0 : overlay_line_of(o, o->sel);
		last = overlay_line_of(o, o->sel + 1);
		o->top = last - o->top > o->h ? last - o->h : o->top;
		o->top = first < o->top ? first : o->top;
	}
	o->top = o->top + o->h > o->lines ? o->lines - o->h : o->top;
	o->top = o->top < 0 ? 0 : o->top;
}

void
overlay_draw(struct overlays *all, struct area a)
{
	struct overlay	*o = overlay_top(all);
	struct area	 below = { a.y + 1, a.x, a.h - 1, a.w };
	int		 h, w;

	/* A click outside closes the overlay. */
	screen_size(&h, &w);
	spot_add(&(struct spot){ .area = { 0, 0, h, w }, .verb = VERB_BACK });
	spot_add(&(struct spot){ .area = a, .click = overlay_click, .who = o, .what = SIZE_MAX });
	if (!draw_blocks(o, below)) {
		sheet_fit(&o->sheet, &o->items, a.w, o->kind->left, a.w < NARROW_W);
		o->h = below.h;
		o->lines = overlay_line_of(o, o->items.n);
		overlay_keep_visible(o);
		draw_block(o, 0, o->items.n, below);
		screen_thumb(below, (uint64_t)o->top, (uint64_t)o->lines);
	}
	draw_title(o, a);
}
