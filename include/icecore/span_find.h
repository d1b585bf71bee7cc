/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * span_find: calls that begin in some blocks of records, found without reading the others.  Belongs to layer
 * pass.
 */
#ifndef ICECORE_SPAN_FIND_H
#define ICECORE_SPAN_FIND_H

#include "icecore/pass.h"

/*
 * The calls of all threads that begin in some blocks of records, in the order of the blocks.  wants decides
 * about each block (records row to end - 1, from 0) before it is read.  Ends after a block of which take got
 * calls, which may be others than wanted; *block: the next one, at first 0; UINT64_MAX: there is none.
 */
struct span_find {
	struct work	*work;
	bool		(*wants)(void *arg, uint64_t row, uint64_t end, bool *yes, struct err *);
	bool		(*take)(void *arg, const struct span *, uint32_t thread, struct err *);
	void		*arg;
};
bool	spans_find(const struct store *, const struct span_find *, uint64_t *block, struct err *) MUST_USE;

#endif
