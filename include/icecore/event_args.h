/*
 * event_args: all that the args of a trace event say, read from the file where they stand.
 */
#ifndef ICECORE_EVENT_ARGS_H
#define ICECORE_EVENT_ARGS_H

#include "icecore/store.h"

#define ARGS_DEPTH 64u		/* what lies deeper is told as it stands in the file */

/* One of them, or of what is in one. */
struct event_arg {
	unsigned	 depth;		/* in so many others, which were told before */
	struct str	 name;		/* of an item of an array "[3]" */
	struct str	 value;		/* without escapes; of what has others in it nothing */
};

/*
 * Tells the args of a call by the row of its enter (struct span), in the order of the file.  Those of its end are added to those of its
 * begin, and win.  False: there are more, but that is as much as anybody reads.
 */
bool	event_args(const struct store *, uint64_t row, void (*tell)(void *, const struct event_arg *), void *);

#endif
