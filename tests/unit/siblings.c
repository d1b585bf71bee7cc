/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * siblings: very many objects below one, by falling retained size, held against all of them sorted; and stopped in between.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_dominators.h"
#include "asks.h"
#include "chance.h"
#include "check.h"
#include "folder.h"
#include "heaps.h"

enum { OBJECT = 0x1000, ARRAY = 0x1020, HOLDER = 0x1030, BROAD = 0x8000, FIRST = 0x100000, STEP = 0x200, MANY = 30000 };

static char *folder;
static struct store *st;
static struct heap heap;
static struct session session;
static uint32_t parent, *naive, nnaive;

static void
write_dump(struct heap_writer *w)
{
	const struct put_field broad = { "broad", HEAP_OBJECT, true, BROAD };
	uint32_t length;

	put_class(w, OBJECT, "java/lang/Object", 0, 0, NULL, 0);
	put_class(w, ARRAY, "[Ljava/lang/Object;", OBJECT, 0, NULL, 0);
	put_class(w, HOLDER, "t/Holder", OBJECT, 0, &broad, 1);
	put_objects(w, BROAD, ARRAY, MANY);
	for (uint64_t i = 0; i < MANY; i++)
		put(&w->body, FIRST + i * STEP, 8);
	for (uint64_t i = 0; i < MANY; i++) {
		/* Many are of one size, and few of many sizes. */
		length = below(3) == 0 ? 16 : below(400);
		put_prims(w, FIRST + i * STEP, HEAP_BYTE, length);
		for (uint32_t k = 0; k < length; k++)
			put(&w->body, 0, 1);
	}
	put_root(w, ROOT_STICKY_CLASS, HOLDER);
}

static int
by_size(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t v = heap_retained(&heap, x), w = heap_retained(&heap, y);

	if (v != w)
		return v > w ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int
set_up(void **state)
{
	static const struct store_options options = { .memory_only = true };
	struct heap_writer w = HEAP_WRITER_INIT;
	struct buf file = BUF_INIT;
	struct err err = { .kind = E_NONE };
	char *path;

	(void)state;
	write_dump(&w);
	put_file(&w, &file);
	folder = folder_make();
	path = folder_path(folder, "broad.hprof");
	folder_write(path, file.s, file.n);
	buf_free(&file);
	if (!load_open(&st, path, &options, NULL, &err) || !pass_want(st, col_choice(COL_EACH_CHILDREN, 0), NULL, &err) ||
	    !heap_open(&heap, st, REFS_SOFT, SIZES_VM, &err))
		print_error("%s\n", err.text);
	free(path);
	if (err.kind != E_NONE)
		return err.kind;
	session = (struct session){ .store = { st }, .nstores = 1 };
	parent = heap_find(&heap, BROAD);
	naive = calloc(heap.objects, sizeof *naive);
	for (uint32_t i = 1; i <= heap.objects; i++)
		if (heap_dominator(&heap, i) == parent)
			naive[nnaive++] = i;
	qsort(naive, nnaive, sizeof *naive, by_size);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	store_close(st);
	free(naive);
	folder_remove(folder);
	return 0;
}

static void
in_order(void **state)
{
	struct siblings s = { .n = 0 };
	struct err err;
	uint64_t at;

	(void)state;
	assert_true(nnaive >= MANY);
	/* The last one, some anywhere, then all; and the same once more. */
	for (int round = 0; round < 2; round++) {
		assert_true(siblings_open(&s, &heap, parent, NULL, &err));
		assert_int_equal(s.n, nnaive);
		assert_int_equal(siblings_at(&s, &heap, nnaive - 1), naive[nnaive - 1]);
		for (int i = 0; i < 100; i++) {
			at = below(nnaive);
			assert_int_equal(siblings_at(&s, &heap, at), naive[at]);
			assert_int_equal(siblings_place(&s, &heap, naive[at]), at);
		}
		for (at = 0; at < nnaive; at++)
			assert_int_equal(siblings_at(&s, &heap, at), naive[at]);
	}
	siblings_close(&s);
}

/* Long work can be stopped, and then continues as if nothing had happened. */
static void
stopped(void **state)
{
	struct siblings s = { .n = 0 };
	struct work work;
	struct err err;

	(void)state;
	work_init(&work, NULL);
	atomic_store(&work.cancel, true);
	assert_false(siblings_open(&s, &heap, parent, &work, &err));
	assert_int_equal(err.kind, E_CANCEL);
	assert_true(siblings_open(&s, &heap, parent, NULL, &err));
	for (int i = 0; i < 3; i++) {
		assert_false(siblings_sort(&s, &heap, nnaive - 1, &work, &err));
		assert_int_equal(err.kind, E_CANCEL);
	}
	atomic_store(&work.cancel, false);
	for (uint64_t i = nnaive; i-- > 0;) {
		assert_true(siblings_sort(&s, &heap, i, &work, &err));
		assert_int_equal(s.object[i], naive[i]);
	}
	siblings_close(&s);
}

/* The last rows of a query: a cell that is asked for when it was cancelled. */
static void
query_stopped(void **state)
{
	char text[64];
	struct rows *r;
	struct query *q;
	struct work work;
	struct cell c;
	struct err err;

	(void)state;
	work_init(&work, NULL);
	snprintf(text, sizeof text, "dominators @%u | tail 3", parent);
	assert_true(query_parse(&q, str_of(text), &err) && query_prepare(q, &session, NULL, &err));
	assert_true(query_open(q, &session, &r, &err));
	rows_set_work(r, &work);
	assert_int_equal(rows_reach(r, ROWS_ALL), 3);
	assert_null(rows_error(r));
	atomic_store(&work.cancel, true);
	rows_cell(r, 2, 0, &c);
	assert_non_null(rows_error(r));
	assert_int_equal(rows_error(r)->kind, E_CANCEL);
	rows_close(r);
	query_free(q);
}

static uint64_t
reach_two(struct rows *r, uint64_t n)
{
	(void)r;
	return n < 2 ? n : 2;
}

static void
second_fails(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	(void)col;
	c->type = CELL_COUNT;
	c->u = row;
	if (row == 1)
		fail_cancel(&r->err);
}

/* A row that fails while it is printed is not reported. */
static void
not_printed(void **state)
{
	static const struct rows_ops ops = { .reach = reach_two, .cell = second_fails };
	static const struct coldef col = { "n", CELL_COUNT, "number", false };
	char *out = NULL;
	size_t size;
	FILE *file = open_memstream(&out, &size);
	struct err err;
	struct rows *r = rows_new(sizeof *r, &ops, &session, NULL, &err);
	uint64_t n;

	(void)state;
	r->cols = &col;
	r->ncols = 1;
	assert_false(rows_print(r, FORMAT_TSV, 0, file, &n, &err));
	assert_int_equal(err.kind, E_CANCEL);
	fclose(file);
	assert_string_equal(out, "n\n0\n");
	free(out);
	rows_close(r);
}

TOOL(unit, siblings)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order),
		cmocka_unit_test(stopped),
		cmocka_unit_test(query_stopped),
		cmocka_unit_test(not_printed),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
