/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * thread: additional threads (the first one alone gets signals) and the number of processors.
 */
#ifndef ICECORE_THREAD_H
#define ICECORE_THREAD_H

#include "icecore/base.h"

struct thread;

/* All signals are blocked in it except those of its own faults.  An errno, or 0. */
int	thread_start(struct thread **, void (*run)(void *), void *arg);
bool	thread_wait(struct thread *, uint64_t ns);	/* waits at most this long; true: it has ended */
void	thread_join(struct thread *);	/* frees it; NULL is fine */

/* The number of processors available to this process, at most 8. */
unsigned cores_count(void);
/*
 * The CPU quota of its control groups, in whole processors; 0: no limit.  groups: a file like
 * /proc/self/cgroup; mounts: where control groups are mounted, like /sys/fs/cgroup.
 */
uint64_t cores_quota(const char *groups, const char *mounts);

#endif
