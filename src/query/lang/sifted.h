/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Part of the manual of src/query/lang: rows that are some of others, found as far as they are asked for.
 */
#ifndef ICECORE_QUERY_SIFTED_H
#define ICECORE_QUERY_SIFTED_H

#include "icecore/batch.h"

/* Whether a row matches, as far as that is known without reading the row alone. */
enum known { KNOWN_NOT, KNOWN_FALSE, KNOWN_TRUE };

struct sifted {
	struct rows	 rows;
	struct rows	*from;		/* the others; NULL: in */
	bool		(*wants)(struct sifted *, bool *yes);	/* of row next; false: none is from there on, or rows.err is filled */
	/* Set known of n rows from next on; wants is called for those that are KNOWN_NOT.  NULL: all are. */
	void		(*tell)(struct sifted *, size_t n, uint8_t *known);
	uint64_t	 asked, told;	/* known is about these rows and all rows before them */
	uint8_t		 known[BATCH];
	struct scratch	 found;		/* u64: row of from for each row; nobody will look at it where no column is read */
	uint64_t	 n, next;	/* rows known, next row of from to look at */
	bool		 ended;
	struct batch	*piece;		/* of from; or NULL */
};

/* As rows_new; size: of a struct that begins with a struct sifted. */
void	*sifted_new(size_t size, const struct rows_ops *, bool (*wants)(struct sifted *, bool *yes), struct session *,
	    struct rows *in, struct err *);
void	sifted_close(struct sifted *);	/* frees what it holds itself */
uint64_t sifted_reach(struct rows *, uint64_t n);
void	sifted_cell(struct rows *, uint64_t row, size_t col, struct cell *);
bool	sifted_batch(struct rows *, uint64_t first, size_t n, size_t col, struct batch *);

#endif
