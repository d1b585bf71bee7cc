/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_batch: what view_cell shows, of many numbers at once.
 */
#include "config.h"

#include <string.h>

#include "icecore/collection.h"
#include "hrows.h"

/* Replace the numbers by their values in column c. */
static void
look_up(const struct column *c, struct batch *b, size_t n, bool run)
{
	if (run)
		column_copy(c, b->u[0] - 1, b->u, n);
	else
		column_look_up(c, b->u, n);
}

/* ---- of objects ------------------------------------------------------------------ */

/* Their classes, as returned by heap_class. */
static bool
class_batch(const struct heap *h, struct batch *b, size_t n, bool run)
{
	b->values = h->classes + 1ull;
	look_up(h->class, b, n, run);
	for (size_t i = 0; i < n; i++)
		b->u[i] = b->u[i] < b->values ? b->u[i] : 0;
	return true;
}

/* The classes of objects are followed by the classes that Class objects represent. */
static bool
label_batch(const struct heap *h, struct batch *b, size_t n, bool run)
{
	uint32_t stands_for;

	memcpy(b->spare, b->u, n * sizeof *b->u);
	(void)class_batch(h, b, n, run);
	b->values *= 2;
	for (size_t i = 0; i < n; i++) {
		if (!heap_holds_classes(h, (uint32_t)b->u[i]))
			continue;
		stands_for = heap_class_of_object(h, (uint32_t)b->spare[i]);
		if (stands_for > 0 && stands_for <= h->classes)
			b->u[i] = h->classes + 1ull + stands_for;
	}
	return true;
}

/* Merge the objects with the sorted list of less than strongly reachable ones; false: they do not rise. */
static bool
reachable_batch(const struct heap *h, struct batch *b, size_t n, bool run)
{
	uint64_t least = b->u[0], most = run ? least + n - 1 : b->u[n - 1];
	uint64_t at = column_place(h->reach.object, least), end, object;

	for (size_t i = 1; !run && i < n; i++)
		if (b->u[i] <= b->u[i - 1])
			return false;
	end = column_place_in(h->reach.object, at, column_rows(h->reach.object), most + 1);
	b->values = HEAP_STRENGTHS + 1;
	for (size_t i = 0; i < n; i++)
		b->spare[i] = run ? least + i : b->u[i];
	for (size_t i = 0; i < n; i++)
		b->u[i] = column_get(h->reach.none, b->spare[i] / 64) >> b->spare[i] % 64 & 1 ? HEAP_STRENGTHS :
		    HEAP_STRONG;
	for (size_t i = 0; at < end; at++) {
		object = column_get(h->reach.object, at);
		while (i + 1 < n && b->spare[i] < object)
			i++;
		if (b->spare[i] == object)
			b->u[i] = column_get(h->reach.level, at) % b->values;
	}
	return true;
}

static bool
retained_batch(const struct heap *h, struct batch *b, size_t n, bool run)
{
	heap_retained_many(h, b->u, n, run);
	b->type = CELL_BYTES;
	return true;
}

/* Empty unless it is an array. */
static bool
length_batch(const struct heap *h, struct batch *b, size_t n)
{
	b->type = CELL_COUNT;
	for (size_t i = 0; i < n; i++) {
		b->none[i] = (b->empty && b->none[i]) || !heap_is_array(h, (uint32_t)b->u[i]);
		b->u[i] = b->none[i] ? 0 : heap_length(h, (uint32_t)b->u[i]);
	}
	b->empty = true;
	return true;
}

/* Empty unless it is a String. */
static bool
text_batch(const struct heap *h, struct batch *b, size_t n, enum heap_show show)
{
	struct heap_text text[HEAP_TEXTS];
	uint64_t strings;
	size_t few;

	for (size_t i = 0; i < n; i += few) {
		few = n - i < HEAP_TEXTS ? n - i : HEAP_TEXTS;
		strings = heap_texts(h, &b->u[i], few, text);
		for (size_t k = 0; k < few; k++) {
			b->none[i + k] = !(strings >> k & 1);
			b->u[i + k] = show == OBJECT_ARRAY ? text[k].array : text[k].length;
		}
	}
	b->type = CELL_COUNT;
	b->empty = true;
	if (show == OBJECT_ARRAY)
		batch_some(b, n, CELL_ID);
	return true;
}

/* Owners need the collections; false: nobody has asked for these yet, and cells are made one by one. */
static bool
owner_batch(const struct heap_view *v, struct batch *b, size_t n)
{
	if (v->collections == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		b->u[i] = b->u[i] == 0 ? 0 : collection_holder(v->collections, (uint32_t)b->u[i],
		    NULL);
	batch_some(b, n, CELL_ID);
	return true;
}

/* HEAP_ROOT is not an object. */
static bool
dominator_batch(const struct heap *h, struct batch *b, size_t n, bool run)
{
	look_up(h->parent, b, n, run);
	for (size_t i = 0; i < n; i++)
		b->u[i] = b->u[i] == HEAP_ROOT ? 0 : b->u[i];
	batch_some(b, n, CELL_ID);
	return true;
}

#define EACH(of) do { \
	for (size_t i = 0; i < n; i++) \
		b->u[i] = of(h, (uint32_t)b->u[i]); \
} while (0)

static bool
object_batch(const struct heap_view *v, struct batch *b, size_t n, bool run, enum heap_show show)
{
	const struct heap *h = &v->heap;

	b->type = CELL_BYTES;
	switch (show) {
	case OBJECT_CLASS:
		return class_batch(h, b, n, run);
	case OBJECT_LABEL:
		return (h->form == NULL || h->form->tell == NULL) && label_batch(h, b, n, run);
	case OBJECT_KIND:
		if (h->form != NULL && h->form->kind != NULL)
			return false;
		b->values = HEAP_CLASS + 1;
		EACH(heap_kind);
		return true;
	case OBJECT_REACHABLE:
		return reachable_batch(h, b, n, run);
	case OBJECT_RETAINED:
		return retained_batch(h, b, n, run);
	case OBJECT_SHALLOW:
		EACH(heap_shallow);
		return true;
	case OBJECT_LENGTH:
		return length_batch(h, b, n);
	case OBJECT_DOMINATOR:
		return dominator_batch(h, b, n, run);
	case OBJECT_CHARS:
	case OBJECT_ARRAY:
		return text_batch(h, b, n, show);
	case OBJECT_OWNER:
		return owner_batch(v, b, n);
	default:
		return false;
	}
}

/* Kinds that read only the first number of a run. */
static bool
wants_first(enum heap_show show)
{
	return show == OBJECT_CLASS || show == OBJECT_REACHABLE || show == OBJECT_RETAINED ||
	    show == OBJECT_DOMINATOR;
}

bool
view_batch(const struct heap_view *v, struct batch *b, size_t n, bool run, enum heap_show show,
    enum cell_type type)
{
	const struct heap *h = &v->heap;

	for (size_t i = 1; run && !wants_first(show) && i < n; i++)
		b->u[i] = b->u[0] + i;
	b->values = 0;
	if (run)
		batch_full(b, type);
	else
		batch_some(b, n, type);
	switch (show) {
	case SHOW_CLASS:
	case SHOW_PACKAGE:
		b->values = h->classes + 1ull;
		for (size_t i = 0; i < n; i++)
			if (b->u[i] >= b->values)
				return false;
		return true;
	case CLASS_SHALLOW:
		column_look_up(v->class_shallow, b->u, n);
		return true;
	default:
		return show >= OBJECT_ADDR && object_batch(v, b, n, run, show);
	}
}
