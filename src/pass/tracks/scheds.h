/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/pass: switches and wakeups of a scheduler trace in the order in which they happened.
 */
#ifndef PASS_SCHEDS_H
#define PASS_SCHEDS_H

#include "icecore/seats.h"
#include "icecore/view.h"

/* Return the time range that counts: all, or the range of a view. */
static inline struct sched_range
sched_range_of(const struct store *st)
{
	struct sched_range r;

	view_range(st, &r.from, &r.to);
	return r;
}

struct sched_feed {
	const uint64_t	*time, *wake_time;
	const uint16_t	*cpu;
	const uint32_t	*from, *to, *wake_thread, *wake_before;
	const uint8_t	*state;
	uint64_t	 n, nwakes;	/* rows there are */
	uint64_t	 at, wake_at;	/* next ones */
	uint32_t	 threads;	/* ids are not larger */
};

/* False: the columns are not those of a loader. */
bool	sched_feed_open(struct sched_feed *, const struct store *, struct err *);

static inline void
sched_feed_again(struct sched_feed *f)
{
	f->at = f->wake_at = 0;
}

/*
 * The next thing that happened is a wakeup, of row wake_at; else it is the switch of row at, if there is one.
 */
static inline bool
sched_feed_wakes(const struct sched_feed *f)
{
	return f->wake_at < f->nwakes && (f->at == f->n || f->wake_before[f->wake_at] <= f->at);
}

/*
 * CPUs of the trace, by their numbers, get ids from 0 on in the order of these numbers; SWITCH_NO_CPU is
 * none.
 */
struct sched_cpus {
	ARRAY(uint32_t)	id;		/* by number: id + 1; 0: there is none */
	ARRAY(uint32_t)	number;	/* by id */
	uint32_t	 n;
	struct sched_seats seats;
};

bool	sched_cpus_open(struct sched_cpus *, const struct sched_feed *, struct err *);
void	sched_cpus_close(struct sched_cpus *);

/* UINT32_MAX: it is none. */
static inline uint32_t
sched_cpu(const struct sched_cpus *c, uint32_t number)
{
	return c->id.at[number] - 1;
}

#endif
