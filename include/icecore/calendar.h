/*
 * calendar: days by the Gregorian calendar, also before it was used.
 */
#ifndef ICECORE_CALENDAR_H
#define ICECORE_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

struct calendar_day {
	int64_t		year;
	unsigned	month, day;	/* from 1 */
};

/* False for 31 February and its like. */
bool	calendar_has(const struct calendar_day *);
/* Days since 1 January 1970, negative before it; of days that the calendar has, in years that are far from the ends of int64_t. */
int64_t	calendar_days(const struct calendar_day *);
/* The inverse. */
struct calendar_day calendar_day_of(int64_t days);

#endif
