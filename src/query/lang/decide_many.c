/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decide_many: whether a condition holds, of many rows at once.
 *
 * Each instruction is done for all rows that it is still about.  Where a column gives no batch, or a test
 * fails, nothing is known of the row: it is looked at alone when its turn comes, as if nobody had looked
 * before.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "expr.h"

#define SIGN (1ull << 63)
#define ALONE UINT32_MAX	/* instruction of a row that is decided alone */

/* The values of an operand in the rows of a batch. */
struct side {
	struct batch	 batch;
	double		*stack;		/* stack for calculations; or NULL */
};

struct many {
	struct side	 left, right;
	uint32_t	 at[BATCH];	/* the next instruction of each row */
	uint8_t		 known[BATCH];
};

/* ---- numbers ------------------------------------------------------------------------ */

/* Return the cell of that type at that place in the order of all its values. */
static struct cell
decide_many_number_at(enum cell_type type, uint64_t place)
{
	return (struct cell){ .type = type, .u = type == CELL_INT ? place ^ SIGN : place };
}

/* Return the first place whose cell is not less than c, or greater than c; UINT64_MAX + 1: none. */
static unsigned __int128
decide_many_place_of(enum cell_type type, const struct cell *c, bool greater)
{
	unsigned __int128 low = 0, high = (unsigned __int128)1 << 64, middle;
	struct cell x;

	while (low < high) {
		middle = low + (high - low) / 2;
		x = decide_many_number_at(type, (uint64_t)middle);
		if (cell_cmp(&x, c) < (greater ? 1 : 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Numbers that compare so with a cell form a range: set known of the rows whose numbers are in it. */
static void
mark_between(const struct batch *b, size_t n, enum compare cmp, const struct cell *c, uint8_t what,
    uint8_t *known)
{
	bool from = cmp == CMP_EQ || cmp == CMP_GT || cmp == CMP_GE,
	    to = cmp == CMP_EQ || cmp == CMP_LT || cmp == CMP_LE;
	unsigned __int128 low = from ? decide_many_place_of(b->type, c, cmp == CMP_GT) : 0;
	unsigned __int128 high = to ? decide_many_place_of(b->type, c, cmp != CMP_LT) :
	    (unsigned __int128)1 << 64;
	uint64_t least = (uint64_t)low, span = (uint64_t)(high - low - 1),
	    sign = b->type == CELL_INT ? SIGN : 0;

	for (size_t i = 0; low < high && i < n; i++)
		known[i] = (b->u[i] ^ sign) - least <= span ? what : known[i];
}

/* All values are numbers, or null. */
static bool
are_numbers(const struct expr *e, const struct instr *in)
{
	const struct value *v;

	for (size_t i = 0; i < in->nvalues; i++) {
		v = &e->value[in->value + i];
		if (v->kind != VALUE_NULL && (v->kind != VALUE_CELL || v->cell.type == CELL_TEXT ||
		    v->cell.type == CELL_NONE))
			return false;
	}
	return in->nvalues > 0 && in->cmp < CMP_MATCH;
}

static void
test_numbers(const struct expr *e, const struct instr *in, const struct batch *b, size_t n, uint8_t *known)
{
	enum compare cmp = in->cmp == CMP_NE ? CMP_EQ : in->cmp;
	uint8_t yes = in->cmp == CMP_NE ? KNOWN_FALSE : KNOWN_TRUE, no = KNOWN_FALSE + KNOWN_TRUE - yes,
	    empty = no;
	const struct value *v;
	struct cell c;

	memset(known, no, n);
	for (size_t i = 0; i < in->nvalues; i++) {
		v = &e->value[in->value + i];
		c = literal_beside(v, cmp, b->type);
		if (v->kind == VALUE_CELL)
			mark_between(b, n, cmp, &c, yes, known);
		else if (cmp == CMP_EQ)
			empty = yes;
	}
	for (size_t i = 0; b->empty && i < n; i++)
		known[i] = b->none[i] ? empty : known[i];
}

/* ---- cells -------------------------------------------------------------------------- */

static enum known
test_one(struct expr *e, struct instr *in, const struct cell *c, struct rows *rows, uint64_t row)
{
	struct err err = { .kind = E_NONE };
	struct cell copy = *c;
	bool yes;

	if (!expr_test_cell(e, in, &copy, rows, row, &yes, &err))
		return KNOWN_NOT;
	return yes ? KNOWN_TRUE : KNOWN_FALSE;
}

/* Test each distinct value of a batch once, when the first row has it. */
static bool
test_by_value(struct expr *e, struct instr *in, struct many *m, struct rows *rows, uint64_t first, size_t n,
    size_t step, uint8_t *known)
{
	struct batch *b = &m->left.batch;
	uint64_t value;
	struct err err;
	struct cell c;
	uint8_t *of;

	if (!scratch_array(&in->values, b->values + 1, 1, &err))
		return false;
	of = in->values.data;
	for (size_t i = 0; b->empty && i < n; i++)
		b->u[i] = b->none[i] ? b->values : b->u[i];
	for (size_t i = 0; i < n; i++)
		known[i] = of[b->u[i]];
	if (memchr(known, KNOWN_NOT, n) == NULL)
		return true;
	for (size_t i = 0; i < n; i++) {
		value = b->u[i];
		if (of[value] == KNOWN_NOT && m->at[i] <= step) {
			batch_cell(b, i, &c);
			of[value] = (uint8_t)test_one(e, in, &c, rows, first + i);
		}
		known[i] = of[value];
	}
	return true;
}

static bool
decide_many_fill(struct side *side, const struct operand *o, struct rows *rows, uint64_t first, size_t n)
{
	if (o->calc == NULL)
		return rows_batch(rows, first, n, o->col, &side->batch);
	if (side->stack == NULL && (side->stack = mem_array(CALC_DEPTH * BATCH, sizeof *side->stack)) == NULL)
		return false;
	return calc_numbers(o->calc, rows, first, n, side->stack, &side->batch);
}

static void
cell_at(const struct side *side, const struct operand *o, size_t i, struct cell *c)
{
	if (o->calc != NULL)
		calc_cell(o->calc, side->stack[i], c);
	else
		batch_cell(&side->batch, i, c);
}

/* Compare the left operand, which is filled, with another operand. */
static bool
test_operands(struct expr *e, struct instr *in, struct many *m, struct rows *rows, uint64_t first, size_t n,
    uint8_t *known)
{
	const struct operand *right = &e->value[in->value].operand;
	struct cell a, b;

	if (!decide_many_fill(&m->right, right, rows, first, n) || m->left.batch.values > 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		cell_at(&m->left, &in->operand, i, &a);
		cell_at(&m->right, right, i, &b);
		known[i] = KNOWN_FALSE + ((in->cmp == CMP_NE) != cells_compare(in->cmp == CMP_NE ? CMP_EQ :
		    in->cmp, &a, &b));
	}
	return true;
}

/* Test cell by cell: calculations, and comparisons with values other than numbers. */
static bool
test_cells(struct expr *e, struct instr *in, struct many *m, struct rows *rows, uint64_t first, size_t n,
    size_t step, uint8_t *known)
{
	struct cell c;

	if (in->nvalues == 1 && e->value[in->value].kind == VALUE_OPERAND)
		return test_operands(e, in, m, rows, first, n, known);
	for (size_t i = 0; i < n; i++) {
		if (m->at[i] > step)
			continue;
		cell_at(&m->left, &in->operand, i, &c);
		known[i] = (uint8_t)test_one(e, in, &c, rows, first + i);
	}
	return true;
}

/* Return false if the test cannot decide these rows together. */
static bool
test_many(struct expr *e, struct instr *in, struct many *m, struct rows *rows, uint64_t first, size_t n,
    size_t step, uint8_t *known)
{
	const struct batch *b = &m->left.batch;
	bool column = in->operand.calc == NULL;

	if (in->lines || !decide_many_fill(&m->left, &in->operand, rows, first, n))
		return false;
	if (column && b->values > 0 && expr_is_constant(e, in))
		return test_by_value(e, in, m, rows, first, n, step, known);
	if (!column || !are_numbers(e, in))
		return test_cells(e, in, m, rows, first, n, step, known);
	test_numbers(e, in, b, n, known);
	return true;
}

/* ---- all of it ------------------------------------------------------------------------ */

/* Keep the results of a test for the rows that reached it.  Rows without a result are decided alone. */
static void
decide_many_keep(struct many *m, const uint8_t *known, size_t n, size_t step, uint8_t *now)
{
	for (size_t i = 0; i < n; i++) {
		if (m->at[i] > step)
			continue;
		now[i] = known[i];
		if (known[i] == KNOWN_NOT)
			m->at[i] = ALONE;
	}
}

static void
jump(struct many *m, const struct instr *in, size_t n, size_t step, const uint8_t *now)
{
	uint8_t when = in->code == CODE_AND ? KNOWN_FALSE : KNOWN_TRUE;

	for (size_t i = 0; i < n; i++)
		if (m->at[i] <= step && now[i] == when)
			m->at[i] = (uint32_t)in->jump;
}

static void
decide_many_turn(struct many *m, size_t n, size_t step, uint8_t *now)
{
	for (size_t i = 0; i < n; i++)
		if (m->at[i] <= step)
			now[i] = KNOWN_FALSE + KNOWN_TRUE - now[i];
}

void
expr_tell(struct expr *e, struct rows *rows, uint64_t first, size_t n, uint8_t *known)
{
	struct many *m = e->many;
	struct instr *in;

	memset(known, KNOWN_NOT, n);
	if (m == NULL && (m = e->many = mem_array(1, sizeof *m)) == NULL)
		return;
	if (e->n > 1)
		memset(m->at, 0, n * sizeof *m->at);
	for (size_t step = 0; step < e->n; step++) {
		in = &e->instr[step];
		switch (in->code) {
		case CODE_TEST:
			if (!test_many(e, in, m, rows, first, n, step, e->n == 1 ? known : m->known))
				memset(e->n == 1 ? known : m->known, KNOWN_NOT, n);
			if (e->n > 1)
				decide_many_keep(m, m->known, n, step, known);
			break;
		case CODE_NOT:
			decide_many_turn(m, n, step, known);
			break;
		case CODE_AND:
		case CODE_OR:
			jump(m, in, n, step, known);
			break;
		}
	}
}

void
many_free(struct many *m)
{
	if (m == NULL)
		return;
	free(m->left.stack);
	free(m->right.stack);
	free(m);
}
