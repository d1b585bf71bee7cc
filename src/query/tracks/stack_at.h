/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stack_at: the innermost call of a thread at a time, and the one around it.
 */
#ifndef QUERY_STACK_AT_H
#define QUERY_STACK_AT_H

#include "icecore/idle.h"
#include "icecore/make.h"
#include "query/trace/trace.h"

/* Methods; 0: none. */
struct top_calls {
	uint32_t	method, caller;
	bool		idle;		/* all of the stack waits for work, if methods are known */
};

/* Reader of the stack of a thread at times that mostly rise: reads the calls of a piece of time at once. */
struct stack_at {
	const struct store	*store;
	const struct idle_methods *methods;	/* NULL: nobody asks whether stacks are idle */
	struct spans		 spans;		/* calls of one thread that touch from .. to */
	uint32_t		 thread;	/* 0: nothing was read */
	uint64_t		 from, to, ahead;	/* ticks */
	uint64_t		 tick;
	uint64_t		 at;		/* ticks: open holds the calls open at this time */
	uint64_t		 next;		/* next span to visit */
	ARRAY(uint64_t)	open;		/* places in spans */
	uint64_t		 depth;
	uint64_t		 pieces;	/* read so far */
};

/* From zeros. */
void	stack_open(struct stack_at *, const struct store *);
void	stack_close(struct stack_at *);
bool	stack_top(struct stack_at *, uint32_t thread, uint64_t ns, struct top_calls *, struct err *);
/* Return true if more pieces were read than the file has blocks: stack_tops is faster then. */
bool	stack_is_slow(const struct stack_at *);

/* A time that is asked for. */
struct stack_time {
	uint64_t	thread;
	uint64_t	at;		/* stack_ticks */
	uint64_t	row;		/* index in tops of the answer */
};

uint64_t stack_ticks(const struct stack_at *, uint64_t ns);
/* Find the tops of many threads in one pass.  Sorts the times; the caller zeroes tops. */
bool	stack_tops(const struct stack_at *, struct scratch *times, uint64_t n, struct top_calls *tops,
    struct work *, struct err *);

#endif
