/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/programs/fleet: the process that reads one dump.
 */
#ifndef CHILD_H
#define CHILD_H

#include "fleet.h"

struct child {
	pid_t		 pid;		/* 0: none */
	int		 out, err;	/* pipes; -1: closed */
	struct buf	 said, told;	/* from standard output and standard error */
	uint64_t	 name;		/* index in struct path_list */
	struct ident	 ident;
	unsigned	 attempt;
	struct run_limits limits;
	uint64_t	 since, killed;	/* ns; killed 0: no signal was sent */
	bool		 late, loud;	/* timed out; too much output */
};

bool	child_start(struct child *, const struct fleet_options *, const char *name, struct err *) MUST_USE;
void	child_read(struct child *, bool out);
/* Send SIGTERM to a child that is out of time, and SIGKILL after a grace period. */
void	child_check(struct child *, uint64_t now);
/* Take the rows of a child that has ended; false: *runs, or no child can be started (see err). */
bool	child_take(struct child *, const struct fleet_options *, const char *name, struct triage_block *,
    bool *runs, struct err *)
    MUST_USE;
void	child_kill(struct child *);

#endif
