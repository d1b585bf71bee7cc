/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inflate: data packed by deflate, gzip, LZ4, zstd, xz or bzip2, piece by piece or as a whole in memory.
 *
 * Streams of one form may follow each other, with zeros and skippable frames between them. A window has at most
 * 128 MiB.
 */
#ifndef ICECORE_INFLATE_H
#define ICECORE_INFLATE_H

#include "icecore/base.h"

/* The last two have no mark of their own, and one stream. */
enum inflate_form {
	INFLATE_NONE, INFLATE_GZIP, INFLATE_LZ4, INFLATE_ZSTD, INFLATE_XZ, INFLATE_BZIP2,
	INFLATE_ZLIB, INFLATE_RAW, INFLATE_FORMS
};

/* Packed bytes that are enough to unpack some: a block of bzip2 has at most 900 000. */
#define INFLATE_ENOUGH ((size_t)1 << 20)

/* The form of data that begins so; INFLATE_NONE: it is not packed. */
enum inflate_form inflate_form(struct str);
/* The library that this build lacks for a form; NULL: none. */
const char *inflate_lacks(enum inflate_form);
/* A file name without ".gz", ".lz4", ".zst", ".xz" or ".bz2". */
struct str inflate_stem(struct str name);

/* Packed data and room for its content; a step moves both. */
struct inflate_step {
	const uint8_t	*in;
	size_t		 left;
	uint8_t		*to;
	size_t		 room;
};

enum inflate_end {
	INFLATE_MORE,		/* not all of the data is unpacked */
	INFLATE_END,
	INFLATE_DAMAGED,	/* or cut */
	INFLATE_WIDE,		/* the window is larger than allowed */
	INFLATE_STARVED		/* out of memory */
};

struct inflating;

/* NULL: out of memory, or the library is lacking. */
struct inflating *inflate_open(enum inflate_form) MUST_USE;
/* One step, which takes a short time; left is all of the rest of the data. */
enum inflate_end inflate_some(struct inflating *, struct inflate_step *) MUST_USE;
void	inflate_close(struct inflating *);	/* or NULL */

/* The result begins as zeros and may be used again; the caller frees data. */
struct inflated {
	uint8_t		*data;
	size_t		 n, cap;
	uint64_t	 used;		/* bytes of the packed data */
};

/*
 * Unpack the data from its start; guess: its unpacked size, or less.  False: only a part was unpacked,
 * because the data is damaged or longer than most, or memory ran out (mem_refused).  That part is then in
 * the result.
 */
bool	inflate_all(struct str packed, enum inflate_form, size_t guess, size_t most, struct inflated *);

#endif
