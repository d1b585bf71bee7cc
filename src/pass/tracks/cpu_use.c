/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "cpu use": how much each CPU was used in equal parts of the trace, or of the piece of time of a view.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_sched.h"
#include "icecore/facts.h"
#include "icecore/sums.h"
#include "scheds.h"

/* State of a CPU: whether it runs a task, since when, and the part in which that time is. */
struct running {
	uint64_t	since;
	uint32_t	part;
	bool		on;
};

struct uses {
	struct sched_feed	 feed;
	struct sched_cpus	 cpus;
	uint64_t		 begin[USE_PARTS + 1];	/* starts of the parts, and the end of the last one */
	ARRAY(struct running)	running;		/* by CPU */
	ARRAY(uint64_t)	sum;			/* by CPU and part: ns with a task */
};

/* Add up the time until then; times of a CPU never decrease. */
static void
run_until(struct uses *u, uint32_t cpu, uint64_t until)
{
	struct running *r = &u->running.at[cpu];
	uint64_t *sum = u->sum.at + (uint64_t)cpu * USE_PARTS, from, to;

	while (r->part < USE_PARTS && r->since < until) {
		assert(u->begin[r->part] <= u->begin[r->part + 1]);
		from = r->since > u->begin[r->part] ? r->since : u->begin[r->part];
		to = until < u->begin[r->part + 1] ? until : u->begin[r->part + 1];
		if (r->on && to > from)
			sum[r->part] += to - from;
		if (until < u->begin[r->part + 1])
			break;
		r->part++;
	}
	r->since = until > r->since ? until : r->since;
}

static bool
cpu_use_walk(struct uses *u, uint64_t end, struct work *w, struct err *err)
{
	const struct sched_feed *f = &u->feed;
	struct sched_seats *seats = &u->cpus.seats;
	struct running *r = u->running.at;
	uint32_t cpu, gone;
	bool known;

	work_start(w, "CPU use", f->n);
	for (uint64_t i = 0; i < f->n; i++) {
		if (!work_each(w, i, 4096, err))
			return false;
		known = sched_seats_switch(seats, f->cpu[i], f->from[i], f->to[i], &gone);
		if ((cpu = sched_cpu(&u->cpus, f->cpu[i])) == UINT32_MAX)
			continue;
		r[cpu].on = r[cpu].on && known;
		run_until(u, cpu, f->time[i]);
		r[cpu].on = f->to[i] != 0;
	}
	for (cpu = 0; cpu < u->cpus.n; cpu++) {
		r[cpu].on = r[cpu].on && sched_seats_runs(seats, u->cpus.number.at[cpu]);
		run_until(u, cpu, end);
	}
	return true;
}

/* In the order of the CPUs of pass tasks; in a live stream some may have no switches left. */
static bool
put_column(struct uses *u, struct store *st, struct err *err)
{
	const struct column *numbers = store_column(st, COL_CPU_NUMBER);
	uint64_t n = column_rows(numbers), number, ns;
	uint8_t *use = store_make(st, COL_CPU_USE, COL_U8, n * USE_PARTS, err);
	uint32_t cpu;

	for (uint64_t i = 0; use != NULL && i < n; i++) {
		number = column_get(numbers, i);
		cpu = number <= UINT16_MAX ? sched_cpu(&u->cpus, (uint32_t)number) : UINT32_MAX;
		for (uint32_t k = 0; k < USE_PARTS; k++) {
			ns = cpu == UINT32_MAX ? 0 : u->sum.at[(uint64_t)cpu * USE_PARTS + k];
			use[i * USE_PARTS + k] = (uint8_t)use_digit(ns, u->begin[k + 1] - u->begin[k]);
		}
	}
	return use != NULL;
}

static bool
cpu_use_run(struct store *st, struct work *w, struct err *err)
{
	struct uses u = { .running = ARRAY_INIT };
	struct sched_range r = sched_range_of(st);
	uint64_t begin = sched_recorded_from(st), end = sched_recorded_to(st), to = r.to < end ? r.to : end,
	    from = r.from > begin ? r.from : begin;
	bool ok;

	from = from < to ? from : to;
	for (uint32_t k = 0; k <= USE_PARTS; k++)
		u.begin[k] = from + (uint64_t)((unsigned __int128)(to - from) * k / USE_PARTS);
	ok = sched_feed_open(&u.feed, st, err) && sched_cpus_open(&u.cpus, &u.feed, err) &&
	    array_grow(&u.running, (uint64_t)u.cpus.n + 1, err) &&
	    array_grow(&u.sum, ((uint64_t)u.cpus.n + 1) * USE_PARTS, err) &&
	    cpu_use_walk(&u, end, w, err) && put_column(&u, st, err);
	SCRATCH_FREE(&u.running, &u.sum);
	sched_cpus_close(&u.cpus);
	return ok;
}

const struct pass pass_cpu_use = {
	.name = "cpu use", .what = "CPU use over time", .when = COL_SWITCH_TIME, .run = cpu_use_run,
	.needs = PASS_COLUMNS(COL_SWITCH_TIME, COL_CPU_NUMBER),
	.makes = PASS_COLUMNS(COL_CPU_USE)
};
