/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of dominators to walk: nodes are objects, and no memory is needed for them, however deep or broad
 * the tree is.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/graph.h"
#include "icecore/heap_facts.h"
#include "pass/tree.h"

/*
 * Recently walked siblings.  Entries that are cheap to rebuild or unused for long are evicted first: worth is
 * their number, plus the worth of the entry evicted when they were used.
 */
#define KEPT 64u

struct kept {
	uint32_t	parent;		/* 0: none */
	uint64_t	worth, at;	/* at: the one last come to */
	struct siblings	of;
};

struct heap_tree {
	struct tree_of_heap of;
	uint64_t	live;		/* bytes */
	uint64_t	gone;		/* worth of what went last */
	struct kept	kept[KEPT];
};

static struct heap_tree *
heap_tree(struct tree *t)
{
	return (struct heap_tree *)t;
}

static uint32_t
tree_heap_object_of(uint32_t id)
{
	assert(id > 0);
	return id == TREE_ROOT ? HEAP_ROOT : id - 1;
}

static bool
is_node(const struct heap_tree *t, uint32_t id)
{
	return id == TREE_ROOT || (id > TREE_ROOT && id - 1 <= t->of.heap.objects);
}

static uint64_t
tree_heap_total(struct tree *tree, uint32_t id, UNUSED enum clock clock)
{
	const struct heap_tree *t = heap_tree(tree);

	if (id == TREE_ROOT)
		return t->live;
	return is_node(t, id) ? heap_retained(&t->of.heap, tree_heap_object_of(id)) : 0;
}

static uint32_t
tree_heap_parent_of(struct tree *tree, uint32_t id)
{
	const struct heap_tree *t = heap_tree(tree);
	uint32_t up;

	if (id == TREE_ROOT || !is_node(t, id))
		return 0;
	up = heap_dominator(&t->of.heap, tree_heap_object_of(id));
	return up == 0 ? 0 : up == HEAP_ROOT ? TREE_ROOT : up + 1;
}

static void
tree_heap_peek(struct tree *tree, uint32_t id, struct tree_node *n)
{
	const struct heap_tree *t = heap_tree(tree);

	if (!is_node(t, id))
		return;
	n->calls = 1;
	n->parent = tree_heap_parent_of(tree, id);
	n->object = id == TREE_ROOT ? 0 : tree_heap_object_of(id);
	if (n->object != 0)
		n->class = heap_class(&t->of.heap, n->object);
	n->total[0] = tree_heap_total(tree, id, CLOCK_WALL);
	for (int i = 1; i < CLOCKS; i++)
		n->total[i] = n->total[0];
}

static void
tree_heap_get(struct tree *tree, uint32_t id, struct tree_node *n)
{
	uint64_t shallow;

	tree_heap_peek(tree, id, n);
	shallow = n->object == 0 ? 0 : heap_shallow(&heap_tree(tree)->of.heap, n->object);
	for (int i = 0; i < CLOCKS; i++)
		n->self[i] = shallow;
}

static const struct kept *
tree_heap_find_kept(const struct heap_tree *t, uint32_t parent)
{
	const struct kept *k = t->kept;

	while (k < t->kept + KEPT && k->parent != parent)
		k++;
	return k < t->kept + KEPT ? k : NULL;
}

/* The children of an object, in order; NULL when memory runs out. */
static struct kept *
siblings(struct heap_tree *t, uint32_t parent)
{
	struct kept *k = t->kept, *least = k;
	struct err err;

	assert(parent != 0);
	for (; k < t->kept + KEPT && k->parent != parent; k++)
		if (k->worth < least->worth)
			least = k;
	if (k == t->kept + KEPT) {
		k = least;
		t->gone = k->worth;
		k->parent = parent;
		k->at = 0;
		if (!siblings_open(&k->of, &t->of.heap, parent, NULL, &err)) {
			k->parent = 0;
			return NULL;
		}
	}
	k->worth = t->gone + k->of.n;
	return k;
}

static uint32_t
come_to(struct heap_tree *t, struct kept *k, uint64_t at)
{
	if (k == NULL || at >= k->of.n)
		return 0;
	k->at = at;
	return siblings_at(&k->of, &t->of.heap, at) + 1;
}

static uint32_t
tree_heap_first(struct tree *tree, uint32_t id)
{
	struct heap_tree *t = heap_tree(tree);
	struct child_walk w = { .next = 0 };
	uint32_t only;

	if (is_node(t, id))
		heap_children(&t->of.heap, tree_heap_object_of(id), &w);
	only = child_next(&w);
	return only == 0 ? 0 : w.next == 0 ? only + 1 : come_to(t, siblings(t, tree_heap_object_of(id)), 0);
}

static uint32_t
tree_heap_next(struct tree *tree, uint32_t id)
{
	struct heap_tree *t = heap_tree(tree);
	const struct heap *h = &t->of.heap;
	struct kept *k;

	if (id == TREE_ROOT || !is_node(t, id) || heap_dominator(h, id - 1) == 0)
		return 0;
	k = siblings(t, heap_dominator(h, id - 1));
	if (k == NULL)
		return 0;
	if (k->at >= k->of.n || siblings_at(&k->of, h, k->at) != id - 1)
		k->at = siblings_place(&k->of, h, id - 1);
	return come_to(t, k, k->at + 1);
}

static uint32_t
tree_heap_children(struct tree *tree, uint32_t id)
{
	const struct heap_tree *t = heap_tree(tree);
	const struct kept *k;
	struct child_walk w;
	uint32_t n = 0;

	if (!is_node(t, id))
		return 0;
	if ((k = tree_heap_find_kept(t, tree_heap_object_of(id))) != NULL)
		return (uint32_t)k->of.n;
	heap_children(&t->of.heap, tree_heap_object_of(id), &w);
	while (child_next(&w) != 0)
		n++;
	return n;
}

/*
 * Cached siblings are free.  Few children are counted: heap_children_most is a bound for a whole block of
 * parents.
 */
static uint64_t
tree_heap_cost(struct tree *tree, uint32_t id)
{
	const struct heap_tree *t = heap_tree(tree);
	struct child_walk w;
	uint64_t n = 0;

	if (!is_node(t, id) || tree_heap_find_kept(t, tree_heap_object_of(id)) != NULL)
		return 0;
	heap_children(&t->of.heap, tree_heap_object_of(id), &w);
	while (n < KEPT && child_next(&w) != 0)
		n++;
	return n < KEPT ? n : heap_children_most(&t->of.heap, tree_heap_object_of(id));
}

static uint32_t
node_of_object(struct tree *tree, uint32_t object)
{
	const struct heap_tree *t = heap_tree(tree);

	return object == 0 || object > t->of.heap.objects ||
	    heap_dominator(&t->of.heap, object) == 0 ? 0 : object + 1;
}

static void
tree_heap_close_tree(struct tree *tree)
{
	struct heap_tree *t = heap_tree(tree);

	for (size_t i = 0; i < KEPT; i++)
		siblings_close(&t->kept[i].of);
	free(t);
}

static const struct tree_ops ops = {
	.get = tree_heap_get, .peek = tree_heap_peek, .total = tree_heap_total, .first = tree_heap_first,
	    .next = tree_heap_next, .parent = tree_heap_parent_of, .children = tree_heap_children,
	.cost = tree_heap_cost, .of_object = node_of_object, .close = tree_heap_close_tree
};

bool
tree_open_heap(struct tree **out, const struct store *st, enum heap_refs refs,
    enum heap_sizes sizes, struct err *err)
{
	struct heap_tree *t = mem_array(1, sizeof *t);

	*out = NULL;
	if (t == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	t->of.tree.ops = &ops;
	if (!heap_open(&t->of.heap, st, refs, sizes, err)) {
		free(t);
		return false;
	}
	if (t->of.heap.parent == NULL || t->of.heap.retained == NULL || t->of.heap.children.data == NULL) {
		free(t);
		return fail(err, E_USAGE, "no dominator tree in this file");
	}
	t->live = heap_fact(st, FACT_LIVE_BYTES, refs, sizes);
	*out = &t->of.tree;
	return true;
}
