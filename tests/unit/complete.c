/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * complete: what is allowed at a place of a query, over a small trace.
 */
#include "config.h"

#include "traces.h"
#include "check.h"
#include "query/complete/complete.h"

static struct session session;

/* "FROM-TO HINT: CANDIDATE, ..." at the ^ of the query, which is taken out; the caller frees. */
static char *
complete(const char *marked)
{
	struct completion c;
	struct buf query = BUF_INIT, b = BUF_INIT;
	size_t point = strcspn(marked, "^"), i;

	buf_add(&query, marked, point);
	buf_str(&query, str_of(marked + point + 1));
	completion_begin(&c, buf_view(&query), point, &session);
	while (completion_step(&c, 0))
		;
	buf_printf(&b, "%zu-%zu %s:", c.from, c.to, c.hint);
	for (i = 0; i < c.n; i++)
		buf_printf(&b, "%s %s", i > 0 ? "," : "", c.item[i].text);
	completion_free(&c);
	buf_free(&query);
	return b.s;
}

static void
check(const char *marked, const char *want)
{
	char *got = complete(marked);

	if (strcmp(got, want) != 0)
		fail_msg("%s\ngives:\n%s\nnot:\n%s", marked, got, want);
	free(got);
}

/* Only the beginning: more may come with more commands. */
static void
check_begins(const char *marked, const char *want)
{
	char *got = complete(marked);

	if (strncmp(got, want, strlen(want)) != 0)
		fail_msg("%s\ngives:\n%s\nnot:\n%s", marked, got, want);
	free(got);
}

/* ---- words ----------------------------------------------------------------------- */

static void
commands_fit(void **state)
{
	(void)state;
	check_begins("^", "0-0 type a source (Tab lists them): info, threads, methods, calls, merged, process_calls, inverted,");
	check_begins("meth^", "0-4 : methods");
	check_begins("methods^", "0-7 methods with self and total time: methods");
	check_begins("methods |^",
	    "9-9 stage: calls, merged, inverted, methods, threads, hide, keep, drop, fold, by, range,");
	check("methods | wher^", "10-14 : where");
	check("methods | whe^ad x", "10-15 : where");
	check("mehtods^", "0-7 : methods");
	check("help wher^", "5-9 : where");
	check_begins("findings ^",
	    "9-9 kind of finding: activity, fragment, view, 'static view', 'root view', context,");
	check("findings linked_str^", "9-19 : 'linked structure'");
	check("findings 'equal bi^", "9-18 : 'equal bitmaps'");
	check("methods ^", "8-8 | stage, or Enter: |");
	check("methods | head ^", "15-15 count, e.g. 10 or 2k: |");
	check("nosuch ^", "7-7 :");
	check("methods | nosuch ^", "17-17 :");
	check("methods ^| head", "8-8 | stage, or Enter: |");
}

static void
columns_fit(void **state)
{
	(void)state;
	check_begins("methods | sort ^",
	    "15-15 a column: self, total, id, class, name, signature, file, line, calls, self_wall");
	check("methods | sort -tot^", "16-19 : total, total_wall, total_cpu, total_off, total_pct");
	check("methods | sort self,cla^", "20-23 : class");
	check("methods | select class calls | sort ^", "36-36 a column: class, calls, abs(");
	check("threads | count | select ^", "25-25 a column: count, share(");
	check("methods | where (not sig^", "21-24 : signature");
	check("spans main from ^", "16-16 250us, 2ms or 1.5s:");
	check("spans main fro^", "11-14 : from");
}

static void
operators_fit(void **state)
{
	(void)state;
	check("methods | where name ^",
	    "21-21 operator: = != < <= > >= ~ !~ in: =, !=, ~, !~, in (, not in (, and, or, |");
	check("methods | where calls ^",
	    "22-22 operator: = != < <= > >= ~ !~ in: =, !=, <, <=, >, >=, in (, not in (, and, or, |");
	check("methods | where (calls > 1 ^", "27-27 and, or, | or Enter: and, or, )");
	check("methods | where calls in (1 ^", "28-28 , or ): ,, )");
	check("methods | where calls not ^", "26-26 in: in (");
	check("methods | where name ~ /a ^",
	    "26-26 regex; end with / or /i (ignore case):");
	check_begins("methods | where name ~ ^",
	    "23-23 string, glob or /regex/: '<unknown method 0x40>', 'draw', 'run', 'sum', 'z,\"\\x1b'");
	check("methods | where calls > ^", "24-24 count, e.g. 500, 10k or 2M: calls");
	check("methods | where ) ^", "18-18 :");
	check("methods | select sha^", "17-20 : share(");
	check_begins("methods | select share(sel^", "23-26 : self, self_wall");
	check_begins("methods | select share(self per na^", "32-34 : name");
	check("methods | where id in (methods | where calls > 1 and name ^",
	    "58-58 operator: = != < <= > >= ~ !~ in: =, !=, ~, !~, in (, not in (, and, or, |, )");
	check("methods | where id in (methods | select id) ^", "44-44 and, or, | or Enter: and, or, |");
	check("methods | where id in (methods | where (id in (threads | select id)) ^", "69-69 and, or, | or Enter: and, or, |, )");
	check_begins("methods | where id in (thr^", "23-26 : threads");
	check_begins("methods | where id in (methods | se^", "33-35 : select");
	check_begins("methods | where id in (methods | select tot^", "40-43 : total, total_wall");
	check_begins("methods | union (^", "17-17 type a source (Tab lists them): info,");
	check_begins("methods | union (threads | where nam^", "33-36 : name");
	check("methods | union (threads | select cpu) | where cp^", "47-49 : cpu, self_cpu, total_cpu");
}

/* ---- names ----------------------------------------------------------------------- */

static void
names_fit(void **state)
{
	(void)state;
	check("calls m^", "6-7 : main, 'a;b\\x1b[1m\\x09c'");
	check("calls Binder^", "6-12 : 'Binder:1_2', 'Binder:1_3'");
	check("calls 'bin^' | head", "6-11 : 'Binder:1_2', 'Binder:1_3'");
	check("methods | where name = dr^", "23-25 : 'draw'");
	check("methods | where class ~ Utli^", "24-28 : 'com.app.Util'");
	check("methods | where name in ('run', s^", "32-33 : 'sum'");
	check("calls | where method = Main^",
	    "23-27 : 'com.app.Main.draw', 'com.app.Main.run'");
	check("calls | where thread = main^", "23-27 : 'main'");
	check("info | where field = wraps^", "21-26 : 'repair.wraps'");
	check("methods | where name = 'x\\^", "26-26 :");
}

/* Whatever bytes a name has: what is put into the query gives them back, and can be shown. */
static void
names_come_back(void **state)
{
	static const char *const odd[] = { "'", "\\", "a b", "\033[1m", "\377\376", "\xc3\xa9",
		"\xe6\x97\xa5", "\xe2\x80\xae", "\x01\x7f", "\xf0\x9f\x98\x80", "\xc3", "*", "@1" };
	struct tokens tokens;
	struct buf b = BUF_INIT;
	char fit[64];
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(odd); i++) {
		buf_clear(&b);
		name_quote(&b, str_of(odd[i]), false);
		assert_true(tokens_read(&tokens, buf_view(&b), &err));
		assert_int_equal(tokens.n, 1);
		assert_true(str_eq(tokens.token[0].text, str_of(odd[i])));
		assert_false(token_is_glob(&tokens.token[0]));
		assert_int_equal(text_fit(fit, sizeof fit, buf_view(&b)), b.n);
		assert_string_equal(fit, b.s);
		tokens_free(&tokens);
	}
	buf_free(&b);
}

/* ---- hurt ------------------------------------------------------------------------ */

static void
any_place(void **state)
{
	static const char query[] = "methods | where (name ~ /r\\/x/i or class not in ('a\\x20', "
	    "\"b\")) and self / 2 > -1ms | group class : sum self as s, count | sort -s,x | "
	    "spans main from 1 | where id not in (spans | select id) | union (spans) | | export! '";
	struct completion c;
	char text[sizeof query + 1];
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof query; i++)
		for (k = 0; k < 4; k++) {
			memcpy(text, query, sizeof query);
			text[i / 2] = "\0|'("[k];
			completion_begin(&c, (struct str){ text, sizeof query - 1 }, i, &session);
			assert_true(c.from <= c.to && c.to <= sizeof query - 1);
			while (completion_step(&c, 0))
				;
			completion_free(&c);
		}
}

static void
without_file(void **state)
{
	struct session nothing = { .nstores = 0 };
	struct completion c;

	(void)state;
	completion_begin(&c, STR("methods | where name = d"), 24, &nothing);
	assert_false(completion_step(&c, 0));
	assert_int_equal(c.n, 0);
	completion_free(&c);
	completion_begin(&c, STR("methods | sort cla"), 18, &nothing);
	assert_int_equal(c.n, 1);
	completion_free(&c);
}

/* ---- usage texts ------------------------------------------------------------------- */

/* Lists the hint of completion and the result of the parser, for each command with some arguments. */
static struct str
behaviour(struct buf *b)
{
	static const char *const args[] = { "", "main ", "main, x ", "/a b/ ", "@12 ", "3 ", "class : count " };
	const struct command *c;
	struct buf text = BUF_INIT;
	struct query *q;
	struct err err;
	char *got;
	size_t i, k;

	for (i = 0; (c = commands[i]) != NULL; i++)
		for (k = 0; k < NELEM(args); k++) {
			buf_clear(&text);
			buf_printf(&text, "%s%s %s", c->kind == COMMAND_SOURCE ? "" : "methods | ", c->word, args[k]);
			err = (struct err){ .at = ERR_NOWHERE };
			q = NULL;
			buf_printf(b, "%s: %d %lld", text.s, query_parse(&q, buf_view(&text), &err), (long long)err.at);
			query_free(q);
			buf_chr(&text, '^');
			got = complete(text.s);
			/* The hint can be the usage itself. */
			buf_printf(b, "%s\n", strrchr(got, ':'));
			free(got);
		}
	buf_free(&text);
	assert_false(b->bad);
	return buf_view(b);
}

/* Commands are constants: the pages that hold them are made writable. */
static void
rename_arg(const struct arg *a, const char *name)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)a / page * page;

	assert_int_equal(mprotect((void *)from, (uintptr_t)(a + 1) - from, PROT_READ | PROT_WRITE), 0);
	((struct arg *)(uintptr_t)a)->name = name;
}

/* Texts that once described arguments to the lexer and completion. */
static void
usage_decides_nothing(void **state)
{
	static const char *const names[] = { "NAME or /REGEX/", "" };
	struct buf before = BUF_INIT, after = BUF_INIT;
	char usage[USAGE_TEXT];
	const struct arg *a;
	size_t i, k, renamed = 0;

	(void)state;
	behaviour(&before);
	for (k = 0; k < NELEM(names); k++) {
		for (i = 0; commands[i] != NULL; i++)
			for (a = commands[i]->args; a != NULL && !arg_is_end(a); a++)
				if (a->type != NULL) {
					rename_arg(a, names[k]);
					assert_non_null(strstr(command_usage(commands[i], usage), names[k]));
					renamed++;
				}
		buf_clear(&after);
		if (!str_eq(behaviour(&after), buf_view(&before)))
			fail_msg("a usage text of '%s' changes what is done", names[k]);
	}
	assert_true(renamed > 40);
	buf_free(&before);
	buf_free(&after);
}

static int
set_up(void **state)
{
	struct query *q;
	struct err err;

	(void)state;
	trace_open(&session);
	if (!query_parse(&q, STR("methods"), &err) || !query_prepare(q, &session, NULL, &err))
		return 1;
	query_free(q);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	trace_close(&session);
	return 0;
}

TOOL(unit, complete)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_fit),
		cmocka_unit_test(columns_fit),
		cmocka_unit_test(operators_fit),
		cmocka_unit_test(names_fit),
		cmocka_unit_test(names_come_back),
		cmocka_unit_test(any_place),
		cmocka_unit_test(without_file),
		cmocka_unit_test(usage_decides_nothing),
	};

	return cmocka_run_group_tests_name("complete", tests, set_up, tear_down);
}
