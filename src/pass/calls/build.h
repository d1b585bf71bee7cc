/*
 * build: call trees while they grow, one for each thread, and their way into columns; a part of calls.h.
 */
#ifndef PASS_BUILD_H
#define PASS_BUILD_H

#include "icecore/pass.h"

#define NODE_KIDS 4

/* One cache line: the inner loops live on these.  The first children of a node stand in it, the others in edges. */
struct call_node {
	uint32_t	method;			/* 0 for a thread's root */
	uint32_t	calls;
	uint64_t	wall, cpu;		/* totals (or self, see build_totals); wall is the first weight, cpu the second */
	uint32_t	kid_method[NODE_KIDS];	/* 0: free */
	uint32_t	kid[NODE_KIDS];
	uint32_t	last_method, last;	/* the other child entered last; later last is the final id */
};

struct build {
	struct scratch		 nodes;		/* struct call_node; [0] is unused */
	uint32_t		 nnodes;	/* with [0] */
	struct idmap		 edges;		/* the other children: parent << 32 | method to node */
	struct scratch		 parent;	/* u32: by node */
	struct scratch		 roots;		/* u32: by thread, its root node; 0: it has no calls */
	uint32_t		 nthreads;
	const uint32_t		*depths;	/* by thread, its deepest stack: the maker knows better than the tree; or NULL */
	uint32_t		 deepest;	/* no node is deeper; 0: every node came after its parent, so that they tell */
};

bool	build_open(struct build *, uint32_t nthreads, struct err *);
void	build_close(struct build *);
bool	build_threads(struct build *, uint32_t nthreads, struct err *);	/* so many now */
uint64_t build_stacks(const struct build *);	/* nodes that are no roots */
/* Room for so many more nodes, so that inner loops need no look and no failure; build_child and build_node need it. */
bool	build_reserve(struct build *, uint32_t more, struct err *);
uint32_t build_node(struct build *, uint32_t parent, uint32_t method);	/* a new one, not yet among those of the parent */
uint32_t build_other(struct build *, uint32_t parent, uint32_t method);	/* build_child, of what is not in the node */

static inline struct call_node *
build_at(const struct build *b, uint32_t node)
{
	return &SCRATCH(b->nodes, struct call_node)[node];
}

static inline uint32_t *
build_root(const struct build *b, uint32_t thread)
{
	return &SCRATCH(b->roots, uint32_t)[thread - 1];
}

/* The child of parent for a method, made if it is new. */
static inline uint32_t
build_child(struct build *b, uint32_t parent, uint32_t method)
{
	const struct call_node *p = build_at(b, parent);
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

/* Turns weights that nodes have by themselves into totals.  Every node must have come after its parent. */
void	build_totals(struct build *);

/*
 * Makes call.* and thread.call, thread.size, thread.calls, thread.wall, thread.cpu, thread.depth; the weight of a root, if it
 * has any, is its thread's.  nmethods: the largest id of a method.  Nothing is published.  Uses up the nodes.
 */
bool	build_columns(struct build *, struct store *, uint32_t nmethods, struct work *, struct err *);
/* Makes method.raw of methods that have no ids but their numbers. */
bool	build_numbers(struct store *, uint32_t nmethods, struct err *);

#endif
