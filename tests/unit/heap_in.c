/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_in: random heaps by the kit for loaders; their lists, sizes, reachability and dominators against models.
 */
#include "config.h"

#include <stdlib.h>

#include "chance.h"
#include "check.h"
#include "folder.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_objects.h"
#include "icecore/columns_reach.h"
#include "load/heap/heap_in.h"

#include "../fuzz/heapwalk.h"

#define HEAPS 150
#define OBJECTS 400u
#define CLASSES 5u
#define MOST 90u		/* references of an object: some lists are long */

struct list {
	uint32_t	to[MOST];
	uint32_t	weak, n;
	uint8_t		strength;
};

/* The input and its models. */
static struct {
	uint32_t	n, class[OBJECTS], length[OBJECTS], nroots;
	uint64_t	bytes[OBJECTS], mat[OBJECTS], place[OBJECTS], id[OBJECTS];
	struct list	list[OBJECTS];
	struct root_in	root[4];
} in;

static void
invent(void)
{
	static const enum heap_strength strengths[] = { HEAP_SOFT, HEAP_FINALIZER, HEAP_WEAK, HEAP_PHANTOM };
	struct list *l;

	in.n = 1 + below(OBJECTS);
	for (uint32_t i = 0; i < in.n; i++) {
		in.class[i] = 1 + below(CLASSES);
		in.length[i] = below(3) == 0 ? below(1000) : 0;
		in.bytes[i] = below(9) == 0 ? UINT64_C(1) << 33 : below(200);
		in.mat[i] = below(300);
		in.place[i] = below(1 << 20);
		in.id[i] = UINT64_C(0x100000000) * below(3) + 2u * below(1 << 20) * OBJECTS + i;
		l = &in.list[i];
		l->n = below(20) == 0 ? below(MOST) : below(4);
		l->weak = below(3) == 0 ? below(l->n + 1) : 0;
		l->strength = strengths[below(NELEM(strengths))];
		for (uint32_t k = 0; k < l->n; k++)
			l->to[k] = 1 + below(in.n);
	}
	in.nroots = 1 + below(3);
	for (uint32_t i = 0; i < in.nroots; i++)
		in.root[i] = (struct root_in){ 1 + below(in.n), ROOT_VM };
}

static void
put_in(struct store *st, bool mat, struct err *err)
{
	struct objects_in o = { in.n, in.class, in.bytes, mat ? in.mat : NULL, in.place, in.length, in.id };
	struct class_in classes[CLASSES] = { { .name = 0 } };
	struct lists_in lists;
	uint64_t references = 0;

	for (uint32_t i = 0; i < in.n; i++)
		references += in.list[i].n;
	assert_true(heap_in_objects(st, &o, classes, CLASSES, err) && heap_in_classes(st, classes, CLASSES, 0, err) &&
	    heap_in_roots(st, in.root, in.nroots, err) && lists_in_open(&lists, st, in.n, references, err));
	for (uint32_t i = 0; i < in.n; i++)
		if (in.list[i].n > 0)
			lists_in_put(&lists, i + 1, (enum heap_strength)in.list[i].strength, in.list[i].to, in.list[i].weak,
			    in.list[i].to + in.list[i].weak, in.list[i].n - in.list[i].weak);
	assert_true(lists_in_close(&lists));
	store_publish(st);
}

/* The strongest way from a root to each object: rounds until nothing changes. */
static void
model_reach(uint8_t *reach)
{
	bool changed = true;

	memset(reach, HEAP_STRENGTHS, in.n);
	for (uint32_t i = 0; i < in.nroots; i++)
		reach[in.root[i].object - 1] = HEAP_STRONG;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < in.n; i++)
			for (uint32_t k = 0; reach[i] < HEAP_STRENGTHS && k < in.list[i].n; k++) {
				uint8_t by = k < in.list[i].weak ? in.list[i].strength : HEAP_STRONG;
				uint8_t *to = &reach[in.list[i].to[k] - 1];

				by = by > reach[i] ? by : reach[i];
				changed |= by < *to;
				*to = by < *to ? by : *to;
			}
	}
}

static void
same_objects(const struct heap *h, bool mat)
{
	enum heap_strength s;
	struct heap_walk w;

	for (uint32_t i = 0; i < in.n; i++) {
		assert_int_equal(heap_class(h, i + 1), in.class[i]);
		assert_int_equal(heap_length(h, i + 1), in.length[i]);
		assert_true(heap_shallow(h, i + 1) == (mat && h->sizes == SIZES_MAT ? in.mat[i] : in.bytes[i]));
		assert_true(heap_addr(h, i + 1) == in.id[i] && heap_find(h, in.id[i]) == i + 1);
		assert_true(heap_offset(h, i + 1) == in.place[i]);
		heap_out(h, i + 1, &w);
		for (uint32_t k = 0; k < in.list[i].n; k++) {
			assert_int_equal(heap_next(&w, &s), in.list[i].to[k]);
			assert_int_equal(s, k < in.list[i].weak ? in.list[i].strength : HEAP_STRONG);
		}
		assert_int_equal(heap_next(&w, NULL), 0);
	}
}

static void
same_heap(struct store *st, bool mat, struct work *w)
{
	struct err err = { .kind = E_NONE };
	uint8_t reach[OBJECTS];
	uint64_t bytes = 0;
	struct heap h;

	model_reach(reach);
	for (int refs = 0; refs < HEAP_REFS; refs++) {
		enum heap_sizes sizes = refs % 2 == 0 ? SIZES_VM : SIZES_MAT;

		if (!pass_want(st, heap_col(COL_EACH_PARENT, (enum heap_refs)refs, sizes), w, &err) ||
		    !pass_want(st, COL_REACH_OBJECT, w, &err) || !pass_want(st, COL_IN_DATA, w, &err))
			fail_msg("%s", err.text);
		assert_true(heap_open(&h, st, (enum heap_refs)refs, sizes, &err));
		same_objects(&h, mat);
		assert_int_equal(heapdom_differ(&h), 0);
		for (uint32_t i = 0; i < in.n; i++) {
			assert_int_equal(heap_reach(&h, i + 1), reach[i]);
			assert_int_equal(heap_dominator(&h, i + 1) != 0, refs == REFS_UNREACHABLE ||
			    (reach[i] < HEAP_STRENGTHS && heap_counts(&h, (enum heap_strength)reach[i])));
		}
	}
	for (uint32_t i = 0; i < in.n; i++)
		bytes += in.bytes[i];
	assert_true(heap_all_bytes(st, SIZES_VM) == bytes);
}

static void
random_heaps(void **state)
{
	static const struct store_options options = { .memory_only = true };
	char *folder = folder_make(), *path = folder_path(folder, "heap");
	struct err err = { .kind = E_NONE };
	struct store *st;
	struct work w;

	(void)state;
	folder_write(path, "source", 6);
	work_init(&w, NULL);
	for (int i = 0; i < HEAPS; i++) {
		invent();
		assert_true(store_open(&st, path, &options, &err));
		put_in(st, i % 2 == 0, &err);
		same_heap(st, i % 2 == 0, &w);
		store_close(st);
	}
	free(path);
	folder_remove(folder);
}

TOOL(unit, heap_in)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_heaps) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
