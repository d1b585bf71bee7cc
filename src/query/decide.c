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

/* Empty cells, and a text beside a number, are equal to nothing and in no order. */
static bool
comparable(const struct cell *a, const struct cell *b)
{
	return a->type != CELL_NONE && b->type != CELL_NONE &&
	    (a->type == CELL_TEXT) == (b->type == CELL_TEXT);
}

static bool
contains(struct str s, struct str part)
{
	return part.n == 0 ||
	    (s.n > 0 && memmem(s.s, s.n, part.s, part.n) != NULL);
}

/* != and !~ are the contrary of = and ~, which this decides. */
static bool
test_value(const struct value *v, enum compare cmp, const struct cell *c,
    struct rows *in, uint64_t row, bool *yes, struct err *err)
{
	struct cell other;

	*yes = false;
	switch (v->kind) {
	case VALUE_CELL:
		*yes = comparable(c, &v->cell) && ordered(cmp, cell_cmp(c, &v->cell));
		break;
	case VALUE_COLUMN:
		rows_cell(in, row, v->col, &other);
		*yes = comparable(c, &other) && ordered(cmp, cell_cmp(c, &other));
		break;
	case VALUE_CALC:
		calc_cell(v->calc, in, row, &other);
		*yes = comparable(c, &other) && ordered(cmp, cell_cmp(c, &other));
		break;
	case VALUE_GLOB:
		*yes = c->type == CELL_TEXT && str_glob(v->cell.text, c->text);
		break;
	case VALUE_PART:
		*yes = c->type == CELL_TEXT && contains(c->text, v->cell.text);
		break;
	case VALUE_REGEX:
		if (c->type == CELL_TEXT)
			return regex_test(v->regex, c->text, yes, err);
		break;
	}
	return true;
}

static bool
truth(const struct cell *c)
{
	return c->type == CELL_TEXT ? c->text.n > 0 : cell_real(c) != 0;
}

static bool
test(const struct expr *e, const struct instr *in, struct rows *rows, uint64_t row,
    bool *yes, struct err *err)
{
	bool negate = in->cmp == CMP_NE || in->cmp == CMP_UNLIKE;
	enum compare cmp = in->cmp == CMP_NE ? CMP_EQ : in->cmp;
	struct cell c;
	size_t i;

	if (in->calc != NULL)
		calc_cell(in->calc, rows, row, &c);
	else
		rows_cell(rows, row, in->col, &c);
	*yes = in->cmp == CMP_TRUE && truth(&c);
	for (i = 0; i < in->nvalues && !*yes; i++)
		if (!test_value(&e->value[in->value + i], cmp, &c, rows, row,
		    yes, err))
			return false;
	*yes = *yes != negate;
	return true;
}

bool
expr_test(struct expr *e, struct rows *rows, uint64_t row, bool *yes,
    struct err *err)
{
	const struct instr *in;
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
