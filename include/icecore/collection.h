/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collection: how full the lists, maps and sets of a heap dump are.  Belongs to layer pass.
 *
 * Facts: the fields of the classes of java.util, of Android and of AndroidX, by version.
 */
#ifndef ICECORE_COLLECTION_H
#define ICECORE_COLLECTION_H

#include "icecore/kept.h"
#include "icecore/values.h"

struct collection {
	uint64_t	size;		/* elements, or pairs of a map */
	uint64_t	capacity;	/* equals size for collections without a capacity (linked ones) */
	/* The backing array, 0: none; for a set backed by a map, the array of the map. */
	uint32_t	table;
	uint64_t	used;		/* buckets of a hash table that are taken; else 0 */
	/*
	 * Unused bytes of the table.  For an empty collection, the whole table unless other objects hold it
	 * too.
	 */
	uint64_t	waste;
	bool		hashed;		/* the collection has buckets */
};

/* Classes of collections and places of their fields, looked up once for a heap. */
struct collections;

/* Looks the classes up.  False: no memory.  collections_close frees it. */
bool	 collections_open(struct collections **, const struct heap *, struct err *);
void	 collections_close(struct collections *);	/* NULL is fine */
bool	 collections_know(const struct collections *, uint32_t class);
/*
 * False: not a collection, or its fields are inconsistent.  Without buckets (used stays 0) little is read.  A
 * map that only a set refers to, as its storage, is not a collection: the set is, with the numbers of the
 * map.  If other objects hold the map, both are collections, and the set wastes nothing.
 */
bool	 collection_get(struct collections *, uint32_t object, bool buckets, struct collection *);
/*
 * The nearest object that dominates it and is neither a collection of the platform, a part of one, nor an
 * array: its owner; 0: none.  A class of the program that extends one is an owner.  *below,
 * unless NULL: what it dominates at once on the way to the object.
 */
uint32_t collection_holder(struct collections *, uint32_t object, uint32_t *below);

/* All of a heap by rising object, as pass "collections" packed them: collection_rows.c. */
struct collection_rows {
	const uint8_t	*p, *end;
	uint32_t	 objects, object;
};

/* Begins before the first collection of the heap, which must stay open. */
void	 collection_rows_open(struct collection_rows *, const struct heap *);
/* The next one, whose buckets are not known, and its owner or 0; 0 behind the last one. */
uint32_t collection_rows_next(struct collection_rows *, struct collection *, uint32_t *owner);

/* ---- elements: elements.c -------------------------------------------------------------- */

/* An element of a list, a set or an array, or a pair of a map. */
struct element {
	/*
	 * Type HEAP_OBJECT: number of an object, 0: null or missing in the dump.  Other types: a value as in
	 * struct heap_slot.
	 */
	uint64_t	key, value;
	uint8_t		key_type, value_type;	/* enum heap_type; 0: it has no such thing */
	uint32_t	index;		/* index in an array; otherwise number of earlier elements */
	uint32_t	node;		/* the object that represents it; 0: none */
	uint32_t	bucket;		/* bucket of a hash table; ELEMENT_NOWHERE: none */
};

#define ELEMENT_NOWHERE UINT32_MAX

/* Reasons why elements are missing. */
enum elements_hurt { ELEMENTS_WHOLE, ELEMENTS_CYCLE, ELEMENTS_MISSING, ELEMENTS_DEEP };

#define ELEMENTS_STACK 128u		/* a tree with more levels is none */

struct elements {
	struct collections	*c;
	uint32_t		 object;
	uint64_t		 size;		/* expected number; UINT64_MAX: unknown */
	uint64_t		 found;
	enum elements_hurt	 hurt;
	uint32_t		 damaged;	/* the damaged object: the table, or the collection */
	/* Private from here on. */
	bool			(*step)(struct elements *, struct element *);
	struct scratch		*met;		/* u32 by object: the turn in which it was met; or NULL */
	uint32_t		 turn, unmet;
	bool			 keys;		/* only the keys are elements */
	bool			 map, nulls, deleted;
	struct heap_record	 array, other, segments;
	uint64_t		 at, end, start, segment, nsegments;
	uint32_t		 node, first, next_table, bucket;
	unsigned		 by;		/* enum node_field */
	unsigned		 depth;
	uint32_t		 stack[ELEMENTS_STACK];
};

/*
 * The elements of a collection or an array; false: neither.  met: a scratch, initially all zeros, shared by
 * many collections, to detect cycles.  Without it only a few elements may be requested.
 */
bool	 elements_open(struct collections *, uint32_t object, struct scratch *met, uint32_t turn,
    struct elements *);
/* In table order, or insertion order where it is kept; false after the last one. */
bool	 elements_next(struct elements *, struct element *);
/* The hash that is stored with an element; false: none is. */
bool	 element_hash(struct collections *, const struct element *, int64_t *hash);
/*
 * Like collection_get, but only for waste and without the dominators; includes maps that are the storage of a
 * set.
 */
bool	 collection_size(struct collections *, uint32_t object, struct collection *);

/* Kind of a class for reading elements; COLLECTION_NONE: no collection. */
enum collection_kind { COLLECTION_NONE, COLLECTION_LIST, COLLECTION_SET, COLLECTION_MAP };
enum collection_kind collection_kind(const struct collections *, uint32_t class);

/*
 * The *ith number or flag that a rule reads, counting over all rules; false: *i was reduced by the number of
 * all of them.
 */
bool	 collection_number(size_t *i, struct kept_field *);

#endif
