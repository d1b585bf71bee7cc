/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "frequency": how fast CPUs were while they ran tasks, and how long tasks waited for I/O.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_sched.h"
#include "icecore/facts.h"
#include "scheds.h"

/* Time with a known frequency; weight: kHz times ns. */
struct pace {
	double		weight;
	uint64_t	ns;
};

/* A CPU. */
struct paced {
	uint64_t	since;
	uint64_t	khz, most;
	uint32_t	task;
	bool		seen;
};

/* A task. */
struct pace_task {
	struct pace	pace;
	uint64_t	io, left;	/* left: when, if it waits for I/O */
	bool		waits;
};

struct paces {
	struct sched_feed	 feed;
	struct sched_cpus	 cpus;
	struct sched_range	 range;
	ARRAY(struct paced)	cpu;
	ARRAY(struct pace_task)	task;
	ARRAY(struct pace)	cpu_pace;	/* struct paced; struct pace_task by thread; struct pace */
	const struct column	*time, *of, *khz;	/* frequency.* */
	uint64_t		 n, at;
	const struct column	*blocked, *io;
	uint64_t		 blocked_at;
};

static void
ran_until(struct paces *p, uint32_t cpu, uint64_t until, bool known)
{
	struct paced *c = &p->cpu.at[cpu];
	uint64_t at, length;

	if (c->seen && known && c->task != 0 && c->khz != 0 && until > c->since &&
	    sched_part(&p->range, c->since, until, &at, &length)) {
		struct pace *sum[] = { &p->task.at[c->task - 1].pace, &p->cpu_pace.at[cpu] };

		for (unsigned i = 0; i < 2; i++) {
			sum[i]->weight += (double)length * (double)c->khz;
			sum[i]->ns += length;
		}
	}
	c->since = until > c->since ? until : c->since;
}

/* Takes the next frequency; what the CPU has run so far did so with the one before. */
static void
take_frequency(struct paces *p)
{
	uint64_t row = p->at++, number = column_get(p->of, row), time = column_get(p->time, row),
	    khz = column_get(p->khz, row);
	struct paced *c;
	uint32_t cpu;

	if (number >= SWITCH_NO_CPU || (cpu = sched_cpu(&p->cpus, (uint32_t)number)) == UINT32_MAX)
		return;
	ran_until(p, cpu, time, sched_seats_runs(&p->cpus.seats, (uint32_t)number));
	c = &p->cpu.at[cpu];
	c->khz = khz;
	c->most = khz > c->most && sched_within(&p->range, time) ? khz : c->most;
}

/* Whether a task left for I/O in that switch; rows are asked for in order. */
static bool
left_for_io(struct paces *p, uint64_t row)
{
	while (p->blocked_at < column_rows(p->blocked) && column_get(p->blocked, p->blocked_at) < row + 1)
		p->blocked_at++;
	return p->blocked_at < column_rows(p->blocked) && column_get(p->blocked, p->blocked_at) == row + 1 &&
	    column_get(p->io, p->blocked_at) != 0;
}

static void
take_io(struct paces *p, uint64_t row)
{
	struct pace_task *task = p->task.at, *t;
	uint32_t from = p->feed.from[row], to = p->feed.to[row];
	uint64_t time = p->feed.time[row], at, length;

	if (from != 0) {
		t = &task[from - 1];
		t->waits = left_for_io(p, row);
		t->left = time;
	}
	if (to == 0 || !task[to - 1].waits)
		return;
	t = &task[to - 1];
	t->waits = false;
	if (sched_part(&p->range, t->left, time, &at, &length))
		t->io += length;
}

static bool
frequency_walk(struct paces *p, uint64_t end, struct work *w, struct err *err)
{
	const struct sched_feed *f = &p->feed;
	struct paced *c = p->cpu.at;
	uint32_t cpu, gone;
	bool known;

	work_start(w, "CPU frequencies", f->n);
	for (uint64_t i = 0; i < f->n; i++) {
		if (!work_each(w, i, 4096, err))
			return false;
		while (p->at < p->n && column_get(p->time, p->at) <= f->time[i])
			take_frequency(p);
		known = sched_seats_switch(&p->cpus.seats, f->cpu[i], f->from[i], f->to[i], &gone);
		take_io(p, i);
		if ((cpu = sched_cpu(&p->cpus, f->cpu[i])) == UINT32_MAX)
			continue;
		ran_until(p, cpu, f->time[i], known);
		c[cpu].task = f->to[i];
		c[cpu].seen = true;
	}
	while (p->at < p->n)
		take_frequency(p);
	for (cpu = 0; cpu < p->cpus.n; cpu++)
		ran_until(p, cpu, end, sched_seats_runs(&p->cpus.seats, p->cpus.number.at[cpu]));
	return true;
}

static uint64_t
mean_of(const struct pace *p)
{
	return p->ns == 0 ? 0 : (uint64_t)(p->weight / (double)p->ns + 0.5);
}

static bool
frequency_columns(struct paces *p, struct store *st, struct err *err)
{
	const struct column *numbers = store_column(st, COL_CPU_NUMBER);
	uint64_t threads = p->feed.threads, n = column_rows(numbers), number, *mean, *most;
	OWN_ARRAY(uint64_t) column = ARRAY_INIT;
	uint32_t cpu;
	bool ok = array_grow(&column, threads + 2 * n + 1, err);

	mean = column.at;
	for (uint64_t i = 0; ok && i < threads; i++)
		mean[i] = mean_of(&p->task.at[i].pace);
	ok = ok && store_pack(st, COL_TASK_FREQUENCY, mean, threads, err);
	for (uint64_t i = 0; ok && i < threads; i++)
		mean[i] = p->task.at[i].io;
	ok = ok && store_pack(st, COL_TASK_IO, mean, threads, err);
	most = mean + n;
	for (uint64_t i = 0; ok && i < n; i++) {
		number = column_get(numbers, i);
		cpu = number < SWITCH_NO_CPU ? sched_cpu(&p->cpus, (uint32_t)number) : UINT32_MAX;
		mean[i] = cpu == UINT32_MAX ? 0 : mean_of(&p->cpu_pace.at[cpu]);
		most[i] = cpu == UINT32_MAX ? 0 : p->cpu.at[cpu].most;
	}
	return ok && store_pack(st, COL_CPU_FREQUENCY, mean, n, err) &&
	    store_pack(st, COL_CPU_MAX_FREQUENCY, most, n, err);
}

/* Where frequencies and reasons of waits are; a file may have none. */
static void
frequency_find(struct paces *p, const struct store *st)
{
	p->time = store_column(st, COL_FREQUENCY_TIME);
	p->of = store_column(st, COL_FREQUENCY_CPU);
	p->khz = store_column(st, COL_FREQUENCY_KHZ);
	p->n = p->of == NULL || p->khz == NULL ? 0 : column_rows(p->time);
	if (column_rows(p->of) != p->n || column_rows(p->khz) != p->n)
		p->n = 0;
	p->blocked = store_column(st, COL_BLOCKED_SWITCH);
	p->io = store_column(st, COL_BLOCKED_IO);
	if (column_rows(p->io) != column_rows(p->blocked))
		p->blocked = NULL;
}

static bool
frequency_run(struct store *st, struct work *w, struct err *err)
{
	struct paces p = { .range = sched_range_of(st) };
	bool ok;

	frequency_find(&p, st);
	ok = sched_feed_open(&p.feed, st, err) && sched_cpus_open(&p.cpus, &p.feed, err) &&
	    array_grow(&p.task, (uint64_t)p.feed.threads + 1, err) &&
	    array_grow(&p.cpu, (uint64_t)p.cpus.n + 1, err) &&
	    array_grow(&p.cpu_pace, (uint64_t)p.cpus.n + 1, err) &&
	    frequency_walk(&p, sched_recorded_to(st), w, err) && frequency_columns(&p, st, err);
	SCRATCH_FREE(&p.task, &p.cpu, &p.cpu_pace);
	sched_cpus_close(&p.cpus);
	return ok;
}

const struct pass pass_frequency = {
	.name = "frequency", .what = "CPU frequencies", .when = COL_SWITCH_TIME, .run = frequency_run,
	.needs = PASS_COLUMNS(COL_SWITCH_TIME, COL_CPU_NUMBER),
	.makes = PASS_COLUMNS(FREQUENCY_COLUMNS)
};
