/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inside: the table and the nodes of a collection on a path, which people see as one step to its element.
 */
#include "config.h"

#include <inttypes.h>

#include "heap.h"

#define KEY_MAX 40u		/* characters of the key of a map */

struct str
collection_node_of(struct str name)
{
	static const char *const ends[] = { "*Node", "*Entry", "*Link" };
	size_t n = 0;

	while (n < name.n && name.s[n] != '$')
		n++;
	for (size_t i = 0; i < NELEM(ends); i++)
		if (n > 10 && n < name.n && str_glob(str_of(ends[i]), name) &&
		    heap_same_name((struct str){ name.s, 10 }, STR("java.util.")))
			return (struct str){ name.s, n };
	return STR("");
}

bool
collection_same_node(struct str a, struct str b)
{
	return a.n > 0 && b.n > 0 &&
	    (str_eq(a, b) || (str_glob(STR("*HashMap"), a) && str_glob(STR("*HashMap"), b)));
}

static bool
inside_is_collection(const struct heap *h, uint32_t object)
{
	static const char *const names[] = { "java.util.*", "android.util.*", "androidx.collection.*",
	    "android.support.v4.util.*", "kotlin.collections.*", "com.google.common.collect.*" };
	uint32_t class = heap_class(h, object);

	return heap_kind(h, object) == HEAP_INSTANCE && collection_node_of(class_text(h, class)).n == 0 &&
	    heap_class_like(h, class, names, NELEM(names));
}

/* The class name of a collection, which collection_node_of returns for its nodes. */
static struct str
inside_name_of(const struct heap *h, uint32_t object)
{
	return class_text(h, heap_class(h, object));
}

size_t
heap_inside(const struct heap *h, const uint32_t *object, size_t n)
{
	enum { COLLECTION, TABLE, NODE } last = COLLECTION;
	struct str name;
	size_t k = 0;

	if (n < 3 || !inside_is_collection(h, object[0]))
		return 0;
	name = inside_name_of(h, object[0]);
	for (; k + 1 < n; k++) {
		uint32_t next = object[k + 1];

		if (last == COLLECTION && heap_kind(h, next) == HEAP_OBJECT_ARRAY)
			last = TABLE;
		else if (collection_same_node(name, collection_node_of(inside_name_of(h, next))))
			last = NODE;
		else if (k == 0 && str_glob(STR("*Set"), name) && inside_is_collection(h, next))
			name = inside_name_of(h, next);
		else
			break;
	}
	return last == COLLECTION || k + 1 == n ? 0 : k;
}

/* "[3]" from the slot of a table; "["a user"]" or "[com.shop.User @17]" from the key of a node. */
void
heap_inside_name(const struct heap *h, uint32_t inner, uint32_t object, struct buf *b)
{
	struct heap_slot slot;
	uint32_t key;
	size_t from;

	if (heap_kind(h, inner) == HEAP_OBJECT_ARRAY && heap_link(h, inner, object, &slot)) {
		heap_slot_name(h, &slot, b);
		return;
	}
	key = heap_field_object(h, inner, "key");
	if (key == object)
		key = 0;
	buf_chr(b, '[');
	from = b->n + 1;
	if (key != 0 && heap_class(h, key) == h->string_class) {
		buf_chr(b, '"');
		heap_string(h, key, KEY_MAX, b);
		mask_text(b, from);
		buf_chr(b, '"');
	} else if (key != 0) {
		heap_label(h, key, b);
		buf_printf(b, " @%" PRIu32, key);
	}
	buf_chr(b, ']');
}
