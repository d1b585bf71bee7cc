/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decimal: exact decimal numbers.
 */
#include "config.h"

#include <assert.h>

#include "icecore/decimal.h"

#define SHOWN_PLACES 2

static unsigned __int128
decimal_size_of(__int128 v)
{
	return v < 0 ? 0 - (unsigned __int128)v : (unsigned __int128)v;
}

/* More places, the same value; false: it does not fit. */
static bool
decimal_widen(struct decimal *d, unsigned places)
{
	__int128 v = d->value;

	assert(places <= DECIMAL_PLACES);
	for (unsigned i = d->places; i < places; i++) {
		if (decimal_size_of(v) > decimal_size_of(DECIMAL_MOST) / 10)
			return false;
		v *= 10;
	}
	*d = (struct decimal){ v, places };
	return true;
}

/* Nearly all fit into 64 bits, which are divided much faster. */
struct decimal
decimal_narrow(struct decimal d)
{
	int64_t v = (int64_t)d.value;

	if (v == d.value) {
		for (; d.places > 0 && v % 10 == 0; d.places--)
			v /= 10;
		return (struct decimal){ (__int128)v, d.places };
	}
	for (; d.places > 0 && d.value % 10 == 0; d.places--)
		d.value /= 10;
	return d;
}

bool
decimal_digit(struct decimal *d, char digit)
{
	unsigned by = (unsigned char)digit - (unsigned)'0';

	if (decimal_size_of(d->value) > (decimal_size_of(DECIMAL_MOST) - by) / 10)
		return false;
	d->value = d->value * 10 + (int)by;
	return true;
}

bool
decimal_read(struct str s, struct decimal *to)
{
	bool minus = str_take(&s, STR("-")), point = false, any = false;
	struct decimal d = { 0, 0 };

	for (; s.n > 0; s = str_after(s, 1)) {
		if (s.s[0] == '.' && !point) {
			point = true;
			continue;
		}
		if (!is_digit(s.s[0]) || d.places == DECIMAL_PLACES || !decimal_digit(&d, s.s[0]))
			return false;
		d.places += point;
		any = true;
	}
	if (minus)
		d.value = -d.value;
	*to = decimal_narrow(d);
	return any;
}

bool
decimal_add(struct decimal *to, struct decimal d)
{
	struct decimal sum = *to, more = d;
	unsigned places = d.places > sum.places ? d.places : sum.places;

	if (!decimal_widen(&more, places) || !decimal_widen(&sum, places)) {
		more = decimal_narrow(d);
		sum = decimal_narrow(*to);
		places = more.places > sum.places ? more.places : sum.places;
		if (!decimal_widen(&more, places) || !decimal_widen(&sum, places))
			return false;
	}
	if (more.value > 0 ? sum.value > DECIMAL_MOST - more.value : sum.value < -DECIMAL_MOST - more.value)
		return false;
	sum.value += more.value;
	*to = sum;
	return true;
}

struct decimal
decimal_minus(struct decimal d)
{
	d.value = -d.value;
	return d;
}

bool
decimal_floor(struct decimal *d, struct decimal width)
{
	struct decimal below = *d;
	unsigned places = width.places > below.places ? width.places : below.places;
	__int128 above;

	assert(width.value > 0);
	if (!decimal_widen(&below, places) || !decimal_widen(&width, places))
		return false;
	above = below.value % width.value;
	above += above < 0 ? width.value : 0;
	if (below.value < above - DECIMAL_MOST)
		return false;
	below.value -= above;
	*d = below;
	return true;
}

/*
 * A value that cannot be written with the places of the other one is larger than that one, without regard to its sign.
 */
int
decimal_cmp(struct decimal a, struct decimal b)
{
	bool swap = a.places > b.places;
	struct decimal less = swap ? b : a, more = swap ? a : b;
	int order;

	if (decimal_widen(&less, more.places))
		order = (less.value > more.value) - (less.value < more.value);
	else
		order = less.value > 0 ? 1 : -1;
	return swap ? -order : order;
}

double
decimal_real(struct decimal d)
{
	double by = 1;

	for (unsigned i = 0; i < d.places; i++)
		by *= 10;
	return (double)d.value / by;
}

uint64_t
decimal_units(struct decimal d, uint64_t times)
{
	unsigned __int128 v;
	uint64_t half = 0;

	for (d = decimal_narrow(d); d.places > 0 && times % 10 == 0; d.places--)
		times /= 10;
	if (d.value < 0 || __builtin_mul_overflow((unsigned __int128)d.value, (unsigned __int128)times, &v))
		return 0;
	for (; d.places > 0; d.places--) {
		half = v % 10 >= 5;
		v /= 10;
	}
	return v > UINT64_MAX - half ? 0 : (uint64_t)v + half;
}

/* Write the digits of d, last one first, at least one in front of the point; return their number. */
static size_t
digits_of(struct decimal d, char digits[DECIMAL_TEXT])
{
	unsigned __int128 v = decimal_size_of(d.value);
	uint64_t low;
	size_t n = 0;

	for (; v > UINT64_MAX; v /= 10)
		digits[n++] = (char)('0' + (int)(v % 10));
	for (low = (uint64_t)v; low > 0 || n <= d.places; low /= 10) {
		assert(n < DECIMAL_TEXT);
		digits[n++] = (char)('0' + (int)(low % 10));
	}
	return n;
}

static void
decimal_put(struct decimal d, unsigned least, unsigned group, struct buf *b)
{
	char digits[DECIMAL_TEXT];
	size_t n;

	d = decimal_narrow(d);
	n = digits_of(d, digits);
	if (d.value < 0)
		buf_chr(b, '-');
	for (size_t i = n; i-- > d.places; ) {
		buf_chr(b, digits[i]);
		if (group > 0 && i > d.places && (i - d.places) % group == 0)
			buf_chr(b, ' ');
	}
	if (d.places > 0 || least > 0)
		buf_chr(b, '.');
	for (size_t i = d.places; i-- > 0; )
		buf_chr(b, digits[i]);
	for (unsigned i = d.places; i < least; i++)
		buf_chr(b, '0');
}

void
decimal_text(struct decimal d, struct buf *b)
{
	decimal_put(d, 0, 0, b);
}

void
decimal_full(struct decimal d, struct buf *b)
{
	decimal_put(d, d.places, 0, b);
}

void
decimal_show(struct decimal d, struct buf *b)
{
	decimal_put(d, SHOWN_PLACES, 3, b);
}
