/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image: draw a picture in character cells: two pixels per cell with half blocks, in 256 or 8 colours;
 * without colours, with characters of rising density.
 *
 * Missing colours are dithered from available ones.
 */
#include "config.h"

#include "image.h"

/*
 * GREY_A and GREY_B are available on terminals with 256 colours. Colours that differ by at most NEAR_GREY
 * are grey.
 */
enum { TIMES_MAX = 8, GREY_A = 78, GREY_B = 118, NEAR_GREY = 8, CLEAR = 32, FAINT = 56, CONTRAST = 32 };

/* ---- sizes --------------------------------------------------------------- */

void
image_fit(uint32_t *w, uint32_t *h, uint64_t room_w, uint64_t room_h)
{
	uint64_t	fw = *w, fh = *h;

	if (fw > room_w) {
		fh = (fh * room_w + fw / 2) / fw;
		fw = room_w;
	}
	if (fh > room_h) {
		fw = (*w * room_h + *h / 2) / *h;
		fh = room_h;
	}
	*w = fw > 0 ? (uint32_t)fw : 1;
	*h = fh > 0 ? (uint32_t)fh : 1;
}

/* ---- pixels -------------------------------------------------------------- */

struct rgb
image_over_grey(const uint8_t *p, bool tile)
{
	int		grey = tile ? GREY_B : GREY_A;
	struct rgb	out;

	for (int i = 0; i < 3; i++)
		out.c[i] = (p[i] * p[3] + grey * (255 - p[3]) + 127) / 255;
	return out;
}

/*
 * With few colours grey tiles would look like noise: draw tiles only where the picture is transparent,
 * otherwise blend over black.
 */
static struct rgb
over_black(const struct image *im, const uint8_t *p, bool tile, enum image_colours n)
{
	int		range = im->brightest > 0 ? im->brightest : 255;
	struct rgb	out = { { 0, 0, 0 } };

	for (int i = 0; i < 3; i++) {
		if (p[3] < CLEAR)
			out.c[i] = !tile ? 0 : n == IMAGE_MONO ? FAINT : i == 2 ? 255 : 0;
		else
			out.c[i] = p[i] * p[3] / range;
		out.c[i] = out.c[i] < 255 ? out.c[i] : 255;
	}
	return out;
}

static const uint8_t *
pixel_at(const struct image *im, uint32_t x, uint32_t y)
{
	return im->rgba + 4 * ((size_t)y * im->w + x);
}

static struct rgb
image_pixel(const struct image *im, enum image_colours n, uint32_t times, uint32_t x, uint32_t y)
{
	uint32_t	px = x / times, py = y / times;
	bool		tile = (x / IMAGE_TILE + y / IMAGE_TILE) % 2 != 0;

	if (px >= im->w || py >= im->h)
		return (struct rgb){ { 0, 0, 0 } };
	return n == IMAGE_256 ? image_over_grey(pixel_at(im, px, py), tile) :
	    over_black(im, pixel_at(im, px, py), tile, n);
}

void
image_level(struct image *im)
{
	const uint8_t	*p;

	im->brightest = 0;
	for (uint32_t y = 0; y < im->h; y++)
		for (uint32_t x = 0; x < im->w; x++) {
			p = pixel_at(im, x, y);
			for (int i = 0; i < 3; i++)
				if (p[3] >= CLEAR && p[i] * p[3] / 255 > im->brightest)
					im->brightest = p[i] * p[3] / 255;
		}
	if (im->brightest < CONTRAST)
		im->brightest = 255;
}

static struct rgb
mean(struct rgb a, struct rgb b)
{
	for (int i = 0; i < 3; i++)
		a.c[i] = (a.c[i] + b.c[i]) / 2;
	return a;
}

/* ---- colours ------------------------------------------------------------- */

static const int bayer[4][4] = {
	{ 0, 8, 2, 10 }, { 12, 4, 14, 6 }, { 3, 11, 1, 9 }, { 15, 7, 13, 5 }
};

size_t
image_dither(int value, const int *levels, size_t n, uint32_t x, uint32_t y)
{
	size_t	k = 0;

	while (k + 1 < n && value >= levels[k + 1])
		k++;
	if (k + 1 < n && 32 * (value - levels[k]) > (2 * bayer[y % 4][x % 4] + 1) * (levels[k + 1] - levels[k]))
		k++;
	return k;
}

/* Greys are black, the ramp from 232 on, and white; other colours belong to the 6 * 6 * 6 cube from 16 on. */
static int
colour_256(struct rgb c, uint32_t x, uint32_t y)
{
	static const int cube[] = { 0, 95, 135, 175, 215, 255 };
	static const int greys[] = { 0, 8, 18, 28, 38, 48, 58, 68, 78, 88, 98, 108, 118, 128, 138, 148, 158,
	    168, 178, 188, 198, 208,
		218, 228, 238, 255 };
	int	k, least = 255, most = 0, number = 0;

	for (int i = 0; i < 3; i++) {
		least = c.c[i] < least ? c.c[i] : least;
		most = c.c[i] > most ? c.c[i] : most;
		number = number * 6 + (int)image_dither(c.c[i], cube, NELEM(cube), x, y);
	}
	if (most - least > NEAR_GREY)
		return 16 + number;
	k = (int)image_dither((c.c[0] + c.c[1] + c.c[2]) / 3, greys, NELEM(greys), x, y);
	return k == 0 ? 16 : k == (int)NELEM(greys) - 1 ? 231 : 231 + k;
}

/* Each channel is on or off; stronger channels are on more often. */
static int
colour_8(struct rgb c, uint32_t x, uint32_t y)
{
	static const int levels[] = { 0, 255 };
	int	number = 0;

	for (int i = 0; i < 3; i++)
		number |= (int)image_dither(c.c[i], levels, NELEM(levels), x, y) << i;
	return number;
}

static int
colour(enum image_colours n, struct rgb c, uint32_t x, uint32_t y)
{
	return (n == IMAGE_256 ? colour_256 : colour_8)(c, x, y);
}

static const char *
shade(struct rgb c, bool blocks)
{
	static const char *const ascii[] = { " ", ".", ":", "-", "=", "+", "*", "#", "%", "@" };
	static const char *const block[] = { " ", "░", "▒", "▓", "█" };
	int	light = (299 * c.c[0] + 587 * c.c[1] + 114 * c.c[2]) / 1000;

	return blocks ? block[light * (int)NELEM(block) / 256] :
	    ascii[light * (int)NELEM(ascii) / 256];
}

/* ---- cells --------------------------------------------------------------- */

/* Use one order for two colours, to save colour pairs of the terminal. */
static void
half_blocks(int upper, int lower, struct image_cell *cell)
{
	cell->glyph = upper == lower ? " " : upper > lower ? "▀" : "▄";
	cell->fg = upper > lower ? upper : lower;
	cell->bg = upper > lower ? lower : upper;
}

void
image_cell(const struct image *im, uint32_t times, enum image_colours n, bool blocks,
    uint32_t x, uint32_t y, struct image_cell *cell)
{
	struct rgb	upper = image_pixel(im, n, times, x, 2 * y), lower;
	bool		both = 2 * y + 1 < im->h * times;

	lower = both ? image_pixel(im, n, times, x, 2 * y + 1) : upper;
	cell->fg = cell->bg = -1;
	if (n == IMAGE_MONO) {
		cell->glyph = shade(mean(upper, lower), blocks);
		return;
	}
	if (blocks && both) {
		half_blocks(colour(n, upper, x, 2 * y), colour(n, lower, x, 2 * y + 1), cell);
		return;
	}
	cell->fg = cell->bg = colour(n, mean(upper, lower), x, y);
	cell->glyph = " ";
	if (blocks) {
		cell->glyph = "▀";
		cell->bg = -1;
	}
}

uint32_t
image_times(const struct image *im, uint32_t room_w, uint32_t room_h, uint32_t cell_w)
{
	uint32_t	across = room_w / im->w, down = room_h / im->h;
	uint32_t	times = across < down ? across : down;

	return times < 1 ? 1 : times > TIMES_MAX * cell_w ? TIMES_MAX * cell_w : times;
}

/* If the terminal has no colour pair left, draw the cell with fewer colours. */
static void
draw_cell(const struct image *im, uint32_t times, int top, int left, uint32_t x, uint32_t y)
{
	enum image_colours	n = (enum image_colours)screen_colours();
	struct image_cell	cell;

	image_cell(im, times, n, screen_utf8(), x, y, &cell);
	if (screen_cell(top + (int)y, left + (int)x, cell.glyph, cell.fg, cell.bg))
		return;
	image_cell(im, times, IMAGE_8, screen_utf8(), x, y, &cell);
	screen_cell(top + (int)y, left + (int)x, cell.glyph, cell.fg, cell.bg);
}

void
image_draw(const struct image *im, struct area a)
{
	uint32_t	times, w, h;

	if (im->w == 0 || im->h == 0 || a.w <= 0 || a.h <= 0)
		return;
	times = image_times(im, (uint32_t)a.w, 2 * (uint32_t)a.h, 1);
	w = im->w * times;
	h = (im->h * times + 1) / 2;
	w = w < (uint32_t)a.w ? w : (uint32_t)a.w;
	h = h < (uint32_t)a.h ? h : (uint32_t)a.h;
	for (uint32_t y = 0; y < h; y++)
		for (uint32_t x = 0; x < w; x++)
			draw_cell(im, times, a.y + (a.h - (int)h) / 2,
			    a.x + (a.w - (int)w) / 2, x, y);
}
