/*
 * Accumulation points: where in the tree of dominators much of the heap comes together, and what
 * it consists of.
 */
#ifndef PASS_ACCUMULATION_H
#define PASS_ACCUMULATION_H

#include "findings.h"

/* An object that retains a tenth of the live bytes, or more. */
struct big {
	uint32_t	object, parent;
	uint64_t	retained, below;	/* below: of that, what its big children retain */
};

/* More cannot be: what one holds for itself is a tenth of the whole, and no two share any of it. */
#define POINTS 10

/* What the parts of a point have in common. */
enum pile {
	PILE_MIXED,		/* nothing */
	PILE_ITSELF,		/* the point itself is that large: an array */
	PILE_ELEMENTS,		/* they are objects of one class */
	PILE_CLASSES		/* they are classes with their statics: the program itself */
};

struct point {
	uint32_t	object;
	uint64_t	own;		/* bytes that it retains and no point below it */
	enum pile	pile;
	uint32_t	class;		/* of PILE_ELEMENTS */
	uint64_t	elements;	/* objects of that class */
};

struct points {
	struct point	point[POINTS];
	size_t		n;
};

/*
 * big: n of them, by rising number; least: bytes that they have at least.  A point is one that has as much left
 * beside its big children; of a list or tree that goes on in objects of one class, the first of them.
 */
bool	points_find(struct finder *, struct big *, uint64_t n,
	    uint64_t least, struct points *);

#endif
