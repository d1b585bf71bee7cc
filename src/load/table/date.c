/*
 * date: dates and times, as spreadsheets, banks and logs write them.
 */
#include "config.h"

#include <string.h>

#include "table.h"

static bool
is_date_mark(char c)
{
	return c == '-' || c == '/' || c == '.';
}

/* From least to most digits; what is behind them stays. */
static bool
take_digits(struct str *s, size_t least, size_t most, unsigned *value)
{
	size_t n = 0;

	for (*value = 0; n < s->n && n < most && is_digit(s->s[n]); n++)
		*value = *value * 10 + (unsigned)(s->s[n] - '0');
	*s = str_behind(*s, n);
	return n >= least;
}

static bool
take_date_mark(struct str *s)
{
	if (s->n == 0 || !is_date_mark(s->s[0]))
		return false;
	*s = str_behind(*s, 1);
	return true;
}

/* Three numbers with marks between them; nothing or a time is behind. */
static bool
three_numbers(struct str s, size_t first, size_t last, unsigned part[3], struct str *rest)
{
	if (!take_digits(&s, first == 4 ? 4 : 1, first, &part[0]) || !take_date_mark(&s) ||
	    !take_digits(&s, 1, 2, &part[1]) || !take_date_mark(&s) ||
	    !take_digits(&s, last == 4 ? 4 : 1, last, &part[2]))
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

static bool
is_day(const struct sheet_day *d)
{
	static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = d->year % 4 == 0 && (d->year % 100 != 0 || d->year % 400 == 0);

	return d->month >= 1 && d->month <= 12 && d->day >= 1 &&
	    d->day <= days[d->month - 1] + (unsigned)(leap && d->month == 2);
}

bool
sheet_date(struct str s, bool month_first, struct sheet_day *d)
{
	unsigned p[3];
	struct str whole;

	whole = s = sheet_trim(s);
	if (s.n < 8 || !is_digit(s.s[0]))
		return false;
	if (three_numbers(s, 4, 2, p, &d->rest)) {
		d->year = p[0], d->month = p[1], d->day = p[2];
		if (is_day(d))
			return true;
	}
	if (s.n == 8 && take_digits(&whole, 4, 4, &d->year) && take_digits(&whole, 2, 2, &d->month) &&
	    take_digits(&whole, 2, 2, &d->day)) {
		d->rest = STR("");
		return is_day(d);
	}
	if (!three_numbers(s, 2, 4, p, &d->rest))
		return false;
	d->year = p[2], d->month = p[month_first ? 0 : 1], d->day = p[month_first ? 1 : 0];
	return is_day(d);
}

/* Days since 1970, by the calendar that is used today. */
static int64_t
day_number(const struct sheet_day *d)
{
	int64_t y = (int64_t)d->year - (d->month <= 2), era = (y >= 0 ? y : y - 399) / 400, in_era = y - era * 400;
	int64_t in_year = (153 * ((int64_t)d->month + (d->month > 2 ? -3 : 9)) + 2) / 5 + d->day - 1;

	return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

/* Digits of a fraction of a second as ns. */
static uint64_t
take_fraction(struct str *s)
{
	uint64_t ns = 0;
	size_t n = str_digits(*s);

	for (size_t i = 0; i < 9; i++)
		ns = ns * 10 + (i < n ? (unsigned)(s->s[i] - '0') : 0);
	*s = str_behind(*s, n);
	return ns;
}

/* "+02:00", "-0530", "Z": seconds east of Greenwich. */
static int64_t
zone_seconds(struct str s)
{
	unsigned hours = 0, minutes = 0;
	bool west = false;

	s = str_skip_blanks(s);
	if (!(str_take(&s, STR("+")) || (west = str_take(&s, STR("-")))) || !take_digits(&s, 2, 2, &hours))
		return 0;
	str_take(&s, STR(":"));
	take_digits(&s, 2, 2, &minutes);
	return (west ? -60 : 60) * (int64_t)(hours * 60 + minutes % 60);
}

/* ns since midnight, of Greenwich where zone is set, of "T10:11:12.5+01:00", "10:11 PM" and their like; 0 of anything else. */
static int64_t
time_of_day(struct str s, bool zone)
{
	unsigned hour, minute, second = 0;
	uint64_t ns = 0;

	s = str_skip_blanks(str_behind(s, s.n > 0));
	if (!take_digits(&s, 1, 2, &hour) || !str_take(&s, STR(":")) || !take_digits(&s, 2, 2, &minute))
		return 0;
	if (str_take(&s, STR(":")))
		take_digits(&s, 2, 2, &second);
	if (str_take(&s, STR(".")) || str_take(&s, STR(",")))
		ns = take_fraction(&s);
	s = str_skip_blanks(s);
	if (s.n >= 2 && (s.s[1] | 32) == 'm' && ((s.s[0] | 32) == 'p' || (s.s[0] | 32) == 'a'))
		hour = hour % 12 + ((s.s[0] | 32) == 'p' ? 12 : 0);
	return ((int64_t)(hour * 3600 + minute * 60 + second) - (zone ? zone_seconds(s) : 0)) * 1000000000 + (int64_t)ns;
}

/* Digits by their number: seconds, ms, us or ns since 1970. */
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
	s = str_behind(s, n);
	if (str_take(&s, STR(".")))
		part = take_fraction(&s) / (uint64_t)(1000000000 / unit[n]);
	if (s.n > 0 || v > (uint64_t)(INT64_MAX / unit[n] - 1))
		return false;
	*ns = (int64_t)v * unit[n] + (int64_t)part;
	return true;
}

bool
sheet_moment(struct str s, bool month_first, int64_t *ns)
{
	struct sheet_day d;
	int64_t days;

	s = sheet_trim(s);
	if (!sheet_date(s, month_first, &d))
		return unix_time(s, ns);
	days = day_number(&d);
	/* 1677 to 2262 */
	if (days < -106750 || days > 106750)
		return false;
	*ns = days * 86400000000000 + time_of_day(d.rest, true);
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
	int64_t days = ns / 86400000000000 - (ns % 86400000000000 < 0), z = days + 719468;
	int64_t era = (z >= 0 ? z : z - 146096) / 146097, in_era = z - era * 146097;
	int64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
	int64_t in_year = in_era - (365 * year + year / 4 - year / 100), month = (5 * in_year + 2) / 153;

	*hour = (unsigned)((ns - days * 86400000000000) / 3600000000000);
	d->day = (unsigned)(in_year - (153 * month + 2) / 5 + 1);
	d->month = (unsigned)(month < 10 ? month + 3 : month - 9);
	d->year = (unsigned)(year + era * 400 + (d->month <= 2));
	d->rest = STR("");
}
