/*
 * A snapshot of a live scheduler trace as a store.
 */
#include "config.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "live.h"
#include "load/trace/trace.h"

#define UNIT_BITS 5		/* lengths are counted in units of 32 ns */

/* ---- histograms ---------------------------------------------------------------- */

static unsigned
class_of(uint64_t value)
{
	unsigned octave, class;

	value >>= UNIT_BITS;
	if (value < 16)
		return (unsigned)value;
	octave = 63 - (unsigned)__builtin_clzll(value);
	class = (octave - 2) * 8 + (unsigned)(value >> (octave - 3) & 7);
	return class < HISTOGRAM ? class : HISTOGRAM - 1;
}

/* The middle of a class. */
static uint64_t
class_middle(unsigned class)
{
	uint64_t width = class < 16 ? 1 : (uint64_t)1 << (class / 8 - 1);
	uint64_t from = class < 16 ? class : (8 + (uint64_t)(class & 7)) * width;

	return (from << UNIT_BITS) + (width << UNIT_BITS) / 2;
}

void
histogram_add(struct histogram *h, uint64_t value)
{
	uint32_t *n = &h->count[class_of(value)];

	*n += *n < UINT32_MAX;
}

/* The middle of the class in which the value of that rank lies, but no more than most. */
static uint64_t
histogram_percentile(const struct histogram *h, unsigned percent, uint64_t most)
{
	uint64_t n = 0, sum = 0, rank, middle;
	unsigned i;

	for (i = 0; i < HISTOGRAM; i++)
		n += h->count[i];
	if (n == 0)
		return 0;
	rank = (n * percent + 99) / 100;
	for (i = 0; (sum += h->count[i]) < rank; i++)
		;
	/* The largest one is known. */
	if (rank == n)
		return most;
	middle = class_middle(i);
	return middle < most ? middle : most;
}

/* ---- columns --------------------------------------------------------------------- */

static const struct sum_column task_sums[] = TASK_SUM_COLUMNS;
static const struct sum_column cpu_sums[] = CPU_SUM_COLUMNS;

static const struct live_task *
task_of(const struct live *l, uint64_t i)
{
	return &SCRATCH(l->tasks, struct live_task)[i];
}

static bool
task_columns(const struct live *l, struct store *st, struct err *err)
{
	uint64_t i, k, n = l->threads.nthreads, *to, *p50, *p99, *delay;
	const struct live_task *t;

	for (k = 0; k < NELEM(task_sums); k++) {
		if ((to = store_make(st, task_sums[k].col, COL_U64, n, err)) == NULL)
			return false;
		for (i = 0; i < n; i++)
			to[i] = sum_get(&task_of(l, i)->sum, &task_sums[k]);
	}
	if ((p50 = store_make(st, COL_TASK_P50, COL_U64, n, err)) == NULL ||
	    (p99 = store_make(st, COL_TASK_P99, COL_U64, n, err)) == NULL ||
	    (delay = store_make(st, COL_TASK_P99_DELAY, COL_U64, n, err)) == NULL)
		return false;
	for (i = 0; i < n; i++) {
		t = task_of(l, i);
		p50[i] = histogram_percentile(&t->gaps, 50, t->sum.max_gap);
		p99[i] = histogram_percentile(&t->gaps, 99, t->sum.max_gap);
		delay[i] = histogram_percentile(&t->delays, 99, t->sum.max_delay);
	}
	return true;
}

static bool
cpu_columns(const struct live *l, struct store *st, struct err *err)
{
	const struct cpu_sum *c = SCRATCH(l->cpus, struct cpu_sum);
	uint64_t i, k, at, n = 0, *to;

	for (i = 0; i < l->ncpus; i++)
		n += c[i].seen;
	if ((to = store_make(st, COL_CPU_NUMBER, COL_U64, n, err)) == NULL)
		return false;
	for (i = at = 0; i < l->ncpus; i++)
		if (c[i].seen)
			to[at++] = i;
	for (k = 0; k < NELEM(cpu_sums); k++) {
		if ((to = store_make(st, cpu_sums[k].col, COL_U64, n, err)) == NULL)
			return false;
		for (i = at = 0; i < l->ncpus; i++)
			if (c[i].seen)
				to[at++] = sum_get(&c[i], &cpu_sums[k]);
	}
	return true;
}

/* The first row of all that the ring still has. */
static uint64_t
ring_first(uint64_t n)
{
	return n > LIVE_RING ? n - LIVE_RING : 0;
}

static bool
switch_columns(const struct live *l, struct store *st, struct err *err)
{
	const struct sched_row *ring = SCRATCH(l->rows, struct sched_row), *row;
	uint64_t i, first = ring_first(l->nrows), n = l->nrows - first, *time;
	uint32_t *from, *to;
	uint16_t *cpu;
	uint8_t *state;

	if ((time = store_make(st, COL_SWITCH_TIME, COL_U64, n, err)) == NULL ||
	    (cpu = store_make(st, COL_SWITCH_CPU, COL_U16, n, err)) == NULL ||
	    (from = store_make(st, COL_SWITCH_FROM, COL_U32, n, err)) == NULL ||
	    (to = store_make(st, COL_SWITCH_TO, COL_U32, n, err)) == NULL ||
	    (state = store_make(st, COL_SWITCH_STATE, COL_U8, n, err)) == NULL)
		return false;
	for (i = 0; i < n; i++) {
		row = &ring[(first + i) % LIVE_RING];
		time[i] = row->time;
		cpu[i] = row->cpu;
		from[i] = row->from;
		to[i] = row->to;
		state[i] = row->state;
	}
	return true;
}

static bool
wake_columns(const struct live *l, struct store *st, struct err *err)
{
	const struct live_wake *ring = SCRATCH(l->wakes, struct live_wake), *w;
	uint64_t i, first = ring_first(l->nwakes), n = l->nwakes - first, *time;
	uint64_t least = ring_first(l->nrows);
	uint32_t *thread, *before;

	if ((time = store_make(st, COL_WAKE_TIME, COL_U64, n, err)) == NULL ||
	    (thread = store_make(st, COL_WAKE_THREAD, COL_U32, n, err)) == NULL ||
	    (before = store_make(st, COL_WAKE_BEFORE, COL_U32, n, err)) == NULL)
		return false;
	for (i = 0; i < n; i++) {
		w = &ring[(first + i) % LIVE_RING];
		time[i] = w->time;
		thread[i] = w->thread;
		before[i] = w->before > least ? (uint32_t)(w->before - least) : 0;
	}
	return true;
}

/* No calls: marks are not kept. */
static bool
mark_columns(struct store *st, struct err *err)
{
	struct sched_marks none;

	sched_marks_open(&none);
	return sched_marks_columns(&none, st, NULL, 0, err);
}

/* ---- facts ---------------------------------------------------------------------------- */

static bool
set_facts(const struct live *l, struct store *st, struct err *err)
{
	const struct {
		const char	*name;
		enum fact_type	 type;
		uint64_t	 value;
		bool		 always;
	} facts[] = {
		{ "live", FACT_COUNT, 1, true },
		{ "switches", FACT_COUNT, l->nrows, true },
		{ "wakeups", FACT_COUNT, l->nwakes, true },
		{ "switches_kept", FACT_COUNT, l->nrows - ring_first(l->nrows), true },
		{ "marks", FACT_COUNT, l->count[SCHED_MARK], true },
		{ "other_events", FACT_COUNT, l->count[SCHED_OTHER] + l->count[SCHED_LEVEL], true },
		{ "threads_listed", FACT_COUNT, l->threads.nthreads, true },
		{ "renames", FACT_COUNT, l->threads.renames, false },
		{ "reused", FACT_COUNT, l->threads.reused, false },
		{ "clock_start", FACT_TIME, l->first == UINT64_MAX ? 0 : l->first, true },
		{ "elapsed", FACT_TIME, l->first == UINT64_MAX ? 0 : l->last - l->first, true },
		{ "records", FACT_COUNT, 0, true },
		{ "trace.tick", FACT_COUNT, 1, true },
		{ "trace.clocks", FACT_COUNT, 1 << CLOCK_WALL, true },
		{ "trace.wide", FACT_COUNT, 1, true },
		{ "trace.layout", FACT_COUNT, LAYOUT_COLUMNS, true },
		{ "trace.all_threads", FACT_COUNT, 1, true },
		{ "trace.start", FACT_COUNT, l->first == UINT64_MAX ? 0 : l->first, true },
		{ "shapes", FACT_COUNT, SHAPE_ROWS | SHAPE_TRACKS | SHAPE_TASKS, true },
		{ "repair.bad_events", FACT_COUNT, l->count[SCHED_BAD] + l->too_long, false },
		{ "repair.unordered", FACT_COUNT, l->unordered, false },
		{ "loss.events", FACT_COUNT, l->lost, false },
		{ "loss.tasks", FACT_COUNT, l->left_out, false },
		{ "loss.tail_bytes", FACT_COUNT, l->tail, false },
	};
	size_t i;

	for (i = 0; i < NELEM(facts); i++)
		if ((facts[i].always || facts[i].value > 0) &&
		    !store_fact(st, facts[i].name, facts[i].type, facts[i].value, err))
			return false;
	return store_fact_text(st, "format", STR("scheduler trace (text), live"), err) &&
	    store_fact_text(st, "loader", STR("sched"), err);
}

static bool
fill(const struct live *l, struct store *st, struct err *err)
{
	return sched_threads_columns(&l->threads, st, (const char *)l->names.data, err) &&
	    switch_columns(l, st, err) && wake_columns(l, st, err) && mark_columns(st, err) &&
	    task_columns(l, st, err) && cpu_columns(l, st, err) && set_facts(l, st, err);
}

bool
live_store(const struct live *l, struct store **out, struct err *err)
{
	struct str names = { (const char *)l->names.data, l->nnames };
	struct store *st;

	if (!store_memory(&st, "-", names, err))
		return false;
	if (!fill(l, st, err)) {
		store_discard(st);
		store_close(st);
		return false;
	}
	store_publish(st);
	*out = st;
	return true;
}
