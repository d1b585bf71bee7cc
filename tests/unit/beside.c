/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * beside: passes side by side and in ranges make what one thread makes, in the same order, also after they were cancelled.
 */
#include "config.h"

#include <pthread.h>

#include "chance.h"
#include "check.h"
#include "folder.h"
#include "heaps.h"

#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "icecore/columns_reach.h"
#include "icecore/columns_trace.h"
#include "icecore/pass.h"

#define NODES 200000u		/* several ranges */
#define CLASSES 40u
#define LOADERS 5u
#define ROUNDS 12u		/* that are cancelled */

enum { OBJECT = 0x1000, CLASS = 0x1010, STRING = 0x1020, BYTES = 0x1030, LOADER = 0x1040, KIND = 0x2000 };

static char *folder, *path;

static uint64_t
node(uint32_t i)
{
	return 0x100000 + UINT64_C(64) * i;
}

/* Chains, some of them long, and references to anywhere; nodes of a class, and of a loader, dominate others of it. */
static void
write_nodes(struct heap_writer *w)
{
	for (uint32_t i = 0; i < NODES; i++) {
		put_instance(w, node(i), i < LOADERS ? LOADER : KIND + 16 * (i / 7 % 3 == 0 ? below(CLASSES) : i / 5000), 16);
		put(&w->body, i + 1 < NODES && below(1000) != 0 ? node(i + 1) : 0, 8);
		put(&w->body, below(4) == 0 ? node(below(NODES)) : 0, 8);
	}
	for (uint32_t i = 0; i < 1000; i++) {
		put_prims(w, 0x80000 + 64 * i, HEAP_BYTE, 4);
		put(&w->body, i % 10, 4);
		put_instance(w, 0x40000 + 64 * i, STRING, 9);
		put(&w->body, 0x80000 + 64 * i, 8);
		put(&w->body, 0, 1);
		put_root(w, ROOT_UNKNOWN, 0x40000 + 64 * i);
	}
	for (uint32_t i = 0; i < 300; i++)
		put_root(w, ROOT_UNKNOWN, node(below(NODES)));
	put_root(w, ROOT_UNKNOWN, node(0));
}

static int
set_up(void **state)
{
	static const struct put_field value[] = { { "value", HEAP_OBJECT, false, 0 }, { "coder", HEAP_BYTE, false, 0 } };
	static const struct put_field ways[] = { { "next", HEAP_OBJECT, false, 0 }, { "other", HEAP_OBJECT, false, 0 } };
	struct heap_writer w = HEAP_WRITER_INIT;
	struct buf file = BUF_INIT;
	char name[32];

	(void)state;
	put_class(&w, OBJECT, "java/lang/Object", 0, 0, NULL, 0);
	put_class(&w, CLASS, "java/lang/Class", OBJECT, 0, NULL, 0);
	put_class(&w, STRING, "java/lang/String", OBJECT, 0, value, NELEM(value));
	put_class(&w, BYTES, "[B", OBJECT, 0, NULL, 0);
	put_class(&w, LOADER, "java/lang/ClassLoader", OBJECT, 0, ways, NELEM(ways));
	for (unsigned i = 0; i < CLASSES; i++) {
		snprintf(name, sizeof name, "t/Kind%u", i);
		put_class(&w, KIND + 16 * i, name, OBJECT, i % 2 == 0 ? node(i % LOADERS) : 0, ways, NELEM(ways));
	}
	write_nodes(&w);
	put_file(&w, &file);
	folder = folder_make();
	path = folder_path(folder, "nodes.hprof");
	folder_write(path, file.s, file.n);
	buf_free(&file);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	pool_jobs(1);
	folder_remove(folder);
	free(path);
	return 0;
}

static struct store *
opened(void)
{
	static const struct store_options options = { .memory_only = true };
	struct err err = { .kind = E_NONE };
	struct store *st;

	if (!load_open(&st, path, &options, NULL, &err))
		fail_msg("%s", err.text);
	return st;
}

static bool
make(struct store *st, unsigned jobs, struct work *w, struct err *err)
{
	const column_id now[] = { heap_col(COL_EACH_CHILDREN, REFS_ALL, SIZES_VM), COL_IN_LEN, COL_REACH_OBJECT,
	    heap_col(COL_EACH_DUP_OBJECT, REFS_ALL, SIZES_VM) };
	const column_id later[] = { COL_ROOT_FRAME, heap_col(COL_EACH_CHILDREN, REFS_STRONG, SIZES_MAT) };

	pool_jobs(jobs);
	return passes_want(st, now, NELEM(now), later, NELEM(later), w, err) && passes_want(st, later, NELEM(later), NULL, 0, w, err);
}

static void
same_columns(const struct store *a, const struct store *b)
{
	const struct column *x, *y;

	for (column_id col = COL_NONE + 1; col < COL_COUNT; col++) {
		x = col_is_family(col) ? NULL : store_column(a, col);
		y = col_is_family(col) ? NULL : store_column(b, col);
		if ((x == NULL) != (y == NULL))
			fail_msg("%s is made once only", column_names[col]);
		if (x == NULL)
			continue;
		assert_int_equal(x->type, y->type);
		assert_int_equal(x->rows, y->rows);
		if (x->rows > 0 && memcmp(column_all(x), column_all(y), x->rows * column_width(x->type)) != 0)
			fail_msg("%s differs", column_names[col]);
	}
}

static void
same_facts(const struct store *a, const struct store *b)
{
	struct fact x, y;

	assert_int_equal(store_nfacts(a), store_nfacts(b));
	for (size_t i = 0; store_fact_at(a, i, &x); i++) {
		assert_true(store_fact_at(b, i, &y));
		assert_string_equal(x.name, y.name);
		assert_int_equal(x.value, y.value);
		assert_true(x.text.n == y.text.n && memcmp(x.text.s, y.text.s, x.text.n) == 0);
	}
}

static void
as_with_one(void **state)
{
	struct store *one = opened(), *st;
	struct err err;

	(void)state;
	assert_true(make(one, 1, NULL, &err));
	for (unsigned jobs = 2; jobs <= 7; jobs += 5) {
		st = opened();
		if (!make(st, jobs, NULL, &err))
			fail_msg("%s", err.text);
		same_columns(one, st);
		same_facts(one, st);
		store_close(st);
	}
	store_close(one);
}

struct killer {
	struct work	*work;
	uint64_t	 after;		/* ns */
	atomic_bool	 stop;
};

static void *
cancel_later(void *arg)
{
	struct killer *k = arg;
	uint64_t end = os_now() + k->after;

	while (os_now() < end && !atomic_load(&k->stop))
		;
	atomic_store(&k->work->cancel, true);
	return NULL;
}

/* Wherever it is by then: it ends with that error or with all of it, and what it lacks can be made afterwards. */
static void
cancelled(void **state)
{
	struct store *one = opened(), *st;
	struct killer k;
	struct work w;
	struct err err;
	pthread_t thread;

	(void)state;
	assert_true(make(one, 1, NULL, &err));
	for (unsigned i = 0; i < ROUNDS; i++) {
		st = opened();
		work_init(&w, NULL);
		k = (struct killer){ .work = &w, .after = UINT64_C(100000) * below(4000) * (i > 0) };
		assert_int_equal(pthread_create(&thread, NULL, cancel_later, &k), 0);
		if (!make(st, 2 + i % 3, &w, &err))
			assert_int_equal(err.kind, E_CANCEL);
		atomic_store(&k.stop, true);
		pthread_join(thread, NULL);
		if (!make(st, 2 + i % 3, NULL, &err))
			fail_msg("%s", err.text);
		same_columns(one, st);
		store_close(st);
	}
	store_close(one);
}

/* A pass of a later column that cannot be made fails nothing now. */
static void
later_fails(void **state)
{
	const column_id now[] = { COL_IN_LEN }, later[] = { COL_CALL_METHOD };
	struct store *st = opened();
	struct err err;

	(void)state;
	pool_jobs(3);
	assert_true(passes_want(st, now, 1, later, 1, NULL, &err));
	assert_non_null(store_column(st, COL_IN_LEN));
	assert_false(passes_want(st, later, 1, NULL, 0, NULL, &err));
	assert_int_equal(err.kind, E_USAGE);
	store_close(st);
}

TOOL(unit, beside)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_with_one),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(later_fails)
	};

	return cmocka_run_group_tests_name("beside", tests, set_up, tear_down);
}
