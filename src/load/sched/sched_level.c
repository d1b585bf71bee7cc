/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_level: why tasks slept, and how fast CPUs were.
 */
#include "config.h"

#include "icecore/columns_sched.h"
#include "rows.h"

/* The reason why a task slept. */
struct sched_blocked {
	uint64_t	time;		/* first, to be sorted; in the end as row */
	uint32_t	task, word;
	uint32_t	row;		/* the switch that ended its time on the CPU, from 1 */
	uint8_t		io;
};

/* A CPU gets another frequency. */
struct sched_pace {
	uint64_t	time;
	uint32_t	khz;
	uint16_t	cpu;
};

bool
sched_level_blocked(struct sched_levels *l, uint32_t task, uint64_t time, bool io, uint32_t word,
    struct err *err)
{
	struct sched_blocked new = { .time = time, .task = task, .word = word, .io = io };

	return task == 0 || make_add(&l->blocked, &l->nblocked, &new, sizeof new, UINT32_MAX,
	    "reasons of waits", err);
}

bool
sched_level_pace(struct sched_levels *l, uint32_t cpu, uint64_t time, uint32_t khz, struct err *err)
{
	struct sched_pace new = { .time = time, .khz = khz, .cpu = (uint16_t)cpu };

	return cpu >= SCHED_CPUS || make_add(&l->paces, &l->npaces, &new, sizeof new, UINT32_MAX,
	    "frequencies", err);
}

/* Reasons get the rows of the switches with which their tasks left to sleep; those without one go. */
static bool
place_blocked(struct sched_levels *l, const struct sched_lanes *switches, uint64_t first, uint64_t tasks,
    struct work *w, struct err *err)
{
	struct sched_blocked *b = SCRATCH(l->blocked, struct sched_blocked);
	const char *t = switches->time, *from = switches->from, *state = switches->state;
	struct scratch left = SCRATCH_INIT;
	uint64_t at = 0, n = 0, time, switched;
	uint32_t task;

	if (!scratch_array(&left, tasks, sizeof(uint32_t), err))
		return false;
	for (uint64_t i = 0; i < l->nblocked; i++) {
		time = b[i].time > first ? b[i].time : first;
		for (; at < switches->n; at++, t += switches->time_step, from += switches->from_step,
		    state += switches->state_step) {
			memcpy(&switched, t, sizeof switched);
			memcpy(&task, from, sizeof task);
			if (switched > time)
				break;
			assert(task < tasks);
			SCRATCH(left, uint32_t)[task] = *state == 'R' ? 0 : (uint32_t)at + 1;
		}
		assert(b[i].task < tasks);
		b[n] = b[i];
		b[n].time = b[n].row = SCRATCH(left, uint32_t)[b[i].task];
		n += b[n].row != 0;
	}
	scratch_free(&left);
	if (!make_sort(&l->blocked, n, sizeof *b, w, err))
		return false;
	b = SCRATCH(l->blocked, struct sched_blocked);
	l->nblocked = 0;
	for (uint64_t i = 0; i < n; i++)
		if (i + 1 == n || b[i + 1].time != b[i].time)
			b[l->nblocked++] = b[i];
	return true;
}

bool
sched_level_columns(struct sched_levels *l, struct store *st, const struct sched_lanes *switches,
    uint64_t first, uint64_t tasks,
    struct work *w, struct err *err)
{
	static const struct make_column blocked[] = {
		MAKE(COL_BLOCKED_SWITCH, sched_blocked, row), MAKE(COL_BLOCKED_IO, sched_blocked, io),
		MAKE(COL_BLOCKED_IN, sched_blocked, word),
	}, paces[] = {
		MAKE(COL_FREQUENCY_TIME, sched_pace, time), MAKE(COL_FREQUENCY_CPU, sched_pace, cpu),
		MAKE(COL_FREQUENCY_KHZ, sched_pace, khz),
	};
	struct sched_pace *pace = SCRATCH(l->paces, struct sched_pace);

	for (uint64_t i = 0; i < l->npaces; i++)
		pace[i].time = pace[i].time < first ? 0 : pace[i].time;
	return (l->nblocked == 0 || (place_blocked(l, switches, first, tasks, w, err) &&
	    make_columns(st, blocked, NELEM(blocked),
	    MAKE_ROWS(SCRATCH(l->blocked, struct sched_blocked), l->nblocked), err))) &&
	    (l->npaces == 0 || make_columns(st, paces, NELEM(paces),
	    MAKE_ROWS(SCRATCH(l->paces, struct sched_pace), l->npaces), err));
}

void
sched_level_close(struct sched_levels *l)
{
	SCRATCH_FREE(&l->blocked, &l->paces);
}
