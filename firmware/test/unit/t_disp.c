/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the display second by second: start, time, codes, zones, steps. */
#include "disp_world.h"

static void start_show(void **state)
{
	(void)state;
	disp_pass();
	assert_string_equal(tubes(), "000000");
	run(500, 10);
	assert_string_equal(tubes(), "111111");
	run(1500, 10);
	assert_string_equal(tubes(), "144444");
	run(10500, 10);
	assert_string_equal(tubes(), "151515");
	run(3500, 10);			/* 16 s */
	assert_string_equal(tubes(), "----22");
	run(4000, 10);
	assert_string_equal(tubes(), "----40");
	world_code = CODE_NO_AUTH;
	run(60, 10);
	assert_string_equal(tubes(), "----12");
	run(3600000, 50);
	assert_string_equal(tubes(), "----12");
	world_code = CODE_NONE;
	run(60, 10);
	assert_true(strncmp(tubes(), "----", 4) == 0 && tubes()[5] != '-');
}

static void code_at_start(void **state)
{
	(void)state;
	world_code = CODE_NO_CONFIG;
	disp_pass();
	assert_string_equal(tubes(), "----01");
}

static void the_time(void **state)
{
	(void)state;
	set_time(86399 + 86400 * 20000UL);
	assert_string_equal(tubes(), "235959");
	run(990, 10);
	assert_string_equal(tubes(), "235959");
	world_part += 10;
	begin_second();			/* by the interrupt alone */
	assert_string_equal(tubes(), "000000");
	for (uint32_t second = 1; second < 7200; second++) {
		char expected[24];

		run(1000, 500);
		snprintf(expected, sizeof(expected), "%02u%02u%02u",
		    (unsigned)(second / 3600), (unsigned)(second / 60 % 60), (unsigned)(second % 60));
		assert_string_equal(tubes(), expected);
	}
}

static void hours(void **state)
{
	(void)state;
	conf.flags = 0;
	for (unsigned flags = 0; flags < 4; flags++)
		for (unsigned hour = 0; hour < 24; hour++) {
			unsigned face = flags & 1 ? hour % 12 ? hour % 12 : 12 : hour;
			char expected[24];

			conf.flags = (uint8_t)((flags & 1 ? CONF_12_HOURS : 0) | (flags & 2 ? CONF_NO_ZERO : 0));
			set_time(86400UL * 20000 + hour * 3600 + 300);
			snprintf(expected, sizeof(expected), flags & 2 ? "%2u0500" : "%02u0500", face);
			if (expected[0] == ' ')
				expected[0] = '-';
			run(50, 10);
			assert_string_equal(tubes(), expected);
		}
}

static void watchdog(void **state)
{
	(void)state;
	disp_watchdog();
	set_time(1795178096);
	assert_string_equal(tubes(), "----40");
	run(4990, 10);
	assert_string_equal(tubes(), "----40");
	run(20, 10);
	assert_string_equal(tubes(), "123501");
}

static void stale(void **state)
{
	(void)state;
	set_time(1795178096);
	world_sync = SYNC_STALE;
	run(3000, 10);
	assert_string_equal(tubes(), "123459");
	run(1000, 10);
	assert_string_equal(tubes(), "----21");
	world_code = CODE_LINK_LOST;
	run(1990, 10);
	assert_string_equal(tubes(), "----14");
	run(10, 10);
	assert_string_equal(tubes(), "123502");
	world_sync = SYNC_OLD;
	run(50, 10);
	assert_string_equal(tubes(), "1235--");
	run(58000, 50);
	assert_string_equal(tubes(), "1236--");
	world_sync = SYNC_FRESH;
	run(50, 10);
	assert_string_equal(tubes(), "123600");
	run(60000, 50);
	assert_string_equal(tubes(), "123700");
}

static void bad_zone(void **state)
{
	(void)state;
	strcpy(conf.tz, "EST5EDT,nonsense");
	disp_zone();
	set_time(1795178099);
	assert_string_equal(tubes(), "123459");
	run(1000, 10);
	assert_string_equal(tubes(), "----30");
	run(2000, 10);
	assert_string_equal(tubes(), "123502");
	strcpy(conf.tz, "EST5EDT,M3.2.0,M11.1.0");
	disp_zone();
	run(50, 10);
	assert_string_equal(tubes(), "073502");
	disp_init();			/* knows the zone from the start */
	run(50, 10);
	assert_string_equal(tubes(), "073502");
}

static void summer_time(void **state)
{
	(void)state;
	conf.flags = 0;
	strcpy(conf.tz, "EST5EDT,M3.2.0,M11.1.0");
	disp_zone();
	set_time(1772953199);
	assert_string_equal(tubes(), "015959");
	world_part = 990;
	disp_pass();
	begin_second();
	assert_string_equal(tubes(), "030000");
	set_time(1793512799);
	run(50, 10);
	assert_string_equal(tubes(), "015959");
	begin_second();
	assert_string_equal(tubes(), "010000");
	set_time(1793512799);		/* a step back over the change */
	run(50, 10);
	assert_string_equal(tubes(), "015959");
}

/* An interrupt at any point of disp_pass leaves the newer second on the tubes. */
static void interrupted(void **state)
{
	(void)state;
	for (int at = 0; at < 40; at++) {
		char newer[7];

		set_time(1795178096);
		run(100, 50);
		world_ms += 50;
		world_part = 950;
		interrupt_in = at;
		disp_pass();
		if (interrupt_in >= 0)
			return;		/* past the last call */
		interrupt_in = -1;
		assert_int_equal(world_utc, 1795178097);
		memcpy(newer, tubes(), sizeof(newer));
		assert_string_equal(newer, "123457");
	}
	fail_msg("disp_pass calls without end");
}

/* After a step the prepared picture is not the one of the next second: the old one may stay, a wrong one not come. */
static void stepped(void **state)
{
	(void)state;
	set_time(1795178096);
	run(500, 10);
	world_next = 1795181701;
	begin_second();
	assert_string_equal(tubes(), "123456");
	disp_pass();
	assert_string_equal(tubes(), "133501");
}

static void leap(void **state)
{
	(void)state;
	set_time(1782863998);		/* 2026-06-30 23:59:58 */
	world_leap = true;
	run(1000, 10);
	assert_string_equal(tubes(), "235959");
	run(1000, 10);
	assert_string_equal(tubes(), "235959");
	run(1000, 10);
	assert_string_equal(tubes(), "000000");
}

static void refresh(void **state)
{
	(void)state;
	set_time(1795178096);
	for (unsigned i = 0; i < 100; i++) {
		unsigned before = shows;

		memset(shown, 0, sizeof(shown));
		run(50, 10);
		assert_true(shows > before);
		assert_string_not_equal(tubes(), "------");
	}
}

/* Blinks, is lit in holdover, and is dark without a time or while the tubes are dimmed. */
static void the_colon(void **state)
{
	static const struct { enum sync_state sync; bool first, second; } row[] = {
		{ SYNC_FRESH, true, false }, { SYNC_STALE, true, true }, { SYNC_OLD, true, true }, { SYNC_NEVER, false, false },
	};

	(void)state;
	run(1000, 10);
	assert_false(colon_lit);
	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		set_time(1795132800 + 10);
		world_sync = row[i].sync;
		run(1000, 10);
		for (unsigned k = 0; k < 2; k++) {
			run(440, 10);
			assert_int_equal(colon_lit, row[i].first);
			run(60, 10);
			assert_int_equal(colon_lit, row[i].second);
			run(480, 10);
			assert_int_equal(colon_lit, row[i].second);
			run(20, 10);
		}
	}
	conf.dim_to = 60;
	conf.dim_level = 4;
	set_time(1795132800 + 20);
	run(1200, 10);
	assert_false(colon_lit);
}

/* A dark room dims as the dim hours do, with a hysteresis; without a level nothing. */
static void the_light(void **state)
{
	static const struct { uint8_t light, level; } row[] = {
		{ 255, 16 }, { 64, 16 }, { 63, 4 }, { 96, 4 }, { 97, 16 }, { 0, 4 }, { 255, 16 },
	};

	(void)state;
	conf.dim_level = 4;
	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		world_light = row[i].light;
		set_time(1795132800 + 12 * 3600);
		run(2000, 10);
		assert_int_equal(level, row[i].level);
	}
	conf.dim_level = 0;
	world_light = 0;
	set_time(1795132800 + 12 * 3600);
	run(2000, 10);
	assert_int_equal(level, 16);
	assert_true(high_voltage);
	world_light = 255;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(start_show), TEST(code_at_start), TEST(the_time), TEST(hours), TEST(watchdog), TEST(stale),
		TEST(bad_zone), TEST(summer_time), TEST(interrupted), TEST(stepped), TEST(leap), TEST(refresh),
		TEST(the_colon), TEST(the_light),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
