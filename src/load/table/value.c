/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * value: white space and numbers as written by spreadsheets and banks; and kinds of column values.
 */
#include "config.h"

#include <string.h>

#include "table.h"

#define NUMBER_TEXT 128		/* maximum length of a number */
#define DIGITS 38		/* that fit into 128 bits */
#define CODE_DIGITS 3u		/* numbers with this number of digits, all equal in length, are codes: a status, a year */
#define ODD_MOST 1000u		/* values of a text column examined for numbers */
#define LEAST_ALIKE 2u		/* minimum number of values */
#define LEAST_RISING 4u		/* ids increase from record to record */

/* ---- white space ------------------------------------------------------------------- */

size_t
sheet_space(struct str s)
{
	unsigned char c = s.n > 0 ? (unsigned char)s.s[0] : 'x';
	uint32_t cp;
	size_t n;

	if (c < 0x80)
		return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
	if (c != 0xc2 && c != 0xe1 && c != 0xe2 && c != 0xe3)
		return 0;
	n = text_decode(s, &cp);
	return cp == 0x85 || cp == 0xa0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x2028 || cp == 0x2029 ||
	    cp == 0x202f || cp == 0x205f || cp == 0x3000 ? n : 0;
}

/* Return the length of trailing white space. */
static size_t
space_behind(struct str s)
{
	for (size_t n = 1; n <= 3 && n <= s.n; n++)
		if (sheet_space(str_behind(s, s.n - n)) == n)
			return n;
	return 0;
}

struct str
sheet_trim(struct str s)
{
	size_t n;

	while ((n = sheet_space(s)) > 0)
		s = str_behind(s, n);
	while ((n = space_behind(s)) > 0)
		s.n -= n;
	return s;
}

/* ---- numbers ------------------------------------------------------------------------ */

static bool
is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

static const struct { struct str bytes; char as; } marks[] = {
	{ { "\xe2\x88\x92", 3 }, '-' },							/* minus */
	{ { "\xc2\xa0", 2 }, ' ' }, { { "\xe2\x80\xaf", 3 }, ' ' },			/* non-breaking blanks */
	{ { "\xe2\x82\xac", 3 }, '$' }, { { "\xc2\xa3", 2 }, '$' }, { { "\xc2\xa5", 2 }, '$' }	/* euro, pound, yen */
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
			s = str_behind(s, 1);
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
	*s = str_behind(*s, 1);
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
	*s = str_skip_blanks(str_behind(in, n));
	return !take_sign(s, below) || (!*sign && (*sign = true));
}

static bool
value_take_back(struct str *s, bool *below, bool *sign)
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
value_add_digits(struct amount *a, struct str digits, unsigned *n)
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
	if (!value_add_digits(a, (struct str){ part.s, kept }, n))
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
	if (at == s.n || (str_divide(whole, STR("."), &whole, &part) && !all_digits(part)) || !all_digits(whole))
		return AMOUNT_NONE;
	power = str_behind(s, at + 1);
	take_sign(&power, &below);
	if (!all_digits(power) || power.n > 3)
		return AMOUNT_NONE;
	for (size_t i = 0; i < power.n; i++)
		e = e * 10 + (unsigned)(power.s[i] - '0');
	if (!value_add_digits(a, whole, &n) || put_fraction(a, part, &n) == AMOUNT_TOO_LARGE)
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
value_read_whole(struct str s, char other, struct amount *a, unsigned *n)
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
		s = str_behind(s, digits);
		if (s.n > 0 && (!ends_group(s.s[0], other) || s.n == 1))
			return AMOUNT_NONE;
		if (!value_add_digits(a, group, n))
			return AMOUNT_TOO_LARGE;
		s = str_behind(s, s.n > 0);
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
	v = value_read_whole(whole, mark == '.' ? ',' : '.', a, &n);
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
	if (!take_front(&s, &a->below, &sign) || !value_take_back(&s, &a->below, &sign))
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
	static const struct str signs[] = { { "$", 1 }, { "\xe2\x82\xac", 3 }, { "\xc2\xa3", 2 }, { "\xc2\xa5", 2 } };
	struct str at;

	s = sheet_trim(s);
	while (s.n > 0 && (s.s[0] == '(' || s.s[0] == '-' || s.s[0] == '+' || s.s[0] == ' '))
		s = str_behind(s, 1);
	while (s.n > 0 && (s.s[s.n - 1] == ')' || s.s[s.n - 1] == ' '))
		s.n--;
	if (s.n == 0 || (is_digit(s.s[0]) && is_digit(s.s[s.n - 1])))
		return STR("");
	if (str_has_prefix(s, STR("R$")))
		return STR("R$");
	if (str_has_suffix(s, STR("%")))
		return STR("%");
	for (size_t i = 0; i < NELEM(signs); i++)
		if (str_has_prefix(s, signs[i]) || str_has_suffix(s, signs[i]))
			return signs[i];
	if (s.n < 4)
		return STR("");
	at = currency_length(s) == 3 ? (struct str){ s.s, 3 } : str_behind(s, s.n - 3);
	return currency_length(at) == 3 ? at : STR("");
}

/* ---- votes ---------------------------------------------------------------------------- */

static void
vote_mark(struct sheet_votes *v, struct str s)
{
	size_t points = 0, commas = 0, behind[2] = { 0, 0 };	/* digits and marks after the last point, and the last comma */

	for (size_t i = 0; i < s.n; i++) {
		if (!is_digit(s.s[i]) && s.s[i] != '.' && s.s[i] != ',')
			continue;
		behind[0]++;
		behind[1]++;
		if (s.s[i] == '.') {
			points++;
			behind[0] = 0;
		} else if (s.s[i] == ',') {
			commas++;
			behind[1] = 0;
		}
	}
	if (points > 0 && commas > 0) {
		v->point += behind[0] < behind[1];
		v->comma += behind[1] < behind[0];
	} else if (points == 1 && behind[0] != 3)
		v->point++;
	else if (commas == 1 && behind[1] != 3)
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
	return !g->measured && (g->zero || (g->values >= LEAST_ALIKE && g->digits >= CODE_DIGITS && !g->varied) ||
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

enum sheet_kind
sheet_guess_likely(const struct sheet_guess *g)
{
	enum sheet_kind kind = sheet_guess_kind(g);
	uint64_t others = g->no_number[sheet_mark(&g->votes) == ','];

	return kind == SHEET_TEXT && others < g->values - others ? SHEET_NUMBER : kind;
}
