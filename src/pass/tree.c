/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree: trees to walk, whatever their kind.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "tree.h"

void
tree_close(struct tree *t)
{
	if (t != NULL)
		t->ops->close(t);
}

void
tree_get(struct tree *t, uint32_t id, struct tree_node *n)
{
	memset(n, 0, sizeof *n);
	t->ops->get(t, id, n);
}

void
tree_peek(struct tree *t, uint32_t id, struct tree_node *n)
{
	memset(n, 0, sizeof *n);
	(t->ops->peek != NULL ? t->ops->peek : t->ops->get)(t, id, n);
}

uint64_t
tree_total(struct tree *t, uint32_t id, enum clock clock)
{
	return t->ops->total(t, id, clock);
}

uint32_t
tree_first(struct tree *t, uint32_t id)
{
	return t->ops->first(t, id);
}

uint32_t
tree_next(struct tree *t, uint32_t id)
{
	return t->ops->next(t, id);
}

uint32_t
tree_parent(struct tree *t, uint32_t id)
{
	return t->ops->parent(t, id);
}

uint32_t
tree_children(struct tree *t, uint32_t id)
{
	return t->ops->children == NULL ? 0 : t->ops->children(t, id);
}

uint64_t
tree_cost(struct tree *t, uint32_t id)
{
	return t->ops->cost == NULL ? 0 : t->ops->cost(t, id);
}

bool
tree_name(struct tree *t, uint32_t id, struct buf *b)
{
	if (t->ops->name != NULL)
		t->ops->name(t, id, b);
	return t->ops->name != NULL;
}

bool
tree_full(const struct tree *t)
{
	return t->full;
}

/* ---- of objects ----------------------------------------------------------------------- */

const struct heap *
tree_heap(const struct tree *t)
{
	assert(t->ops->of_object != NULL);
	return &((const struct tree_of_heap *)t)->heap;
}

uint32_t
tree_of_object(const struct tree *t, uint32_t object)
{
	return t->ops->of_object == NULL ? 0 : t->ops->of_object((struct tree *)(uintptr_t)t, object);
}
