/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Wakeups being read, and losses between them: interface between sched.c, live.c and sched_wakes.c.
 */
#ifndef LOAD_WAKES_H
#define LOAD_WAKES_H

#include "icecore/seats.h"
#include "sched.h"

/* A wakeup event as read. */
struct sched_woken {
	uint64_t	time;
	uint32_t	thread;
	uint32_t	before;		/* number of switches before it */
	uint32_t	by;		/* as in column wake.by */
	uint16_t	cpu, target;	/* CPU where it was logged, and CPU where the task will run */
};

/* Times between which events of a CPU were lost. */
struct sched_loss {
	uint64_t	from, to;
};

/* Empty if all zeros. */
struct sched_losses {
	struct scratch	cpus;		/* struct sched_loss: from: its last switch or wakeup; to: 1: a loss is open */
	struct scratch	list;		/* struct sched_loss */
	uint64_t	n;
};

/* Process a line about lost events, and one of a switch or wakeup. */
bool	sched_loss(struct sched_losses *, struct str line, struct err *);
bool	sched_loss_ends(struct sched_losses *, uint32_t cpu, uint64_t time, struct err *);
static inline bool
sched_loss_line(struct sched_losses *l, uint32_t cpu, uint64_t time, struct err *err)
{
	struct sched_loss *any = SCRATCH(l->cpus, struct sched_loss);

	/* Nearly always nothing was lost. */
	if (cpu >= SCHED_CPUS || (cpu + 2ull) * sizeof *any > l->cpus.size || any->to != 0 || any[cpu + 1].to != 0)
		return sched_loss_ends(l, cpu, time, err);
	any->from = any[cpu + 1].from = time;
	return true;
}
void	sched_losses_begin(struct sched_losses *, uint64_t first, uint64_t at);	/* times count from first, which is at that time */
/* Events of that CPU are lost from its last switch or wakeup to its next one; SCHED_CPUS: of any CPU. */
bool	sched_loss_begins(struct sched_losses *, uint64_t cpu, struct err *);
/* Write lost.*, if there are any; after sched_wake_columns. */
bool	sched_loss_columns(struct store *, const struct sched_losses *, struct err *);
void	sched_losses_close(struct sched_losses *);

/* Encode the waker according to a wakeup line; waker: thread of the line, 0: none. */
uint32_t sched_wake_by(const struct sched_line *, uint32_t waker);
/*
 * Write wake.*: one row for each wakeup of a task, from events in time order. switches: rows of struct sched_row; ids
 * of threads are at most threads. Overwrites the events; *n becomes the number of rows.
 */
bool	sched_wake_columns(struct store *, const struct make_rows *switches, struct sched_woken *, uint64_t *n,
	    uint64_t threads, struct sched_losses *, struct err *);

#endif
