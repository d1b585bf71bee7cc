/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bounds: whether a limit keeps a collection from growing.
 */
#ifndef PASS_BOUNDS_H
#define PASS_BOUNDS_H

#include "icecore/kept.h"
#include "icecore/heap_names.h"
#include "findings.h"

/*
 * BOUND_REACHED: the limit is known to be one, and the collection is near it.  BOUND_MAYBE: a number that may
 * be a limit equals the count, or the limit is far away.
 */
enum bound_sure { BOUND_NONE, BOUND_MAYBE, BOUND_REACHED };

struct bound {
	enum bound_sure	sure;
	uint32_t	class;		/* that has the limit */
	struct str	field;		/* of the class; empty: none, the class has a fixed size, or */
	bool		removes;	/* its method removeEldestEntry decides */
	uint64_t	limit;		/* entries, or their weight */
};

/*
 * Look at the objects above a node of the tree of names for a limit of things that gather there; count: of
 * the things; backlog: things that wait in a queue are not kept on purpose.
 */
void	bound_find(const struct heap *, uint32_t node, uint64_t count, bool backlog, struct bound *);
/*
 * Things in a queue, or in the list of a thread: this many wait.  Idle ones, such as buffers of a pool, are fewer
 * or no things.
 */
#define BACKLOG 1000u

static inline bool
bound_backlog(const struct name_node *content, uint64_t count)
{
	return count >= BACKLOG && (content->whose & ~(unsigned)CLASS_JDK);
}

/*
 * A list or map of java.util, and how often elements were added or removed.  Both are equal if nothing was ever
 * removed.  False: it does not count that.
 */
bool	bound_changes(const struct heap *, uint32_t collection, uint64_t *size, uint64_t *changes);
/* The *ith number that bound_find reads by name, as of collection_number. */
bool	bound_number(size_t *i, struct kept_field *);

#endif
