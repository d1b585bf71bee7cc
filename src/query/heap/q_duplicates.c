/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_duplicates: what is in the heap several times over: texts, arrays, bitmaps.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_objects.h"
#include "icecore/content.h"
#include "hrows.h"

#define SLICE 4096u
#define SHOWN 16u		/* elements of an array that its value shows */

/*
 * Kinds of duplicates.  The first three are the values of dup.string, which has no rows of the others; the
 * kinds from KIND_OBJECT on come only if they are asked for.
 */
enum kind { KIND_ARRAY, KIND_STRING, KIND_ZEROS, KIND_BITMAP, KIND_OBJECT, KIND_SPARSE, KIND_TAIL, KINDS };

static const char *const kinds[KINDS] = { "array", "string", "zeros", "bitmap", "object", "sparse", "tail" };
static const char *const kind_words[KINDS] = { "arrays", "strings", "zeros", "bitmaps", "objects", "sparse",
    "tails" };	/* words of the arguments */

/* A row of the answer. */
struct entry {
	uint64_t	waste;
	uint32_t	object, copies, arrays;
	uint32_t	used;		/* elements of an array that has more */
	uint8_t		kind;
};

struct duplicates {
	struct item_rows	 rows;
	bool			 want[KINDS];
	struct bitmaps		*bitmaps;	/* NULL: not asked for */
};

/* ---- rows -------------------------------------------------------------------------- */

static bool
q_duplicates_add_groups(struct duplicates *d)
{
	const struct column *kind = view_column(&HEAP(&d->rows)->view, COL_EACH_DUP_STRING),
	    *object = view_column(&HEAP(&d->rows)->view, COL_EACH_DUP_OBJECT),
	    *copies = view_column(&HEAP(&d->rows)->view, COL_EACH_DUP_COPIES),
	    *arrays = view_column(&HEAP(&d->rows)->view, COL_EACH_DUP_ARRAYS),
	    *waste = view_column(&HEAP(&d->rows)->view, COL_EACH_DUP_WASTE);
	uint64_t i, n = object == NULL ? 0 : object->rows;
	struct entry e;

	for (i = 0; i < n; i++) {
		if (i % SLICE == 0 && !rows_tick(&d->rows.rows, i))
			return false;
		e = (struct entry){ .waste = column_get(waste, i), .object = (uint32_t)column_get(object, i),
		    .copies = (uint32_t)column_get(copies, i), .arrays = (uint32_t)column_get(arrays, i),
		    .kind = (uint8_t)column_get(kind, i) };
		if (e.kind < KIND_BITMAP && d->want[e.kind] && !item_rows_add(&d->rows, &e))
			return false;
	}
	return true;
}

/* ---- bitmaps --------------------------------------------------------------------------- */

static int
q_duplicates_by_number(const void *a, const void *b)
{
	return num_order(*(const uint64_t *)a, *(const uint64_t *)b, 0);
}

/* Reachable bitmaps that have a twin, as pairs of the first of the twins and the bitmap. */
static bool
q_duplicates_find_twins(struct duplicates *d, struct scratch *pairs, uint64_t *n)
{
	uint32_t i, count = bitmaps_count(d->bitmaps), object;
	struct bitmap_twins t;

	for (i = *n = 0; i < count; i++) {
		object = bitmaps_object(d->bitmaps, i);
		if (heap_dominator(&HEAP(&d->rows)->view.heap, object) == 0)
			continue;
		if (!bitmap_twins(d->bitmaps, object, &t, d->rows.rows.work, &d->rows.rows.err))
			return false;
		if (t.copies < 2)
			continue;
		if (!scratch_array(pairs, *n + 1, sizeof(uint64_t), &d->rows.rows.err))
			return false;
		SCRATCH(*pairs, uint64_t)[(*n)++] = (uint64_t)t.first << 32 | object;
	}
	return true;
}

/* Bitmaps that share their pixels waste nothing. */
static bool
q_duplicates_add_twins(struct duplicates *d, const uint64_t *pair, uint64_t n)
{
	struct bitmap_twins t;
	struct bitmap b;
	struct entry e = { .object = (uint32_t)pair[0], .copies = (uint32_t)n, .kind = KIND_BITMAP };

	for (uint64_t i = 1; i < n; i++) {
		if (!bitmap_twins(d->bitmaps, (uint32_t)pair[i], &t, d->rows.rows.work, &d->rows.rows.err))
			return false;
		if (!t.shares && bitmap_get(d->bitmaps, (uint32_t)pair[i], &b))
			e.waste = num_add(e.waste, b.bytes);
	}
	return e.waste == 0 || item_rows_add(&d->rows, &e);
}

static bool
q_duplicates_add_bitmaps(struct duplicates *d)
{
	OWN_ARRAY(uint64_t) pairs = ARRAY_INIT;
	uint64_t *pair, n, i, from = 0;
	bool ok;

	if (!bitmaps_open(&d->bitmaps, &HEAP(&d->rows)->view.heap, d->rows.rows.work, &d->rows.rows.err))
		return false;
	ok = q_duplicates_find_twins(d, &pairs.raw, &n);
	pair = pairs.at;
	if (ok && n > 0)
		qsort(pair, n, sizeof *pair, q_duplicates_by_number);
	for (i = 1; ok && i <= n; i++)
		if (i == n || pair[i] >> 32 != pair[from] >> 32) {
			ok = q_duplicates_add_twins(d, pair + from, i - from);
			from = i;
		}
	return ok;
}

/* ---- objects that are equal, arrays that have more than they use ---------------------------- */

struct wasted_to {
	struct duplicates	*d;
	enum kind		 kind;
};

static bool
add_wasted(void *to, const struct wasted *s)
{
	const struct wasted_to *t = to;
	struct entry e = { .waste = s->waste, .object = s->object, .copies = s->copies, .used = s->used,
	    .kind = (uint8_t)t->kind };

	return item_rows_add(&t->d->rows, &e);
}

static bool
add_all_wasted(struct duplicates *d)
{
	struct wasted_to to = { .d = d };

	for (to.kind = KIND_OBJECT; to.kind < KINDS; to.kind++)
		if (d->want[to.kind] && !heap_wasted(&HEAP(&d->rows)->view.heap,
		    (enum wasted_kind)(to.kind - KIND_OBJECT), add_wasted, &to,
		    d->rows.rows.work, &d->rows.rows.err))
			return false;
	return true;
}

static int
q_duplicates_by_waste(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return num_order(y->waste, x->waste, num_order(x->object, y->object, num_order(x->kind, y->kind, 0)));
}

/* The groups of the pass are already in order. */
static bool
duplicates_step(struct item_rows *s)
{
	struct duplicates *d = (struct duplicates *)s;
	uint64_t groups;

	if (!q_duplicates_add_groups(d))
		return false;
	groups = s->n;
	if ((d->want[KIND_BITMAP] && !q_duplicates_add_bitmaps(d)) || !add_all_wasted(d))
		return false;
	if (s->n > groups)
		qsort(s->list.data, s->n, sizeof(struct entry), q_duplicates_by_waste);
	return false;
}

/* ---- cells -------------------------------------------------------------------------------- */

static void
bitmap_value(const struct duplicates *d, uint32_t object, struct buf *b)
{
	struct bitmap bitmap;

	if (bitmap_get(d->bitmaps, object, &bitmap))
		buf_printf(b, "%ux%u %s", (unsigned)bitmap.width, (unsigned)bitmap.height,
		    bitmap_format_names[bitmap.format]);
}

/* "byte[1024] 00 01 02 ...". */
static void
array_value(const struct heap *h, uint32_t object, struct buf *b)
{
	uint32_t n = heap_length(h, object), i;
	struct heap_slot slot;
	size_t at = b->n;

	heap_class_name(h, heap_class(h, object), b);
	if (!b->bad && b->n > at + 2)
		b->n -= 2;
	buf_printf(b, "[%u]", (unsigned)n);
	at = b->n;
	for (i = 0; i < n && i < SHOWN && heap_element(h, object, i, &slot); i++) {
		buf_chr(b, ' ');
		if (slot.type == HEAP_BYTE)
			buf_printf(b, "%02x", (unsigned)(slot.bits & 0xff));
		else if (slot.type == HEAP_CHAR)
			buf_printf(b, "%04x", (unsigned)(slot.bits & 0xffff));
		else
			heap_value(&slot, b);
	}
	if (i < n)
		buf_text(b, " ...");
	mask_text(b, at);
}

static void
q_duplicates_value_cell(struct item_rows *s, uint64_t object, struct cell *c)
{
	const struct entry *e = s->item;
	struct contents *contents;
	struct buf *b = cell_begin(s);

	if (e->kind == KIND_STRING) {
		view_cell(&s->rows, &HEAP(s)->view, object, OBJECT_VALUE, c);
		return;
	}
	if (e->kind == KIND_OBJECT && (contents = view_contents(&s->rows, &HEAP(s)->view)) != NULL)
		content_add(contents, (uint32_t)object, b);
	else if (e->kind == KIND_SPARSE || e->kind == KIND_TAIL)
		buf_printf(b, "%u of %u in use", e->used, heap_length(&HEAP(s)->view.heap, (uint32_t)object));
	else if (e->kind == KIND_BITMAP)
		bitmap_value((const struct duplicates *)s, (uint32_t)object, b);
	else
		array_value(&HEAP(s)->view.heap, (uint32_t)object, b);
	cell_text(&s->rows, c, b);
}

static void
q_duplicates_length_cell(struct item_rows *s, uint64_t object, struct cell *c)
{
	const struct entry *e = s->item;

	view_cell(&s->rows, &HEAP(s)->view, object, e->kind == KIND_STRING ? OBJECT_CHARS : OBJECT_LENGTH, c);
}

#define OF(member) ITEM(struct entry, member)

static const struct coldef duplicate_cols[] = {
	{ "kind", CELL_TEXT, "string, array, zeros, bitmap, object, sparse or tail",
	    MADE(.words = kinds, OF(kind)) },
	{ "value", CELL_TEXT, "string, first elements, or bitmap size",
	    COMPUTED(q_duplicates_value_cell, OF(object)) },
	{ "class", CELL_TEXT, "class", FROM(OBJECT_CLASS, OF(object)) },
	{ "length", CELL_COUNT, "length in characters or elements",
	    COMPUTED(q_duplicates_length_cell, OF(object)) },
	{ "copies", CELL_COUNT, "number of equal copies", NUMBER_OF(OF(copies)) },
	{ "arrays", CELL_COUNT, "distinct backing arrays",
	    SOME_OF(OF(arrays)) },
	{ "waste", CELL_BYTES, "wasted bytes: all copies except one", NUMBER_OF(OF(waste)) },
	{ "object", CELL_ID, "first copy", SOME_OF(OF(object)), OBJECT_ID },
	{ "shallow", CELL_BYTES, "shallow size of the first copy", MORE, FROM(OBJECT_SHALLOW, OF(object)) }
};

/* ---- source ---------------------------------------------------------------------------------- */

static bool
duplicates_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	struct duplicates *d = (struct duplicates *)s;
	const struct token *t;
	size_t i = 0, k;

	for (k = 0; k < KINDS; k++)
		d->want[k] = stage->n == 0 && k < KIND_OBJECT;
	while ((t = stage_next(stage, &i)) != NULL) {
		for (k = 0; k < KINDS && !token_is(t, kind_words[k]); k++)
			continue;
		if (k == KINDS)
			return fail_at(err, E_USAGE, t->at,
			    "expected strings, arrays, zeros, bitmaps, objects, sparse or tails");
		d->want[k] = true;
	}
	return true;
}

static void
duplicates_end(struct item_rows *s)
{
	bitmaps_close(((struct duplicates *)s)->bitmaps);
}

static const struct source duplicates = {
	.domain = &heap_domain, .size = sizeof(struct duplicates), .item = sizeof(struct entry),
	    .args = ARGS_OWN,
	.begin = duplicates_begin, .step = duplicates_step, .end = duplicates_end
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_NATIVE_OBJECT,
	COL_EACH_DUP_MEMBER, COL_NONE };

const struct command source_duplicates = {
	SOURCE("duplicates", "duplicate strings, arrays and bitmaps by wasted bytes", "duplicates strings | head 10",
	    heap_rows_open), HEAP_ROWS_OF(SHAPE_TEXTS, duplicate_cols, duplicates, needs),
	.args = ARGS({ NULL, ARG_OPTIONAL | ARG_MANY, "strings" }, { NULL, ARG_OR, "arrays" },
	    { NULL, ARG_OR, "zeros" }, { NULL, ARG_OR, "bitmaps" }, { NULL, ARG_OR, "objects" },
	    { NULL, ARG_OR, "sparse" },
	    { NULL, ARG_OR, "tails" })
};
