/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations of a kind of tree, for the rooms that have one: call trees, merged and inverted ones,
 * dominators.
 */
#ifndef PASS_TREE_H
#define PASS_TREE_H

#include "icecore/graph.h"

/*
 * pass.h describes each operation.  An id is one that the tree returned, or any number from a faulty caller.
 */
struct tree_ops {
	void		(*get)(struct tree *, uint32_t id, struct tree_node *);	/* the node is zeroed */
	void		(*peek)(struct tree *, uint32_t id,
	    struct tree_node *);	/* the same; NULL: as get */
	uint64_t	(*total)(struct tree *, uint32_t id, enum clock);
	uint32_t	(*first)(struct tree *, uint32_t id);
	uint32_t	(*next)(struct tree *, uint32_t id);
	uint32_t	(*parent)(struct tree *, uint32_t id);
	uint32_t	(*children)(struct tree *, uint32_t id);	/* NULL: not known */
	uint64_t	(*cost)(struct tree *, uint32_t id);		/* NULL: always cheap */
	/* NULL: nodes are not about objects of a heap */
	uint32_t	(*of_object)(struct tree *, uint32_t object);
	void		(*name)(struct tree *, uint32_t id,
	    struct buf *);	/* NULL: what the node is about names it */
	void		(*close)(struct tree *);
};

/* Each kind begins with it. */
struct tree {
	const struct tree_ops	*ops;
	bool			 full;		/* some nodes lack their children */
};

/* Each kind that is about objects. */
struct tree_of_heap {
	struct tree	tree;
	struct heap	heap;
};

#endif
