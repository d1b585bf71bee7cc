/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pixels: what the tests of bitmaps share: all pixels of one, and small PNG images.
 */
#ifndef UNIT_PIXELS_H
#define UNIT_PIXELS_H

#include <string.h>
#include <zlib.h>

#include "check.h"
#include "heaps.h"
#include "icecore/bitmap.h"

/* All rows, to out; false: it could not. */
static inline bool
read_all(const struct bitmap *b, uint8_t *out, struct err *err)
{
	struct bitmap_reader *r;
	uint32_t y;
	bool ok = bitmap_reader_open(&r, b, err);

	for (y = 0; ok && y < b->height; y++)
		ok = bitmap_reader_next(r, out + 4 * (size_t)y * b->width, err);
	bitmap_reader_close(r);
	return ok;
}

static inline void
assert_reads(const struct bitmap *b, const void *want)
{
	uint8_t out[4 * 64];
	struct err err = { .kind = E_NONE };

	if (!read_all(b, out, &err))
		fail_msg("%s", err.text);
	assert_memory_equal(out, want, 4 * (size_t)b->width * b->height);
}

static inline void
put_chunk(struct buf *b, const char *kind, const void *body, uint32_t n)
{
	struct buf c = BUF_INIT;

	buf_add(&c, kind, 4);
	buf_add(&c, body, n);
	put(b, n, 4);
	buf_add(b, c.s, c.n);
	put(b, crc32(0, (const Bytef *)c.s, (uInt)c.n), 4);
	buf_free(&c);
}

/* raw: rows with their filter bytes; more: chunks in front of them, or NULL. */
static inline void
put_png(struct buf *b, uint32_t width, uint32_t height, const uint8_t form[5], const struct buf *more,
    const void *raw, size_t n)
{
	struct buf head = BUF_INIT;
	uint8_t packed[512];
	uLongf size = sizeof packed;

	assert_int_equal(compress(packed, &size, raw, n), Z_OK);
	put(&head, width, 4);
	put(&head, height, 4);
	buf_add(&head, form, 5);
	buf_add(b, "\x89PNG\r\n\x1a\n", 8);
	put_chunk(b, "IHDR", head.s, 13);
	if (more != NULL)
		buf_str(b, buf_view(more));
	put_chunk(b, "IDAT", packed, (uint32_t)size);
	put_chunk(b, "IEND", "", 0);
	buf_free(&head);
}

#endif
