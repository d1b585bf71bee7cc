/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks as text: lines of hostile bytes, the file that keeps the marks of many files, and its limits.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/home.h"
#include "chance.h"
#include "check.h"
#include "ui/app/app.h"
#include "ui/core/state.h"

#define SAMPLE(F, s) F(s, TEXT, BOTH, row) F(s, TEXT, BOTH, empty) F(s, TEXT, BOTH, none) F(s, NUMBER, BOTH, from) F(s, FLAG, BOTH, flat) \
	F(s, FLAG, BOTH, unset) F(s, TEXTS, BOTH, frame) F(s, NUMBERS, STEP, way) F(s, NUMBER, MARK, line)

PLACED(sample, SAMPLE);
static const struct placed_kind samples = PLACED_KIND(sample, SAMPLE, NULL, NULL);

/* Members are read again byte by byte, and no value makes a line of its own. */
static void
members(void **state)
{
	static const char all[] = "a\nfile 1 2 /x\nmark y\\x0a \x80\xff\x1b[31m\t\0z\xe2\x80\xae";
	static const uint32_t way[] = { 0, 7, UINT32_MAX };
	struct sample	in = { .from = UINT64_MAX, .flat = true, .line = 3 }, out;
	struct buf	b = BUF_INIT;
	const char	*one;
	size_t		at = 0;

	(void)state;
	buf_str(&in.row, (struct str){ all, sizeof all - 1 });
	buf_str(&in.empty, STR(""));
	buf_str(&in.frame, STR("main\0\0run\n\0"));
	buf_add(&in.way, way, sizeof way);
	placed_write(&samples, &in, OF_STEP, &b);
	for (size_t i = 0; i < b.n; i++)
		assert_true(b.s[i] == '\n' || (unsigned char)b.s[i] >= ' ');
	placed_read(&samples, buf_view(&b), OF_STEP, &out);
	assert_true(str_eq(buf_view(&out.row), buf_view(&in.row)));
	assert_non_null(out.empty.s);
	assert_int_equal(out.empty.n, 0);
	assert_null(out.none.s);
	assert_true(out.from == UINT64_MAX && out.flat && !out.unset && out.line == 0);
	assert_true(placed_next(&out.frame, &at, &one));
	assert_string_equal(one, "main");
	assert_true(placed_next(&out.frame, &at, &one));
	assert_string_equal(one, "");
	assert_true(placed_next(&out.frame, &at, &one));
	assert_string_equal(one, "run\n");
	assert_false(placed_next(&out.frame, &at, &one));
	assert_true(str_eq(buf_view(&out.way), (struct str){ (const char *)way, sizeof way }));
	placed_free(&samples, &in);
	placed_free(&samples, &out);
	buf_free(&b);
}

/* Invalid numbers are 0, unknown words and members of another use are ignored, and the last of several values counts. */
static void
hostile_members(void **state)
{
	static const char *const words[] = { "one", NULL, "two" };
	struct sample	out;

	(void)state;
	placed_read(&samples, STR("from 1\nfrom 18446744073709551616\nway 1 x 4294967296 2 \nline 5\n"
	    "row a\nrow two\nelse 1\n\n \nflat"), OF_BOTH, &out);
	assert_true(out.from == 0 && out.line == 5 && out.flat);
	assert_int_equal(out.way.n, 2 * sizeof(uint32_t));
	assert_int_equal(placed_word(&out.row, words, NELEM(words), 9), 2);
	assert_int_equal(placed_word(&out.none, words, NELEM(words), 9), 9);
	placed_free(&samples, &out);
	placed_read(&samples, STR("way 1\nline 5"), OF_MARK, &out);
	assert_true(out.way.n == 0 && out.line == 5);
	placed_free(&samples, &out);
}

/* A mark stays short: what makes it too long is left out, what still fits is not.  A step has all. */
static void
long_marks(void **state)
{
	struct sample	in = { .line = 7 };
	struct buf	b = BUF_INIT;

	(void)state;
	for (int i = 0; i < 100; i++) {
		for (int k = 0; k < 1000; k++)
			buf_chr(&in.frame, 'x');
		buf_chr(&in.frame, '\0');
	}
	placed_write(&samples, &in, OF_MARK, &b);
	assert_in_range(b.n, PLACED_TEXT - 1100, PLACED_TEXT);
	assert_true(str_has_suffix(buf_view(&b), STR("\nline 7\n")));
	buf_clear(&b);
	placed_write(&samples, &in, OF_STEP, &b);
	assert_int_equal(b.n, 100 * (1000 + strlen("frame \n")));
	placed_free(&samples, &in);
	buf_free(&b);
}

static void
loaded(void **state)
{
	struct ui	*ui = calloc(1, sizeof *ui);
	struct buf	 b = BUF_INIT;

	(void)state;
	assert_non_null(ui);
	bookmark_load(ui, STR("pane Lost\nmark b\npane Icicle\nmark \npane Lost\nmark a b\npane Lost\nmark a\npane Info\nmark b\npane Stack chart"), true);
	assert_string_equal(bookmark_at(ui, 0), "a");
	assert_string_equal(bookmark_at(ui, 1), "b");
	assert_null(bookmark_at(ui, 2));
	bookmark_save(ui, &b);
	assert_string_equal(b.s, "mark a\npane Info\nmark b\npane Stack chart\n");
	bookmark_drop(ui, "a");
	bookmark_drop(ui, "c");
	assert_string_equal(bookmark_at(ui, 0), "b");
	buf_clear(&b);
	for (int i = 0; i < 3 * BOOKMARKS; i++)
		buf_printf(&b, "mark m%d\npane Info\n", i);
	buf_printf(&b, "mark %0*d\npane Info\n", BOOKMARK_NAME + 1, 0);
	bookmark_load(ui, buf_view(&b), false);
	assert_non_null(bookmark_at(ui, BOOKMARKS - 1));
	assert_null(bookmark_at(ui, BOOKMARKS));
	bookmark_free(ui);
	buf_free(&b);
	free(ui);
}

/* ---- the file ---------------------------------------------------------------- */

static void
put(struct buf *all, const char *path, uint64_t size, const char *marks)
{
	struct buf	after = BUF_INIT;

	shelf_put(buf_view(all), path, &(struct shelf_stamp){ size, 9 }, str_of(marks), &after);
	assert_false(after.bad);
	assert_in_range(after.n, 0, HOME_MOST);
	buf_free(all);
	*all = after;
}

static bool
has(const struct buf *all, const char *path, uint64_t size, const char *marks)
{
	struct shelf_stamp stamp;
	struct str	 found;

	return shelf_find(buf_view(all), path, &found, &stamp) && stamp.size == size && stamp.mtime == 9 &&
	    str_eq(found, str_of(marks));
}

static void
shelf(void **state)
{
	struct buf	all = BUF_INIT;

	(void)state;
	put(&all, "/a\nfile 1 1 /b", 1, "mark x\npane Info\n");
	put(&all, "/b", 2, "mark y\n");
	assert_true(has(&all, "/a\nfile 1 1 /b", 1, "mark x\npane Info\n"));
	assert_true(has(&all, "/b", 2, "mark y\n"));
	put(&all, "/b", 3, "mark z\n");
	assert_true(has(&all, "/b", 3, "mark z\n"));
	put(&all, "/b", 3, "");
	assert_true(has(&all, "/b", 3, ""));
	assert_true(has(&all, "/a\nfile 1 1 /b", 1, "mark x\npane Info\n"));
	buf_free(&all);
}

static void
damaged(void **state)
{
	struct buf	all = BUF_INIT;

	(void)state;
	buf_str(&all, STR("rubbish\nfile\nfile x 1 /a\nmark lost\nfile 1 9 /a\nmark x\nfile 99999999999999999999 9 /b\nmark lost\nfile 2 9 /c\nmark y"));
	assert_true(has(&all, "/a", 1, "mark x\n"));
	assert_false(has(&all, "/b", 1, ""));
	assert_true(has(&all, "/c", 2, "mark y"));
	put(&all, "/d", 4, "mark z\n");
	assert_string_equal(all.s, "file 1 9 /a\nmark x\nfile 2 9 /c\nmark y\nfile 4 9 /d\nmark z\n");
	buf_free(&all);
}

/* 200 files, the last ones; 1 MiB. */
static void
limits(void **state)
{
	struct buf	all = BUF_INIT, big = BUF_INIT;
	char		path[32];

	(void)state;
	for (int i = 0; i < 300; i++) {
		snprintf(path, sizeof path, "/%d", i);
		put(&all, path, (uint64_t)i, "mark x\n");
	}
	assert_false(has(&all, "/99", 99, "mark x\n"));
	assert_true(has(&all, "/100", 100, "mark x\n"));
	assert_true(has(&all, "/299", 299, "mark x\n"));
	buf_str(&big, STR("mark "));
	while (big.n < HOME_MOST / 4)
		buf_chr(&big, 'x');
	buf_chr(&big, '\n');
	for (int i = 300; i < 305; i++) {
		snprintf(path, sizeof path, "/%d", i);
		put(&all, path, (uint64_t)i, big.s);
	}
	assert_false(has(&all, "/301", 301, big.s));
	assert_true(has(&all, "/302", 302, big.s));
	assert_true(has(&all, "/304", 304, big.s));
	buf_free(&all);
	buf_free(&big);
}

/* Bytes changed anywhere: whatever is read, what is written then can be read again. */
static void
chance(void **state)
{
	static const char begin[] = "file 1 9 /a\nmark x\npane Icicle\nstage range 1ns 2ns\nfile 2 9 /b\\x0a\nmark y\n";
	struct ui	*ui = calloc(1, sizeof *ui);
	char		 text[sizeof begin];
	struct buf	 all = BUF_INIT;
	struct str	 marks;
	struct shelf_stamp stamp;

	(void)state;
	assert_non_null(ui);
	for (int round = 0; round < 20000; round++) {
		memcpy(text, begin, sizeof text);
		for (uint32_t n = 1 + below(6); n > 0; n--)
			text[below(sizeof text - 1)] = "\n\\ \0fx9\x80"[below(8)];
		buf_clear(&all);
		buf_add(&all, text, sizeof text - 1);
		if (shelf_find(buf_view(&all), "/a", &marks, &stamp))
			bookmark_load(ui, marks, false);
		put(&all, "/c", 5, "mark z\n");
		assert_true(has(&all, "/c", 5, "mark z\n"));
	}
	bookmark_free(ui);
	buf_free(&all);
	free(ui);
}

TOOL(unit, marks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members), cmocka_unit_test(hostile_members), cmocka_unit_test(long_marks), cmocka_unit_test(loaded),
		cmocka_unit_test(shelf),
		cmocka_unit_test(damaged), cmocka_unit_test(limits), cmocka_unit_test(chance)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
