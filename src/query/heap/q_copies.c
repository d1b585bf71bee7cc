/*
 * q_copies: all strings, arrays or bitmaps that are equal to those of the rows.
 */
#include "config.h"

#include "copies.h"

#define SLICE 1024u		/* rows looked at between two ticks */

struct all_copies {
	struct objects		 o;
	size_t			 col;		/* of in */
	uint64_t		 row;		/* of in, the next one */
	struct copies		 copies;
	struct scratch		 seen;		/* bits by object: it is in the list */
	struct bitmaps		*bitmaps;	/* NULL: none was met yet */
};

static bool
add_once(struct all_copies *a, uint32_t object)
{
	if (object > a->o.view.heap.objects || has_bit(&a->seen, object))
		return true;
	set_bit(&a->seen, object);
	return objects_add(&a->o, object);
}

static bool
add_group(struct all_copies *a, uint64_t group)
{
	uint64_t from = column_get(a->copies.first, group - 1), i;
	uint64_t n = column_get(a->copies.copies, group - 1);

	for (i = from; i < from + n && i < a->copies.member->rows; i++)
		if ((i % SLICE == 0 && !rows_tick(&a->o.rows, a->o.n)) ||
		    !add_once(a, (uint32_t)column_get(a->copies.member, i)))
			return false;
	return true;
}

/* Reachable bitmaps that look the same. */
static bool
add_bitmaps(struct all_copies *a, uint32_t object)
{
	struct rows *r = &a->o.rows;
	struct bitmap_twins mine, t;
	struct bitmap bitmap;
	uint32_t i, other;

	if (a->bitmaps == NULL && !bitmaps_open(&a->bitmaps, &a->o.view.heap, r->work, &r->err))
		return false;
	if (!bitmap_get(a->bitmaps, object, &bitmap))
		return true;
	if (!bitmap_twins(a->bitmaps, object, &mine, r->work, &r->err))
		return false;
	for (i = 0; mine.copies > 1 && i < bitmaps_count(a->bitmaps); i++) {
		other = bitmaps_object(a->bitmaps, i);
		if (!bitmap_twins(a->bitmaps, other, &t, r->work, &r->err))
			return false;
		if (t.first == mine.first && heap_dominator(&a->o.view.heap, other) != 0 &&
		    !add_once(a, other))
			return false;
	}
	return true;
}

static bool
copies_begin(struct all_copies *a)
{
	struct rows *r = &a->o.rows;

	return a->seen.data != NULL || (scratch_array(&a->seen,
	    a->o.view.heap.objects / 64 + 1ull, sizeof(uint64_t), &r->err) &&
	    copies_make(&a->copies, &a->o.view, r->work, &r->err));
}

static bool
copies_step(struct objects *o)
{
	struct all_copies *a = (struct all_copies *)o;
	uint32_t object, i;
	uint64_t row;

	if (!copies_begin(a))
		return false;
	for (i = 0; i < SLICE; i++) {
		if (!object_next(o->rows.in, &a->row, a->col, &o->view.heap, &object))
			return false;
		if (object == 0 || has_bit(&a->seen, object))
			continue;
		row = copies_row(&a->copies, object);
		if (!(row != 0 ? add_group(a, copies_group(&a->copies, row)) :
		    add_bitmaps(a, object)))
			return false;
	}
	return true;
}

static void
copies_release(struct objects *o)
{
	struct all_copies *a = (struct all_copies *)o;

	copies_free(&a->copies);
	scratch_free(&a->seen);
	bitmaps_close(a->bitmaps);
}

static bool
copies_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct all_copies *a = objects_new(sizeof *a, session, stage->command, object_fields, in,
	    err);
	int col;

	if (a == NULL)
		return false;
	a->copies.has = a->copies.before = a->copies.row = a->seen = SCRATCH_INIT;
	a->o.release = copies_release;
	col = object_column(stage, in, err);
	if (col < 0 || !stage_at_most(stage, 0, err)) {
		rows_close(&a->o.rows);
		return false;
	}
	a->col = (size_t)col;
	a->o.step = copies_step;
	*out = &a->o.rows;
	return true;
}

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_REACH_OBJECT,
	COL_NATIVE_OBJECT, COL_EACH_DUP_MEMBER, COL_NONE };

const struct command stage_copies = {
	.word = "copies",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.what = "all strings, arrays and bitmaps that are equal to those of the rows",
	.example = "duplicates | head 1 | copies",
	.needs = needs,
	.cols = object_cols,
	.ncols = OBJECT_COLUMNS,
	.open = copies_open
};
