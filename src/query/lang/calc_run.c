/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
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
	if (o->calc->distance != NULL) {
		lev_free(o->calc->distance->lev);
		buf_free(&o->calc->distance->first);
		free(o->calc->distance);
	}
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

/* An empty cell becomes NaN, which stays NaN in every calculation. */
static double
calc_run_number_of(const struct cell *c)
{
	if (c->type == CELL_NONE || c->type == CELL_TEXT || c->type == CELL_ID || c->type == CELL_ADDR)
		return (double)NAN;
	return cell_real(c) / (c->type == CELL_PERCENT ? 100 : 1);
}

/* The text of a step in a row; empty: the cell has none. */
static struct str
calc_run_text(struct rows *rows, uint64_t row, const struct step_text *of)
{
	struct cell c;

	if (of->col == CALC_CONSTANT)
		return of->text;
	rows_cell(rows, row, of->col, &c);
	return c.type == CELL_TEXT ? c.text : STR("");
}

/* NaN: a text is empty, or it failed, which the rows say. */
static double
calc_run_distance(const struct calc *calc, struct rows *rows, uint64_t row, const struct step *s)
{
	struct calc_distance *d = calc->distance;
	struct str other;
	bool more = true;

	if (rows->err.kind != E_NONE)
		return (double)NAN;
	buf_clear(&d->first);
	buf_str(&d->first, calc_run_text(rows, row, &s->text[0]));
	other = calc_run_text(rows, row, &s->text[1]);
	if (d->first.bad)
		fail_memory(&rows->err, "texts");
	if (d->first.bad || d->first.n == 0 || other.n == 0)
		return (double)NAN;
	for (lev_start(d->lev, buf_view(&d->first), other, LEV_OVER); more; )
		if (!lev_step(d->lev, LEV_SLICE, &more, &rows->err) ||
		    (more && !work_go(rows->work, row, &rows->err)))
			return (double)NAN;
	return (double)lev_distance(d->lev);
}

static bool
calc_run_load(struct rows *rows, uint64_t first, size_t n, size_t col, double *to, struct batch *b)
{
	struct cell c;

	if (b == NULL) {
		rows_cell(rows, first, col, &c);
		*to = calc_run_number_of(&c);
		return true;
	}
	if (!rows_batch(rows, first, n, col, b))
		return false;
	for (size_t i = 0; i < n; i++) {
		batch_cell(b, i, &c);
		to[i] = calc_run_number_of(&c);
	}
	return true;
}

bool
calc_numbers(const struct calc *calc, struct rows *rows, uint64_t first, size_t n, double *stack,
    struct batch *b)
{
	double *top = stack, *last;

	for (const struct step *s = calc->step; s < calc->step + calc->n; s++) {
		if (s->op == 'c') {
			if (!calc_run_load(rows, first, n, s->col, top, b))
				return false;
			top += n;
			continue;
		}
		/* Cells of two columns: a batch has one. */
		if (s->op == 'd' && b != NULL)
			return false;
		if (s->op == 'd') {
			*top++ = calc_run_distance(calc, rows, first, s);
			continue;
		}
		if (s->op != 0 && s->op != '|')
			top -= n;
		last = s->op == 0 ? top : top - n;
		for (size_t i = 0; i < n; i++)
			last[i] = s->op == 0 ? s->number : s->op == '|' ? fabs(last[i]) :
			    compute(s->op, last[i], top[i]);
		top += s->op == 0 ? n : 0;
	}
	for (size_t i = 0; i < n; i++)
		stack[i] *= calc->scale;
	return true;
}

/* A negative amount is an integer, whatever its unit. */
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
calc_cell(const struct calc *calc, double v, struct cell *c)
{
	c->type = CELL_NONE;
	if (!isfinite(v))
		return;
	c->type = calc->type;
	if (c->type == CELL_NONE)
		c->type = v == floor(v) && fabs(v) < 0x1p53 ? CELL_INT : CELL_REAL;
	if (is_real(c->type))
		c->f = v + 0.0;		/* no -0 */
	else
		whole_cell(c, v);
}

void
operand_cell(const struct operand *o, struct rows *rows, uint64_t row, struct cell *c)
{
	double stack[CALC_DEPTH];

	if (o->calc == NULL) {
		rows_cell(rows, row, o->col, c);
		return;
	}
	(void)calc_numbers(o->calc, rows, row, 1, stack, NULL);
	calc_cell(o->calc, stack[0], c);
}

uint64_t
operand_touches(const struct operand *o)
{
	uint64_t set = o->calc == NULL ? COLUMN_BIT(o->col) : 0;

	for (size_t i = 0; o->calc != NULL && i < o->calc->n; i++)
		if (o->calc->step[i].op == 'c')
			set |= COLUMN_BIT(o->calc->step[i].col);
		else if (o->calc->step[i].op == 'd')
			for (size_t k = 0; k < 2; k++)
				set |= o->calc->step[i].text[k].col == CALC_CONSTANT ? 0 :
				    COLUMN_BIT(o->calc->step[i].text[k].col);
	return set;
}
