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
	*def = (struct coldef){ a->name, a->type, agg_what[a->kind], false, .of = a->of };
	if (a->kind == AGG_COUNT)
		def->type = CELL_COUNT;
	else if (a->kind == AGG_AVG && (a->type == CELL_COUNT || a->type == CELL_INT || a->type == CELL_DECIMAL ||
	    a->type == CELL_NONE))
		def->type = CELL_REAL;
}

/* ---- adding ---------------------------------------------------------------------- */

static bool
add_value(struct acc *acc, const struct cell *c, struct err *err)
{
	if (is_real(c->type)) {
		acc->real = true;
		acc->f += c->f;
		return true;
	}
	acc->decimals |= c->type == CELL_DECIMAL;
	return decimal_add(&acc->sum, cell_exact(c)) || fail(err, E_USAGE, "these numbers are too large to be added up exactly");
}

/* Money of one currency is not more or less than that of another one. */
static bool
same_currency(const struct agg *a, struct acc *acc, const struct cell *c, struct err *err)
{
	struct buf text = BUF_INIT;

	if (c->type != CELL_DECIMAL)
		return true;
	if (acc->n == 0)
		acc->currency = c->currency;
	if (acc->currency == c->currency)
		return true;
	money_currency_name(acc->currency, &text);
	buf_str(&text, STR(" and "));
	money_currency_name(c->currency, &text);
	fail(err, E_USAGE, "%s would put amounts in several currencies together (%.*s); use group currency : %s", agg_names[a->kind],
	    (int)text.n, text.s == NULL ? "" : text.s, agg_names[a->kind]);
	buf_free(&text);
	return false;
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
		if (!same_currency(a, acc, &c, err))
			return false;
		if (a->kind == AGG_SUM || a->kind == AGG_AVG) {
			if (!is_amount(&c))
				return true;
			if (!add_value(acc, &c, err))
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

/* A sum below 0 is an integer, whatever the unit of its column. */
static void
sum_cell(const struct agg *a, const struct acc *acc, struct cell *c)
{
	__int128 sum = acc->sum.value;

	if (is_real(a->type) || acc->real) {
		c->type = is_real(a->type) ? a->type : CELL_REAL;
		c->f = acc->f + decimal_real(acc->sum);
	}
	if (acc->real)
		return;
	if (acc->decimals || a->type == CELL_DECIMAL) {
		c->type = CELL_NONE;
		if (acc->n > 0)
			cell_decimal(c, acc->sum, acc->currency);
	} else if (!is_real(a->type)) {
		c->type = sum < 0 ? CELL_INT : a->type == CELL_NONE ? CELL_COUNT : a->type;
		if (c->type == CELL_INT)
			c->i = sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : (int64_t)sum;
		else
			c->u = sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
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
	} else if (a->type == CELL_COUNT || a->type == CELL_INT || a->type == CELL_NONE) {
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
