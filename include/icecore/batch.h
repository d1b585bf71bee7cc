/*
 * batch: the cells of a column in many rows at once.
 *
 * Rows may give them where they are numbers, or few different values; whoever goes through many rows asks for them first,
 * and cell by cell where there are none.  Both say the same.
 */
#ifndef ICECORE_BATCH_H
#define ICECORE_BATCH_H

#include "icecore/rows.h"

#define BATCH 4096u	/* rows */

struct batch {
	/*
	 * 0: u is that of the cells.  Else there are so many values at most: u is the number of one, from 0; others may equal it.
	 * In all batches of a column there are so many, and a number means the same.
	 */
	uint64_t	 values;
	struct rows	*of;		/* which know them, */
	size_t		 col;		/* in this column */
	enum cell_type	 type;		/* of all cells that are numbers: none of those in f, text and wide; CELL_NONE: all are empty */
	bool		 empty;		/* some cells are, those with a mark in */
	uint8_t		 none[BATCH];	/* 0 or 1 */
	uint64_t	 u[BATCH];
	uint64_t	 spare[BATCH];	/* for who fills it */
};

/* Read n <= BATCH reached rows from first on, of one column; false: read single cells instead. */
bool	rows_batch(struct rows *, uint64_t first, size_t n, size_t col, struct batch *);
/* For .batch of rows that are those of in. */
bool	same_batch(struct rows *, uint64_t first, size_t n, size_t col, struct batch *);
/* Make cell i of a batch, from the first on; false: not all are empty or numbers of one type. */
bool	batch_put(struct batch *, size_t i, const struct cell *);
/* A batch of what the cells of a column are, in the same way. */
bool	batch_of_cells(struct rows *, uint64_t first, size_t n, size_t col, struct batch *);
/* Return the cell of row i of a batch. */
void	batch_cell(const struct batch *, size_t i, struct cell *);
/* Each value; a text is valid until the next cell of these rows. */
void	batch_value(const struct batch *, uint64_t value, struct cell *);
/* n numbers are in u: none of them is empty, */
void	batch_full(struct batch *, enum cell_type);
/* or those that are 0 are. */
void	batch_some(struct batch *, size_t n, enum cell_type);

/*
 * How many rows there are from row on, BATCH at most, of which so many are wanted in any case: these are made known, and others
 * that are known already count; 0: no more.
 */
size_t	rows_next(struct rows *, uint64_t row, uint64_t wanted);

#endif
