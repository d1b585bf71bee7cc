/*
 * The tree of dominators to walk: nodes are objects, and nothing is made for
 * them, however deep or broad the tree is.
 */
#include "config.h"

#include "pass/calls/tree.h"

static uint32_t
object_of(uint32_t id)
{
	return id == TREE_ROOT ? HEAP_ROOT : id - 1;
}

static bool
is_node(const struct tree *t, uint32_t id)
{
	return id == TREE_ROOT || (id > TREE_ROOT && id - 1 <= t->heap.objects);
}

bool
tree_open_heap(struct tree **out, const struct store *st, enum heap_refs refs,
    enum heap_sizes sizes, struct err *err)
{
	struct tree *t = mem_array(1, sizeof *t);
	char name[HEAP_COLUMN];

	*out = NULL;
	if (t == NULL)
		return fail(err, E_SYSTEM, "no memory");
	t->st = st;
	t->kind = TREE_DOMINATORS;
	t->grown = t->entries = t->group = SCRATCH_INIT;
	if (!heap_open(&t->heap, st, refs, sizes, err)) {
		tree_close(t);
		return false;
	}
	if (t->heap.parent == NULL || t->heap.retained == NULL || t->heap.children == NULL) {
		tree_close(t);
		return fail(err, E_USAGE, "this file has no tree of dominators");
	}
	t->live = store_fact_get(st, heap_column(name, "REFS.SIZES.live_bytes", refs, sizes));
	*out = t;
	return true;
}

const struct heap *
tree_heap(const struct tree *t)
{
	return &t->heap;
}

uint32_t
tree_of_object(const struct tree *t, uint32_t object)
{
	return object == 0 || object > t->heap.objects ||
	    heap_dominator(&t->heap, object) == 0 ? 0 : object + 1;
}

void
tree_heap_get(struct tree *t, uint32_t id, struct tree_node *n)
{
	int i;

	if (!is_node(t, id))
		return;
	n->calls = 1;
	n->parent = tree_heap_parent(t, id);
	n->object = id == TREE_ROOT ? 0 : object_of(id);
	if (n->object != 0)
		n->class = heap_class(&t->heap, n->object);
	for (i = 0; i < CLOCKS; i++) {
		n->total[i] = tree_heap_total(t, id);
		n->self[i] = n->object != 0 ? heap_shallow(&t->heap, n->object) : 0;
	}
}

uint64_t
tree_heap_total(struct tree *t, uint32_t id)
{
	if (id == TREE_ROOT)
		return t->live;
	return is_node(t, id) ? heap_retained(&t->heap, object_of(id)) : 0;
}

static uint32_t
come_to(struct tree *t, uint64_t row, uint64_t end)
{
	uint32_t object = row < end ? heap_child(&t->heap, row) : 0;

	if (object == 0 || !is_node(t, object + 1))
		return 0;
	t->at_row = row;
	t->at_end = end;
	return t->at = object + 1;
}

uint32_t
tree_heap_first(struct tree *t, uint32_t id)
{
	uint64_t row, n = is_node(t, id) ? heap_children(&t->heap, object_of(id), &row) : 0;

	return n > 0 ? come_to(t, row, row + n) : 0;
}

uint32_t
tree_heap_next(struct tree *t, uint32_t id)
{
	uint64_t row, first, n;

	if (id == TREE_ROOT || !is_node(t, id) || heap_dominator(&t->heap, id - 1) == 0)
		return 0;
	if (t->at == id)
		return come_to(t, t->at_row + 1, t->at_end);
	row = heap_child_row(&t->heap, id - 1);
	n = heap_children(&t->heap, heap_dominator(&t->heap, id - 1), &first);
	return row >= first && row - first < n ? come_to(t, row + 1, first + n) : 0;
}

uint32_t
tree_heap_parent(struct tree *t, uint32_t id)
{
	uint32_t up;

	if (id == TREE_ROOT || !is_node(t, id))
		return 0;
	up = heap_dominator(&t->heap, object_of(id));
	return up == 0 ? 0 : up == HEAP_ROOT ? TREE_ROOT : up + 1;
}

uint32_t
tree_children(struct tree *t, uint32_t id)
{
	uint64_t row;

	return t->kind != TREE_DOMINATORS || !is_node(t, id) ? 0 :
	    (uint32_t)heap_children(&t->heap, object_of(id), &row);
}
