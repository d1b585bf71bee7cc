/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests how the demo controls the clock, on the PC's processor and with the scripted server.  Covers every key of the demo. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "demo.h"

#define AT 1793500000U		/* 2026-11-01 02:26:40 UTC, the evening before summer time ends in New York */

static struct demo demo;

static int setup(void **state)
{
	const struct demo_options options = {
		.cpu = &rig_pc, .elf = "", .tz = "EST5EDT,M3.2.0,M11.1.0", .utc = AT, .speed = 600, .seed = 1, .no_chrony = true,
	};

	(void)state;
	assert_true(demo_open(&demo, &options));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	demo_close(&demo);
	return 0;
}

static const char *tubes(void)
{
	return tubes_at(&demo.rig->tubes, demo.rig->cycle);
}

static bool shows(double utc)
{
	struct tm local = demo_local(&demo, (time_t)utc);
	char text[16];

	strftime(text, sizeof text, "%H%M%S", &local);
	return strcmp(text, tubes()) == 0;
}

/* The tubes have the server's time in the zone that the host's C library knows, a little early or late. */
static bool right(void)
{
	return shows(demo_utc(&demo) - 0.02) || shows(demo_utc(&demo) + 0.02);
}

static void settle(void)
{
	rig_run(demo.rig, 12);
	assert_true(right());
}

static void goes_to_the_asked_time(void **state)
{
	char text[200];

	(void)state;
	assert_true(demo_utc(&demo) >= AT && demo_utc(&demo) < AT + 1);
	demo_doing(&demo, text, sizeof text);
	assert_non_null(strstr(text, "WiFi module"));
	demo_sync(&demo, text, sizeof text);
	assert_string_equal(text, "no reply has come yet");
	rig_run(demo.rig, 1);
	demo_tubes(&demo, text, sizeof text);
	assert_non_null(strstr(text, "digits in turn"));
	settle();
	demo_tubes(&demo, text, sizeof text);
	assert_non_null(strstr(text, "the server's time, off by 0."));
	demo_sync(&demo, text, sizeof text);
	assert_non_null(strstr(text, "reply 1 came"));
	demo_doing(&demo, text, sizeof text);
	assert_non_null(strstr(text, "has an answer"));
	assert_null(demo_code(&demo));
}

static void jumps_to_both_changes_of_a_year(void **state)
{
	static const char *const shown[][2] = { { "015955", "010002" }, { "015955", "030002" } };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		demo_jump(&demo);
		assert_int_equal(demo.speed, 1);
		demo_speed(&demo, 600);
		rig_run(demo.rig, 0.5);
		assert_string_equal(tubes(), shown[i][0]);
		assert_true(right());
		rig_run(demo.rig, 7);
		assert_string_equal(tubes(), shown[i][1]);
		assert_true(right());
	}
}

static void zone_without_changes_does_not_jump(void **state)
{
	uint64_t power_on = demo.rig->power_on;

	(void)state;
	settle();
	rig_command(demo.rig, "tz UTC0");
	demo_jump(&demo);
	assert_int_equal(demo.rig->power_on, power_on);
	assert_non_null(strstr(demo.notice, "no daylight saving"));
}

static void wifi_is_lost_and_comes_back(void **state)
{
	char text[200];

	(void)state;
	settle();
	demo_wifi(&demo);
	rig_run(demo.rig, 60);
	demo_doing(&demo, text, sizeof text);
	assert_non_null(strstr(text, "joins the network"));
	assert_true(right());
	demo_wifi(&demo);
	rig_run(demo.rig, 700);
	assert_true(wsim_joined(demo.rig->wifi));
	assert_true(right());
}

/* On the second tubes alone it looks like a code at each step. */
static void exercise_is_no_error_code(void **state)
{
	(void)state;
	wsim_script(demo.rig->wifi)->join_ms = 19000;
	demo_power(&demo);
	demo_power(&demo);
	assert_true(rig_wait(demo.rig, "----**", 17));
	for (unsigned i = 0; i < 60; i++) {
		assert_null(demo_code(&demo));
		rig_run(demo.rig, 0.03);
	}
	assert_int_equal(strncmp(tubes(), "----", 4), 0);
}

static void silent_server_is_an_error_code_at_first(void **state)
{
	char text[200];

	(void)state;
	demo_server(&demo);
	rig_run(demo.rig, 60);
	assert_string_equal(tubes(), "----21");
	assert_string_equal(demo_code(&demo), "server does not answer");
	demo_tubes(&demo, text, sizeof text);
	assert_string_equal(text, "--:--:21  error code 21: server does not answer");
	demo_server(&demo);
	rig_run(demo.rig, 120);
	assert_true(right());
}

static void no_lie_moves_a_clock_that_knows_the_time(void **state)
{
	(void)state;
	settle();
	for (unsigned i = 1; i < DEMO_LIES; i++) {
		demo_next_lie(&demo);
		assert_int_equal(demo.lie, i);
		if (demo.lie == DEMO_HOUR)
			continue;	/* one that sticks to it is believed in the end */
		rig_run(demo.rig, 16);		/* no sooner after the last request */
		assert_non_null(strstr(rig_command(demo.rig, "sync"), "ok"));
		rig_run(demo.rig, 40);
		assert_true(right());
	}
	demo_next_lie(&demo);
	assert_int_equal(demo.lie, DEMO_HONEST);
	assert_true(right());
}

static void power_and_reset(void **state)
{
	char text[200];

	(void)state;
	settle();
	demo_button(&demo);
	rig_run(demo.rig, 2);
	demo_tubes(&demo, text, sizeof text);
	assert_non_null(strstr(text, "the server's time, since a moment ago"));
	rig_run(demo.rig, 1);
	assert_true(right());
	demo_power(&demo);
	rig_run(demo.rig, 1);
	assert_string_equal(tubes(), "      ");
	demo_doing(&demo, text, sizeof text);
	assert_string_equal(text, "has no power");
	demo_test(&demo);
	assert_string_equal(demo.notice, "the clock has no power");
	demo_power(&demo);
	settle();
}

static uint64_t lit(void)
{
	uint64_t sum = 0;

	tubes_pass(&demo.rig->tubes, demo.rig->cycle);
	for (unsigned digit = 0; digit < 10; digit++)
		sum += tubes_lit(&demo.rig->tubes, 5, digit);
	return sum;
}

static void night_is_a_quarter_of_the_light(void **state)
{
	uint64_t before;

	(void)state;
	settle();
	demo_night(&demo);
	rig_run(demo.rig, 2);
	before = lit();
	rig_run(demo.rig, 10);
	assert_in_range((lit() - before) * 100 / (uint64_t)(10 * SIM_HZ), 23, 27);
	demo_night(&demo);
	rig_run(demo.rig, 2);
	before = lit();
	rig_run(demo.rig, 10);
	assert_in_range((lit() - before) * 100 / (uint64_t)(10 * SIM_HZ), 98, 100);
}

static void typed_settings_count(void **state)
{
	char text[200];

	(void)state;
	settle();
	rig_type(demo.rig, "tz UTC0\rhours 12\rzero off\r");
	demo.measured_at = 0;
	demo_run(&demo, 0.01);
	rig_run(demo.rig, 5);
	demo_tubes(&demo, text, sizeof text);
	assert_non_null(strstr(text, "the server's time"));
	assert_int_equal(text[0], '-');		/* 02:27 */
}

/* Nothing else distinguishes it from a wrong time. */
static void what_is_no_time_has_a_name(void **state)
{
	char text[200];

	(void)state;
	settle();
	rig_command(demo.rig, "test");
	rig_run(demo.rig, 1);
	demo_tubes(&demo, text, sizeof text);
	assert_non_null(strstr(text, "self-test"));
	rig_command(demo.rig, "exercise on");
	for (unsigned i = 0; i < 500 && strncmp(tubes(), "0259", 4) != 0; i++)
		rig_run(demo.rig, 50);
	rig_run(demo.rig, 240);
	demo_tubes(&demo, text, sizeof text);
	assert_non_null(strstr(text, "exercise"));
}

static void the_host_may_sleep(void **state)
{
	double utc;

	(void)state;
	settle();
	demo.real = true;
	utc = demo_utc(&demo);
	demo.host -= 3600;
	demo.measured_at = 0;
	demo_run(&demo, 0.01);
	assert_in_range((unsigned long)(demo_utc(&demo) - utc), 3600, 3608);
	assert_non_null(strstr(demo.notice, "jumped by 3600 s"));
}

static void the_test_walks_over_all_cathodes(void **state)
{
	uint64_t from;

	(void)state;
	settle();
	from = demo.rig->cycle;
	demo_test(&demo);
	rig_run(demo.rig, 60);
	assert_non_null(tubes_find(&demo.rig->tubes, from, "2-----"));
	assert_non_null(tubes_find(&demo.rig->tubes, from, "-----9"));
	assert_true(right());
}

/* More than a day: the oldest changes are gone, the newest are right. */
static void is_left_running(void **state)
{
	(void)state;
	rig_run(demo.rig, 26 * 3600);
	demo_run(&demo, 0.01);
	assert_in_range(demo.rig->tubes.changes, 40000, 50000);
	assert_true(right());
	assert_true(rig_error_ms(demo.rig, demo.rig->cycle - (uint64_t)(3600 * SIM_HZ), demo.rig->cycle) < 20);
}

static void speed_goes_up_and_down(void **state)
{
	(void)state;
	demo_speed(&demo, 1);
	demo_faster(&demo, false);
	assert_int_equal(demo.speed, 1);
	demo_faster(&demo, true);
	assert_int_equal(demo.speed, 2);
	for (unsigned i = 0; i < 20; i++)
		demo_faster(&demo, true);
	assert_int_equal(demo.speed, 600);
	demo_run(&demo, 0.05);
	demo_faster(&demo, false);
	assert_int_equal(demo.speed, 300);
}

static void open_script(const char *name)
{
	const struct demo_options options = {
		.cpu = &rig_pc, .elf = "", .tz = "UTC0", .utc = AT, .seed = 1, .no_chrony = true, .script = script_find(name),
	};

	demo_close(&demo);
	assert_non_null(options.script);
	assert_true(demo_open(&demo, &options));
	assert_int_equal(demo.speed, options.script->speed);
}

/* Its steps come at their times, whatever the speed. */
static void run_to(double seconds)
{
	while ((double)demo.rig->cycle / SIM_HZ < seconds) {
		demo_run(&demo, 0);
		rig_run(demo.rig, 1);
	}
}

static void the_roll(void **state)
{
	char text[200];

	(void)state;
	open_script("roll");
	run_to(34);
	assert_true(right());
	rig_run(demo.rig, 2.5);
	demo_tubes(&demo, text, sizeof text);
	assert_non_null(strstr(text, "the roll of the hour"));
	run_to(44);
	assert_true(right());
	assert_true(demo.rig->tubes.slowest_flicker > 0 && demo.rig->tubes.slowest_flicker <= SIM_HZ / 100);
}

static void the_date(void **state)
{
	char text[200];

	(void)state;
	open_script("date");
	run_to(44);
	assert_true(right());
	run_to(77);
	assert_string_equal(tubes(), "110126");
	demo_tubes(&demo, text, sizeof text);
	assert_non_null(strstr(text, "the date"));
	run_to(84);
	assert_true(right());
}

static void a_pool_that_refuses(void **state)
{
	(void)state;
	open_script("deny");
	run_to(29);
	assert_in_range(demo.rig->server[0].requests, 1, 2);
	assert_int_equal(demo.rig->server[1].requests, 0);
	assert_false(right());
	assert_non_null(strstr(demo.notice, "refuses (DENY)"));
	run_to(31);
	assert_non_null(strstr(demo.notice, "another machine"));
	run_to(599);
	assert_true(demo.rig->server[1].requests > 0);
	assert_true(right());
}

static void servers_that_disagree(void **state)
{
	(void)state;
	open_script("disagree");
	run_to(119);
	assert_true(right());
	run_to(7900);
	assert_true(demo.rig->server[1].requests > 0);
	assert_true(demo.rig->server[1].jump > 39);
	assert_null(tubes_find(&demo.rig->tubes, (uint64_t)(120 * SIM_HZ), "----25"));
	assert_true(right());
	run_to(15900);
	assert_non_null(tubes_find(&demo.rig->tubes, (uint64_t)(8000 * SIM_HZ), "----25"));
	/* the first server, which right() compares with, is 40 s behind the truth now */
	assert_true(demo.rig->server[0].jump < -39);
}

static void a_crystal_that_drifts(void **state)
{
	(void)state;
	open_script("drift");
	run_to(7300);
	assert_true(demo.server_lost);
	assert_non_null(strstr(demo.rig->heard, "rate ppm: +"));
	run_to(79250);
	assert_true(rig_error_ms(demo.rig, demo.rig->cycle - (uint64_t)(20 * SIM_HZ), demo.rig->cycle) < 500);
	assert_null(demo.script->step[demo.steps + 1].notice);
	run_to(79300);
	assert_false(demo.server_lost);
}

static void scripts_are_whole(void **state)
{
	(void)state;
	assert_null(script_find("nothing"));
	for (const struct script *script = scripts; script->name != NULL; script++) {
		assert_ptr_equal(script_find(script->name), script);
		assert_true(script_begin(script, AT) >= AT && script_begin(script, AT) <= AT + script->period);
		for (unsigned i = 0; script->step[i].notice != NULL; i++)
			assert_true(strlen(script->step[i].notice) < sizeof demo.notice);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(goes_to_the_asked_time),
		TEST(jumps_to_both_changes_of_a_year),
		TEST(zone_without_changes_does_not_jump),
		TEST(wifi_is_lost_and_comes_back),
		TEST(exercise_is_no_error_code),
		TEST(silent_server_is_an_error_code_at_first),
		TEST(no_lie_moves_a_clock_that_knows_the_time),
		TEST(power_and_reset),
		TEST(night_is_a_quarter_of_the_light),
		TEST(typed_settings_count),
		TEST(what_is_no_time_has_a_name),
		TEST(the_host_may_sleep),
		TEST(the_test_walks_over_all_cathodes),
		TEST(is_left_running),
		TEST(speed_goes_up_and_down),
		TEST(scripts_are_whole),
		TEST(the_roll),
		TEST(the_date),
		TEST(a_pool_that_refuses),
		TEST(servers_that_disagree),
		TEST(a_crystal_that_drifts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
