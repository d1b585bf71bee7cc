/*
 * The call tree while it is built, between replaying (calls.c) and being
 * laid out as columns (calls_out.c).
 */
#ifndef PASS_CALLS_H
#define PASS_CALLS_H

#include "replay.h"
#include "sampled.h"

#define NODE_KIDS 4

/*
 * One cache line: the inner loop lives on these.  The first children of a
 * node stand in it, the others in struct edge.
 */
struct node {
	uint32_t	method;			/* 0 for a thread's root */
	uint32_t	calls;
	uint64_t	wall, cpu;		/* totals, ticks */
	uint32_t	kid_method[NODE_KIDS];	/* 0: free */
	uint32_t	kid[NODE_KIDS];
	uint32_t	last_method, last;	/* the other child entered last; later last is the final id */
};

/* A slot of the hash of children by (parent, method). */
struct edge {
	uint32_t	parent, method;
	uint32_t	node;			/* 0: the slot is free */
};

/* What policy P1 did to events that did not fit. */
struct repairs {
	uint64_t	synthetic, forced, ignored, open, action3;
};

struct call_thread {
	struct stack	stack;
	uint32_t	root;		/* in nodes */
	uint32_t	depth;		/* deepest stack */
	uint64_t	records, actions[4];
	uint64_t	first_wall, first_cpu;
	struct repairs	fixed;
};

struct synthetic {
	uint32_t	thread, method;
	uint64_t	wall, cpu;	/* the end; the start is 0 */
};

struct calls {
	struct store		*st;
	struct work		*work;
	struct replay		 replay;
	struct stack_index	 index;
	struct scratch		 nodes;		/* struct node; [0] is unused */
	uint32_t		 nnodes;	/* with [0] */
	struct scratch		 edges;		/* struct edge, a hash table */
	uint64_t		 edges_size;	/* a power of 2 */
	uint64_t		 nedges;
	struct scratch		 threads;	/* struct call_thread */
	uint32_t		 nthreads;
	struct scratch		 synthetic;
	uint64_t		 nsynthetic;
	struct sampled		 sampled;
};

bool	calls_publish(struct calls *, struct err *);

#endif
