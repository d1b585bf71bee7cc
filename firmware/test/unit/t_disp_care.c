/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the care of the tubes: dimming, darkness, self-test, exercise. */
#include <time.h>

#include "disp_world.h"

static void dimmed(void **state)
{
	(void)state;
	conf.dim_from = 22 * 60;
	conf.dim_to = 7 * 60;
	conf.dim_level = 4;
	set_time(1795132800 + 21 * 3600 + 3599);
	assert_int_equal(level, 16);
	run(1000, 10);
	assert_int_equal(level, 4);
	set_time(1795132800);
	assert_int_equal(level, 4);
	set_time(1795132800 + 7 * 3600 - 1);
	assert_int_equal(level, 4);
	run(1000, 10);
	assert_int_equal(level, 16);
	conf.dim_from = conf.dim_to;
	set_time(1795132800);
	assert_int_equal(level, 16);
	conf.dim_from = 12 * 60;
	conf.dim_to = 13 * 60;
	set_time(1795132800 + 12 * 3600);
	assert_int_equal(level, 4);
	set_time(1795132800 + 13 * 3600);
	assert_int_equal(level, 16);
}

static void night_dark(void **state)
{
	(void)state;
	conf.flags = CONF_NIGHT_DARK;
	conf.dim_from = 22 * 60;
	conf.dim_to = 7 * 60;
	conf.dim_level = 4;
	set_time(1795132800 + 22 * 3600 - 2);
	assert_string_equal(tubes(), "215958");
	run(1000, 10);
	assert_string_equal(tubes(), "215959");
	run(1000, 10);
	assert_string_equal(tubes(), "      ");
	run(9 * 3600 * 1000 - 1000, 100);
	assert_string_equal(tubes(), "      ");
	world_part = 1000;
	begin_second();			/* registers valid, then the voltage */
	assert_false(high_voltage);
	assert_int_equal(shown[1], 0x08);	/* 07:00:00 */
	disp_pass();
	assert_string_equal(tubes(), "070000");
}

/* Code 40 and the self-test are seen in the night too. */
static void night_special(void **state)
{
	(void)state;
	conf.dim_to = 1439;
	conf.dim_level = 0;
	set_time(1795132800 + 3600);
	assert_string_equal(tubes(), "      ");
	disp_watchdog();
	run(20, 10);
	assert_string_equal(tubes(), "----40");
	run(5020, 10);
	assert_string_equal(tubes(), "      ");
}

static void self_test(void **state)
{
	(void)state;
	set_time(1795178096);
	disp_test();
	for (unsigned place = 0; place < PLACES; place++)
		for (unsigned digit = 0; digit < digits_of((uint8_t)place); digit++) {
			char expected[] = "------";

			expected[place] = (char)('0' + digit);
			run(10, 10);
			assert_string_equal(tubes(), expected);
			run(230, 10);
			assert_string_equal(tubes(), expected);
			run(10, 10);
		}
	run(20, 10);
	assert_string_equal(tubes(), "123507");
	disp_test();
	run(100, 10);
	table_broken = true;
	run(200, 10);
	assert_string_equal(tubes(), "----50");
	run(5100, 10);
	assert_string_equal(tubes(), "123512");
}

static void exercise_window(void **state)
{
	(void)state;
	set_time(1795132800 + 3 * 3600 - 1);
	assert_string_equal(tubes(), "025959");
	world_part = 1000;
	begin_second();
	assert_string_equal(tubes(), "000000");
	disp_pass();
	run(500, 10);
	assert_string_equal(tubes(), "111111");
	run(599000, 500);
	assert_string_equal(tubes(), "295959");
	run(500, 10);
	assert_string_equal(tubes(), "031000");
	conf.flags = CONF_EXERCISE | CONF_NIGHT_DARK;	/* an hour before the dark */
	conf.dim_from = 30;
	conf.dim_to = 6 * 60;
	set_time(1795132800 + 3 * 3600 + 5);
	assert_string_equal(tubes(), "      ");
	set_time(1795132800 + 23 * 3600 + 30 * 60 + 1);
	assert_string_equal(tubes(), "222222");
	set_time(1795132800 + 23 * 3600 + 45 * 60 + 1);
	assert_string_equal(tubes(), "234501");
	conf.dim_from = 3 * 60 + 5;			/* dark from its middle on: not at all at its hour */
	set_time(1795132800 + 3 * 3600 + 5);
	assert_string_equal(tubes(), "030005");
	set_time(1795132800 + 2 * 3600 + 5 * 60 + 1);
	assert_string_equal(tubes(), "222222");
	conf.flags = 0;
	conf.dim_from = conf.dim_to;
	set_time(1795132800 + 3 * 3600 + 5);
	assert_string_equal(tubes(), "030005");
}

/* In each mode each wired cathode is lit for a minute a day at full brightness. */
static void a_day_of(unsigned hours_flags, unsigned night, enum sync_state sync)
{
	conf.flags = (uint8_t)(CONF_EXERCISE | hours_flags | (night == 2 ? CONF_NIGHT_DARK : 0));
	conf.dim_from = night ? 22 * 60 : 0;
	conf.dim_to = night ? 7 * 60 : 0;
	conf.dim_level = night == 3 ? 0 : 4;
	memset(lit_ms, 0, sizeof(lit_ms));
	set_time(1795132800);
	world_sync = sync;
	run(86400000, 500);
	for (unsigned place = 0; place < PLACES; place++)
		for (unsigned digit = 0; digit < digits_of((uint8_t)place); digit++)
			if (lit_ms[place][digit] < 60000 * 16)
				fail_msg("place %u digit %u: %u s (flags %u, night %u, sync %d)", place, digit,
				    (unsigned)(lit_ms[place][digit] / 16000), hours_flags, night, sync);
}

static void every_cathode(void **state)
{
	(void)state;
	run(16000, 100);
	for (unsigned flags = 0; flags < 4; flags++) {
		a_day_of(flags, 2, SYNC_STALE);
		for (unsigned night = 0; night < 4; night++)
			a_day_of(flags, night, SYNC_OLD);
	}
}

/* As many places as have stopped show the time; the others another digit each 50 ms. */
static void rolls_at_the_hour(void **state)
{
	(void)state;
	conf.roll = 3;
	set_time(1795132800 + 13 * 3600 - 1);
	assert_string_equal(tubes(), "125959");
	run(1000, 10);
	for (uint32_t ms = 0, before = 0; ms < 2990; ms += 50, run(50, 10)) {
		char time[7];

		snprintf(time, sizeof(time), "13000%u", (unsigned)ms / 1000);
		assert_memory_equal(tubes(), time, ms / 500);
		assert_int_not_equal(shows, before);
		before = shows;
	}
	assert_string_equal(tubes(), "130003");
	/* the loop sees a second 5 ms late on average: the next digits come 45 ms after that */
	set_time(1795132800 + 16 * 3600 - 1);
	run(1000, 10);
	uint32_t shown_before = shows;
	run(44, 1);
	assert_int_equal(shows, shown_before);
	run(1, 1);
	assert_int_not_equal(shows, shown_before);
	set_time(1795132800 + 14 * 3600);
	world_sync = SYNC_STALE;		/* a fault takes precedence */
	run(50, 10);
	assert_string_equal(tubes(), "----21");
}

static void fades_seconds(void **state)
{
	(void)state;
	conf.flags = CONF_FADE;
	set_time(1795132800);
	run(2000, 10);
	assert_true(fades);
	disp_test();
	run(500, 10);
	assert_false(fades);
	conf.flags = 0;
	run(20000, 10);
	assert_string_equal(tubes(), "000022");
	assert_false(fades);
	/* the dark comes at once: nothing is left when the voltage goes */
	conf.flags = CONF_FADE | CONF_NIGHT_DARK;
	conf.dim_from = 1;
	conf.dim_to = 2;
	set_time(1795132800 + 58);
	run(1000, 10);
	assert_true(fades);
	run(1000, 10);
	assert_false(fades);
}

/* Every day for years, by the C library; what a place has no digit for stays dark. */
static void the_date_of_each_day(void **state)
{
	static const char *const form[] = { "%d%m", "%m%d--", "%m%d%y" };

	(void)state;
	conf.date = 10;
	for (uint32_t utc = 1795132800 + 31; utc < 1795132800 + 40 * 365 * 86400UL; utc += 86400) {
		time_t time = (time_t)utc;
		char expected[8];

		conf.date_form = (uint8_t)(utc / 86400 % DATE_FORMS);
		strftime(expected, sizeof(expected), form[conf.date_form], gmtime(&time));
		if (conf.date_form == DATE_DM) {
			memmove(expected + 2, expected, 5);
			memcpy(expected, "--", 2);
		}
		if (expected[4] > '5')
			expected[4] = '-';
		set_time(utc);
		run(50, 50);
		assert_string_equal(tubes(), expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(dimmed), TEST(night_dark), TEST(night_special), TEST(self_test), TEST(exercise_window),
		TEST(every_cathode), TEST(rolls_at_the_hour), TEST(fades_seconds), TEST(the_date_of_each_day),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
