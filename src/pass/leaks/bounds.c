/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bounds: limits of collections: those of caches and queues of libraries, the method removeEldestEntry, and
 * fields of a program that may be limits.
 *
 * A number that equals the count proves nothing: it may be the highest count so far.  Only a field that is
 * known to be a limit does, or bytecode: a final field, or a method that removes the eldest entry.
 */
#include "config.h"

#include "icecore/code.h"
#include "icecore/columns_heap.h"
#include "icecore/heap_names.h"
#include "bounds.h"

#define FULL_LEAST 50u		/* things, and */
#define FULL_STEPS 4u		/* nodes up from them to a limit of the program */
#define SLACK 10u		/* a cache may exceed its limit for a moment, by one part in this many */
/* a method that returns a constant, or what its superclass does, is at most this long */
#define ELDEST 10u
#define UNLIMITED INT32_MAX	/* limits from here on are none */

/*
 * Sources: Guava 10 to 33, Caffeine 1 to 3, commons-collections 3 and 4, Jackson 2, Ehcache 2 and 3, Lucene 5
 * to 9, Spring 4 to 6, concurrentlinkedhashmap 1.4, OpenJDK 7 to 25, Android, AndroidX.
 */
static const struct known_bound {
	const char	*class, *field;		/* a number, or an object with its value in "value" */
	const char	*size;			/* what the limit is compared with; NULL: the number of entries */
	bool		 queue;			/* what it holds waits */
} known_bounds[] = {
	{ "com.google.common.cache.LocalCache", "maxWeight", NULL, false },
	{ "com.google.common.collect.EvictingQueue", "maxSize", NULL, false },
	{ "com.github.benmanes.caffeine.cache.BoundedLocalCache", "maximum", "weightedSize", false },
	{ "com.googlecode.concurrentlinkedhashmap.ConcurrentLinkedHashMap", "capacity", "weightedSize",
	    false },
	{ "com.fasterxml.jackson.databind.util.internal.PrivateMaxEntriesMap", "capacity", "weightedSize",
	    false },
	{ "com.fasterxml.jackson.databind.util.LRUMap", "_maxEntries", NULL, false },
	{ "org.apache.commons.collections4.map.LRUMap", "maxSize", NULL, false },
	{ "org.apache.commons.collections.map.LRUMap", "maxSize", NULL, false },
	{ "org.apache.commons.collections4.queue.CircularFifoQueue", "maxElements", NULL, false },
	{ "org.apache.lucene.search.LRUQueryCache", "maxSize", NULL, false },
	{ "org.ehcache.impl.internal.store.heap.OnHeapStore", "capacity", NULL, false },
	{ "net.sf.ehcache.store.MemoryStore", "maximumSize", NULL, false },
	{ "org.springframework.util.ConcurrentLruCache", "capacity", NULL, false },
	{ "android.util.LruCache", "maxSize", "size", false },
	{ "androidx.collection.LruCache", "maxSize", "size", false },
	{ "androidx.collection.internal.LruHashMap", "maxSize", "size", false },
	{ "java.util.concurrent.LinkedBlockingQueue", "capacity", NULL, true },
	{ "java.util.concurrent.LinkedBlockingDeque", "capacity", NULL, true }
};

/* Fields of a program that may be limits, and those that are the highest count so far. */
static const char *const limits[] = { "max*", "*Max*", "capacity*", "*Capacity", "limit*", "*Limit",
    "bound*" };
static const char *const peaks[] = { "*Active", "peak*", "*Peak*", "*Seen", "*Ever*", "*SoFar", "high*",
    "*High*" };

bool
bound_number(size_t *i, struct kept_field *f)
{
	for (size_t k = 0; k < NELEM(known_bounds); k++) {
		const struct known_bound *b = &known_bounds[k];

		if ((*i)-- == 0)
			*f = (struct kept_field){ .class = b->class, .name = b->field };
		else if (b->size != NULL && (*i)-- == 0)
			*f = (struct kept_field){ .class = b->class, .name = b->size };
		else
			continue;
		return true;
	}
	return false;
}

/* A number, or the number in an AtomicLong. */
static bool
bounds_field(const struct heap *h, uint32_t object, const char *name, struct heap_slot *slot, int64_t *n)
{
	struct heap_slot in;

	if (!heap_field(h, object, name, 0, slot))
		return false;
	in = *slot;
	if (slot->type == HEAP_OBJECT && !heap_field(h, slot->object, "value", 0, &in))
		return false;
	return heap_number(in.type, in.bits, n);
}

static void
bounds_set(struct bound *b, enum bound_sure sure, const struct heap_slot *slot, int64_t limit)
{
	*b = (struct bound){ .sure = sure, .class = slot->class, .field = slot->name, .limit = (uint64_t)limit };
}

/* Caches may weigh their entries; then their number says nothing, but it is not compared with the limit. */
static bool
bounds_weighs(const struct heap *h, uint32_t object)
{
	uint32_t weigher = heap_field_object(h, object, "weigher");
	static const char *const one[] = { "*OneWeigher", "*Singleton*" };

	return weigher != 0 && !heap_label_like(h, weigher, one, NELEM(one));
}

/* True: the object is a known cache or queue, whatever its limit. */
static bool
bounds_known(const struct heap *h, const struct name_node *n, uint64_t count, bool backlog, struct bound *b)
{
	uint32_t class = n->object == 0 ? 0 : heap_class(h, n->object);
	struct heap_slot slot, size;
	int64_t most, now;

	for (size_t i = 0; class != 0 && i < NELEM(known_bounds); i++) {
		const struct known_bound *k = &known_bounds[i];

		if (class_named(h, class, k->class) == 0)
			continue;
		if ((k->queue && backlog) || !bounds_field(h, n->object, k->field, &slot, &most) || most < 0 ||
		    most >= UNLIMITED)
			return true;
		if (k->size != NULL && bounds_field(h, n->object, k->size, &size, &now)) {
			/* Entries without a weight are not limited. */
			if (now >= most / 2 || count / n->count <= (uint64_t)most)
				bounds_set(b, now >= most / 2 ? BOUND_REACHED : BOUND_MAYBE, &slot, most);
		} else if (bounds_weighs(h, n->object))
			bounds_set(b, BOUND_REACHED, &slot, most);
		else if (count / n->count <= (uint64_t)most + (uint64_t)most / SLACK)
			bounds_set(b, count / n->count >= (uint64_t)most / 2 ? BOUND_REACHED : BOUND_MAYBE, &slot,
			    most);
		return true;
	}
	return false;
}

/* ---- bytecode --------------------------------------------------------------------------------- */

/* The class of the bytecode with the name of a class of the heap; 0: none. */
static uint32_t
bounds_code_class(const struct code *c, const struct heap *h, uint32_t class)
{
	struct str name = class_text(h, class);

	for (uint32_t i = 1; i <= c->nclasses; i++)
		if (str_eq(code_class_name(c, i), name) || heap_same_name(code_class_name(c, i), name))
			return i;
	return 0;
}

/* Find a class up to the class of that name, which the bytecode shows to remove entries; 0: none does. */
static uint32_t
bounds_removes(const struct code *c, const struct heap *h, uint32_t class, uint32_t last, bool *known)
{
	*known = true;
	for (uint32_t hops = 0; class != last && class != 0 && hops < h->classes; hops++) {
		uint32_t in = bounds_code_class(c, h, class);
		uint64_t method, n = in == 0 ? 0 : code_class_methods(c->st, in, &method);

		*known &= in != 0;
		for (uint64_t i = 0; i < n; i++)
			if (str_is(code_method_name(c, (uint32_t)(method + i)), "removeEldestEntry") &&
			    store_cell(c->st, COL_CODE_METHOD_BYTES, method + i) > ELDEST)
				return class;
		class = (uint32_t)store_cell(h->st, COL_CLASS_SUPER, class);
	}
	return 0;
}

static bool
bounds_final(const struct heap *h, const struct heap_slot *slot)
{
	struct code_body body = { .piece = 0 };
	struct code code;
	uint32_t class, access = 0;
	bool yes = code_open(&code, h->st) && (class = bounds_code_class(&code, h, slot->class)) != 0 &&
	    code_field_access(&body, &code, class, slot->name, &access) && (access & CODE_FINAL) != 0;

	code_body_free(&body);
	return yes;
}

/* ---- of a program -------------------------------------------------------------------------------- */

/*
 * A field whose name says that it limits something equals the count, and none says that there is no limit.
 * sure: without bytecode.
 */
static void
bounds_limit(const struct heap *h, uint32_t object, uint64_t count, enum bound_sure sure, struct bound *b)
{
	struct heap_slots slots;
	struct heap_slot slot, found = { .type = 0 };
	int64_t n;

	for (bool more = heap_slots(h, object, &slots); more && heap_slot(&slots, &slot); ) {
		if (slot.kind != SLOT_FIELD || !heap_number(slot.type, slot.bits, &n) ||
		    !str_glob_any(limits, NELEM(limits), slot.name))
			continue;
		if (n == -1 || n == INT32_MAX || n == INT64_MAX)
			return;
		if (slot.bits == count && !str_glob_any(peaks, NELEM(peaks), slot.name))
			found = slot;
	}
	if (found.type != 0)
		bounds_set(b, bounds_final(h, &found) ? BOUND_REACHED : sure, &found, (int64_t)count);
}

static void
bounds_full(const struct heap *h, const struct name_node *n, uint64_t count, struct bound *b)
{
	if (n->object != 0 && !(n->whose & CLASS_JDK) && n->count == 1 && count >= FULL_LEAST)
		bounds_limit(h, n->object, count, BOUND_MAYBE, b);
}

bool
bound_changes(const struct heap *h, uint32_t collection, uint64_t *size, uint64_t *changes)
{
	struct heap_slot has, had;

	if (!heap_field(h, collection, "size", 0, &has) || !heap_field(h, collection, "modCount", 0, &had))
		return false;
	*size = has.bits;
	*changes = had.bits;
	return has.type == HEAP_INT && had.type == HEAP_INT;
}

/*
 * A map of a program that extends LinkedHashMap may remove its eldest entry.  Bytecode shows it.  Without it,
 * two things must: entries were removed, and the order is that of access or a limit equals the count.
 */
static bool
bounds_linked(const struct heap *h, const struct name_node *n, uint32_t map, uint64_t count, struct bound *b)
{
	uint32_t class = map == 0 ? 0 : heap_class(h, map), linked, removes;
	uint64_t size, changes;
	struct heap_slot order;
	struct code code;
	bool known;

	if (n->role != ROLE_COLLECTION || (linked = class_named(h, class, "java.util.LinkedHashMap")) == 0 ||
	    linked == class || heap_is_platform(h, class, PLATFORM_OWNER))
		return false;
	*b = (struct bound){ .sure = BOUND_MAYBE, .class = class, .removes = true };
	if (code_open(&code, h->st)) {
		removes = bounds_removes(&code, h, class, linked, &known);
		b->sure = removes != 0 ? BOUND_REACHED : known ? BOUND_NONE : BOUND_MAYBE;
		if (known)
			return true;
	}
	/* In the order of access, reading an entry is a change, too. */
	if (!bound_changes(h, map, &size, &changes) || size == changes)
		return true;
	if (heap_field(h, map, "accessOrder", linked, &order) && order.type == HEAP_BOOLEAN && order.bits != 0)
		b->sure = BOUND_REACHED;
	else if (n->count == 1)
		bounds_limit(h, map, count, BOUND_REACHED, b);
	return true;
}

/* ---- on the way up ------------------------------------------------------------------------------- */

/* Entries of a cache may be collections of their own, which the cache does not limit; 0: it is none. */
static uint32_t
bounds_lists(const struct name_node *n)
{
	static const char *const parts[] = { "java.util.concurrent.atomic.*" };

	return n->role == ROLE_COLLECTION && !str_glob_any(parts, NELEM(parts), n->class) ? n->count : 0;
}

/* The map in wrappers of java.util.Collections. */
static uint32_t
bounds_unwrap(const struct heap *h, uint32_t object)
{
	static const char *const wrappers[] = { "java.util.Collections$Synchronized*",
	    "java.util.Collections$Unmodifiable*", "java.util.Collections$SetFromMap" };
	uint32_t in;

	for (unsigned i = 0; i < FULL_STEPS && object != 0 && heap_class_like(h, heap_class(h, object), wrappers,
	    NELEM(wrappers)) && (in = heap_field_object(h, object, "m")) != 0; i++)
		object = in;
	return object;
}

/* True: the node is a cache or a queue that may have a limit. */
static bool
bounds_own(const struct heap *h, const struct name_node *n, uint64_t count, bool backlog, struct bound *b)
{
	static const char *const rings[] = { "*BoundedBuffer", "*ArrayBlockingQueue" };

	if (bounds_known(h, n, count, backlog, b) || bounds_linked(h, n, bounds_unwrap(h, n->object), count, b))
		return true;
	if (!str_glob_any(rings, NELEM(rings) - backlog, n->class) || str_glob(STR("*Unbounded*"), n->class))
		return false;
	*b = (struct bound){ .sure = BOUND_REACHED, .class = n->object == 0 ? 0 : heap_class(h, n->object) };
	return true;
}

void
bound_find(const struct heap *h, uint32_t node, uint64_t count, bool backlog, struct bound *b)
{
	struct name_node n;
	uint32_t lists = 0;
	bool entries = true;

	*b = (struct bound){ .sure = BOUND_NONE };
	for (unsigned steps = 0; node > 1; node = n.parent, steps++) {
		names_get(h, node, &n);
		if (n.count == 0 || (entries && lists <= n.count && bounds_own(h, &n, count, backlog, b)))
			return;
		if (steps < FULL_STEPS)
			bounds_full(h, &n, count, b);
		if (b->sure != BOUND_NONE)
			return;
		entries &= n.role != ROLE_PLAIN || !(n.whose & CLASS_PROGRAM);
		lists = bounds_lists(&n) > lists ? n.count : lists;
	}
}

bool
names_bounded(const struct heap *h, uint32_t id)
{
	struct name_node n;
	struct bound b;

	names_get(h, id, &n);
	bound_find(h, n.parent, n.count, bound_backlog(&n, n.count), &b);
	return b.sure == BOUND_REACHED;
}
