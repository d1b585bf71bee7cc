/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * of_rows: from rows of a trace or of bytecode to the bugs of their methods, and from rows of bytecode to the
 * methods of the trace.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_code.h"
#include "code_rows.h"

/* Find the column of rows that says which methods they are about, of the bytecode or of the trace. */
static bool
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

/* Mark in has (0 .. n) the numbers in a column. */
static bool
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
code_rows_methods(const struct code *code, struct rows *in, const struct stage *stage, uint8_t **has,
    struct err *err)
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

static const struct source traced_methods = { .domain = &trace_domain };

/* The methods of the trace that the marked ones of the bytecode are, a row each. */
static bool
add_traced(struct item_rows *s, const uint8_t *has, uint64_t n, struct err *err)
{
	const struct column *of = store_column(s->st, COL_METHOD_CODE);
	uint64_t m;

	for (uint32_t id = 1; has != NULL && id <= column_rows(of); id++) {
		m = column_get(of, id - 1);
		if (m > 0 && m <= n && has[m] && !item_rows_run(s, id, 1)) {
			*err = s->rows.err;
			return false;
		}
	}
	return true;
}

static bool
traced_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	struct command methods = source_methods;
	struct stage as = *stage;
	struct code code = { .nmethods = 0 };
	struct rows *r = NULL;
	uint8_t *has = NULL;
	size_t col;
	bool traced, ok;

	methods.source = &traced_methods;
	as.command = &methods;
	ok = stage_at_most(stage, 0, err) && code_rows_about(in, stage, &col, &traced, err) &&
	    (!traced || fail_at(err, E_USAGE, stage->at,
	    "these rows are methods of the trace already; 'methods' needs rows of bytecode"));
	if (ok && code_open(&code, session_store(session))) {
		has = mem_array(code.nmethods + (size_t)1, 1);
		ok = (has != NULL || fail(err, E_SYSTEM, "out of memory (answer)")) &&
		    code_rows_mark(in, col, has, code.nmethods, err);
	}
	rows_close(in);
	ok = ok && (r = item_rows_over(session, &methods, &as, NULL, 0, err)) != NULL &&
	    rows_opened(r, add_traced((struct item_rows *)r, has, code.nmethods, err), out);
	free(has);
	return ok;
}

static const column_id traced_needs[] = { COL_METHOD_CODE, COL_NONE };

const struct command stage_code_methods = {
	STAGE("methods", "methods of the trace or profile for rows of bytecode",
	    "bugs | methods | sort -total_wall", traced_open),
	.shapes = SHAPE_TREES, .with = SHAPE_CODE, .needs = traced_needs
};
