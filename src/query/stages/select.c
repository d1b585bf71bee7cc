/*
 * select: some columns, or what is computed from them.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "query/lang/lang.h"

struct item {
	struct operand	 operand;
	char		*name;		/* behind as; or NULL */
	size_t		 at;
};

struct select {
	struct rows	 rows;
	struct item	*item;
	size_t		 n;
	struct coldef	*cols;
};

static void
select_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	operand_cell(&((struct select *)r)->item[col].operand, r->in, row, c);
}

static void
select_close(struct rows *r)
{
	struct select *s = (struct select *)r;

	for (size_t i = 0; i < s->n; i++) {
		operand_free(&s->item[i].operand);
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
		if ((mine & COLUMN_BIT(i)) != 0)
			set |= operand_touches(&s->item[i].operand);
	return set;
}

static const struct rows_ops select_ops = {
	.reach = same_reach, .cell = select_cell, .close = select_close, .touch = select_touch
};

/* EXPRESSION [as NAME], then a comma or not. */
static bool
read_item(struct select *s, const struct stage *stage, size_t *i, struct err *err)
{
	struct item *item = &s->item[s->n];

	item->at = stage_at(stage, *i);
	if (!operand_compile(&item->operand, stage, i, s->rows.in, err))
		return false;
	s->n++;
	if (*i < stage->n && token_is(&stage->token[*i], "as")) {
		++*i;
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

/* Fails when a name is there twice: a json object cannot have it twice. */
static bool
make_columns(struct select *s, struct err *err)
{
	s->cols = mem_array(s->n, sizeof *s->cols);
	if (s->cols == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	for (size_t i = 0; i < s->n; i++) {
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

	if (stage->n == 0)
		return fail_needs(stage, err);
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
	s->rows.each = true;
	return rows_opened(&s->rows, read_items(s, stage, err) && make_columns(s, err), out);
}

const struct command stage_select = {
	STAGE("select", "choose, compute and order columns",
	    "methods | select method calls self/total as share", select_open),
	.args = ARGS({ &arg_column }, { &arg_expression, ARG_OR },
	    { &arg_name, ARG_OPTIONAL | ARG_AGAIN, "as" })
};
