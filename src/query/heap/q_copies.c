/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_copies: from an object to the group of its copies; and all strings, arrays or bitmaps that are equal to
 * those of the rows.
 */
#include "config.h"

#include "icecore/columns_allocations.h"
#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_objects.h"
#include "hrows.h"

#define SLICE 1024u		/* rows looked at between two ticks */

struct all_copies {
	struct item_rows	 rows;
	struct copies		 copies;
	struct scratch		 seen;		/* bits by object: it is in the list */
	struct bitmaps		*bitmaps;	/* NULL: none was met yet */
};

static bool
q_copies_add_once(struct all_copies *a, uint32_t object)
{
	if (object > HEAP(&a->rows)->view.heap.objects || has_bit(&a->seen, object))
		return true;
	set_bit(&a->seen, object);
	return item_rows_add_number(&a->rows, object);
}

static bool
q_copies_add_group(struct all_copies *a, uint64_t group)
{
	uint64_t from = column_get(a->copies.first, group - 1), i;
	uint64_t n = column_get(a->copies.copies, group - 1);

	for (i = from; i < from + n && i < a->copies.member->rows; i++)
		if ((i % SLICE == 0 && !rows_tick(&a->rows.rows, a->rows.n)) ||
		    !q_copies_add_once(a, (uint32_t)column_get(a->copies.member, i)))
			return false;
	return true;
}

/* Reachable bitmaps that look the same. */
static bool
q_copies_add_bitmaps(struct all_copies *a, uint32_t object)
{
	const struct heap *h = &HEAP(&a->rows)->view.heap;
	struct rows *r = &a->rows.rows;
	struct bitmap_twins mine, t;
	struct bitmap bitmap;
	uint32_t i, other;

	if (a->bitmaps == NULL && !bitmaps_open(&a->bitmaps, h, r->work, &r->err))
		return false;
	if (!bitmap_get(a->bitmaps, object, &bitmap))
		return true;
	if (!bitmap_twins(a->bitmaps, object, &mine, r->work, &r->err))
		return false;
	for (i = 0; mine.copies > 1 && i < bitmaps_count(a->bitmaps); i++) {
		other = bitmaps_object(a->bitmaps, i);
		if (!bitmap_twins(a->bitmaps, other, &t, r->work, &r->err))
			return false;
		if (t.first == mine.first && heap_dominator(h, other) != 0 && !q_copies_add_once(a, other))
			return false;
	}
	return true;
}

static bool
first_step(struct all_copies *a)
{
	struct rows *r = &a->rows.rows;

	return a->seen.data != NULL || (scratch_array(&a->seen,
	    HEAP(&a->rows)->view.heap.objects / 64 + 1ull, sizeof(uint64_t), &r->err) &&
	    copies_make(&a->copies, &HEAP(&a->rows)->view.heap, r->work, &r->err));
}

static bool
copies_step(struct item_rows *s)
{
	struct all_copies *a = (struct all_copies *)s;
	uint32_t object, i;
	uint64_t row;

	if (!first_step(a))
		return false;
	for (i = 0; i < SLICE; i++) {
		if (!heap_rows_next(s, &object))
			return false;
		if (object == 0 || has_bit(&a->seen, object))
			continue;
		row = copies_row(&a->copies, object);
		if (!(row != 0 ? q_copies_add_group(a, copies_group(&a->copies, row)) :
		    q_copies_add_bitmaps(a, object)))
			return false;
	}
	return true;
}

static void
q_copies_copies_end(struct item_rows *s)
{
	struct all_copies *a = (struct all_copies *)s;

	copies_free(&a->copies);
	scratch_free(&a->seen);
	bitmaps_close(a->bitmaps);
}

static const struct source copies = {
	.domain = &heap_domain, .size = sizeof(struct all_copies), OVER_OBJECTS, .step = copies_step,
	    .end = q_copies_copies_end
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_NATIVE_OBJECT,
	COL_EACH_DUP_MEMBER, COL_NONE };

const struct command stage_copies = {
	VALUES_STAGE("copies", "all duplicates of the strings, arrays or bitmaps",
	    "duplicates | head 1 | copies", object_cols, copies, needs)
};
