/*
 * build: call trees while they grow, one for each thread, and their way into columns.  Used by the passes that make
 * call trees (calls, samples) and by views.
 */
#ifndef PASS_BUILD_H
#define PASS_BUILD_H

#include "icecore/pass.h"

#define NODE_KIDS 4

/*
 * One cache line: the inner loops live on these.  The first children of a
 * node stand in it, the others in struct edge.
 */
struct node {
	uint32_t	method;			/* 0 for a thread's root */
	uint32_t	calls;
	uint64_t	wall, cpu;		/* totals (or self, see build_totals); wall is the first weight, cpu the second */
	uint32_t	kid_method[NODE_KIDS];	/* 0: free */
	uint32_t	kid[NODE_KIDS];
	uint32_t	last_method, last;	/* the other child entered last; later last is the final id */
};

/* A slot of the hash of children by (parent, method). */
struct edge {
	uint32_t	parent, method;
	uint32_t	node;			/* 0: the slot is free */
};

struct build {
	struct scratch		 nodes;		/* struct node; [0] is unused */
	uint32_t		 nnodes;	/* with [0] */
	struct scratch		 edges;		/* struct edge, a hash table */
	uint64_t		 edges_size;	/* a power of 2 */
	uint64_t		 nedges;
	struct scratch		 parent;	/* u32: by node, once all nodes are there */
	/* What the maker knows better than the tree, or NULL: by thread, its deepest stack. */
	const uint32_t		*depths;
	/* No node is deeper; 0: every node came after its parent, so that they tell. */
	uint32_t		 deepest;
};

bool	build_open(struct build *, struct err *);
void	build_close(struct build *);
/* Room for so many more nodes, so that inner loops need no look and no failure; build_child and build_node need it. */
bool	build_reserve(struct build *, uint32_t more, struct err *);
uint32_t build_node(struct build *, uint32_t method);	/* a new one, of no parent: a root */
uint32_t build_other(struct build *, uint32_t parent, uint32_t method);	/* build_child, of what is not in the node */
bool	build_parents(struct build *, struct err *);	/* fills parent; no node can be added any more */

static inline struct node *
build_at(const struct build *b, uint32_t node)
{
	return &SCRATCH(b->nodes, struct node)[node];
}

/* The child of parent for a method, made if it is new. */
static inline uint32_t
build_child(struct build *b, uint32_t parent, uint32_t method)
{
	const struct node *p = build_at(b, parent);
	unsigned i, hit = 0;

	/* Without branches: which child comes next is hard to predict. */
	for (i = 0; i < NODE_KIDS; i++)
		hit |= (unsigned)(p->kid_method[i] == method) << i;
	if (hit != 0)
		return p->kid[__builtin_ctz(hit)];
	if (p->last_method == method)
		return p->last;
	return build_other(b, parent, method);
}

/*
 * Turns weights that nodes have by themselves into totals.  Every node must have come after its parent.
 */
bool	build_totals(struct build *, struct err *);

/* What passes that make call trees make. */
#define BUILD_MAKES \
	"call.parent", "call.size", "call.thread", "call.depth", "call.method", \
	"call.calls", "call.total_wall", "call.self_wall", "call.total_cpu", "call.self_cpu", \
	"thread.raw", "thread.tid", "thread.name", "thread.main", "thread.calls", "thread.wall", \
	"thread.cpu", "thread.start", "thread.end", "thread.depth", "thread.repairs", \
	"thread.records", "thread.call", "thread.size", "thread.listed", "method.raw"

/*
 * Makes call.* and thread.call, thread.size, thread.calls, thread.wall, thread.cpu, thread.depth from roots[0 .. nthreads - 1]
 * (0: no calls), the root node of each thread, whose own weight, if any, is its thread's.  nmethods: the largest id of a
 * method.  Nothing is published.  Uses up the nodes.
 */
bool	build_columns(struct build *, struct store *, const uint32_t *roots, uint32_t nthreads, uint32_t nmethods,
	    struct work *, struct err *);

#endif
