/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scan: heads of lines against patterns.
 */
#include "config.h"

#include "check.h"
#include "icecore/base.h"
#include "icecore/scan.h"

/* Append whether the pattern fits, the rest in [] and the arguments in <>. */
static void
scan_told(bool fits, struct str rest, size_t n, const struct str *arg, struct buf *b)
{
	buf_clear(b);
	buf_printf(b, "%d[%.*s]", fits, (int)rest.n, rest.s);
	for (size_t i = 0; fits && i < n; i++)
		buf_printf(b, "<%.*s>", (int)arg[i].n, arg[i].n > 0 ? arg[i].s : "");
}

static void
texts_are_taken(void **state)
{
	static const struct { const char *pattern, *text, *told; size_t n; } cases[] = {
		{ "PID %d", "PID 12 x", "1[ x]<12>", 1 },
		{ "PID %d", "PID x", "0[PID x]", 1 },
		{ "PID %d", "PI", "0[PI]", 1 },
		{ "at %h$", "at 0x1f", "1[]<0x1f>", 1 },
		{ "at %h$", "at 0x1f ", "0[at 0x1f ]", 1 },
		{ "at %h", "at 0xg", "0[at 0xg]", 1 },
		{ "%w %w", "a bc d", "1[ d]<a><bc>", 2 },
		{ "%w", " a", "0[ a]", 1 },
		{ "%t (%t)", "f (g (h) x", "1[ x]<f><g (h>", 2 },
		{ "%l (%l)$", "f (g (h)", "1[]<f (g><h>", 2 },
		{ "%t: ", "a", "0[a]", 1 },
		{ "%t", "a: b", "1[]<a: b>", 1 },
		{ "T %d{ [%t]}:", "T 7 [x]:y", "1[y]<7><x>", 2 },
		{ "T %d{ [%t]}:", "T 7:y", "1[y]<7><>", 2 },
		{ "T %d{ [%t]}:", "T 7 [x:y", "0[T 7 [x:y]", 2 },
		{ "{%d-%d }%t$", "3-4 x", "1[]<3><4><x>", 3 },
		{ "{%d-%d }%t$", "3-x", "1[]<><><3-x>", 3 },
		{ "{%t!}%t", "m!f", "1[]<m><f>", 2 },
		{ "{%t!}%t", "f", "1[]<><f>", 2 },
		{ "%*d %d{$}", "1 2", "1[]<2>", 1 },
		{ "%x+", "1fg+", "0[1fg+]", 1 },
		{ "[%x]", "[1F] x", "1[ x]<1F>", 1 },
		{ "a%_=%_%w", "a \t=b", "1[]<b>", 1 },
		{ "%_%w", "", "0[]", 1 },
		{ "a{b$}c", "ac", "1[]", 0 },
		{ "", "x", "1[x]", 0 },
	};
	struct str arg[3], rest;
	struct buf b = BUF_INIT;
	bool fits;

	(void)state;
	for (size_t i = 0; i < NELEM(cases); i++) {
		rest = str_of(cases[i].text);
		fits = scan(&rest, cases[i].pattern, &arg[0], &arg[1], &arg[2]);
		scan_told(fits, rest, cases[i].n, arg, &b);
		assert_string_equal(b.s, cases[i].told);
	}
	buf_free(&b);
}

static void
numbers_are_taken(void **state)
{
	struct str s = STR("a 12 0x1F b"), word;
	uint64_t n, x = 1, y = 1;

	(void)state;
	assert_true(scan(&s, "a %u %i", &n, &x));
	assert_true(n == 12 && x == 0x1f && str_eq(s, STR(" b")));
	s = STR("x");
	assert_true(scan(&s, "{%u: %u }%t", &x, &y, &word));
	assert_true(x == 0 && y == 0 && str_eq(word, STR("x")));
	s = STR("1: x");
	assert_true(scan(&s, "{%u: %u }%t", &x, &y, &word));
	assert_true(x == 0 && y == 0 && str_eq(word, STR("1: x")));
	s = STR("18446744073709551615 18446744073709551616");
	assert_true(scan(&s, "%u", &n) && n == UINT64_MAX);
	assert_false(scan(&s, " %u", &n));
	assert_int_equal(s.n, 21);
	s = (struct str){ NULL, 0 };
	assert_false(scan(&s, "%u", &n));
	assert_true(scan(&s, "{%u}$", &n));
}

/* Patterns without conversions, numbers of 32 bits, and whether an optional part is there. */
static void
parts_are_known(void **state)
{
	struct str s = STR("#3  * x 4294967296"), name;
	uint32_t n = 1;
	bool star = false, lock = true;

	(void)state;
	assert_false(scan(&s, "# "));
	assert_true(scan(&s, "#"));
	assert_true(scan(&s, "%p%_{* }?{lock }?%w", &n, &star, &lock, &name));
	assert_true(n == 3 && star && !lock && str_eq(name, STR("x")));
	assert_false(scan(&s, " %p", &n));
	assert_true(str_eq(s, STR(" 4294967296")));
	assert_true(scan(&s, "{ %p}?", &n, &star));
	assert_true(n == 0 && !star && s.n == 11);
	s = (struct str){ NULL, 0 };
	assert_false(scan(&s, "x"));
	assert_true(scan(&s, "$"));
}

TOOL(unit, scan)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_taken),
		cmocka_unit_test(numbers_are_taken),
		cmocka_unit_test(parts_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
