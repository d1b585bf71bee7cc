/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bitmap_guess: whether pixels of two bytes are RGB_565 or ARGB_4444, which no field records, and their
 * meaning in an array that is larger than any format needs.
 *
 * Evidence is weighed in bits, as the logarithm of how much likelier it is under one reading.  Colours of
 * ARGB_4444 are multiplied with their alpha, so that none is larger than it; three in four RGB_565 colours
 * violate that.  And an image is smooth: neighbours that differ, differ by less than pixels far apart do.
 * Read wrongly, low bits of one channel are high ones of the next.
 */
#include "config.h"

#include <assert.h>

#include "bitmaps.h"

#define BIT 16			/* weight of one bit of evidence */
#define ROWS 64u		/* rows that are looked at, each with the one below, spread over the image */
#define COLUMNS 256u		/* pixels of each row that are looked at */
/* For ARGB_4444: one more opaque colour, one more that is not, and a transparent border. */
#define OPAQUE (3 * BIT / 2)
#define CLEAR (7 * BIT / 8)
#define AROUND (3 * BIT / 2)
/*
 * Against it: a colour above its alpha, that RGB_565 is the more frequent one, that Android 4.4 and later
 * make none.
 */
#define BROKEN (5 * BIT)
#define PRIOR (BIT / 2)
#define LATE (3 * BIT / 2)
/* The image is twice as smooth when read in this format. */
#define SMOOTH 8
/* The most that colours, and that smoothness, can contribute. */
#define COLOURS_MAX (14 * BIT)
#define WEIGHT_MAX (24 * BIT)

enum reading { AS_565, AS_4444, READINGS };

struct sample {
	const struct bitmap *b;
	uint64_t	 seen[1024];		/* a bit for each colour */
	unsigned	 opaque, clear, broken;	/* colours by their meaning in ARGB_4444 */
	unsigned	 odd;			/* opaque ones whose blue is odd */
	unsigned	 pixels, nothing;	/* transparent: all zeros */
	uint64_t	 near[READINGS];	/* sums of differences, of neighbours and of pixels far apart */
	uint64_t	 far[READINGS];
	uint64_t	 nnear, nfar;
	uint32_t	 rows, chance;
};

static unsigned
bitmap_guess_pixel(const struct bitmap *b, uint32_t x, uint32_t y)
{
	const uint8_t *p = b->data + 2 * ((uint64_t)y * b->width + x);

	assert(x < b->width && y < b->height);
	return p[0] | (unsigned)p[1] << 8;
}

static unsigned
apart(unsigned v, unsigned w)
{
	return v > w ? v - w : w - v;
}

/* Sum over the channels, each 0 .. 240 or a bit more. */
static unsigned
bitmap_guess_difference(enum reading as, unsigned v, unsigned w)
{
	if (as == AS_565)
		return (apart(v >> 11, w >> 11) << 3) + (apart(v >> 5 & 63, w >> 5 & 63) << 2) +
		    (apart(v & 31, w & 31) << 3);
	return (apart(v >> 12, w >> 12) + apart(v >> 8 & 15, w >> 8 & 15) +
	    apart(v >> 4 & 15, w >> 4 & 15) + apart(v & 15, w & 15)) << 4;
}

/* ---- the sample ------------------------------------------------------------------ */

/* Black and white are the same in both, and so is an empty image. */
static void
see_colour(struct sample *s, unsigned v)
{
	unsigned a = v & 15;

	if (v == 0 || v == 0xffff || (s->seen[v / 64] >> (v % 64) & 1) != 0)
		return;
	s->seen[v / 64] |= UINT64_C(1) << (v % 64);
	if (v >> 12 > a || (v >> 8 & 15) > a || (v >> 4 & 15) > a)
		s->broken++;
	else if (a == 15) {
		s->opaque++;
		s->odd += v >> 4 & 1;
	} else
		s->clear++;
}

static void
see_pair(unsigned v, unsigned w, uint64_t sum[READINGS], uint64_t *n)
{
	if (v == w)
		return;
	sum[AS_565] += bitmap_guess_difference(AS_565, v, w);
	sum[AS_4444] += bitmap_guess_difference(AS_4444, v, w);
	++*n;
}

static uint32_t
chance(struct sample *s, uint32_t below)
{
	s->chance = s->chance * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)s->chance * below >> 32);
}

/* The ith of the sampled rows: other rows need not be read from the file. */
static uint32_t
row_at(const struct sample *s, uint32_t i)
{
	return (uint32_t)((uint64_t)i * s->b->height / s->rows);
}

static void
see_row(struct sample *s, uint32_t y)
{
	const struct bitmap *b = s->b;
	uint32_t n = b->width < COLUMNS ? b->width : COLUMNS, x = chance(s, b->width - n + 1);
	uint32_t far_x, far_y;
	unsigned v;

	for (uint32_t end = x + n; x < end; x++) {
		v = bitmap_guess_pixel(b, x, y);
		see_colour(s, v);
		s->pixels++;
		s->nothing += v == 0;
		if (x + 1 < b->width)
			see_pair(v, bitmap_guess_pixel(b, x + 1, y), s->near, &s->nnear);
		if (y + 1 < b->height)
			see_pair(v, bitmap_guess_pixel(b, x, y + 1), s->near, &s->nnear);
		far_x = chance(s, b->width);
		far_y = row_at(s, chance(s, s->rows));
		see_pair(v, bitmap_guess_pixel(b, far_x, far_y), s->far, &s->nfar);
	}
}

/* ---- weighing ------------------------------------------------------------------------ */

/* The logarithm to base 2 of a number below 2^56, in units of BIT; of 0 that of 1. */
static int
log_of(uint64_t v)
{
	unsigned top = 0;

	assert(v < UINT64_C(1) << 56);
	for (v <<= 8; v >= 512; v >>= 1)
		top++;
	return v == 0 ? 0 : (int)(top * BIT + (v - 256) * BIT / 256);
}

static int
bitmap_guess_cut(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

/*
 * Where all colours are opaque, blue may also be as good as constant in RGB_565, as in a sky; then its bit
 * at the place of another channel in ARGB_4444 is constant, too.
 */
static int
weigh_opaque(const struct sample *s)
{
	unsigned even = s->opaque - s->odd, both = 2 * (s->odd < even ? s->odd : even);

	return bitmap_guess_cut((int)s->opaque * OPAQUE, 0, 4 * BIT + (int)both * OPAQUE);
}

/* Positive: for ARGB_4444, which often has a transparent border. */
static int
weigh_colours(const struct sample *s)
{
	int broken = s->b->premultiplied ? (int)s->broken * BROKEN : 0;
	bool around = s->nothing > 0 && s->nothing >= s->pixels / 10 && s->opaque + s->clear > 0;

	return bitmap_guess_cut(weigh_opaque(s) + (int)s->clear * CLEAR - broken + (around ? AROUND : 0),
	    -WEIGHT_MAX, COLOURS_MAX);
}

/* Few neighbours that differ say little. */
static int
weigh_smoothness(const struct sample *s)
{
	int n = (int)(s->nnear < 64 ? s->nnear : 64);
	int ratio = (log_of(s->near[AS_565]) - log_of(s->far[AS_565])) -
	    (log_of(s->near[AS_4444]) - log_of(s->far[AS_4444]));

	return s->nnear == 0 || s->nfar == 0 ? 0 :
	    bitmap_guess_cut(ratio * SMOOTH * n / 64, -WEIGHT_MAX, WEIGHT_MAX);
}

/* 2^bits to 1 in percent, 50 .. 99. */
static unsigned
bitmap_guess_percent(unsigned weight)
{
	static const uint8_t whole[] = { 50, 67, 80, 89, 94, 97, 98, 99 };
	unsigned bits = weight / BIT, rest = weight % BIT;

	if (bits + 1 >= NELEM(whole))
		return 99;
	return whole[bits] + (whole[bits + 1] - whole[bits]) * rest / BIT;
}

static enum bitmap_format
guess_two(const struct bitmap *b, bool late, unsigned *sure)
{
	struct sample s = { .b = b, .rows = b->height < ROWS ? b->height : ROWS, .chance = 1 };
	int weight;

	for (uint32_t i = 0; i < s.rows; i++)
		see_row(&s, row_at(&s, i));
	weight = weigh_colours(&s) + weigh_smoothness(&s) - PRIOR - (late ? LATE : 0);
	*sure = bitmap_guess_percent((unsigned)(weight < 0 ? -weight : weight));
	return weight > 0 ? BITMAP_ARGB_4444 : BITMAP_RGB_565;
}

/* ---- arrays that are too large ------------------------------------------------------ */

static bool
fits_8888(const uint8_t *p)
{
	return p[0] <= p[3] && p[1] <= p[3] && p[2] <= p[3];
}

/* Numbers of 16 bits from 0 to 1 rise with their bits. */
static bool
fits_f16(const uint8_t *p)
{
	unsigned a = p[6] | (unsigned)p[7] << 8;

	for (unsigned i = 0; i < 6; i += 2)
		if ((p[i] | (unsigned)p[i + 1] << 8) > a)
			return false;
	return a <= 0x3c00;
}

/* Nearly all pixels of a sample are possible ones that were multiplied with their alpha. */
static bool
bitmap_guess_fit(const struct bitmap *b, unsigned each, bool (*fits)(const uint8_t *))
{
	uint64_t n = (uint64_t)b->width * b->height, step = n / (ROWS * COLUMNS) + 1;
	uint64_t seen = 0, wrong = 0;

	for (uint64_t i = 0; i < n; i += step, seen++)
		wrong += !fits(b->data + i * each);
	return wrong <= seen / 50;
}

/* An array that was made for a larger bitmap is used again for smaller ones, from its beginning. */
static enum bitmap_format
guess_roomy(const struct bitmap *b, uint64_t each, bool late, unsigned *sure)
{
	bool half = each >= 8 && bitmap_guess_fit(b, 8, fits_f16), whole = each > 4 &&
	    bitmap_guess_fit(b, 4, fits_8888);
	enum bitmap_format two;

	*sure = half || whole ? 90 : 60;
	if (!whole && (half || each == 8))
		return BITMAP_RGBA_F16;
	if (whole || (each > 4 && !b->premultiplied))
		return BITMAP_ARGB_8888;
	two = guess_two(b, late, sure);
	*sure = *sure < 60 ? *sure : 60;
	return two;
}

enum bitmap_format
bitmap_guess(const struct bitmap *b, bool late, unsigned *sure)
{
	uint64_t each = b->bytes / ((uint64_t)b->width * b->height);

	assert(each > 0);
	*sure = 100;
	switch (each) {
	case 1:
		return BITMAP_ALPHA_8;
	case 2:
		return guess_two(b, late, sure);
	case 4:
		return BITMAP_ARGB_8888;
	default:
		return guess_roomy(b, each, late, sure);
	}
}
