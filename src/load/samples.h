/*
 * samples: what all loaders of profiles make: names, distinct stacks, samples, threads, events (columns: load.h).
 */
#ifndef LOAD_SAMPLES_H
#define LOAD_SAMPLES_H

#include "icecore/load.h"

#define WEIGHT_DECIMALS 6		/* at most so many are kept */

struct samples {
	struct store	*st;
	struct work	*work;
	struct scratch	 names, own, stacks, rows, threads, events;
	struct idmap	 by_name, by_stack, by_thread;
	uint64_t	 nnames, nstacks, nsamples, nthreads, nevents, nown;
	unsigned	 decimals;	/* of the weights so far */
	bool		 times, differs;
};

struct sample {
	uint64_t	weight, before;	/* fixed-point: value * 10^decimals */
	uint64_t	time, offset;
	uint32_t	stack, thread, event;
};

bool	samples_open(struct samples *, struct store *, struct work *, struct err *);
void	samples_close(struct samples *);
/*
 * The id of a frame; text lies in the source when in_source, else it is copied.  kind: listed.kind.  0: failure.
 * Frames are the same when text and kind are.
 */
uint32_t samples_frame(struct samples *, struct str text, char kind, bool in_source, struct err *);
/* The stack that frame makes on top of parent (0: none).  0: failure. */
uint32_t samples_stack(struct samples *, uint32_t parent, uint32_t frame, struct err *);
/* The thread with those ids and that name (ref, or 0); new when any of them is. */
uint32_t samples_thread(struct samples *, uint32_t pid, uint32_t tid, struct str name, struct err *);
uint32_t samples_event(struct samples *, struct str name, enum weight_type, const char *unit, struct err *);
/* A number like 12 or 31.25, into fixed-point with the decimals so far; more decimals make all earlier weights longer. */
bool	samples_weight(struct samples *, struct str digits, uint64_t *weight, struct err *);
bool	samples_add(struct samples *, const struct sample *, struct err *);
/* Columns and facts; event 0: the first. */
bool	samples_columns(struct samples *, uint32_t event, struct err *);

#endif
