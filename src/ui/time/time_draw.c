/*
 * time_draw: the calls of one thread in the order of time.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "time.h"

enum { WIDE = 100, NARROW = 60, BORDER_CELLS = 3 };		/* of a display frame, at least, when borders are drawn */

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

/* Mark matches of other panes too, but only without a view: a view has other method ids. */
static bool
time_draw_is_match(const struct time_pane *t, uint32_t method)
{
	const struct ui	*ui = t->pane->ui;

	if (strcmp(t->search.text, ui_found(ui)->text) == 0 && t->search.text[0] != '\0')
		return method <= t->search.nset && t->search.set[method] != 0;
	return ui_session(ui)->view == NULL && found_has(ui, method);
}

/* ---- laying out ---------------------------------------------------------- */

static int
span_cmp(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return num_order(x->depth, y->depth, num_order(x->start, y->start, 0));
}

static uint32_t
column(const struct time_pane *t, uint64_t at)
{
	struct axis	a = { 0, 0, t->width, t->now.from, t->now.to };

	return (uint32_t)axis_cell(&a, at);
}

static uint32_t
time_draw_count(const struct span *s)
{
	return s->crowd > 0 ? s->crowd : 1;
}

/* Two calls in one cell become a crowd with a count; a wide neighbour gives up a cell instead. */
static bool
time_draw_join(struct time_pane *t, struct box *left, uint32_t index)
{
	const struct span *s = &t->spans.span[index];
	struct box	*new;
	uint32_t	 end = left->x + left->w;

	if (!left->crowd && left->w > 1) {
		left->w--;
		new = frames_add(&t->f);
		if (new == NULL)
			return false;
		*new = (struct box){ .x = end - 1, .w = 1, .node = index, .group = time_draw_count(s), .crowd = true };
		return true;
	}
	if (!left->crowd)
		left->group = 1;
	left->group += time_draw_count(s);
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
		return time_draw_join(t, fr, index);
	if (end > (uint32_t)t->width) {
		end = (uint32_t)t->width;
		x = end - 1;
	}
	fr = frames_add(&t->f);
	if (fr == NULL)
		return false;
	*fr = (struct box){ .x = x, .w = end - x, .node = index, .method = s->method, .group = s->crowd,
	    .crowd = s->crowd > 0, .weight = s->end - s->start, .match = time_draw_is_match(t, s->method) };
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
time_draw_remember(struct time_pane *t)
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
	time_draw_remember(t);
	t->fresh = true;
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
	time_draw_remember(t);
	t->now = (struct time_window){ from, to };
	t->fresh = true;
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

/* ---- drawing ------------------------------------------------------------- */

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

static void
time_draw_draw_axis(const struct time_pane *t, int y)
{
	struct axis	a = { y, t->x, t->width, time_ns(t, t->now.from), time_ns(t, t->now.to) };

	axis_rule(&a);
	draw_borders(t, &a);
	axis_ticks(&a);
	if (t->ranged != RANGE_NONE)
		axis_range(&a, time_ns(t, t->range.from), time_ns(t, t->range.to));
}

static void
time_draw_name_of(void *data, const struct box *fr, struct buf *b)
{
	struct time_pane	*t = data;

	method_name(t->st, fr->method, b);
}

/* Reserve columns for track names (left) and values (right); true if the width of the cells changed. */
static bool
set_width(struct time_pane *t, struct area a)
{
	bool	tracks = lanes_shown(&t->lanes) > 0;
	int	left = tracks ? lanes_left(&t->lanes, a.w) : 0;
	int	right = a.w >= WIDE ? 15 : a.w >= NARROW ? 9 : 7, w = a.w - left - (tracks ? right : 0);

	t->x = a.x + left;
	if (w == t->width)
		return false;
	t->width = w;
	t->fresh = true;
	return true;
}

/* Take the range of the view, set here or in another pane, unless one is being marked. */
static void
take_range(struct time_pane *t)
{
	uint64_t	from, to;

	if (t->ranged == RANGE_OPEN)
		return;
	t->ranged = RANGE_NONE;
	if (!look_ranged(t->pane->ui, &from, &to))
		return;
	t->range = (struct time_window){ time_ticks(t, from), time_ticks(t, to) };
	t->ranged = RANGE_SET;
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

	p->area = a;
	if (!t->ready || t->error[0] != '\0') {
		screen_puts(a.y, a.x + 2, a.w - 2, ROLE_DIM, LOOK_PLAIN,
		    t->error[0] != '\0' ? t->error : "working");
		return;
	}
	take_range(t);
	resized = set_width(t, a);
	if (t->fresh)
		time_lay(t);
	time_extend(t);
	time_draw_draw_axis(t, a.y);
	top = 1 + time_tracks_draw(t, resized, (struct area){ a.y + 1, a.x, a.h - 1, a.w });
	/* Below the calls, with an empty line between. */
	used = t->f.nlevels - t->f.top + (size_t)top + 1;
	if (used < (size_t)a.h)
		time_legend(t, (struct area){ a.y + (int)used, a.x, a.h - (int)used, a.w });
	if (a.h > top)
		draw_calls(t, (struct area){ a.y + top, t->x, a.h - top, t->width });
}
