/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "dump waits": who waits for whom in each dump, as a tree: holders above those that wait for them.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_dumps.h"
#include "dumps.h"

/* A thread below its holder, or a root: sorted by the number of the holder, then by place. */
struct wait_node {
	uint64_t	parent;		/* row of the holder; of roots more than all rows: root_key */
	uint64_t	place;		/* most threads below it first, then the order of the file */
	uint32_t	row;
};

struct behind_row {
	uint32_t	dump, depth, thread, lock, below;
	uint8_t		how;
};

struct waits_out {
	struct dump_waits	 w;
	ARRAY(uint32_t)	dump;		/* by row of dumped.* */
	ARRAY(struct wait_node)	nodes;
	ARRAY(uint32_t)	first;		/* by row: 1 + its first node below it; 0: none */
	ARRAY(uint32_t)	at;		/* by row: its node */
	ARRAY(struct open_wait)	open;		/* open waits of a dump */
	ARRAY(uint32_t)	lock_group;	/* by row of lock.* */
	ARRAY(struct behind_row)	rows;
	uint64_t	 nnodes, nrows, nlocks, groups;
};

/* A thread whose holder is unknown. */
struct open_wait {
	uint64_t	group;		/* by lock, in order of appearance */
	uint32_t	row;
};

/* ---- the tree --------------------------------------------------------------------------- */

static uint64_t
root_key(const struct waits_out *o, uint64_t dump, bool circle)
{
	return o->w.n + 1 + 2 * dump + circle;
}

/* Cut the circles at their roots, and count the threads below each. */
static bool
count_behind(struct waits_out *o, struct err *err)
{
	uint32_t *parent = o->w.parent.at, *behind, *waiters, *leaf;
	OWN_ARRAY(uint32_t) counts = ARRAY_INIT, leaves = ARRAY_INIT;
	uint64_t n = o->w.n, nleaves = 0;

	for (uint64_t i = 0; i < o->w.nroots; i++)
		parent[o->w.roots.at[i]] = 0;
	if (!array_grow(&o->w.behind, n + 1, err) || !array_grow(&counts, n + 1, err) ||
	    !array_grow(&leaves, n + 1, err)) {
		SCRATCH_FREE(&counts, &leaves);
		return false;
	}
	behind = o->w.behind.at;
	waiters = counts.at;
	leaf = leaves.at;
	for (uint64_t i = 1; i <= n; i++)
		waiters[parent[i]]++;
	for (uint64_t i = 1; i <= n; i++)
		if (parent[i] != 0 && waiters[i] == 0)
			leaf[nleaves++] = (uint32_t)i;
	while (nleaves > 0) {
		uint32_t t = leaf[--nleaves], p = parent[t];

		behind[p] += behind[t] + 1;
		if (--waiters[p] == 0 && parent[p] != 0)
			leaf[nleaves++] = p;
	}
	return true;
}

static bool
waits_sort(struct waits_out *o, struct err *err)
{
	const uint32_t *parent = o->w.parent.at, *behind = o->w.behind.at;
	const uint32_t *circle = o->w.circle.at, *dump = o->dump.at;
	const struct wait_node *node;

	for (uint64_t i = 1; i <= o->w.n; i++) {
		struct wait_node new = { parent[i], (uint64_t)(UINT32_MAX - behind[i]) << 32 | i,
		    (uint32_t)i };

		if (parent[i] == 0 && behind[i] == 0)
			continue;
		if (parent[i] == 0) {
			new.parent = root_key(o, dump[i], circle[i] != 0);
			new.place = circle[i] != 0 ? circle[i] : new.place;
		}
		if (!array_add(&o->nodes, &o->nnodes, &new, err))
			return false;
	}
	if (!make_sort_both(&o->nodes.raw, o->nnodes, sizeof *node, o->w.work, err) ||
	    !array_grow(&o->first, o->w.n + 1, err) ||
	    !array_grow(&o->at, o->w.n + 1, err))
		return false;
	node = o->nodes.at;
	for (uint64_t i = 0; i < o->nnodes; i++) {
		o->at.at[node[i].row] = (uint32_t)i;
		if (node[i].parent <= o->w.n && (i == 0 || node[i - 1].parent != node[i].parent))
			o->first.at[node[i].parent] = (uint32_t)i + 1;
	}
	return true;
}

static bool
put_row(struct waits_out *o, const struct behind_row *row, struct err *err)
{
	return make_add(&o->rows.raw, &o->nrows, row, sizeof *row, MAKE_MOST, "waits", err);
}

static uint8_t
how_of(const struct waits_out *o, uint32_t thread, uint32_t depth)
{
	if (depth == 0)
		return o->w.circle.at[thread] != 0 ? BEHIND_CIRCLE : BEHIND_HOLDER;
	return store_cell(o->w.st, COL_DUMPED_HOW, thread) == HOW_FOUND ? BEHIND_FOUND : BEHIND_TOLD;
}

/*
 * A root and all below it, in pre-order, without recursion: the node after the last one below a thread is the
 * next of its parent.
 */
static bool
put_tree(struct waits_out *o, uint32_t dump, uint64_t root, struct err *err)
{
	const struct wait_node *node = o->nodes.at;
	const uint32_t *first = o->first.at, *at = o->at.at;
	uint64_t i = root;
	uint32_t depth = 0;

	for (;;) {
		uint32_t t = node[i].row;
		uint8_t how = how_of(o, t, depth);
		struct behind_row row = { dump, depth, t,
		    how == BEHIND_HOLDER ? 0 : (uint32_t)store_cell(o->w.st, COL_DUMPED_LOCK, t),
		    o->w.behind.at[t], how };

		if (!put_row(o, &row, err))
			return false;
		if (first[t] != 0) {
			i = first[t] - 1;
			depth++;
			continue;
		}
		while (depth > 0 && (i + 1 == o->nnodes || node[i + 1].parent != node[i].parent)) {
			i = at[node[i].parent];
			depth--;
		}
		if (depth == 0)
			return true;
		i++;
	}
}

/* ---- holders that are unknown --------------------------------------------------------------- */

static bool
collect_open(struct waits_out *o, struct dump_rows r, uint64_t *n, struct err *err)
{
	const struct store *st = o->w.st;
	uint32_t *group = o->lock_group.at;
	uint64_t before = o->groups;

	for (uint64_t i = r.from; i < r.to; i++) {
		uint64_t want = store_cell(st, COL_DUMPED_WANT, i), lock = store_cell(st, COL_DUMPED_LOCK, i);
		struct open_wait new = { 0, (uint32_t)i };

		if ((want != WANT_LOCK && want != WANT_INIT) || dump_holder(st, r, i) != 0)
			continue;
		lock = lock <= o->nlocks ? lock : 0;
		if (group[lock] <= before)
			group[lock] = (uint32_t)++o->groups;
		new.group = group[lock];
		if (!array_add(&o->open, n, &new, err))
			return false;
	}
	return make_sort(&o->open.raw, *n, sizeof(struct open_wait), NULL, err);
}

/* For each lock without a known holder a row, and those that wait for it below. */
static bool
put_open(struct waits_out *o, uint32_t dump, struct dump_rows r, struct err *err)
{
	const struct store *st = o->w.st;
	const struct open_wait *open;
	uint64_t n = 0, end;

	if (!collect_open(o, r, &n, err))
		return false;
	open = o->open.at;
	for (uint64_t i = 0; i < n; i = end) {
		struct behind_row row = { dump, 0, 0, (uint32_t)store_cell(st, COL_DUMPED_LOCK, open[i].row),
		    0, BEHIND_NOBODY };
		uint64_t below = 0;

		for (end = i; end < n && open[end].group == open[i].group; end++)
			below += store_cell(st, COL_DUMPED_COUNT, open[end].row);
		row.below = below > UINT32_MAX ? UINT32_MAX : (uint32_t)below;
		if (!put_row(o, &row, err))
			return false;
		row.depth = 1;
		row.below = 0;
		row.how = BEHIND_WAITS;
		for (uint64_t k = i; k < end; k++) {
			row.thread = open[k].row;
			if (!put_row(o, &row, err))
				return false;
		}
	}
	return true;
}

/* ---- the pass -------------------------------------------------------------------------------- */

static bool
put_waits(struct waits_out *o, struct err *err)
{
	const struct wait_node *node = o->nodes.at;
	uint64_t ndumps = dumps_count(o->w.st), done = 1, i = 0;

	while (i < o->nnodes && node[i].parent <= o->w.n)
		i++;
	for (uint64_t d = 1; d <= ndumps; d++) {
		struct dump_rows r = dump_rows_next(o->w.st, d, &done);

		if (!work_go(o->w.work, r.from, err))
			return false;
		for (; i < o->nnodes && node[i].parent <= root_key(o, d, true); i++)
			if (!put_tree(o, (uint32_t)d, i, err))
				return false;
		if (!put_open(o, (uint32_t)d, r, err))
			return false;
	}
	return true;
}

static bool
number_dumps(struct waits_out *o, struct err *err)
{
	uint64_t done = 1;

	if (!array_grow(&o->dump, o->w.n + 1, err))
		return false;
	for (uint64_t d = 1; d <= dumps_count(o->w.st); d++) {
		struct dump_rows r = dump_rows_next(o->w.st, d, &done);

		for (uint64_t i = r.from; i < r.to; i++)
			o->dump.at[i] = (uint32_t)d;
	}
	return true;
}

/* Holder and waiters of each lock.  A thread that holds a lock which nobody waits for is its holder, too. */
static bool
lock_columns(const struct waits_out *o, struct store *st, struct err *err)
{
	const struct column *hold = store_column(st, COL_HOLD_LOCK);
	uint32_t *holder = store_make(st, COL_LOCK_HOLDER, COL_U32, o->nlocks, err), *waiters, *waiting;

	if (holder == NULL || (waiters = store_make(st, COL_LOCK_WAITERS, COL_U32, o->nlocks, err)) == NULL ||
	    (waiting = store_make(st, COL_LOCK_WAITING, COL_U32, o->nlocks, err)) == NULL)
		return false;
	for (uint64_t i = 1; i <= o->w.n; i++) {
		uint64_t lock = store_cell(st, COL_DUMPED_LOCK, i), how = store_cell(st, COL_DUMPED_HOW, i);

		if (lock == 0 || lock > o->nlocks)
			continue;
		if (how == HOW_NONE)
			waiting[lock - 1]++;
		else {
			waiters[lock - 1]++;
			holder[lock - 1] = (uint32_t)store_cell(st, COL_DUMPED_HOLDER, i);
		}
	}
	for (uint64_t i = 1; i <= column_rows(hold); i++) {
		uint64_t lock = column_get(hold, i - 1), thread = store_cell(st, COL_HOLD_THREAD, i);

		if (lock != 0 && lock <= o->nlocks && holder[lock - 1] == 0 && thread <= o->w.n)
			holder[lock - 1] = (uint32_t)thread;
	}
	return true;
}

static bool
waits_columns(struct waits_out *o, struct store *st, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_BEHIND_DUMP, behind_row, dump), MAKE_FIT(COL_BEHIND_DEPTH, behind_row, depth),
		MAKE_FIT(COL_BEHIND_THREAD, behind_row, thread), MAKE_FIT(COL_BEHIND_LOCK, behind_row, lock),
		MAKE(COL_BEHIND_HOW, behind_row, how), MAKE_FIT(COL_BEHIND_BELOW, behind_row, below),
	};
	struct scratch *by_row[] = { &o->dump.raw, &o->w.behind.raw, &o->w.circle.raw };
	static const column_id col[] = { COL_DUMPED_DUMP, COL_DUMPED_BEHIND, COL_DUMPED_CYCLE };

	for (size_t i = 0; i < NELEM(by_row); i++)
		if (!make_copy(st, col[i], COL_U32, SCRATCH(*by_row[i], uint32_t) + 1, o->w.n, err))
			return false;
	return make_columns(st, columns, NELEM(columns), MAKE_ROWS(o->rows.at, o->nrows), err) &&
	    lock_columns(o, st, err) && circles_columns(&o->w, st, err);
}

static bool
waits_run(struct store *st, struct work *work, struct err *err)
{
	struct waits_out o = { .w = { .st = st, .work = work,
	    .n = column_rows(store_column(st, COL_DUMPED_STATE)) },
	    .nlocks = column_rows(store_column(st, COL_LOCK_DUMP)) };
	bool ok;

	work_start(work, "waits", o.w.n);
	ok = number_dumps(&o, err) && circles_find(&o.w, err) && count_behind(&o, err) &&
	    waits_sort(&o, err) &&
	    array_grow(&o.lock_group, o.nlocks + 1, err) && put_waits(&o, err) && waits_columns(&o, st, err);
	SCRATCH_FREE(&o.w.parent, &o.w.behind, &o.w.circle, &o.w.roots, &o.dump, &o.nodes, &o.first, &o.at,
	    &o.open, &o.lock_group, &o.rows);
	return ok;
}

const struct pass pass_dump_waits = {
	.name = "dump waits", .what = "who waits for whom in stack dumps", .when = COL_DUMPED_STATE,
	    .run = waits_run,
	.needs = PASS_COLUMNS(COL_NONE),
	.makes = PASS_COLUMNS(COL_DUMPED_DUMP, COL_DUMPED_BEHIND, COL_DUMPED_CYCLE, COL_BEHIND_DUMP,
	    COL_BEHIND_DEPTH, COL_BEHIND_THREAD,
	    COL_BEHIND_LOCK, COL_BEHIND_HOW, COL_BEHIND_BELOW, COL_CIRCLE_DUMP, COL_CIRCLE_NUMBER,
	    COL_CIRCLE_THREAD, COL_CIRCLE_REPORT,
	    COL_CIRCLE_HOW, COL_CIRCLE_FIRST, COL_CIRCLE_THREADS, COL_LOCK_HOLDER, COL_LOCK_WAITERS,
	    COL_LOCK_WAITING)
};
