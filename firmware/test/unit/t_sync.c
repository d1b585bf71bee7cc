/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* sync.c: the crystal is learned, jumps are believed only when they must be. */
#include "sync_loop.h"

static void test_cadence(void **state)
{
	(void)state;
	start(UTC, 0);
	assert_int_equal(sync_state(), SYNC_NEVER);
	assert_int_equal(ask_simple(0), SYNC_SET);
	assert_true(error_within(0.0001L));
	assert_in_range(sync_next(), 64, 71);
	run(sync_next());
	assert_int_equal(ask_simple(0), SYNC_SLEW);
	assert_in_range(sync_next(), 512, 543);
	run(sync_next());
	for (int i = 0; i < 50; i++) {
		assert_int_equal(ask_simple(0), SYNC_SLEW);
		assert_in_range(sync_next(), 3420, 3780);
		run(sync_next());
	}
}

/* A day with each crystal: 20 ms from the third sync on, no second skipped or doubled, few requests. */
static void test_crystals(void **state)
{
	static const int ppm[] = { 0, 40, -40, 12, 100, -100, 190, -190 };

	(void)state;
	for (size_t i = 0; i < sizeof ppm / sizeof ppm[0]; i++) {
		unsigned asked = 0;

		start(UTC, ppm[i]);
		for (; now < 86400; asked++) {
			long double until;

			ask_simple(0);
			if (asked == 0) {
				run(2);
				backward = skipped = 0;
			}
			for (until = now + sync_next(); now < until; run(20))
				if (asked >= 3 && !error_within(0.020L))
					fail_msg("%d ppm: %Lf at %Lf", ppm[i], error_now(), now);
		}
		assert_int_equal(backward, 0);
		assert_int_equal(skipped, 0);
		assert_in_range(asked, 24, 30);
		assert_in_range(clk_get_rate() + 2000, ppm[i] * 10 + 2000 - 15, ppm[i] * 10 + 2000 + 15);
		assert_true(keeps > 0);
	}
}

static void test_bad_crystal(void **state)
{
	long double until;

	(void)state;
	start(UTC, 300);
	assert_int_equal(ask_simple(0), SYNC_SET);
	for (int i = 0; i < 200; i++) {
		for (until = now + sync_next(); now < until; run(20))
			if (i > 6 && !error_within(0.065L))
				fail_msg("%Lf at %Lf", error_now(), now);
		assert_int_not_equal(ask_simple(0), SYNC_STEP);
	}
	assert_int_equal(clk_get_rate(), RATE_MAX);
	/* the crystal is changed for a good one */
	set_crystal(5);
	for (int i = 0; i < 24; i++) {
		run(sync_next());
		ask_simple(0);
	}
	assert_in_range(clk_get_rate(), 0, 100);
	assert_true(error_within(0.02L));
}

static void test_temperature(void **state)
{
	(void)state;
	settle(10);
	for (int hour = 0; hour < 72; hour++) {
		set_crystal(10 + 20 * (hour % 24 < 12 ? hour % 12 : 12 - hour % 12) / 12.0L);
		for (int i = 0; i < 3; i++)
			run(sync_next() / 3.0L);
		if (!error_within(0.025L))
			fail_msg("%Lf at hour %d", error_now(), hour);
		assert_int_equal(ask_simple(0), SYNC_SLEW);
	}
	assert_int_equal(skipped + backward, 0);
}

static void test_spike(void **state)
{
	(void)state;
	settle(20);
	assert_int_equal(ask_simple(5), SYNC_AGAIN);
	assert_int_equal(sync_next(), 16);
	run(16);
	assert_int_equal(ask_simple(0), SYNC_SLEW);
	assert_true(error_within(0.01L));
	run(sync_next());
	/* two that do not agree, then it is as if nothing had been */
	assert_int_equal(ask_simple(5), SYNC_AGAIN);
	run(16);
	assert_int_equal(ask_simple(7), SYNC_SPIKE);
	assert_int_equal(sync_next(), 512);
	run(sync_next());
	assert_int_equal(ask_simple(5), SYNC_AGAIN);
	run(16);
	assert_int_equal(ask_simple(5.15L), SYNC_SPIKE);
	assert_int_equal(skipped + backward, 0);
}

static void test_step(void **state)
{
	static const long double jump[] = { 0.2L, 0.9L, 5, 900, -5, -900 };

	(void)state;
	for (size_t i = 0; i < sizeof jump / sizeof jump[0]; i++) {
		settle(-30);
		assert_int_equal(ask_simple(jump[i]), SYNC_AGAIN);
		run(sync_next());
		assert_int_equal(ask_simple(jump[i] + 0.05L), SYNC_STEP);
		base += jump[i] + 0.05L;
		assert_true(error_within(0.001L));
		run(sync_next());
		assert_int_equal(ask_simple(0), SYNC_SLEW);
	}
}

/* Back by less than 3 s: with one server the shown time never goes back. */
static void test_back(void **state)
{
	static const long double jump[] = { -0.2L, -1, -2.9L };

	(void)state;
	for (size_t i = 0; i < sizeof jump / sizeof jump[0]; i++) {
		settle(0);
		assert_int_equal(ask_simple(jump[i]), SYNC_AGAIN);
		run(sync_next());
		assert_int_equal(ask_simple(jump[i]), SYNC_SLEW);
		base += jump[i];
		/* while that is being slewed the server is near what will be */
		for (int k = 0; k < 5; k++) {
			run(sync_next());
			assert_int_equal(ask_simple(0), SYNC_SLEW);
		}
		run(3000);
		assert_true(error_within(0.02L));
		assert_int_equal(backward + skipped, 0);
	}
	/* two of one mind are believed at once */
	settle(0);
	assert_int_equal(ask_all(2, (long double[]){ -2, -2 }), SYNC_STEP);
}

static void test_far_one(void **state)
{
	static const long double jump[] = { -2000, 1001, 86400 * 10.0L, -86400 * 100.0L, 1e8L };

	(void)state;
	for (size_t i = 0; i < sizeof jump / sizeof jump[0]; i++) {
		long double begin;

		settle(10);
		begin = now;
		assert_int_equal(ask_simple(jump[i]), SYNC_OTHER);
		run(sync_next());
		assert_int_equal(ask_simple(jump[i]), SYNC_OTHER);
		run(sync_next());
		assert_int_equal(ask_simple(jump[i]), SYNC_STEP);
		assert_true(now - begin >= 300);
		base += jump[i];
		assert_true(error_within(0.001L));
	}
	/* asked often, it still takes five minutes */
	settle(10);
	for (int k = 0; k < 18; k++, run(16))
		assert_int_equal(ask_simple(3600), SYNC_OTHER);
	run(40);
	assert_int_equal(ask_simple(3600), SYNC_STEP);
	/* days off, but each time by other days: hours alone would look alike */
	settle(10);
	assert_int_equal(ask_simple(86400 * 10.0L), SYNC_OTHER);
	run(sync_next());
	assert_int_equal(ask_simple(86400 * 11.0L), SYNC_SPIKE);
	assert_true(error_within(0.01L));
}

static void test_far_two(void **state)
{
	(void)state;
	settle(10);
	assert_int_equal(ask_all(2, (long double[]){ -2000, -2000 }), SYNC_STEP);
	base -= 2000;
	assert_true(error_within(0.001L));
	/* days off, both: hours alone would look alike */
	settle(10);
	assert_int_equal(ask_all(2, (long double[]){ 864000, 864000 }), SYNC_STEP);
	base += 864000;
	assert_true(error_within(0.001L));
	settle(10);
	assert_int_equal(ask_all(2, (long double[]){ 864000, 950400 }), SYNC_DISAGREE);
	assert_true(error_within(0.01L));
}

/* Two that disagree by more than their bounds: the clock's own time continues, whoever says what; and it says so. */
static void test_quarrel(void **state)
{
	(void)state;
	settle(0);
	for (int i = 0; i < 20; i++) {
		run(sync_next());
		assert_int_equal(ask_all(2, (long double[]){ 0, 0.4L }), SYNC_DISAGREE);
		assert_int_equal(sync_state(), SYNC_STALE);
		assert_true(error_within(0.01L));
		assert_in_range(sync_next(), 3400, 3800);
	}
	assert_true(told() > 500);
	assert_int_equal(ask_all(2, (long double[]){ 0, 0.001L }), SYNC_SLEW);
	assert_int_equal(sync_state(), SYNC_FRESH);
	/* within their bounds it is not a quarrel: 15 ms each here */
	settle(0);
	assert_int_equal(ask_all(2, (long double[]){ 0, 0.035L }), SYNC_DISAGREE);
	assert_int_equal(ask_all(2, (long double[]){ 0, 0.029L }), SYNC_SLEW);
	/* from the beginning: the first one's time is shown, nobody vouches for it */
	start(UTC, 0);
	assert_int_equal(ask_all(2, (long double[]){ 60, 0 }), SYNC_DISAGREE);
	assert_true(error_now() > 59.99L && error_now() < 60.01L);
	assert_int_equal(sync_state(), SYNC_STALE);
	assert_true(told() == UINT32_MAX);
	/* one falls silent: the other is believed */
	run(sync_next());
	assert_int_equal(ask_server(1, 0), SYNC_SET);
	assert_true(error_within(0.001L));
	assert_true(told() < 30);
}

static void test_majority(void **state)
{
	static const struct { unsigned count; long double offset[4]; bool sure; } row[] = {
		{ 3, { 60, 0, 0 }, true }, { 3, { 0, 60, 0.01L }, true }, { 3, { 0, 0.01L, 86400 * 9.0L }, true },
		{ 3, { 0.4L, 0, 0.01L }, true }, { 3, { -0.4L, 0.4L, 0 }, false }, { 4, { 5, 0, 5, 0 }, false },
		{ 4, { 0, 9, 0, 0 }, true }, { 4, { 1, 2, 3, 0 }, false },
		/* A and B overlap, B and C overlap, A and C do not: two of three */
		{ 3, { -0.02L, 0, 0.02L }, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		start(UTC, 0);
		int act = ask_all(row[i].count, row[i].offset);

		if (act != (row[i].sure ? SYNC_SET : SYNC_DISAGREE))
			fail_msg("row %zu: %d", i, act);
		if (row[i].sure)
			assert_true(error_within(0.03L));
		settle(20);
		assert_int_equal(ask_all(row[i].count, row[i].offset), row[i].sure ? SYNC_SLEW : SYNC_DISAGREE);
		assert_true(error_within(0.03L));
	}
	/* of those that agree, the one that is surest */
	start(UTC, 0);
	sync_begin();
	assert_true(hear(&(struct ask){ .out = 0.3L, .back = 0.1L, .server = 0 }));
	assert_true(hear(&(struct ask){ .out = 0.01L, .back = 0.01L, .server = 1 }));
	assert_true(hear(&(struct ask){ .out = 0.2L, .back = 0.3L, .server = 2 }));
	assert_int_equal(sync_decide(), SYNC_SET);
	assert_true(error_within(0.001L));
	/* be its end the one that both hold or not */
	start(UTC, 0);
	sync_begin();
	assert_true(hear(&(struct ask){ .out = 0.2L, .back = 0.2L, .offset = 0.2L, .server = 0 }));
	assert_true(hear(&(struct ask){ .out = 0.01L, .back = 0.01L, .offset = -0.01L, .server = 1 }));
	assert_int_equal(sync_decide(), SYNC_SET);
	assert_true(error_within(0.011L));
	/* two that were believed jump: the third and the clock's own time are as many; then all three */
	assert_int_equal(ask_all(3, (long double[]){ 5, 5, 0 }), SYNC_DISAGREE);
	assert_int_equal(ask_all(3, (long double[]){ 5, 5, 5 }), SYNC_STEP);
}

/* The clock's own time votes: for a day, unless the only server that set it answers again. */
static void test_own_vote(void **state)
{
	(void)state;
	/* two set it: one that returns alone is not followed until a day has passed */
	settle(0);
	assert_int_equal(ask_all(2, (long double[]){ 0, 0.001L }), SYNC_SLEW);
	run(20 * 3600);
	for (int i = 0; i < 4; i++, run(3000)) {
		assert_int_equal(ask_server(1, 300), SYNC_DISAGREE);
		assert_true(error_within(0.5L));
		assert_int_equal(sync_state(), SYNC_STALE);
	}
	run(3600);
	assert_int_equal(ask_server(1, 300), SYNC_AGAIN);
	run(sync_next());
	assert_int_equal(ask_server(1, 300), SYNC_STEP);
	/* that was one server alone: another one does not outvote it, beside it or alone */
	base += 300;
	run(sync_next());
	assert_int_equal(ask_all(2, (long double[]){ -300, 0 }), SYNC_DISAGREE);
	assert_int_equal(ask_server(0, -300), SYNC_DISAGREE);
	/* it may correct itself */
	assert_int_equal(ask_server(1, -300), SYNC_AGAIN);
	run(sync_next());
	assert_int_equal(ask_server(1, -300), SYNC_STEP);
	base -= 300;
	/* two were right within the last day: neither alone, nor with the other silent for a round */
	assert_int_equal(ask_all(2, (long double[]){ 0, 0 }), SYNC_SLEW);
	run(3600);
	assert_int_equal(ask_server(1, 0), SYNC_SLEW);
	run(3600);
	assert_int_equal(ask_server(1, 5), SYNC_DISAGREE);
	/* after a day without two it may */
	for (int i = 0; i < 23; i++, run(3600))
		assert_int_equal(ask_server(1, 0), SYNC_SLEW);
	assert_int_equal(ask_server(1, 5), SYNC_AGAIN);
}

/* The own vote is as wide as the reported bound. */
static void test_own_width(void **state)
{
	(void)state;
	settle(0);
	assert_int_equal(ask_all(2, (long double[]){ 0, 0 }), SYNC_SLEW);
	run(36000);
	long double edge = told() / 1000.0L + 0.015L;

	assert_int_equal(ask_server(0, edge + 0.02L), SYNC_DISAGREE);
	assert_int_equal(ask_server(0, -edge - 0.02L), SYNC_DISAGREE);
	assert_int_equal(ask_server(0, edge - 0.004L), SYNC_AGAIN);
	/* after a reset, and without a synchronised time, it has no vote */
	sync_init(true, 5000, 75);
	assert_int_equal(ask_server(1, 300), SYNC_AGAIN);
	sync_by_hand((uint32_t)UTC);
	assert_int_equal(ask_server(0, 300), SYNC_SET);
}

/* The bound of the clock is never less than its error; until it knows its crystal that is much. */
static void test_bound(void **state)
{
	static const int ppm[] = { 60, -60, 100, -100, 0 };

	(void)state;
	for (size_t i = 0; i < sizeof ppm / sizeof ppm[0]; i++) {
		start(UTC, ppm[i]);
		assert_int_equal(ask_simple(0), SYNC_SET);
		for (long double t = now; now < t + 84600; run(600))
			if (!error_within((told() + 1) / 1000.0L))
				fail_msg("%d ppm: %Lf, reported %u", ppm[i], error_now(), told());
		assert_in_range(told(), 8460, 8600);
		/* measured over a day it is known well: 15 ppm, and what the two answers leave open */
		ask_simple(0);
		run(16);
		ask_simple(0);
		assert_in_range(clk_get_rate() + 2000, ppm[i] * 10 + 2000 - 10, ppm[i] * 10 + 2000 + 10);
		base += error_now();
		run(86400);
		assert_in_range(told(), 1296, 1400);
		assert_true(error_within(told() / 1000.0L));
	}
	/* the worst possible crystal stays unknown */
	start(UTC, 300);
	for (int k = 0; k < 6; k++) {
		ask_simple(0);
		run(sync_next());
	}
	assert_int_equal(clk_get_rate(), RATE_MAX);
	uint32_t before = told();
	run(1000);
	assert_true(told() >= before + 99);
}

/* An answer that took longer leaves part of its offset: this part counts as an error. */
static void test_left_over(void **state)
{
	struct ask slow = { .out = 0.005L, .back = 0.035L, .distance = 0.001L };
	uint32_t plain;

	(void)state;
	settle(0);
	slow.back = 0.005L;
	assert_int_equal(ask(&slow), SYNC_SLEW);
	plain = told();			/* 1 ms, 5 of delay */
	slow.back = 0.035L;
	assert_int_equal(ask(&slow), SYNC_SLEW);
	/* 15 ms more of delay; the offset of -15 ms is not slewed and counts, too */
	assert_in_range(told(), plain + 28, plain + 32);
}

/* The rate is uncertain by the errors of both answers; a poor measurement is not used, and the old one ages, to a limit. */
static void test_open_rate(void **state)
{
	struct ask poor = { .out = 0.005L, .back = 0.005L, .distance = 0.2L, .server = 1 };
	struct ask other = { .out = 0.005L, .back = 0.005L, .distance = 0.02L, .server = 1 };
	uint32_t before;

	(void)state;
	/* two servers in turn, an hour apart, 25 and 15 ms: 15 + 11.1 ppm */
	start(UTC, 0);
	assert_int_equal(ask_simple(0), SYNC_SET);
	run(3600);
	assert_int_equal(ask(&other), SYNC_SLEW);
	before = told();
	run(10000);
	assert_in_range(told() - before, 255, 268);
	/* the surest of two each time, an hour apart: as uncertain as the majority, 35 ms each time: 15 + 19.4 ppm */
	start(UTC, 0);
	for (int i = 0; i < 2; i++) {
		sync_begin();
		assert_true(hear(&(struct ask){ .out = 0.001L, .back = 0.001L, .distance = 0.034L }));
		assert_true(hear(&(struct ask){ .out = 0.005L, .back = 0.005L, .distance = 0.03L, .server = 1 }));
		assert_true(hear(&(struct ask){ .out = 0.005L, .back = 0.005L, .distance = 0.03L, .server = 2 }));
		assert_int_equal(sync_decide(), i == 0 ? SYNC_SET : SYNC_SLEW);
		if (i == 0)
			run(3600);
	}
	before = told();
	run(10000);
	assert_in_range(told() - before, 335, 355);
	/* answers of 205 ms each say less about the rate than is known */
	settle(0);
	for (int i = 0; i < 20; i++) {
		poor.server ^= 1;
		run(600);
		assert_int_equal(ask(&poor), SYNC_SLEW);
		assert_in_range(clk_get_rate() + 100, 90, 110);
		if (i == 2)
			before = told();
	}
	assert_true(told() <= before + 2);
	before = told();
	run(10000);
	assert_in_range(told() - before, 1000, 1120);
	/* a better measurement replaces it at once */
	assert_int_equal(ask_simple(0), SYNC_SLEW);
	run(3600);
	assert_int_equal(ask_simple(0), SYNC_SLEW);
	before = told();
	run(10000);
	assert_in_range(told() - before, 170, 190);
}

/* Limits: 1 ms is not slewed, 125 ms is stepped, a jump of an unknown crystal measures it up to 4 days after. */
static void test_limits(void **state)
{
	struct ask sure = { .out = 0.001L, .back = 0.001L, .distance = 0.0001L };

	(void)state;
	settle(0);
	sure.offset = 0.0009L;
	assert_int_equal(ask(&sure), SYNC_SLEW);
	assert_int_equal(clk_slewing(), 0);
	sure.offset = 0.0012L;
	assert_int_equal(ask(&sure), SYNC_SLEW);
	assert_int_not_equal(clk_slewing(), 0);
	settle(0);
	assert_int_equal(ask_simple(0.1245L), SYNC_SLEW);
	settle(0);
	assert_int_equal(ask_simple(0.1255L), SYNC_AGAIN);
	for (int days = 3; days <= 5; days += 2) {
		start(UTC, 80);
		assert_int_equal(ask_simple(0), SYNC_SET);
		run(days * 86400.0L);
		assert_int_equal(ask_simple(0), SYNC_AGAIN);
		run(16);
		assert_int_equal(ask_simple(0), SYNC_STEP);
		if (days == 3)
			assert_in_range(clk_get_rate(), 790, 810);
		else
			assert_int_equal(clk_get_rate(), 0);
	}
}

/* The second sample of a jump must have gone on with the time; a doubt is forgotten after 65536 s. */
static void test_jump_age(void **state)
{
	(void)state;
	/* its clock stands still: by 32 s it is elsewhere, though as far off the hour */
	settle(0);
	assert_int_equal(ask_simple(86400 * 10.0L), SYNC_OTHER);
	run(160);
	assert_int_equal(ask_simple(86400 * 10.0L - 160), SYNC_SPIKE);
	settle(0);
	assert_int_equal(ask_simple(86400 * 10.0L), SYNC_OTHER);
	run(160);
	assert_int_equal(ask_simple(86400 * 10.0L), SYNC_OTHER);
	/* one sample, then silence for less or more than 65536 s */
	settle(0);
	assert_int_equal(ask_simple(1), SYNC_AGAIN);
	run(65000);
	assert_int_equal(ask_simple(1), SYNC_STEP);
	settle(0);
	assert_int_equal(ask_simple(1), SYNC_AGAIN);
	run(65540);
	assert_int_equal(ask_simple(1), SYNC_AGAIN);
}

/* The second measurement counts half: the first may have been a bad one. */
static void test_weighed(void **state)
{
	(void)state;
	start(UTC, 0);
	assert_int_equal(ask_simple(0), SYNC_SET);
	run(3600);
	assert_int_equal(ask_simple(0.036L), SYNC_SLEW);	/* 10 ppm */
	assert_in_range(clk_get_rate() + 1000, 1000 - 101, 1000 - 97);
	run(3600);
	assert_int_equal(ask_simple(0.036L + 0.036L), SYNC_SLEW);
	/* it goes 10 ppm faster by now and was slewed: all is well, and nothing to learn */
	assert_in_range(clk_get_rate() + 1000, 1000 - 101, 1000 - 97);
	run(3600);
	assert_int_equal(ask_simple(0.036L * 3 + 0.036L), SYNC_SLEW);	/* 10 ppm more: half of it */
	assert_in_range(clk_get_rate() + 1000, 1000 - 152, 1000 - 147);
}

/* 20 ms apart, asked in turn: a crystal cannot cause that. */
static void test_two_servers(void **state)
{
	(void)state;
	settle(0);
	for (int i = 0; i < 20; i++) {
		run(sync_next());
		assert_int_equal(ask_server(i & 1, (i & 1) * 0.02L), SYNC_SLEW);
		assert_in_range(clk_get_rate() + 100, 50, 150);
	}
}

/* Half of a delay that is longer than usual explains an offset. */
static void test_slow_replies(void **state)
{
	struct ask slow = { .out = 0.005L, .back = 0.020L };

	(void)state;
	settle(25);
	for (int i = 0; i < 100; i++) {
		run(sync_next());
		slow.out = 0.005L + (i * 7 % 10) * 0.001L;
		slow.back = 0.005L + (i * 3 % 10) * 0.001L;
		assert_int_equal(ask(&slow), SYNC_SLEW);
		if (!error_within(0.012L))
			fail_msg("%Lf", error_now());
	}
	assert_in_range(clk_get_rate(), 230, 270);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cadence), cmocka_unit_test(test_crystals), cmocka_unit_test(test_bad_crystal),
		cmocka_unit_test(test_temperature), cmocka_unit_test(test_spike), cmocka_unit_test(test_step),
		cmocka_unit_test(test_back), cmocka_unit_test(test_far_one), cmocka_unit_test(test_far_two),
		cmocka_unit_test(test_quarrel), cmocka_unit_test(test_majority), cmocka_unit_test(test_own_vote), cmocka_unit_test(test_own_width), cmocka_unit_test(test_bound),
		cmocka_unit_test(test_left_over), cmocka_unit_test(test_open_rate),
		cmocka_unit_test(test_limits), cmocka_unit_test(test_jump_age), cmocka_unit_test(test_weighed), cmocka_unit_test(test_two_servers), cmocka_unit_test(test_slow_replies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
