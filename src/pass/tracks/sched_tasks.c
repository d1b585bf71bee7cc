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

/* Times of one thread, for percentiles: where they begin among all. */
struct lengths {
	struct scratch	value;		/* u64, thread by thread */
	struct scratch	first;		/* u64 by thread, one more */
	struct scratch	n;		/* u32 by thread: so many are there */
};

struct tasks {
	struct store		*st;
	struct work		*work;
	struct sched_range	 range;
	struct sched_feed	 feed;
	struct sched_cpus	 cpus;
	struct scratch		 sum;		/* struct task_sum by thread */
	struct scratch		 cpu;		/* struct cpu_sum */
	struct lengths		 gaps, delays;
};

static inline struct task_sum *
sum_at(const struct tasks *t, uint32_t thread)
{
	return &SCRATCH(t->sum, struct task_sum)[thread - 1];
}

/* ---- lengths ------------------------------------------------------------------------ */

/* Room for the gaps or delays that were counted; counts: where in struct task_sum. */
static bool
lengths_open(const struct tasks *t, struct lengths *l, size_t counts, struct err *err)
{
	uint64_t *first, sum = 0;
	uint32_t n = t->feed.threads;

	if (!scratch_array(&l->first, (uint64_t)n + 1, sizeof *first, err) ||
	    !scratch_array(&l->n, (uint64_t)n + 1, sizeof(uint32_t), err))
		return false;
	first = SCRATCH(l->first, uint64_t);
	for (uint32_t i = 0; i < n; i++) {
		first[i] = sum;
		sum += *(const uint64_t *)(const void *)((const char *)sum_at(t, i + 1) + counts);
	}
	first[n] = sum;
	return scratch_array(&l->value, sum, sizeof(uint64_t), err);
}

static inline void
lengths_add(struct lengths *l, uint32_t thread, uint64_t value)
{
	uint32_t *n = &SCRATCH(l->n, uint32_t)[thread - 1];

	/* The first walk counted as many. */
	assert(SCRATCH(l->first, uint64_t)[thread - 1] + *n < SCRATCH(l->first, uint64_t)[thread]);
	SCRATCH(l->value, uint64_t)[SCRATCH(l->first, uint64_t)[thread - 1] + (*n)++] = value;
}

static void
lengths_close(struct lengths *l)
{
	SCRATCH_FREE(&l->value, &l->first, &l->n);
}

/*
 * The least value that at least percent of all do not exceed.  Byte by byte from the top: counts the values that share
 * the known prefix of the result, by their next byte.
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

/* ---- walks ---------------------------------------------------------------------------- */

static inline void
sched_tasks_take_switch(struct tasks *t, bool keep)
{
	struct sched_feed *f = &t->feed;
	uint64_t i = f->at++, gap, delay;
	uint32_t from = f->from[i], to = f->to[i], cpu = sched_cpu(&t->cpus, f->cpu[i]), gone;
	bool known = sched_seats_switch(&t->cpus.seats, f->cpu[i], from, to, &gone);

	if (gone != 0)
		task_gone(sum_at(t, gone));
	if (from != 0 && !known)
		task_gone(sum_at(t, from));
	if (from != 0)
		task_out(sum_at(t, from), &t->range, f->time[i], f->state[i]);
	if (to != 0) {
		task_in(sum_at(t, to), &t->range, f->time[i], &gap, &delay);
		if (keep && gap != UINT64_MAX)
			lengths_add(&t->gaps, to, gap);
		if (keep && delay != UINT64_MAX)
			lengths_add(&t->delays, to, delay);
	}
	if (!keep && cpu != UINT32_MAX)
		cpu_switch(&SCRATCH(t->cpu, struct cpu_sum)[cpu], &t->range, f->time[i], from, to, known);
}

/* keep: the sums were made, what is wanted are the lengths. */
static bool
sched_tasks_walk(struct tasks *t, bool keep, struct err *err)
{
	struct sched_feed *f = &t->feed;

	work_start(t->work, "tasks", f->n);
	if (!sched_seats_open(&t->cpus.seats, f->threads, err))
		return false;
	for (sched_feed_again(f); f->at < f->n || f->wake_at < f->nwakes; ) {
		if (f->at % 4096 == 0 && !work_tick(t->work, f->at))
			return fail_cancel(err);
		if (!sched_feed_wakes(f)) {
			sched_tasks_take_switch(t, keep);
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
	uint64_t end = sched_recorded_to(t->st);
	bool lost = fact_value(t->st, FACT_LOSS_EVENTS) > 0;

	for (uint32_t i = 1; i <= t->feed.threads; i++)
		task_ran(sum_at(t, i), &t->range, end);
	for (uint32_t i = 0; i < t->cpus.n; i++)
		cpu_end(&SCRATCH(t->cpu, struct cpu_sum)[i], &t->range, sched_recorded_from(t->st), end, lost,
		    sched_seats_runs(&t->cpus.seats, SCRATCH(t->cpus.number, uint32_t)[i]));
}

/* Sums up once more, now that there is room for the single values. */
static bool
walks(struct tasks *t, struct err *err)
{
	if (!sched_tasks_walk(t, false, err) ||
	    !lengths_open(t, &t->gaps, offsetof(struct task_sum, gaps), err) ||
	    !lengths_open(t, &t->delays, offsetof(struct task_sum, delays), err))
		return false;
	for (uint32_t i = 0; i < t->feed.threads; i++)
		*sum_at(t, i + 1) = (struct task_sum){ .on = 0 };
	if (!sched_tasks_walk(t, true, err))
		return false;
	sched_tasks_finish(t);
	return true;
}

/* ---- columns ---------------------------------------------------------------------------- */

static bool
put_percentile(struct tasks *t, const struct lengths *l, column_id col, unsigned percent,
    struct scratch *column, struct err *err)
{
	const uint64_t *first = SCRATCH(l->first, uint64_t), *value = SCRATCH(l->value, uint64_t);
	uint64_t n = t->feed.threads;

	if (!scratch_array(column, n + 1, sizeof(uint64_t), err))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		if (!work_tick(t->work, i))
			return fail_cancel(err);
		SCRATCH(*column, uint64_t)[i] = first[i + 1] == first[i] ? 0 :
		    percentile(value + first[i], first[i + 1] - first[i], percent);
	}
	return store_pack(t->st, col, SCRATCH(*column, uint64_t), n, err);
}

static bool
sched_tasks_put_columns(struct tasks *t, struct scratch *column, struct err *err)
{
	static const struct make_column tasks[] = TASK_SUM_COLUMNS(MAKE_NARROW), cpus[] = CPU_SUM_COLUMNS(MAKE_NARROW);
	uint64_t *number;

	if (!make_columns(t->st, tasks, NELEM(tasks), MAKE_ROWS(SCRATCH(t->sum, struct task_sum), t->feed.threads), err) ||
	    !put_percentile(t, &t->gaps, COL_TASK_P50, 50, column, err) ||
	    !put_percentile(t, &t->gaps, COL_TASK_P99, 99, column, err) ||
	    !put_percentile(t, &t->delays, COL_TASK_P99_DELAY, 99, column, err) ||
	    !make_columns(t->st, cpus, NELEM(cpus), MAKE_ROWS(SCRATCH(t->cpu, struct cpu_sum), t->cpus.n), err))
		return false;
	number = SCRATCH(*column, uint64_t);
	for (uint64_t i = 0; i < t->cpus.n; i++)
		number[i] = SCRATCH(t->cpus.number, uint32_t)[i];
	return store_pack(t->st, COL_CPU_NUMBER, number, t->cpus.n, err);
}

static bool
sched_tasks_run(struct store *st, struct work *w, struct err *err)
{
	struct tasks t = { .st = st, .work = w, .range = sched_range_of(st) };
	struct scratch column = SCRATCH_INIT;
	bool ok;

	ok = sched_feed_open(&t.feed, st, err) && sched_cpus_open(&t.cpus, &t.feed, err) &&
	    scratch_array(&t.sum, (uint64_t)t.feed.threads + 1, sizeof(struct task_sum), err) &&
	    scratch_array(&t.cpu, (uint64_t)t.cpus.n + 1, sizeof(struct cpu_sum), err) &&
	    scratch_array(&column, (uint64_t)t.cpus.n + 1, sizeof(uint64_t), err) &&
	    walks(&t, err) && sched_tasks_put_columns(&t, &column, err);
	SCRATCH_FREE(&t.sum, &t.cpu, &column);
	lengths_close(&t.gaps);
	lengths_close(&t.delays);
	sched_cpus_close(&t.cpus);
	return ok;
}

const struct pass pass_tasks = {
	.name = "tasks", .what = "task times", .when = COL_SWITCH_TIME, .run = sched_tasks_run,
	.needs = PASS_COLUMNS(COL_SWITCH_TIME),
	.makes = PASS_COLUMNS(TASK_COLUMNS)
};
