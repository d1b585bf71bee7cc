/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * More different values than are kept: a small column stays exact, and of the large one the ends are exact, the rest is near.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "icecore/decimal.h"
#include "pass/table/sheet_values.h"

#define RECORDS 60000u
#define MOST 3000u
#define CELL 8u			/* bytes of a cell */

static char text[RECORDS * CELL + 1];

static void
add(struct sheet_values *v, struct sheet_reader *r, uint32_t column, const char *from, size_t n)
{
	struct sheet_field f = { from, from + n, FORM_PLAIN, 0 };
	struct str s = { from, n };
	struct err err;

	assert_true(sheet_values_add(v, r, column, &f, s, hash_bytes(s.s, s.n, 1 + column), 1, &err));
}

static double
number_at(const struct stats *s, uint32_t place)
{
	assert_true(place > 0);
	return strtod(s->words.s + place - 1, NULL);
}

static void
near(double value, double want, double part)
{
	if (value < want * (1 - part) || value > want * (1 + part))
		fail_msg("%g, not near %g", value, want);
}

static void
estimated(void **state)
{
	static const char few[] = "123";
	const struct stats_of of = { .kind = SHEET_NUMBER, .numbers = true };
	struct sheet sheet = { .data = text, .end = text + sizeof text - 1, .sep = ',' };
	struct sheet_reader r;
	struct sheet_values v = { .n = 0 };
	struct stats s = { .words = BUF_INIT };
	uint32_t stat[STATS];
	struct err err;

	(void)state;
	assert_true(sheet_reader_open(&r, &sheet, 0, 1, &err) && sheet_values_open(&v, 2, MOST, &err));
	for (uint32_t i = 0; i < RECORDS; i++) {
		snprintf(text + i * CELL, CELL + 1, "%08u", (i * 7919u) % RECORDS + 1);
		add(&v, &r, 0, few + i % 3, 1);
		add(&v, &r, 1, text + i * CELL, CELL);
	}
	assert_true(v.n <= MOST);
	assert_int_equal(sheet_values_distinct(&v, 0), 3);
	assert_int_equal(v.column.at[0].zeros, 0);
	assert_true(v.column.at[1].zeros > 0);
	near((double)sheet_values_distinct(&v, 1), RECORDS, 0.15);
	assert_true(stats_open(&s, &v, &r, &err) && stats_column(&s, 0, &of, stat, &err));
	assert_string_equal(s.words.s + stat[STAT_MEDIAN] - 1, "2");
	assert_string_equal(s.words.s + stat[STAT_TOP] - 1, "1 (20000), 2 (20000), 3 (20000)");
	assert_true(stats_column(&s, 1, &of, stat, &err));
	assert_true(number_at(&s, stat[STAT_MIN]) == 1 && number_at(&s, stat[STAT_MAX]) == RECORDS);
	near(number_at(&s, stat[STAT_MEDIAN]), RECORDS / 2.0, 0.1);
	assert_int_equal(stat[STAT_TOP], 0);
	stats_close(&s);
	sheet_values_close(&v);
	sheet_reader_close(&r);
}

/* 38 digits fit into an amount, wherever its decimal mark is. */
static void
amounts(void **state)
{
	static const struct { const char *text; enum amount_verdict is; unsigned decimals; } known[] = {
		{ "99999999999999999999999999999999999999", AMOUNT_IS, 0 }, { "100000000000000000000000000000000000000", AMOUNT_TOO_LARGE, 0 },
		{ "9999999999999999999999999999999999999.9", AMOUNT_IS, 1 }, { "9999999999999999999999999999999999999.99", AMOUNT_TOO_LARGE, 0 },
		{ "9999999999999999999999999999999999999.90", AMOUNT_IS, 1 }, { "0000000000000000000000000000000000000000000000000000000001.5", AMOUNT_IS, 1 },
		{ "1.", AMOUNT_IS, 0 }, { "0.123456789012345678", AMOUNT_IS, 18 }, { "x", AMOUNT_NONE, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NELEM(known); i++) {
		struct amount a = { .units = 0 };

		if (sheet_amount(str_of(known[i].text), '.', &a) != known[i].is)
			fail_msg("%s", known[i].text);
		if (known[i].is == AMOUNT_IS)
			assert_int_equal(a.decimals, known[i].decimals);
	}
}

TOOL(unit, sheet_values)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(estimated), cmocka_unit_test(amounts) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
