/*
 * build: the nodes of call trees, found by parent and method while they grow.
 */
#include "config.h"

#include <assert.h>

#include "build.h"

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
	SCRATCH_FREE(&b->nodes, &b->parent, &b->roots);
	idmap_free(&b->edges);
}

bool
build_threads(struct build *b, uint32_t nthreads, struct err *err)
{
	b->nthreads = nthreads;
	return scratch_array(&b->roots, nthreads, sizeof(uint32_t), err);
}

uint64_t
build_stacks(const struct build *b)
{
	uint64_t n = b->nnodes - 1;

	for (uint32_t i = 1; i <= b->nthreads; i++)
		n -= *build_root(b, i) != 0;
	return n;
}

uint32_t
build_node(struct build *b, uint32_t parent, uint32_t method)
{
	/* build_reserve made room. */
	assert(b->nnodes < b->nodes.size / sizeof(struct call_node));
	build_at(b, b->nnodes)->method = method;
	SCRATCH(b->parent, uint32_t)[b->nnodes] = parent;
	return b->nnodes++;
}

/* A child that is none of those in the node; made, for the node when there is room in it, if it is new. */
uint32_t
build_other(struct build *b, uint32_t parent, uint32_t method)
{
	struct call_node *p = build_at(b, parent);
	uint64_t edge = (uint64_t)parent << 32 | method;

	for (unsigned i = 0; i < NODE_KIDS; i++)
		if (p->kid_method[i] == 0) {
			p->kid_method[i] = method;
			return p->kid[i] = build_node(b, parent, method);
		}
	p->last_method = method;
	p->last = idmap_get(&b->edges, edge);
	if (p->last == 0) {
		p->last = build_node(b, parent, method);
		/* build_reserve made room for it. */
		if (!idmap_put(&b->edges, edge, p->last, NULL))
			mem_refuse();
	}
	return p->last;
}

bool
build_reserve(struct build *b, uint32_t more, struct err *err)
{
	if (b->nnodes > UINT32_MAX - more)
		return fail(err, E_SYSTEM, "too many distinct stacks (limit: 2^32)");
	return scratch_array(&b->nodes, (uint64_t)b->nnodes + more, sizeof(struct call_node), err) &&
	    scratch_array(&b->parent, (uint64_t)b->nnodes + more, sizeof(uint32_t), err) &&
	    idmap_reserve(&b->edges, more, err);
}

void
build_totals(struct build *b)
{
	const uint32_t *parent = SCRATCH(b->parent, uint32_t);
	struct call_node *n = build_at(b, 0);

	for (uint32_t i = b->nnodes; i-- > 1; ) {
		n[parent[i]].wall = num_add(n[parent[i]].wall, n[i].wall);
		n[parent[i]].cpu = num_add(n[parent[i]].cpu, n[i].cpu);
	}
}
