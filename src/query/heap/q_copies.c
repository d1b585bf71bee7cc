/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_copies: from an object to the group of its copies; and all strings, arrays or bitmaps that are equal to those of
 * the rows.
 */
#include "config.h"

#include "icecore/columns_allocations.h"
#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_objects.h"
#include "hrows.h"

#define SLICE 1024u		/* rows looked at between two ticks */
#define MEMBERS 16384u		/* of groups, the same */

/* ---- groups ---------------------------------------------------------------------- */

void
copies_free(struct copies *c)
{
	SCRATCH_FREE(&c->has, &c->before, &c->row);
}

static uint32_t
q_copies_place(const struct copies *c, uint32_t object)
{
	uint64_t bits = SCRATCH(c->has, uint64_t)[object / 64] & ((UINT64_C(1) << object % 64) - 1);

	return SCRATCH(c->before, uint32_t)[object / 64] + heap_ones(bits);
}

/* Set a bit for each member, count the bits before each word, and store the row of each member by rank. */
static bool
q_copies_fill(struct copies *c, uint32_t objects, struct work *work, struct err *err)
{
	uint64_t n = c->member == NULL ? 0 : c->member->rows, i;
	uint32_t object, sum = 0;

	for (i = 0; i < n; i++) {
		object = (uint32_t)column_get(c->member, i);
		if (object <= objects)
			set_bit(&c->has, object);
	}
	for (i = 0; i <= objects / 64; i++) {
		SCRATCH(c->before, uint32_t)[i] = sum;
		sum += heap_ones(SCRATCH(c->has, uint64_t)[i]);
	}
	for (i = 0; i < n; i++) {
		if (i % MEMBERS == 0 && !work_tick(work, i))
			return fail_cancel(err);
		object = (uint32_t)column_get(c->member, i);
		if (object <= objects)
			SCRATCH(c->row, uint32_t)[q_copies_place(c, object)] = (uint32_t)i + 1;
	}
	return true;
}

bool
copies_make(struct copies *c, const struct heap_view *v, struct work *work, struct err *err)
{
	uint64_t words = v->heap.objects / 64 + 1ull;

	if (c->made)
		return true;
	c->first = view_column(v, COL_EACH_DUP_FIRST);
	c->member = view_column(v, COL_EACH_DUP_MEMBER);
	c->owns = view_column(v, COL_EACH_DUP_OWNS);
	c->copies = view_column(v, COL_EACH_DUP_COPIES);
	c->waste = view_column(v, COL_EACH_DUP_WASTE);
	c->shared = view_column(v, COL_EACH_DUP_SHARED);
	c->sharers = view_column(v, COL_EACH_DUP_SHARERS);
	/* Do not retry after a failure: no object has copies then, and the rows have the error. */
	c->made = true;
	return scratch_array(&c->has, words, sizeof(uint64_t), err) &&
	    scratch_array(&c->before, words, sizeof(uint32_t), err) &&
	    scratch_array(&c->row, (c->member == NULL ? 0 : c->member->rows) + 1,
	    sizeof(uint32_t), err) && q_copies_fill(c, v->heap.objects, work, err);
}

uint64_t
copies_row(const struct copies *c, uint32_t object)
{
	return c->row.data != NULL && has_bit(&c->has, object) ? SCRATCH(c->row, uint32_t)[q_copies_place(c, object)] : 0;
}

uint64_t
copies_group(const struct copies *c, uint64_t row)
{
	return row == 0 ? 0 : column_place(c->first, row);
}

uint64_t
copies_sharers(const struct copies *c, uint32_t array)
{
	uint64_t row = column_find(c->shared, array);

	return row == 0 ? 1 : column_get(c->sharers, row - 1);
}

uint64_t
copies_waste(const struct copies *c, const struct heap *h, uint32_t object)
{
	uint64_t row = copies_row(c, object), group = copies_group(c, row), waste;
	struct heap_text t;

	if (row == 0 || column_get(c->first, group - 1) == row - 1)
		return 0;
	waste = heap_shallow(h, object);
	if (heap_text(h, object, &t) && t.array != 0 && column_get(c->owns, row - 1) != 0)
		waste += heap_shallow(h, t.array);
	return waste;
}

/* ---- the stage ------------------------------------------------------------------- */

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
	    copies_make(&a->copies, &HEAP(&a->rows)->view, r->work, &r->err));
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
		if (!(row != 0 ? q_copies_add_group(a, copies_group(&a->copies, row)) : q_copies_add_bitmaps(a, object)))
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
	.domain = &heap_domain, .size = sizeof(struct all_copies), .args = ARGS_OBJECTS, .step = copies_step, .end = q_copies_copies_end
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_NATIVE_OBJECT,
	COL_EACH_DUP_MEMBER, COL_NONE };

const struct command stage_copies = {
	HEAP_STAGE("copies", "all duplicates of the strings, arrays or bitmaps",
	    "duplicates | head 1 | copies", object_cols, copies, needs)
};
