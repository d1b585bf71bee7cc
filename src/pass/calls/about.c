/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "about": the weight of each method including the class frames below it, and the class with the largest
 * part of that.
 *
 * In recordings the innermost frame is the class of an allocated object or of a lock, so methods would have
 * no self weight.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/make.h"
#include "icecore/pass.h"
#include "call_tree.h"

/* The first two are the order. */
struct about {
	uint64_t	method, class, weight;
};

/* Collect the calls of classes; they are rows of their callers. */
static bool
collect(const struct store *st, struct scratch *all, uint64_t *n, uint64_t *direct, uint64_t methods,
    struct work *w, struct err *err)
{
	const struct column *parent = store_column(st, COL_CALL_PARENT),
	    *method = store_column(st, COL_CALL_METHOD);
	const struct column *self = store_column(st, COL_CALL_SELF_WALL);
	uint64_t of, up;

	for (uint64_t row = 0; row < method->rows; row++) {
		if (!work_each(w, row, 4096, err) || !call_row(parent, method, row, methods, &of, &up, err))
			return false;
		if (method_kind(st, (uint32_t)of) == 'c') {
			up = up == 0 ? 0 : column_get(method, up - 1);
			if (up == 0)
				continue;
			if (!scratch_add(all, n, &(struct about){ up, of, column_get(self, row) },
			    sizeof(struct about), err))
				return false;
			of = up;
		}
		direct[of - 1] = num_add(direct[of - 1], column_get(self, row));
	}
	return true;
}

/*
 * Rows of one method and class are neighbours: sum them, and keep the class with the largest sum, of equal
 * ones the first.
 */
static void
choose(const struct about *all, uint64_t n, uint32_t *mostly)
{
	uint64_t sum, most = 0;

	for (uint64_t i = 0, k; i < n; i = k) {
		if (i == 0 || all[i].method != all[i - 1].method)
			most = 0;
		for (k = i, sum = 0; k < n && all[k].method == all[i].method &&
		    all[k].class == all[i].class; k++)
			sum = num_add(sum, all[k].weight);
		if (sum <= most)
			continue;
		most = sum;
		mostly[all[i].method - 1] = (uint32_t)all[i].class;
	}
}

static bool
about_run(struct store *st, struct work *w, struct err *err)
{
	uint64_t methods = column_rows(store_column(st, COL_METHOD_RAW)), n = 0;
	uint64_t *direct = store_make(st, COL_METHOD_DIRECT, COL_U64, methods, err);
	uint32_t *mostly = direct == NULL ? NULL : store_make(st, COL_METHOD_MOSTLY, COL_U32, methods, err);
	OWN_ARRAY(struct about) all = ARRAY_INIT;
	bool ok;

	work_start(w, "classes of methods", column_rows(store_column(st, COL_CALL_METHOD)));
	ok = mostly != NULL && collect(st, &all.raw, &n, direct, methods, w, err) &&
	    make_sort_both(&all.raw, n, sizeof(struct about), w, err);
	if (ok)
		choose(all.at, n, mostly);
	return ok;
}

const struct pass pass_about = {
	.name = "about", .what = "classes of methods", .run = about_run,
	.needs = PASS_COLUMNS(COL_CALL_PARENT, COL_CALL_METHOD, COL_CALL_SELF_WALL, COL_METHOD_RAW),
	.makes = PASS_COLUMNS(COL_METHOD_DIRECT, COL_METHOD_MOSTLY)
};
