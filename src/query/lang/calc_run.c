/*
 * calc_run: what an expression gives for a row.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "calc.h"

void
operand_free(struct operand *o)
{
	if (o->calc == NULL)
		return;
	free(o->calc->step);
	buf_free(&o->calc->text);
	free(o->calc);
	o->calc = NULL;
}

struct coldef
operand_column(const struct operand *o, const struct rows *rows)
{
	return o->calc == NULL ? rows->cols[o->col] :
	    (struct coldef){ o->calc->text.s, o->calc->type, "computed", false };
}

/* ---- computing ------------------------------------------------------------------- */

static double
compute(char op, double a, double b)
{
	switch (op) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	}
	return a / b;
}

static bool
run(const struct calc *calc, struct rows *rows, uint64_t row, double *value)
{
	double stack[CALC_DEPTH];
	struct cell c;
	size_t n = 0;

	for (const struct step *s = calc->step; s < calc->step + calc->n; s++) {
		if (s->op == 'c') {
			rows_cell(rows, row, s->col, &c);
			if (c.type == CELL_NONE || c.type == CELL_TEXT ||
			    c.type == CELL_ID || c.type == CELL_ADDR)
				return false;
			stack[n++] = cell_real(&c) /
			    (c.type == CELL_PERCENT ? 100 : 1);
		} else if (s->op == 0) {
			stack[n++] = s->number;
		} else if (s->op == '|') {
			stack[n - 1] = fabs(stack[n - 1]);
		} else {
			n--;
			stack[n - 1] = compute(s->op, stack[n - 1], stack[n]);
		}
	}
	*value = stack[0] * calc->scale;
	return isfinite(*value);
}

/* Below 0 an amount is an integer, whatever its unit. */
static void
whole_cell(struct cell *c, double v)
{
	if (c->type == CELL_INT || v <= -0.5) {
		c->type = CELL_INT;
		c->i = v >= 0x1p63 ? INT64_MAX : v <= -0x1p63 ? INT64_MIN :
		    (int64_t)(v < 0 ? v - 0.5 : v + 0.5);
	} else
		c->u = num_whole(v + 0.5);
}

void
operand_cell(const struct operand *o, struct rows *rows, uint64_t row, struct cell *c)
{
	const struct calc *calc = o->calc;
	double v;

	if (calc == NULL) {
		rows_cell(rows, row, o->col, c);
		return;
	}
	c->type = CELL_NONE;
	if (!run(calc, rows, row, &v))
		return;
	c->type = calc->type;
	if (c->type == CELL_NONE)
		c->type = v == floor(v) && fabs(v) < 0x1p53 ? CELL_INT : CELL_REAL;
	if (is_real(c->type))
		c->f = v + 0.0;		/* no -0 */
	else
		whole_cell(c, v);
}

uint64_t
operand_touches(const struct operand *o)
{
	uint64_t set = o->calc == NULL ? COLUMN_BIT(o->col) : 0;

	for (size_t i = 0; o->calc != NULL && i < o->calc->n; i++)
		if (o->calc->step[i].op == 'c')
			set |= COLUMN_BIT(o->calc->step[i].col);
	return set;
}
