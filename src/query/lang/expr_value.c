/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expr_value: the values after the operators of a condition.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "expr.h"

static bool
expr_value_fail_memory(struct err *err)
{
	return fail(err, E_SYSTEM, "out of memory (query)");
}

const struct token *
compiler_peek(const struct compiler *c)
{
	return c->i < c->stage->n ? &c->stage->token[c->i] : NULL;
}

bool
compiler_word(struct compiler *c, const char *word)
{
	const struct token *t = compiler_peek(c);

	struct str upper;

	if (t == NULL || t->kind != TOKEN_WORD)
		return false;
	upper = t->text;
	/* Accept keywords in capitals, as in SQL. */
	for (size_t i = 0; i < upper.n; i++)
		if (upper.s[i] < 'A' || upper.s[i] > 'Z')
			upper.n = 0;
	if (!token_is(t, word) && !(upper.n > 0 && str_eq_nocase(upper, str_of(word))))
		return false;
	c->i++;
	return true;
}

bool
compiler_accept(struct compiler *c, enum token_kind kind)
{
	const struct token *t = compiler_peek(c);

	if (t == NULL || t->kind != kind)
		return false;
	c->i++;
	return true;
}

bool
compiler_expected(const struct compiler *c, const char *what, struct err *err)
{
	const struct token *last = c->i > 0 ? &c->stage->token[c->i - 1] : NULL;

	return fail_at(err, E_USAGE, stage_at(c->stage, c->i), "expected %s after '%.*s'", what,
	    (int)(last == NULL ? c->stage->word.n : last->text.n),
	    last == NULL ? c->stage->word.s : last->text.s);
}

static struct value *
value_new(struct expr *e, struct err *err)
{
	if (!mem_grow(&e->value, &e->value_cap, e->nvalues + 1, sizeof *e->value)) {
		expr_value_fail_memory(err);
		return NULL;
	}
	e->value[e->nvalues] = (struct value){ .kind = VALUE_CELL };
	return &e->value[e->nvalues++];
}

const char *const compare_text[] = {
	[CMP_EQ] = "=", [CMP_NE] = "!=", [CMP_LT] = "<", [CMP_LE] = "<=",
	[CMP_GT] = ">", [CMP_GE] = ">=", [CMP_MATCH] = "~", [CMP_UNLIKE] = "!~"
};

/* ---- values -------------------------------------------------------------- */

/* Parse the right side of ~ and !~. */
static bool
compile_pattern(const struct token *t, struct value *v, struct err *err)
{
	if (t->kind == TOKEN_REGEX) {
		v->kind = VALUE_REGEX;
		return regex_compile(&v->regex, t, err);
	}
	v->kind = token_is_glob(t) ? VALUE_GLOB : VALUE_PART;
	v->either = t->kind == TOKEN_WORD && !str_has_capital(t->text);
	return literal_read(t, CELL_TEXT, &v->cell, err);
}

/* Amounts compare with amounts of their own unit.  s: what the test looks at. */
static bool
check_units(const struct coldef *s, enum cell_type type, size_t at, struct err *err)
{
	static const enum cell_type units[] = { CELL_TIME, CELL_BYTES, CELL_PERCENT };

	for (size_t i = 0; i < NELEM(units); i++)
		if ((s->type == units[i]) != (type == units[i]) && type != CELL_NONE &&
		    s->type != CELL_NONE)
			return fail_at(err, E_USAGE, at, "'%2$s' is a %3$s column; this value is a %1$s",
			    cell_type_name(type), s->name, cell_type_name(s->type));
	return true;
}

/* Return the column of "(column)" where a string is possible, too; -1: something else. */
static int
lone_column(const struct compiler *c, enum cell_type type)
{
	const struct stage *s = c->stage;
	const struct token *t = &s->token[c->i];
	int col;

	if ((type != CELL_NONE && type != CELL_TEXT) || s->n - c->i < 3 || t->kind != TOKEN_OPEN ||
	    t[2].kind != TOKEN_CLOSE ||
	    (t[1].kind != TOKEN_WORD && t[1].kind != TOKEN_TEXT) || calc_continues(s, c->i + 3))
		return -1;
	col = rows_find(c->in, t[1].text, t[1].kind == TOKEN_TEXT);
	return col < 0 || type == CELL_NONE || c->in->cols[col].type == CELL_TEXT ? col : -1;
}

/* Parse a column or an expression as the value, for a subject that has numbers. */
static bool
compile_computed(struct compiler *c, const struct coldef *s, struct value *v, struct err *err)
{
	size_t at = stage_at(c->stage, c->i);
	int col = lone_column(c, s->type);

	v->kind = VALUE_OPERAND;
	if (col >= 0) {
		v->operand.col = (size_t)col;
		c->i += 3;
		return true;
	}
	return operand_compile(&v->operand, c->stage, &c->i, c->in, err) &&
	    check_units(s, operand_column(&v->operand, c->in).type, at, err);
}

/*
 * Cells of any type are mostly compared with literals, dates and paths too; a column is one in an order, or
 * with a point in front.
 */
static bool
has_column(const struct compiler *c, enum compare cmp)
{
	return (cmp >= CMP_LT || str_has_prefix(compiler_peek(c)->text, STR("."))) &&
	    calc_has_column(c->stage, c->i, c->in);
}

/* The value is computed: neither a literal nor a text column. */
static bool
is_computed(const struct compiler *c, enum cell_type type, enum compare cmp)
{
	const struct token *t = compiler_peek(c);
	struct cell cell;
	int col;

	if (cmp >= CMP_MATCH)
		return false;
	if (type == CELL_TEXT)
		return lone_column(c, type) >= 0;
	if (t->kind == TOKEN_OPEN || calc_goes_on(c->stage, c->i))
		return true;
	if (t->kind != TOKEN_WORD)
		return false;
	if (type == CELL_NONE)
		return has_column(c, cmp);
	col = rows_find(c->in, t->text, false);
	if (col >= 0)
		return c->in->cols[col].type != CELL_TEXT;
	return calc_begins(c->stage, c->i) && !calc_continues(c->stage, c->i) &&
	    !literal_read(t, type, &cell, NULL);
}

static bool
fail_value(const struct compiler *c, struct err *err)
{
	const struct token *t = c->i > 0 ? &c->stage->token[c->i - 1] : NULL;

	if (c->i == c->stage->n && t != NULL && t->kind == TOKEN_OP)
		return fail_at(err, E_USAGE, c->stage->end, "missing value after '%.*s'", (int)t->text.n,
		    t->text.s);
	return compiler_expected(c, "a value", err);
}

#define PLAIN_NS 1000		/* larger numbers are taken for pasted ones, which are nanoseconds */

/* A small number compared with a time is rarely one of nanoseconds. */
static void
expr_value_note_unit(struct compiler *c, const struct coldef *s, enum compare cmp, const struct token *t,
    const struct cell *value)
{
	uint64_t n;

	if (s->type == CELL_TIME && value->type == CELL_TIME && value->u > 0 && value->u < PLAIN_NS &&
	    num_u64(t->text, 10, &n))
		rows_note_add(c->in, "%s %s %llu means %llu ns; write %llums, %lluus or %lluns", s->name,
		    compare_text[cmp], (unsigned long long)n, (unsigned long long)n, (unsigned long long)n,
		    (unsigned long long)n, (unsigned long long)n);
}

/* Add notes to likely mistakes: a column name as a string, a text compared with a number, a date as text. */
static void
note_texts(struct compiler *c, const struct coldef *s, enum compare cmp, const struct token *t,
    const struct cell *value)
{
	int col = t->kind == TOKEN_WORD && cmp <= CMP_NE ? rows_column(c->in, t->text) : -1;

	if (col >= 0 && (s->type == CELL_NONE || (s->type == CELL_TEXT &&
	    c->in->cols[col].type == CELL_TEXT)))
		rows_note_add(c->in, "'%.*s' is a string here; for the column write (%.*s)", (int)t->text.n,
		    t->text.s, (int)t->text.n, t->text.s);
	if (cmp <= CMP_NE)
		return;
	rows_note_order(c->in, s);
	if (s->type == CELL_NONE && s->mostly == MOSTLY_TEXTS && value->type != CELL_TEXT)
		rows_note_add(c->in, "'%s' holds strings, not numbers; to compare by their order write %s %s '%.*s'",
		    s->name, s->name,
		    compare_text[cmp], (int)t->text.n, t->text.s);
}

/* After = and in, a word between slashes would be a string, which is rarely intended. */
static bool
check_slashes(const struct token *t, enum compare cmp, struct err *err)
{
	struct str s = t->text;

	if (t->kind != TOKEN_WORD || cmp > CMP_NE || s.n < 3 || s.s[0] != '/' || s.s[s.n - 1] != '/')
		return true;
	return fail_at(err, E_USAGE, t->at, "write a regex after ~: ~ %.*s; quote a string with slashes",
	    (int)s.n, s.s);
}

bool
compile_value(struct compiler *c, const struct coldef *s, enum compare cmp,
    struct err *err)
{
	enum cell_type type = s->type;
	const struct token *t = compiler_peek(c);
	struct value *v;

	if (t == NULL || (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT &&
	    t->kind != TOKEN_REGEX && !is_computed(c, type, cmp)))
		return fail_value(c, err);
	v = value_new(c->expr, err);
	if (v == NULL)
		return false;
	if (type != CELL_TEXT && cmp < CMP_MATCH && compiler_word(c, "null")) {
		v->kind = VALUE_NULL;
		return true;
	}
	if (is_computed(c, type, cmp))
		return compile_computed(c, s, v, err);
	c->i++;
	if (cmp == CMP_MATCH || cmp == CMP_UNLIKE)
		return compile_pattern(t, v, err);
	if (!check_slashes(t, cmp, err))
		return false;
	if ((type == CELL_TEXT || type == CELL_NONE) && cmp <= CMP_NE && token_is_glob(t)) {
		v->kind = VALUE_GLOB;
		return literal_read(t, CELL_TEXT, &v->cell, err);
	}
	if (type == CELL_NONE && t->kind == TOKEN_WORD)
		v->word = t->text;
	if (!literal_read(t, type, &v->cell, err))
		return false;
	expr_value_note_unit(c, s, cmp, t, &v->cell);
	note_texts(c, s, cmp, t, &v->cell);
	return true;
}

static bool
compile_query(struct compiler *c, const struct coldef *s, struct err *err)
{
	struct value *v = value_new(c->expr, err);

	if (v == NULL)
		return false;
	v->kind = VALUE_ANSWER;
	return answer_open(&v->answer, c->stage, &c->stage->token[c->i++], c->in, s, err);
}

static bool
compile_values(struct compiler *c, const struct coldef *s, struct err *err)
{
	do {
		if (!compile_value(c, s, CMP_EQ, err))
			return false;
	} while (compiler_accept(c, TOKEN_COMMA));
	return compiler_accept(c, TOKEN_CLOSE) || compiler_expected(c, "',' or ')'", err);
}

/* Report a list that looks like a query: without a | yet, or in another language.  t: the first value. */
static bool
fail_listed(const struct token *t, const struct coldef *s, struct err *err)
{
	const struct command *command;

	if (err->reason != REASON_NONE || err->at < t->at || t->kind != TOKEN_WORD)
		return false;
	if (str_eq_nocase(t->text, STR("select")))
		return fail_at(err, E_USAGE, t->at,
		    "a query in parentheses starts with its source: (roots | select object)");
	command = command_find(t->text, true, 0);
	if (command != NULL && command->kind == COMMAND_SOURCE && s->type != CELL_TEXT)
		return fail_at(err, E_USAGE, t->at, "'%s' is not a value; for a query write (%s | select COLUMN)",
		    command->word, command->word);
	return false;
}

/* Parse the list or the query after "in". */
bool
compile_list(struct compiler *c, const struct coldef *s, struct err *err)
{
	const struct token *t = compiler_peek(c);

	if (t != NULL && t->kind == TOKEN_QUERY)
		return compile_query(c, s, err);
	if (!compiler_accept(c, TOKEN_OPEN))
		return compiler_expected(c, "'(' and values", err);
	t = compiler_peek(c);
	return compile_values(c, s, err) || (t != NULL && fail_listed(t, s, err));
}

/* "is null" is "= null". */
bool
compile_null(struct compiler *c, const struct coldef *s, struct err *err)
{
	struct value *v;

	if (!compiler_word(c, "null"))
		return compiler_expected(c, "'null'", err);
	v = value_new(c->expr, err);
	if (v == NULL)
		return false;
	v->kind = VALUE_NULL;
	if (s->type != CELL_TEXT)
		return true;
	/* Empty strings count as null, too: both are printed empty. */
	v = value_new(c->expr, err);
	if (v == NULL)
		return false;
	v->cell = (struct cell){ .type = CELL_TEXT };
	return true;
}
