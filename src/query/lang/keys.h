/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Part of the manual of src/query/lang: rows by their cells.
 */
#ifndef ICECORE_QUERY_KEYS_H
#define ICECORE_QUERY_KEYS_H

#include "icecore/rows.h"
#include "icecore/texts.h"

struct column_ref;

/* Distinct rows, numbered from 1 in the order they came.  All zeros: there are none. */
struct keys {
	struct text_pool texts;		/* their distinction */
	struct buf	row;		/* bytes of the row that is being looked for */
	bool		unnumbered;	/* " @12" at the end of a text does not count */
};

void	keys_free(struct keys *);
/* Return the number of a cell within its group; a new cell is added. */
bool	keys_cell(struct keys *, uint32_t group, const struct cell *, uint32_t *number, struct err *);
/* Test whether a cell of a group has a number. */
bool	keys_have(struct keys *, uint32_t group, const struct cell *);
/* Rows that are equal in these columns have the same number. */
bool	keys_row(struct keys *, struct rows *, uint64_t row, const struct column_ref *, size_t n,
    uint32_t *number, struct err *);

#endif
