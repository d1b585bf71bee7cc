/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/pass/dumps: rows of stack dumps, which may come from a damaged index: every number is
 * checked.
 */
#ifndef PASS_DUMPS_H
#define PASS_DUMPS_H

#include "icecore/dumps.h"
#include "icecore/make.h"

/* The threads of one dump: rows from .. to - 1 of dumped.*, from 1. */
struct dump_rows {
	uint64_t	from, to;
};

/*
 * The rows of a dump, for dumps in rising order, from 1; *done: rows of earlier dumps, 1 at first.  Empty if
 * rows overlap or are missing.
 */
struct dump_rows dump_rows_next(const struct store *, uint64_t dump, uint64_t *done);
/* The thread that holds what row wants, in the same dump; 0: unknown. */
uint64_t dump_holder(const struct store *, struct dump_rows, uint64_t row);

/* A lock without a known holder in all dumps: its class and address. */
uint64_t series_lock_key(const struct store *, uint64_t lock);

/* The waits of threads for threads. */
struct dump_waits {
	const struct store	*st;
	struct work		*work;
	uint64_t		 n;		/* rows of dumped.* */
	ARRAY(uint32_t)	parent;	/* by row: the thread it waits for; 0: none, or it begins a circle */
	ARRAY(uint32_t)	behind;	/* by row: threads below it */
	ARRAY(uint32_t)	circle;	/* by row: number of its deadlock in the dump; 0: none */
	ARRAY(uint32_t)	roots;		/* first threads of the circles, in order */
	uint64_t		 nroots;
};

bool	circles_find(struct dump_waits *, struct err *);	/* fills parent, circle and roots */
bool	circles_columns(struct dump_waits *, struct store *, struct err *);

#endif
