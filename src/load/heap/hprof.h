/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files of the heap dump loader: the tables being read.
 */
#ifndef LOAD_HPROF_H
#define LOAD_HPROF_H

#include <limits.h>

#include "icecore/heap.h"
#include "icecore/make.h"
#include "icecore/unread.h"
#include "ids_in.h"

/* ---- tables ---------------------------------------------------------------------- */

/* A growing table of rows. */
struct table {
	struct scratch	 rows;
	uint64_t	 n;
	uint64_t	 from, to;	/* range of the rows directly before the wanted dump */
};

#define ROW(t, type, i) (&SCRATCH((t).rows, type)[i])

struct class_row {
	uint64_t	addr, dump;	/* dump: offset of its record, 0 while it is only named or used */
	uint64_t	name;		/* id of its name */
	uint64_t	super_addr, loader_addr;
	uint64_t	count, arrays;	/* objects; number of object arrays among them */
	uint64_t	elements;	/* elements of the arrays */
	/*
	 * Bytes of the arrays, and bytes + 4, each padded to a multiple of 8; references as 4. For stack
	 * chunks: with references of 4, and of 8.
	 */
	uint64_t	up0, up4;
	uint32_t	serial, size;
	uint32_t	super;		/* resolved at the end, as are name_ref, loader and strength */
	uint32_t	loader;
	uint64_t	name_ref;
	uint32_t	field, fields, field_refs, field_bytes;
	uint32_t	static_refs, static_bytes, static_added;	/* added: see class.static_added */
	unsigned	named;		/* 1 + number of dumps that had begun at its LOAD_CLASS record */
	uint8_t		element, strength, static_wide;
	bool		instance;	/* another record with its id comes before its own */
	bool		foreign;	/* the first such record is not an instance of java.lang.Class */
};

struct field_row { uint64_t name /* id */; uint8_t type; };

struct root_row {
	uint64_t	id;
	uint32_t	object;		/* finally the number of the object with that id */
	uint32_t	serial, depth;	/* serial: finally the row of the thread */
	uint8_t		kind;
};

struct thread_row {
	uint64_t	object;		/* address */
	uint64_t	name;		/* id */
	uint32_t	serial, trace;
	unsigned	started, ended;	/* number of dumps that had begun then */
	bool		rooted;
	bool		held;		/* referenced by a root */
};

#define NOT_ENDED UINT_MAX

struct trace_row {
	uint64_t	offset;
	uint32_t	serial, thread, frames;
};

struct pair {
	uint64_t	id, offset;	/* id first: rows are sorted by it */
};

struct extent {
	uint64_t	from, to;
};

/* A sampled object for the layout vote. */
struct heap_sample {
	uint64_t	id;		/* first an id, then the distance to the next object */
	uint32_t	class, length;	/* length: elements of an array, words of a stack chunk */
};

#define SAMPLES_MAX (1u << 18)
#define FIRSTS_MAX 16u		/* instances per class kept in addition to the samples */
#define CLASS_CACHE 1024u
#define PRIM_TYPES 12
#define PRIM_CLASS 0xffffff00u	/* + type: class of a sample */

struct hprof_samples {
	struct heap_sample *row;
	uint64_t	 n, most;
	uint64_t	 until, stride;	/* objects until the next sample, and between two of them */
};

/* Repairs and losses. */
struct hprof_losses {
	uint64_t	 doubles, no_class, lengths, zeros, overruns, bad_records;
	uint64_t	 cut_bytes, tail_bytes, skipped_bytes;
	uint64_t	 first;		/* place of the first lost byte */
};

enum { CLASSES, FIELDS, ROOTS, THREADS, TRACES, FRAMES, STRINGS, EXTENTS, PARTS, FIRSTS, VALUES, TABLES };

struct hprof {
	struct store	*st;
	struct work	*work;
	const uint8_t	*data;
	uint64_t	 size;
	unsigned	 id_size;
	struct ids_in	 ids;
	uint64_t	 window;	/* start of the part of the file kept in memory */
	struct table	 table[TABLES];
	struct idmap	 class_map;	/* 1 + address, to row */
	struct idmap	 thread_map;	/* 1 + serial */
	struct {
		uint64_t addr;		/* 1 + address */
		uint32_t row;
	} class_cache[CLASS_CACHE];
	struct class_row prims[PRIM_TYPES];	/* primitive arrays by type */
	uint32_t	 prim_number[PRIM_TYPES];	/* their classes, when all names are known */
	struct hprof_samples samples;
	uint64_t	 added_name[2];		/* ids of the statics added by the VM; 0: not found */
	uint64_t	 stack_name, size_name;	/* ids of "jdk.internal.vm.StackChunk" and "size"; 0: not found */
	uint32_t	 stack_class;		/* class of stack chunks */
	uint64_t	 values_name;		/* id of "java.lang.ClassValue$ClassValueMap" */
	uint32_t	 values_class;		/* its class; VALUES has its instances */
	uint64_t	 stack_field;		/* see heap.stack_field */

	uint64_t	 mat_id, mat_reach;	/* previous object array, and its end if references have 8 bytes */
	bool		 mat_narrow;		/* references have 4 bytes */
	uint64_t	 first_id, gcd;
	bool		 android;
	uint64_t	 android_field, android_static;	/* ids of member names that only Android uses; 0: not found */
	unsigned	 want;			/* number of the wanted dump, from 1 */
	unsigned	 dump, dumps;		/* number of the current dump, from 1; number of dumps so far */
	bool		 whole;			/* a record was read, or a part of a heap record */
	bool		 heap;			/* a heap record was found, even an empty one */
	bool		 counted;		/* the current dump is counted in dumps */
	bool		 ended;			/* the dump ended: the next heap record begins another one */
	bool		 open_segments, end_record;
	bool		 no_length;		/* the heap is truncated: its writer died */
	uint64_t	 vain;			/* bytes examined that contain no class */
	uint64_t	 twice;			/* bytes read as part of two segments */
	struct hprof_losses lost;
	struct unread	 unread;
	struct err	*err;
	bool		 failed;		/* err is set: out of memory, or cancelled */
};

/* The tables: hprof_tables.c. */
bool	hprof_fail(struct hprof *);		/* sets failed and returns false */
/* Add a row of size bytes, or a row to a table of pairs; false: h->failed. */
bool	hprof_add(struct hprof *, struct table *, const void *row, size_t size);
bool	hprof_add_pair(struct hprof *, int table, uint64_t id, uint64_t offset);
uint64_t hprof_id(const struct hprof *, uint64_t offset);
/* Return the row of a class, from 1; add it if it is new. 0: h->failed. */
uint32_t hprof_class(struct hprof *, uint64_t addr);
struct class_row *hprof_class_row(const struct hprof *, uint32_t class);
struct thread_row *hprof_thread(struct hprof *, uint32_t serial);
/* Call add with every object of the dump, including duplicates. */
bool	hprof_each(struct hprof *, void *, bool (*add)(void *, const struct heap_record *));

/* Damage: hprof_damage.c. */
/* Calls work_go; false: h->failed. */
bool	hprof_tick(struct hprof *, uint64_t p);
/* Count unreadable bytes at a place as one of the losses. */
void	hprof_lost(struct hprof *, uint64_t *loss, uint64_t at, uint64_t bytes);
/* heap_header_ok */
static inline bool
hprof_header_ok(const struct hprof *h, uint64_t offset)
{
	return heap_header_ok(h->data, h->size, offset);
}

/* Call it at each byte p of a search: it releases the bytes before p; false: h->failed, cancelled. */
bool	hprof_search_tick(struct hprof *, uint64_t from, uint64_t p);
/* Return the next place from p on that has a record, or end. */
uint64_t hprof_search(struct hprof *, uint64_t p, uint64_t end);
/* Move *p past the sub-record there; false: it is incomplete. */
bool	hprof_pass(struct hprof *, uint64_t *p, uint64_t end);
/* True if valid sub-records begin at p: many in a row, or all up to end or up to a record. */
bool	hprof_is_heap(struct hprof *, uint64_t p, uint64_t end);
/* True if a record begins there: three valid records follow, and a heap record begins with sub-records. */
bool	hprof_is_record(struct hprof *, uint64_t p);
/*
 * True if the first sub-records at p are those of a heap record; roots cannot be verified yet.  The last one may be
 * truncated with the file.
 */
bool	hprof_begins_heap(struct hprof *, uint64_t p, uint64_t end);
/*
 * True if a heap record with a body of that length begins at p: the length matches the following record, or
 * the body contains sub-records.
 */
bool	hprof_believable(struct hprof *, uint64_t p, uint64_t length);
/* Return the next place from p on where sub-records are readable again, or end. */
uint64_t hprof_resync(struct hprof *, uint64_t p, uint64_t end);
/* Return where to continue if the last sub-record of a segment that ends at end extends to stop. */
uint64_t hprof_overrun(struct hprof *, uint64_t end, uint64_t stop);

/* Read the sub-records from p to end; return where they ended. open: end is only the end of the file. */
uint64_t hprof_heap(struct hprof *, uint64_t p, uint64_t end, bool open);

/* Several dumps in a file, one of which is read: hprof_dumps.c. */
/* Read a heap record whose body of that length begins at p; return its end. */
uint64_t hprof_dump(struct hprof *, unsigned tag, uint64_t p, uint64_t length);
/* Read the rest of a heap record whose header is damaged: sub-records from p on. */
uint64_t hprof_dump_rest(struct hprof *, uint64_t p);
void	hprof_dump_end(struct hprof *);		/* at a record that ends the dump */
/* Put the rows of the wanted dump before those of others, and select its threads. */
bool	hprof_choose(struct hprof *);

/* gather of the loader: concatenates an unfinished file (load/decode.h) and its parts: hprof_parts.c. */
bool	hprof_gather(struct store *, struct work *, struct err *);

/* Write the tables as columns and facts: hprof_out.c, hprof_layout.c. */
bool	hprof_out(struct hprof *, struct err *);
/*
 * Choose the layout; write its facts and the columns class.shallow and class.mat_shallow. order: all
 * classes, each after its superclass.
 */
bool	hprof_layout(struct hprof *, const struct heap_ids *, const uint32_t *order,
	    uint32_t class_class, struct err *);

#endif
