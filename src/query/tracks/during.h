/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * during: what happened on a thread while rows lasted.  Rows are answered one by one, as far as the reader
 * asks.  For calls, all remaining rows are answered in one pass if that is faster.
 */
#ifndef QUERY_DURING_H
#define QUERY_DURING_H

#include "icecore/make.h"
#include "query/trace/trace.h"

enum what { DURING_CALLS, DURING_METRICS, DURING_STATES };

/* A call, track or state in the time of a row. */
struct during_item {
	uint64_t	row;		/* row of in, from 1 */
	uint64_t	start, end;	/* ns: of the call; else of the row */
	uint64_t	inside;		/* ns of the row in which it was the innermost call, or the state */
	uint64_t	length;		/* ns of the row */
	uint64_t	order;		/* rank among items of the same length: the smallest comes first */
	uint32_t	thread, depth;
	uint32_t	id;		/* method, 1 + place of the track, or state */
};

/* The time and thread of an input row. */
struct span_of_row {
	uint64_t	row, from, to;		/* ns */
	uint32_t	thread;			/* 0: all */
};

/* Calls of one thread. */
struct during_piece {
	struct spans	spans;		/* that touch from .. to */
	uint32_t	thread;		/* 0: nothing was read */
	uint64_t	from, to;	/* ticks */
	uint64_t	ahead;		/* ticks to read ahead: mean length of a piece of records */
	uint64_t	at;		/* ns: open holds the calls open at this time */
	uint64_t	next;		/* next span to visit */
	ARRAY(uint64_t)	open, inner;	/* places in spans; inner: of a row, above those */
	uint64_t	depth;
	uint64_t	read;		/* pieces read so far */
};

struct during {
	struct item_rows	 rows;		/* list of struct during_item */
	enum what		 what;
	size_t			 col[3];	/* columns of in: start_wall, wall, thread_id */
	uint64_t		 next;		/* row of in */
	struct during_piece	 calls;
	bool			 all;		/* rows are only asked for, to be answered together */
	ARRAY(struct asked_row)	asked;
	uint64_t		 nasked;
	ARRAY(struct metric)	tracks;	/* by thread */
	uint64_t		 ntracks;
	bool			 listed;	/* tracks is filled */
	struct track_index	 states;
};

/* NULL: out of memory, which the rows know. */
static inline struct during_item *
during_add(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	struct during_item item = { .row = x->row, .start = x->from, .end = x->to,
	    .length = x->to - x->from, .thread = thread };

	return item_rows_add(&d->rows, &item) ?
	    &SCRATCH(d->rows.list, struct during_item)[d->rows.n - 1] : NULL;
}

/* during_calls.c */
/* Add a call that was the innermost one on the thread for that time of a row. */
bool	during_add_call(struct during *, const struct span_of_row *, uint32_t thread, const struct span *,
    uint64_t inside, uint64_t order);
/* Join the items of the same call in a row, from item first on; sort the longest first. */
void	during_sort(struct during *, uint64_t first);
bool	during_calls(struct during *, const struct span_of_row *, uint32_t thread);
bool	during_is_slow(const struct during *);

/* during_all.c */
bool	during_ask(struct during *, const struct span_of_row *, uint32_t thread);
bool	during_answer(struct during *);

/* during_metrics.c */
bool	during_metrics(struct during *, const struct span_of_row *, uint32_t thread);

static inline uint64_t
during_ns(const struct during *d, uint64_t ticks)
{
	struct cell time;

	cell_ticks(&time, ticks, TRACE(&d->rows)->tick);
	return time.u;
}

#endif
