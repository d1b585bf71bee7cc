/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * moments: times of a file as dates and times of day, if the file records its start.  All in UTC, unless a
 * moment gives an offset.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <time.h>

#include "icecore/calendar.h"
#include "icecore/facts.h"
#include "icecore/pass.h"

enum { DAY_S = 86400, YEAR_LEAST = 1970, YEAR_MOST = 2200 };
#define SECOND_NS UINT64_C(1000000000)

/* A parsed text: a day, if dated, and the time of day in ns; zone: seconds that its clock is ahead of UTC. */
struct told {
	bool		dated;
	int64_t		day;		/* since 1970 */
	uint64_t	ns;
	int64_t		zone;
};

/* Read n digits into *v; false unless least <= *v <= most. */
static bool
moments_take_number(struct str *s, size_t n, unsigned least, unsigned most, unsigned *v)
{
	*v = 0;
	if (s->n < n)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!is_digit(s->s[i]))
			return false;
		*v = *v * 10 + (unsigned)(s->s[i] - '0');
	}
	*s = str_after(*s, n);
	return *v >= least && *v <= most;
}

/* "2026-11-22T", or with a blank. */
static bool
take_date(struct str *s, int64_t *day)
{
	struct calendar_day d;
	unsigned year;

	if (!moments_take_number(s, 4, YEAR_LEAST, YEAR_MOST, &year) || !str_take(s, STR("-")) ||
	    !moments_take_number(s, 2, 1, 12, &d.month) ||
	    !str_take(s, STR("-")) || !moments_take_number(s, 2, 1, 31, &d.day))
		return false;
	d.year = year;
	*day = calendar_days(&d);
	return calendar_has(&d) && (str_take(s, STR("T")) || str_take(s, STR("t")) || str_take(s, STR(" ")));
}

/* ".345" */
static void
moments_take_fraction(struct str *s, uint64_t *ns)
{
	uint64_t unit = SECOND_NS;

	if (s->n < 2 || (s->s[0] != '.' && s->s[0] != ',') || !is_digit(s->s[1]))
		return;
	for (*s = str_after(*s, 1); s->n > 0 && is_digit(s->s[0]); *s = str_after(*s, 1)) {
		unit /= 10;
		*ns += unit * (unsigned)(s->s[0] - '0');
	}
}

/* "14:03", "14:03:10", "14:03:10.345" */
static bool
take_clock(struct str *s, uint64_t *ns)
{
	unsigned hours, minutes, seconds = 0;

	if (!moments_take_number(s, 2, 0, 23, &hours) || !str_take(s, STR(":")) ||
	    !moments_take_number(s, 2, 0, 59, &minutes) ||
	    (str_take(s, STR(":")) && !moments_take_number(s, 2, 0, 59, &seconds)))
		return false;
	*ns = (hours * UINT64_C(3600) + minutes * 60 + seconds) * SECOND_NS;
	moments_take_fraction(s, ns);
	assert(*ns < MOMENTS_DAY);
	return true;
}

/* "Z", "+02:00", "-0130", "+02"; or nothing. */
static bool
take_zone(struct str *s, int64_t *zone)
{
	unsigned hours, minutes = 0;
	bool west;

	*zone = 0;
	if (s->n == 0 || str_take(s, STR("Z")) || str_take(s, STR("z")))
		return true;
	west = str_take(s, STR("-"));
	if ((!west && !str_take(s, STR("+"))) || !moments_take_number(s, 2, 0, 14, &hours))
		return false;
	(void)str_take(s, STR(":"));
	if (s->n > 0 && !moments_take_number(s, 2, 0, 59, &minutes))
		return false;
	*zone = (int64_t)(hours * 3600 + minutes * 60) * (west ? -1 : 1);
	return true;
}

static bool
read_told(struct str s, struct told *t)
{
	struct str rest = s;

	*t = (struct told){ .dated = false };
	t->dated = take_date(&rest, &t->day);
	if (!t->dated)
		rest = s;
	return take_clock(&rest, &t->ns) && take_zone(&rest, &t->zone) && rest.n == 0;
}

bool
moment_is(struct str s)
{
	struct told t;

	return read_told(s, &t);
}

uint64_t
moment_zero(const struct store *st)
{
	return fact_value(st, FACT_TRACE_ZERO);
}

/*
 * Return ns since 1970.  Default date: the day on which the file begins, or the next one if the file reaches
 * it.
 */
static uint64_t
moment_of(const struct told *t, uint64_t zero, uint64_t elapsed)
{
	int64_t begin = (int64_t)(zero / SECOND_NS) + t->zone, day = t->dated ? t->day : begin / DAY_S,
	    seconds;
	uint64_t ns;

	seconds = day * DAY_S - t->zone;
	if (seconds < 0)
		return 0;
	ns = (uint64_t)seconds * SECOND_NS + t->ns;
	return !t->dated && ns < zero && ns + MOMENTS_DAY <= num_add(zero, elapsed) ? ns + MOMENTS_DAY : ns;
}

bool
moment_read(const struct store *st, struct str s, uint64_t *ns, struct err *err)
{
	uint64_t zero = moment_zero(st), elapsed = fact_value(st, FACT_ELAPSED), at;
	struct buf b = BUF_INIT;
	struct told t;

	if (zero == 0)
		return fail(err, E_USAGE, "the file does not record its start date; use times since the start, e.g. "
		    "12.5s");
	if (!read_told(s, &t))
		return fail(err, E_USAGE, "'%.*s' is not a time of day", (int)s.n, s.s);
	if (!t.dated && elapsed >= MOMENTS_DAY) {
		moment_show(zero, true, &b);
		fail(err, E_USAGE, "the file spans several days; add the date, e.g. %.*s",
		    b.bad ? 0 : (int)b.n, b.n > 0 ? b.s : "");
		buf_free(&b);
		return false;
	}
	at = moment_of(&t, zero, elapsed);
	*ns = at > zero ? at - zero : 0;
	return true;
}

bool
moments_within(const struct store *st, uint64_t from, uint64_t to, struct err *err)
{
	uint64_t zero = moment_zero(st), elapsed = fact_value(st, FACT_ELAPSED);
	OWN_BUF b = BUF_INIT;

	if (to > 0 && from <= elapsed)
		return true;
	moment_show(zero, true, &b);
	buf_text(&b, " to ");
	moment_show(num_add(zero, elapsed), true, &b);
	fail(err, E_USAGE, "outside the file, which covers %.*s", b.bad ? 0 : (int)b.n, b.n > 0 ? b.s : "");
	return false;
}

void
moment_show(uint64_t ns, bool dated, struct buf *b)
{
	time_t seconds = (time_t)(ns / SECOND_NS);
	struct tm tm;

	if (gmtime_r(&seconds, &tm) == NULL)
		return;
	if (dated)
		buf_printf(b, "%04d-%02d-%02dT", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
	buf_printf(b, "%02d:%02d:%02d.%03uZ", tm.tm_hour, tm.tm_min, tm.tm_sec,
	    (unsigned)(ns % SECOND_NS / 1000000));
}
