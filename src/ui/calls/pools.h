/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
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

/*
 * Group rows by the texts of a column; processes also by the column of_pid, if there is one, which headings show.  Headings come in the
 * order of their first rows, or sorted by their own cells of the column sort, descending if it begins with a minus.  Takes over in, also
 * on failure.
 */
struct rows	*pools_wrap(struct rows *in, const char *column, const char *sort, const struct folds *, struct err *);
/* Collapse or expand the pool of row; all: every pool. Screen thread. */
void		 pools_fold(struct rows *, struct folds *, uint64_t row, bool fold, bool all);
bool		 pools_folded(struct rows *, uint64_t row);
/* Return the ids of the n threads that the row stands for; the caller frees them. */
uint32_t	*pools_threads(struct rows *, uint64_t row, size_t *n);

#endif
