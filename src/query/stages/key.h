/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query/stages: what rows are grouped by: columns, columns by a width, conditions.
 */
#ifndef ICECORE_QUERY_KEY_H
#define ICECORE_QUERY_KEY_H

#include "query/lang/lang.h"

#define RECENT 256u

struct groupkey {
	size_t		 col;		/* unless it is a condition */
	struct cell	 width;		/* CELL_NONE: each value is a key; else values fall into buckets */
	struct expr	*test;		/* the condition; or NULL */
	char		*name;		/* name of the condition; or NULL */
	bool		 number;	/* batches have it as a number */
	/* Type of the integers that combinations contain as they are; CELL_NONE: none yet. */
	enum cell_type	 type;
	struct idmap	 known;		/* combinations with those of the key before, */
	struct met_key {
		uint64_t what;
		uint32_t number;	/* 0: none */
	}		 recent[RECENT];	/* some recent ones */
	struct keys	 others;	/* all other cells, which have numbers */
	struct scratch	 other, value;	/* u32: which; those of values of a batch, 0: not met yet */
	struct scratch	 place;		/* u32: of combinations of the key before and values; 0: not known yet */
	uint64_t	 places;
	uint32_t	 empty;		/* the number of a cell that is empty; 0: not met yet */
	uint32_t	 cells, combinations;	/* so many have numbers, from 1 */
};

struct groupkeys {
	struct groupkey	*key;
	size_t		 n;
	struct groupkey	**order;	/* in which they are taken */
	struct key_room	*room;		/* room for many rows at once; or NULL */
	bool		 alone;		/* a row after the other, cell by cell */
};

/* All arguments of a stage: COLUMN [by WIDTH], (CONDITION) [as NAME]. */
bool	groupkeys_read(struct groupkeys *, const struct stage *, struct rows *in, struct err *);
void	groupkeys_free(struct groupkeys *);
uint64_t groupkeys_touch(const struct groupkeys *);
struct coldef groupkey_column(const struct groupkey *, const struct rows *in);
bool	groupkey_cell(const struct groupkey *, struct rows *in, uint64_t row, struct cell *, struct err *);
/* Return true if all columns that the keys read have batches.  Called once, with the first rows. */
bool	groupkeys_batch(struct groupkeys *, struct rows *in, uint64_t first, size_t n, struct batch *);
/*
 * The groups of n rows of r->in from first on, BATCH at most: numbers from 1; a new one is one more than all
 * before.  False: r->err is filled.
 */
bool	groupkeys_rows(struct groupkeys *, struct rows *r, uint64_t first, size_t n, uint32_t *number);
/* Return the number of combinations so far, which is the greatest number that a row has. */
uint32_t groupkeys_met(const struct groupkeys *);

#endif
