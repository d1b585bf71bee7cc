/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stack_tree: stacks with their weights, as a tree.
 *
 * Frames are numbers of names. A node holds all frames up to where stacks end or part, so that a stack like
 * no other is one node and costs one search, however many frames it has.
 */
#ifndef ICECORE_QUERY_TRACE_STACK_TREE_H
#define ICECORE_QUERY_TRACE_STACK_TREE_H

#include "icecore/texts.h"

struct stack_node {
	uint64_t	weight, samples;	/* sums of the stacks that end there */
	uint32_t	caller;		/* 0: none */
	uint32_t	child;		/* the first one; the others are in by_name */
	uint32_t	first, n;	/* frames below those of the caller: where they begin in tree.frames */
};

/* All zeros: empty. */
struct stacks_tree {
	ARRAY(struct stack_node)	nodes;		/* index: number of the node; node 0 has no frames */
	uint32_t	 nnodes;	/* the number of the last one */
	struct scratch	 frames;	/* u32: names */
	uint64_t	 nframes;
	struct idmap	 by_name;	/* callers and first names to nodes, except first children */
	/* nodes of the last stack and how many frames it has up to their ends */
	ARRAY(struct tree_path_node)	path;
	uint64_t	 npath;
};

/*
 * Returns the node where the stack of n frames ends, outermost first. The first same frames are those of the
 * last stack. Names are not 0. NULL: it failed.
 */
struct stack_node *stack_tree_add(struct stacks_tree *, const uint32_t *frame, uint64_t n, uint64_t same,
    struct err *);
/* Lists the nodes where stacks end, by the texts of the stacks, whose frames a semicolon separates. */
bool	stack_tree_list(struct stacks_tree *, const struct text_pool *names, struct scratch *list,
    uint64_t *n, struct work *, struct err *);
void	stack_tree_free(struct stacks_tree *);

#endif
