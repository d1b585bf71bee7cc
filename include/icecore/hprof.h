/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hprof: the format of heap dumps, and functions that step through its records.  Belongs to layer load.
 *
 * A file is a header and records { u1 tag, u4 time, u4 length, body }.  The bodies of heap records are
 * sub-records: of objects, of roots, and of the parts that Android divides its heap into.
 *
 * Format facts: "HPROF agent" of the JDK (demo/jvmti/hprof/manual.html), heapDumper.cpp of HotSpot, hprof.cc
 * of ART.
 */
#ifndef ICECORE_HPROF_H
#define ICECORE_HPROF_H

#include <stdbool.h>

#include "icecore/bytes.h"

enum heap_type {
	HEAP_OBJECT = 2, HEAP_BOOLEAN = 4, HEAP_CHAR, HEAP_FLOAT, HEAP_DOUBLE, HEAP_BYTE,
	HEAP_SHORT, HEAP_INT, HEAP_LONG
};

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

/* Bytes of a value; 0: no such type.  Type 1 denotes arrays in the oldest files. */
static inline unsigned
heap_width(unsigned type, unsigned id_size)
{
	/* Four bits a type, the lowest for type 0. */
	unsigned width = type < 12 ? (unsigned)(UINT64_C(0x842184210000) >> 4 * type) & 15 : 0;

	return type == 1 || type == HEAP_OBJECT ? id_size : width;
}

/* ---- records ----------------------------------------------------------------------- */

#define HPROF_MARK "JAVA PROFILE "
#define HPROF_HEAD 9u		/* bytes of a record before its body */

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

/*
 * Set *p to the end of the version in the header. NUL, u4 width of ids and u8 time follow; false: the file
 * is too short for them.
 */
bool	hprof_version(const uint8_t *source, uint64_t size, uint64_t *p);
bool	heap_known_tag(unsigned tag);
/* True if the bytes look like the header of a record: tag, length, and the headers after it. */
bool	heap_header_ok(const uint8_t *source, uint64_t size, uint64_t offset);
/*
 * End of the sub-records of a heap record whose body begins at p.  Writers that could not know the length
 * give 0, or a length that is short by a multiple of 4 GiB: then *open is set, and the sub-records end with
 * the file.
 */
uint64_t hprof_heap_end(const uint8_t *source, uint64_t size, unsigned tag, uint64_t p, uint64_t length,
    bool *open);

/*
 * True if a record begins at p, where a sub-record was expected. The heap record is then shorter than its
 * length.
 */
static inline bool
hprof_is_short(const uint8_t *source, uint64_t size, uint64_t p)
{
	return (source[p] == RECORD_END || heap_is_dump(source[p])) && heap_header_ok(source, size, p);
}

/*
 * Where to continue when the last sub-record of a heap record that ends at end extends to stop.  Its own end
 * is used unless only the end of the heap record is plausible.
 */
static inline uint64_t
hprof_go_on(const uint8_t *source, uint64_t size, uint64_t end, uint64_t stop)
{
	bool own = stop <= end || stop == size || heap_header_ok(source, size, stop) ||
	    !heap_header_ok(source, size, end);

	return own ? stop : end;
}

/* ---- sub-records ----------------------------------------------------------------- */

enum heap_tag {
	TAG_CLASS = 0x20, TAG_INSTANCE, TAG_OBJECTS, TAG_PRIMS,
	TAG_NODATA = 0xc3,	/* Android: a primitive array without its elements */
	TAG_PART = 0xfe		/* Android: the following objects are in another heap */
};

/* Roots of Ruby, by the words of its dumps; the last three are ours. */
#define RUBY_ROOTS(R) \
	R(VM, "vm") R(MACHINE, "machine_context") R(GLOBALS, "global_tbl") R(LIST, "global_list") \
	R(FINALIZERS, "finalizers") R(GLOBAL_SYMBOLS, "global_symbols") R(SYMBOLS, "symbols") \
	R(END_PROC, "end_proc") R(ENCODINGS, "encodings") R(OBJECT_ID, "object_id") \
	R(UNLINKED, "unlinked_live_object_list") R(ENTRIES, "live_method_entries") \
	R(OTHER, "other root") R(LOST, "not in dump") R(NONE, "no root in file")

/* Tags of roots. */
enum heap_root {
	ROOT_UNKNOWN = 0xff, ROOT_JNI_GLOBAL = 1, ROOT_JNI_LOCAL, ROOT_JAVA_FRAME,
	ROOT_NATIVE_STACK, ROOT_STICKY_CLASS, ROOT_THREAD_BLOCK, ROOT_MONITOR, ROOT_THREAD,
	ROOT_INTERNED = 0x89, ROOT_FINALIZING, ROOT_DEBUGGER, ROOT_CLEANUP, ROOT_VM, ROOT_JNI_MONITOR,
	ROOT_UNREACHABLE = 0x90,	/* marks an object as unreachable: no root */
	/*
	 * Ours: a class of the boot loader in a file without sticky classes; an object taken as a root
	 * because the dump has none; the values of a class by ClassValue, as HotSpot writes no fields of classes.
	 */
	ROOT_BOOT_CLASS = 0xf0, ROOT_PSEUDO = 0xf1, ROOT_CLASS_VALUES = 0xf2,
	/* V8: of the program, of the embedder, of V8 itself, and the parts of these, which they hold. */
	ROOT_V8_GLOBAL = 0xa0, ROOT_V8_NATIVE, ROOT_V8_SYSTEM, ROOT_V8_PART,
	/* Heaps of Ruby. */
	ROOT_OF_RUBY = 0xb0 - 1,
#define ROOT_RUBY(name, word) ROOT_RUBY_##name,
	RUBY_ROOTS(ROOT_RUBY)
#undef ROOT_RUBY
};

/* A sub-record. */
struct heap_record {
	uint64_t	offset;		/* offset of the tag */
	uint64_t	id;		/* address of the object; id of the name of a part */
	uint64_t	class;		/* address; 0 for classes, primitive arrays, roots and parts */
	/* Offset of field values or elements, of the body of a class, of data after the id of a root. */
	uint64_t	data;
	uint64_t	bytes;		/* size of the data */
	uint64_t	next;		/* offset after it */
	uint32_t	length;		/* elements */
	uint8_t		tag;
	uint8_t		type;		/* type of the elements */
};

static inline bool
heap_is_object(unsigned tag)
{
	return (tag >= TAG_CLASS && tag <= TAG_PRIMS) || tag == TAG_NODATA;
}

/*
 * Read the sub-record at p, which is below end.  True if all of it is before end; then next is the position
 * of the next one.  Otherwise next is its own end, which is after end, or 0 if that is unknown, and the
 * caller decides where to continue.  Checking whether a class record is valid takes up to half a million
 * steps, and a hostile file has such places every few bytes.  So a caller that tries positions counts the
 * bytes of failed checks in *vain, and gets false once they are many times the bytes read.  NULL: the caller
 * does not try positions.
 */
bool	hprof_step(const uint8_t *source, uint64_t end, unsigned id_size, uint64_t p, uint64_t *vain,
    struct heap_record *);
/*
 * Handles all tags of hprof_step except instances and arrays with elements; next is 0 if hprof_step returns
 * false.
 */
struct heap_record hprof_step_rare(const uint8_t *source, uint64_t end, unsigned id_size, uint64_t p,
    uint64_t *vain);

/* The visitor gets each whole sub-record; hprof_visit returns its result. */
typedef bool hprof_see(void *, const struct heap_record *);

static inline __attribute__((always_inline)) bool
hprof_seen(struct heap_record *r, uint64_t end, hprof_see *see, void *arg)
{
	/* data and bytes are below 2^63, so the sum cannot overflow. */
	r->next = r->data + r->bytes;
	return r->next <= end && see(arg, r);
}

/*
 * hprof_step for loops over all objects, with a visitor.  If it is inlined and id_size is constant, the
 * record stays in registers and its tag is examined once.
 */
static inline __attribute__((always_inline)) bool
hprof_visit(const uint8_t *source, uint64_t end, const unsigned id_size, uint64_t p, uint64_t *vain,
    struct heap_record *r,
    hprof_see *see, void *arg)
{
	const uint8_t *d = source + p;
	const unsigned head = 2 * id_size + 9, prims = id_size + 10;
	uint64_t left = end - p, n;
	unsigned type, width;

	switch (d[0]) {
	case TAG_INSTANCE:
		if (left < head)
			break;
		*r = (struct heap_record){ .offset = p, .tag = TAG_INSTANCE, .id = heap_id(d + 1, id_size),
		    .class = heap_id(d + id_size + 5, id_size), .data = p + head,
		    .bytes = be32(d + 2 * id_size + 5) };
		return hprof_seen(r, end, see, arg);
	case TAG_OBJECTS:
		if (left < head)
			break;
		n = be32(d + id_size + 5);
		*r = (struct heap_record){ .offset = p, .tag = TAG_OBJECTS, .id = heap_id(d + 1, id_size),
		    .type = HEAP_OBJECT,
		    .class = heap_id(d + id_size + 9, id_size), .data = p + head, .bytes = n * id_size,
		    .length = (uint32_t)n };
		return hprof_seen(r, end, see, arg);
	case TAG_PRIMS:
		type = left < prims ? 0 : d[id_size + 9];
		width = type <= HEAP_OBJECT ? 0 : heap_width(type, id_size);
		/* With a width of 0, an array of any length would fit. */
		if (width == 0)
			break;
		n = be32(d + id_size + 5);
		*r = (struct heap_record){ .offset = p, .tag = TAG_PRIMS, .id = heap_id(d + 1, id_size),
		    .type = (uint8_t)type,
		    .data = p + prims, .bytes = n * width, .length = (uint32_t)n };
		return hprof_seen(r, end, see, arg);
	default:
		*r = hprof_step_rare(source, end, id_size, p, vain);
		return r->next != 0 && see(arg, r);
	}
	*r = (struct heap_record){ .offset = p, .tag = d[0] };
	return false;
}

/* True if a whole sub-record of an object is at this offset. */
bool	heap_record(const uint8_t *source, uint64_t end, unsigned id_size, uint64_t offset,
    struct heap_record *);
/*
 * Find the first record at or after offset in an extent; false: there is no record.  The member next is
 * where to continue, in both cases.
 */
bool	heap_next_record(const uint8_t *source, uint64_t end, unsigned id_size, uint64_t offset,
    struct heap_record *);

/* ---- members of a class -------------------------------------------------------------------- */

enum hprof_list { LIST_CONSTANTS = 1, LIST_STATICS, LIST_FIELDS };

/* The current member of hprof_member(), and the position of the next one. */
struct hprof_members {
	const uint8_t	*d;
	uint64_t	 key;		/* offset of the index of a constant, or of the id of the name */
	uint64_t	 value;		/* offset of the value; a field has none */
	uint64_t	 at, end;
	unsigned	 id_size, type, width;
	uint32_t	 left;		/* members of the list after this one */
	uint8_t		 list;		/* enum hprof_list; 0 before the first member */
	bool		 whole;		/* all members were present */
};

/* Return the position before the first member of a class whose record hprof_step() returned. */
struct hprof_members hprof_members(const uint8_t *source, unsigned id_size, const struct heap_record *);
/* Move to the next member; false: no more members, or the member is truncated. */
bool	hprof_member(struct hprof_members *);

static inline uint64_t
hprof_member_name(const struct hprof_members *m)
{
	return heap_id(m->d + m->key, m->id_size);
}

#endif
