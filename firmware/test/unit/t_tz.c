/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tz.c against the transitions that the C library gave, against rules written
 * out with the host's calendar (random ones too), and with invalid TZ
 * string.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "tz.h"

static int32_t offset_at(const struct tz *tz, uint32_t utc)
{
	uint32_t next;
	int32_t offset = tz_offset(tz, utc, &next);

	assert_true(next > utc || utc == UINT32_MAX);
	return offset;
}

/* ---- the table of the POSIX strings ------------------------------------------ */

struct known {
	const char *text;
	int32_t standard, daylight;
	uint32_t to_dst[2], to_std[2];	/* of 2026 and 2028 */
};

static const struct known known[] = {
	{ "EST5EDT,M3.2.0,M11.1.0", -18000, -14400, { 1772953200, 1836457200 }, { 1793512800, 1857016800 } },
	{ "CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200, { 1774746000, 1837645200 }, { 1792890000, 1856394000 } },
	{ "GMT0BST,M3.5.0/1,M10.5.0", 0, 3600, { 1774746000, 1837645200 }, { 1792890000, 1856394000 } },
	{ "AEST-10AEDT,M10.1.0,M4.1.0/3", 36000, 39600, { 1791043200, 1853942400 }, { 1775318400, 1838217600 } },
	{ "IST-1GMT0,M10.5.0,M3.5.0/1", 3600, 0, { 1792890000, 1856394000 }, { 1774746000, 1837645200 } },
	{ "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7200, -3600, { 1774746000, 1837645200 }, { 1792890000, 1856394000 } },
	{ "<-04>4<-03>,M9.1.6/24,M4.1.6/24", -14400, -10800, { 1788667200, 1851566400 }, { 1775358000, 1838257200 } },
	{ "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 37800, 39600, { 1791041400, 1853940600 }, { 1775314800, 1838214000 } },
	{ "EET-2EEST,M4.5.5/0,M10.5.4/24", 7200, 10800, { 1776981600, 1840485600 }, { 1793307600, 1856206800 } },
	{ "NST3:30NDT,M3.2.0,M11.1.0", -12600, -9000, { 1772947800, 1836451800 }, { 1793507400, 1857011400 } },
	{ "XXX3YYY2,J60/0,J300/0", -10800, -7200, { 1772334000, 1835492400 }, { 1793066400, 1856224800 } },
	{ "XXX3YYY2,59/0,299/0", -10800, -7200, { 1772334000, 1835406000 }, { 1793066400, 1856138400 } },
};

static void check_change(const struct tz *tz, uint32_t at, int32_t before, int32_t after)
{
	uint32_t next;

	assert_int_equal(tz_offset(tz, at - 1, &next), before);
	assert_int_equal(next, at);
	assert_int_equal(offset_at(tz, at), after);
	assert_int_equal(offset_at(tz, at + 1), after);
}

static void known_changes(void **state)
{
	struct tz tz;

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct known *row = &known[i];

		assert_true(tz_parse(row->text, &tz));
		for (unsigned k = 0; k < 2; k++) {
			check_change(&tz, row->to_dst[k], row->standard, row->daylight);
			check_change(&tz, row->to_std[k], row->daylight, row->standard);
		}
	}
}

static void fixed_offsets(void **state)
{
	static const struct { const char *text; int32_t offset; } row[] = {
		{ "<+0545>-5:45", 20700 }, { "UTC0", 0 }, { "UTC+0", 0 }, { "UTC-0", 0 }, { "EST5", -18000 },
		{ "EST05", -18000 }, { "EST+5", -18000 }, { "ABC24:59:59", -89999 }, { "ABC-24:59:59", 89999 },
		{ "<-00>0", 0 }, { "<AbC>1", -3600 }, { "abcdefghijklmnopqrstuvwxyz-01:02:03", 3723 },
	};
	struct tz tz;
	uint32_t next;

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		assert_true(tz_parse(row[i].text, &tz));
		assert_int_equal(tz_offset(&tz, 0, &next), row[i].offset);
		assert_int_equal(next, UINT32_MAX);
		assert_int_equal(tz_offset(&tz, UINT32_MAX, &next), row[i].offset);
	}
}

/* Daylight time from the start of the year before last until the end of last year, which is in this year. */
static void two_years_back(void **state)
{
	static const struct { uint32_t utc; int32_t offset; } row[] = {
		{ 1830384000, 3600 },	/* 2028-01-02 */
		{ 1830549599, 3600 }, { 1830549600, 0 },	/* 2028-01-03 22:00 */
		{ 1830700799, 0 }, { 1830700800, 3600 },	/* 2028-01-05 16:00 */
		{ 1846022400, 3600 },
	};
	struct tz tz;

	(void)state;
	assert_true(tz_parse("AAA0BBB,J364/160,J362/167", &tz));
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		assert_int_equal(offset_at(&tz, row[i].utc), row[i].offset);
}

/* Without a rule: the one of the United States. */
static void no_rule(void **state)
{
	struct tz with, without;

	(void)state;
	assert_true(tz_parse("EST5EDT,M3.2.0/2,M11.1.0/2", &with));
	assert_true(tz_parse("EST5EDT", &without));
	for (uint32_t utc = 1767225600; utc < 1767225600 + 2 * 366 * 86400; utc += 3600)
		assert_int_equal(offset_at(&with, utc), offset_at(&without, utc));
	assert_true(tz_parse("EST5EDT4:30", &without));
	assert_int_equal(offset_at(&without, 1783000000), -16200);
}

/* ---- what is none ------------------------------------------------------------ */

static const char *const malformed[] = {
	"", " ", "E", "ES5", "EST", "5", "-5", ":EST5", " EST5", "EST5 ", "EST5\n", "<EST5", "<ES>5", "<>5", "<EST>",
	"<E ST>5", "<EST5>", "E_T5", "EST5>", "EST25", "EST-25", "EST100", "EST5:60", "EST5:5", "EST5:",
	"EST5:00:60", "EST5:00:0", "EST5:00:00:00", "EST5:000", "EST++5", "EST+-5", "EST 5", "EST5ED", "EST5EDT25",
	"EST5EDT4:", "EST5EDT,", "EST5EDT,M3.2.0", "EST5EDT,M3.2.0,", "EST5EDT,M3.2.0,M11.1.0,",
	"EST5EDT,M3.2.0,M11.1.0 ", "EST5EDT,M3.2.0,M11.1.0x", "EST5EDT,M3.2.0,M11.1.0/2,M1.1.1",
	"EST5EDT,M0.2.0,M11.1.0", "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.0.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0",
	"EST5EDT,M3.2.7,M11.1.0", "EST5EDT,M3.2,M11.1.0", "EST5EDT,M3,M11.1.0", "EST5EDT,M003.2.0,M11.1.0",
	"EST5EDT,M3.02.0,M11.1.0", "EST5EDT,m3.2.0,M11.1.0", "EST5EDT,M3.2.0M11.1.0", "EST5EDT,M3.2.0;M11.1.0",
	"EST5EDT,J0,J300", "EST5EDT,J366,J300", "EST5EDT,J1000,J300", "EST5EDT,366,300", "EST5EDT,-1,300",
	"EST5EDT,J,300", "EST5EDT,J60/,J300", "EST5EDT,J60/168,J300", "EST5EDT,J60/-168,J300",
	"EST5EDT,J60/167:60,J300", "EST5EDT,J60/1:00:60,J300", "EST5EDT,J60/1000,J300", "EST5EDT,J60/x,J300",
	"EST5EDT,J60/+-1,J300", "EST5,M3.2.0,M11.1.0", "<EDT,M3.2.0,M11.1.0", "EST5<EDT,M3.2.0,M11.1.0",
	"99999999999999999999", "EST99999999999999999999", "EST5EDT,J99999999999999999999,J1",
	("\xff\xff\xff" "5"), "EST5EDT,,",
};

static void rejected(void **state)
{
	struct tz tz;
	uint32_t next;

	(void)state;
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		memset(&tz, 0xa5, sizeof(tz));
		if (tz_parse(malformed[i], &tz))
			fail_msg("taken: %s", malformed[i]);
		assert_int_equal(tz_offset(&tz, 1783000000, &next), 0);
		assert_int_equal(next, UINT32_MAX);
	}
}

/* ---- rules by the host's calendar -------------------------------------------- */

struct rule {
	char kind;		/* M, J, n */
	int month, week, weekday, day;
	long time;
};

struct zone {
	long offset[2];
	struct rule start, end;
};

static int64_t midnight(int year, int month, int day)
{
	struct tm tm = { .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day };

	return timegm(&tm);
}

static int weekday_of(int64_t at)
{
	time_t when = at;
	struct tm tm;

	return gmtime_r(&when, &tm)->tm_wday;
}

static int month_of(int64_t at)
{
	time_t when = at;
	struct tm tm;

	return gmtime_r(&when, &tm)->tm_mon + 1;
}

/* Day by day, as one would do with a calendar on the wall. */
static int64_t rule_midnight(const struct rule *rule, int year)
{
	int64_t at, found = 0;
	int n = 0;

	if (rule->kind == 'n')
		return midnight(year, 1, 1) + rule->day * 86400;
	if (rule->kind == 'J') {	/* the day of any year without 29 February */
		time_t when = midnight(2001, 1, 1) + (rule->day - 1) * 86400;
		struct tm tm;

		gmtime_r(&when, &tm);
		return midnight(year, tm.tm_mon + 1, tm.tm_mday);
	}
	for (at = midnight(year, rule->month, 1); month_of(at) == rule->month; at += 86400) {
		if (weekday_of(at) == rule->weekday && n < rule->week) {
			found = at;
			n++;
		}
	}
	return found;
}

enum { FIRST_YEAR = 1966, YEARS = 145 };

struct spans {
	int64_t start[YEARS], end[YEARS];
};

static void write_out(const struct zone *zone, struct spans *spans)
{
	int64_t end[YEARS + 1];

	for (int i = 0; i <= YEARS; i++)
		end[i] = rule_midnight(&zone->end, FIRST_YEAR + i) + zone->end.time - zone->offset[1];
	for (int i = 0; i < YEARS; i++) {
		spans->start[i] = rule_midnight(&zone->start, FIRST_YEAR + i) + zone->start.time - zone->offset[0];
		spans->end[i] = end[i] >= spans->start[i] ? end[i] : end[i + 1];
	}
}

static bool within(const struct spans *spans, int64_t at)
{
	for (int i = 0; i < YEARS; i++) {
		if (spans->start[i] <= at && at < spans->end[i])
			return true;
	}
	return false;
}

static uint32_t seed = 1;

static uint32_t any(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)(((uint64_t)seed * below) >> 32);
}

static void check_at(const struct tz *tz, const struct zone *zone, const struct spans *spans, int64_t at,
    const char *text)
{
	if (at < 0 || at > UINT32_MAX)
		return;
	if (offset_at(tz, (uint32_t)at) != zone->offset[within(spans, at)])
		fail_msg("%s at %lld: %d", text, (long long)at, (int)offset_at(tz, (uint32_t)at));
}

/* From change to change over all the range; next must never be later than the change. */
static void check_zone(const char *text, const struct zone *zone, int samples)
{
	struct spans spans;
	struct tz tz;

	if (!tz_parse(text, &tz))
		fail_msg("refused: %s", text);
	write_out(zone, &spans);
	for (int i = 0; i < YEARS; i++) {
		for (int k = -1; k <= 1; k++) {
			check_at(&tz, zone, &spans, spans.start[i] + k, text);
			check_at(&tz, zone, &spans, spans.end[i] + k, text);
		}
	}
	check_at(&tz, zone, &spans, 0, text);
	check_at(&tz, zone, &spans, UINT32_MAX, text);
	for (int i = 0; i < samples; i++) {
		uint32_t at = any(UINT32_MAX), next, later;
		int32_t offset = tz_offset(&tz, at, &next);

		check_at(&tz, zone, &spans, at, text);
		later = at + any(next - at);
		if (offset_at(&tz, later) != offset || offset_at(&tz, next - 1) != offset)
			fail_msg("%s: next of %u is %u", text, at, next);
	}
}

static const struct { const char *text; struct zone zone; } corner[] = {
	/* all the year: ends when it starts again */
	{ "XXX3YYY2,0/0,J365/25", { { -10800, -7200 }, { 'n', 0, 0, 0, 0, 0 }, { 'J', 0, 0, 0, 365, 25 * 3600 } } },
	/* and where end and start overlap */
	{ "XXX3YYY2,0/0,J365/167", { { -10800, -7200 }, { 'n', 0, 0, 0, 0, 0 }, { 'J', 0, 0, 0, 365, 167 * 3600 } } },
	/* never */
	{ "XXX3YYY2,J100/0,J100/1", { { -10800, -7200 }, { 'J', 0, 0, 0, 100, 0 }, { 'J', 0, 0, 0, 100, 3600 } } },
	/* into the year before, and the year after */
	{ "AAA0BBB,J1/-167,J2/167:59:59",
	    { { 0, 3600 }, { 'J', 0, 0, 0, 1, -167 * 3600 }, { 'J', 0, 0, 0, 2, 167 * 3600 + 3599 } } },
	{ "AAA0BBB,M12.5.0/167,M12.5.6/-167",
	    { { 0, 3600 }, { 'M', 12, 5, 0, 0, 167 * 3600 }, { 'M', 12, 5, 6, 0, -167 * 3600 } } },
	{ "AAA0BBB,365/0,0/0", { { 0, 3600 }, { 'n', 0, 0, 0, 365, 0 }, { 'n', 0, 0, 0, 0, 0 } } },
	{ "AAA24:59:59BBB-24:59:59,J365/167,J60/-167",
	    { { -89999, 89999 }, { 'J', 0, 0, 0, 365, 167 * 3600 }, { 'J', 0, 0, 0, 60, -167 * 3600 } } },
	/* 29 February */
	{ "AAA0BBB,J59,J60", { { 0, 3600 }, { 'J', 0, 0, 0, 59, 7200 }, { 'J', 0, 0, 0, 60, 7200 } } },
	{ "AAA0BBB,M2.5.2,M2.5.4", { { 0, 3600 }, { 'M', 2, 5, 2, 0, 7200 }, { 'M', 2, 5, 4, 0, 7200 } } },
	/* seconds, and a daylight time that is earlier */
	{ "AAA-1:02:03BBB-0:01:02,M4.4.3/-1:02:03,M9.5.6/25:59:59",
	    { { 3723, 62 }, { 'M', 4, 4, 3, 0, -3723 }, { 'M', 9, 5, 6, 0, 93599 } } },
};

static void corners(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(corner) / sizeof(corner[0]); i++)
		check_zone(corner[i].text, &corner[i].zone, 300);
}

/* The first corner in numbers: no second of standard time is left at New Year. */
static void all_year(void **state)
{
	struct tz tz;

	(void)state;
	assert_true(tz_parse("XXX3YYY2,0/0,J365/25", &tz));
	for (uint32_t utc = 1767225600 - 5 * 3600; utc < 1767225600 + 5 * 3600; utc += 7)
		assert_int_equal(offset_at(&tz, utc), -7200);
}

static long any_time(char *text, size_t room, long hours)
{
	long time = (long)any((uint32_t)(2 * hours * 3600 + 1)) - hours * 3600, size = time < 0 ? -time : time;

	snprintf(text, room, "%s%ld:%02ld:%02ld", time < 0 ? "-" : "", size / 3600, size / 60 % 60, size % 60);
	return time;
}

static void any_rule(struct rule *rule, char *text, size_t room)
{
	char time[24];

	*rule = (struct rule){
		.kind = "MJn"[any(3)], .month = (int)any(12) + 1, .week = (int)any(5) + 1, .weekday = (int)any(7),
	};
	rule->day = rule->kind == 'J' ? (int)any(365) + 1 : (int)any(366);
	rule->time = any_time(time, sizeof(time), any(2) ? 24 : 167);
	if (rule->kind == 'M')
		snprintf(text, room, "M%d.%d.%d/%s", rule->month, rule->week, rule->weekday, time);
	else
		snprintf(text, room, "%s%d/%s", rule->kind == 'J' ? "J" : "", rule->day, time);
}

static void any_rules(void **state)
{
	char text[160], offset[2][24], rule[2][48];
	struct zone zone;

	(void)state;
	for (int i = 0; i < 400; i++) {
		zone.offset[0] = -any_time(offset[0], sizeof(offset[0]), 24);
		zone.offset[1] = -any_time(offset[1], sizeof(offset[1]), 24);
		any_rule(&zone.start, rule[0], sizeof(rule[0]));
		any_rule(&zone.end, rule[1], sizeof(rule[1]));
		snprintf(text, sizeof(text), "STD%s<d+1>%s,%s,%s", offset[0], offset[1], rule[0], rule[1]);
		check_zone(text, &zone, 20);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_changes),
		cmocka_unit_test(fixed_offsets),
		cmocka_unit_test(two_years_back),
		cmocka_unit_test(no_rule),
		cmocka_unit_test(rejected),
		cmocka_unit_test(corners),
		cmocka_unit_test(all_year),
		cmocka_unit_test(any_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
