/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seats: the task that each CPU last switched to, and the CPU of each task, while switches are read.
 * If the next switch of a CPU leaves a different task, switches are missing.  Then the time at which the
 * earlier task left is unknown, and that task is on no CPU.
 */
#ifndef ICECORE_SEATS_H
#define ICECORE_SEATS_H

#include <string.h>

#include "icecore/sched.h"

struct sched_seats {
	struct scratch	task;		/* u32 by number of CPU */
	struct scratch	cpu;		/* u32 by thread: number of CPU + 1; 0: none */
};

/* Start without any switches; also used to start over. */
static inline bool
sched_seats_open(struct sched_seats *s, uint64_t threads, struct err *err)
{
	if (!scratch_array(&s->task, SWITCH_NO_CPU, sizeof(uint32_t), err) ||
	    !scratch_array(&s->cpu, threads + 1, sizeof(uint32_t), err))
		return false;
	memset(s->task.data, 0, SWITCH_NO_CPU * sizeof(uint32_t));
	memset(s->cpu.data, 0, (threads + 1) * sizeof(uint32_t));
	return true;
}

/* False for tasks beyond TASKS_MOST: they share one number, so the CPU of a single task is unknown. */
static inline bool
sched_seats_tells(uint32_t task)
{
	return task != 0 && task <= TASKS_MOST;
}

/* True if a CPU still runs the task that it last switched to. */
static inline bool
sched_seats_runs(const struct sched_seats *s, uint32_t cpu)
{
	uint32_t task = SCRATCH(s->task, uint32_t)[cpu];

	return !sched_seats_tells(task) || SCRATCH(s->cpu, uint32_t)[task] == cpu + 1;
}

/*
 * Record a switch on a CPU, which may be unknown.  False: what ran there since the previous switch is
 * unknown, and so is how long from was on a CPU.  *gone: the task whose switch-out is missing; 0: none.
 */
static inline bool
sched_seats_switch(struct sched_seats *s, uint32_t cpu, uint32_t from, uint32_t to, uint32_t *gone)
{
	uint32_t *seat = SCRATCH(s->cpu, uint32_t),
	    was = cpu == SWITCH_NO_CPU ? from : SCRATCH(s->task, uint32_t)[cpu];
	bool known = sched_seats_tells(from) ? seat[from] == cpu + 1 : was == from;

	*gone = was != from && sched_seats_tells(was) && seat[was] == cpu + 1 ? was : 0;
	seat[*gone] = 0;
	if (sched_seats_tells(from))
		seat[from] = 0;
	if (sched_seats_tells(to))
		seat[to] = cpu + 1;
	if (cpu != SWITCH_NO_CPU)
		SCRATCH(s->task, uint32_t)[cpu] = to;
	return known;
}

static inline void
sched_seats_close(struct sched_seats *s)
{
	SCRATCH_FREE(&s->task, &s->cpu);
}

#endif
