/*
 * image: a picture drawn in cells of a terminal, or made the bytes of a terminal that can do more.
 */
#ifndef UI_IMAGE_H
#define UI_IMAGE_H

#include "ui/term/term.h"

struct image {
	uint32_t	 w, h;
	const uint8_t	*rgba;		/* rows from the top, not premultiplied */
	bool		 reduced;	/* it was larger: it is not scaled up by pixels */
	int		 brightest;	/* largest channel value of its pixels; 0: not computed */
};

struct rgb {
	int	c[3];
};

/* How one cell shows its two pixels, an upper and a lower one. */
struct image_cell {
	const char	*glyph;
	int		 fg, bg;	/* numbers of colours; -1: as the terminal has it */
};

enum image_colours { IMAGE_MONO = 0, IMAGE_8 = 8, IMAGE_256 = 256 };
enum { IMAGE_TILE = 4 };		/* pixels of a grey tile that shows through, where a cell has two */

/* Reduce *w and *h to fit into so many pixels (1 at least), keeping the aspect ratio. */
void	image_fit(uint32_t *w, uint32_t *h, uint64_t room_w, uint64_t room_h);
/* Return by which integer to scale it up, so that a small one can be seen; cell_w: pixels of a cell across. */
uint32_t image_times(const struct image *, uint32_t room_w, uint32_t room_h, uint32_t cell_w);
/* Blend a pixel, R G B A, over a tile of one of two greys. */
struct rgb image_over_grey(const uint8_t *pixel, bool tile);
/*
 * Choose one of n rising levels by ordered dithering: of the two around a value the upper one as often as it is nearer,
 * over 4 * 4 pixels.  A value that is a level is that one everywhere.
 */
size_t	image_dither(int value, const int *levels, size_t n, uint32_t x, uint32_t y);
/* Compute the cell at x, y of a picture scaled up by times.  blocks: the terminal has half blocks. */
void	image_cell(const struct image *, uint32_t times, enum image_colours, bool blocks,
	    uint32_t x, uint32_t y, struct image_cell *);
/* Find the brightest pixel, so that terminals with few shades use all of them. */
void	image_level(struct image *);
/* Draw the picture in the middle of the area; small pictures are scaled up. */
void	image_draw(const struct image *, struct area);

enum { IMAGE_BYTES = 4 << 20 };		/* the most of an encoded picture */

/*
 * Encode a picture for columns * lines cells, small ones scaled up, in the form that the terminal takes (not PICTURE_CELLS).
 * Bytes begin anew; w and h are the cells that it covers.  False: it has more than IMAGE_BYTES; try a smaller one.
 */
bool	image_encode(const struct image *, const struct picture_how *, int columns, int lines, struct buf *bytes, int *w, int *h);

#endif
