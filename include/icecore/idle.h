/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idle: the only rules for what is idle: a stack whose thread waits for work, a thread that does next to
 * nothing else, and a sleep that says nothing, however long it is.
 */
#ifndef ICECORE_IDLE_H
#define ICECORE_IDLE_H

#include "icecore/pass.h"
#include "icecore/runtime.h"

/* By method, from 1: enum runtime; IDLE_PROGRAM: a function of the program. */
#define IDLE_PROGRAM (1u << 31)
struct idle_methods {
	ARRAY(uint32_t)	is;
	uint64_t	n;
};

/* Looks at the names of all methods once.  idle_methods_close frees what it found. */
bool	idle_methods_open(struct idle_methods *, const struct store *, struct work *, struct err *);
void	idle_methods_close(struct idle_methods *);
/* A frame of the program, or one in which its threads begin. */
bool	idle_is_own(const struct idle_methods *, uint64_t method);
/* The function fails, as panic of Go does: what it calls, such as deferred functions, says less than its caller. */
bool	idle_raises(const struct idle_methods *, uint64_t method);

/*
 * A stack is idle if one of its innermost frames waits for work; or if its thread waits for anything, and no
 * frame of the program is below.  A wait for a lock is not idle.  parent, method: columns of rows of frames,
 * parents first; at: the innermost frame, 0: none.  Parents that come later count as none.
 */
bool	idle_stack(const struct idle_methods *, const struct column *parent, const struct column *method,
    uint64_t at);
/* The same for a stack that is no row of columns: its frames from the innermost one on, until false is returned. */
struct idle_look {
	unsigned	top, all, n;	/* from zeros */
};
bool	idle_look_on(const struct idle_methods *, struct idle_look *, uint64_t method);
bool	idle_look_says(const struct idle_look *);

/* From the first record of any thread to the last, in ticks. */
uint64_t threads_elapsed(const struct store *);

/* Times of a thread, in one unit. */
struct idle_times {
	uint64_t	whole;		/* time of the file */
	uint64_t	run;		/* on a CPU */
	uint64_t	blocked;	/* the longest wait for a CPU, the disk, or a lock, ns */
	bool		stacks;		/* the next two are known */
	uint64_t	wall, idle;	/* in its calls; in idle stacks */
};

/*
 * A thread is idle if it hardly ran and never had to wait for what it ran on.  Where stacks are known, they
 * prove that it waited for work, and it may run for longer.
 */
bool	idle_thread(const struct idle_times *);
/* Such threads, in words. */
#define IDLE_BY_STACKS "under 1% CPU, 95% of the time waiting for work"
#define IDLE_BY_TIMES "under 0.1% CPU, never waited 1 ms for a CPU, disk or lock"
/* A sleep for over half of the life of a thread, and what else the thread did, in one unit. */
struct idle_sleep {
	uint64_t	length, life, run;
	uint64_t	others, longest;	/* its other sleeps: how many, and the longest of them */
	bool		last;			/* the file ends in it */
};

/*
 * A thread waits again and again for work, and a sleep of it is one time of many.  One that is far longer than all of
 * many others is none of them: the thread hangs, however little it runs and however long the rest is.
 */
bool	idle_sleep_hangs(const struct idle_sleep *);
/*
 * Of a sleep that does not hang by its others: a thread that hardly ran in the rest waits for work.  One that was busy
 * until it slept so long hangs, but to the end of the file it may have done its work.
 */
bool	idle_sleep(const struct idle_sleep *);

#endif
