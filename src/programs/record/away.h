/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * away: the longest time that each task was off its CPU, while a recording runs.
 */
#ifndef RECORD_AWAY_H
#define RECORD_AWAY_H

#include "record.h"

#define AWAY_NAME 16

struct away_task {
	uint64_t	left;		/* ns when it left the CPU; 0: unknown */
	uint64_t	longest;	/* since the last print; 0: it did not come back */
	uint32_t	pid;
	char		name[AWAY_NAME];
};

struct away {
	struct idmap	by_pid;		/* to its number in tasks, from 1 */
	struct scratch	tasks;		/* struct away_task */
	uint64_t	ntasks;
	struct buf	rest;		/* begin of a line */
};

#define AWAY_INIT ((struct away){ IDMAP_INIT, SCRATCH_INIT, 0, { NULL, 0, 0, false } })

/* The next bytes of the pipe; lines of other events are skipped. */
bool	away_take(struct away *, const char *bytes, size_t n, struct err *) MUST_USE;
/* Print the tasks that came back since the last call, the longest time first. */
bool	away_print(struct away *, struct err *) MUST_USE;
void	away_free(struct away *);

#endif
