/*
 * Trees: tree.c walks them, tree_grow.c makes the nodes of merged and
 * inverted ones.
 */
#ifndef PASS_TREE_H
#define PASS_TREE_H

#include "icecore/graph.h"

/* A node of a merged or inverted tree stands for a set of calls. */
struct grown {
	uint32_t	parent, method, depth;
	uint32_t	first, next;	/* node ids */
	uint32_t	expanded;
	uint64_t	entry, nentries;
	uint64_t	calls, wall, cpu;
	uint64_t	inner_wall, inner_cpu;	/* of the children */
};

/*
 * Merged: at is a call of the set, leaf is the same.  Inverted: leaf is the
 * call whose self time counts, at is its caller at this depth.  Call ids.
 */
struct entry {
	uint32_t	at, leaf;
};

struct tree {
	const struct store	*st;
	enum tree_kind		 kind;
	uint32_t		*threads;	/* ids */
	uint32_t		 nthreads;
	struct {
		const struct column *parent, *size, *thread, *depth, *method,
		    *calls, *wall, *self_wall, *cpu, *self_cpu;
	} call;
	struct {
		const struct column *calls, *wall, *cpu, *call, *size;
	} thread;
	uint64_t		 rows;
	struct scratch		 grown;		/* struct grown, by node id - 1 */
	uint32_t		 ngrown;
	struct scratch		 entries;
	uint64_t		 nentries;
	struct scratch		 group;		/* u32 by method: child of the node being expanded */
	uint64_t		 nmethods;
	bool			 full;
	bool			 differs;	/* weights are after, before and delta */

	struct heap		 heap;		/* of TREE_DOMINATORS */
	uint64_t		 live;		/* bytes */
	uint32_t		 at;		/* the node last come to, and its row among the children */
	uint64_t		 at_row, at_end;
};

static inline struct grown *
grown(struct tree *t, uint32_t id)
{
	return &SCRATCH(t->grown, struct grown)[id - 1];
}

/* Nodes of TREE_DOMINATORS: none is ever made, a node is the object + 1. */
void	 tree_heap_get(struct tree *, uint32_t id, struct tree_node *);
uint64_t tree_heap_total(struct tree *, uint32_t id);
uint32_t tree_heap_first(struct tree *, uint32_t id);
uint32_t tree_heap_next(struct tree *, uint32_t id);
uint32_t tree_heap_parent(struct tree *, uint32_t id);

/* The root of a merged or inverted tree. */
bool	tree_grow_root(struct tree *, struct err *);
/* The children of a node, by falling weight; done once. */
bool	tree_expand(struct tree *, uint32_t id);

#endif
