/*
 * time: the calls of one thread in the order of time.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline.h"

/* ---- laying out ---------------------------------------------------------- */

static int
span_cmp(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

static uint32_t
column(const struct timeline *t, uint64_t at)
{
	double	whole = (double)(t->now.to - t->now.from);

	if (at <= t->now.from)
		return 0;
	if (at >= t->now.to)
		return (uint32_t)t->width;
	return (uint32_t)((double)(at - t->now.from) / whole * t->width);
}

static uint32_t
count(const struct span *s)
{
	return s->crowd > 0 ? s->crowd : 1;
}

/* Two in one cell become a crowd that counts; a wide neighbour gives it a cell. */
static bool
join(struct timeline *t, struct frame *left, uint32_t index)
{
	const struct span *s = &t->spans.span[index];
	struct frame	*new;
	uint32_t	 end = left->x + left->w;

	if (!left->crowd && left->w > 1) {
		left->w--;
		new = frames_add(&t->f);
		if (new == NULL)
			return false;
		new->x = end - 1;
		new->w = 1;
		new->node = index;
		new->group = count(s);
		new->crowd = true;
		return true;
	}
	if (!left->crowd)
		left->group = 1;
	left->group += count(s);
	left->method = 0;
	left->match = false;
	left->crowd = true;
	return true;
}

static bool
lay_span(struct timeline *t, uint32_t index)
{
	const struct span *s = &t->spans.span[index];
	size_t		 first = t->f.level[t->f.nlevels - 1];
	struct frame	*fr = t->f.n > first ? &t->f.at[t->f.n - 1] : NULL;
	uint32_t	 x = column(t, s->start), end = column(t, s->end);
	uint32_t	 free_x = fr != NULL ? fr->x + fr->w : 0;

	if (x < free_x)
		x = free_x;
	if (end <= x)
		end = x + 1;
	if (fr != NULL && (end > (uint32_t)t->width || column(t, s->end) < free_x))
		return join(t, fr, index);
	if (end > (uint32_t)t->width) {
		end = (uint32_t)t->width;
		x = end - 1;
	}
	fr = frames_add(&t->f);
	if (fr == NULL)
		return false;
	fr->x = x;
	fr->w = end - x;
	fr->node = index;
	fr->method = s->method;
	fr->group = s->crowd;
	fr->crowd = s->crowd > 0;
	fr->weight = s->end - s->start;
	fr->match = found_has(t->pane->ui, s->method);
	return true;
}

static void
reselect(struct timeline *t)
{
	size_t		 i, best = 0;
	const struct span *s;

	for (i = frames_begin(&t->f, t->sel_depth); i < frames_end(&t->f, t->sel_depth); i++) {
		s = &t->spans.span[t->f.at[i].node];
		if (i == frames_begin(&t->f, t->sel_depth) || s->start <= t->sel_start)
			best = i;
	}
	frames_select(&t->f, best);
}

/* Of the method that the user came for, the longest. */
static void
select_method(struct timeline *t)
{
	size_t	i, best = SIZE_MAX;

	for (i = 0; i < t->f.n; i++)
		if (t->f.at[i].group == 0 && t->f.at[i].method == t->method &&
		    (best == SIZE_MAX || t->f.at[i].weight > t->f.at[best].weight))
			best = i;
	if (best != SIZE_MAX)
		frames_select(&t->f, best);
	t->method = 0;
}

static void
lay_spans(struct timeline *t)
{
	size_t	i;
	bool	ok = true;

	frames_clear(&t->f);
	if (t->spans.n > 1)
		qsort(t->spans.span, t->spans.n, sizeof *t->spans.span, span_cmp);
	for (i = 0; ok && i < t->spans.n; i++) {
		while (ok && t->f.nlevels <= t->spans.span[i].depth)
			ok = frames_level(&t->f);
		ok = ok && lay_span(t, (uint32_t)i);
	}
}

void
time_lay(struct timeline *t)
{
	struct store	*st = ui_store(t->pane->ui);
	struct err	 err;
	uint64_t	 least = (t->now.to - t->now.from) / (uint64_t)t->width;

	t->fresh = false;
	if (!spans_window(st, t->thread, t->now.from, t->now.to, least, SPANS_BUDGET,
	    &t->spans, &err)) {
		snprintf(t->error, sizeof t->error, "%s", err.text);
		return;
	}
	t->error[0] = '\0';
	lay_spans(t);
	if (t->method != 0)
		select_method(t);
	else
		reselect(t);
}

const struct span *
time_selected(struct timeline *t)
{
	const struct frame *fr = frames_selected(&t->f);

	return fr != NULL && fr->node < t->spans.n ? &t->spans.span[fr->node] : NULL;
}

static void
push_window(struct timeline *t)
{
	if (mem_grow(&t->back, &t->capback, t->nback + 1, sizeof *t->back))
		t->back[t->nback++] = t->now;
}

/* Moves the window, as far as the thread has time; keep: u comes back here. */
void
time_window(struct timeline *t, uint64_t from, uint64_t to, bool keep)
{
	const struct span *s = time_selected(t);

	if (from < t->all.from)
		from = t->all.from;
	if (to > t->all.to)
		to = t->all.to;
	if (to <= from)
		to = from + 1;
	if (from == t->now.from && to == t->now.to)
		return;
	if (keep)
		push_window(t);
	if (s != NULL) {
		t->sel_start = s->start;
		t->sel_depth = s->depth;
	}
	t->now = (struct window){ from, to };
	t->fresh = true;
}

/* ---- drawing ------------------------------------------------------------- */

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

static void
tick_label(char *s, size_t size, uint64_t ns, uint64_t step)
{
	static const struct { uint64_t ns; const char *name; } units[] = {
		{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" }
	};
	size_t	i = 0;

	while (i < NELEM(units) - 1 && step % units[i].ns != 0)
		i++;
	snprintf(s, size, "%" PRIu64 "%s", ns / units[i].ns, units[i].name);
}

static void
draw_axis(struct timeline *t, struct area a)
{
	struct store	*st = ui_store(t->pane->ui);
	uint64_t	 from = trace_ns(st, t->now.from), to = trace_ns(st, t->now.to);
	uint64_t	 step = nice_step((to - from) / (uint64_t)(a.w / 16 + 1) + 1), at;
	char		 label[40];
	int		 x, end = 0;

	screen_fill(a.y, a.x, a.w, ROLE_DIM, LOOK_PLAIN, GLYPH_RULE, false);
	at = from / step * step;
	if (at < from)
		at += step;
	for (; at <= to && at >= from; at += step) {
		x = (int)((double)(at - from) / (double)(to - from) * a.w);
		tick_label(label, sizeof label, at, step);
		if (x < end || x + (int)strlen(label) >= a.w)
			continue;
		screen_puts(a.y, a.x + x, 1, ROLE_DIM, LOOK_PLAIN, glyph(GLYPH_BAR));
		end = x + 2 + screen_puts(a.y, a.x + x + 1, a.w - x - 1, ROLE_DIM,
		    LOOK_PLAIN, label);
	}
}

static void
name_of(void *data, const struct frame *fr, struct buf *b)
{
	struct timeline	*t = data;

	method_name(ui_store(t->pane->ui), fr->method, b);
}

void
time_draw(struct pane *p, struct area a)
{
	struct timeline	*t = p->data;
	struct area	 below = { a.y + 1, a.x, a.h - 1, a.w };

	p->area = a;
	if (!t->ready || t->error[0] != '\0') {
		screen_puts(a.y, a.x + 2, a.w - 2, ROLE_DIM, LOOK_PLAIN,
		    t->error[0] != '\0' ? t->error : "working");
		return;
	}
	if (a.w != t->width) {
		time_window(t, t->now.from, t->now.to, false);
		t->width = a.w;
		t->fresh = true;
	}
	if (t->fresh)
		time_lay(t);
	draw_axis(t, a);
	if (a.h > 1)
		frames_draw(&t->f, below, t, name_of);
}
