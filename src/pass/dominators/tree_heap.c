/*
 * The tree of dominators to walk: nodes are objects, and nothing is made for
 * them, however deep or broad the tree is.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/graph.h"
#include "pass/tree.h"

struct heap_tree {
	struct tree_of_heap of;
	uint64_t	live;		/* bytes */
	uint32_t	at;		/* the node last come to, and its row among the children */
	uint64_t	at_row, at_end;
};

static struct heap_tree *
heap_tree(struct tree *t)
{
	return (struct heap_tree *)t;
}

static uint32_t
object_of(uint32_t id)
{
	return id == TREE_ROOT ? HEAP_ROOT : id - 1;
}

static bool
is_node(const struct heap_tree *t, uint32_t id)
{
	return id == TREE_ROOT || (id > TREE_ROOT && id - 1 <= t->of.heap.objects);
}

static uint64_t
total(struct tree *tree, uint32_t id, enum clock clock)
{
	const struct heap_tree *t = heap_tree(tree);

	(void)clock;
	if (id == TREE_ROOT)
		return t->live;
	return is_node(t, id) ? heap_retained(&t->of.heap, object_of(id)) : 0;
}

static uint32_t
parent_of(struct tree *tree, uint32_t id)
{
	const struct heap_tree *t = heap_tree(tree);
	uint32_t up;

	if (id == TREE_ROOT || !is_node(t, id))
		return 0;
	up = heap_dominator(&t->of.heap, object_of(id));
	return up == 0 ? 0 : up == HEAP_ROOT ? TREE_ROOT : up + 1;
}

static void
get(struct tree *tree, uint32_t id, struct tree_node *n)
{
	const struct heap_tree *t = heap_tree(tree);

	if (!is_node(t, id))
		return;
	n->calls = 1;
	n->parent = parent_of(tree, id);
	n->object = id == TREE_ROOT ? 0 : object_of(id);
	if (n->object != 0)
		n->class = heap_class(&t->of.heap, n->object);
	for (int i = 0; i < CLOCKS; i++) {
		n->total[i] = total(tree, id, (enum clock)i);
		n->self[i] = n->object != 0 ? heap_shallow(&t->of.heap, n->object) : 0;
	}
}

static uint32_t
come_to(struct heap_tree *t, uint64_t row, uint64_t end)
{
	uint32_t object = row < end ? heap_child(&t->of.heap, row) : 0;

	if (object == 0 || !is_node(t, object + 1))
		return 0;
	t->at_row = row;
	t->at_end = end;
	return t->at = object + 1;
}

static uint32_t
first(struct tree *tree, uint32_t id)
{
	struct heap_tree *t = heap_tree(tree);
	uint64_t row, n = is_node(t, id) ? heap_children(&t->of.heap, object_of(id), &row) : 0;

	return n > 0 ? come_to(t, row, row + n) : 0;
}

static uint32_t
next(struct tree *tree, uint32_t id)
{
	struct heap_tree *t = heap_tree(tree);
	uint64_t row, first_row, n;

	if (id == TREE_ROOT || !is_node(t, id) || heap_dominator(&t->of.heap, id - 1) == 0)
		return 0;
	if (t->at == id)
		return come_to(t, t->at_row + 1, t->at_end);
	row = heap_child_row(&t->of.heap, id - 1);
	n = heap_children(&t->of.heap, heap_dominator(&t->of.heap, id - 1), &first_row);
	return row >= first_row && row - first_row < n ? come_to(t, row + 1, first_row + n) : 0;
}

static uint32_t
children(struct tree *tree, uint32_t id)
{
	const struct heap_tree *t = heap_tree(tree);
	uint64_t row;

	return is_node(t, id) ? (uint32_t)heap_children(&t->of.heap, object_of(id), &row) : 0;
}

static uint32_t
node_of_object(struct tree *tree, uint32_t object)
{
	const struct heap_tree *t = heap_tree(tree);

	return object == 0 || object > t->of.heap.objects || heap_dominator(&t->of.heap, object) == 0 ? 0 : object + 1;
}

static void
close_tree(struct tree *tree)
{
	free(heap_tree(tree));
}

static const struct tree_ops ops = {
	.get = get, .total = total, .first = first, .next = next, .parent = parent_of, .children = children,
	.of_object = node_of_object, .close = close_tree
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
	if (t->of.heap.parent == NULL || t->of.heap.retained == NULL || t->of.heap.children == NULL) {
		free(t);
		return fail(err, E_USAGE, "no dominator tree in this file");
	}
	t->live = heap_fact(st, "live_bytes", refs, sizes);
	*out = &t->of.tree;
	return true;
}
