/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call trees: tree_calls.c opens and walks them, tree_grow.c makes the nodes of merged and inverted ones.
 */
#ifndef PASS_CALL_TREE_H
#define PASS_CALL_TREE_H

#include "pass/tree.h"

/* A node of a merged or inverted tree represents a set of calls. */
struct grown {
	uint32_t	parent, method, depth;
	uint32_t	first, next;	/* node ids */
	uint32_t	expanded;
	uint64_t	entry, nentries;
	uint64_t	calls, wall, cpu;
	uint64_t	inner_wall, inner_cpu;	/* sums of the children */
};

/*
 * Downwards: at is a call of the set, leaf is the same.  Upwards: leaf is the
 * call whose time counts, at is its caller at this depth.  Call ids.
 */
struct tree_entry {
	uint32_t	at, leaf;
};

struct call_tree {
	struct tree		 tree;		/* first: what pass.h calls the tree */
	const struct store	*st;
	enum tree_kind		 kind;
	uint32_t		*threads;	/* ids */
	uint32_t		 nthreads;
	struct {
		const struct column *parent, *size, *method, *calls, *wall, *cpu;
		const struct column *self_wall, *self_cpu;	/* columns of inverted trees only */
	} call;
	struct {
		const struct column *calls, *wall, *cpu, *call, *size;
	} thread;
	/* Chosen methods of TREE_CALLERS and TREE_CALLEES: 1 at their ids. */
	uint8_t			*has;
	uint64_t		 rows;
	ARRAY(struct grown)	grown;		/* by node id - 1 */
	uint32_t		 ngrown;
	ARRAY(struct tree_entry)	entries;
	uint64_t		 nentries, most;	/* most: there cannot be more */
	ARRAY(uint32_t)	group;		/* by method: child of the node being expanded */
	uint64_t		 nmethods;
	bool			 differs;	/* weights are after, before and delta */
};

/* Children are callers. */
static inline bool
tree_is_upward(const struct call_tree *t)
{
	return t->kind == TREE_INVERTED || t->kind == TREE_CALLERS;
}

static inline struct grown *
grown(struct call_tree *t, uint32_t id)
{
	return &t->grown.at[id - 1];
}

static inline uint64_t
tree_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* The third weight: wall without cpu, or what is more than before, which may be below 0. */
static inline uint64_t
tree_off(const struct call_tree *t, uint64_t wall, uint64_t cpu)
{
	return t->differs ? wall - cpu : tree_less(wall, cpu);
}

static inline void
tree_weights(const struct call_tree *t, uint64_t w[CLOCKS], uint64_t wall, uint64_t cpu)
{
	w[CLOCK_WALL] = wall;
	w[CLOCK_CPU] = cpu;
	w[CLOCK_OFF] = tree_off(t, wall, cpu);
}

static inline uint64_t
tree_weight(const struct call_tree *t, enum clock clock, uint64_t wall, uint64_t cpu)
{
	return clock == CLOCK_WALL ? wall : clock == CLOCK_CPU ? cpu : tree_off(t, wall, cpu);
}

/* Merged and inverted trees; the root of one. */
extern const struct tree_ops tree_grown_ops;
bool	tree_grow_root(struct call_tree *, struct err *);
void	call_tree_close(struct tree *);	/* for call trees of all kinds */

/* The method of a row, from 1, and 1 + the row of its caller; 0: none.  Callers come first, or the index is damaged. */
static inline bool
call_row(const struct column *parent, const struct column *method, uint64_t row, uint64_t methods, uint64_t *of,
    uint64_t *up, struct err *err)
{
	*of = column_get(method, row);
	*up = column_get(parent, row);
	return (*of != 0 && *of <= methods && *up <= row) ||
	    fail(err, E_SYSTEM, "index damaged: call tree (delete the .icx file)");
}

#endif
