/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Switches and wakeups of scheduler text being read: interface between sched_rows.c, sched_text.c and
 * sched_import.c.
 */
#ifndef LOAD_SCHED_ROWS_H
#define LOAD_SCHED_ROWS_H

#include "icecore/unread.h"
#include "import.h"
#include "wakes.h"

/* Clocks according to marks: ns, and times of the lines. */
struct sched_syncs {
	bool		has_realtime, has_parent;
	uint64_t	realtime, realtime_at;
	uint64_t	parent, parent_at;	/* CLOCK_MONOTONIC */
	uint64_t	bad;		/* unreadable ones */
};

/* A task ran for ns, as the kernel adds it to a sum at that time. */
struct sched_used {
	uint64_t	time, ns;	/* time first, to be sorted */
	uint32_t	tid, cpu;
};

struct sched {
	struct store		*st;
	struct work		*work;
	const char		*data;
	uint64_t		 size;
	struct sched_threads	 threads;
	struct unread		 unread;
	struct sched_syncs	 syncs;
	struct scratch		 rows, wakes, notes;	/* struct sched_row, struct sched_woken, struct sched_noted */
	struct scratch		 used;		/* struct sched_used */
	uint64_t		 nused, nmade;	/* nmade: switches of rows that are not in the file */
	bool			 used_back;	/* used is not in order of time */
	uint64_t		 nrows, nwakes, nnotes;
	/* keeps_notes: marks and events are kept; notes_back: they are not in order of time. */
	bool			 keeps_notes, notes_back;
	struct sched_levels	 levels;
	uint64_t		 count[SCHED_KINDS];
	uint64_t		 first, last, last_event;	/* times; first: the earliest */
	uint64_t		 lost, unordered, tail;
	uint64_t		 ended;		/* lines of threads whose id is lost */
	struct scratch		 left;		/* struct sched_left by CPU, for timehist */
	struct sched_losses	 losses;
	struct scratch		 ids;		/* u32: ids of threads in the surrounding events */
	uint64_t		 begin;		/* time of the first event in the surrounding events */
	struct err		*err;
};

/* Read all lines of s->data. Set the store, work and text of s, and first = UINT64_MAX before. */
bool	sched_rows_read(struct sched *, struct err *);
/* Sort both by time; equal times stay in file order. */
bool	sched_rows_sort(struct sched *);
/*
 * Make times count from the first one, which is at that time; id: of each thread, from 1; NULL: they keep
 * their own.
 */
void	sched_rows_begin(struct sched *, uint64_t at, const uint32_t *id);
bool	sched_rows_columns(struct sched *);
bool	sched_rows_levels(struct sched *);	/* blocked.*, frequency.* */
void	sched_rows_close(struct sched *);

bool	sched_used_add(struct sched *, const struct sched_line *);
/*
 * Add switches that are missing in the file, as far as it says how long tasks ran; rows are in order of time
 * before and after.
 */
bool	sched_used_rebuild(struct sched *);

#endif
