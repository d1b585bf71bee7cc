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

/* Added values are read again byte by byte, and no value makes a line of its own. */
static void
lines(void **state)
{
	static const char all[] = "a\nfile 1 2 /x\nmark y\\x0a \x80\xff\x1b[31m\t\0z\xe2\x80\xae";
	struct buf	b = BUF_INIT, value = BUF_INIT;
	struct str	rest, word;

	(void)state;
	note_add(&b, "row", (struct str){ all, sizeof all - 1 });
	note_add(&b, "row", STR(""));
	note_number(&b, "from", UINT64_MAX);
	for (size_t i = 0; i < b.n; i++)
		assert_true(b.s[i] == '\n' || (unsigned char)b.s[i] >= ' ');
	rest = buf_view(&b);
	assert_true(note_next(&rest, &word, &value));
	assert_true(str_eq(word, STR("row")));
	assert_true(str_eq(buf_view(&value), (struct str){ all, sizeof all - 1 }));
	assert_true(note_next(&rest, &word, &value));
	assert_int_equal(value.n, 0);
	assert_true(note_next(&rest, &word, &value));
	assert_true(str_eq(buf_view(&value), STR("18446744073709551615")));
	assert_false(note_next(&rest, &word, &value));
	buf_free(&b);
	buf_free(&value);
}

/* A mark stays short: what makes it too long is left out, what still fits is not. */
static void
long_marks(void **state)
{
	struct buf	b = BUF_INIT, name = BUF_INIT;

	(void)state;
	for (int i = 0; i < 1000; i++)
		buf_chr(&name, 'x');
	for (int i = 0; i < 100; i++)
		note_add(&b, "frame", buf_view(&name));
	assert_in_range(b.n, BOOKMARK_TEXT - 1100, BOOKMARK_TEXT);
	note_add(&b, "to", STR("7"));
	assert_true(str_has_suffix(buf_view(&b), STR("\nto 7\n")));
	buf_free(&b);
	buf_free(&name);
}

static void
loaded(void **state)
{
	struct ui	*ui = calloc(1, sizeof *ui);
	struct buf	 b = BUF_INIT;

	(void)state;
	assert_non_null(ui);
	bookmark_load(ui, STR("pane Lost\nmark b\npane Icicle\nmark \npane Lost\nmark a b\npane Lost\nmark a\npane Info\nmark b\npane Chart"), true);
	assert_string_equal(bookmark_at(ui, 0), "a");
	assert_string_equal(bookmark_at(ui, 1), "b");
	assert_null(bookmark_at(ui, 2));
	bookmark_save(ui, &b);
	assert_string_equal(b.s, "mark a\npane Info\nmark b\npane Chart\n");
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
		cmocka_unit_test(lines), cmocka_unit_test(long_marks), cmocka_unit_test(loaded), cmocka_unit_test(shelf),
		cmocka_unit_test(damaged), cmocka_unit_test(limits), cmocka_unit_test(chance)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
