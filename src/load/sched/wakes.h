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
	uint32_t	by;		/* value of column wake.by */
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
	if (cpu >= SCHED_CPUS || (cpu + 2ull) * sizeof *any > l->cpus.size || any->to != 0 ||
	    any[cpu + 1].to != 0)
		return sched_loss_ends(l, cpu, time, err);
	any->from = any[cpu + 1].from = time;
	return true;
}
/* Times count from first, which is at that time. */
void	sched_losses_begin(struct sched_losses *, uint64_t first, uint64_t at);
/* Events of that CPU are lost from its last switch or wakeup to its next one; SCHED_CPUS: of any CPU. */
bool	sched_loss_begins(struct sched_losses *, uint64_t cpu, struct err *);
/* Write lost.*, if there are any; after sched_wake_columns. */
bool	sched_loss_columns(struct store *, const struct sched_losses *, struct err *);
void	sched_losses_close(struct sched_losses *);

/* Between which events of wakeups and switches a task is, while these are read in order. */
struct sched_target {
	uint32_t	woken;		/* row of the wakeup since its last switch, from 1; 0: none */
	uint32_t	waking;		/* row of a waking event whose wakeup has not come */
	uint32_t	left;		/* number of the switch in which it left its CPU last, from 1 */
	bool		running, seen;	/* seen: in a switch */
};

enum { HELD_MOST = 32 };

/* Start from zeros.  Ids of threads are at most as large as target and seats have room for. */
struct sched_targets {
	struct scratch		 target;	/* struct sched_target by thread */
	struct sched_seats	 seats;
	/*
	 * Wakeups of tasks that run on another CPU or were not seen before, all of one time.  A task that
	 * leaves at that time was woken after it left, whichever CPU comes first in the file.  If there are
	 * more than HELD_MOST, the others are taken at once.
	 */
	struct sched_woken	 held[HELD_MOST];
	unsigned		 nheld;
};

/*
 * Take a wakeup, which would be row n + 1.  False: it belongs to one that was taken before.  A waking event
 * and the following wakeup are one: *merged is the row of that event, if the task left its CPU in between;
 * 0: none.
 */
static inline bool
sched_targets_woken(struct sched_targets *t, uint64_t n, uint32_t thread, uint32_t by, uint32_t *merged)
{
	struct sched_target *k = &SCRATCH(t->target, struct sched_target)[thread];
	uint32_t waking = k->waking;
	bool is_waking = WAKE_KIND(by) == WAKE_WAKING;

	k->waking = 0;
	if (k->woken != 0 || (waking != 0 && !is_waking && k->running))
		return false;
	*merged = is_waking ? 0 : waking;
	k->woken = k->running ? 0 : (uint32_t)n + 1;
	k->waking = is_waking ? (uint32_t)n + 1 : 0;
	return true;
}

/*
 * Take switch n, from 1 on.  Returns what is known of the task that begins to run: the wakeup that led to it
 * and, if there is none, a waking before it left.
 */
static inline struct sched_target
sched_targets_switch(struct sched_targets *t, uint32_t n, uint32_t cpu, uint32_t from, uint32_t to, uint8_t state)
{
	struct sched_target *k = &SCRATCH(t->target, struct sched_target)[from], was;
	uint32_t gone;

	sched_seats_switch(&t->seats, cpu, from, to, &gone);
	if (gone != 0)
		SCRATCH(t->target, struct sched_target)[gone] = (struct sched_target){ .seen = true };
	if (from != 0) {
		k->running = false;
		k->seen = true;
		/* In state R the task was not asleep: it was woken earlier, and that wakeup is finished. */
		k->waking = state == 'R' || from == to || k->woken != 0 ? 0 : k->waking;
		k->woken = 0;
		k->left = n;
	}
	if (to == 0)
		return (struct sched_target){ .woken = 0 };
	k = &SCRATCH(t->target, struct sched_target)[to];
	was = *k;
	*k = (struct sched_target){ .running = true, .seen = true };
	return was;
}

/* Each loss gets the latest end of all that began before it; whether something was lost between two times. */
void	sched_losses_join(struct sched_losses *);
bool	sched_losses_between(const struct sched_losses *, uint64_t from, uint64_t to);

/*
 * Encode the waker: the task that ran, 0: the idle task.  An interrupt wakes by itself, and the task that
 * it interrupted is not the waker. irq: its letter as in text; 0: none.
 */
uint32_t sched_wake_by(enum wake_kind, uint8_t irq, uint32_t self);
/*
 * Write switch.* and wake.*: one row for each switch, which are rows of struct sched_row, and one for each
 * wakeup of a task, from events in time order.  Ids of threads are at most threads.  *n becomes the number of
 * wakeups.
 */
bool	sched_row_columns(struct store *, const struct make_rows *switches, const struct sched_woken *,
    uint64_t *n, uint64_t threads, struct sched_losses *, struct err *);

#endif
