/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * path_tree: from the roots to all objects, breadth first, so that many paths cost no more than one search.
 *
 * A path is the one that a search back from its object finds first: the shortest; of these the one whose root
 * is best; of these the one whose referrers, from the object on, have the lowest numbers.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/facts.h"
#include "path_tree.h"

#define TICK 4096u
#define UNSURE UINT32_MAX	/* from: an instance may hold it as its class; no path that is known */

struct tree_root {
	uint32_t	rank, object;
};

struct tree_search {
	struct path_tree *tree;
	ARRAY(uint32_t)	root, depth;	/* by object, of its path; root 0: one of the runtime */
	ARRAY(uint32_t)	queue;
	ARRAY(struct tree_root)	roots;
	uint64_t	 n, at, nroots;
	struct work	*work;
	struct err	*err;
};

/* ---- the search ------------------------------------------------------------------ */

static void
tree_add(struct tree_search *s, uint32_t object, uint32_t from, uint32_t root, uint32_t depth)
{
	assert(s->n < s->tree->heap->objects && s->tree->from.at[object] == 0);
	s->tree->from.at[object] = from;
	s->root.at[object] = root;
	s->depth.at[object] = depth;
	s->queue.at[s->n++] = object;
}

/* Roots come in the order of their rank, so the first root that leads to an object is the best. */
static void
tree_meet(struct tree_search *s, uint32_t object, uint32_t from)
{
	uint32_t *is = &s->tree->from.at[object];

	if (*is == 0)
		tree_add(s, object, from, s->root.at[from], s->depth.at[from] + 1);
	else if (from < *is && s->depth.at[object] == s->depth.at[from] + 1 &&
	    s->root.at[object] == s->root.at[from])
		*is = from;
}

static bool
tree_follow(struct tree_search *s, uint32_t object)
{
	const struct heap *h = s->tree->heap;
	enum heap_strength strength;
	struct heap_walk w;
	uint32_t to;

	heap_out(h, object, &w);
	/* Lists of referrers lack what is chained. */
	w.chain = 0;
	for (uint64_t n = 1; (to = heap_next(&w, &strength)) != 0; n++) {
		if (n % TICK == 0 && !work_go(s->work, s->at, s->err))
			return false;
		if (to > h->objects || !heap_counts(h, strength))
			continue;
		if (s->tree->from.at[object] != UNSURE)
			tree_meet(s, to, object);
		else if (s->tree->from.at[to] == 0)
			tree_add(s, to, UNSURE, 0, 0);
	}
	return true;
}

static bool
tree_follow_all(struct tree_search *s)
{
	for (; s->at < s->n; s->at++)
		if (!work_each(s->work, s->at, TICK, s->err) || !tree_follow(s, s->queue.at[s->at]))
			return false;
	return true;
}

/* ---- where it starts --------------------------------------------------------------- */

static int
tree_root_order(const void *x, const void *y)
{
	const struct tree_root *a = x, *b = y;

	return num_order(a->rank, b->rank, num_order(a->object, b->object, 0));
}

/* Collect the roots; those of the runtime are all alike, and count where no other root leads. */
static bool
tree_roots(struct tree_search *s, const struct scratch *roots, const struct scratch *late, bool runtime)
{
	const struct heap *h = s->tree->heap;
	struct tree_root root;

	for (s->nroots = 0, root.object = 1; root.object <= h->objects; root.object++) {
		if (!has_bit(roots, root.object) || has_bit(late, root.object) != runtime)
			continue;
		root.rank = runtime ? 0 :
		    root_rank(column_get(h->root_kind, idmap_get(&s->tree->rows, root.object) - 1ull));
		if (!array_add(&s->roots, &s->nroots, &root, s->err))
			return false;
	}
	if (s->nroots > 1)
		qsort(s->roots.at, s->nroots, sizeof root, tree_root_order);
	return true;
}

static bool
tree_search_from(struct tree_search *s, const struct scratch *roots, const struct scratch *late,
    bool runtime)
{
	uint32_t object;

	if (!tree_roots(s, roots, late, runtime))
		return false;
	for (uint64_t i = 0; i < s->nroots; i++) {
		object = s->roots.at[i].object;
		if (s->tree->from.at[object] == 0)
			tree_add(s, object, object, runtime ? 0 : object, 0);
	}
	return tree_follow_all(s);
}

/* Objects that only the classes of instances hold: a search back from them finds the instance. */
static bool
tree_classes(struct tree_search *s)
{
	const struct heap *h = s->tree->heap;
	uint32_t class;

	for (uint64_t i = 0; i < s->n; i++) {
		class = heap_class_object(h, heap_class(h, s->queue.at[i]));
		if (class != 0 && s->tree->from.at[class] == 0)
			tree_add(s, class, UNSURE, 0, 0);
		if (!work_each(s->work, i, TICK, s->err) || (i + 1 == s->n && !tree_follow_all(s)))
			return false;
	}
	return true;
}

bool
path_tree_open(struct path_tree *t, const struct heap *h, const struct scratch *roots,
    const struct scratch *late, struct work *work, struct err *err)
{
	struct tree_search s = { .tree = t, .work = work, .err = err };
	uint64_t n = h->objects + 1ull;
	bool ok;

	*t = (struct path_tree){ .heap = h,
	    .whole = fact_value(h->st, FACT_HEAP_PSEUDO) == 0 && h->refs != REFS_UNREACHABLE };
	ok = array_grow(&t->from, n, err) && array_grow(&s.root, n, err) &&
	    array_grow(&s.depth, n, err) && array_grow(&s.queue, n, err) && roots_map(h, &t->rows, err);
	heap_lists_all(&h->out);
	work_start(work, "paths from GC roots", h->objects);
	ok = ok && tree_search_from(&s, roots, late, false) && tree_search_from(&s, roots, late, true) &&
	    (!t->whole || tree_classes(&s));
	SCRATCH_FREE(&s.root, &s.depth, &s.queue, &s.roots);
	if (!ok)
		path_tree_close(t);
	return ok;
}

void
path_tree_close(struct path_tree *t)
{
	SCRATCH_FREE(&t->from, &t->way);
	idmap_free(&t->rows);
}

/* ---- answers ------------------------------------------------------------------------- */

bool
path_tree_to(struct path_tree *t, uint32_t object, struct err *err)
{
	const uint32_t *from = t->from.at;
	uint32_t i = object;
	size_t n = 1;

	t->known = PATH_FOUND;
	if (from[object] == 0 || from[object] == UNSURE) {
		t->known = from[object] == 0 && t->whole ? PATH_NONE : PATH_UNKNOWN;
		return true;
	}
	for (; from[i] != i; i = from[i])
		n++;
	if (!array_grow(&t->way, n, err))
		return false;
	t->path = (struct heap_path){ .object = t->way.at, .n = n, .root = idmap_get(&t->rows, i) };
	for (i = object, n = 0; n < t->path.n; i = from[i])
		t->way.at[n++] = i;
	return true;
}
