/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * routes: state shared by the parts of the path search; objects in the order in which they were met.
 */
#ifndef PASS_ROUTES_H
#define PASS_ROUTES_H

#include "icecore/leak.h"

#define ROUTE_TICK 16384u		/* references between two ticks */

struct heap_routes {
	const struct heap	*heap;
	enum route_rule		 rule;
	struct work		*work;
	struct err		*err;
	struct scratch		 seen, wanted;	/* bits by object */
	uint64_t		 left;		/* wanted ones not met yet */
	struct scratch		 nodes;
	uint64_t		 n, at;		/* nodes; the one whose references are looked at */
	uint64_t		 classes;	/* nodes in front of it have given their classes */
	/* In a dump without roots: last object that was looked at as a root; earlier ones are met. */
	uint32_t		 circle;
	uint64_t		 ticks;
	struct idmap		 met;		/* wanted objects to 1 + node */
	struct idmap		 rows;		/* root objects to their rows in root.*, once asked for */
	ARRAY(uint32_t)	path;
	/*
	 * Searches for what ROUTE_BLAME missed: [0] any strong reference, [1] all that heap->refs counts; or
	 * NULL.
	 */
	struct heap_routes	*rest[2];
	struct heap		 strong;	/* for the first of them */

	/* ROUTE_BLAME */
	struct scratch		 odd;		/* bits by object: its references need rules of their own */
	/* bits by class: instances register themselves in lists; class has known leaks */
	struct scratch		 listed, known;
	ARRAY(struct route_node)	late;		/* come when nothing else is left */
	uint64_t		 nlate, late_at;
	struct idmap		 locals;	/* threads to 1 + first row of their locals */
	ARRAY(uint32_t)	next_local;	/* by row (from 0): 1 + next row, 0: it is the last */
};

/* A node, no more. */
static inline bool
route_append(struct heap_routes *r, uint32_t object, uint32_t from)
{
	struct route_node node = { object, from };

	return scratch_add(&r->nodes, &r->n, &node, sizeof node, r->err);
}

static inline bool
route_add(struct heap_routes *r, uint32_t object, uint32_t from)
{
	if (!route_append(r, object, from))
		return false;
	set_bit(&r->seen, object);
	if (!has_bit(&r->wanted, object))
		return true;
	r->left--;
	return idmap_put(&r->met, object, (uint32_t)r->n, r->err);
}

/* A reference that counts: the object goes to the end, if it is new. */
static inline bool
route_meet(struct heap_routes *r, uint32_t object, uint32_t from)
{
	return object == 0 || object > r->heap->objects || has_bit(&r->seen, object) ||
	    route_add(r, object, from);
}

/* Visit the object when nothing else is left. */
static inline bool
route_late(struct heap_routes *r, uint32_t object, uint32_t from)
{
	struct route_node node = { object, from };

	return object == 0 || object > r->heap->objects || has_bit(&r->seen, object) ||
	    array_add(&r->late, &r->nlate, &node, r->err);
}

static inline bool
route_tick(struct heap_routes *r)
{
	return ++r->ticks % ROUTE_TICK != 0 || work_tick(r->work, r->n) || fail_cancel(r->err);
}

/* After ROUTE_BLAME: return whether no path of strong references reaches the object. */
bool	route_is_weak(const struct heap_routes *, uint32_t object);

/* Finds those that are near to a root by the way back: route_back.c. */
bool	route_back(struct heap_routes *, const uint32_t *object, size_t n);

/*
 * References of odd objects: route_blame.c; route_blame_mark: for the search from the roots, which asks very
 * often.
 */
bool	route_blame_open(struct heap_routes *);
bool	route_blame_mark(struct heap_routes *);
bool	route_is_odd(const struct heap_routes *, uint32_t object);
bool	route_follow_odd(struct heap_routes *, uint32_t object, uint32_t from);
bool	route_odd_leads_to(const struct heap_routes *, uint32_t holder, uint32_t object);

#endif
