/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tz.c against the host's zones: the POSIX rule at the end of each file of
 * tzdata is given to us and to the C library, as a string and, for the years
 * after the file's last explicit change, by the zone's name.
 *
 * The C library looks only at the rules of the UTC year: where a daylight time
 * spans the New Year by rule days of the neighbouring year the string is not
 * compared here (t_tz.c does it by the calendar); no zone of tzdata does so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "tz.h"

#define DIRECTORY "/usr/share/zoneinfo/"

/* All kinds of rules, offsets and hemispheres; the ones without DST too. */
static const char *const zones[] = {
	"UTC", "America/New_York", "America/Los_Angeles", "America/St_Johns", "America/Havana", "America/Santiago",
	"America/Asuncion", "America/Nuuk", "America/Scoresbysund", "America/Miquelon", "America/Sao_Paulo",
	"America/Phoenix", "Atlantic/Azores", "Europe/London", "Europe/Dublin", "Europe/Berlin", "Europe/Athens",
	"Europe/Chisinau", "Europe/Moscow", "Africa/Cairo", "Africa/Casablanca", "Africa/Johannesburg",
	"Antarctica/Troll", "Asia/Beirut", "Asia/Jerusalem", "Asia/Gaza", "Asia/Kathmandu", "Asia/Kolkata",
	"Asia/Tehran", "Asia/Tokyo", "Australia/Adelaide", "Australia/Darwin", "Australia/Lord_Howe",
	"Australia/Sydney", "Australia/Eucla", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Easter",
	"Pacific/Norfolk", "Pacific/Kiritimati", "Pacific/Marquesas", "Pacific/Honolulu",
};

enum { ZONES = sizeof(zones) / sizeof(zones[0]), ENOUGH = 30 };

struct zone_file {
	char rule[64];
	uint32_t last;		/* the last explicit change, 0: none after 1970 */
};

static uint32_t big_endian(const uint8_t *byte)
{
	return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

/* The second block of a TZif file has changes of 64 bits; the rule is a line of its own after it. */
static bool parse_file(const uint8_t *data, size_t size, struct zone_file *file)
{
	size_t at = 0, times;
	int64_t last;

	for (unsigned block = 0; block < 2; block++) {
		size_t width = block == 0 ? 4 : 8;
		uint32_t count[6];	/* of UT marks, wall marks, leap seconds, changes, types, characters */

		if (size - at < 44 || memcmp(data + at, "TZif", 4) != 0 || data[at + 4] < '2')
			return false;
		for (unsigned i = 0; i < 6; i++)
			count[i] = big_endian(data + at + 20 + 4 * i);
		at += 44;
		times = at + count[3] * width;
		at = times + count[3] + count[4] * 6 + count[5] + count[2] * (width + 4) + count[1] + count[0];
		if (at >= size)
			return false;
		last = count[3] == 0 ? 0 : (int64_t)((uint64_t)big_endian(data + times - 8) << 32 | big_endian(data + times - 4));
	}
	file->last = last > 0 ? (uint32_t)last : 0;
	if (size - at < 2 || data[at] != '\n' || data[size - 1] != '\n' || size - at - 2 >= sizeof(file->rule))
		return false;
	memcpy(file->rule, data + at + 1, size - at - 2);
	file->rule[size - at - 2] = '\0';
	return true;
}

static bool read_file(const char *zone, struct zone_file *file)
{
	static uint8_t data[65536];
	char path[128];
	size_t size;
	FILE *in;

	snprintf(path, sizeof(path), DIRECTORY "%s", zone);
	in = fopen(path, "rb");
	if (in == NULL)
		return false;
	size = fread(data, 1, sizeof(data), in);
	fclose(in);
	return parse_file(data, size, file);
}

static void host_zone(const char *text)
{
	assert_int_equal(setenv("TZ", text, 1), 0);
	tzset();
}

static long host_offset(uint32_t utc)
{
	time_t at = utc;
	struct tm tm;

	assert_non_null(localtime_r(&at, &tm));
	return tm.tm_gmtoff;
}

static void same_at(const struct tz *tz, uint32_t utc, const char *zone)
{
	uint32_t next;
	int32_t ours = tz_offset(tz, utc, &next);

	if (ours != host_offset(utc))
		fail_msg("%s at %u: %d, the host has %ld", zone, utc, (int)ours, host_offset(utc));
}

/* At every change of ours and one second around it, and every 13 hours or so in between: also the host's changes. */
static unsigned compare(const struct tz *tz, uint32_t from, uint32_t step, const char *zone)
{
	uint32_t utc = from, next, at;
	unsigned changes = 0;

	for (; utc != UINT32_MAX; utc = next, changes++) {
		tz_offset(tz, utc, &next);
		if (utc > from)
			same_at(tz, utc - 1, zone);
		same_at(tz, utc, zone);
		same_at(tz, utc + 1, zone);
		for (at = utc; next - at > step; at += step)
			same_at(tz, at, zone);
		same_at(tz, next - 1, zone);
	}
	same_at(tz, UINT32_MAX, zone);
	return changes;
}

static void all_zones(void **state)
{
	unsigned seen = 0, changes = 0;
	struct zone_file file;
	struct tz tz;

	(void)state;
	if (access(DIRECTORY "Europe/Berlin", R_OK) != 0) {
		if (getenv("REQUIRE_ALL") != NULL)
			fail_msg("there is no tzdata in " DIRECTORY);
		print_message("SKIPPED: there is no tzdata in " DIRECTORY "\n");
		skip();
	}
	for (unsigned i = 0; i < ZONES; i++) {
		if (!read_file(zones[i], &file))
			continue;
		if (!tz_parse(file.rule, &tz))
			fail_msg("%s: refused %s", zones[i], file.rule);
		host_zone(file.rule);
		changes += compare(&tz, 0, 13 * 3600 + 7, zones[i]);
		host_zone(zones[i]);
		compare(&tz, file.last, 13 * 3600 + 7, zones[i]);
		seen++;
	}
	print_message("%u zones, %u changes\n", seen, changes);
	assert_true(seen >= ENOUGH);
}

/* Strings of rules that tzdata does not have. */
static void other_strings(void **state)
{
	static const char *const text[] = {
		"XXX3YYY2,J60/0,J300/0", "XXX3YYY2,59/0,299/0", "XXX-3YYY-4:30:15,J300/1:02:03,J60/-1:02:03",
		"AAA12BBB11,M2.5.3/100,M12.1.2/-100", "AAA-14BBB-13,M1.4.1,M6.5.6/23:59:59", "AAA0BBB-0:20,364/12,120",
	};
	struct tz tz;

	(void)state;
	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
		assert_true(tz_parse(text[i], &tz));
		host_zone(text[i]);
		assert_true(compare(&tz, 0, 13 * 3600 + 7, text[i]) >= 2 * 130);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_zones),
		cmocka_unit_test(other_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
