/*
 * Classes that are larger than their fields say: what hprof_grow.c tells hprof_layout.c.
 */
#ifndef LOAD_HEAP_GROW_H
#define LOAD_HEAP_GROW_H

#include "hprof.h"

/* How many classes are larger than their fields by themselves, and how many have no instance that fits: hprof_grow.c. */
struct larger {
	uint64_t	classes, differ;
};
/* size: bytes by the rule, not yet aligned; it grows.  The samples have distances already. */
bool	hprof_grow(struct hprof *, const struct heap_ids *, const struct heap_rule *, const uint32_t *order,
	    uint32_t class_class, uint64_t *size, struct larger *);

#endif
