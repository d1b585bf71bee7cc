/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * phrase: fields, parts and plurals of sentences.
 */
#include "config.h"

#include "check.h"
#include "icecore/base.h"
#include "icecore/phrase.h"

/* Fields are named by what they say. */
static enum amount
amount_of(void *of, struct str name)
{
	(void)of;
	return name.n == 0 || str_eq(name, STR("0")) ? AMOUNT_NONE : str_eq(name, STR("1")) ? AMOUNT_ONE : AMOUNT_MANY;
}

static void
add_name(void *of, struct str name, struct buf *b)
{
	++*(int *)of;
	buf_str(b, name);
}

static void
phrases_are_filled(void **state)
{
	static const struct {
		const char *phrase, *text;
		int shown;	/* fields that were asked for what they say */
	} cases[] = {
		{ "", "", 0 },
		{ "plain, 1 (2).", "plain, 1 (2).", 0 },
		{ "{a} and {0}", "a and 0", 2 },
		{ "{1 page|pages}, {2 page|pages}, {0 page|pages}", "1 page, 2 pages, 0 pages", 3 },
		{ "{1:was|were} {2:was|were} {0:was|were} {2:|s}", "was were were s", 0 },
		{ "{1:one {a}|{3} many} {2:one {a}|{3} many}", "one a 3 many", 2 },
		{ "a[, {b}][, {0}][ or {c} {0}][ {d}]", "a, b d", 2 },
		{ "[of {0} (cut); ][{2} on ]{2 thread|threads}", "2 on 2 threads", 2 },
		{ "[1?yes|no] [0?yes|no][0?, yes][1?, yes]", "yes no, yes", 0 },
		{ "[1?{a}[, {0}]|[{b}]][0?{c}|[ {d}]]", "a d", 2 },
		{ "[: {a}]", ": a", 1 },
	};
	struct buf b = BUF_INIT;
	int shown;

	(void)state;
	for (size_t i = 0; i < NELEM(cases); i++) {
		shown = 0;
		buf_clear(&b);
		phrase_add(str_of(cases[i].phrase), &(struct phrase_fields){ amount_of, add_name, &shown }, &b);
		assert_true(str_eq(buf_view(&b), str_of(cases[i].text)));
		assert_int_equal(shown, cases[i].shown);
	}
	buf_free(&b);
}

TOOL(unit, phrase)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(phrases_are_filled) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
