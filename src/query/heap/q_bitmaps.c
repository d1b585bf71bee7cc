/*
 * q_bitmaps: the bitmaps of a heap dump.
 */
#include "config.h"

#include "heap.h"

enum bitmap_col {
	BITMAPS_OBJECT, BITMAPS_BYTES, BITMAPS_WIDTH, BITMAPS_HEIGHT, BITMAPS_FORMAT, BITMAPS_SURE, BITMAPS_COPIES, BITMAPS_RETAINED,
	BITMAPS_PLACE, BITMAPS_HELD_BY, BITMAPS_HOLDER, BITMAPS_WASTE, BITMAPS_LACK, BITMAPS_STRIDE, BITMAPS_HASH, BITMAPS_NATIVE,
	BITMAPS_RECYCLED, BITMAPS_PREMULTIPLIED, BITMAPS_ESTIMATED, BITMAPS_BUFFER, BITMAPS_ADDR, BITMAPS_CLASS, BITMAPS_COLS
};

static const struct coldef bitmap_cols[BITMAPS_COLS] = {
	[BITMAPS_OBJECT] = { "object", CELL_ID, "the Bitmap", false },
	[BITMAPS_BYTES] = { "bytes", CELL_BYTES, "of its pixels, in the Java heap or native memory", false },
	[BITMAPS_WIDTH] = { "width", CELL_COUNT, "in pixels; empty: not known, or absurd", false },
	[BITMAPS_HEIGHT] = { "height", CELL_COUNT, "likewise", false },
	[BITMAPS_FORMAT] = { "format", CELL_TEXT, "ARGB_8888, RGB_565, ARGB_4444, ALPHA_8, RGBA_F16 or unknown", false },
	[BITMAPS_SURE] = { "sure", CELL_PERCENT, "how sure the format is; empty: nothing was guessed", false },
	[BITMAPS_COPIES] = { "copies", CELL_COUNT, "bitmaps with these pixels, itself too; empty: there are no pixels", false },
	[BITMAPS_RETAINED] = { "retained", CELL_BYTES, "what would be freed with it; 0: it is unreachable", false },
	[BITMAPS_PLACE] = { "place", CELL_TEXT, "where the pixels are: java, native, dump (a packed image of native ones) or none", false },
	[BITMAPS_HELD_BY] = { "held_by", CELL_TEXT, "class and field of the nearest owner on the shortest path from a root; without one, what root it is", false },
	[BITMAPS_HOLDER] = { "holder", CELL_ID, "that owner", true },
	[BITMAPS_WASTE] = { "waste", CELL_BYTES, "bytes of its copies that have arrays of their own, told once, of the first of them", true },
	[BITMAPS_LACK] = { "lack", CELL_TEXT, "why there are no pixels to show", true },
	[BITMAPS_STRIDE] = { "stride", CELL_BYTES, "bytes of a row", true },
	[BITMAPS_HASH] = { "hash", CELL_ADDR, "of sides, format and pixels", true },
	[BITMAPS_NATIVE] = { "native", CELL_ADDR, "its native address", true },
	[BITMAPS_RECYCLED] = { "recycled", CELL_BOOL, "it was recycled", true },
	[BITMAPS_PREMULTIPLIED] = { "premultiplied", CELL_BOOL, "colours are multiplied by alpha", true },
	[BITMAPS_ESTIMATED] = { "estimated", CELL_BOOL, "the bytes follow from its sides alone", true },
	[BITMAPS_BUFFER] = { "buffer", CELL_ID, "the array with its pixels, or with a packed image of them", true },
	[BITMAPS_ADDR] = { "addr", CELL_ADDR, "address of the Bitmap", true },
	[BITMAPS_CLASS] = { "class", CELL_TEXT, "its class", true }
};

struct bitmap_rows {
	struct rows		 rows;
	struct bitmap_view	 bitmaps;
	enum bitmap_format	 choice;	/* for what is guessed; BITMAP_UNKNOWN: none */
	bool			 ended;		/* there are no rows */
	uint32_t		 at;		/* object in bitmap, 0: none yet */
	struct bitmap		 bitmap;
	uint32_t		 owned;		/* object whose owner was looked for, 0: none yet */
	uint32_t		 owner, held;	/* 0: there is none; what the owner refers to */
	uint32_t		 root;		/* at the other end of its path, 0: there is no path */
	struct buf		 text;
};

/* ---- what is dear: done when a cell wants it ----------------------------------------- */

static const struct bitmap *
bitmap_at(struct bitmap_rows *s, uint64_t row)
{
	uint32_t object = bitmaps_object(s->bitmaps.list, (uint32_t)row);
	struct bitmap *b = &s->bitmap;

	if (s->at == object)
		return b;
	s->at = object;
	if (!bitmap_get(s->bitmaps.list, object, b))
		*b = (struct bitmap){ .object = object };
	if (s->choice != BITMAP_UNKNOWN && (b->sure < 100 || b->format == BITMAP_UNKNOWN))
		bitmap_choose(b, s->choice);
	return b;
}

static void
find_owner(struct bitmap_rows *s, uint32_t object)
{
	struct bitmap_view *v = &s->bitmaps;
	struct heap_path path;
	size_t i;

	if (s->owned == object)
		return;
	s->owned = object;
	s->owner = s->root = 0;
	if (!bitmap_view_routes(v, NULL, 0, s->rows.work, &s->rows.err) ||
	    !heap_routes_to(v->routes, object, &path))
		return;
	s->root = path.root;
	i = heap_owner(&v->view.heap, &path);
	if (i == 0 || i >= path.n)
		return;
	s->owner = path.object[i];
	s->held = path.object[i - 1];
}

static void
owner_cell(struct bitmap_rows *s, uint32_t object, enum bitmap_col col, struct cell *c)
{
	if (s->rows.err.kind == E_NONE)
		find_owner(s, object);
	c->type = CELL_NONE;
	if (s->owned != object)
		return;
	if (col == BITMAPS_HOLDER) {
		cell_number(c, CELL_ID, s->owner);
		return;
	}
	buf_clear(&s->text);
	if (s->owner != 0)
		bitmap_link(&s->bitmaps.view.heap, s->owner, s->held, &s->text);
	else if (s->root != 0)
		bitmap_root(&s->bitmaps.view.heap, s->root, &s->text);
	else
		return;
	cell_text(&s->rows, c, &s->text);
}

/* Nothing is known of copies where there are no pixels. */
static void
twins_cell(struct bitmap_rows *s, uint64_t row, enum bitmap_col col, struct cell *c)
{
	uint32_t object = bitmaps_object(s->bitmaps.list, (uint32_t)row);
	struct err *err = &s->rows.err;
	struct bitmap_twins t;

	c->type = CELL_NONE;
	if (err->kind != E_NONE ||
	    !bitmap_twins(s->bitmaps.list, object, &t, s->rows.work, err) || t.hash == 0)
		return;
	if (col == BITMAPS_WASTE && !bitmap_view_waste(&s->bitmaps, row, &c->u, s->rows.work, err))
		return;
	if (col != BITMAPS_WASTE)
		c->u = col == BITMAPS_HASH ? t.hash : t.copies;
	c->type = s->rows.cols[col].type;
}

/* ---- cells ------------------------------------------------------------------------ */

static void
text_cell(struct cell *c, const char *text)
{
	c->type = text == NULL ? CELL_NONE : CELL_TEXT;
	c->text = str_of(text);
}

static void
format_cell(const struct bitmap *b, enum bitmap_col col, struct cell *c)
{
	if (col == BITMAPS_FORMAT) {
		text_cell(c, bitmap_format_names[b->format]);
		return;
	}
	c->type = b->format == BITMAP_UNKNOWN || b->sure >= 100 ? CELL_NONE : CELL_PERCENT;
	c->f = b->sure;
}

static void
flag_cell(struct cell *c, bool flag)
{
	c->type = CELL_BOOL;
	c->u = flag;
}

/* What stands in the bitmap itself. */
static void
fact_cell(const struct bitmap *b, enum bitmap_col col, struct cell *c)
{
	c->type = CELL_BYTES;
	c->u = b->bytes;
	if (col == BITMAPS_WIDTH || col == BITMAPS_HEIGHT)
		cell_number(c, CELL_COUNT, col == BITMAPS_WIDTH ? b->width : b->height);
	else if (col == BITMAPS_FORMAT || col == BITMAPS_SURE)
		format_cell(b, col, c);
	else if (col == BITMAPS_PLACE)
		text_cell(c, bitmap_place_names[b->place]);
	else if (col == BITMAPS_LACK)
		text_cell(c, b->lack);
	else if (col == BITMAPS_STRIDE)
		cell_number(c, CELL_BYTES, b->stride);
	else if (col == BITMAPS_NATIVE)
		cell_number(c, CELL_ADDR, b->native);
	else if (col == BITMAPS_BUFFER)
		cell_number(c, CELL_ID, b->buffer);
	else if (col != BITMAPS_BYTES)
		flag_cell(c, col == BITMAPS_RECYCLED ? b->recycled :
		    col == BITMAPS_PREMULTIPLIED ? b->premultiplied : b->estimated);
}

static void
bitmap_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	static const enum object_col field[BITMAPS_COLS] = {
		[BITMAPS_OBJECT] = OBJECT_ID, [BITMAPS_RETAINED] = OBJECT_RETAINED,
		[BITMAPS_ADDR] = OBJECT_ADDR, [BITMAPS_CLASS] = OBJECT_CLASS
	};
	struct bitmap_rows *s = (struct bitmap_rows *)r;
	const struct bitmap *b = bitmap_at(s, row);

	switch ((enum bitmap_col)col) {
	case BITMAPS_OBJECT:
	case BITMAPS_RETAINED:
	case BITMAPS_ADDR:
	case BITMAPS_CLASS:
		object_cell(r, &s->bitmaps.view, b->object, field[col], c);
		break;
	case BITMAPS_COPIES:
	case BITMAPS_WASTE:
	case BITMAPS_HASH:
		twins_cell(s, row, (enum bitmap_col)col, c);
		break;
	case BITMAPS_HELD_BY:
	case BITMAPS_HOLDER:
		owner_cell(s, b->object, (enum bitmap_col)col, c);
		break;
	default:
		fact_cell(b, (enum bitmap_col)col, c);
	}
}

/* ---- rows ------------------------------------------------------------------------- */

static uint64_t
bitmap_reach(struct rows *r, uint64_t n)
{
	struct bitmap_rows *s = (struct bitmap_rows *)r;

	if (n == 0 || s->ended)
		return 0;
	s->ended = !bitmap_view_list(&s->bitmaps, r->work, &r->err);
	return s->ended ? 0 : bitmaps_count(s->bitmaps.list);
}

static void
bitmap_close(struct rows *r)
{
	struct bitmap_rows *s = (struct bitmap_rows *)r;

	bitmap_view_close(&s->bitmaps);
	buf_free(&s->text);
}

static const struct rows_ops bitmap_ops = { .reach = bitmap_reach, .cell = bitmap_cell,
	.close = bitmap_close };

static bool
bitmaps_source(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct bitmap_rows *s = rows_new(sizeof *s, &bitmap_ops, session, in, err);

	if (s == NULL)
		return false;
	s->rows.cols = bitmap_cols;
	s->rows.ncols = BITMAPS_COLS;
	s->text = BUF_INIT;
	s->ended = session_store(session) == NULL;
	if (!heap_view_open(&s->bitmaps.view, session, err) || !stage_at_most(stage, 1, err) ||
	    (stage->n > 0 && !bitmap_format_read(stage->token, &s->choice, err))) {
		rows_close(&s->rows);
		return false;
	}
	*out = &s->rows;
	return true;
}

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_NATIVE_OBJECT, COL_ROOT_FRAME,
	COL_EACH_PARENT, COL_NONE };

const struct command source_bitmaps = {
	.word = "bitmaps",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_pixels, ARG_OPTIONAL }),
	.what = "the bitmaps of Android; PIXELS (RGB_565, ...) instead of a guessed format",
	.example = "bitmaps | sort -bytes | head 10",
	.needs = needs,
	.cols = bitmap_cols,
	.ncols = BITMAPS_COLS,
	.open = bitmaps_source
};
