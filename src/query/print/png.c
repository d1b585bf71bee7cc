/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * png: the sink that writes bitmaps as pictures to a folder.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "pictures.h"

#define SLICE 16384u		/* rows looked at between two ticks */

/* ---- which bitmaps ------------------------------------------------------------------ */

/* Return the chosen format, otherwise that of the row, as in "bitmaps RGB_565 | png DIR". */
static enum bitmap_format
format_of_row(struct png_rows *s, uint64_t row)
{
	enum bitmap_format format = s->choice;
	struct cell c;

	if (format != BITMAP_UNKNOWN || s->format_col < 0)
		return format;
	rows_cell(s->rows.in, row, (size_t)s->format_col, &c);
	for (int i = BITMAP_UNKNOWN; c.type == CELL_TEXT && i < BITMAP_FORMATS; i++)
		if (str_eq(c.text, str_of(bitmap_format_names[i])))
			format = (enum bitmap_format)i;
	return format;
}

static bool
add_picture(struct png_rows *s, uint32_t object, enum bitmap_format format)
{
	struct picture p = { .object = object, .format = (uint8_t)format };

	if (!scratch_array(&s->list, s->pictures + 1, sizeof p, &s->rows.err))
		return false;
	*picture_at(s, s->pictures++) = p;
	return true;
}

/* Collect each bitmap of the rows once. */
static bool
png_collect(struct png_rows *s, struct scratch *seen)
{
	const struct heap *h = &s->heap;
	struct rows *in = s->rows.in;
	struct bitmap b;
	uint64_t row = 0;
	uint32_t object;

	if (!scratch_array(seen, h->objects / 64 + 1ull, sizeof(uint64_t), &s->rows.err))
		return false;
	while (object_next(in, &row, s->col, h, &object)) {
		if (row % SLICE == 0 && !rows_tick(&s->rows, row))
			return false;
		if (object == 0 || has_bit(seen, object) ||
		    !bitmap_get(s->bitmaps.list, object, &b))
			continue;
		set_bit(seen, object);
		if (!add_picture(s, object, format_of_row(s, row - 1)))
			return false;
	}
	return rows_error(in) == NULL;
}

/* ---- all ---------------------------------------------------------------------------- */

/* Bitmaps that give the same picture have the same key: the first of the equal bitmaps, and the format. */
static bool
png_key_of(struct png_rows *s, const struct bitmap *b, uint64_t *key)
{
	struct bitmap_twins t = { .first = b->object };

	if (s->pictures > 1 && !bitmap_twins(s->bitmaps.list, b->object, &t, s->rows.work,
	    &s->rows.err))
		return false;
	*key = (uint64_t)t.first << 8 | b->format;
	return true;
}

static bool
export_picture(struct png_rows *s, uint32_t i)
{
	struct picture *p = picture_at(s, i);
	struct bitmap b;
	uint64_t key;

	picture_bitmap(s, p, &b);
	p->fate = PICTURE_EMPTY;
	if (b.image == IMAGE_NONE || (b.image == IMAGE_PIXELS && b.lack != NULL))
		return true;
	if (!png_key_of(s, &b, &key))
		return false;
	p->equal = idmap_get(&s->equal, key);
	if (p->equal != 0) {
		p->fate = PICTURE_EQUAL;
		return true;
	}
	if (!picture_write(s, p, &b))
		return false;
	return p->fate < PICTURE_THERE || idmap_put(&s->equal, key, i + 1, &s->rows.err);
}

/* Write the list even if some pictures failed: it covers those that were written. */
static bool
write_list(struct png_rows *s)
{
	const char *why = NULL, *path = picture_path(s, &s->list_file);
	struct buf lines = BUF_INIT;
	enum picture_fate fate;
	const struct picture *p;
	bool ok;

	for (uint64_t i = 0; i < s->n; i++) {
		p = picture_at(s, i);
		if (p->fate != PICTURE_EQUAL)
			continue;
		buf_printf(&lines, "0x%llx\t", (unsigned long long)heap_addr(
		    &s->heap, p->object));
		picture_name(s, picture_at(s, p->equal - 1), &lines);
		buf_chr(&lines, '\n');
	}
	s->listed = lines.n > 0;
	if (lines.n == 0)
		return true;
	ok = !lines.bad && path != NULL ? png_list(path, buf_view(&lines), &fate, &s->list_file.size,
	    &why, &s->rows.err) : fail(&s->rows.err, E_SYSTEM, "out of memory (list)");
	buf_free(&lines);
	s->listed = ok;
	if (ok)
		s->list_file.fate = (uint8_t)fate;
	if (ok && fate == PICTURE_REFUSED)
		picture_refuse(s, &s->list_file, why);
	return ok;
}

static bool
export_all(struct png_rows *s)
{
	struct scratch seen = SCRATCH_INIT;
	struct err err;
	bool ok;

	if (s->rows.session->sealed)
		return fail_at(&s->rows.err, E_USAGE, s->at, "cannot write files here: read-only session");
	ok = bitmap_view_list(&s->bitmaps, s->rows.work, &s->rows.err) && png_collect(s, &seen);
	scratch_free(&seen);
	if (!ok)
		return false;
	if (s->single && s->pictures != 1)
		return fail_at(&s->rows.err, E_USAGE, s->at,
		    "%s is one file, but the rows have %" PRIu64 " bitmaps; name a directory",
		    s->folder, s->pictures);
	work_start(s->rows.work, PNG_LABEL, s->pictures);
	while (s->n < s->pictures && rows_tick(&s->rows, s->n) &&
	    export_picture(s, (uint32_t)s->n))
		s->n++;
	err = s->rows.err;
	ok = write_list(s) && err.kind == E_NONE;
	if (err.kind != E_NONE)
		s->rows.err = err;
	return ok;
}

/* ---- rows ------------------------------------------------------------------------- */

/* Export all pictures when the first row is read: its reader wants the files. */
static uint64_t
png_reach(struct rows *r, uint64_t n)
{
	struct png_rows *s = (struct png_rows *)r;

	if (n > 0 && !s->done) {
		s->done = true;
		export_all(s);
	}
	return s->n + s->listed;
}

enum png_col { PNG_OBJECT, PNG_FILE, PNG_SIZE, PNG_RESULT };

static const struct coldef png_cols[] = {
	[PNG_OBJECT] = { "object", CELL_ID, "bitmap; empty: list of duplicates", false, .of = ID_OBJECT },
	[PNG_FILE] = { "file", CELL_TEXT, "path of the PNG", false, .cut = CUT_MIDDLE },
	[PNG_SIZE] = { "size", CELL_BYTES, "file size", false },
	[PNG_RESULT] = { "result", CELL_TEXT, "written, exists, duplicate, or why not written", false }
};

static void
result_text(struct png_rows *s, const struct picture *p, struct buf *to)
{
	const char *why = p->why == 0 ? "" : s->reasons.s + p->why;
	struct bitmap b;

	switch ((enum picture_fate)p->fate) {
	case PICTURE_EMPTY:
		picture_bitmap(s, p, &b);
		buf_printf(to, "no pixels: %s", b.lack == NULL ? "unknown reason" : b.lack);
		break;
	case PICTURE_REFUSED:
		buf_printf(to, "not written: %s", why);
		break;
	case PICTURE_EQUAL:
		buf_printf(to, "duplicate of @%u", picture_at(s, p->equal - 1)->object);
		break;
	case PICTURE_THERE:
		buf_str(to, STR("exists"));
		break;
	case PICTURE_WRITTEN:
		buf_printf(to, "written%s%s", p->why == 0 ? "" : " as it is: ", why);
		break;
	}
}

/* An equal picture shows the file of the picture that it is equal to. */
static void
file_cell(struct png_rows *s, const struct picture *p, struct cell *c)
{
	c->type = CELL_NONE;
	if (p->fate == PICTURE_EMPTY)
		return;
	picture_path(s, p->fate == PICTURE_EQUAL ? picture_at(s, p->equal - 1) : p);
	cell_text(&s->rows, c, &s->path);
}

static void
png_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct png_rows *s = (struct png_rows *)r;
	const struct picture *p = row < s->n ? picture_at(s, row) : &s->list_file;

	switch ((enum png_col)col) {
	case PNG_OBJECT:
		cell_number(c, CELL_ID, p->object);
		break;
	case PNG_FILE:
		file_cell(s, p, c);
		break;
	case PNG_SIZE:
		cell_number(c, CELL_BYTES, p->size);
		break;
	case PNG_RESULT:
		buf_clear(&s->text);
		result_text(s, p, &s->text);
		cell_text(r, c, &s->text);
		break;
	}
}

static void
png_close(struct rows *r)
{
	struct png_rows *s = (struct png_rows *)r;

	bitmap_view_close(&s->bitmaps);
	scratch_free(&s->list);
	idmap_free(&s->equal);
	buf_free(&s->reasons);
	buf_free(&s->path);
	buf_free(&s->text);
	for (int i = 0; i < NOTES; i++)
		buf_free(&s->note[i]);
	free(s->folder);
}

static const struct rows_ops png_ops = { .reach = png_reach, .cell = png_cell, .close = png_close };

static bool
read_arguments(struct png_rows *s, const struct stage *stage, struct err *err)
{
	struct stat st;
	int col;

	if (!stage_file(stage, 2, &s->folder, err) ||
	    (stage->n > 1 && !bitmap_format_read(&stage->token[1], &s->choice, err)))
		return false;
	s->single = str_has_suffix(str_of(s->folder), STR(".png")) &&
	    !(stat(s->folder, &st) == 0 && S_ISDIR(st.st_mode));
	col = object_column(stage, s->rows.in, err);
	s->col = col < 0 ? 0 : (size_t)col;
	s->at = stage_at(stage, 0);
	s->format_col = rows_column(s->rows.in, STR("format"));
	return col >= 0;
}

static bool
png_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct png_rows *s = rows_of_command(sizeof *s, &png_ops, session, stage, in, err);
	const struct store *st = session_store(session);

	if (s == NULL)
		return false;
	s->bitmaps.heap = &s->heap;
	s->done = store_is_blank(st);
	return rows_opened(&s->rows, heap_open(&s->heap, st, session->refs, session->sizes, err) &&
	    read_arguments(s, stage, err), out);
}

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_NATIVE_OBJECT, COL_ROOT_FRAME, COL_NONE };

const struct command stage_png = {
	SINK("png", "write bitmaps as PNG to a directory, one to X.png",
	    "bitmaps | png pictures", png_open),
	OVER(SHAPE_VALUES, png_cols),
	.args = ARGS({ &arg_folder }, { &arg_pixels, ARG_OPTIONAL }),
	.needs = needs,
	.writes = true
};
