/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Passes that derive columns of each call from the other columns: its thread, its depth, its self time.
 *
 * Made when they are read, in a loop over the rows, and kept by no index.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/pass.h"

uint32_t
call_thread(const struct store *st, uint32_t call)
{
	const struct column *first = store_column(st, COL_THREAD_CALL);

	/* The last one that begins no later: those before it that begin there as well have no calls. */
	return call == 0 ? 0 : (uint32_t)column_place(first, call + 1ull);
}

static bool
run_thread(struct store *st, struct work *w, struct err *err)
{
	const struct column *size = store_column(st, COL_THREAD_SIZE);
	uint64_t rows = column_rows(store_column(st, COL_CALL_METHOD)), threads = column_rows(size), row = 0,
	    n;
	enum column_type type = column_fit(threads);
	void *out = store_make(st, COL_CALL_THREAD, type, rows, err);

	work_start(w, "threads of calls", rows);
	for (uint64_t thread = 0; out != NULL && thread < threads; thread++)
		for (n = column_get(size, thread); n > 0 && row < rows; n--, row++) {
			if (!work_each(w, row, 4096, err))
				return false;
			column_set(out, type, row, thread + 1);
		}
	return out != NULL;
}

static bool
run_depth(struct store *st, struct work *w, struct err *err)
{
	const struct column *parents = store_column(st, COL_CALL_PARENT);
	uint64_t rows = column_rows(parents), up;
	uint32_t *depth = store_make(st, COL_CALL_DEPTH, COL_U32, rows, err);

	work_start(w, "depths of calls", rows);
	for (uint64_t row = 0; depth != NULL && row < rows; row++) {
		if (!work_each(w, row, 4096, err))
			return false;
		up = column_get(parents, row);
		depth[row] = up == 0 || up > row ? 0 : depth[up - 1] + 1;
	}
	return depth != NULL;
}

/* Totals less those of the children. */
static bool
make_self(struct store *st, column_id from, column_id to, struct work *w, struct err *err)
{
	const struct column *parents = store_column(st, COL_CALL_PARENT), *total = store_column(st, from);
	struct column self = { .col = to, .type = total->type, .rows = total->rows };
	uint64_t up, own, child;
	void *out = store_make(st, to, total->type, total->rows, err);

	if (out == NULL)
		return false;
	self.values = out;
	if (total->rows > 0)
		memcpy(out, column_all(total), total->rows * column_width(total->type));
	for (uint64_t row = 0; row < total->rows; row++) {
		if (!work_each(w, row, 4096, err))
			return false;
		if ((up = column_get(parents, row)) == 0 || up > row)
			continue;
		own = column_get(&self, up - 1);
		child = column_get(total, row);
		column_set(out, total->type, up - 1, own > child ? own - child : 0);
	}
	return true;
}

static bool
run_self(struct store *st, struct work *w, struct err *err)
{
	work_start(w, "self times", column_rows(store_column(st, COL_CALL_METHOD)));
	return make_self(st, COL_CALL_TOTAL_WALL, COL_CALL_SELF_WALL, w, err) &&
	    make_self(st, COL_CALL_TOTAL_CPU, COL_CALL_SELF_CPU, w, err);
}

const struct pass pass_call_thread = {
	.name = "call-thread", .what = "threads of calls", .run = run_thread,
	.needs = PASS_COLUMNS(COL_CALL_METHOD, COL_THREAD_SIZE),
	.makes = PASS_COLUMNS(COL_CALL_THREAD)
};

const struct pass pass_call_depth = {
	.name = "call-depth", .what = "depths of calls", .run = run_depth,
	.needs = PASS_COLUMNS(COL_CALL_PARENT),
	.makes = PASS_COLUMNS(COL_CALL_DEPTH)
};

const struct pass pass_call_self = {
	.name = "call-self", .what = "self times of calls", .run = run_self,
	.needs = PASS_COLUMNS(COL_CALL_PARENT, COL_CALL_TOTAL_WALL, COL_CALL_TOTAL_CPU),
	.makes = PASS_COLUMNS(COL_CALL_SELF_WALL, COL_CALL_SELF_CPU)
};
