/*
 * siblings: what an object dominates at once.
 *
 * Children stand packed by parent (objects by number, then HEAP_ROOT as the one behind them), those of one parent by rising number.
 * children.mask has a bit for each parent that has some, children.at where those of 64 parents begin.  A number of 7
 * bits a byte stands for each: its distance from the one before it, of the first one from the parent (zigzag), times two; plus
 * one for the last of a parent.
 */
#include "config.h"

#include <stdlib.h>

#include "heap.h"

#define PAGE 1024u		/* so many are sorted at least */

uint8_t *
child_put(uint8_t *p, uint32_t parent, uint32_t last, uint32_t child, bool ends)
{
	int64_t d = (int64_t)child - (int64_t)(last == 0 ? parent : last);

	return put_number(p, (last == 0 ? (uint64_t)d << 1 ^ (uint64_t)(d >> 63) : (uint64_t)d) << 1 | ends);
}

/* ---- by number ------------------------------------------------------------------ */

/* The place of a parent among them, from 0. */
static uint64_t
place_of(const struct heap *h, uint32_t object)
{
	return object == HEAP_ROOT ? h->objects : object - 1ull;
}

/* Which parents of the same 64 as i have children; none where there is no such parent. */
static uint64_t
mask_of(const struct heap *h, uint64_t i)
{
	return i > h->objects ? 0 : column_get(h->children_mask, i / 64);
}

bool
heap_has_children(const struct heap *h, uint32_t object)
{
	uint64_t i = place_of(h, object);

	return mask_of(h, i) >> i % 64 & 1;
}

void
heap_children(const struct heap *h, uint32_t object, struct child_walk *w)
{
	uint64_t i = place_of(h, object), mask = mask_of(h, i), from, to = column_rows(h->children);
	unsigned before = heap_ones(mask & ((UINT64_C(1) << i % 64) - 1));

	*w = (struct child_walk){ .most = h->objects };
	if (!(mask >> i % 64 & 1))
		return;
	from = column_get(h->children_at, i / 64);
	if (i / 64 + 1 < column_rows(h->children_at) && column_get(h->children_at, i / 64 + 1) < to)
		to = column_get(h->children_at, i / 64 + 1);
	if (from >= to)
		return;
	w->p = column_span(h->children, from, to - from);
	w->end = w->p + (to - from);
	while (before > 0 && w->p < w->end)
		before -= packed_number(&w->p, w->end) & 1;
	from = packed_number(&w->p, w->end);
	w->next = (uint32_t)i + 1 + ((uint32_t)(from >> 2) ^ -(uint32_t)(from >> 1 & 1));
	if (from & 1)
		w->end = w->p;
}

uint32_t
child_next(struct child_walk *w)
{
	uint32_t now = w->next <= w->most ? w->next : 0;
	uint64_t v;

	w->next = 0;
	if (now == 0 || w->p >= w->end)
		return now;
	v = packed_number(&w->p, w->end);
	w->next = now + (uint32_t)(v >> 1);
	if (v & 1)
		w->end = w->p;
	return now;
}

/* ---- by size --------------------------------------------------------------------- */

/* For qsort, which has no argument for it; each thread sorts for itself. */
static _Thread_local const struct heap *sorting;

static int
by_retained(const void *a, const void *b)
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

bool
siblings_open(struct siblings *s, const struct heap *h, uint32_t object, struct err *err)
{
	struct child_walk w;
	uint32_t child;

	s->n = s->sorted = 0;
	heap_children(h, object, &w);
	while ((child = child_next(&w)) != 0) {
		if (!mem_grow(&s->object, &s->cap, s->n + 1, sizeof *s->object))
			return fail(err, E_SYSTEM, "out of memory (children)");
		s->object[s->n++] = child;
	}
	return true;
}

void
siblings_close(struct siblings *s)
{
	free(s->object);
	*s = (struct siblings){ .n = 0 };
}

/* Of n in heap order, the last one on top: the top one changed. */
static void
sift(uint32_t *heap, uint64_t n)
{
	uint32_t moved = heap[0];
	uint64_t i = 0, k;

	for (; (k = 2 * i + 1) < n; i = k) {
		if (k + 1 < n && by_retained(&heap[k], &heap[k + 1]) < 0)
			k++;
		if (by_retained(&moved, &heap[k]) >= 0)
			break;
		heap[i] = heap[k];
	}
	heap[i] = moved;
}

/* Brings the first few of n to the front: falling order is a heap, whose top goes for each that belongs in front of it. */
static void
select_first(uint32_t *from, uint64_t few, uint64_t n)
{
	uint32_t top;

	qsort(from, few, sizeof *from, by_retained);
	for (uint64_t i = 0; i < few / 2; i++) {
		top = from[i];
		from[i] = from[few - 1 - i];
		from[few - 1 - i] = top;
	}
	for (uint64_t i = few; i < n; i++)
		if (by_retained(&from[i], from) < 0) {
			top = from[0];
			from[0] = from[i];
			from[i] = top;
			sift(from, few);
		}
}

/* Each time as many as there are, so that all of them are sorted in n log n. */
uint32_t
siblings_at(struct siblings *s, const struct heap *h, uint64_t i)
{
	uint64_t few, left;

	sorting = h;
	while (s->sorted <= i) {
		few = s->sorted > PAGE ? s->sorted : PAGE;
		left = s->n - s->sorted;
		if (few >= left / 2)
			few = left;
		else
			select_first(s->object + s->sorted, few, left);
		qsort(s->object + s->sorted, few, sizeof *s->object, by_retained);
		s->sorted += few;
	}
	return s->object[i];
}

uint64_t
siblings_place(const struct siblings *s, const struct heap *h, uint32_t object)
{
	uint64_t n = 0;

	sorting = h;
	for (uint64_t i = 0; i < s->n; i++)
		n += by_retained(&s->object[i], &object) < 0;
	return n;
}
