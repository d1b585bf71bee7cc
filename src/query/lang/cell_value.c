/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cell_value: what numbers cells are, and their order.
 */
#include "config.h"

#include <string.h>

#include "lang.h"

bool
is_real(enum cell_type type)
{
	return type == CELL_REAL || type == CELL_PERCENT;
}

double
cell_real(const struct cell *c)
{
	switch (c->type) {
	case CELL_INT:
		return (double)c->i;
	case CELL_REAL:
	case CELL_PERCENT:
		return c->f;
	case CELL_DECIMAL:
		return decimal_real(cell_exact(c));
	case CELL_NONE:
	case CELL_TEXT:
		return 0;
	default:
		return (double)c->u;
	}
}

struct decimal
cell_exact(const struct cell *c)
{
	switch (c->type) {
	case CELL_INT:
		return (struct decimal){ (__int128)c->i, 0 };
	case CELL_DECIMAL:
		return (struct decimal){ (__int128)((unsigned __int128)c->wide[1] << 64 | c->wide[0]),
		    c->decimals };
	case CELL_NONE:
	case CELL_REAL:
	case CELL_PERCENT:
	case CELL_TEXT:
		return (struct decimal){ 0, 0 };
	default:
		return (struct decimal){ (__int128)c->u, 0 };
	}
}

/* ---- equal numbers ---------------------------------------------------------------- */

#define REAL_DIGITS INT64_C(1000000000000000)	/* different numbers of fewer digits are different doubles */
#define REAL_PLACES 22u				/* numbers with no more places become the nearest double */

/* Return true if no other decimal number has the same double. */
static bool
is_exact_real(struct decimal d)
{
	double real = (double)d.value;

	if (d.places > 0)
		return d.places <= REAL_PLACES && d.value > -REAL_DIGITS && d.value < REAL_DIGITS;
	return real > -0x1p127 && real < 0x1p127 && (__int128)real == d.value;
}

static struct cell
number_of_decimal(struct cell c)
{
	struct decimal d = decimal_narrow(cell_exact(&c));

	if (d.places == 0 && d.value >= 0 && d.value <= UINT64_MAX)
		return (struct cell){ .type = CELL_COUNT, .u = (uint64_t)d.value };
	if (d.places == 0 && d.value < 0 && d.value >= INT64_MIN)
		return (struct cell){ .type = CELL_INT, .i = (int64_t)d.value };
	if (is_exact_real(d))
		return (struct cell){ .type = CELL_REAL, .f = decimal_real(d) };
	cell_decimal(&c, d, MONEY_NO_CURRENCY);
	return c;
}

static struct cell
number_of_real(struct cell c)
{
	if (c.f >= 0 && c.f < 0x1p64 && c.f == (double)(uint64_t)c.f)
		return (struct cell){ .type = CELL_COUNT, .u = (uint64_t)c.f };
	if (c.f < 0 && c.f >= -0x1p63 && c.f == (double)(int64_t)c.f)
		return (struct cell){ .type = CELL_INT, .i = (int64_t)c.f };
	return c;
}

struct cell
cell_normal(struct cell c)
{
	if (c.type == CELL_DECIMAL && c.currency == MONEY_NO_CURRENCY)
		return number_of_decimal(c);
	if (c.type == CELL_REAL)
		return number_of_real(c);
	if (c.type == CELL_INT && c.i >= 0)
		c.type = CELL_COUNT;
	return c;
}

/* In a column of amounts, negative ones are integers. */
void
cell_abs(struct cell *c, enum cell_type column)
{
	uint64_t amount;

	if (is_real(c->type) && c->f < 0)
		c->f = -c->f;
	else if (c->type == CELL_DECIMAL && cell_exact(c).value < 0)
		cell_decimal(c, decimal_minus(cell_exact(c)), c->currency);
	else if (c->type == CELL_INT && c->i < 0) {
		amount = 0 - (uint64_t)c->i;
		if (column != CELL_INT && column != CELL_NONE) {
			c->type = column;
			c->u = amount;
		} else
			c->i = amount > INT64_MAX ? INT64_MAX : (int64_t)amount;
	}
}

/* Return true if cells of this type have their value in u. */
static bool
cell_value_is_whole(enum cell_type type)
{
	return type != CELL_INT && type != CELL_DECIMAL && !is_real(type);
}

/* Numbers of different types compare by value. */
static int
number_cmp(const struct cell *a, const struct cell *b)
{
	double x, y;

	if (cell_value_is_whole(a->type) && cell_value_is_whole(b->type))
		return (a->u > b->u) - (a->u < b->u);
	if (!is_real(a->type) && !is_real(b->type))
		return decimal_cmp(cell_exact(a), cell_exact(b));
	x = cell_real(a);
	y = cell_real(b);
	return (x > y) - (x < y);
}

void
cell_text(struct rows *r, struct cell *c, const struct buf *b)
{
	if (b->bad && r->err.kind == E_NONE)
		fail(&r->err, E_SYSTEM, "out of memory (name)");
	c->type = CELL_TEXT;
	c->text = buf_view(b);
}

/* Empty cells come first, then numbers, then texts. */
static int
cell_rank(const struct cell *c)
{
	return c->type == CELL_NONE ? 0 : c->type == CELL_TEXT ? 2 : 1;
}

int
cell_cmp(const struct cell *a, const struct cell *b)
{
	int x = cell_rank(a), y = cell_rank(b);

	if (x != y)
		return x - y;
	if (x == 0)
		return 0;
	return x == 1 ? number_cmp(a, b) : str_cmp(a->text, b->text);
}

bool
cell_is_word(const struct cell *c, const struct coldef *column)
{
	return c->type == CELL_TEXT && column->type == CELL_NONE && column->mostly == MOSTLY_NUMBERS;
}

int
cell_order(const struct cell *a, const struct cell *b, const struct coldef *column, bool down)
{
	bool words = cell_is_word(a, column) != cell_is_word(b, column) && a->type != CELL_NONE &&
	    b->type != CELL_NONE;
	int order = cell_cmp(a, b);

	return down && !words ? -order : order;
}

/* ---- keys ------------------------------------------------------------------------- */

static uint64_t
text_key(struct str s)
{
	uint64_t key = 0;

	for (size_t i = 0; i < sizeof key; i++)
		key = key << 8 | (i < s.n ? (uint8_t)s.s[i] : 0);
	return key;
}

static uint64_t
real_key(double f)
{
	uint64_t bits;

	memcpy(&bits, &f, sizeof bits);
	return bits >> 63 ? ~bits : bits | 1ull << 63;
}

bool
cell_number_key(const struct cell *c, uint64_t *key)
{
	*key = real_key(cell_real(c));
	return is_real(c->type) || is_exact_real(decimal_narrow(cell_exact(c)));
}

/* Empty cells, then numbers, then texts: two bits say which. */
static uint64_t
mixed_key(const struct cell *c)
{
	if (c->type == CELL_NONE)
		return 0;
	return c->type == CELL_TEXT ? 2ull << 62 | text_key(c->text) >> 2 :
	    1ull << 62 | real_key(cell_real(c)) >> 2;
}

static uint64_t
cell_key(const struct cell *c, enum cell_type column)
{
	if (column == CELL_NONE)
		return mixed_key(c);
	switch (c->type) {
	case CELL_NONE:
		return 0;
	case CELL_INT:
		/* In a column of amounts, negative ones are integers. */
		if (column == CELL_INT)
			return (uint64_t)c->i ^ 1ull << 63;
		return c->i < 0 ? 0 : (uint64_t)c->i;
	case CELL_REAL:
	case CELL_PERCENT:
		return real_key(c->f);
	case CELL_DECIMAL:
		return real_key(cell_real(c));
	case CELL_TEXT:
		return text_key(c->text);
	default:
		return c->u;
	}
}

uint64_t
cell_place(const struct cell *c, const struct coldef *column, bool down)
{
	uint64_t key = cell_key(c, column->type);

	/* In descending order words still come after numbers: swap the two ranks. */
	if (down && column->type == CELL_NONE && column->mostly == MOSTLY_NUMBERS && c->type != CELL_NONE)
		key ^= 3ull << 62;
	return down ? ~key : key;
}
