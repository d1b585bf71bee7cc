/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lines: ends, prefixes and progress of lines.
 */
#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "icecore/base.h"
#include "icecore/lines.h"

#define S(text) ((struct str){ text, sizeof(text) - 1 })

/* All lines in brackets, with "..." after one that has no end. */
static void
lines_told(struct lines l, struct buf *b)
{
	struct str line;

	buf_clear(b);
	while (lines_next(&l, &line)) {
		buf_chr(b, '[');
		buf_str(b, line);
		buf_chr(b, ']');
		buf_str(b, l.cut ? STR("...") : STR(""));
	}
	assert_int_equal(l.rest.n, 0);
}

static void
all_ends_are_taken(void **state)
{
	static const struct { struct str text, told; } cases[] = {
		{ S(""), S("") }, { S("\n"), S("[]") }, { S("\r\n"), S("[]") }, { S("\r"), S("[]...") },
		{ S("a"), S("[a]...") }, { S("a\n"), S("[a]") }, { S("a\r\nb\r"), S("[a][b]...") },
		{ S("a\n\n\nb"), S("[a][][][b]...") }, { S("a\rb\r\r\nc\n"), S("[a\rb\r][c]") },
		{ S("\0\n\0a\0\n\0"), S("[\0][\0a\0][\0]...") },
		/* Halves of UTF-16 are bytes like others. */
		{ S("\xff\xfe" "a\0\n\0b"), S("[\xff\xfe" "a\0][\0b]...") }, { S("\xd8\n\xdc\r\n"), S("[\xd8][\xdc]") },
	};
	struct buf b = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < NELEM(cases); i++) {
		lines_told(lines_of(cases[i].text), &b);
		assert_int_equal(b.n, cases[i].told.n);
		assert_memory_equal(b.s == NULL ? "" : b.s, cases[i].told.s, b.n);
	}
	lines_told(lines_of((struct str){ NULL, 0 }), &b);
	assert_int_equal(b.n, 0);
	buf_free(&b);
}

/* A line of megabytes ends where its memory ends, which the sanitizer watches. */
static void
long_lines_stay_inside(void **state)
{
	const size_t size = 3 << 20;
	char *text = malloc(size);
	struct lines l;
	struct str line;

	(void)state;
	assert_non_null(text);
	memset(text, 'x', size);
	text[size - 2] = '\n';
	l = lines_of((struct str){ text, size });
	assert_true(lines_next(&l, &line) && line.n == size - 2 && !l.cut);
	assert_int_equal(lines_at(&l), size - 1);
	assert_true(lines_next(&l, &line) && line.n == 1 && l.cut);
	assert_false(lines_next(&l, &line));
	/* A limit of bytes cuts a line. */
	l = lines_of((struct str){ text, size });
	l.rest.n = 10;
	assert_true(lines_next(&l, &line) && line.n == 10 && l.cut);
	assert_false(lines_next(&l, &line));
	free(text);
}

static void
prefixes_are_taken_off(void **state)
{
	struct lines l = lines_of(STR("12:03  app[7]: a\n9:59 app[812]:b\napp: c\n"));
	struct str line;

	(void)state;
	l.prefix = STR("10:00 app[1]:");
	assert_true(lines_next(&l, &line) && str_is(line, "a"));
	assert_true(lines_next(&l, &line) && str_is(line, "b"));
	assert_true(lines_next(&l, &line) && str_is(line, "app: c"));
	assert_int_equal(l.prefixed, 2);
	line = STR("10:");
	assert_false(lines_take_prefix(&line, l.prefix));
	assert_true(str_is(line, "10:"));
}

static bool
is_b(struct str line)
{
	return str_is(line, "b");
}

static void
the_work_is_looked_at(void **state)
{
	struct lines l = lines_of(STR("a\nb"));
	struct work w;
	struct err err = { .kind = E_NONE };

	(void)state;
	assert_true(lines_have(l.rest, is_b));
	assert_false(lines_have(STR("a\n"), is_b));
	work_init(&w, NULL);
	assert_true(lines_look(&l, 0, &w, &err));
	atomic_store(&w.cancel, true);
	assert_true(lines_look(&l, 65535, &w, &err));
	assert_false(lines_look(&l, 65536, &w, &err));
	assert_int_equal(err.kind, E_CANCEL);
}

TOOL(unit, lines)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_ends_are_taken),
		cmocka_unit_test(long_lines_stay_inside),
		cmocka_unit_test(prefixes_are_taken_off),
		cmocka_unit_test(the_work_is_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
