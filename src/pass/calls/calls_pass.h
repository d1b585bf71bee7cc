/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call trees while they grow, between replaying and being laid out as columns.
 */
#ifndef PASS_CALLS_PASS_H
#define PASS_CALLS_PASS_H

#include "calls.h"

/*
 * Distinguishes sampled method traces from traced ones: at each time a sampler writes exits and then enters,
 * many records with one time.
 */
struct sampled {
	struct scratch	threads;	/* struct sampled_thread */
	uint32_t	nthreads;
	uint64_t	records, groups, odd;
	uint64_t	steps[64 * 8];	/* histogram of the steps between groups, 8 classes an octave */
	uint64_t	length[64 * 8];	/* sum of all steps of a class */
	uint64_t	nsteps;
};

#define SAMPLED_ROWS (1u << 20)		/* so many records decide */

/* Number of events that policy P1 repaired or ignored, by kind. */
struct repairs {
	uint64_t	synthetic, forced, ignored, open, action3;
};

struct call_thread {
	struct stack	stack;
	uint32_t	depth;		/* deepest stack */
	uint64_t	records, actions[4];
	uint64_t	first_wall, first_cpu;
	struct repairs	fixed;
};

struct synthetic {
	uint32_t	thread, method;
	uint64_t	wall, cpu;	/* the end; the start is 0 */
};

struct call_trees {
	struct store		*st;
	struct work		*work;
	struct replay		 replay;
	struct build		 tree;
	struct thread_stacks	 threads;	/* struct call_thread */
	ARRAY(struct synthetic)	synthetic;
	uint64_t		 nsynthetic;
	struct sampled		 sampled;
};

static inline struct call_thread *
calls_thread(const struct call_trees *c, uint32_t thread)
{
	return &SCRATCH(c->threads.rows, struct call_thread)[thread - 1];
}

/* replay.c: the number of a method, new or not. */
uint32_t replay_method(struct replay *, uint64_t raw);
bool	sampled_run(struct sampled *, const struct event_run *, bool wall, struct err *);
/* calls_threads.c: the thread table except for data from the calls, and the facts about all threads. */
bool	calls_threads(struct call_trees *, struct err *);

#endif
