/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_lay: the window, and its calls as boxes with a selection.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "time.h"

void
time_read(const struct store *st, struct span *s, size_t n)
{
	for (; n-- > 0; s++) {
		s->start = trace_ns(st, s->start);
		s->end = trace_ns(st, s->end);
		s->start_cpu = trace_ns(st, s->start_cpu);
		s->end_cpu = trace_ns(st, s->end_cpu);
	}
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

	return num_order(x->depth, y->depth, num_order(x->start, y->start,
	    num_order(x->end, y->end, num_order(x->row, y->row, 0))));
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
	uint32_t	 end = left->x + left->w;

	if (!left->crowd && left->w > 1) {
		left->w--;
		return frames_add(&t->f, (struct box){ .x = end - 1, .w = 1, .node = index,
		    .group = time_lay_count(s), .crowd = true }) != NULL;
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
	uint32_t	 x = (uint32_t)axis_cell(&t->axis, s->start),
	    last = (uint32_t)axis_cell(&t->axis, s->end), end = last;
	uint32_t	 free_x = fr != NULL ? fr->x + fr->w : 0;

	if (x < free_x)
		x = free_x;
	if (end <= x)
		end = x + 1;
	if (fr != NULL && (end > (uint32_t)t->axis.w || last < free_x))
		return time_lay_join(t, fr, index);
	if (end > (uint32_t)t->axis.w) {
		end = (uint32_t)t->axis.w;
		x = end - 1;
	}
	return frames_add(&t->f, (struct box){ .x = x, .w = end - x, .node = index, .method = s->method,
	    .group = s->crowd, .crowd = s->crowd > 0, .weight = s->end - s->start,
	    .match = time_lay_is_match(t, s->method) }) != NULL;
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
	*from = s->start;
	*to = s->end;
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
	from = axis_floor(&t->axis, from);
	to = axis_floor(&t->axis, to);
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
	uint64_t	 tick = t->axis.tick, from = t->axis.from / tick, to = t->axis.to / tick;

	t->fresh = false;
	t->spans.n = 0;
	if ((t->calls && !spans_window(t->st, t->thread, from, to, (to - from) / (uint64_t)t->axis.w,
	    SPANS_BUDGET, &t->spans, &err)) ||
	    (t->stacks && !sampled_spans(t->st, t->thread, t->axis.from, t->axis.to, &t->spans, &err))) {
		TEXT_COPY(t->error, err.text);
		return;
	}
	time_read(t->st, t->spans.span, t->spans.n);
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
	uint64_t	first = t->axis.all_from, last = t->axis.all_to;
	struct scale	s = scale_within(first, last);
	char		begin[NUM_TEXT], end[NUM_TEXT];

	if (from <= last && to >= first)
		return true;
	ui_say(t->pane->ui, "this thread has data from %s to %s %s only",
	    scale_show(begin, sizeof begin, &s, first),
	    scale_show(end, sizeof end, &s, last), s.unit);
	return false;
}

void
time_axis(struct time_pane *t, const struct axis *a, bool keep)
{
	if (a->from == t->axis.from && a->to == t->axis.to)
		return;
	if (keep && !t->led)
		step_add(t->pane, t->visit ? STEP_VISIT : STEP_ZOOM, "zoom");
	time_lay_remember(t);
	t->axis = *a;
	t->fresh = true;
}

void
time_window(struct time_pane *t, uint64_t from, uint64_t to, bool keep)
{
	struct axis	a = t->axis;

	axis_window(&a, from, to);
	time_axis(t, &a, keep);
}

void
time_center(struct time_pane *t, uint64_t at, bool keep)
{
	struct axis	a = t->axis;

	axis_center(&a, at);
	time_axis(t, &a, keep);
}

/* Lengths are ticks here. */
void
time_show(struct time_pane *t, uint64_t start, uint64_t end)
{
	struct axis	a = t->axis;
	uint64_t	tick = a.tick, first = start / tick, last = end / tick, len = last > first ?
	    last - first : 1;
	uint64_t	was = (a.to - a.from) / tick, w = was, cells = (uint64_t)(a.w > 0 ? a.w : 80);

	if (len < w / cells * 3 && len < UINT64_MAX / cells)
		w = len * cells / 3 + 1;
	else if (len > w && len < UINT64_MAX / 2)
		w = len + len / 4;
	axis_around(&a, (first + len / 2) * tick, w / 2 * tick, w * tick);
	if (axis_floor(&a, start) < t->axis.from || axis_floor(&a, end) > t->axis.to || w < was)
		time_axis(t, &a, true);
}
