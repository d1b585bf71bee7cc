/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files of the scheduler text loader: the tables built from lines.
 */
#ifndef LOAD_SCHED_H
#define LOAD_SCHED_H

#include <assert.h>
#include <string.h>

#include "icecore/sched.h"
#include "icecore/make.h"
#include "line.h"

/* ---- threads ----------------------------------------------------------------- */

#define TIDS_DIRECT (1u << 22)		/* most tids of Linux; larger ones are in a map */

#define NAME_START 16		/* kernel task names are shorter */

/* A task: a cache line in size. */
struct sched_thread {
	uint32_t	tid, pid;
	struct str	name;
	char		start[NAME_START];	/* start of name, for fast comparison */
	uint32_t	earlier;	/* the previous name, in names; 0: none */
	uint32_t	depth;		/* open calls of marks, which the loader counts */
	uint32_t	left, unseen;	/* during the count of switches: as sched_alone */
	bool		ended;		/* the task ended: its id may be used again */
	bool		named;		/* a payload named it, not only line prefixes */
	bool		away;		/* during the count of switches: it left a CPU */
};

struct sched_earlier {
	struct str	name;
	uint32_t	before;
};

/* Empty if all zeros. */
struct sched_threads {
	struct scratch	threads;	/* struct sched_thread */
	struct scratch	direct;		/* u32 by tid */
	struct idmap	others;
	struct scratch	names;		/* struct sched_earlier */
	uint64_t	nthreads, ndirect, nnames, renames, reused;
	bool		idles;		/* the idle task leaves: a recording of all tasks */
};

void	sched_threads_close(struct sched_threads *);
uint32_t sched_thread_new(struct sched_threads *, uint32_t tid, struct err *);
bool	sched_thread_rename(struct sched_threads *, uint32_t thread, struct str name, struct err *);
/*
 * Count a switch that was read in order; then the tasks whose waits are unknown for other reasons than lost
 * events.
 */
void	sched_threads_switch(struct sched_threads *, uint32_t from, uint32_t to);
uint64_t sched_threads_alone(const struct sched_threads *);
/* listed.tid, listed.pid, listed.thread, listed.before, listed.earlier; names are in text. */
bool	sched_threads_columns(const struct sched_threads *, struct store *, const char *text, struct err *);

static inline struct sched_thread *
sched_thread_at(const struct sched_threads *t, uint32_t thread)
{
	assert(thread != 0 && thread <= t->nthreads);
	return &SCRATCH(t->threads, struct sched_thread)[thread - 1];
}

/* 0: there is none. */
static inline uint32_t
sched_thread_known(const struct sched_threads *t, uint32_t tid)
{
	return tid < t->ndirect ? SCRATCH(t->direct, uint32_t)[tid] : tid < TIDS_DIRECT ? 0 :
	    idmap_get(&t->others, tid);
}

/* 0: failure; tid is not 0. */
static inline uint32_t
sched_thread_of(struct sched_threads *t, uint32_t tid, struct err *err)
{
	uint32_t n = tid < t->ndirect ? SCRATCH(t->direct, uint32_t)[tid] : 0;

	assert(tid != 0);
	return n != 0 ? n : sched_thread_new(t, tid, err);
}

/* Return whether two texts of n bytes are equal, 8 <= n <= 16, without a call. */
static inline bool
sched_same(const char *a, const char *b, size_t n)
{
	assert(n >= 8 && n <= 16);
	return memcmp(a, b, 8) == 0 && memcmp(a + n - 8, b + n - 8, 8) == 0;
}

static inline bool
sched_thread_is(const struct sched_thread *t, struct str name)
{
	if (name.n != t->name.n)
		return false;
	if (name.n - 8 <= NAME_START - 8)
		return sched_same(t->start, name.s, name.n);
	return memcmp(name.n < 8 ? t->start : t->name.s, name.s, name.n) == 0;
}

/* Note that a thread leaves a CPU.  The line names its process and shows whether it ends. */
static inline void
sched_thread_left(struct sched_thread *t, const struct sched_line *l)
{
	if (l->pid != 0 && l->tid == l->from)
		t->pid = l->pid;
	t->ended = t->ended || sched_ended(l->state);
}

/*
 * A new task is a thread of the process of its maker, or the main thread of a new process.  maker 0:
 * unknown.
 */
static inline void
sched_thread_made(const struct sched_threads *t, const struct sched_line *l, uint32_t maker, uint32_t new)
{
	struct sched_thread *th = sched_thread_at(t, new);

	if ((l->value & CLONE_THREAD) == 0)
		th->pid = l->to;
	else if (th->pid == 0 && maker != 0)
		th->pid = sched_thread_at(t, maker)->pid;
}

/* Name a thread as a payload does; an empty name is ignored. */
static inline bool
sched_thread_named(struct sched_threads *t, uint32_t thread, struct str name, struct err *err)
{
	struct sched_thread *th = sched_thread_at(t, thread);

	if (name.n == 0)
		return true;
	if (!th->named)
		th->name.n = 0;
	th->named = true;
	return sched_thread_is(th, name) || sched_thread_rename(t, thread, name, err);
}

/*
 * Name a thread by the prefix of a line.  It comes from a table that may be stale, so names in payloads take
 * precedence.
 */
static inline bool
sched_thread_called(struct sched_threads *t, uint32_t thread, struct str name, struct err *err)
{
	struct sched_thread *th = sched_thread_at(t, thread);

	return name.n == 0 || th->named || sched_thread_is(th, name) ||
	    sched_thread_rename(t, thread, name, err);
}

/* ---- switches -------------------------------------------------------------------------- */

struct sched_row {
	uint64_t	time;
	uint32_t	from, to;
	uint32_t	row;		/* during sorting: index in the file */
	uint16_t	cpu;
	uint8_t		state;
};

/* Reasons why tasks slept, and frequencies of CPUs.  Empty if all zeros. */
struct sched_levels {
	struct scratch	blocked, paces;
	uint64_t	nblocked, npaces;
};

bool	sched_level_blocked(struct sched_levels *, uint32_t task, uint64_t time, bool io, uint32_t word,
    struct err *);
bool	sched_level_pace(struct sched_levels *, uint32_t cpu, uint64_t time, uint32_t khz, struct err *);
/* Switches in order of time: the first ones, and the bytes from one to the next. */
struct sched_lanes {
	const void	*time, *from, *state;	/* u64, u32, u8 */
	size_t		 time_step, from_step, state_step;
	uint64_t	 n;
};

/*
 * Write blocked.* and frequency.*; first: the time of the first switch; tasks: numbers that occur are
 * smaller.
 */
bool	sched_level_columns(struct sched_levels *, struct store *, const struct sched_lanes *, uint64_t first,
    uint64_t tasks, struct work *,
	    struct err *);
void	sched_level_close(struct sched_levels *);

#endif
