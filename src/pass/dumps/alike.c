/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "equal stacks": the threads of a dump that have the same stack, and those that wait for work.  Pass
 * "pools of dumps": the threads of a dump that are of one pool.
 */
#include "config.h"

#include "icecore/columns_dumps.h"
#include "icecore/idle.h"
#include "icecore/texts.h"
#include "dumps.h"

struct alike_row {
	uint64_t	dump;
	uint64_t	place;		/* sorts: most threads first */
	uint64_t	threads, idle;
	uint64_t	behind, cpu;	/* sums of a pool's threads; UINT64_MAX: unknown */
	uint32_t	stack, first;
	uint32_t	made;		/* number of the row before sorting */
};

#define POOLS_SHOWN 4u		/* pools named in a group of equal stacks */

/* Threads of a group that have something in common: a state, or a pool. */
struct alike_part {
	uint64_t	threads;
	uint32_t	what;
};

struct alike {
	const struct store	*st;
	struct work		*work;
	struct idle_methods	 methods;
	ARRAY(struct alike_row)	rows;
	ARRAY(uint32_t)	group;		/* by row of dumped.* */
	ARRAY(uint8_t)	idle;		/* by row of dumped.* */
	ARRAY(uint32_t)	start, list;	/* first place in list by group, from 0; rows of dumped.* by group */
	ARRAY(uint32_t)	pool;		/* by thread; 0: none, and threads are grouped by their stacks */
	struct idmap		 by_key;
	uint64_t		 n, nrows;	/* groups; rows of dumped.* */
	uint64_t		 nthreads;		/* 0: grouped by stacks */
};

/* A thread that wants no lock and waits for work, or has no frames at all. */
static bool
is_idle(const struct alike *a, uint64_t row, uint64_t stack)
{
	uint64_t want = store_cell(a->st, COL_DUMPED_WANT, row),
	    state = store_cell(a->st, COL_DUMPED_STATE, row);

	if (want == WANT_LOCK || want == WANT_INIT || state == DSTATE_BLOCKED)
		return false;
	return stack == 0 || idle_stack(&a->methods, store_column(a->st, COL_EXACT_PARENT),
	    store_column(a->st, COL_EXACT_METHOD), stack);
}

/* Threads of a group have the same key. */
static uint32_t
alike_key(const struct alike *a, uint64_t row, uint64_t stack)
{
	uint64_t thread = store_cell(a->st, COL_DUMPED_THREAD, row);

	return a->nthreads == 0 ? (uint32_t)stack : a->pool.at[thread <= a->nthreads ? thread : 0];
}

/* A row of a pool. */
static void
add_to_pool(const struct alike *a, struct alike_row *pool, uint64_t row)
{
	uint64_t cpu = store_cell(a->st, COL_DUMPED_CPU, row);

	pool->behind += store_cell(a->st, COL_DUMPED_BEHIND, row);
	if (cpu != UINT64_MAX)
		pool->cpu = pool->cpu == UINT64_MAX ? cpu : num_add(pool->cpu, cpu);
}

static bool
group_dump(struct alike *a, uint32_t dump, struct dump_rows r, struct err *err)
{
	for (uint64_t i = r.from; i < r.to; i++) {
		uint64_t stack = store_cell(a->st, COL_DUMPED_STACK, i),
		    count = store_cell(a->st, COL_DUMPED_COUNT, i);
		struct alike_row new = { .dump = dump, .cpu = UINT64_MAX, .stack = (uint32_t)stack,
		    .first = (uint32_t)i,
		    .made = (uint32_t)a->n }, *row;
		uint32_t at, key = alike_key(a, i, stack);

		if (!work_each(a->work, i, 4096, err))
			return false;
		if (!idmap_enter(&a->by_key, (uint64_t)dump << 32 | key, (uint32_t)a->n + 1, &at, err))
			return false;
		if (at > a->n && !make_add(&a->rows.raw, &a->n, &new, sizeof new, MAKE_MOST,
		    "groups of threads", err))
			return false;
		row = &a->rows.at[at - 1];
		a->group.at[i] = at;
		a->idle.at[i] = a->nthreads > 0 ? store_cell(a->st, COL_DUMPED_IDLE, i) != 0 : is_idle(a, i,
		    stack);
		row->threads += count;
		row->idle += a->idle.at[i] != 0 ? count : 0;
		if (a->nthreads > 0)
			add_to_pool(a, row, i);
	}
	return true;
}

/* Sort the groups of each dump by falling number of threads, and renumber them. */
static bool
alike_sort(struct alike *a, struct err *err)
{
	OWN_ARRAY(uint32_t) places = ARRAY_INIT;
	struct alike_row *row = a->rows.at;
	uint32_t *place, *group = a->group.at;

	for (uint64_t i = 0; i < a->n; i++)
		row[i].place = UINT64_MAX - row[i].threads;
	if (!make_sort_both(&a->rows.raw, a->n, sizeof *row, a->work, err) ||
	    !array_grow(&places, a->n + 1, err)) {
		array_free(&places);
		return false;
	}
	row = a->rows.at;
	place = places.at;
	for (uint64_t i = 0; i < a->n; i++)
		place[row[i].made + 1] = (uint32_t)i + 1;
	for (uint64_t i = 1; i <= a->nrows; i++)
		group[i] = place[group[i]];
	return true;
}

/* The rows of each group, in the order of the file.  group: number of a group by row of dumped.*. */
static bool
group_lists(struct alike *a, const uint32_t *group, struct err *err)
{
	uint32_t *start, *list;

	SCRATCH_FREE(&a->start, &a->list);
	if (!array_grow(&a->start, a->n + 2, err) || !array_grow(&a->list, a->nrows + 1, err))
		return false;
	start = a->start.at;
	list = a->list.at;
	for (uint64_t i = 1; i <= a->nrows; i++)
		start[group[i]]++;
	start[0] = 0;
	for (uint64_t g = 1; g <= a->n; g++)
		start[g] += start[g - 1];
	start[a->n + 1] = start[a->n];
	for (uint64_t i = a->nrows; i > 0; i--)
		if (group[i] != 0)
			list[--start[group[i]]] = (uint32_t)i;
	for (uint64_t g = 0; g <= a->n; g++)
		start[g] = start[g + 1];
	return true;
}

/* Parts of a group by state, in the order of states. */
static uint64_t
parts_by_state(const struct alike *a, uint64_t group, struct alike_part parts[DUMP_STATES])
{
	const uint32_t *start = a->start.at, *list = a->list.at;
	uint64_t count[DUMP_STATES] = { 0 }, n = 0;

	for (uint64_t k = start[group]; k < start[group + 1]; k++) {
		uint64_t state = store_cell(a->st, COL_DUMPED_STATE, list[k]);

		count[state < DUMP_STATES ? state : DSTATE_UNKNOWN] += store_cell(a->st, COL_DUMPED_COUNT,
		    list[k]);
	}
	for (uint32_t i = 0; i < DUMP_STATES; i++)
		if (count[i] != 0)
			parts[n++] = (struct alike_part){ count[i], i };
	return n;
}

/* Parts of a group by pool, in order of appearance: only the first ones. */
static uint64_t
parts_by_pool(const struct alike *a, uint64_t group, struct alike_part parts[DUMP_STATES])
{
	const uint32_t *start = a->start.at, *list = a->list.at;
	uint64_t n = 0, i;

	for (uint64_t k = start[group]; k < start[group + 1]; k++) {
		uint32_t pool = a->group.at[list[k]];

		for (i = 0; i < n && parts[i].what != pool; i++)
			;
		if (i == POOLS_SHOWN)
			continue;
		if (i == n)
			parts[n++] = (struct alike_part){ .what = pool };
		parts[i].threads += store_cell(a->st, COL_DUMPED_COUNT, list[k]);
	}
	return n;
}

/* Columns of the parts of all groups: the first one by group, what, threads. */
static bool
alike_parts(struct alike *a, struct store *st, column_id first, column_id what, column_id threads,
    uint64_t (*split)(const struct alike *, uint64_t, struct alike_part *), struct err *err)
{
	const struct make_column columns[] = { MAKE_FIT(what, alike_part, what),
	    MAKE_FIT(threads, alike_part, threads) };
	uint32_t *place = store_make(st, first, COL_U32, a->n + 1, err);
	struct alike_part parts[DUMP_STATES];
	OWN_ARRAY(struct alike_part) rows = ARRAY_INIT;
	uint64_t nrows = 0, n;
	bool ok = place != NULL;

	for (uint64_t g = 0; ok && g < a->n; g++) {
		place[g] = (uint32_t)nrows;
		n = split(a, g, parts);
		ok = work_each(a->work, g, 4096, err);
		for (uint64_t i = 0; ok && i < n; i++)
			ok = make_add(&rows.raw, &nrows, &parts[i], sizeof parts[i], MAKE_MOST,
			    "parts of groups", err);
	}
	if (ok)
		place[a->n] = (uint32_t)nrows;
	return ok && make_columns(st, columns, NELEM(columns), MAKE_ROWS(rows.at, nrows), err);
}

static bool
alike_columns(struct alike *a, struct store *st, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_ALIKE_DUMP, alike_row, dump), MAKE_FIT(COL_ALIKE_STACK, alike_row, stack),
		MAKE_FIT(COL_ALIKE_THREADS, alike_row, threads), MAKE_FIT(COL_ALIKE_FIRST, alike_row, first),
		MAKE_FIT(COL_ALIKE_IDLE, alike_row, idle),
	};

	return group_lists(a, a->group.at, err) &&
	    alike_parts(a, st, COL_ALIKE_STATES, COL_ALIKE_STATE, COL_ALIKE_IN_STATE, parts_by_state, err) &&
	    make_copy(st, COL_DUMPED_IDLE, COL_U8, a->idle.at + 1, a->nrows, err) &&
	    make_copy(st, COL_DUMPED_GROUP, COL_U32, a->group.at + 1, a->nrows, err) &&
	    make_columns(st, columns, NELEM(columns), MAKE_ROWS(a->rows.at, a->n), err);
}

static bool
alike_group(struct alike *a, struct err *err)
{
	uint64_t ndumps = dumps_count(a->st), done = 1;
	bool ok = array_grow(&a->group, a->nrows + 1, err) && array_grow(&a->idle, a->nrows + 1, err);

	for (uint64_t d = 1; ok && d <= ndumps; d++)
		ok = group_dump(a, (uint32_t)d, dump_rows_next(a->st, d, &done), err);
	return ok && alike_sort(a, err);
}

static void
alike_close(struct alike *a)
{
	idle_methods_close(&a->methods);
	SCRATCH_FREE(&a->rows, &a->group, &a->idle, &a->start, &a->list, &a->pool);
	idmap_free(&a->by_key);
}

/*
 * The innermost frame of the program in each stack, or the one below a failure in which it is.  Rows of a damaged index
 * may be in another order.
 */
static bool
alike_own(struct alike *a, struct store *st, struct err *err)
{
	const struct column *parent = store_column(st, COL_EXACT_PARENT),
	    *method = store_column(st, COL_EXACT_METHOD);
	uint64_t n = column_rows(parent), up, is;
	uint32_t *own = store_make(st, COL_EXACT_OWN, COL_U32, n, err);
	OWN_ARRAY(bool) failed = ARRAY_INIT;

	if (own == NULL || !array_grow(&failed, n, err))
		return false;
	for (uint64_t i = 1; i <= n; i++) {
		up = column_get(parent, i - 1);
		up = up < i ? up : 0;
		is = column_get(method, i - 1);
		own[i - 1] = up == 0 ? 0 : own[up - 1];
		failed.at[i - 1] = (up != 0 && failed.at[up - 1]) || (own[i - 1] != 0 && idle_raises(&a->methods, is));
		if (!failed.at[i - 1] && idle_is_own(&a->methods, is))
			own[i - 1] = (uint32_t)i;
		if (!work_each(a->work, i, 4096, err))
			return false;
	}
	return true;
}

static bool
alike_run(struct store *st, struct work *work, struct err *err)
{
	struct alike a = { .st = st, .work = work, .nrows = column_rows(store_column(st, COL_DUMPED_STATE)) };
	bool ok;

	work_start(work, "equal stacks", a.nrows);
	ok = idle_methods_open(&a.methods, st, work, err) && alike_own(&a, st, err) && alike_group(&a, err) &&
	    alike_columns(&a, st, err);
	alike_close(&a);
	return ok;
}

/* ---- pools ------------------------------------------------------------------------------------ */

/* Each thread is named once. */
static bool
find_pools(struct alike *a, struct err *err)
{
	struct text_pool names = { .n = 0 };
	struct buf name = BUF_INIT;
	bool ok = array_grow(&a->pool, a->nthreads + 1, err);

	for (uint64_t i = 1; ok && i <= a->nrows; i++) {
		uint64_t thread = store_cell(a->st, COL_DUMPED_THREAD, i);
		uint32_t *pool = &a->pool.at[thread <= a->nthreads ? thread : 0];

		ok = work_each(a->work, i, 4096, err);
		if (!ok || *pool != 0)
			continue;
		buf_clear(&name);
		dumped_label(a->st, i, &name);
		name_pool(&name, 0);
		ok = name.bad ? fail_memory(err, "name") : texts_number(&names, buf_view(&name), pool, err);
	}
	buf_free(&name);
	texts_free(&names);
	return ok;
}

/* The pools in each group of equal stacks. */
static bool
group_pools(struct alike *a, struct store *st, struct err *err)
{
	OWN_ARRAY(uint32_t) group = ARRAY_INIT;
	bool ok = array_grow(&group, a->nrows + 1, err);

	a->n = column_rows(store_column(st, COL_ALIKE_DUMP));
	for (uint64_t i = 1; ok && i <= a->nrows; i++) {
		uint64_t of = store_cell(st, COL_DUMPED_GROUP, i);

		group.at[i] = of <= a->n ? (uint32_t)of : 0;
	}
	return ok && group_lists(a, group.at, err) &&
	    alike_parts(a, st, COL_ALIKE_POOLS, COL_ALIKE_POOL, COL_ALIKE_IN_POOL, parts_by_pool, err);
}

static bool
pools_run(struct store *st, struct work *work, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_POOLED_DUMP, alike_row, dump), MAKE_FIT(COL_POOLED_THREADS, alike_row, threads),
		MAKE_FIT(COL_POOLED_FIRST, alike_row, first), MAKE_FIT(COL_POOLED_IDLE, alike_row, idle),
		MAKE_FIT(COL_POOLED_BEHIND, alike_row, behind), MAKE_FIT(COL_POOLED_CPU, alike_row, cpu),
	};
	uint64_t n = column_rows(store_column(st, COL_DUMPED_STATE));
	/* Each thread has a row. */
	struct alike a = { .st = st, .work = work, .nrows = n, .nthreads = n };
	bool ok;

	work_start(work, "pools", a.nrows);
	ok = find_pools(&a, err) && alike_group(&a, err) && group_lists(&a, a.group.at, err) &&
	    alike_parts(&a, st, COL_POOLED_STATES, COL_POOLED_STATE, COL_POOLED_IN_STATE, parts_by_state,
	    err) &&
	    make_columns(st, columns, NELEM(columns), MAKE_ROWS(a.rows.at, a.n), err) &&
	    group_pools(&a, st, err);
	alike_close(&a);
	return ok;
}

const struct pass pass_dump_alike = {
	.name = "equal stacks", .what = "threads with equal stacks, and those that wait for work",
	    .when = COL_DUMPED_STATE, .run = alike_run,
	.needs = PASS_COLUMNS(COL_NONE),
	.makes = PASS_COLUMNS(COL_DUMPED_IDLE, COL_DUMPED_GROUP, COL_EXACT_OWN, COL_ALIKE_DUMP,
	    COL_ALIKE_STACK, COL_ALIKE_THREADS, COL_ALIKE_FIRST,
	    COL_ALIKE_IDLE, COL_ALIKE_STATES, COL_ALIKE_STATE, COL_ALIKE_IN_STATE)
};

const struct pass pass_dump_pools = {
	.name = "pools of dumps", .what = "threads of one pool in each stack dump", .when = COL_DUMPED_STATE,
	    .run = pools_run,
	.needs = PASS_COLUMNS(COL_DUMPED_IDLE, COL_DUMPED_BEHIND),
	.makes = PASS_COLUMNS(COL_POOLED_DUMP, COL_POOLED_THREADS, COL_POOLED_FIRST, COL_POOLED_IDLE,
	    COL_POOLED_BEHIND, COL_POOLED_CPU,
	    COL_POOLED_STATES, COL_POOLED_STATE, COL_POOLED_IN_STATE, COL_ALIKE_POOLS, COL_ALIKE_POOL,
	    COL_ALIKE_IN_POOL)
};
