/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * num: numbers to and from text, the same in every locale.
 */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/base.h"

#define SECOND 1000000000u
#define DIGITS 768	/* the middle between two doubles has at most 767 */

struct num_unit {
	const char	*name;
	uint64_t	 size;
};

/* Units in ascending order. */
static const struct num_unit size_units[] = {
	{ "B", 1 }, { "KiB", 1 << 10 }, { "MiB", 1 << 20 }, { "GiB", 1 << 30 },
	{ "TiB", 1ull << 40 }, { "PiB", 1ull << 50 }, { "EiB", 1ull << 60 },
};

static const struct num_unit time_units[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", SECOND },
	{ "min", 60ull * SECOND }, { "h", 3600ull * SECOND },
};

/* Number of time units, from ns on, that are shown with a fraction. */
#define SHORT_TIMES 4

uint64_t
num_time_unit(struct str word)
{
	static const struct num_unit units[] = {
		{ "ns nsec nsecs nanos nanosecond nanoseconds", 1 },
		{ "us usec usecs micros microsecond microseconds \xc2\xb5s \xce\xbcs", 1000 },
		{ "ms msec msecs millis millisecond milliseconds", 1000000 },
		{ "s sec secs second seconds", SECOND },
	};
	struct str words, one;

	for (size_t i = 0; i < NELEM(units); i++)
		for (words = str_of(units[i].name); str_split(&words, ' ', &one); )
			if (str_eq_nocase(one, word))
				return units[i].size;
	return 0;
}

/* ---- from text ------------------------------------------------------------- */

static unsigned
digit(char c)
{
	if (!is_hex(c))
		return UINT32_MAX;
	return is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a') + 10;
}

bool
num_u64(struct str s, int base, uint64_t *value)
{
	uint64_t v = 0;
	unsigned radix = base == 0 ? 10 : (unsigned)base, d;
	size_t i = 0;

	if (base == 0 && s.n > 2 && s.s[0] == '0' && (s.s[1] | 32) == 'x') {
		radix = 16;
		i = 2;
	}
	if (i == s.n)
		return false;
	for (; i < s.n; i++) {
		d = digit(s.s[i]);
		if (d >= radix || __builtin_mul_overflow(v, radix, &v) || __builtin_add_overflow(v, d, &v))
			return false;
	}
	*value = v;
	return true;
}

/* Takes a leading minus. */
static bool
take_minus(struct str *s)
{
	if (s->n == 0 || s->s[0] != '-')
		return false;
	s->s++;
	s->n--;
	return true;
}

bool
num_i64(struct str s, int base, int64_t *value)
{
	bool minus = take_minus(&s);
	uint64_t v;

	if (!num_u64(s, base, &v) || v > (uint64_t)INT64_MAX + minus)
		return false;
	*value = minus ? (int64_t)(0 - v) : (int64_t)v;
	return true;
}

/*
 * Takes "12.345" as mantissa 12345 and returns 3, the digits behind the point; -1 when
 * there is no number.  Digits behind the point that no longer fit are dropped.
 */
static int
take_decimal(struct str *s, uint64_t *mantissa)
{
	uint64_t v = 0;
	int places = 0, digits = 0;
	bool point = false;
	unsigned d;

	for (; s->n > 0; s->s++, s->n--) {
		if (s->s[0] == '.' && !point) {
			point = true;
			continue;
		}
		d = digit(s->s[0]);
		if (d > 9)
			break;
		digits++;
		if (v <= (UINT64_MAX - d) / 10) {
			v = v * 10 + d;
			places += point;
		} else if (!point)
			return -1;
	}
	*mantissa = v;
	return digits == 0 ? -1 : places;
}

/*
 * Takes "12.345" as the digits 12345 and 3 places after the point; below 0 if digits before it were dropped.  DIGITS
 * distinguish a number from every midpoint of two doubles: of the digits after them it only matters whether one is not
 * 0, which the last digit records.  Returns the new number of digits; 0: not a number.
 */
static size_t
num_take_digits(struct str *s, char *digits, int64_t *places)
{
	bool point = false, any = false, more = false;
	size_t n = 0;

	*places = 0;
	for (; s->n > 0 && (is_digit(s->s[0]) || (s->s[0] == '.' && !point)); s->s++, s->n--) {
		if (s->s[0] == '.') {
			point = true;
			continue;
		}
		any = true;
		if (n == DIGITS) {
			more |= s->s[0] != '0';
			*places -= !point;
			continue;
		}
		if (n > 0 || s->s[0] != '0')
			digits[n++] = s->s[0];
		*places += point;
	}
	if (more || (any && n == 0)) {
		digits[n++] = more ? '1' : '0';
		*places += more;
	}
	return n;
}

/* Correctly rounded: the nearest double, on every machine. */
bool
num_f64(struct str s, double *value)
{
	bool minus = take_minus(&s);
	char text[DIGITS + 32];
	int64_t exponent = 0, places;
	size_t n = num_take_digits(&s, text, &places);
	double v;

	if (n == 0)
		return false;
	if (s.n > 0) {
		if ((s.s[0] | 32) != 'e')
			return false;
		s.s++;
		s.n--;
		if (s.n > 0 && s.s[0] == '+')
			s.s++, s.n--;
		if (!num_i64(s, 10, &exponent) || exponent < -400 || exponent > 400)
			return false;
	}
	snprintf(text + n, sizeof text - n, "e%" PRId64, exponent - places);
	v = strtod(text, NULL);
	if (!isfinite(v))
		return false;
	*value = minus ? -v : v;
	return true;
}

/* mantissa / 10^places units, to the nearest; false when that is too much. */
static bool
num_scale(uint64_t mantissa, int places, uint64_t unit, uint64_t *value)
{
	unsigned __int128 v = (unsigned __int128)mantissa * unit, divisor = 1;

	/* The largest of all, 2^124, is less than half of 10^38. */
	for (int i = 0; i < places && i < 38; i++)
		divisor *= 10;
	v = (v + divisor / 2) / divisor;
	if (v > UINT64_MAX)
		return false;
	*value = (uint64_t)v;
	return true;
}

bool
num_size(struct str s, uint64_t *value)
{
	static const char letters[] = "bkmgtpe";
	uint64_t mantissa;
	int places = take_decimal(&s, &mantissa);
	const char *letter;
	size_t unit = 0;

	if (places < 0)
		return false;
	if (s.n > 0) {
		letter = memchr(letters, tolower((unsigned char)s.s[0]),
		    sizeof letters - 1);
		if (letter == NULL)
			return false;
		unit = (size_t)(letter - letters);
		s.s++;
		s.n--;
	}
	if (unit > 0 && s.n == 2 && (s.s[0] | 32) == 'i')
		s.s++, s.n--;
	if (unit > 0 && s.n == 1 && (s.s[0] | 32) == 'b')
		s.n = 0;
	return s.n == 0 &&
	    num_scale(mantissa, places, size_units[unit].size, value);
}

bool
num_duration(struct str s, uint64_t *value)
{
	uint64_t mantissa;
	int places = take_decimal(&s, &mantissa);

	if (places < 0)
		return false;
	if (str_eq(s, STR("\xc2\xb5s")) || str_eq(s, STR("\xce\xbcs")))
		s = STR("us");
	if (str_eq(s, STR("sec")))
		s = STR("s");
	for (size_t i = 0; i < NELEM(time_units); i++)
		if (str_eq(s, str_of(time_units[i].name)))
			return num_scale(mantissa, places, time_units[i].size, value);
	return false;
}

/* ---- to text --------------------------------------------------------------- */

/* value in thousandths of a unit, rounded to three digits or to whole units, whichever is finer. */
static uint64_t
thousandths(uint64_t value, uint64_t unit)
{
	uint64_t whole = value / unit, rest = value % unit, step = 1, v;

	/* Low bits of the largest units do not affect the displayed digits. */
	while (unit > UINT64_MAX / 1000) {
		unit >>= 1;
		rest >>= 1;
	}
	v = whole * 1000 + rest * 1000 / unit;
	while (v / step >= 1000 && step < 1000)
		step *= 10;
	return (v + step / 2) / step * step;
}

/* "3.21 ms", "32.1 ms", "321 ms"; "3 ms" when it is that exactly. */
static int
num_show(char *dst, size_t size, uint64_t value, const struct num_unit *units, size_t n)
{
	const struct num_unit *u = &units[n - 1];
	const char *gap;
	uint64_t v;
	bool exact;

	while (u > units && value < u->size)
		u--;
	exact = value % u->size == 0;
	v = thousandths(value, u->size);
	if (u < &units[n - 1] && v / 1000 >= u[1].size / u->size) {
		u++;
		v = 1000;
	}
	gap = u->name[0] == '\0' ? "" : " ";
	if (exact || v >= 100000)
		return snprintf(dst, size, "%" PRIu64 "%s%s",
		    v / 1000, gap, u->name);
	if (v >= 10000)
		return snprintf(dst, size, "%" PRIu64 ".%" PRIu64 "%s%s",
		    v / 1000, v % 1000 / 100, gap, u->name);
	return snprintf(dst, size, "%" PRIu64 ".%02" PRIu64 "%s%s",
	    v / 1000, v % 1000 / 10, gap, u->name);
}

int
num_show_size(char *dst, size_t size, uint64_t bytes)
{
	return num_show(dst, size, bytes, size_units, NELEM(size_units));
}

/* Two units side by side: "2 min 03 s". */
static int
show_pair(char *dst, size_t size, uint64_t v, unsigned ratio, const char *big,
    const char *small)
{
	return snprintf(dst, size, "%" PRIu64 " %s %02u %s", v / ratio, big,
	    (unsigned)(v % ratio), small);
}

int
num_show_duration(char *dst, size_t size, uint64_t ns)
{
	uint64_t s = ns / SECOND + (ns % SECOND >= SECOND / 2);

	if (s < 60 || thousandths(ns, SECOND) < 60000)
		return num_show(dst, size, ns, time_units, SHORT_TIMES);
	if (s < 3600)
		return show_pair(dst, size, s, 60, "min", "s");
	if (s < 24 * 3600)
		return show_pair(dst, size, s / 60, 60, "h", "min");
	return show_pair(dst, size, s / 3600, 24, "d", "h");
}

int
num_show_count(char *dst, size_t size, uint64_t n)
{
	char digits[NUM_TEXT], grouped[NUM_TEXT];
	int len = snprintf(digits, sizeof digits, "%" PRIu64, n), used = 0;

	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			grouped[used++] = ' ';
		grouped[used++] = digits[i];
	}
	return snprintf(dst, size, "%.*s", used, grouped);
}

void
buf_num(struct buf *b, int (*show)(char *, size_t, uint64_t), uint64_t n)
{
	char text[NUM_TEXT];

	show(text, sizeof text, n);
	buf_text(b, text);
}
