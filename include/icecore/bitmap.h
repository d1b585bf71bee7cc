/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bitmap: the android.graphics.Bitmap objects of a heap dump and their pixels.
 * Belongs to layer pass.
 *
 * Facts: Bitmap.java and Bitmap.cpp of the Android platform, by API level; Debug.dumpHprofData
 * with a format (API 35) for the images that the dump itself carries.
 */
#ifndef ICECORE_BITMAP_H
#define ICECORE_BITMAP_H

#include "icecore/values.h"

/*
 * Pixel formats.  The dump does not record the format: it follows from the bytes per pixel.  It is guessed
 * for two bytes per pixel, and for buffers larger than the pixels need.
 */
enum bitmap_format {
	BITMAP_UNKNOWN, BITMAP_ARGB_8888, BITMAP_RGB_565, BITMAP_ARGB_4444, BITMAP_ALPHA_8,
	BITMAP_RGBA_F16, BITMAP_FORMATS
};
extern const char *const bitmap_format_names[BITMAP_FORMATS];	/* "unknown" "ARGB_8888" ... */

/* Pixel storage. */
enum bitmap_place {
	BITMAP_NOWHERE,		/* recycled, or it never had any */
	BITMAP_JAVA,		/* mBuffer, a byte[] */
	BITMAP_DUMPED,		/* native, but the dump contains a compressed image of it */
	BITMAP_NATIVE,		/* native, not in the dump */
	BITMAP_PLACES
};
extern const char *const bitmap_place_names[BITMAP_PLACES];	/* "none" "java" "dump" "native" */

/* Kind of the bytes in the dump. */
enum bitmap_image { IMAGE_NONE, IMAGE_PIXELS, IMAGE_PNG, IMAGE_JPEG, IMAGE_WEBP };

/* A plain value: nothing to free; data points into the source. */
struct bitmap {
	uint32_t		 object;
	uint32_t		 width, height;	/* 0: unknown, or absurd (more than BITMAP_SIDE) */
	enum bitmap_format	 format;
	unsigned		 sure;		/* confidence in format, percent; 100: not guessed */
	enum bitmap_place	 place;
	bool			 recycled, premultiplied;
	bool			 estimated;	/* bytes is width * height * 4, for want of better */
	uint64_t		 bytes;		/* bytes of the pixels, in the Java heap or native */
	uint32_t		 stride;	/* bytes of a row; 0: unknown */
	uint32_t		 buffer;	/* the byte[] with data; 0: none */
	uint64_t		 native;	/* native address of the bitmap, 0: none */
	enum bitmap_image	 image;
	/* Pixels or compressed image; IMAGE_NONE: data of another kind; NULL: none. */
	const uint8_t		*data;
	uint64_t		 size;		/* size of data */
	/* Why no pixels can be shown: "recycled", "the pixels are native memory"; or NULL. */
	const char		*lack;
};

#define BITMAP_SIDE 65536u		/* pixels; a larger width or height is absurd */
#define BITMAP_PIXELS (1u << 28)	/* at most width * height of the decoded image */

/* All bitmaps of a heap, and their common data. */
struct bitmaps;

/* Needs pass "objects" and "natives".  Goes through the classes of all objects once. */
bool	 bitmaps_open(struct bitmaps **, const struct heap *, struct work *, struct err *);
void	 bitmaps_close(struct bitmaps *);	/* NULL is fine */
uint32_t bitmaps_count(const struct bitmaps *);
uint32_t bitmaps_object(const struct bitmaps *, uint32_t i);	/* the ith, from 0, by rising number */
/* The i of an object; bitmaps_count: it is not a Bitmap. */
uint32_t bitmaps_row(const struct bitmaps *, uint32_t object);
/* False: the object is not a Bitmap. */
bool	 bitmap_get(const struct bitmaps *, uint32_t object, struct bitmap *);
/* Reads the pixels as another format; false where their bytes are not enough for it. */
bool	 bitmap_choose(struct bitmap *, enum bitmap_format);

/* ---- equal ones ------------------------------------------------------------------ */

struct bitmap_twins {
	uint32_t	first;		/* the lowest of the equal ones, itself if it is unique */
	uint32_t	copies;		/* bitmaps with equal sides, format and bytes; 1: no other */
	uint64_t	hash;		/* hash of sides, format and bytes; 0: no data */
	/* A bitmap with a lower number has the same array, so this one wastes nothing. */
	bool		shares;
};

/* Reads the bytes of all once, on the first call. */
bool	 bitmap_twins(struct bitmaps *, uint32_t object, struct bitmap_twins *, struct work *,
	    struct err *);

/* ---- pixels ------------------------------------------------------------------------ */

/* Reads row after row, from the top, as R G B A bytes, not premultiplied. */
struct bitmap_reader;

/* Fails with the reason if the image cannot be decoded (JPEG and WebP are not) or is damaged. */
bool	 bitmap_reader_open(struct bitmap_reader **, const struct bitmap *, struct err *);
/* The next row: 4 * width bytes. */
bool	 bitmap_reader_next(struct bitmap_reader *, uint8_t *rgba, struct err *);
void	 bitmap_reader_close(struct bitmap_reader *);
/* The whole image made w * h small (each at least 1, at most its side): means over areas, 4 * w * h bytes. */
bool	 bitmap_shrink(const struct bitmap *, uint32_t w, uint32_t h, uint8_t *rgba,
	    struct work *, struct err *);

#endif
