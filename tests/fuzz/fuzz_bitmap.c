/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_bitmap: whatever the sides, the format and the bytes say, a bitmap is read row by row and made
 * smaller, or refused; a guess and a choice stay within its bytes.
 *
 * The input: width, height, format, and a byte of how (1: multiplied with alpha, 2: a PNG, whose own sides count
 * when 4 is set too, 8: of the dump of a late Android, 16: sides times 256, 32: the checksums of the PNG are
 * made right), then the pixels.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "pass/content/bitmaps.h"
#include "target.h"

#define HEAD 4
#define ROWS_MAX 4096		/* of one input, so that a small one does not take long */
#define SMALL_MAX (1u << 20)	/* pixels of a small image */

static void
need(bool ok)
{
	if (!ok)
		abort();
}

/* The rows by themselves, each into memory of its own size. */
static void
read_rows(const struct bitmap *b)
{
	struct err err = { .kind = E_NONE };
	struct bitmap_reader *r;
	uint8_t *row;
	uint32_t y;

	if (!bitmap_reader_open(&r, b, &err)) {
		need(err.kind != E_NONE && err.text[0] != '\0');
		return;
	}
	row = malloc(4 * (size_t)b->width);
	for (y = 0; row != NULL && y < b->height && y < ROWS_MAX; y++)
		if (!bitmap_reader_next(r, row, &err)) {
			need(err.kind != E_NONE && b->image == IMAGE_PNG);
			break;
		}
	if (y == b->height)
		need(!bitmap_reader_next(r, row, &err));
	bitmap_reader_close(r);
	free(row);
}

static void
shrink(const struct bitmap *b)
{
	const uint32_t w = b->width / 3 + 1, h = b->height / 5 + 1;
	struct err err = { .kind = E_NONE };
	uint8_t *small;

	if (b->width > BITMAP_SIDE || b->height > ROWS_MAX || w > b->width || h > b->height || (uint64_t)w * h > SMALL_MAX)
		return;
	small = malloc(4 * (size_t)w * h);
	if (small != NULL && !bitmap_shrink(b, w, h, small, NULL, &err))
		need(err.kind != E_NONE);
	free(small);
}

static void
check(const struct bitmap *b)
{
	read_rows(b);
	shrink(b);
}

static void
check_pixels(struct bitmap *b, bool late)
{
	uint64_t n = (uint64_t)b->width * b->height;
	unsigned f;

	b->image = IMAGE_PIXELS;
	/* As the caller of bitmap_guess makes sure. */
	if (n > 0 && n <= b->bytes && n <= BITMAP_PIXELS && b->data != NULL) {
		b->format = bitmap_guess(b, late, &b->sure);
		need(b->format != BITMAP_UNKNOWN && b->sure >= 50 && b->sure <= 100);
		b->size = n * bitmap_pixel(b->format);
		need(b->size <= b->bytes);
		check(b);
	}
	for (f = 0; f <= BITMAP_FORMATS; f++)
		if (bitmap_choose(b, f)) {
			need(b->size <= b->bytes && b->sure == 100);
			check(b);
		}
}

/* Else hardly a change gets past them. */
static void
fix_checksums(uint8_t *png, size_t size)
{
	size_t at = 8, n;
	uint32_t sum;
	unsigned i;

	while (at <= size && size - at >= 12 && (n = be32(png + at)) <= size - at - 12) {
		sum = (uint32_t)crc32(0, png + at + 4, (uInt)n + 4);
		for (i = 0; i < 4; i++)
			png[at + 8 + n + i] = (uint8_t)(sum >> (24 - 8 * i));
		at += n + 12;
	}
}

TARGET(bitmap, NULL)
{
	struct bitmap b = { .object = 1, .place = BITMAP_JAVA };
	unsigned how, times;
	uint8_t *copy;

	if (size < HEAD)
		return;
	how = data[3];
	times = (how & 16) != 0 ? 256 : 1;
	b.width = data[0] * times;
	b.height = data[1] * times;
	b.format = data[2] % BITMAP_FORMATS;
	b.premultiplied = (how & 1) != 0;
	b.bytes = b.size = size - HEAD;
	/* In memory of its own, so that a sanitizer sees what is read behind it. */
	copy = b.size > 0 ? malloc(b.size) : NULL;
	if (copy != NULL)
		memcpy(copy, data + HEAD, b.size);
	b.data = copy;
	if ((how & 2) == 0) {
		check(&b);
		check_pixels(&b, (how & 8) != 0);
	} else {
		b.image = IMAGE_PNG;
		if ((how & 32) != 0 && copy != NULL)
			fix_checksums(copy, b.size);
		if ((how & 4) != 0 && b.size >= 24 && copy != NULL) {
			b.width = be32(copy + 16);
			b.height = be32(copy + 20);
		}
		check(&b);
	}
	free(copy);
}
