/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * date: parse dates and times of spreadsheets, banks and logs.
 */
#include "config.h"

#include <string.h>

#include "icecore/scan.h"
#include "table.h"

#define DAY_NS INT64_C(86400000000000)

static bool
is_date_mark(char c)
{
	return c == '-' || c == '/' || c == '.';
}

/* Minimum and maximum digits; the text after them remains. */
static bool
date_take_digits(struct str *s, size_t least, size_t most, unsigned *value)
{
	size_t n = 0;

	for (*value = 0; n < s->n && n < most && is_digit(s->s[n]); n++)
		*value = *value * 10 + (unsigned)(s->s[n] - '0');
	*s = str_after(*s, n);
	return n >= least;
}

static bool
take_date_mark(struct str *s)
{
	if (s->n == 0 || !is_date_mark(s->s[0]))
		return false;
	*s = str_after(*s, 1);
	return true;
}

/* Parse three numbers with separators; only a time may follow. */
static bool
three_numbers(struct str s, size_t first, size_t last, unsigned part[3], struct str *rest)
{
	if (!date_take_digits(&s, first == 4 ? 4 : 1, first, &part[0]) || !take_date_mark(&s) ||
	    !date_take_digits(&s, 1, 2, &part[1]) || !take_date_mark(&s) ||
	    !date_take_digits(&s, last == 4 ? 4 : 1, last, &part[2]))
		return false;
	*rest = s;
	return s.n == 0 || ((s.s[0] == 'T' || s.s[0] == ' ') && memchr(s.s, '\n', s.n) == NULL);
}

void
sheet_vote_date(struct sheet_votes *v, struct str s)
{
	unsigned part[3];
	struct str rest;

	if (!is_digit(s.s[0]) || !three_numbers(s, 2, 4, part, &rest))
		return;
	v->year_last++;
	v->day_first += part[0] > 12;
	v->month_first += part[0] <= 12 && part[1] > 12;
}

/* ---- dates ----------------------------------------------------------------------------- */

bool
sheet_date(struct str s, bool month_first, struct sheet_day *d)
{
	unsigned p[3], year;
	struct str whole;

	whole = s = sheet_trim(s);
	if (s.n < 8 || !is_digit(s.s[0]))
		return false;
	if (three_numbers(s, 4, 2, p, &d->rest)) {
		d->is = (struct calendar_day){ p[0], p[1], p[2] };
		if (calendar_has(&d->is))
			return true;
	}
	if (s.n == 8 && date_take_digits(&whole, 4, 4, &year) && date_take_digits(&whole, 2, 2, &d->is.month) &&
	    date_take_digits(&whole, 2, 2, &d->is.day)) {
		d->is.year = year;
		d->rest = STR("");
		return calendar_has(&d->is);
	}
	if (!three_numbers(s, 2, 4, p, &d->rest))
		return false;
	d->is = (struct calendar_day){ p[2], p[month_first ? 0 : 1], p[month_first ? 1 : 0] };
	return calendar_has(&d->is);
}

/* Convert digits of a fraction of a second to ns. */
static uint64_t
take_fraction(struct str *s)
{
	uint64_t ns = 0;
	size_t n = str_digits(*s);

	for (size_t i = 0; i < 9; i++)
		ns = ns * 10 + (i < n ? (unsigned)(s->s[i] - '0') : 0);
	*s = str_after(*s, n);
	return ns;
}

/* Parse "+02:00", "-0530" or "Z" to seconds east of Greenwich. */
static int64_t
zone_seconds(struct str s)
{
	unsigned hours = 0, minutes = 0;
	bool west = false;

	s = str_skip_blanks(s);
	if (!(scan(&s, "+") || (west = scan(&s, "-"))) || !date_take_digits(&s, 2, 2, &hours))
		return 0;
	scan(&s, ":");
	date_take_digits(&s, 2, 2, &minutes);
	return (west ? -60 : 60) * (int64_t)(hours * 60 + minutes % 60);
}

/*
 * Parse "T10:11:12.5+01:00", "10:11 PM" and similar to ns since midnight, in UTC if zone is set; 0: anything
 * else.
 */
static int64_t
time_of_day(struct str s, bool zone)
{
	unsigned hour, minute, second = 0;
	uint64_t ns = 0;

	s = str_skip_blanks(str_after(s, s.n > 0));
	if (!date_take_digits(&s, 1, 2, &hour) || !scan(&s, ":") || !date_take_digits(&s, 2, 2, &minute))
		return 0;
	if (scan(&s, ":"))
		date_take_digits(&s, 2, 2, &second);
	if (scan(&s, ".") || scan(&s, ","))
		ns = take_fraction(&s);
	s = str_skip_blanks(s);
	if (s.n >= 2 && (s.s[1] | 32) == 'm' && ((s.s[0] | 32) == 'p' || (s.s[0] | 32) == 'a'))
		hour = hour % 12 + ((s.s[0] | 32) == 'p' ? 12 : 0);
	return ((int64_t)(hour * 3600 + minute * 60 + second) - (zone ? zone_seconds(s) :
	    0)) * 1000000000 + (int64_t)ns;
}

/* Depending on their number, digits are seconds, ms, us or ns since 1970. */
static bool
unix_time(struct str s, int64_t *ns)
{
	static const int64_t unit[] = { [10] = 1000000000, [13] = 1000000, [16] = 1000, [19] = 1 };
	size_t n = str_digits(s);
	uint64_t v = 0, part = 0;

	if (n >= NELEM(unit) || unit[n] == 0)
		return false;
	for (size_t i = 0; i < n; i++)
		v = v * 10 + (unsigned)(s.s[i] - '0');
	s = str_after(s, n);
	if (scan(&s, "."))
		part = take_fraction(&s) / (uint64_t)(1000000000 / unit[n]);
	if (s.n > 0 || v > (uint64_t)(INT64_MAX / unit[n] - 1))
		return false;
	*ns = (int64_t)v * unit[n] + (int64_t)part;
	return true;
}

bool
sheet_instant(struct str s, bool month_first, __int128 *ns)
{
	struct sheet_day d;

	if (!sheet_date(s, month_first, &d))
		return false;
	*ns = (__int128)calendar_days(&d.is) * DAY_NS + time_of_day(d.rest, true);
	return true;
}

bool
sheet_moment(struct str s, bool month_first, int64_t *ns)
{
	__int128 at;

	s = sheet_trim(s);
	if (!sheet_instant(s, month_first, &at))
		return unix_time(s, ns);
	/* 1677 to 2262 */
	if (at < -106750 * DAY_NS || at > 106750 * DAY_NS)
		return false;
	*ns = (int64_t)at;
	return true;
}

unsigned
sheet_hour(struct str time)
{
	return (unsigned)((uint64_t)time_of_day(time, false) / 3600000000000u) % 24;
}

void
sheet_day_of(int64_t ns, struct sheet_day *d, unsigned *hour)
{
	int64_t days = ns / DAY_NS - (ns % DAY_NS < 0);

	*hour = (unsigned)((ns - days * DAY_NS) / 3600000000000);
	*d = (struct sheet_day){ calendar_day_of(days), STR("") };
}
