/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * agg: aggregates of cells.  Empty cells count for nothing.
 */
#include "config.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "agg.h"

static const struct {
	const char	*name, *what;
	bool		 column;	/* the aggregate can be about a column */
	bool		 alone;		/* the aggregate can be about rows, without a column */
	bool		 amounts;	/* the aggregate takes no texts and ids */
} aggs[AGG_KINDS] = {
	[AGG_COUNT] = { "count", "number of rows", false, true, false },
	[AGG_SUM] = { "sum", "sum", true, false, true },
	[AGG_MIN] = { "min", "minimum", true, false, false },
	[AGG_MAX] = { "max", "maximum", true, false, false },
	[AGG_AVG] = { "avg", "mean", true, false, true },
	[AGG_PERCENTILE] = { "pN", "percentile by nearest rank", true, false, true },
	[AGG_DISTINCT] = { "distinct", "number of different values", true, false, false },
	[AGG_SHARE] = { "share", "share of the total", true, true, true },
	[AGG_FIRST] = { "first", "value of the first row", true, false, false },
	[AGG_LAST] = { "last", "value of the last row", true, false, false }
};

/* ---- names ----------------------------------------------------------------------- */

const char *
agg_name(const struct agg *a, char text[AGG_NAME])
{
	if (a->kind != AGG_PERCENTILE)
		return aggs[a->kind].name;
	snprintf(text, AGG_NAME, "p%u", a->percent);
	return text;
}

bool
agg_takes_column(const struct agg *a)
{
	return aggs[a->kind].column;
}

bool
agg_needs_column(const struct agg *a)
{
	return !aggs[a->kind].alone;
}

bool
agg_check(const struct agg *a, const struct token *t, const char *column, struct err *err)
{
	char text[AGG_NAME];

	if (aggs[a->kind].amounts && (a->type == CELL_ID || a->type == CELL_ADDR || a->type == CELL_TEXT))
		return fail_at(err, E_USAGE, t->at, "'%s' needs an amount; '%s' is %s", agg_name(a, text),
		    column, a->type == CELL_TEXT ? "a string" : a->type == CELL_ID ? "an id" : "an address");
	return true;
}

/* Return true if an average of values of that type is a real. */
static bool
averages_real(enum cell_type type)
{
	return type == CELL_COUNT || type == CELL_INT || type == CELL_DECIMAL || type == CELL_NONE;
}

void
agg_column(const struct agg *a, struct coldef *def)
{
	*def = (struct coldef){ a->name, a->type, aggs[a->kind].what, false, .of = a->of,
	    .mostly = a->numbers ? MOSTLY_NUMBERS : MOSTLY_ANYTHING };
	if (a->kind == AGG_COUNT || a->kind == AGG_DISTINCT)
		def->type = CELL_COUNT;
	else if (a->kind == AGG_SHARE)
		def->type = CELL_PERCENT;
	else if (a->kind == AGG_AVG && averages_real(a->type))
		def->type = CELL_REAL;
}

void
agg_free(struct agg *a)
{
	free(a->name);
	keys_free(&a->keys);
	scratch_free(&a->exact);
}

/* ---- what is gathered ------------------------------------------------------------ */

/* Return true if the aggregate accumulates a sum. */
static bool
adds_up(const struct agg *a)
{
	return a->kind == AGG_SUM || a->kind == AGG_AVG || a->kind == AGG_SHARE;
}

size_t
agg_bytes(const struct agg *a)
{
	if (a->kind == AGG_COUNT || a->kind == AGG_DISTINCT)
		return sizeof ((const struct acc *)0)->n;
	return adds_up(a) ? offsetof(struct acc, sum) + sizeof ((const struct acc *)0)->sum :
	    sizeof(struct acc);
}

static struct acc *
acc_of(const struct agg *a, const struct accs *accs, uint64_t group)
{
	return (struct acc *)(void *)(accs->of.data + group * accs->bytes + a->at);
}

/* Return NULL if out of memory. */
static struct exact_sum *
exact_of(struct agg *a, uint64_t group, struct err *err)
{
	if (!scratch_array(&a->exact, group + 1, sizeof(struct exact_sum), err))
		return NULL;
	a->exacts = group < a->exacts ? a->exacts : group + 1;
	return &SCRATCH(a->exact, struct exact_sum)[group];
}

/* Total of a group; integer sums are added by agg_finish. */
static struct exact_sum
exact_get(const struct agg *a, const struct accs *accs, uint64_t group)
{
	if (group < a->exacts)
		return SCRATCH(a->exact, struct exact_sum)[group];
	return (struct exact_sum){ .sum.value = acc_of(a, accs, group)->sum };
}

/* ---- adding ---------------------------------------------------------------------- */

static bool
add_exact(struct exact_sum *to, struct decimal d, struct err *err)
{
	return decimal_add(&to->sum, d) || fail(err, E_USAGE,
	    "these numbers are too large to be added up exactly");
}

/* The sum of integers cannot overflow, however many rows there are. */
static bool
agg_add_value(struct agg *a, struct acc *acc, uint64_t group, const struct cell *c, struct err *err)
{
	struct exact_sum *exact;

	if (c->type != CELL_DECIMAL && !is_real(c->type)) {
		acc->sum += cell_exact(c).value;
		return true;
	}
	if ((exact = exact_of(a, group, err)) == NULL)
		return false;
	if (c->type == CELL_DECIMAL) {
		exact->decimals = true;
		return add_exact(exact, cell_exact(c), err);
	}
	exact->real = true;
	exact->f += c->f;
	return true;
}

bool
currency_joins(struct one_currency *all, const struct cell *c)
{
	if (!all->known)
		*all = (struct one_currency){ true, c->currency };
	return all->code == c->currency;
}

bool
fail_currencies(const struct one_currency *all, const struct cell *c, const char *word, const char *use,
    struct err *err)
{
	struct buf text = BUF_INIT;

	money_currency_name(all->code, &text);
	buf_str(&text, STR(" and "));
	money_currency_name(c->currency, &text);
	fail(err, E_USAGE, "%s would mix currencies (%.*s); use %s", word, (int)text.n,
	    text.s == NULL ? "" : text.s, use);
	buf_free(&text);
	return false;
}

/* Amounts in different currencies cannot be compared, added or shared. */
static bool
same_currency(struct agg *a, uint64_t group, const struct cell *c, struct err *err)
{
	struct one_currency *all = &a->money;
	char name[AGG_NAME], use[AGG_NAME + 20];
	const char *word;
	struct exact_sum *exact;

	if (c->type != CELL_DECIMAL)
		return true;
	if (a->kind != AGG_SHARE) {
		if ((exact = exact_of(a, group, err)) == NULL)
			return false;
		all = &exact->money;
	}
	if (currency_joins(all, c))
		return true;
	word = agg_name(a, name);
	snprintf(use, sizeof use, "group currency : %s", word);
	return fail_currencies(all, c, word, a->kind == AGG_SHARE ? "where currency = ... before it" : use,
	    err);
}

/* Return true if only amounts count.  In a column of numbers words are neither minimum nor maximum. */
static bool
wants_amounts(const struct agg *a)
{
	return adds_up(a) || a->kind == AGG_PERCENTILE || (a->numbers &&
	    (a->kind == AGG_MIN || a->kind == AGG_MAX));
}

/* Columns of any type may contain cells that are not amounts. */
static bool
agg_is_amount(const struct cell *c)
{
	return c->type != CELL_TEXT && c->type != CELL_ID && c->type != CELL_ADDR;
}

/* If values are equal, the first row is kept. */
static bool
is_better(const struct agg *a, const struct acc *acc, struct cell *c,
    struct rows *in, struct buf *text)
{
	struct cell best = acc->best;
	int order;

	if (acc->n == 0)
		return true;
	if (c->type == CELL_TEXT) {
		buf_clear(text);
		buf_str(text, c->text);
		cell_text(in, c, text);
	}
	if (best.type == CELL_TEXT)
		rows_cell(in, acc->row, a->col, &best);
	order = cell_cmp(c, &best);
	return a->kind == AGG_MIN ? order < 0 : order > 0;
}

/* Equal values of one group have the same number, so a new number is a new value. */
static bool
add_distinct(struct agg *a, struct acc *acc, uint32_t group, const struct cell *c, struct err *err)
{
	uint32_t known = a->keys.texts.n, number;

	if (!keys_cell(&a->keys, group, c, &number, err))
		return false;
	acc->n += number > known;
	return true;
}

static bool
agg_add_cell(struct agg *a, struct acc *acc, uint32_t group, struct rows *in, uint64_t row, struct cell c,
    struct buf *text, struct err *err)
{
	if (c.type == CELL_NONE || (a->kind >= AGG_DISTINCT && c.type == CELL_TEXT && c.text.n == 0))
		return true;
	if (a->kind == AGG_DISTINCT)
		return add_distinct(a, acc, group, &c, err);
	if (wants_amounts(a) && !agg_is_amount(&c)) {
		a->dropped += c.type != CELL_TEXT || c.text.n > 0;
		return true;
	}
	if (a->kind < AGG_FIRST && !same_currency(a, group, &c, err))
		return false;
	if (a->owns && !values_add(a->values, group, row, &c, err))
		return false;
	if (adds_up(a) && !agg_add_value(a, acc, group, &c, err))
		return false;
	if (a->kind == AGG_FIRST || a->kind == AGG_LAST ||
	    ((a->kind == AGG_MIN || a->kind == AGG_MAX) && is_better(a, acc, &c, in, text))) {
		acc->row = row;
		acc->best = c;
	}
	acc->n++;
	return true;
}

/* Add the integers of a batch to their sums; false: the batch needs add_cell. */
static bool
add_integers(const struct agg *a, const struct accs *accs, const uint32_t *number, const struct batch *b,
    size_t n)
{
	bool signs = b->type == CELL_INT;
	struct acc all = { .n = 0 }, *to = &all;

	if (!adds_up(a) || b->values > 0 || b->type == CELL_ID || b->type == CELL_ADDR ||
	    a->type == CELL_DECIMAL)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (b->empty && b->none[i])
			continue;
		if (number != NULL)
			to = acc_of(a, accs, number[i] - 1);
		to->sum += signs ? (__int128)(int64_t)b->u[i] : (__int128)b->u[i];
		to->n++;
	}
	if (number == NULL) {
		to = acc_of(a, accs, 0);
		to->sum += all.sum;
		to->n += all.n;
	}
	return true;
}

bool
agg_add(struct agg *a, const struct accs *accs, const uint32_t *number, struct rows *r, uint64_t first,
    size_t n, struct batch *b, struct buf *text)
{
	bool batch = a->col != AGG_NO_COLUMN && rows_batch(r->in, first, n, a->col, b);
	struct cell c = { .type = CELL_NONE };
	uint32_t group = 0;
	struct acc *to;

	if (batch && add_integers(a, accs, number, b, n))
		return true;
	for (size_t i = 0; i < n; i++) {
		group = number == NULL ? 0 : number[i] - 1;
		to = acc_of(a, accs, group);
		if (a->col == AGG_NO_COLUMN) {
			to->n++;
			continue;
		}
		if (a->kind == AGG_FIRST && to->n > 0)
			continue;
		if (batch)
			batch_cell(b, i, &c);
		else if (rows_tick(r, first + i))
			rows_cell(r->in, first + i, a->col, &c);
		else
			return false;
		if (!agg_add_cell(a, to, group, r->in, first + i, c, text, &r->err))
			return false;
	}
	return true;
}

/* ---- results --------------------------------------------------------------------- */

/* A negative sum is an integer, whatever its unit.  A sum of no values is 0 only if the unit is known. */
static void
sum_cell(const struct agg *a, const struct accs *accs, uint64_t group, struct cell *c)
{
	struct exact_sum exact = exact_get(a, accs, group);
	__int128 sum = exact.sum.value;

	c->type = CELL_NONE;
	if ((a->type == CELL_NONE || a->type == CELL_DECIMAL) && acc_of(a, accs, group)->n == 0)
		return;
	if (is_real(a->type) || exact.real) {
		c->type = is_real(a->type) ? a->type : CELL_REAL;
		c->f = exact.f + decimal_real(exact.sum);
	}
	if (exact.real)
		return;
	if (exact.decimals || a->type == CELL_DECIMAL) {
		cell_decimal(c, exact.sum, exact.money.code);
	} else if (!is_real(a->type)) {
		c->type = sum < 0 ? CELL_INT : a->type == CELL_NONE ? CELL_COUNT : a->type;
		if (c->type == CELL_INT)
			c->i = sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : (int64_t)sum;
		else
			c->u = sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
	}
}

static void
avg_cell(const struct agg *a, const struct accs *accs, uint64_t group, struct cell *c)
{
	uint64_t n = acc_of(a, accs, group)->n;

	sum_cell(a, accs, group, c);
	if (c->type == CELL_DECIMAL) {
		c->f = cell_real(c) / (double)n;
		c->type = CELL_REAL;
	} else if (is_real(c->type)) {
		c->f /= (double)n;
	} else if (averages_real(a->type)) {
		c->f = cell_real(c) / (double)n;
		c->type = CELL_REAL;
	} else if (c->type == CELL_INT) {
		c->i /= (int64_t)n;
	} else {
		c->u = c->u / n + (c->u % n > (n - 1) / 2);
	}
}

/* Return what a group adds to the total of a share. */
static double
share_part(const struct agg *a, const struct accs *accs, uint64_t group)
{
	struct cell c = { .type = CELL_NONE };

	if (a->col == AGG_NO_COLUMN)
		return (double)acc_of(a, accs, group)->n;
	sum_cell(a, accs, group, &c);
	return cell_real(&c);
}

/* Select value number ceil(percent * n / 100) of the n sorted values of each group. */
static bool
find_percentiles(struct agg *a, const struct accs *accs, uint64_t groups, struct rows *r, struct err *err)
{
	uint64_t rank, n;

	if (!values_group(a->values, groups, r, err))
		return false;
	for (uint64_t i = 0; i < groups; i++) {
		n = acc_of(a, accs, i)->n;
		rank = n / 100 * a->percent + (n % 100 * a->percent + 99) / 100;
		if (!rows_tick(r, i))
			return false;
		if (n > 0)
			acc_of(a, accs, i)->value = values_select(a->values, i, rank - 1, r->in);
	}
	return true;
}

bool
agg_finish(struct agg *a, const struct accs *accs, uint64_t groups, struct rows *r, struct err *err)
{
	if (a->kind == AGG_PERCENTILE)
		return find_percentiles(a, accs, groups, r, err);
	if (a->kind == AGG_DISTINCT)
		keys_free(&a->keys);
	for (uint64_t i = 0; adds_up(a) && i < a->exacts; i++)
		if (!add_exact(&SCRATCH(a->exact, struct exact_sum)[i],
		    (struct decimal){ acc_of(a, accs, i)->sum, 0 }, err))
			return false;
	for (uint64_t i = 0; a->kind == AGG_SHARE && i < groups; i++)
		a->total += share_part(a, accs, i);
	return true;
}

void
agg_cell(const struct agg *a, const struct accs *accs, uint64_t group, struct rows *in, struct cell *c)
{
	const struct acc *acc = acc_of(a, accs, group);

	c->type = CELL_NONE;
	switch (a->kind) {
	case AGG_COUNT:
	case AGG_DISTINCT:
		c->type = CELL_COUNT;
		c->u = acc->n;
		break;
	case AGG_SUM:
		sum_cell(a, accs, group, c);
		break;
	case AGG_MIN:
	case AGG_MAX:
	case AGG_FIRST:
	case AGG_LAST:
		if (acc->n > 0 && (a->kind >= AGG_FIRST || acc->best.type == CELL_TEXT))
			rows_cell(in, acc->row, a->col, c);
		else if (acc->n > 0)
			*c = acc->best;
		break;
	case AGG_AVG:
		if (acc->n > 0)
			avg_cell(a, accs, group, c);
		break;
	case AGG_PERCENTILE:
		if (acc->n > 0)
			values_cell(a->values, acc->value, in, c);
		break;
	case AGG_SHARE:
		if (a->total != 0)
			*c = (struct cell){ .type = CELL_PERCENT,
			    .f = 100 * share_part(a, accs, group) / a->total };
		break;
	case AGG_KINDS:
		break;
	}
	/* Infinities of both signs have no sum: it is NaN, and the cell is empty. */
	if (is_real(c->type) && isnan(c->f))
		c->type = CELL_NONE;
}
