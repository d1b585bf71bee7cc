/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "samples": the call trees of a profile, from its stacks and samples.  A call of a
 * profile is a stack: call.calls is how many samples ended in it, the weights are in the places
 * of wall (the one there is, or after) and cpu (before).
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/make.h"
#include "calls.h"

struct profile {
	struct store		*st;
	struct work		*work;
	const struct column	*parent, *method;		/* stack.* */
	const struct column	*stack, *thread, *weight, *before, *event, *time, *count;	/* sample.* */
	uint64_t		 chosen;			/* event */
	uint32_t		 nstacks, nthreads, nmethods;
	struct build		 build;
	ARRAY(uint64_t)	from;		/* by thread, where its samples begin in order */
	ARRAY(uint64_t)	order;		/* samples, by thread */
	ARRAY(uint32_t)	node;		/* by stack, its node; before the root of the thread: of another tree */
	ARRAY(uint32_t)	path;		/* stacks that get nodes */
	struct scratch		 threads;	/* struct profile_thread */
	ARRAY(struct thread_called)	called;
};

struct profile_thread {
	uint64_t	tid, name, start, end, count;
};

static bool
samples_open_columns(struct profile *p, struct err *err)
{
	struct store *st = p->st;
	const struct column *tid = store_column(st, COL_LISTED_TID);
	const struct column *name = store_column(st, COL_LISTED_NAME);

	p->parent = store_column(st, COL_STACK_PARENT);
	p->method = store_column(st, COL_STACK_METHOD);
	p->stack = store_column(st, COL_SAMPLE_STACK);
	p->thread = store_column(st, COL_SAMPLE_THREAD);
	p->weight = store_column(st, COL_SAMPLE_WEIGHT);
	p->before = store_column(st, COL_SAMPLE_BEFORE);
	p->event = store_column(st, COL_SAMPLE_EVENT);
	p->time = store_column(st, COL_SAMPLE_TIME);
	p->count = store_column(st, COL_SAMPLE_COUNT);
	p->chosen = fact_value(st, FACT_EVENT);
	if (tid == NULL || name == NULL || p->method->rows != p->parent->rows ||
	    p->parent->rows >= UINT32_MAX || tid->rows >= UINT32_MAX || name->rows >= UINT32_MAX)
		return fail(err, E_SYSTEM, "index does not match the profile; --no-index ignores it");
	p->nstacks = (uint32_t)p->parent->rows;
	p->nthreads = (uint32_t)tid->rows;
	p->nmethods = (uint32_t)name->rows;
	return true;
}

static bool
samples_make_room(struct profile *p, struct err *err)
{
	scratch_budget_rows(4ull * p->nstacks);
	/* The arrays freed by the loader cannot be used here. */
	scratch_settle();
	return array_grow(&p->from, p->nthreads + 2ull, err) &&
	    array_grow(&p->order, p->stack->rows, err) &&
	    array_grow(&p->node, p->nstacks + 1ull, err) &&
	    scratch_array(&p->threads, p->nthreads, sizeof(struct profile_thread), err);
}

/* ---- samples by thread -------------------------------------------------------------------- */

static bool
samples_is_chosen(const struct profile *p, uint64_t sample)
{
	uint64_t thread = column_get(p->thread, sample), stack = column_get(p->stack, sample);

	return column_get(p->event, sample) == p->chosen && thread > 0 && thread <= p->nthreads &&
	    stack > 0 && stack <= p->nstacks;
}

static bool
order_samples(struct profile *p, struct err *err)
{
	uint64_t *from = p->from.at, *order = p->order.at;
	uint64_t n = p->stack->rows;

	/* from[thread] ends up where its samples begin. */
	for (uint64_t i = 0; i < n; i++) {
		if (!work_each(p->work, i, 4096, err))
			return false;
		if (samples_is_chosen(p, i))
			from[column_get(p->thread, i)]++;
	}
	for (uint64_t i = 1; i <= p->nthreads; i++)
		from[i] += from[i - 1];
	from[p->nthreads + 1] = from[p->nthreads];
	assert(from[0] == 0 && from[p->nthreads] <= n);
	for (uint64_t i = n; i-- > 0; ) {
		if (i % 4096 == 0 && !work_go(p->work, n - i, err))
			return false;
		if (samples_is_chosen(p, i))
			order[--from[column_get(p->thread, i)]] = i;
	}
	assert(from[1] == 0);
	return true;
}

/*
 * Make room for all nodes at once: arrays that grow are copied. Each stack of the chosen event is a node at
 * least. It has about the share of the stacks that it has of the samples.
 */
static bool
samples_make_nodes(struct profile *p, struct err *err)
{
	uint64_t all = p->stack->rows, chosen = p->from.at[p->nthreads + 1];

	assert(chosen <= all);
	return all == 0 || build_room(&p->build, (uint32_t)((double)p->nstacks * (double)chosen / (double)all), err);
}

/* ---- trees ---------------------------------------------------------------------------------- */

/*
 * The node of a stack in the tree of a thread; those of its callers are made on the way.  No two stacks are
 * alike.
 */
static bool
samples_find_node(struct profile *p, uint32_t thread, uint32_t stack, uint32_t *node, struct err *err)
{
	uint32_t *of = p->node.at, *path, root = *build_root(&p->build, thread);
	uint32_t up, method;
	uint64_t n = 0;

	assert(root != 0);
	while (stack != 0 && of[stack] < root) {
		if (!array_add(&p->path, &n, &stack, err))
			return false;
		up = (uint32_t)column_get(p->parent, stack - 1);
		if (up >= stack)
			return fail(err, E_INPUT, "the stacks of the profile are damaged");
		stack = up;
	}
	assert(root != 0 && root < p->build.nnodes);
	*node = stack != 0 ? of[stack] : root;
	assert(*node >= root && *node < p->build.nnodes);
	if (!build_reserve(&p->build, (uint32_t)n, err))
		return false;
	path = p->path.at;
	while (n-- > 0) {
		method = (uint32_t)column_get(p->method, path[n] - 1);
		if (method == 0 || method > p->nmethods)
			return fail(err, E_INPUT, "the stacks of the profile are damaged");
		of[path[n]] = *node = build_new(&p->build, *node, method);
	}
	return true;
}

static void
note_time(struct profile_thread *t, uint64_t time, uint64_t samples)
{
	/* Samples of unknown time come last. */
	if (t->count == 0 || time < t->start)
		t->start = time;
	if (time > t->end && time != UINT64_MAX)
		t->end = time;
	t->count = num_add(t->count, samples);
}

static bool
samples_add_sample(struct profile *p, uint32_t thread, uint64_t sample, struct err *err)
{
	uint64_t samples;
	uint32_t at = 0;

	if (!samples_find_node(p, thread, (uint32_t)column_get(p->stack, sample), &at, err))
		return false;
	samples = p->count == NULL ? 1 : column_get(p->count, sample);
	note_time(&SCRATCH(p->threads, struct profile_thread)[thread - 1], column_get(p->time, sample),
	    samples);
	return build_count(&p->build, at, samples, err) &&
	    build_weigh(&p->build, at, column_get(p->weight, sample), column_get(p->before, sample), err);
}

static bool
samples_add_samples(struct profile *p, struct err *err)
{
	const uint64_t *from = p->from.at;
	uint64_t done = 0;

	for (uint32_t thread = 1; thread <= p->nthreads; thread++) {
		assert(from[thread] <= from[thread + 1]);
		if (from[thread] == from[thread + 1])
			continue;
		if (!build_reserve(&p->build, 1, err))
			return false;
		assert(*build_root(&p->build, thread) == 0);
		*build_root(&p->build, thread) = build_node(&p->build, 0, 0);
		for (uint64_t i = from[thread]; i < from[thread + 1]; i++) {
			if (done++ % 1024 == 0 && !work_tick(p->work, done))
				return fail_cancel(err);
			if (!samples_add_sample(p, thread, p->order.at[i], err))
				return false;
		}
	}
	return build_totals(&p->build, err);
}

/* ---- columns -------------------------------------------------------------------------------- */

/* The ids that the file has. */
static column_id
tid_column(const struct store *st)
{
	return store_column(st, COL_LISTED_TOLD) != NULL ? COL_LISTED_TOLD : COL_LISTED_TID;
}

/* Return whether all threads of which the process is known are of one process. */
static bool
is_one_process(const struct column *pid, uint32_t nthreads)
{
	uint64_t known = 0, one;

	for (uint32_t i = 0; i < nthreads; i++) {
		one = column_get(pid, i);
		if (known != 0 && one != 0 && one != known)
			return false;
		known = one != 0 ? one : known;
	}
	return true;
}

/*
 * The first thread of the process, else the one called main; 0: there is none, or it is one of several
 * processes.
 */
static uint32_t
main_thread(const struct profile *p)
{
	const struct column *tid = store_column(p->st, tid_column(p->st));
	const struct column *pid = store_column(p->st, COL_LISTED_PID);
	const struct column *name = store_column(p->st, COL_LISTED_THREAD);
	uint32_t named = 0;

	if (!is_one_process(pid, p->nthreads))
		return 0;
	for (uint32_t i = 1; i <= p->nthreads; i++) {
		if (column_get(pid, i - 1) != 0 && column_get(pid, i - 1) == column_get(tid, i - 1))
			return i;
		if (named == 0 && str_is(thread_listed_name(p->st, i, column_get(name, i - 1)), "main"))
			named = i;
	}
	return named;
}

static bool
samples_put_threads(struct profile *p, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_THREAD_RAW, profile_thread, tid), MAKE_FIT(COL_THREAD_TID, profile_thread, tid),
		MAKE_FIT(COL_THREAD_NAME, profile_thread, name),
		MAKE_CONST(COL_THREAD_LISTED, 8, MAKE_NUMBER),
		MAKE_CONST(COL_THREAD_CLOCK, 8, 0),
		MAKE_FIT(COL_THREAD_START, profile_thread, start),
		MAKE_FIT(COL_THREAD_END, profile_thread, end),
		MAKE_FIT(COL_THREAD_RECORDS, profile_thread, count)
	};
	struct profile_thread *t = SCRATCH(p->threads, struct profile_thread);
	struct thread_called *called;

	if (!array_grow(&p->called, p->nthreads, err))
		return false;
	called = p->called.at;
	for (uint32_t i = 0; i < p->nthreads; i++) {
		t[i].start = t[i].start > t[i].end ? t[i].end : t[i].start;
		t[i].tid = store_cell(p->st, tid_column(p->st), i + 1ull);
		t[i].name = store_cell(p->st, COL_LISTED_THREAD, i + 1ull);
		called[i] = (struct thread_called){ t[i].tid, t[i].name, i + 1ull, 0 };
	}
	return make_columns(p->st, columns, NELEM(columns), MAKE_ROWS(t, p->nthreads), err) &&
	    threads_alike(p->st, called, p->nthreads, err);
}

static bool
samples_put_columns(struct profile *p, struct err *err)
{
	uint32_t n = p->nthreads, first = main_thread(p);
	uint8_t *mains = store_make(p->st, COL_THREAD_MAIN, COL_U8, n, err);

	if (mains == NULL || store_make(p->st, COL_THREAD_REPAIRS, COL_U8, n, err) == NULL)
		return false;
	if (first != 0)
		mains[first - 1] = 1;
	return build_columns(&p->build, p->st, p->nmethods, p->work, err) &&
	    build_numbers(p->st, p->nmethods, err) && samples_put_threads(p, err);
}

static bool
samples_run(struct store *st, struct work *w, struct err *err)
{
	struct profile p = { .st = st, .work = w };
	bool ok;

	if (!samples_open_columns(&p, err) || !build_open(&p.build, p.nthreads, err))
		return false;
	work_start(w, "call tree", p.stack->rows);
	ok = samples_make_room(&p, err) && order_samples(&p, err) && samples_make_nodes(&p, err) &&
	    samples_add_samples(&p, err) &&
	    samples_put_columns(&p, err);
	build_close(&p.build);
	SCRATCH_FREE(&p.from, &p.order, &p.node, &p.path, &p.threads, &p.called);
	return ok;
}

const struct pass pass_samples = {
	.name = "samples", .what = "call trees of a profile", .when = COL_STACK_PARENT, .run = samples_run,
	.needs = PASS_COLUMNS(COL_STACK_PARENT, COL_STACK_METHOD, COL_SAMPLE_STACK, COL_SAMPLE_THREAD,
	    COL_SAMPLE_WEIGHT),
	.makes = PASS_COLUMNS(BUILD_MAKES)
};
