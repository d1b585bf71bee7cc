/*
 * agg: count, sum, min, max and avg of cells.  Empty cells count for nothing.
 */
#include "config.h"

#include "agg.h"

const char *const agg_names[AGG_KINDS] = {
	[AGG_COUNT] = "count", [AGG_SUM] = "sum", [AGG_MIN] = "min",
	[AGG_MAX] = "max", [AGG_AVG] = "avg"
};

static const char *const agg_what[AGG_KINDS] = {
	[AGG_COUNT] = "number of rows", [AGG_SUM] = "sum of the values",
	[AGG_MIN] = "the least value", [AGG_MAX] = "the greatest value",
	[AGG_AVG] = "average of the values"
};

enum agg_kind
agg_find(struct str name)
{
	size_t kind = 0;

	while (kind < AGG_KINDS && !str_eq(name, str_of(agg_names[kind])))
		kind++;
	return (enum agg_kind)kind;
}

bool
agg_check(const struct agg *a, const struct token *t, const char *column,
    struct err *err)
{
	const char *fn = agg_names[a->kind];

	if (a->kind != AGG_SUM && a->kind != AGG_AVG)
		return true;
	if (a->type == CELL_ID || a->type == CELL_ADDR)
		return fail_at(err, E_USAGE, t->at, "'%s' is for amounts, and "
		    "'%s' is only the number of something", fn, column);
	if (a->type == CELL_TEXT)
		return fail_at(err, E_USAGE, t->at, "'%s' is for amounts, and "
		    "'%s' is a %s", fn, column, cell_type_name(a->type));
	return true;
}

void
agg_column(const struct agg *a, struct coldef *def)
{
	*def = (struct coldef){ a->name, a->type, agg_what[a->kind], false };
	if (a->kind == AGG_COUNT)
		def->type = CELL_COUNT;
	else if (a->kind == AGG_AVG && (a->type == CELL_COUNT || a->type == CELL_INT || a->type == CELL_MONEY ||
	    a->type == CELL_NONE))
		def->type = CELL_REAL;
}

/* ---- adding ---------------------------------------------------------------------- */

/* Sums of decimals are exact: more decimals make what there is longer.  False: that has no room. */
static bool
add_decimal(struct acc *acc, const struct cell *c)
{
	__int128 units = acc->units, more = c->i;

	if (c->decimals > acc->decimals &&
	    __builtin_mul_overflow(units, (__int128)decimal_power(c->decimals - acc->decimals), &units))
		return false;
	if (c->decimals < acc->decimals)
		more *= decimal_power(acc->decimals - c->decimals);
	if (__builtin_add_overflow(units, more, &units))
		return false;
	acc->units = units;
	acc->decimals = c->decimals > acc->decimals ? c->decimals : acc->decimals;
	acc->exact = true;
	return true;
}

static void
add_value(struct acc *acc, const struct cell *c)
{
	if (c->type == CELL_DECIMAL && add_decimal(acc, c))
		return;
	acc->real |= is_real(c->type) || c->type == CELL_DECIMAL;
	if (c->type == CELL_DECIMAL)
		acc->f += cell_real(c);
	else if (is_real(c->type))
		acc->f += c->f;
	else if (c->type == CELL_INT && c->i < 0)
		acc->minus = num_add(acc->minus, 0 - (uint64_t)c->i);
	else
		acc->plus = num_add(acc->plus, c->u);
}

/* Money of one currency is not more or less than that of another one. */
static bool
same_currency(const struct agg *a, const struct cell *sum, const struct cell *c, struct err *err)
{
	struct buf text = BUF_INIT;

	if (c->type != CELL_MONEY || sum->type != CELL_MONEY || sum->currency == c->currency)
		return true;
	money_currency_name(sum->currency, &text);
	buf_str(&text, STR(" and "));
	money_currency_name(c->currency, &text);
	fail(err, E_USAGE, "%s would put amounts in several currencies together (%.*s); use group currency : %s", agg_names[a->kind],
	    (int)text.n, text.s == NULL ? "" : text.s, agg_names[a->kind]);
	buf_free(&text);
	return false;
}

static bool
add_money(struct acc *acc, const struct cell *c, struct err *err)
{
	struct decimal sum;

	if (acc->n == 0) {
		acc->sum = *c;
		return true;
	}
	sum = cell_amount(&acc->sum);
	if (!decimal_add(&sum, cell_amount(c)))
		return fail(err, E_USAGE, "these amounts are too large to be added up exactly");
	cell_money(&acc->sum, sum, c->currency);
	return true;
}

/* In columns of any type there are cells that are no amounts. */
static bool
is_amount(const struct cell *c)
{
	return c->type != CELL_TEXT && c->type != CELL_ID && c->type != CELL_ADDR;
}

/* Of equal rows the first one stays. */
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

bool
agg_add(const struct agg *a, struct acc *acc, struct rows *in, uint64_t row, struct buf *text, struct err *err)
{
	struct cell c;

	if (a->kind != AGG_COUNT) {
		rows_cell(in, row, a->col, &c);
		if (c.type == CELL_NONE)
			return true;
		if (acc->n > 0 && !same_currency(a, a->kind == AGG_SUM || a->kind == AGG_AVG ? &acc->sum : &acc->best, &c, err))
			return false;
		if (a->kind == AGG_SUM || a->kind == AGG_AVG) {
			if (!is_amount(&c))
				return true;
			if (a->type != CELL_MONEY)
				add_value(acc, &c);
			else if (!add_money(acc, &c, err))
				return false;
		} else if (is_better(a, acc, &c, in, text)) {
			acc->row = row;
			acc->best = c;
		}
	}
	acc->n++;
	return true;
}

/* ---- results --------------------------------------------------------------------- */

/* Decimals and integers together; false: that has no room. */
static bool
decimal_sum(const struct acc *acc, struct cell *c)
{
	__int128 whole = (__int128)acc->plus - (__int128)acc->minus, units;
	unsigned decimals = acc->decimals;

	if (__builtin_mul_overflow(whole, (__int128)decimal_power(decimals), &units) ||
	    __builtin_add_overflow(units, acc->units, &units))
		return false;
	for (; decimals > 0 && units % 10 == 0; decimals--)
		units /= 10;
	if (units > INT64_MAX || units < -(__int128)INT64_MAX)
		return false;
	*c = (struct cell){ .type = CELL_DECIMAL, .decimals = decimals, .i = (int64_t)units };
	return true;
}

/* A sum below 0 is an integer, whatever the unit of its column. */
static void
sum_cell(const struct agg *a, const struct acc *acc, struct cell *c)
{
	uint64_t below = acc->minus - acc->plus;

	if (a->type == CELL_MONEY) {
		c->type = CELL_NONE;
		if (acc->n > 0)
			*c = acc->sum;
		return;
	}
	if (acc->exact && !acc->real && decimal_sum(acc, c))
		return;
	c->type = a->type == CELL_NONE ? CELL_COUNT : a->type;
	if (is_real(a->type) || acc->real || acc->exact) {
		c->f = acc->f + (double)acc->plus - (double)acc->minus +
		    (double)acc->units / (double)decimal_power(acc->decimals);
		c->type = is_real(a->type) ? a->type : CELL_REAL;
	} else if (acc->plus < acc->minus) {
		c->type = CELL_INT;
		c->i = below > INT64_MAX ? INT64_MIN : -(int64_t)below;
	} else {
		c->u = acc->plus - acc->minus;
		if (a->type == CELL_INT && c->u > INT64_MAX)
			c->u = INT64_MAX;
	}
}

static void
avg_cell(const struct agg *a, const struct acc *acc, struct cell *c)
{
	sum_cell(a, acc, c);
	if (c->type == CELL_DECIMAL) {
		c->f = cell_real(c) / (double)acc->n;
		c->type = CELL_REAL;
	} else if (is_real(c->type)) {
		c->f /= (double)acc->n;
	} else if (a->type == CELL_COUNT || a->type == CELL_INT || a->type == CELL_MONEY || a->type == CELL_NONE) {
		c->f = cell_real(c) / (double)acc->n;
		c->type = CELL_REAL;
	} else if (c->type == CELL_INT) {
		c->i /= (int64_t)acc->n;
	} else {
		c->u = c->u / acc->n + (c->u % acc->n > (acc->n - 1) / 2);
	}
}

void
agg_cell(const struct agg *a, const struct acc *acc, struct rows *in, struct cell *c)
{
	c->type = CELL_NONE;
	switch (a->kind) {
	case AGG_COUNT:
		c->type = CELL_COUNT;
		c->u = acc->n;
		break;
	case AGG_SUM:
		sum_cell(a, acc, c);
		break;
	case AGG_MIN:
	case AGG_MAX:
		if (acc->n > 0 && acc->best.type == CELL_TEXT)
			rows_cell(in, acc->row, a->col, c);
		else if (acc->n > 0)
			*c = acc->best;
		break;
	case AGG_AVG:
		if (acc->n > 0)
			avg_cell(a, acc, c);
		break;
	case AGG_KINDS:
		break;
	}
}
