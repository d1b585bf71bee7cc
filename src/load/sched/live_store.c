/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Make a store from a snapshot of a live scheduler trace.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_sched.h"
#include "icecore/facts.h"
#include "live.h"

#define UNIT_BITS 5		/* durations are counted in units of 32 ns */

/* ---- histograms ---------------------------------------------------------------- */

static unsigned
live_store_class_of(uint64_t value)
{
	unsigned octave, class;

	value >>= UNIT_BITS;
	if (value < 16)
		return (unsigned)value;
	octave = 63 - (unsigned)__builtin_clzll(value);
	class = (octave - 2) * 8 + (unsigned)(value >> (octave - 3) & 7);
	return class < HISTOGRAM ? class : HISTOGRAM - 1;
}

/* Return the middle of a class of the histogram. */
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
	uint32_t *n = &h->count[live_store_class_of(value)];

	*n += *n < UINT32_MAX;
}

/* Return the middle of the class with the value of that rank, at most most. */
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
	/* The largest value is known. */
	if (rank == n)
		return most;
	assert(i < HISTOGRAM);
	middle = class_middle(i);
	return middle < most ? middle : most;
}

/* ---- columns --------------------------------------------------------------------- */

static const struct sched_range all = SCHED_ALL;

/* Return the time covered so far; 0: nothing was read yet. */
static uint64_t
live_store_elapsed(const struct live *l)
{
	return l->first == UINT64_MAX ? 0 : l->end - l->first;
}

/* The sums of a task, which is until now what it is: on or off a CPU. */
static struct live_task
live_task_now(const struct live *l, uint64_t i)
{
	struct live_task t = SCRATCH(l->tasks, struct live_task)[i];
	uint64_t gap, delay;

	task_end(&t.sum, &all, live_store_elapsed(l), &gap, &delay);
	if (gap != UINT64_MAX)
		histogram_add(&t.gaps, gap);
	if (delay != UINT64_MAX)
		histogram_add(&t.delays, delay);
	return t;
}

static bool
task_columns(const struct live *l, struct store *st, struct err *err)
{
	static const struct make_column columns[] = TASK_SUM_COLUMNS(MAKE_AS_IS);
	struct scratch sums = SCRATCH_INIT;
	uint64_t n = l->threads.nthreads, *p50, *p99, *delay;
	bool ok = scratch_array(&sums, n, sizeof(struct task_sum), err) &&
	    (p50 = store_make(st, COL_TASK_P50, COL_U64, n, err)) != NULL &&
	    (p99 = store_make(st, COL_TASK_P99, COL_U64, n, err)) != NULL &&
	    (delay = store_make(st, COL_TASK_P99_DELAY, COL_U64, n, err)) != NULL;

	for (uint64_t i = 0; ok && i < n; i++) {
		struct live_task t = live_task_now(l, i);

		SCRATCH(sums, struct task_sum)[i] = t.sum;
		p50[i] = histogram_percentile(&t.gaps, 50, t.sum.max_gap);
		p99[i] = histogram_percentile(&t.gaps, 99, t.sum.max_gap);
		delay[i] = histogram_percentile(&t.delays, 99, t.sum.max_delay);
	}
	ok = ok && make_columns(st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(sums, struct task_sum), n), err);
	scratch_free(&sums);
	return ok;
}

static bool
cpu_columns(const struct live *l, struct store *st, struct err *err)
{
	static const struct make_column sums[] = CPU_SUM_COLUMNS(MAKE_AS_IS);
	const struct cpu_sum *c = SCRATCH(l->cpus, struct cpu_sum);
	struct scratch seen = SCRATCH_INIT;
	uint64_t i, at, n = 0, *to;
	bool ok;

	for (i = 0; i < l->ncpus; i++)
		n += c[i].seen;
	if ((to = store_make(st, COL_CPU_NUMBER, COL_U64, n, err)) == NULL ||
	    !scratch_array(&seen, n, sizeof *c, err))
		return false;
	for (i = at = 0; i < l->ncpus; i++)
		if (c[i].seen) {
			SCRATCH(seen, struct cpu_sum)[at] = c[i];
			cpu_end(&SCRATCH(seen, struct cpu_sum)[at], &all, 0, live_store_elapsed(l),
			    l->lost > 0,
			    sched_seats_runs(&l->seats, (uint32_t)i));
			to[at++] = i;
		}
	ok = make_columns(st, sums, NELEM(sums), MAKE_ROWS(SCRATCH(seen, struct cpu_sum), n), err);
	scratch_free(&seen);
	return ok;
}

/* Return the first row that the ring still has. */
static uint64_t
ring_first(uint64_t n)
{
	return n > LIVE_RING ? n - LIVE_RING : 0;
}

/*
 * Write the switches and wakeups that the rings still have, oldest first.  Wakeups that the ring lost are
 * counted as they came, a waking and its wakeup as two.
 */
static bool
ring_columns(const struct live *l, struct store *st, struct err *err)
{
	const struct live_wake *ring = SCRATCH(l->wakes, struct live_wake), *w;
	uint64_t first = ring_first(l->nwakes), least = ring_first(l->nrows), n = l->nwakes - first;
	const struct make_rows rows = { l->rows.data, l->nrows - least, sizeof(struct sched_row), least,
	    LIVE_RING };
	struct sched_losses losses = l->losses;
	struct scratch woken = SCRATCH_INIT;
	bool ok = scratch_array(&woken, n + 1, sizeof(struct sched_woken), err);

	for (uint64_t i = 0; ok && i < n; i++) {
		w = &ring[(first + i) % LIVE_RING];
		assert(w->before <= l->nrows);
		SCRATCH(woken, struct sched_woken)[i] = (struct sched_woken){ w->time, w->thread,
		    w->before > least ? (uint32_t)(w->before - least) : 0, w->by, w->cpu, w->target };
	}
	ok = ok && sched_row_columns(st, &rows, SCRATCH(woken, struct sched_woken), &n, l->threads.nthreads,
	    &losses, err) &&
	    sched_loss_columns(st, &losses, err) && fact_set(st, FACT_WAKEUPS, first + n, err);
	scratch_free(&woken);
	return ok;
}

/* ---- facts ---------------------------------------------------------------------------- */

static bool
live_store_set_facts(const struct live *l, struct store *st, struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_LIVE, 1 },
		{ FACT_SWITCHES, l->nrows },
		{ FACT_SWITCHES_KEPT, l->nrows - ring_first(l->nrows) },
		{ FACT_MARKS, l->count[SCHED_MARK] },
		{ FACT_THREADS_LISTED, l->threads.nthreads },
		{ FACT_RENAMES, l->threads.renames, MAKE_ANY },
		{ FACT_REUSED, l->threads.reused, MAKE_ANY },
		{ FACT_CLOCK_START, l->first == UINT64_MAX ? 0 : l->first },
		{ FACT_ELAPSED, live_store_elapsed(l) },
		{ FACT_RECORDS, 0 },
		MAKE_COLUMN_TRACE,
		{ FACT_TRACE_START, l->first == UINT64_MAX ? 0 : l->first },
		{ FACT_SHAPES, SHAPE_ROWS | SHAPE_TRACKS | SHAPE_TASKS },
		{ FACT_REPAIR_BAD_EVENTS, l->count[SCHED_BAD] + l->too_long, MAKE_ANY },
		{ FACT_REPAIR_UNORDERED, l->unordered, MAKE_ANY },
		{ FACT_REPAIR_ONE_PROCESS, l->lost > 0 ? 0 : sched_threads_alone(&l->threads), MAKE_ANY },
		{ FACT_LOSS_EVENTS, l->lost, MAKE_ANY },
		{ FACT_LOSS_TASKS, l->left_out, MAKE_ANY },
		{ FACT_LOSS_TAIL_BYTES, l->tail, MAKE_ANY },
		{ FACT_FORMAT, .text = STR("scheduler trace (text), live") },
		{ FACT_LOADER, .text = STR("sched") },
	};

	return unread_facts(&l->unread, st, err) && make_facts(st, facts, NELEM(facts), err) &&
	    sched_loss_reason(st, l->lost, l->tail, err);
}

static bool
live_store_fill(const struct live *l, struct store *st, struct err *err)
{
	/* The live reader keeps no marks, so there are no calls. */
	const struct make_rows names = MAKE_ROWS((const struct sched_name *)NULL, 0),
	    events = MAKE_ROWS((const struct sched_event *)NULL, 0);

	return sched_threads_columns(&l->threads, st, (const char *)l->names.bytes.data, err) &&
	    ring_columns(l, st, err) &&
	    sched_call_columns(st, names, STR(""), events, err) &&
	    task_columns(l, st, err) && cpu_columns(l, st, err) && live_store_set_facts(l, st, err);
}

bool
live_store(const struct live *l, struct store **out, struct err *err)
{
	struct str names = { (const char *)l->names.bytes.data, l->names.size };
	struct store *st;

	if (!store_open(&st, "-", &(struct store_options){ .bytes = &names }, err))
		return false;
	if (!live_store_fill(l, st, err)) {
		store_discard(st);
		store_close(st);
		return false;
	}
	store_publish(st);
	*out = st;
	return true;
}
