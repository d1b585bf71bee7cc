/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * condition: what is expected at a place of the condition of a where.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "complete.h"

/* ---- values -------------------------------------------------------------- */

/* Offer values of a column.  Text columns hold names of threads or methods, or other values of the source. */
static void
offer_values(struct place *p, const struct coldef *col)
{
	char hint[sizeof p->c->hint];

	snprintf(hint, sizeof hint, "%s, e.g. %s", cell_type_name(col->type),
	    literal_example(col->type));
	expect(p, hint);
	if (col->type != CELL_TEXT)
		offer_columns(p, col->type);
	else if (strcmp(col->name, "thread") == 0)
		offer_names(p->c, p->session, STR("threads | select name calls"), "name", true);
	else if (strcmp(col->name, "method") == 0)
		offer_names(p->c, p->session, STR("methods"), "method", true);
	else
		offer_names(p->c, p->session, p->source, col->name, true);
}

/* ---- conditions ---------------------------------------------------------- */

enum state { AT_OPERAND, AT_OPERATOR, AT_IN, AT_LIST, AT_LIST_VALUE, AT_LIST_NEXT,
	AT_QUERY, AT_VALUE, AT_JOINT, AT_LOSS };

struct condition {
	enum state		 state;
	unsigned		 open;		/* parentheses */
	unsigned		 inner;		/* open parentheses in a query */
	const struct coldef	*col;		/* compared; NULL when it is none */
};

static enum state
after_operand(const struct place *p, struct condition *cond, const struct token *t)
{
	int col;

	if (t->kind == TOKEN_OPEN) {
		cond->open++;
		return AT_OPERAND;
	}
	if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
		return AT_LOSS;
	if (token_is(t, "not"))
		return AT_OPERAND;
	col = p->in != NULL ? rows_column(p->in, t->text) : -1;
	cond->col = col >= 0 ? &p->in->cols[col] : NULL;
	return AT_OPERATOR;
}

static enum state
after_joint(struct condition *cond, const struct token *t)
{
	if (t->kind == TOKEN_CLOSE && cond->open > 0) {
		cond->open--;
		return AT_JOINT;
	}
	return token_is(t, "and") || token_is(t, "or") ? AT_OPERAND : AT_LOSS;
}

/* A column alone is a condition as well. */
static enum state
after_column(struct condition *cond, const struct token *t)
{
	if (t->kind == TOKEN_OP)
		return AT_VALUE;
	if (token_is(t, "not"))
		return AT_IN;
	return token_is(t, "in") ? AT_LIST : after_joint(cond, t);
}

/* Skip a query in the place of a list. */
static enum state
after_query(struct condition *cond, const struct token *t)
{
	cond->inner += t->kind == TOKEN_OPEN;
	if (t->kind != TOKEN_CLOSE)
		return AT_QUERY;
	return cond->inner-- > 0 ? AT_QUERY : AT_JOINT;
}

static enum state
after_value(struct condition *cond, const struct token *t)
{
	if (t->kind == TOKEN_COMMA)
		return AT_LIST_VALUE;
	if (t->kind == TOKEN_CLOSE)
		return AT_JOINT;
	cond->inner = t->kind == TOKEN_OPEN;
	return AT_QUERY;
}

static enum state
after(const struct place *p, struct condition *cond, const struct token *t)
{
	switch (cond->state) {
	case AT_OPERAND:
		return after_operand(p, cond, t);
	case AT_OPERATOR:
		return after_column(cond, t);
	case AT_IN:
		return token_is(t, "in") ? AT_LIST : AT_LOSS;
	case AT_LIST:
		return t->kind == TOKEN_OPEN ? AT_LIST_VALUE : AT_LOSS;
	case AT_LIST_VALUE:
		return AT_LIST_NEXT;
	case AT_LIST_NEXT:
		return after_value(cond, t);
	case AT_QUERY:
		return after_query(cond, t);
	case AT_VALUE:
		return AT_JOINT;
	case AT_JOINT:
		return after_joint(cond, t);
	case AT_LOSS:
		break;
	}
	return AT_LOSS;
}

static void
offer_joints(struct place *p, const struct condition *cond)
{
	completion_offer(p->c, "and", "and: both must hold");
	completion_offer(p->c, "or", "or: either may hold");
	if (cond->open > 0)
		completion_offer(p->c, ")", "closes the parenthesis");
}

static void
offer_operators(struct place *p, const struct condition *cond)
{
	static const struct {
		const char *word, *what;
		bool texts, others;
	} ops[] = {
		{ "=", "equal; * and ? are wildcards in strings", .texts = true, .others = true },
		{ "!=", "another", .texts = true, .others = true },
		{ "<", "less", .others = true }, { "<=", "at most", .others = true },
		{ ">", "more", .others = true }, { ">=", "at least", .others = true },
		{ "~", "contains a string, or matches a glob or /regex/", .texts = true },
		{ "!~", "does not match", .texts = true },
		{ "in (", "one of", .texts = true, .others = true },
		{ "not in (", "none of", .texts = true, .others = true },
	};
	bool text = cond->col != NULL && cond->col->type == CELL_TEXT;
	bool any = cond->col == NULL || cond->col->type == CELL_NONE;

	for (size_t i = 0; i < NELEM(ops); i++)
		if (any || (text ? ops[i].texts : ops[i].others))
			completion_offer(p->c, ops[i].word, ops[i].what);
}

static bool
is_match(const struct token *t)
{
	return t->kind == TOKEN_OP && t->text.s[t->text.n - 1] == '~';
}

void
expect_condition(struct place *p)
{
	struct condition cond = { .state = AT_OPERAND };

	for (size_t i = 0; i < p->nargs; i++)
		cond.state = after(p, &cond, &p->arg[i]);
	if (cond.state == AT_OPERAND) {
		expect(p, "column, not or (");
		offer_columns(p, CELL_NONE);
		completion_offer(p->c, "not", "negates the condition");
		completion_offer(p->c, "(", "groups conditions");
	} else if (cond.state == AT_OPERATOR) {
		expect(p, "operator: = != < <= > >= ~ !~ in");
		offer_operators(p, &cond);
		offer_joints(p, &cond);
	} else if (cond.state == AT_IN || cond.state == AT_LIST) {
		expect(p, cond.state == AT_IN ? "in" : "(");
		completion_offer(p->c, cond.state == AT_IN ? "in (" : "(",
		    "list of values, or query | select column");
	} else if (cond.state == AT_LIST_NEXT) {
		expect(p, ", or )");
		completion_offer(p->c, ",", "next value");
		completion_offer(p->c, ")", "closes the list");
	} else if (cond.state == AT_JOINT) {
		expect(p, "and, or, | or Enter");
		offer_joints(p, &cond);
	} else if (cond.state != AT_LOSS && cond.state != AT_QUERY && cond.col != NULL) {
		offer_values(p, cond.col);
		if (cond.state == AT_LIST_VALUE && p->nargs > 0 && p->arg[p->nargs - 1].kind == TOKEN_OPEN)
			offer_commands(p, true, false);
		if (is_match(&p->arg[p->nargs - 1]))
			expect(p, "string, glob or /regex/");
	}
}
