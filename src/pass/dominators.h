/*
 * What the steps of the dominator pass hand to each other.
 *
 * Numbers are those of a depth-first search from a virtual root, which is 0.  The core is
 * what is left when all folds are taken away: objects with one reference to them and
 * nothing but folded objects below, whose dominator is who refers to them.  Core numbers keep
 * the order of the numbers.
 */
#ifndef PASS_DOMINATORS_H
#define PASS_DOMINATORS_H

#include "icecore/graph.h"

#define OBJECTS_MAX (UINT32_C(1) << 31)

/* Of an object, while the search runs. */
enum mark {
	MARK_REFERRED = 3,	/* references to it: 0, 1, 2 or more */
	MARK_REFERS = 4,	/* its list is not empty */
	MARK_CLASS = 8		/* its class is held by its instances, not by a root */
};

/* From source to target, in numbers. */
struct edge {
	uint32_t	target, source;
};

struct dominators {
	struct store	*st;
	struct work	*work;
	struct err	*err;
	struct heap	 h;
	uint32_t	*class_object;	/* by class: its object when it is held by instances, else 0 */

	struct scratch	 mark;		/* u8 by object (from 0) */
	struct scratch	 num;		/* u32 by object (from 0): its number, 0 while not reached */
	struct scratch	 order;		/* u32 by number: the object */
	struct scratch	 parent;	/* u32 by number: the parent in the search; then the dominator */
	struct scratch	 fold;		/* bits by number: it is folded */
	uint32_t	 n;		/* numbers, without 0 */
	struct scratch	 edges;		/* struct edge: all that are not of the tree of the search */
	uint64_t	 nedges;

	struct scratch	 core;		/* u32 by number: its core number, or that of what it is folded into */
	struct scratch	 number;	/* u32 by core number */
	uint32_t	 ncore;

	struct scratch	 first, size;	/* u32 by number: its place in the dominator tree, preorder; objects below with itself */
};

static inline bool
is_folded(const struct dominators *d, uint32_t number)
{
	return SCRATCH(d->fold, uint64_t)[number / 64] >> (number % 64) & 1;
}

/* The object of the class whose instance it is, when instances hold that class; else 0. */
static inline uint32_t
held_class(const struct dominators *d, uint32_t object)
{
	return d->class_object[heap_class(&d->h, object)];
}

bool	dominators_edge(struct dominators *, uint32_t target, uint32_t source);
/* Numbers everything that the roots reach: search.c. */
bool	dominators_search(struct dominators *);
/* parent becomes the dominator of each number: lengauer.c. */
bool	dominators_solve(struct dominators *);
/* Places in the dominator tree: first and size. */
bool	dominators_places(struct dominators *);
/* The columns: retain.c. */
bool	dominators_out(struct dominators *);

#endif
