/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
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
};

struct bitmaps {
	struct heap	 h;
	struct members	 members;
	ARRAY(uint32_t)	list;		/* the bitmaps, rising */
	uint64_t	 n;
	ARRAY(struct dumped)	dumped;	/* by address; if there are several for one bitmap, the first is used */
	uint64_t	 ndumped;
	ARRAY(struct bitmap_twins)	twins;		/* for each of list, once twins_known */
	bool		 twins_known;
};

/* Bytes of a pixel; 0: BITMAP_UNKNOWN. */
unsigned bitmap_pixel(enum bitmap_format);
/*
 * Guesses the format of the pixels: bytes in all, of which data has at least one per pixel.  late: the dump
 * is of Android 4.4 or later, which rarely creates ARGB_4444.
 */
enum bitmap_format bitmap_guess(const struct bitmap *, bool late, unsigned *sure);

#endif
