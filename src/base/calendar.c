/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calendar: years are counted from March here, so that the day that only some have is their last one.
 */
#include "config.h"

#include <time.h>

#include "icecore/calendar.h"

#define ERA_YEARS 400
#define ERA_DAYS 146097		/* days of ERA_YEARS years */
#define EPOCH 719468		/* days from 1 March of the year 0 to 1 January 1970 */
#define SECONDS_MOST 253402300799u	/* from 1970 to the end of the year 9999 */

bool
calendar_has(const struct calendar_day *d)
{
	static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = d->year % 4 == 0 && (d->year % 100 != 0 || d->year % ERA_YEARS == 0);

	return d->month >= 1 && d->month <= 12 && d->day >= 1 &&
	    d->day <= days[d->month - 1] + (unsigned)(leap && d->month == 2);
}

/* Rounded down. */
static int64_t
era_of(int64_t n, int64_t size)
{
	return (n >= 0 ? n : n - (size - 1)) / size;
}

int64_t
calendar_days(const struct calendar_day *d)
{
	int64_t y = d->year - (d->month <= 2), era = era_of(y, ERA_YEARS), in_era = y - era * ERA_YEARS;
	int64_t month = ((int64_t)d->month + 9) % 12, in_year = (153 * month + 2) / 5 + d->day - 1;

	return era * ERA_DAYS + in_era * 365 + in_era / 4 - in_era / 100 + in_year - EPOCH;
}

struct calendar_day
calendar_day_of(int64_t days)
{
	int64_t z = days + EPOCH, era = era_of(z, ERA_DAYS), in_era = z - era * ERA_DAYS;
	int64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
	int64_t in_year = in_era - (365 * year + year / 4 - year / 100), month = (5 * in_year + 2) / 153;
	struct calendar_day d = { .day = (unsigned)(in_year - (153 * month + 2) / 5 + 1) };

	d.month = (unsigned)(month < 10 ? month + 3 : month - 9);
	d.year = year + era * ERA_YEARS + (d.month <= 2);
	return d;
}

bool
calendar_text(uint64_t seconds, bool iso, char text[CALENDAR_TEXT])
{
	time_t t = (time_t)seconds;
	struct tm tm;

	text[0] = '\0';
	return seconds <= SECONDS_MOST && gmtime_r(&t, &tm) != NULL &&
	    strftime(text, CALENDAR_TEXT, iso ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%d %H:%M:%S UTC", &tm) > 0;
}
