/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* All that the args of a call say: in order, within each other, too deep, too many, too long, of a begin and its end. */
#include "config.h"

#include "check.h"
#include "folder.h"

#include "icecore/event_args.h"
#include "icecore/load.h"

static char *folder;

static struct store *
open_args(const char *begin, const char *end)
{
	static const struct store_options options = { .memory_only = true };
	struct err err = { .kind = E_NONE };
	char *path = folder_path(folder, "args.json");
	struct buf b = BUF_INIT;
	struct store *st;

	buf_printf(&b, "[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1,\"pid\":1,\"tid\":1");
	if (begin != NULL) {
		buf_str(&b, STR(",\"args\":"));
		buf_str(&b, str_of(begin));
	}
	buf_str(&b, STR("},{\"ph\":\"E\",\"ts\":9,\"pid\":1,\"tid\":1"));
	if (end != NULL) {
		buf_str(&b, STR(",\"args\":"));
		buf_str(&b, str_of(end));
	}
	buf_str(&b, STR("}]"));
	folder_write(path, b.s, b.n);
	if (!load_open(&st, path, &options, NULL, &err))
		fail_msg("%s", err.text);
	buf_free(&b);
	free(path);
	return st;
}

/* "0 name=value" for each, its depth first. */
static void
add_line(void *to, const struct event_arg *arg)
{
	buf_printf(to, "%u %.*s=%.*s\n", arg->depth, (int)arg->name.n, arg->name.n > 0 ? arg->name.s : "", (int)arg->value.n,
	    arg->value.n > 0 ? arg->value.s : "");
}

static void
says(const char *begin, const char *end, const char *want)
{
	struct store *st = open_args(begin, end);
	struct buf b = BUF_INIT;

	assert_true(event_args(st, 1, add_line, &b));
	buf_chr(&b, '\0');
	assert_string_equal(b.s, want);
	assert_true(event_args(st, 2, add_line, &b) && event_args(st, 0, add_line, &b));
	assert_int_equal(b.n, strlen(want) + 1);
	buf_free(&b);
	store_close(st);
}

static void
values(void **state)
{
	(void)state;
	says(NULL, NULL, "");
	says("{}", NULL, "");
	says("\"text\"", "[1]", "");
	says("{\"a\":1,\"b\":\"x\\ny\\u00e9\",\"c\":null,\"d\":{},\"e\":[ ],\"f\":\"\"}", NULL, "0 a=1\n0 b=x\ny\303\251\n0 c=null\n0 d={}\n0 e=[ ]\n0 f=\n");
	says("{\"o\":{\"k\\\"\":[1,[2,{\"x\":true}],\"}\"],\"z\":0},\"l\":[3]}", NULL,
	    "0 o=\n1 k\"=\n2 [0]=1\n2 [1]=\n3 [0]=2\n3 [1]=\n4 x=true\n2 [2]=}\n1 z=0\n0 l=\n1 [0]=3\n");
}

static void
ends(void **state)
{
	(void)state;
	says("{\"a\":1,\"b\":{\"x\":1},\"a\":2}", "{\"c\":3,\"b\":[4],\"c\":5}", "0 a=2\n0 b=\n1 [0]=4\n0 c=5\n");
	says(NULL, "{\"c\":3}", "0 c=3\n");
	says("{\"c\":3}", "{}", "0 c=3\n");
}

/* So many times before, then once, then so many times behind. */
static char *
nested(const char *before, const char *once, const char *behind, size_t n)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		buf_str(&b, str_of(before));
	buf_str(&b, str_of(once));
	for (size_t i = 0; i < n; i++)
		buf_str(&b, str_of(behind));
	buf_chr(&b, '\0');
	assert_false(b.bad);
	return b.s;
}

static void
deep(void **state)
{
	char *text = nested("{\"a\":", "7", "}", 100000);
	struct store *st = open_args(text, NULL);
	struct buf b = BUF_INIT;

	(void)state;
	assert_true(event_args(st, 1, add_line, &b));
	assert_true(b.n > 8 * (size_t)ARGS_DEPTH && memmem(b.s, b.n, "62 a=\n63 a={\"a\":{", 17) != NULL);
	assert_null(memmem(b.s, b.n, "\n64 ", 4));
	buf_free(&b);
	store_close(st);
	free(text);
}

static void
count_line(void *to, const struct event_arg *arg)
{
	size_t *told = to;

	told[0]++;
	told[1] += arg->name.n + arg->value.n;
}

static void
tells_most(const char *begin, size_t items, size_t least, size_t most)
{
	struct store *st = open_args(begin, NULL);
	size_t told[2] = { 0, 0 };

	assert_false(event_args(st, 1, count_line, told));
	assert_int_equal(told[0], items);
	assert_true(told[1] >= least && told[1] <= most);
	store_close(st);
}

static void
limits(void **state)
{
	char *list = nested("1,", "1", "", 20000), *word = nested("xxxxxxxxxx", "y", "", 200000);
	struct buf b = BUF_INIT;

	(void)state;
	buf_printf(&b, "{\"l\":[%s]}", list);
	tells_most(b.s, 10000, 10000, 100000);
	buf_clear(&b);
	buf_printf(&b, "{\"w\":\"%s\",\"v\":1}", word);
	tells_most(b.s, 1, 1 << 20, 1 << 20);
	buf_clear(&b);
	buf_chr(&b, '{');
	for (int i = 0; i < 10001; i++)
		buf_printf(&b, "%s\"%d\":%d", i > 0 ? "," : "", i, i);
	buf_chr(&b, '}');
	buf_chr(&b, '\0');
	tells_most(b.s, 10000, 10000, 100000);
	buf_free(&b);
	free(list);
	free(word);
}

TOOL(unit, event_args)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values), cmocka_unit_test(ends), cmocka_unit_test(deep), cmocka_unit_test(limits)
	};
	int failed;

	folder = folder_make();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	folder_remove(folder);
	return failed;
}
