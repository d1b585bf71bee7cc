/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * natives: native memory that objects registered with Android's NativeAllocationRegistry.
 *
 * A sun.misc.Cleaner of the registry's thunk says whose memory it is and, by way of the registry,
 * how much: Cleaner.referent, Cleaner.thunk.this$0.size.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_objects.h"
#include "heap.h"

#define REGISTRY "libcore.util.NativeAllocationRegistry"
#define THUNK REGISTRY "$CleanerThunk"
#define CLEANER "sun.misc.Cleaner"
/* A size beyond the memory of any device is garbage. */
#define SIZE_END ((uint64_t)1 << 40)

struct native {
	uint32_t	object;
	uint64_t	bytes;
};

struct natives {
	struct heap	 h;
	struct members	 cleaners;
	ARRAY(struct native)	list;
	uint64_t	 n;
};

/* ---- one cleaner ---------------------------------------------------------------- */

/* A field that the class of that name declares; the object may be of a class that extends it. */
static bool
natives_field_of(const struct heap *h, uint32_t object, const char *class, const char *name,
    struct heap_slot *slot)
{
	uint32_t in = object == 0 ? 0 : class_named(h, heap_class(h, object), class);

	return in != 0 && heap_field(h, object, name, in, slot) && slot->type != 0;
}

static uint32_t
natives_object_of(const struct heap *h, uint32_t object, const char *class, const char *name)
{
	struct heap_slot slot;

	return natives_field_of(h, object, class, name, &slot) && slot.type == HEAP_OBJECT ?
	    slot.object : 0;
}

/*
 * Since Android 10 the lowest bit of the size says that malloc() gave the memory: then the class has that
 * static.
 */
static uint64_t
registry_size(const struct heap *h, uint32_t registry)
{
	uint32_t class = registry == 0 ? 0 :
	    class_named(h, heap_class(h, registry), REGISTRY);
	struct heap_slot slot, flag;

	if (!natives_field_of(h, registry, REGISTRY, "size", &slot) ||
	    slot.type != HEAP_LONG || slot.bits >= SIZE_END)
		return 0;
	return heap_static(h, class, STR("IS_MALLOCED"), &flag) ? slot.bits & ~(uint64_t)1 : slot.bits;
}

/* A cleaner that has run refers to itself; a thunk without an address never got any memory. */
static bool
is_cleaned(const struct heap *h, uint32_t cleaner, uint32_t thunk)
{
	struct heap_slot slot;

	return natives_object_of(h, cleaner, CLEANER, "next") == cleaner ||
	    (natives_field_of(h, thunk, THUNK, "nativePtr", &slot) && slot.bits == 0);
}

static bool
add_cleaner(struct natives *s, uint32_t cleaner, struct err *err)
{
	const struct heap *h = &s->h;
	uint32_t thunk = natives_object_of(h, cleaner, CLEANER, "thunk");
	uint32_t owner = natives_object_of(h, cleaner, "java.lang.ref.Reference", "referent");
	uint64_t bytes = registry_size(h, natives_object_of(h, thunk, THUNK, "this$0"));

	if (owner == 0 || bytes == 0 || is_cleaned(h, cleaner, thunk))
		return true;
	return array_add(&s->list, &s->n, (&(struct native){ owner, bytes }), err);
}

/* ---- all of them ------------------------------------------------------------------- */

static int
natives_by_object(const void *a, const void *b)
{
	uint32_t p = ((const struct native *)a)->object, q = ((const struct native *)b)->object;

	return num_order(p, q, 0);
}

static bool
natives_put(const struct natives *s, struct store *st, struct err *err)
{
	const struct native *from = s->list.at;
	uint32_t *object = store_make(st, COL_NATIVE_OBJECT, COL_U32, s->n, err);
	uint64_t *bytes = object == NULL ? NULL :
	    store_make(st, COL_NATIVE_BYTES, COL_U64, s->n, err);
	uint64_t i, n = 0;

	if (bytes == NULL)
		return false;
	for (i = 0; i < s->n; i++) {
		assert(n == 0 || object[n - 1] <= from[i].object);
		if (n == 0 || object[n - 1] != from[i].object)
			object[n++] = from[i].object;
		bytes[n - 1] = num_add(bytes[n - 1], from[i].bytes);
	}
	assert(n <= s->n);
	store_trim(st, COL_NATIVE_OBJECT, n);
	store_trim(st, COL_NATIVE_BYTES, n);
	return true;
}

static bool
natives_collect(struct natives *s, struct work *w, struct err *err)
{
	uint32_t cleaner;

	do {
		if (!members_next(&s->cleaners, &cleaner, w, err) ||
		    (cleaner != 0 && !add_cleaner(s, cleaner, err)))
			return false;
		if (!work_each(w, cleaner, 64, err))
			return false;
	} while (cleaner != 0);
	return true;
}

static bool
natives_run(struct store *st, struct work *w, struct err *err)
{
	struct natives s = { .list = ARRAY_INIT };
	bool ok;

	if (!heap_open(&s.h, st, REFS_SOFT, SIZES_VM, err))
		return false;
	work_start(w, "native memory", s.h.objects);
	ok = members_open(&s.cleaners, &s.h, STR(CLEANER), err) && natives_collect(&s, w, err);
	if (ok && s.n > 1)
		qsort(s.list.raw.data, s.n, sizeof(struct native), natives_by_object);
	ok = ok && natives_put(&s, st, err);
	members_close(&s.cleaners);
	array_free(&s.list);
	return ok;
}

const struct pass pass_natives = {
	.name = "natives", .what = "native memory", .beside = 1, .run = natives_run,
	.needs = PASS_COLUMNS(COL_OBJECT_OFFSET),
	.makes = PASS_COLUMNS(COL_NATIVE_OBJECT, COL_NATIVE_BYTES)
};
