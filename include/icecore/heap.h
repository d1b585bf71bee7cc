/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap: heap dumps as the loader leaves them.  Belongs to layer load.
 *
 * Objects are numbered 1 .. heap.objects by rising address; classes by first
 * appearance in the file; 0 is none.  Values stay in the source.
 */
#ifndef ICECORE_HEAP_H
#define ICECORE_HEAP_H

#include "icecore/hprof.h"
#include "icecore/ids.h"

/*
 * Facts between loader and passes: heap.objects, heap.id_size (4, 8), heap.layout (enum heap_layout),
 * heap.flat (1: fields fill the gaps of superclasses), heap.align, heap.mat_align, heap.mat_ref (4, 8),
 * heap.android (1: instance sizes are those of the dump), heap.class_class (java.lang.Class, 0: not dumped),
 * heap.pseudo (1: the dump has no roots), heap.stack_class (jdk.internal.vm.StackChunk, 0: missing),
 * heap.stack_field (1 + offset of its field "size" in the values of an instance), heap.twice (number of
 * objects with a second record; absent if 0), heap.rest (1: objects that no root reaches count as roots, but the
 * last of these, in cycles, hold nothing), heap.owned (1: objects without bytes are counted with their owners),
 * heap.root (object whose references are the roots).  The columns of the loader: columns_heap.h.
 */

/* How a reference holds its target; the weakest one on the path from a root decides. */
enum heap_strength { HEAP_STRONG, HEAP_SOFT, HEAP_FINALIZER, HEAP_WEAK, HEAP_PHANTOM,
	/*
	 * java.lang.ref.Reference.discovered: the list that a collection makes of references that it
	 * cleared.
	 */
	HEAP_CHAINED,
	HEAP_STRENGTHS };

#define ROOT_NO_FRAME UINT32_MAX

/* A thread holds it by its stack. */
static inline bool
root_is_local(uint64_t kind)
{
	return kind == ROOT_JAVA_FRAME || kind == ROOT_JNI_LOCAL || kind == ROOT_NATIVE_STACK ||
	    kind == ROOT_THREAD_BLOCK || kind == ROOT_JNI_MONITOR;
}

/*
 * Header, reference and array header of the layouts a HotSpot VM may have had.  NARROW: references of 4 bytes, but
 * class pointers of 8 (-XX:-UseCompressedClassPointers).  Since JDK 22 (JDK-8139457) the elements of an array may begin
 * within the word of its length: TIGHT.
 */
enum heap_layout {
	LAYOUT_32, LAYOUT_COOPS, LAYOUT_NOCOOPS, LAYOUT_ZGC, LAYOUT_COMPACT, LAYOUT_COMPACT_ZGC, LAYOUT_NARROW,
	LAYOUT_NARROW_TIGHT, LAYOUT_NOCOOPS_TIGHT, HEAP_LAYOUTS
};
extern const struct heap_layout_row {
	const char	*name;			/* "coops" */
	uint8_t		 header, ref, array;	/* bytes */
} heap_layouts[HEAP_LAYOUTS];

/* Bytes of headers and references.  android: sizes are taken from the dump, and arrays have no header. */
struct heap_rule {
	uint8_t		header, ref;
	uint8_t		objects, prims, wide;	/* headers of arrays; wide: of 8-byte elements */
	bool		flat, android;
	unsigned	align, id_size;
};

/* layout, flat: of SIZES_VM; narrow: MAT takes references for 4 bytes. */
struct heap_rule heap_rule_vm(enum heap_layout, bool flat, unsigned align, unsigned id_size);
struct heap_rule heap_rule_mat(bool narrow, unsigned align, unsigned id_size);
struct heap_rule heap_rule(const struct store *, enum heap_sizes);

/* The class in "[[Lx/y;", "x.y[][]" or java.lang.Class<x.y>; empty: there is none. */
struct str heap_class_core(struct str name);
/* A name with dots equals one with slashes. */
bool	heap_same_name(struct str name, struct str dotted);

/* Number of fields that a class declares itself; the first is row *row - 1 of field.*. */
uint64_t heap_class_fields(const struct store *, uint32_t class, uint64_t *row);

/* Up to a multiple. */
static inline uint64_t
heap_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

/*
 * Bytes of the static fields of a class: refs references, and bytes of other fields.  wide: a long follows
 * the references, aligned to 8.
 */
static inline uint64_t
heap_rule_statics(const struct heap_rule *r, uint64_t refs, uint64_t bytes, bool wide)
{
	refs *= r->android ? r->id_size : r->ref;
	if (r->android)
		return refs + bytes;
	return heap_up((wide ? heap_up(refs, 8) : refs) + bytes, r->align);
}

/* Arrays: bytes of an element, and of the header before the elements. */
static inline unsigned
heap_rule_width(const struct heap_rule *r, unsigned type)
{
	if (type <= HEAP_OBJECT)
		return r->android ? r->id_size : r->ref;
	return heap_width(type, r->id_size);
}

static inline unsigned
heap_rule_head(const struct heap_rule *r, unsigned type)
{
	if (r->android)
		return 0;
	return type <= HEAP_OBJECT ? r->objects :
	    heap_rule_width(r, type) == 8 ? r->wide : r->prims;
}

/* Bytes of an array with n elements. */
static inline uint64_t
heap_rule_array(const struct heap_rule *r, unsigned type, uint64_t length)
{
	uint64_t bytes = heap_rule_head(r, type) + length * heap_rule_width(r, type);

	if (r->android)
		return bytes;
	/* Nearly always 8, and then without a division. */
	return r->align == 8 ? (bytes + 7) & ~(uint64_t)7 : heap_up(bytes, r->align);
}

/*
 * The stack of a virtual thread follows the fields of a stack chunk: this many words, then a bitmap (in whole
 * words) of the words that can hold a reference.
 */
static inline uint64_t
heap_rule_stack(const struct heap_rule *r, uint64_t words)
{
	uint64_t word = r->id_size, bits = words * (word / r->ref);

	return words * word + heap_up(bits, 8 * word) / 8;
}

/* Words of the stack by the field values of a stack chunk; field: see heap.stack_field. */
static inline uint32_t
heap_stack_words(const uint8_t *values, uint64_t bytes, uint64_t field)
{
	uint32_t words = field > 0 && field < bytes && bytes - field >= 3 ? be32(values + field - 1) : 0;

	return words <= INT32_MAX ? words : 0;
}

#endif
