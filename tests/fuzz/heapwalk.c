/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "heapwalk.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "icecore/heap_facts.h"
#include "icecore/heap_names.h"
#include "icecore/leak.h"
#include "walk.h"

#define OBJECT_STEPS 20000u	/* objects of large files that are looked at closely */
#define SLOT_STEPS 2000u	/* of one object */
#define DOM_STEPS 100000u	/* objects up to which dominators are computed again */
#define PATHS 3u
#define BITMAPS 200u
#define BITMAP_ROWS 2000u	/* of one */

static uint64_t
mixed(uint32_t from, uint32_t to)
{
	uint64_t x = ((uint64_t)from << 32 | to) * 0x9e3779b97f4a7c15u;

	return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
}

/* Both directions hold the same references. */
static void
walk_references(const struct heap *h)
{
	uint64_t out = 0, in = 0, nout = 0, nin = 0;
	uint32_t i, other, last;
	enum heap_strength strength;
	struct heap_walk w;

	for (i = 1; i <= h->objects; i++) {
		heap_out(h, i, &w);
		while ((other = heap_next(&w, &strength)) != 0) {
			MUST(other <= h->objects && strength < HEAP_STRENGTHS);
			out += mixed(i, other);
			nout++;
		}
		heap_in(h, i, &w);
		for (last = 0; (other = heap_next(&w, NULL)) != 0; last = other) {
			MUST(other <= h->objects && other >= last);
			in += mixed(other, i);
			nin++;
		}
	}
	MUST(nout == nin && out == in);
}

static void
walk_slots(const struct heap *h, uint32_t object, struct buf *b)
{
	struct heap_slots all;
	struct heap_slot s;
	unsigned steps = 0;

	MUST(heap_slots(h, object, &all));
	while (heap_slot(&all, &s) && steps++ < SLOT_STEPS) {
		MUST(s.object <= h->objects && s.class <= h->classes);
		MUST(s.at <= h->size && s.strength < HEAP_STRENGTHS);
		buf_clear(b);
		heap_slot_name(h, &s, b);
		if (s.type != HEAP_OBJECT && s.type != 0)
			heap_value(&s, b);
	}
}

static void
walk_object(const struct heap *h, uint32_t object, struct buf *b)
{
	struct heap_record r;
	char fitted[64];

	if (h->id == NULL) {
		MUST(heap_find(h, heap_addr(h, object)) == object);
		MUST(object == 1 || heap_addr(h, object - 1) < heap_addr(h, object));
	} else
		MUST(heap_addr(h, heap_find(h, heap_addr(h, object))) == heap_addr(h, object));
	MUST(h->form != NULL || (heap_read(h, object, &r) && r.next <= h->size));
	MUST(heap_class(h, object) <= h->classes);
	MUST(heap_kind(h, object) <= HEAP_CLASS);
	MUST((heap_kind(h, object) == HEAP_CLASS) == (heap_class_of_object(h, object) != 0));
	MUST(heap_reach(h, object) <= HEAP_STRENGTHS);
	buf_clear(b);
	heap_label(h, object, b);
	text_fit(fitted, sizeof fitted, buf_view(b));
	buf_clear(b);
	heap_string(h, object, 100, b);
	heap_chars(h, object, 100, b);
	heap_part(h, object);
	walk_slots(h, object, b);
}

static void
walk_names(const struct heap *h, struct buf *b)
{
	const struct column *threads = store_column(h->st, COL_JTHREAD_SERIAL);
	const struct column *frames = store_column(h->st, COL_FRAME_THREAD);
	uint32_t i;

	for (i = 1; i <= h->classes && i < OBJECT_STEPS; i++) {
		buf_clear(b);
		heap_class_name(h, i, b);
		MUST(b->n > 0);
	}
	for (i = 1; threads != NULL && i <= threads->rows && i < OBJECT_STEPS; i++) {
		buf_clear(b);
		heap_thread_name(h, i, b);
	}
	for (i = 1; frames != NULL && i <= frames->rows && i < OBJECT_STEPS; i++) {
		buf_clear(b);
		heap_frame_name(h, i, b);
	}
}

static void
walk_paths(const struct heap *h, uint32_t object, struct work *w, struct err *err)
{
	struct heap_paths *paths;
	struct heap_slot slot;
	struct heap_path p;
	unsigned k;
	bool pseudo = store_fact_get(h->st, "heap.pseudo") != 0 || h->refs == REFS_UNREACHABLE, more;
	size_t i;

	MUST(heap_paths_open(&paths, h, object, false, err));
	for (k = 0; k < PATHS && heap_paths_next(paths, &p, 0, &more, w, err); k++) {
		MUST(p.n > 0 && p.object[0] == object && (p.root != 0 || pseudo));
		for (i = 1; i < p.n; i++)
			heap_link(h, p.object[i], p.object[i - 1], &slot);
	}
	heap_paths_close(paths);
}

/* The children of all, and what their subtrees weigh. */
static void
walk_dominators(const struct heap *h)
{
	uint64_t live = 0, bytes = 0, held, k;
	struct siblings s = { .n = 0 };
	uint32_t i, parent, child;
	struct err err;

	for (i = 0; i <= h->objects; i++) {
		parent = i == 0 ? HEAP_ROOT : i;
		held = i == 0 ? 0 : heap_shallow(h, i);
		MUST(siblings_open(&s, h, parent, NULL, &err));
		for (k = 0; k < s.n; k++) {
			child = siblings_at(&s, h, k);
			MUST(child != 0 && child <= h->objects && heap_dominator(h, child) == parent);
			MUST(k == 0 || heap_retained(h, s.object[k - 1]) > heap_retained(h, child) ||
			    (heap_retained(h, s.object[k - 1]) == heap_retained(h, child) && s.object[k - 1] < child));
			MUST(siblings_place(&s, h, child) == k);
			held += heap_retained(h, child);
		}
		MUST(heap_has_children(h, parent) == (s.n > 0));
		MUST(heap_largest_child(h, parent) == (s.n > 0 ? s.object[0] : 0));
		live += s.n;
		bytes = i == 0 ? held : bytes;
		if (i != 0)
			MUST(heap_dominator(h, i) == 0 ? s.n == 0 && heap_retained(h, i) == 0 : heap_retained(h, i) == held);
	}
	siblings_close(&s);
	MUST(live == heap_fact(h->st, FACT_LIVE_OBJECTS, h->refs, h->sizes));
	MUST(bytes == heap_fact(h->st, FACT_LIVE_BYTES, h->refs, h->sizes));
	if (h->objects <= DOM_STEPS)
		MUST(heapdom_differ(h) == 0);
}

/* Each reachable byte is in one node, and each reachable object has one. */
static void
walk_owners(const struct heap *h, struct buf *b)
{
	uint32_t n = names_count(h);
	struct name_node node, up;
	uint64_t bytes = 0;

	MUST(n > 0);
	for (uint32_t id = 1; id <= n; id++) {
		names_get(h, id, &node);
		MUST(node.parent < id && (node.parent == 0) == (id == 1) && node.size <= n - id + 1);
		MUST(node.object <= h->objects && node.count > node.folded && node.total >= node.self);
		if (id > 1) {
			names_get(h, node.parent, &up);
			MUST(node.depth == up.depth + 1 && id + node.size <= node.parent + up.size);
		}
		bytes += node.self;
		buf_clear(b);
		name_add(&node, b);
		/* References of heaps without records may have no name. */
		MUST(b->n > 0 || h->form != NULL);
	}
	MUST(bytes == heap_fact(h->st, FACT_LIVE_BYTES, h->refs, h->sizes));
	for (uint32_t i = 1; i <= h->objects; i++)
		MUST((names_of(h, i) != 0) == (heap_dominator(h, i) != 0));
}

/* Rows up to the damage, which is reported. */
static void
walk_pixels(const struct bitmap *b, struct err *err)
{
	struct bitmap_reader *r;
	uint8_t *row, one[4];
	uint32_t y;

	MUST(b->size <= b->bytes || b->place != BITMAP_JAVA);
	if (!bitmap_reader_open(&r, b, err))
		return;
	MUST(b->lack == NULL && b->width <= BITMAP_SIDE && b->height <= BITMAP_SIDE);
	row = malloc(4 * (size_t)b->width);
	for (y = 0; row != NULL && y < b->height && y < BITMAP_ROWS; y++)
		if (!bitmap_reader_next(r, row, err))
			break;
	bitmap_reader_close(r);
	free(row);
	if ((uint64_t)b->width * b->height < BITMAP_ROWS)
		MUST(bitmap_shrink(b, 1, 1, one, NULL, err) || b->image == IMAGE_PNG);
}

static void
walk_bitmaps(const struct heap *h, struct work *w, struct err *err)
{
	struct bitmap_twins t;
	struct bitmaps *all;
	struct bitmap b;
	uint32_t i, object;

	MUST(bitmaps_open(&all, h, w, err));
	for (i = 0; i < bitmaps_count(all) && i < BITMAPS; i++) {
		object = bitmaps_object(all, i);
		MUST(bitmap_get(all, object, &b) && b.object == object);
		MUST((b.sure >= 50 && b.sure <= 100) == (b.format != BITMAP_UNKNOWN));
		walk_pixels(&b, err);
		MUST(bitmap_twins(all, object, &t, w, err) && t.copies >= 1 && t.first <= object);
	}
	bitmaps_close(all);
}

/* All results can be printed as text. */
static void
walk_findings(const struct heap *h, struct buf *b, struct err *err)
{
	struct inspector *in;
	struct findings all;
	struct finding f;
	uint64_t i;
	size_t k;

	MUST(findings_open(&all, h) && inspector_open(&in, h, err));
	for (i = 0; i < all.n && i < OBJECT_STEPS; i++) {
		finding_get(&all, i, &f);
		MUST(f.object <= h->objects && f.class <= h->classes && f.other <= h->objects);
		MUST(f.hops == 0 || f.hop[f.hops - 1] == f.object || f.hop[f.hops - 1] == f.other);
		for (k = 0; k < f.hops; k++)
			MUST(f.hop[k] != 0 && f.hop[k] <= h->objects);
		buf_clear(b);
		finding_why(&all, in, &f, b);
		finding_signature(&all, &f, b);
		MUST(b->n > 0);
	}
	inspector_close(in);
}

uint64_t
walk_heap(const struct store *st, struct work *w, struct err *err)
{
	struct buf b = BUF_INIT;
	struct heap h;
	uint32_t i;

	/* The checks after the loop use its last choice: the usual choice, or the only one. */
	for (unsigned choice = COL_CHOICES; choice-- > 0;)
		if (walk_choice == COL_CHOICES || walk_choice == choice) {
			MUST(heap_open(&h, st, (enum heap_refs)(choice / HEAP_SIZES), (enum heap_sizes)(choice % HEAP_SIZES), err));
			walk_dominators(&h);
			walk_owners(&h, &b);
		}
	MUST(h.offset != NULL && h.out.data != NULL && h.in.data != NULL);
	MUST(h.parent != NULL && h.children.data != NULL && h.reach.object != NULL);
	walk_references(&h);
	walk_names(&h, &b);
	walk_findings(&h, &b, err);
	for (i = 1; i <= h.objects && i < OBJECT_STEPS; i++)
		walk_object(&h, i, &b);
	for (i = 1; i <= h.objects; i += h.objects / 8 + 1)
		walk_paths(&h, i, w, err);
	walk_bitmaps(&h, w, err);
	buf_free(&b);
	return h.objects;
}
