/*
 * query: the language from tokens to lines, over a small trace.
 */
#include "config.h"

#include "traces.h"
#include "check.h"

static struct session session;

/* The answer as text, or "KIND@COLUMN MESSAGE"; the caller frees. */
static char *
ask(struct str text, enum format format, unsigned width)
{
	struct err err = { .kind = E_NONE, .at = ERR_NOWHERE };
	struct query *q = NULL;
	struct rows *rows;
	char *out = NULL;
	size_t size;
	uint64_t n;
	FILE *f = open_memstream(&out, &size);
	bool ok = query_parse(&q, text, &err) &&
	    query_prepare(q, &session, NULL, &err) &&
	    query_open(q, &session, &rows, &err);

	if (ok) {
		ok = rows_print(rows, format, width, f, &n, &err);
		rows_close(rows);
	}
	if (!ok) {
		rewind(f);
		fprintf(f, "%d@%lld %s", err.kind, (long long)err.at, err.text);
	}
	query_free(q);
	fclose(f);
	return out;
}

static void
check_format(const char *query, enum format format, unsigned width, const char *want)
{
	char *got = ask(str_of(query), format, width);

	if (strcmp(got, want) != 0)
		fail_msg("%s\ngives:\n%s\nnot:\n%s", query, got, want);
	free(got);
}

static void
check(const char *query, const char *want)
{
	check_format(query, FORMAT_TSV, 0, want);
}

/* The first bytes of the message; the rest is for people. */
static void
check_error(const char *query, const char *want)
{
	char *got = ask(str_of(query), FORMAT_TSV, 0);

	if (strncmp(got, want, strlen(want)) != 0)
		fail_msg("%s\ngives:\n%s\nnot:\n%s", query, got, want);
	free(got);
}

/* ---- sources --------------------------------------------------------------------- */

static void
sources(void **state)
{
	(void)state;
	check("threads | select id tid name main calls wall cpu off_cpu start end depth repairs pool | head 2",
	    "id\ttid\tname\tmain\tcalls\twall\tcpu\toff_cpu\tstart\tend\tdepth\trepairs\tpool\n"
	    "1\t1\tmain\t1\t5\t110000\t70000\t40000\t0\t110000\t3\t0\tmain\n"
	    "2\t2\tBinder:1_2\t0\t2\t30000\t18000\t12000\t5000\t40000\t1\t0\tBinder:*_*\n");
	check("calls main | select id parent thread depth method calls self_wall total_wall self_cpu total_cpu",
	    "id\tparent\tthread\tdepth\tmethod\tcalls\tself_wall\ttotal_wall\tself_cpu\ttotal_cpu\n"
	    "1\t0\tmain\t0\tcom.app.Main.run\t1\t30000\t110000\t20000\t70000\n"
	    "2\t1\tmain\t1\tcom.app.Main.draw\t1\t20000\t50000\t15000\t35000\n"
	    "3\t2\tmain\t2\tcom.app.Main.draw\t1\t20000\t20000\t15000\t15000\n"
	    "4\t2\tmain\t2\tcom.app.Util.sum\t1\t10000\t10000\t5000\t5000\n"
	    "5\t1\tmain\t1\tcom.app.Util.sum\t1\t30000\t30000\t15000\t15000\n");
	check("methods | select id class name signature file line calls self_wall total_wall raw | where id in (2, 3, 5)",
	    "id\tclass\tname\tsignature\tfile\tline\tcalls\tself_wall\ttotal_wall\traw\n"
	    "2\tcom.app.Main\tdraw\t(I)V\tMain.java\t12\t3\t1040000\t1050000\t8\n"
	    "3\tcom.app.Util\tsum\t(II)I\tUtil.java\t\t3\t60000\t60000\t12\n"
	    "5\t\t<unknown method 0x40>\t\t\t\t1\t10000\t10000\t64\n");
	check("merged | select id parent thread depth method total_wall | where depth = 0",
	    "id\tparent\tthread\tdepth\tmethod\ttotal_wall\n"
	    "1\t0\t\t0\tcom.app.Main.draw\t1000000\n"
	    "2\t0\t\t0\tcom.app.Main.run\t110000\n"
	    "7\t0\t\t0\tcom.app.Util.sum\t20000\n"
	    "8\t0\t\t0\t<unknown method 0x40>\t10000\n"
	    "9\t0\t\t0\tx\\\\y.z,\"\xef\xbf\xbd\t2000\n");
	check("inverted main | select depth method total_wall | where method ~ draw",
	    "depth\tmethod\ttotal_wall\n"
	    "0\tcom.app.Main.draw\t40000\n"
	    "1\tcom.app.Main.draw\t20000\n"
	    "1\tcom.app.Main.draw\t10000\n");
	check("records | select row tid method action cpu wall | tail 2",
	    "row\ttid\tmethod\taction\tcpu\twall\n"
	    "17\t4\tx\\\\y.z,\"\xef\xbf\xbd\tenter\t0\t0\n"
	    "18\t4\tx\\\\y.z,\"\xef\xbf\xbd\tunroll\t1000\t2000\n");
	check("info | where field in (records, 'threads', \"clock\") | select field value",
	    "field\tvalue\nclock\tdual\nrecords\t18\nthreads\t4\n");
}

static void
spans(void **state)
{
	(void)state;
	check("spans main | select depth method start_wall wall start_cpu cpu",
	    "depth\tmethod\tstart_wall\twall\tstart_cpu\tcpu\n"
	    "0\tcom.app.Main.run\t0\t110000\t0\t70000\n"
	    "1\tcom.app.Main.draw\t10000\t50000\t5000\t35000\n"
	    "2\tcom.app.Util.sum\t20000\t10000\t10000\t5000\n"
	    "2\tcom.app.Main.draw\t30000\t20000\t15000\t15000\n"
	    "1\tcom.app.Util.sum\t70000\t30000\t45000\t15000\n");
	check("spans main min 20us | count", "count\n4\n");
	check("spans main from 61us to 69us | select method",
	    "method\ncom.app.Main.run\n");
	check("spans main from 60001 to 69999 | count", "count\n1\n");
	check("spans main to 25us min 50us | count", "count\n2\n");
	check("spans main from 25us min 30us | count", "count\n3\n");
	check("spans main from 2us to 1us | count", "count\n0\n");
	check("spans 2, @3 | select thread wall",
	    "thread\twall\nBinder:1_2\t20000\nBinder:1_2\t10000\nBinder:1_3\t1000000\n");
	check("spans Binder* | count", "count\n3\n");
	check("calls Binder:?_3 @1 | count", "count\n6\n");
	check_error("spans", "2@5 'spans' needs a thread");
	check_error("spans main from", "2@15 expected a time");
	check_error("spans main from 1q", "2@16 '1q' is not a time");
	check_error("spans main until 1s", "1@11 there is no thread 'until'");
	check_error("spans main from 1s 2s", "2@19 expected from, to or min");
	check_error("spans nobody", "1@6 there is no thread 'nobody'");
	check_error("calls @9", "1@6 there is no thread '@9'");
}

/* Recursion counts once, also where a method calls itself. */
static void
near(void **state)
{
	(void)state;
	check("methods | where name = draw | callers | select method calls self_wall total_wall method_id",
	    "method\tcalls\tself_wall\ttotal_wall\tmethod_id\n"
	    "(top level)\t1\t1000000\t1000000\t0\n"
	    "com.app.Main.run\t1\t20000\t50000\t1\n"
	    "com.app.Main.draw\t1\t20000\t20000\t2\n");
	check("methods | where name = run | callees | select method calls total_wall percent",
	    "method\tcalls\ttotal_wall\tpercent\n"
	    "com.app.Main.draw\t1\t50000\t45.4545454545\n"
	    "com.app.Util.sum\t1\t30000\t27.2727272727\n");
	check("methods | where name = draw | callees | select method calls total_cpu",
	    "method\tcalls\ttotal_cpu\n"
	    "com.app.Main.draw\t1\t15000\n"
	    "com.app.Util.sum\t1\t5000\n");
	check("spans main | callers | callees | count", "count\n2\n");
	check("methods | where name = nothing | callers | count", "count\n0\n");
	check_error("threads | callers", "2@10 'callers' takes rows with a column method_id");
}

/* ---- stages ---------------------------------------------------------------------- */

static void
conditions(void **state)
{
	static const struct {
		const char	*condition, *ids;
	} cases[] = {
		{ "id = 1", "1" },
		{ "id != 1", "2 3 4" },
		{ "wall > 30us", "1 3" },
		{ "wall >= 30us", "1 2 3" },
		{ "wall < 0.03ms", "4" },
		{ "wall <= 30000", "2 4" },
		{ "main", "1" },
		{ "not main", "2 3 4" },
		{ "name = main", "1" },
		{ "name = 'Binder:1_2'", "2" },
		{ "name = Binder*", "2 3" },
		{ "name = 'Binder*'", "" },
		{ "name != Binder*", "1 4" },
		{ "name ~ inde", "2 3" },
		{ "name ~ *inde", "" },
		{ "name ~ *_3", "3" },
		{ "name ~ /^b.*3$/i", "3" },
		{ "name ~ /^b/", "" },
		{ "name !~ /^b/i", "1 4" },
		{ "name ~ /\\x1b/", "4" },
		{ "name ~ '\\x1b'", "4" },
		{ "name = \"a;b\\x1b[1m\\tc\"", "4" },
		{ "name > b", "1" },
		{ "name in (main, *_2)", "1 2" },
		{ "name not in (main, *_2)", "3 4" },
		{ "not name in (main, *_2)", "3 4" },
		{ "tid in (1, 0x2, @3)", "1 2 3" },
		{ "wall > cpu", "1 2 3 4" },
		{ "wall > end", "" },
		{ "wall = end", "1 3 4" },
		{ "calls > 1 and wall > 50us or id = 4", "1 4" },
		{ "calls > 1 and (wall > 50us or id = 2)", "1 2" },
		{ "id = 4 or calls > 1 and wall > 50us", "1 4" },
		{ "not id = 4 and not id = 3", "1 2" },
		{ "not (id = 4 or id = 3)", "1 2" },
		{ "not not id = 4", "4" },
		{ "((((id = 4))))", "4" },
		{ "id = 1 or id = 2 or id = 3", "1 2 3" },
		{ "id > 1 and id > 2 and id > 3", "4" },
		{ "calls < 1k", "1 2 3 4" },
		{ "calls > 0.001k", "1 2" },
	};
	struct buf query = BUF_INIT, want = BUF_INIT;
	size_t i;
	const char *s;

	(void)state;
	for (i = 0; i < NELEM(cases); i++) {
		buf_clear(&query);
		buf_clear(&want);
		buf_printf(&query, "threads | where %s | select id", cases[i].condition);
		buf_str(&want, STR("id\n"));
		for (s = cases[i].ids; *s != '\0'; s++)
			if (*s != ' ')
				buf_printf(&want, "%c\n", *s);
		check(query.s, want.s);
	}
	buf_free(&query);
	buf_free(&want);
	check("info | where value = 18 or value = dual | select field",
	    "field\nclock\nrecords\n");
	check("methods | where line = 12 or line < 0 | select name", "name\ndraw\n");
	check("methods | where line != 12 | count", "count\n4\n");
	check("methods | where name = run | callees | where percent > 40% | count", "count\n1\n");
}

static void
stages(void **state)
{
	(void)state;
	check("threads | sort -calls | select id", "id\n1\n2\n3\n4\n");
	check("threads | sort calls -wall | select id", "id\n3\n4\n2\n1\n");
	check("threads | sort -name | select id", "id\n1\n4\n3\n2\n");
	check("threads | sort pool, -id | select id", "id\n3\n2\n4\n1\n");
	check("methods | sort line id | select id | head 5", "id\n1\n3\n4\n5\n2\n");
	check("threads | sort -calls | head 3 | select id", "id\n1\n2\n3\n");
	check("threads | sort -name | select id name | head 2 | select id", "id\n1\n4\n");
	check("threads | sort -id | head 0", "id\ttid\tname\tmain\tcalls\twall\tcpu\toff_cpu\t"
	    "start\tend\tdepth\trepairs\trecords\tpool\tearlier\n");
	check("threads | head 2 | tail 1 | select id", "id\n2\n");
	check("threads | tail 3 | head 1 | select id", "id\n2\n");
	check("records | head | count", "count\n10\n");
	check("records | tail 1k | count", "count\n18\n");
	check("threads | count | count", "count\n1\n");
	check("methods | sort -self | select name self | head 1", "name\tself_wall\ndraw\t1040000\n");
	check("info | sort value | tail 2 | count", "count\n2\n");
	session.clock = CLOCK_CPU;
	check("methods | sort -total | select name total | head 1", "name\ttotal_cpu\nrun\t70000\n");
	session.clock = CLOCK_OFF;
	check("methods | sort -total | select name total | head 1", "name\ttotal_off\ndraw\t1012000\n");
	session.clock = CLOCK_WALL;
}

/* ---- mistakes -------------------------------------------------------------------- */

static void
mistakes(void **state)
{
	static const struct {
		const char	*query, *error;
	} cases[] = {
		{ "", "2@0 expected a source" },
		{ "   ", "2@3 expected a source" },
		{ "|", "2@0 expected a source" },
		{ "threads |", "2@9 expected a stage" },
		{ "threads | | head", "2@10 expected a stage" },
		{ "thraeds", "2@0 there is no source 'thraeds'; did you mean 'threads'?" },
		{ "xyzzyxyzzy", "2@0 there is no source 'xyzzyxyzzy'" },
		{ "threads | haed", "2@10 there is no stage 'haed'; did you mean 'head'?" },
		{ "head", "2@0 'head' takes rows" },
		{ "threads | threads", "2@10 'threads' is a source" },
		{ "'threads'", "2@0 expected a command" },
		{ "threads main", "2@8 'threads' takes no arguments" },
		{ "threads | head 1 2", "2@17 'head' takes only [COUNT]" },
		{ "threads | head x", "2@15 'x' is not a count" },
		{ "threads | head 1s", "2@15 '1s' is not a count" },
		{ "threads | sort", "2@14 'sort' needs COLUMN ..." },
		{ "threads | sort -slef", "2@16 these rows have no column 'slef'" },
		{ "methods | sort -slef", "2@16 these rows have no column 'slef'; did you mean 'self'?" },
		{ "threads | select -id", "2@17 these rows have no column '-id'" },
		{ "threads | select id id", "2@10 column 'id' is selected twice" },
		{ "threads | select 'id'", "2@17 expected a column" },
		{ "threads | where", "2@15 expected a column" },
		{ "threads | where wal > 1", "2@16 these rows have no column 'wal'; did you mean 'wall'?" },
		{ "threads | where wall >", "2@22 expected a value" },
		{ "threads | where wall > 1q", "2@23 '1q' is not a time; try 250us" },
		{ "threads | where wall > 'x'", "2@23 'x' is not a time" },
		{ "threads | where wall ~ x", "2@21 ~ is for texts, and 'wall' is a time" },
		{ "threads | where calls > 1ms", "2@24 '1ms' is not a count" },
		{ "threads | where (id = 1", "2@16 this ( is not closed" },
		{ "threads | where id = 1)", "2@22 this ) has no (" },
		{ "threads | where id = 1 id = 2", "2@23 expected and, or" },
		{ "threads | where id = 1 and", "2@26 expected a column" },
		{ "threads | where id in 1", "2@22 expected ( and a list" },
		{ "threads | where id in (1", "2@24 expected , or )" },
		{ "threads | where id in ()", "2@23 expected a value" },
		{ "threads | where id not 1", "2@23 expected in" },
		{ "threads | where name ~ /a(/", "2@26 regex: " },
		{ "threads | where name ~ /a", "2@23 this regex has no closing /" },
		{ "threads | where name ~ /a/x", "2@26 only i" },
		{ "threads | where name = 'a", "2@23 this text has no closing '" },
		{ "threads | where name = 'a\\", "2@25 the query ends" },
		{ "threads | where name = 'a\\q'", "2@25 unknown escape" },
		{ "threads | where name = 'a\\x4'", "2@25 unknown escape" },
		{ "threads | where id ! 1", "2@19 '!' alone" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(cases); i++)
		check_error(cases[i].query, cases[i].error);
}

static void
shown(void **state)
{
	struct err err = { .kind = E_USAGE, .at = 6 };
	struct buf b = BUF_INIT, query = BUF_INIT;
	int i;

	(void)state;
	strcpy(err.text, "wrong\033");
	query_show_error(STR("\xe6\x97\xa5 a b\tc"), &err, &b);
	assert_string_equal(b.s, "wrong\xef\xbf\xbd\n\xe6\x97\xa5 a b\xef\xbf\xbd" "c\n     ^\n");
	buf_clear(&b);
	for (i = 0; i < 1000; i++)
		buf_str(&query, STR("\xe6\x97\xa5"));
	err.at = 1500;
	query_show_error(buf_view(&query), &err, &b);
	assert_int_equal(strlen(strchr(b.s, '\n') + 1), 3 + 120 + 3 + 1 + 43 + 2);
	buf_free(&b);
	buf_free(&query);
}

/* Whatever is asked, there is an answer or an error with a place in the query. */
static void
survives(struct str text)
{
	struct err err = { .kind = E_NONE, .at = ERR_NOWHERE };
	struct query *q;

	if (query_parse(&q, text, &err))
		query_free(q);
	else if (err.kind != E_USAGE || err.at > text.n)
		fail_msg("%.*s: %d@%llu %s", (int)(text.n > 80 ? 80 : text.n),
		    text.s, err.kind, (unsigned long long)err.at, err.text);
}

static void
repeat(const char *head, const char *part, size_t n, const char *tail)
{
	struct buf b = BUF_INIT;

	buf_str(&b, str_of(head));
	while (n-- > 0)
		buf_str(&b, str_of(part));
	buf_str(&b, str_of(tail));
	survives(buf_view(&b));
	buf_free(&b);
}

static void
huge(void **state)
{
	char bytes[256 * 8];
	struct buf b = BUF_INIT;
	size_t i, k;

	(void)state;
	repeat("threads", " | head 5", 10000, "");
	repeat("threads | where ", "(", 300000, "id = 1");
	repeat("threads | where ", "(", 300000, "");
	repeat("threads | where ", "not ", 200000, "id = 1");
	repeat("threads | where id = 1", " or id = 1", 90000, "");
	repeat("threads | where id in (1", ", 1", 300000, ")");
	repeat("threads | where name ~ /", "(", 300000, "/");
	repeat("threads | select id", ",", 300000, "");
	repeat("threads | where name ~ '", "x", 900000, "'");
	repeat("threads", " ", 2000000, "");
	repeat("", "a", 1000000, "");
	for (i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i / 8);
	survives((struct str){ bytes, sizeof bytes });
	for (i = 0; i < 256; i++)
		survives((struct str){ bytes + i * 8, 1 });
	for (i = 0; commands[i] != NULL; i++)
		for (k = 0; k <= strlen(commands[i]->example); k++) {
			buf_clear(&b);
			buf_add(&b, commands[i]->example, k);
			survives(buf_view(&b));
			buf_chr(&b, '\0');
			survives(buf_view(&b));
		}
	buf_free(&b);
}

/* A pattern that backtracks without end is stopped. */
static void
regex_limit(void **state)
{
	(void)state;
	check_error("methods | where method ~ /^((([a-z.]+)+)+)+[0-9]$/i",
	    "2@25 this regex takes too many steps");
}

/* ---- printing -------------------------------------------------------------------- */

static void
formats(void **state)
{
	static const char evil[] = "threads | tail 1 | select name id wall";

	(void)state;
	check_format(evil, FORMAT_TSV, 0,
	    "name\tid\twall\na;b\xef\xbf\xbd[1m\\tc\t4\t2000\n");
	check_format(evil, FORMAT_JSON, 0,
	    "{\"name\":\"a;b\xef\xbf\xbd[1m\xef\xbf\xbd" "c\",\"id\":4,\"wall\":2000}\n");
	check_format(evil, FORMAT_CSV, 0,
	    "name,id,wall\r\na;b\xef\xbf\xbd[1m\xef\xbf\xbd" "c,4,2000\r\n");
	check_format("methods | where id in (3, 4) | select class name line", FORMAT_CSV, 0,
	    "class,name,line\r\ncom.app.Util,sum,\r\nx\\y,\"z,\"\"\xef\xbf\xbd\",\r\n");
	check_format("methods | where id = 3 | select name line", FORMAT_JSON, 0,
	    "{\"name\":\"sum\",\"line\":null}\n");
	check_format("calls main", FORMAT_FOLDED, 0,
	    "main;com.app.Main.run 30\n"
	    "main;com.app.Main.run;com.app.Main.draw 20\n"
	    "main;com.app.Main.run;com.app.Main.draw;com.app.Main.draw 20\n"
	    "main;com.app.Main.run;com.app.Main.draw;com.app.Util.sum 10\n"
	    "main;com.app.Main.run;com.app.Util.sum 30\n");
	check_format("calls @4", FORMAT_FOLDED, 0,
	    "a:b\xef\xbf\xbd[1m\xef\xbf\xbd" "c;x\\y.z,\"\xef\xbf\xbd 2\n");
	check_format("calls | head 2", FORMAT_FOLDED, 0,
	    "main;com.app.Main.run 30\n"
	    "main;com.app.Main.run;com.app.Main.draw 20\n");
	check_format("threads", FORMAT_FOLDED, 0,
	    "2@-1 folded needs the rows of a call tree, and these have no "
	    "column 'parent'; try calls, merged or inverted");
	check_format("calls | where depth > 0", FORMAT_FOLDED, 0,
	    "2@-1 folded needs every caller in front of what it calls: "
	    "no where, sort or tail before it");
}

static void
tables(void **state)
{
	(void)state;
	check_format("threads | select id name wall | head 3", FORMAT_TABLE, 0,
	    "id  name          wall\n"
	    " 1  main        110 us\n"
	    " 2  Binder:1_2   30 us\n"
	    " 3  Binder:1_3    1 ms\n");
	check_format("calls | select method self_wall | head 1", FORMAT_TABLE, 20,
	    "method     self_wall\n"
	    "co....run      30 us\n");
	check_format("threads | count", FORMAT_TABLE, 80, "count\n    4\n");
	check_format("methods | callees | select percent | head 1", FORMAT_TABLE, 80,
	    "percent\n   4.4%\n");
}

static void
full_disk(void **state)
{
	struct err err = { .kind = E_NONE };
	struct query *q;
	struct rows *rows;
	uint64_t n;
	FILE *f = fopen("/dev/full", "w");

	(void)state;
	if (f == NULL)
		skip();
	assert_true(query_parse(&q, STR("records"), &err));
	assert_true(query_prepare(q, &session, NULL, &err));
	assert_true(query_open(q, &session, &rows, &err));
	assert_false(rows_print(rows, FORMAT_TSV, 0, f, &n, &err));
	assert_int_equal(err.kind, E_SYSTEM);
	rows_close(rows);
	query_free(q);
	fclose(f);
}

/* ---- laziness ---------------------------------------------------------------------- */

/* Numbers without end that count how many were asked for. */
struct endless {
	struct rows	rows;
	uint64_t	reached;
};

static uint64_t
endless_reach(struct rows *r, uint64_t n)
{
	struct endless *e = (struct endless *)r;

	if (n > e->reached)
		e->reached = n;
	return n;
}

static void
endless_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	(void)r;
	(void)col;
	c->type = CELL_COUNT;
	c->u = row * 7919 % 10007;
}

static const struct rows_ops endless_ops = { endless_reach, endless_cell, NULL };
static const struct coldef endless_cols[] = { { "n", CELL_COUNT, "", false } };

static void
lazy(void **state)
{
	struct work work;
	struct endless *e = calloc(1, sizeof *e);
	struct query *q;
	struct rows *rows;
	struct err err;

	(void)state;
	assert_true(query_parse(&q, STR("threads | where id > 0 | head 5"), &err));
	assert_true(query_prepare(q, &session, NULL, &err));
	assert_true(query_open(q, &session, &rows, &err));
	/* The endless rows take the place of the source. */
	rows_close(rows->in->in);
	rows->in->in = &e->rows;
	e->rows.ops = &endless_ops;
	e->rows.cols = endless_cols;
	e->rows.ncols = 1;
	assert_int_equal(rows_reach(rows, 3), 3);
	assert_in_range(e->reached, 3, 4);
	assert_int_equal(rows_reach(rows, ROWS_ALL), 5);
	assert_in_range(e->reached, 5, 6);
	rows_close(rows);
	query_free(q);

	work_init(&work, NULL);
	assert_true(query_parse(&q, STR("calls | sort -self"), &err));
	assert_true(query_open(q, &session, &rows, &err));
	rows_set_work(rows, &work);
	atomic_store(&work.cancel, true);
	assert_int_equal(rows_reach(rows, 1), 0);
	assert_non_null(rows_error(rows));
	assert_int_equal(rows_error(rows)->kind, E_CANCEL);
	rows_close(rows);
	query_free(q);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sources),
		cmocka_unit_test(spans),
		cmocka_unit_test(near),
		cmocka_unit_test(conditions),
		cmocka_unit_test(stages),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(shown),
		cmocka_unit_test(huge),
		cmocka_unit_test(regex_limit),
		cmocka_unit_test(formats),
		cmocka_unit_test(tables),
		cmocka_unit_test(full_disk),
		cmocka_unit_test(lazy),
	};
	int failed;

	trace_open(&session);
	failed = cmocka_run_group_tests_name("query", tests, NULL, NULL);
	trace_close(&session);
	return failed;
}
