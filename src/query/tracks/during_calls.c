/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * during_calls: the innermost calls while rows lasted, row by row.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "during.h"

bool
during_is_slow(const struct during *d)
{
	return d->calls.read > column_rows(store_column(d->rows.st, COL_BLOCK_LATEST));
}

/* Read ahead: rows are mostly in time order, so the next rows need the same calls. */
static bool
read_spans(struct during *d, uint32_t thread, uint64_t from, uint64_t to)
{
	struct during_piece *p = &d->calls;

	if (thread == p->thread && from >= p->from && to <= p->to)
		return true;
	p->thread = 0;
	p->at = p->next = p->depth = 0;
	p->read++;
	if (!spans_window(d->rows.st, thread, from, num_add(to, p->ahead), 0, 0, &p->spans,
	    &d->rows.rows.err))
		return false;
	p->thread = thread;
	p->from = from;
	p->to = num_add(to, p->ahead);
	return true;
}

bool
during_add_call(struct during *d, const struct span_of_row *x, uint32_t thread, const struct span *s,
    uint64_t inside, uint64_t order)
{
	struct during_item *item = during_add(d, x, thread);

	if (item == NULL)
		return false;
	item->start = during_ns(d, s->start);
	item->end = during_ns(d, s->end);
	item->inside = inside;
	item->order = order;
	item->depth = s->depth;
	item->id = s->method;
	return true;
}

/* Add an item for the time in which the call at that place was the innermost one. */
static bool
add_inside(struct during *d, const struct span_of_row *x, uint64_t place, uint64_t from, uint64_t to)
{
	const struct span *s = &d->calls.spans.span[place];

	from = from > x->from ? from : x->from;
	to = to < x->to ? to : x->to;
	if (to <= from)
		return true;
	return during_add_call(d, x, d->calls.thread, s, to - from, place);
}

static uint64_t
span_end(const struct during *d, uint64_t place)
{
	const struct span *s = &d->calls.spans.span[place];

	return during_ns(d, s->end > s->start ? s->end : s->start);
}

static void
during_calls_close_ended(struct during *d, uint64_t time)
{
	struct during_piece *p = &d->calls;

	while (p->depth > 0 && span_end(d, p->open.at[p->depth - 1]) <= time)
		p->depth--;
}

/* Set p->open to the calls open at a time.  Times mostly rise; otherwise start again from the first span. */
static bool
during_calls_go_to(struct during *d, uint64_t time)
{
	struct during_piece *p = &d->calls;
	uint64_t start;

	if (time < p->at)
		p->next = p->depth = 0;
	for (; p->next < p->spans.n && (start = during_ns(d,
	    p->spans.span[p->next].start)) <= time; p->next++) {
		if (p->next % 256 == 0 && !rows_tick(&d->rows.rows, d->rows.n))
			return false;
		during_calls_close_ended(d, start);
		if (!array_add(&p->open, &p->depth, &p->next, &d->rows.rows.err))
			return false;
	}
	during_calls_close_ended(d, time);
	p->at = time;
	return true;
}

/* Calls end before the next one at their depth, or above, begins: the innermost has all the time between. */
static bool
walk_calls(struct during *d, const struct span_of_row *x)
{
	struct during_piece *p = &d->calls;
	uint64_t depth = p->depth, inner = 0, now = x->from, start, top;

	for (uint64_t i = p->next; ; i++) {
		if (i % 256 == 0 && !rows_tick(&d->rows.rows, d->rows.n))
			return false;
		start = i < p->spans.n ? during_ns(d, p->spans.span[i].start) : UINT64_MAX;
		while (inner + depth > 0 && now < x->to) {
			top = inner > 0 ? p->inner.at[inner - 1] : p->open.at[depth - 1];
			if (!add_inside(d, x, top, now, span_end(d, top) <= start ? span_end(d, top) : start))
				return false;
			if (span_end(d, top) > start)
				break;
			now = span_end(d, top);
			if (inner > 0)
				inner--;
			else
				depth--;
		}
		now = start;
		if (i == p->spans.n || start > x->to)
			return true;
		if (!array_add(&p->inner, &inner, &i, &d->rows.rows.err))
			return false;
	}
}

static int
by_call(const void *a, const void *b)
{
	const struct during_item *x = a, *y = b;

	return num_order(x->row, y->row, num_order(x->thread, y->thread, num_order(x->order, y->order, 0)));
}

static int
by_row(const void *a, const void *b)
{
	const struct during_item *x = a, *y = b;

	return num_order(x->row, y->row, num_order(x->thread, y->thread, num_order(y->inside, x->inside,
	    num_order(x->order, y->order, 0))));
}

void
during_sort(struct during *d, uint64_t first)
{
	struct during_item *item = SCRATCH(d->rows.list, struct during_item) + first;
	uint64_t n = 0, all = d->rows.n - first;

	if (all == 0)
		return;
	qsort(item, (size_t)all, sizeof *item, by_call);
	for (uint64_t i = 1; i < all; i++) {
		if (by_call(&item[i], &item[n]) == 0)
			item[n].inside += item[i].inside;
		else
			item[++n] = item[i];
	}
	d->rows.n = first + n + 1;
	qsort(item, (size_t)n + 1, sizeof *item, by_row);
}

bool
during_calls(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	uint64_t first = d->rows.n;
	uint64_t from = TRACE(&d->rows)->tick > 0 ? x->from / TRACE(&d->rows)->tick : 0;
	uint64_t to = TRACE(&d->rows)->tick > 0 ? x->to / TRACE(&d->rows)->tick + (x->to % TRACE(&d->rows)->tick != 0) :
	    0;

	if (x->to <= x->from)
		return true;
	if (!read_spans(d, thread, from, to) || !during_calls_go_to(d, x->from) || !walk_calls(d, x))
		return false;
	during_sort(d, first);
	return true;
}
