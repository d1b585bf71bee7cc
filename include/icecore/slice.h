/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slice: the part of a recording between two times, in the format of the recording.
 *
 * Events outside the part are dropped.  Names, clocks, defaults, processes and threads are kept.  Some
 * events from before the part still apply at its start: open calls, the task of each CPU, values of
 * counters.  They are moved to the start, as in a view of that range.  Flight Recorder files are cut
 * between chunks.
 */
#ifndef ICECORE_SLICE_H
#define ICECORE_SLICE_H

#include "icecore/store.h"

/* Counts for messages. */
struct sliced {
	uint64_t	kept, left_out;	/* in the unit below */
	uint64_t	moved;		/* earlier events moved to the start */
	uint64_t	damaged;	/* unreadable pieces, dropped */
	uint64_t	tail;		/* bytes of an incomplete line at the end, dropped */
	uint64_t	size, written;	/* bytes of the recording, and of the part */
	const char	*unit;		/* singular, such as "event", "sample" or "chunk" */
	bool		cut;		/* the compressed input is truncated or damaged */
};

struct slicing {
	struct store	*st;		/* an open file; it is not changed */
	uint64_t	 from, to;	/* ns since the start of the file; to is excluded, as in range */
	/* Called with the output, one piece after another. */
	bool		(*put)(void *arg, struct str, struct err *);
	void		*arg;
	struct sliced	*counts;
	struct work	*work;
};

/* False: E_UNREADABLE, files of that format cannot be cut. */
bool	slice_can(const struct store *, struct err *) MUST_USE;
bool	slice_make(const struct slicing *, struct err *) MUST_USE;

#endif
