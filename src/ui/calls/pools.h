/*
 * pools: rows of threads; those of a pool are below a heading with sums.
 */
#ifndef UI_POOLS_H
#define UI_POOLS_H

#include "icecore/query.h"

/* The collapsed pools, by hash of their names; the pane keeps them when it sorts. Zeros: none. */
struct folds {
	struct idmap	pool;
	int		n;		/* collapsed pools */
};

/* Takes over in, also on failure. */
struct rows	*pools_wrap(struct rows *in, const struct folds *, struct err *);
/* Collapse or expand the pool of row; all: every pool. Screen thread. */
void		 pools_fold(struct rows *, struct folds *, uint64_t row, bool fold, bool all);
/* Return the ids of the n threads that the row stands for; the caller frees them. */
uint32_t	*pools_threads(struct rows *, uint64_t row, size_t *n);

#endif
