/*
 * slice: the part of a recording between two times, in the format of the recording.
 *
 * Events outside the part are dropped.  Names, clocks, defaults, processes and threads are kept.  Events from before the part that
 * still hold at its start (a call, the task of a CPU, the value of a counter) are moved to its start, as in a view of that range.
 * Recordings of the Flight Recorder are cut between chunks.
 */
#ifndef ICECORE_SLICE_H
#define ICECORE_SLICE_H

#include "icecore/store.h"

/* Counts for messages. */
struct sliced {
	uint64_t	kept, left_out;	/* events; or samples, chunks */
	uint64_t	moved;		/* earlier events that still hold */
	uint64_t	damaged;	/* pieces that could not be read, dropped */
	uint64_t	size, written;	/* bytes of the recording, of the part */
	const char	*unit;		/* "event" */
	bool		cut;		/* the packed input is damaged */
};

struct slicing {
	struct store	*st;		/* an open file, not changed */
	uint64_t	 from, to;	/* ns since it begins; to is behind the part, as of range */
	/* Takes the bytes, one piece after the other. */
	bool		(*put)(void *arg, struct str, struct err *);
	void		*arg;
	struct sliced	*told;
	struct work	*work;
};

/* False: E_UNREADABLE, files of that format are not cut. */
bool	slice_can(const struct store *, struct err *) MUST_USE;
bool	slice_make(const struct slicing *, struct err *) MUST_USE;

#endif
