/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns that become wider as they grow: no number changes. */
#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "chance.h"

#include "icecore/narrow.h"

#define ROWS 70000u	/* beyond what small arrays have */

static uint64_t *model;		/* ROWS of them */

/* So wide at most, and narrower ones as well. */
static uint64_t
any_number(unsigned bits)
{
	uint64_t v = (uint64_t)below(UINT32_MAX) << 32 | below(UINT32_MAX);

	bits = below(bits + 1);
	return bits == 0 ? 0 : v >> (64 - bits);
}

static void
are_equal(const struct narrow *c, uint64_t n)
{
	assert_true(c->n == n);
	for (uint64_t i = 0; i < n; i++)
		assert_true(narrow_get(c, i) == model[i]);
}

static void
zeros_take_no_memory(void **state)
{
	struct narrow c = { .n = 0 };
	struct err err;

	(void)state;
	for (uint64_t i = 0; i < ROWS; i++) {
		model[i] = 0;
		assert_true(narrow_add(&c, 0, &err));
	}
	assert_true(c.data.data == NULL);
	are_equal(&c, ROWS);
	model[7] = 300;
	assert_true(narrow_set(&c, 7, 300, &err));
	assert_int_equal(c.bits, 16);
	are_equal(&c, ROWS);
	narrow_free(&c);
}

static void
numbers_stay(void **state)
{
	static const unsigned widest[] = { 8, 9, 16, 17, 32, 33, 64 };
	struct narrow c = { .n = 0 };
	struct err err;

	(void)state;
	for (unsigned k = 0; k < NELEM(widest); k++) {
		uint64_t n = below(2) ? 40 : ROWS, all = 0;

		for (uint64_t i = 0; i < n; i++) {
			/* Later ones are wider. */
			model[i] = any_number(i < n / 2 ? 3 : widest[k]);
			assert_true(narrow_add(&c, model[i], &err));
		}
		for (unsigned i = 0; i < 100; i++) {
			uint64_t row = below((uint32_t)n);

			model[row] = any_number(widest[k]);
			assert_true(narrow_set(&c, row, model[row], &err));
		}
		for (uint64_t i = 0; i < n; i++)
			all |= model[i];
		assert_true(c.bits == 64 || all >> c.bits == 0);
		are_equal(&c, n);
		narrow_free(&c);
	}
}

TOOL(unit, narrow)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeros_take_no_memory),
		cmocka_unit_test(numbers_stay),
	};
	int failed;

	model = calloc(ROWS, sizeof *model);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(model);
	return failed;
}
