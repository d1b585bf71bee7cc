/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Switches that the recorder missed, from sched_stat_runtime: the kernel writes how long a task ran whenever it adds
 * to that sum, and at the latest when the task leaves.
 */
#include "config.h"

#include <assert.h>

#include "rows.h"

#define MADE UINT32_MAX		/* row of a switch that is not in the file; a wakeup of the same time came before it */

/* A task since its last switch. */
struct runner {
	uint64_t	since;		/* its time */
	uint32_t	cpu, other_cpu;	/* CPU that it came to, and another one where it ran, + 1; 0: none */
	uint64_t	ns, other_ns;	/* how long it ran on them, according to the kernel */
};

struct desk {
	uint64_t	since;		/* time of the last switch */
	uint32_t	task;		/* which it switched to */
	bool		seen;
};

struct rebuild {
	struct sched	*s;
	struct scratch	 runners, desks;	/* by thread, by CPU */
	uint64_t	 next;		/* the first of s->used that is not added yet */
};

bool
sched_used_add(struct sched *s, const struct sched_line *l)
{
	const struct sched_used *used = SCRATCH(s->used, struct sched_used);
	struct sched_used new = { l->time, l->value, l->to, l->cpu };

	s->used_back |= s->nused > 0 && new.time < used[s->nused - 1].time;
	return make_add(&s->used, &s->nused, &new, sizeof new, UINT32_MAX, "run times", s->err);
}

static bool
made_row(struct sched *s, uint64_t time, uint32_t cpu, uint32_t from, uint32_t to)
{
	struct sched_row row = { time, from, to, MADE, (uint16_t)cpu, from == 0 ? 'R' : '?' };

	s->nmade++;
	return make_add(&s->rows, &s->nrows, &row, sizeof row, UINT32_MAX, "switches", s->err);
}

static void
runner_used(struct runner *r, const struct sched_used *u)
{
	if (r->cpu == u->cpu + 1) {
		r->ns = num_add(r->ns, u->ns);
		return;
	}
	if (r->other_cpu != u->cpu + 1)
		r->other_ns = 0;
	r->other_cpu = u->cpu + 1;
	r->other_ns = num_add(r->other_ns, u->ns);
}

/* The sums that the kernel wrote before a switch. */
static void
used_until(struct rebuild *b, uint64_t time)
{
	const struct sched_used *used = SCRATCH(b->s->used, struct sched_used);
	uint32_t thread;

	for (; b->next < b->s->nused && used[b->next].time <= time; b->next++)
		/* Tasks without switches, and the idle task, have no runs here. */
		if ((thread = sched_thread_known(&b->s->threads, used[b->next].tid)) != 0)
			runner_used(&SCRATCH(b->runners, struct runner)[thread], &used[b->next]);
}

/* A task that came to a CPU has left it unseen before a time: after it had run for what the kernel says. */
static bool
made_end(struct rebuild *b, uint32_t task, uint64_t before)
{
	struct runner *r = &SCRATCH(b->runners, struct runner)[task];
	uint32_t cpu = r->cpu - 1;
	struct desk *d;

	if (task == 0 || r->cpu == 0)
		return true;
	d = &SCRATCH(b->desks, struct desk)[cpu];
	r->cpu = 0;
	if (d->task != task || r->ns == 0 || r->ns >= before - d->since)
		return true;
	d->since = r->since = d->since + r->ns;
	d->task = 0;
	return made_row(b->s, d->since, cpu, task, 0);
}

/* The task that leaves has come unseen: it ran here for what the kernel says, since it was last seen. */
static bool
made_begin(struct rebuild *b, const struct desk *d, const struct sched_row *row)
{
	const struct runner *r = &SCRATCH(b->runners, struct runner)[row->from];
	uint64_t begin = row->time - (r->other_ns < row->time ? r->other_ns : row->time);

	if (row->from == 0 || r->other_ns == 0 || r->other_cpu != row->cpu + 1u)
		return true;
	begin = begin > d->since ? begin : d->since;
	begin = begin > r->since ? begin : r->since;
	return begin >= row->time || made_row(b->s, begin, row->cpu, 0, row->from);
}

static bool
rebuild_switch(struct rebuild *b, const struct sched_row *row)
{
	struct desk *d = &SCRATCH(b->desks, struct desk)[row->cpu];
	struct runner *runner = SCRATCH(b->runners, struct runner);

	used_until(b, row->time);
	if (row->cpu < SCHED_CPUS && d->seen && d->task != row->from &&
	    (!made_end(b, d->task, row->time) || !made_end(b, row->from, row->time) || !made_begin(b, d, row)))
		return false;
	if (row->from != row->to && !made_end(b, row->to, row->time))
		return false;
	if (row->from != 0)
		runner[row->from] = (struct runner){ .since = row->time };
	if (row->to != 0)
		runner[row->to] = (struct runner){ .since = row->time, .cpu = row->cpu + 1u };
	*d = (struct desk){ row->time, row->to, true };
	return true;
}

bool
sched_used_rebuild(struct sched *s)
{
	struct rebuild b = { .s = s };
	uint64_t n = s->nrows;
	bool ok = scratch_array(&b.runners, s->threads.nthreads + 1, sizeof(struct runner), s->err) &&
	    scratch_array(&b.desks, SWITCH_NO_CPU + 1ull, sizeof(struct desk), s->err) &&
	    (!s->used_back || make_sort(&s->used, s->nused, sizeof(struct sched_used), s->work, s->err));

	for (uint64_t i = 0; ok && i < n; i++) {
		/* A copy: rows may move. */
		struct sched_row row = SCRATCH(s->rows, struct sched_row)[i];

		resident_row(i);
		ok = rebuild_switch(&b, &row);
	}
	SCRATCH_FREE(&b.runners, &b.desks);
	return ok && (s->nmade == 0 || make_sort(&s->rows, s->nrows, sizeof(struct sched_row), s->work, s->err));
}
