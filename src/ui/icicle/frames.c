/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frames: rows of boxes of the icicle and Stack chart: their positions, and how keys move between them.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/values.h"
#include "labels.h"
#include "ui/term/term.h"

/* ---- building ------------------------------------------------------------ */

void
frames_clear(struct frames *f)
{
	f->n = f->nlevels = f->sel = 0;
	buf_clear(&f->leads);
}

void
frames_free(struct frames *f)
{
	free(f->at);
	free(f->level);
	buf_free(&f->leads);
	memset(f, 0, sizeof *f);
}

bool
frames_level(struct frames *f)
{
	if (!MEM_ROOM(f->level, f->caplevels, f->nlevels))
		return false;
	f->level[f->nlevels++] = f->n;
	return true;
}

struct box *
frames_add(struct frames *f, struct box box)
{
	if (!MEM_ROOM(f->at, f->cap, f->n))
		return NULL;
	f->at[f->n] = box;
	return &f->at[f->n++];
}

/* ---- selecting ----------------------------------------------------------- */

/* Return the last level that begins at or before frame i. */
static size_t
frames_level_of(const struct frames *f, size_t i)
{
	size_t	lo = 0, hi = f->nlevels, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (f->level[mid] <= i)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

struct box *
frames_selected(struct frames *f)
{
	return f->sel < f->n ? &f->at[f->sel] : NULL;
}

void
frames_select(struct frames *f, size_t i)
{
	if (i >= f->n)
		return;
	f->sel = i;
	f->sel_level = frames_level_of(f, i);
}

/* Return the frame of a level that is nearest to column x. */
static size_t
nearest(const struct frames *f, size_t level, uint32_t x)
{
	size_t		best = frames_begin(f, level);
	uint32_t	d, least = UINT32_MAX;

	for (size_t i = best; i < frames_end(f, level); i++) {
		if (x < f->at[i].x)
			d = f->at[i].x - x;
		else if (x >= f->at[i].x + f->at[i].w)
			d = x - (f->at[i].x + f->at[i].w - 1);
		else
			d = 0;
		if (d < least) {
			least = d;
			best = i;
		}
	}
	return best;
}

/* A named frame is better than a group of narrow frames, which may be wider. */
static bool
frames_is_better(const struct box *a, const struct box *b)
{
	if ((a->group == 0) != (b->group == 0))
		return a->group == 0;
	return a->w > b->w;
}

/* Return the widest box below another one; skip the idle box, which is as wide as its name, not its weight. */
static size_t
widest_below(const struct frames *f, const struct box *above, size_t level)
{
	size_t	best = SIZE_MAX;

	for (size_t i = frames_begin(f, level); i < frames_end(f, level); i++) {
		if (f->at[i].x < above->x || f->at[i].x >= above->x + above->w || f->at[i].idle)
			continue;
		if (best == SIZE_MAX || frames_is_better(&f->at[i], &f->at[best]))
			best = i;
	}
	return best;
}

static bool
move_down(struct frames *f)
{
	size_t	i = widest_below(f, &f->at[f->sel], f->sel_level + 1);

	if (i == SIZE_MAX || f->sel_level + 1 >= f->nlevels)
		return false;
	f->sel = i;
	f->sel_level++;
	return true;
}

static bool
move_up(struct frames *f)
{
	const struct box *s = &f->at[f->sel];

	if (f->sel_level == 0)
		return false;
	f->sel_level--;
	f->sel = nearest(f, f->sel_level, s->x);
	return true;
}

bool
frames_move(struct frames *f, enum verb verb, size_t height)
{
	size_t	n = 1;
	bool	down = verb == VERB_DOWN || verb == VERB_PAGE_DOWN ||
		    verb == VERB_HALF_DOWN || verb == VERB_BOTTOM;

	if (f->sel >= f->n)
		return false;
	switch (verb) {
	case VERB_LEFT:
		if (f->sel > frames_begin(f, f->sel_level))
			f->sel--;
		return true;
	case VERB_RIGHT:
		if (f->sel + 1 < frames_end(f, f->sel_level))
			f->sel++;
		return true;
	case VERB_UP: case VERB_DOWN:
		break;
	case VERB_PAGE_UP: case VERB_PAGE_DOWN:
		n = height > 1 ? height - 1 : 1;
		break;
	case VERB_HALF_UP: case VERB_HALF_DOWN:
		n = height / 2 + 1;
		break;
	case VERB_TOP: case VERB_BOTTOM:
		n = f->nlevels;
		break;
	default:
		return false;
	}
	while (n-- > 0 && (down ? move_down(f) : move_up(f)))
		;
	return true;
}

void
frames_click(struct frames *f, int y, int x)
{
	size_t	level = f->up ? f->top + f->h - 1 - (size_t)y : !f->half ? f->top + (size_t)y : y > 0 ?
	    f->top + (size_t)y - 1 : 0;

	for (size_t i = frames_begin(f, level); i < frames_end(f, level); i++)
		if ((uint32_t)x >= f->at[i].x && (uint32_t)x - f->at[i].x < f->at[i].w)
			frames_select(f, i);
}

bool
frames_next_match(struct frames *f, bool backward)
{
	size_t	i = f->sel;

	for (size_t k = 0; k < f->n; k++) {
		i = (i + (backward ? f->n - 1 : 1)) % f->n;
		if (f->at[i].match && f->at[i].group == 0) {
			frames_select(f, i);
			return true;
		}
	}
	return false;
}

/* ---- drawing ------------------------------------------------------------- */

static enum role
frames_role_of(const struct frames *f, const struct box *fr, struct str full)
{
	if (fr->match)
		return ROLE_MATCH;
	if (f->differ)
		return fr->shade > 0 ? ROLE_GREW + (enum role)(fr->shade - 1) :
		    fr->shade < 0 ? ROLE_SHRANK + (enum role)(-fr->shade - 1) : ROLE_SAME;
	if (f->objects)
		return ROLE_HUE + name_hue(object_without_number(full), HUES);
	switch (frame_tone(fr->kind, full)) {
	case 'k':
		return ROLE_KERNEL;
	case 'j':
		return ROLE_JIT;
	case 'p':
		return ROLE_PLATFORM;
	case 'i':
	case 'c':
		return ROLE_INLINED;
	case 'w':
		return ROLE_WAKER;
	}
	return ROLE_HUE + name_hue(full, HUES);
}

void
box_idle_name(uint32_t n, struct buf *b)
{
	buf_printf(b, "+%u idle thread%s", n, n == 1 ? "" : "s");
}

/* Draw the box of idle threads; drop words that do not fit. */
static void
draw_idle(const struct box *fr, int y, int x, unsigned look)
{
	struct buf	 name = BUF_INIT;
	int		 w = (int)fr->w, used;

	box_idle_name(fr->group, &name);
	while ((int)name.n > w && memrchr(name.s, ' ', name.n) != NULL)
		name.n = (size_t)((char *)memrchr(name.s, ' ', name.n) - name.s);
	used = (int)name.n < w && screen_puts(y, x, 1, ROLE_DIM, look, " ");
	used += screen_put(y, x + used, w - used, ROLE_DIM, look, buf_view(&name));
	screen_fill(y, x + used, w - used, ROLE_DIM, look, GLYPH_BAR, true);
	buf_free(&name);
}

/* In a comparison use the cut mark instead of +, which there marks frames that grew. */
static void
draw_group(const struct frames *f, const struct box *fr, int y, int x, int w, unsigned look)
{
	const char	*mark = f->differ ? glyph(GLYPH_CUT) : "+";
	char		 s[32];
	int		 n;

	if (fr->crowd) {
		screen_fill(y, x, w, ROLE_DIM, look, GLYPH_CROWD, false);
		return;
	}
	n = snprintf(s, sizeof s, "%u", fr->group);
	screen_fill(y, x, w, ROLE_DIM, look, GLYPH_BAR, true);
	screen_puts(y, x, w, ROLE_DIM, look, mark);
	if (n < w)
		screen_puts(y, x + 1, w - 1, ROLE_DIM, look, s);
}

static void
draw_frame(const struct frames *f, const struct box *fr, int y, int x, unsigned look,
    const struct label *label,
    struct str text)
{
	enum role	role = frames_role_of(f, fr, buf_view(&label->full));
	int		w = (int)fr->w;
	int		used = 0;

	if (fr->match)
		look |= LOOK_BOLD;
	if (w >= 3) {
		used = screen_put(y, x, w - 1, role, look, buf_view(&label->marks));
		used += screen_put(y, x + used, w - 1 - used, role, look, text);
	} else {
		used = screen_put(y, x, fr->match || f->differ, role, look, buf_view(&label->marks));
	}
	if (w - 1 > used)
		screen_fill(y, x + used, w - 1 - used, role, look, GLYPH_BAR, true);
	screen_puts(y, x + w - 1, 1, role, look, glyph(GLYPH_BAR));
}

/* Draw a frame one cell wide; without a name it has no package colour. */
static void
draw_narrow(const struct frames *f, const struct box *fr, int y, int x, unsigned look)
{
	screen_puts(y, x, 1, frames_role_of(f, fr, STR("")), look | (fr->match ? LOOK_BOLD : 0),
	    glyph(GLYPH_BAR));
}

static void
draw_level(const struct frames *f, size_t level, struct area a, int y, const struct labels *l)
{
	const struct box *fr;
	unsigned	 look;
	size_t		 n = 0;
	int		 x;

	for (size_t i = frames_begin(f, level); i < frames_end(f, level); i++) {
		fr = &f->at[i];
		x = a.x + (int)fr->x;
		look = i == f->sel && !f->mute ? LOOK_REVERSE | LOOK_BOLD : 0;
		if (look != 0)
			screen_cursor(y, x, false);
		if (fr->idle)
			draw_idle(fr, y, x, look);
		else if (fr->group != 0)
			draw_group(f, fr, y, x, (int)fr->w, look);
		else if (fr->w < 2)
			draw_narrow(f, fr, y, x, look);
		else {
			draw_frame(f, fr, y, x, look, &l->at[n], buf_view(&l->shown[n].text));
			n++;
		}
	}
}

static void
draw_levels(struct frames *f, size_t end, struct area a, void *data,
    void (*name)(void *, const struct box *, struct buf *))
{
	struct labels	 l;
	bool		 ok = labels_open(&l, f, end);

	for (size_t level = f->top; level < end && ok; level++) {
		labels_level(&l, f, level, data, name);
		draw_level(f, level, a, f->up ? a.y + a.h - 1 - (int)(level - f->top) :
		    a.y + (int)(level - f->top), &l);
	}
	labels_free(&l);
}

void
frames_draw(struct frames *f, struct area a, void *data,
    void (*name)(void *, const struct box *, struct buf *))
{
	size_t	top = f->top;

	if (f->half && !f->up) {
		f->top = 0;
		draw_levels(f, f->nlevels > 0, (struct area){ a.y++, a.x, 1, a.w }, data, name);
		a.h--;
	}
	f->h = a.h > 0 ? (size_t)a.h : !f->half;
	f->top = (size_t)key_scroll(top, f->sel_level, f->h > 0 ? f->h : 1);
	if (f->half && f->top == 0)
		f->top = 1;
	draw_levels(f, f->nlevels < f->top + f->h ? f->nlevels : f->top + f->h, a, data, name);
}
