/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paths: sums by path, made by paths.c from records, and converted by paths_out.c to samples.
 */
#ifndef LOAD_TABLE_PATHS_H
#define LOAD_TABLE_PATHS_H

#include "table.h"

typedef unsigned __int128 wide;

/* Sums of one weight of a path. in: values >= 0; out: negative values without their sign. */
struct tally {
	wide		in, out;
	uint64_t	nin, nout;
};

struct path_row {
	uint64_t	time, offset, records;
	uint32_t	stack;
};

/* The element of a part in the previous record. */
struct last {
	struct buf	text;
	uint32_t	stack;		/* the stack up to it; 0: unknown */
};

struct paths {
	struct load	*l;
	struct samples	 s;
	struct sheet_reader r;
	struct scratch	 row, tally, of_stack;	/* of_stack: u32, the last row of a stack, from 1 */
	uint64_t	 nrows;
	unsigned	 decimals;
	struct tally	 total[WEIGHTS_MOST];
	uint64_t	 records;
	struct last	 last[PATH_PARTS];
	struct buf	 text;
};

/* 10^n */
static inline wide
wide_power(unsigned n)
{
	wide v = 1;

	while (n-- > 0)
		v *= 10;
	return v;
}

bool	paths_out(struct paths *, struct err *);

#endif
