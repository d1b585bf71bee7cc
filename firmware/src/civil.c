/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Days and dates of the Gregorian calendar.  Years are counted from March on,
 * so that 29 February comes last and the months before it are regular: 153
 * days in every five.  All in 16 bits: differences are right modulo 2^16.
 */
#include "civil.h"

enum {
	CYCLE = 1461,		/* days of four years */
	TO_1968 = 671,		/* days from 1968-03-01 to 1970-01-01 */
	NO_LEAP_DAY = 47541,	/* 2100-03-01: the day before was no 29 February */
};

uint16_t civil_days(uint16_t year, uint8_t month, uint8_t day)
{
	uint16_t from_march = month > 2 ? month - 3 : month + 9;

	if (month <= 2)
		year--;
	return (uint16_t)(365U * year + year / 4 - year / 100 + year / 400 +
	    (153U * from_march + 2) / 5 + day - (uint16_t)719469UL);
}

void civil_date(uint16_t days, struct date *date)
{
	uint16_t since = days + TO_1968 + (days >= NO_LEAP_DAY);
	uint16_t rest = since % CYCLE;
	uint8_t year = rest / 365, month;

	if (year == 4)		/* 29 February */
		year = 3;
	rest -= 365U * year;
	month = (5 * rest + 2) / 153;
	date->day = rest - (153U * month + 2) / 5 + 1;
	date->month = month < 10 ? month + 3 : month - 9;
	date->year = 1968 + 4 * (since / CYCLE) + year + (date->month <= 2);
}

uint8_t civil_weekday(uint16_t days)
{
	return (days % 7 + 4) % 7;	/* 1970-01-01 was a Thursday */
}

bool civil_leap(uint16_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

uint8_t civil_month_days(uint16_t year, uint8_t month)
{
	if (month == 2)
		return civil_leap(year) ? 29 : 28;
	return 30 + ((month + (month >> 3)) & 1);
}
