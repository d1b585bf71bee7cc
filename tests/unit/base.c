/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * base: errors, memory, strings, numbers, guesses.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chance.h"
#include "check.h"
#include "icecore/calendar.h"
#include "icecore/lev.h"

static struct str
s(const char *text)
{
	return str_of(text);
}

/* ---- err -------------------------------------------------------------------- */

static void
err_kinds(void **state)
{
	struct err e;
	char name[1000];

	(void)state;
	assert_false(fail(&e, E_INPUT, "size %d", 7));
	assert_int_equal(e.kind, E_INPUT);
	assert_true(e.at == ERR_NOWHERE);
	assert_string_equal(e.text, "size 7");
	/* The old text may be part of the new one. */
	assert_false(fail_at(&e, E_USAGE, 12, "x: %s", e.text));
	assert_true(e.at == 12);
	assert_string_equal(e.text, "x: size 7");
	errno = ENOENT;
	assert_false(fail_errno(&e, "%s", "f"));
	assert_int_equal(e.kind, E_SYSTEM);
	assert_string_equal(e.text, "f: No such file or directory");
	assert_false(fail(NULL, E_INPUT, "nobody asks"));
	memset(name, 'a', sizeof name);
	name[sizeof name - 1] = '\0';
	errno = ENOSPC;
	fail_errno(&e, "%s", name);
	assert_int_equal(strlen(e.text), sizeof e.text - 1);
	assert_non_null(strstr(e.text, "aa: No space left on device"));
}

/* A message knows whether it names a file; its text does not tell, as names are any. */
static void
err_files(void **state)
{
	struct err e, why = { .kind = E_UNREADABLE, .at = 7, .reason = REASON_LIMIT, .text = "not a dump" };
	char name[1000];

	(void)state;
	assert_false(fail_file(&e, E_USAGE, "a.txt", "line %d", 3));
	assert_string_equal(e.text, "a.txt: line 3");
	assert_string_equal(e.text + e.named, "line 3");
	assert_false(fail_about(&e, "b.txt", &e));
	assert_string_equal(e.text, "a.txt: line 3");
	err_rename(&e, "c.txt");
	assert_string_equal(e.text, "c.txt: line 3");
	assert_false(fail_about(&e, "not", &why));
	assert_string_equal(e.text, "not: not a dump");
	assert_true(e.kind == E_UNREADABLE && e.at == 7 && e.reason == REASON_LIMIT);
	assert_false(fail_about(&e, NULL, &why));
	assert_true(e.named == 0);
	err_rename(&e, "c.txt");
	assert_string_equal(e.text, "not a dump");
	errno = ENOENT;
	assert_false(fail_path(&e, "f"));
	assert_string_equal(e.text, "f: No such file or directory");
	/* A name that is too long loses its end, never the reason. */
	memset(name, 'a', sizeof name);
	name[sizeof name - 1] = '\0';
	errno = EMFILE;
	assert_false(fail_path(&e, name));
	assert_int_equal(e.reason, REASON_FILES);
	assert_true(strlen(e.text) == sizeof e.text - 1 && str_has_prefix(str_of(e.text + e.named), STR("too many open files")));
	assert_false(fail(&e, E_INPUT, "other"));
	assert_true(e.named == 0);
}

/* ---- mem -------------------------------------------------------------------- */

static void
mem_sizes(void **state)
{
	uint32_t *a = NULL, *old;
	size_t cap = 0, i;
	void *none;

	(void)state;
	assert_null(mem_array(SIZE_MAX / 2, 3));
	none = mem_array(0, 8);
	assert_non_null(none);
	free(none);
	for (i = 0; i < 1000; i++) {
		assert_true(mem_grow(&a, &cap, i + 1, sizeof *a));
		a[i] = (uint32_t)i;
	}
	assert_true(cap >= 1000 && cap < 4000);
	assert_int_equal(a[777], 777);
	old = a;
	i = cap;
	assert_false(mem_grow(&a, &cap, SIZE_MAX / 2, sizeof *a));
	assert_true(a == old && cap == i);
	free(a);
}

/* Whoever forgets to ask whether there was memory cannot hide it. */
static void
mem_counts(void **state)
{
	struct buf b = BUF_INIT;
	uint64_t before = mem_refused();
	struct err e = { .kind = E_NONE };
	uint32_t *a = NULL;
	size_t cap = 0;
	char *copy;

	(void)state;
	copy = mem_copy(STR("one two"));
	assert_string_equal(copy, "one two");
	free(copy);
	assert_true(mem_whole(before, &e));
	assert_null(mem_array(SIZE_MAX / 2, 3));
	assert_int_equal(mem_refused(), before + 1);
	assert_false(mem_grow(&a, &cap, SIZE_MAX / 2, sizeof *a));
	assert_int_equal(mem_refused(), before + 2);
	buf_add(&b, "x", SIZE_MAX - 1);
	assert_true(b.bad && mem_refused() == before + 3);
	assert_false(mem_whole(before, &e));
	assert_int_equal(e.kind, E_SYSTEM);
	assert_true(mem_whole(mem_refused(), &e));
	/* Places in a buffer that turned bad are cut to what it has. */
	assert_int_equal(str_after(buf_view(&b), 9).n, 0);
	assert_int_equal(str_head(buf_view(&b), 9).n, 0);
	assert_true(str_eq(str_head(STR("abc"), 2), STR("ab")) && str_eq(str_after(STR("abc"), 2), STR("c")));
	buf_free(&b);
}

/* ---- str -------------------------------------------------------------------- */

static void
str_compare(void **state)
{
	struct str null = { NULL, 0 };

	(void)state;
	assert_int_equal(s(NULL).n, 0);
	assert_true(str_eq(null, s("")));
	assert_false(str_eq(s("ab"), s("ac")));
	assert_true(str_cmp(s("ab"), s("abc")) < 0);
	assert_true(str_cmp(s("b"), s("abc")) > 0);
	assert_true(str_cmp(s("\x80"), s("a")) > 0);
	assert_int_equal(str_cmp(null, s("")), 0);
	assert_true(str_has_prefix(s("repair.x"), s("repair.")));
	assert_true(str_has_prefix(s("x"), null));
	assert_false(str_has_prefix(s("re"), s("repair.")));
	assert_true(str_eq(STR("a\0b"), (struct str){ "a\0b", 3 }));
}

static void
str_names(void **state)
{
	static const struct {
		const char *text, *more;
		bool name;
	} cases[] = {
		{ "", "", false }, { "a", "", true }, { "_1", "", true }, { "1a", "", false }, { "a-b", "", false }, { "a-b", ".-$", true },
		{ "-a", "-", true }, { "a b", "-", false }, { "caf\303\251", "$#", false }, { "#a", "$#", true },
	};

	(void)state;
	for (size_t i = 0; i < NELEM(cases); i++)
		assert_int_equal(str_is_name(str_of(cases[i].text), cases[i].more), cases[i].name);
}

static void
str_globs(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool match;
	} cases[] = {
		{ "", "", true }, { "", "a", false }, { "*", "", true },
		{ "*", "abc", true }, { "a*c", "abbc", true },
		{ "a*c", "abb", false }, { "?", "", false }, { "?", "x", true },
		{ "a?c", "abc", true }, { "*.Foo", "com.example.Foo", true },
		{ "com.*Activity", "com.example.MainActivity", true },
		{ "com.*Activity", "com.example.MainActivity2", false },
		{ "**a**", "bab", true }, { "*aab", "aaaab", true },
		{ "*ab*cd", "ababcabcd", true }, { "[a]", "a", false },
		{ "[a]", "[a]", true }, { "a\\*", "a\\zz", true },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(cases); i++)
		if (str_glob(s(cases[i].pattern), s(cases[i].text)) !=
		    cases[i].match)
			fail_msg("%s against %s", cases[i].pattern,
			    cases[i].text);
}

/* A thousand stars against what they nearly match: a backtracking matcher would never end, so that a signal ends the test. */
static void
str_glob_hostile(void **state)
{
	static char pattern[2001], text[10001];
	size_t i;

	(void)state;
	for (i = 0; i + 1 < sizeof pattern - 1; i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[sizeof pattern - 2] = 'b';
	memset(text, 'a', sizeof text - 1);
	alarm(300);
	assert_false(str_glob(s(pattern), s(text)));
	alarm(0);
}

static void
str_splits(void **state)
{
	struct str rest = s("a,,bc,"), part;

	(void)state;
	assert_true(str_split(&rest, ',', &part) && str_eq(part, s("a")));
	assert_true(str_split(&rest, ',', &part) && part.n == 0);
	assert_true(str_split(&rest, ',', &part) && str_eq(part, s("bc")));
	assert_false(str_split(&rest, ',', &part));
	assert_int_equal(part.n, 0);
	rest = (struct str){ NULL, 0 };
	assert_false(str_split(&rest, ',', &part));
}

static void
buffers(void **state)
{
	struct buf b = BUF_INIT;
	int i;

	(void)state;
	assert_true(str_eq(buf_view(&b), s("")));
	buf_add(&b, NULL, 0);
	assert_string_equal(b.s, "");
	for (i = 0; i < 1000; i++) {
		buf_printf(&b, "%d", i % 10);
		buf_chr(&b, '-');
		buf_str(&b, s("xy"));
	}
	assert_false(b.bad);
	assert_int_equal(b.n, 4000);
	assert_memory_equal(b.s + 3996, "9-xy", 5);
	buf_clear(&b);
	assert_string_equal(b.s, "");
	buf_add(&b, "q", SIZE_MAX - 4);
	assert_true(b.bad);
	buf_str(&b, s("after"));
	assert_int_equal(buf_view(&b).n, 0);
	/* Clearing it begins again. */
	buf_clear(&b);
	buf_str(&b, s("anew"));
	assert_false(b.bad);
	assert_string_equal(b.s, "anew");
	assert_true(str_eq(buf_set(&b, STR("["), s("name"), STR(""), STR("]")), s("[name]")));
	assert_true(str_begins(buf_view(&b), "[na") && str_ends(buf_view(&b), "e]") && !str_is(buf_view(&b), "[name"));
	buf_list(&b, ", ", s("x"));
	assert_string_equal(b.s, "[name], x");
	buf_clear(&b);
	buf_list(&b, ", ", s("x"));
	assert_string_equal(b.s, "x");
	buf_free(&b);
	assert_null(b.s);
}

/* ---- num -------------------------------------------------------------------- */

static void
num_integers(void **state)
{
	uint64_t u = 5;
	int64_t i = 5;

	(void)state;
	assert_true(num_u64(s("18446744073709551615"), 10, &u));
	assert_true(u == UINT64_MAX);
	assert_true(num_u64(s("0xFFffFFffFFffFFff"), 0, &u));
	assert_true(num_u64(s("ffffffffffffffff"), 16, &u));
	assert_true(u == UINT64_MAX);
	assert_true(num_u64(s("017"), 0, &u) && u == 17);
	assert_true(num_u64(s("0"), 0, &u) && u == 0);
	u = 5;
	assert_false(num_u64(s("18446744073709551616"), 10, &u));
	assert_false(num_u64(s("0x10000000000000000"), 0, &u));
	assert_false(num_u64(s(""), 10, &u));
	assert_false(num_u64(s("0x"), 0, &u));
	assert_false(num_u64(s("-1"), 10, &u));
	assert_false(num_u64(s("+1"), 10, &u));
	assert_false(num_u64(s(" 1"), 10, &u));
	assert_false(num_u64(s("1 "), 10, &u));
	assert_false(num_u64(s("1a"), 10, &u));
	assert_false(num_u64(STR("1\0"), 10, &u));
	assert_int_equal(u, 5);
	assert_true(num_i64(s("-9223372036854775808"), 10, &i));
	assert_true(i == INT64_MIN);
	assert_true(num_i64(s("9223372036854775807"), 10, &i));
	assert_false(num_i64(s("9223372036854775808"), 10, &i));
	assert_false(num_i64(s("-9223372036854775809"), 10, &i));
	assert_false(num_i64(s("-"), 10, &i));
	assert_false(num_i64(s("--1"), 10, &i));
}

static void
num_reals(void **state)
{
	static const char *const good[] = { "0", "1", "1.5", "-2.25", ".5",
	    "3.", "1e3", "1E-3", "6.02e+23", "123456789.123456789", "0.1",
	    "1e308", "2.2250738585072014e-308", "19.537134", "87154407.0134544", "74628404262496790e-76",
	    "100000000000000000000", "99999999999999999999.5", "9007199254740993.00000000000001", "00000000000000000000001.50" };
	static const char *const bad[] = { "", "-", ".", "e5", "1e", "nan",
	    "inf", "0x10", "1,5", "1 ", "1e400", "1e999999999999", "1e5.5" };
	double v;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(good); i++) {
		assert_true(num_f64(s(good[i]), &v));
		if (v != strtod(good[i], NULL))
			fail_msg("\"%s\" gave %.17g", good[i], v);
	}
	for (i = 0; i < NELEM(bad); i++)
		if (num_f64(s(bad[i]), &v))
			fail_msg("\"%s\" is not a number", bad[i]);
}

/* So many digits, most of them random, or of a middle between two doubles and almost nothing more. */
static size_t
put_digits(char *text, size_t n, bool middle)
{
	size_t at = middle ? (size_t)sprintf(text, "%llu", (1ull << 53) + 1 + 2ull * below(1u << 30)) : 0;

	while (at < n)
		text[at++] = middle || below(4) == 0 ? '0' : (char)('0' + below(10));
	if (middle && below(2) == 0)
		text[at++] = '1';
	return at;
}

static void
num_any_reals(void **state)
{
	char text[2000];
	double v;

	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		size_t n = put_digits(text, 1 + below(i % 100 == 0 ? 900 : 40), below(4) == 0), point = below((uint32_t)n + 1);

		memmove(text + point + 1, text + point, n - point);
		text[point] = '.';
		text[n + 1] = '\0';
		if (below(2) == 0)
			sprintf(text + n + 1, "e%d", (int)below(700) - 350);
		if (num_f64(s(text), &v) != isfinite(strtod(text, NULL)) || (isfinite(strtod(text, NULL)) && v != strtod(text, NULL)))
			fail_msg("\"%s\" gave %.17g", text, v);
	}
}

static void
num_units(void **state)
{
	static const struct {
		const char *text;
		uint64_t size, ns;	/* UINT64_MAX: no such thing */
	} cases[] = {
		{ "0", 0, UINT64_MAX }, { "512", 512, UINT64_MAX },
		{ "10k", 10240, UINT64_MAX }, { "4M", 4 << 20, UINT64_MAX },
		{ "1.5g", 1610612736, UINT64_MAX }, { "1.5GiB", 1610612736, UINT64_MAX },
		{ "2kb", 2048, UINT64_MAX }, { "7B", 7, UINT64_MAX },
		{ "0.5k", 512, UINT64_MAX }, { "15E", 15ull << 60, UINT64_MAX },
		{ "16E", UINT64_MAX, UINT64_MAX }, { "7bb", UINT64_MAX, UINT64_MAX },
		{ "k", UINT64_MAX, UINT64_MAX }, { "1ki", UINT64_MAX, UINT64_MAX },
		{ "-1k", UINT64_MAX, UINT64_MAX }, { "1x", UINT64_MAX, UINT64_MAX },
		{ "40ns", UINT64_MAX, 40 }, { "3us", UINT64_MAX, 3000 },
		{ "3\xc2\xb5s", UINT64_MAX, 3000 }, { "2ms", UINT64_MAX, 2000000 },
		{ "1.5s", UINT64_MAX, 1500000000 }, { "2min", UINT64_MAX, 120000000000 },
		{ "475571908.8372915ms", UINT64_MAX, 475571908837292 },
		{ "1h", UINT64_MAX, 3600000000000 }, { "1.0005us", UINT64_MAX, 1001 },
		{ "99999999999h", UINT64_MAX, UINT64_MAX },
		{ "1e3s", UINT64_MAX, UINT64_MAX }, { "ms", UINT64_MAX, UINT64_MAX },
		{ "1..5s", UINT64_MAX, UINT64_MAX }, { "", UINT64_MAX, UINT64_MAX },
	};
	uint64_t v;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(cases); i++) {
		v = UINT64_MAX;
		if (num_size(s(cases[i].text), &v) !=
		    (cases[i].size != UINT64_MAX) || v != cases[i].size)
			fail_msg("size \"%s\" gave %llu", cases[i].text,
			    (unsigned long long)v);
		v = UINT64_MAX;
		if (num_duration(s(cases[i].text), &v) !=
		    (cases[i].ns != UINT64_MAX) || v != cases[i].ns)
			fail_msg("duration \"%s\" gave %llu", cases[i].text,
			    (unsigned long long)v);
	}
}

typedef int show_fn(char *, size_t, uint64_t);

static void
shows(show_fn *show, uint64_t v, const char *want)
{
	char text[NUM_TEXT], cut[4];

	assert_int_equal(show(text, sizeof text, v), strlen(want));
	assert_string_equal(text, want);
	assert_int_equal(show(cut, sizeof cut, v), strlen(want));
	assert_memory_equal(cut, want, strlen(want) < 3 ? strlen(want) : 3);
}

static void
num_shown(void **state)
{
	(void)state;
	shows(num_show_size, 0, "0 B");
	shows(num_show_size, 512, "512 B");
	shows(num_show_size, 1023, "1023 B");
	shows(num_show_size, 1024, "1 KiB");
	shows(num_show_size, 1536, "1.50 KiB");
	shows(num_show_size, 13002342, "12.4 MiB");
	shows(num_show_size, 1048575, "1.00 MiB");
	shows(num_show_size, 1073741823, "1.00 GiB");
	shows(num_show_size, 1047552, "1023 KiB");
	shows(num_show_size, UINT64_MAX, "16.0 EiB");
	shows(num_show_duration, 0, "0 ns");
	shows(num_show_duration, 999, "999 ns");
	shows(num_show_duration, 17000, "17 us");
	shows(num_show_duration, 3214000, "3.21 ms");
	shows(num_show_duration, 32150000, "32.2 ms");
	shows(num_show_duration, 999999, "1.00 ms");
	shows(num_show_duration, 9840000000, "9.84 s");
	shows(num_show_duration, 59940000000, "59.9 s");
	shows(num_show_duration, 59960000000, "1 min 00 s");
	shows(num_show_duration, 123000000000, "2 min 03 s");
	shows(num_show_duration, 3599600000000, "1 h 00 min");
	shows(num_show_duration, 86340000000000, "23 h 59 min");
	shows(num_show_duration, 86400000000000, "1 d 00 h");
	shows(num_show_duration, 90000000000000, "1 d 01 h");
	shows(num_show_duration, UINT64_MAX, "213503 d 23 h");
	shows(num_show_count, 0, "0");
	shows(num_show_count, 999, "999");
	shows(num_show_count, 4105214, "4 105 214");
	shows(num_show_count, UINT64_MAX, "18 446 744 073 709 551 615");
}

/* ---- guess ------------------------------------------------------------------- */

static void
guesses(void **state)
{
	static const char *const words[] = { "classes", "objects", "threads", "methods", "sort",
		"head", "callers", "callees", "calls", "retained", "zoom", "zoo", "cpu", "nom" };
	static const struct {
		const char *word, *says;
	} want[] = {
		{ "clases", "; did you mean 'classes'?" }, { "thraeds", "; did you mean 'threads'?" },
		{ "retainde", "; did you mean 'retained'?" }, { "SORT", "; did you mean 'sort'?" },
		{ "cale\xc3\xa9s", "; did you mean 'callers' or 'callees' or 'calls'?" },
		{ "zom", "; did you mean 'zoom' or 'zoo' or 'nom'?" },
		{ "meth", "; did you mean 'methods'?" }, { "thods", "; did you mean 'methods'?" },
		{ "xyzzy", "" }, { "qq", "" }, { "", "" }, { "ho", "" },
	};
	char text[GUESS_TEXT], small[40], longest[300];
	struct guess g;
	size_t i, j;

	(void)state;
	for (i = 0; i < NELEM(want); i++) {
		g = guess_of(str_of(want[i].word));
		for (j = 0; j < NELEM(words); j++)
			guess_try(&g, words[j]);
		assert_string_equal(guess_text(&g, text, sizeof text), want[i].says);
	}
	g = guess_of(STR("zom"));
	for (j = 0; j < NELEM(words); j++)
		guess_try(&g, words[j]);
	assert_string_equal(guess_text(&g, small, 33), "; did you mean 'zoom' or 'zoo'?");
	assert_string_equal(guess_text(&g, small, 20), "");
	for (j = 0; j < 1000; j++)
		guess_try(&g, "none");
	assert_int_equal(g.n, GUESS_WORDS);
	memset(longest, 'a', sizeof longest);
	g = guess_of((struct str){ longest, sizeof longest });
	guess_try(&g, "aaaa");
	assert_string_equal(guess_text(&g, text, sizeof text), "");
}

/* The examples of FIPS 180-4, and lengths on both sides of what fits in one block with its end. */
static void
sha256_heads(void **state)
{
	char text[200];

	(void)state;
	memset(text, 'a', sizeof text);
	assert_int_equal(sha256_head(STR("")), 0xe3b0c44298fc1c14);
	assert_int_equal(sha256_head(STR("abc")), 0xba7816bf8f01cfea);
	assert_int_equal(sha256_head(STR("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")), 0x248d6a61d20638b8);
	assert_int_equal(sha256_head((struct str){ text, 55 }), 0x9f4390f8d30c2dd9);
	assert_int_equal(sha256_head((struct str){ text, 56 }), 0xb35439a4ac6f0948);
	assert_int_equal(sha256_head((struct str){ text, 63 }), 0x7d3e74a05d7db15b);
	assert_int_equal(sha256_head((struct str){ text, 64 }), 0xffe054fe7ae0cb6d);
	assert_int_equal(sha256_head((struct str){ text, 65 }), 0x635361c48bb9eab1);
	assert_int_equal(sha256_head((struct str){ text, 119 }), 0x31eba51c313a5c08);
	assert_int_equal(sha256_head((struct str){ text, 120 }), 0x2f3d335432c70b58);
	assert_int_equal(sha256_head((struct str){ text, 200 }), 0xc2a908d98f5df987);
}

/* Eight hundred years, day by day, against the C library. */
static void
days_of_the_calendar(void **state)
{
	struct calendar_day d = { 1600, 1, 1 }, back;
	struct tm tm;
	time_t seconds;

	(void)state;
	for (int64_t days = calendar_days(&d); d.year < 2400; days++) {
		seconds = (time_t)days * 86400;
		assert_non_null(gmtime_r(&seconds, &tm));
		back = calendar_day_of(days);
		assert_true(back.year == tm.tm_year + 1900 && (int)back.month == tm.tm_mon + 1 && (int)back.day == tm.tm_mday);
		assert_true(calendar_has(&back) && calendar_days(&back) == days);
		d = back;
	}
	assert_false(calendar_has(&(struct calendar_day){ 2026, 2, 29 }));
	assert_true(calendar_has(&(struct calendar_day){ 2024, 2, 29 }));
	assert_false(calendar_has(&(struct calendar_day){ 1900, 2, 29 }));
	assert_true(calendar_has(&(struct calendar_day){ 2000, 2, 29 }));
	assert_false(calendar_has(&(struct calendar_day){ 2026, 4, 31 }));
	assert_false(calendar_has(&(struct calendar_day){ 2026, 13, 1 }));
	assert_false(calendar_has(&(struct calendar_day){ 2026, 0, 1 }));
	assert_false(calendar_has(&(struct calendar_day){ 2026, 1, 0 }));
}

static void
times_as_text(void **state)
{
	char text[CALENDAR_TEXT];

	(void)state;
	assert_true(calendar_text(1795356192, false, text));
	assert_string_equal(text, "2026-11-22 14:03:12 UTC");
	assert_true(calendar_text(253402300799, true, text));
	assert_string_equal(text, "9999-12-31T23:59:59Z");
	assert_false(calendar_text(253402300800, false, text));
	assert_string_equal(text, "");
	assert_false(calendar_text(UINT64_MAX, true, text));
}

/* The last number that is at most another one, of numbers alone and of members. */
static void
last_of_rising(void **state)
{
	static const uint64_t alone[] = { 3, 5, 5, 9 };
	static const struct { uint64_t other, key; } member[] = { { 100, 3 }, { 0, 5 }, { 7, 9 } };

	(void)state;
	assert_int_equal(num_last(alone, sizeof *alone, 0, 9), 0);
	assert_int_equal(num_last(alone, sizeof *alone, 4, 2), 0);
	assert_int_equal(num_last(alone, sizeof *alone, 4, 4), 0);
	assert_int_equal(num_last(alone, sizeof *alone, 4, 5), 2);
	assert_int_equal(num_last(alone, sizeof *alone, 4, UINT64_MAX), 3);
	assert_int_equal(num_last(&member->key, sizeof *member, 3, 8), 1);
	assert_int_equal(num_last(&member->key, sizeof *member, 3, 9), 2);
}

TOOL(unit, base)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_of_rising),
		cmocka_unit_test(err_kinds),
		cmocka_unit_test(err_files),
		cmocka_unit_test(mem_sizes),
		cmocka_unit_test(mem_counts),
		cmocka_unit_test(str_compare),
		cmocka_unit_test(str_names),
		cmocka_unit_test(str_globs),
		cmocka_unit_test(str_glob_hostile),
		cmocka_unit_test(str_splits),
		cmocka_unit_test(buffers),
		cmocka_unit_test(num_integers),
		cmocka_unit_test(num_reals),
		cmocka_unit_test(num_any_reals),
		cmocka_unit_test(num_units),
		cmocka_unit_test(num_shown),
		cmocka_unit_test(guesses),
		cmocka_unit_test(sha256_heads),
		cmocka_unit_test(days_of_the_calendar), cmocka_unit_test(times_as_text),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
