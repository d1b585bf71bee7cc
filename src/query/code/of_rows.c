/*
 * of_rows: from rows of a trace or of bytecode to the bugs of their methods, and from rows of bytecode to the methods of the trace.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_code.h"
#include "code_rows.h"

bool
code_rows_about(struct rows *in, const struct stage *stage, size_t *col, bool *traced, struct err *err)
{
	int at = rows_ids(in, ID_CODE_METHOD);

	*traced = at < 0;
	if (at < 0)
		at = rows_ids(in, ID_METHOD);
	*col = (size_t)at;
	return at >= 0 || fail_at(err, E_USAGE, stage->at,
	    "'%s' needs rows of methods, calls, bugs or bytecode, e.g. '%s'",
	    stage->command->word, stage->command->example);
}

bool
code_rows_mark(struct rows *in, size_t col, uint8_t *has, uint64_t n, struct err *err)
{
	struct cell c;

	for (uint64_t row = 0; rows_reach(in, row + 1) > row; row++) {
		if (row % 4096 == 0 && !rows_tick(in, row))
			break;
		rows_cell(in, row, col, &c);
		if (c.type == CELL_ID && c.u > 0 && c.u <= n)
			has[c.u] = 1;
	}
	return rows_whole(in, err);
}

/* Methods of the trace become those of the bytecode. */
static void
mark_traced(const struct column *of, const uint8_t *traced, uint8_t *has, uint64_t nmethods)
{
	uint64_t m;

	for (uint64_t i = 1; of != NULL && i <= of->rows; i++) {
		m = column_get(of, i - 1);
		if (traced[i] && m > 0 && m <= nmethods)
			has[m] = 1;
	}
}

bool
code_rows_methods(const struct code *code, struct rows *in, const struct stage *stage, uint8_t **has, struct err *err)
{
	const struct column *of = code->st == NULL ? NULL : store_column(code->st, COL_METHOD_CODE);
	uint64_t n = of == NULL ? 0 : of->rows;
	uint8_t *first;
	size_t col;
	bool traced, ok;

	*has = NULL;
	if (!code_rows_about(in, stage, &col, &traced, err))
		return false;
	if (code->st == NULL)
		return true;
	first = mem_array((size_t)n + 1, 1);
	*has = mem_array(code->nmethods + (size_t)1, 1);
	ok = (first != NULL && *has != NULL) || fail(err, E_SYSTEM, "out of memory (answer)");
	if (ok && !traced)
		ok = code_rows_mark(in, col, *has, code->nmethods, err);
	else if (ok && (ok = code_rows_mark(in, col, first, n, err)))
		mark_traced(of, first, *has, code->nmethods);
	free(first);
	return ok;
}

/* ---- methods of the trace ------------------------------------------------------------------------ */

extern const struct command source_methods;

/* The methods of the trace that the marked ones of the bytecode are, a row each. */
static bool
traced_ranges(const struct store *st, const uint8_t *has, uint64_t n, struct id_range **out, size_t *nranges,
    struct err *err)
{
	const struct column *of = store_column(st, COL_METHOD_CODE);
	uint64_t rows = of == NULL ? 0 : of->rows, m;

	*nranges = 0;
	*out = mem_array((size_t)rows + 1, sizeof **out);
	if (*out == NULL)
		return fail(err, E_SYSTEM, "out of memory (answer)");
	for (uint32_t id = 1; id <= rows; id++) {
		m = column_get(of, id - 1);
		if (m > 0 && m <= n && has[m])
			(*out)[(*nranges)++] = (struct id_range){ .first = id, .n = 1 };
	}
	return true;
}

static bool
traced_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	const struct store *st = session_store(session);
	struct stage as = *stage;
	struct id_range *range = NULL;
	struct code code = { .nmethods = 0 };
	uint8_t *has = NULL;
	size_t col, n = 0;
	bool traced, ok;

	ok = stage_at_most(stage, 0, err) && code_rows_about(in, stage, &col, &traced, err) &&
	    (!traced || fail_at(err, E_USAGE, stage->at,
	    "rows are of the trace already; 'methods' needs rows of bytecode"));
	if (ok && code_open(&code, st)) {
		has = mem_array(code.nmethods + (size_t)1, 1);
		ok = (has != NULL || fail(err, E_SYSTEM, "out of memory (answer)")) &&
		    code_rows_mark(in, col, has, code.nmethods, err) &&
		    traced_ranges(st, has, code.nmethods, &range, &n, err);
	}
	free(has);
	rows_close(in);
	as.command = &source_methods;
	if (ok)
		return table_open(session, &as, range, n, out, err);
	free(range);
	return false;
}

static const column_id traced_needs[] = { COL_METHOD_CODE, COL_NONE };

const struct command stage_code_methods = {
	STAGE("methods", "methods of the trace or profile behind rows of bytecode",
	    "bugs | methods | sort -total_wall", traced_open),
	.shapes = SHAPE_TREES, .with = SHAPE_CODE, .needs = traced_needs
};
