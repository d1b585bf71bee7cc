/*
 * Private to src/pass: what the files of bitmap.h share.
 */
#ifndef PASS_BITMAPS_H
#define PASS_BITMAPS_H

#include "icecore/bitmap.h"
#include "pass/heap/heap.h"

/* An image that the dump carries. */
struct dumped {
	uint64_t	native;		/* address of the bitmap it is of */
	uint32_t	buffer;		/* the byte[] */
	uint32_t	order;		/* of several for one address the first is meant */
};

struct bitmaps {
	struct heap	 h;
	struct members	 members;
	struct scratch	 list;		/* u32: the bitmaps, rising */
	uint32_t	 n;
	struct scratch	 dumped;	/* struct dumped, by address, then order */
	uint64_t	 ndumped;
	struct scratch	 twins;		/* struct bitmap_twins for each of list, once twins_known */
	bool		 twins_known;
};

/* Images that the dump itself carries, into b->dumped: bitmap_dumped.c. */
bool	dumped_open(struct bitmaps *, struct err *);
/* Fills image, data, size, buffer and lack from the image that is really of this bitmap; false: there is none. */
bool	dumped_find(const struct bitmaps *, struct bitmap *);

/* Bytes of a pixel; 0: BITMAP_UNKNOWN. */
unsigned bitmap_pixel(enum bitmap_format);
/*
 * What the pixels are, of which there is at least a byte each in data, bytes in all.  late: of Android 4.4 or
 * later, which hardly makes ARGB_4444 any more.
 */
enum bitmap_format bitmap_guess(const struct bitmap *, bool late, unsigned *sure);

/* ---- decoding ------------------------------------------------------------------- */

struct png_image;

struct bitmap_reader {
	struct bitmap	 bitmap;
	uint32_t	 row;		/* the next one */
	struct png_image *png;		/* NULL: plain pixels */
	uint64_t	 inverse[256];	/* of each alpha: undo_multiply tells */
};

/* PNG by libpng: bitmap_png.c.  Its sides must be width and height. */
bool	png_image_open(struct png_image **, const uint8_t *data, uint64_t size, uint32_t width,
	    uint32_t height, struct err *);
bool	png_image_next(struct png_image *, uint8_t *rgba, struct err *);
void	png_image_close(struct png_image *);	/* NULL is fine */

#endif
