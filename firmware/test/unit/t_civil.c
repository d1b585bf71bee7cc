/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* civil.c against the host's C library: every day from 1970 to the end of the 32 bits in 2106. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>

#include "civil.h"

enum { LAST_DAY = 49710 };	/* 2106-02-07 */

static void every_day(void **state)
{
	struct date date;
	struct tm host;
	time_t at;

	(void)state;
	for (uint32_t day = 0; day <= LAST_DAY; day++) {
		at = (time_t)day * 86400;
		assert_non_null(gmtime_r(&at, &host));
		civil_date((uint16_t)day, &date);
		assert_int_equal(date.year, host.tm_year + 1900);
		assert_int_equal(date.month, host.tm_mon + 1);
		assert_int_equal(date.day, host.tm_mday);
		assert_int_equal(civil_weekday((uint16_t)day), host.tm_wday);
		assert_int_equal(civil_days(date.year, date.month, date.day), day);
	}
}

/* The host's last day of a month: the day before the first of the next. */
static int host_month_days(int year, int month)
{
	struct tm tm = { .tm_year = year - 1900, .tm_mon = month, .tm_mday = 0, .tm_hour = 12 };

	assert_int_not_equal(timegm(&tm), (time_t)-1);
	return tm.tm_mday;
}

static void every_month(void **state)
{
	(void)state;
	for (int year = 1970; year <= 2106; year++) {
		for (int month = 1; month <= 12; month++)
			assert_int_equal(civil_month_days((uint16_t)year, (uint8_t)month), host_month_days(year, month));
		assert_int_equal(civil_leap((uint16_t)year), host_month_days(year, 2) == 29);
	}
}

/* Days before 1970 come out modulo 2^16: tz.c asks for the rules of 1968. */
static void before_1970(void **state)
{
	(void)state;
	assert_int_equal((int16_t)civil_days(1969, 12, 31), -1);
	assert_int_equal((int16_t)civil_days(1969, 1, 1), -365);
	assert_int_equal((int16_t)civil_days(1968, 1, 1), -731);
}

static void century(void **state)
{
	struct date date;

	(void)state;
	assert_false(civil_leap(2100));
	assert_true(civil_leap(2000));
	civil_date((uint16_t)(4107542400U / 86400), &date);
	assert_int_equal(date.year, 2100);
	assert_int_equal(date.month, 3);
	assert_int_equal(date.day, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_day),
		cmocka_unit_test(every_month),
		cmocka_unit_test(before_1970),
		cmocka_unit_test(century),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
