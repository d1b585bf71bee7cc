/*
 * collection: how full the lists, maps and sets of a heap dump are.  Belongs to layer pass.
 *
 * Facts: the fields of the classes of java.util, of Android and of AndroidX, by version.
 */
#ifndef ICECORE_COLLECTION_H
#define ICECORE_COLLECTION_H

#include "icecore/values.h"

struct collection {
	uint64_t	size;		/* elements, or pairs of a map */
	uint64_t	capacity;	/* so many fit; equals size where there is no such thing (linked ones) */
	uint32_t	table;		/* the array behind it, 0: none; of a set over a map that of the map */
	uint64_t	used;		/* buckets of a hash table that are taken; else 0 */
	/* Bytes of the table that hold nothing; of an empty one the whole table, unless others hold that too. */
	uint64_t	waste;
	bool		hashed;		/* it has buckets */
};

/* Which classes are collections, and where their fields are, looked up once for a heap. */
struct collections;

bool	 collections_open(struct collections **, const struct heap *, struct err *);
void	 collections_close(struct collections *);	/* NULL is fine */
bool	 collections_know(const struct collections *, uint32_t class);
/*
 * False: it is none, or its fields are not as they should be.  Without buckets (used stays 0) it reads little.
 * A map that only a set refers to, which keeps its elements there, is none: the set is, with the numbers of the map.  Where
 * others hold the map as well both are, and the set wastes nothing.
 */
bool	 collection_get(struct collections *, uint32_t object, bool buckets, struct collection *);
/*
 * The nearest object that dominates it and is neither a collection of the platform, a part of one, nor an
 * array: whose it is; 0: none.  A class of the program that extends one is an owner.
 */
uint32_t collection_holder(struct collections *, uint32_t object);

#endif
