/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * points: build tracks point by point, in loaders and passes.  Finished tracks are read with track.h.
 */
#ifndef ICECORE_POINTS_H
#define ICECORE_POINTS_H

#include "icecore/load.h"
#include "icecore/texts.h"

enum track_kind {
	TRACK_STATE,	/* value: row of state.name, from 0, that applies until the next point */
	TRACK_TASK,	/* for a CPU: value is the thread that runs until the next point; 0: idle */
	TRACK_TOTAL,	/* value: a cumulative counter; its growth counts */
	TRACK_CPU,	/* a cumulative counter of CPU time in ns: growth / time is the utilisation */
	TRACK_LEVEL,	/* value: a gauge, valid until the next point */
	/* Value: row of instant.*, from 0, which has no length; not stored as a track (moments_track). */
	TRACK_MOMENT
};

#define STATE_NONE UINT32_MAX		/* before the first point, or unknown */

struct points {
	struct scratch	track;		/* a row for each track */
	struct scratch	time, value;	/* u64 */
	struct scratch	state;		/* u32: offsets in text */
	struct text_pool text;
	uint64_t	n, ntracks, nstates;	/* n: points */
};

/* Makes it empty.  points_close frees what was added since. */
void	points_open(struct points *);
void	points_close(struct points *);
/* Start a new track.  thread: id, or 0; cpu: number + 1, or 0. */
bool	points_track(struct points *, enum track_kind, const char *name, const char *unit, uint32_t thread,
	    uint32_t cpu, struct err *);
/* Set the process of the newest track, and the number of decimals of its values. */
void	points_of(struct points *, uint32_t process, unsigned decimals);
/* Set the number that is added to all values of the newest track; it makes them at least 0. */
void	points_below(struct points *, uint64_t below);
void	points_depth(struct points *, unsigned depth);	/* tracks above it, after which it comes */
/* Number of the state with that name; STATE_NONE on failure. */
uint32_t points_state(struct points *, const char *name, struct err *);
/* Add a point to the newest track.  A time below that of the previous point is replaced by it. */
bool	points_add(struct points *, uint64_t time, uint64_t value, struct err *);
/* Make all times relative to first, which must be the earliest of them. */
void	points_since(struct points *, uint64_t first);
/* Make the columns track.*, point.* and state.name, without publishing them. */
bool	points_columns(struct points *, struct store *, struct err *);

#define POINTS_PIECE 256u	/* points that share a row of point.longest */

/* Columns of points_columns. */
#define POINTS_COLUMNS \
	COL_TRACK_KIND, COL_TRACK_NAME, COL_TRACK_UNIT, COL_TRACK_TEXT, COL_TRACK_THREAD, COL_TRACK_CPU, \
	COL_TRACK_PROCESS, COL_TRACK_DECIMALS, COL_TRACK_BELOW, COL_TRACK_DEPTH, COL_TRACK_FIRST, COL_TRACK_LAST, \
	COL_POINT_TIME, COL_POINT_VALUE, COL_STATE_NAME

#endif
