/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sums: time that a thread or CPU spent in each state, up to any time; a cell of a timeline shows the
 * difference of two sums.
 */
#ifndef ICECORE_SUMS_H
#define ICECORE_SUMS_H

#include "icecore/track.h"

/* States that time is counted for. */
enum time_kind {
	KIND_RUN, KIND_RUNQ,	/* on a CPU; in a run queue, woken or preempted */
	KIND_DISK,		/* uninterruptible sleep */
	KIND_SOCKET,		/* waiting for the network */
	KIND_MONITOR, KIND_GC,	/* blocked by a lock of the program, or for its collector */
	KIND_SLEEP,		/* alive, in none of these states */
	KINDS,
	KIND_NONE = KINDS	/* ended, or unknown */
};

/* What a thread does in a state, by the number of the state or by its name; an unknown name is KIND_SLEEP. */
enum time_kind state_kind(const struct store *, uint32_t state);
enum time_kind state_kind_of(const char *name);

/*
 * Sums over a track of states or tasks; start from zeros.  A sum is stored at regular intervals of points,
 * so that the sum at any time needs only few further points.
 */
struct track_sums {
	struct track	 track;
	uint8_t		*kind;		/* enum time_kind by state */
	size_t		 nkinds;
	/* KINDS sums before each STRIDEth point; NULL: only totals were made. */
	uint64_t	*kept;
	uint64_t	 end;		/* end of the last state */
	uint64_t	 first, last;	/* start of the first known state, end of the last one */
	uint64_t	 total[KINDS], longest[KINDS];
};

/* keep: store sums for sums_at.  end: end of the trace. */
bool	sums_make(struct track_sums *, const struct store *, const struct track *, uint64_t end, bool keep,
    struct work *, struct err *);
void	sums_free(struct track_sums *);
/* Position of the last time, from which the next call of sums_at continues; start from zeros. */
struct sums_place {
	uint64_t	n;		/* points at or before the time */
	uint64_t	step;		/* points between the previous time and this one */
	uint64_t	sum[KINDS];	/* sums up to the last of these points */
};

/* Get the sums at a time; times must ascend from call to call. */
void	sums_at(const struct track_sums *, uint64_t time, struct sums_place *, uint64_t sum[KINDS]);
/* Call fn for each time span of a kind between two times, cut to them. */
void	sums_spans(const struct track_sums *, enum time_kind, uint64_t from, uint64_t to,
    void (*fn)(void *, uint64_t from, uint64_t to), void *);
/* Number of points of the track between two times. */
uint64_t sums_points(const struct track_sums *, uint64_t from, uint64_t to);

/*
 * The time that many tracks together spent in a kind, up to any time: stored at regular times, and between
 * them as if it grew evenly.  Without memory, or for so few points that it is not needed, it stays empty (n
 * is 0).
 */
struct sums_grid {
	uint64_t	 step, n;	/* ns; number of steps */
	uint64_t	*sum;		/* before each step, n + 1; while it is made, of each step */
	/* While it is made: how many spans begin (or, from above, end) to cover steps wholly. */
	uint64_t	*whole;
};

/* points: of all tracks. */
void	sums_grid_open(struct sums_grid *, uint64_t end, uint64_t points);
void	sums_grid_add(struct sums_grid *, const struct track_sums *, enum time_kind);
void	sums_grid_done(struct sums_grid *);		/* all were added */
uint64_t sums_grid_at(const struct sums_grid *, uint64_t time);
void	sums_grid_free(struct sums_grid *);
/* True for hardly any CPU time up to end, and no long wait in a run queue, for the disk or for a lock. */
bool	sums_idle(const struct track_sums *);
/* What idle_sleep asks of a sleep between two times. */
struct idle_sleep;
void	sums_sleep(const struct track_sums *, uint64_t from, uint64_t to, struct idle_sleep *);

/*
 * A part as a bar, such as the CPU use of a time span.  0: none; otherwise the nearest eighth, from 1 to
 * USE_STEPS, so that little differs from nothing.  USE_BUSY and above mean at least 70 %.
 */
#define USE_STEPS 8
#define USE_BUSY 6
#define USE_PARTS 20		/* number of bars for a whole trace, in column cpu.use */
unsigned use_step(uint64_t part, uint64_t whole);

/* Columns keep it as a digit. */
static inline char
use_digit(uint64_t part, uint64_t whole)
{
	return (char)('0' + use_step(part, whole));
}

static inline unsigned
use_of_digit(char c)
{
	return c >= '0' && c <= '0' + USE_STEPS ? (unsigned)(c - '0') : 0;
}

#endif
