/*
 * Part of the manual of src/query/lang: distinct byte strings, and rows by their cells.
 */
#ifndef ICECORE_QUERY_KEYS_H
#define ICECORE_QUERY_KEYS_H

#include "icecore/rows.h"

struct column_ref;

/* ---- distinct byte strings, numbered from 1 in the order they came --------------------- */

/* All zeros: there are none. */
struct keys {
	struct scratch	bytes, end;	/* u64: where the bytes of key n end, at n - 1 */
	struct scratch	chain;		/* u32: the key before with the same hash */
	struct idmap	last;		/* by hash */
	uint32_t	n;
	struct buf	row;		/* keys_row: what tells a row from others */
	bool		unnumbered;	/* keys_row: " @12" at the end of a text does not count */
};

/* The number of a key; one that is not there yet is added. */
bool	keys_number(struct keys *, struct str key, uint32_t *number, struct err *);
struct str keys_text(const struct keys *, uint32_t number);
void	keys_free(struct keys *);
/* Return the number of the cells added since keys_begin; equal cells have the same number. */
void	keys_begin(struct keys *);
void	keys_add(struct keys *, const struct cell *);
bool	keys_end(struct keys *, uint32_t *number, struct err *);
/* Return the number of a cell within its group; a new cell is added. */
bool	keys_cell(struct keys *, uint32_t group, const struct cell *, uint32_t *number, struct err *);
/* Test whether a cell of a group has a number. */
bool	keys_have(struct keys *, uint32_t group, const struct cell *);
/* Rows that are equal in these columns have the same number. */
bool	keys_row(struct keys *, struct rows *, uint64_t row, const struct column_ref *, size_t n, uint32_t *number, struct err *);

#endif
