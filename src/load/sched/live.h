/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * State of the live reader: filled by live.c, written to a store by live_store.c.
 */
#ifndef LOAD_LIVE_H
#define LOAD_LIVE_H

#include "icecore/texts.h"
#include "icecore/unread.h"
#include "wakes.h"

#define LIVE_RING (1u << 18)		/* switches and wakeups kept */
#define LIVE_TASKS 16384u		/* further ones are not distinguished */
#define LIVE_LINE (1u << 18)		/* bytes of a line; longer ones are skipped */
#define LIVE_NAMES (1u << 24)		/* bytes of names */

/* Durations by size: eight classes for each power of 2, in units of 32 ns. */
#define HISTOGRAM 368u

struct histogram {
	uint32_t	count[HISTOGRAM];
};

struct live_task {
	struct task_sum		sum;
	struct histogram	gaps, delays;
	bool			waking;		/* as in struct sched_target */
};

struct live_wake {
	uint64_t	time, before;	/* before: switches of all earlier time */
	uint32_t	thread, by;
	uint16_t	cpu, target;
};

struct live {
	struct unread		 unread;	/* includes events that only a file shows */
	int			 fd;
	bool			 ended;
	char			*text;		/* bytes read that are not a complete line yet */
	size_t			 ntext;
	bool			 skipping;	/* skipping the rest of a line that is too long */
	struct sched_threads	 threads;
	struct scratch		 tasks;		/* struct live_task by thread */
	struct scratch		 cpus;		/* struct cpu_sum by number */
	uint32_t		 ncpus;		/* largest number + 1 */
	struct sched_seats	 seats;
	struct scratch		 rows, wakes;	/* rings of struct sched_row, struct live_wake */
	/* Total numbers; the next row goes to that place in the ring. */
	uint64_t		 nrows, nwakes;
	/* Memory allocated completely at the start, so that addresses stay valid. */
	struct text_pool	 names;
	/* Times of the first event, the last switch or wakeup, and the latest event. */
	uint64_t		 first, last, end;
	uint64_t		 count[SCHED_KINDS];
	struct sched_losses	 losses;
	uint64_t		 lost, unordered, too_long, left_out, tail;
};

void	histogram_add(struct histogram *, uint64_t value);

#endif
