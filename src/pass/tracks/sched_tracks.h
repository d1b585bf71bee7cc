/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_tracks: the states of tasks by switches and wakeups, as tracks (sched_tracks.c) or as what they say
 * of a task (task_idle.c).
 */
#ifndef PASS_SCHED_TRACKS_H
#define PASS_SCHED_TRACKS_H

#include "icecore/facts.h"
#include "icecore/sums.h"
#include "scheds.h"

/* The state a task was last seen in. */
enum task_state { ST_RUNNING, ST_RUNNABLE, ST_PREEMPTED, ST_SLEEPING, ST_DISK, ST_STOPPED, ST_TRACED, ST_DEAD,
	ST_ZOMBIE, ST_PARKED, ST_IDLE, ST_OTHER, ST_STATES };

/* A track while it is filled. */
struct filling {
	uint64_t	at;		/* in the first walk how many points, then where the next one goes */
	uint64_t	end;		/* where the points of the next track go */
	uint64_t	done;		/* points before this place are in the columns, the others wait */
	uint64_t	last;		/* time of the last one */
	/* Place, time and value where the last points of equal value in the columns begin. */
	uint64_t	run, since, value;
	uint32_t	wait;		/* which of the waiting blocks is its own */
	bool		begun;
};

/* Two tracks a task: its state and its CPU time. */
struct task_track {
	struct filling	state, cpu;
	uint64_t	total, last_in;
	uint64_t	ran, waited;	/* time on a CPU; longest state that waits for a CPU or the disk */
	enum time_kind	kind;		/* kind of the last state */
	uint8_t		now;		/* enum task_state */
	bool		known, in, begun;	/* begun: it had a CPU, or left one */
	uint32_t	left, unseen;	/* in the form of sched_alone */
};

struct tracks {
	struct store		*st;
	struct work		*work;
	struct sched_feed	 feed;
	struct sched_cpus	 cpus;
	ARRAY(struct task_track)	task;		/* by thread */
	ARRAY(struct filling)	cpu;		/* by CPU */
	ARRAY(struct filling)	series;
	const struct column	*series_kind, *series_word;
	const struct column	*level_time, *level_value, *level_series;
	uint64_t		*points;	/* their values; NULL while they are counted */
	uint64_t		*last;		/* by track: when its last point is */
	/* by piece of points: how long the longest value lasts that begins there */
	uint64_t		*longest;
	ARRAY(uint64_t)	waiting;	/* blocks of points, one a track: columns are written block by block */
	uint64_t		 block;		/* points in a block, a power of two */
	uint64_t		 begin, end;	/* time of the trace, as far as it is here */
	uint64_t		 nseries, ntracks;
	enum time_kind		 kinds[ST_STATES];
	struct buf		 text;
};

static inline struct task_track *
sched_tracks_task_at(const struct tracks *t, uint32_t thread)
{
	return &t->task.at[thread - 1];
}

/* The last state lasts until the end. */
static inline void
sched_tracks_count(struct task_track *k, uint64_t until)
{
	uint64_t length = k->state.begun && until > k->state.last ? until - k->state.last : 0;

	if (k->kind == KIND_RUN)
		k->ran += length;
	else if ((k->kind == KIND_RUNQ || k->kind == KIND_DISK) && length > k->waited)
		k->waited = length;
}

/* The value that tracks_end returns when the tracks exist. */
static inline uint64_t
sched_tracks_end(const struct tracks *t)
{
	uint64_t end = fact_value(t->st, FACT_LAST_WALL);
	const struct filling *f;

	for (uint32_t i = 0; i < t->cpus.n; i++)
		end = (f = &t->cpu.at[i])->last > end ? f->last : end;
	for (uint64_t i = 0; i < t->nseries; i++)
		end = (f = &t->series.at[i])->last > end ? f->last : end;
	for (uint32_t i = 1; i <= t->feed.threads; i++) {
		end = (f = &sched_tracks_task_at(t, i)->state)->last > end ? f->last : end;
		end = (f = &sched_tracks_task_at(t, i)->cpu)->last > end ? f->last : end;
	}
	return end;
}

/*
 * sched_table.c: make the columns of tracks, once their points are counted; *points: of all; then their
 * names.
 */
extern const char *const sched_state_names[ST_STATES];
bool	sched_table_make(struct tracks *, uint64_t *points, struct err *);
bool	sched_table_text(struct tracks *, struct err *);

/* Starts from zeros, with st and work; close it in any case. */
bool	sched_tracks_open(struct tracks *, struct err *);
void	sched_tracks_close(struct tracks *);
/* Read all events: count the points or write them, and close the states. */
bool	sched_tracks_walk(struct tracks *, struct err *);

#endif
