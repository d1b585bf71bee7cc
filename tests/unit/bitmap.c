/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bitmap: pixels in memory: each format, PNG, damaged ones, made smaller.
 */
#include "config.h"

#include <stdlib.h>

#include "pixels.h"

/* ---- formats ------------------------------------------------------------------------- */

static struct bitmap
pixels(uint32_t width, uint32_t height, enum bitmap_format format, const void *data, uint64_t size)
{
	return (struct bitmap){ .object = 1, .width = width, .height = height, .format = format,
	    .sure = 100, .place = BITMAP_JAVA, .premultiplied = true, .bytes = size, .image = IMAGE_PIXELS,
	    .data = data, .size = size };
}

static void
each_format_reads(void **state)
{
	static const uint8_t whole[] = { 10, 20, 30, 255, 10, 20, 30, 60, 1, 2, 3, 0, 200, 0, 0, 100 };
	static const uint8_t five[] = { 0x00, 0xf8, 0xe0, 0x07, 0x1f, 0x00, 0x41, 0x08 };
	static const uint8_t four[] = { 0x8f, 0xf4, 0x08, 0x84, 0x00, 0x00, 0x01, 0xf0 };
	static const uint8_t alpha[] = { 0, 7, 255 };
	struct bitmap b = pixels(4, 1, BITMAP_ARGB_8888, whole, sizeof whole);

	(void)state;
	assert_reads(&b, "\x0a\x14\x1e\xff\x2a\x55\x7f\x3c\x01\x02\x03\x00\xff\x00\x00\x64");
	b.premultiplied = false;
	assert_reads(&b, whole);
	b = pixels(2, 2, BITMAP_RGB_565, five, sizeof five);
	assert_reads(&b, "\xff\x00\x00\xff\x00\xff\x00\xff\x00\x00\xff\xff\x08\x08\x08\xff");
	b = pixels(4, 1, BITMAP_ARGB_4444, four, sizeof four);
	assert_reads(&b, "\xff\x44\x88\xff\xff\x7f\x00\x88\x00\x00\x00\x00\xff\x00\x00\x11");
	b.premultiplied = false;
	assert_reads(&b, "\xff\x44\x88\xff\x88\x44\x00\x88\x00\x00\x00\x00\xff\x00\x00\x11");
	b = pixels(1, 3, BITMAP_ALPHA_8, alpha, sizeof alpha);
	assert_reads(&b, "\0\0\0\0\0\0\0\x07\0\0\0\xff");
}

static void
half_floats_read(void **state)
{
	/* 0, smallest, 1/3, 0.5, 1 - a bit, 1, 2, inf; -1, -0, NaN, 0.1, 1/255, 1/510, 0.99, 1. */
	static const uint16_t half[] = { 0, 1, 0x3555, 0x3800, 0x3bff, 0x3c00, 0x4000, 0x7c00,
	    0xbc00, 0x8000, 0x7e00, 0x2e66, 0x1c04, 0x1804, 0x3bec, 0x3c00 };
	uint8_t data[sizeof half];
	struct bitmap b = pixels(4, 1, BITMAP_RGBA_F16, data, sizeof data);
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(half); i++) {
		data[2 * i] = (uint8_t)half[i];
		data[2 * i + 1] = (uint8_t)(half[i] >> 8);
	}
	b.premultiplied = false;
	assert_reads(&b, "\x00\x00\x55\x80\xff\xff\xff\xff\x00\x00\x00\x19\x01\x00\xfd\xff");
}

static void
no_pixels_no_reader(void **state)
{
	static const uint8_t data[64];
	struct bitmap good = pixels(4, 4, BITMAP_ARGB_8888, data, sizeof data), b = good;
	struct err err = { .kind = E_NONE };
	uint8_t out[256];

	(void)state;
	b.lack = "recycled";
	assert_false(read_all(&b, out, &err));
	assert_non_null(strstr(err.text, "recycled"));
	b = good;
	b.data = NULL;
	assert_false(read_all(&b, out, &err));
	b = good;
	b.format = BITMAP_UNKNOWN;
	assert_false(read_all(&b, out, &err));
	b = good;
	b.size = 63;
	assert_false(read_all(&b, out, &err));
	b = good;
	b.image = IMAGE_JPEG;
	assert_false(read_all(&b, out, &err));
	b = good;
	b.width = BITMAP_SIDE;
	b.height = BITMAP_SIDE;
	b.size = UINT64_MAX;
	assert_false(read_all(&b, out, &err));
	b = good;
	b.height = 0;
	assert_false(read_all(&b, out, &err));
}

static void
a_format_is_chosen(void **state)
{
	static const uint8_t data[20];
	struct bitmap b = pixels(3, 3, BITMAP_RGB_565, data, 18);

	(void)state;
	b.bytes = 20;
	b.sure = 60;
	assert_true(bitmap_choose(&b, BITMAP_ARGB_4444));
	assert_int_equal(b.format, BITMAP_ARGB_4444);
	assert_int_equal(b.sure, 100);
	assert_false(bitmap_choose(&b, BITMAP_ARGB_8888));
	assert_false(bitmap_choose(&b, BITMAP_UNKNOWN));
	assert_false(bitmap_choose(&b, BITMAP_FORMATS));
	assert_int_equal(b.format, BITMAP_ARGB_4444);
	assert_true(bitmap_choose(&b, BITMAP_ALPHA_8));
	assert_int_equal(b.size, 9);
	assert_int_equal(b.stride, 3);
	b.image = IMAGE_PNG;
	assert_false(bitmap_choose(&b, BITMAP_RGB_565));
}

/* ---- made smaller ---------------------------------------------------------------------- */

static void
areas_become_their_means(void **state)
{
	static const uint8_t data[] = {
		255, 0, 0, 255,  255, 0, 0, 255,  0, 0, 0, 0,  0, 255, 0, 255,
		255, 0, 0, 255,  253, 0, 0, 255,  0, 0, 0, 0,  0, 0, 0, 0,
		10, 20, 30, 255,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0
	};
	struct bitmap b = pixels(4, 3, BITMAP_ARGB_8888, data, sizeof data);
	struct err err = { .kind = E_NONE };
	uint8_t out[4 * 12];

	(void)state;
	b.premultiplied = false;
	/* Rows 0 and 1 .. 2 of the three; what is clear has no colour to give. */
	assert_true(bitmap_shrink(&b, 2, 2, out, NULL, &err));
	assert_memory_equal(out, "\xff\0\0\xff\0\xff\0\x80\xad\x07\x0a\xbf\0\0\0\0", 16);
	assert_true(bitmap_shrink(&b, 4, 3, out, NULL, &err));
	assert_memory_equal(out, data, sizeof data);
	assert_true(bitmap_shrink(&b, 1, 1, out, NULL, &err));
	assert_int_equal(out[3], (6 * 255 + 6) / 12);
	assert_false(bitmap_shrink(&b, 5, 1, out, NULL, &err));
	assert_false(bitmap_shrink(&b, 0, 1, out, NULL, &err));
	b.lack = "recycled";
	assert_false(bitmap_shrink(&b, 1, 1, out, NULL, &err));
}

/* ---- PNG --------------------------------------------------------------------------------- */

static struct bitmap
png_bitmap(const struct buf *b, uint32_t width, uint32_t height)
{
	struct bitmap bitmap = pixels(width, height, BITMAP_UNKNOWN, b->s, b->n);

	bitmap.image = IMAGE_PNG;
	return bitmap;
}

static void
png_images_read(void **state)
{
	static const uint8_t raw[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 2, 9, 9, 9, 9, 1, 1, 1, 1 };
	static const uint8_t rgba[] = { 8, 6, 0, 0, 0 }, grey[] = { 8, 0, 0, 0, 0 }, bits[] = { 1, 0, 0, 0, 0 };
	struct buf b = BUF_INIT;
	struct bitmap bitmap;
	struct err err = { .kind = E_NONE };
	uint8_t out[64];

	(void)state;
	put_png(&b, 2, 2, rgba, NULL, raw, sizeof raw);
	bitmap = png_bitmap(&b, 2, 2);
	assert_reads(&bitmap, "\1\2\3\4\5\6\7\x08\x0a\x0b\x0c\x0d\6\7\x08\x09");
	bitmap.width = 3;
	assert_false(read_all(&bitmap, out, &err));
	assert_non_null(strstr(err.text, "different size"));
	buf_clear(&b);
	put_png(&b, 2, 2, grey, NULL, "\0\x10\x20\0\x30\x40", 6);
	bitmap = png_bitmap(&b, 2, 2);
	assert_reads(&bitmap, "\x10\x10\x10\xff\x20\x20\x20\xff\x30\x30\x30\xff\x40\x40\x40\xff");
	buf_clear(&b);
	put_png(&b, 3, 1, bits, NULL, "\0\xa0", 2);
	bitmap = png_bitmap(&b, 3, 1);
	assert_reads(&bitmap, "\xff\xff\xff\xff\0\0\0\xff\xff\xff\xff\xff");
	buf_free(&b);
}

/* 16 bits, and a palette whose second colour is half transparent. */
static void
other_png_images_read(void **state)
{
	static const uint8_t grey16[] = { 16, 0, 0, 0, 0 }, palette[] = { 2, 3, 0, 0, 0 };
	struct buf b = BUF_INIT, more = BUF_INIT;
	struct bitmap bitmap;

	(void)state;
	put_png(&b, 3, 1, grey16, NULL, "\0\x12\x34\x12\xff\xff\xff", 7);
	bitmap = png_bitmap(&b, 3, 1);
	assert_reads(&bitmap, "\x12\x12\x12\xff\x13\x13\x13\xff\xff\xff\xff\xff");
	buf_clear(&b);
	put_chunk(&more, "PLTE", "\1\2\3\4\5\6\7\x08\x09", 9);
	put_chunk(&more, "tRNS", "\xff\x80", 2);
	put_png(&b, 3, 1, palette, &more, "\0\x18", 2);
	bitmap = png_bitmap(&b, 3, 1);
	assert_reads(&bitmap, "\1\2\3\xff\4\5\6\x80\7\x08\x09\xff");
	buf_free(&b);
	buf_free(&more);
}

/* Adam7 of 3 x 3: the passes have the pixels 0,0; then none; none; 2,0; 0,2 2,2; 1,0 1,2; row 1. */
static void
interlaced_png_reads(void **state)
{
	static const uint8_t raw[] = { 0, 0x11, 0, 0x13, 0, 0x31, 0x33, 0, 0x12, 0, 0x32, 0, 0x21, 0x22, 0x23 };
	static const uint8_t form[] = { 8, 0, 0, 0, 1 };
	struct buf b = BUF_INIT;
	struct bitmap bitmap;
	struct err err = { .kind = E_NONE };
	uint8_t out[36];
	unsigned i;

	(void)state;
	put_png(&b, 3, 3, form, NULL, raw, sizeof raw);
	bitmap = png_bitmap(&b, 3, 3);
	assert_true(read_all(&bitmap, out, &err));
	for (i = 0; i < 9; i++)
		assert_int_equal(out[4 * i], (i / 3 + 1) << 4 | (i % 3 + 1));
	buf_free(&b);
}

/* Every byte changed, every length: an answer or an error, and nothing else. */
static void
damaged_png_does_no_harm(void **state)
{
	static const uint8_t raw[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 2, 9, 9, 9, 9, 1, 1, 1, 1 };
	static const uint8_t forms[2][5] = { { 8, 6, 0, 0, 0 }, { 8, 6, 0, 0, 1 } };
	struct buf b = BUF_INIT;
	struct bitmap bitmap;
	uint8_t out[16];
	unsigned f, failed = 0;
	uint8_t *copy;
	size_t i;

	(void)state;
	for (f = 0; f < 2; f++) {
		buf_clear(&b);
		put_png(&b, 2, 2, forms[f], NULL, raw, sizeof raw);
		for (i = 0; i < 3 * b.n; i++) {
			/* Of its own size, so that a sanitizer sees what is read behind the end. */
			copy = malloc(i < b.n ? i + 1 : b.n);
			memcpy(copy, b.s, i < b.n ? i + 1 : b.n);
			if (i >= b.n)
				copy[i % b.n] ^= i < 2 * b.n ? 0xff : 0x01;
			bitmap = png_bitmap(&b, 2, 2);
			bitmap.data = copy;
			bitmap.size = i < b.n ? i : b.n;
			failed += !read_all(&bitmap, out, NULL);
			free(copy);
		}
	}
	assert_true(failed > b.n);
	buf_free(&b);
}

TOOL(unit, bitmap)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_format_reads),
		cmocka_unit_test(half_floats_read),
		cmocka_unit_test(no_pixels_no_reader),
		cmocka_unit_test(a_format_is_chosen),
		cmocka_unit_test(areas_become_their_means),
		cmocka_unit_test(png_images_read),
		cmocka_unit_test(other_png_images_read),
		cmocka_unit_test(interlaced_png_reads),
		cmocka_unit_test(damaged_png_does_no_harm)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
