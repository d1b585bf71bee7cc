/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_bitmaps: the bitmaps of a heap dump.
 */
#include "config.h"

#include "icecore/columns_allocations.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "hrows.h"

struct bitmap_rows {
	struct item_rows	 rows;
	struct bitmap_view	 bitmaps;
	enum bitmap_format	 choice;	/* for what is guessed; BITMAP_UNKNOWN: none */
	struct bitmap		 bitmap;	/* the one that was asked for last */
	uint32_t		 owned;		/* object whose owner was looked for, 0: none yet */
	uint32_t		 owner, held;	/* 0: there is none; what the owner refers to */
	uint32_t		 root;		/* at the other end of its path, 0: there is no path */
};

static const void *
bitmap_at(struct item_rows *r, uint64_t row)
{
	struct bitmap_rows *s = (struct bitmap_rows *)r;
	uint32_t object = bitmaps_object(s->bitmaps.list, (uint32_t)row);
	struct bitmap *b = &s->bitmap;

	if (b->object == object)
		return b;
	if (!bitmap_get(s->bitmaps.list, object, b))
		*b = (struct bitmap){ .object = object };
	if (s->choice != BITMAP_UNKNOWN && (b->sure < 100 || b->format == BITMAP_UNKNOWN))
		bitmap_choose(b, s->choice);
	return b;
}

/* ---- owners: looked for when a cell wants them ------------------------------------------ */

/* The owner of the bitmap, once; false: it failed. */
static bool
find_owner(struct bitmap_rows *s, uint32_t object)
{
	struct rows *r = &s->rows.rows;
	struct heap_path path;
	size_t i;

	if (s->owned == object)
		return true;
	s->owner = s->root = 0;
	if (r->err.kind != E_NONE || !bitmap_view_routes(&s->bitmaps, NULL, 0, r->work, &r->err))
		return false;
	s->owned = object;
	if (!heap_routes_to(s->bitmaps.routes, object, &path))
		return true;
	s->root = path.root;
	i = heap_owner(&HEAP(&s->rows)->view.heap, &path);
	if (i == 0 || i >= path.n)
		return true;
	s->owner = path.object[i];
	s->held = path.object[i - 1];
	return true;
}

static void
q_bitmaps_holder_cell(struct item_rows *r, uint64_t object, struct cell *c)
{
	struct bitmap_rows *s = (struct bitmap_rows *)r;

	cell_number(c, CELL_ID, find_owner(s, (uint32_t)object) ? s->owner : 0);
}

static bool
q_bitmaps_held_by_text(struct item_rows *r, uint64_t object, struct buf *b)
{
	struct bitmap_rows *s = (struct bitmap_rows *)r;

	if (!find_owner(s, (uint32_t)object))
		return false;
	if (s->owner != 0)
		bitmap_link(&HEAP(r)->view.heap, s->owner, s->held, b);
	else if (s->root != 0)
		root_name_add(&HEAP(r)->view.heap, s->root, b);
	return s->owner != 0 || s->root != 0;
}

/* ---- copies ------------------------------------------------------------------------- */

/* Find the copies of a bitmap; false: it has no pixels to compare, or reading failed. */
static bool
q_bitmaps_find_twins(struct item_rows *r, uint64_t object, struct bitmap_twins *t, struct cell *c)
{
	c->type = CELL_NONE;
	return r->rows.err.kind == E_NONE && bitmap_twins(((struct bitmap_rows *)r)->bitmaps.list,
	    (uint32_t)object, t, r->rows.work, &r->rows.err) && t->hash != 0;
}

static void
q_bitmaps_copies_cell(struct item_rows *r, uint64_t object, struct cell *c)
{
	struct bitmap_twins t;

	if (q_bitmaps_find_twins(r, object, &t, c))
		*c = (struct cell){ .type = CELL_COUNT, .u = t.copies };
}

static void
q_bitmaps_hash_cell(struct item_rows *r, uint64_t object, struct cell *c)
{
	struct bitmap_twins t;

	if (q_bitmaps_find_twins(r, object, &t, c))
		*c = (struct cell){ .type = CELL_ADDR, .u = t.hash };
}

static void
q_bitmaps_waste_cell(struct item_rows *r, uint64_t object, struct cell *c)
{
	struct bitmap_view *v = &((struct bitmap_rows *)r)->bitmaps;
	struct bitmap_twins t;

	if (q_bitmaps_find_twins(r, object, &t, c) && bitmap_view_waste(v,
	    bitmaps_row(v->list, (uint32_t)object), &c->u,
	    r->rows.work, &r->rows.err))
		c->type = CELL_BYTES;
}

/* ---- cells ------------------------------------------------------------------------ */

static void
sure_cell(struct item_rows *s, uint64_t sure, struct cell *c)
{
	const struct bitmap *b = s->item;

	if (b->format == BITMAP_UNKNOWN || sure >= 100)
		c->type = CELL_NONE;
	c->f = (double)sure;
}

#define OF(member) ITEM(struct bitmap, member)

static const struct coldef bitmap_cols[] = {
	{ "object", CELL_ID, "Bitmap object", SOME_OF(OF(object)), OBJECT_ID },
	{ "bytes", CELL_BYTES, "bytes of pixel data, Java or native", NUMBER_OF(OF(bytes)) },
	{ "width", CELL_COUNT, "width in pixels; empty: unknown or implausible", SOME_OF(OF(width)) },
	{ "height", CELL_COUNT, "height in pixels; empty: unknown or implausible", SOME_OF(OF(height)) },
	{ "format", CELL_TEXT, "ARGB_8888, RGB_565, ARGB_4444, ALPHA_8, RGBA_F16 or unknown",
	    MADE(.words = bitmap_format_names, OF(format)) },
	{ "confidence", CELL_PERCENT, "confidence of the guessed format; empty: known",
	    COMPUTED(sure_cell, OF(sure)), .was = "sure" },
	{ "copies", CELL_COUNT, "bitmaps with equal pixels, incl. this one",
	    COMPUTED(q_bitmaps_copies_cell, OF(object)) },
	{ "retained", CELL_BYTES, "retained size; 0: unreachable", FROM(OBJECT_RETAINED, OF(object)) },
	{ "storage", CELL_TEXT, "pixel storage: java, native, dump (compressed copy) or none",
	    MADE(.words = bitmap_place_names, OF(place)), .was = "place" },
	{ "holder", CELL_TEXT, "class and field of the nearest owner, or the root type",
	    TEXT(q_bitmaps_held_by_text, OF(object)), NEEDS(dominators), .cut = CUT_FRONT },
	{ "owner", CELL_ID, "owner object",
	    MORE, COMPUTED(q_bitmaps_holder_cell, OF(object)), NEEDS(dominators), OBJECT_ID },
	{ "waste", CELL_BYTES, "wasted bytes of its duplicates (on the first one only)", MORE,
	    COMPUTED(q_bitmaps_waste_cell, OF(object)) },
	{ "why_empty", CELL_TEXT, "reason for the missing preview", MORE, FROM(SHOW_WORD, OF(lack)),
	    .was = "lack" },
	{ "stride", CELL_BYTES, "row stride in bytes", MORE, SOME_OF(OF(stride)) },
	{ "hash", CELL_ADDR, "hash of size, format and pixels", MORE,
	    COMPUTED(q_bitmaps_hash_cell, OF(object)) },
	{ "native", CELL_ADDR, "native address", MORE, SOME_OF(OF(native)) },
	{ "recycled", CELL_BOOL, "recycled", MORE, NUMBER_OF(OF(recycled)) },
	{ "premultiplied", CELL_BOOL, "premultiplied alpha", MORE, NUMBER_OF(OF(premultiplied)) },
	{ "estimated", CELL_BOOL, "size computed from width and height", MORE, NUMBER_OF(OF(estimated)) },
	{ "buffer", CELL_ID, "pixel array, or compressed image", MORE, SOME_OF(OF(buffer)), OBJECT_ID },
	{ "addr", CELL_ADDR, "address of the Bitmap", MORE, FROM(OBJECT_ADDR, OF(object)) },
	{ "class", CELL_TEXT, "class", MORE, FROM(OBJECT_CLASS, OF(object)) }
};

/* ---- source ------------------------------------------------------------------------ */

static bool
bitmaps_step(struct item_rows *r)
{
	struct bitmap_view *v = &((struct bitmap_rows *)r)->bitmaps;

	if (bitmap_view_list(v, r->rows.work, &r->rows.err))
		r->n = bitmaps_count(v->list);
	return false;
}

static bool
bitmaps_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	struct bitmap_rows *s = (struct bitmap_rows *)r;

	s->bitmaps.heap = &HEAP(r)->view.heap;
	return stage_at_most(stage, 1, err) &&
	    (stage->n == 0 || bitmap_format_read(stage->token, &s->choice, err));
}

static void
bitmaps_end(struct item_rows *r)
{
	bitmap_view_close(&((struct bitmap_rows *)r)->bitmaps);
}

static const struct source bitmaps = {
	.domain = &heap_domain, .size = sizeof(struct bitmap_rows), .args = ARGS_OWN, .begin = bitmaps_begin,
	    .step = bitmaps_step,
	.item_at = bitmap_at, .end = bitmaps_end
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_NATIVE_OBJECT, COL_ROOT_FRAME, COL_NONE };

const struct command source_bitmaps = {
	VALUES_SOURCE("bitmaps", "Android bitmaps; PIXELS overrides the guessed format",
	    "bitmaps | sort -bytes | head 10", bitmap_cols, bitmaps, needs),
	.args = ARGS({ &arg_pixels, ARG_OPTIONAL })
};
