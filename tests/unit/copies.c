/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * copies: collections of a heap dump whose fields say what cannot be, long queues and long chains, and
 * strings made to have one hash.
 */
#include "config.h"

#include "check.h"
#include "folder.h"
#include "heaps.h"

#include "icecore/collection.h"
#include "icecore/columns_content.h"

/* Classes, then objects. */
enum {
	OBJECT = 0x1000, CLASS = 0x1010, STRING = 0x1020, ARRAY = 0x1030, LIST = 0x1040, MAP = 0x1050,
	SET = 0x1060, QUEUE = 0x1070, NODE = 0x1080, LOOP_A = 0x1090, LOOP_B = 0x10a0, MINE = 0x10b0,
	KEEPER = 0x10c0, INTS = 0x10d0, BYTES = 0x10e0,
	TEN = 0x2000, NUMBERS = 0x2100,
	NEGATIVE = 0x3000, OVER = 0x3010, CUT = 0x3020, NO_ARRAY = 0x3030, LOST = 0x3040, GOOD = 0x3050,
	MAP_OF_INTS = 0x3100, MAP_WITHOUT = 0x3110, MAP_OVER = 0x3120, GOOD_MAP = 0x3130, MINE_MAP = 0x3140,
	SELF_SET = 0x3200, SET_OF_LIST = 0x3210, LOOPED = 0x3220,
	RING = 0x4000, RING_1 = 0x4010, RING_2 = 0x4020, RING_3 = 0x4030, OFF = 0x4040, OFF_1 = 0x4050,
	LONG_QUEUE = 0x4060, KEPT = 0x4100,
	LAST_LIST = 0x5000, CHAIN = 0x100000, QUEUES = 0x800000, TEXTS = 0xa00000,
	STEP = 0x20, NODES = 100000, SHARING = 3000, ALIKE = 3000
};

static char *folder;
static struct store *st;
static struct heap heap;
static struct collections *known;

static uint32_t
at(uint64_t addr)
{
	uint32_t object = heap_find(&heap, addr);

	assert_int_not_equal(object, 0);
	return object;
}

/* ---- the dump -------------------------------------------------------------------- */

#define FIELDS(...) (const struct put_field[]){ __VA_ARGS__ }, \
	NELEM(((const struct put_field[]){ __VA_ARGS__ }))

static void
write_classes(struct heap_writer *w)
{
	put_class(w, OBJECT, "java/lang/Object", 0, 0, NULL, 0);
	put_class(w, CLASS, "java/lang/Class", OBJECT, 0, NULL, 0);
	put_class(w, STRING, "java/lang/String", OBJECT, 0, FIELDS({ "value", HEAP_OBJECT, false, 0 }));
	put_class(w, ARRAY, "[Ljava/lang/Object;", OBJECT, 0, NULL, 0);
	put_class(w, INTS, "[I", OBJECT, 0, NULL, 0);
	put_class(w, BYTES, "[B", OBJECT, 0, NULL, 0);
	put_class(w, LIST, "java/util/ArrayList", OBJECT, 0,
	    FIELDS({ "elementData", HEAP_OBJECT, false, 0 }, { "size", HEAP_INT, false, 0 }));
	put_class(w, MAP, "java/util/HashMap", OBJECT, 0,
	    FIELDS({ "table", HEAP_OBJECT, false, 0 }, { "size", HEAP_INT, false, 0 }));
	put_class(w, MINE, "t/Mine", MAP, 0, FIELDS({ "size", HEAP_LONG, false, 0 }, { "z", HEAP_BYTE, false, 0 }));
	put_class(w, SET, "java/util/HashSet", OBJECT, 0, FIELDS({ "map", HEAP_OBJECT, false, 0 }));
	put_class(w, QUEUE, "java/util/concurrent/ConcurrentLinkedQueue", OBJECT, 0,
	    FIELDS({ "head", HEAP_OBJECT, false, 0 }));
	put_class(w, NODE, "java/util/concurrent/ConcurrentLinkedQueue$Node", OBJECT, 0,
	    FIELDS({ "item", HEAP_OBJECT, false, 0 }, { "next", HEAP_OBJECT, false, 0 }));
	/* They extend each other. */
	put_class(w, LOOP_A, "java/util/Hashtable", LOOP_B, 0, NULL, 0);
	put_class(w, LOOP_B, "t/Loop", LOOP_A, 0, NULL, 0);
	put_class(w, KEEPER, "t/Keeper", OBJECT, 0, FIELDS({ "all", HEAP_OBJECT, true, KEPT }));
}

/* A reference and a number, as in lists and maps. */
static void
write_pair(struct heap_writer *w, uint64_t id, uint64_t class, uint64_t array, uint64_t size)
{
	put_instance(w, id, class, 12);
	put(&w->body, array, 8);
	put(&w->body, size, 4);
}

static void
write_one(struct heap_writer *w, uint64_t id, uint64_t class, uint64_t to)
{
	put_instance(w, id, class, 8);
	put(&w->body, to, 8);
}

static void
write_node(struct heap_writer *w, uint64_t id, uint64_t item, uint64_t next)
{
	put_instance(w, id, NODE, 16);
	put(&w->body, item, 8);
	put(&w->body, next, 8);
}

static void
write_odd(struct heap_writer *w)
{
	uint32_t i;

	put_objects(w, TEN, ARRAY, 10);
	for (i = 0; i < 10; i++)
		put(&w->body, i < 4 ? TEN : 0, 8);
	put_prims(w, NUMBERS, HEAP_INT, 4);
	put(&w->body, 0, 8);
	put(&w->body, 0, 8);
	write_pair(w, NEGATIVE, LIST, TEN, UINT32_MAX);
	write_pair(w, OVER, LIST, TEN, 11);
	write_pair(w, NO_ARRAY, LIST, NEGATIVE, 1);
	write_pair(w, LOST, LIST, 0xdead0, 1);
	write_pair(w, GOOD, LIST, TEN, 4);
	put_instance(w, CUT, LIST, 10);
	put(&w->body, TEN, 8);
	put(&w->body, 0, 2);
	write_pair(w, MAP_OF_INTS, MAP, NUMBERS, 2);
	write_pair(w, MAP_WITHOUT, MAP, 0, 2);
	write_pair(w, MAP_OVER, MAP, TEN, INT32_MAX);
	write_pair(w, GOOD_MAP, MAP, TEN, 8);
	put_instance(w, MINE_MAP, MINE, 21);
	put(&w->body, UINT64_MAX, 8);
	put(&w->body, 1, 1);
	put(&w->body, TEN, 8);
	put(&w->body, 5, 4);
	write_one(w, SELF_SET, SET, SELF_SET);
	write_one(w, SET_OF_LIST, SET, GOOD);
	put_instance(w, LOOPED, LOOP_B, 0);
}

/* A ring, a node that was taken out, one queue of many nodes, and many queues that share these. */
static void
write_queues(struct heap_writer *w)
{
	uint32_t i;

	write_one(w, RING, QUEUE, RING_1);
	write_node(w, RING_1, TEN, RING_2);
	write_node(w, RING_2, TEN, RING_3);
	write_node(w, RING_3, TEN, RING_2);
	write_one(w, OFF, QUEUE, OFF_1);
	write_node(w, OFF_1, TEN, OFF_1);
	write_one(w, LONG_QUEUE, QUEUE, CHAIN);
	for (i = 0; i < NODES; i++)
		write_node(w, CHAIN + (uint64_t)i * STEP, i + 1 < NODES ? TEN : LAST_LIST,
		    i + 1 < NODES ? CHAIN + (i + 1ull) * STEP : 0);
	write_pair(w, LAST_LIST, LIST, 0, 0);
	for (i = 0; i < SHARING; i++)
		write_one(w, QUEUES + (uint64_t)i * STEP, QUEUE, CHAIN);
}

/* Texts of one length, alike except for one character where no hash looks; each twice. */
static void
write_texts(struct heap_writer *w)
{
	uint64_t to = TEXTS;
	uint32_t i, k;

	for (i = 0; i < ALIKE; i++, to += 0x400) {
		write_one(w, to, STRING, to + 0x20);
		put_prims(w, to + 0x20, HEAP_BYTE, 500);
		for (k = 0; k < 500; k++)
			put(&w->body, k == 200 ? i / 2 % 256 : k == 201 ? i / 512 : 'x', 1);
	}
}

static void
write_dump(struct heap_writer *w)
{
	uint32_t i;

	write_classes(w);
	write_odd(w);
	write_queues(w);
	write_texts(w);
	put_objects(w, KEPT, ARRAY, ALIKE + 2);
	put(&w->body, LONG_QUEUE, 8);
	put(&w->body, GOOD_MAP, 8);
	for (i = 0; i < ALIKE; i++)
		put(&w->body, TEXTS + i * 0x400ull, 8);
	put_root(w, ROOT_STICKY_CLASS, KEEPER);
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
	path = folder_path(folder, "copies.hprof");
	folder_write(path, file.s, file.n);
	buf_free(&file);
	if (!load_open(&st, path, &options, NULL, &err) ||
	    !pass_want(st, col_choice(COL_EACH_DUP_MEMBER, 0), NULL, &err) ||
	    !heap_open(&heap, st, REFS_SOFT, SIZES_VM, &err) ||
	    !collections_open(&known, &heap, &err))
		print_error("%s\n", err.text);
	free(path);
	return err.kind;
}

static int
tear_down(void **state)
{
	(void)state;
	collections_close(known);
	store_close(st);
	folder_remove(folder);
	return 0;
}

/* ---- collections ---------------------------------------------------------------------- */

static void
odd_lists(void **state)
{
	struct collection c;

	(void)state;
	assert_false(collection_get(known, at(NEGATIVE), true, &c));
	assert_false(collection_get(known, at(NO_ARRAY), true, &c));
	assert_false(collection_get(known, at(LOST), true, &c));
	assert_false(collection_get(known, at(CUT), true, &c));
	assert_false(collection_get(known, at(TEN), true, &c));
	assert_false(collection_get(known, 0, true, &c));
	assert_false(collection_get(known, UINT32_MAX, true, &c));
	assert_true(collection_get(known, at(OVER), true, &c));
	assert_int_equal(c.size, 10);
	assert_int_equal(c.waste, 0);
	assert_true(collection_get(known, at(GOOD), true, &c));
	assert_int_equal(c.size, 4);
	assert_int_equal(c.capacity, 10);
	assert_int_equal(c.table, at(TEN));
	assert_int_equal(c.waste, 6 * heap.rule.ref);
	assert_false(c.hashed);
}

static void
odd_maps(void **state)
{
	struct collection c;

	(void)state;
	assert_false(collection_get(known, at(MAP_OF_INTS), true, &c));
	assert_false(collection_get(known, at(MAP_WITHOUT), true, &c));
	assert_false(collection_get(known, at(SELF_SET), true, &c));
	assert_false(collection_get(known, at(LOOPED), true, &c));
	assert_true(collection_get(known, at(MAP_OVER), true, &c));
	assert_int_equal(c.size, INT32_MAX);
	assert_int_equal(c.waste, 0);
	assert_true(collection_get(known, at(GOOD_MAP), false, &c));
	assert_int_equal(c.used, 0);
	assert_true(collection_get(known, at(GOOD_MAP), true, &c));
	assert_true(c.hashed);
	assert_int_equal(c.used, 4);
	assert_int_equal(c.waste, 2 * heap.rule.ref);
	/* The fields of the subclass lie in front, and one has the same name. */
	assert_true(collection_get(known, at(MINE_MAP), false, &c));
	assert_int_equal(c.size, 5);
	assert_true(collections_know(known, heap_class(&heap, at(MINE_MAP))));
	assert_false(collections_know(known, heap_class(&heap, at(LOOPED))));
	assert_false(collections_know(known, heap_class(&heap, at(CHAIN))));
	/* Nobody else has the list: it takes its numbers, as of any collection. */
	assert_true(collection_get(known, at(SET_OF_LIST), false, &c));
	assert_int_equal(c.size, 4);
}

static void
queues_are_walked_so_far(void **state)
{
	struct collection c;
	uint32_t i, refused = 0;

	(void)state;
	assert_false(collection_get(known, at(RING), true, &c));
	assert_true(collection_get(known, at(OFF), true, &c));
	assert_int_equal(c.size, 1);
	assert_true(collection_get(known, at(LONG_QUEUE), true, &c));
	assert_int_equal(c.size, 65536);
	assert_int_equal(c.waste, 0);
	/* All of them would be two hundred million nodes. */
	for (i = 0; i < SHARING; i++)
		refused += !collection_get(known, at(QUEUES + (uint64_t)i * STEP), true, &c);
	assert_true(refused > SHARING / 2);
}

/* The list hangs on the last of the nodes, each of which dominates the next. */
static void
holder_above_a_long_chain(void **state)
{
	uint64_t i;

	(void)state;
	assert_int_equal(collection_holder(known, at(GOOD_MAP), NULL), at(KEEPER));
	assert_int_equal(collection_holder(known, at(LAST_LIST), NULL), at(KEEPER));
	for (i = NODES; i-- > 0; )
		assert_int_equal(collection_holder(known, at(CHAIN + i * STEP), NULL), at(KEEPER));
	assert_int_equal(collection_holder(known, at(KEEPER), NULL), 0);
	assert_int_equal(collection_holder(known, at(GOOD), NULL), 0);
}

/* ---- duplicates ------------------------------------------------------------------------ */

static const struct column *
column(column_id name)
{
	const struct column *c = store_column(st, name);

	assert_non_null(c);
	return c;
}

static void
texts_that_look_alike(void **state)
{
	const struct column *object = column(col_choice(COL_EACH_DUP_OBJECT, 0)), *member = column(col_choice(COL_EACH_DUP_MEMBER, 0));
	uint64_t i;

	(void)state;
	assert_int_equal(object->rows, ALIKE / 2);
	assert_int_equal(member->rows, ALIKE);
	for (i = 0; i < object->rows; i++) {
		assert_int_equal(column_get(object, i), at(TEXTS + 2 * i * 0x400));
		assert_int_equal(column_get(column(col_choice(COL_EACH_DUP_STRING, 0)), i), 1);
		assert_int_equal(column_get(column(col_choice(COL_EACH_DUP_COPIES, 0)), i), 2);
		assert_int_equal(column_get(column(col_choice(COL_EACH_DUP_ARRAYS, 0)), i), 2);
		assert_int_equal(column_get(column(col_choice(COL_EACH_DUP_FIRST, 0)), i), 2 * i);
		assert_int_equal(column_get(member, 2 * i + 1), at(TEXTS + (2 * i + 1) * 0x400));
		assert_int_equal(column_get(column(col_choice(COL_EACH_DUP_WASTE, 0)), i),
		    heap_shallow(&heap, at(TEXTS)) + heap_shallow(&heap, at(TEXTS + 0x20)));
	}
	assert_int_equal(column(col_choice(COL_EACH_DUP_SHARED, 0))->rows, 0);
}

TOOL(unit, copies)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(odd_lists),
		cmocka_unit_test(odd_maps),
		cmocka_unit_test(queues_are_walked_so_far),
		cmocka_unit_test(holder_above_a_long_chain),
		cmocka_unit_test(texts_that_look_alike),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
