/*
 * The call tree being laid out as columns: calls_out.c has the calls,
 * calls_threads.c the threads and what is counted over all of them.
 */
#ifndef PASS_CALLS_OUT_H
#define PASS_CALLS_OUT_H

#include "calls.h"

/* A column being filled: column_set needs to know its type. */
struct out {
	void			*data;
	enum column_type	 type;
};

enum call_column {
	PARENT, SIZE, THREAD, DEPTH, METHOD, CALLS, TOTAL_WALL, SELF_WALL,
	TOTAL_CPU, SELF_CPU, CALL_COLUMNS
};

struct calls_out {
	struct calls	*c;
	struct out	 col[CALL_COLUMNS];
	uint64_t	 rows;
	uint64_t	 most[CALL_COLUMNS];	/* largest value, for the column's type */
	struct scratch	 parent;	/* u32: by node */
	struct scratch	 first;		/* u32: where a node's children begin in kids */
	struct scratch	 kids;		/* u32: nodes by parent */
	struct scratch	 todo;		/* u32: nodes waiting for their row */
};

static inline void
out_put(struct calls_out *o, enum call_column c, uint64_t row, uint64_t v)
{
	column_set(o->col[c].data, o->col[c].type, row, v);
}

static inline uint64_t
out_get(struct calls_out *o, enum call_column c, uint64_t row)
{
	struct column col = { "", o->col[c].type, o->rows, o->col[c].data };

	return column_get(&col, row);
}

/* The subtree of a thread's root, parents before children; *row is the next free row. */
bool	out_thread(struct calls_out *, uint32_t thread, uint32_t root, uint64_t *row,
	    struct err *);
/* Sizes of subtrees, once all rows are there. */
void	out_sizes(struct calls_out *);
/* The thread table and all facts; calls out_thread for each thread. */
bool	out_threads(struct calls_out *, struct err *);

#endif
