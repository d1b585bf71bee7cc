/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "methods": totals of each method over all calls (a recursion counts once), and its nodes in the call
 * tree.
 */
#include "config.h"

#include <assert.h>

#include "icecore/chunk.h"
#include "icecore/columns_trace.h"
#include "icecore/make.h"
#include "icecore/pass.h"

struct totals {
	uint64_t	calls, self_wall, total_wall, self_cpu, total_cpu;
};

struct on_path {
	uint32_t	call, method;
};

enum read { PARENT, METHOD, CALLS, SELF_WALL, TOTAL_WALL, SELF_CPU, TOTAL_CPU, READ };

#define BATCH CHUNK_OF(512)		/* rows read at once */

struct methods {
	struct store		*st;
	const struct column	*column[READ];
	uint64_t		 n, rows;
	ARRAY(struct totals)	totals;
	ARRAY(uint32_t)	open;		/* how often a method is on the path */
	ARRAY(struct on_path)	path;		/* from the outermost call to the last row */
	uint64_t		 depth;
	uint32_t		*first;		/* by method, its number of rows; then as stored in the column */
};

/* Pre-order: the rows on the path to a row come before it. */
static bool
methods_enter(struct methods *m, uint64_t row, uint64_t parent, uint64_t method, struct err *err)
{
	struct on_path *path = m->path.at;
	uint32_t *open = m->open.at;

	while (m->depth > 0 && path[m->depth - 1].call != parent)
		open[path[--m->depth].method - 1]--;
	if (method == 0 || method > m->n || (parent != 0 && m->depth == 0))
		return fail(err, E_SYSTEM, "index damaged: call tree (delete the .icx file)");
	return array_add(&m->path, &m->depth, (&(struct on_path){ (uint32_t)row + 1, (uint32_t)method }),
	    err);
}

static void
methods_add_row(struct methods *m, uint64_t v[READ][BATCH], uint64_t i)
{
	uint64_t method = v[METHOD][i] - 1;
	struct totals *t = &m->totals.at[method];

	m->first[method]++;
	t->calls += v[CALLS][i];
	t->self_wall = num_add(t->self_wall, v[SELF_WALL][i]);
	t->self_cpu = num_add(t->self_cpu, v[SELF_CPU][i]);
	if (m->open.at[method]++ > 0)
		return;
	t->total_wall = num_add(t->total_wall, v[TOTAL_WALL][i]);
	t->total_cpu = num_add(t->total_cpu, v[TOTAL_CPU][i]);
}

static bool
sum_rows(struct methods *m, struct work *w, struct err *err)
{
	uint64_t v[READ][BATCH], n;

	for (uint64_t row = 0; row < m->rows; row += n) {
		if (!work_go(w, row, err))
			return false;
		n = m->rows - row < BATCH ? m->rows - row : BATCH;
		for (int c = 0; c < READ; c++)
			column_copy(m->column[c], row, v[c], n);
		for (uint64_t i = 0; i < n; i++) {
			if (!methods_enter(m, row + i, v[PARENT][i], v[METHOD][i], err))
				return false;
			methods_add_row(m, v, i);
		}
	}
	return true;
}

/* method.node[method.first[m - 1] .. method.first[m]) are the calls of m. */
static bool
index_rows(struct methods *m, struct err *err)
{
	uint32_t *node = store_make(m->st, COL_METHOD_NODE, COL_U32, m->rows, err), sum = 0;

	if (node == NULL)
		return false;
	for (uint64_t i = 0; i <= m->n; i++) {
		sum += m->first[i];
		m->first[i] = sum;
	}
	for (uint64_t i = m->rows; i-- > 0; )
		node[--m->first[column_get(m->column[METHOD], i) - 1]] = (uint32_t)i + 1;
	assert(m->first[0] == 0 && m->first[m->n] == m->rows);
	return true;
}

static bool
methods_publish(struct methods *m, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_METHOD_CALLS, totals, calls), MAKE(COL_METHOD_SELF_WALL, totals, self_wall),
		MAKE(COL_METHOD_TOTAL_WALL, totals, total_wall), MAKE(COL_METHOD_SELF_CPU, totals, self_cpu),
		MAKE(COL_METHOD_TOTAL_CPU, totals, total_cpu)
	};

	return make_columns(m->st, columns, NELEM(columns), MAKE_ROWS(m->totals.at, m->n), err) &&
	    index_rows(m, err);
}

static bool
methods_run(struct store *st, struct work *w, struct err *err)
{
	static const column_id cols[READ] = { COL_CALL_PARENT, COL_CALL_METHOD, COL_CALL_CALLS,
	    COL_CALL_SELF_WALL,
	    COL_CALL_TOTAL_WALL, COL_CALL_SELF_CPU, COL_CALL_TOTAL_CPU };
	struct methods m = { .st = st, .n = store_column(st, COL_METHOD_RAW)->rows };
	bool ok;

	for (int c = 0; c < READ; c++)
		m.column[c] = store_column(st, cols[c]);
	m.rows = m.column[METHOD]->rows;
	work_start(w, "methods", m.rows);
	ok = array_grow(&m.totals, m.n, err) &&
	    array_grow(&m.open, m.n, err) &&
	    (m.first = store_make(st, COL_METHOD_FIRST, COL_U32, m.n + 1, err)) != NULL &&
	    sum_rows(&m, w, err) && methods_publish(&m, err);
	SCRATCH_FREE(&m.totals, &m.open, &m.path);
	return ok;
}

const struct pass pass_methods = {
	.name = "methods", .what = "method totals", .run = methods_run,
	.needs = PASS_COLUMNS(COL_CALL_METHOD, COL_METHOD_RAW, COL_CALL_SELF_WALL),
	.makes = PASS_COLUMNS(METHODS_MAKES)
};
