/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * build: call trees while they grow, one for each thread, and their way into columns; a part of calls.h.
 */
#ifndef PASS_BUILD_H
#define PASS_BUILD_H

#include "icecore/pass.h"

/* Number of children of a node that are searched one by one; further children are found in a table. */
#define NODE_KIDS 6

/* The inner loops work on these, two per cache line.  0: no node. */
struct call_node {
	uint32_t	method;		/* 0 for a thread's root */
	uint32_t	parent;		/* older, but that of a wrapped root is younger */
	uint32_t	calls, wall, cpu;	/* the low halves: build_calls, build_weight */
	/* While it grows; and when it is laid out. */
	union { uint32_t first, depth; };	/* child; how deep it is, from 1 */
	union { uint32_t next, id; };		/* sibling; of the call */
	union { uint32_t last, size; };		/* child that was found last; nodes below it, and itself */
};

/* The high halves, by node: there are some once one of them needs it. */
struct call_high {
	uint32_t	calls, wall, cpu;
};

struct build {
	struct scratch		 nodes;		/* struct call_node; [0] is unused */
	uint32_t		 nnodes;	/* with [0] */
	uint32_t		 room;		/* there is room for so many, with [0] */
	ARRAY(struct call_high)	high;		/* or empty */
	ARRAY(struct other)	edges;		/* children that are not walked */
	uint32_t		 nedges, most;	/* number of edges, and its limit */
	uint64_t		 mask;		/* mask of places in edges */
	ARRAY(uint32_t)	wrapped;	/* roots that became calls, as they did */
	uint64_t		 nwrapped;
	ARRAY(uint32_t)	roots;		/* by thread, its root node; 0: it has no calls */
	uint32_t		 nthreads;
	/* by thread, its deepest stack: the maker knows better than the tree; or NULL */
	const uint32_t		*depths;
};

bool	build_open(struct build *, uint32_t nthreads, struct err *) MUST_USE;
void	build_close(struct build *);
bool	build_threads(struct build *, uint32_t nthreads, struct err *) MUST_USE;	/* so many now */
uint64_t build_stacks(const struct build *);	/* nodes other than roots */
/* for so many more nodes of build_new or build_node */
bool	build_room(struct build *, uint32_t more, struct err *) MUST_USE;
/* makes the room that build_reserve needs */
bool	build_grow(struct build *, uint32_t more, struct err *) MUST_USE;
/* a new one, not yet among those of the parent */
uint32_t build_node(struct build *, uint32_t parent, uint32_t method);
uint32_t build_other(struct build *, uint32_t parent, uint32_t method);	/* build_child, of what was not found last */
/* The root of a thread becomes a call below a new root, so that its children need not move. */
bool	build_wrap(struct build *, uint32_t thread, uint32_t method, struct err *) MUST_USE;
/* build_count and build_weigh, of much. */
bool	build_raise(struct build *, uint32_t node, uint64_t calls, uint64_t wall, uint64_t cpu,
    struct err *) MUST_USE;

static inline struct call_node *
build_at(const struct build *b, uint32_t node)
{
	return &SCRATCH(b->nodes, struct call_node)[node];
}

static inline uint32_t *
build_root(const struct build *b, uint32_t thread)
{
	return &b->roots.at[thread - 1];
}

/*
 * Room for so many more nodes, so that inner loops need no look and no failure; build_child and build_node
 * need it.
 */
static inline bool MUST_USE
build_reserve(struct build *b, uint32_t more, struct err *err)
{
	return (more <= b->room - b->nnodes && more <= b->most - b->nedges) || build_grow(b, more, err);
}

/* The child of parent for a method, made if it is new. */
static inline uint32_t
build_child(struct build *b, uint32_t parent, uint32_t method)
{
	uint32_t last = build_at(b, parent)->last;

	/* [0] has no method. */
	return build_at(b, last)->method == method ? last : build_other(b, parent, method);
}

/* A child of parent for a method that has none; of a node whose children are all made so. */
static inline uint32_t
build_new(struct build *b, uint32_t parent, uint32_t method)
{
	uint32_t node = build_node(b, parent, method);

	build_at(b, node)->next = build_at(b, parent)->first;
	return build_at(b, parent)->first = node;
}

static inline bool MUST_USE
build_count(struct build *b, uint32_t node, uint64_t calls, struct err *err)
{
	struct call_node *n = build_at(b, node);

	if (calls > UINT32_MAX - n->calls)
		return build_raise(b, node, calls, 0, 0, err);
	n->calls += (uint32_t)calls;
	return true;
}

static inline uint64_t
build_calls(const struct build *b, uint32_t node)
{
	const struct call_high *h = b->high.at;

	return build_at(b, node)->calls | (h == NULL ? 0 : (uint64_t)h[node].calls << 32);
}

/*
 * Adds to the weights of a node: totals, or self (see build_totals); wall is the first weight, cpu the
 * second.
 */
static inline bool MUST_USE
build_weigh(struct build *b, uint32_t node, uint64_t wall, uint64_t cpu, struct err *err)
{
	struct call_node *n = build_at(b, node);

	if (wall > UINT32_MAX - n->wall || cpu > UINT32_MAX - n->cpu)
		return build_raise(b, node, 0, wall, cpu, err);
	n->wall += (uint32_t)wall;
	n->cpu += (uint32_t)cpu;
	return true;
}

static inline void
build_weight(const struct build *b, uint32_t node, uint64_t *wall, uint64_t *cpu)
{
	const struct call_node *n = build_at(b, node);
	const struct call_high *h = b->high.at;

	*wall = n->wall | (h == NULL ? 0 : (uint64_t)h[node].wall << 32);
	*cpu = n->cpu | (h == NULL ? 0 : (uint64_t)h[node].cpu << 32);
}

/* Turns weights that nodes have by themselves into totals.  No root may have been wrapped. */
bool	build_totals(struct build *, struct err *) MUST_USE;

/*
 * Makes call.* and thread.call, thread.size, thread.calls, thread.wall, thread.cpu, thread.depth; the weight
 * of a root, if it has any, is its thread's.  nmethods: the largest id of a method.  Nothing is published.
 * Uses up the nodes.
 */
bool	build_columns(struct build *, struct store *, uint32_t nmethods, struct work *,
    struct err *) MUST_USE;
/* Makes method.raw of methods that have no ids but their numbers. */
bool	build_numbers(struct store *, uint32_t nmethods, struct err *) MUST_USE;

#endif
