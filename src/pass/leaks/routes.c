/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * routes: from the roots to many objects at once, breadth first.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/facts.h"

#include "pass/heap/heap.h"
#include "routes.h"

/* ---- roots, in the order in which they answer ------------------------------------------------ */

/* Marked ones, by rising number; they are unmarked. */
static bool
routes_add_marked(struct heap_routes *r, struct scratch *marks)
{
	uint64_t *word = SCRATCH(*marks, uint64_t);
	unsigned bit;

	for (uint64_t i = 0; i <= r->heap->objects / 64; i++) {
		for (; word[i] != 0; word[i] &= word[i] - 1) {
			bit = (unsigned)__builtin_ctzll(word[i]);
			if (!route_meet(r, (uint32_t)(i * 64 + bit), ROUTE_ROOT))
				return false;
		}
		if (!route_tick(r))
			return false;
	}
	return true;
}

/* Add the roots of one rank.  With ROUTE_BLAME, locals of unknown threads are late. */
static bool
add_rank(struct heap_routes *r, struct scratch *marks, uint32_t rank)
{
	const struct column *kind = r->heap->root_kind;
	uint32_t row = 0, object;

	while ((object = root_next(r->heap, &row)) != 0) {
		if (!route_tick(r))
			return false;
		if (root_rank(column_get(kind, row - 1)) != rank)
			continue;
		if (r->rule == ROUTE_PLAIN || !root_is_local(column_get(kind, row - 1)))
			set_bit(marks, object);
		else if (!route_late(r, object, ROUTE_ROOT))
			return false;
	}
	return routes_add_marked(r, marks);
}

/*
 * Without roots in the dump, start from classes and unreferenced objects; for unreachable objects, from the
 * latter only.
 */
static bool
add_pseudo(struct heap_routes *r, struct scratch *referred, bool classes)
{
	const struct heap_lists *out = &r->heap->out;
	uint64_t at = 0;
	struct heap_walk w;
	uint32_t to;

	for (uint64_t i = 0; i < r->heap->objects; i++) {
		heap_list(out, i, at, &w);
		at = (uint64_t)(w.end - out->data);
		while ((to = list_next(&w)) != 0) {
			if (to <= r->heap->objects)
				set_bit(referred, to);
			if (!route_tick(r))
				return false;
		}
	}
	for (to = 1; to <= r->heap->objects; to++)
		if ((heap_class_of_object(r->heap, to) != 0 ? classes : !has_bit(referred, to)) &&
		    (!route_meet(r, to, ROUTE_ROOT) || !route_tick(r)))
			return false;
	return true;
}

static bool
route_begin(struct heap_routes *r)
{
	OWN_SCRATCH marks = SCRATCH_INIT;
	_Bool ok = scratch_array(&marks, r->heap->objects / 64 + 1ull, sizeof(uint64_t), r->err);

	if (fact_value(r->heap->st, FACT_HEAP_PSEUDO) != 0) {
		ok = ok && add_pseudo(r, &marks, true);
	} else {
		for (uint32_t rank = 0; ok && rank < ROOT_RANKS; rank++)
			ok = add_rank(r, &marks, rank);
		ok = ok && (r->heap->refs != REFS_UNREACHABLE || add_pseudo(r, &marks, false));
	}
	return ok;
}

#define AHEAD 16u		/* nodes in front for which memory is fetched; a power of two */

/* ---- references ------------------------------------------------------------------------- */

static inline bool
routes_counts(const struct heap_routes *r, unsigned strength)
{
	return strength == HEAP_STRONG ||
	    (r->rule == ROUTE_PLAIN && heap_counts(r->heap, (enum heap_strength)strength));
}

static bool
routes_follow(struct heap_routes *r, uint32_t object, uint32_t from, uint64_t at)
{
	struct heap_walk w;
	uint32_t to;

	heap_list(&r->heap->out, object - 1ull, at, &w);
	if (routes_counts(r, w.strength))
		w.weak = 0;
	for (; (to = list_next(&w)) != 0; w.weak -= w.weak > 0)
		if (w.weak == 0 && (!route_meet(r, to, from) || !route_tick(r)))
			return false;
	return true;
}

/*
 * Follow references until none are left or all wanted objects were met.  Lists are scattered in memory: the
 * length of a list is prefetched AHEAD nodes in advance, the list itself half as many.
 */
static bool
follow_all(struct heap_routes *r)
{
	const struct heap_lists *out = &r->heap->out;
	uint64_t place[AHEAD], placed = r->at, i;
	struct route_node node;

	for (; r->at < r->n && r->left > 0; r->at++) {
		if (r->at + AHEAD < r->n) {
			i = SCRATCH(r->nodes, struct route_node)[r->at + AHEAD].object - 1ull;
			__builtin_prefetch(&out->len[i]);
			__builtin_prefetch(&out->block[i / HEAP_BLOCK]);
		}
		for (; placed < r->n && placed <= r->at + AHEAD / 2; placed++) {
			i = SCRATCH(r->nodes, struct route_node)[placed].object - 1ull;
			place[placed % AHEAD] = heap_list_at(out, i);
			__builtin_prefetch(&out->data[place[placed % AHEAD]]);
		}
		assert(r->at < placed);
		node = SCRATCH(r->nodes, struct route_node)[r->at];
		if (r->rule == ROUTE_BLAME && has_bit(&r->odd, node.object)) {
			if (!route_follow_odd(r, node.object, (uint32_t)r->at))
				return false;
		} else if (out->len[node.object - 1] != 0 &&
		    !routes_follow(r, node.object, (uint32_t)r->at, place[r->at % AHEAD]))
			return false;
		if (!route_tick(r))
			return false;
	}
	return true;
}

/* ---- objects from which no path continues ------------------------------------------------- */

/* Continues with the nodes that were put off; they count as equally far away. */
static bool
take_late(struct heap_routes *r)
{
	uint64_t end = r->nlate;
	struct route_node node;

	for (; r->late_at < end; r->late_at++) {
		node = r->late.at[r->late_at];
		if (!route_meet(r, node.object, node.from) || !route_tick(r))
			return false;
	}
	return true;
}

/* The classes of the instances that were met since the last time: they hold them. */
static bool
take_classes(struct heap_routes *r)
{
	const struct heap *h = r->heap;
	uint64_t end = r->n;
	uint32_t class;

	if (h->form != NULL)
		return true;
	for (; r->classes < end; r->classes++) {
		class = heap_class(h, SCRATCH(r->nodes, struct route_node)[r->classes].object);
		if (!route_meet(r, heap_class_object(h, class), (uint32_t)r->classes) || !route_tick(r))
			return false;
	}
	return true;
}

/* Without roots, the remaining objects are in cycles or behind them: take the lowest object as a root. */
static bool
take_circle(struct heap_routes *r)
{
	while (r->circle < r->heap->objects) {
		if (!has_bit(&r->seen, ++r->circle))
			return route_add(r, r->circle, ROUTE_ROOT);
		if (!route_tick(r))
			return false;
	}
	return true;
}

/* Return whether some roots are not in the dump but were chosen by icecore. */
static bool
has_pseudo(const struct heap *h)
{
	return fact_value(h->st, FACT_HEAP_PSEUDO) != 0 || h->refs == REFS_UNREACHABLE;
}

static bool
routes_search(struct heap_routes *r)
{
	bool pseudo = fact_value(r->heap->st, FACT_HEAP_PSEUDO) != 0, ok = true;
	uint64_t before;

	r->at = r->classes = r->n;
	if ((r->rule == ROUTE_BLAME && !route_blame_mark(r)) || !route_begin(r))
		return false;
	do {
		if (!follow_all(r))
			return false;
		before = r->n;
		if (r->late_at < r->nlate)
			ok = take_late(r);
		if (ok && r->n == before && r->left > 0)
			ok = pseudo || take_classes(r);
		if (ok && r->n == before && r->left > 0 && has_pseudo(r->heap))
			ok = take_circle(r);
	} while (ok && r->left > 0 && r->n > before);
	return ok;
}

/* ---- opening ------------------------------------------------------------------------------ */

static bool
want(struct heap_routes *r, const uint32_t *object, size_t n)
{
	uint64_t words = r->heap->objects / 64 + 1ull;

	if (!scratch_array(&r->seen, words, sizeof(uint64_t), r->err) ||
	    !scratch_array(&r->wanted, words, sizeof(uint64_t), r->err))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (object[i] == 0 || object[i] > r->heap->objects || has_bit(&r->wanted, object[i]))
			continue;
		set_bit(&r->wanted, object[i]);
		r->left++;
	}
	return true;
}

static bool
is_met(const struct heap_routes *r, uint32_t object)
{
	return r != NULL && idmap_get(&r->met, object) != 0;
}

/* Run search k for the objects that no search has found so far. */
static bool
routes_rest(struct heap_routes *r, const struct heap *h, unsigned k, const uint32_t *object,
    size_t n)
{
	OWN_ARRAY(uint32_t) rest = ARRAY_INIT;
	size_t left = 0;
	_Bool ok = array_grow(&rest, n, r->err);

	for (size_t i = 0; ok && i < n; i++)
		if (!is_met(r, object[i]) && !is_met(r->rest[0], object[i]))
			rest.at[left++] = object[i];
	return ok && (left == 0 || heap_routes_open(&r->rest[k], h, ROUTE_PLAIN,
	    rest.at, left, r->work, r->err));
}

static bool
search_rests(struct heap_routes *r, const uint32_t *object, size_t n)
{
	r->strong = *r->heap;
	r->strong.refs = REFS_STRONG;
	return routes_rest(r, &r->strong, 0, object, n) &&
	    (r->heap->refs == REFS_STRONG || routes_rest(r, r->heap, 1, object, n));
}

bool
heap_routes_open(struct heap_routes **out, const struct heap *h, enum route_rule rule,
    const uint32_t *object, size_t n, struct work *work, struct err *err)
{
	struct heap_routes *r;
	bool ok;

	if (h->objects >= UINT32_MAX - 1 || h->out.data == NULL)
		return fail(err, E_INPUT, "no path search: too many objects or no references");
	if ((r = mem_array(1, sizeof *r)) == NULL)
		return fail_memory(err, "paths");
	*r = (struct heap_routes){ .heap = h, .rule = rule, .work = work, .err = err };
	heap_lists_all(&h->out);
	work_start(work, "paths from GC roots", h->objects);
	ok = want(r, object, n) && (rule == ROUTE_PLAIN || route_blame_open(r)) &&
	    (h->in.data == NULL || has_pseudo(h) || route_back(r, object, n)) &&
	    (r->left == 0 || routes_search(r));
	if (ok && r->met.n < n && rule == ROUTE_BLAME)
		ok = search_rests(r, object, n);
	SCRATCH_FREE(&r->seen, &r->wanted, &r->odd, &r->listed, &r->known, &r->late, &r->next_local);
	idmap_free(&r->locals);
	if (!ok) {
		heap_routes_close(r);
		return false;
	}
	*out = r;
	return true;
}

void
heap_routes_close(struct heap_routes *r)
{
	if (r == NULL)
		return;
	heap_routes_close(r->rest[0]);
	heap_routes_close(r->rest[1]);
	SCRATCH_FREE(&r->nodes, &r->path);
	idmap_free(&r->met);
	idmap_free(&r->rows);
	free(r);
}

bool
route_is_weak(const struct heap_routes *r, uint32_t object)
{
	return !is_met(r, object) && !is_met(r->rest[0], object);
}

const struct route_node *
heap_routes_nodes(const struct heap_routes *r, uint64_t *n)
{
	*n = r->n;
	return SCRATCH(r->nodes, struct route_node);
}

uint32_t
heap_routes_root(struct heap_routes *r, uint32_t object)
{
	return r->rows.n == 0 && !roots_map(r->heap, &r->rows, NULL) ? 0 : idmap_get(&r->rows, object);
}

/* ---- answers ------------------------------------------------------------------------------- */

bool
heap_routes_to(struct heap_routes *r, uint32_t object, struct heap_path *path)
{
	const struct route_node *node = SCRATCH(r->nodes, struct route_node);
	uint32_t at = idmap_get(&r->met, object), i, *to;
	size_t n = 1, k = 0;

	if (at == 0)
		return (r->rest[0] != NULL && heap_routes_to(r->rest[0], object, path)) ||
		    (r->rest[1] != NULL && heap_routes_to(r->rest[1], object, path));
	assert(at <= r->n);
	for (i = at - 1; node[i].from != ROUTE_ROOT; i = node[i].from) {
		assert(node[i].from < i);
		n++;
	}
	if (!array_grow(&r->path, n, NULL) ||
	    (r->rows.n == 0 && !roots_map(r->heap, &r->rows, NULL)))
		return false;
	to = r->path.at;
	for (i = at - 1; k < n - 1; i = node[i].from)
		to[k++] = node[i].object;
	to[k] = node[i].object;
	*path = (struct heap_path){ .object = to, .n = n, .root = idmap_get(&r->rows, to[k]) };
	return true;
}
