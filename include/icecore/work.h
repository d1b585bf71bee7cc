/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * work: progress and cancelling of long tasks, and the worker, which runs them next to the screen thread.
 */
#ifndef ICECORE_WORK_H
#define ICECORE_WORK_H

#include <stdatomic.h>

#include "icecore/base.h"

/* ---- progress and cancel ------------------------------------------------------ */

/*
 * A long task.  The worker writes it, the screen thread reads it; all fields are accessed by atomics.
 * Where a function takes a struct work, NULL means that nobody watches or cancels the task.
 */
struct work {
	_Atomic(const char *)	 label;		/* static string: "call tree" */
	_Atomic uint64_t	 done, total;	/* in units of the label's choice; total 0 is unknown */
	atomic_bool		 bytes;		/* these units are */
	/* Number of the current pass, and of all passes; steps 0: unknown. */
	_Atomic unsigned	 step, steps;
	_Atomic uint64_t	 began;		/* ns clock of work_start */
	_Atomic uint64_t	 left, asked;	/* last estimate of ns left, and its time; 0: none yet */
	atomic_bool		 cancel;
	/* Current step if it is never late nor cancelled, unless final; or NULL. */
	_Atomic(const char *)	 apart;
	bool			 final;		/* who cancels it, or is late, ends the process */
	/* Inline mode: called periodically by work_tick; or NULL. */
	void			(*show)(struct work *);
	_Atomic uint64_t	 shown;		/* ns clock of the last show */
	/* The task that this is a part of, in a thread of a pool; otherwise NULL. */
	struct work		*of;
};

/* show: called now and then, to show the progress; NULL: nobody looks. */
void	work_init(struct work *, void (*show)(struct work *));
/* Begins a step of total units, or bytes; label: a word that stays valid. */
void	work_start(struct work *, const char *label, uint64_t total);
void	work_start_bytes(struct work *, const char *label, uint64_t total);
void	work_step(struct work *, unsigned step, unsigned steps);	/* the first is 1 */
/* "[ 61% ] dominators 3/7  6.20 of 10.1 GiB  ~8 s", the time only if timed; appends. */
void	work_text(struct work *, bool timed, struct buf *);
#define WORK_LOOK 20000000u	/* ns between two calls by a thread that waits for another one */
/* Call at least once a millisecond of work.  False: cancelled, return fail_cancel at once. */
bool	work_tick(struct work *, uint64_t done);
/* The next work_tick of this thread looks at the clock: call it after a wait, which is not work. */
void	work_waited(void);
/* Wait for what the text says, and show that as the work of this thread.  False: cancelled, return fail_cancel. */
bool	work_sleep(const char *what, int ms);
/* For work that waits for other work: show the progress of the other. */
void	work_follow(struct work *, struct work *other);
bool	fail_cancel(struct err *);
/* Both in one: false with err filled when it was cancelled. */
static inline bool
work_go(struct work *w, uint64_t done, struct err *err)
{
	return work_tick(w, done) || fail_cancel(err);
}

/* work_go for a long loop: it is called for every step, and looks once in several steps. */
static inline bool
work_each(struct work *w, uint64_t done, unsigned every, struct err *err)
{
	return done % every != 0 || work_go(w, done, err);
}

/* The work of this thread, which work_apart takes; NULL: none. */
void	work_of_thread(struct work *);

/* Saved progress of a work. */
struct work_was {
	struct work	*work;
	const char	*label;
	uint64_t	 total;
	unsigned	 step, steps;
	bool		 bytes;
};

/* For steps that must run to their end; was.work shows them, until work_back. */
struct work_was work_apart(const char *what);
void	work_back(const struct work_was *);

uint64_t os_now(void);			/* monotonic ns */

/*
 * The worker: one thread that runs one job at a time.  When a job ends
 * one byte is written to fd (for poll).
 */
struct worker;
typedef bool (*worker_job)(void *arg, struct work *, struct err *);

/* Starts a thread that does one job at a time.  It writes a byte to notify_fd at the end of each. */
bool	worker_start(struct worker **, int notify_fd, struct err *) MUST_USE;
/* The job runs in the thread, with arg, which must stay valid until its end. */
bool	worker_give(struct worker *, worker_job, void *arg);	/* false: busy */
/* True once for each ended job, with its result. */
bool	worker_take(struct worker *, bool *ok, struct err *) MUST_USE;
struct work *worker_work(struct worker *);
void	worker_stop(struct worker *);	/* cancels, joins, frees */

/* ---- pool: work on several processors ---------------------------------------- */

/*
 * Runs a job on another thread, as a part of w.  NULL: no thread is free, or memory ran out; the caller
 * does it itself.  The job calls work_tick with the work it is given.
 */
typedef void (*aside_job)(void *arg, struct work *);
struct aside;
struct aside *aside_start(struct work *, aside_job, void *arg);
void	aside_cancel(struct aside *);
/* Waits for its end, which frees it, and shows where it is.  NULL is fine. */
void	aside_join(struct aside *, struct work *);

/*
 * Calls run for parts 0 .. parts - 1, begun in that order, on this thread and others, all of which have
 * ended when it returns.  Success and errors do not depend on timing: the error is that of the first part
 * that has one, and no earlier part is skipped.  A part calls work_tick with the work it is given; only the
 * calling thread shows progress.
 */
typedef bool (*pool_part)(void *arg, uint64_t part, struct work *, struct err *);
bool	pool_run(struct work *, uint64_t parts, pool_part, void *arg, struct err *) MUST_USE;
/*
 * pool_run over rows 0 .. n - 1, in ranges large enough for a thread that begin at multiples of POOL_RANGE.
 */
#define POOL_RANGE 4096u
typedef bool (*pool_range)(void *arg, uint64_t from, uint64_t to, struct work *, struct err *);
bool	pool_ranges(struct work *, uint64_t n, pool_range, void *arg, struct err *) MUST_USE;

/*
 * Takes items that another thread makes meanwhile, in the order in which it makes them; without a free
 * thread, this thread makes them.  fill makes up to room items of that size, and *n is how many; 0: there
 * are no more.  It must not wait, and may only use what each does not change.  each gets one batch after
 * another, but not the batch at which fill failed.
 */
typedef bool (*relay_fill)(void *arg, void *items, size_t room, size_t *n, struct err *);
typedef bool (*relay_each)(void *to, const void *items, size_t n, struct err *);
bool	relay_run(struct work *, size_t size, size_t room, relay_fill, void *arg, relay_each, void *to,
    struct err *) MUST_USE;

/* --jobs: limit of threads, 1 until it is called; 0: one per processor of this process, up to 8. */
void	pool_jobs(unsigned);
unsigned pool_size(void);

#endif
