/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image: pictures in character cells, or encoded for terminals with graphics.
 */
#ifndef UI_IMAGE_H
#define UI_IMAGE_H

#include "ui/term/term.h"

struct image {
	uint32_t	 w, h;
	const uint8_t	*rgba;		/* rows from the top, not premultiplied */
	bool		 reduced;	/* the original was larger: do not scale up single pixels */
	int		 brightest;	/* largest channel value of its pixels; 0: not computed */
};

struct rgb {
	int	c[3];
};

/* How one cell shows its two pixels, an upper and a lower one. */
struct image_cell {
	const char	*glyph;
	int		 fg, bg;	/* colour numbers; -1: the terminal's default */
};

enum image_colours { IMAGE_MONO = 0, IMAGE_8 = 8, IMAGE_256 = 256 };
enum { IMAGE_TILE = 4 };		/* pixels of a background tile in cells with two */

/* Reduce *w and *h to fit into the given size (at least 1), keeping the aspect ratio. */
void	image_fit(uint32_t *w, uint32_t *h, uint64_t room_w, uint64_t room_h);
/* Return an integer factor to enlarge a small picture; cell_w: width of a cell in pixels. */
uint32_t image_times(const struct image *, uint32_t room_w, uint32_t room_h, uint32_t cell_w);
/* Blend a pixel, R G B A, over a tile in one of two greys. */
struct rgb image_over_grey(const uint8_t *pixel, bool tile);
/*
 * Choose one of n rising levels by ordered dithering over 4 * 4 pixels: of the two levels around a value,
 * the nearer one is chosen more often. A value equal to a level always gets that level.
 */
size_t	image_dither(int value, const int *levels, size_t n, uint32_t x, uint32_t y);
/* Compute the cell at x, y of a picture scaled up by times.  blocks: the terminal has half blocks. */
void	image_cell(const struct image *, uint32_t times, enum image_colours, bool blocks,
	    uint32_t x, uint32_t y, struct image_cell *);
/* Find the brightest pixel, so that terminals with few shades use all of them. */
void	image_level(struct image *);
/* Draw the picture in the middle of the area; small pictures are scaled up. */
void	image_draw(const struct image *, struct area);

enum { IMAGE_BYTES = 4 << 20 };		/* maximum size of an encoded picture */

/*
 * Encode a picture for columns * lines cells, enlarging small ones, in the terminal's protocol (not
 * PICTURE_CELLS). Replaces bytes; w and h: the cells that it covers. False: larger than IMAGE_BYTES; try a
 * smaller one.
 */
bool	image_encode(const struct image *, const struct picture_how *, int columns, int lines,
    struct buf *bytes, int *w, int *h);

#endif
