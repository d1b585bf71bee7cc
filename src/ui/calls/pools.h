/*
 * pools: the rows of threads, those of one pool or process under a head with their sums.
 */
#ifndef UI_POOLS_H
#define UI_POOLS_H

#include "icecore/query.h"

/* The pools that were folded, by hash of their names; the pane keeps it over sorting.  All zeros: none was. */
struct folds {
	struct idmap	pool;
	int		n;		/* that are folded now */
};

/*
 * By the texts of a column.  Heads stand where their first row stood; or if sort is a column, perhaps with a minus, in the order of
 * their own cells in it.  Takes over in, also on failure.
 */
struct rows	*pools_wrap(struct rows *in, const char *column, const char *sort, const struct folds *, struct err *);
/* Shows or hides what is under the head of row; all: under every head.  Screen thread. */
void		 pools_fold(struct rows *, struct folds *, uint64_t row, bool fold, bool all);
bool		 pools_folded(struct rows *, uint64_t row);
/* Ids of the threads that the row stands for; n of them, caller frees. */
uint32_t	*pools_threads(struct rows *, uint64_t row, size_t *n);

#endif
