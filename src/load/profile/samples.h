/*
 * samples: what all loaders of profiles make: names, distinct stacks, samples, threads, events (columns: load.h).
 */
#ifndef LOAD_SAMPLES_H
#define LOAD_SAMPLES_H

#include "icecore/load.h"

#define WEIGHT_DECIMALS 6		/* at most so many are kept */
#define WEIGHT_MOST ((uint64_t)INT64_MAX)	/* all weights of an event together; what differs must fit too */

/* Texts that do not lie in the source, each with its NUL; places from 1. */
struct own_text {
	struct scratch	 bytes;
	uint64_t	 n;
};

struct samples {
	struct store	*st;
	struct work	*work;
	const char	*source;
	uint64_t	 source_size;
	struct scratch	 names, stacks, rows, threads, events;
	struct own_text	 own, event_text;
	struct idmap	 by_name, by_stack, by_thread, by_event;
	uint64_t	 nnames, nstacks, nsamples, nthreads, nevents;
	uint64_t	 secret[2];	/* of the hash of names */
	uint64_t	 rounded, saturated;	/* weights that lost decimals, that were too large */
	uint32_t	 no_frame;	/* stack of samples without any, or 0 */
	unsigned	 decimals;	/* of the weights so far */
	bool		 times, differs;	/* samples have their time, their weight before */
};

struct sample {
	uint64_t	weight, before;	/* fixed-point: value * 10^decimals */
	uint64_t	time, offset;	/* ns on any clock; where its text begins */
	uint32_t	stack, thread, event;
};

/* Rows of the tables, for samples_out.c; own: place of a text of our own, 0: the ref counts. */
struct sample_name {
	uint64_t	ref, file;
	uint32_t	own, file_own;
	char		kind;
};

struct sample_stack {
	uint32_t	parent, frame;
	uint32_t	child;		/* the first one; the others are in by_stack */
};

struct sample_thread {
	uint64_t	ref;
	uint32_t	own, pid, tid;
};

struct sample_event {
	uint64_t	ref;
	uint32_t	own, unit;
	enum weight_type type;
	uint64_t	samples, weight, before;
};

bool	samples_open(struct samples *, struct store *, struct work *, struct err *);
void	samples_close(struct samples *);
/*
 * The id of a frame; text lies in the source when in_source, else it is copied.  kind: listed.kind.  0: failure.
 * Frames are the same when text and kind are.
 */
uint32_t samples_frame(struct samples *, struct str text, char kind, bool in_source, struct err *);
/* The same for a function of a file: those of one name in different files are different. */
uint32_t samples_function(struct samples *, struct str name, struct str file, struct err *);
/* The stack that frame makes on top of parent (0: none).  0: failure. */
uint32_t samples_stack(struct samples *, uint32_t parent, uint32_t frame, struct err *);
/* The thread with those ids and that name (may be empty); new when any of them is. */
uint32_t samples_thread(struct samples *, uint32_t pid, uint32_t tid, struct str name, struct err *);
/* unit: what one is called; of times "ns", "us", "ms" or "s", which says how long it is. */
uint32_t samples_event(struct samples *, struct str name, enum weight_type, const char *unit, struct err *);
/*
 * A number like 12 or 31.25, into fixed-point with the decimals so far; more decimals make all earlier weights longer, also
 * those that were not added yet: these must then be read again.
 */
bool	samples_weight(struct samples *, struct str digits, uint64_t *weight, struct err *);
/* stack 0: a sample without frames, which gets one with an empty name.  thread and event are ids that exist. */
bool	samples_add(struct samples *, const struct sample *, struct err *);
/* Columns and facts; event 0: the first. */
bool	samples_columns(struct samples *, uint32_t event, struct err *);

/* A thread as profilers tell it; name may be empty. */
struct thread_told {
	uint32_t	pid, tid;	/* 0: not told */
	struct str	name;
};

/*
 * Takes the frames that name a process or a thread from the front of a folded stack: "[name tid=1]" (async-profiler), "thread (1): name",
 * "process 1:"command"" (py-spy), "P1;T2" (Austin); or the name of a profile: "Thread 1 "name"".  False: there are none.
 */
bool	thread_told(struct str *stack, struct thread_told *);

#endif
