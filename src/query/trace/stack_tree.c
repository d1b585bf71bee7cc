/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stack_tree: stacks with their weights, as a tree.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/make.h"
#include "stack_tree.h"

#define MOST UINT32_MAX
#define WHAT "different stacks"

/* A node of the last stack. */
struct tree_path_node {
	uint64_t	end;		/* the frames of the stack up to the end of the node */
	uint32_t	node;
};

/* A path from a caller: stacks end with the frame of node, or continue below it.  Sorted by their texts. */
struct stack_way {
	uint64_t	order;		/* the caller, and below it the place of its name */
	uint32_t	node;
	bool		ends;
};

/* A name at the start of ways, sorted by text. */
struct way_name {
	struct str	text;
	uint32_t	way;		/* 2 * name if stacks end with the name, and 1 more if a semicolon follows */
};

void
stack_tree_free(struct stacks_tree *t)
{
	SCRATCH_FREE(&t->nodes, &t->frames, &t->path);
	idmap_free(&t->by_name);
	*t = (struct stacks_tree){ .nnodes = 0 };
}

/* ---- adding ---------------------------------------------------------------------------------- */

static uint64_t
stack_tree_key(uint32_t caller, uint32_t name)
{
	return (uint64_t)caller << 32 | name;
}

/* Return the child of a node whose frames begin with that name; 0: none. */
static uint32_t
stack_tree_child(const struct stacks_tree *t, uint32_t caller, uint32_t name)
{
	const struct stack_node *nodes = t->nodes.at;
	uint32_t first = nodes[caller].child;

	/* Most nodes have few children, so the first one is tried without a search. */
	if (first == 0 || SCRATCH(t->frames, uint32_t)[nodes[first].first] == name)
		return first;
	return idmap_get(&t->by_name, stack_tree_key(caller, name));
}

/* Add a node with frames at the place first; 0: it failed. */
static uint32_t
add_node(struct stacks_tree *t, uint32_t caller, uint64_t first, uint64_t n, struct err *err)
{
	struct stack_node *nodes;
	uint32_t node = t->nnodes + 1;

	assert(n > 0 && first + n <= MOST);
	if (make_row(&t->nodes.raw, node, sizeof *nodes, MOST, WHAT, err) == NULL)
		return 0;
	nodes = t->nodes.at;
	nodes[node] = (struct stack_node){ .caller = caller, .first = (uint32_t)first, .n = (uint32_t)n };
	t->nnodes = node;
	return node;
}

/* Make node a child of its caller, which has none with that name, or has old there. */
static bool
set_child(struct stacks_tree *t, uint32_t node, uint32_t old, struct err *err)
{
	struct stack_node *nodes = t->nodes.at, *caller = &nodes[nodes[node].caller];

	if (caller->child == old) {
		caller->child = node;
		return true;
	}
	return idmap_put(&t->by_name, stack_tree_key(nodes[node].caller,
	    SCRATCH(t->frames, uint32_t)[nodes[node].first]), node, err);
}

/* Add a node with the frames of a stack that no other stack has. */
static uint32_t
add_rest(struct stacks_tree *t, uint32_t caller, const uint32_t *frame, uint64_t n, struct err *err)
{
	uint64_t first = t->nframes;
	uint32_t node;

	if (n > MOST - first)
		return make_row_fail(MOST, WHAT, err) != NULL;
	if (make_row(&t->frames, first + n - 1, sizeof *frame, MOST, WHAT, err) == NULL ||
	    (node = add_node(t, caller, first, n, err)) == 0)
		return 0;
	memcpy(SCRATCH(t->frames, uint32_t) + first, frame, n * sizeof *frame);
	t->nframes += n;
	return set_child(t, node, 0, err) ? node : 0;
}

/*
 * Give the first n frames of a node to a new node between it and its caller. Stacks that end at the old node
 * still do.
 */
static uint32_t
divide(struct stacks_tree *t, uint32_t node, uint32_t n, struct err *err)
{
	struct stack_node *nodes = t->nodes.at;
	uint32_t above = add_node(t, nodes[node].caller, nodes[node].first, n, err);

	if (above == 0 || !set_child(t, above, node, err))
		return 0;
	nodes = t->nodes.at;
	assert(nodes[node].n > n);
	nodes[above].child = node;
	nodes[node].caller = above;
	nodes[node].first += n;
	nodes[node].n -= n;
	return above;
}

/* Follow the next frames of a stack from a node; *at: the number of frames already followed. 0: it failed. */
static uint32_t
stack_tree_step(struct stacks_tree *t, uint32_t node, const uint32_t *frame, uint64_t n, uint64_t *at,
    struct err *err)
{
	const struct stack_node *c;
	const uint32_t *own;
	uint64_t from = *at;
	uint32_t child = stack_tree_child(t, node, frame[from]), m = 1;

	if (child == 0) {
		*at = n;
		return add_rest(t, node, frame + from, n - from, err);
	}
	c = &t->nodes.at[child];
	own = SCRATCH(t->frames, uint32_t) + c->first;
	while (m < c->n && m < n - from && own[m] == frame[from + m])
		m++;
	*at = from + m;
	return m < c->n ? divide(t, child, m, err) : child;
}

struct stack_node *
stack_tree_add(struct stacks_tree *t, const uint32_t *frame, uint64_t n, uint64_t same, struct err *err)
{
	struct tree_path_node *path = t->path.at, next;

	while (t->npath > 0 && path[t->npath - 1].end > same)
		t->npath--;
	next = t->npath > 0 ? path[t->npath - 1] : (struct tree_path_node){ 0, 0 };
	if (make_row(&t->nodes.raw, 0, sizeof(struct stack_node), MOST, WHAT, err) == NULL)
		return NULL;
	while (next.end < n) {
		if ((next.node = stack_tree_step(t, next.node, frame, n, &next.end, err)) == 0 ||
		    !array_add(&t->path, &t->npath, &next, err))
			return NULL;
	}
	assert(next.end == n);
	return &t->nodes.at[next.node];
}

/* ---- the order of their texts --------------------------------------------------------------- */

static int
way_byte(const struct way_name *w, size_t at)
{
	return at < w->text.n ? (unsigned char)w->text.s[at] : w->way % 2 != 0 ? ';' : -1;
}

static int
way_by_text(const void *x, const void *y)
{
	const struct way_name *a = x, *b = y;
	size_t n = a->text.n < b->text.n ? a->text.n : b->text.n;
	int order = n == 0 ? 0 : memcmp(a->text.s, b->text.s, n);

	return order != 0 ? order : way_byte(a, n) - way_byte(b, n);
}

/* Sort the ways that nodes have by text; place: by number of a way, its rank. */
static bool
place_ways(const struct text_pool *names, const struct stack_way *way, uint64_t n, struct scratch *place,
    struct err *err)
{
	OWN_ARRAY(struct way_name) sorted = ARRAY_INIT;
	struct way_name name;
	uint32_t *rank;
	uint64_t k = 0;
	bool ok = scratch_array(place, 2 * (names->n + 1ull), sizeof *rank, err);

	rank = SCRATCH(*place, uint32_t);
	for (uint64_t i = 0; ok && i < n; i++) {
		name.way = (uint32_t)way[i].order;
		if (rank[name.way]++ == 0) {
			name.text = texts_get(names, name.way / 2);
			ok = array_add(&sorted, &k, &name, err);
		}
	}
	if (ok && k > 0)
		qsort(sorted.raw.data, k, sizeof name, way_by_text);
	for (uint64_t i = 0; ok && i < k; i++)
		rank[sorted.at[i].way] = (uint32_t)i;
	return ok;
}

/* Collect the ways on from each node, in order; *n: their number. */
static bool
sort_ways(struct stacks_tree *t, const struct text_pool *names, struct scratch *ways, uint64_t *n,
    struct work *w, struct err *err)
{
	OWN_ARRAY(uint32_t) places = ARRAY_INIT;
	const struct stack_node *node = t->nodes.at;
	const uint32_t *frame = SCRATCH(t->frames, uint32_t);
	struct stack_way way, *made;
	bool ok = true;

	for (uint32_t i = 1; ok && i <= t->nnodes; i++)
		for (uint32_t on = node[i].n > 1 || node[i].samples == 0; ok && on < 2; on++) {
			way = (struct stack_way){ stack_tree_key(node[i].caller,
			    2 * frame[node[i].first] + on), i, on == 0 };
			ok = on == 0 || node[i].n > 1 ||
			    node[i].child != 0 ? scratch_add(ways, n, &way, sizeof way, err) : true;
		}
	made = SCRATCH(*ways, struct stack_way);
	ok = ok && place_ways(names, made, *n, &places.raw, err);
	for (uint64_t i = 0; ok && i < *n; i++)
		made[i].order = (made[i].order & ~(uint64_t)UINT32_MAX) | places.at[(uint32_t)made[i].order];
	return ok && make_sort(ways, *n, sizeof way, w, err);
}

/* Follow all ways depth first, without recursion, and list the nodes where stacks end. */
static uint64_t
follow_ways(const struct stack_node *nodes, const struct stack_way *way, uint64_t n, uint32_t *next,
    uint32_t *list)
{
	uint64_t listed = 0;
	const struct stack_way *w;

	for (uint64_t i = n; i-- > 0;)
		next[way[i].order >> 32] = (uint32_t)i + 1;
	for (uint32_t node = 0, at;;) {
		at = next[node];
		if (at == 0 || at > n || way[at - 1].order >> 32 != node) {
			if (node == 0)
				break;
			node = nodes[node].caller;
			continue;
		}
		next[node]++;
		w = &way[at - 1];
		/* Where a node has several frames, the end of a stack comes before all that continue. */
		if (w->ends || (nodes[w->node].n > 1 && nodes[w->node].samples > 0))
			list[listed++] = w->node;
		if (!w->ends)
			node = w->node;
	}
	return listed;
}

bool
stack_tree_list(struct stacks_tree *t, const struct text_pool *names, struct scratch *list, uint64_t *n,
    struct work *w, struct err *err)
{
	OWN_ARRAY(struct stack_way) ways = ARRAY_INIT;
	OWN_ARRAY(uint32_t) next = ARRAY_INIT;
	uint64_t nways = 0;
	bool ok;

	*n = 0;
	ok = sort_ways(t, names, &ways.raw, &nways, w, err) && array_grow(&next, t->nnodes + 1ull, err) &&
	    scratch_array(list, t->nnodes, sizeof(uint32_t), err);
	if (ok && nways > 0)
		*n = follow_ways(t->nodes.at, ways.at, nways, next.at,
		    SCRATCH(*list, uint32_t));
	return ok;
}
