/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuts: where several collections of one object have the same things, the things and the parts that are
 * referenced twice hang directly below the object in the tree of dominators, and each collection has only its
 * own entries.  The object is the owner, and the things are those that most collections reach.
 */
#include "config.h"

#include "icecore/heap_names.h"
#include "pass/heap/heap.h"

#define MANY 20u		/* things at least */
#define TOPS 64u		/* nodes of many things that are compared */
#define SMALL 64u		/* nodes with less than one part in this many of the bytes are not looked at */
#define LIKE 5u			/* one occurs at most this many times as often as the other */
#define OWN 64u			/* a class of the program counts as if so many more collections reached it */
#define REFERRERS 64u		/* referrers of a thing that are looked at, and */
#define STEPS 16u		/* objects on the way up from it to collections */

/* Nodes of many things below one node; no node is below another one of these. */
struct cut_tops {
	uint32_t	node[TOPS];
	unsigned	n, most;		/* most: the heaviest */
	uint64_t	most_weight;
};

static void
cuts_collect(const struct heap *h, uint32_t node, const struct name_node *top, struct cut_tops *t)
{
	struct name_node n;
	uint64_t least = name_weight(top) / SMALL;

	*t = (struct cut_tops){ .n = 0 };
	for (uint32_t id = node + 1; id < node + top->size && t->n < TOPS; ) {
		bool many;

		names_get(h, id, &n);
		many = n.count - n.folded >= MANY && n.folded * 2ull < n.count;
		if (name_weight(&n) >= least && many) {
			if (name_weight(&n) > t->most_weight) {
				t->most = t->n;
				t->most_weight = name_weight(&n);
			}
			t->node[t->n++] = id;
		}
		id += name_weight(&n) < least || many ? n.size : 1;
	}
}

/* Return whether several objects hold each object of the node: what dominates them is not the node above. */
static bool
cuts_shared(const struct heap *h, const struct name_node *n)
{
	return n->kind == NAME_SHARED || (n->kind == NAME_ELEMENT && n->object != 0 &&
	    names_of(h, heap_above(h, n->object)) != n->parent);
}

/* The field, below a node, of the one collection that a node is in or is; 0: none. */
static uint32_t
cuts_field(const struct heap *h, uint32_t node, uint32_t top)
{
	struct name_node n;
	bool in = false;

	for (uint32_t id = node; id > top; id = n.parent) {
		names_get(h, id, &n);
		in |= name_is_collection(&n);
		if (in && n.kind == NAME_FIELD)
			return n.count == 1 ? id : 0;
	}
	return 0;
}

static bool
cuts_add(struct cut_found *c, uint32_t field)
{
	for (unsigned i = 0; i < c->fields && i < CUT_FIELDS; i++)
		if (c->field[i] == field)
			return false;
	if (field == 0)
		return false;
	if (c->fields < CUT_FIELDS)
		c->field[c->fields] = field;
	c->fields++;
	return true;
}

/*
 * Count the collections below the node that have an object as an element, or, with steps, that reach it in a
 * few steps.
 */
static unsigned
cuts_ways(const struct heap *h, uint32_t object, uint32_t node, const struct name_node *top, bool steps)
{
	struct cut_found ways = { .fields = 0 };
	uint32_t todo[STEPS] = { object }, n = 1, from, at, field;
	struct heap_walk walk;
	struct name_node in;

	for (uint32_t i = 0; i < n; i++) {
		heap_in(h, todo[i], &walk);
		for (unsigned k = 0; k < REFERRERS && (from = heap_next(&walk, NULL)) != 0; k++) {
			at = names_of(h, from);
			if (at < node || at - node >= top->size)
				continue;
			names_get(h, at, &in);
			field = steps || name_is_collection(&in) ? cuts_field(h, at, node) : 0;
			if (field == 0 && steps && n < NELEM(todo))
				todo[n++] = from;
			cuts_add(&ways, field);
		}
	}
	return ways.fields;
}

/*
 * Choose the things: of the classes of the program the one that most collections reach; else, of those of
 * libraries whose objects are elements, the one with most bytes.
 */
static uint32_t
cuts_things(const struct heap *h, uint32_t node, const struct name_node *top, const struct cut_tops *t)
{
	uint32_t best = 0;
	unsigned most = 0, ways;
	uint64_t weight = 0;
	struct name_node n;

	for (unsigned i = 0; i < t->n; i++) {
		if (t->node[i] == 0)
			continue;
		names_get(h, t->node[i], &n);
		if (!(n.whose & (CLASS_PROGRAM | CLASS_LIBRARY)) || n.role != ROLE_PLAIN)
			continue;
		ways = cuts_ways(h, n.object, node, top, n.whose & CLASS_PROGRAM);
		ways = n.whose & CLASS_PROGRAM ? ways + (ways > 0 ? OWN : 0) : ways > 0;
		if (ways > most || (ways == most && ways > 0 && name_weight(&n) > weight)) {
			most = ways;
			weight = name_weight(&n);
			best = t->node[i];
		}
	}
	return best;
}

bool
cut_find(const struct heap *h, uint32_t node, struct cut_found *c)
{
	struct name_node top, n, like;
	struct cut_tops t;
	uint64_t all, sum = 0, shared = 0;

	*c = (struct cut_found){ .things = 0 };
	names_get(h, node, &top);
	all = name_weight(&top);
	if (top.count != 1 || top.size < 4 || top.role != ROLE_PLAIN)
		return false;
	names_get(h, node + 1, &n);
	/* A collection with most of the bytes is the owner, unless it is inside another object. */
	if (name_weight(&n) > all - all / (name_is_collection(&n) ? 4 : 10))
		return false;
	cuts_collect(h, node, &top, &t);
	if (t.n < 2)
		return false;
	names_get(h, t.node[t.most], &like);
	for (unsigned i = 0; i < t.n; i++) {
		names_get(h, t.node[i], &n);
		if (n.count > like.count * (uint64_t)LIKE || like.count > n.count * (uint64_t)LIKE) {
			t.node[i] = 0;
			continue;
		}
		sum = num_add(sum, name_weight(&n));
		if (cuts_shared(h, &n))
			shared = num_add(shared, name_weight(&n));
		cuts_add(c, cuts_field(h, n.parent, node));
	}
	if (c->fields < 2 || sum < all / 2 || shared < sum / 4)
		return false;
	c->things = cuts_things(h, node, &top, &t);
	return c->things != 0;
}
