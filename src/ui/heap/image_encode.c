/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_encode: encode a picture for terminals with graphics: cells in true colour, the kitty protocol, and
 * sixels. The output contains only generated numbers, no text from a file.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "image.h"

enum {
	KITTY_PIXELS = 1024,		/* size of a chunk: 4096 characters */
	BAND = 6,			/* rows of a sixel line */
	LEVELS = 6, COLOURS = LEVELS * LEVELS * LEVELS
};

/* The pixels to encode: those of the image, each repeated times * times. */
struct canvas {
	const struct image *im;
	uint32_t	 times, tile, w, h;
};

static struct rgb
canvas_at(const struct canvas *c, uint32_t x, uint32_t y)
{
	return image_over_grey(c->im->rgba + 4 * ((size_t)(y / c->times) * c->im->w + x / c->times),
	    (x / c->tile + y / c->tile) % 2 != 0);
}

/* ---- cells in true colour -------------------------------------------------- */

static void
put_colour(struct buf *b, int ground, struct rgb c)
{
	buf_printf(b, "\033[%d;2;%d;%d;%dm", ground, c.c[0], c.c[1], c.c[2]);
}

static bool
image_differs(struct rgb a, struct rgb b)
{
	return memcmp(a.c, b.c, sizeof a.c) != 0;
}

/* Without half blocks the upper pixel is used for both. */
static void
put_line(const struct canvas *c, bool blocks, uint32_t y, struct buf *b)
{
	bool		lower = blocks && 2 * y + 1 < c->h;
	struct rgb	fg = { { -1, -1, -1 } }, bg = fg, one;

	for (uint32_t x = 0; x < c->w; x++) {
		one = canvas_at(c, x, 2 * y);
		if (image_differs(one, fg))
			put_colour(b, blocks ? 38 : 48, fg = one);
		if (lower && image_differs(one = canvas_at(c, x, 2 * y + 1), bg))
			put_colour(b, 48, bg = one);
		buf_str(b, blocks ? STR("▀") : STR(" "));
	}
}

static bool
encode_direct(const struct canvas *c, bool blocks, struct buf *b)
{
	for (uint32_t y = 0; 2 * y < c->h && b->n <= IMAGE_BYTES; y++) {
		if (y > 0)
			buf_chr(b, '\n');
		put_line(c, blocks, y, b);
	}
	return b->n <= IMAGE_BYTES;
}

/* ---- kitty ------------------------------------------------------------------- */

/*
 * The terminal scales the picture to w * h cells, does not move the cursor, and reports errors;
 * acknowledge: success too.
 */
static bool
encode_kitty(const struct canvas *c, bool acknowledge, int w, int h, struct buf *b)
{
	uint8_t		chunk[3 * KITTY_PIXELS];
	uint64_t	all = (uint64_t)c->w * c->h;
	struct rgb	one;
	size_t		n;

	for (uint64_t at = 0; at < all && b->n <= IMAGE_BYTES; at += n) {
		n = all - at < KITTY_PIXELS ? (size_t)(all - at) : KITTY_PIXELS;
		for (size_t i = 0; i < n; i++) {
			one = canvas_at(c, (uint32_t)((at + i) % c->w), (uint32_t)((at + i) / c->w));
			for (size_t k = 0; k < 3; k++)
				chunk[3 * i + k] = (uint8_t)one.c[k];
		}
		buf_str(b, STR("\033_G"));
		if (at == 0)
			buf_printf(b, "a=T,f=24,i=462,s=%u,v=%u,c=%d,r=%d,C=1,", (unsigned)c->w,
			    (unsigned)c->h, w, h);
		buf_printf(b, "q=%d,m=%d;", acknowledge ? 0 : 1, at + n < all);
		buf_base64(b, (struct str){ (const char *)chunk, 3 * n });
		buf_str(b, STR("\033\\"));
	}
	return b->n <= IMAGE_BYTES;
}

/* ---- sixels ------------------------------------------------------------------ */

/* State of the sixel encoder: colour of each pixel of a band, from 0; colours already defined. */
struct band {
	uint8_t		*colour;
	bool		 told[COLOURS], has[COLOURS];
};

/* A 6 * 6 * 6 cube matches the percentages of sixels: 0, 20, ... 100. */
static uint8_t
colour_of(const struct canvas *c, uint32_t x, uint32_t y)
{
	static const int levels[LEVELS] = { 0, 51, 102, 153, 204, 255 };
	struct rgb	one = canvas_at(c, x, y);
	size_t		number = 0;

	for (int i = 0; i < 3; i++)
		number = number * LEVELS + image_dither(one.c[i], levels, LEVELS, x, y);
	return (uint8_t)number;
}

static void
put_run(struct buf *b, char sixel, uint32_t n)
{
	if (n > 3)
		buf_printf(b, "!%u%c", (unsigned)n, sixel);
	else
		while (n-- > 0)
			buf_chr(b, sixel);
}

/* Draw the pixels of one colour in a band; other pixels of the band stay unchanged. */
static void
put_colour_of_band(const struct canvas *c, struct band *band, unsigned colour, uint32_t rows, struct buf *b)
{
	uint32_t	run = 0;
	char		sixel, last = '?';
	unsigned	bits;

	if (!band->told[colour])
		buf_printf(b, "#%u;2;%u;%u;%u", colour, colour / LEVELS / LEVELS * 20,
		    colour / LEVELS % LEVELS * 20, colour % LEVELS * 20);
	band->told[colour] = true;
	buf_printf(b, "#%u", colour);
	for (uint32_t x = 0; x < c->w; x++, run++) {
		bits = 0;
		for (uint32_t k = 0; k < rows; k++)
			bits |= (unsigned)(band->colour[(size_t)k * c->w + x] == colour) << k;
		sixel = (char)('?' + bits);
		if (sixel != last) {
			put_run(b, last, run);
			run = 0;
			last = sixel;
		}
	}
	if (last != '?')
		put_run(b, last, run);
}

static void
put_band(const struct canvas *c, struct band *band, uint32_t y, struct buf *b)
{
	uint32_t	rows = c->h - y < BAND ? c->h - y : BAND;
	bool		first = true;

	memset(band->has, 0, sizeof band->has);
	for (uint32_t k = 0; k < rows; k++)
		for (uint32_t x = 0; x < c->w; x++)
			band->has[band->colour[(size_t)k * c->w + x] = colour_of(c, x, y + k)] = true;
	for (unsigned i = 0; i < COLOURS; i++)
		if (band->has[i]) {
			if (!first)
				buf_chr(b, '$');
			first = false;
			put_colour_of_band(c, band, i, rows, b);
		}
	buf_chr(b, '-');
}

static bool
encode_sixel(const struct canvas *c, struct buf *b)
{
	struct band	band = { .colour = mem_array(c->w, BAND) };

	if (band.colour == NULL) {
		b->bad = true;
		return true;
	}
	buf_printf(b, "\033P0;1;0q\"1;1;%u;%u", (unsigned)c->w, (unsigned)c->h);
	for (uint32_t y = 0; y < c->h && b->n <= IMAGE_BYTES; y += BAND)
		put_band(c, &band, y, b);
	buf_str(b, STR("\033\\"));
	free(band.colour);
	return b->n <= IMAGE_BYTES;
}

/* ---- all ----------------------------------------------------------------------- */

/* Return the cells needed for this number of pixels. */
static int
cells_of(uint32_t pixels, int cell, int most)
{
	int	n = (int)((pixels + (uint32_t)cell - 1) / (uint32_t)cell);

	return n < most ? n : most;
}

/* Kitty terminals scale by any factor, others do not scale. */
bool
image_encode(const struct image *im, const struct picture_how *how, int columns, int lines,
    struct buf *bytes, int *w, int *h)
{
	uint32_t	room_w = (uint32_t)(columns * how->cell_w),
	    room_h = (uint32_t)(lines * how->cell_h), cell_w = (uint32_t)how->cell_w;
	uint32_t	times = im->reduced ? 1 : image_times(im, room_w, room_h, cell_w);
	struct canvas	c = { im, times, IMAGE_TILE * cell_w, im->w * times, im->h * times };
	uint32_t	shown_w = c.w, shown_h = c.h;

	buf_clear(bytes);
	if (how->form == PICTURE_KITTY) {
		shown_w = im->reduced ? room_w : c.w;
		shown_h = im->reduced ? (uint32_t)((uint64_t)im->h * room_w / im->w) : c.h;
		image_fit(&shown_w, &shown_h, room_w, room_h);
		c = (struct canvas){ im, 1, c.tile / times > 0 ? c.tile / times : 1, im->w, im->h };
	}
	*w = cells_of(shown_w, how->cell_w, columns);
	*h = cells_of(shown_h, how->cell_h, lines);
	if (how->form == PICTURE_KITTY)
		return encode_kitty(&c, how->acknowledge, *w, *h, bytes);
	return how->form == PICTURE_SIXEL ? encode_sixel(&c, bytes) : encode_direct(&c, how->blocks, bytes);
}
