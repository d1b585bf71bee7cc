/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_paths: the ways from roots and from statics to objects of a heap dump written here.
 */
#include "config.h"

#include "icecore/columns_heap.h"
#include "heap_small.h"

/* All paths as text, "5000<5020<1000:system class "; by as many steps at once. */
static void
list_paths(const struct heap *h, uint64_t addr, bool chains, uint64_t steps, struct buf *b)
{
	struct heap_paths *p;
	struct heap_path path;
	uint64_t calls = 0;
	bool more, got;
	size_t i;

	buf_clear(b);
	assert_true(heap_paths_open(&p, h, at(addr), chains, NULL));
	while ((got = heap_paths_next(p, &path, steps, &more, NULL, NULL)) || more) {
		assert_true(++calls < 1000);
		for (i = 0; got && i < path.n; i++)
			buf_printf(b, i > 0 ? "<%llx" : "%llx",
			    (unsigned long long)heap_addr(h, path.object[i]));
		if (got)
			buf_printf(b, ":%s ", chains ? "static" : heap_root_name((unsigned)
			    column_get(store_column(st, COL_ROOT_KIND), path.root - 1)));
	}
	heap_paths_close(p);
}

static void
paths_come_shortest_first(void **state)
{
	static const uint64_t steps[] = { 0, 1, 2, 7 };
	struct buf b = BUF_INIT;
	struct heap all;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(steps); i++) {
		list_paths(&heap, TARGET, false, steps[i], &b);
		assert_text(&b, "5000<5020<5040<10c0:system class "
		    "5000<50a0<50c0<4080<4000:thread ");
	}
	assert_true(heap_open(&all, st, REFS_ALL, SIZES_VM, NULL));
	list_paths(&all, TARGET, false, 0, &b);
	assert_text(&b, "5000<5060<5080:JNI global 5000<5020<5040<10c0:system class "
	    "5000<50a0<50c0<4080<4000:thread ");
	list_paths(&heap, MAIN, false, 0, &b);
	assert_text(&b, "4000:thread ");
	list_paths(&heap, GARBAGE, false, 0, &b);
	assert_text(&b, "");
	buf_free(&b);
}

static void
instances_lead_on_where_nothing_else_does(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	list_paths(&heap, OWN_LOADER, false, 0, &b);
	assert_text(&b, "50e0<10e0<5100<5080:JNI global ");
	/* An instance holds its class strongly, also where it holds something else weakly. */
	list_paths(&heap, REFERENCE, false, 0, &b);
	assert_text(&b, "1080<1090<5060<5080:JNI global ");
	list_paths(&heap, OWN_LOADER, false, 1, &b);
	assert_text(&b, "50e0<10e0<5100<5080:JNI global ");
	buf_free(&b);
}

static void
chains_end_at_statics(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	list_paths(&heap, TARGET, true, 0, &b);
	assert_text(&b, "5000<5020<5040<10c0:static ");
	list_paths(&heap, CACHE, true, 1, &b);
	assert_text(&b, "5040<10c0:static ");
	list_paths(&heap, JNI, true, 0, &b);
	assert_text(&b, "");
	buf_free(&b);
}

/* After some objects the paths come from one search. */
static void
first_paths_are_those_of_a_search(void **state)
{
	struct heap_path one, other;
	struct heap_paths *p, *q;
	uint64_t paths = 0;
	struct heap h;
	bool more, found;

	(void)state;
	for (int refs = 0; refs < HEAP_REFS; refs++) {
		assert_true(heap_open(&h, st, (enum heap_refs)refs, SIZES_VM, NULL));
		assert_true(heap_paths_open(&p, &h, 1, false, NULL));
		assert_true(heap_paths_open(&q, &h, 1, false, NULL));
		for (uint32_t i = 0; i < 8 * h.objects; i++) {
			assert_true(heap_paths_first(p, i % h.objects + 1, NULL, NULL));
			assert_true(heap_paths_again(q, i % h.objects + 1, NULL));
			found = heap_paths_next(q, &other, 0, &more, NULL, NULL);
			assert_int_equal(heap_paths_next(p, &one, 0, &more, NULL, NULL), found);
			if (!found)
				continue;
			paths++;
			assert_int_equal(one.n, other.n);
			assert_int_equal(one.root, other.root);
			assert_memory_equal(one.object, other.object, one.n * sizeof *one.object);
		}
		heap_paths_close(p);
		heap_paths_close(q);
	}
	assert_true(paths > 100);
}

TOOL(unit, heap_paths)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_come_shortest_first),
		cmocka_unit_test(instances_lead_on_where_nothing_else_does),
		cmocka_unit_test(chains_end_at_statics),
		cmocka_unit_test(first_paths_are_those_of_a_search),
	};

	cmocka_run_group_tests(tests, set_up, tear_down);
	return 0;
}
