/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The manual of room calls: what views and tracks make their answers from, beside the public header pass.h.
 *
 * Replay: the records of a method trace as events, a run of one thread at a time.  Stack: what an exit that
 * does not fit means (policy P1, icecore-formats.5 "REPAIRS").  Marks: where replaying can begin.  build.h:
 * call trees while they grow.
 */
#ifndef PASS_CALLS_H
#define PASS_CALLS_H

#include "icecore/chunk.h"
#include "build.h"

/* Marks (see order.c) are set at the first record of a thread in each block of rows. */
#define BLOCK_ROWS CHUNK_OF(65536u)

struct event {
	uint64_t	wall, cpu;	/* ticks, never falling within a thread */
	uint32_t	method;		/* 0: the record names none (ACT_EXIT_TOP, ACT_UNROLL_TOP) */
	uint32_t	action;		/* enum action */
};

/* The clock of one thread: wall and cpu are the latest times, the rest is for unwrapping. */
struct thread_clock {
	uint64_t	wall, cpu;
	uint64_t	raw_wall, raw_cpu, base_wall, base_cpu, seen;
};

struct event_run {
	uint32_t		 thread, n;
	uint64_t		 row;		/* row of ev[0] */
	const struct event	*ev;
	const struct record	*rec;		/* what ev was made from */
	struct thread_clock	 before;	/* the thread's clock before ev[0] */
	uint64_t		 latest;	/* the replay's, before ev[0] */
};

struct replay_thread {
	struct thread_clock	clock;
	uint32_t		tid, wraps, backwards;
};

#define REPLAY_BATCH CHUNK_OF(512)

struct replay {
	struct records		 in;
	struct record		 rec[REPLAY_BATCH];
	struct event		 ev[REPLAY_BATCH];
	size_t			 at, n;		/* in rec */
	uint64_t		 row;		/* row of rec[at] */
	uint64_t		 end;		/* stop before this row */
	struct scratch		 threads;	/* struct replay_thread */
	struct idmap		 tids;
	uint32_t		 last_tid, last_thread, nthreads;
	ARRAY(uint32_t)	direct;	/* by raw id / 4, for small ids */
	uint64_t		 ndirect;
	struct idmap		 ids;		/* the other raw ids */
	ARRAY(uint64_t)	methods;	/* by raw id, all of them */
	uint32_t		 nmethods, nlisted;
	uint64_t		 unknown_records;
	uint64_t		 latest;	/* wall time of any thread */
	struct work		*work;
	struct err		*err;
	bool			 failed;
};

static inline struct replay_thread *
replay_thread(struct replay *r, uint32_t thread)
{
	return &SCRATCH(r->threads, struct replay_thread)[thread - 1];
}

/*
 * Threads and methods found by earlier passes keep their ids.  work: notified of the rows, may cancel; or
 * NULL.
 */
bool	replay_open(struct replay *, const struct store *, struct work *, struct err *);
void	replay_close(struct replay *);
/* The next events of one thread, not across a block; false at the end or on failure (r->failed). */
bool	replay_next(struct replay *, struct event_run *);
/* Goes to a row, to stop before another; the clocks are the caller's to restore. */
bool	replay_seek(struct replay *, uint64_t row, uint64_t end);

/* ---- stack: the open calls of one thread -------------------------------------------- */

struct frame {
	uint64_t	wall, cpu;	/* at the enter */
	uint32_t	method;
	uint32_t	node;		/* the user's */
	uint32_t	outer;		/* depth of the next outer frame of the same method, when tracked */
	uint32_t	row;		/* the user's */
};

struct stack {
	struct frame	*frame;
	size_t		 cap;
	uint32_t	 thread;
	uint32_t	 depth;
	uint32_t	 floor;		/* frames below were open before the first record */
	bool		 tracked;
};

/*
 * The index of tracked stacks: thread << 32 | method to 1 + depth of the innermost frame.  A stack is tracked
 * from its first long search on, so that a deep stack and many exits that fit nothing do not cost their
 * product.
 */
bool	stack_track_push(struct idmap *, struct stack *, struct err *);
bool	stack_track_pop(struct idmap *, struct stack *, struct err *);
/* Depth (1: outermost) of the innermost open call of method above the floor; 0: none. */
bool	stack_find(struct idmap *, struct stack *, uint32_t method, uint32_t *depth, struct err *);
void	stack_free(struct stack *);

/* Room for n more frames; stack_push does not look. */
bool	stack_reserve(struct stack *, uint32_t n, struct err *);

/* The stacks of all threads: each row, one a thread, begins with a struct stack. */
struct thread_stacks {
	struct scratch		rows;
	size_t			size;	/* bytes of a row */
	uint32_t		n;
	struct idmap		index;
};

bool	stacks_grow(struct thread_stacks *, uint32_t threads, struct err *);
/*
 * Calls that were open before the first record (known by their exits) are at the bottom of a stack, the last
 * to end outermost.
 */
bool	stacks_begin(struct thread_stacks *, const struct store *, struct err *);
void	stacks_close(struct thread_stacks *);

static inline bool
stack_push(struct idmap *x, struct stack *s, const struct event *ev, struct err *err)
{
	struct frame *f = &s->frame[s->depth++];

	f->wall = ev->wall;
	f->cpu = ev->cpu;
	f->method = ev->method;
	return !s->tracked || stack_track_push(x, s, err);
}

static inline bool
stack_pop(struct idmap *x, struct stack *s, struct err *err)
{
	s->depth--;
	return !s->tracked || stack_track_pop(x, s, err);
}

/*
 * Apply policy P1 to an event that leaves a call: *closes is the number of frames to close, the last being
 * the call that is left; 0: no frame matches, ignore the event.  Without frames above the floor, the
 * innermost call of the floor is left.
 */
static inline bool
stack_leave(struct idmap *x, struct stack *s, const struct event *ev, uint32_t *closes, struct err *err)
{
	uint32_t at = s->depth;

	if (s->depth == s->floor) {
		*closes = s->floor > 0;
		s->floor -= *closes;
		return true;
	}
	if (s->frame[at - 1].method != ev->method && ev->action < ACT_EXIT_TOP &&
	    !stack_find(x, s, ev->method, &at, err))
		return false;
	*closes = at == 0 ? 0 : s->depth - at + 1;
	return true;
}

/* ---- marks: the columns of pass "order", for one thread ----------------------------- */

struct marks {
	const struct store	*st;
	const struct column	*top, *floor, *block, *thread;
	const struct column	*clock[7], *latest, *block_mark, *list;
	const struct column	*start, *end, *start_cpu, *end_cpu, *parent, *method, *depth, *crowd, *row;
	uint32_t		 id;		/* number of the thread */
	uint64_t		 first, n;	/* range of the thread in list */
	uint64_t		 span_first, nspans;
	bool			 wall;
};

bool	marks_open(struct marks *, const struct store *, uint32_t thread, struct err *);
uint64_t mark_of(const struct marks *, uint64_t k);	/* at which chunk k of the thread begins */
uint64_t mark_time(const struct marks *, uint64_t k);	/* time of the mark of chunk k */
/* All clocks as they were at the start of a block: those of threads without a record in it do not matter. */
void	marks_clocks(const struct marks *, struct replay *, uint64_t block);
/* The stack as it was at a mark; frames have no node. */
bool	marks_stack(const struct marks *, uint64_t mark, struct stack *, struct err *);

#endif
