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
	settle(0);
	assert_int_equal(ask_server(0, -2), SYNC_AGAIN);
	run(16);
	assert_int_equal(ask_server(1, -2), SYNC_STEP);
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
	assert_int_equal(ask_server(0, -2000), SYNC_OTHER);
	assert_int_equal(sync_next(), 16);
	run(16);
	assert_int_equal(ask_server(1, -2000), SYNC_STEP);
	base -= 2000;
	assert_true(error_within(0.001L));
	/* the other knows nothing of it: it is right, they disagree */
	settle(10);
	assert_int_equal(ask_server(0, -2000), SYNC_OTHER);
	run(16);
	assert_int_equal(ask_server(1, 0), SYNC_DISAGREE);
	assert_true(error_within(0.01L));
	/* both are off, each by its own */
	run(sync_next());
	assert_int_equal(ask_server(0, -2000), SYNC_OTHER);
	run(16);
	assert_int_equal(ask_server(1, 3000), SYNC_DISAGREE);
	assert_true(error_within(0.01L));
	assert_true(sync_next() >= 64);
	/* the second keeps silent: an hour of the first's word */
	settle(10);
	for (long double begin = now; now < begin + 3600; run(sync_next()))
		assert_int_equal(ask_server(0, -2000), SYNC_OTHER);
	assert_int_equal(ask_server(0, -2000), SYNC_STEP);
}

/* A falseticker is not followed, and two 400 ms apart do not tear the clock to and fro. */
static void test_two_servers(void **state)
{
	(void)state;
	settle(0);
	for (int i = 0; i < 20; i++) {
		run(sync_next());
		assert_int_equal(ask_server(1, 0.4L), SYNC_AGAIN);
		run(sync_next());
		assert_int_equal(ask_server(0, 0), SYNC_DISAGREE);
		assert_true(error_within(0.01L));
	}
	/* 100 ms apart: that is no crystal's doing */
	settle(0);
	for (int i = 0; i < 20; i++) {
		run(sync_next());
		assert_int_equal(ask_server(i & 1, (i & 1) * 0.1L), SYNC_SLEW);
		assert_in_range(clk_get_rate() + 100, 80, 120);
	}
}

/* Half of a delay that is longer than usual explains an offset. */
static void test_slow_replies(void **state)
{
	struct ask slow = { .out = 0.005L, .back = 0.020L, .servers = 1 };

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
		cmocka_unit_test(test_two_servers), cmocka_unit_test(test_slow_replies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
