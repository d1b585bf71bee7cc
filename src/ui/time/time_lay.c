/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_lay: the window, and its calls as boxes with a selection.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "time.h"

/* ---- times --------------------------------------------------------------- */

uint64_t
time_ns(const struct time_pane *t, uint64_t ticks)
{
	return trace_ns(t->st, ticks);
}

uint64_t
time_ticks(const struct time_pane *t, uint64_t ns)
{
	uint64_t	tick = trace_ns(t->st, 1);

	return tick > 1 ? ns / tick : ns;
}

/* Also highlight matches of other panes, but only without a view: views number methods differently. */
static bool
time_lay_is_match(const struct time_pane *t, uint32_t method)
{
	const struct ui	*ui = t->pane->ui;

	if (strcmp(t->search.text, ui_found(ui)->text) == 0 && t->search.text[0] != '\0')
		return method <= t->search.nset && t->search.set[method] != 0;
	return ui_session(ui)->view == NULL && found_has(ui, method);
}

/* ---- layout -------------------------------------------------------------- */

static int
span_cmp(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return num_order(x->depth, y->depth, num_order(x->start, y->start, num_order(x->end, y->end, num_order(x->row, y->row, 0))));
}

static uint32_t
column(const struct time_pane *t, uint64_t at)
{
	struct axis	a = { 0, 0, t->width, t->now.from, t->now.to };

	return (uint32_t)axis_cell(&a, at);
}

static uint32_t
time_lay_count(const struct span *s)
{
	return s->crowd > 0 ? s->crowd : 1;
}

/* Two calls in one cell become a crowd with a count; a wide neighbour gives up a cell instead. */
static bool
time_lay_join(struct time_pane *t, struct box *left, uint32_t index)
{
	const struct span *s = &t->spans.span[index];
	struct box	*new;
	uint32_t	 end = left->x + left->w;

	if (!left->crowd && left->w > 1) {
		left->w--;
		new = frames_add(&t->f);
		if (new == NULL)
			return false;
		*new = (struct box){ .x = end - 1, .w = 1, .node = index, .group = time_lay_count(s), .crowd = true };
		return true;
	}
	if (!left->crowd)
		left->group = 1;
	left->group += time_lay_count(s);
	left->method = 0;
	left->match = false;
	left->crowd = true;
	return true;
}

static bool
lay_span(struct time_pane *t, uint32_t index)
{
	const struct span *s = &t->spans.span[index];
	size_t		 first = t->f.level[t->f.nlevels - 1];
	struct box	*fr = t->f.n > first ? &t->f.at[t->f.n - 1] : NULL;
	uint32_t	 x = column(t, s->start), end = column(t, s->end);
	uint32_t	 free_x = fr != NULL ? fr->x + fr->w : 0;

	if (x < free_x)
		x = free_x;
	if (end <= x)
		end = x + 1;
	if (fr != NULL && (end > (uint32_t)t->width || column(t, s->end) < free_x))
		return time_lay_join(t, fr, index);
	if (end > (uint32_t)t->width) {
		end = (uint32_t)t->width;
		x = end - 1;
	}
	fr = frames_add(&t->f);
	if (fr == NULL)
		return false;
	*fr = (struct box){ .x = x, .w = end - x, .node = index, .method = s->method, .group = s->crowd,
	    .crowd = s->crowd > 0, .weight = s->end - s->start, .match = time_lay_is_match(t, s->method) };
	return true;
}

static void
reselect(struct time_pane *t)
{
	size_t		 best = 0;
	const struct span *s;

	for (size_t i = frames_begin(&t->f, t->sel_depth); i < frames_end(&t->f, t->sel_depth); i++) {
		s = &t->spans.span[t->f.at[i].node];
		if (i == frames_begin(&t->f, t->sel_depth) || s->start <= t->sel_start)
			best = i;
	}
	frames_select(&t->f, best);
}

/* Select the widest call, when a thread is shown first. */
static void
select_widest(struct time_pane *t)
{
	size_t	best = SIZE_MAX;

	for (size_t i = frames_begin(&t->f, 0); i < frames_end(&t->f, 0); i++)
		if (t->f.at[i].group == 0 && (best == SIZE_MAX || t->f.at[i].w > t->f.at[best].w))
			best = i;
	if (best == SIZE_MAX)
		reselect(t);
	else
		frames_select(&t->f, best);
}

bool
time_piece(struct time_pane *t, uint64_t *from, uint64_t *to)
{
	const struct lane *l = lanes_focused(&t->lanes);
	const struct span *s = time_selected(t);

	if (l != NULL && t->lanes.stretch != 0) {
		lane_stretch(l, t->lanes.stretch, from, to);
		return true;
	}
	if (s == NULL)
		return false;
	*from = time_ns(t, s->start);
	*to = time_ns(t, s->end);
	return true;
}

/* Select the innermost call around the whole interval, otherwise the one at its middle. */
static void
select_under(struct time_pane *t)
{
	const struct span *s;
	uint64_t	 from, to, mid;
	size_t		 best = SIZE_MAX;
	bool		 whole = false, has;

	t->under = false;
	if (lanes_focused(&t->lanes) == NULL || !time_piece(t, &from, &to))
		return;
	from = time_ticks(t, from);
	to = time_ticks(t, to);
	mid = from + (to - from) / 2;
	for (size_t i = 0; i < t->f.n; i++) {
		s = &t->spans.span[t->f.at[i].node];
		if (t->f.at[i].group > 0 || s->start > mid || s->end < mid)
			continue;
		has = s->start <= from && s->end >= to;
		if (has || !whole) {
			best = i;
			whole = has;
		}
	}
	if (best != SIZE_MAX)
		frames_select(&t->f, best);
}

static void
lay_spans(struct time_pane *t)
{
	bool	ok = true;

	frames_clear(&t->f);
	if (t->spans.n > 1)
		qsort(t->spans.span, t->spans.n, sizeof *t->spans.span, span_cmp);
	for (size_t i = 0; ok && i < t->spans.n; i++) {
		while (ok && t->f.nlevels <= t->spans.span[i].depth)
			ok = frames_level(&t->f);
		ok = ok && lay_span(t, (uint32_t)i);
	}
}

void
time_lay(struct time_pane *t)
{
	struct err	 err;
	uint64_t	 least = (t->now.to - t->now.from) / (uint64_t)t->width;

	t->fresh = false;
	t->spans.n = 0;
	if (t->calls && !spans_window(t->st, t->thread, t->now.from, t->now.to, least, SPANS_BUDGET,
	    &t->spans, &err)) {
		snprintf(t->error, sizeof t->error, "%s", err.text);
		return;
	}
	if (t->stacks && !sampled_spans(t->st, t->thread, time_ns(t, t->now.from), time_ns(t, t->now.to), &t->spans, &err)) {
		snprintf(t->error, sizeof t->error, "%s", err.text);
		return;
	}
	t->error[0] = '\0';
	lay_spans(t);
	if (t->begin)
		select_widest(t);
	else
		reselect(t);
	t->begin = false;
	if (t->under)
		select_under(t);
}

const struct span *
time_selected(struct time_pane *t)
{
	const struct box *fr = frames_selected(&t->f);

	return fr != NULL && fr->node < t->spans.n ? &t->spans.span[fr->node] : NULL;
}

/* Remember the selected call, to select it again in the next layout. */
static void
time_lay_remember(struct time_pane *t)
{
	const struct span *s = t->fresh ? NULL : time_selected(t);

	if (s == NULL)
		return;
	t->sel_start = s->start;
	t->sel_depth = s->depth;
}

void
time_marked(struct pane *p)
{
	struct time_pane *t = p->data;

	if (!t->ready)
		return;
	time_lay_remember(t);
	t->fresh = true;
}

bool
time_has_data(const struct time_pane *t, uint64_t from, uint64_t to)
{
	uint64_t	first = time_ns(t, t->all.from), last = time_ns(t, t->all.to);
	struct scale	s = scale_within(first, last);
	char		begin[NUM_TEXT], end[NUM_TEXT];

	if (from <= last && to >= first)
		return true;
	ui_say(t->pane->ui, "this thread has data from %s to %s %s only", scale_show(begin, sizeof begin, &s, first),
	    scale_show(end, sizeof end, &s, last), s.unit);
	return false;
}

/* Move the window within the extent of the thread; keep: u returns to the old window. */
void
time_window(struct time_pane *t, uint64_t from, uint64_t to, bool keep)
{
	if (from < t->all.from)
		from = t->all.from;
	if (to > t->all.to)
		to = t->all.to;
	if (to <= from)
		to = from + 1;
	if (from == t->now.from && to == t->now.to)
		return;
	if (keep && !t->led)
		step_add(t->pane, t->visit ? STEP_VISIT : STEP_ZOOM, "zoom");
	time_lay_remember(t);
	t->now = (struct time_window){ from, to };
	t->fresh = true;
}

void
time_center(struct time_pane *t, uint64_t at, bool keep)
{
	uint64_t	w = t->now.to - t->now.from;

	at = at > w / 2 ? at - w / 2 : 0;
	at = at > t->all.from ? at : t->all.from;
	if (t->all.to < at || t->all.to - at < w)
		at = t->all.to - w;
	time_window(t, at, at + w, keep);
}

void
time_show(struct time_pane *t, uint64_t start, uint64_t end)
{
	uint64_t	len = end > start ? end - start : 1, w = t->now.to - t->now.from;
	uint64_t	from, cells = (uint64_t)(t->width > 0 ? t->width : 80);

	if (len < w / cells * 3 && len < UINT64_MAX / cells)
		w = len * cells / 3 + 1;
	else if (len > w && len < UINT64_MAX / 2)
		w = len + len / 4;
	from = start + len / 2;
	from = from > w / 2 ? from - w / 2 : 0;
	if (start < t->now.from || end > t->now.to || w < t->now.to - t->now.from)
		time_window(t, from, from + w, true);
}
