/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * redact_answers: queries whose results --check compares.
 */
#include "config.h"

#include "icecore/load.h"
#include "icecore/query.h"
#include "redact.h"

/* Names: the rules match class names, so compare findings only if names are kept. */
static const struct question {
	const char	*what, *query;
	bool		 names;
} questions[] = {
	{ "info",
	    "info | where field ~ /^(objects|classes|loaders|roots|threads|names|layout|"
	    "(live|unreachable)_(objects|bytes))$/ "
	    "| select field value" },
	{ "classes", "classes | select id objects shallow retained instance_size live super_id loader_id addr" },
	{ "roots", "roots | select object kind frame retained thread_id addr" },
	{ "dominators", "dominators | select object shallow retained percent dominator addr" },
	/*
	 * Values of the same length may become equal; thread findings compare thread names, which are values.
	 */
	{ "findings", "findings | where kind !~ /^(equal|many threads|thread pools)/ "
	    "| select severity kind retained percent count object class signature", .names = true }
};

/* A file of the comparison: the original or the redacted one. */
struct one_file {
	struct session	 session;
	struct reply	 asked;
};

static bool
redact_answers_open_file(struct one_file *a, const char *path, struct work *work, struct err *err)
{
	const struct store_options options = { .memory_only = true };

	a->session = (struct session){ .nstores = 0 };
	if (!load_open(&a->session.store[0], path, &options, work, err))
		return false;
	a->session.nstores = 1;
	return true;
}

static bool
redact_answers_same_cell(const struct cell *x, const struct cell *y)
{
	if (x->type != y->type)
		return false;
	switch (x->type) {
	case CELL_NONE: return true;
	case CELL_TEXT: return str_eq(x->text, y->text);
	case CELL_REAL:
	case CELL_PERCENT: return x->f <= y->f && x->f >= y->f;
	default: return x->u == y->u;
	}
}

static bool
same_row(struct rows *in, struct rows *out, uint64_t row, const char *path, const struct question *q,
    struct err *err)
{
	struct cell x, y;

	for (size_t col = 0; col < in->ncols; col++) {
		rows_cell(in, row, col, &x);
		rows_cell(out, row, col, &y);
		if (!redact_answers_same_cell(&x, &y))
			return fail_file(err, E_INPUT, path, "check failed: %s differ in row %llu, column %s",
			    q->what, (unsigned long long)row + 1, in->cols[col].name);
	}
	return true;
}

static bool
same_rows(struct rows *in, struct rows *out, const char *path, const struct question *q, struct work *work,
    struct err *err)
{
	uint64_t n = rows_reach(in, ROWS_ALL), m = rows_reach(out, ROWS_ALL);

	if (!rows_whole(in, err) || !rows_whole(out, err))
		return false;
	if (n != m)
		return fail_file(err, E_INPUT, path, "check failed: %llu rows of %s instead of %llu",
		    (unsigned long long)m, q->what, (unsigned long long)n);
	work_start(work, q->what, n);
	for (uint64_t i = 0; i < n; i++)
		if ((i % 4096 == 0 && !work_go(work, i, err)) || !same_row(in, out, i, path, q, err))
			return false;
	return true;
}

bool
redact_same_answers(const struct redact_options *o, bool *asked, struct work *work, struct err *err)
{
	struct one_file in = { .session = { .nstores = 0 } }, out = in;
	bool ok;

	*asked = redact_answers_open_file(&in, o->in, work, err);
	if (!*asked)
		return err->kind == E_UNREADABLE;
	ok = redact_answers_open_file(&out, o->out, work, err);
	for (size_t i = 0; ok && i < NELEM(questions); i++) {
		if (questions[i].names && o->names != REDACT_KEEP)
			continue;
		ok = query_ask(&in.asked, str_of(questions[i].query), 0, &in.session, work, err) &&
		    query_ask(&out.asked, str_of(questions[i].query), 0, &out.session, work, err) &&
		    same_rows(in.asked.rows, out.asked.rows, o->out, &questions[i], work, err);
		reply_close(&in.asked);
		reply_close(&out.asked);
	}
	session_close(&out.session);
	session_close(&in.session);
	return ok;
}
