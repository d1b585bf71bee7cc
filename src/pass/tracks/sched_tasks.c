/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "tasks": how long each task was on and off a CPU, and each CPU busy and idle.
 */
#include "config.h"

#include <assert.h>
#include <stddef.h>

#include "icecore/columns_sched.h"
#include "icecore/facts.h"
#include "scheds.h"

/* Times of each thread, for percentiles. */
struct lengths {
	ARRAY(uint64_t)	value;		/* thread by thread, from first of struct tasks on */
	ARRAY(uint32_t)	n;		/* by thread: so many are there */
};

struct tasks {
	struct store		*st;
	struct work		*work;
	struct sched_range	 range;
	struct sched_feed	 feed;
	struct sched_cpus	 cpus;
	ARRAY(struct task_sum)	sum;		/* by thread */
	ARRAY(struct cpu_sum)	cpu;
	ARRAY(uint64_t)	first;		/* by thread, one more: the switches to the threads before it */
	struct lengths		 gaps, delays;
};

static inline struct task_sum *
sum_at(const struct tasks *t, uint32_t thread)
{
	return &t->sum.at[thread - 1];
}

/* ---- lengths ------------------------------------------------------------------------ */

/* A switch to a thread ends at most one gap, and one delay; so does the end of the trace. */
static bool
lengths_open(struct tasks *t, struct err *err)
{
	uint32_t n = t->feed.threads;
	uint64_t *first;

	if (!array_grow(&t->first, (uint64_t)n + 1, err) ||
	    !array_grow(&t->gaps.n, (uint64_t)n + 1, err) ||
	    !array_grow(&t->delays.n, (uint64_t)n + 1, err) ||
	    !array_grow(&t->gaps.value, t->feed.n + n, err) ||
	    !array_grow(&t->delays.value, t->feed.n + n, err))
		return false;
	first = t->first.at;
	for (uint64_t i = 0; i < t->feed.n; i++)
		first[t->feed.to[i]]++;
	first[0] = 0;
	for (uint32_t i = 0; i < n; i++)
		first[i + 1] += first[i] + 1;
	return true;
}

static inline void
lengths_add(const struct tasks *t, struct lengths *l, uint32_t thread, uint64_t value)
{
	const uint64_t *first = t->first.at;
	uint32_t *n = &l->n.at[thread - 1];

	assert(first[thread - 1] + *n < first[thread]);
	l->value.at[first[thread - 1] + (*n)++] = value;
}

/*
 * The least value that at least percent of all do not exceed.  Byte by byte from the top: counts the values
 * that share the known prefix of the result, by their next byte.
 */
static uint64_t
percentile(const uint64_t *v, uint64_t n, unsigned percent)
{
	uint64_t rank = (n * percent + 99) / 100 - 1, count[256], found = 0, most = 0;
	unsigned shift = 0, byte;

	assert(n > 0 && rank < n);
	for (uint64_t i = 0; i < n; i++)
		most |= v[i];
	while (shift < 56 && most >> shift > 255)
		shift += 8;
	for (;; shift -= 8) {
		for (byte = 0; byte < 256; byte++)
			count[byte] = 0;
		for (uint64_t i = 0; i < n; i++)
			if (shift == 56 || v[i] >> (shift + 8) == found)
				count[v[i] >> shift & 255]++;
		for (byte = 0; rank >= count[byte]; byte++)
			rank -= count[byte];
		found = found << 8 | byte;
		if (shift == 0)
			return found;
	}
}

static inline void
sched_tasks_add(struct tasks *t, uint32_t thread, uint64_t gap, uint64_t delay)
{
	if (gap != UINT64_MAX)
		lengths_add(t, &t->gaps, thread, gap);
	if (delay != UINT64_MAX)
		lengths_add(t, &t->delays, thread, delay);
}

/* ---- walks ---------------------------------------------------------------------------- */

static inline void
sched_tasks_take_switch(struct tasks *t)
{
	struct sched_feed *f = &t->feed;
	uint64_t i = f->at++, gap, delay;
	uint32_t from = f->from[i], to = f->to[i], cpu = sched_cpu(&t->cpus, f->cpu[i]), gone;
	bool known = sched_seats_switch(&t->cpus.seats, f->cpu[i], from, to, &gone);

	if (gone != 0)
		task_gone(sum_at(t, gone));
	if (from != 0 && !known)
		task_unseen(sum_at(t, from));
	if (from != 0)
		task_out(sum_at(t, from), &t->range, f->time[i], f->state[i]);
	if (to != 0) {
		task_in(sum_at(t, to), &t->range, f->time[i], &gap, &delay);
		sched_tasks_add(t, to, gap, delay);
	}
	if (cpu != UINT32_MAX)
		cpu_switch(&t->cpu.at[cpu], &t->range, f->time[i], from, to, known);
}

static bool
sched_tasks_walk(struct tasks *t, struct err *err)
{
	struct sched_feed *f = &t->feed;

	work_start(t->work, "tasks", f->n);
	if (!sched_seats_open(&t->cpus.seats, f->threads, err))
		return false;
	for (sched_feed_again(f); f->at < f->n || f->wake_at < f->nwakes; ) {
		if (f->at % 4096 == 0 && !work_go(t->work, f->at, err))
			return false;
		if (!sched_feed_wakes(f)) {
			sched_tasks_take_switch(t);
			continue;
		}
		if (f->wake_thread[f->wake_at] != 0)
			task_wake(sum_at(t, f->wake_thread[f->wake_at]), f->wake_time[f->wake_at]);
		f->wake_at++;
	}
	return true;
}

/* Close open intervals at the end of the trace. */
static void
sched_tasks_finish(struct tasks *t)
{
	uint64_t end = sched_recorded_to(t->st), gap, delay;
	bool lost = fact_value(t->st, FACT_LOSS_EVENTS) > 0;

	for (uint32_t i = 1; i <= t->feed.threads; i++) {
		task_end(sum_at(t, i), &t->range, end, &gap, &delay);
		sched_tasks_add(t, i, gap, delay);
	}
	for (uint32_t i = 0; i < t->cpus.n; i++)
		cpu_end(&t->cpu.at[i], &t->range, sched_recorded_from(t->st), end, lost,
		    sched_seats_runs(&t->cpus.seats, t->cpus.number.at[i]));
}

/* ---- columns ---------------------------------------------------------------------------- */

static bool
put_percentile(struct tasks *t, const struct lengths *l, column_id col, unsigned percent,
    struct scratch *column, struct err *err)
{
	const uint64_t *first = t->first.at, *value = l->value.at;
	const uint32_t *count = l->n.at;
	uint64_t n = t->feed.threads;

	if (!scratch_array(column, n + 1, sizeof(uint64_t), err))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		if (!work_go(t->work, i, err))
			return false;
		SCRATCH(*column, uint64_t)[i] = count[i] == 0 ? 0 : percentile(value + first[i], count[i],
		    percent);
	}
	return store_pack(t->st, col, SCRATCH(*column, uint64_t), n, err);
}

static bool
sched_tasks_put_columns(struct tasks *t, struct scratch *column, struct err *err)
{
	static const struct make_column tasks[] = TASK_SUM_COLUMNS(MAKE_NARROW),
	    cpus[] = CPU_SUM_COLUMNS(MAKE_NARROW);
	uint64_t *number;

	if (!make_columns(t->st, tasks, NELEM(tasks), MAKE_ROWS(t->sum.at, t->feed.threads), err) ||
	    !put_percentile(t, &t->gaps, COL_TASK_P50, 50, column, err) ||
	    !put_percentile(t, &t->gaps, COL_TASK_P99, 99, column, err) ||
	    !put_percentile(t, &t->delays, COL_TASK_P99_DELAY, 99, column, err) ||
	    !make_columns(t->st, cpus, NELEM(cpus), MAKE_ROWS(t->cpu.at, t->cpus.n), err))
		return false;
	number = SCRATCH(*column, uint64_t);
	for (uint64_t i = 0; i < t->cpus.n; i++)
		number[i] = t->cpus.number.at[i];
	return store_pack(t->st, COL_CPU_NUMBER, number, t->cpus.n, err);
}

static bool
sched_tasks_run(struct store *st, struct work *w, struct err *err)
{
	struct tasks t = { .st = st, .work = w, .range = sched_range_of(st) };
	struct scratch column = SCRATCH_INIT;
	bool ok;

	ok = sched_feed_open(&t.feed, st, err) && sched_cpus_open(&t.cpus, &t.feed, err) &&
	    array_grow(&t.sum, (uint64_t)t.feed.threads + 1, err) &&
	    array_grow(&t.cpu, (uint64_t)t.cpus.n + 1, err) &&
	    scratch_array(&column, (uint64_t)t.cpus.n + 1, sizeof(uint64_t), err) &&
	    lengths_open(&t, err) && sched_tasks_walk(&t, err);
	if (ok) {
		sched_tasks_finish(&t);
		ok = sched_tasks_put_columns(&t, &column, err);
	}
	SCRATCH_FREE(&t.sum, &t.cpu, &t.first, &t.gaps.value, &t.gaps.n, &t.delays.value, &t.delays.n,
	    &column);
	sched_cpus_close(&t.cpus);
	return ok;
}

const struct pass pass_tasks = {
	.name = "tasks", .what = "task times", .when = COL_SWITCH_TIME, .run = sched_tasks_run,
	.needs = PASS_COLUMNS(COL_SWITCH_TIME),
	.makes = PASS_COLUMNS(TASK_COLUMNS)
};
