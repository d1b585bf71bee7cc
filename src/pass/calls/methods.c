/*
 * Pass "methods": totals of each method over all calls (a recursion counts
 * once), and where each method stands in the call tree.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_trace.h"
#include "icecore/make.h"
#include "icecore/pass.h"

struct totals {
	uint64_t	calls, self_wall, total_wall, self_cpu, total_cpu;
};

struct methods {
	struct store		*st;
	const struct column	*depth, *method, *calls;
	const struct column	*self_wall, *total_wall, *self_cpu, *total_cpu;
	uint64_t		 n;
	struct scratch		 totals;
	struct scratch		 open;		/* u32: how often a method is on the path */
	struct scratch		 path;		/* u32: method at each depth */
};

static void
methods_add_row(struct methods *m, uint64_t row, bool outermost)
{
	uint64_t method = column_get(m->method, row);
	struct totals *t = &SCRATCH(m->totals, struct totals)[method - 1];

	t->calls += column_get(m->calls, row);
	t->self_wall = num_add(t->self_wall, column_get(m->self_wall, row));
	t->self_cpu = num_add(t->self_cpu, column_get(m->self_cpu, row));
	if (!outermost)
		return;
	t->total_wall = num_add(t->total_wall, column_get(m->total_wall, row));
	t->total_cpu = num_add(t->total_cpu, column_get(m->total_cpu, row));
}

/* Pre-order: the path to a row is what was seen last at each smaller depth. */
static bool
sum_rows(struct methods *m, struct work *w, struct err *err)
{
	uint32_t *open = SCRATCH(m->open, uint32_t), *path;
	uint64_t row, depth, method, n = 0;

	for (row = 0; row < m->method->rows; row++) {
		if (row % 4096 == 0 && !work_tick(w, row))
			return fail_cancel(err);
		method = column_get(m->method, row);
		depth = column_get(m->depth, row);
		if (method == 0 || method > m->n || depth > n)
			return fail(err, E_SYSTEM, "index damaged: call tree (delete the .icx file)");
		if (!scratch_array(&m->path, depth + 1, sizeof *path, err))
			return false;
		path = SCRATCH(m->path, uint32_t);
		while (n > depth)
			open[path[--n] - 1]--;
		assert(n == depth);
		path[n++] = (uint32_t)method;
		methods_add_row(m, row, open[method - 1]++ == 0);
	}
	return true;
}

/* method.node[method.first[m - 1] .. method.first[m]) are the calls of m. */
static bool
index_rows(struct methods *m, struct err *err)
{
	uint64_t rows = m->method->rows, i;
	uint32_t *first, *node, sum = 0;

	if ((first = store_make(m->st, COL_METHOD_FIRST, COL_U32, m->n + 1, err)) == NULL ||
	    (node = store_make(m->st, COL_METHOD_NODE, COL_U32, rows, err)) == NULL)
		return false;
	for (i = 0; i < rows; i++)
		first[column_get(m->method, i) - 1]++;
	for (i = 0; i <= m->n; i++) {
		sum += first[i];
		first[i] = sum;
	}
	for (i = rows; i-- > 0; )
		node[--first[column_get(m->method, i) - 1]] = (uint32_t)i + 1;
	assert(first[0] == 0 && first[m->n] == rows);
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

	return make_columns(m->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(m->totals, struct totals), m->n), err) &&
	    index_rows(m, err);
}

static bool
methods_run(struct store *st, struct work *w, struct err *err)
{
	struct methods m = {
		.st = st,
		.depth = store_column(st, COL_CALL_DEPTH),
		.method = store_column(st, COL_CALL_METHOD),
		.calls = store_column(st, COL_CALL_CALLS),
		.self_wall = store_column(st, COL_CALL_SELF_WALL),
		.total_wall = store_column(st, COL_CALL_TOTAL_WALL),
		.self_cpu = store_column(st, COL_CALL_SELF_CPU),
		.total_cpu = store_column(st, COL_CALL_TOTAL_CPU),
		.n = store_column(st, COL_METHOD_RAW)->rows,
	};
	bool ok;

	work_start(w, "methods", m.method->rows);
	ok = scratch_array(&m.totals, m.n, sizeof(struct totals), err) &&
	    scratch_array(&m.open, m.n, sizeof(uint32_t), err) &&
	    sum_rows(&m, w, err) && methods_publish(&m, err);
	SCRATCH_FREE(&m.totals, &m.open, &m.path);
	return ok;
}

const struct pass pass_methods = {
	.name = "methods", .what = "method totals", .run = methods_run,
	.needs = PASS_COLUMNS(COL_CALL_METHOD, COL_METHOD_RAW, COL_CALL_DEPTH, COL_CALL_SELF_WALL),
	.makes = PASS_COLUMNS(METHODS_MAKES)
};
