/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Part of the manual of src/query/lang: queries in parentheses, and sets of the cells that they give.
 */
#ifndef ICECORE_QUERY_NESTED_H
#define ICECORE_QUERY_NESTED_H

#include "keys.h"

struct stage;
struct token;

#define NESTED_MAX 4		/* in one another */

/* The query of a TOKEN_QUERY.  It reads the file of the query around it, without the views of that query. */
struct nested {
	/* session: that of the stage that contains the query. */
	bool	(*open)(const struct nested *, struct session *, unsigned shapes, struct rows **, struct err *);
	/* As rows_touch, of rows that it gave. */
	void	(*touch)(const struct nested *, struct rows *, uint64_t columns, struct touching *);
	size_t	 diff;		/* column of a stage that compares files; 0: it has none */
};

/* Name the cells of a column in a message: "object", "string", "time". */
const char *column_meaning(const struct coldef *);

/* ---- sets of cells ------------------------------------------------------------------- */

/* All zeros: it is empty.  Numbers are equal by value; empty cells and empty texts are not in it. */
struct cell_set {
	struct scratch	bits;		/* ids */
	uint64_t	nbits;
	struct scratch	whole;		/* u64: other whole numbers, sorted by cell_set_end */
	uint64_t	nwhole, near;	/* near: the place of the last one that was looked up */
	bool		unsorted;
	struct keys	keys;		/* all else */
};

bool	cell_set_add(struct cell_set *, const struct cell *, struct err *);
/* Call after the last cell was added. */
bool	cell_set_end(struct cell_set *, struct err *);
bool	cell_set_has(struct cell_set *, const struct cell *);
void	cell_set_free(struct cell_set *);

/* The cells of the one column of a query, read at the first look-up. */
struct answer {
	struct rows	*rows;
	struct cell_set	 set;
	bool		 known;
};

/* def: of the column that the cells are compared with; query: its token. */
bool	answer_open(struct answer **, const struct stage *, const struct token *query, struct rows *in, const struct coldef *def,
	    struct err *);
bool	answer_has(struct answer *, struct rows *in, const struct cell *, bool *yes, struct err *);
void	answer_close(struct answer *);

#endif
