/*
 * sched: what is counted of a task while it is switched to and away, by whoever reads switches: a file or a live stream.
 */
#ifndef ICECORE_SCHED_H
#define ICECORE_SCHED_H

#include "icecore/load.h"

/*
 * Columns of the loader beyond those in load.h: wake.before (u32: switches that come before it), series.kind (u8),
 * series.name (ref), series.owner (u32: pid, or CPU + 1), level.time, level.value (u64), level.series (u32, from 0).
 */
#define SWITCH_NO_CPU 65535u		/* switch.cpu where the file does not tell */

enum series_kind {
	SERIES_COUNTER,		/* of user space */
	SERIES_ASYNC,		/* how many of a name are open */
	SERIES_CPU		/* frequency in kHz */
};

/* Times in ns.  Start from zeros. */
struct task_sum {
	uint64_t	on, off, max_gap, max_gap_at;
	uint64_t	sleeping, disk, preempted, other;	/* off by the state in which it left: S, D, R */
	uint64_t	delay, max_delay;	/* from the first wakeup until it ran */
	uint64_t	in, out, gaps, delays;
	uint64_t	last_in, last_out, woken;
	bool		is_in, is_out, is_woken;
	uint8_t		state;
};

/* It leaves a CPU.  When it left before and did not come back, that is lost, and what woke it then is no delay of now. */
static inline void
task_out(struct task_sum *s, uint64_t time, uint8_t state)
{
	s->out++;
	if (s->is_out)
		s->is_woken = false;
	if (s->is_in)
		s->on += time - s->last_in;
	s->is_in = false;
	s->last_out = time;
	s->is_out = true;
	s->state = state;
}

/* Where the time away counts that it left in some state. */
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

/* It gets a CPU.  *gap and *delay: UINT64_MAX where there is none. */
static inline void
task_in(struct task_sum *s, uint64_t time, uint64_t *gap, uint64_t *delay)
{
	*gap = *delay = UINT64_MAX;
	s->in++;
	s->last_in = time;
	s->is_in = true;
	if (s->is_out) {
		*gap = time - s->last_out;
		s->off += *gap;
		s->gaps++;
		*task_away(s) += *gap;
		if (*gap > s->max_gap || s->gaps == 1) {
			s->max_gap = *gap;
			s->max_gap_at = s->last_out;
		}
	}
	s->is_out = false;
	if (s->is_woken) {
		*delay = time - s->woken;
		s->delay += *delay;
		s->delays++;
		if (*delay > s->max_delay)
			s->max_delay = *delay;
	}
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

/* A CPU; what ran between two of its switches is known when the second tells the same as the first. */
struct cpu_sum {
	uint64_t	busy, idle, max_idle, max_idle_at, unknown;
	uint64_t	switches;
	uint64_t	last;
	uint32_t	running;
	bool		seen;
};

static inline void
cpu_switch(struct cpu_sum *c, uint64_t time, uint32_t from, uint32_t to)
{
	uint64_t length = time - c->last;

	if (c->seen && c->running != from)
		c->unknown += length;
	else if (c->seen && from != 0)
		c->busy += length;
	else if (c->seen) {
		c->idle += length;
		if (length > c->max_idle) {
			c->max_idle = length;
			c->max_idle_at = c->last;
		}
	}
	c->switches++;
	c->last = time;
	c->running = to;
	c->seen = true;
}

#endif
