/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collection_rules: the classes that are collections, in JDK 5 to 25, Android and AndroidX.
 */
#include "config.h"

#include "collections.h"

#define CLASS(name) name, sizeof(name) - 1
#define UTIL "java.util."
#define CONCURRENT "java.util.concurrent."
#define IMMUTABLE "java.util.ImmutableCollections$"
/* Programs count with it, too: its value is only read where a queue does. */
#define COUNTER CONCURRENT "atomic.AtomicInteger"
#define COUNTER_VALUE "value"

/* SparseArray and its kin, as android.util, the support library and AndroidX until 1.3 spell them. */
#define SPARSE(package, name) \
	{ CLASS(package name), FORM_SPARSE, { "mSize", "mKeys", "mValues" } }
#define GARBAGE(package, name) \
	{ CLASS(package name), FORM_GARBAGE, { "mSize", "mKeys", "mValues", "mGarbage" } }, \
	SPARSE(package, name)
/* A map or set of a sorted array of hashes, likewise. */
#define INDEXED(package, name, form) \
	{ CLASS(package name), form, { "mSize", "mHashes", "mArray" } }

const struct collection_rule collection_rules[] = {
	{ CLASS(UTIL "ArrayList"), FORM_LIST, { "size", "elementData" } },
	{ CLASS(UTIL "ArrayList"), FORM_LIST, { "size", "array" } },
	{ CLASS(UTIL "Arrays$ArrayList"), FORM_FULL, { "a" } },
	{ CLASS(UTIL "Vector"), FORM_LIST, { "elementCount", "elementData" } },
	{ CLASS(UTIL "ArrayDeque"), FORM_DEQUE, { "elements", "head", "tail" } },
	{ CLASS(UTIL "LinkedList"), FORM_LINKED, { "size", "first" } },
	{ CLASS(UTIL "LinkedList"), FORM_CIRCLE, { "size", "header" } },
	{ CLASS(UTIL "LinkedList"), FORM_CIRCLE, { "size", "voidLink" } },
	{ CLASS(UTIL "LinkedList"), FORM_LINKED, { "size" } },
	{ CLASS(UTIL "PriorityQueue"), FORM_LIST, { "size", "queue" } },
	{ CLASS(UTIL "PriorityQueue"), FORM_LIST, { "size", "elements" } },
	{ CLASS(UTIL "EnumMap"), FORM_ENUMS, { "size", "vals", "keyUniverse" } },
	{ CLASS(UTIL "EnumMap"), FORM_LIST, { "size", "vals" } },

	{ CLASS(UTIL "HashMap"), FORM_HASH, { "size", "table", "entryForNullKey" } },
	{ CLASS(UTIL "HashMap"), FORM_HASH, { "size", "table" } },
	{ CLASS(UTIL "HashMap"), FORM_HASH, { "elementCount", "elementData" } },
	{ CLASS(UTIL "Properties"), FORM_WRAP, { "map" } },
	{ CLASS(UTIL "Hashtable"), FORM_HASH, { "count", "table" } },
	{ CLASS(UTIL "Hashtable"), FORM_HASH, { "size", "table" } },
	{ CLASS(UTIL "Hashtable"), FORM_HASH, { "elementCount", "elementData" } },
	{ CLASS(UTIL "WeakHashMap"), FORM_HASH, { "size", "table" } },
	{ CLASS(UTIL "WeakHashMap"), FORM_HASH, { "elementCount", "elementData" } },
	{ CLASS(UTIL "IdentityHashMap"), FORM_PAIRS, { "size", "table" } },
	{ CLASS(UTIL "IdentityHashMap"), FORM_PAIRS, { "size", "elementData" } },
	{ CLASS(UTIL "LinkedHashMap"), FORM_HASH_LINKED, { "size", "table", "head" } },
	{ CLASS(UTIL "LinkedHashMap"), FORM_HASH_CIRCLE, { "size", "table", "header" } },
	{ CLASS(UTIL "LinkedHashMap"), FORM_HASH_LINKED, { "elementCount", "elementData", "head" } },
	{ CLASS(UTIL "TreeMap"), FORM_TREE, { "size", "root" } },
	{ CLASS(UTIL "TreeMap"), FORM_LINKED, { "size" } },
	{ CLASS(UTIL "HashSet"), FORM_SET, { "map" } },
	{ CLASS(UTIL "HashSet"), FORM_SET, { "backingMap" } },
	{ CLASS(UTIL "TreeSet"), FORM_SET, { "m" } },
	{ CLASS(UTIL "TreeSet"), FORM_SET, { "backingMap" } },
	{ CLASS(UTIL "Collections$SetFromMap"), FORM_SET, { "m" } },

	{ CLASS(IMMUTABLE "List12"), FORM_TWO, { "e0", "e1" } },
	{ CLASS(IMMUTABLE "List1"), FORM_ONE, { "e0" } },
	{ CLASS(IMMUTABLE "List2"), FORM_TWO, { "e0", "e1" } },
	{ CLASS(IMMUTABLE "ListN"), FORM_FULL, { "elements" } },
	{ CLASS(IMMUTABLE "Set12"), FORM_TWO, { "e0", "e1" } },
	{ CLASS(IMMUTABLE "Set1"), FORM_ONE, { "e0" } },
	{ CLASS(IMMUTABLE "Set2"), FORM_TWO, { "e0", "e1" } },
	{ CLASS(IMMUTABLE "SetN"), FORM_FIXED, { "size", "elements" } },
	{ CLASS(IMMUTABLE "Map1"), FORM_PAIR, { "k0", "v0" } },
	{ CLASS(IMMUTABLE "MapN"), FORM_FIXED_PAIRS, { "size", "table" } },

	{ CLASS(CONCURRENT "ConcurrentHashMap"), FORM_STRIPED, { "baseCount", "counterCells", "table" } },
	{ CLASS(CONCURRENT "ConcurrentHashMap"), FORM_SEGMENTS, { "segments" } },
	{ CLASS(CONCURRENT "ConcurrentHashMap$KeySetView"), FORM_VIEW, { "map" } },
	{ CLASS(CONCURRENT "CopyOnWriteArrayList"), FORM_FULL, { "array" } },
	{ CLASS(CONCURRENT "CopyOnWriteArrayList"), FORM_FULL, { "elements" } },
	{ CLASS(CONCURRENT "CopyOnWriteArraySet"), FORM_WRAP, { "al" } },
	{ CLASS(CONCURRENT "ConcurrentLinkedQueue"), FORM_WALK, { "head" } },
	{ CLASS(CONCURRENT "ConcurrentLinkedDeque"), FORM_WALK, { "head" } },
	{ CLASS(CONCURRENT "LinkedBlockingQueue"), FORM_COUNTED, { "count", "head" } },
	{ CLASS(CONCURRENT "LinkedBlockingQueue"), FORM_COUNTED, { "count" } },
	{ CLASS(CONCURRENT "LinkedBlockingDeque"), FORM_LINKED, { "count", "first" } },
	{ CLASS(CONCURRENT "LinkedBlockingDeque"), FORM_LINKED, { "count" } },
	{ CLASS(CONCURRENT "ArrayBlockingQueue"), FORM_RING, { "count", "items", "takeIndex" } },
	{ CLASS(CONCURRENT "ArrayBlockingQueue"), FORM_LIST, { "count", "items" } },
	{ CLASS(CONCURRENT "PriorityBlockingQueue"), FORM_LIST, { "size", "queue" } },
	{ CLASS(CONCURRENT "PriorityBlockingQueue"), FORM_WRAP, { "q" } },
	{ CLASS(CONCURRENT "DelayQueue"), FORM_WRAP, { "q" } },

	INDEXED("android.util.", "ArrayMap", FORM_INDEXED),
	INDEXED("android.util.", "ArraySet", FORM_INDEXED_SET),
	INDEXED("android.support.v4.util.", "SimpleArrayMap", FORM_INDEXED),
	INDEXED("android.support.v4.util.", "ArraySet", FORM_INDEXED_SET),
	INDEXED("androidx.collection.", "SimpleArrayMap", FORM_INDEXED),
	INDEXED("androidx.collection.", "ArraySet", FORM_INDEXED_SET),
	{ CLASS("androidx.collection.SimpleArrayMap"), FORM_INDEXED, { "size", "hashes", "array" } },
	{ CLASS("androidx.collection.ArraySet"), FORM_INDEXED_SET, { "_size", "hashes", "array" } },
	GARBAGE("android.util.", "SparseArray"),
	GARBAGE("android.util.", "LongSparseArray"),
	SPARSE("android.util.", "SparseIntArray"),
	SPARSE("android.util.", "SparseLongArray"),
	SPARSE("android.util.", "SparseBooleanArray"),
	SPARSE("android.util.", "LongSparseLongArray"),
	GARBAGE("android.support.v4.util.", "SparseArrayCompat"),
	GARBAGE("android.support.v4.util.", "LongSparseArray"),
	GARBAGE("androidx.collection.", "SparseArrayCompat"),
	GARBAGE("androidx.collection.", "LongSparseArray"),
	{ CLASS("androidx.collection.SparseArrayCompat"), FORM_GARBAGE,
	    { "size", "keys", "values", "garbage" } },
	{ CLASS("androidx.collection.LongSparseArray"), FORM_GARBAGE,
	    { "size", "keys", "values", "garbage" } },
	{ CLASS("android.support.v4.util.CircularArray"), FORM_DEQUE, { "mElements", "mHead", "mTail" } },
	{ CLASS("androidx.collection.CircularArray"), FORM_DEQUE, { "mElements", "mHead", "mTail" } },
	{ CLASS("androidx.collection.CircularArray"), FORM_DEQUE, { "elements", "head", "tail" } },

	{ CLASS(CONCURRENT "ConcurrentLinkedQueue$Node"), FORM_NODE, { "item", "next" } },
	{ CLASS(CONCURRENT "ConcurrentLinkedDeque$Node"), FORM_NODE, { "item", "next" } },
	{ CLASS(CONCURRENT "ConcurrentHashMap$CounterCell"), FORM_NUMBER, { "value" } },
	{ CLASS(CONCURRENT "ConcurrentHashMap$Segment"), FORM_SEGMENT, { "count", "table" } },
	{ CLASS(COUNTER), FORM_COUNTER, { COUNTER_VALUE } },

	{ CLASS(UTIL "AbstractList"), FORM_OUTER, { NULL } },
	{ CLASS(UTIL "AbstractMap"), FORM_OUTER, { NULL } },
	{ CLASS(UTIL "Arrays"), FORM_OUTER, { NULL } },
	{ CLASS(UTIL "Collections"), FORM_OUTER, { NULL } },
	{ CLASS(UTIL "ImmutableCollections"), FORM_OUTER, { NULL } },
	{ CLASS(UTIL "LinkedHashSet"), FORM_OUTER, { NULL } },
	{ CLASS(UTIL "Stack"), FORM_OUTER, { NULL } },
	{ CLASS(CONCURRENT "ConcurrentSkipListMap"), FORM_OUTER, { NULL } },
	{ CLASS(CONCURRENT "ConcurrentSkipListSet"), FORM_OUTER, { NULL } },
	{ CLASS("android.support.v4.util.ArrayMap"), FORM_OUTER, { NULL } },
	{ CLASS("androidx.collection.ArrayMap"), FORM_OUTER, { NULL } },
	{ NULL, 0, FORM_LIST, { NULL } }
};

/* Fields of a form that are numbers or flags, as bits 1 << field. */
const uint8_t collection_numbers[] = {
	[FORM_LIST] = 1, [FORM_FULL] = 0, [FORM_DEQUE] = 2 | 4, [FORM_RING] = 1 | 4, [FORM_LINKED] = 1,
	    [FORM_CIRCLE] = 1,
	[FORM_TREE] = 1, [FORM_FIXED] = 1, [FORM_FIXED_PAIRS] = 1, [FORM_ENUMS] = 1, [FORM_HASH] = 1,
	    [FORM_HASH_LINKED] = 1,
	[FORM_HASH_CIRCLE] = 1, [FORM_STRIPED] = 1, [FORM_PAIRS] = 1, [FORM_SPARSE] = 1,
	    [FORM_GARBAGE] = 1 | 8,
	[FORM_INDEXED] = 1, [FORM_INDEXED_SET] = 1, [FORM_NUMBER] = 1, [FORM_COUNTER] = 1, [FORM_SEGMENT] = 1,
	    [FORM_OUTER] = 0
};

/* The number that a rule reads of that field, or through it; false: none. */
static bool
collection_rules_number_of(const struct collection_rule *r, unsigned field, struct kept_field *f)
{
	bool counted = r->form == FORM_COUNTED && field == 0;

	if (r->field[field] == NULL || r->form == FORM_COUNTER ||
	    (!counted && (collection_numbers[r->form] >> field & 1) == 0))
		return false;
	*f = counted ? (struct kept_field){ COUNTER, COUNTER_VALUE, r->class, r->field[field] } :
	    (struct kept_field){ .class = r->class, .name = r->field[field] };
	return true;
}

bool
collection_number(size_t *i, struct kept_field *f)
{
	for (const struct collection_rule *r = collection_rules; r->class != NULL; r++)
		for (unsigned k = 0; k < RULE_FIELDS; k++)
			if (collection_rules_number_of(r, k, f) && (*i)-- == 0)
				return true;
	return false;
}
