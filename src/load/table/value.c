/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * value: numbers as written by spreadsheets and banks; and kinds of column values.
 */
#include "config.h"

#include <string.h>

#include "table.h"

#define NUMBER_TEXT 128		/* maximum length of a number */
#define DIGITS 38		/* that fit into 128 bits */
/* numbers with this number of digits, all equal in length, are codes: a status, a year */
#define CODE_DIGITS 3u
#define ODD_MOST 1000u		/* values of a text column examined for numbers */
#define LEAST_ALIKE 2u		/* minimum number of values */
#define LEAST_RISING 4u		/* ids increase from record to record */

/* ---- numbers ------------------------------------------------------------------------ */

static bool
is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

static const struct { struct str bytes; char as; } marks[] = {
	{ { "\xe2\x88\x92", 3 }, '-' },							/* minus */
	/* Non-breaking blanks */
	{ { "\xc2\xa0", 2 }, ' ' }, { { "\xe2\x80\xaf", 3 }, ' ' },
	/* Euro, pound, yen */
	{ { "\xe2\x82\xac", 3 }, '$' }, { { "\xc2\xa3", 2 }, '$' }, { { "\xc2\xa5", 2 }, '$' }
};

/* Replace multi-byte characters of numbers by one byte each; false: another character. */
static bool
simplify(struct str s, char *to, size_t *n)
{
	size_t i;

	for (*n = 0; s.n > 0; ++*n) {
		if (*n == NUMBER_TEXT)
			return false;
		if ((unsigned char)s.s[0] < 0x80) {
			to[*n] = s.s[0];
			s = str_after(s, 1);
			continue;
		}
		for (i = 0; i < NELEM(marks) && !str_take(&s, marks[i].bytes); i++)
			;
		if (i == NELEM(marks))
			return false;
		to[*n] = marks[i].as;
	}
	return true;
}

static void
trim_blanks(struct str *s)
{
	*s = str_trim(*s);
}

/* "$", "EUR", "R$" at the start, optionally after a sign, or at the end. */
static size_t
currency_length(struct str s)
{
	if (s.n > 0 && s.s[0] == '$')
		return 1;
	if (s.n > 2 && is_capital(s.s[0]) && is_capital(s.s[1]) && is_capital(s.s[2]))
		return 3;
	return s.n > 1 && s.s[0] == 'R' && s.s[1] == '$' ? 2 : 0;
}

static bool
take_sign(struct str *s, bool *below)
{
	if (s->n == 0 || (s->s[0] != '-' && s->s[0] != '+'))
		return false;
	*below ^= s->s[0] == '-';
	*s = str_after(*s, 1);
	return true;
}

/* A sign and a currency in any order; false: two signs. */
static bool
take_front(struct str *s, bool *below, bool *sign)
{
	struct str in;
	size_t n;

	*sign = take_sign(s, below);
	in = str_skip_blanks(*s);
	if ((n = currency_length(in)) == 0)
		return true;
	*s = str_skip_blanks(str_after(in, n));
	return !take_sign(s, below) || (!*sign && (*sign = true));
}

static bool
take_back(struct str *s, bool *below, bool *sign)
{
	size_t n = s->n;

	if (n > 0 && (s->s[n - 1] == '$' || s->s[n - 1] == '%'))
		s->n--;
	else if (n > 2 && is_capital(s->s[n - 1]) && is_capital(s->s[n - 2]) && is_capital(s->s[n - 3]))
		s->n -= 3;
	if (s->n < n)
		trim_blanks(s);
	if (s->n > 0 && (s->s[s->n - 1] == '-' || s->s[s->n - 1] == '+')) {
		if (*sign)
			return false;
		*below ^= s->s[--s->n] == '-';
	}
	trim_blanks(s);
	return true;
}

/* Append digits to an amount; false: too many digits. */
static bool
add_digits(struct amount *a, struct str digits, unsigned *n)
{
	for (size_t i = 0; i < digits.n; i++) {
		if (*n > 0 || digits.s[i] != '0')
			++*n;
		if (*n > DIGITS)
			return false;
		a->units = a->units * 10 + (unsigned)(digits.s[i] - '0');
	}
	return true;
}

static enum amount_verdict
put_fraction(struct amount *a, struct str part, unsigned *n)
{
	size_t kept;

	while (part.n > 0 && part.s[part.n - 1] == '0')
		part.n--;
	kept = part.n < AMOUNT_DECIMALS ? part.n : AMOUNT_DECIMALS;
	if (!add_digits(a, (struct str){ part.s, kept }, n))
		return AMOUNT_TOO_LARGE;
	a->decimals = (unsigned)kept;
	a->rounded = part.n > kept;
	a->units += a->rounded && part.s[kept] >= '5';
	return AMOUNT_IS;
}

static bool
all_digits(struct str s)
{
	return s.n > 0 && str_digits(s) == s.n;
}

/* Parse "12.5e-3"; NONE: another form. */
static enum amount_verdict
read_exponent(struct str s, struct amount *a)
{
	struct str whole, part = STR(""), power;
	size_t at = 0;
	unsigned n = 0, e = 0;
	bool below = false;

	while (at < s.n && (s.s[at] | 32) != 'e')
		at++;
	whole = (struct str){ s.s, at };
	if (at == s.n || (str_divide(whole, STR("."), &whole, &part) && !all_digits(part)) ||
	    !all_digits(whole))
		return AMOUNT_NONE;
	power = str_after(s, at + 1);
	take_sign(&power, &below);
	if (!all_digits(power) || power.n > 3)
		return AMOUNT_NONE;
	for (size_t i = 0; i < power.n; i++)
		e = e * 10 + (unsigned)(power.s[i] - '0');
	if (!add_digits(a, whole, &n) || put_fraction(a, part, &n) == AMOUNT_TOO_LARGE)
		return AMOUNT_TOO_LARGE;
	for (; e > 0 && a->units > 0; e--) {
		if (!below && a->decimals > 0) {
			a->decimals--;
		} else if (!below) {
			if (++n > DIGITS)
				return AMOUNT_TOO_LARGE;
			a->units *= 10;
		} else if (a->decimals < AMOUNT_DECIMALS) {
			a->decimals++;
		} else {
			a->rounded |= a->units % 10 != 0;
			a->units = a->units / 10 + (e == 1 && a->units % 10 >= 5);
		}
	}
	for (; a->decimals > 0 && a->units % 10 == 0; a->decimals--)
		a->units /= 10;
	return AMOUNT_IS;
}

static bool
ends_group(char c, char other)
{
	return c == other || c == ' ' || c == '\'';
}

/* Parse digits in groups of three; the first group may be shorter. */
static enum amount_verdict
read_whole(struct str s, char other, struct amount *a, unsigned *n)
{
	struct str group;
	bool first = true, several = false;

	for (size_t i = 0; i < s.n; i++)
		several |= ends_group(s.s[i], other);
	while (s.n > 0 || (several && first)) {
		size_t digits = str_digits(s);

		if (several && (digits > 3 || digits == 0 || (!first && digits != 3)))
			return AMOUNT_NONE;
		group = (struct str){ s.s, digits };
		s = str_after(s, digits);
		if (s.n > 0 && (!ends_group(s.s[0], other) || s.n == 1))
			return AMOUNT_NONE;
		if (!add_digits(a, group, n))
			return AMOUNT_TOO_LARGE;
		s = str_after(s, s.n > 0);
		first = false;
	}
	return AMOUNT_IS;
}

static enum amount_verdict
read_body(struct str body, char mark, struct amount *a)
{
	struct str whole = body, part = STR("");
	enum amount_verdict v;
	unsigned n = 0;

	str_divide(body, (struct str){ &mark, 1 }, &whole, &part);
	if (str_digits(part) != part.n || whole.n + part.n == 0)
		return AMOUNT_NONE;
	v = read_whole(whole, mark == '.' ? ',' : '.', a, &n);
	return v == AMOUNT_IS ? put_fraction(a, part, &n) : v;
}

/* Fast path for most numbers: an optional minus sign, digits, at most one decimal mark, 18 characters. */
static bool
read_plain(struct str s, char mark, struct amount *a)
{
	uint64_t v = 0;
	size_t i, point = s.n;

	a->below = s.n > 0 && s.s[0] == '-';
	if (s.n == (size_t)a->below || s.n > 18)
		return false;
	for (i = a->below; i < s.n; i++) {
		if (is_digit(s.s[i]))
			v = v * 10 + (unsigned)(s.s[i] - '0');
		else if (s.s[i] == mark && point == s.n)
			point = i;
		else
			return false;
	}
	a->decimals = point == s.n ? 0 : (unsigned)(s.n - point - 1);
	/* A mark without digits is not a number. */
	if (s.n == a->below + (size_t)(point < s.n))
		return false;
	for (; a->decimals > 0 && v % 10 == 0; a->decimals--)
		v /= 10;
	a->units = v;
	return true;
}

enum amount_verdict
sheet_amount(struct str value, char mark, struct amount *a)
{
	char text[NUMBER_TEXT];
	struct str s;
	bool sign, brackets;
	enum amount_verdict v = AMOUNT_NONE;

	*a = (struct amount){ 0, 0, false, false };
	if (read_plain(value, mark, a))
		return AMOUNT_IS;
	*a = (struct amount){ 0, 0, false, false };
	value = sheet_trim(value);
	if (value.n == 0 || !simplify(value, text, &s.n))
		return AMOUNT_NONE;
	s.s = text;
	brackets = s.n > 1 && s.s[0] == '(' && s.s[s.n - 1] == ')';
	if (brackets) {
		s = (struct str){ s.s + 1, s.n - 2 };
		trim_blanks(&s);
	}
	if (!take_front(&s, &a->below, &sign) || !take_back(&s, &a->below, &sign))
		return AMOUNT_NONE;
	trim_blanks(&s);
	if (mark == '.')
		v = read_exponent(s, a);
	if (v == AMOUNT_NONE)
		v = read_body(s, mark, a);
	a->below ^= brackets;
	return v;
}

struct str
sheet_currency(struct str s)
{
	static const struct str signs[] =
	    { { "$", 1 }, { "\xe2\x82\xac", 3 }, { "\xc2\xa3", 2 }, { "\xc2\xa5", 2 } };
	struct str at;

	s = sheet_trim(s);
	while (s.n > 0 && (s.s[0] == '(' || s.s[0] == '-' || s.s[0] == '+' || s.s[0] == ' '))
		s = str_after(s, 1);
	while (s.n > 0 && (s.s[s.n - 1] == ')' || s.s[s.n - 1] == ' '))
		s.n--;
	if (s.n == 0 || (is_digit(s.s[0]) && is_digit(s.s[s.n - 1])))
		return STR("");
	if (str_begins(s, "R$"))
		return STR("R$");
	if (str_ends(s, "%"))
		return STR("%");
	for (size_t i = 0; i < NELEM(signs); i++)
		if (str_has_prefix(s, signs[i]) || str_has_suffix(s, signs[i]))
			return signs[i];
	if (s.n < 4)
		return STR("");
	at = currency_length(s) == 3 ? (struct str){ s.s, 3 } : str_after(s, s.n - 3);
	return currency_length(at) == 3 ? at : STR("");
}

/* ---- votes ---------------------------------------------------------------------------- */

static void
vote_mark(struct sheet_votes *v, struct str s)
{
	/* Digits and marks after the last point, and the last comma */
	size_t points = 0, commas = 0, after[2] = { 0, 0 };

	for (size_t i = 0; i < s.n; i++) {
		if (!is_digit(s.s[i]) && s.s[i] != '.' && s.s[i] != ',')
			continue;
		after[0]++;
		after[1]++;
		if (s.s[i] == '.') {
			points++;
			after[0] = 0;
		} else if (s.s[i] == ',') {
			commas++;
			after[1] = 0;
		}
	}
	if (points > 0 && commas > 0) {
		v->point += after[0] < after[1];
		v->comma += after[1] < after[0];
	} else if (points == 1 && after[0] != 3)
		v->point++;
	else if (commas == 1 && after[1] != 3)
		v->comma++;
	else if (points > 1)
		v->comma++;
	else if (commas > 1)
		v->point++;
}

void
sheet_vote(struct sheet_votes *v, struct str s)
{
	s = sheet_trim(s);
	if (s.n == 0)
		return;
	vote_mark(v, s);
	sheet_vote_date(v, s);
}

/* ---- kinds of columns ---------------------------------------------------------------- */

static void
note_digits(struct sheet_guess *g, struct str s)
{
	uint64_t v;

	if (!is_digit(s.s[0]) || !num_u64(s, 10, &v)) {
		g->measured = true;
		return;
	}
	g->zero |= s.n > 1 && s.s[0] == '0';
	g->varied |= g->digits != 0 && g->digits != s.n;
	g->falls |= g->digits != 0 && v <= g->last;
	g->digits = s.n;
	g->last = v;
}

bool
sheet_guess_names(const struct sheet_guess *g)
{
	return !g->measured && (g->zero ||
	    (g->values >= LEAST_ALIKE && g->digits >= CODE_DIGITS && !g->varied) ||
	    (g->values >= LEAST_RISING && !g->falls));
}

static void
note_currency(struct sheet_guess *g, struct str s)
{
	struct str currency = sheet_currency(s);

	if (currency.n == 0 || currency.n >= sizeof g->currency)
		return;
	if (g->currency[0] == '\0')
		memcpy(g->currency, currency.s, currency.n);
	g->currencies |= !str_eq(currency, str_of(g->currency));
}

/* Note the decimals of a number, as written.  Whole numbers are shown with those of the others. */
static void
note_places(struct sheet_guess *g, int by, struct str s)
{
	const char *mark = memrchr(s.s, by == 0 ? '.' : ',', s.n);
	size_t n = mark == NULL ? 0 : str_digits(str_after(s, (size_t)(mark - s.s) + 1));

	/* An exponent moves the point. */
	g->uneven[by] |= n > AMOUNT_DECIMALS || memchr(s.s, 'e', s.n) != NULL ||
	    (n > 0 && g->places[by] > 0 && n != g->places[by]);
	g->places[by] = n > g->places[by] && n <= AMOUNT_DECIMALS ? (unsigned)n : g->places[by];
}

void
sheet_guess_add(struct sheet_guess *g, struct str s)
{
	bool votes = false, amount = false, number, date;
	struct amount a;
	struct sheet_day d;

	s = sheet_trim(s);
	if (s.n == 0) {
		g->empty++;
		return;
	}
	g->values++;
	note_digits(g, s);
	for (int i = 0; i < 2; i++) {
		number = g->no_number[i] < ODD_MOST && sheet_amount(s, i == 0 ? '.' : ',', &a) != AMOUNT_NONE;
		date = !g->no_date[i] && sheet_date(s, i == 1, &d);
		if (number)
			note_places(g, i, s);
		g->no_number[i] += !number;
		g->no_date[i] = !date;
		votes |= number || date;
		amount |= number;
	}
	if (amount)
		note_currency(g, s);
	/* Only numbers and dates vote on the format. */
	if (votes)
		sheet_vote(&g->votes, s);
}

enum sheet_kind
sheet_guess_kind(const struct sheet_guess *g)
{
	if (g->values == 0)
		return SHEET_EMPTY;
	if (!g->no_date[sheet_month_first(&g->votes)])
		return SHEET_DATE;
	if (g->no_number[sheet_mark(&g->votes) == ','] > 0)
		return SHEET_TEXT;
	return g->zero && !g->measured ? SHEET_CODES : SHEET_NUMBER;
}

unsigned
sheet_guess_places(const struct sheet_guess *g)
{
	int by = sheet_mark(&g->votes) == ',';

	return g->uneven[by] && g->currency[0] == '\0' ? 0 : g->places[by];
}

enum sheet_kind
sheet_guess_likely(const struct sheet_guess *g)
{
	enum sheet_kind kind = sheet_guess_kind(g);
	uint64_t others = g->no_number[sheet_mark(&g->votes) == ','];

	return kind == SHEET_TEXT && others < g->values - others ? SHEET_NUMBER : kind;
}
