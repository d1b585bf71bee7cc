/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Switches and wakeups found by a reader of another format, which go to the columns as they come: their numbers are known before.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_sched.h"
#include "icecore/facts.h"
#include "beside.h"
#include "wakes.h"

/* Why a task slept. */
struct sched_blocked {
	uint64_t	time;
	uint32_t	task, word;
	uint32_t	row;		/* switch that ended its time on the CPU */
	uint8_t		io;
};

struct sched_events {
	struct store		*st;
	struct work		*work;
	uint64_t		 switches_most, wakes_most;
	uint64_t		 nswitches, nwakes, nearly;
	uint64_t		 first, last;	/* times */
	/* Columns; tasks are those of the reader until the end. */
	uint64_t		*time, *wake_time;
	uint32_t		*from, *to, *wake_thread, *wake_before, *wake_by, *wake_switch;
	uint16_t		*cpu, *wake_cpu, *wake_target;
	uint8_t			*state;
	struct scratch		 early;		/* struct sched_woken: wakeups before the first switch */
	struct sched_losses	 losses;
	struct sched_targets	 targets;
	struct scratch		 order;		/* u32: tasks as they came */
	struct scratch		 id;		/* u32 by task: 1 + its place in order, in the end its thread */
	uint64_t		 ntasks, room;
	uint64_t		 nmerged, nwoken;	/* wakeups that continue a waking event; other wakeups */
	bool			 wakings;	/* there are waking events: only they identify wakers */
	struct scratch		 blocked, paces;
	uint64_t		 nblocked, npaces;
};

struct sched_events *
sched_events_open(struct store *st, struct work *w, struct err *err)
{
	struct sched_events *f = mem_array(1, sizeof *f);

	if (f == NULL)
		fail(err, E_SYSTEM, "out of memory (switches)");
	else
		*f = (struct sched_events){ .st = st, .work = w };
	return f;
}

void
sched_events_close(struct sched_events *f)
{
	if (f == NULL)
		return;
	SCRATCH_FREE(&f->early, &f->targets.target, &f->order, &f->id, &f->blocked, &f->paces);
	sched_seats_close(&f->targets.seats);
	sched_losses_close(&f->losses);
	free(f);
}

void
sched_events_expect(struct sched_events *f, uint64_t switches, uint64_t wakes)
{
	f->switches_most = switches;
	f->wakes_most = wakes;
}

uint64_t
sched_events_switches(const struct sched_events *f)
{
	return f->nswitches;
}

/* ---- events ---------------------------------------------------------------------------- */

static bool
new_task(struct sched_events *f, uint32_t task, struct err *err)
{
	if (task > TASKS_MOST)
		return fail(err, E_SYSTEM, "too many tasks");
	if (task >= f->room) {
		if (f->room == 0 && !sched_seats_open(&f->targets.seats, 0, err))
			return false;
		if (!scratch_array(&f->id, task + 1ull, sizeof(uint32_t), err))
			return false;
		f->room = f->id.size / sizeof(uint32_t);
		if (!scratch_array(&f->targets.target, f->room, sizeof(struct sched_target), err) ||
		    !scratch_array(&f->targets.seats.cpu, f->room, sizeof(uint32_t), err))
			return false;
	}
	if (task == 0 || SCRATCH(f->id, uint32_t)[task] != 0)
		return true;
	if (!scratch_add(&f->order, &f->ntasks, &task, sizeof task, err))
		return false;
	SCRATCH(f->id, uint32_t)[task] = (uint32_t)f->ntasks;
	return true;
}

static inline bool
know_task(struct sched_events *f, uint32_t task, struct err *err)
{
	return task < f->room && (task == 0 || SCRATCH(f->id, uint32_t)[task] != 0) ? true : new_task(f, task, err);
}

/* Times rise, whatever the file says. */
static inline uint64_t
take_moment(struct sched_events *f, uint64_t time)
{
	if (f->nswitches + f->nwakes + f->nearly == 0)
		f->first = f->last = time;
	f->last = time > f->last ? time : f->last;
	return f->last;
}

static void
put_wake(struct sched_events *f, struct sched_woken e)
{
	uint64_t n = f->nwakes;
	uint32_t merged;
	bool is_waking = WAKE_KIND(e.by) == WAKE_WAKING;

	f->wakings |= is_waking;
	if (!sched_targets_woken(&f->targets, n, e.thread, e.by, &merged))
		return;
	assert(n < f->wakes_most && merged <= n);
	if (merged != 0) {
		e.by = f->wake_by[merged - 1];
		e.cpu = f->wake_cpu[merged - 1];
		f->wake_thread[merged - 1] = 0;
		f->nmerged++;
	} else
		f->nwoken += WAKE_KIND(e.by) == WAKE_WAKEUP;
	f->wake_time[n] = e.time;
	f->wake_thread[n] = e.thread;
	f->wake_before[n] = (uint32_t)f->nswitches;
	f->wake_by[n] = e.by;
	f->wake_cpu[n] = e.cpu;
	f->wake_target[n] = e.target;
	f->wake_switch[n] = 0;
	f->nwakes++;
}

/* Makes the columns with the first switch; without one there are none. */
static bool
sched_events_begin(struct sched_events *f, struct err *err)
{
	uint64_t n = f->switches_most, w = f->wakes_most;

	assert(n > 0);
	if (n > UINT32_MAX || w > UINT32_MAX)
		return fail(err, E_SYSTEM, "too many switches or wakeups");
	if ((f->time = store_make(f->st, COL_SWITCH_TIME, COL_U64, n, err)) == NULL ||
	    (f->cpu = store_make(f->st, COL_SWITCH_CPU, COL_U16, n, err)) == NULL ||
	    (f->from = store_make(f->st, COL_SWITCH_FROM, COL_U32, n, err)) == NULL ||
	    (f->to = store_make(f->st, COL_SWITCH_TO, COL_U32, n, err)) == NULL ||
	    (f->state = store_make(f->st, COL_SWITCH_STATE, COL_U8, n, err)) == NULL ||
	    (f->wake_time = store_make(f->st, COL_WAKE_TIME, COL_U64, w, err)) == NULL ||
	    (f->wake_thread = store_make(f->st, COL_WAKE_THREAD, COL_U32, w, err)) == NULL ||
	    (f->wake_before = store_make(f->st, COL_WAKE_BEFORE, COL_U32, w, err)) == NULL ||
	    (f->wake_by = store_make(f->st, COL_WAKE_BY, COL_U32, w, err)) == NULL ||
	    (f->wake_cpu = store_make(f->st, COL_WAKE_CPU, COL_U16, w, err)) == NULL ||
	    (f->wake_target = store_make(f->st, COL_WAKE_TARGET, COL_U16, w, err)) == NULL ||
	    (f->wake_switch = store_make(f->st, COL_WAKE_SWITCH, COL_U32, w, err)) == NULL)
		return false;
	for (uint64_t i = 0; i < f->nearly; i++)
		put_wake(f, SCRATCH(f->early, struct sched_woken)[i]);
	return true;
}

bool
sched_events_switch(struct sched_events *f, const struct sched_told *e, struct err *err)
{
	uint64_t n = f->nswitches, time = take_moment(f, e->time);
	uint32_t woken;

	if (!know_task(f, e->from, err) || !know_task(f, e->to, err) || (n == 0 && !sched_events_begin(f, err)))
		return false;
	assert(n < f->switches_most && e->cpu < SWITCH_NO_CPU);
	f->time[n] = time;
	f->cpu[n] = (uint16_t)e->cpu;
	f->from[n] = e->from;
	f->to[n] = e->to;
	f->state[n] = e->state;
	f->nswitches++;
	woken = sched_targets_switch(&f->targets, e->cpu, e->from, e->to, e->state);
	if (woken != 0)
		f->wake_switch[woken - 1] = (uint32_t)n + 1;
	return sched_loss_line(&f->losses, e->cpu, time, err);
}

/* An interrupt wakes by itself: the interrupted task is not the waker. */
static uint32_t
waker_told(const struct sched_told *e)
{
	return WAKE_BY(e->wake, e->irq ? WAKER_IRQ : e->self == 0 ? WAKER_IDLE : e->self == SCHED_NOBODY ? 0 : e->self);
}

bool
sched_events_waking(struct sched_events *f, const struct sched_told *e, struct err *err)
{
	struct sched_woken w = { .time = take_moment(f, e->time), .thread = e->to, .by = waker_told(e), .cpu = (uint16_t)e->cpu,
	    .target = e->target < SCHED_CPUS ? (uint16_t)e->target : SWITCH_NO_CPU };

	if (!sched_loss_line(&f->losses, e->cpu, w.time, err) || !know_task(f, e->to, err))
		return false;
	if (e->to == 0)
		return true;
	if (e->self != SCHED_NOBODY && !know_task(f, e->self, err))
		return false;
	if (f->nswitches == 0)
		return scratch_add(&f->early, &f->nearly, &w, sizeof w, err);
	put_wake(f, w);
	return true;
}

bool
sched_events_blocked(struct sched_events *f, uint32_t task, uint64_t time, bool io, uint32_t word, struct err *err)
{
	struct sched_blocked new = { .time = time, .task = task, .word = word, .io = io };

	return task == 0 || (know_task(f, task, err) &&
	    make_add(&f->blocked, &f->nblocked, &new, sizeof new, UINT32_MAX, "reasons of waits", err));
}

bool
sched_events_frequency(struct sched_events *f, uint32_t cpu, uint64_t time, uint32_t khz, struct err *err)
{
	struct sched_pace new = { .time = time, .khz = khz, .cpu = (uint16_t)cpu };

	return cpu >= SCHED_CPUS || make_add(&f->paces, &f->npaces, &new, sizeof new, UINT32_MAX, "frequencies", err);
}

bool
sched_events_lost(struct sched_events *f, uint32_t cpu, struct err *err)
{
	return sched_loss_begins(&f->losses, cpu, err);
}

/* ---- the end --------------------------------------------------------------------------- */

bool
sched_events_threads(struct sched_events *f, uint32_t (*thread)(void *, uint32_t task, struct err *), void *arg, struct err *err)
{
	const uint32_t *task = SCRATCH(f->order, uint32_t);

	for (uint64_t i = 0; f->nswitches > 0 && i < f->ntasks; i++)
		if ((SCRATCH(f->id, uint32_t)[task[i]] = thread(arg, task[i], err)) == 0)
			return false;
	return true;
}

/* Reasons get the rows of the switches with which their tasks left to sleep; those without one go. */
static bool
place_blocked(struct sched_events *f, struct err *err)
{
	struct sched_blocked *b = SCRATCH(f->blocked, struct sched_blocked);
	struct scratch left = SCRATCH_INIT;
	uint64_t at = 0, n = 0, time;

	if (!scratch_array(&left, f->room, sizeof(uint32_t), err))
		return false;
	for (uint64_t i = 0; i < f->nblocked; i++) {
		time = b[i].time > f->first ? b[i].time : f->first;
		for (; at < f->nswitches && f->time[at] <= time; at++)
			SCRATCH(left, uint32_t)[f->from[at]] = f->state[at] == 'R' ? 0 : (uint32_t)at + 1;
		b[n] = b[i];
		b[n].time = b[i].row = SCRATCH(left, uint32_t)[b[i].task];
		n += b[n].time != 0;
	}
	scratch_free(&left);
	f->nblocked = n;
	if (!make_sort(&f->blocked, n, sizeof *b, f->work, err))
		return false;
	b = SCRATCH(f->blocked, struct sched_blocked);
	f->nblocked = 0;
	for (uint64_t i = 0; i < n; i++)
		if (i + 1 == n || b[i + 1].time != b[i].time) {
			b[f->nblocked] = b[i];
			b[f->nblocked++].row = (uint32_t)b[i].time;
		}
	return true;
}

bool
sched_pace_columns(struct store *st, const struct sched_pace *pace, uint64_t n, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_FREQUENCY_TIME, sched_pace, time), MAKE(COL_FREQUENCY_CPU, sched_pace, cpu), MAKE(COL_FREQUENCY_KHZ, sched_pace, khz),
	};

	return n == 0 || make_columns(st, columns, NELEM(columns), MAKE_ROWS(pace, n), err);
}

static bool
more_columns(struct sched_events *f, struct err *err)
{
	static const struct make_column blocked[] = {
		MAKE(COL_BLOCKED_SWITCH, sched_blocked, row), MAKE(COL_BLOCKED_IO, sched_blocked, io), MAKE(COL_BLOCKED_IN, sched_blocked, word),
	};
	struct sched_pace *pace = SCRATCH(f->paces, struct sched_pace);

	for (uint64_t i = 0; i < f->npaces; i++)
		pace[i].time = pace[i].time < f->first ? 0 : pace[i].time;
	return (f->nblocked == 0 || (place_blocked(f, err) && make_columns(f->st, blocked, NELEM(blocked),
	    MAKE_ROWS(SCRATCH(f->blocked, struct sched_blocked), f->nblocked), err))) &&
	    sched_pace_columns(f->st, pace, f->npaces, err);
}

/* Correct wakeups by what only the whole file shows, and remove the rows that were merged into others. */
static void
finish_wakes(struct sched_events *f)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < f->nwakes; i++) {
		resident_row(i);
		if (f->losses.n > 0 && f->wake_switch[i] != 0 &&
		    sched_losses_between(&f->losses, f->wake_time[i], f->time[f->wake_switch[i] - 1]))
			f->wake_switch[i] = 0;
		/* A wakeup without its waking may be logged on the CPU of the woken task: the waker is unknown. */
		if (f->wakings && WAKE_KIND(f->wake_by[i]) == WAKE_WAKEUP) {
			f->wake_by[i] = WAKE_BY(WAKE_WAKEUP, 0);
			f->wake_cpu[i] = SWITCH_NO_CPU;
		}
		if (f->wake_thread[i] == 0)
			continue;
		f->wake_time[n] = f->wake_time[i];
		f->wake_thread[n] = f->wake_thread[i];
		f->wake_before[n] = f->wake_before[i];
		f->wake_by[n] = f->wake_by[i];
		f->wake_cpu[n] = f->wake_cpu[i];
		f->wake_target[n] = f->wake_target[i];
		f->wake_switch[n++] = f->wake_switch[i];
	}
	f->nwakes = n;
}

static void
events_trim(struct sched_events *f)
{
	static const column_id switches[] = { COL_SWITCH_TIME, COL_SWITCH_CPU, COL_SWITCH_FROM, COL_SWITCH_TO, COL_SWITCH_STATE },
	    wakes[] = { COL_WAKE_TIME, COL_WAKE_THREAD, COL_WAKE_BEFORE, COL_WAKE_BY, COL_WAKE_CPU, COL_WAKE_TARGET, COL_WAKE_SWITCH };

	for (size_t i = 0; i < NELEM(wakes); i++)
		store_trim(f->st, wakes[NELEM(wakes) - 1 - i], f->nwakes);
	for (size_t i = 0; i < NELEM(switches); i++)
		store_trim(f->st, switches[NELEM(switches) - 1 - i], f->nswitches);
}

bool
sched_events_columns(struct sched_events *f, const uint32_t *place, struct err *err)
{
	uint32_t *id = SCRATCH(f->id, uint32_t), by;
	const uint32_t *task = SCRATCH(f->order, uint32_t);

	if (!more_columns(f, err))
		return false;
	sched_losses_begin(&f->losses, f->first, f->first);
	sched_losses_join(&f->losses);
	if (f->losses.n > 0 || f->nmerged > 0 || (f->wakings && f->nwoken > 0))
		finish_wakes(f);
	for (uint64_t i = 0; i < f->ntasks; i++)
		id[task[i]] = place[id[task[i]] - 1];
	for (uint64_t i = 0; i < f->nswitches; i++) {
		resident_row(i);
		f->from[i] = id[f->from[i]];
		f->to[i] = id[f->to[i]];
	}
	for (uint64_t i = 0; i < f->nwakes; i++) {
		resident_row(i);
		f->wake_thread[i] = id[f->wake_thread[i]];
		if ((by = WAKE_ID(f->wake_by[i])) != 0 && by <= TASKS_MOST)
			f->wake_by[i] = WAKE_BY(WAKE_KIND(f->wake_by[i]), id[by]);
	}
	events_trim(f);
	return sched_loss_columns(f->st, &f->losses, err) && fact_set(f->st, FACT_SWITCHES, f->nswitches, err) &&
	    fact_set(f->st, FACT_WAKEUPS, f->nwakes, err);
}
