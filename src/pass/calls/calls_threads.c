/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the thread table as columns, counts over all threads, and detects whether the trace was sampled.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/make.h"
#include "calls_pass.h"

/* ---- whether a trace was sampled, and how often ------------------------------------------------ */

struct sampled_thread {
	uint64_t	time;
	uint32_t	action, seen;
};

static unsigned
calls_threads_class_of(uint64_t step)
{
	unsigned octave;

	if (step < 8)
		return (unsigned)step;
	octave = 63 - (unsigned)__builtin_clzll(step);
	return (octave - 2) * 8 + (unsigned)(step >> (octave - 3) & 7);
}

static void
calls_threads_take(struct sampled *s, struct sampled_thread *t, uint64_t time, uint32_t action)
{
	bool enter = action == ACT_ENTER;

	/* Times of a thread never fall: replay repairs those that do. */
	assert(!t->seen || time >= t->time);
	s->records++;
	s->odd += action == ACT_UNROLL || action == ACT_UNROLL_TOP;
	if (!t->seen || t->time != time) {
		s->groups++;
		if (t->seen) {
			s->steps[calls_threads_class_of(time - t->time)]++;
			s->length[calls_threads_class_of(time - t->time)] += time - t->time;
			s->nsteps++;
		}
	} else {
		s->odd += t->action == ACT_ENTER && !enter;
	}
	t->time = time;
	t->action = action;
	t->seen = 1;
}

bool
sampled_run(struct sampled *s, const struct event_run *run, bool wall, struct err *err)
{
	struct sampled_thread *t;

	if (run->thread > s->nthreads) {
		if (!scratch_array(&s->threads, run->thread, sizeof *t, err))
			return false;
		s->nthreads = run->thread;
	}
	t = &SCRATCH(s->threads, struct sampled_thread)[run->thread - 1];
	for (uint32_t i = 0; i < run->n; i++)
		calls_threads_take(s, t, wall ? run->ev[i].wall : run->ev[i].cpu,
		    run->ev[i].action);
	return true;
}

/*
 * In ticks, the mean of those near the 10th percentile: if nothing changes between samples, steps are longer.
 *  0: too few to decide.
 */
static uint64_t
sampled_interval(const struct sampled *s)
{
	uint64_t sum = 0, n = 0, length = 0;
	unsigned class = 0;

	while (class < NELEM(s->steps) && (sum += s->steps[class]) <= s->nsteps / 10)
		class++;
	for (unsigned i = class > 0 ? class - 1 : 0; i <= class + 1 && i < NELEM(s->steps); i++) {
		n += s->steps[i];
		length += s->length[i];
	}
	return n == 0 || n < s->nsteps / 8 ? 0 : (length + n / 2) / n;
}

/* ---- threads ------------------------------------------------------------------------------- */

struct thread_out {
	uint64_t	raw, tid, name, main, clock, start, end, repairs, records, listed;
};

struct thread_table {
	struct scratch	rows;		/* struct thread_out */
	ARRAY(struct thread_called)	called;
	struct idmap	listed;		/* raw tid to 1 + row in listed.tid, last one */
};

static bool
list_tids(struct call_trees *c, struct thread_table *t, struct err *err)
{
	const struct column *tid = store_column(c->st, COL_LISTED_TID);
	uint32_t mask = c->replay.in.wide ? UINT32_MAX : 0xffff;

	for (uint32_t i = 0; tid != NULL && i < tid->rows; i++)
		if (!idmap_put(&t->listed, column_get(tid, i) & mask, i + 1, err))
			return false;
	return true;
}

static void
put_thread_row(struct call_trees *c, struct thread_table *t, uint32_t row)
{
	const struct call_thread *th = calls_thread(c, row + 1);
	const struct replay_thread *r = replay_thread(&c->replay, row + 1);
	const struct repairs *x = &th->fixed;
	bool wall = trace_has_clock(c->st, CLOCK_WALL);
	bool all = fact_value(c->st, FACT_TRACE_ALL_THREADS) != 0;
	uint32_t listed = all ? row + 1 : idmap_get(&t->listed, r->tid);
	column_id told = store_column(c->st, COL_LISTED_TOLD) != NULL ? COL_LISTED_TOLD : COL_LISTED_TID;

	SCRATCH(t->rows, struct thread_out)[row] = (struct thread_out){
		.raw = r->tid, .listed = listed,
		.tid = listed == 0 ? r->tid : store_cell(c->st, told, listed),
		.name = listed == 0 ? 0 : store_cell(c->st, COL_LISTED_THREAD, listed),
		.clock = trace_has_clock(c->st, CLOCK_CPU) ? r->clock.cpu - th->first_cpu : 0,
		.start = wall ? th->first_wall : th->first_cpu,
		.end = wall ? r->clock.wall : r->clock.cpu,
		.records = th->records,
		.repairs = x->synthetic + x->forced + x->ignored + x->open + x->action3 + r->wraps + r->backwards
	};
}

/*
 * The first thread whose tid is the id of its process, otherwise the one called main, otherwise number 1
 * (Dalvik), which is meaningless if threads have processes.  A scheduler trace has the threads of the whole
 * machine: with several processes there is no main thread.
 */
static void
find_main(struct call_trees *c, struct thread_table *table)
{
	uint64_t all = fact_value(c->st, FACT_PID), own, pid, before = 0;
	struct thread_out *t = SCRATCH(table->rows, struct thread_out);
	uint32_t first = UINT32_MAX, named = UINT32_MAX, one = UINT32_MAX;
	bool several = false;

	for (uint32_t row = c->threads.n; row-- > 0; ) {
		own = t[row].listed == 0 ? 0 : store_cell(c->st, COL_LISTED_PID, t[row].listed);
		pid = own != 0 ? own : all;
		several |= own != 0 && before != 0 && own != before;
		before = own != 0 ? own : before;
		if (pid != 0 && t[row].tid == pid)
			first = row;
		if (str_is(store_text(c->st, t[row].name), "main"))
			named = row;
		if (t[row].tid == 1)
			one = row;
	}
	if (several && (load_shapes(c->st) & SHAPE_TASKS) != 0)
		return;
	if (first == UINT32_MAX)
		first = named != UINT32_MAX ? named : before != 0 ? UINT32_MAX : one;
	if (first != UINT32_MAX)
		t[first].main = 1;
}

static bool
put_table(struct call_trees *c, struct thread_table *t, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_THREAD_RAW, thread_out, raw), MAKE_FIT(COL_THREAD_TID, thread_out, tid),
		MAKE_FIT(COL_THREAD_NAME, thread_out, name), MAKE_FIT(COL_THREAD_MAIN, thread_out, main),
		MAKE_FIT(COL_THREAD_CLOCK, thread_out, clock), MAKE_FIT(COL_THREAD_START, thread_out, start),
		MAKE_FIT(COL_THREAD_END, thread_out, end), MAKE_FIT(COL_THREAD_REPAIRS, thread_out, repairs),
		MAKE_FIT(COL_THREAD_RECORDS, thread_out, records),
		MAKE_FIT(COL_THREAD_LISTED, thread_out, listed)
	};
	uint32_t n = c->threads.n;
	struct thread_called *called;

	assert(n == c->replay.nthreads);
	if (!scratch_array(&t->rows, n, sizeof(struct thread_out), err) || !list_tids(c, t, err) ||
	    !array_grow(&t->called, n, err))
		return false;
	called = t->called.at;
	for (uint32_t i = 0; i < n; i++) {
		put_thread_row(c, t, i);
		called[i] = (struct thread_called){ SCRATCH(t->rows, struct thread_out)[i].tid,
		    SCRATCH(t->rows, struct thread_out)[i].name,
		    SCRATCH(t->rows, struct thread_out)[i].listed, 0 };
	}
	find_main(c, t);
	return make_columns(c->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(t->rows, struct thread_out), n),
	    err) &&
	    threads_alike(c->st, called, n, err);
}

/* ---- facts --------------------------------------------------------------------------------------- */

/* Methods that occur in the tree. */
static bool
count_methods(struct call_trees *c, uint64_t *count, struct err *err)
{
	OWN_SCRATCH seen = SCRATCH_INIT;
	const struct call_node *n = build_at(&c->tree, 0);

	*count = 0;
	if (!scratch_array(&seen, (uint64_t)c->replay.nmethods + 1, 1, err))
		return false;
	for (uint32_t i = 1; i < c->tree.nnodes; i++) {
		assert(n[i].method <= c->replay.nmethods);
		*count += n[i].method != 0 && !seen.data[n[i].method];
		seen.data[n[i].method] = 1;
	}
	return true;
}

/* Sums over all threads; the counters of policy P1 among them. */
struct sums {
	uint64_t	actions[4], threads, depth, wall, cpu, wraps, backwards, unlisted;
	struct repairs	fixed;
};

static void
calls_threads_add_thread(struct call_trees *c, struct thread_table *t, uint32_t i, struct sums *s)
{
	const struct call_thread *th = calls_thread(c, i + 1);
	const struct replay_thread *r = replay_thread(&c->replay, i + 1);

	for (int a = 0; a < 4; a++)
		s->actions[a] += th->actions[a];
	s->threads += th->records > 0;
	s->depth = th->depth > s->depth ? th->depth : s->depth;
	s->wall = r->clock.wall > s->wall ? r->clock.wall : s->wall;
	s->cpu = r->clock.cpu > s->cpu ? r->clock.cpu : s->cpu;
	s->wraps += r->wraps;
	s->backwards += r->backwards;
	s->unlisted += idmap_get(&t->listed, r->tid) == 0 ? th->records : 0;
	s->fixed.synthetic += th->fixed.synthetic;
	s->fixed.forced += th->fixed.forced;
	s->fixed.ignored += th->fixed.ignored;
	s->fixed.open += th->fixed.open;
	s->fixed.action3 += th->fixed.action3;
}

static bool
calls_threads_put_facts(struct call_trees *c, const struct sums *s, struct err *err)
{
	const struct sampled *x = &c->sampled;
	bool sampled = x->groups > 0 && x->odd == 0 && x->records >= 2 * x->groups;
	uint64_t methods, interval = sampled_interval(x);

	if (!count_methods(c, &methods, err))
		return false;
	const struct make_fact facts[] = {
		{ FACT_THREADS, s->threads },
		{ FACT_METHODS, methods },
		{ FACT_STACKS, build_stacks(&c->tree) },
		{ FACT_ENTERS, s->actions[0] },
		{ FACT_EXITS, s->actions[1] },
		{ FACT_UNROLLS, s->actions[2] },
		{ FACT_MAX_DEPTH, s->depth },
		{ FACT_LAST_WALL, trace_ns(c->st, s->wall) },
		{ FACT_LAST_CPU, trace_ns(c->st, s->cpu) },
		{ FACT_SAMPLED, sampled },
		{ FACT_SAMPLE_INTERVAL, sampled ? trace_ns(c->st, interval) : 0 },
		{ FACT_REPAIR_SYNTHETIC, s->fixed.synthetic },
		{ FACT_REPAIR_FORCED, s->fixed.forced },
		{ FACT_REPAIR_IGNORED, s->fixed.ignored },
		{ FACT_REPAIR_OPEN, s->fixed.open },
		{ FACT_REPAIR_ACTION3, s->fixed.action3 },
		{ FACT_REPAIR_WRAPS, s->wraps },
		{ FACT_REPAIR_BACKWARDS, s->backwards },
		{ FACT_REPAIR_UNKNOWN_METHODS, c->replay.nmethods - c->replay.nlisted },
		{ FACT_REPAIR_UNKNOWN_METHOD_RECORDS, c->replay.unknown_records },
		{ FACT_REPAIR_UNKNOWN_THREAD_RECORDS, s->unlisted },
	};

	/* A file without records, like a scheduler trace without marks, has no data after the first ones. */
	if (!make_facts(c->st, facts, c->replay.in.rows > 0 ? NELEM(facts) : 3, err))
		return false;
	return c->replay.in.rows == 0 || fact_value(c->st, FACT_ELAPSED) != 0 || fact_set(c->st, FACT_ELAPSED,
	    trace_ns(c->st, s->wall ? s->wall : s->cpu), err);
}

bool
calls_threads(struct call_trees *c, struct err *err)
{
	struct thread_table t = { .listed = IDMAP_INIT };
	struct sums sums = { .depth = 0 };
	bool ok = put_table(c, &t, err);

	for (uint32_t i = 0; ok && i < c->threads.n; i++)
		calls_threads_add_thread(c, &t, i, &sums);
	ok = ok && calls_threads_put_facts(c, &sums, err);
	SCRATCH_FREE(&t.rows, &t.called);
	idmap_free(&t.listed);
	return ok;
}
