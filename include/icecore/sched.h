/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched: counts per task while it is switched in and out, for readers of switches: files and live streams.
 */
#ifndef ICECORE_SCHED_H
#define ICECORE_SCHED_H

#include "icecore/make.h"

#define SWITCH_NO_CPU 65535u		/* switch.cpu if unknown */

/*
 * A recording of one process has the switches in which its threads leave a CPU, and hardly one in which
 * they come: of so many leaves these were behind another one.  Recordings of all processes have that where
 * they begin.
 */
static inline bool
sched_alone(uint32_t left, uint32_t unseen)
{
	return unseen > 0 && 2ull * unseen + 1 >= left;
}

/* The state in which a task leaves its CPU for ever. */
static inline bool
sched_ended(uint8_t state)
{
	return state == 'X' || state == 'Z' || state == 'x';
}

/* The time, in ns, in which switches were recorded: a file may have other events before and after it. */
#define sched_recorded_from(st) fact_value(st, FACT_TRACE_TASKS_BEGIN)
static inline uint64_t
sched_recorded_to(const struct store *st)
{
	return fact_value(st, FACT_TRACE_TASKS_END) != 0 ? fact_value(st, FACT_TRACE_TASKS_END) :
	    fact_value(st, FACT_ELAPSED);
}

/* Waker of a task, and the event that names it: wake.by. */
enum wake_kind { WAKE_WAKING, WAKE_WAKEUP, WAKE_NEW };
#define WAKE_BY(kind, id) ((uint32_t)(kind) << 30 | (id))
#define WAKE_KIND(by) ((enum wake_kind)((by) >> 30))
#define WAKE_ID(by) ((by) & WAKER_IRQ)
#define WAKER_IRQ ((1u << 30) - 1)	/* instead of the id of a task; 0: not known */
#define WAKER_SOFTIRQ (WAKER_IRQ - 1)
#define WAKER_IDLE (WAKER_IRQ - 2)	/* an interrupt of an idle CPU */
#define TASKS_MOST (WAKER_IRQ - 3)	/* ids of tasks are not larger */

enum series_kind {
	SERIES_COUNTER,
	SERIES_ASYNC		/* number of open ones with that name */
};

/* The piece of time that is counted, its end outside. */
struct sched_range {
	uint64_t	from, to;
};

#define SCHED_ALL ((struct sched_range){ 0, UINT64_MAX })

/* Start and duration of the part of a time span inside the range.  False: no part is inside. */
static inline bool
sched_part(const struct sched_range *r, uint64_t begin, uint64_t end, uint64_t *at, uint64_t *length)
{
	uint64_t from = begin > r->from ? begin : r->from, to = end < r->to ? end : r->to;

	*at = from;
	*length = to > from ? to - from : 0;
	return to > from || (begin == end && begin >= r->from && begin < r->to);
}

static inline bool
sched_within(const struct sched_range *r, uint64_t time)
{
	return time >= r->from && time < r->to;
}

/* Times in ns.  Start from zeros. */
struct task_sum {
	uint64_t	on, off, max_gap, max_gap_at;
	/* Off by the state in which it left: S, D, R. */
	uint64_t	sleeping, disk, preempted, other;
	uint64_t	delay, max_delay;	/* from the first wakeup, or preemption, until it ran or all ended */
	uint64_t	in, out, gaps, delays;
	uint64_t	last_in, last_out, woken;
	uint32_t	left, unseen;	/* in the form of sched_alone */
	bool		is_in, is_out, is_woken;
	uint8_t		state;
};

/* The task ran until time, if it is on a CPU. */
static inline void
task_ran(struct task_sum *s, const struct sched_range *r, uint64_t time)
{
	uint64_t at, length;

	if (s->is_in && sched_part(r, s->last_in, time, &at, &length))
		s->on += length;
	s->is_in = false;
}

/* The task left its CPU unseen: how long it ran is unknown, and whether its wakeup came after it left. */
static inline void
task_gone(struct task_sum *s)
{
	s->is_in = s->is_woken = false;
}

/* Its next leave is seen, but not that it came back. */
static inline void
task_unseen(struct task_sum *s)
{
	s->unseen += s->is_out || s->is_woken;
	task_gone(s);
}

/* The task leaves its CPU.  Drop an earlier wakeup, while it ran or had left unseen: it caused no delay. */
static inline void
task_out(struct task_sum *s, const struct sched_range *r, uint64_t time, uint8_t state)
{
	s->out += sched_within(r, time);
	s->left++;
	s->is_woken = false;
	task_ran(s, r, time);
	s->last_out = time;
	s->is_out = true;
	s->state = state;
}

/* The sum to which off-CPU time counts if it began in this state. */
static inline uint64_t *
task_away(struct task_sum *s)
{
	switch (s->state) {
	case 'S': return &s->sleeping;
	case 'D': return &s->disk;
	case 'R': return &s->preempted;
	}
	return &s->other;
}

/* The task waited for a CPU until time, if it did.  The part that counts; UINT64_MAX: none. */
static inline uint64_t
task_delayed(struct task_sum *s, const struct sched_range *r, uint64_t time)
{
	/* Waking a preempted task changes nothing. */
	bool preempted = s->is_out && s->state == 'R';
	uint64_t at, length;

	if ((!preempted && !s->is_woken) || !sched_part(r, preempted ? s->last_out : s->woken, time, &at, &length))
		return UINT64_MAX;
	s->delay += length;
	s->delays++;
	if (length > s->max_delay)
		s->max_delay = length;
	return length;
}

/* The task was off its CPU until time, if it was.  The part that counts; UINT64_MAX: none. */
static inline uint64_t
task_was_off(struct task_sum *s, const struct sched_range *r, uint64_t time)
{
	uint64_t at, length;

	if (!s->is_out || !sched_part(r, s->last_out, time, &at, &length))
		return UINT64_MAX;
	s->off += length;
	s->gaps++;
	*task_away(s) += length;
	if (length > s->max_gap || s->gaps == 1) {
		s->max_gap = length;
		s->max_gap_at = at;
	}
	return length;
}

/* The task gets a CPU.  *gap and *delay: counted parts of them, UINT64_MAX: none. */
static inline void
task_in(struct task_sum *s, const struct sched_range *r, uint64_t time, uint64_t *gap, uint64_t *delay)
{
	*delay = task_delayed(s, r, time);
	*gap = task_was_off(s, r, time);
	s->in += sched_within(r, time);
	s->last_in = time;
	s->is_in = true;
	s->is_out = false;
	s->is_woken = false;
}

/* Only the first one counts. */
static inline void
task_wake(struct task_sum *s, uint64_t time)
{
	if (!s->is_woken)
		s->woken = time;
	s->is_woken = true;
}

/*
 * All ends at that time: the task still runs, or is off its CPU, the longest of all if it hangs; one that ended
 * waits for nothing.  As task_in.
 */
static inline void
task_end(struct task_sum *s, const struct sched_range *r, uint64_t time, uint64_t *gap, uint64_t *delay)
{
	bool waits = !s->is_in && s->last_out < time && !sched_alone(s->left, s->unseen);

	task_ran(s, r, time);
	*delay = waits && s->woken < time ? task_delayed(s, r, time) : UINT64_MAX;
	*gap = waits && !sched_ended(s->state) ? task_was_off(s, r, time) : UINT64_MAX;
}

/* A CPU. */
struct cpu_sum {
	uint64_t	busy, idle, max_idle, max_idle_at, unknown;
	uint64_t	switches;
	uint64_t	first, last;	/* times of the first and the last switch */
	uint32_t	left, running;	/* tasks: by the first switch, since the last */
	bool		seen;
};

#define CPU_UNKNOWN (UINT32_MAX - 1)	/* instead of a task; 0: idle */

static inline void
cpu_ran(struct cpu_sum *c, const struct sched_range *r, uint64_t begin, uint64_t end, uint32_t task)
{
	uint64_t at, length;

	sched_part(r, begin, end, &at, &length);
	if (task == CPU_UNKNOWN)
		c->unknown += length;
	else if (task != 0)
		c->busy += length;
	else {
		c->idle += length;
		if (length > c->max_idle) {
			c->max_idle = length;
			c->max_idle_at = at;
		}
	}
}

/* known: from ran since the switch before. */
static inline void
cpu_switch(struct cpu_sum *c, const struct sched_range *r, uint64_t time, uint32_t from, uint32_t to,
    bool known)
{
	if (c->seen)
		cpu_ran(c, r, c->last, time, known ? from : CPU_UNKNOWN);
	else {
		c->first = time;
		c->left = from;
	}
	c->switches += sched_within(r, time);
	c->last = time;
	c->running = to;
	c->seen = true;
}

/*
 * The recorded time, in which something was lost or not, ends.  A CPU that is idle until its first switch
 * was so all the time; a task that it leaves then counts only from where it is seen to begin, and what was
 * lost may have been the beginning.  known: what it switched to last still runs.
 */
static inline void
cpu_end(struct cpu_sum *c, const struct sched_range *r, uint64_t begin, uint64_t end, bool lost, bool known)
{
	cpu_ran(c, r, begin < c->first ? begin : c->first, c->first, c->left == 0 && !lost ? 0 : CPU_UNKNOWN);
	cpu_ran(c, r, c->last, end, known ? c->running : CPU_UNKNOWN);
}

/* Columns of struct task_sum for make_columns: "task.on" holds on of each task.  as: enum make_as. */
#define TASK_SUM_COLUMNS(as) { \
	MAKE_COLUMN(COL_TASK_ON, task_sum, on, as), MAKE_COLUMN(COL_TASK_OFF, task_sum, off, as), \
	MAKE_COLUMN(COL_TASK_GAPS, task_sum, gaps, as), MAKE_COLUMN(COL_TASK_MAX_GAP, task_sum, max_gap, as), \
	MAKE_COLUMN(COL_TASK_MAX_GAP_AT, task_sum, max_gap_at, as), \
	    MAKE_COLUMN(COL_TASK_SLEEPING, task_sum, sleeping, as), \
	MAKE_COLUMN(COL_TASK_DISK, task_sum, disk, as), MAKE_COLUMN(COL_TASK_PREEMPTED, task_sum, preempted, as), \
	MAKE_COLUMN(COL_TASK_OTHER, task_sum, other, as), MAKE_COLUMN(COL_TASK_DELAYS, task_sum, delays, as), \
	MAKE_COLUMN(COL_TASK_DELAY, task_sum, delay, as), MAKE_COLUMN(COL_TASK_MAX_DELAY, task_sum, max_delay, as), \
	MAKE_COLUMN(COL_TASK_IN, task_sum, in, as), MAKE_COLUMN(COL_TASK_OUT, task_sum, out, as) }
#define CPU_SUM_COLUMNS(as) { \
	MAKE_COLUMN(COL_CPU_BUSY, cpu_sum, busy, as), MAKE_COLUMN(COL_CPU_IDLE, cpu_sum, idle, as), \
	MAKE_COLUMN(COL_CPU_MAX_IDLE, cpu_sum, max_idle, as), \
	    MAKE_COLUMN(COL_CPU_MAX_IDLE_AT, cpu_sum, max_idle_at, as), \
	MAKE_COLUMN(COL_CPU_UNKNOWN, cpu_sum, unknown, as), \
	    MAKE_COLUMN(COL_CPU_SWITCHES, cpu_sum, switches, as) }
/* All that pass tasks makes. */
#define TASK_COLUMNS \
	COL_TASK_ON, COL_TASK_OFF, COL_TASK_GAPS, COL_TASK_MAX_GAP, COL_TASK_MAX_GAP_AT, COL_TASK_P50, \
	COL_TASK_P99, COL_TASK_SLEEPING, COL_TASK_DISK, COL_TASK_PREEMPTED, COL_TASK_OTHER, COL_TASK_DELAYS, \
	COL_TASK_DELAY, COL_TASK_MAX_DELAY, COL_TASK_P99_DELAY, COL_TASK_IN, COL_TASK_OUT, COL_CPU_NUMBER, \
	COL_CPU_BUSY, COL_CPU_IDLE, COL_CPU_MAX_IDLE, COL_CPU_MAX_IDLE_AT, COL_CPU_UNKNOWN, COL_CPU_SWITCHES
/* All columns of pass frequency. */
#define FREQUENCY_COLUMNS COL_TASK_FREQUENCY, COL_TASK_IO, COL_CPU_FREQUENCY, COL_CPU_MAX_FREQUENCY
/* All that differs in a range of time. */
#define RANGED_COLUMNS TASK_COLUMNS, FREQUENCY_COLUMNS, COL_CPU_USE, COL_PROCESS_THREADS, COL_PROCESS_MAIN, \
    COL_PROCESS_FRAMES, COL_PROCESS_LATE, \
	COL_PROCESS_CPU, COL_PROCESS_DELAY, COL_PROCESS_DISK

#endif
