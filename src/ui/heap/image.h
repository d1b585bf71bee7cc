/*
 * image: a picture drawn in cells of a terminal.
 */
#ifndef UI_IMAGE_H
#define UI_IMAGE_H

#include "ui/term/term.h"

struct image {
	uint32_t	 w, h;
	const uint8_t	*rgba;		/* rows from the top, not premultiplied */
	int		 brightest;	/* of the channels of its pixels; 0: not looked for */
};

/* How one cell shows the two pixels that lie in it, one above the other. */
struct image_cell {
	const char	*glyph;
	int		 fg, bg;	/* numbers of colours; -1: as the terminal has it */
};

enum image_colours { IMAGE_MONO = 0, IMAGE_8 = 8, IMAGE_256 = 256 };

/* The sides, at most w and h, of which all fits into so many columns and lines; shape is kept. */
void	image_fit(uint32_t *w, uint32_t *h, int columns, int lines);
/* The cell at x, y of a picture drawn times as large.  blocks: the terminal has half blocks. */
void	image_cell(const struct image *, uint32_t times, enum image_colours, bool blocks,
	    uint32_t x, uint32_t y, struct image_cell *);
/* Looks for its brightest pixel: where there are few shades all of them are used. */
void	image_level(struct image *);
/* In the middle of the area; small ones larger. */
void	image_draw(const struct image *, struct area);

#endif
