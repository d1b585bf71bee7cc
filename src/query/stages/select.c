/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * select: some columns, or what is computed from them.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "query/lang/lang.h"
#include "share.h"

struct item {
	struct operand	 operand;
	struct share	*share;		/* instead of it; or NULL */
	char		*name;		/* behind as, or of a share; or NULL */
	size_t		 at;
};

struct select {
	struct rows	 rows;
	struct item	*item;
	size_t		 n;
	struct coldef	*cols;
	bool		 shares, known;	/* some items are; their totals are known */
};

/* Sum all rows: a share is known only after the last one. */
static bool
add_shares(struct select *s)
{
	struct rows *in = s->rows.in;

	for (uint64_t row = 0; rows_reach(in, row + 1) > row; row++) {
		if (!rows_tick(&s->rows, row))
			return false;
		for (size_t i = 0; i < s->n; i++)
			if (s->item[i].share != NULL && !share_count(s->item[i].share, in, row, &s->rows.err))
				return false;
	}
	return rows_error(in) == NULL;
}

static uint64_t
select_reach(struct rows *r, uint64_t n)
{
	struct select *s = (struct select *)r;

	if (s->shares && !s->known && n > 0) {
		s->known = true;
		if (!add_shares(s) && r->err.kind == E_NONE)
			r->err = *rows_error(r);
	}
	return r->err.kind != E_NONE ? 0 : rows_reach(r->in, n);
}

static void
select_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	const struct item *item = &((struct select *)r)->item[col];

	if (item->share != NULL)
		share_cell(item->share, r->in, row, c);
	else
		operand_cell(&item->operand, r->in, row, c);
}

static bool
select_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	const struct item *item = &((struct select *)r)->item[col];

	return item->share == NULL && item->operand.calc == NULL &&
	    rows_batch(r->in, first, n, item->operand.col, b);
}

static void
select_close(struct rows *r)
{
	struct select *s = (struct select *)r;

	for (size_t i = 0; i < s->n; i++) {
		operand_free(&s->item[i].operand);
		if (s->item[i].share != NULL)
			share_free(s->item[i].share);
		free(s->item[i].share);
		free(s->item[i].name);
	}
	free(s->item);
	free(s->cols);
}

static uint64_t
select_touch(struct rows *r, uint64_t mine, struct touching *touching)
{
	const struct select *s = (struct select *)r;
	uint64_t set = 0;

	(void)touching;
	for (size_t i = 0; i < s->n; i++)
		if (s->item[i].share != NULL)
			set |= share_touches(s->item[i].share);
		else if ((mine & COLUMN_BIT(i)) != 0)
			set |= operand_touches(&s->item[i].operand);
	return set;
}

static const struct rows_ops select_ops = {
	.reach = select_reach, .cell = select_cell, .close = select_close, .touch = select_touch,
	.batch = select_batch
};

static bool
read_share(struct select *s, const struct stage *stage, size_t *i, struct item *item, struct err *err)
{
	item->share = mem_array(1, sizeof *item->share);
	if (item->share == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	s->shares = true;
	return share_read(item->share, stage, i, s->rows.in, &item->name, err);
}

/* Parse EXPRESSION [as NAME] and an optional comma. */
static bool
read_item(struct select *s, const struct stage *stage, size_t *i, struct err *err)
{
	struct item *item = &s->item[s->n];

	item->at = stage_at(stage, *i);
	s->n++;
	if (!(share_begins(stage, *i) ? read_share(s, stage, i, item, err) :
	    operand_compile(&item->operand, stage, i, s->rows.in, err)))
		return false;
	if (*i < stage->n && token_is(&stage->token[*i], "as")) {
		++*i;
		free(item->name);
		item->name = NULL;
		if (!stage_name(stage, *i, &item->name, err))
			return false;
		++*i;
	}
	if (*i < stage->n && stage->token[*i].kind == TOKEN_CLOSE)
		return fail_at(err, E_USAGE, stage_at(stage, *i), "unmatched )");
	if (*i + 1 < stage->n && stage->token[*i].kind == TOKEN_COMMA)
		++*i;
	return true;
}

/* Fails if two columns have one name: a JSON object cannot have it twice. */
static bool
select_make_columns(struct select *s, struct err *err)
{
	s->cols = mem_array(s->n, sizeof *s->cols);
	if (s->cols == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	for (size_t i = 0; i < s->n; i++) {
		if (s->item[i].share != NULL)
			s->cols[i] = (struct coldef){ s->item[i].name, CELL_PERCENT, "share of the total",
			    false };
		else
			s->cols[i] = operand_column(&s->item[i].operand, s->rows.in);
		s->cols[i].more = false;
		if (s->item[i].name != NULL)
			s->cols[i].name = s->item[i].name;
		for (size_t j = 0; j < i; j++)
			if (strcmp(s->cols[j].name, s->cols[i].name) == 0)
				return fail_at(err, E_USAGE, s->item[i].at,
				    "column '%s' selected twice; rename one with 'as NAME'",
				    s->cols[i].name);
	}
	s->rows.cols = s->cols;
	s->rows.ncols = s->n;
	return true;
}

/* Expressions cannot outnumber their tokens, and a query with too many columns helps nobody. */
#define ITEMS_MAX 1000

static bool
read_items(struct select *s, const struct stage *stage, struct err *err)
{
	size_t i = 0, most = stage->n < ITEMS_MAX ? stage->n : ITEMS_MAX;

	s->item = mem_array(most, sizeof *s->item);
	if (s->item == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	while (i < stage->n) {
		if (s->n == most)
			return fail_at(err, E_USAGE, stage_at(stage, i),
			    "too many columns; at most %d", ITEMS_MAX);
		if (!read_item(s, stage, &i, err))
			return false;
	}
	return true;
}

static bool
select_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct select *s = rows_new(sizeof *s, &select_ops, session, in, err);

	if (s == NULL)
		return false;
	if (!read_items(s, stage, err) || !select_make_columns(s, err))
		return rows_opened(&s->rows, false, out);
	s->rows.each = !s->shares;
	return rows_opened(&s->rows, true, out);
}

static const struct arg_type arg_share = { .name = "EXPRESSION [per COLUMN ...])" };

const struct command stage_select = {
	STAGE("select", "choose, compute and order columns",
	    "methods | select method calls self/total as share", select_open),
	.args = ARGS({ &arg_column }, { &arg_expression, ARG_OR }, { &arg_share, ARG_OR, "share(" },
	    { &arg_name, ARG_OPTIONAL | ARG_AGAIN, "as" })
};
