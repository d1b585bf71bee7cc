/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * batch: the cells of a column in many rows at once.
 *
 * Rows may offer batches of numbers, or of few different values.  Code that reads many rows tries batches
 * first and falls back to single cells.  Both give the same values.
 */
#ifndef ICECORE_BATCH_H
#define ICECORE_BATCH_H

#include "icecore/rows.h"

#define BATCH 4096u	/* rows */

struct batch {
	/*
	 * 0: u has the cells.  Otherwise the column has at most this many values, and u has their numbers,
	 * from 0; equal values may have different numbers.  The count and the numbers are the same in all
	 * batches of a column.
	 */
	uint64_t	 values;
	struct rows	*of;		/* rows that return the value of a number, */
	size_t		 col;		/* in this column */
	/* Type of all cells, which are numbers (no f, text or wide); CELL_NONE: all are empty. */
	enum cell_type	 type;
	bool		 empty;		/* some cells are empty: those with 1 in none */
	uint8_t		 none[BATCH];	/* 0 or 1 */
	uint64_t	 u[BATCH];
	uint64_t	 spare[BATCH];	/* scratch of the function that fills it */
};

/* Rows that a reader drops: those whose number in a column is above the bar; down: whose complement is. */
struct rows_bar {
	size_t		col;
	bool		rises;	/* the reader raises the bar as it finds larger values */
	bool		set, down;
	uint64_t	above;
};

/* Read n <= BATCH reached rows from first on, of one column; false: read single cells instead. */
bool	rows_batch(struct rows *, uint64_t first, size_t n, size_t col, struct batch *);
/* For .batch of rows that are those of in. */
bool	same_batch(struct rows *, uint64_t first, size_t n, size_t col, struct batch *);
/* Make cell i of a batch, from the first on; false: not all are empty or numbers of one type. */
bool	batch_put(struct batch *, size_t i, const struct cell *);
/* A batch of what the cells of a column are, in the same way. */
bool	batch_of_cells(struct rows *, uint64_t first, size_t n, size_t col, struct batch *);
/* Numbers of a batch that sort as their cells do; down: complements. */
struct batch_keys {
	struct batch	batch;
	uint64_t	key[BATCH];
};
/* Fill the keys of a batch that was read; false: its cells have to be compared. */
bool	batch_keys(struct batch_keys *, const struct rows *, size_t n, size_t col, bool down);
/* Return the cell of row i of a batch; a text is valid until the next cell of these rows is read. */
void	batch_cell(const struct batch *, size_t i, struct cell *);
/* n numbers are in u: none of them is empty, */
void	batch_full(struct batch *, enum cell_type);
/* or those that are 0 are. */
void	batch_some(struct batch *, size_t n, enum cell_type);

/*
 * Returns how many rows follow from row on, at most BATCH.  The first wanted of them are made known;
 * further rows count if they are known already.  0: no more rows.
 */
size_t	rows_next(struct rows *, uint64_t row, uint64_t wanted);
/* Whether rows are not made because of a bar: who reads all of them asks for few, so that it rises soon. */
static inline bool
rows_skip(const struct rows *r)
{
	return r->bar != NULL && r->bar->rises && (r->skips & COLUMN_BIT(r->bar->col)) != 0;
}


#endif
