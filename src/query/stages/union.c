/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * union: the rows so far, then those of another query.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "query/lang/lang.h"

#define MADE_MAX 64		/* columns that later stages may make by naming them */

/* A column of the rows so far and of the others; -1: it is empty there. */
struct pair_of {
	int	in, other;
};

struct joined {
	struct rows		 rows;
	struct rows		*other;
	const struct nested	*nested;
	struct coldef		*cols;
	struct pair_of		*from;		/* for each of cols */
	size_t			 cap;
	uint64_t		 nin;		/* rows of in, once all are known */
	bool			 behind;
};

/* ---- rows -------------------------------------------------------------------------- */

static uint64_t
union_reach(struct rows *r, uint64_t n)
{
	struct joined *u = (struct joined *)r;
	uint64_t got;

	if (!u->behind) {
		got = rows_reach(r->in, n);
		if (got >= n || rows_error(r->in) != NULL)
			return got;
		u->nin = got;
		u->behind = true;
	}
	rows_set_work(u->other, r->work);
	got = n > u->nin ? rows_reach(u->other, n - u->nin) : 0;
	if (r->err.kind == E_NONE && rows_error(u->other) != NULL)
		r->err = *rows_error(u->other);
	return u->nin + got;
}

static void
union_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct joined *u = (struct joined *)r;
	bool second = u->behind && row >= u->nin;
	int from = second ? u->from[col].other : u->from[col].in;

	c->type = CELL_NONE;
	if (from >= 0)
		rows_cell(second ? u->other : r->in, second ? row - u->nin : row, (size_t)from, c);
}

static void
union_close(struct rows *r)
{
	struct joined *u = (struct joined *)r;

	rows_close(u->other);
	free(u->cols);
	free(u->from);
}

static uint64_t
union_touch(struct rows *r, uint64_t mine, struct touching *touching)
{
	struct joined *u = (struct joined *)r;
	uint64_t in = 0, other = 0;

	for (size_t i = 0; i < r->ncols; i++) {
		if ((mine & COLUMN_BIT(i)) == 0)
			continue;
		in |= u->from[i].in >= 0 ? COLUMN_BIT((size_t)u->from[i].in) : 0;
		other |= u->from[i].other >= 0 ? COLUMN_BIT((size_t)u->from[i].other) : 0;
	}
	u->nested->touch(u->nested, u->other, other, touching);
	return in;
}

/* ---- columns ----------------------------------------------------------------------- */

static void
union_add_column(struct joined *u, const struct coldef *def, int in, int other)
{
	u->cols[u->rows.ncols] = *def;
	u->from[u->rows.ncols++] = (struct pair_of){ in, other };
}

static int
union_find(struct rows *r, struct str name, bool quoted)
{
	struct joined *u = (struct joined *)r;
	int in, other;

	if (r->ncols == u->cap)
		return -1;
	in = rows_find(r->in, name, quoted);
	other = rows_find(u->other, name, quoted);
	if (in < 0 && other < 0)
		return -1;
	for (size_t i = 0; i < r->ncols; i++)
		if (u->from[i].in == in && u->from[i].other == other)
			return (int)i;
	union_add_column(u, in >= 0 ? &r->in->cols[in] : &u->other->cols[other], in, other);
	u->cols[r->ncols - 1].type = CELL_NONE;
	u->cols[r->ncols - 1].mostly = MOSTLY_ANYTHING;
	u->cols[r->ncols - 1].more = true;
	return (int)r->ncols - 1;
}

static bool
union_known(struct rows *r, uint64_t i, struct str *name)
{
	struct rows *of = rows_origin(r->in);

	return of->ops->known != NULL && of->ops->known(of, i, name);
}

static const struct rows_ops union_ops = {
	.reach = union_reach, .cell = union_cell, .close = union_close, .touch = union_touch,
	.find = union_find,
	.known = union_known
};

static const char *
article(const char *noun)
{
	return is_one_of(noun[0], "aeiou") ? "an" : "a";
}

/* Merge a column that both have. */
static bool
merge_column(struct joined *u, size_t i, int in, const struct stage *s, struct err *err)
{
	struct coldef *to = &u->cols[in];
	const struct coldef *of = &u->other->cols[i];
	const char *here = column_meaning(to), *there = column_meaning(of);

	u->from[in].other = (int)i;
	if (to->of != of->of)
		to->of = ID_OWN;
	if (to->type == CELL_NONE || of->type == CELL_NONE)
		to->type = CELL_NONE;
	if (to->mostly != of->mostly)
		to->mostly = MOSTLY_ANYTHING;
	return to->type == of->type || to->type == CELL_NONE || fail_at(err, E_USAGE, s->token[0].at,
	    "union: '%s' is %s %s here and %s %s there", to->name, article(here), here, article(there),
	    there);
}

static bool
union_make_columns(struct joined *u, const struct stage *s, struct err *err)
{
	struct rows *in = u->rows.in;
	int col;

	u->cap = in->ncols + u->other->ncols + MADE_MAX;
	u->cols = mem_array(u->cap, sizeof *u->cols);
	u->from = mem_array(u->cap, sizeof *u->from);
	if (u->cols == NULL || u->from == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	u->rows.ncols = 0;
	for (size_t i = 0; i < in->ncols; i++)
		union_add_column(u, &in->cols[i], (int)i, -1);
	for (size_t i = 0; i < u->other->ncols; i++) {
		for (col = 0; (size_t)col < in->ncols && strcmp(in->cols[col].name,
		    u->other->cols[i].name) != 0; col++)
			;
		if ((size_t)col == in->ncols)
			union_add_column(u, &u->other->cols[i], -1, (int)i);
		else if (!merge_column(u, i, col, s, err))
			return false;
	}
	u->rows.cols = u->cols;
	return true;
}

static bool
read_query(struct joined *u, const struct stage *s, struct err *err)
{
	if (s->token[0].kind != TOKEN_QUERY)
		return fail_at(err, E_USAGE, stage_at(s, 0), "'union' needs a query in parentheses: %s",
		    s->command->example);
	u->nested = s->token[0].nested;
	if (!stage_at_most(s, 1, err))
		return false;
	if (u->nested->diff > 0)
		return fail_at(err, E_USAGE, u->nested->diff, "'diff' is not allowed in union (...)");
	if (!u->nested->open(u->nested, u->rows.session, s->shapes, &u->other, err))
		return false;
	if (rows_note(u->other, 0) != NULL)
		rows_note_add(&u->rows, "%s", rows_note(u->other, 0));
	return true;
}

static bool
union_open(struct session *session, const struct stage *s, struct rows *in, struct rows **out,
    struct err *err)
{
	struct joined *u = rows_new(sizeof *u, &union_ops, session, in, err);

	return u != NULL && rows_opened(&u->rows, read_query(u, s, err) && union_make_columns(u, s, err),
	    out);
}

static const struct arg_type arg_query = { .name = "(QUERY)", .hint = "( and a query" };

const struct command stage_union = {
	STAGE("union", "add the rows of another query", "methods | top 3 self | union (methods | top 3 calls)",
	    union_open),
	.args = ARGS({ &arg_query })
};
