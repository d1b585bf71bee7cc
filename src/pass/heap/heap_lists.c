/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_lists: for each object a list of objects: packed.h.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "heap.h"

/* Sum of 8 bytes. */
static unsigned
sum_bytes(uint64_t x)
{
	x = (x & 0x00ff00ff00ff00ffu) + (x >> 8 & 0x00ff00ff00ff00ffu);
	return (unsigned)(x * 0x0001000100010001u >> 48);
}

/* Return whether one of the 8 bytes is HEAP_LONG_LIST. */
static bool
has_long(uint64_t x)
{
	x = ~x;
	return ((x - 0x0101010101010101u) & ~x & 0x8080808080808080u) != 0;
}

uint64_t
heap_list_long(const struct heap_lists *l, uint64_t at)
{
	const uint8_t *p = l->data + at, *from = p;
	uint64_t n = packed_number(&p, l->data + l->size) >> LIST_LENGTH;

	assert(at <= l->size);
	return n + (uint64_t)(p - from);
}

uint64_t
heap_list_at(const struct heap_lists *l, uint64_t i)
{
	uint64_t k = i / HEAP_BLOCK * HEAP_BLOCK, at = l->block[i / HEAP_BLOCK], eight;

	for (; i - k >= 8; k += 8) {
		memcpy(&eight, l->len + k, 8);
		if (has_long(eight))
			break;
		at += sum_bytes(eight);
	}
	/* Sum the remaining lengths, fewer than 8, with one load of the 8 bytes that end at i. */
	if (k < i && i - k < 8 && i >= 8) {
		eight = le64(l->len + i - 8) >> 8 * (8 - (i - k));
		if (!has_long(eight))
			return at + sum_bytes(eight);
	}
	for (; k < i && at < l->size; k++)
		at += heap_list_bytes(l, k, at);
	return at;
}

static inline void
fetch_cell(const struct column *c, uint64_t row)
{
	if (c != NULL)
		__builtin_prefetch((const char *)c->values + row * column_width(c->type));
}

void
heap_fetch_list(const struct heap *h, uint32_t object)
{
	__builtin_prefetch(&h->out.len[object - 1]);
	__builtin_prefetch(&h->out.block[(object - 1) / HEAP_BLOCK]);
	fetch_cell(h->class, object - 1ull);
	fetch_cell(h->parent, object - 1ull);
}

void
heap_list(const struct heap_lists *l, uint64_t i, uint64_t at, struct heap_walk *w)
{
	uint64_t n = l->len[i], head = 0, many;

	*w = (struct heap_walk){ .self = (uint32_t)i + 1, .last = (uint32_t)i + 1 };
	if (at > l->size)
		return;
	w->p = l->data + at;
	w->end = l->data + l->size;
	if (n == HEAP_LONG_LIST) {
		head = packed_number(&w->p, w->end);
		w->strength = head & (LIST_CHAINED - 1);
		w->weak = w->strength != HEAP_STRONG;
		n = head >> LIST_LENGTH;
	}
	if (n < (uint64_t)(w->end - w->p))
		w->end = w->p + n;
	if (w->strength == LIST_MANY) {
		many = packed_number(&w->p, w->end);
		w->strength = many & (LIST_CHAINED - 1);
		w->weak = many >> LIST_LENGTH < UINT32_MAX ? (uint32_t)(many >> LIST_LENGTH) : UINT32_MAX;
	}
	assert(w->p <= w->end);
	w->begin = w->p;
	if (head & LIST_CHAINED)
		w->chain = list_next(w);
}

void
heap_lists_all(const struct heap_lists *l)
{
	(void)column_all(l->of_data);
	(void)column_all(l->of_len);
	(void)column_all(l->of_block);
}

/* Verify what reading list i touches: the lengths from the start of its block, and the bytes of the block. */
static void
verify_list(const struct heap_lists *l, uint64_t i)
{
	uint64_t block = i / HEAP_BLOCK, from, to = l->size;

	if (l->of_data == NULL)
		return;
	column_need(l->of_len, block * HEAP_BLOCK, HEAP_BLOCK);
	column_need(l->of_block, block, 2);
	from = l->block[block];
	if (block + 1 < l->of_block->rows && l->block[block + 1] < to)
		to = l->block[block + 1];
	if (from < to)
		column_need(l->of_data, from, to - from);
}

static void
heap_lists_open_list(const struct heap *h, const struct heap_lists *l, uint32_t object,
    struct heap_walk *w)
{
	if (l->data == NULL || object == 0 || object > h->objects) {
		*w = (struct heap_walk){ .p = NULL };
		return;
	}
	verify_list(l, (uint64_t)object - 1);
	heap_list(l, (uint64_t)object - 1, heap_list_at(l, (uint64_t)object - 1), w);
}

void
heap_out(const struct heap *h, uint32_t object, struct heap_walk *w)
{
	heap_lists_open_list(h, &h->out, object, w);
	if (h->refs < REFS_ALL)
		w->chain = 0;
}

void
heap_in(const struct heap *h, uint32_t object, struct heap_walk *w)
{
	heap_lists_open_list(h, &h->in, object, w);
}

uint32_t
heap_next(struct heap_walk *w, enum heap_strength *strength)
{
	uint32_t to = w->chain;

	if (to != 0) {
		w->chain = 0;
		if (strength != NULL)
			*strength = HEAP_CHAINED;
		return to;
	}
	to = list_next(w);
	if (strength != NULL)
		*strength = w->weak > 0 ? (enum heap_strength)w->strength : HEAP_STRONG;
	w->weak -= w->weak > 0;
	return to;
}
