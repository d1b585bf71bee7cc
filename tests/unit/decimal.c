/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decimals: text and back, sums and order, at the edges of what fits.
 */
#include "config.h"

#include <string.h>

#include "check.h"
#include "icecore/decimal.h"

static struct decimal
of(const char *text)
{
	struct decimal d;

	if (!decimal_read(str_of(text), &d))
		fail_msg("%s is not a decimal", text);
	return d;
}

static void
shows(struct decimal d, const char *plain, const char *people)
{
	struct buf b = BUF_INIT;

	decimal_text(d, &b);
	assert_string_equal(b.s, plain);
	buf_clear(&b);
	decimal_show(d, &b);
	assert_string_equal(b.s, people);
	buf_free(&b);
}

static void
texts(void **state)
{
	static const char *const none[] = { "", "-", ".", "1.2.3", "1,5", "+1", " 1", "1e3", "--1",
		"170141183460469231731687303715884105728" };
	struct decimal d;

	(void)state;
	shows(of("0"), "0", "0.00");
	shows(of("-0.0"), "0", "0.00");
	shows(of("1234567.5"), "1234567.5", "1 234 567.50");
	shows(of("-1000"), "-1000", "-1 000.00");
	shows(of(".05"), "0.05", "0.05");
	shows(of("-0.0000000001"), "-0.0000000001", "-0.0000000001");
	shows(of("170141183460469231731687303715884105727"), "170141183460469231731687303715884105727",
	    "170 141 183 460 469 231 731 687 303 715 884 105 727.00");
	shows((struct decimal){ 1200, 4 }, "0.12", "0.12");
	for (size_t i = 0; i < NELEM(none); i++)
		if (decimal_read(str_of(none[i]), &d))
			fail_msg("%s is a decimal", none[i]);
}

static void
sums(void **state)
{
	struct decimal sum = of("92233720368547758.07"), most = of("170141183460469231731687303715884105727");

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_true(decimal_add(&sum, of("0.10")));
	assert_true(decimal_add(&sum, of("-0.0000000001")));
	shows(sum, "92233720368547858.0699999999", "92 233 720 368 547 858.0699999999");
	sum = most;
	assert_false(decimal_add(&sum, of("1")));
	assert_false(decimal_add(&sum, of("0.1")));
	shows(sum, "170141183460469231731687303715884105727", "170 141 183 460 469 231 731 687 303 715 884 105 727.00");
	assert_true(decimal_add(&sum, decimal_minus(most)));
	shows(sum, "0", "0.00");
}

static void
order(void **state)
{
	static const char *const rising[] = { "-170141183460469231731687303715884105727", "-12", "-1.5", "-1.4999999999", "-0.1", "0",
		"0.0000000000000000000000000000000000001", "0.09", "0.1", "1", "1.0000000000000000000000000000000000001", "1.5", "10",
		"170141183460469231731687303715884105726", "170141183460469231731687303715884105727" };

	(void)state;
	for (size_t i = 0; i < NELEM(rising); i++)
		for (size_t j = 0; j < NELEM(rising); j++)
			assert_int_equal(decimal_cmp(of(rising[i]), of(rising[j])), (i > j) - (i < j));
	assert_int_equal(decimal_cmp((struct decimal){ 150, 2 }, of("1.5")), 0);
	assert_true(decimal_real(of("-2.5")) == -2.5);
}

static void
floors(void **state)
{
	static const struct {
		const char *of, *width, *floor;
	} cases[] = { { "0.3", "0.1", "0.3" }, { "0.39", "0.1", "0.3" }, { "12.5", "10", "10" }, { "-0.1", "0.25", "-0.25" },
		{ "-0.5", "0.25", "-0.5" }, { "7", "2.5", "5" }, { "0", "3", "0" } };
	struct decimal d, most = of("-170141183460469231731687303715884105727");

	(void)state;
	for (size_t i = 0; i < NELEM(cases); i++) {
		d = of(cases[i].of);
		assert_true(decimal_floor(&d, of(cases[i].width)));
		assert_int_equal(decimal_cmp(d, of(cases[i].floor)), 0);
	}
	d = most;
	assert_false(decimal_floor(&d, of("10")));
	assert_false(decimal_floor(&d, of("0.1")));
	assert_int_equal(decimal_cmp(d, most), 0);
	assert_int_equal(decimal_narrow((struct decimal){ 1200, 4 }).places, 2);
}

TOOL(unit, decimal)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(texts), cmocka_unit_test(sums), cmocka_unit_test(order),
		cmocka_unit_test(floors) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
