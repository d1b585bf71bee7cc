/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of registers and tubes against the worked examples of the board's description. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "tubes.h"

enum { MS = 16000 };

static struct tubes tubes;
static uint64_t now;

static void set(enum tubes_pin pin, bool level)
{
	tubes_set(&tubes, pin, level, now);
	now += 2;
}

/* out[5] goes first, each byte with its high bit first. */
static void shift(const uint8_t out[6], unsigned bits)
{
	for (unsigned i = 0; i < bits; i++) {
		set(TUBES_DATA, out[5 - i / 8] >> (7 - i % 8) & 1);
		set(TUBES_CLOCK, true);
		set(TUBES_CLOCK, false);
	}
}

static void latch(void)
{
	set(TUBES_LATCH, true);
	set(TUBES_LATCH, false);
}

static void show(const uint8_t out[6])
{
	shift(out, 48);
	latch();
}

static void blank(void)
{
	set(TUBES_CLEAR, false);
	latch();
	set(TUBES_CLEAR, true);
}

static int setup(void **state)
{
	(void)state;
	now = 1000;
	tubes_init(&tubes);
	tubes_power(&tubes, true, 7, now);
	set(TUBES_CLEAR, true);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tubes_free(&tubes);
	return 0;
}

static const struct example {
	const char *text;
	uint8_t out[6];
} examples[] = {
	{ "000000", { 0x11, 0x00, 0x41, 0x00, 0x41, 0x00 } },
	{ "123456", { 0x42, 0x00, 0x08, 0x04, 0x20, 0x40 } },
	{ "235959", { 0x84, 0x00, 0x20, 0x08, 0x20, 0x08 } },
	{ "190827", { 0x02, 0x02, 0x01, 0x10, 0x04, 0x20 } },
};

static void shows_the_examples(void **state)
{
	(void)state;
	blank();
	set(TUBES_HV, true);
	for (unsigned i = 0; i < sizeof examples / sizeof *examples; i++) {
		show(examples[i].out);
		assert_string_equal(tubes_at(&tubes, now), examples[i].text);
	}
	assert_int_equal(tubes.bad, 0);
	assert_int_equal(tubes.wrong_clocks, 0);
	assert_int_equal(tubes.early_hv, 0);
	assert_non_null(tubes_find(&tubes, 0, "19****"));
	assert_null(tubes_find(&tubes, 0, "20****"));
	assert_null(tubes_find(&tubes, now, "19****"));
}

static void pictures_and_pins_are_the_same(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof examples / sizeof *examples; i++) {
		uint64_t word = 0;

		for (unsigned k = 0; k < 6; k++)
			word |= (uint64_t)examples[i].out[k] << (8 * k);
		shift(examples[i].out, 48);
		assert_true(tubes.shift == word);
		latch();
		assert_true(tubes.latched == word);
		blank();
		assert_true(tubes.latched == 0);
		tubes_picture(&tubes, word, now);
		assert_true(tubes.latched == word);
		tubes_blank(&tubes, now);
		assert_true(tubes.latched == 0);
	}
	assert_int_equal(tubes.wrong_clocks, 0);
}

static void each_cathode_has_its_digit(void **state)
{
	(void)state;
	static const unsigned digits[6] = { 3, 10, 6, 10, 6, 10 };

	blank();
	set(TUBES_HV, true);
	unsigned wired = 0, seen[6] = { 0 };
	for (unsigned bit = 0; bit < 48; bit++) {
		tubes_picture(&tubes, 1ULL << bit, now += MS);
		const char *text = tubes_at(&tubes, now);
		for (unsigned place = 0; place < 6; place++)
			if (text[place] >= '0' && text[place] <= '9') {
				seen[place] |= 1U << (text[place] - '0');
				wired++;
			}
	}
	assert_int_equal(wired, 45);
	for (unsigned place = 0; place < 6; place++)
		assert_int_equal(seen[place], (1U << digits[place]) - 1);
	assert_int_equal(tubes.bad, 3);		/* bits 3, 14, 15 */
}

static void two_cathodes_are_bad(void **state)
{
	(void)state;
	blank();
	tubes_picture(&tubes, 3, now);
	assert_int_equal(tubes.bad, 0);		/* nobody sees it yet */
	set(TUBES_HV, true);
	assert_int_equal(tubes.bad, 1);
	assert_string_equal(tubes_at(&tubes, now), "?-----");
}

static void clocks_are_counted(void **state)
{
	(void)state;
	shift(examples[0].out, 47);
	latch();
	assert_int_equal(tubes.wrong_clocks, 1);
	shift(examples[0].out, 48);
	latch();
	assert_int_equal(tubes.wrong_clocks, 1);
	shift(examples[0].out, 5);		/* cut short by a clear */
	blank();
	assert_int_equal(tubes.wrong_clocks, 1);
	latch();				/* of nothing new */
	assert_int_equal(tubes.wrong_clocks, 2);
}

static void voltage_comes_after_the_first_picture(void **state)
{
	(void)state;
	set(TUBES_HV, true);
	assert_int_equal(tubes.early_hv, 1);
	set(TUBES_HV, false);
	blank();
	set(TUBES_HV, true);
	assert_int_equal(tubes.early_hv, 1);
	set(TUBES_HV, false);
	assert_string_equal(tubes_at(&tubes, now), "      ");
}

static void dimming_is_no_change(void **state)
{
	(void)state;
	blank();
	set(TUBES_HV, true);
	show(examples[1].out);
	uint32_t changes = tubes.changes;
	uint64_t start = now, lit = tubes_lit(&tubes, 5, 6);
	for (unsigned i = 0; i < 125; i++) {
		tubes_picture(&tubes, 0x402004080042ULL, start + i * 8 * MS);
		tubes_blank(&tubes, start + (i * 8 + 2) * MS);
	}
	tubes_picture(&tubes, 0x402004080042ULL, now = start + 1000 * MS);
	assert_int_equal(tubes.changes, changes);
	assert_int_equal(tubes.longest_dark, 0);
	assert_in_range(tubes_lit(&tubes, 5, 6) - lit, 250 * MS, 250 * MS + 200);
	/* Dark for good. */
	tubes_blank(&tubes, now);
	tubes_pass(&tubes, now + 20 * MS);
	assert_string_equal(tubes.change[tubes.changes - 1].text, "------");
	assert_int_equal(tubes.change[tubes.changes - 1].cycle, now);
}

static void a_dark_update_is_measured(void **state)
{
	(void)state;
	blank();
	set(TUBES_HV, true);
	show(examples[1].out);
	now += 50 * MS;
	blank();
	now += 2 * MS;
	show(examples[2].out);
	tubes_pass(&tubes, now + 100 * MS);
	assert_in_range(tubes.longest_dark, 2 * MS, 2 * MS + 1000);
}

/* Two pictures that share frames of that many ms, the second one more and more; then it alone. */
static void share(unsigned frame)
{
	const uint64_t old = 0x402004080042ULL, new = 0x802004080042ULL;

	tubes_picture(&tubes, old, now);
	now += 1000 * MS;
	for (unsigned i = 1; i < 30; i++) {
		tubes_picture(&tubes, new, now);
		tubes_picture(&tubes, old, now + i * frame * MS / 30);
		now += frame * MS;
	}
	tubes_picture(&tubes, new, now);
	tubes_pass(&tubes, now += 1000 * MS);
}

static void fading_is_one_change(void **state)
{
	(void)state;
	blank();
	set(TUBES_HV, true);
	share(8);
	assert_string_equal(tubes.change[tubes.changes - 1].text, "123455");
	assert_string_equal(tubes.change[tubes.changes - 2].text, "123456");
	assert_true(tubes.change[tubes.changes - 1].cycle < now - 1200 * MS);
	assert_in_range(tubes.slowest_flicker, 8 * MS, 9 * MS);
	assert_int_equal(tubes.bad, 0);
	assert_int_equal(tubes.longest_dark, 0);
}

static void slow_flicker_is_measured(void **state)
{
	(void)state;
	blank();
	set(TUBES_HV, true);
	for (unsigned i = 0; i < 10; i++) {	/* an occasional change is none */
		show(examples[i % 4].out);
		now += 50 * MS;
	}
	assert_int_equal(tubes.slowest_flicker, 0);
	share(12);
	assert_in_range(tubes.slowest_flicker, 11 * MS, 13 * MS);
}

static void power_leaves_anything_in_the_registers(void **state)
{
	(void)state;
	uint64_t first = tubes.latched;

	tubes_power(&tubes, false, 0, now);
	tubes_power(&tubes, true, 8, now);
	assert_true(tubes.latched != first);
	assert_false(tubes.ready);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(shows_the_examples, setup, teardown),
		cmocka_unit_test_setup_teardown(pictures_and_pins_are_the_same, setup, teardown),
		cmocka_unit_test_setup_teardown(each_cathode_has_its_digit, setup, teardown),
		cmocka_unit_test_setup_teardown(two_cathodes_are_bad, setup, teardown),
		cmocka_unit_test_setup_teardown(clocks_are_counted, setup, teardown),
		cmocka_unit_test_setup_teardown(voltage_comes_after_the_first_picture, setup, teardown),
		cmocka_unit_test_setup_teardown(dimming_is_no_change, setup, teardown),
		cmocka_unit_test_setup_teardown(a_dark_update_is_measured, setup, teardown),
		cmocka_unit_test_setup_teardown(fading_is_one_change, setup, teardown),
		cmocka_unit_test_setup_teardown(slow_flicker_is_measured, setup, teardown),
		cmocka_unit_test_setup_teardown(power_leaves_anything_in_the_registers, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
