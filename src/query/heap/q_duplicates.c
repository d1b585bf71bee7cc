/*
 * q_duplicates: what is in the heap several times over: texts, arrays, bitmaps; and all copies of
 * one of them.
 */
#include "config.h"

#include <stdlib.h>

#include "copies.h"

#define SLICE 4096u
#define SHOWN 16u		/* elements of an array that its value shows */

/* As dup.string has them; of bitmaps there is no row there. */
enum kind { KIND_ARRAY, KIND_STRING, KIND_ZEROS, KIND_BITMAP, KINDS };

static const struct {
	const char	*word;		/* of the argument */
	const char	*name;		/* of the cell */
} kinds[KINDS] = {
	{ "arrays", "array" }, { "strings", "string" }, { "zeros", "zeros" }, { "bitmaps", "bitmap" }
};

enum duplicate_col {
	DUP_KIND, DUP_VALUE, DUP_CLASS, DUP_LENGTH, DUP_COPIES, DUP_ARRAYS, DUP_WASTE, DUP_OBJECT,
	DUP_SHALLOW
};

static const struct coldef duplicate_cols[] = {
	{ "kind", CELL_TEXT, "string, array, zeros (an array of nothing else) or bitmap", false },
	{ "value", CELL_TEXT, "the text, the first elements, or the size of the bitmap", false },
	{ "class", CELL_TEXT, "class of the copies", false },
	{ "length", CELL_COUNT, "characters or elements", false },
	{ "copies", CELL_COUNT, "how many are equal", false },
	{ "arrays", CELL_COUNT, "arrays behind them, which is less where several share one", false },
	{ "waste", CELL_BYTES, "what would be free if there were only one", false },
	{ "object", CELL_ID, "the first of them", false },
	{ "shallow", CELL_BYTES, "own size of the first", true }
};

/* One row. */
struct entry {
	uint64_t	waste;
	uint32_t	object, copies, arrays;
	uint8_t		kind;
};

struct duplicates {
	struct rows		 rows;
	struct heap_view	 view;
	bool			 want[KINDS];
	bool			 began;
	struct scratch		 list;		/* struct entry */
	uint64_t		 n;
	struct bitmaps		*bitmaps;	/* NULL: not asked for */
};

/* ---- rows -------------------------------------------------------------------------- */

static bool
add(struct duplicates *d, const struct entry *e)
{
	if (!scratch_array(&d->list, d->n + 1, sizeof *e, &d->rows.err))
		return false;
	SCRATCH(d->list, struct entry)[d->n++] = *e;
	return true;
}

static bool
add_groups(struct duplicates *d)
{
	const struct column *kind = view_column(&d->view, COL_EACH_DUP_STRING),
	    *object = view_column(&d->view, COL_EACH_DUP_OBJECT),
	    *copies = view_column(&d->view, COL_EACH_DUP_COPIES),
	    *arrays = view_column(&d->view, COL_EACH_DUP_ARRAYS),
	    *waste = view_column(&d->view, COL_EACH_DUP_WASTE);
	uint64_t i, n = object == NULL ? 0 : object->rows;
	struct entry e;

	for (i = 0; i < n; i++) {
		if (i % SLICE == 0 && !rows_tick(&d->rows, i))
			return false;
		e = (struct entry){ column_get(waste, i), (uint32_t)column_get(object, i),
		    (uint32_t)column_get(copies, i), (uint32_t)column_get(arrays, i),
		    (uint8_t)column_get(kind, i) };
		if (e.kind < KIND_BITMAP && d->want[e.kind] && !add(d, &e))
			return false;
	}
	return true;
}

/* ---- bitmaps --------------------------------------------------------------------------- */

static int
by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Reachable bitmaps that have a twin, as pairs of the first of the twins and the bitmap. */
static bool
find_twins(struct duplicates *d, struct scratch *pairs, uint64_t *n)
{
	uint32_t i, count = bitmaps_count(d->bitmaps), object;
	struct bitmap_twins t;

	for (i = *n = 0; i < count; i++) {
		object = bitmaps_object(d->bitmaps, i);
		if (heap_dominator(&d->view.heap, object) == 0)
			continue;
		if (!bitmap_twins(d->bitmaps, object, &t, d->rows.work, &d->rows.err))
			return false;
		if (t.copies < 2)
			continue;
		if (!scratch_array(pairs, *n + 1, sizeof(uint64_t), &d->rows.err))
			return false;
		SCRATCH(*pairs, uint64_t)[(*n)++] = (uint64_t)t.first << 32 | object;
	}
	return true;
}

static bool
add_twins(struct duplicates *d, const uint64_t *pair, uint64_t n)
{
	struct bitmap b;
	struct entry e = { .object = (uint32_t)pair[0], .copies = (uint32_t)n, .kind = KIND_BITMAP };

	if (n < 2 || !bitmap_get(d->bitmaps, e.object, &b))
		return true;
	e.waste = (n - 1) * b.bytes;
	return add(d, &e);
}

static bool
add_bitmaps(struct duplicates *d)
{
	struct scratch pairs = SCRATCH_INIT;
	uint64_t *pair, n, i, from = 0;
	bool ok;

	if (!bitmaps_open(&d->bitmaps, &d->view.heap, d->rows.work, &d->rows.err))
		return false;
	ok = find_twins(d, &pairs, &n);
	pair = SCRATCH(pairs, uint64_t);
	if (ok && n > 0)
		qsort(pair, n, sizeof *pair, by_number);
	for (i = 1; ok && i <= n; i++)
		if (i == n || pair[i] >> 32 != pair[from] >> 32) {
			ok = add_twins(d, pair + from, i - from);
			from = i;
		}
	scratch_free(&pairs);
	return ok;
}

static int
by_waste(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->waste != y->waste)
		return x->waste < y->waste ? 1 : -1;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

/* The groups of the pass stand in order already. */
static bool
begin(struct duplicates *d)
{
	uint64_t groups;

	if (!add_groups(d))
		return false;
	groups = d->n;
	if (d->want[KIND_BITMAP] && !add_bitmaps(d))
		return false;
	if (d->n > groups)
		qsort(d->list.data, d->n, sizeof(struct entry), by_waste);
	return true;
}

static uint64_t
duplicates_reach(struct rows *r, uint64_t n)
{
	struct duplicates *d = (struct duplicates *)r;

	if (n > 0 && !d->began) {
		d->began = true;
		if (d->view.heap.st != NULL && !begin(d))
			d->n = 0;
	}
	return d->n;
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
		buf_str(b, STR(" ..."));
}

static void
value_cell(struct duplicates *d, const struct entry *e, struct cell *c)
{
	struct heap_view *v = &d->view;

	if (e->kind == KIND_STRING) {
		object_cell(&d->rows, v, e->object, OBJECT_VALUE, c);
		return;
	}
	buf_clear(&v->text);
	v->class = 0;
	if (e->kind == KIND_BITMAP)
		bitmap_value(d, e->object, &v->text);
	else
		array_value(&v->heap, e->object, &v->text);
	cell_text(&d->rows, c, &v->text);
}

static void
duplicates_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct duplicates *d = (struct duplicates *)r;
	const struct entry *e = &SCRATCH(d->list, struct entry)[row];

	switch ((enum duplicate_col)col) {
	case DUP_KIND:
		c->type = CELL_TEXT;
		c->text = str_of(kinds[e->kind].name);
		break;
	case DUP_VALUE:
		value_cell(d, e, c);
		break;
	case DUP_CLASS:
		object_cell(r, &d->view, e->object, OBJECT_CLASS, c);
		break;
	case DUP_LENGTH:
		object_cell(r, &d->view, e->object,
		    e->kind == KIND_STRING ? OBJECT_CHARS : OBJECT_LENGTH, c);
		break;
	case DUP_COPIES:
		c->type = CELL_COUNT;
		c->u = e->copies;
		break;
	case DUP_ARRAYS:
		cell_number(c, CELL_COUNT, e->arrays);
		break;
	case DUP_WASTE:
		c->type = CELL_BYTES;
		c->u = e->waste;
		break;
	case DUP_OBJECT:
		cell_number(c, CELL_ID, e->object);
		break;
	case DUP_SHALLOW:
		object_cell(r, &d->view, e->object, OBJECT_SHALLOW, c);
		break;
	}
}

static void
duplicates_close(struct rows *r)
{
	struct duplicates *d = (struct duplicates *)r;

	bitmaps_close(d->bitmaps);
	scratch_free(&d->list);
	heap_view_close(&d->view);
}

static const struct rows_ops duplicates_ops = { .reach = duplicates_reach,
	.cell = duplicates_cell, .close = duplicates_close };

/* ---- source ---------------------------------------------------------------------------------- */

static bool
read_kinds(struct duplicates *d, const struct stage *stage, struct err *err)
{
	const struct token *t;
	size_t i = 0, k;

	for (k = 0; k < KINDS; k++)
		d->want[k] = stage->n == 0;
	while ((t = stage_next(stage, &i)) != NULL) {
		for (k = 0; k < KINDS && !token_is(t, kinds[k].word); k++)
			continue;
		if (k == KINDS)
			return fail_at(err, E_USAGE, t->at, "expected strings, arrays, zeros or "
			    "bitmaps here");
		d->want[k] = true;
	}
	return true;
}

static bool
duplicates_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct duplicates *d = rows_new(sizeof *d, &duplicates_ops, session, in, err);

	if (d == NULL)
		return false;
	d->list = SCRATCH_INIT;
	d->rows.cols = stage->command->cols;
	d->rows.ncols = stage->command->ncols;
	if (!heap_view_open(&d->view, session, err) || !read_kinds(d, stage, err)) {
		rows_close(&d->rows);
		return false;
	}
	*out = &d->rows;
	return true;
}

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_NATIVE_OBJECT,
	COL_EACH_DUP_MEMBER, COL_NONE };

const struct command source_duplicates = {
	.word = "duplicates",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ NULL, ARG_OPTIONAL | ARG_MANY, "strings" }, { NULL, ARG_OR, "arrays" },
	    { NULL, ARG_OR, "zeros" }, { NULL, ARG_OR, "bitmaps" }),
	.what = "texts, arrays and bitmaps that are there several times, by what that wastes",
	.example = "duplicates strings | head 10",
	.needs = needs,
	.cols = duplicate_cols,
	.ncols = NELEM(duplicate_cols),
	.open = duplicates_open
};
