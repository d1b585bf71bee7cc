/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clk.c on a board of which only the tick counter is there: a model of its own
 * says when each second must begin, in fractions of a tick.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "clk.h"
#include "hal.h"

enum { DAY = 86400, START = 1795132800 };

/* ---- the board --------------------------------------------------------------- */

static uint32_t now, due;
static bool locked;

uint32_t hal_ticks(void)
{
	return now;
}

void hal_second_at(uint32_t tick)
{
	due = tick;
}

uint8_t hal_lock(void)
{
	uint8_t before = locked;

	locked = true;
	return before;
}

void hal_unlock(uint8_t before)
{
	locked = before;
}

/* The second that was asked for begins; how many ticks it came after the last. */
static uint32_t beat(void)
{
	static uint32_t last;
	uint32_t length;

	assert_false(locked);
	if ((int32_t)(due - now) > 0)
		now = due;
	clk_second(due);
	length = now - last;
	last = now;
	return length;
}

static void start(uint32_t tick, int16_t rate, uint32_t utc, uint16_t frac)
{
	struct stamp stamp = { utc, frac };

	now = tick;
	clk_init(rate);
	assert_false(clk_known());
	clk_set(&stamp, now);
	assert_true(clk_known());
	assert_int_equal(clk_unix(), utc);
}

/* ---- the beat ---------------------------------------------------------------- */

/* A day at each rate: no second is off by more than 20 us, no two differ by more than a tick. */
static void rates(void **state)
{
	static const int16_t rate[] = { 0, 1, -1, 400, -400, 333, -1999, 2000, -2000 };

	(void)state;
	for (size_t i = 0; i < sizeof(rate) / sizeof(rate[0]); i++) {
		double second = 250000 * (1 + rate[i] * 1e-7), at = 0;
		uint32_t first = 0xfff00000, length;

		start(first, rate[i], START, 0);
		beat();
		for (uint32_t k = 1; k <= DAY; k++) {
			at += second;
			assert_int_equal(clk_unix(), START + k);
			assert_int_equal(clk_next(), START + k + 1);
			assert_true(fabs((double)(now - first) - fmod(at, 4294967296.0)) <= 5 ||
			    fabs((double)(now - first) - fmod(at, 4294967296.0)) >= 4294967290.0);
			length = beat();
			assert_true(fabs(length - second) < 1.001);
		}
	}
}

/* The counter wraps in the very tick of a second, and in those around it. */
static void wraps(void **state)
{
	struct stamp stamp;

	(void)state;
	for (uint32_t first = 0U - 2; first != 3; first++) {
		start(first - 750000, 0, START, 0);
		beat();
		for (uint32_t k = 2; k <= 5; k++) {
			assert_int_equal(beat(), 250000);
			assert_int_equal(clk_unix(), START + k);
			assert_int_equal(now, first - 750000 + 250000 * k);
			clk_at(now, &stamp);
			assert_int_equal(stamp.utc, START + k);
			assert_int_equal(stamp.frac, 0);
			clk_at(now - 1, &stamp);
			assert_int_equal(stamp.utc, START + k - 1);
		}
	}
}

static void rate_held(void **state)
{
	(void)state;
	clk_init(INT16_MAX);
	assert_int_equal(clk_get_rate(), RATE_MAX);
	clk_rate(INT16_MIN);
	assert_int_equal(clk_get_rate(), -RATE_MAX);
}

/* A new rate in the middle of the day bends the beat, it does not break it. */
static void rate_changes(void **state)
{
	(void)state;
	start(0, 400, START, 0);
	beat();
	assert_int_equal(beat(), 250010);
	clk_rate(-400);
	beat();
	for (int i = 0; i < 1000; i++)
		assert_int_equal(beat(), 249990);
}

static void slewed(int32_t offset)
{
	double ticks = 0, want = -offset * 250000.0 / 65536;
	int32_t left;

	clk_slew(offset);
	assert_true(labs(clk_slewing() - offset) <= 1);
	beat();
	for (int i = 0; clk_slewing() != 0; i++) {
		int32_t extra = (int32_t)(beat() - 250000);

		assert_in_range(labs(extra), 1, 125);
		assert_true(i < 6001);
		left = clk_slewing();
		assert_true(labs(left) < labs(offset));
		ticks += extra;
	}
	ticks += (int32_t)(beat() - 250000);
	ticks += (int32_t)(beat() - 250000);	/* what is less than 1/65536 s */
	assert_true(fabs(ticks - want) <= 1.5);
	assert_int_equal(beat(), 250000);
}

static void slews(void **state)
{
	static const int32_t offset[] = { 1000, -1000, 8192, -8192, 196608, -196608, 33, -33 };

	(void)state;
	start(77, 0, START, 0);
	for (size_t i = 0; i < sizeof(offset) / sizeof(offset[0]); i++)
		slewed(offset[i]);
	clk_slew(INT32_MIN);
	assert_true(labs(clk_slewing() + 196608) <= 1);
	clk_slew(INT32_MAX);
	assert_true(labs(clk_slewing() - 196608) <= 1);
	clk_slew(-100);		/* replaces */
	assert_true(labs(clk_slewing() + 100) <= 1);
}

/* ---- steps ------------------------------------------------------------------- */

/* The second after a step begins where the stamp says it, also when the stamp is old. */
static void steps(void **state)
{
	static const int16_t rate[] = { 0, 2000, -2000 };

	(void)state;
	for (uint32_t i = 0; i < 3000; i++) {
		uint32_t seen = (uint32_t)rand() * 7 + (uint32_t)rand(), late = (uint32_t)rand() % 2500000;
		struct stamp stamp = { START + (uint32_t)rand(), (uint16_t)rand() };
		double second = 250000 * (1 + rate[i % 3] * 1e-7), from;

		now = seen;
		clk_init(rate[i % 3]);
		now = seen + late;
		clk_set(&stamp, seen);
		from = second * (clk_unix() + 1 - stamp.utc - stamp.frac / 65536.0);
		assert_true(fabs((double)(int32_t)(due - seen) - from) <= 3.0);
		assert_true((int32_t)(due - now) >= -2 && (int32_t)(due - now) <= 250052);
		assert_int_equal(clk_slewing(), 0);
	}
}

/* ---- readings ---------------------------------------------------------------- */

static double seconds_of(const struct stamp *stamp)
{
	return stamp->utc - (double)START + stamp->frac / 65536.0;
}

/* Any tick of the last second, of this and of the next ones, while it slews too; and hours of them at a steady rate. */
static void readings(void **state)
{
	struct stamp stamp;
	double expected;
	uint32_t began;

	(void)state;
	start(0xffffff00, 1234, START, 0);
	clk_slew(20000);
	for (int k = 0; k < 200; k++) {
		uint32_t before = now, length = (beat(), now - before), after = due - now;

		for (int i = 0; i < 50; i++) {
			uint32_t at = (uint32_t)rand() % (length + after);

			expected = clk_unix() - START + (at < length ? at / (double)length - 1 : (at - length) / (double)after);
			clk_at(before + at, &stamp);
			assert_true(fabs(seconds_of(&stamp) - expected) <= 24e-6);
		}
	}
	clk_slew(0);
	beat();
	beat();
	began = now;
	for (int i = 0; i < 20000; i++) {
		int32_t away = (int32_t)((uint32_t)rand() % 1800000000) - 900000000;

		clk_at(began + (uint32_t)away, &stamp);
		expected = clk_unix() - START + away / (250000 * (1 + 1234e-7));
		/* the square of the rate is left out: 15 parts in 10^9 here */
		assert_true(fabs(seconds_of(&stamp) - expected) <= 30e-6 + fabs(away / 250000.0) * 16e-9);
	}
}

static void offsets(void **state)
{
	struct stamp server = { START + 5, 0x8000 };

	(void)state;
	start(1000, 0, START, 0);
	assert_int_equal(clk_offset(&server, 1000), 5 * 65536 + 0x8000);
	assert_int_equal(clk_offset(&server, 1000 + 125000), 5 * 65536);
	server.utc = START - 3;
	assert_int_equal(clk_offset(&server, 1000), -3 * 65536 + 0x8000);
	server.utc = START + 40000;
	assert_int_equal(clk_offset(&server, 1000), INT32_MAX);
	server.utc = START - 40000;
	assert_int_equal(clk_offset(&server, 1000), -INT32_MAX);
	server.utc = START + 32767;
	server.frac = 65535;
	assert_int_equal(clk_offset(&server, 1000), INT32_MAX);
}

/* ---- leap seconds ------------------------------------------------------------ */

enum { MIDNIGHT = 1798761600 };		/* 2027-01-01 */

static void insert(void **state)
{
	struct stamp stamp;

	(void)state;
	start(0, 400, MIDNIGHT - 3, 0);
	clk_leap(1, MIDNIGHT);
	clk_leap(1, MIDNIGHT);
	beat();
	beat();
	assert_int_equal(clk_unix(), MIDNIGHT - 1);
	assert_int_equal(clk_next(), MIDNIGHT - 1);
	beat();
	assert_int_equal(clk_unix(), MIDNIGHT - 1);
	assert_int_equal(clk_next(), MIDNIGHT);
	clk_at(now + 125000, &stamp);
	assert_int_equal(stamp.utc, MIDNIGHT - 1);
	clk_at(now - 125000, &stamp);
	assert_int_equal(stamp.utc, MIDNIGHT - 1);
	clk_leap(1, MIDNIGHT);		/* a reply in that very second says it again */
	assert_int_equal(beat(), 250010);
	assert_int_equal(clk_unix(), MIDNIGHT);
	beat();
	assert_int_equal(clk_unix(), MIDNIGHT + 1);
}

static void delete(void **state)
{
	struct stamp stamp;

	(void)state;
	start(0, 0, MIDNIGHT - 3, 0);
	clk_leap(-1, MIDNIGHT);
	beat();
	assert_int_equal(clk_unix(), MIDNIGHT - 2);
	assert_int_equal(clk_next(), MIDNIGHT);
	beat();
	assert_int_equal(clk_unix(), MIDNIGHT);
	clk_at(now - 125000, &stamp);
	assert_int_equal(stamp.utc, MIDNIGHT - 2);
	beat();
	assert_int_equal(clk_unix(), MIDNIGHT + 1);
}

static void withdrawn(void **state)
{
	(void)state;
	start(0, 0, MIDNIGHT - 3, 0);
	clk_leap(1, MIDNIGHT);
	beat();
	clk_leap(0, 0);
	beat();
	beat();
	assert_int_equal(clk_unix(), MIDNIGHT);
	clk_leap(-1, MIDNIGHT);		/* too late */
	beat();
	assert_int_equal(clk_unix(), MIDNIGHT + 1);
}

/* ---- over a reset ------------------------------------------------------------ */

static void resumed(void **state)
{
	uint32_t age, bound;

	(void)state;
	start(0, 123, START, 0);
	clk_keep(7, 12);
	beat();
	beat();			/* the main loop hung for two seconds */
	now = 500;
	clk_init(0);
	assert_true(clk_resume(&age, &bound));
	assert_true(clk_known());
	assert_int_equal(clk_unix(), START + 2);
	assert_int_equal(age, 9);
	assert_int_equal(clk_get_rate(), 123);
	assert_in_range(due - now, 124990, 125010);
	for (int i = 0; i < 50; i++) {
		beat();
		clk_keep(UINT32_MAX, UINT32_MAX);
	}
	clk_init(0);
	assert_true(clk_resume(&age, &bound));
	assert_int_equal(clk_unix(), START + 52);
	assert_int_equal(age, UINT32_MAX);
}

/* The saved time is gone when the clock no longer knows the time, and when nobody saved it for a long time. */
static void not_resumed(void **state)
{
	uint32_t age, bound;

	(void)state;
	start(0, 0, START, 0);
	clk_keep(0, 0);
	for (int i = 0; i < 10; i++)
		beat();
	clk_init(0);
	assert_false(clk_resume(&age, &bound));
	assert_false(clk_known());
	clk_keep(UINT32_MAX, UINT32_MAX);
	clk_keep(UINT32_MAX, UINT32_MAX);
	assert_false(clk_resume(&age, &bound));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates), cmocka_unit_test(wraps), cmocka_unit_test(rate_held), cmocka_unit_test(rate_changes),
		cmocka_unit_test(slews), cmocka_unit_test(steps), cmocka_unit_test(readings), cmocka_unit_test(offsets),
		cmocka_unit_test(insert), cmocka_unit_test(delete), cmocka_unit_test(withdrawn),
		cmocka_unit_test(resumed), cmocka_unit_test(not_resumed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
