/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * POSIX TZ strings.  Daylight time lasts from a year's start to the same
 * year's end or, when this comes first (south of the equator), to the next
 * year's end; where such spans overlap or meet it simply continues.  A start or
 * end may fall into a neighbouring year (times of -167 to 167 hours).
 */
#include "tz.h"

#include "civil.h"
#include "hal.h"

#define HOUR 3600L
#define DAY 86400L

static FLASH struct tz_rule to_dst_default = { 2 * HOUR, 0, 'M', 3, 2, 0 };
static FLASH struct tz_rule to_std_default = { 2 * HOUR, 0, 'M', 11, 1, 0 };

/* The parts of the grammar: each takes what is its own from *text, false: it is not there. */

static bool take(const char **text, char c)
{
	if (**text != c)
		return false;
	(*text)++;
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool take_name(const char **text)
{
	bool quoted = take(text, '<');
	uint8_t size = 0;

	while (is_letter(**text) || (quoted && (is_digit(**text) || **text == '+' || **text == '-'))) {
		(*text)++;
		if (size < 3)
			size++;
	}
	return size == 3 && (!quoted || take(text, '>'));
}

/* At least `least` and at most `most` (3) digits. */
static bool take_number(const char **text, uint8_t least, uint8_t most, uint16_t max, uint16_t *value)
{
	uint8_t digits = 0;

	for (*value = 0; digits < most && is_digit(**text); digits++)
		*value = *value * 10 + (uint8_t)(*(*text)++ - '0');
	return digits >= least && *value <= max && !is_digit(**text);
}

/* [+-]hours[:mm[:ss]] */
static bool take_time(const char **text, uint8_t digits, uint16_t max_hours, int32_t *seconds)
{
	bool minus = take(text, '-');
	int32_t unit = HOUR;
	uint16_t value;

	if (!minus)
		take(text, '+');
	if (!take_number(text, 1, digits, max_hours, &value))
		return false;
	*seconds = value * HOUR;
	while (unit > 1 && take(text, ':')) {
		unit /= 60;
		if (!take_number(text, 2, 2, 59, &value))
			return false;
		*seconds += value * unit;
	}
	if (minus)
		*seconds = -*seconds;
	return true;
}

/* Text has it positive west of Greenwich. */
static bool take_offset(const char **text, int32_t *east)
{
	if (!take_time(text, 2, 24, east))
		return false;
	*east = -*east;
	return true;
}

static bool take_month_rule(const char **text, struct tz_rule *rule)
{
	uint16_t month, week, weekday;

	if (!take_number(text, 1, 2, 12, &month) || month < 1 || !take(text, '.') ||
	    !take_number(text, 1, 1, 5, &week) || week < 1 || !take(text, '.') ||
	    !take_number(text, 1, 1, 6, &weekday))
		return false;
	rule->month = month;
	rule->week = week;
	rule->weekday = weekday;
	return true;
}

static bool take_day(const char **text, struct tz_rule *rule)
{
	rule->kind = 'n';
	if (take(text, 'M')) {
		rule->kind = 'M';
		return take_month_rule(text, rule);
	}
	if (take(text, 'J'))
		rule->kind = 'J';
	return take_number(text, 1, 3, 365, &rule->day) && (rule->kind == 'n' || rule->day >= 1);
}

static bool take_rule(const char **text, struct tz_rule *rule)
{
	rule->time = 2 * HOUR;
	return take(text, ',') && take_day(text, rule) &&
	    (!take(text, '/') || take_time(text, 3, 167, &rule->time));
}

static bool take_zone(const char **text, struct tz *tz)
{
	if (!take_name(text) || !take_offset(text, &tz->offset[0]))
		return false;
	if (!**text)
		return true;
	tz->has_dst = true;
	if (!take_name(text))
		return false;
	tz->offset[1] = tz->offset[0] + HOUR;
	if (**text && **text != ',' && !take_offset(text, &tz->offset[1]))
		return false;
	if (!**text) {
		tz->to_dst = to_dst_default;
		tz->to_std = to_std_default;
		return true;
	}
	return take_rule(text, &tz->to_dst) && take_rule(text, &tz->to_std) && !**text;
}

bool tz_parse(const char *text, struct tz *tz)
{
	static FLASH struct tz utc = { .has_dst = false };

	*tz = utc;
	if (take_zone(&text, tz))
		return true;
	*tz = utc;
	return false;
}

/* The rule's day in year, modulo 2^16 (the years before 1970 too). */
static uint16_t rule_day(const struct tz_rule *rule, uint16_t year)
{
	uint16_t first;
	uint8_t day, length;

	if (rule->kind != 'M') {
		first = civil_days(year, 1, 1) + rule->day;
		return rule->kind == 'n' || (rule->day >= 60 && civil_leap(year)) ? first : first - 1;
	}
	first = civil_days(year, rule->month, 1);
	/* 105 weeks more: so that 1968 has weekdays too */
	day = (rule->weekday + 7 - civil_weekday(first + 735U)) % 7 + 7 * (rule->week - 1);
	length = civil_month_days(year, rule->month);
	while (day >= length)
		day -= 7;
	return first + day;
}

struct moment {
	uint16_t day;
	uint32_t second;	/* of the day */
};

/* Seconds from now to the change of rule in year, when the clocks before it are offset ahead. */
static int32_t until(const struct moment *now, const struct tz_rule *rule, uint16_t year, int32_t offset)
{
	return (int16_t)(rule_day(rule, year) - now->day) * DAY + rule->time - offset - (int32_t)now->second;
}

/* *least becomes value when that is ahead and nearer. */
static void nearer(int32_t value, int32_t *least)
{
	if (value > 0 && value < *least)
		*least = value;
}

/* Is it daylight time now?  *change: seconds to the next start or end. */
static bool daylight(const struct tz *tz, const struct moment *now, int32_t *change)
{
	struct date today;
	uint16_t year;
	int32_t start, end, next_end;
	bool dst = false;

	civil_date(now->day, &today);
	*change = 300 * DAY;		/* what is not looked at is farther away */
	/* Two years back: a start may have slipped into last year and its end, of the year after, into this. */
	year = today.year - 2;
	end = until(now, &tz->to_std, year, tz->offset[1]);
	for (; year <= today.year + 1; year++) {
		start = until(now, &tz->to_dst, year, tz->offset[0]);
		next_end = until(now, &tz->to_std, year + 1, tz->offset[1]);
		nearer(start, change);
		nearer(end, change);
		if (start <= 0 && (end >= start ? end : next_end) > 0)
			dst = true;
		end = next_end;
	}
	return dst;
}

int32_t tz_offset(const struct tz *tz, uint32_t utc, uint32_t *next)
{
	struct moment now;
	int32_t change;
	bool dst;

	*next = UINT32_MAX;
	if (!tz->has_dst)
		return tz->offset[0];
	now.day = utc / DAY;
	now.second = utc % DAY;
	dst = daylight(tz, &now, &change);
	if ((uint32_t)change < UINT32_MAX - utc)
		*next = utc + (uint32_t)change;
	return tz->offset[dst];
}
