/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data shared by the steps of the dominator pass.
 *
 * Numbers are those of a depth-first search from a virtual root, which is 0.  Objects with one
 * reference to them and nothing but such objects below are folded: their dominator is who refers to
 * them.  The others are the core, numbered again, from 1, in the same order.
 */
#ifndef PASS_DOMINATORS_H
#define PASS_DOMINATORS_H

#include "pass/heap/heap.h"

#define OBJECTS_MAX (UINT32_C(1) << 31)

/* Edge between numbers; core numbers once the search is done.  Neither end is folded. */
struct edge {
	uint32_t	target, source;
};

/* State of the algorithm for an object of the core: lengauer.c. */
struct node {
	uint32_t	up, semi, best, idom;
};

struct dominators {
	struct store	*st;
	struct work	*work;
	struct err	*err;
	struct heap	 h;
	uint32_t	*held;		/* by class: its object, when only instances hold the class; else 0 */
	uint32_t	*held_number;	/* by class: number of that object */

	/* By number. */
	ARRAY(uint32_t)	orders;
	uint32_t	*order;		/* by number - 1: the object */
	/* by number - 1: the parent in the search, then the dominator; stored in the column of dominators */
	uint32_t	*parent;
	struct scratch	 bytes;		/* in units: shallow sizes, then retained ones; u64 or u32 */
	bool		 wide;		/* bytes are u64 */
	uint64_t	 unit;		/* bytes */

	ARRAY(uint32_t)	num;		/* by object - 1: its number */
	ARRAY(uint64_t)	fold;		/* by number: it is folded */
	ARRAY(uint32_t)	rank;		/* by number / 64: core numbers in front */
	uint32_t	 n;		/* numbers, without 0 */
	/* Edges outside the tree of the search that are not sorted yet. */
	ARRAY(struct edge)	edges;
	uint64_t	 nedges;
	ARRAY(uint32_t)	from;		/* by core number: its first source, of those that are; one more at the end */
	ARRAY(uint32_t)	source;	/* sources of edges, by target */

	ARRAY(uint32_t)	number;	/* by core number */
	ARRAY(struct node)	nodes;		/* by core number */
	uint32_t	 ncore;
	ARRAY(uint32_t)	first, size;	/* by number: place in the dominator tree, preorder; objects from it down */
};

static inline uint32_t
parent_of(const struct dominators *d, uint32_t number)
{
	return d->parent[number - 1];
}

static inline uint64_t
dominators_bytes(const struct dominators *d, uint32_t number)
{
	return d->wide ? SCRATCH(d->bytes, uint64_t)[number] : SCRATCH(d->bytes, uint32_t)[number];
}

/* The core number of a number that is not folded; of 0 it is 0. */
static inline uint32_t
core_of(const struct dominators *d, uint32_t i)
{
	uint64_t bits = ~d->fold.at[i / 64] << (63 - i % 64);

	return d->rank.at[i / 64] + heap_ones(bits);
}

static inline bool
dominators_edge(struct dominators *d, uint32_t target, uint32_t source)
{
	struct edge edge = { target, source };

	assert(target != 0 && target <= d->n && source <= d->n);
	return array_add(&d->edges, &d->nedges, &edge, d->err);
}

/* Numbers everything that the roots reach: search.c. */
bool	dominators_search(struct dominators *);
/* Dominators of the core: lengauer.c. */
bool	dominators_lengauer(struct dominators *);
/* Retained sizes, and the columns: retain.c. */
bool	dominators_out(struct dominators *);
/* The columns of objects: by_object.c. */
bool	dominators_by_object(struct dominators *);

#endif
