/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * siblings: what an object dominates at once.
 *
 * Children stand packed by parent (objects by number, then HEAP_ROOT as the one behind them), those of one
 * parent by rising number. children.mask has a bit for each parent that has some, children.at where those of
 * 64 parents begin.  A number of 7 bits a byte stands for each: its distance from the one before it, of the
 * first one from the parent (zigzag), times two; plus one for the last of a parent.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"

#define PAGE 1024u		/* so few are sorted at once */
#define TICK 4096u		/* looked at between two ticks */

uint8_t *
child_put(uint8_t *p, uint32_t parent, uint32_t last, uint32_t child, bool ends)
{
	int64_t d = (int64_t)child - (int64_t)(last == 0 ? parent : last);

	assert(last < child);
	return put_number(p, (last == 0 ? (uint64_t)d << 1 ^ (uint64_t)(d >> 63) : (uint64_t)d) << 1 | ends);
}

/* ---- by number ------------------------------------------------------------------ */

/* The place of a parent among them, from 0. */
static uint64_t
siblings_place_of(const struct heap *h, uint32_t object)
{
	return object == HEAP_ROOT ? h->objects : object - 1ull;
}

/* Which parents of the same 64 as i have children; none if there is no such parent. */
static uint64_t
siblings_mask_of(const struct heap *h, uint64_t i)
{
	return i > h->objects ? 0 : column_get(h->children.mask, i / 64);
}

bool
heap_has_children(const struct heap *h, uint32_t object)
{
	uint64_t i = siblings_place_of(h, object);

	return siblings_mask_of(h, i) >> i % 64 & 1;
}

/* The first child from an object on; 0: there is none. */
static uint32_t
look_through(const struct child_walk *w, uint32_t from)
{
	while (from <= w->most && column_get(w->parent, from - 1ull) != w->of)
		from++;
	return from <= w->most ? from : 0;
}

void
heap_children(const struct heap *h, uint32_t object, struct child_walk *w)
{
	uint64_t i = siblings_place_of(h, object), mask = siblings_mask_of(h, i), from,
	    to = column_rows(h->children.data);
	unsigned before = heap_ones(mask & ((UINT64_C(1) << i % 64) - 1));

	*w = (struct child_walk){ .most = h->objects, .of = object };
	if (h->children.data == NULL && object == HEAP_ROOT && column_rows(h->top) > 0) {
		w->top = h->top;
		w->next = (uint32_t)column_get(h->top, w->row++);
		return;
	}
	if (h->children.data == NULL) {
		w->parent = h->parent;
		w->next = look_through(w, 1);
		return;
	}
	if (!(mask >> i % 64 & 1))
		return;
	from = column_get(h->children.at, i / 64);
	if (i / 64 + 1 < column_rows(h->children.at) && column_get(h->children.at, i / 64 + 1) < to)
		to = column_get(h->children.at, i / 64 + 1);
	if (from >= to)
		return;
	w->p = column_span(h->children.data, from, to - from);
	w->end = w->p + (to - from);
	while (before > 0 && w->p < w->end)
		before -= packed_number(&w->p, w->end) & 1;
	from = packed_number(&w->p, w->end);
	w->next = (uint32_t)i + 1 + ((uint32_t)(from >> 2) ^ -(uint32_t)(from >> 1 & 1));
	if (from & 1)
		w->end = w->p;
}

uint64_t
heap_children_most(const struct heap *h, uint32_t object)
{
	struct child_walk w;

	assert(h->children.data != NULL);
	heap_children(h, object, &w);
	return w.next == 0 ? 0 : (uint64_t)(w.end - w.p) + 1;
}

uint32_t
child_next(struct child_walk *w)
{
	uint32_t now = w->next <= w->most ? w->next : 0;
	uint64_t v;

	w->next = now == 0 ? 0 : w->parent != NULL ? look_through(w, now + 1) : (uint32_t)column_get(w->top,
	    w->row++);
	if (now == 0 || w->p >= w->end)
		return now;
	v = packed_number(&w->p, w->end);
	w->next = now + (uint32_t)(v >> 1);
	if (v & 1)
		w->end = w->p;
	return now;
}

/* ---- by size --------------------------------------------------------------------- */

/* The heap for by_retained(): qsort passes no argument, and several threads sort. */
static _Thread_local const struct heap *sorting;

static int
siblings_by_retained(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return num_order(heap_retained(sorting, y), heap_retained(sorting, x), num_order(x, y, 0));
}

uint32_t
heap_largest_child(const struct heap *h, uint32_t object)
{
	struct child_walk w;
	uint32_t largest, child;

	heap_children(h, object, &w);
	largest = child_next(&w);
	while ((child = child_next(&w)) != 0)
		if (heap_retained(h, child) > heap_retained(h, largest))
			largest = child;
	return largest;
}

/* Return whether all elements before place i belong before it. */
static bool
is_border(const struct siblings *s, uint64_t i)
{
	return s->border[i / 64] >> i % 64 & 1;
}

static void
siblings_mark(struct siblings *s, uint64_t from, uint64_t n)
{
	/* A border more than there are siblings: the last one is behind them. */
	assert(from + n <= s->n + 1);
	for (uint64_t i = from; i < from + n; i++)
		s->border[i / 64] |= UINT64_C(1) << i % 64;
}

bool
siblings_open(struct siblings *s, const struct heap *h, uint32_t object, struct work *work, struct err *err)
{
	struct child_walk w;
	uint32_t child;

	s->n = 0;
	heap_children(h, object, &w);
	while ((child = child_next(&w)) != 0) {
		if (!mem_grow(&s->object, &s->cap, s->n + 1, sizeof *s->object))
			return fail_memory(err, "children");
		s->object[s->n++] = child;
		if (s->n % TICK == 0 && !work_go(work, s->n, err))
			return false;
	}
	if (!mem_grow(&s->border, &s->borders, s->n / 64 + 1, sizeof *s->border))
		return fail_memory(err, "children");
	memset(s->border, 0, (s->n / 64 + 1) * sizeof *s->border);
	siblings_mark(s, 0, 1);
	siblings_mark(s, s->n, 1);
	return true;
}

void
siblings_close(struct siblings *s)
{
	free(s->object);
	free(s->border);
	*s = (struct siblings){ .n = 0 };
}

static void
siblings_swap(uint32_t *a, uint32_t *b)
{
	uint32_t was = *a;

	*a = *b;
	*b = was;
}

/* Makes the last one the median of three at random places, which the author of a file cannot predict. */
static void
siblings_choose(uint32_t *from, uint64_t n)
{
	static _Thread_local uint64_t chance;
	uint32_t *last = &from[n - 1], *three[3];

	assert(n > 0);
	if (chance == 0)
		chance = os_now();
	for (size_t i = 0; i < NELEM(three); i++) {
		chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		three[i] = &from[(chance >> 32) % n];
		if (i > 0 && siblings_by_retained(three[i], three[0]) < 0)
			siblings_swap(three[i], three[0]);
	}
	siblings_swap(siblings_by_retained(three[1], three[2]) < 0 ? three[1] : three[2], last);
}

/* Puts one of them at its place, *at, and those that belong in front of it there. */
static bool
siblings_divide(uint32_t *from, uint64_t n, uint64_t *at, struct work *work, struct err *err)
{
	uint32_t middle, now;
	uint64_t retained, size, front = 0;

	assert(n > 0);
	siblings_choose(from, n);
	middle = from[n - 1];
	retained = heap_retained(sorting, middle);
	for (uint64_t i = 0; i < n - 1; i++) {
		now = from[i];
		size = heap_retained(sorting, now);
		from[i] = from[front];
		from[front] = now;
		front += size > retained || (size == retained && now < middle);
		if (i % TICK == TICK - 1 && !work_go(work, i, err))
			return false;
	}
	assert(front < n);
	siblings_swap(&from[front], &from[n - 1]);
	assert(front < n);
	*at = front;
	return true;
}

bool
siblings_sort(struct siblings *s, const struct heap *h, uint64_t i, struct work *work, struct err *err)
{
	uint64_t from, to, at;

	assert(i < s->n && is_border(s, 0) && is_border(s, s->n));
	sorting = h;
	while (!is_border(s, i) || !is_border(s, i + 1)) {
		for (from = i; !is_border(s, from); from--)
			continue;
		for (to = i + 1; !is_border(s, to); to++)
			continue;
		assert(from <= i && i < to && to <= s->n);
		if (to - from <= PAGE) {
			qsort(s->object + from, to - from, sizeof *s->object, siblings_by_retained);
			siblings_mark(s, from, to - from);
			return true;
		}
		if (!siblings_divide(s->object + from, to - from, &at, work, err))
			return false;
		assert(from + at < to);
		siblings_mark(s, from + at, 2);
	}
	return true;
}

uint32_t
siblings_at(struct siblings *s, const struct heap *h, uint64_t i)
{
	struct err err;

	return siblings_sort(s, h, i, NULL, &err) ? s->object[i] : 0;
}

uint64_t
siblings_place(const struct siblings *s, const struct heap *h, uint32_t object)
{
	uint64_t n = 0;

	sorting = h;
	for (uint64_t i = 0; i < s->n; i++)
		n += siblings_by_retained(&s->object[i], &object) < 0;
	return n;
}
