/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * literal: the values in a query.
 */
#include "config.h"

#include "lang.h"

/* Counts go by thousands: "10k" is 10000. */
static bool
read_count(struct str s, uint64_t *value)
{
	static const struct {
		char	letter;
		double	size;
	} units[] = { { 'k', 1e3 }, { 'm', 1e6 }, { 'g', 1e9 } };
	double n;

	if (num_u64(s, 0, value))
		return true;
	for (size_t i = 0; s.n > 1 && i < NELEM(units); i++) {
		if ((s.s[s.n - 1] | 32) != units[i].letter)
			continue;
		s.n--;
		if (!num_f64(s, &n) || n < 0 || n * units[i].size >= 0x1p63)
			return false;
		*value = (uint64_t)(n * units[i].size + 0.5);
		return true;
	}
	return false;
}

static bool
read_id(struct str s, uint64_t *value)
{
	if (str_has_prefix(s, STR("@"))) {
		s.s++;
		s.n--;
	}
	return num_u64(s, 0, value);
}

static bool
read_percent(struct str s, double *value)
{
	if (s.n > 0 && s.s[s.n - 1] == '%')
		s.n--;
	return num_f64(s, value);
}

/* In a column of plain numbers 50% is 0.5 and 2k is 2000. */
static bool
read_real(struct str s, double *value)
{
	uint64_t count;

	if (num_f64(s, value))
		return true;
	if (s.n > 0 && s.s[s.n - 1] == '%') {
		if (!read_percent(s, value))
			return false;
		*value /= 100;
		return true;
	}
	if (!read_count(s, &count))
		return false;
	*value = (double)count;
	return true;
}

static bool
read_int(struct str s, int64_t *value)
{
	uint64_t count;

	if (num_i64(s, 0, value))
		return true;
	if (!read_count(s, &count) || count > INT64_MAX)
		return false;
	*value = (int64_t)count;
	return true;
}

static bool
read_bool(struct str s, uint64_t *value)
{
	*value = str_eq(s, STR("true")) || str_eq(s, STR("1"));
	return *value || str_eq(s, STR("false")) || str_eq(s, STR("0"));
}

/* Read an amount without a currency: it compares with money of any currency. */
static bool
read_money(struct str s, struct cell *c)
{
	struct decimal d;
	uint64_t count;

	if (!decimal_read(s, &d)) {
		if (!read_count(s, &count))
			return false;
		d = (struct decimal){ (__int128)count, 0 };
	}
	cell_decimal(c, d, MONEY_NO_CURRENCY);
	return true;
}

/* Read a number for no particular column: as in a calculation 10k is 10000, 10kB a size and 50% a half. */
static bool
read_any(struct str s, struct cell *c)
{
	c->type = CELL_COUNT;
	if (num_u64(s, 0, &c->u))
		return true;
	c->type = CELL_INT;
	if (num_i64(s, 0, &c->i))
		return true;
	c->type = CELL_REAL;
	if (num_f64(s, &c->f))
		return true;
	c->type = CELL_ID;
	if (str_has_prefix(s, STR("@")) && read_id(s, &c->u))
		return true;
	c->type = CELL_BOOL;
	if (read_bool(s, &c->u))
		return true;
	c->type = CELL_TIME;
	if (num_duration(s, &c->u))
		return true;
	c->type = CELL_BYTES;
	if (num_size(s, &c->u) && (s.s[s.n - 1] | 32) == 'b')
		return true;
	c->type = CELL_COUNT;
	if (read_count(s, &c->u))
		return true;
	c->type = CELL_REAL;
	if (read_real(s, &c->f))
		return true;
	c->type = CELL_TEXT;
	c->text = s;
	return true;
}

/* Negative amounts are integers. */
static bool
read_below(struct str s, enum cell_type type, struct cell *c)
{
	struct str amount = { s.s + 1, s.n - 1 };
	uint64_t u;

	if (!num_u64(amount, 0, &u) && !(type == CELL_TIME ? num_duration(amount, &u) :
	    num_size(amount, &u)))
		return false;
	c->type = CELL_INT;
	c->i = u > INT64_MAX ? INT64_MIN : -(int64_t)u;
	return true;
}

static bool
read_value(struct str s, enum cell_type type, struct cell *c)
{
	c->type = type;
	if ((type == CELL_TIME || type == CELL_BYTES) && s.n > 1 && s.s[0] == '-')
		return read_below(s, type, c);
	switch (type) {
	case CELL_ADDR:
		return num_u64(s, 0, &c->u);
	case CELL_ID:
		return read_id(s, &c->u);
	case CELL_COUNT:
		return read_count(s, &c->u);
	case CELL_INT:
		return read_int(s, &c->i);
	case CELL_REAL:
		return read_real(s, &c->f);
	case CELL_BYTES:
		return num_u64(s, 0, &c->u) || num_size(s, &c->u);
	case CELL_TIME:
		return num_u64(s, 0, &c->u) || num_duration(s, &c->u);
	case CELL_PERCENT:
		return read_percent(s, &c->f);
	case CELL_BOOL:
		return read_bool(s, &c->u);
	case CELL_DECIMAL:
		return read_money(s, c);
	case CELL_TEXT:
		c->text = s;
		return true;
	case CELL_NONE:
		return read_any(s, c);
	}
	return false;
}

const char *
literal_example(enum cell_type type)
{
	static const char *const examples[] = {
		[CELL_NONE] = "1", [CELL_ID] = "12 or 0x1f40",
		[CELL_ADDR] = "0x1f40",
		[CELL_COUNT] = "500, 10k or 2M", [CELL_INT] = "12, -1 or 2k",
		[CELL_REAL] = "1.5, 2k or 50%", [CELL_BYTES] = "10k, 4M or 1.5g",
		[CELL_TIME] = TIME_EXAMPLE, [CELL_PERCENT] = "12.5%",
		[CELL_BOOL] = "true", [CELL_DECIMAL] = "12.50, -3 or 2k",
		[CELL_TEXT] = "'name'"
	};

	return examples[type];
}

/* Report a number followed by letters that are not a unit of time. */
static bool
fail_time(const struct token *t, struct err *err)
{
	struct str s = t->text;
	size_t n = 0;
	double v;

	while (n < s.n && (is_digit(s.s[n]) || s.s[n] == '.'))
		n++;
	if (t->kind != TOKEN_WORD || n == 0 || n == s.n || s.s[n] < 'A' ||
	    !num_f64((struct str){ s.s, n }, &v))
		return false;
	if (str_eq((struct str){ s.s + n, s.n - n }, STR("m")))
		fail_at(err, E_USAGE, t->at, "'%.*s' is ambiguous; use %.*smin or %.*sms", (int)s.n, s.s,
		    (int)n, s.s, (int)n, s.s);
	else if (s.n - n == 1 && (s.s[n] == 'k' || s.s[n] == 'M' || s.s[n] == 'G'))
		fail_at(err, E_USAGE, t->at, "%.*s has no time unit; use %.*sus, %.*sms ...", (int)s.n, s.s,
		    (int)n, s.s, (int)n, s.s);
	else
		fail_at(err, E_USAGE, t->at, "unknown unit '%.*s'; use ns us ms s min h", (int)(s.n - n),
		    s.s + n);
	return true;
}

bool
literal_read(const struct token *t, enum cell_type type, struct cell *c,
    struct err *err)
{
	const char *what = cell_type_name(type);

	if (t->kind == TOKEN_TEXT && (type == CELL_TEXT || type == CELL_NONE)) {
		c->type = CELL_TEXT;
		c->text = t->text;
		return true;
	}
	if (t->kind == TOKEN_WORD && read_value(t->text, type, c))
		return true;
	if (type == CELL_TIME && err != NULL && fail_time(t, err))
		return false;
	return fail_at(err, E_USAGE, t->at, "'%.*s' is not a%s %s; e.g. %s",
	    (int)t->text.n, t->text.s, what[0] == 'a' ? "n" : "", what,
	    literal_example(type));
}
