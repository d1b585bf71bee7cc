/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decide: whether a condition holds for a row.
 */
#include "config.h"

#include <string.h>

#include "expr.h"

static bool
ordered(enum compare cmp, int order)
{
	switch (cmp) {
	case CMP_EQ:
		return order == 0;
	case CMP_LT:
		return order < 0;
	case CMP_LE:
		return order <= 0;
	case CMP_GT:
		return order > 0;
	case CMP_GE:
		return order >= 0;
	case CMP_NE:
	case CMP_MATCH:
	case CMP_UNLIKE:
	case CMP_TRUE:
		break;
	}
	return false;
}

/* An empty cell equals nothing and has no order, nor has a text next to a number. */
static bool
decide_comparable(const struct cell *a, const struct cell *b)
{
	return a->type != CELL_NONE && b->type != CELL_NONE &&
	    (a->type == CELL_TEXT) == (b->type == CELL_TEXT);
}

bool
cells_compare(enum compare cmp, const struct cell *a, const struct cell *b)
{
	return decide_comparable(a, b) && ordered(cmp, cell_cmp(a, b));
}

struct cell
literal_beside(const struct value *v, enum compare cmp, enum cell_type type)
{
	struct token word = { .text = v->word, .kind = TOKEN_WORD };
	bool means = type == CELL_BYTES || type == CELL_PERCENT || (type == CELL_TEXT && cmp == CMP_EQ);
	struct cell as;

	return means && v->word.n > 0 && literal_read(&word, type, &as, NULL) ? as : v->cell;
}

/* Decide = and ~; the caller negates != and !~. */
static bool
test_value(const struct value *v, enum compare cmp, const struct cell *c,
    struct rows *in, uint64_t row, bool *yes, struct err *err)
{
	struct cell other;

	*yes = false;
	switch (v->kind) {
	case VALUE_CELL:
		other = literal_beside(v, cmp, c->type);
		*yes = cells_compare(cmp, c, &other);
		break;
	case VALUE_NULL:
		*yes = cmp == CMP_EQ && c->type == CELL_NONE;
		break;
	case VALUE_OPERAND:
		operand_cell(&v->operand, in, row, &other);
		*yes = cells_compare(cmp, c, &other);
		break;
	case VALUE_GLOB:
		*yes = c->type == CELL_TEXT && (v->either ? str_glob_nocase : str_glob)(v->cell.text,
		    c->text);
		break;
	case VALUE_PART:
		*yes = c->type == CELL_TEXT && (v->either ? str_has_nocase : str_has)(c->text, v->cell.text);
		break;
	case VALUE_REGEX:
		if (c->type == CELL_TEXT)
			return regex_test(v->regex, c->text, yes, err);
		break;
	case VALUE_ANSWER:
		return answer_has(v->answer, in, c, yes, err);
	}
	return true;
}

bool
expr_is_constant(const struct expr *e, const struct instr *in)
{
	for (size_t i = 0; i < in->nvalues; i++)
		if (e->value[in->value + i].kind == VALUE_OPERAND)
			return false;
	return true;
}

static bool
is_answer(const struct expr *e, const struct instr *in)
{
	return in->nvalues > 0 && e->value[in->value].kind == VALUE_ANSWER;
}

/* Copy the text: it is valid only until the next cell is read, and the test reads other columns. */
static bool
decide_keep_text(struct expr *e, const struct instr *in, struct cell *c, struct err *err)
{
	if (c->type != CELL_TEXT || expr_is_constant(e, in))
		return true;
	buf_clear(&e->text);
	buf_str(&e->text, c->text);
	c->text = buf_view(&e->text);
	return !e->text.bad || fail(err, E_SYSTEM, "out of memory (string)");
}

/* Test whether one of the values holds for the cell. */
static bool
test_values(struct expr *e, const struct instr *in, const struct cell *c, struct rows *rows,
    uint64_t row, bool *yes, struct err *err)
{
	enum compare cmp = in->cmp == CMP_NE ? CMP_EQ : in->cmp;

	for (size_t i = 0; i < in->nvalues && !*yes; i++)
		if (!test_value(&e->value[in->value + i], cmp, c, rows, row, yes, err))
			return false;
	return true;
}

/* Test whether one of the values holds for a line of the text. */
static bool
test_lines(struct expr *e, const struct instr *in, const struct cell *c, struct rows *rows,
    uint64_t row, bool *yes, struct err *err)
{
	struct cell line = { .type = CELL_TEXT };
	struct str rest = c->text;

	while (!*yes && str_split(&rest, '\n', &line.text))
		if (!test_values(e, in, &line, rows, row, yes, err))
			return false;
	return true;
}

/* Test whether a frame matches; the result is cached per method. */
static bool
test_frame(struct expr *e, struct instr *in, struct rows *rows, uint64_t row, uint32_t method,
    enum known *known, struct err *err)
{
	struct cell c;
	uint8_t *of;
	bool yes = false;

	if (!scratch_array(&in->values, method + 1ull, 1, err))
		return false;
	of = &in->values.data[method];
	if (*of == KNOWN_NOT) {
		rows_cell(rows, row, (size_t)rows_column(rows, STR("method")), &c);
		if (!test_values(e, in, &c, rows, row, &yes, err))
			return false;
		*of = yes ? KNOWN_TRUE : KNOWN_FALSE;
	}
	*known = (enum known)*of;
	return true;
}

/*
 * Test the stack of a row as test_lines would: it matches if its own frame or the stack of its caller
 * matches.
 */
static bool
test_stack(struct expr *e, struct instr *in, struct rows *rows, uint64_t row, bool *yes,
    struct err *err)
{
	uint64_t at, up, end;
	enum known known = KNOWN_NOT;
	uint32_t method;

	if (!scratch_array(&in->rows, row + 1, 1, err))
		return false;
	for (at = row + 1; at != 0; at = up) {
		up = rows->ops->caller(rows, at - 1, &method);
		known = (enum known)in->rows.data[at - 1];
		if (known == KNOWN_NOT && !test_frame(e, in, rows, at - 1, method, &known, err))
			return false;
		if (known == KNOWN_TRUE || in->rows.data[at - 1] != KNOWN_NOT)
			break;
	}
	end = at;
	*yes = known == KNOWN_TRUE;
	for (at = row + 1; at != 0 && at != end; at = rows->ops->caller(rows, at - 1, &method))
		in->rows.data[at - 1] = *yes ? KNOWN_TRUE : KNOWN_FALSE;
	if (end != 0)
		in->rows.data[end - 1] = *yes ? KNOWN_TRUE : KNOWN_FALSE;
	return true;
}

/* Find the tree that filtered or sorted rows came from, and the row there: only the tree knows callers. */
static bool
find_callers(struct rows **rows, uint64_t *row)
{
	struct rows *tree = rows_origin(*rows);
	struct cell id;
	int col;

	if (tree->ops->caller == NULL)
		return false;
	if (tree == *rows)
		return true;
	if (tree != tree_rows(tree) || (col = rows_column(tree, STR("id"))) < 0)
		return false;
	rows_cell(*rows, *row, (size_t)col, &id);
	*rows = tree;
	return id.type == CELL_ID && tree_row(tree, id.u, row);
}

/* Test a column alone as a condition.  In tables and JSON files the word "false" is false. */
static bool
is_true(const struct operand *o, const struct rows *rows, const struct cell *c)
{
	bool any = o->calc == NULL && rows->cols[o->col].type == CELL_NONE;

	if (c->type != CELL_TEXT)
		return cell_real(c) != 0;
	return c->text.n > 0 && !(any && str_eq_nocase(c->text, STR("false")));
}

bool
expr_test_cell(struct expr *e, struct instr *in, struct cell *c, struct rows *rows, uint64_t row, bool *yes,
    struct err *err)
{
	bool negate = in->cmp == CMP_NE || in->cmp == CMP_UNLIKE;

	/* An empty cell matches neither "in" nor "not in" with a query. */
	if (is_answer(e, in) && (c->type == CELL_NONE || (c->type == CELL_TEXT && c->text.n == 0))) {
		*yes = false;
		return true;
	}
	if (!decide_keep_text(e, in, c, err))
		return false;
	*yes = in->cmp == CMP_TRUE && is_true(&in->operand, rows, c);
	if (!(in->lines && c->type == CELL_TEXT ? test_lines(e, in, c, rows, row, yes, err) :
	    test_values(e, in, c, rows, row, yes, err)))
		return false;
	*yes = *yes != negate;
	return true;
}

static bool
test(struct expr *e, struct instr *in, struct rows *rows, uint64_t row, bool *yes, struct err *err)
{
	struct rows *tree = rows;
	uint64_t place = row;
	struct cell c;

	if (in->lines && in->nvalues > 0 && expr_is_constant(e, in) && find_callers(&tree, &place)) {
		if (!test_stack(e, in, tree, place, yes, err))
			return false;
		*yes = *yes != (in->cmp == CMP_NE || in->cmp == CMP_UNLIKE);
		return true;
	}
	operand_cell(&in->operand, rows, row, &c);
	return expr_test_cell(e, in, &c, rows, row, yes, err);
}

#define OTHER_CASE_ROWS 1000000u	/* rows that are searched */

static bool
same_but_case(const struct value *v, enum compare cmp, struct str text)
{
	if (v->kind == VALUE_GLOB)
		return str_glob_nocase(v->cell.text, text);
	if (v->kind == VALUE_PART)
		return str_has_nocase(text, v->cell.text);
	return v->kind == VALUE_CELL && cmp == CMP_EQ && v->cell.type == CELL_TEXT &&
	    str_eq_nocase(v->cell.text, text);
}

bool
expr_other_case(struct expr *e, struct rows *rows, struct str *text)
{
	const struct instr *in = e->instr;
	struct cell c;

	if (e->n != 1 || in->nvalues != 1 || in->lines || (in->cmp != CMP_EQ && in->cmp != CMP_MATCH) ||
	    e->value[0].either)
		return false;
	for (uint64_t row = 0; row < OTHER_CASE_ROWS && rows_reach(rows, row + 1) > row; row++) {
		operand_cell(&in->operand, rows, row, &c);
		if (c.type == CELL_TEXT && c.text.n > 0 && same_but_case(&e->value[0], in->cmp, c.text)) {
			*text = c.text;
			return true;
		}
	}
	return false;
}

bool
expr_test(struct expr *e, struct rows *rows, uint64_t row, bool *yes,
    struct err *err)
{
	struct instr *in;
	bool now = false;
	size_t i = 0;

	while (i < e->n) {
		in = &e->instr[i++];
		switch (in->code) {
		case CODE_TEST:
			if (!test(e, in, rows, row, &now, err))
				return false;
			break;
		case CODE_NOT:
			now = !now;
			break;
		case CODE_AND:
			if (!now)
				i = in->jump;
			break;
		case CODE_OR:
			if (now)
				i = in->jump;
			break;
		}
	}
	*yes = now;
	return true;
}
