/*
 * build: the nodes of call trees, found by parent and method while they grow.
 */
#include "config.h"

#include <assert.h>

#include "build.h"

#define EDGES_FIRST 8192u

/* A slot of the hash of children by (parent, method). */
struct edge {
	uint32_t	parent, method;
	uint32_t	node;			/* 0: the slot is free */
};

bool
build_open(struct build *b, struct err *err)
{
	*b = (struct build){ .nnodes = 1 };
	return build_reserve(b, 1, err);
}

void
build_close(struct build *b)
{
	SCRATCH_FREE(&b->nodes, &b->edges, &b->parent);
}

/* The slot of an edge, or the free one where it belongs. */
static struct edge *
find_edge(const struct build *b, uint32_t parent, uint32_t method)
{
	struct edge *e = SCRATCH(b->edges, struct edge);
	uint64_t mask = b->edges_size - 1;
	uint64_t i = idmap_hash((uint64_t)parent << 32 | method) & mask;

	while (e[i].node != 0 && (e[i].method != method || e[i].parent != parent))
		i = (i + 1) & mask;
	return &e[i];
}

uint32_t
build_node(struct build *b, uint32_t method)
{
	/* build_reserve made room. */
	assert(b->nnodes < b->nodes.size / sizeof(struct node));
	build_at(b, b->nnodes)->method = method;
	return b->nnodes++;
}

/* A child that is none of those in the node; made, for the node when there is room in it, if it is new. */
uint32_t
build_other(struct build *b, uint32_t parent, uint32_t method)
{
	struct node *p = build_at(b, parent);
	struct edge *e;

	for (unsigned i = 0; i < NODE_KIDS; i++)
		if (p->kid_method[i] == 0) {
			p->kid_method[i] = method;
			return p->kid[i] = build_node(b, method);
		}
	e = find_edge(b, parent, method);
	if (e->node == 0) {
		assert(b->nedges < b->edges_size);
		*e = (struct edge){ parent, method, build_node(b, method) };
		b->nedges++;
	}
	p->last_method = method;
	return p->last = e->node;
}

static bool
rehash(struct build *b, uint64_t size, struct err *err)
{
	struct scratch old = b->edges;
	const struct edge *e = SCRATCH(old, struct edge);
	uint64_t n = b->edges_size;

	b->edges = SCRATCH_INIT;
	if (!scratch_array(&b->edges, size, sizeof *e, err)) {
		b->edges = old;
		return false;
	}
	b->edges_size = size;
	for (uint64_t i = 0; i < n; i++)
		if (e[i].node != 0)
			*find_edge(b, e[i].parent, e[i].method) = e[i];
	scratch_free(&old);
	return true;
}

bool
build_reserve(struct build *b, uint32_t more, struct err *err)
{
	uint64_t need = b->nedges + more, size = b->edges_size;

	if (b->nnodes > UINT32_MAX - more)
		return fail(err, E_INPUT, "more than 2^32 distinct stacks");
	if (!scratch_array(&b->nodes, (uint64_t)b->nnodes + more,
	    sizeof(struct node), err))
		return false;
	if (need * 2 <= size)
		return true;
	for (size = size ? size : EDGES_FIRST; need * 2 > size; size *= 2)
		;
	return rehash(b, size, err);
}

/* ---- all nodes are there ----------------------------------------------------------------- */

/* Nodes and edges know children; once the parents are noted the edges can go. */
bool
build_parents(struct build *b, struct err *err)
{
	const struct edge *e = SCRATCH(b->edges, struct edge);
	const struct node *n = build_at(b, 0);
	uint32_t *parent;

	if (b->parent.data != NULL)
		return true;
	if (!scratch_array(&b->parent, b->nnodes, sizeof *parent, err))
		return false;
	parent = SCRATCH(b->parent, uint32_t);
	for (uint32_t i = 1; i < b->nnodes; i++)
		for (uint32_t k = 0; k < NODE_KIDS && n[i].kid_method[k] != 0; k++)
			parent[n[i].kid[k]] = i;
	for (uint64_t slot = 0; slot < b->edges_size; slot++)
		if (e[slot].node != 0)
			parent[e[slot].node] = e[slot].parent;
	scratch_free(&b->edges);
	b->edges_size = b->nedges = 0;
	return true;
}

bool
build_totals(struct build *b, struct err *err)
{
	const uint32_t *parent;
	struct node *n = build_at(b, 0);

	if (!build_parents(b, err))
		return false;
	parent = SCRATCH(b->parent, uint32_t);
	for (uint32_t i = b->nnodes; i-- > 1; ) {
		n[parent[i]].wall = num_add(n[parent[i]].wall, n[i].wall);
		n[parent[i]].cpu = num_add(n[parent[i]].cpu, n[i].cpu);
	}
	return true;
}
