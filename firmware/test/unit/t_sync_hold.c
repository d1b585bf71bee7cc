/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* sync.c: what replies are let in, how old and how good the time is, leap seconds. */
#include "sync_loop.h"

static void test_limits(void **state)
{
	struct ntp_limits limits;
	struct ask slow = { .out = 0.05L, .back = 0.85L };
	int tries = 0;

	(void)state;
	start(UTC, 0);
	sync_limits(&limits);
	assert_int_equal(limits.delay, 65535);
	assert_in_range(limits.distance, 65536, 3 * 65536 - 1);
	assert_int_equal(ask(&slow), SYNC_SET);		/* 900 ms, lopsided: better than nothing */
	assert_true(error_within(0.45L));
	run(60);
	sync_limits(&limits);
	assert_int_equal(limits.delay, 16384);
	assert_int_equal(limits.distance, 65535);
	assert_int_equal(ask(&slow), -1);
	settle(0);
	sync_limits(&limits);
	assert_in_range(limits.delay, 2600, 2640);	/* 10 ms usual: 40 */
	/* the way is 200 ms from now on: some tries, then that is usual */
	slow.out = slow.back = 0.1L;
	while (ask(&slow) == -1 && tries < 20) {
		tries++;
		run(20);
	}
	assert_in_range(tries, 3, 12);
	/* a day without any good reply: all is better than that */
	slow.out = slow.back = 0.45L;
	assert_int_equal(ask(&slow), -1);
	run(86400);
	assert_true(sync_state() >= SYNC_STALE);
	assert_true(ask(&slow) >= 0);
	assert_int_equal(sync_state(), SYNC_FRESH);
}

static void test_states(void **state)
{
	struct sync_info info;

	(void)state;
	settle(0);
	assert_int_equal(ask_simple(0), SYNC_SLEW);
	sync_get(&info);
	assert_int_equal(info.age, 0);
	assert_in_range(info.bound, 15, 17);		/* 10 ms of distance, 5 of delay, rounded up */
	run(86399);
	assert_int_equal(sync_state(), SYNC_FRESH);
	run(2);
	assert_int_equal(sync_state(), SYNC_STALE);
	sync_get(&info);
	/* 15 ppm of a day, and 5 that the measuring left open */
	assert_in_range(info.bound, 1296 + 15, 1296 + 550 + 17);
	run(20000);
	assert_int_equal(sync_state(), SYNC_OLD);
	assert_int_equal(ask_simple(0), SYNC_SLEW);
	assert_int_equal(sync_state(), SYNC_FRESH);
}

static void test_resumed(void **state)
{
	struct sync_info info;
	struct stamp stamp = { (uint32_t)UTC + 3, 0 };

	(void)state;
	start(UTC, 0);
	clk_set(&stamp, hal_ticks());			/* as clk_resume leaves it, some 0.25 s off */
	sync_init(true, 5000, 75);
	assert_int_equal(sync_state(), SYNC_FRESH);
	sync_get(&info);
	assert_int_equal(info.age, 5000);
	assert_in_range(info.bound, 5076, 5078);
	assert_int_equal(ask_simple(0), SYNC_SET);
	assert_true(error_within(0.001L));
	/* more than a reset explains needs a second opinion */
	clk_set(&stamp, hal_ticks());
	sync_init(true, 5000, 75);
	run(2);
	assert_int_equal(ask_simple(30), SYNC_AGAIN);
	run(16);
	assert_int_equal(ask_simple(30), SYNC_STEP);
}

static void test_by_hand(void **state)
{
	(void)state;
	start(UTC, 0);
	sync_by_hand(1900000000);
	assert_int_equal(clk_unix(), 1900000000);
	assert_int_equal(sync_state(), SYNC_STALE);
	run(5);
	assert_int_equal(ask_simple(0), SYNC_SET);
	assert_true(error_within(0.001L));
	assert_int_equal(sync_state(), SYNC_FRESH);
}

/* Checks the clock at the end of a month, with a server that announces a leap second or not. */
static void leap_row(uint32_t midnight, uint8_t leap, uint8_t later, int expected)
{
	struct ask a = { .out = 0.005L, .back = 0.005L, .leap = leap };

	start(midnight - 7200, 0);
	assert_int_equal(ask(&a), SYNC_SET);
	run(100);
	a.leap = later;
	assert_int_equal(ask(&a), SYNC_SLEW);
	run_to(7200 + 100);
	base += expected;
	if (!error_within(0.01L))
		fail_msg("midnight %u leap %d, %d: %Lf", midnight, leap, later, error_now());
}

static void test_leap(void **state)
{
	static const uint32_t june = 1846022400, december = 1830297600;	/* 2028-07-01, 2028-01-01 */

	(void)state;
	assert_int_equal(december % 86400, 0);
	leap_row(december, 1, 1, -1);
	leap_row(december, 2, 2, 1);
	leap_row(december, 0, 0, 0);
	leap_row(december, 1, 0, 0);		/* withdrawn */
	leap_row(december, 0, 1, -1);
	leap_row(december - 86400, 1, 1, 0);	/* a day too early */
	leap_row(december - 61 * 86400, 1, 1, 0);	/* 31 October */
	leap_row(june, 1, 1, -1);
	leap_row(june - 15 * 86400, 1, 1, 0);
	leap_row(june + 30 * 86400, 1, 1, 0);
}

static int ask_leaps(unsigned count, const uint8_t *leap)
{
	sync_begin();
	for (unsigned i = 0; i < count; i++)
		assert_true(hear(&(struct ask){ .out = 0.005L, .back = 0.005L, .leap = leap[i], .server = (uint8_t)i }));
	return (int)sync_decide();
}

/* Two servers decided; for a day, one of them alone does not change it. */
static void test_leap_alone(void **state)
{
	static const uint32_t midnight = 1846022400;
	static const struct { uint8_t both[2], alone; int expected; } row[] = {
		{ { 1, 1 }, 0, -1 }, { { 0, 0 }, 1, 0 }, { { 1, 0 }, 1, 0 }, { { 2, 2 }, 0, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		start(midnight - 7200, 0);
		assert_int_equal(ask_leaps(2, row[i].both), SYNC_SET);
		run(600);
		assert_int_equal(ask_leaps(1, &row[i].alone), SYNC_SLEW);
		run_to(7200 + 100);
		base += row[i].expected;
		if (!error_within(0.01L))
			fail_msg("row %zu: %Lf", i, error_now());
	}
	/* a day after the two, one decides */
	start(midnight - 2 * 86400, 0);
	assert_int_equal(ask_leaps(2, row[1].both), SYNC_SET);
	run(90000);
	for (int i = 0; i < 3; i++, run(600))
		ask_leaps(1, &row[1].alone);
	run_to(2 * 86400 + 100);
	base -= 1;
	assert_true(error_within(1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits), cmocka_unit_test(test_states), cmocka_unit_test(test_resumed),
		cmocka_unit_test(test_by_hand), cmocka_unit_test(test_leap), cmocka_unit_test(test_leap_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
