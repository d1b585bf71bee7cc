/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy: what the administrator of this machine allows, from a file that only root can write.  Belongs to
 * layer os.
 *
 * Every program of icecore reads it first, and does not run if it is damaged or not safe.  Options may ask
 * for less than it allows, never for more.  It holds this program; it does not hold a user who can run a
 * program of their own.
 */
#ifndef ICECORE_POLICY_H
#define ICECORE_POLICY_H

#include <stdio.h>

#include "icecore/base.h"

struct policy {
	bool		 given;			/* there is a file */
	bool		 no_run, no_record, sandbox;	/* sandbox: it is required, whole */
	uint64_t	 memory, time, unpacked;	/* bytes, ns, bytes; 0: no limit */
	struct buf	 formats;		/* "|jfr|hprof|": names of loaders; empty: all */
};

/*
 * known: whether a loader has that name.  Without a file: everything is allowed.  False: E_SYSTEM; nothing
 * should run.
 */
bool	policy_begin(bool (*known)(struct str), struct err *) MUST_USE;
const struct policy *policy_now(void);
void	policy_print(FILE *);		/* the policy in force, in the form of the file */

#define POLICY_SYMBOLS "symbols"	/* files with names of functions of a profile, as a format */

/* Whether it allows this; otherwise E_USAGE, with its path. */
bool	policy_format(const char *loader, struct err *);
bool	policy_run(const char *program, struct err *);	/* start another program */
bool	policy_record(struct err *);
/* The smaller limit; 0: none. */
uint64_t policy_least(uint64_t of_policy, uint64_t asked);

/* ---- for tests: a policy from a text, and from a file --------------------------------- */

/* known: whether a word is the name of a format.  path is for messages. */
bool	policy_read(struct policy *, struct str text, const char *path, bool (*known)(struct str),
    struct err *) MUST_USE;
/*
 * Read it if it is safe: a regular file of root, not writable by others, in such a directory.  Missing: p
 * is unchanged.
 */
bool	policy_open(struct policy *, const char *path, bool (*known)(struct str), struct err *) MUST_USE;

#endif
