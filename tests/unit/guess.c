/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * guess: whether two bytes a pixel are decoded correctly, over drawings of many kinds.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "check.h"
#include "pass/content/bitmaps.h"

#define SIDE_MAX 256
#define LATTICE 40
#define SEEDS 5

enum drawing {
	PHOTO, GREY_PHOTO, DARK_PHOTO, SKY, GRADIENT, ICON, BUTTON, TEXT, COLOUR_TEXT, CHECKS, NOISE, DRAWINGS
};

static const char *const names[DRAWINGS] = { "photo", "grey photo", "dark photo", "sky", "gradient", "icon",
	"button", "text", "coloured text", "checks", "noise" };

struct dot {
	int	c[4];		/* R G B A, 0 .. 255, not multiplied */
};

static struct dot *picture;	/* SIDE_MAX * SIDE_MAX */
static uint8_t *bytes;		/* two for each dot */
static int lattice[3][LATTICE + 2][LATTICE + 2];

/* ---- drawing ---------------------------------------------------------------------- */

static int
clamp(int v)
{
	return v < 0 ? 0 : v > 255 ? 255 : v;
}

/* Hills between random points, step pixels apart. */
static int
hill(unsigned c, unsigned x, unsigned y, unsigned step)
{
	unsigned i = x / step % LATTICE, k = y / step % LATTICE;
	int fx = (int)(x % step), fy = (int)(y % step), n = (int)step;

	return ((lattice[c][k][i] * (n - fx) + lattice[c][k][i + 1] * fx) * (n - fy) +
	    (lattice[c][k + 1][i] * (n - fx) + lattice[c][k + 1][i + 1] * fx) * fy) / (n * n);
}

static void
new_lattice(void)
{
	unsigned c, i, k;

	for (c = 0; c < 3; c++)
		for (i = 0; i < LATTICE + 2; i++)
			for (k = 0; k < LATTICE + 2; k++)
				lattice[c][i][k] = (int)below(256);
}

static struct dot
photo_dot(unsigned x, unsigned y, unsigned side, int grain)
{
	unsigned coarse = side / 4 < 4 ? 4 : side / 4, c;
	struct dot d = { { 0, 0, 0, 255 } };

	for (c = 0; c < 3; c++)
		d.c[c] = clamp((hill(c, x, y, coarse) * 3 + hill(c, x, y, coarse / 4 + 2)) / 4 +
		    (int)below((uint32_t)grain) - grain / 2);
	return d;
}

static struct dot
flat_dot(unsigned k)
{
	struct dot d = { { lattice[0][0][k], lattice[1][0][k], lattice[2][0][k], 255 } };

	return d;
}

/* Strokes at random places, with soft edges. */
static int
ink(unsigned x, unsigned y)
{
	unsigned cell = x / 5 + y / 9 * 31, stroke = (unsigned)lattice[cell % 3][cell / 3 % LATTICE][cell % 7] & 7;
	unsigned at = x % 5, up = y % 9;
	bool on = up < 7 && ((at == stroke % 4) || (stroke > 3 && up == stroke - 3));
	bool edge = up < 7 && (at == (stroke + 1) % 4);

	return on ? 255 : edge ? 40 + 30 * (int)stroke : 0;
}

static struct dot
mix(struct dot a, struct dot b, int part)
{
	unsigned c;

	for (c = 0; c < 4; c++)
		a.c[c] += (b.c[c] - a.c[c]) * part / 255;
	return a;
}

static struct dot
draw_dot(enum drawing what, unsigned x, unsigned y, unsigned side)
{
	const struct dot white = { { 255, 255, 255, 255 } }, black = { { 0, 0, 0, 255 } };
	int dx = 2 * (int)x - (int)side, dy = 2 * (int)y - (int)side, r = dx * dx + dy * dy, full = (int)(side * side);
	struct dot d = photo_dot(x, y, side, what == NOISE ? 256 : 12);
	unsigned c;

	switch (what) {
	case GREY_PHOTO:
		d.c[1] = d.c[2] = d.c[0];
		return d;
	case DARK_PHOTO:
		return mix(black, d, 70);
	case SKY:
		d.c[2] = 255;
		return d;
	case GRADIENT:
		return mix(flat_dot(0), flat_dot(1), (int)(y * 255 / side));
	case ICON:
		return flat_dot(r < full / 4 ? 0 : dx > 0 ? 1 : dy > 0 ? 2 : 3);
	case BUTTON:
		return mix(flat_dot(0), white, clamp(r < full / 2 ? 0 : (r - full / 2) * 1024 / full));
	case TEXT:
		return mix(white, black, ink(x, y));
	case COLOUR_TEXT:
		return mix(flat_dot(0), flat_dot(1), ink(x, y));
	case CHECKS:
		return flat_dot((x / 3 + y / 3) % 2);
	case NOISE:
		for (c = 0; c < 3; c++)
			d.c[c] = (int)below(256);
		return d;
	case PHOTO:
	case DRAWINGS:
		break;
	}
	return d;
}

/* Outside of a disc with a soft edge there is nothing; inside some of it shines through. */
static int
alpha_dot(unsigned x, unsigned y, unsigned side, bool through)
{
	int dx = 2 * (int)x - (int)side, dy = 2 * (int)y - (int)side, r = dx * dx + dy * dy, full = (int)(side * side);
	int edge = full / 4 + 1;

	if (r > full)
		return 0;
	if (r > full - edge)
		return (full - r) * 255 / edge;
	return through ? 60 + (int)(x * 195 / side) : 255;
}

static void
draw(enum drawing what, unsigned side)
{
	unsigned x, y;

	new_lattice();
	for (y = 0; y < side; y++)
		for (x = 0; x < side; x++)
			picture[y * side + x] = draw_dot(what, x, y, side);
}

/* ---- writing ------------------------------------------------------------------------ */

/* Dithering moves all channels of a pixel alike, so that none comes out above alpha. */
static unsigned
to_bits(int v, unsigned bits, unsigned x, unsigned y, bool dither)
{
	static const int pattern[2][2] = { { 0, 2 }, { 3, 1 } };
	int most = (1 << bits) - 1;
	int part = dither ? 32 + 64 * pattern[y % 2][x % 2] : 127;

	return (unsigned)((v * most + part) / 255);
}

static void
write_pixels(enum bitmap_format f, unsigned side, bool dither)
{
	unsigned i, c, v;
	const int *d;
	int a;

	for (i = 0; i < side * side; i++) {
		d = picture[i].c;
		a = d[3];
		if (f == BITMAP_RGB_565) {
			v = to_bits(d[0], 5, i % side, i / side, dither) << 11 |
			    to_bits(d[1], 6, i % side, i / side, dither) << 5 |
			    to_bits(d[2], 5, i % side, i / side, dither);
		} else {
			for (v = c = 0; c < 3; c++)
				v = v << 4 | to_bits(d[c] * a / 255, 4, i % side, i / side, dither);
			v = v << 4 | to_bits(a, 4, i % side, i / side, dither);
		}
		bytes[2 * i] = (uint8_t)v;
		bytes[2 * i + 1] = (uint8_t)(v >> 8);
	}
}

/* ---- counting ------------------------------------------------------------------------- */

struct score {
	unsigned n, right, simple, sure_wrong;
};

/* The rule that counts pixels whose alpha would be 0. */
static enum bitmap_format
simple_guess(unsigned side)
{
	unsigned i, clear = 0, n = side * side;

	for (i = 0; i < n; i++)
		clear += (bytes[2 * i] & 15) == 0;
	return clear >= (n - clear) / 10 ? BITMAP_ARGB_4444 : BITMAP_RGB_565;
}

static void
count(struct score *s, enum bitmap_format is, unsigned side, bool late)
{
	struct bitmap b = { .object = 1, .width = side, .height = side, .place = BITMAP_JAVA,
	    .premultiplied = true, .bytes = 2 * side * side, .data = bytes, .size = 2 * side * side,
	    .stride = 2 * side, .image = IMAGE_PIXELS };
	enum bitmap_format guessed = bitmap_guess(&b, late, &b.sure);

	assert_in_range(b.sure, 50, 99);
	s->n++;
	s->right += guessed == is;
	s->sure_wrong += guessed != is && b.sure >= 95;
	s->simple += simple_guess(side) == is;
}

/* How the alpha of a drawing is: all opaque, a disc, a disc that shines through. */
static void
count_drawing(struct score *s, enum drawing what, unsigned side, bool late)
{
	unsigned alpha, i;

	draw(what, side);
	for (alpha = 0; alpha < 6; alpha++) {
		if (alpha < 2) {
			write_pixels(BITMAP_RGB_565, side, alpha % 2 != 0);
			count(s, BITMAP_RGB_565, side, late);
		}
		for (i = 0; alpha >= 2 && i < side * side; i++)
			picture[i].c[3] = alpha_dot(i % side, i / side, side, alpha >= 4);
		write_pixels(BITMAP_ARGB_4444, side, alpha % 2 != 0);
		count(s, BITMAP_ARGB_4444, side, late);
	}
}

static void
count_all(struct score *all, bool late)
{
	struct score s;
	unsigned what, side, seed;

	for (what = 0; what < DRAWINGS; what++) {
		memset(&s, 0, sizeof s);
		for (side = 8; side <= SIDE_MAX; side *= 2)
			for (seed = 0; seed < SEEDS; seed++)
				count_drawing(&s, what, side, late);
		print_message("# %-14s %4u images, %4u right, %u wrong ones called sure; "
		    "by transparent pixels %4u\n", names[what], s.n, s.right, s.sure_wrong, s.simple);
		all->n += s.n;
		all->right += s.right;
		all->simple += s.simple;
		all->sure_wrong += s.sure_wrong;
	}
	print_message("# all            %4u images, %4u right, %u wrong ones called sure; "
	    "by transparent pixels %4u\n", all->n, all->right, all->sure_wrong, all->simple);
}

static void
formats_are_guessed(void **state)
{
	struct score all = { 0 };

	(void)state;
	count_all(&all, false);
	assert_true(all.right * 100 >= all.n * 98);
	assert_true(all.sure_wrong * 200 <= all.n);
	assert_true(all.simple * 100 < all.n * 80);
}

/* Where ARGB_4444 is not expected it takes more to see it. */
static void
late_formats_are_guessed(void **state)
{
	struct score all = { 0 };

	(void)state;
	count_all(&all, true);
	assert_true(all.right * 100 >= all.n * 97);
	assert_true(all.sure_wrong * 200 <= all.n);
}

/* One colour, black and white: nothing to tell them by, so it is not sure. */
static void
nothing_to_guess_by(void **state)
{
	struct bitmap b = { .object = 1, .width = 16, .height = 16, .premultiplied = true,
	    .bytes = 512, .data = bytes, .size = 512, .image = IMAGE_PIXELS };
	unsigned i;

	(void)state;
	memset(bytes, 0, 512);
	assert_int_equal(bitmap_guess(&b, false, &b.sure), BITMAP_RGB_565);
	assert_in_range(b.sure, 50, 70);
	for (i = 0; i < 512; i++)
		bytes[i] = i / 2 % 3 == 0 ? 0xff : 0;
	assert_int_equal(bitmap_guess(&b, false, &b.sure), BITMAP_RGB_565);
	assert_in_range(b.sure, 50, 70);
}

static void
assert_roomy(enum bitmap_format is, uint64_t n, bool premultiplied, unsigned sure)
{
	struct bitmap b = { .object = 1, .width = 16, .height = 16, .premultiplied = premultiplied,
	    .bytes = n, .data = bytes, .size = n, .image = IMAGE_PIXELS };

	assert_int_equal(bitmap_guess(&b, false, &b.sure), is);
	assert_int_equal(b.sure, sure);
}

/* Arrays of larger bitmaps, used again: more than any format needs. */
static void
arrays_may_be_too_large(void **state)
{
	unsigned i, c;

	(void)state;
	draw(PHOTO, 16);
	write_pixels(BITMAP_RGB_565, 16, false);
	assert_roomy(BITMAP_RGB_565, 3 * 256, true, 60);
	assert_roomy(BITMAP_RGB_565, 9 * 256, true, 60);
	assert_roomy(BITMAP_RGBA_F16, 8 * 256, true, 60);
	assert_roomy(BITMAP_ARGB_8888, 5 * 256, false, 60);
	assert_roomy(BITMAP_ARGB_8888, 4 * 256, true, 100);
	assert_roomy(BITMAP_ALPHA_8, 256, true, 100);
	for (i = 0; i < 256; i++)
		for (c = 0; c < 4; c++)
			bytes[4 * i + c] = (uint8_t)picture[i].c[c];
	assert_roomy(BITMAP_ARGB_8888, 5 * 256, true, 90);
	assert_roomy(BITMAP_ARGB_8888, 8 * 256, true, 90);
	/* Numbers of 16 bits from 0.5 to 1. */
	for (i = 0; i < 1024; i++) {
		bytes[2 * i] = (uint8_t)(i % 4 == 3 ? 0 : picture[i / 4].c[i % 4]);
		bytes[2 * i + 1] = i % 4 == 3 ? 0x3c : 0x38;
	}
	assert_roomy(BITMAP_RGBA_F16, 8 * 256, true, 90);
	assert_roomy(BITMAP_RGBA_F16, 11 * 256, true, 90);
}

TOOL(unit, guess)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_are_guessed),
		cmocka_unit_test(late_formats_are_guessed),
		cmocka_unit_test(nothing_to_guess_by),
		cmocka_unit_test(arrays_may_be_too_large)
	};
	int failed;

	picture = calloc(SIDE_MAX * SIDE_MAX, sizeof *picture);
	bytes = calloc(2, SIDE_MAX * SIDE_MAX);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(picture);
	free(bytes);
	return failed;
}
