/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stretch: pieces of time in which a thread was in one state, thread by thread: what states and waits are
 * made of.
 */
#ifndef QUERY_STRETCH_H
#define QUERY_STRETCH_H

#include "query/trace/trace.h"

struct stretch {
	uint64_t	start, end;	/* ns, as far as they are in the range of the view */
	uint64_t	length;		/* time from start to end, if end is later */
	uint64_t	until;		/* end in the file, ns */
	uint32_t	thread, state;
	uint32_t	then;		/* the next state; STATE_NONE: end of file */
	uint32_t	part;		/* place of its track among those that were read */
};

/* The times and states of a track that is read, and which of them can be read by now. */
struct stretch_points {
	const uint64_t		*time, *state;
	uint64_t		 from, until;
};

/* Start from zeros. */
struct stretches {
	const struct store	*store;
	struct thread_list	 threads;	/* empty: all */
	struct scratch		 chosen;	/* u8 by thread: chosen by threads */
	uint64_t		 nchosen;
	uint64_t		 n;		/* rows: stretches that were kept */
	uint64_t		 end;		/* end of the last state of each thread, ns */
	uint64_t		 from, to;	/* wanted range, ns */
	uint64_t		 least;		/* shorter ones are not read, ns */
	const struct column	*longest;	/* longest stretch in each piece of all points; or NULL */
	size_t			 next;		/* next track to read */
	struct track		 track;		/* the track being read */
	struct stretch_points	 points;	/* points of the track being read */
	uint64_t		 began, at;	/* points: start of the last interval read, and the next point */
	uint64_t		 known;		/* the points before that one are of a piece that is to be read */
	ARRAY(struct part)	parts;
	ARRAY(uint32_t)	rows;
	uint32_t		 nparts;
	struct stretch		 got;		/* row got_row - 1 */
	uint64_t		 got_row;
	struct track		 got_track;	/* track of part got_part - 1 */
	struct stretch_points	 got_points;
	uint32_t		 got_part;
};

/* Choose the threads in the arguments of a stage; without a store only check them. */
bool	stretches_open(struct stretches *, struct session *, const struct stage *, struct err *);
void	stretches_close(struct stretches *);
/* Read the next interval with time in the range, or the last one of a thread; false: no more, or err is set. */
bool	stretches_read(struct stretches *, struct stretch *, struct err *);
/* Keep the last interval read as a row. */
bool	stretches_keep(struct stretches *, struct err *);
const struct stretch *stretches_row(struct stretches *, uint64_t row);

/* Whether events of a CPU were lost while it lasted: then it may be several. */
bool	stretch_lost(const struct store *, const struct stretch *);

#endif
