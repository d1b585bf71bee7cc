/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * allocations: matches recordings opened with a heap dump with its classes.
 *
 * Classes of the same name from several loaders get the same numbers, because a recording does not
 * distinguish them.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "allocations.h"
#include "icecore/columns_allocations.h"
#include "icecore/columns_heap.h"
#include "icecore/name.h"

#define TICK 4096u

/* The rows of a class name, and their sums. */
struct made_group {
	uint64_t	first, n;
	uint64_t	bytes, samples, old;
	uint32_t	old_row;	/* from 1, of the site that made most of what stayed; 0: none did */
	uint32_t	class;		/* the first of the dump that has the name; 0: none */
};

struct joining {
	struct made_list made;
	struct heap	 h;
	struct store	*st;
	struct work	*work;
	ARRAY(struct made_group)	groups;
	uint64_t	 ngroups;
	ARRAY(uint32_t)	of;		/* by class: its group, from 1; 0: none */
	struct idmap	 by_name;	/* place of a name to its group */
	struct buf	 name;
};

/* ---- order ------------------------------------------------------------------------------------------ */

/* Sort by class. */
static int
allocations_by_name(const void *a, const void *b)
{
	const struct made_row *x = a, *y = b;

	return num_order(x->name, y->name, num_order(x->site, y->site, 0));
}

/* Sort classes by their bytes, then the sites of a class by theirs; the largest first. */
static int
allocations_by_bytes(const void *a, const void *b)
{
	const struct made_row *x = a, *y = b;

	return num_order(y->total, x->total, num_order(x->name, y->name,
	    num_order(y->bytes, x->bytes, num_order(y->old, x->old, num_order(x->site, y->site, 0)))));
}

static void
allocations_sort_rows(struct joining *j)
{
	struct made_row *row = j->made.rows.at;
	uint64_t n = j->made.n, end, sum;

	if (n == 0)
		return;
	qsort(row, n, sizeof *row, allocations_by_name);
	for (uint64_t i = 0; i < n; i = end) {
		sum = 0;
		for (end = i; end < n && row[end].name == row[i].name; end++)
			sum = num_add(sum, row[end].bytes);
		for (uint64_t k = i; k < end; k++)
			row[k].total = sum;
	}
	qsort(row, n, sizeof *row, allocations_by_bytes);
}

/* The rows from i on that are of one class. */
static struct made_group
sum_group(const struct made_row *row, uint64_t n, uint64_t i)
{
	struct made_group g = { .first = i };
	uint64_t most = 0;

	assert(i < n);
	for (; i < n && row[i].name == row[g.first].name; i++) {
		g.n++;
		g.bytes = num_add(g.bytes, row[i].bytes);
		g.samples += row[i].samples;
		g.old += row[i].old;
		if (row[i].old > most) {
			most = row[i].old;
			g.old_row = (uint32_t)i + 1;
		}
	}
	assert(g.n > 0);
	return g;
}

static bool
allocations_find_groups(struct joining *j, struct err *err)
{
	const struct made_row *row = j->made.rows.at;
	struct made_group g;

	for (uint64_t i = 0; i < j->made.n; i += g.n) {
		g = sum_group(row, j->made.n, i);
		assert(g.n > 0 && g.first == i && g.n <= j->made.n - i);
		if (!array_add(&j->groups, &j->ngroups, &g, err) ||
		    !idmap_put(&j->by_name, row[i].name, (uint32_t)j->ngroups, err))
			return false;
	}
	return true;
}

/* ---- classes of the dump ------------------------------------------------------------------------------ */

/*
 * Return the group of the class in j->name, less the part of the (element) name that differs from run to run;
 * 0: none.
 */
static uint32_t
group_named(struct joining *j)
{
	struct str name = buf_view(&j->name), lasting;
	size_t arrays = 0;
	uint32_t place;

	while (str_has_suffix(name, STR("[]"))) {
		name.n -= 2;
		arrays++;
	}
	lasting = name_lasting(name);
	if (lasting.n < name.n)
		for (j->name.n = lasting.n; arrays > 0; arrays--)
			buf_text(&j->name, "[]");
	place = texts_find(&j->made.text, buf_view(&j->name));
	return place == 0 ? 0 : idmap_get(&j->by_name, place);
}

/* Find the group by the class name; otherwise by the obfuscated name: the recording may have no mapping. */
static uint32_t
allocations_group_of(struct joining *j, uint32_t class)
{
	uint32_t group;

	buf_clear(&j->name);
	heap_class_name(&j->h, class, &j->name);
	group = j->name.bad ? 0 : group_named(j);
	if (group != 0 || j->name.bad)
		return group;
	buf_clear(&j->name);
	heap_class_obfuscated(&j->h, class, &j->name);
	return j->name.n == 0 || j->name.bad ? 0 : group_named(j);
}

static bool
find_classes(struct joining *j, struct err *err)
{
	struct made_group *groups = j->groups.at;
	uint32_t *of;

	if (!array_grow(&j->of, j->h.classes + 1ull, err))
		return false;
	of = j->of.at;
	work_start(j->work, "classes of the recording", j->h.classes);
	for (uint32_t class = 1; class <= j->h.classes; class++) {
		if (!work_each(j->work, class, TICK, err))
			return false;
		of[class] = allocations_group_of(j, class);
		assert(of[class] <= j->ngroups);
		if (of[class] != 0 && groups[of[class] - 1].class == 0)
			groups[of[class] - 1].class = class;
	}
	return !j->name.bad || fail_memory(err, "allocations");
}

/*
 * ---- columns ---------------------------------------------------------------------------------------------
 */

static const struct make_column made_columns[] = {
	MAKE(COL_MADE_NAME, made_row, name), MAKE(COL_MADE_SITE, made_row, site),
	MAKE(COL_MADE_CLASS, made_row, class),
	MAKE(COL_MADE_BYTES, made_row, bytes), MAKE(COL_MADE_SAMPLES, made_row, samples),
	MAKE(COL_MADE_OLD, made_row, old)
};

/* Allocation columns of one class. */
struct alloc {
	uint64_t	bytes, samples, old;
	uint32_t	row, rows, old_row;
};

static const struct make_column alloc_columns[] = {
	MAKE(COL_ALLOC_BYTES, alloc, bytes), MAKE(COL_ALLOC_SAMPLES, alloc, samples),
	MAKE(COL_ALLOC_OLD, alloc, old),
	MAKE(COL_ALLOC_ROW, alloc, row), MAKE(COL_ALLOC_ROWS, alloc, rows),
	MAKE(COL_ALLOC_OLD_ROW, alloc, old_row)
};

/* Write the allocation columns of all classes from their groups. */
static bool
put_classes(struct joining *j, struct scratch *all, struct err *err)
{
	const uint32_t *of = j->of.at;
	const struct made_group *g;
	struct alloc *to;

	if (!scratch_array(all, j->h.classes, sizeof *to, err))
		return false;
	to = SCRATCH(*all, struct alloc);
	for (uint32_t class = 1; class <= j->h.classes; class++) {
		if (of[class] == 0)
			continue;
		g = &j->groups.at[of[class] - 1];
		assert(g->old_row == 0 || (g->old_row > g->first && g->old_row <= g->first + g->n));
		to[class - 1] = (struct alloc){ g->bytes, g->samples, g->old, (uint32_t)g->first + 1,
		    (uint32_t)g->n, g->old_row };
	}
	return make_columns(j->st, alloc_columns, NELEM(alloc_columns), MAKE_ROWS(to, j->h.classes), err);
}

static bool
allocations_put(struct joining *j, struct err *err)
{
	struct made_row *row = j->made.rows.at;
	const struct made_group *g = j->groups.at;
	OWN_SCRATCH all = SCRATCH_INIT;

	/* The groups are all rows. */
	assert(j->ngroups == 0 || g[j->ngroups - 1].first + g[j->ngroups - 1].n == j->made.n);
	for (uint64_t i = 0; i < j->ngroups; i++)
		for (uint64_t k = 0; k < g[i].n; k++)
			row[g[i].first + k].class = g[i].class;
	return put_classes(j, &all, err) &&
	    make_columns(j->st, made_columns, NELEM(made_columns), MAKE_ROWS(row, j->made.n), err) &&
	    make_copy(j->st, COL_MADE_TEXT, COL_BYTES, j->made.text.bytes.data, j->made.text.size, err);
}

static bool
allocations_run(struct store *st, struct work *w, struct err *err)
{
	struct joining j = { .st = st, .work = w };
	const struct store *beside;
	bool ok = heap_open(&j.h, st, REFS_SOFT, SIZES_VM, err);

	for (const struct store *at = st; ok && at != NULL; at = store_below(at))
		if ((beside = store_beside(at)) != NULL)
			ok = made_read(&j.made, beside, w, err);
	if (ok)
		allocations_sort_rows(&j);
	ok = ok && allocations_find_groups(&j, err) && find_classes(&j, err) && allocations_put(&j, err);
	made_close(&j.made);
	SCRATCH_FREE(&j.groups, &j.of);
	idmap_free(&j.by_name);
	buf_free(&j.name);
	return ok;
}

const struct pass pass_allocations = {
	.name = "allocations", .what = "allocation sites of each class, from a recording",
	    .run = allocations_run,
	.needs = PASS_COLUMNS(COL_CLASS_NAME),
	.makes = PASS_COLUMNS(MADE_MAKES)
};
