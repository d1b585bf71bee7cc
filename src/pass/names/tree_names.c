/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of names to walk: a node is the row of its columns.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/heap_names.h"
#include "pass/tree.h"

static const struct heap *
heap_of(struct tree *t)
{
	return &((const struct tree_of_heap *)t)->heap;
}

static bool
read_node(struct tree *t, uint32_t id, struct name_node *n)
{
	if (id == 0 || id > names_count(heap_of(t)))
		return false;
	names_get(heap_of(t), id, n);
	return true;
}

static uint64_t
tree_names_total(struct tree *t, uint32_t id, UNUSED enum clock clock)
{
	struct name_node n;

	return read_node(t, id, &n) ? name_weight(&n) : 0;
}

static void
tree_names_get(struct tree *t, uint32_t id, struct tree_node *node)
{
	struct name_node n;

	if (!read_node(t, id, &n))
		return;
	*node = (struct tree_node){ .parent = n.parent, .depth = n.depth, .calls = n.count,
	    .object = n.object <= heap_of(t)->objects ? n.object : 0 };
	node->class = node->object != 0 ? heap_class(heap_of(t), node->object) : 0;
	for (int i = 0; i < CLOCKS; i++) {
		node->total[i] = name_weight(&n);
		node->self[i] = num_add(n.self, n.native);
	}
}

static uint32_t
tree_names_first(struct tree *t, uint32_t id)
{
	struct name_node n;

	return read_node(t, id, &n) && n.size > 1 ? id + 1 : 0;
}

static uint32_t
parent(struct tree *t, uint32_t id)
{
	struct name_node n;

	return read_node(t, id, &n) ? n.parent : 0;
}

static uint32_t
tree_names_next(struct tree *t, uint32_t id)
{
	struct name_node n, up;

	if (!read_node(t, id, &n) || !read_node(t, n.parent, &up))
		return 0;
	return id + n.size < n.parent + up.size ? id + n.size : 0;
}

static uint32_t
tree_names_children(struct tree *t, uint32_t id)
{
	uint32_t n = 0;

	for (id = tree_names_first(t, id); id != 0; id = tree_names_next(t, id))
		n++;
	return n;
}

static uint32_t
of_object(struct tree *t, uint32_t object)
{
	return names_of(heap_of(t), object);
}

static void
tree_names_add_name(struct tree *t, uint32_t id, struct buf *b)
{
	struct name_node n;

	if (!read_node(t, id, &n))
		return;
	name_add(&n, b);
	/* The name of a field is enough without the class. */
	if (n.kind == NAME_ELEMENT || n.kind == NAME_LOCAL || name_is_thread_local(n.kind)) {
		buf_chr(b, ' ');
		buf_str(b, n.class);
	}
}

static void
tree_names_close_tree(struct tree *t)
{
	free(t);
}

static const struct tree_ops ops = {
	.get = tree_names_get, .total = tree_names_total, .first = tree_names_first, .next = tree_names_next,
	    .parent = parent, .children = tree_names_children,
	.of_object = of_object, .name = tree_names_add_name, .close = tree_names_close_tree
};

bool
tree_open_names(struct tree **out, const struct store *st, enum heap_refs refs, enum heap_sizes sizes,
    struct err *err)
{
	struct tree_of_heap *t = mem_array(1, sizeof *t);
	bool ok = t != NULL ? heap_open(&t->heap, st, refs, sizes, err) : fail(err, E_SYSTEM,
	    "out of memory");

	*out = NULL;
	if (ok && names_count(&t->heap) == 0)
		ok = fail(err, E_USAGE, "no tree of field paths in this file");
	if (!ok) {
		free(t);
		return false;
	}
	t->tree.ops = &ops;
	*out = &t->tree;
	return true;
}
