/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Switches and wakeups found by a reader of another format, which go to the columns as they come: their
 * numbers are known before.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_sched.h"
#include "icecore/facts.h"
#include "import.h"
#include "wakes.h"

/* The kernel traces a waking before it waits for the CPU of the task to finish the switch. */
struct hasty {
	uint64_t	left;		/* number of the switch in which the task left, from 1 */
	uint32_t	wake, to;	/* row of the waking; number of the switch to the task, from 1 */
	struct sched_woken e;		/* the waking, once it is taken out of the rows */
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
	/* Wakeups that continue a waking event, and other wakeups. */
	uint64_t		 nmerged, nwoken;
	/* Wakings of tasks that still ran, left, and were not woken again. */
	struct scratch		 hasty;		/* struct hasty */
	uint64_t		 nhasty;
	/* Switches that leave another task than the one before on their CPU switched to, and the time between both. */
	struct scratch		 came;		/* u64 by CPU: 1 + time of its last switch; 0: none yet */
	uint64_t		 unmatched, unmatched_time;
	bool			 idles;		/* the idle task leaves: a recording of all tasks */
	bool			 wakings;	/* there are waking events: only they identify wakers */
	struct sched_levels	 levels;
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
	SCRATCH_FREE(&f->early, &f->targets.target, &f->order, &f->id, &f->hasty, &f->came);
	sched_level_close(&f->levels);
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
	return task < f->room && (task == 0 || SCRATCH(f->id, uint32_t)[task] != 0) ? true :
	    new_task(f, task, err);
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
put_wake(struct sched_events *f, uint64_t at, const struct sched_woken *e, uint32_t to)
{
	f->wake_time[at] = e->time;
	f->wake_thread[at] = e->thread;
	f->wake_before[at] = e->before;
	f->wake_by[at] = e->by;
	f->wake_cpu[at] = e->cpu;
	f->wake_target[at] = e->target;
	f->wake_switch[at] = to;
}

static struct sched_woken
wake_at(const struct sched_events *f, uint64_t at)
{
	return (struct sched_woken){ .time = f->wake_time[at], .thread = f->wake_thread[at],
	    .before = f->wake_before[at], .by = f->wake_by[at], .cpu = f->wake_cpu[at], .target = f->wake_target[at] };
}

static void
note_wake(struct sched_events *f, struct sched_woken e)
{
	uint64_t n = f->nwakes;
	uint32_t merged;
	bool is_waking = WAKE_KIND(e.by) == WAKE_WAKING;

	f->wakings |= is_waking;
	if (!sched_targets_woken(&f->targets, n, e.thread, e.by, &merged))
		return;
	assert(n < f->wakes_most && merged <= n);
	if (merged > 0) {
		e.by = f->wake_by[merged - 1];
		e.cpu = f->wake_cpu[merged - 1];
		f->wake_thread[merged - 1] = 0;
		f->nmerged++;
	} else {
		f->nwoken += WAKE_KIND(e.by) == WAKE_WAKEUP;
	}
	e.before = (uint32_t)f->nswitches;
	put_wake(f, n, &e, 0);
	f->nwakes++;
}

/* Take the held wakeups of a task; task 0: of all tasks. */
static void
release(struct sched_events *f, uint32_t task)
{
	unsigned left = 0;

	for (unsigned i = 0; i < f->targets.nheld; i++)
		if (task == 0 || f->targets.held[i].thread == task)
			note_wake(f, f->targets.held[i]);
		else
			f->targets.held[left++] = f->targets.held[i];
	f->targets.nheld = left;
}

/*
 * Take the held wakeups that come before a switch: those of the task that begins to run, and those of a
 * task that leaves in state R, because it did not sleep.
 */
static void
release_before(struct sched_events *f, const struct sched_row *e)
{
	if (f->targets.held[0].time < e->time)
		release(f, 0);
	if (e->to != 0)
		release(f, e->to);
	if (e->state == 'R' && e->from != 0)
		release(f, e->from);
}

/* Count a switch that does not match the one before on its CPU. */
static inline void
count_unmatched(struct sched_events *f, const struct sched_row *e)
{
	uint64_t *came;

	f->idles |= e->from == 0;
	if (e->cpu >= SWITCH_NO_CPU)
		return;
	came = &SCRATCH(f->came, uint64_t)[e->cpu];
	if (*came != 0 && SCRATCH(f->targets.seats.task, uint32_t)[e->cpu] != e->from) {
		f->unmatched++;
		f->unmatched_time = num_add(f->unmatched_time, e->time + 1 - *came);
	}
	*came = e->time + 1;
}

/* In a recording of one process no switch matches: repair.one_process says that. */
static bool
unmatched_facts(const struct sched_events *f, struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_REPAIR_UNMATCHED, f->unmatched, MAKE_ANY },
		{ FACT_REPAIR_UNMATCHED_TIME, f->unmatched_time, MAKE_ANY },
	};

	return !f->idles || make_facts(f->st, facts, NELEM(facts), err);
}

static bool
note_switch(struct sched_events *f, const struct sched_row *e, struct err *err)
{
	uint64_t n = f->nswitches;
	struct sched_target was;
	struct hasty hasty;

	if (f->targets.nheld > 0)
		release_before(f, e);
	f->nswitches++;
	count_unmatched(f, e);
	was = sched_targets_switch(&f->targets, (uint32_t)f->nswitches, e->cpu, e->from, e->to, e->state);
	assert(n < f->switches_most && e->cpu <= SWITCH_NO_CPU);
	f->time[n] = e->time;
	f->cpu[n] = e->cpu;
	f->from[n] = e->from;
	f->to[n] = e->to;
	f->state[n] = e->state;
	if (was.woken != 0)
		f->wake_switch[was.woken - 1] = (uint32_t)f->nswitches;
	if (f->targets.nheld > 0 && e->from != 0)
		release(f, e->from);
	if (was.woken != 0 || was.waking == 0 || was.left == 0)
		return true;
	hasty = (struct hasty){ .left = was.left, .wake = was.waking - 1, .to = (uint32_t)f->nswitches };
	return scratch_add(&f->hasty, &f->nhasty, &hasty, sizeof hasty, err);
}

static bool
columns_make(struct sched_events *f, struct err *err)
{
	uint64_t n = f->switches_most, w = f->wakes_most;

	if (n > UINT32_MAX || w > UINT32_MAX)
		return fail(err, E_SYSTEM, "too many switches or wakeups");
	return scratch_array(&f->came, SWITCH_NO_CPU, sizeof(uint64_t), err) &&
	    (f->time = store_make(f->st, COL_SWITCH_TIME, COL_U64, n, err)) != NULL &&
	    (f->cpu = store_make(f->st, COL_SWITCH_CPU, COL_U16, n, err)) != NULL &&
	    (f->from = store_make(f->st, COL_SWITCH_FROM, COL_U32, n, err)) != NULL &&
	    (f->to = store_make(f->st, COL_SWITCH_TO, COL_U32, n, err)) != NULL &&
	    (f->state = store_make(f->st, COL_SWITCH_STATE, COL_U8, n, err)) != NULL &&
	    (f->wake_time = store_make(f->st, COL_WAKE_TIME, COL_U64, w, err)) != NULL &&
	    (f->wake_thread = store_make(f->st, COL_WAKE_THREAD, COL_U32, w, err)) != NULL &&
	    (f->wake_before = store_make(f->st, COL_WAKE_BEFORE, COL_U32, w, err)) != NULL &&
	    (f->wake_by = store_make(f->st, COL_WAKE_BY, COL_U32, w, err)) != NULL &&
	    (f->wake_cpu = store_make(f->st, COL_WAKE_CPU, COL_U16, w, err)) != NULL &&
	    (f->wake_target = store_make(f->st, COL_WAKE_TARGET, COL_U16, w, err)) != NULL &&
	    (f->wake_switch = store_make(f->st, COL_WAKE_SWITCH, COL_U32, w, err)) != NULL;
}

bool
sched_events_switch(struct sched_events *f, const struct sched_record *e, struct err *err)
{
	struct sched_row row = { .time = take_moment(f, e->time), .from = e->from, .to = e->to,
	    .cpu = (uint16_t)e->cpu, .state = e->state };

	if (!know_task(f, e->from, err) || !know_task(f, e->to, err))
		return false;
	/* Columns are made with the first switch; without one there are none. */
	if (f->nswitches == 0) {
		if (!columns_make(f, err))
			return false;
		for (uint64_t i = 0; i < f->nearly; i++)
			note_wake(f, SCRATCH(f->early, struct sched_woken)[i]);
	}
	return note_switch(f, &row, err) && sched_loss_line(&f->losses, e->cpu, row.time, err);
}

bool
sched_events_waking(struct sched_events *f, const struct sched_record *e, struct err *err)
{
	struct sched_woken w = { .time = take_moment(f, e->time), .thread = e->to,
	    .by = sched_wake_by(e->wake, e->irq, e->self),
	    .cpu = (uint16_t)e->cpu, .target = e->target < SCHED_CPUS ? (uint16_t)e->target : SWITCH_NO_CPU };
	const struct sched_target *k;

	if (!sched_loss_line(&f->losses, e->cpu, w.time, err) || !know_task(f, e->to, err))
		return false;
	if (e->to == 0)
		return true;
	if (e->irq != SCHED_IRQ_NOBODY && !know_task(f, e->self, err))
		return false;
	if (f->nswitches == 0)
		return scratch_add(&f->early, &f->nearly, &w, sizeof w, err);
	if (f->targets.nheld > 0 && f->targets.held[0].time < w.time)
		release(f, 0);
	k = &SCRATCH(f->targets.target, struct sched_target)[w.thread];
	if (f->targets.nheld < HELD_MOST && (k->running || !k->seen) &&
	    SCRATCH(f->targets.seats.cpu, uint32_t)[w.thread] != w.cpu + 1u)
		f->targets.held[f->targets.nheld++] = w;
	else
		note_wake(f, w);
	return true;
}

bool
sched_events_blocked(struct sched_events *f, uint32_t task, uint64_t time, bool io, uint32_t word,
    struct err *err)
{
	return know_task(f, task, err) && sched_level_blocked(&f->levels, task, time, io, word, err);
}

bool
sched_events_frequency(struct sched_events *f, uint32_t cpu, uint64_t time, uint32_t khz, struct err *err)
{
	return sched_level_pace(&f->levels, cpu, time, khz, err);
}

bool
sched_events_lost(struct sched_events *f, uint32_t cpu, struct err *err)
{
	return sched_loss_begins(&f->losses, cpu, err);
}

/* ---- the end --------------------------------------------------------------------------- */

bool
sched_events_threads(struct sched_events *f, uint32_t (*thread)(void *, uint32_t task, struct err *),
    void *arg, struct err *err)
{
	const uint32_t *task = SCRATCH(f->order, uint32_t);

	for (uint64_t i = 0; f->nswitches > 0 && i < f->ntasks; i++)
		if ((SCRATCH(f->id, uint32_t)[task[i]] = thread(arg, task[i], err)) == 0)
			return false;
	return true;
}

/* Take hasty wakings out of the rows: they are of the time at which their tasks left. */
static void
take_hasty(struct sched_events *f)
{
	struct hasty *h = SCRATCH(f->hasty, struct hasty);

	for (uint64_t i = 0; i < f->nhasty; i++) {
		h[i].e = wake_at(f, h[i].wake);
		h[i].e.time = f->time[h[i].left - 1];
		h[i].e.before = (uint32_t)h[i].left;
		f->wake_thread[h[i].wake] = 0;
	}
}

/* Return the number of the switch that a wakeup led to; 0: unknown, as events are lost between. */
static uint32_t
led_to(const struct sched_events *f, const struct sched_losses *losses, uint64_t time, uint32_t to)
{
	return losses->n > 0 && to > 0 && sched_losses_between(losses, time, f->time[to - 1]) ? 0 : to;
}

/* Put hasty wakings among the rows that are left. */
static void
put_hasty(struct sched_events *f, const struct sched_losses *losses)
{
	const struct hasty *h = SCRATCH(f->hasty, struct hasty);
	uint64_t n = f->nwakes, left = f->nhasty;
	struct sched_woken e;

	f->nwakes += left;
	while (left > 0)
		if (n > 0 && f->wake_before[n - 1] >= h[left - 1].left) {
			n--;
			e = wake_at(f, n);
			put_wake(f, n + left, &e, f->wake_switch[n]);
		} else {
			left--;
			put_wake(f, n + left, &h[left].e, led_to(f, losses, h[left].e.time, h[left].to));
		}
}

/* Correct wakeups by what only the whole file shows, and remove the rows that were merged into others. */
static bool
finish_wakes(struct sched_events *f, const struct sched_losses *losses, struct err *err)
{
	uint64_t n = 0;
	struct sched_woken e;

	if (losses->n == 0 && f->nmerged == 0 && f->nhasty == 0 && (!f->wakings || f->nwoken == 0))
		return true;
	if (!make_sort(&f->hasty, f->nhasty, sizeof(struct hasty), f->work, err))
		return false;
	take_hasty(f);
	for (uint64_t i = 0; i < f->nwakes; i++) {
		resident_row(i);
		e = wake_at(f, i);
		if (e.thread == 0)
			continue;
		/*
		 * A wakeup without its waking may be logged on the CPU of the woken task: the waker is
		 * unknown.
		 */
		if (f->wakings && WAKE_KIND(e.by) == WAKE_WAKEUP) {
			e.by = WAKE_BY(WAKE_WAKEUP, 0);
			e.cpu = SWITCH_NO_CPU;
		}
		put_wake(f, n++, &e, led_to(f, losses, e.time, f->wake_switch[i]));
	}
	f->nwakes = n;
	put_hasty(f, losses);
	return true;
}

static void
events_trim(struct sched_events *f)
{
	static const column_id switches[] = { COL_SWITCH_TIME, COL_SWITCH_CPU, COL_SWITCH_FROM, COL_SWITCH_TO,
	    COL_SWITCH_STATE },
	    wakes[] = { COL_WAKE_TIME, COL_WAKE_THREAD, COL_WAKE_BEFORE, COL_WAKE_BY, COL_WAKE_CPU,
	    COL_WAKE_TARGET, COL_WAKE_SWITCH };

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
	const struct sched_lanes switches = { f->time, f->from, f->state, sizeof *f->time, sizeof *f->from,
	    sizeof *f->state, f->nswitches };

	if (!sched_level_columns(&f->levels, f->st, &switches, f->first, f->room, f->work, err))
		return false;
	sched_losses_begin(&f->losses, f->first, f->first);
	sched_losses_join(&f->losses);
	release(f, 0);
	if (!finish_wakes(f, &f->losses, err))
		return false;
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
	return sched_loss_columns(f->st, &f->losses, err) && unmatched_facts(f, err) &&
	    fact_set(f->st, FACT_SWITCHES, f->nswitches, err) &&
	    fact_set(f->st, FACT_WAKEUPS, f->nwakes, err);
}

/* ---- rows that are all there --------------------------------------------------------------- */

static bool
feed_rows(struct sched_events *f, const struct make_rows *switches, const struct sched_woken *woken,
    uint64_t n, struct err *err)
{
	const struct sched_row *row = switches->data;
	uint64_t at = 0;

	if (!columns_make(f, err))
		return false;
	for (uint64_t i = 0; i <= n; i++) {
		uint64_t until = i < n ? woken[i].before : switches->n;

		resident_row(i);
		for (; at < until; at++)
			if (!note_switch(f, &row[switches->ring > 0 ? (switches->first + at) % switches->ring : at],
			    err))
				return false;
		if (i < n)
			note_wake(f, woken[i]);
	}
	return true;
}

bool
sched_row_columns(struct store *st, const struct make_rows *switches, const struct sched_woken *woken,
    uint64_t *n, uint64_t threads, struct sched_losses *losses, struct err *err)
{
	struct sched_events f = { .st = st, .switches_most = switches->n, .wakes_most = *n };
	bool ok = scratch_array(&f.targets.target, threads + 1, sizeof(struct sched_target), err) &&
	    sched_seats_open(&f.targets.seats, threads, err) && feed_rows(&f, switches, woken, *n, err);

	sched_losses_join(losses);
	ok = ok && finish_wakes(&f, losses, err) && unmatched_facts(&f, err);
	if (ok) {
		events_trim(&f);
		*n = f.nwakes;
	}
	SCRATCH_FREE(&f.targets.target, &f.hasty, &f.came);
	sched_seats_close(&f.targets.seats);
	return ok;
}
