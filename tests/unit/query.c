/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query: the language from tokens to lines, over a small trace.
 */
#include "config.h"

#include <signal.h>
#include <sys/resource.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "folder.h"
#include "traces.h"
#include "asks.h"

#define LITTLE_STACK 262144

static struct session session;

/* Queries in parentheses, that many deep. */
static void
nest(struct buf *b, int depth, const char *begin, const char *end)
{
	buf_clear(b);
	buf_str(b, STR("threads"));
	for (int i = 0; i < depth; i++)
		buf_str(b, str_of(begin));
	buf_str(b, STR(" | select id"));
	for (int i = 0; i < depth; i++)
		buf_str(b, str_of(end));
}

static void
nested(void **state)
{
	struct buf b = BUF_INIT;
	struct query *q;
	struct err err;

	(void)state;
	for (int depth = 0; depth < 12; depth++)
		for (int k = 0; k < 2; k++) {
			nest(&b, depth, k == 0 ? " | where id in (threads" : " | union (threads", k == 0 ? ") | select id" : ")");
			assert_int_equal(query_parse(&q, buf_view(&b), &err), depth <= 4);
			if (depth <= 4)
				query_free(q);
			else
				assert_string_equal(err.text, "queries nested too deeply (limit: 4)");
			/* No end of a parenthesis is there. */
			nest(&b, depth, k == 0 ? " | where id in (threads" : " | union (threads", "");
			assert_int_equal(query_parse(&q, buf_view(&b), &err), depth == 0);
			if (depth == 0)
				query_free(q);
		}
	buf_free(&b);
}

static void
check_format(const char *query, enum format format, unsigned width, const char *want)
{
	check_answer(&session, query, format, width, want);
}

static void
check(const char *query, const char *want)
{
	check_format(query, FORMAT_TSV, 0, want);
}

static void
check_error(const char *query, const char *want)
{
	check_fails(&session, query, want);
}

/* ---- sources --------------------------------------------------------------------- */

static void
sources(void **state)
{
	(void)state;
	check("threads | select id tid name main calls wall cpu off_cpu start end depth repairs pool | head 2",
	    "id\ttid\tname\tmain\tcalls\twall\tcpu\toff_cpu\tstart\tend\tdepth\trepairs\tpool\n"
	    "1\t1\tmain\ttrue\t5\t110000\t70000\t40000\t0\t110000\t3\t0\tmain\n"
	    "2\t2\tBinder:1_2\tfalse\t2\t30000\t18000\t12000\t5000\t40000\t1\t0\tBinder:*_*\n");
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
	check_error("spans main from", "2@15 expected a time");
	check_error("spans main from 1q", "2@16 unknown unit 'q'; use ns us ms s min h");
	check_error("spans main until 1s", "1@11 unknown thread 'until'; 'threads' lists them");
	check_error("spans main from 1s 2s", "2@19 expected from, to or min");
	check_error("spans nobody", "1@6 unknown thread 'nobody'; 'threads' lists them");
	check_error("calls @9", "1@6 unknown thread '@9'; 'threads' lists them");
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
	check_error("threads | callers",
	    "2@10 'callers' needs rows with column method_id, e.g. 'methods | where name = rows_print | callers'");
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
		{ "cpu/wall > 61%", "1" },
		{ "cpu / wall > 61%", "1" },
		{ "wall - cpu > 1us", "1 2 3" },
		{ "wall > cpu*2", "3" },
		{ "wall > cpu * 2 and id != 4", "3" },
		{ "(wall > cpu*2)", "3" },
		{ "(wall - cpu) * 2 > cpu", "1 2 3 4" },
		{ "((wall - cpu) * 2 > cpu)", "1 2 3 4" },
		{ "not (wall + cpu) > 50us", "2 4" },
		{ "(wall+cpu) in (180us, (1+2)*1us)", "1 4" },
		{ "wall > (cpu + cpu)", "3" },
		{ "wall = 20us+10us", "2" },
		{ "calls*2 = 10 or calls/2 = 50%", "1 3 4" },
		{ "calls - 5", "2 3 4" },
		{ "calls/0 = calls/0", "" },
		{ "calls - 2 < 0", "3 4" },
		{ "calls - 6 > -2", "1" },
		{ "calls*1.5 > 300%", "1" },
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
	check("methods | where line = null | count", "count\n4\n");
	check("methods | where line != null | select line", "line\n12\n");
	check("methods | where line in (null, 12) | count", "count\n5\n");
	check("methods | where name = null | count", "count\n0\n");
	check("info | where value = 18.0 or value = du?l | select field", "field\nclock\nrecords\n");
	check("info | where value > (9*2 - 1) and value < 19 | select field", "field\nrecords\n");
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
	check("threads | sort -id | select id name wall | head 0", "id\tname\twall\n");
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

static void
groups(void **state)
{
	(void)state;
	check("threads | group main : count, sum calls, max(wall) as most",
	    "main\tcount\tsum_calls\tmost\ntrue\t1\t5\t110000\nfalse\t3\t4\t1000000\n");
	check("threads | group pool:count|sort -count|head 1", "pool\tcount\nBinder:*_*\t2\n");
	check("threads | group pool | count", "count\n3\n");
	check("threads | sum wall calls", "sum_wall\tsum_calls\n1142000\t9\n");
	check("threads | min name wall | select min_name", "min_name\nBinder:1_2\n");
	check("threads | max name, id", "max_name\tmax_id\nmain\t4\n");
	check("threads | avg calls wall", "avg_calls\tavg_wall\n2.25\t285500\n");
	check("methods | avg line", "avg_line\n12\n");
	check("methods | where line = 99 | max line name", "max_line\tmax_name\n\t\n");
	check("methods | where line = 99 | sum line calls", "sum_line\tsum_calls\n0\t0\n");
	check("threads | select cpu-wall as d name | sum d", "sum_d\n-1050000\n");
	check("threads | where id in (1, 2) | select cpu-wall as d | avg d", "avg_d\n-26000\n");
	check("threads | select wall/cpu as x | min x | select min_x/min_x as one", "one\n1\n");
	check("threads | distinct pool | select id", "id\n1\n2\n4\n");
	check("threads | select pool | distinct | count", "count\n3\n");
	check("threads | select main | distinct", "main\ntrue\nfalse\n");
	check("threads | top 2 wall | select id", "id\n3\n1\n");
	check("threads | top 3 calls | select id", "id\n1\n2\n3\n");
	check("threads | top 3 calls | head 2 | select id", "id\n1\n2\n");
	check("threads | top 100000 main wall | select id", "id\n1\n3\n2\n4\n");
	check("threads | top 0 wall | count", "count\n0\n");
	check("threads | top name | head 1 | select id", "id\n1\n");
}

static void
computed(void **state)
{
	static const struct {
		const char	*expression, *name, *value;
	} cases[] = {
		{ "cpu/wall", "cpu/wall", "63.6363636364" },
		{ "cpu / wall", "cpu/wall", "63.6363636364" },
		{ "wall-cpu", "wall-cpu", "40000" },
		{ "cpu - wall", "cpu-wall", "-40000" },
		{ "cpu\xe2\x88\x92wall\xc3\x97" "2", "cpu-wall*2", "-150000" },
		{ "wall\xc3\xb7" "calls", "wall/calls", "22000" },
		{ "calls/wall", "calls/wall", "45454.5454545" },
		{ "calls*2+1", "calls*2+1", "11" },
		{ "2*(calls+1)", "2*(calls+1)", "12" },
		{ "calls-6", "calls-6", "-1" },
		{ "8-4-2", "8-4-2", "2" },
		{ "8/4/2", "8/4/2", "1" },
		{ "8/(4/2)", "8/(4/2)", "4" },
		{ "wall*50%", "wall*50%", "55000" },
		{ "wall+1.5us", "wall+1.5us", "111500" },
		{ "10k", "10k", "10000" },
		{ "10kB/1s", "10kB/1s", "10240" },
		{ "10kB/1s*2s", "10kB/1s*2s", "20480" },
		{ "50%*2", "50%*2", "1" },
		{ "50%+25%", "50%+25%", "75" },
		{ "1/0", "1/0", "" },
		{ "wall/(calls-5)", "wall/(calls-5)", "" },
		{ "wall as w", "w", "110000" },
		{ "((wall))", "((wall))", "110000" },
	};
	struct buf query = BUF_INIT, want = BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(cases); i++) {
		buf_clear(&query);
		buf_clear(&want);
		buf_printf(&query, "threads | head 1 | select %s", cases[i].expression);
		buf_printf(&want, "%s\n%s\n", cases[i].name, cases[i].value);
		check(query.s, want.s);
	}
	buf_free(&query);
	buf_free(&want);
	check("threads | select id cpu/wall as share | where share < 2% | select id", "id\n3\n");
	check("threads | select id wall/calls | where wall/calls > 20us | select id", "id\n1\n3\n");
	check("threads | select cpu-wall as d id | sort d | select id", "id\n3\n1\n2\n4\n");
	check("threads | select cpu-wall as d id | sort -d | head 2 | select id", "id\n4\n2\n");
	check("methods | select line*2 as x | where x", "x\n24\n");
	check_format("threads | head 1 | select cpu-wall as d calls/2 as half", FORMAT_TABLE, 0,
	    "     d  half\n-40 us  2.50\n");
}

static void
families(void **state)
{
	(void)state;
	check("calls main | where depth = 2 | parents | select id", "id\n2\n");
	check("calls main | where id = 1 | children | select id", "id\n2\n5\n");
	check("calls main | children | select id", "id\n2\n3\n4\n5\n");
	check("calls main | parents | select id", "id\n1\n2\n");
	check("calls | sort -id | where depth = 1 | select id | parents | select id | head 1", "id\n1\n");
	check("calls main | where depth = 2 | parents | parents | children | select id", "id\n2\n5\n");
	check("calls main | where depth = 0 | parents | count", "count\n0\n");
	check("merged | where depth = 0 | children | select depth | distinct", "depth\n1\n");
	check("inverted main | where depth = 1 | parents | select depth | distinct", "depth\n0\n");
}

/* ---- files and formats --------------------------------------------------------------- */

static void
exports(void **state)
{
	char *folder = folder_make(), *path = folder_path(folder, "a.csv");
	struct buf query = BUF_INIT, want = BUF_INIT;
	char *text;
	size_t n;

	(void)state;
	buf_printf(&query, "threads | select id name | head 2 | export '%s'", path);
	buf_printf(&want, "file\trows\tsize\n%s\t2\t31\n", path);
	check(query.s, want.s);
	text = folder_read(path, &n);
	assert_int_equal(n, 31);
	assert_memory_equal(text, "id,name\r\n1,main\r\n2,Binder:1_2\r\n", 31);
	free(text);
	check_error(query.s, "2@");
	buf_clear(&query);
	buf_printf(&query, "threads | select id | export! '%s'", path);
	session.sealed = true;
	check_error(query.s, "2@30 cannot write files here: read-only session");
	session.sealed = false;
	buf_clear(&want);
	buf_printf(&want, "file\trows\tsize\n%s\t4\t16\n", path);
	check(query.s, want.s);
	buf_clear(&query);
	buf_printf(&query, "calls | where depth > 0 | export! '%s/b.folded'", folder);
	check_error(query.s, "2@-1 folded needs whole call trees; remove where, sort, top or tail");
	buf_clear(&query);
	buf_printf(&query, "threads | export '%s/none/a.csv'", folder);
	check_error(query.s, "4@");
	folder_remove(folder);
	buf_free(&query);
	buf_free(&want);
	free(path);
}

static void
format_stage(void **state)
{
	(void)state;
	check("threads | select id | head 1 | format json", "{\"id\":1}\n");
	check_format("threads | select id | head 1 | format tsv", FORMAT_JSON, 0, "id\n1\n");
	check_format("threads | select id wall | head 1 | format table", FORMAT_CSV, 0,
	    "id    wall\n 1  110 us\n");
}

/* Nothing half-written is left when there is no room for all. */
static void
export_full(void **state)
{
	char *folder = folder_make();
	struct rlimit limit, small;
	struct buf query = BUF_INIT;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = limit;
	small.rlim_cur = 40;
	signal(SIGXFSZ, SIG_IGN);
	buf_printf(&query, "records | export '%s/a.tsv'", folder);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	check_error(query.s, "4@-1 cannot write output: File too large");
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	/* The folder itself and the one around it. */
	assert_int_equal(folder_count(folder, ""), 2);
	folder_remove(folder);
	buf_free(&query);
}

/* Without a file there is help, and nothing else. */
static void
without_file(void **state)
{
	struct session nothing = { .nstores = 0 };
	struct err err;
	struct query *q;
	struct rows *rows;

	(void)state;
	assert_true(query_parse(&q, STR("help calls | where kind = column | head 1"), &err));
	assert_true(query_ready(q, &nothing));
	assert_true(query_prepare(q, &nothing, NULL, &err));
	assert_true(query_open(q, &nothing, &rows, &err));
	assert_int_equal(rows_reach(rows, 10), 1);
	rows_close(rows);
	query_free(q);
	assert_true(query_parse(&q, STR("records"), &err));
	assert_false(query_ready(q, &nothing));
	assert_false(query_prepare(q, &nothing, NULL, &err));
	query_free(q);
	check("columns threads | head 1", "name\ttype\tshown\tmeaning\nid\tnumber\ttrue\tthread number\n");
	check("threads | select cpu/wall as x | columns", "name\ttype\tshown\tmeaning\nx\tpercentage\ttrue\tcomputed\n");
	check("columns columns | select name | head 1", "name\nname\n");
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
		{ "threads | where id in (", "2@23 expected a value after '('" },
		{ "thraeds", "2@0 unknown source 'thraeds'; did you mean 'threads'?" },
		{ "xyzzyxyzzy", "2@0 unknown source 'xyzzyxyzzy'" },
		{ "threads | haed", "2@10 unknown stage 'haed'; did you mean 'head'?" },
		{ "head", "2@0 'head' is a stage; start with a source, e.g. 'methods | sort -self | head 5'" },
		{ "threads | threads",
		    "2@10 'threads' starts a query or follows calls or methods, e.g. 'methods | where name ~" },
		{ "'threads'", "2@0 expected a command" },
		{ "threads main", "2@8 'threads' takes no arguments" },
		{ "threads | head 1 2", "2@17 'head' takes only [COUNT]" },
		{ "threads | head x", "2@15 'x' is not a count" },
		{ "threads | head 1s", "2@15 '1s' is not a count" },
		{ "threads | sort", "2@14 'sort' needs COLUMN|abs(COLUMN) ..." },
		{ "threads | sort -slef", "2@16 no column 'slef' here" },
		{ "methods | sort -slef", "2@16 no column 'slef' here; did you mean 'self'?" },
		{ "threads | select -id", "2@17 expected a column" },
		{ "threads | select id id", "2@20 column 'id' selected twice; rename one with 'as NAME'" },
		{ "threads | select wall+", "2@22 expected a column" },
		{ "threads | select wall+calls", "2@21 cannot add a time and a number" },
		{ "threads | select (wall+cpu)-depth", "2@27 cannot subtract a number from a time" },
		{ "threads | select wall-50%", "2@21 cannot subtract a percentage from a time" },
		{ "threads | select 1kB+1s", "2@20 cannot add a size and a time" },
		{ "threads | select wall*cpu",
		    "2@17 the result has no supported unit (number, time, size, or one per second)" },
		{ "threads | select 1/wall/cpu",
		    "2@17 the result has no supported unit (number, time, size, or one per second)" },
		{ "threads | select ((wall)", "2@17 missing )" },
		{ "threads | select wall)", "2@21 unmatched )" },
		{ "threads | select id/2", "2@17 'id' is an id; arithmetic needs a number" },
		{ "threads | select wall/name", "2@22 'name' is a text" },
		{ "threads | select wall/nmae", "2@22 no column 'nmae' here; did you mean 'name'?" },
		{ "threads | select 1q", "2@17 '1q' is not a count" },
		{ "threads | select x%", "2@17 no column 'x%' here" },
		{ "threads | select wall as", "2@24 expected a name" },
		{ "threads | select wall as 1", "2@25 expected a name" },
		{ "threads | select wall as or", "2@25 expected a name" },
		{ "threads | select wall = 1", "2@22 expected a column" },
		{ "threads | select id, , name", "2@21 expected a column" },
		{ "threads | select cpu as wall wall", "2@29 column 'wall' selected twice; rename one with 'as NAME'" },
		{ "threads | top", "2@13 'top' needs [COUNT] COLUMN|abs(COLUMN) ... [per COLUMN ...]" },
		{ "threads | top 3", "2@15 'top' needs [COUNT] COLUMN|abs(COLUMN) ... [per COLUMN ...]" },
		{ "threads | top 3x wall", "2@14 '3x' is not a count" },
		{ "threads | distinct x", "2@19 no column 'x' here" },
		{ "threads | sum", "2@13 'sum' needs COLUMN ..." },
		{ "threads | sum ,", "2@14 expected a column" },
		{ "threads | sum name", "2@14 'sum' needs an amount; 'name' is a string" },
		{ "threads | sum cpu cpu", "2@10 duplicate column name 'sum_cpu'; rename one with 'as NAME'" },
		{ "threads | group", "2@15 'group' needs KEY" },
		{ "threads | group :", "2@17 expected an aggregate after" },
		{ "threads | group name:", "2@21 expected an aggregate after" },
		{ "threads | group name:cuont", "2@21 unknown aggregate 'cuont'; did you mean 'count'?" },
		{ "threads | group name : sum", "2@26 'sum' needs a column: sum wall" },
		{ "threads | group name : sum(cpu", "2@30 expected )" },
		{ "threads | group name : count as", "2@31 expected a name" },
		{ "threads | format", "2@16 'format' needs" },
		{ "threads | format x", "2@17 unknown format 'x'" },
		{ "threads | format csv | head", "2@23 'format' must be last" },
		{ "threads | export", "2@16 'export' needs PATH" },
		{ "threads | export ''", "2@17 not a path" },
		{ "threads | export 'a\\x00.csv'", "2@17 not a path" },
		{ "threads | export a.png",
		    "2@17 unknown suffix; use .html .svg .dot .tsv .csv .json .md .folded or .txt" },
		{ "threads | export a b.csv", "2@19 'export' takes one path" },
		{ "threads | export a.csv up", "2@23 'export' takes one path" },
		{ "calls | export a.svg flat", "2@21 after the path, 'export' takes up" },
		{ "calls | export a.svg min", "2@24 'min' needs a value" },
		{ "calls | export a.svg min 200", "2@25 expected percent of all" },
		{ "calls | export a.dot nodes 0", "2@27 expected a number of nodes, 1 to 5000" },
		{ "threads | export!a.csv", "2@16 '!' alone" },
		{ "threads | parents",
		    "2@10 'parents' needs call-tree rows with column id, e.g. 'calls | where method ~" },
		{ "calls | select method | children", "2@24 'children' needs call-tree rows with column id, e.g. 'calls "
		    "main | where depth = 0 | children'" },
		{ "help haed", "2@5 unknown command 'haed'; did you mean 'head'?" },
		{ "help a b", "2@7 'help' takes only [COMMAND|all]" },
		{ "columns", "2@7 'columns' needs SOURCE" },
		{ "columns sort", "2@8 'sort' adds no columns" },
		{ "columns clals", "2@8 unknown source 'clals'; did you mean 'calls'?" },
		{ "threads | select 'idd'", "2@17 no column 'idd' here; did you mean 'id'?" },
		{ "threads | where", "2@15 'where' needs CONDITION" },
		{ "threads | where wal > 1", "2@16 no column 'wal' here; did you mean 'wall'?" },
		{ "threads | where wall >", "2@22 missing value after '>'" },
		{ "threads | where wall > 1q", "2@23 unknown unit 'q'; use ns us" },
		{ "threads | where wall > 'x'", "2@23 'x' is not a time" },
		{ "threads | where wall ~ x", "2@21 ~ is for strings; 'wall' is a time" },
		{ "threads | where calls > 1ms", "2@24 '1ms' is not a count" },
		{ "threads | where (id = 1", "2@16 missing )" },
		{ "threads | where id = 1)", "2@22 unmatched )" },
		{ "threads | where id = 1 id = 2", "2@23 expected 'and', 'or'" },
		{ "threads | where id = 1 and", "2@26 expected a column" },
		{ "threads | where id in 1", "2@22 expected '(' and values" },
		{ "threads | where id in (1", "2@24 expected ',' or ')'" },
		{ "threads | where id in ()", "2@23 expected a value" },
		{ "threads | where id not 1", "2@23 expected 'in' after 'not'" },
		{ "threads | where name ~ /a(/", "2@26 bad regex: missing closing parenthesis" },
		{ "threads | where name ~ /a", "2@23 missing closing / of the regex" },
		{ "threads | where name ~ /a/x", "2@26 unknown regex flag; only i (ignore case)" },
		{ "threads | where name = 'a", "2@23 missing closing '" },
		{ "threads | where name = 'a\\", "2@25 query ends after '\\'" },
		{ "threads | where name = 'a\\q'", "2@25 unknown escape" },
		{ "threads | where name = 'a\\x4'", "2@25 unknown escape" },
		{ "threads | where wall > calls", "2@23 'wall' is a time column; this value is a count" },
		{ "threads | where wall > calls*2", "2@23 'wall' is a time column; this value is a count" },
		{ "threads | where wall/cpu > wall", "2@27 'wall/cpu' is a percentage column; this value is a time" },
		{ "threads | where wall+calls > 1", "2@20 cannot add a time and a number" },
		{ "threads | where name/2 > 1", "2@16 'name' is a text" },
		{ "threads | where wall > cpu*", "2@27 expected a column" },
		{ "threads | where (wall+cpu > 1us", "2@16 missing )" },
		{ "threads | where (wall+cpu) > 1us)", "2@32 unmatched )" },
		{ "threads | where calls - 2 > -x", "2@28 '-x' is not a number" },
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
	const char *example;
	size_t i, k;
	struct rlimit was, little;

	(void)state;
	/* Less stack finds a recursion over fewer parts. */
	assert_int_equal(getrlimit(RLIMIT_STACK, &was), 0);
	little = was;
	little.rlim_cur = LITTLE_STACK;
	assert_int_equal(setrlimit(RLIMIT_STACK, &little), 0);
	repeat("threads", " | head 5", 10000, "");
	repeat("threads | where ", "(", 30000, "id = 1");
	repeat("threads | where ", "(", 30000, "");
	repeat("threads | where ", "not ", 20000, "id = 1");
	repeat("threads | where id = 1", " or id = 1", 9000, "");
	repeat("threads | where id in (1", ", 1", 30000, ")");
	repeat("threads | where name ~ /", "(", 30000, "/");
	repeat("threads | where ", "(", 30000, "wall+cpu) > 1s");
	repeat("threads | where wall", "+wall", 15000, " > 1s");
	repeat("threads | where wall > ", "(", 30000, "1");
	repeat("threads | where wall > 0", " or (wall+cpu)*2 > 1s", 4000, "");
	repeat("threads | select id", ",", 30000, "");
	repeat("threads | select calls", "+calls", 15000, "");
	repeat("threads | select calls", " + calls", 9000, "");
	repeat("threads | select ", "(", 30000, "calls");
	repeat("threads | select calls", ")", 30000, "");
	repeat("threads | select 1", "*wall", 15000, "");
	repeat("threads | select wall", "/wall", 15000, "");
	repeat("threads | select id", " wall", 15000, "");
	repeat("threads | group id : count", ", count", 9000, "");
	repeat("threads | sum cpu", " cpu", 15000, "");
	repeat("threads | distinct id", " id", 15000, "");
	repeat("threads | top 5", " id", 15000, "");
	repeat("threads | group ", ":", 30000, "");
	repeat("threads | where name ~ '", "x", 90000, "'");
	repeat("threads", " ", 200000, "");
	repeat("", "a", 100000, "");
	for (i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i / 8);
	survives((struct str){ bytes, sizeof bytes });
	for (i = 0; i < 256; i++)
		survives((struct str){ bytes + i * 8, 1 });
	for (i = 0; commands[i] != NULL; i++) {
		example = command_example(commands[i], i % 2 == 0 ? SHAPE_CALLS : SHAPE_SAMPLES);
		for (k = 0; k <= strlen(example); k++) {
			buf_clear(&b);
			buf_add(&b, example, k);
			survives(buf_view(&b));
			if (k % 8 == 0) {
				buf_chr(&b, '\0');
				survives(buf_view(&b));
			}
		}
	}
	assert_int_equal(setrlimit(RLIMIT_STACK, &was), 0);
	buf_free(&b);
}

/* A pattern that backtracks without end is stopped. */
static void
regex_limit(void **state)
{
	(void)state;
	check_error("methods | where method ~ /^((([a-z.]+)+)+)+[0-9]$/i",
	    "2@25 regex too slow on a 16-byte string; simplify it");
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
	    "{\"name\":\"a;b\xef\xbf\xbd[1m\\tc\",\"id\":4,\"wall\":2000}\n");
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
	    "2@-1 'folded' needs call-tree rows (no column 'parent'); use calls, merged or inverted");
	check_format("calls | where depth > 0", FORMAT_FOLDED, 0,
	    "2@-1 folded needs whole call trees; remove where, sort, top or tail");
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
	    "...run         30 us\n");
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

/* ---- views ------------------------------------------------------------------------------- */

static void
no_view(const char *stages, uint64_t at, const char *why)
{
	struct err err = { .kind = E_NONE, .at = ERR_NOWHERE };
	struct store *view;

	assert_false(query_view(&session, str_of(stages), &view, NULL, &err));
	assert_int_equal(err.kind, E_USAGE);
	assert_int_equal(err.at, at);
	if (strstr(err.text, why) == NULL)
		fail_msg("%s: %s, not %s", stages, err.text, why);
}

static void
views(void **state)
{
	struct session seen = session;
	struct store *view;
	struct err err;

	(void)state;
	check("calls main | hide draw | select method calls self", "method\tcalls\tself_wall\n"
	    "com.app.Main.run\t1\t70000\ncom.app.Util.sum\t2\t40000\n");
	check("threads | hide * | select id wall", "id\twall\n1\t110000\n2\t30000\n"
	    "3\t1000000\n4\t2000\n");
	check("calls main | range 20us 60us | by class | select method calls total",
	    "method\tcalls\ttotal_wall\ncom.app.Main\t1\t40000\ncom.app.Util\t1\t10000\n");
	check("methods | where name = sum | threads | select name total", "name\ttotal_wall\n"
	    "main\t40000\nBinder:1_2\t20000\n");
	check("threads | where name ~ Binder | calls | where any ~ /^com.*draw$/ | count", "count\n1\n");
	assert_true(query_view(&session, STR("hide draw | by package"), &view, NULL, &err));
	assert_ptr_equal(store_below(view), session.store[0]);
	assert_null(store_column(session.store[0], COL_VIEW_TEXT));
	seen.view = view;
	check_answer(&seen, "methods | where id = 1 | select name total", FORMAT_TSV, 0,
	    "name\ttotal_wall\ncom.app\t130000\n");
	store_close_pile(view, session.store[0]);
	no_view("hide", 4, "needs");
	no_view("by foo", 3, "class");
	no_view("where depth = 0", 0, "start with a source");
	no_view("", 0, "expected");
	no_view("diff", 0, "file");
}

/* Over a file that nobody asked yet. */
static void
lacks(const char *query, column_id column)
{
	struct session fresh;

	trace_open(&fresh);
	free(ask(&fresh, query, FORMAT_TSV, 0));
	if (store_column(fresh.store[0], column) != NULL)
		fail_msg("'%s' makes the column %s, which it does not read", query, column_names[column]);
	trace_close(&fresh);
}

/* A query runs the passes of the columns that are read, and no others. */
static void
needs(void **state)
{
	(void)state;
	lacks("methods | count", COL_METHOD_CALLS);
	lacks("methods | where name ~ draw | select name", COL_METHOD_CALLS);
	lacks("methods | where name ~ draw | callers", COL_METHOD_CALLS);
	lacks("merged | where depth = 0", COL_METHOD_CALLS);
	lacks("inverted | count", COL_METHOD_CALLS);
	lacks("spans | select method wall", COL_TRACK_KIND);
	lacks("records | select row wall", COL_CALL_METHOD);
	lacks("calls | where method ~ draw | parents | select method total_wall", COL_CALL_SELF_WALL);
	lacks("calls | where depth = 0 | children | select method", COL_METHOD_CALLS);
	lacks("calls | head 3 | parents | count", COL_CALL_DEPTH);
}

TOOL(unit, query)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sources),
		cmocka_unit_test(spans),
		cmocka_unit_test(near),
		cmocka_unit_test(conditions),
		cmocka_unit_test(stages),
		cmocka_unit_test(groups),
		cmocka_unit_test(computed),
		cmocka_unit_test(families),
		cmocka_unit_test(exports),
		cmocka_unit_test(export_full),
		cmocka_unit_test(format_stage),
		cmocka_unit_test(without_file),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(shown),
		cmocka_unit_test(huge),
		cmocka_unit_test(regex_limit),
		cmocka_unit_test(formats),
		cmocka_unit_test(tables),
		cmocka_unit_test(full_disk),
		cmocka_unit_test(lazy),
		cmocka_unit_test(views),
		cmocka_unit_test(needs),
		cmocka_unit_test(nested),
	};
	int failed;

	trace_open(&session);
	failed = cmocka_run_group_tests_name("query", tests, NULL, NULL);
	trace_close(&session);
	return failed;
}
