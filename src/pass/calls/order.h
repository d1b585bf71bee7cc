/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks and saved spans: while they are collected, between replaying (order.c) and being laid out as columns
 * (order_out.c); then calls in time order: spans.c replays from mark to mark, window.c answers for a window
 * of time, sweep.c for many threads.
 */
#ifndef PASS_ORDER_H
#define PASS_ORDER_H

#include "calls.h"

/* A long call, or a crowd of short ones. */
struct saved {
	uint64_t	start, end, start_cpu, end_cpu;
	uint32_t	thread, parent, method, depth, crowd;
	uint32_t	row;		/* row of the enter, from 1; 0: open before the trace */
	uint32_t	id;		/* from 0, before they are sorted */
};

struct marked {
	struct thread_clock	clock;
	uint32_t		thread, block, top, floor;
};

struct order {
	struct store		*st;
	struct work		*work;
	struct replay		 replay;
	struct thread_stacks	 threads;	/* struct order_thread */
	ARRAY(struct saved)	saved;
	ARRAY(struct marked)	marks;
	ARRAY(uint64_t)	latest;	/* wall time of any thread before each block */
	uint64_t		 nsaved, nmarks, nblocks;
	uint64_t		 long_ticks;
	bool			 wall;		/* else the cpu clock orders */
};

bool	order_publish(struct order *, struct err *);

/* ---- calls of a block ------------------------------------------------------------- */

/* The events of one thread in one block become calls. */
struct chunk {
	const struct marks	*m;
	struct spans		*out;
	struct stack		*stack;		/* frame.node: 1 + place in out, or 0: open when the block begins */
	struct idmap		*index;		/* index of the stacks in the block */
	struct err		*err;
};

bool	chunk_take(struct chunk *, const struct event_run *);
/* Ends calls still open at the end of the block, at mark k: where the next mark says, or with the thread. */
void	chunk_close(struct chunk *, uint64_t k);

/* Opens the replay of spans, once. */
bool	spans_ready(struct spans *, const struct store *, struct err *);
/* Appends a stored long call or crowd. */
bool	spans_add_stored(const struct marks *, uint64_t row, struct spans *, struct err *);
/*
 * Appends stored calls that are open where row id (from 1) starts, outermost first, if they reach into the
 * time from from on.
 */
bool	spans_add_callers(const struct marks *, uint64_t id, uint64_t from, struct spans *, struct err *);
/* Appends the calls that start in chunk k. */
bool	spans_replay(const struct marks *, uint64_t k, struct spans *, struct err *);
/* The chunks whose calls can start in [from, to], k to last; a thread has one at least. */
void	marks_between(const struct marks *, uint64_t from, uint64_t to, uint64_t *k, uint64_t *last);

#endif
