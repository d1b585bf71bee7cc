/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* live: scheduler text while it is written. */
#ifndef ICECORE_LIVE_H
#define ICECORE_LIVE_H

#include "icecore/store.h"

/*
 * Reads a pipe in bounded memory: sums for each task and CPU, and the last switches and wakeups.  On one
 * thread at a time.
 */
struct live;

/*
 * Reads the first bytes of fd, however long they take.  Scheduler text: *live reads fd from then on, which
 * it closes in the end.  Anything else: *live is NULL, all of it is in a file without a name that has taken
 * the place of fd.
 */
bool	live_open(struct live **live, int fd, struct work *, struct err *) MUST_USE;
/* Takes available data, and more for at most wait_ms; *end: the input ended. */
bool	live_read(struct live *, unsigned wait_ms, bool *end, struct work *, struct err *) MUST_USE;
/*
 * The present state as a store in memory, the caller's: columns and facts of a scheduler trace of which only
 * the last switches are there, and those of pass tasks about all of them (p50, p99 and p99_delay to within
 * 6 %).
 */
bool	live_store(const struct live *, struct store **, struct err *) MUST_USE;
void	live_close(struct live *);	/* NULL is fine */

#endif
