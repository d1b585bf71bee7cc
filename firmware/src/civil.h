/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Days since 1970-01-01 and dates of the Gregorian calendar, 1970 to 2106, without tables of years. */
#ifndef CIVIL_H
#define CIVIL_H

#include <stdbool.h>
#include <stdint.h>

struct date {
	uint16_t year;
	uint8_t month;		/* 1 to 12 */
	uint8_t day;		/* 1 to 31 */
};

uint16_t civil_days(uint16_t year, uint8_t month, uint8_t day);	/* before 1970: modulo 2^16 */
void civil_date(uint16_t days, struct date *date);	/* the reverse, to 2147 */
uint8_t civil_weekday(uint16_t days);	/* 0: Sunday */
bool civil_leap(uint16_t year);	/* has a 29 February */
uint8_t civil_month_days(uint16_t year, uint8_t month);	/* 28 to 31 */

#endif
