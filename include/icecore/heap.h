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

#include "icecore/load.h"

/*
 * Facts between loader and passes: heap.objects, heap.id_size (4, 8), heap.dump (which dump of
 * the file, from 1), heap.layout (enum heap_layout), heap.flat (1: fields fill the gaps of
 * superclasses), heap.align, heap.mat_ref (4, 8), heap.android (1: instance sizes of the dump
 * hold), heap.pseudo (1: the dump has no roots).
 *
 * Columns of the loader:
 * id.*         address to object: read through heap_find and heap_addr only.
 * extent.from, extent.to  (u64, offsets in the source) runs of whole sub-records, file order.
 * class.*      one row a class, also for classes that are only named or only used:
 *              object (u32, its Class object, 0: not dumped), addr (u64), name (ref, as in the
 *              file; 0: unknown), super (u32 class, 0: none), loader (u32 row of loader.*),
 *              dump (u64 offset of its CLASS_DUMP, 0: none), size (u32, instance size the dump
 *              says), element (u8: 0 no array, else enum heap_type), strength (u8, enum
 *              heap_strength of what its referent field does), objects (u32, instances),
 *              shallow (u64, bytes of its instances by the layout that won),
 *              field (u32, first row in field.*), fields (u32, fields it declares itself)
 * field.name (ref), field.type (u8): instance fields in the order of their values
 * loader.object (u32): row 1 is the boot loader with object 0
 * root.object, root.kind (u8, enum heap_root), root.thread (u32 row of jthread.*, 0: none),
 *              root.frame (u32: row of frame.*, 0: none), file order; roots of absent objects left out
 * jthread.object (u32, 0: not dumped), jthread.serial (u32), jthread.name (ref, of START_THREAD),
 *              jthread.frame (u32, first row of frame.*), jthread.frames (u32)
 * frame.thread (u32), frame.method, frame.signature, frame.file (refs), frame.class (u32),
 *              frame.line (i64: -1 unknown, -2 compiled, -3 native, 0 no line numbers);
 *              the frames of a thread stand together, innermost first
 * name.id (u64, rising), name.ref: the STRING records
 * part.from (u64 offset), part.name (ref): heaps of Android: an object belongs to the last part
 *              that begins at or before its offset
 */

enum heap_type {
	HEAP_OBJECT = 2, HEAP_BOOLEAN = 4, HEAP_CHAR, HEAP_FLOAT, HEAP_DOUBLE, HEAP_BYTE,
	HEAP_SHORT, HEAP_INT, HEAP_LONG
};

/* How a reference holds what it refers to; the weakest on the way from a root decides. */
enum heap_strength { HEAP_STRONG, HEAP_SOFT, HEAP_FINALIZER, HEAP_WEAK, HEAP_PHANTOM, HEAP_STRENGTHS };

/* Sub-record tags of roots. */
enum heap_root {
	ROOT_UNKNOWN = 0xff, ROOT_JNI_GLOBAL = 1, ROOT_JNI_LOCAL, ROOT_JAVA_FRAME,
	ROOT_NATIVE_STACK, ROOT_STICKY_CLASS, ROOT_THREAD_BLOCK, ROOT_MONITOR, ROOT_THREAD,
	ROOT_INTERNED = 0x89, ROOT_FINALIZING, ROOT_DEBUGGER, ROOT_CLEANUP, ROOT_VM, ROOT_JNI_MONITOR,
	/* Ours: a class of the boot loader in a file without sticky classes; an object taken as a root because the dump has none. */
	ROOT_BOOT_CLASS = 0xf0, ROOT_PSEUDO = 0xf1
};

/* Header, reference and array header of the layouts a HotSpot VM may have had. */
enum heap_layout {
	LAYOUT_32, LAYOUT_COOPS, LAYOUT_NOCOOPS, LAYOUT_ZGC, LAYOUT_COMPACT, LAYOUT_COMPACT_ZGC,
	HEAP_LAYOUTS
};
extern const struct heap_layout_row {
	const char	*name;			/* "coops" */
	uint8_t		 header, ref, array;	/* bytes */
} heap_layouts[HEAP_LAYOUTS];

/* ---- numbers of the file: big-endian --------------------------------------- */

static inline uint32_t
be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t
be32(const uint8_t *p)
{
	return be16(p) << 16 | be16(p + 2);
}

static inline uint64_t
be64(const uint8_t *p)
{
	return (uint64_t)be32(p) << 32 | be32(p + 4);
}

/* Bytes of a value; 0: no such type. */
unsigned heap_width(unsigned type, unsigned id_size);

/* ---- ids: addresses to objects ------------------------------------------------ */

struct heap_ids {
	uint64_t	 base;		/* lowest address, down to a page */
	unsigned	 shift;		/* of the granule: 3, 2 or 0 */
	unsigned	 words;		/* of 64 granules, in a page */
	uint64_t	 npages;	/* in the directory */
	const uint32_t	*page;		/* 0: no object there, else 1 + which page of bits */
	const uint64_t	*bits;		/* 1: an object begins there */
	const uint32_t	*rank;		/* objects in front of the word, all pages counted by rising address */
	uint64_t	 nwords;	/* in bits and rank */
	const uint64_t	*sorted;	/* instead of all that, where addresses lie too far apart */
	uint64_t	 n;		/* objects */
};

bool	 heap_ids_open(struct heap_ids *, const struct store *, struct err *);
/* 0: no object has that address. */
uint32_t heap_ids_find(const struct heap_ids *, uint64_t addr);
uint64_t heap_ids_addr(const struct heap_ids *, uint32_t object);
/* The lowest address of an object above addr; 0: none. */
uint64_t heap_ids_after(const struct heap_ids *, uint64_t addr);

/* ---- sub-records ----------------------------------------------------------------- */

enum heap_tag { TAG_CLASS = 0x20, TAG_INSTANCE, TAG_OBJECTS, TAG_PRIMS, TAG_NODATA = 0xc3 };

/* One sub-record of an object. */
struct heap_record {
	uint64_t	offset;		/* of its tag */
	uint64_t	id, class;	/* addresses; class 0 for classes and primitive arrays */
	uint64_t	data;		/* offset of the field values or elements; of the body, for a class */
	uint64_t	bytes;		/* of data */
	uint64_t	next;		/* offset behind it */
	uint32_t	length;		/* elements */
	uint8_t		tag;
	uint8_t		type;		/* of elements */
};

/* False when no whole object record lies there. */
bool	heap_record(const uint8_t *source, uint64_t end, unsigned id_size, uint64_t offset,
	    struct heap_record *);

#endif
