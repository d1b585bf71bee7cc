/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * track: values and states over time: CPU use, faults, allocated bytes, states of threads and CPUs.
 */
#ifndef ICECORE_TRACK_H
#define ICECORE_TRACK_H

#include "icecore/pass.h"
#include "icecore/points.h"

/*
 * Columns, made by pass tracks or by the side files of a Nanoscope trace; times in ns on the clock of the
 * file's spans (trace_ns of their ticks). See columns_sched.h.
 */
struct track {
	enum track_kind		 kind;
	const char		*name;		/* "cpu", "state", "minor faults" */
	const char		*unit;		/* "bytes", "" */
	uint32_t		 thread, cpu;	/* cpu: number + 1 */
	uint32_t		 process;	/* owner, unless it is a thread; 0: unknown */
	unsigned		 decimals;	/* power of 10 by which values are scaled */
	uint64_t		 below;		/* number added to all values, which makes them at least 0 */
	unsigned		 depth;		/* tracks above it; those below a track follow it */
	/* The track belongs to a table beside the trace; such tracks come last. */
	bool			 beside;
	const struct column	*time, *value;	/* rows first .. first + n - 1 */
	uint64_t		 first, n;
};

/* The part of a track in an interval. */
struct track_piece {
	uint64_t	known;		/* ns of it that the track covers */
	/* Counters: growth; gauges: mean; states: ns in the longest one; moments: first value. */
	uint64_t	sum;
	uint64_t	max;		/* gauges: maximum; counters: largest growth between two points */
	double		use;		/* TRACK_CPU: growth / known, may slightly exceed 1 */
	uint32_t	state;		/* states and tasks: the longest one, or STATE_NONE */
	uint64_t	points;
};

/*
 * The instants of a thread, or with thread 0 of a process; needs column moment.time (pass moments). False: it
 * has none.
 */
bool	moments_track(const struct store *, uint32_t thread, uint32_t process, struct track *);

/* Needs column track.kind (pass tracks). */
size_t	tracks_count(const struct store *);
bool	track_get(const struct store *, size_t i, struct track *);	/* from 0; false: none */
/* True if a track without a thread belongs to the system: to no process, or to one without an id. */
bool	track_of_system(const struct store *, const struct track *);
/* Whether it is of another process than the thread; of the system, or unknown: false. */
bool	track_is_foreign(const struct store *, const struct track *, uint32_t thread);
/* ns of the last record or point of the file: with it the last state, task or level of a track ends. */
uint64_t tracks_end(const struct store *);
/* Find the track of a thread (thread 0: of CPUs and the process) with that name; false: none. */
bool	track_find(const struct store *, uint32_t thread, const char *name, struct track *);
/* [from, to] in ns. */
void	track_piece(const struct track *, uint64_t from, uint64_t to, struct track_piece *);
/*
 * n pieces of equal length, for drawing: one walk over the points of the window; if a piece has many states,
 * a sample of them.
 */
void	track_pieces(const struct track *, uint64_t from, uint64_t to, struct track_piece *, size_t n);
/* Total of a counter up to a time, as if it grew evenly between two points. */
uint64_t track_total(const struct track *, uint64_t time);
/* Row of the last point at or before a time, from 1; 0: none. */
uint64_t track_before(const struct track *, uint64_t time);
/* A value of a track with decimals, or with values below 0. */
double	track_real(const struct track *, uint64_t value);
/* Time in each of n states (and beyond n none), added to ns. */
void	track_states(const struct track *, uint64_t from, uint64_t to, uint64_t *ns, size_t n);
const char *state_name(const struct store *, uint32_t state);	/* name in the file; "": STATE_NONE */
size_t	states_count(const struct store *);
/* Looks of a state: a letter, and a class: running, able to run, or waiting. */
enum state_class { STATE_RUNNING, STATE_RUNNABLE, STATE_NATIVE, STATE_SLEEPING, STATE_BLOCKED, STATE_OTHER };
enum state_class state_class(const struct store *, uint32_t state);
char	state_letter(const struct store *, uint32_t state);
const char *state_word(const struct store *, uint32_t state);	/* word that icecore shows for it */
const char *state_wait(const struct store *, uint32_t state);	/* name of a wait in it; NULL: none */

/* ---- two traces on one axis ------------------------------------------------------ */

/*
 * The offset from times of other (ns) to those of st, from the times when their common threads (by tid,
 * otherwise name) were busy.  *sure: 0 to 100.  False: nothing in common.
 */
bool	track_offset(const struct store *st, const struct store *other, int64_t *offset, unsigned *sure);

#endif
