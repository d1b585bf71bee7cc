/*
 * heap: heap dumps as the loader leaves them.  Belongs to layer load.
 *
 * Objects are numbered 1 .. heap.objects by rising address; classes by first
 * appearance in the file; 0 is none.  Values stay in the source.
 *
 * Format facts: "HPROF agent" of the JDK (demo/jvmti/hprof/manual.html), heapDumper.cpp of
 * HotSpot, hprof.cc of ART.
 */
#ifndef ICECORE_HEAP_H
#define ICECORE_HEAP_H

#include "icecore/bytes.h"
#include "icecore/ids.h"

/*
 * Facts between loader and passes: heap.objects, heap.id_size (4, 8), heap.layout (enum heap_layout),
 * heap.flat (1: fields fill the gaps of superclasses), heap.align, heap.mat_align, heap.mat_ref (4, 8),
 * heap.android (1: the instance sizes of the dump hold), heap.class_class (java.lang.Class, 0: not dumped), heap.pseudo (1: the dump has no roots),
 * heap.stack_class (jdk.internal.vm.StackChunk, 0: there is none), heap.stack_field (1 + where its field "size" lies in the values of an instance),
 * heap.twice (how many objects have a second record; absent if none has).
 *
 * The columns of the loader: columns_heap.h.
 */

enum heap_type {
	HEAP_OBJECT = 2, HEAP_BOOLEAN = 4, HEAP_CHAR, HEAP_FLOAT, HEAP_DOUBLE, HEAP_BYTE,
	HEAP_SHORT, HEAP_INT, HEAP_LONG
};

/* How a reference holds what it refers to; the weakest on the way from a root decides. */
enum heap_strength { HEAP_STRONG, HEAP_SOFT, HEAP_FINALIZER, HEAP_WEAK, HEAP_PHANTOM,
	HEAP_CHAINED,	/* java.lang.ref.Reference.discovered: the list that a collection makes of references that it cleared */
	HEAP_STRENGTHS };

/* Sub-record tags of roots. */
enum heap_root {
	ROOT_UNKNOWN = 0xff, ROOT_JNI_GLOBAL = 1, ROOT_JNI_LOCAL, ROOT_JAVA_FRAME,
	ROOT_NATIVE_STACK, ROOT_STICKY_CLASS, ROOT_THREAD_BLOCK, ROOT_MONITOR, ROOT_THREAD,
	ROOT_INTERNED = 0x89, ROOT_FINALIZING, ROOT_DEBUGGER, ROOT_CLEANUP, ROOT_VM, ROOT_JNI_MONITOR,
	ROOT_UNREACHABLE = 0x90,	/* marks an object as unreachable: no root */
	/* Ours: a class of the boot loader in a file without sticky classes; an object taken as a root because the dump has none. */
	ROOT_BOOT_CLASS = 0xf0, ROOT_PSEUDO = 0xf1
};

#define ROOT_NO_FRAME UINT32_MAX

/* A thread holds it by its stack. */
static inline bool
root_is_local(uint64_t kind)
{
	return kind == ROOT_JAVA_FRAME || kind == ROOT_JNI_LOCAL || kind == ROOT_NATIVE_STACK ||
	    kind == ROOT_THREAD_BLOCK || kind == ROOT_JNI_MONITOR;
}

/* Header, reference and array header of the layouts a HotSpot VM may have had. */
enum heap_layout {
	LAYOUT_32, LAYOUT_COOPS, LAYOUT_NOCOOPS, LAYOUT_ZGC, LAYOUT_COMPACT, LAYOUT_COMPACT_ZGC,
	HEAP_LAYOUTS
};
extern const struct heap_layout_row {
	const char	*name;			/* "coops" */
	uint8_t		 header, ref, array;	/* bytes */
} heap_layouts[HEAP_LAYOUTS];

/* Bytes of headers and references.  android: sizes are those of the dump, arrays have no header. */
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

/* A name with dots equals one with slashes. */
bool	heap_same_name(struct str name, struct str dotted);

/* ---- numbers of the file: big-endian --------------------------------------- */

/* A number of 1, 2, 4 or 8 bytes. */
static inline uint64_t
heap_bits(const uint8_t *p, unsigned width)
{
	switch (width) {
	case 1:
		return p[0];
	case 2:
		return be16(p);
	case 4:
		return be32(p);
	default:
		return be64(p);
	}
}

static inline uint64_t
heap_id(const uint8_t *p, unsigned id_size)
{
	return id_size == 8 ? be64(p) : be32(p);
}

/* Bytes of a value; 0: no such type.  Type 1 stands for arrays in the oldest files. */
static inline unsigned
heap_width(unsigned type, unsigned id_size)
{
	/* Four bits a type, the lowest for type 0. */
	unsigned width = type < 12 ? (unsigned)(UINT64_C(0x842184210000) >> 4 * type) & 15 : 0;

	return type == 1 || type == HEAP_OBJECT ? id_size : width;
}

/* How many fields a class declares itself, the first of them in row *row - 1 of field.*. */
uint64_t heap_class_fields(const struct store *, uint32_t class, uint64_t *row);

/* Up to a multiple. */
static inline uint64_t
heap_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

/* Bytes of the static fields of a class: refs references, and bytes of other fields.  wide: a long follows the references, aligned to 8. */
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

/* Bytes of an array of so many elements. */
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
 * A stack chunk has the stack of a virtual thread behind its fields: so many words, then one bit for each place among
 * them that can hold a reference, in whole words.
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

/* ---- records ----------------------------------------------------------------------- */

/* Tags of records. */
enum record_tag {
	RECORD_STRING = 1, RECORD_LOAD_CLASS, RECORD_UNLOAD_CLASS, RECORD_FRAME, RECORD_TRACE,
	RECORD_ALLOC_SITES, RECORD_SUMMARY, RECORD_START_THREAD = 0x0a, RECORD_END_THREAD,
	RECORD_HEAP, RECORD_SAMPLES, RECORD_SETTINGS, RECORD_SEGMENT = 0x1c, RECORD_END = 0x2c
};

static inline bool
heap_is_dump(unsigned tag)
{
	return tag == RECORD_HEAP || tag == RECORD_SEGMENT;
}

bool	heap_known_tag(unsigned tag);
/* A header that may well be that of a record lies there: tag, length, and those behind it. */
bool	heap_header_ok(const uint8_t *source, uint64_t size, uint64_t offset);

/* ---- sub-records ----------------------------------------------------------------- */

enum heap_tag {
	TAG_CLASS = 0x20, TAG_INSTANCE, TAG_OBJECTS, TAG_PRIMS,
	TAG_NODATA = 0xc3,	/* Android: a primitive array without its elements */
	TAG_PART = 0xfe		/* Android: objects from here on lie in another heap */
};

/* One sub-record of an object. */
struct heap_record {
	uint64_t	offset;		/* of its tag */
	uint64_t	id, class;	/* addresses; class 0 for classes and primitive arrays */
	uint64_t	data;		/* offset of the field values or elements; of the body, for a class */
	uint64_t	bytes;		/* of data */
	uint64_t	next;		/* offset after it */
	uint32_t	length;		/* elements */
	uint8_t		tag;
	uint8_t		type;		/* of elements */
};

/* False when no whole object record lies there; of a class, bytes is then how far it seemed to be one. */
bool	heap_record(const uint8_t *source, uint64_t end, unsigned id_size, uint64_t offset,
	    struct heap_record *);
/* Of the record of a class: how many static fields follow from *at on, { id of the name, u8 type, value } each. */
uint32_t heap_statics(const uint8_t *source, unsigned id_size, const struct heap_record *, uint64_t *at);
/* Whether tag is that of a root, and what follows the address of its object: so many ids and numbers of 4 bytes. */
bool	heap_root_form(unsigned tag, unsigned *ids, unsigned *numbers);
/* Bytes of a sub-record that is no object's: a root, or the beginning of a part; 0: none has that tag. */
unsigned heap_other_size(unsigned tag, unsigned id_size);
/*
 * The first record of an object at or after offset in an extent; next is where to go on, also when
 * it is false: none.
 */
bool	heap_next_record(const uint8_t *source, uint64_t end, unsigned id_size, uint64_t offset,
	    struct heap_record *);

#endif
