/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sampled: profiles whose samples have times, in order of time: CPU time of each thread over time, and its
 * stacks.  If the profile has events of CPU time, these are used, otherwise those of the wall clock.
 */
#ifndef ICECORE_SAMPLED_H
#define ICECORE_SAMPLED_H

#include "icecore/track.h"

bool	sampled_has(const struct store *);	/* the profile has such samples: pass sampled can run */
/*
 * The CPU use of a thread as a track of TRACK_CPU; needs column sampled.first. False: the thread has no
 * such samples.
 */
bool	sampled_track(const struct store *, uint32_t thread, struct track *);
/*
 * The frames of a thread that were sampled in [from, to] (ns), as calls: frames in consecutive samples
 * without a gap are one.  If there are more than SAMPLED_MOST samples, only every nth one is read; if their
 * stacks are so deep and different that it would take long, the last ones are omitted.  Needs columns
 * sampled.first and sample.*.
 */
enum { SAMPLED_MOST = 2048, SAMPLED_DEPTH = 1024 };	/* frames further in are left out */
bool	sampled_spans(const struct store *, uint32_t thread, uint64_t from, uint64_t to, struct spans *,
    struct err *) MUST_USE;

#endif
