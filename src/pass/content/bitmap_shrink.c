/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bitmap_shrink: a small image of a bitmap: each pixel the mean of an area, of which no more than a row is
 * in memory.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bitmaps.h"

/* Colours are weighed by their alpha, so that what cannot be seen does not colour the rest. */
struct box {
	uint64_t	red, green, blue;	/* times alpha */
	uint64_t	alpha, n;
};

struct shrink {
	struct bitmap_reader *reader;
	const struct bitmap *bitmap;
	uint32_t	 w, h;
	struct box	*box;		/* w of them: the row that is being made */
	uint8_t		*row;		/* a row of the bitmap */
};

/* The first of from pixels that belongs to the ith of n areas. */
static uint32_t
area(uint32_t i, uint32_t from, uint32_t n)
{
	return (uint32_t)((uint64_t)i * from / n);
}

static void
bitmap_shrink_add_row(struct shrink *s)
{
	const uint8_t *p = s->row;
	uint32_t x = 0, end;
	struct box *b;

	for (uint32_t i = 0; i < s->w; i++) {
		b = &s->box[i];
		end = area(i + 1, s->bitmap->width, s->w);
		b->n += end - x;
		for (; x < end; x++, p += 4) {
			b->red += (unsigned)p[0] * p[3];
			b->green += (unsigned)p[1] * p[3];
			b->blue += (unsigned)p[2] * p[3];
			b->alpha += p[3];
		}
	}
	assert(x == s->bitmap->width);
}

static void
bitmap_shrink_put_row(struct shrink *s, uint8_t *to)
{
	const struct box *b = s->box;
	uint64_t a;

	for (uint32_t i = 0; i < s->w; i++, b++, to += 4) {
		a = b->alpha;
		memset(to, 0, 4);
		if (a == 0)
			continue;
		to[0] = (uint8_t)((b->red + a / 2) / a);
		to[1] = (uint8_t)((b->green + a / 2) / a);
		to[2] = (uint8_t)((b->blue + a / 2) / a);
		/* Each area has a pixel: a bitmap is only made smaller. */
		assert(b->n > 0);
		to[3] = (uint8_t)((a + b->n / 2) / b->n);
	}
	memset(s->box, 0, s->w * sizeof *s->box);
}

static bool
shrink_rows(struct shrink *s, uint8_t *rgba, struct work *w, struct err *err)
{
	uint32_t y = 0;

	for (uint32_t i = 0; i < s->h; i++) {
		for (uint32_t end = area(i + 1, s->bitmap->height, s->h); y < end; y++) {
			if (!work_go(w, y, err) || !bitmap_reader_next(s->reader, s->row, err))
				return false;
			bitmap_shrink_add_row(s);
		}
		bitmap_shrink_put_row(s, rgba + 4 * (size_t)i * s->w);
	}
	assert(y == s->bitmap->height);
	return true;
}

bool
bitmap_shrink(const struct bitmap *b, uint32_t w, uint32_t h, uint8_t *rgba, struct work *work,
    struct err *err)
{
	struct shrink s = { .bitmap = b, .w = w, .h = h };
	bool ok;

	if (!bitmap_reader_open(&s.reader, b, err))
		return false;
	if (w == 0 || h == 0 || w > b->width || h > b->height) {
		bitmap_reader_close(s.reader);
		return fail(err, E_SYSTEM, "bitmaps can only be scaled down");
	}
	s.box = mem_array(w, sizeof *s.box);
	s.row = mem_array(b->width, 4);
	work_start(work, "bitmap", b->height);
	if (s.box == NULL || s.row == NULL)
		ok = fail_memory(err, "bitmap");
	else
		ok = shrink_rows(&s, rgba, work, err);
	free(s.box);
	free(s.row);
	bitmap_reader_close(s.reader);
	return ok;
}
