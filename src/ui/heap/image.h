/*
 * image: a picture drawn in cells of a terminal.
 */
#ifndef UI_IMAGE_H
#define UI_IMAGE_H

#include "ui/term/term.h"

struct image {
	uint32_t	 w, h;
	const uint8_t	*rgba;		/* rows from the top, not premultiplied */
	int		 brightest;	/* largest channel value of its pixels; 0: not computed */
};

/* How one cell shows its two pixels, an upper and a lower one. */
struct image_cell {
	const char	*glyph;
	int		 fg, bg;	/* numbers of colours; -1: as the terminal has it */
};

enum image_colours { IMAGE_MONO = 0, IMAGE_8 = 8, IMAGE_256 = 256 };

/* Reduce *w and *h to fit into so many columns and lines, keeping the aspect ratio. */
void	image_fit(uint32_t *w, uint32_t *h, int columns, int lines);
/* Compute the cell at x, y of a picture scaled up by times.  blocks: the terminal has half blocks. */
void	image_cell(const struct image *, uint32_t times, enum image_colours, bool blocks,
	    uint32_t x, uint32_t y, struct image_cell *);
/* Find the brightest pixel, so that terminals with few shades use all of them. */
void	image_level(struct image *);
/* Draw the picture in the middle of the area; small pictures are scaled up. */
void	image_draw(const struct image *, struct area);

#endif
