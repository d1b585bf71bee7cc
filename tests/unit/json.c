/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json: what is one whole value, and what only looks like one.
 */
#include "config.h"

#include "check.h"
#include "icecore/json.h"

static bool
strict(struct str text)
{
	bool deep;

	return scan_strict(text, &deep) && !deep;
}

static void
values_are_whole(void **state)
{
	static const char *const good[] = { "1", " -0 ", "0.5", "1e400", "-1.25E-7", "1E+2", "99999999999999999999", "true", "false", "null", "\"\"",
	    "\"a\xc3\xa9\xf0\x9f\x98\x80\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u00e9\\u0000\"", "\"\\ud83d\\ude00\"", "\"\xef\xbf\xbd\"", "[]",
	    "{}", "[1,[2,{}],\"]\"]", " { \"a\" : [ ] , \"a\" : { } } \r\n", "{\"\":1}" };
	static const char *const bad[] = { "", " ", "01", "+1", "-", "1.", ".5", "1e", "1e+", "0x1", "1 2", "tru", "True", "nul l", "\"", "\"a", "'a'",
	    "\"\t\"", "\"\\x\"", "\"\\u12g4\"", "\"\\u123\"", "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83d\\u0041\"", "\"\xff\"", "\"\xc0\xaf\"",
	    "\"\xed\xa0\x80\"", "[", "]", "[1,]", "[,1]", "[1 2]", "[1,,2]", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{a:1}",
	    "{1:2}", "{\"a\":1]", "[1}", "{\"a\"::1}", "[]]", "{}{}", "\xef\xbb\xbf{}", "NaN", "/**/1" };

	(void)state;
	for (size_t i = 0; i < NELEM(good); i++)
		if (!strict(str_of(good[i])))
			fail_msg("refused: %s", good[i]);
	for (size_t i = 0; i < NELEM(bad); i++)
		if (strict(str_of(bad[i])))
			fail_msg("accepted: %s", bad[i]);
	assert_false(strict((struct str){ "1\0", 2 }));
	assert_false(strict((struct str){ "\"\0\"", 3 }));
}

static void
depth_is_limited(void **state)
{
	char text[4 * SCAN_DEPTH + 8];
	bool deep;

	(void)state;
	memset(text, '[', SCAN_DEPTH);
	memset(text + SCAN_DEPTH, ']', SCAN_DEPTH);
	assert_true(scan_strict((struct str){ text, (size_t)2 * SCAN_DEPTH }, &deep) && !deep);
	memset(text, '[', SCAN_DEPTH + 1);
	memset(text + SCAN_DEPTH + 1, ']', SCAN_DEPTH + 1);
	assert_false(scan_strict((struct str){ text, (size_t)2 * SCAN_DEPTH + 2 }, &deep));
	assert_true(deep);
}

/* Programs that do not escape write paths of Windows as they are; others write the same text right. */
static void
unknown_escapes_stay(void **state)
{
	static const struct {
		const char	*raw, *plain;
		bool		 told;
	} texts[] = {
		{ "torch\\\\cuda\\\\__init__.py", "torch\\cuda\\__init__.py", false },
		{ "torch\\cuda\\__init__.py", "torch\\cuda\\__init__.py", true },
		{ "C:\\users\\x\\new.py(3): run", "C:\\users\\x\\new.py(3): run", true },
		{ "\\\\\\\\server\\\\share", "\\\\server\\share", false },
		{ "\\\\server\\share\\x", "\\\\server\\share\\x", true },
		{ "a\\'b", "a\\'b", true },
		{ "say \\\"hi\\\" in D:\\job", "say \"hi\" in D:\\job", true },
		{ "\\u12", "\\u12", true },
		{ "\\u12g4 \\t", "\\u12g4 \\t", true },
		{ "a\\nb\\/c\\\\d\\\"e", "a\nb/c\\d\"e", false },
	};
	struct buf b = BUF_INIT;

	(void)state;
	(void)scan_plain_read();
	for (size_t i = 0; i < NELEM(texts); i++) {
		if (!str_eq(scan_unescape(str_of(texts[i].raw), &b), str_of(texts[i].plain)))
			fail_msg("%s: %.*s", texts[i].raw, (int)b.n, b.s);
		assert_int_equal(scan_plain_read(), texts[i].told);
	}
	assert_true(str_eq(scan_unescape((struct str){ "a\\\0b", 4 }, &b), (struct str){ "a\\\0b", 4 }));
	assert_int_equal(scan_plain_read(), 1);
	assert_int_equal(scan_plain_read(), 0);
	buf_free(&b);
}

TOOL(unit, json)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_whole),
		cmocka_unit_test(depth_is_limited),
		cmocka_unit_test(unknown_escapes_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
