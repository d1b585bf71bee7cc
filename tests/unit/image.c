/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image: known pixels become known cells, in any colours, and fit.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ui/heap/image.h"

/* One column of pixels, each RRGGBBAA. */
static struct image
column(const uint32_t *pixels, uint32_t n, uint8_t *bytes)
{
	uint32_t	i;

	for (i = 0; i < n; i++) {
		bytes[4 * i] = (uint8_t)(pixels[i] >> 24);
		bytes[4 * i + 1] = (uint8_t)(pixels[i] >> 16);
		bytes[4 * i + 2] = (uint8_t)(pixels[i] >> 8);
		bytes[4 * i + 3] = (uint8_t)pixels[i];
	}
	return (struct image){ .w = 1, .h = n, .rgba = bytes };
}

static void
cell_is(enum image_colours n, bool blocks, uint32_t upper, uint32_t lower, const char *glyph,
    int fg, int bg)
{
	uint32_t		pixels[2] = { upper, lower };
	uint8_t			bytes[8];
	struct image		im = column(pixels, 2, bytes);
	struct image_cell	cell;

	image_cell(&im, 1, n, blocks, 0, 0, &cell);
	assert_string_equal(cell.glyph, glyph);
	assert_int_equal(cell.fg, fg);
	assert_int_equal(cell.bg, bg);
}

static void
colours_256(void **state)
{
	(void)state;
	cell_is(IMAGE_256, true, 0xff0000ff, 0x0000ffff, "▀", 196, 21);
	cell_is(IMAGE_256, true, 0x0000ffff, 0xff0000ff, "▄", 196, 21);
	cell_is(IMAGE_256, true, 0xffffffff, 0xffffffff, " ", 231, 231);
	cell_is(IMAGE_256, true, 0x00ff00ff, 0x000000ff, "▀", 46, 16);
	/* Greys between the corners of the cube are from the ramp. */
	cell_is(IMAGE_256, true, 0x121212ff, 0x808080ff, "▄", 244, 233);
	cell_is(IMAGE_256, true, 0xeeeeeeff, 0xeeeeeeff, " ", 255, 255);
	/* Neither exact: the nearest. */
	cell_is(IMAGE_256, true, 0x6088b0ff, 0x5f87afff, " ", 67, 67);
	/* One pixel a cell. */
	cell_is(IMAGE_256, false, 0xff0000ff, 0xff0000ff, " ", 196, 196);
	cell_is(IMAGE_256, false, 0x000000ff, 0xffffffff, " ", 244, 244);
}

static void
colours_8(void **state)
{
	(void)state;
	cell_is(IMAGE_8, true, 0xff0000ff, 0x0000ffff, "▄", 4, 1);
	cell_is(IMAGE_8, true, 0xffffffff, 0x000000ff, "▀", 7, 0);
	cell_is(IMAGE_8, true, 0xffff00ff, 0xffff00ff, " ", 3, 3);
	cell_is(IMAGE_8, false, 0x00ffffff, 0x00ffffff, " ", 6, 6);
}

/* Half of the dots of a half grey area are white. */
static void
colours_8_dither(void **state)
{
	uint8_t			bytes[4 * 8 * 8];
	struct image		im = { .w = 8, .h = 8, .rgba = bytes };
	struct image_cell	cell;
	uint32_t		x, y, white = 0;

	(void)state;
	memset(bytes, 0x80, sizeof bytes);
	for (x = 0; x < 64; x++)
		bytes[4 * x + 3] = 0xff;
	for (y = 0; y < 4; y++)
		for (x = 0; x < 8; x++) {
			image_cell(&im, 1, IMAGE_8, true, x, y, &cell);
			assert_true(cell.fg == 0 || cell.fg == 7);
			assert_true(cell.bg == 0 || cell.bg == 7);
			white += (cell.fg == 7) + (cell.bg == 7);
		}
	assert_int_equal(white, 32);
}

static void
shades(void **state)
{
	(void)state;
	cell_is(IMAGE_MONO, true, 0x000000ff, 0x000000ff, " ", -1, -1);
	cell_is(IMAGE_MONO, true, 0xffffffff, 0xffffffff, "█", -1, -1);
	cell_is(IMAGE_MONO, true, 0x808080ff, 0x808080ff, "▒", -1, -1);
	cell_is(IMAGE_MONO, true, 0xffffffff, 0x000000ff, "▒", -1, -1);
	cell_is(IMAGE_MONO, false, 0x000000ff, 0x000000ff, " ", -1, -1);
	cell_is(IMAGE_MONO, false, 0xffffffff, 0xffffffff, "@", -1, -1);
	cell_is(IMAGE_MONO, false, 0xff0000ff, 0xff0000ff, ":", -1, -1);
	cell_is(IMAGE_MONO, false, 0x00ff00ff, 0x00ff00ff, "+", -1, -1);
}

/* Few shades are spread over the whole range, unless it is nearly black. */
static void
level(void **state)
{
	static const uint32_t	pixels[4] = { 0x000000ff, 0x000000ff, 0x808080ff, 0x808080ff };
	uint8_t			bytes[16];
	struct image		im = column(pixels, 4, bytes);
	struct image_cell	cell;

	(void)state;
	image_level(&im);
	assert_int_equal(im.brightest, 0x80);
	image_cell(&im, 1, IMAGE_MONO, true, 0, 0, &cell);
	assert_string_equal(cell.glyph, " ");
	image_cell(&im, 1, IMAGE_MONO, true, 0, 1, &cell);
	assert_string_equal(cell.glyph, "█");
	image_cell(&im, 1, IMAGE_8, true, 0, 1, &cell);
	assert_int_equal(cell.bg, 7);
	image_cell(&im, 1, IMAGE_256, true, 0, 1, &cell);
	assert_int_equal(cell.bg, 244);
	im.h = 2;
	image_level(&im);
	assert_int_equal(im.brightest, 255);
}

/* Transparent pixels are neither black nor white, and not the same everywhere. */
static void
transparent(void **state)
{
	uint8_t			bytes[4 * 8 * 2] = { 0 };
	struct image		im = { .w = 8, .h = 2, .rgba = bytes };
	struct image_cell	a, b;

	(void)state;
	image_cell(&im, 1, IMAGE_256, true, 0, 0, &a);
	image_cell(&im, 1, IMAGE_256, true, 4, 0, &b);
	assert_int_equal(a.bg, 239);
	assert_int_equal(b.bg, 243);
	image_cell(&im, 1, IMAGE_MONO, false, 0, 0, &a);
	image_cell(&im, 1, IMAGE_MONO, false, 4, 0, &b);
	assert_string_equal(a.glyph, " ");
	assert_string_equal(b.glyph, ":");
	image_cell(&im, 1, IMAGE_8, true, 0, 0, &a);
	image_cell(&im, 1, IMAGE_8, true, 4, 0, &b);
	assert_int_equal(a.bg, 0);
	assert_int_equal(b.bg, 4);
	/* Half clear, half white. */
	cell_is(IMAGE_256, true, 0xffffff80, 0xffffff80, " ", 248, 248);
}

/* The last line of an odd number of rows has nothing below. */
static void
odd_height(void **state)
{
	static const uint32_t	pixels[3] = { 0xff0000ff, 0x00ff00ff, 0xffffffff };
	uint8_t			bytes[12];
	struct image		im = column(pixels, 3, bytes);
	struct image_cell	cell;

	(void)state;
	image_cell(&im, 1, IMAGE_256, true, 0, 1, &cell);
	assert_string_equal(cell.glyph, "▀");
	assert_int_equal(cell.fg, 231);
	assert_int_equal(cell.bg, -1);
	image_cell(&im, 1, IMAGE_MONO, true, 0, 1, &cell);
	assert_string_equal(cell.glyph, "█");
}

static void
larger(void **state)
{
	static const uint32_t	pixels[2] = { 0xff0000ff, 0x0000ffff };
	uint8_t			bytes[8];
	struct image		im = column(pixels, 2, bytes);
	struct image_cell	cell;

	(void)state;
	image_cell(&im, 4, IMAGE_256, true, 3, 1, &cell);
	assert_int_equal(cell.bg, 196);
	image_cell(&im, 4, IMAGE_256, true, 3, 2, &cell);
	assert_int_equal(cell.bg, 21);
}

static void
fit_is(uint32_t w, uint32_t h, uint64_t room_w, uint64_t room_h, uint32_t to_w, uint32_t to_h)
{
	image_fit(&w, &h, room_w, room_h);
	assert_int_equal(w, to_w);
	assert_int_equal(h, to_h);
}

static void
fits(void **state)
{
	uint32_t	w, h;
	int		i;

	(void)state;
	fit_is(10, 10, 80, 48, 10, 10);
	fit_is(1080, 1920, 80, 48, 27, 48);
	fit_is(1920, 1080, 80, 80, 80, 45);
	fit_is(100, 1, 10, 20, 10, 1);
	fit_is(1, 65536, 80, 48, 1, 48);
	fit_is(65536, 1, 80, 48, 80, 1);
	fit_is(65536, 65536, 1, 2, 1, 1);
	fit_is(5, 5, 1, 1, 1, 1);
	srand(1);
	for (i = 0; i < 10000; i++) {
		uint32_t	was_w = w = (uint32_t)rand() % 65536 + 1;
		uint32_t	was_h = h = (uint32_t)rand() % 65536 + 1;
		uint32_t	room_w = (uint32_t)rand() % 300 + 1, room_h = (uint32_t)rand() % 200 + 1;

		image_fit(&w, &h, room_w, room_h);
		assert_true(w >= 1 && w <= was_w && w <= room_w);
		assert_true(h >= 1 && h <= was_h && h <= room_h);
	}
}

TOOL(unit, image)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours_256),
		cmocka_unit_test(colours_8),
		cmocka_unit_test(colours_8_dither),
		cmocka_unit_test(shades),
		cmocka_unit_test(level),
		cmocka_unit_test(transparent),
		cmocka_unit_test(odd_height),
		cmocka_unit_test(larger),
		cmocka_unit_test(fits),
	};

	return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
