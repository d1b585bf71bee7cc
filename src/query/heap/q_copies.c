/*
 * q_copies: all strings, arrays or bitmaps that are equal to those of the rows.
 */
#include "config.h"

#include "hrows.h"

#define SLICE 1024u		/* rows looked at between two ticks */

struct all_copies {
	struct heap_rows	 rows;
	struct copies		 copies;
	struct scratch		 seen;		/* bits by object: it is in the list */
	struct bitmaps		*bitmaps;	/* NULL: none was met yet */
};

static bool
add_once(struct all_copies *a, uint32_t object)
{
	if (object > a->rows.view.heap.objects || has_bit(&a->seen, object))
		return true;
	set_bit(&a->seen, object);
	return heap_rows_add_number(&a->rows, object);
}

static bool
add_group(struct all_copies *a, uint64_t group)
{
	uint64_t from = column_get(a->copies.first, group - 1), i;
	uint64_t n = column_get(a->copies.copies, group - 1);

	for (i = from; i < from + n && i < a->copies.member->rows; i++)
		if ((i % SLICE == 0 && !rows_tick(&a->rows.rows, a->rows.n)) ||
		    !add_once(a, (uint32_t)column_get(a->copies.member, i)))
			return false;
	return true;
}

/* Reachable bitmaps that look the same. */
static bool
add_bitmaps(struct all_copies *a, uint32_t object)
{
	const struct heap *h = &a->rows.view.heap;
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
		if (t.first == mine.first && heap_dominator(h, other) != 0 && !add_once(a, other))
			return false;
	}
	return true;
}

static bool
first_step(struct all_copies *a)
{
	struct rows *r = &a->rows.rows;

	return a->seen.data != NULL || (scratch_array(&a->seen,
	    a->rows.view.heap.objects / 64 + 1ull, sizeof(uint64_t), &r->err) &&
	    copies_make(&a->copies, &a->rows.view, r->work, &r->err));
}

static bool
copies_step(struct heap_rows *s)
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
		if (!(row != 0 ? add_group(a, copies_group(&a->copies, row)) : add_bitmaps(a, object)))
			return false;
	}
	return true;
}

static void
copies_end(struct heap_rows *s)
{
	struct all_copies *a = (struct all_copies *)s;

	copies_free(&a->copies);
	scratch_free(&a->seen);
	bitmaps_close(a->bitmaps);
}

static const struct heap_source copies = {
	.size = sizeof(struct all_copies), .args = ARGS_OBJECTS, .step = copies_step, .end = copies_end
};

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_NATIVE_OBJECT,
	COL_EACH_DUP_MEMBER, COL_NONE };

const struct command stage_copies = {
	HEAP_STAGE("copies", "all strings, arrays and bitmaps that are equal to those of the rows",
	    "duplicates | head 1 | copies", object_cols, copies),
	.needs = needs
};
