/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * route_back: from single objects back to the roots, if that takes few steps; objects with many referrers are
 * left to the search from the roots.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_heap.h"
#include "pass/heap/heap.h"
#include "routes.h"

#define STEPS 65536u		/* referrers of one object that are looked at, at most */
#define STEPS_ALL 32u		/* limit for all objects: STEPS + objects of the dump / STEPS_ALL */

struct back {
	struct heap_routes	*r;
	const struct column	*strength;	/* class.strength */
	struct scratch		 roots;		/* bits by object */
	struct scratch		 nodes;		/* struct route_node: from: its target */
	uint64_t		 n, left, left_all;
	struct route_node	 hit;		/* the best root of the present distance; object 0: none yet */
	uint32_t		 rank;
	bool			 unsure;	/* there may be a way that this search does not go */
};

static void
clear_bit(struct scratch *bits, uint32_t i)
{
	SCRATCH(*bits, uint64_t)[i / 64] &= ~((uint64_t)1 << (i % 64));
}

/* ---- roots ------------------------------------------------------------------------------ */

static bool
route_back_mark_roots(struct back *b)
{
	const struct heap *h = b->r->heap;
	uint32_t row = 0, object;

	if (!scratch_array(&b->roots, h->objects / 64 + 1ull, sizeof(uint64_t), b->r->err))
		return false;
	while ((object = root_next(h, &row)) != 0) {
		if (!route_tick(b->r))
			return false;
		if (b->r->rule == ROUTE_PLAIN || !root_is_local(column_get(h->root_kind, row - 1ull)))
			set_bit(&b->roots, object);
	}
	return true;
}

static bool
meet_root(struct back *b, uint32_t object, uint32_t from)
{
	struct heap_routes *r = b->r;
	uint32_t rank;

	assert(has_bit(&b->roots, object));
	if (r->rows.n == 0 && !roots_map(r->heap, &r->rows, r->err))
		return false;
	rank = root_rank(column_get(r->heap->root_kind, idmap_get(&r->rows, object) - 1ull));
	if (b->hit.object == 0 || rank < b->rank || (rank == b->rank && object < b->hit.object)) {
		b->hit = (struct route_node){ object, from };
		b->rank = rank;
	}
	return true;
}

/* ---- referrers ---------------------------------------------------------------------------- */

/* Return whether the search follows the reference from holder to object, and not as a late one. */
static bool
leads_to(struct back *b, uint32_t holder, uint32_t object)
{
	const struct heap *h = b->r->heap;
	enum heap_strength s;
	struct heap_walk w;
	uint32_t to;

	if (b->r->rule == ROUTE_BLAME && route_is_odd(b->r, holder)) {
		if (route_odd_leads_to(b->r, holder, object))
			return true;
		b->unsure = true;
		return false;
	}
	if (column_get(b->strength, heap_class(h, holder) - 1ull) == HEAP_STRONG)
		return true;
	heap_out(h, holder, &w);
	while ((to = heap_next(&w, &s)) != 0)
		if (to == object && (s == HEAP_STRONG ||
		    (b->r->rule == ROUTE_PLAIN && heap_counts(h, s))))
			return true;
	return false;
}

static bool
route_back_add(struct back *b, uint32_t object, uint32_t from)
{
	struct route_node node = { object, from };

	assert(from == ROUTE_ROOT || from < b->n);
	set_bit(&b->r->seen, object);
	return scratch_add(&b->nodes, &b->n, &node, sizeof node, b->r->err);
}

static bool
route_back_expand(struct back *b, uint32_t at)
{
	const struct heap *h = b->r->heap;
	uint32_t object = SCRATCH(b->nodes, struct route_node)[at].object, holder;
	struct heap_walk w;

	/* Instances hold their class, too, but this search does not follow them. */
	if (heap_class_of_object(h, object) != 0)
		b->unsure = true;
	heap_in(h, object, &w);
	for (; b->left > 0 && (holder = heap_next(&w, NULL)) != 0; b->left--) {
		if (!route_tick(b->r))
			return false;
		if (holder > h->objects || has_bit(&b->r->seen, holder) ||
		    (h->parent != NULL && heap_dominator(h, holder) == 0) ||
		    !leads_to(b, holder, object))
			continue;
		if (!(has_bit(&b->roots, holder) ? meet_root(b, holder, at) : route_back_add(b, holder, at)))
			return false;
	}
	return true;
}

/* ---- one object ----------------------------------------------------------------------------- */

/* Stop searching for the object. */
static void
route_back_give_up(struct back *b, uint32_t object)
{
	assert(has_bit(&b->r->wanted, object) && b->r->left > 0);
	clear_bit(&b->r->wanted, object);
	b->r->left--;
}

/* Store the path that was found, root first. */
static bool
route_back_keep(struct back *b, uint32_t object)
{
	const struct route_node *node = SCRATCH(b->nodes, struct route_node);
	struct heap_routes *r = b->r;
	uint32_t from = ROUTE_ROOT, last = b->hit.object;

	for (uint32_t at = b->hit.from; ; at = node[at].from) {
		if (last != object) {
			if (!route_append(r, last, from))
				return false;
			from = (uint32_t)r->n - 1;
		}
		if (at == ROUTE_ROOT)
			break;
		last = node[at].object;
	}
	route_back_give_up(b, object);
	return route_append(r, object, from) && idmap_put(&r->met, object, (uint32_t)r->n, r->err);
}

static bool
route_back_search(struct back *b, uint32_t object)
{
	uint64_t at = 0;

	b->n = 0;
	b->hit.object = 0;
	b->unsure = false;
	b->left = b->left_all < STEPS ? b->left_all : STEPS;
	b->left_all -= b->left;
	if (!route_back_add(b, object, ROUTE_ROOT) ||
	    (has_bit(&b->roots, object) && !meet_root(b, object, ROUTE_ROOT)))
		return false;
	while (b->hit.object == 0 && at < b->n && b->left > 0)
		for (uint64_t level = b->n; at < level && b->left > 0; at++)
			if (!route_back_expand(b, (uint32_t)at))
				return false;
	b->left_all += b->left;
	/* Stopped within a level, another root may be the better one. */
	if (b->left == 0)
		return true;
	if (b->hit.object != 0)
		return route_back_keep(b, object);
	if (!b->unsure)
		route_back_give_up(b, object);
	return true;
}

bool
route_back(struct heap_routes *r, const uint32_t *object, size_t n)
{
	struct back b = { .r = r, .strength = store_column(r->heap->st, COL_CLASS_STRENGTH),
	    .left_all = r->heap->objects / STEPS_ALL + STEPS };
	bool ok = route_back_mark_roots(&b);

	for (size_t i = 0; ok && i < n && b.left_all > 0; i++) {
		if (object[i] == 0 || object[i] > r->heap->objects || !has_bit(&r->wanted, object[i]))
			continue;
		ok = route_back_search(&b, object[i]);
		for (uint64_t k = 0; k < b.n; k++)
			clear_bit(&r->seen, SCRATCH(b.nodes, struct route_node)[k].object);
	}
	SCRATCH_FREE(&b.roots, &b.nodes);
	return ok;
}
