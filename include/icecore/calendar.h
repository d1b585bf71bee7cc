/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calendar: days of the Gregorian calendar, which also applies to earlier dates.
 */
#ifndef ICECORE_CALENDAR_H
#define ICECORE_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

struct calendar_day {
	int64_t		year;
	unsigned	month, day;	/* both from 1 */
};

/* False for days that do not exist, such as 31 February. */
bool	calendar_has(const struct calendar_day *);
/*
 * Days since 1 January 1970, negative before it.  The day must exist, and its year must not be close to the
 * limits of int64_t.
 */
int64_t	calendar_days(const struct calendar_day *);
/* The inverse of calendar_days. */
struct calendar_day calendar_day_of(int64_t days);

#define CALENDAR_TEXT 32
/*
 * Seconds since 1970 as "2026-11-22 14:03:12 UTC", or as "2026-11-22T14:03:12Z" if iso; false: "", after the
 * year 9999.
 */
bool	calendar_text(uint64_t seconds, bool iso, char text[CALENDAR_TEXT]);

#endif
