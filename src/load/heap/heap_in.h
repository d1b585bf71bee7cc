/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_in: the kit of loaders of heaps that are not HPROF files: their rows become the columns that passes
 * over heaps read.
 *
 * A loader numbers its objects from 1: by rising address (ids_in.h), or in the order of the file with an
 * id for each (COL_OBJECT_ID).  Then it gives classes, objects, lists of references and roots, in any order.
 * All functions return false and fill err if memory is short; they publish nothing.
 */
#ifndef LOAD_HEAP_IN_H
#define LOAD_HEAP_IN_H

#include "icecore/edges.h"
#include "icecore/make.h"
#include "icecore/packed.h"
#include "ids_in.h"

/* ---- classes and roots ---------------------------------------------------------------- */

struct class_in {
	uint64_t	name;		/* ref, as it is shown: no notation of Java is decoded */
	uint64_t	addr;		/* 0: unknown */
	uint64_t	bytes;		/* size of its objects; heap_in_objects counts them, and the next two */
	uint64_t	mat_bytes;
	uint32_t	objects;
	uint32_t	super, loader;	/* class, row of loader.* (1: the runtime's own); 0: unknown */
	uint32_t	object;		/* the object that is this class; 0: none */
	uint32_t	field, fields;	/* rows of field.* that it declares, from 1 */
	uint8_t		element;	/* 0 no array, otherwise enum heap_type */
	uint8_t		strength;	/* enum heap_strength of what its objects refer to weakly */
};

struct root_in {
	uint32_t	object;
	uint8_t		kind;		/* enum heap_root */
};

/* class_class: the class of objects that are classes; 0: none. */
bool	heap_in_classes(struct store *, const struct class_in *, uint32_t n, uint32_t class_class, struct err *);
bool	heap_in_roots(struct store *, const struct root_in *, uint64_t n, struct err *);

/* ---- objects ---------------------------------------------------------------------------- */

/*
 * Facts about each object, by number - 1; the arrays are columns made with store_make, or of the caller.
 * Counts objects and bytes of the classes.
 */
struct objects_in {
	uint32_t	 n;
	const uint32_t	*class;		/* 1 .. n of heap_in_classes */
	const uint64_t	*bytes;		/* shallow size by --sizes vm */
	const uint64_t	*mat_bytes;	/* by --sizes mat; NULL: the same */
	const uint64_t	*place;		/* offset of its record in the source; need not rise */
	const uint32_t	*length;	/* elements of arrays; NULL: none has any */
	const uint64_t	*id;		/* ids in files whose numbers do not rise with them; NULL: see ids_in.h */
};

bool	heap_in_objects(struct store *, const struct objects_in *, struct class_in *, uint32_t classes,
    struct err *);
/* Only the columns of what no such heap has, for a loader that makes those of its objects. */
bool	heap_in_no_records(struct store *, struct err *);

/* ---- lists of references ---------------------------------------------------------------- */

struct lists_in {
	struct store	*st;
	struct err	*err;
	uint8_t		*data, *len;
	uint64_t	*block;
	uint64_t	 pos, room;
	uint32_t	 n, next;	/* objects; the next one without a list */
};

/* references: at most as many in all lists together. */
bool	lists_in_open(struct lists_in *, struct store *, uint32_t objects, uint64_t references, struct err *);
/*
 * The list of an object, whose number rises from call to call: nweak references of that strength first, then
 * the strong ones.  Targets are numbers of objects, never 0.
 */
void	lists_in_put(struct lists_in *, uint32_t object, enum heap_strength, const uint32_t *weak, size_t nweak,
    const uint32_t *strong, size_t nstrong);
bool	lists_in_close(struct lists_in *);

#endif
