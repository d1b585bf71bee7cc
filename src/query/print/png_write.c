/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * png_write: the pixels of a bitmap as a PNG file, row by row.
 */
#include "config.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"

#define OUT_SIZE (64u << 10)	/* bytes that go to the file at once */

struct encoder {
	png_structp		 png;
	png_infop		 info;
	jmp_buf			 stop;		/* libpng comes back here when it fails */
	struct file		*file;
	struct buf		*to;		/* instead of file; or NULL */
	uint32_t		 width, height;
	const uint8_t		*rgba;		/* all rows; NULL: they come from reader */
	struct bitmap_reader	*reader;
	uint8_t			*row;
	uint8_t			*out;		/* OUT_SIZE bytes, held of them in use */
	size_t			 held;
	struct work		*work;
	uint64_t		 done;
	struct err		*err;
};

/* ---- what libpng calls ------------------------------------------------------------ */

static const char *
image_path(const struct encoder *e)
{
	return e->file == NULL ? "image" : e->file->path;
}

static _Noreturn void
on_error(png_structp png, png_const_charp text)
{
	struct encoder *e = png_get_error_ptr(png);

	fail_file(e->err, E_SYSTEM, image_path(e), "libpng cannot write it: %s", text);
	longjmp(e->stop, 1);
}

static void
on_warning(png_structp png, png_const_charp text)
{
	(void)png;
	(void)text;
}

static void
flush(struct encoder *e)
{
	size_t n = e->held;

	e->held = 0;
	if (e->to != NULL)
		buf_add(e->to, (const char *)e->out, n);
	else if (!file_write(e->file, e->out, n, e->err))
		longjmp(e->stop, 1);
}

static void
on_write(png_structp png, png_bytep data, size_t n)
{
	struct encoder *e = png_get_io_ptr(png);
	size_t part;

	for (; n > 0; data += part, n -= part) {
		if (e->held == OUT_SIZE)
			flush(e);
		part = n < OUT_SIZE - e->held ? n : OUT_SIZE - e->held;
		memcpy(e->out + e->held, data, part);
		e->held += part;
	}
}

/* Do nothing: the file is flushed once, at its end. */
static void
on_flush(png_structp png)
{
	(void)png;
}

/* ---- writing ------------------------------------------------------------------------ */

static bool
is_ascii(const char *s)
{
	while (*s > 0)
		s++;
	return *s == '\0';
}

/* tEXt is Latin-1 in the file, iTXt UTF-8. */
static void
png_write_add_note(struct encoder *e, const struct png_note *note)
{
	png_text text;

	memset(&text, 0, sizeof text);
	text.compression = is_ascii(note->text) ? PNG_TEXT_COMPRESSION_NONE :
	    PNG_ITXT_COMPRESSION_NONE;
	text.key = (png_charp)(uintptr_t)note->key;
	text.text = (png_charp)(uintptr_t)note->text;
	png_set_text(e->png, e->info, &text, 1);
}

static void
write_rows(struct encoder *e)
{
	for (uint32_t y = 0; e->rgba != NULL && y < e->height; y++)
		png_write_row(e->png, e->rgba + 4 * (size_t)e->width * y);
	for (uint32_t y = 0; e->rgba == NULL && y < e->height; y++) {
		if (!work_tick(e->work, e->done)) {
			fail_cancel(e->err);
			longjmp(e->stop, 1);
		}
		if (!bitmap_reader_next(e->reader, e->row, e->err))
			longjmp(e->stop, 1);
		png_write_row(e->png, e->row);
	}
}

/* Return false if libpng failed, which returns by longjmp. */
static bool
encode(struct encoder *e, const struct png_note *note, size_t n)
{
	if (setjmp(e->stop) != 0)
		return false;
	png_set_write_fn(e->png, e, on_write, on_flush);
	png_set_compression_level(e->png, PNG_LEVEL);
	png_set_filter(e->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
	png_set_compression_buffer_size(e->png, OUT_SIZE);
	png_set_IHDR(e->png, e->info, e->width, e->height, 8, PNG_COLOR_TYPE_RGBA,
	    PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	for (size_t i = 0; i < n; i++)
		png_write_add_note(e, &note[i]);
	png_write_info(e->png, e->info);
	write_rows(e);
	png_write_end(e->png, e->info);
	flush(e);
	return true;
}

static bool
png_write_make(struct encoder *e)
{
	e->row = mem_array(e->width, 4);
	e->out = mem_array(OUT_SIZE, 1);
	e->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, e, on_error, on_warning);
	if (e->png != NULL)
		e->info = png_create_info_struct(e->png);
	if (e->row == NULL || e->out == NULL || e->info == NULL)
		return fail_file(e->err, E_SYSTEM, image_path(e), "out of memory (write it)");
	return true;
}

static void
png_write_free(struct encoder *e)
{
	png_destroy_write_struct(&e->png, &e->info);
	free(e->row);
	free(e->out);
}

bool
png_write(struct file *file, const struct bitmap *bitmap, const struct png_note *note,
    size_t n, struct work *work, uint64_t done, struct err *err)
{
	struct encoder e = { .file = file, .width = bitmap->width, .height = bitmap->height,
	    .work = work, .done = done,
	    .err = err };
	bool ok = png_write_make(&e) && bitmap_reader_open(&e.reader, bitmap, err) && encode(&e, note, n);

	bitmap_reader_close(e.reader);
	png_write_free(&e);
	return ok;
}

bool
png_pixels(const uint8_t *rgba, uint32_t w, uint32_t h, struct buf *to)
{
	struct err why;
	struct encoder e = { .to = to, .width = w, .height = h, .rgba = rgba, .err = &why };
	bool ok = png_write_make(&e) && encode(&e, NULL, 0) && !to->bad;

	png_write_free(&e);
	return ok;
}
