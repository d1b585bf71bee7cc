/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Zones and times as they are given to the demo. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "place.h"

static char zone[PLACE_ZONE];
static uint32_t utc;

static void posix_strings_are_taken_as_they_are(void **state)
{
	char again[PLACE_ZONE];

	(void)state;
	assert_true(place_zone("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", zone));
	assert_string_equal(zone, "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0");
	setenv("TZ", "IST-1GMT0,M10.5.0,M3.5.0/1", 1);
	place_host_zone(zone);
	assert_string_equal(zone, "IST-1GMT0,M10.5.0,M3.5.0/1");
	unsetenv("TZ");
	place_host_zone(zone);
	assert_true(place_zone(zone, again));
}

/* In a directory of our own: the zones of tzdata change with the laws. */
static void names_are_looked_up(void **state)
{
	char directory[] = "/tmp/t_place.XXXXXX", path[64];
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(directory));
	setenv("TZDIR", directory, 1);
	snprintf(path, sizeof path, "%s/Own", directory);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("TZif2\nchanges\nEST5EDT,M3.2.0,M11.1.0\n", f);
	assert_int_equal(fclose(f), 0);
	assert_true(place_zone("Own", zone));
	assert_string_equal(zone, "EST5EDT,M3.2.0,M11.1.0");
	strcpy(zone, "kept");
	assert_true(place_zone(":Own", zone));
	assert_string_equal(zone, "EST5EDT,M3.2.0,M11.1.0");
	assert_false(place_zone("Other", zone));
	unlink(path);
	rmdir(directory);
	unsetenv("TZDIR");
}

static void others_are_refused(void **state)
{
	static const char *const bad[] = {
		"", ":", "Foo/Bar", "../../../etc/passwd", "/etc/localtime", "America", "zone.tab",
		"EST5EDT,M13.2.0,M11.1.0",
	};
	char kept[PLACE_ZONE] = "kept";

	(void)state;
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(place_zone(bad[i], kept));
	assert_string_equal(kept, "kept");
}

static void times(void **state)
{
	static const struct { const char *text; uint32_t utc; } good[] = {
		{ "0", 0 }, { "1793512800", 1793512800U }, { "4294967295", 4294967295U },
		{ "2026-11-01 06:00", 1793512800U }, { "2026-11-01T06:00", 1793512800U },
		{ "2036-02-07 06:28:16", 2085978496U }, { "2038-01-19T03:14:08Z", 2147483648U },
	};
	static const char *const bad[] = {
		"", "now", "-1", "4294967296", "99999999999999999999", "2026-11-01", "2026-02-30 06:00",
		"2026-11-01 06:00 EST", "1969-12-31 23:59", "2107-01-01 00:00", "12x",
	};

	(void)state;
	for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++) {
		assert_true(place_time(good[i].text, &utc));
		assert_int_equal(utc, good[i].utc);
	}
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(place_time(bad[i], &utc));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(posix_strings_are_taken_as_they_are),
		cmocka_unit_test(names_are_looked_up),
		cmocka_unit_test(others_are_refused),
		cmocka_unit_test(times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
