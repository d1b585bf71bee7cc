/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dominators: those of the program against an iteration in the test, on random
 * graphs and on shapes that are hard for one algorithm or another.
 */
#include "config.h"

#include "icecore/columns_dominators.h"
#include "chance.h"
#include "check.h"
#include "folder.h"

#include "../fuzz/heapwalk.h"

#define GRAPHS 240
#define FIRST_ID 0x10000u
#define ID_STEP 64u
#define OBJECT_CLASS 8u
#define ARRAY_CLASS 16u

static char *folder, *path;

/* ---- dumps of nothing but arrays that refer to arrays -------------------------------- */

static void
put(struct buf *b, uint64_t v, int bytes)
{
	uint8_t c;

	while (bytes-- > 0) {
		c = bytes < 8 ? (uint8_t)(v >> 8 * bytes) : 0;
		buf_add(b, &c, 1);
	}
}

static void
put_class(struct buf *b, uint32_t id, uint32_t super)
{
	put(b, 0x20, 1);
	put(b, id, 4);
	put(b, 0, 4);
	put(b, super, 4);
	put(b, 0, 4 * 5);
	put(b, 0, 4 + 2 + 2 + 2);
}

static uint32_t
id_of(uint32_t node)
{
	return FIRST_ID + node * ID_STEP;
}

static void
put_node(struct buf *b, uint32_t node, const uint32_t *to, uint32_t n)
{
	uint32_t i;

	put(b, 0x22, 1);
	put(b, id_of(node), 4);
	put(b, 0, 4);
	put(b, n, 4);
	put(b, ARRAY_CLASS, 4);
	for (i = 0; i < n; i++)
		put(b, id_of(to[i]), 4);
}

static void
put_root(struct buf *b, uint32_t node)
{
	put(b, 0xff, 1);
	put(b, id_of(node), 4);
}

/* The classes are unreachable but through their arrays: one more node with many ways to it. */
static void
begin(struct buf *b)
{
	buf_clear(b);
	buf_add(b, "JAVA PROFILE 1.0.1", 19);
	put(b, 4, 4);
	put(b, 0, 8);
	put(b, 0x0c, 1);
	put(b, 0, 4 + 4);
	put_class(b, OBJECT_CLASS, 0);
	put_class(b, ARRAY_CLASS, OBJECT_CLASS);
	put(b, 0x05, 1);
	put(b, OBJECT_CLASS, 4);
}

static void
agree(struct buf *b)
{
	static const struct store_options options = { .memory_only = true };
	struct err err = { .kind = E_NONE };
	struct store *st;
	struct heap h;
	struct work w;
	int refs;

	folder_write(path, b->s, b->n);
	work_init(&w, NULL);
	if (!load_open(&st, path, &options, &w, &err))
		fail_msg("%s", err.text);
	for (refs = 0; refs < HEAP_REFS; refs++) {
		if (!pass_want(st, heap_col(COL_EACH_PARENT, (enum heap_refs)refs, SIZES_VM), &w, &err))
			fail_msg("%s", err.text);
		assert_true(heap_open(&h, st, (enum heap_refs)refs, SIZES_VM, &err));
		assert_int_equal(heapdom_differ(&h), 0);
	}
	store_close(st);
}

/* ---- graphs --------------------------------------------------------------------------- */

/* Where node i of n refers to, in a graph of a kind. */
static uint32_t
target(int kind, uint32_t i, uint32_t n)
{
	uint32_t far = below(n);

	switch (kind) {
	case 0:
		return far;
	case 1:
		return below(4) != 0 ? (i + 1 + below(3)) % n : far;
	case 2:
		return i + below(n - i);
	default:
		return below(8) == 0 ? far : i - below(i < 5 ? i + 1 : 5);
	}
}

static void
random_graphs(void **state)
{
	struct buf b = BUF_INIT;
	uint32_t to[8], i, k, n, m;
	int g;

	(void)state;
	for (g = 0; g < GRAPHS; g++) {
		n = 1 + below(g % 4 == 0 ? 12 : 400);
		begin(&b);
		for (i = 0; i < n; i++) {
			m = below(1 + (uint32_t)g % 8);
			for (k = 0; k < m; k++)
				to[k] = target(g / 8 % 4, i, n);
			put_node(&b, i, to, m);
		}
		for (i = below(4); i-- > 0; )
			put_root(&b, below(n));
		agree(&b);
	}
	buf_free(&b);
}

/* A ring, and a list with a way back from each node; two roots. */
static void
long_lists(void **state)
{
	static const uint32_t length[2] = { 20000, 600 };
	struct buf b = BUF_INIT;
	uint32_t to[2], i, back, n;

	(void)state;
	for (back = 0; back < 2; back++) {
		begin(&b);
		n = length[back];
		for (i = 0; i < n; i++) {
			to[0] = (i + 1) % n;
			to[1] = i == 0 ? 0 : i - 1;
			put_node(&b, i, to, 1 + back);
		}
		put_root(&b, 0);
		put_root(&b, n / 2);
		agree(&b);
	}
	buf_free(&b);
}

/* Rungs that can be reached from both sides, and a cross over at each. */
static void
ladders(void **state)
{
	struct buf b = BUF_INIT;
	uint32_t to[2], i;

	(void)state;
	begin(&b);
	for (i = 0; i < 3000; i++) {
		to[0] = i + 2 < 3000 ? i + 2 : i;
		to[1] = i % 7 == 0 && i + 3 < 3000 ? i + 3 : i / 2;
		put_node(&b, i, to, 2);
	}
	put_root(&b, 0);
	put_root(&b, 1);
	agree(&b);
	buf_free(&b);
}

/* Everything refers to everything. */
static void
thick(void **state)
{
	struct buf b = BUF_INIT;
	uint32_t to[200], i;

	(void)state;
	begin(&b);
	for (i = 0; i < 200; i++)
		to[i] = 199 - i;
	for (i = 0; i < 200; i++)
		put_node(&b, i, to, 200);
	put_root(&b, 77);
	agree(&b);
	buf_free(&b);
}

TOOL(unit, dominators)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_graphs),
		cmocka_unit_test(long_lists),
		cmocka_unit_test(ladders),
		cmocka_unit_test(thick),
	};
	int failed;

	folder = folder_make();
	path = folder_path(folder, "graph.hprof");
	failed = cmocka_run_group_tests_name("dominators", tests, NULL, NULL);
	free(path);
	folder_remove(folder);
	return failed;
}
