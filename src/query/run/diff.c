/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * diff: the rows of one query over two files side by side, matched by their keys.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/lang/lang.h"
#include "run.h"

#define TAKEN UINT64_MAX
#define MADE_MAX 64u		/* columns that later stages name before there is a file */

enum part_kind { PART_ONE, PART_AFTER, PART_BEFORE, PART_DELTA, PART_FOUND };

/* The source of a result column. */
struct part {
	enum part_kind	kind;
	size_t		after;		/* column of in */
	int		before;		/* column of the other rows; -1: they have none */
};

/* Row numbers in both files, from 1; 0: this file lacks the row. */
struct pair {
	uint64_t	after, before;
};

struct diff {
	struct rows		 rows;		/* in: those of the file behind */
	struct rows		*before;
	struct column_ref	*name, *name_before;
	size_t			 nnames, nnames_before;
	struct part		*part;
	struct coldef		*cols;
	size_t			 cap;
	char			*text;		/* the names of cols */
	struct keys		 keys;
	/* u64: for each key the first row of before that is not taken, from 1; or 0 */
	struct scratch		 first;
	/* u64: for each row of before the next one with its key, from 1; 0; TAKEN */
	struct scratch		 next;
	struct scratch		 pair;		/* struct pair of each row */
	uint64_t		 n, at, nbefore;	/* rows known, next row of in, or of before once that ended */
	bool			 begun, behind, ended;
};

/* ---- matching ---------------------------------------------------------------------- */

/* Number the name of a row. */
static bool
name_row(struct diff *d, struct rows *rows, const struct column_ref *name, uint64_t row, uint32_t *number)
{
	struct err *err = &d->rows.err;

	return keys_row(&d->keys, rows, row, name, d->nnames, number, err) &&
	    scratch_array(&d->first, d->keys.texts.n, sizeof(uint64_t), err);
}

/* Read from the last row to the first, so that the list of each name is in row order. */
static bool
read_before(struct diff *d)
{
	struct err *err = &d->rows.err;
	uint64_t *first;
	uint32_t number;

	rows_set_work(d->before, d->rows.work);
	d->nbefore = rows_reach(d->before, ROWS_ALL);
	if (!scratch_array(&d->next, d->nbefore, sizeof(uint64_t), err))
		return false;
	for (uint64_t row = d->nbefore; row > 0; row--) {
		if (!rows_tick(&d->rows, d->nbefore - row) ||
		    !name_row(d, d->before, d->name_before, row - 1, &number))
			return false;
		first = SCRATCH(d->first, uint64_t);
		SCRATCH(d->next, uint64_t)[row - 1] = first[number - 1];
		first[number - 1] = row;
	}
	if (rows_error(d->before) != NULL)
		*err = *rows_error(d->before);
	return err->kind == E_NONE;
}

static bool
diff_add_pair(struct diff *d, uint64_t after, uint64_t before)
{
	if (!scratch_array(&d->pair, d->n + 1, sizeof(struct pair), &d->rows.err))
		return false;
	SCRATCH(d->pair, struct pair)[d->n++] = (struct pair){ after, before };
	return true;
}

/* Match the next row of the second file with the next untaken row of its name in the first. */
static bool
step_after(struct diff *d)
{
	uint64_t *first, row;
	uint32_t number;

	if (!name_row(d, d->rows.in, d->name, d->at, &number))
		return false;
	first = &SCRATCH(d->first, uint64_t)[number - 1];
	row = *first;
	if (row != 0) {
		*first = SCRATCH(d->next, uint64_t)[row - 1];
		SCRATCH(d->next, uint64_t)[row - 1] = TAKEN;
	}
	return diff_add_pair(d, ++d->at, row);
}

/* After the second file ended: add rows that are only in the first. */
static bool
step_before(struct diff *d)
{
	bool taken = SCRATCH(d->next, uint64_t)[d->at] == TAKEN;

	d->at++;
	return taken || diff_add_pair(d, 0, d->at);
}

static bool
diff_step(struct diff *d)
{
	if (!rows_tick(&d->rows, d->at))
		return false;
	if (!d->behind) {
		if (rows_reach(d->rows.in, d->at + 1) > d->at)
			return step_after(d);
		d->behind = true;
		d->at = 0;
		return rows_error(d->rows.in) == NULL;
	}
	return d->at < d->nbefore && step_before(d);
}

static uint64_t
diff_reach(struct rows *r, uint64_t n)
{
	struct diff *d = (struct diff *)r;

	if (n > 0 && !d->begun) {
		d->begun = true;
		d->ended = !read_before(d);
	}
	while (d->n < n && !d->ended)
		d->ended = !diff_step(d);
	return d->n;
}

/* ---- cells ------------------------------------------------------------------------- */

/* Read a cell of one file; empty if the file lacks the row or column. */
static void
side_cell(struct rows *rows, uint64_t row, int col, struct cell *c)
{
	c->type = CELL_NONE;
	if (row > 0 && col >= 0)
		rows_cell(rows, row - 1, (size_t)col, c);
}

static __int128
diff_whole(const struct cell *c)
{
	return c->type == CELL_INT ? (__int128)c->i : (__int128)c->u;
}

static uint32_t
diff_currency_of(const struct cell *c)
{
	return c->type == CELL_DECIMAL ? c->currency : MONEY_NO_CURRENCY;
}

/* Empty for different currencies.  A missing row is 0 without a currency. */
static void
decimal_difference(const struct cell *after, const struct cell *before, struct cell *c)
{
	struct decimal d = cell_exact(after);
	uint32_t was = diff_currency_of(before), currency = diff_currency_of(after) == MONEY_NO_CURRENCY ?
	    was : diff_currency_of(after);

	c->type = CELL_NONE;
	if ((was == currency || was == MONEY_NO_CURRENCY) &&
	    decimal_add(&d, decimal_minus(cell_exact(before))))
		cell_decimal(c, d, currency);
}

static bool
is_inexact(const struct cell *c)
{
	return is_real(c->type) && c->f != 0;
}

/* Subtract; as for all amounts, a count below 0 becomes an integer. */
static void
diff_difference(const struct cell *after, const struct cell *before, struct cell *c)
{
	__int128 delta;

	if ((after->type == CELL_DECIMAL || before->type == CELL_DECIMAL) && !is_inexact(after) &&
	    !is_inexact(before)) {
		decimal_difference(after, before, c);
		return;
	}
	if (is_real(after->type) || is_real(before->type)) {
		c->type = CELL_REAL;
		c->f = cell_real(after) - cell_real(before);
		return;
	}
	delta = diff_whole(after) - diff_whole(before);
	c->type = after->type == CELL_COUNT || delta < 0 ? CELL_INT : after->type;
	if (c->type == CELL_INT)
		c->i = delta > INT64_MAX ? INT64_MAX : delta < INT64_MIN ? INT64_MIN : (int64_t)delta;
	else
		c->u = (uint64_t)delta;
}

static bool
is_amount(enum cell_type type)
{
	return type == CELL_COUNT || type == CELL_INT || type == CELL_REAL || type == CELL_DECIMAL ||
	    type == CELL_BYTES || type == CELL_TIME || type == CELL_PERCENT;
}

/*
 * A row that one file lacks counts as 0 there; in a column without a type the other file's cell gives the
 * type.
 */
static void
delta_cell(struct diff *d, const struct part *p, const struct pair *at, struct cell *c)
{
	enum cell_type type = d->rows.in->cols[p->after].type;
	struct cell after, before;

	side_cell(d->rows.in, at->after, (int)p->after, &after);
	side_cell(d->before, at->before, p->before, &before);
	if (at->after == 0)
		after = (struct cell){ .type = type != CELL_NONE ? type : before.type };
	else if (at->before == 0 && p->before >= 0)
		before = (struct cell){ .type = type != CELL_NONE ? type : after.type };
	c->type = CELL_NONE;
	if (is_amount(after.type) && is_amount(before.type))
		diff_difference(&after, &before, c);
}

static void
diff_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct diff *d = (struct diff *)r;
	const struct part *p = &d->part[col];
	const struct pair *at = &SCRATCH(d->pair, struct pair)[row];

	switch (p->kind) {
	case PART_ONE:
		if (at->after != 0)
			side_cell(r->in, at->after, (int)p->after, c);
		else
			side_cell(d->before, at->before, p->before, c);
		break;
	case PART_AFTER:
		side_cell(r->in, at->after, (int)p->after, c);
		break;
	case PART_BEFORE:
		side_cell(d->before, at->before, p->before, c);
		break;
	case PART_DELTA:
		delta_cell(d, p, at, c);
		break;
	case PART_FOUND:
		c->type = CELL_TEXT;
		c->text = at->before == 0 ? STR("added") : at->after == 0 ? STR("removed") : STR("kept");
		break;
	}
}

static void
diff_close(struct rows *r)
{
	struct diff *d = (struct diff *)r;

	rows_close(d->before);
	free(d->name);
	free(d->name_before);
	free(d->part);
	free(d->cols);
	free(d->text);
	keys_free(&d->keys);
	scratch_free(&d->first);
	scratch_free(&d->next);
	scratch_free(&d->pair);
}

static uint64_t
diff_touch(struct rows *r, uint64_t mine, struct touching *touching)
{
	const struct diff *d = (struct diff *)r;
	uint64_t after = columns_of_refs(d->name, d->nnames);
	uint64_t before = columns_of_refs(d->name_before, d->nnames_before);

	for (size_t i = 0; i < r->ncols; i++) {
		if ((mine & COLUMN_BIT(i)) == 0 || d->part[i].kind == PART_FOUND)
			continue;
		after |= COLUMN_BIT(d->part[i].after);
		if (d->part[i].before >= 0)
			before |= COLUMN_BIT((size_t)d->part[i].before);
	}
	rows_touch(d->before, before, touching);
	return after;
}

/*
 * Over the store of no file accept any name that may be a column of the input, or is derived from one, as
 * NAME_delta.
 */
static int
diff_find(struct rows *r, struct str name, bool quoted)
{
	struct diff *d = (struct diff *)r;
	int col = rows_column(r, name), of;

	if (col >= 0 || !store_is_blank(session_store(r->session)) || r->ncols == d->cap ||
	    (of = rows_find(r->in, name, quoted)) < 0)
		return col;
	d->cols[r->ncols] = r->in->cols[of];
	d->part[r->ncols] = (struct part){ PART_AFTER, (size_t)of, -1 };
	return (int)r->ncols++;
}

static const struct rows_ops diff_ops = {
	.reach = diff_reach, .cell = diff_cell, .close = diff_close, .touch = diff_touch, .find = diff_find
};

/* ---- columns ----------------------------------------------------------------------- */

/* Find the columns that name a row of the source; false: it declares none, or some are missing. */
static bool
named_columns(const struct command *source, const struct rows *rows, struct column_ref *ref, size_t *n)
{
	int col;

	for (*n = 0; *n < COMMAND_NAMES && source->names[*n] != NULL; ++*n) {
		col = rows_column(rows, str_of(source->names[*n]));
		if (col < 0)
			return false;
		ref[*n].col = (size_t)col;
	}
	return *n > 0;
}

/* Tables may have different columns: the error names the file that lacks one. */
static bool
key_columns(const struct stage *s, struct rows *rows, struct rows *other, struct column_ref **name, size_t *n,
    struct err *err)
{
	const struct store *st = session_store(rows->session);
	struct err why = { .at = ERR_NOWHERE }, none;
	struct column_ref *there;
	size_t many;

	if (stage_columns(s, rows, REFS_PLAIN, name, n, &why))
		return true;
	*err = why;
	if (store_is_blank(st) || why.reason != REASON_NO_COLUMN ||
	    !stage_columns(s, other, REFS_PLAIN, &there, &many, &none))
		return false;
	free(there);
	return fail_about(err, store_path(st), &why);
}

static bool
find_names(struct diff *d, const struct stage *s, const struct command *source, struct err *err)
{
	if (s->n == 1 && (token_is(&s->token[0], "normalised") || token_is(&s->token[0], "normalized")))
		return fail_at(err, E_USAGE, s->token[0].at, "'normalised' works on call trees only");
	if (s->n > 0)
		return key_columns(s, d->before, d->rows.in, &d->name_before, &d->nnames_before, err) &&
		    key_columns(s, d->rows.in, d->before, &d->name, &d->nnames, err);
	d->name = mem_array(COMMAND_NAMES, sizeof *d->name);
	d->name_before = mem_array(COMMAND_NAMES, sizeof *d->name_before);
	if (d->name == NULL || d->name_before == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	d->keys.unnumbered = source->numbered;
	return (named_columns(source, d->rows.in, d->name, &d->nnames) &&
	    named_columns(source, d->before, d->name_before, &d->nnames_before)) ||
	    fail_at(err, E_USAGE, s->end,
	    "'diff' needs key columns here, e.g. 'objects | group class: sum retained | diff class'");
}

static bool
diff_is_name(const struct diff *d, size_t col)
{
	for (size_t i = 0; i < d->nnames; i++)
		if (d->name[i].col == col)
			return true;
	return false;
}

/* Drop ids and addresses that do not name a row: they mean nothing in the other file. */
static bool
diff_is_dropped(const struct diff *d, size_t col)
{
	enum cell_type type = d->rows.in->cols[col].type;

	return (type == CELL_ID || type == CELL_ADDR) && !diff_is_name(d, col);
}

/* Append a column; copy its name to *text. */
static void
diff_add_column(struct diff *d, enum part_kind kind, size_t col, char **text)
{
	static const char *const ends[] = { "", "", "_before", "_delta", "" };
	static const char *const whats[] = { NULL, NULL, "value in the first file",
	    "change: second minus first", NULL };
	const struct coldef *of = &d->rows.in->cols[col];
	struct coldef *to = &d->cols[d->rows.ncols];

	*to = *of;
	to->name = *text;
	if (whats[kind] != NULL)
		to->what = whats[kind];
	if (kind == PART_BEFORE)
		to->head = NULL;
	if (kind == PART_DELTA && of->type == CELL_COUNT)
		to->type = CELL_INT;
	if (kind == PART_DELTA && of->type == CELL_PERCENT)
		to->type = CELL_REAL;
	*text += sprintf(*text, "%s%s", of->name, ends[kind]) + 1;
	d->part[d->rows.ncols++] = (struct part){ kind, col, rows_column(d->before, str_of(of->name)) };
}

static void
diff_add_columns(struct diff *d, char *text)
{
	static const struct coldef found = { "change", CELL_TEXT, "added, removed, or kept: in both files", false,
	    .was = "found" };
	size_t ncols = d->rows.in->ncols;
	enum cell_type type;

	d->rows.ncols = 0;
	for (size_t i = 0; i < ncols; i++) {
		type = d->rows.in->cols[i].type;
		if (diff_is_dropped(d, i))
			continue;
		if (diff_is_name(d, i) || !(is_amount(type) || type == CELL_NONE)) {
			diff_add_column(d, PART_ONE, i, &text);
			continue;
		}
		diff_add_column(d, PART_AFTER, i, &text);
		diff_add_column(d, PART_BEFORE, i, &text);
		diff_add_column(d, PART_DELTA, i, &text);
	}
	d->cols[d->rows.ncols] = found;
	d->part[d->rows.ncols++].kind = PART_FOUND;
	d->rows.cols = d->cols;
}

static bool
names_differ(const struct diff *d, const struct stage *s, struct err *err)
{
	for (size_t i = 0; i < d->rows.ncols; i++)
		if ((size_t)rows_column(&d->rows, str_of(d->cols[i].name)) < i)
			return fail_at(err, E_USAGE, s->at, "duplicate column name '%s'; rename one with 'as NAME'",
			    d->cols[i].name);
	return true;
}

static bool
diff_make_columns(struct diff *d, const struct stage *s, struct err *err)
{
	size_t bytes = 1;

	for (size_t i = 0; i < d->rows.in->ncols; i++)
		bytes += 3 * (strlen(d->rows.in->cols[i].name) + sizeof "_before");
	d->cap = 3 * d->rows.in->ncols + 1 + MADE_MAX;
	d->cols = mem_array(d->cap, sizeof *d->cols);
	d->part = mem_array(d->cap, sizeof *d->part);
	d->text = mem_array(bytes, 1);
	if (d->cols == NULL || d->part == NULL || d->text == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	diff_add_columns(d, d->text);
	return names_differ(d, s, err);
}

/* ---- opening ----------------------------------------------------------------------- */

bool
diff_sessions(const struct session *session, const struct stage *s, struct made *m, struct err *err)
{
	if (!diff_has_two(session, s, err))
		return false;
	m->before = m->session = *session;
	m->before.view = m->session.view = NULL;
	m->before.plain = m->session.plain = NULL;
	m->before.at = 0;
	m->session.at = diff_file(session->at);
	return (session_shapes(&m->before) & session_shapes(&m->session)) != 0 || fail_at(err, E_USAGE, s->at,
	    "'diff' needs two files of the same kind");
}

bool
diff_open(struct session *session, const struct stage *s, const struct command *source, struct rows *before,
    struct rows *after, struct rows **out, struct err *err)
{
	struct diff *d = rows_new(sizeof *d, &diff_ops, session, after, err);

	if (d == NULL) {
		rows_close(before);
		return false;
	}
	d->before = before;
	return rows_opened(&d->rows, find_names(d, s, source, err) && diff_make_columns(d, s, err), out);
}
