/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deadlocks: threads that wait for each other in a circle.  Each thread waits for at most one other, so
 * circles do not overlap.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_dumps.h"
#include "dumps.h"

struct circle_row {
	uint32_t	dump, number, thread, told, first, threads;
	uint8_t		how;
};

/*
 * Follow the waits from each thread in the order of the file until one is reached that an earlier walk
 * passed, or this one: a circle. Its first thread in the file becomes a root: the edge from there is not part
 * of the tree.
 */
static bool
walk_dump(struct dump_waits *w, struct dump_rows r, uint32_t *seen, struct err *err)
{
	uint32_t *parent = w->parent.at, *circle = w->circle.at, number = 0;

	for (uint64_t i = r.from; i < r.to; i++) {
		uint32_t at = (uint32_t)i, root;

		if (!work_each(w->work, i, 4096, err))
			return false;
		for (; at != 0 && seen[at] == 0; at = parent[at])
			seen[at] = (uint32_t)i;
		if (at == 0 || seen[at] != (uint32_t)i)
			continue;
		root = at;
		number++;
		for (uint32_t t = parent[at]; t != at; t = parent[t])
			root = t < root ? t : root;
		for (uint32_t t = root; circle[t] == 0; t = parent[t])
			circle[t] = number;
		if (!array_add(&w->roots, &w->nroots, &root, err))
			return false;
	}
	return true;
}

bool
circles_find(struct dump_waits *w, struct err *err)
{
	OWN_ARRAY(uint32_t) seen = ARRAY_INIT;
	uint64_t ndumps = dumps_count(w->st), done = 1;
	bool ok = array_grow(&w->parent, w->n + 1, err) && array_grow(&w->circle, w->n + 1, err) &&
	    array_grow(&seen, w->n + 1, err);

	for (uint64_t d = 1; ok && d <= ndumps; d++) {
		struct dump_rows r = dump_rows_next(w->st, d, &done);

		for (uint64_t i = r.from; i < r.to; i++)
			w->parent.at[i] = (uint32_t)dump_holder(w->st, r, i);
		ok = walk_dump(w, r, seen.at, err);
	}
	return ok;
}

/* ---- reported and found ------------------------------------------------------------------ */

/* Sets of names: of the circles, and of the deadlocks that dumps report. */
struct name_sets {
	ARRAY(uint64_t)	names;		/* hashes of the names of one set */
	uint64_t	n;
	struct idmap	told, found;
};

static bool
circles_name(struct name_sets *s, struct str name, struct err *err)
{
	uint64_t hash = idmap_hash_text(name, 0);

	return array_add(&s->names, &s->n, &hash, err);
}

/*
 * Compute the key of the set, whatever the order of its names and the number of equal ones, and empty it; 0:
 * out of memory.
 */
static uint64_t
names_key(struct name_sets *s, uint64_t dump, struct err *err)
{
	uint64_t *name, m = 0, n = s->n;

	s->n = 0;
	if (!make_sort(&s->names.raw, n, sizeof(uint64_t), NULL, err))
		return 0;
	name = s->names.at;
	for (uint64_t i = 0; i < n; i++)
		if (m == 0 || name[i] != name[m - 1])
			name[m++] = name[i];
	return idmap_hash_text((struct str){ (const char *)name, m * sizeof *name }, dump) | 1;
}

/* The end of the reported deadlock that begins with that row of report.*, and its key; 0: out of memory. */
static uint64_t
told_key(struct name_sets *s, const struct store *st, uint64_t row, uint64_t *end, struct err *err)
{
	uint64_t n = column_rows(store_column(st, COL_REPORT_DUMP)),
	    dump = store_cell(st, COL_REPORT_DUMP, row);
	uint64_t number = store_cell(st, COL_REPORT_NUMBER, row);

	for (*end = row; *end <= n && store_cell(st, COL_REPORT_DUMP, *end) == dump &&
	    store_cell(st, COL_REPORT_NUMBER, *end) == number; ++*end)
		if (!circles_name(s, store_text(st, store_cell(st, COL_REPORT_NAME, *end)), err))
			return 0;
	return names_key(s, dump, err);
}

static bool
told_sets(struct name_sets *s, const struct store *st, struct err *err)
{
	uint64_t n = column_rows(store_column(st, COL_REPORT_DUMP)), end, key;

	for (uint64_t row = 1; row <= n; row = end)
		if ((key = told_key(s, st, row, &end, err)) == 0 || !idmap_put(&s->told, key, 1, err))
			return false;
	return true;
}

struct circles_out {
	const struct dump_waits	*w;
	struct name_sets	 sets;
	ARRAY(struct circle_row)	rows;
	uint64_t		 n, root, told;	/* the next ones of w->roots, and of report.*, from 1 */
};

static bool
put_circle(struct circles_out *o, const struct circle_row *row, struct err *err)
{
	return make_add(&o->rows.raw, &o->n, row, sizeof *row, MAKE_MOST, "rows of deadlocks", err);
}

/* The rows from first on, counted from 0, are of one deadlock. */
static void
end_circle(struct circles_out *o, uint64_t first)
{
	struct circle_row *rows = o->rows.at;

	for (uint64_t i = first; i < o->n; i++) {
		rows[i].first = (uint32_t)first + 1;
		rows[i].threads = (uint32_t)(o->n - first);
	}
}

/* The circles of a dump, then the deadlocks that only the dump reports. */
static bool
put_dump(struct circles_out *o, uint32_t dump, struct dump_rows r, struct err *err)
{
	const struct store *st = o->w->st;
	const uint32_t *roots = o->w->roots.at;
	struct circle_row row = { .dump = dump };
	uint64_t key, end, first;
	bool ok = true;

	for (; ok && o->root < o->w->nroots && roots[o->root] < r.to; o->root++) {
		uint32_t root = roots[o->root], at = root;

		row.number++;
		do {
			ok = circles_name(&o->sets, dump_text(st, COL_DUMPED_NAME, COL_DUMPED_NAME_OWN, at),
			    err);
		} while (ok && (at = (uint32_t)dump_holder(st, r, at)) != root && at != 0);
		ok = ok && (key = names_key(&o->sets, dump, err)) != 0 &&
		    idmap_put(&o->sets.found, key, 1, err);
		if (!ok)
			break;
		row.how = idmap_get(&o->sets.told, key) != 0 ? CIRCLE_TOLD_TOO : CIRCLE_FOUND;
		at = root;
		first = o->n;
		do {
			row.thread = at;
			ok = put_circle(o, &row, err);
		} while (ok && (at = (uint32_t)dump_holder(st, r, at)) != root && at != 0);
		end_circle(o, first);
	}
	row.thread = 0;
	row.how = CIRCLE_TOLD_ONLY;
	for (; ok && store_cell(st, COL_REPORT_DUMP, o->told) != 0 &&
	    store_cell(st, COL_REPORT_DUMP, o->told) <= dump; o->told = end) {
		ok = (key = told_key(&o->sets, st, o->told, &end, err)) != 0;
		if (!ok || idmap_get(&o->sets.found, key) != 0)
			continue;
		row.number++;
		first = o->n;
		for (uint64_t t = o->told; ok && t < end; t++) {
			row.told = (uint32_t)t;
			ok = put_circle(o, &row, err);
		}
		end_circle(o, first);
	}
	return ok;
}

bool
circles_columns(struct dump_waits *w, struct store *st, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_CIRCLE_DUMP, circle_row, dump), MAKE_FIT(COL_CIRCLE_NUMBER, circle_row, number),
		MAKE_FIT(COL_CIRCLE_THREAD, circle_row, thread),
		MAKE_FIT(COL_CIRCLE_REPORT, circle_row, told),
		MAKE(COL_CIRCLE_HOW, circle_row, how), MAKE_FIT(COL_CIRCLE_FIRST, circle_row, first),
		MAKE_FIT(COL_CIRCLE_THREADS, circle_row, threads),
	};
	struct circles_out o = { .w = w, .told = 1 };
	uint64_t ndumps = dumps_count(st), done = 1;
	bool ok = told_sets(&o.sets, st, err);

	for (uint64_t d = 1; ok && d <= ndumps; d++)
		ok = put_dump(&o, (uint32_t)d, dump_rows_next(st, d, &done), err);
	ok = ok && make_columns(st, columns, NELEM(columns), MAKE_ROWS(o.rows.at, o.n), err);
	SCRATCH_FREE(&o.rows, &o.sets.names);
	idmap_free(&o.sets.told);
	idmap_free(&o.sets.found);
	return ok;
}
