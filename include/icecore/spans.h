/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* spans: call trees to walk from the root, and calls in the order of time. */
#ifndef ICECORE_SPANS_H
#define ICECORE_SPANS_H

#include "icecore/weights.h"

/* ---- trees: call trees to walk from the root ------------------------------- */

enum tree_kind {
	TREE_CALLS,	/* all > thread > frames */
	TREE_MERGED,	/* all > frames, threads merged */
	TREE_PROCESSES,	/* all > process > frames, threads of a process merged */
	TREE_INVERTED,	/* all > method > its callers; weights are the method's self */
	/*
	 * Chosen methods with their outermost calls: all > method > its callers, or its callees; weights are
	 * totals.
	 */
	TREE_CALLERS, TREE_CALLEES,
	TREE_DOMINATORS,	/* all > objects, by dominators, in bytes; for heap dumps: tree_open_heap */
	TREE_NAMES	/* all > field paths: heap_names.h */
};

#define TREE_ROOT 1u

struct tree;

struct tree_node {
	uint32_t	parent;		/* 0 for the root */
	uint32_t	method;		/* 0: a thread, a process, or the root */
	uint32_t	thread;		/* 0: several */
	/*
	 * Id of the process that the node stands for; 0: it is unknown, or the node stands for something
	 * else.
	 */
	uint32_t	process;
	/* 0 at the root; known only in merged and inverted trees, otherwise 0. */
	uint32_t	depth;
	uint32_t	object, class;	/* only in a tree of dominators; 0: the root */
	uint64_t	calls;
	uint64_t	total[CLOCKS], self[CLOCKS];	/* ticks, or bytes */
};

/*
 * threads: n ids to include; n 0 is all.  Needs the columns of pass "calls", and for TREE_INVERTED those of
 * "call-self". Node ids stay valid until tree_close; nodes of merged and inverted trees are made when the
 * children of their parent are requested.
 */
bool	tree_open(struct tree **, const struct store *, enum tree_kind,
	    const uint32_t *threads, size_t n, struct err *) MUST_USE;
/*
 * TREE_CALLERS or TREE_CALLEES of methods in all threads; has: 1 at the id of each method, the tree's until
 * tree_close, which frees it.
 */
bool	tree_open_methods(struct tree **, const struct store *, enum tree_kind, uint8_t *has,
    struct err *) MUST_USE;
void	tree_close(struct tree *);
void	tree_get(struct tree *, uint32_t id, struct tree_node *);
/* tree_get without self weights, which cost as much as tree_first or more. */
void	tree_peek(struct tree *, uint32_t id, struct tree_node *);
uint64_t tree_total(struct tree *, uint32_t id, enum clock);	/* tree_get's total, faster */
uint32_t tree_first(struct tree *, uint32_t id);	/* first child; 0: none */
uint32_t tree_next(struct tree *, uint32_t id);	/* next sibling; 0: none */
uint32_t tree_parent(struct tree *, uint32_t id);
/* Number of children in a dominator tree, whose children are sorted by descending total. */
uint32_t tree_children(struct tree *, uint32_t id);
/* Appends the name of a node; false: it is the name of its method, thread or object. */
bool	tree_name(struct tree *, uint32_t id, struct buf *);
/* A merged or inverted tree grew too large: some nodes lack their children. */
bool	tree_full(const struct tree *);
/* First tree_first on this node would have to make children: cost about that many steps.  0: cheap. */
uint64_t tree_cost(struct tree *, uint32_t id);

/* ---- spans: calls in time order -------------------------------------------- */

struct span {
	uint64_t	start, end;		/* ticks of the wall clock, otherwise of the CPU clock */
	uint64_t	start_cpu, end_cpu;
	uint32_t	method, depth;
	/* 0: one call; otherwise the number of calls too short to list one by one; method is then 0. */
	uint32_t	crowd;
	/* Number of the record that enters the call, from 1; 0: it was open before the first record. */
	uint32_t	row;
};

/* Start from zeros; may be filled again and again. */
struct spans {
	struct span	*span;
	size_t		 n, cap;
	struct replay	*replay;	/* kept from call to call */
};

/* Frees what the calls below have grown; an empty one too. */
void	spans_free(struct spans *);
/*
 * All calls of a thread, piece by piece: chunk k (of spans_chunks) holds the calls that start
 * in it, in the order they were entered; chunk after chunk gives every call once, in time order.
 */
uint64_t spans_chunks(const struct store *, uint32_t thread);
bool	spans_chunk(const struct store *, uint32_t thread, uint64_t k, struct spans *, struct err *) MUST_USE;
/*
 * The calls of a thread that touch [from, to], in the order they were entered.  Calls shorter
 * than min are merged into crowds.  Reads only what the window needs (there is a checkpoint
 * about every 64 Ki records); when that would be more than budget records (0: no bound), the answer comes
 * from the stored long calls, with crowds for the rest.  Needs pass "order".
 */
bool	spans_window(const struct store *, uint32_t thread, uint64_t from, uint64_t to,
	    uint64_t min, uint64_t budget, struct spans *, struct err *) MUST_USE;

/*
 * The calls of many threads that touch [from, to] in one pass: take gets them block by block, each with its
 * thread; of a thread they come in the order they were entered.  If take returns false, the sweep ends.
 */
struct span_sweep {
	const uint32_t	*thread;
	size_t		 n;
	uint64_t	 from, to;
	struct work	*work;
	bool		(*take)(void *arg, const struct span *, const uint32_t *thread, size_t n,
	    struct err *);
	void		*arg;
};
bool	spans_sweep(const struct store *, const struct span_sweep *, struct err *) MUST_USE;

#endif
