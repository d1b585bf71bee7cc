/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors that stick (into.h), and objects of JSON by their lists of members (jload.h).
 */
#include "config.h"

#include <string.h>

#include "check.h"
#include "load/profile/profile.h"

#define INNER(W, V, O) W(x)
#define OUTER(W, V, O) W(name) V(list) W(number) V(inner) O("two words", two)
JLOAD_SHAPE(inner, INNER)
JLOAD_SHAPE(outer, OUTER)

static int calls;

static bool
call(bool ok, struct err *err)
{
	calls++;
	return ok || fail(err, E_UNREADABLE, "error %d", calls);
}

static void
errors_stick(void **state)
{
	struct scratch rows = SCRATCH_INIT;
	struct err err = { .kind = E_NONE };
	struct work w;
	struct into to = { .work = &w, .err = &err };
	uint64_t n = 0;
	uint32_t row = 7;

	(void)state;
	work_init(&w, NULL);
	calls = 0;
	INTO(&to, call(true, to.err));
	INTO_ROW(&to, rows, n, row, "rows");
	assert_true(!to.bad && n == 1 && SCRATCH(rows, uint32_t)[0] == 7 && into_go(&to, 0));
	assert_int_equal(INTO_ID(&to, 5), 5);
	INTO(&to, call(false, to.err));
	INTO(&to, call(false, to.err));
	INTO_ROW(&to, rows, n, row, "rows");
	/* The second error is not in err, and nothing was added. */
	assert_true(to.bad && calls == 2 && n == 1 && strcmp(err.text, "error 2") == 0);
	assert_true(INTO_ID(&to, 5) == 0 && !into_go(&to, 0) && into_word(&to, STR("x")) == 0);
	to.bad = false;
	assert_true(INTO_ID(&to, 0) == 0 && to.bad);
	scratch_free(&rows);
}

static struct json
json_of(const char *text)
{
	return (struct json){ .base = text, .size = strlen(text) };
}

static void
members(void **state)
{
	struct jload l = { .doc = json_of("{\"number\": 1, \"list\": [1, \"b\", {}], \"inner\": {\"x\": \"y\"}, \"other\": 3, \"empty\": null, "
	    "\"two words\": 2, \"number\": {}} 5") };
	struct json j = l.doc;
	struct outer o = outer_take(&l, &j, true);
	struct str word;
	size_t n = 0;

	(void)state;
	/* A word that is an object is empty; the last one of a name counts. */
	assert_true(!o.has_name && o.name.n == 0 && o.has_number && o.number.n == 0);
	assert_true(json_is(o.two) && str_eq(jload_word(o.two), STR("2")) && str_eq(inner_read(&l, o.inner).x, STR("y")));
	assert_true(scan_peek(&j) == '5' && !l.cut);
	/* Members without content are not counted. */
	assert_true(l.unread.n == 1 && memcmp(l.unread.kind[0].name, "other", 5) == 0);
	JSON_EACH(o.list, item)
		n += scan_peek(&item) == '1' || scan_peek(&item) == '"' || scan_peek(&item) == '{';
	assert_int_equal(n, 3);
	n = 0;
	for (struct json rest = json_items(o.list); json_next_word(&rest, &word); )
		n += word.n;
	assert_int_equal(n, 2);
	JSON_EACH(o.inner, item)
		fail_msg("an object has no items: %s", item.base);
}

static void
damage(void **state)
{
	static const char *const cut[] = { "{\"name\": \"a", "{\"number\": 4, \"name\"", "{\"number\": 4, \"x\": [1, ", "{" };
	struct err err = { .kind = E_NONE };
	struct work w;

	(void)state;
	work_init(&w, NULL);
	for (size_t i = 0; i < NELEM(cut); i++) {
		struct jload l = { .doc = json_of(cut[i]), .to = { .work = &w, .err = &err } };
		struct json j = l.doc;
		struct outer o = outer_take(&l, &j, true);

		assert_true(l.cut && j.bad && o.name.n == 0 && o.has_name == (i == 0) && o.has_number == (i == 1 || i == 2));
	}
	/* Other values have no members, and are not damage. */
	for (size_t i = 0; i < 2; i++) {
		struct jload l = { .doc = json_of(i == 0 ? "[1]" : ""), .to = { .work = &w, .err = &err } };

		assert_true(!outer_read(&l, l.doc).has_name && !l.cut);
		JLOAD_EACH(&l, l.doc, item)
			assert_true(scan_peek(&item) == '1' && i == 0);
		assert_true(!l.cut);
	}
	/* Items up to the damage are read. */
	struct jload l = { .doc = json_of("[1, 2"), .to = { .work = &w, .err = &err } };
	size_t n = 0;

	JLOAD_EACH(&l, l.doc, item)
		n += item.at > 0;
	assert_true(n == 2 && l.cut);
	l.to.bad = true;
	JLOAD_EACH(&l, l.doc, item)
		fail_msg("an item after an error: %s", item.base);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(errors_stick), cmocka_unit_test(members), cmocka_unit_test(damage),
};

TOOL(unit, into)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
