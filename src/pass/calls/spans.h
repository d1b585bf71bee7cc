/*
 * Calls in time order: spans.c replays from mark to mark, window.c answers
 * for a window of time.
 */
#ifndef PASS_SPANS_H
#define PASS_SPANS_H

#include "replay.h"

/* The columns of pass "order", for one thread. */
struct marks {
	const struct store	*st;
	const struct column	*top, *floor, *block, *thread;
	const struct column	*clock[7];
	const struct column	*latest, *block_mark, *list;
	const struct column	*start, *end, *start_cpu, *end_cpu, *parent,
	    *method, *depth, *crowd, *row;
	uint32_t		 id;		/* of the thread */
	uint64_t		 first, n;	/* its part of list */
	uint64_t		 span_first, nspans;
	bool			 wall;
};

bool	marks_open(struct marks *, const struct store *, uint32_t thread, struct err *);

/* The mark at which chunk k of the thread begins. */
static inline uint64_t
mark_of(const struct marks *m, uint64_t k)
{
	return column_get(m->list, m->first + k);
}

static inline uint64_t
mark_time(const struct marks *m, uint64_t k)
{
	return column_get(m->clock[m->wall ? 0 : 1], mark_of(m, k));
}

/* When chunk k of the thread ends: the last record in it. */
uint64_t marks_end(const struct marks *, uint64_t k);
/* All clocks as they were at the begin of a block: those of threads that have no record in it do not matter. */
void	marks_clocks(const struct marks *, struct replay *, uint64_t block);
/* The stack as it was at a mark; frames have no node. */
bool	marks_stack(const struct marks *, uint64_t mark, struct stack *, struct err *);

/* Appends a stored long call or crowd. */
bool	spans_add_stored(const struct marks *, uint64_t row, struct spans *, struct err *);
/* Appends the calls that start in chunk k. */
bool	spans_replay(const struct marks *, uint64_t k, struct spans *, struct err *);

#endif
