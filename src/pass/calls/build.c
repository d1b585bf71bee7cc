/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * build: the nodes of call trees, found by parent and method while they grow.
 */
#include "config.h"

#include <assert.h>

#include "build.h"

/*
 * The node identifies its parent and method; the hash distinguishes it from most others, and gives its place
 * when the table grows.
 */
struct other {
	uint32_t	hash, node;	/* node 0: free */
};

#define EDGES_FIRST 1024u

bool
build_open(struct build *b, uint32_t nthreads, struct err *err)
{
	*b = (struct build){ .nnodes = 1 };
	if (build_reserve(b, 1, err) && build_threads(b, nthreads, err))
		return true;
	build_close(b);
	return false;
}

void
build_close(struct build *b)
{
	SCRATCH_FREE(&b->nodes, &b->high, &b->edges, &b->wrapped, &b->roots);
}

bool
build_threads(struct build *b, uint32_t nthreads, struct err *err)
{
	assert(nthreads >= b->nthreads);
	b->nthreads = nthreads;
	return array_grow(&b->roots, nthreads, err);
}

uint64_t
build_stacks(const struct build *b)
{
	uint64_t n = b->nnodes - 1;

	for (uint32_t i = 1; i <= b->nthreads; i++)
		n -= *build_root(b, i) != 0;
	/* Roots are nodes, too. */
	assert(n < b->nnodes);
	return n;
}

/* ---- room ------------------------------------------------------------------------------ */

/* The place of an edge, or the free one where it belongs. */
static struct other *
build_find_edge(const struct build *b, uint32_t hash, uint32_t parent, uint32_t method)
{
	struct other *e = b->edges.at;
	const struct call_node *n;
	uint64_t i;

	assert(b->nedges <= b->most && b->most <= b->mask);
	for (i = hash & b->mask; e[i].node != 0; i = (i + 1) & b->mask)
		if (e[i].hash == hash && (n = build_at(b, e[i].node))->parent == parent &&
		    n->method == method)
			break;
	return &e[i];
}

static bool
grow_edges(struct build *b, struct err *err)
{
	struct scratch old = b->edges.raw;
	const struct other *from = SCRATCH(old, struct other);
	uint64_t n = old.data == NULL ? 0 : b->mask + 1, more = n == 0 ? EDGES_FIRST : 2 * n, i, k;

	b->edges.raw = SCRATCH_INIT;
	if (!array_grow(&b->edges, more, err)) {
		b->edges.raw = old;
		return false;
	}
	b->mask = more - 1;
	assert((more & b->mask) == 0);
	b->most = (uint32_t)(more / 2 - 1);
	for (i = 0; i < n; i++) {
		struct other *to = b->edges.at;

		if (from[i].node == 0)
			continue;
		for (k = from[i].hash & b->mask; to[k].node != 0; k = (k + 1) & b->mask)
			;
		to[k] = from[i];
	}
	assert(b->nedges <= b->most);
	scratch_free(&old);
	return true;
}

bool
build_room(struct build *b, uint32_t more, struct err *err)
{
	uint64_t n = (uint64_t)b->nnodes + more;

	if (n > UINT32_MAX)
		return fail(err, E_SYSTEM, "too many distinct stacks (limit: 2^32)");
	if (!scratch_array(&b->nodes, n, sizeof(struct call_node), err) ||
	    (b->high.raw.data != NULL && !array_grow(&b->high, n, err)))
		return false;
	n = b->nodes.size / sizeof(struct call_node);
	if (b->high.raw.data != NULL && n > b->high.raw.size / sizeof(struct call_high))
		n = b->high.raw.size / sizeof(struct call_high);
	b->room = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
	assert(b->room - b->nnodes >= more);
	return true;
}

bool
build_grow(struct build *b, uint32_t more, struct err *err)
{
	if (!build_room(b, more, err))
		return false;
	while (more > b->most - b->nedges)
		if (!grow_edges(b, err))
			return false;
	assert(more <= b->room - b->nnodes && more <= b->most - b->nedges);
	return true;
}

/* ---- nodes ----------------------------------------------------------------------------- */

uint32_t
build_node(struct build *b, uint32_t parent, uint32_t method)
{
	struct call_node *n = build_at(b, b->nnodes);

	/* build_reserve made room. */
	assert(b->nnodes < b->room && parent < b->nnodes);
	n->method = method;
	n->parent = parent;
	return b->nnodes++;
}

uint32_t
build_other(struct build *b, uint32_t parent, uint32_t method)
{
	struct call_node *p = build_at(b, parent), *end = NULL;
	struct other *e;
	uint32_t node, hash;
	unsigned n = 0;

	for (node = p->first; node != 0 && n < NODE_KIDS; node = end->next, n++) {
		end = build_at(b, node);
		if (end->method == method)
			return p->last = node;
	}
	/* The child called first is usually called most, so new children are appended. */
	if (n < NODE_KIDS) {
		p->last = build_node(b, parent, method);
		return *(end == NULL ? &p->first : &end->next) = p->last;
	}
	assert(n == NODE_KIDS && end != NULL && end->parent == parent);
	hash = (uint32_t)(idmap_hash((uint64_t)parent << 32 | method) >> 32);
	e = build_find_edge(b, hash, parent, method);
	if (e->node == 0) {
		*e = (struct other){ hash, build_node(b, parent, method) };
		b->nedges++;
		/* Link it behind the NODE_KIDS children that the loop above compares. */
		build_at(b, e->node)->next = end->next;
		end->next = e->node;
	}
	return p->last = e->node;
}

bool
build_wrap(struct build *b, uint32_t thread, uint32_t method, struct err *err)
{
	uint32_t *root = build_root(b, thread), old = *root;
	struct call_node *n = build_at(b, old);

	assert(old != 0 && n->parent == 0);
	*root = build_node(b, 0, 0);
	n->method = method;
	n->parent = *root;
	build_at(b, *root)->first = old;
	return array_add(&b->wrapped, &b->nwrapped, &old, err);
}

/* ---- weights --------------------------------------------------------------------------- */

bool
build_raise(struct build *b, uint32_t node, uint64_t calls, uint64_t wall, uint64_t cpu, struct err *err)
{
	struct call_node *n = build_at(b, node);
	uint64_t had_wall, had_cpu;

	assert(node != 0 && node < b->nnodes);
	if (b->high.raw.data == NULL && !array_grow(&b->high, b->room, err))
		return false;
	build_weight(b, node, &had_wall, &had_cpu);
	calls = num_add(calls, build_calls(b, node));
	wall = num_add(wall, had_wall);
	cpu = num_add(cpu, had_cpu);
	n->calls = (uint32_t)calls;
	n->wall = (uint32_t)wall;
	n->cpu = (uint32_t)cpu;
	b->high.at[node] = (struct call_high){ (uint32_t)(calls >> 32), (uint32_t)(wall >> 32),
	    (uint32_t)(cpu >> 32) };
	return true;
}

bool
build_totals(struct build *b, struct err *err)
{
	uint64_t wall, cpu;
	uint32_t parent;

	assert(b->nwrapped == 0);
	for (uint32_t i = b->nnodes; i-- > 1; ) {
		build_weight(b, i, &wall, &cpu);
		parent = build_at(b, i)->parent;
		assert(parent < i);
		if (parent != 0 && !build_weigh(b, parent, wall, cpu, err))
			return false;
	}
	return true;
}
