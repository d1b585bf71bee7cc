/*
 * collection_rules: the classes that are collections, in JDK 5 to 25, Android and AndroidX.
 */
#include "config.h"

#include "collections.h"

#define UTIL "java.util."
#define CONCURRENT "java.util.concurrent."
#define IMMUTABLE "java.util.ImmutableCollections$"

/* SparseArray and its kin, as android.util, the support library and AndroidX until 1.3 spell them. */
#define SPARSE(package, name) \
	{ package name, FORM_SPARSE, { "mSize", "mKeys", "mValues" } }
#define GARBAGE(package, name) \
	{ package name, FORM_GARBAGE, { "mSize", "mKeys", "mValues", "mGarbage" } }, \
	SPARSE(package, name)
/* A map or set of a sorted array of hashes, likewise. */
#define INDEXED(package, name) \
	{ package name, FORM_INDEXED, { "mSize", "mHashes", "mArray" } }

const struct collection_rule collection_rules[] = {
	{ UTIL "ArrayList", FORM_LIST, { "size", "elementData" } },
	{ UTIL "ArrayList", FORM_LIST, { "size", "array" } },
	{ UTIL "Arrays$ArrayList", FORM_FULL, { "a" } },
	{ UTIL "Vector", FORM_LIST, { "elementCount", "elementData" } },
	{ UTIL "ArrayDeque", FORM_DEQUE, { "elements", "head", "tail" } },
	{ UTIL "LinkedList", FORM_LINKED, { "size" } },
	{ UTIL "PriorityQueue", FORM_LIST, { "size", "queue" } },
	{ UTIL "PriorityQueue", FORM_LIST, { "size", "elements" } },
	{ UTIL "EnumMap", FORM_LIST, { "size", "vals" } },

	{ UTIL "HashMap", FORM_HASH, { "size", "table" } },
	{ UTIL "HashMap", FORM_HASH, { "elementCount", "elementData" } },
	{ UTIL "Properties", FORM_WRAP, { "map" } },
	{ UTIL "Hashtable", FORM_HASH, { "count", "table" } },
	{ UTIL "Hashtable", FORM_HASH, { "size", "table" } },
	{ UTIL "Hashtable", FORM_HASH, { "elementCount", "elementData" } },
	{ UTIL "WeakHashMap", FORM_HASH, { "size", "table" } },
	{ UTIL "WeakHashMap", FORM_HASH, { "elementCount", "elementData" } },
	{ UTIL "IdentityHashMap", FORM_PAIRS, { "size", "table" } },
	{ UTIL "IdentityHashMap", FORM_PAIRS, { "size", "elementData" } },
	{ UTIL "TreeMap", FORM_LINKED, { "size" } },
	{ UTIL "HashSet", FORM_WRAP, { "map" } },
	{ UTIL "HashSet", FORM_WRAP, { "backingMap" } },
	{ UTIL "TreeSet", FORM_WRAP, { "m" } },
	{ UTIL "TreeSet", FORM_WRAP, { "backingMap" } },
	{ UTIL "Collections$SetFromMap", FORM_WRAP, { "m" } },

	{ IMMUTABLE "List12", FORM_TWO, { "e0", "e1" } },
	{ IMMUTABLE "List1", FORM_ONE, { "e0" } },
	{ IMMUTABLE "List2", FORM_TWO, { "e0", "e1" } },
	{ IMMUTABLE "ListN", FORM_FULL, { "elements" } },
	{ IMMUTABLE "Set12", FORM_TWO, { "e0", "e1" } },
	{ IMMUTABLE "Set1", FORM_ONE, { "e0" } },
	{ IMMUTABLE "Set2", FORM_TWO, { "e0", "e1" } },
	{ IMMUTABLE "SetN", FORM_FIXED, { "size", "elements" } },
	{ IMMUTABLE "Map1", FORM_ONE, { "k0" } },
	{ IMMUTABLE "MapN", FORM_FIXED, { "size", "table" } },

	{ CONCURRENT "ConcurrentHashMap", FORM_STRIPED, { "baseCount", "counterCells", "table" } },
	{ CONCURRENT "ConcurrentHashMap", FORM_SEGMENTS, { "segments" } },
	{ CONCURRENT "ConcurrentHashMap$KeySetView", FORM_VIEW, { "map" } },
	{ CONCURRENT "CopyOnWriteArrayList", FORM_FULL, { "array" } },
	{ CONCURRENT "CopyOnWriteArrayList", FORM_FULL, { "elements" } },
	{ CONCURRENT "CopyOnWriteArraySet", FORM_WRAP, { "al" } },
	{ CONCURRENT "ConcurrentLinkedQueue", FORM_WALK, { "head" } },
	{ CONCURRENT "ConcurrentLinkedDeque", FORM_WALK, { "head" } },
	{ CONCURRENT "LinkedBlockingQueue", FORM_COUNTED, { "count" } },
	{ CONCURRENT "LinkedBlockingDeque", FORM_LINKED, { "count" } },
	{ CONCURRENT "ArrayBlockingQueue", FORM_LIST, { "count", "items" } },
	{ CONCURRENT "PriorityBlockingQueue", FORM_LIST, { "size", "queue" } },
	{ CONCURRENT "PriorityBlockingQueue", FORM_WRAP, { "q" } },
	{ CONCURRENT "DelayQueue", FORM_WRAP, { "q" } },

	INDEXED("android.util.", "ArrayMap"),
	INDEXED("android.util.", "ArraySet"),
	INDEXED("android.support.v4.util.", "SimpleArrayMap"),
	INDEXED("android.support.v4.util.", "ArraySet"),
	INDEXED("androidx.collection.", "SimpleArrayMap"),
	INDEXED("androidx.collection.", "ArraySet"),
	{ "androidx.collection.SimpleArrayMap", FORM_INDEXED, { "size", "hashes", "array" } },
	{ "androidx.collection.ArraySet", FORM_INDEXED, { "_size", "hashes", "array" } },
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
	{ "androidx.collection.SparseArrayCompat", FORM_GARBAGE, { "size", "keys", "values", "garbage" } },
	{ "androidx.collection.LongSparseArray", FORM_GARBAGE, { "size", "keys", "values", "garbage" } },
	{ "android.support.v4.util.CircularArray", FORM_DEQUE, { "mElements", "mHead", "mTail" } },
	{ "androidx.collection.CircularArray", FORM_DEQUE, { "mElements", "mHead", "mTail" } },
	{ "androidx.collection.CircularArray", FORM_DEQUE, { "elements", "head", "tail" } },

	{ CONCURRENT "ConcurrentLinkedQueue$Node", FORM_NODE, { "item", "next" } },
	{ CONCURRENT "ConcurrentLinkedDeque$Node", FORM_NODE, { "item", "next" } },
	{ CONCURRENT "ConcurrentHashMap$CounterCell", FORM_NUMBER, { "value" } },
	{ CONCURRENT "ConcurrentHashMap$Segment", FORM_SEGMENT, { "count", "table" } },
	{ CONCURRENT "atomic.AtomicInteger", FORM_NUMBER, { "value" } },

	{ UTIL "AbstractList", FORM_OUTER, { NULL } },
	{ UTIL "AbstractMap", FORM_OUTER, { NULL } },
	{ UTIL "Arrays", FORM_OUTER, { NULL } },
	{ UTIL "Collections", FORM_OUTER, { NULL } },
	{ UTIL "ImmutableCollections", FORM_OUTER, { NULL } },
	{ UTIL "LinkedHashMap", FORM_OUTER, { NULL } },
	{ UTIL "LinkedHashSet", FORM_OUTER, { NULL } },
	{ UTIL "Stack", FORM_OUTER, { NULL } },
	{ CONCURRENT "ConcurrentSkipListMap", FORM_OUTER, { NULL } },
	{ CONCURRENT "ConcurrentSkipListSet", FORM_OUTER, { NULL } },
	{ "android.support.v4.util.ArrayMap", FORM_OUTER, { NULL } },
	{ "androidx.collection.ArrayMap", FORM_OUTER, { NULL } },
	{ NULL, FORM_LIST, { NULL } }
};
