/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store: columns and facts, and where their index lies.
 */
#include "config.h"

#include <pthread.h>
#include <sys/wait.h>

#include "icecore/columns_trace.h"
#include "stores.h"

/* ---- columns and facts ------------------------------------------------------------ */

static void
columns(void **state)
{
	struct store *st = opened();
	uint64_t values[3] = { 1, 70000, 5 };
	double *reals;
	struct err e;
	struct fact f;

	(void)state;
	assert_string_equal(store_path(st), source);
	assert_string_equal(store_index_path(st), indexed);
	assert_string_equal(store_note(st), "");
	make(st, T_X_ONE, 10, 1);
	assert_null(store_column(st, T_X_ONE));
	assert_null(store_make(st, T_X_ONE, COL_U8, 1, &e));
	store_publish(st);
	assert_int_equal(store_column(st, T_X_ONE)->rows, 10);
	assert_null(store_make(st, T_X_ONE, COL_U8, 1, &e));
	assert_int_equal(e.kind, E_SYSTEM);
	assert_null(store_make(st, T_X_HUGE, COL_U64, UINT64_MAX / 4, &e));
	assert_null(store_make(st, T_X_HUGE, COL_U64, UINT64_MAX / 64, &e));
	assert_non_null(store_make(st, T_X_NONE, COL_U64, 0, &e));
	assert_true(store_pack(st, T_X_PACK, values, 3, &e));
	reals = store_make(st, T_REAL, COL_F64, 2, &e);
	reals[1] = 1.5;
	assert_true(store_fact(st, "n", FACT_COUNT, 1, &e));
	assert_true(store_fact(st, "n", FACT_COUNT, 2, &e));
	assert_false(store_fact(st, "bad\x1b", FACT_COUNT, 2, &e));
	assert_int_equal(store_nfacts(st), 0);
	assert_int_equal(store_fact_get(st, "n"), 2);
	store_publish(st);
	assert_true(store_fact_at(st, 0, &f));
	assert_false(store_fact_at(st, 1, &f));
	assert_string_equal(f.name, "n");
	assert_int_equal(f.value, 2);
	assert_int_equal(store_column(st, T_X_NONE)->rows, 0);
	assert_int_equal(store_column(st, T_X_PACK)->type, COL_U32);
	assert_int_equal(column_get(store_column(st, T_X_PACK), 1), 70000);
	assert_true(column_real(store_column(st, T_REAL), 1) == 1.5);
	assert_true(column_real(store_column(st, T_REAL), 2) == 0);
	assert_true(column_real(store_column(st, T_X_PACK), 1) == 0 && column_real(NULL, 0) == 0);
	assert_int_equal(column_fit(255), COL_U8);
	assert_int_equal(column_fit(256), COL_U16);
	assert_int_equal(column_fit(UINT64_MAX), COL_U64);
	store_close(st);
	assert_int_equal(access(indexed, F_OK), -1);
}

static void
dropped(void **state)
{
	struct store *st = opened();
	struct err e;
	uint32_t *v;

	(void)state;
	make(st, T_KEEP, BIG, 1);
	store_publish(st);
	make(st, T_DROP_ONE, BIG, 2);
	make(st, T_DROP_TWO, 10, 2);
	assert_true(store_fact(st, "gone", FACT_COUNT, 1, &e));
	store_discard(st);
	assert_null(store_column(st, T_DROP_ONE));
	assert_int_equal(store_fact_get(st, "gone"), 0);
	/* make() checks that what comes in its place is zero. */
	make(st, T_DROP_ONE, BIG, 3);
	v = store_make(st, T_TRIMMED, COL_U32, BIG, &e);
	memset(v, 0xff, BIG * sizeof *v);
	store_trim(st, T_TRIMMED, 3);
	make(st, T_AFTER, BIG, 5);
	v = store_make(st, T_INNER, COL_U32, BIG, &e);
	v[BIG / 2] = 77;
	make(st, T_LAST, BIG, 6);
	store_trim(st, T_INNER, BIG / 2 + 1);
	save(st);
	store_close(st);
	st = opened();
	assert_int_equal(store_fact_get(st, "gone"), 0);
	assert_int_equal(column_get(store_column(st, T_KEEP), BIG - 1), BIG - 1);
	assert_int_equal(column_get(store_column(st, T_AFTER), 9), 45);
	assert_int_equal(column_get(store_column(st, T_LAST), BIG - 1), (BIG - 1) * 6);
	assert_int_equal(store_column(st, T_INNER)->rows, BIG / 2 + 1);
	assert_int_equal(column_get(store_column(st, T_INNER), BIG / 2), 77);
	assert_int_equal(column_get(store_column(st, T_TRIMMED), 2), UINT32_MAX);
	assert_int_equal(store_column(st, T_TRIMMED)->rows, 3);
	assert_null(store_column(st, T_DROP_TWO));
	store_close(st);
}

static void
texts(void **state)
{
	struct store *st = opened();

	(void)state;
	assert_true(str_eq(store_text(st, ref_make(26, 3)), STR("abc")));
	assert_int_equal(store_text(st, 0).n, 0);
	assert_int_equal(store_text(st, ref_make(4999, 1)).n, 1);
	assert_int_equal(store_text(st, ref_make(4999, 2)).n, 0);
	assert_int_equal(store_text(st, ref_make(5001, 1)).n, 0);
	assert_int_equal(store_text(st, UINT64_MAX).n, 0);
	assert_int_equal(ref_make(1ull << 40, 5), 0);
	assert_true(ref_make(1, UINT64_MAX) == (1ull << 24 | REF_MAX));
	store_close(st);
}

static void *
read_along(void *arg)
{
	const struct store *st = arg;
	const struct column *c;
	struct fact f;
	unsigned i;

	for (i = 0; i < 200; i++) {
		while ((c = store_column(st, numbered(i))) == NULL)
			(void)store_fact_at(st, 0, &f);
		if (column_get(c, 99) != 99u * i ||
		    store_fact_get(st, "seen") < i)
			return arg;
	}
	return NULL;
}

/* One thread makes, another reads: only what was published, and then all of it. */
static void
threads(void **state)
{
	struct store *st = opened();
	pthread_t reader;
	void *bad;
	struct err e;
	unsigned i;

	(void)state;
	assert_int_equal(pthread_create(&reader, NULL, read_along, st), 0);
	for (i = 0; i < 200; i++) {
		make(st, numbered(i), 100, i);
		assert_true(store_fact(st, "seen", FACT_COUNT, i, &e));
		store_publish(st);
		if (i % 50 == 0)
			save(st);
	}
	assert_int_equal(pthread_join(reader, &bad), 0);
	assert_null(bad);
	store_close(st);
}

/* ---- where it lies ---------------------------------------------------------------- */

static void
places(void **state)
{
	char *dir = folder_path(folder, "made/for/it"), *text;
	struct store_options o = { .dir = dir };
	struct store *st;
	struct err e;

	(void)state;
	assert_true(store_open(&st, source, &o, &e));
	text = store_unpacked_path(st, false);
	assert_non_null(strstr(text, "made/for/it/app.trace.icx.raw"));
	free(text);
	make(st, T_A, BIG, 1);
	save(st);
	assert_non_null(strstr(store_index_path(st), "made/for/it/app.trace.icx"));
	store_close(st);
	assert_true(store_open(&st, source, &o, &e));
	assert_non_null(store_column(st, T_A));
	store_close(st);
	free(dir);

	/* An invalid place is reported, and costs nothing but the index. */
	o.dir = "/dev/null/x";
	assert_true(store_open(&st, source, &o, &e));
	make(st, T_A, BIG, 1);
	save(st);
	assert_string_equal(store_index_path(st), "");
	assert_non_null(strstr(store_note(st), "off: /dev/null/x"));
	store_close(st);

	o = (struct store_options){ .memory_only = true };
	assert_true(store_open(&st, source, &o, &e));
	make(st, T_A, BIG, 1);
	save(st);
	assert_string_equal(store_index_path(st), "");
	assert_string_not_equal(store_note(st), "");
	assert_null(store_unpacked_path(st, false));
	assert_int_equal(column_get(store_column(st, T_A), 9), 9);
	store_close(st);
	assert_int_equal(access(indexed, F_OK), -1);

	assert_false(store_open(&st, "/nonexistent", NULL, &e));
	assert_int_equal(e.kind, E_SYSTEM);
	assert_int_equal(e.reason, REASON_NO_FILE);
}

/* Opens a dump of a file, checks where its index lies and which column it has, and adds one. */
static void
use_dump(const char *path, unsigned dump, const char *end, column_id has, column_id lacks)
{
	struct store_options o = { .dump = dump };
	struct store *st;
	struct err e;
	char *raw;

	assert_true(store_open(&st, path, &o, &e));
	assert_int_equal(store_dump(st), dump);
	assert_string_equal(store_index_path(st) + strlen(folder), end);
	if (has != COL_NONE)
		assert_int_equal(store_column(st, has)->rows, BIG);
	assert_null(store_column(st, lacks));
	raw = store_unpacked_path(st, false);
	assert_string_equal(raw + strlen(path), ".icx.raw");
	free(raw);
	if (has == COL_NONE) {
		make(st, dump == 1 ? T_FIRST : T_OTHER, BIG, dump);
		save(st);
	}
	store_close(st);
}

/* Each dump of a file has its own index, and what is unpacked is for all of them. */
static void
dumps(void **state)
{
	char *clash = folder_path(folder, "app.trace.2");
	struct store_options o = { .dir = NULL };
	struct store *st;
	struct err e;

	(void)state;
	use_dump(source, 2, "/app.trace.2.icx", COL_NONE, T_FIRST);
	use_dump(source, 1, "/app.trace.icx", COL_NONE, T_OTHER);
	use_dump(source, 2, "/app.trace.2.icx", T_OTHER, T_FIRST);
	use_dump(source, 1, "/app.trace.icx", T_FIRST, T_OTHER);
	use_dump(source, UINT_MAX, "/app.trace.4294967295.icx", COL_NONE, T_OTHER);

	/* The first dump of the same file under another name, whose index has the name of one of the others. */
	assert_int_equal(link(source, clash), 0);
	use_dump(clash, 1, "/app.trace.2.icx", COL_NONE, T_OTHER);
	use_dump(source, 2, "/app.trace.2.icx", COL_NONE, T_FIRST);
	free(clash);

	/* Without a number it is the first. */
	assert_true(store_open(&st, source, &o, &e));
	assert_int_equal(store_dump(st), 1);
	assert_non_null(store_column(st, T_FIRST));
	store_close(st);
}

/* In a child, so that it can be somebody who may not write there. */
static int
use_cache(void)
{
	struct store *st;
	struct err e;

	if (geteuid() == 0 && setuid(65534) < 0)
		return 1;
	if (!store_open(&st, source, NULL, &e))
		return 2;
	if (strncmp(store_index_path(st), cache, strlen(cache)) != 0)
		return 3;
	if (store_make(st, T_A, COL_U64, BIG, &e) == NULL)
		return 4;
	store_publish(st);
	if (!store_save(st, &e))
		return 5;
	store_close(st);
	if (!store_open(&st, source, NULL, &e) ||
	    store_column(st, T_A) == NULL)
		return 6;
	store_close(st);
	/* Without a cache either, there is a note and no error. */
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	if (!store_open(&st, source, NULL, &e) ||
	    store_make(st, T_B, COL_U64, BIG, &e) == NULL)
		return 7;
	store_publish(st);
	if (!store_save(st, &e) || store_note(st)[0] == '\0')
		return 8;
	store_close(st);
	return 0;
}

static void
read_only_folder(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(mkdir(cache, 0700), 0);
	assert_int_equal(chmod(cache, 0777), 0);
	assert_int_equal(chmod(source, 0644), 0);
	assert_int_equal(chmod(folder, 0555), 0);
	pid = fork();
	if (pid == 0)
		_exit(use_cache());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(chmod(folder, 0700), 0);
	assert_int_equal(status, 0);
	assert_int_equal(access(indexed, F_OK), -1);
}

/* Where nothing may be written beside, the cache gets what is new, and is what is read from then on. */
static void
cache_counts(void **state)
{
	struct store_options o = { .read_only = true };
	struct store *st = opened();
	struct err e;
	uint64_t at;
	int fd;

	(void)state;
	make(st, T_A, BIG, 1);
	save(st);
	store_close(st);
	assert_true(store_open(&st, source, &o, &e));
	assert_string_equal(store_index_path(st), indexed);
	check(st, T_A, BIG, 1);
	make(st, T_B, BIG, 2);
	save(st);
	store_close(st);
	assert_true(store_open(&st, source, &o, &e));
	assert_memory_equal(store_index_path(st), cache, strlen(cache));
	check(st, T_A, BIG, 1);
	check(st, T_B, BIG, 2);
	store_close(st);
	st = opened();
	assert_string_equal(store_index_path(st), indexed);
	assert_null(store_column(st, T_B));
	store_close(st);

	/* Damage of one that is not needed is nothing to tell. */
	fd = open(indexed, O_WRONLY);
	assert_int_equal(pwrite(fd, "x", 1, 80), 1);
	close(fd);
	st = opened();
	check(st, T_B, BIG, 2);
	assert_false(store_damage(st, &at));
	store_close(st);
}

/* ---- one over another --------------------------------------------------------------- */

static const column_id masked[] = { COL_CALL_SIZE, COL_CALL_PARENT, COL_METHOD_SELF_WALL, COL_NONE };

static void
over(void **state)
{
	struct store *st = opened(), *mid, *top;
	struct err e;

	(void)state;
	make(st, COL_CALL_SIZE, 10, 1);
	make(st, COL_METHOD_SELF_WALL, 10, 1);
	make(st, COL_METHOD_RAW, 10, 1);
	make(st, COL_LISTED_NAME, 10, 1);
	store_publish(st);
	assert_true(store_over(&mid, st, NULL, &e));
	assert_true(store_over(&top, mid, masked, &e));
	assert_null(store_below(st));
	assert_ptr_equal(store_below(top), mid);
	assert_ptr_equal(store_source(top), store_source(st));
	assert_string_equal(store_path(top), store_path(st));
	/* Columns that are not masked are looked up in the stores below, at any depth. */
	assert_ptr_equal(store_column(top, COL_METHOD_RAW), store_column(st, COL_METHOD_RAW));
	assert_null(store_column(top, COL_CALL_SIZE));
	assert_null(store_column(top, COL_METHOD_SELF_WALL));
	assert_non_null(store_column(mid, COL_CALL_SIZE));
	assert_ptr_equal(store_of(top, COL_CALL_SIZE), top);
	assert_ptr_equal(store_of(top, COL_CALL_PARENT), top);
	assert_ptr_equal(store_of(top, COL_METHOD_RAW), st);
	assert_ptr_equal(store_of(top, COL_CALL_DEPTH), st);
	/* A column of its own counts once it is published, and only for it and what lies over it. */
	make(mid, COL_METHOD_RAW, 3, 2);
	make(top, COL_CALL_SIZE, 4, 3);
	assert_int_equal(store_column(top, COL_METHOD_RAW)->rows, 10);
	assert_null(store_column(top, COL_CALL_SIZE));
	store_publish(mid);
	store_publish(top);
	assert_int_equal(store_column(top, COL_METHOD_RAW)->rows, 3);
	assert_int_equal(store_column(st, COL_METHOD_RAW)->rows, 10);
	assert_int_equal(store_column(top, COL_CALL_SIZE)->rows, 4);
	assert_int_equal(store_column(mid, COL_CALL_SIZE)->rows, 10);
	assert_ptr_equal(store_of(top, COL_METHOD_RAW), mid);
	make(top, T_DROPPED, 4, 3);
	store_discard(top);
	assert_null(store_column(top, T_DROPPED));
	store_close(top);
	store_close(mid);
	/* It is not kept, but data below it can be. */
	assert_int_equal(store_column(st, COL_METHOD_RAW)->rows, 10);
	store_close(st);
}

static void
facts_over(void **state)
{
	struct store *st = opened(), *top;
	struct fact f;
	struct err e;

	(void)state;
	assert_true(store_fact(st, "one", FACT_COUNT, 1, &e));
	assert_true(store_fact(st, "two", FACT_COUNT, 2, &e));
	store_publish(st);
	assert_true(store_over(&top, st, NULL, &e));
	assert_true(store_fact(top, "two", FACT_COUNT, 20, &e));
	assert_true(store_fact(top, "three", FACT_COUNT, 30, &e));
	assert_int_equal(store_nfacts(top), 2);
	store_publish(top);
	assert_int_equal(store_nfacts(top), 3);
	assert_int_equal(store_nfacts(st), 2);
	assert_int_equal(store_fact_get(top, "one"), 1);
	assert_int_equal(store_fact_get(top, "two"), 20);
	assert_int_equal(store_fact_get(st, "two"), 2);
	assert_int_equal(store_fact_get(st, "three"), 0);
	/* In the order they were set below, then those that are new. */
	assert_true(store_fact_at(top, 0, &f));
	assert_string_equal(f.name, "one");
	assert_true(store_fact_at(top, 1, &f));
	assert_string_equal(f.name, "two");
	assert_int_equal(f.value, 20);
	assert_true(store_fact_at(top, 2, &f));
	assert_string_equal(f.name, "three");
	assert_false(store_fact_at(top, 3, &f));
	/* A loss is one wherever it was found. */
	assert_false(store_damaged(top));
	assert_true(store_fact(top, "loss.x", FACT_COUNT, 1, &e));
	store_publish(top);
	assert_true(store_damaged(top));
	assert_false(store_damaged(st));
	store_close(top);
	store_close(st);
}

static void
text_over(void **state)
{
	struct store *st = opened(), *mid, *top;
	struct str a = STR("first"), b = STR("second");
	uint64_t ref_a, ref_b;
	struct err e;

	(void)state;
	assert_true(store_over(&mid, st, NULL, &e));
	ref_a = ref_make(store_own_at(mid), a.n);
	store_own_text(mid, a);
	assert_true(store_over(&top, mid, NULL, &e));
	ref_b = ref_make(store_own_at(top) + 1, b.n - 1);
	store_own_text(top, b);
	assert_true(str_eq(store_text(mid, ref_a), a));
	assert_true(str_eq(store_text(top, ref_a), a));
	assert_true(str_eq(store_text(top, ref_b), STR("econd")));
	assert_int_equal(store_text(mid, ref_b).n, 0);
	assert_int_equal(store_text(st, ref_a).n, 0);
	assert_int_equal(store_text(top, ref_make(store_own_at(top), b.n + 1)).n, 0);
	store_close(top);
	store_close(mid);
	store_close(st);
}

static void
saved_below(void **state)
{
	struct store *st = opened(), *top;
	struct err e;

	(void)state;
	assert_true(store_over(&top, st, NULL, &e));
	make(st, T_BELOW, BIG, 1);
	make(top, T_ABOVE, BIG, 2);
	store_publish(st);
	store_publish(top);
	assert_true(store_save(top, &e));
	store_close(top);
	store_close(st);
	st = opened();
	assert_non_null(store_column(st, T_BELOW));
	assert_null(store_column(st, T_ABOVE));
	store_close(st);
}

TOOL(unit, store)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(columns, begin),
		cmocka_unit_test_setup(dropped, begin),
		cmocka_unit_test_setup(texts, begin),
		cmocka_unit_test_setup(threads, begin),
		cmocka_unit_test_setup(places, begin),
		cmocka_unit_test_setup(dumps, begin),
		cmocka_unit_test_setup(read_only_folder, begin),
		cmocka_unit_test_setup(cache_counts, begin),
		cmocka_unit_test_setup(over, begin),
		cmocka_unit_test_setup(facts_over, begin),
		cmocka_unit_test_setup(text_over, begin),
		cmocka_unit_test_setup(saved_below, begin),
	};

	return stores_run("store", tests);
}
