/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inspect: what the inspectors say of single objects, each rule with and without what it needs, and of paths.
 */
#include "config.h"

#include "inspect_dump.h"

/* ---- single objects ----------------------------------------------------------------- */

static void
assert_verdict(const struct verdict *v, enum leak_mark mark, enum finding_kind kind, const char *why)
{
	assert_string_equal(leak_mark_names[v->mark], leak_mark_names[mark]);
	if (strstr(v->why, why) == NULL)
		fail_msg("gives:\n%s\nnot:\n%s", v->why, why);
	assert_true(mark != LEAK_UNKNOWN ? v->why[0] != '\0' : v->why[0] == '\0');
	if (mark == LEAK_YES)
		assert_int_equal(v->kind, kind);
	assert_null(v->note);
}

static void
each_rule(void **state)
{
	struct buf label = BUF_INIT;
	struct verdict v;
	uint32_t object;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(rules); i++) {
		object = at(CASE + STEP * i + 0x200);
		inspect(inspector, object, &v);
		if (v.mark != rules[i].mark)
			print_error("case %zu: %s\n", i, rules[i].class);
		assert_verdict(&v, rules[i].mark, rules[i].kind, rules[i].why);
		if (v.mark != LEAK_UNKNOWN)
			assert_true(inspector_knows(inspector, heap_class(&heap, object)));
		buf_clear(&label);
		inspect_label(inspector, object, &label);
		assert_string_equal(label.n == 0 ? "" : label.s, rules[i].label);
	}
	buf_free(&label);
}

static void
assert_mark(uint64_t addr, enum leak_mark mark, const char *why)
{
	struct verdict v;

	inspect(inspector, at(addr), &v);
	assert_verdict(&v, mark, FINDING_SERVICE, why);
}

static void
services_and_what_lives_forever(void **state)
{
	struct verdict v;

	(void)state;
	assert_mark(RUNNING, LEAK_NOT, "listed in ActivityThread.mServices: running");
	assert_mark(ENDED, LEAK_YES, "not in ActivityThread.mServices: destroyed");
	assert_mark(NOT_BEGUN, LEAK_UNKNOWN, "");
	assert_mark(APP, LEAK_NOT, "singleton: lives as long as the process");
	assert_mark(MAIN, LEAK_NOT, "running thread");
	assert_mark(IDLE, LEAK_UNKNOWN, "");
	assert_mark(OBJECT, LEAK_NOT, "a class");
	/* A class from a loader of the application can be unloaded, and so can the loader. */
	assert_mark(OWN_LOADED, LEAK_UNKNOWN, "");
	assert_mark(OWN_LOADER, LEAK_UNKNOWN, "");
	assert_mark(SOME, LEAK_UNKNOWN, "");
	/* Its record ends before its fields. */
	assert_mark(CUT, LEAK_UNKNOWN, "");
	assert_false(inspector_knows(inspector, heap_class(&heap, at(SOME))));
	assert_false(inspector_knows(inspector, 0));
	assert_false(inspector_knows(inspector, UINT32_MAX));
	inspect(inspector, 0, &v);
	assert_int_equal(v.mark, LEAK_UNKNOWN);
	inspect(inspector, UINT32_MAX, &v);
	assert_int_equal(v.mark, LEAK_UNKNOWN);
}

/* ---- paths ---------------------------------------------------------------------------- */

#define PATH(...) (const uint64_t[]){ __VA_ARGS__ }, NELEM(((const uint64_t[]){ __VA_ARGS__ }))

/* marks: one letter a hop. */
static void
assert_path(const uint64_t *addr, size_t n, const char *marks, size_t from, size_t to)
{
	struct verdict v[8];
	uint32_t object[8] = { 0 };
	char got[9] = "";
	size_t i, f, t;

	for (i = 0; i < n; i++)
		object[i] = at(addr[i]);
	inspect_path(inspector, object, n, v, &f, &t);
	for (i = 0; i < n; i++)
		got[i] = "unl"[v[i].mark];
	got[n] = '\0';
	assert_string_equal(got, marks);
	assert_int_equal(f, from);
	assert_int_equal(t, to);
}

static void
blame_lies_between(void **state)
{
	(void)state;
	assert_path(PATH(OBJECT, SOME, HOLDING + 0x80, DEAD), "nuul", 1, 3);
	assert_path(PATH(SOME, LIVE, HOLDING + 0x80, DEAD, BASE_DEAD), "nnull", 2, 3);
	assert_path(PATH(SOME, HOLDING + 0x80, DEAD, SOME), "uull", 1, 2);
	/* A live one behind a dead one: the last that is not leaking decides. */
	assert_path(PATH(DEAD, HOLDING + 0x40, LIVE, SOME), "nnnu", 4, 4);
	assert_path(PATH(DEAD, SOME, LIVE, SOME, ENDED, SOME), "nnnull", 3, 4);
	assert_path(PATH(SOME, HOLDER), "nn", 2, 2);
	assert_path(PATH(SOME, SOME), "uu", 2, 2);
	assert_path(PATH(DEAD, SOME), "ll", 2, 2);
	assert_path(PATH(DEAD), "l", 1, 1);
	assert_path(PATH(LIVE, DEAD), "nl", 1, 1);
}

static void
path_without_hops(void **state)
{
	size_t from = 7, to = 7;

	(void)state;
	inspect_path(inspector, NULL, 0, NULL, &from, &to);
	assert_int_equal(from, 0);
	assert_int_equal(to, 0);
}

static void
known_references(void **state)
{
	uint32_t class = heap_class(&heap, at(HOLDING)), path[2] = { at(HOLDING), at(WRAPS_DEAD) };
	struct verdict v[2];
	size_t from, to;

	(void)state;
	assert_true(leak_known_class(&heap, class));
	assert_false(leak_known_class(&heap, heap_class(&heap, at(SOME))));
	assert_false(leak_known_class(&heap, 0));
	assert_non_null(leak_known_reference(&heap, class, STR("mNextServedView")));
	assert_null(leak_known_reference(&heap, class, STR("mOther")));
	assert_null(leak_known_reference(&heap, 0, STR("mNextServedView")));
	assert_null(leak_known_reference(&heap, heap_class(&heap, at(SOME)), STR("mNextServedView")));
	inspect_path(inspector, path, 2, v, &from, &to);
	assert_non_null(v[0].note);
	assert_null(v[1].note);
	assert_int_equal(from, 1);
	assert_int_equal(to, 1);
}

/* ---- dumps of tests/mk ------------------------------------------------------------------ */

/* Counts what is leaking, by kind; false: the dump was not made. */
static bool
count_kinds(const char *path, unsigned count[FINDINGS])
{
	struct err err = { .kind = E_NONE };
	struct verdict v;
	uint32_t i;

	memset(count, 0, FINDINGS * sizeof *count);
	if (access(path, R_OK) != 0)
		return false;
	inspector_close(inspector);
	store_close(st);
	inspector = NULL;
	st = NULL;
	if (!open_heap(path, &err))
		print_error("%s\n", err.text);
	assert_int_equal(err.kind, E_NONE);
	for (i = 1; i <= heap.objects; i++) {
		inspect(inspector, i, &v);
		if (v.mark == LEAK_YES)
			count[v.kind]++;
	}
	return true;
}

static void
assert_count(const unsigned count[FINDINGS], enum finding_kind kind, unsigned n)
{
	assert_int_equal(count[kind], n);
}

/* As in the docstring of heapleaks.py; each dead Activity has a ContextImpl besides. */
static void
an_application_that_leaks(void **state)
{
	unsigned count[FINDINGS];

	(void)state;
	if (!count_kinds("tests/data/leaks.hprof", count))
		skip();
	assert_count(count, FINDING_ACTIVITY, 5);
	assert_count(count, FINDING_FRAGMENT, 3);
	assert_count(count, FINDING_VIEW, 3);
	assert_count(count, FINDING_ROOT_VIEW, 1);
	assert_count(count, FINDING_CONTEXT, 5 + 2 + 1);
	assert_count(count, FINDING_SERVICE, 1);
	assert_count(count, FINDING_DIALOG, 2);
	assert_count(count, FINDING_OTHER, 6);
	assert_count(count, FINDING_WATCHED, 1);
	assert_count(count, FINDING_BITMAP_RECYCLED, 1);
	if (!count_kinds("tests/data/leaks19.hprof", count))
		skip();
	assert_count(count, FINDING_ACTIVITY, 1);
	assert_count(count, FINDING_FRAGMENT, 1);
	assert_count(count, FINDING_VIEW, 1);
	assert_count(count, FINDING_CONTEXT, 2);
	assert_count(count, FINDING_SERVICE, 1);
	assert_count(count, FINDING_DIALOG, 1);
	assert_count(count, FINDING_OTHER, 1);
	assert_count(count, FINDING_WATCHED, 1);
}

static void
assert_nothing(const char *path)
{
	unsigned count[FINDINGS], i;

	if (!count_kinds(path, count))
		skip();
	for (i = 0; i < FINDINGS; i++)
		assert_count(count, (enum finding_kind)i, 0);
}

static void
one_that_does_not(void **state)
{
	(void)state;
	assert_nothing("tests/data/noleaks.hprof");
	assert_nothing("tests/data/leaks_bad.hprof");
}

/* The object of that class in the dump that is open. */
static uint32_t
only(const char *class)
{
	struct buf b = BUF_INIT;
	uint32_t i, found = 0;

	for (i = 1; i <= heap.objects; i++) {
		buf_clear(&b);
		heap_label(&heap, i, &b);
		if (str_eq(buf_view(&b), str_of(class)))
			found = i;
	}
	buf_free(&b);
	assert_int_not_equal(found, 0);
	return found;
}

/* How many objects have that label. */
static unsigned
labelled(const char *label)
{
	struct buf b = BUF_INIT;
	unsigned n = 0;
	uint32_t i;

	for (i = 1; i <= heap.objects; i++) {
		buf_clear(&b);
		inspect_label(inspector, i, &b);
		n += str_eq(buf_view(&b), str_of(label));
	}
	buf_free(&b);
	return n;
}

static void
watched_by_leakcanary(void **state)
{
	unsigned count[FINDINGS];
	struct buf b = BUF_INIT;
	struct verdict v;

	(void)state;
	if (!count_kinds("tests/data/leaks.hprof", count))
		skip();
	inspect(inspector, only("com.example.Presenter"), &v);
	assert_string_equal(v.why, "watched by LeakCanary, retained for 5.0 s");
	assert_true(inspector_knows(inspector, heap_class(&heap, only("com.example.Presenter"))));
	inspect_label(inspector, only("com.example.DetailActivity"), &b);
	assert_string_equal(b.s, "key \"detail-key\", description \"detail-key was to be let go\", "
	    "watched 67.0 s, retained for 62.0 s");
	buf_clear(&b);
	inspect_label(inspector, only("com.example.Presenter"), &b);
	assert_string_equal(b.s, "key \"presenter-key\", description \"presenter-key was to be let go\", watched 10.0 s");
	inspect(inspector, only("com.example.Session"), &v);
	assert_int_equal(v.mark, LEAK_UNKNOWN);
	buf_clear(&b);
	inspect_label(inspector, only("com.example.Session"), &b);
	assert_non_null(strstr(b.s, "watched 1.0 s, not yet retained"));
	/* The object, and the reference to it; and a reference whose object has gone. */
	assert_int_equal(labelled(b.s), 2);
	assert_int_equal(labelled("cleared"), 1);
	buf_free(&b);
}

TOOL(unit, inspect)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule),
		cmocka_unit_test(services_and_what_lives_forever),
		cmocka_unit_test(blame_lies_between),
		cmocka_unit_test(path_without_hops),
		cmocka_unit_test(known_references),
		cmocka_unit_test(an_application_that_leaks),
		cmocka_unit_test(one_that_does_not),
		cmocka_unit_test(watched_by_leakcanary),
	};

	cmocka_run_group_tests(tests, set_up, tear_down);
	return 0;
}
