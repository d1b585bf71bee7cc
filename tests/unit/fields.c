/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fields: any field of an object as a column, over a small heap dump.
 */
#include "config.h"

#include "dumps.h"
#include "asks.h"
#include "query/complete/complete.h"
#include "query/heap/fields.h"

static struct session session;

static void
check_format(const char *query, enum format format, const char *want)
{
	check_answer(&session, query, format, 0, want);
}

static void
check(const char *query, const char *want)
{
	check_format(query, FORMAT_TSV, want);
}

static void
check_error(const char *query, const char *want)
{
	check_fails(&session, query, want);
}

/* ---- values ---------------------------------------------------------------------- */

/* Users are the objects 16, 17 and 18, the person is 19. */
static void
values(void **state)
{
	static const struct {
		const char	*path, *value[3];
	} cases[] = {
		{ "id", { "16", "17", "18" } },
		{ ".id", { "1", "-2", "300" } },
		{ "active", { "true", "false", "true" } },
		{ "sex", { "f", "\xc3\xa9", "\xef\xbf\xbd" } },
		{ "big", { "10240", "-5", "-9223372036854775808" } },
		{ "rate", { "0.5", "NaN", "Infinity" } },
		{ "ratio", { "0.1", "10000000000", "-2.5" } },
		{ "friends", { "13", "", "15" } },
		{ "next", { "17", "18", "missing 0x9000" } },
		{ "this$0", { "", "", "" } },
		{ "'a-b'", { "12", "12", "12" } },
		{ "name", { "anna", "10k", "" } },
		{ "age", { "20", "-3", "100" } },
		{ "next.age", { "-3", "100", "" } },
		{ "next.next.name", { "", "", "" } },
		{ "next.name.length", { "3", "", "" } },
		{ "friends.size", { "3", "", "" } },
		{ "friends.length", { "", "", "3" } },
		{ "friends.elementData.length", { "4", "", "" } },
		{ "friends.elementData[0].name", { "10k", "", "" } },
		{ "friends.elementData[1]", { "", "", "" } },
		{ "friends.elementData[2].next.id", { "-2", "", "" } },
		{ "friends.elementData[3]", { "anna", "", "" } },
		{ "friends.elementData[4]", { "", "", "" } },
		{ "friends[2]", { "", "", "200" } },
		{ "friends[3]", { "", "", "" } },
		{ "friends.class", { "java.util.ArrayList", "", "int[]" } },
		{ "age.x", { "", "", "" } },
		{ "name.value[1]", { "110", "48", "" } },
	};
	struct buf query = BUF_INIT, want = BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(cases); i++) {
		buf_clear(&query);
		buf_clear(&want);
		buf_printf(&query, "objects com.example.User | select %s as x", cases[i].path);
		buf_printf(&want, "x\n%s\n%s\n%s\n", cases[i].value[0], cases[i].value[1],
		    cases[i].value[2]);
		check(query.s, want.s);
	}
	buf_free(&query);
	buf_free(&want);
	check("objects com.example.Person | select name age .id", "name\tage\t.id\n10k\t50\t4\n");
	check("objects @16 @19 | select name active", "name\tactive\nanna\ttrue\n10k\t\n");
	check("objects | where friends.size > 2 | select id", "id\n16\n");
	check("objects | where [1] = 100 or [0] = @17 | select id [2]", "id\t[2]\n14\t16\n15\t200\n");
	check("objects java.lang.Class | where limit = 7 | select label first.name",
	    "label\tfirst.name\nclass com.example.User\tanna\n");
}

static void
conditions(void **state)
{
	static const struct {
		const char	*condition, *ids;
	} cases[] = {
		{ "age > 3", "16 18" },
		{ "age < 0", "17" },
		{ "age = -3", "17" },
		{ "age != 20", "17 18" },
		{ "age in (20, 100)", "16 18" },
		{ "big = 10kB", "16" },
		{ "big = 10k", "" },
		{ "big > 10k", "16" },
		{ "rate > 20%", "16 18" },
		{ "big >= 10240", "16" },
		{ "big < -5", "18" },
		{ "active", "16 18" },
		{ "not active", "17" },
		{ "active = true", "16 18" },
		{ "active = false", "17" },
		{ "active != 1", "17" },
		{ "name = anna", "16" },
		{ "name = a*", "16" },
		{ "name = 'a*'", "" },
		{ "name = 10k", "17" },
		{ "name != anna", "17 18" },
		{ "name ~ nn", "16" },
		{ "name ~ /^A/i", "16" },
		{ "name !~ /^A/i", "17 18" },
		{ "name = null", "18" },
		{ "name != null", "16 17" },
		{ "name in (anna, null)", "16 18" },
		{ "name", "16 17" },
		{ "next = @17", "16" },
		{ "next in (@17, @18)", "16 17" },
		{ "next = null", "" },
		{ "next ~ missing", "18" },
		{ "friends != null and name ~ /^a/ and age > 3", "16" },
		{ "ratio = 0.1", "16" },
		{ "ratio < -2", "18" },
		{ "rate > 0.1", "16 18" },
		{ "rate = 0", "" },
		{ "rate = NaN", "17" },
		{ "sex = f", "16" },
		{ "age > big", "17 18" },
		{ "age < .id", "17 18" },
		{ "age = .id", "" },
		{ "name < sex", "16 17" },
		{ "sex > name", "16 17" },
		{ "name in (.sex, anna)", "16" },
		{ ".id = .age", "" },
		{ "age*2 > 39", "16 18" },
		{ "age + .id = 21", "16" },
		{ "age > ('a-b' * 2)", "18" },
		{ "age > 'a-b' * 2", "18" },
		{ "age*2 > .id*2+1", "16" },
		{ "'a-b' = 12", "16 17 18" },
		{ "'a-b'*2 = 24", "16 17 18" },
		{ "friends.size > 2 or friends.length > 2", "16 18" },
	};
	struct buf query = BUF_INIT, want = BUF_INIT;
	size_t i;
	char *s;

	(void)state;
	for (i = 0; i < NELEM(cases); i++) {
		buf_clear(&query);
		buf_clear(&want);
		buf_printf(&query, "objects com.example.User | where %s | select id",
		    cases[i].condition);
		buf_printf(&want, "id\n%s", cases[i].ids);
		for (s = want.s; (s = strchr(s, ' ')) != NULL;)
			*s = '\n';
		if (cases[i].ids[0] != '\0')
			buf_chr(&want, '\n');
		check(query.s, want.s);
	}
	buf_free(&query);
	buf_free(&want);
}

/* ---- stages ---------------------------------------------------------------------- */

static void
stages(void **state)
{
	(void)state;
	check("objects com.example.User | sort age | select id", "id\n17\n16\n18\n");
	check("objects com.example.User | sort -big | select id", "id\n16\n17\n18\n");
	check("objects com.example.User | sort name -id | select id name", "id\tname\n18\t\n17\t10k\n16\tanna\n");
	check("objects com.example.User | sort -name | head 2 | select id", "id\n16\n17\n");
	check("objects com.example.User | sort rate | select id", "id\n16\n18\n17\n");
	check("objects com.example.User com.example.Person | sort active -age | select id", "id\n19\n17\n18\n16\n");
	check("objects com.example.User | top 2 age | select id age", "id\tage\n18\t100\n16\t20\n");
	check("objects com.example.User | group active : count, sum age, max name, avg .id",
	    "active\tcount\tsum_age\tmax_name\tavg_.id\ntrue\t2\t120\tanna\t150.5\nfalse\t1\t-3\t10k\t-2\n");
	check("objects com.example.User | sum age friends name ratio",
	    "sum_age\tsum_friends\tsum_name\tsum_ratio\n117\t\t\t9999999997.6\n");
	check("objects com.example.User | min age 'a-b' | select min_age", "min_age\n-3\n");
	check("objects | where age > 0 | distinct active | select id active",
	    "id\tactive\n16\ttrue\n19\t\n");
	check("objects com.example.User | select age*2 as double age/2 as half retained-retained+age as size | head 2",
	    "double\thalf\tsize\n40\t10\t20\n-6\t-1.5\t-3\n");
	check("objects com.example.User | select id name | where name = anna | select id", "id\n16\n");
	check("objects com.example.User | where age > 3 | sort -age | head 5 | where friends.size > 1 | distinct name | select name friends.size",
	    "name\tfriends.size\nanna\t3\n");
	check("objects com.example.User | where age > 3 | where name != null and age > 4 | sort age | head 1 | tail 1 | select .id | count",
	    "count\n1\n");
	/* Named fields remain, after all columns that existed before. */
	check("objects com.example.User | where age > 3 and next.age = 100 or sex = f | columns | tail 16 | head 7 | select name type shown",
	    "name\ttype\tshown\nage\tvalue\tfalse\nnext.age\tvalue\tfalse\nsex\tvalue\tfalse\ncontent\ttext\tfalse\nalloc_site\ttext\tfalse\npackage\ttext\tfalse\nname\tvalue\tfalse\n");
	check("objects com.example.Person | columns | where meaning ~ field | select name", "name\nname\nage\n.id\n");
	check("columns objects | tail 1 | select name type shown", "name\ttype\tshown\nFIELD\tvalue\tfalse\n");
	check("help objects | tail 1 | select item kind", "item\tkind\nFIELD\thidden\n");
	check("objects com.example.User | where age > 3 | select id age id*0+age",
	    "2@57 'id' is an id; arithmetic needs a number");
	check_format("objects com.example.User | select active name age ratio rate friends | tail 1", FORMAT_JSON,
	    "{\"active\":true,\"name\":null,\"age\":100,\"ratio\":-2.5,\"rate\":\"Infinity\",\"friends\":15}\n");
	check_format("objects com.example.User | select active age name | head 2", FORMAT_TABLE,
	    "active  age  name\ntrue    20   anna\nfalse   -3   10k\n");
}

static void
mistakes(void **state)
{
	static const struct {
		const char	*query, *error;
	} cases[] = {
		{ "objects com.example.User | where agee > 3", "2@33 no column 'agee' here; did you mean 'age'?" },
		{ "objects com.example.User | sort -shalow", "2@33 no column 'shalow' here; did you mean 'shallow'?" },
		{ "objects com.example.Person | where active", "2@35 no column 'active' here" },
		{ "objects @19 | select active", "2@21 no column 'active' here" },
		{ "objects | select frends.size", "2@17 no column 'frends.size' here; did you mean 'friends'?" },
		{ "objects | select a..b", "2@17 no column 'a..b' here" },
		{ "objects | select a.", "2@17 no column 'a.' here" },
		{ "objects | select [x]", "2@17 no column '[x]' here" },
		{ "objects | select name[99999999999]", "2@17 no column" },
		{ "objects | select name[0]x", "2@17 no column" },
		{ "objects | select a-b", "2@17 no column 'a' here" },
		{ "objects | select ''", "2@17 no column '' here" },
		{ "objects | select 'a b'", "2@17 no column 'a b' here" },
		{ "objects | where 'name' > ", "2@25 missing value after '>'" },
		{ "objects | where age > 1 2", "2@24 expected 'and', 'or'" },
		{ "objects | select age age", "2@21 column 'age' selected twice; rename one with 'as NAME'" },
		{ "objects | select age as 'x'", "2@24 expected a name" },
		{ "objects | group age : sum", "2@25 'sum' needs a column" },
		{ "objects | count | select age", "2@25 no column 'age' here" },
		{ "objects | select id | where age > 3", "2@28 no column 'age' here" },
	};
	struct buf deep = BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(cases); i++)
		check_error(cases[i].query, cases[i].error);
	buf_str(&deep, STR("objects | select next"));
	for (i = 0; i < 63; i++)
		buf_str(&deep, STR(".next"));
	buf_str(&deep, STR(" as x | where x != null | count"));
	check(deep.s, "count\n0\n");
	buf_clear(&deep);
	buf_str(&deep, STR("objects | select next"));
	for (i = 0; i < 64; i++)
		buf_str(&deep, STR(".next"));
	check_error(deep.s, "2@17 no column");
	buf_free(&deep);
}

/* ---- completion ------------------------------------------------------------------ */

static void
completes(const char *query, const char *want)
{
	struct completion c;
	struct buf b = BUF_INIT;
	size_t i;

	completion_begin(&c, str_of(query), strlen(query), &session);
	while (completion_step(&c, 0))
		;
	for (i = c.words; i < c.n; i++)
		buf_printf(&b, "%s%s", i > c.words ? " " : "", c.item[i].text);
	if (strcmp(b.n > 0 ? b.s : "", want) != 0)
		fail_msg("%s\ngives:\n%s\nnot:\n%s", query, b.n > 0 ? b.s : "", want);
	completion_free(&c);
	buf_free(&b);
}

static void
completion(void **state)
{
	(void)state;
	completes("objects com.example.User | where ",
	    "'a-b' active age big friends id name next rate ratio sex this$0");
	completes("objects com.example.User | where active and na", "name");
	completes("objects com.example.User | where friends.", "friends.class friends.elementData friends.length friends.size");
	completes("objects com.example.User | where friends.si", "friends.size");
	completes("objects com.example.User | where friends.elementData[0].na", "friends.elementData[0].name");
	completes("objects com.example.User | where .frien", ".friends");
	completes("objects int", "int[]");
	completes("objects com.example.User | sort -next.a", "'next.a-b' next.active next.age");
	completes("objects com.example.User | where name ~ x | sort -name.",
	    "name.class name.coder name.length name.value");
	completes("objects com.exa", "com.example.Person com.example.User");
	completes("objects com.example.User | count | select ", "");
}

TOOL(unit, fields)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(conditions),
		cmocka_unit_test(stages),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(completion),
	};
	struct err err;
	int failed;

	if (!dump_open(&session.store[0], &err)) {
		print_error("%s\n", err.text);
		return 1;
	}
	session.nstores = 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	store_close(session.store[0]);
	return failed;
}
