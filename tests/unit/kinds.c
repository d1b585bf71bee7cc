/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kinds: words that mean other things for traces and for heap dumps, and the
 * objects that the words for heap dumps lead to.
 */
#include "config.h"

#include <unistd.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "icecore/columns_reach.h"
#include "dumps.h"
#include "traces.h"
#include "asks.h"
#include "query/complete/complete.h"
#include "query/heap/heap.h"

#define LINKS 100000u		/* of the chain */

static struct session trace, dump, chain;

static void
check(struct session *session, const char *query, const char *want)
{
	check_answer(session, query, FORMAT_TSV, 0, want);
}

/* ---- words ----------------------------------------------------------------------- */

static void
words(void **state)
{
	static const unsigned calls = SHAPE_CALLS | SHAPE_INTERVALS | SHAPE_ROWS;
	const struct command *a = command_find(STR("threads"), true, calls);
	const struct command *b = command_find(STR("threads"), true, SHAPE_GRAPH | SHAPE_VALUES);

	(void)state;
	assert_ptr_not_equal(a, b);
	assert_true(command_fits(a, calls) && !command_fits(a, SHAPE_GRAPH));
	assert_true(command_fits(b, SHAPE_GRAPH | SHAPE_VALUES) && !command_fits(b, calls) && !command_fits(b, SHAPE_GRAPH));
	assert_true(command_fits(a, 0) && command_fits(b, 0));
	/* A word that fits nothing here is still found, to be explained. */
	assert_non_null(command_find(STR("methods"), true, SHAPE_GRAPH));
	assert_int_equal(command_find(STR("retained"), true, SHAPE_GRAPH)->kind, COMMAND_SOURCE);
	assert_int_equal(command_find(STR("retained"), false, SHAPE_GRAPH)->kind, COMMAND_STAGE);
	assert_null(command_find(STR("nosuch"), true, 0));
	check(&trace, "threads | where calls > 4 | select name", "name\nmain\n");
	check(&dump, "threads | where frames > 0 | count", "count\n0\n");
	check(&trace, "columns threads | where name = tid | count", "count\n1\n");
	check(&dump, "columns threads | where name = tid | count", "count\n0\n");
	check(&dump, "help all | where item = threads or item = methods | select item kind",
	    "item\tkind\nthreads\tsource\n");
	check(&trace, "help all | where item = threads or item = objects | select item kind",
	    "item\tkind\nthreads\tsource\nthreads\tstage\n");
}

static void
mistakes(void **state)
{
	(void)state;
	check_fails(&dump, "methods | head 1",
	    "2@0 'methods' works on bytecode, call graphs, rows of icecore triage, traces and profiles, not on heap dumps; use info, histogram, classes,");
	check_fails(&trace, "objects",
	    "2@0 'objects' works on heap dumps, not on traces; use info, threads, methods, calls, merged,");
	check_fails(&trace, "threads | retained", "2@10 'retained' works on heap dumps, not on traces");
	check_fails(&dump, "threads | select wall", "2@17 no column 'wall' here");
	check_fails(&trace, "threads | select frames", "2@17 no column 'frames' here");
	/* An error that occurs with all files is reported without regard to the file. */
	check_fails(&dump, "spans | retained", "2@8 'retained' works on heap dumps, not on traces");
	check_fails(&dump, "info | retained",
	    "2@7 'retained' needs rows with a column of objects, such as id or object, e.g. 'threads | retained | sum shallow'");
	check_fails(&trace, "info | retained",
	    "2@7 'retained' needs rows with a column of objects, such as id or object, e.g. 'threads | retained | sum shallow'");
	check_fails(&dump, "thraeds", "2@0 unknown source 'thraeds'; did you mean 'threads'?");
}

/* The needs of a query depend on the chosen references and sizes. */
static void
readiness(void **state)
{
	struct err err = { .at = ERR_NOWHERE };
	struct query *q;

	(void)state;
	assert_true(query_parse(&q, STR("objects | head 1"), &err));
	assert_true(query_prepare(q, &dump, NULL, &err));
	assert_true(query_ready(q, &dump));
	dump.refs = REFS_ALL;
	assert_false(query_ready(q, &dump));
	assert_true(query_prepare(q, &dump, NULL, &err));
	assert_true(query_ready(q, &dump));
	dump.sizes = SIZES_MAT;
	assert_false(query_ready(q, &dump));
	dump.refs = REFS_SOFT;
	dump.sizes = SIZES_VM;
	assert_true(query_ready(q, &dump));
	/* Nothing is to be prepared for a word that does not fit. */
	assert_true(query_ready(q, &trace));
	assert_false(query_prepare(q, &trace, NULL, &err));
	query_free(q);
}

/* ---- passes ---------------------------------------------------------------------- */

enum { OBJECTS = 1, TREE = 2, REACH = 4, NATIVE = 8, COPIES = 16, FRAMES = 32 };

static const column_id made_by[] = {
	COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_REACH_OBJECT, COL_NATIVE_OBJECT, COL_EACH_DUP_MEMBER, COL_FRAME_METHOD
};

/* The passes that a query over a new session ran. */
static unsigned
passes_of(const char *text, bool table)
{
	struct session fresh = { .nstores = 1 };
	struct err err = { .at = ERR_NOWHERE };
	struct query *q;
	struct rows *rows;
	unsigned ran = 0;
	uint64_t n;
	size_t i;
	FILE *f = tmpfile();

	assert_non_null(f);
	assert_true(dump_open(&fresh.store[0], &err));
	assert_true(query_parse(&q, str_of(text), &err));
	if (table)
		query_reads_shown(q);
	assert_true(query_prepare(q, &fresh, NULL, &err));
	for (i = 0; i < NELEM(made_by); i++)
		if (store_column(fresh.store[0], heap_col(made_by[i], fresh.refs, fresh.sizes)) != NULL)
			ran |= 1u << i;
	/* The columns that the passes made are sufficient: a cell that was not declared fails. */
	assert_true(query_open(q, &fresh, &rows, &err));
	assert_true(rows_print(rows, table ? FORMAT_TABLE : FORMAT_TSV, 0, f, &n, &err));
	rows_close(rows);
	query_free(q);
	store_close(fresh.store[0]);
	fclose(f);
	return ran;
}

static void
passes_of_columns(void **state)
{
	static const struct {
		const char	*query;
		bool		 table;
		unsigned	 ran;	/* these passes and no others */
	} rows[] = {
		{ "histogram", false, 0 },
		{ "objects | count", false, 0 },
		{ "objects | select id addr", false, 0 },
		{ "objects | where class ~ String | count", false, OBJECTS },
		{ "objects | sort -shallow | head 2 | select id shallow", false, OBJECTS },
		{ "objects | group class : count, sum shallow", false, OBJECTS },
		{ "objects java.lang.String | count", false, OBJECTS },
		{ "objects | where value != null | count", false, OBJECTS },
		/* A field that is named is looked up, though nobody reads it. */
		{ "objects | select id value | count", false, OBJECTS },
		{ "objects | select id value | select id", false, OBJECTS },
		{ "classes | select name .name | count", false, OBJECTS },
		{ "objects | where retained > 10 | count", false, OBJECTS | TREE },
		{ "objects | top 2 retained | select class", false, OBJECTS | TREE },
		{ "objects | select native", false, OBJECTS | NATIVE },
		{ "strings | head 5", true, OBJECTS | TREE | COPIES },
		{ "strings | count", false, OBJECTS },
		{ "strings | select value length", false, OBJECTS },
		{ "classes | count", false, 0 },
		{ "classes | select name objects shallow", false, 0 },
		{ "classes | select name retained", false, OBJECTS | TREE },
		{ "roots | group kind : count", false, OBJECTS },
		{ "roots | select method", false, OBJECTS | FRAMES },
		{ "instances java.lang.String | select retained as x | count", false, OBJECTS },
		{ "histogram | count | format table", false, 0 },
	};
	size_t i;
	unsigned ran;

	(void)state;
	for (i = 0; i < NELEM(rows); i++) {
		ran = passes_of(rows[i].query, rows[i].table);
		if (ran != rows[i].ran)
			fail_msg("%s runs %#x, not %#x", rows[i].query, ran, rows[i].ran);
	}
}

static bool
offers(struct session *session, const char *query, const char *word)
{
	struct completion c;
	bool found = false;
	size_t i;

	completion_begin(&c, str_of(query), strlen(query), session);
	for (i = 0; i < c.n; i++) {
		if (strcmp(c.item[i].text, word) != 0)
			continue;
		assert_false(found);
		found = true;
	}
	completion_free(&c);
	return found;
}

static void
completion(void **state)
{
	struct session none = { .nstores = 0 };

	(void)state;
	assert_true(offers(&dump, "", "histogram") && !offers(&dump, "", "methods"));
	assert_true(offers(&trace, "", "methods") && !offers(&trace, "", "histogram"));
	assert_true(offers(&none, "", "methods") && offers(&none, "", "histogram"));
	assert_true(offers(&none, "", "threads"));
	assert_true(offers(&dump, "objects | ", "retained") && !offers(&dump, "objects | ", "callers"));
	assert_true(offers(&dump, "threads | sort ", "frames"));
	assert_false(offers(&dump, "threads | sort ", "wall"));
	assert_true(offers(&trace, "threads | sort ", "wall"));
	assert_true(offers(&dump, "bitmaps ", "RGB_565"));
	assert_true(offers(&dump, "bitmaps | png folder ", "ARGB_4444"));
	assert_false(offers(&dump, "bitmaps | png ", "ARGB_4444"));
	assert_false(offers(&trace, "threads | ", "png"));
}

/* No query may write files: the folder is not made. */
static void
sealed(void **state)
{
	(void)state;
	dump.sealed = true;
	check_fails(&dump, "objects | head 1 | png nowhere", "2@23 cannot write files here: read-only session");
	dump.sealed = false;
	assert_int_not_equal(access("nowhere", F_OK), 0);
	/* Without a bitmap there is nothing to write. */
	check(&dump, "objects | png nowhere", "object\tfile\tsize\tresult\n");
	assert_int_not_equal(access("nowhere", F_OK), 0);
}

/* ---- objects --------------------------------------------------------------------- */

static void
arguments(void **state)
{
	static const struct {
		const char	*word;
		uint32_t	 object;	/* 0: it is none */
	} cases[] = {
		{ "@1", 1 }, { "@19", 19 }, { "@0", 0 }, { "@20", 0 }, { "@", 0 }, { "@x", 0 },
		{ "@-1", 0 }, { "@4294967297", 0 }, { "@18446744073709551617", 0 }, { "@0x1", 0 },
		{ "0x3000", 16 }, { "0x3001", 0 }, { "0x9000", 0 }, { "0x", 0 }, { "0x5", 0 },
		{ "0xffffffffffffffff", 0 }, { "0x10000000000000000", 0 },
		{ "7", 7 }, { "12288", 16 }, { "12289", 0 }, { "0", 0 }, { "", 0 }, { "1k", 0 }
	};
	struct token token = { .kind = TOKEN_WORD };
	struct err err = { .at = ERR_NOWHERE };
	struct heap heap;
	uint32_t object;
	size_t i;

	(void)state;
	assert_true(heap_open(&heap, dump.store[0], REFS_SOFT, SIZES_VM, &err));
	for (i = 0; i < NELEM(cases); i++) {
		object = 0;
		token.text = str_of(cases[i].word);
		if (object_of_token(&heap, &token, &object, &err) !=
		    (cases[i].object != 0) || object != cases[i].object)
			fail_msg("'%s' is object %u", cases[i].word, object);
	}
	check(&dump, "objects @16, 0x3100 12800 | select id addr",
	    "id\taddr\n16\t0x3000\n17\t0x3100\n18\t0x3200\n");
	check(&dump, "objects com.example.* | select id", "id\n16\n17\n18\n19\n");
	check(&dump, "objects /^com.*User$/ /(^int)/ | select id", "id\n15\n16\n17\n18\n");
	check(&dump, "instances @6 | count", "count\n3\n");
	check(&dump, "classes @6 | instances | count", "count\n3\n");
	check_fails(&dump, "instances @16", "1@10 @16 is not a Class object");
	check_fails(&dump, "objects com.example.Usre",
	    "1@8 unknown class 'com.example.Usre'; did you mean 'com.example.User'?");
	check_fails(&dump, "objects @16 int[]", "2@8 mixes objects and classes; use one or the other");
}

static void
addresses(void **state)
{
	(void)state;
	check(&dump, "objects | where addr = 0x3000 | select id", "id\n16\n");
	check(&dump, "objects | where addr > 12543 and addr <= 0x3200 | select addr",
	    "addr\n0x3100\n0x3200\n");
	check(&dump, "objects | where addr in (0x3300, 0x3000) | select id", "id\n16\n19\n");
	check(&dump, "objects | sort -addr | head 1 | select addr", "addr\n0x3300\n");
	check(&dump, "objects | where id = @16 | select addr | format json", "{\"addr\":\"0x3000\"}\n");
}

/* The classes of the dump extend Object, but User, which extends Person. */
static void
classes(void **state)
{
	(void)state;
	check(&dump, "superclasses com.example.User | select name",
	    "name\ncom.example.Person\njava.lang.Object\n");
	check(&dump, "subclasses com.example.Person | select name", "name\ncom.example.User\n");
	check(&dump, "subclasses com.example.Person com.example.User | select name",
	    "name\ncom.example.User\n");
	check(&dump, "subclasses java.lang.Object | count", "count\n7\n");
	check(&dump, "objects @16 @19 | superclasses | select name",
	    "name\njava.lang.Object\ncom.example.Person\n");
	/* Two classes of the chain that extend each other. */
	check(&chain, "superclasses A | where name = java.lang.Object | count", "count\n0\n");
	check(&chain, "subclasses A B | count | where count > 2", "count\n");
}

/* ---- moves ----------------------------------------------------------------------- */

/* A list of LINKS objects of class Link, the first held by a root. */
static void
write_chain(struct buf *file)
{
	static const struct put_field link[] = { { "next", HEAP_OBJECT } };
	struct heap_writer w = HEAP_WRITER_INIT;
	uint64_t i;

	put_class(&w, 0x1000, "java/lang/Object", 0, 0, NULL, 0);
	put_class(&w, 0x1100, "java/lang/Class", 0x1000, 0, NULL, 0);
	put_class(&w, 0x1200, "Link", 0x1000, 0, link, NELEM(link));
	put_class(&w, 0x1300, "A", 0x1400, 0, NULL, 0);
	put_class(&w, 0x1400, "B", 0x1300, 0, NULL, 0);
	for (i = 1; i <= LINKS; i++) {
		put_instance(&w, 0x10000 + 16 * i, 0x1200, 8);
		put(&w.body, i < LINKS ? 0x10000 + 16 * (i + 1) : 0, 8);
	}
	put_root(&w, ROOT_STICKY_CLASS, 0x1200);
	put_root(&w, ROOT_JNI_GLOBAL, 0x10010);
	put_file(&w, file);
}

static bool
open_chain(struct store **st, struct err *err)
{
	struct store_options options = { .memory_only = true };
	int fd = memfd_create("chain", 0);
	struct buf file = BUF_INIT;
	char path[40];
	bool ok;

	write_chain(&file);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	ok = fd_write_all(fd, file.s, file.n, err) && load_open(st, path, &options, NULL, err);
	buf_free(&file);
	close(fd);
	return ok;
}

/* The links are the objects 6 to LINKS + 5: each is dominated by the one before. */
static void
moves(void **state)
{
	(void)state;
	check(&chain, "retained @6 | count", "count\n100000\n");
	check(&chain, "retained @100005 | select id", "id\n100005\n");
	check(&chain, "dominator @100005 all | count", "count\n99999\n");
	check(&chain, "dominator @100005 | select id", "id\n100004\n");
	check(&chain, "dominator @6 all | count", "count\n0\n");
	check(&chain, "dominated @6 | select id dominator", "id\tdominator\n7\t6\n");
	/* Each once, from whichever end one comes. */
	check(&chain, "instances Link | retained | count", "count\n100000\n");
	check(&chain, "instances Link | sort -id | retained | count", "count\n100000\n");
	check(&chain, "instances Link | dominator all | count", "count\n99999\n");
	check(&chain, "instances Link | dominated | count", "count\n99999\n");
	check(&chain, "objects @7 @7 | retained | tail 1 | select id", "id\n100005\n");
	check(&chain, "dominators | where object = @6 | retained | sum shallow | where sum_shallow > 0 | count",
	    "count\n1\n");
	/* Nothing holds these classes. */
	check(&chain, "classes A | select id | retained | count", "count\n0\n");
	/* Empty cells and other numbers are not objects. */
	check(&chain, "dominators | select dominator as id | retained | count", "count\n0\n");
}

TOOL(unit, kinds)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(readiness),
		cmocka_unit_test(passes_of_columns),
		cmocka_unit_test(completion),
		cmocka_unit_test(sealed),
		cmocka_unit_test(arguments),
		cmocka_unit_test(addresses),
		cmocka_unit_test(classes),
		cmocka_unit_test(moves),
	};
	struct err err;
	int failed;

	trace_open(&trace);
	if (!dump_open(&dump.store[0], &err) || !open_chain(&chain.store[0], &err)) {
		print_error("%s\n", err.text);
		return 1;
	}
	dump.nstores = chain.nstores = 1;
	failed = cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
	trace_close(&trace);
	store_close(dump.store[0]);
	store_close(chain.store[0]);
	return failed;
}
