/*
 * sampled: profiles whose samples have times, in the order of time: how much CPU time each thread had when, and its stacks.
 * Of the events of a profile those of CPU time count, else those of the wall clock.
 */
#ifndef ICECORE_SAMPLED_H
#define ICECORE_SAMPLED_H

#include "icecore/track.h"

bool	sampled_has(const struct store *);	/* the profile has such samples: pass sampled can run */
/* The CPU use of a thread as a track of TRACK_CPU; needs column sampled.first.  False: the thread has no such samples. */
bool	sampled_track(const struct store *, uint32_t thread, struct track *);
/*
 * The frames of a thread that were sampled in [from, to] (ns), as calls: frames that follow each other in samples without a gap
 * are one.  Where there are more than SAMPLED_MOST samples only every nth one is read, and where their stacks are so deep and so
 * different that it would take long the last ones are left out.  Needs columns sampled.first and sample.*.
 */
enum { SAMPLED_MOST = 2048, SAMPLED_DEPTH = 1024 };	/* frames further in are left out */
bool	sampled_spans(const struct store *, uint32_t thread, uint64_t from, uint64_t to, struct spans *, struct err *) MUST_USE;

#endif
