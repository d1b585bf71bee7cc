/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * roots: which object each root holds, and of several roots the one to show.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_heap.h"
#include "heap.h"

uint32_t
root_rank(uint64_t kind)
{
	static const uint8_t order[] = {
		ROOT_THREAD, ROOT_JAVA_FRAME, ROOT_JNI_LOCAL, ROOT_JNI_GLOBAL,
		ROOT_STICKY_CLASS, ROOT_MONITOR, ROOT_V8_GLOBAL, ROOT_V8_NATIVE
	};
	uint32_t i;

	static_assert(NELEM(order) + 1 == ROOT_RANKS, "a rank for each kind, and one for the others");
	for (i = 0; i < NELEM(order) && order[i] != kind; i++)
		continue;
	return i;
}

bool
root_is_late(uint64_t kind)
{
	return kind == ROOT_RUBY_MACHINE || kind == ROOT_V8_SYSTEM;
}

bool
root_is_of_program(uint64_t kind)
{
	return kind == ROOT_RUBY_GLOBALS;
}

bool
root_is_first(uint64_t kind)
{
	return kind == ROOT_V8_GLOBAL;
}

/* Return the object of a root, from row 1 on; 0: its thread or another root holds it, so it is none. */
static uint32_t
root_object(const struct heap *h, const struct column *objects, uint32_t row)
{
	uint32_t object = (uint32_t)column_get(objects, row - 1);

	return object > h->objects || heap_root_thread(h, row) != 0 ||
	    column_get(h->root_kind, row - 1ull) == ROOT_V8_PART ? 0 :
	    object;
}

uint32_t
root_next(const struct heap *h, uint32_t *row)
{
	const struct column *objects = store_column(h->st, COL_ROOT_OBJECT);
	uint32_t object = 0;

	while (object == 0 && objects != NULL && *row < objects->rows)
		object = root_object(h, objects, ++*row);
	return object;
}

bool
roots_map(const struct heap *h, struct idmap *rows, struct err *err)
{
	const struct column *kind = h->root_kind;
	uint32_t object, before, row = 0;

	while ((object = root_next(h, &row)) != 0) {
		before = idmap_get(rows, object);
		if (before != 0 && root_rank(column_get(kind, before - 1)) <= root_rank(column_get(kind,
		    row - 1)))
			continue;
		if (!idmap_put(rows, object, row, err))
			return false;
	}
	return true;
}
