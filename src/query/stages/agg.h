/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query: aggregates: one value from the values of many rows.
 */
#ifndef ICECORE_QUERY_AGG_H
#define ICECORE_QUERY_AGG_H

#include "query/lang/lang.h"

enum agg_kind { AGG_COUNT, AGG_SUM, AGG_MIN, AGG_MAX, AGG_AVG, AGG_PERCENTILE, AGG_DISTINCT, AGG_SHARE,
    AGG_FIRST, AGG_LAST,
	AGG_KINDS };

#define AGG_NO_COLUMN ((size_t)-1)

/* The currency of the first amount of money; all other amounts must have it, too. */
struct one_currency {
	bool		known;
	uint32_t	code;
};

/* Return false if the amount is in another currency. */
bool	currency_joins(struct one_currency *, const struct cell *);
/* Fails: "sum would mix currencies (EUR and USD); use ..." */
bool	fail_currencies(const struct one_currency *, const struct cell *, const char *word, const char *use,
    struct err *);

struct agg {
	enum agg_kind	 kind;
	unsigned	 percent;	/* number from 1 to 99 for AGG_PERCENTILE */
	size_t		 col;		/* column of in; AGG_NO_COLUMN: the aggregate is about rows */
	enum cell_type	 type;		/* type of the column */
	enum id_of	 of;
	bool		 numbers;	/* the column has numbers, possibly with words among them */
	char		*name;		/* name of the column that the aggregate makes */
	struct values	*values;	/* values of the column, for AGG_PERCENTILE */
	bool		 owns;		/* the aggregate is the first one for that column, and fills values */
	struct keys	 keys;		/* groups and values that AGG_DISTINCT met */
	struct scratch	 exact;		/* struct exact_sum by group, the first ones; made when one is needed */
	uint64_t	 exacts;
	double		 total;		/* sum of all groups, for AGG_SHARE */
	struct one_currency	 money;		/* currency of the amounts in total */
	uint64_t	 dropped;	/* values that are not amounts, if only these count */
	size_t		 at;		/* offset of the struct acc in the bytes of a group */
};

/* State of an aggregate in one group.  Aggregates that count have n alone, sums n and sum: agg_bytes. */
struct acc {
	uint64_t	n;		/* cells that are not empty; count: rows */
	union {
		/* Sum of the integers; other numbers are in exact. */
		__int128	sum __attribute__((packed, aligned(8)));
		struct {			/* the least or the greatest, the first or the last */
			uint64_t	row;	/* row of in */
			struct cell	best;	/* unless it is a text, or the first or the last */
		};
		uint64_t	value;		/* the percentile, as values_select gives it */
	};
};

/* Sums of a group that has numbers other than integers. */
struct exact_sum {
	struct decimal	sum;		/* sum of the exact numbers; in the end with the integers */
	double		f;		/* sum of the other numbers */
	struct one_currency	money;		/* currency of the amounts of money */
	bool		real, decimals;	/* there are others; some exact ones are not integers */
};

/* Find the aggregate that a word names; false: none.  *why: what to write instead, or NULL. */
bool	agg_find(struct str word, struct agg *, const char **why);
const char *agg_word(size_t i);		/* the words that are offered; NULL behind the last */
#define AGG_NAME 12
const char *agg_name(const struct agg *, char text[AGG_NAME]);	/* "p99" */
bool	agg_takes_column(const struct agg *);
bool	agg_needs_column(const struct agg *);
/* Fails, at the token that names the column, if its values cannot be aggregated so. */
bool	agg_check(const struct agg *, const struct token *, const char *column, struct err *);
void	agg_column(const struct agg *, struct coldef *);
void	agg_free(struct agg *);
/* Return how many bytes an aggregate has per group. */
size_t	agg_bytes(const struct agg *);
/* States of all aggregates of a stage, that many bytes per group, group after group. */
struct accs {
	struct scratch	of;
	size_t		bytes;
};
/*
 * n rows of r->in from first on, BATCH at most.  number[i] - 1 is the group of each; NULL: all are of group
 * 0.  Room for a batch, and for a copy of a text that is compared.  False: r->err says why: cancelled,
 * amounts of money in several currencies, or too large together.
 */
bool	agg_add(struct agg *, const struct accs *, const uint32_t *number, struct rows *r, uint64_t first,
    size_t n,
	    struct batch *, struct buf *text);
/* Compute what needs all rows: percentiles, sums with fractions, totals of shares. */
bool	agg_finish(struct agg *, const struct accs *, uint64_t groups, struct rows *, struct err *);
void	agg_cell(const struct agg *, const struct accs *, uint64_t group, struct rows *in, struct cell *c);

/* ---- those of a stage --------------------------------------------------------------- */

struct aggs {
	struct agg	*agg;
	size_t		 n;
	struct values	*values;	/* values for percentiles; they are never moved */
	size_t		 nvalues;
};

bool	aggs_init(struct aggs *, size_t most, struct err *);
void	aggs_free(struct aggs *);
/* Add an aggregate of that kind; t names its column, or is NULL. */
bool	aggs_add(struct aggs *, const struct agg *kind, struct rows *in, const struct token *t, struct err *);
/* Parse all arguments of a stage; without any: count. */
bool	aggs_read(struct aggs *, const struct stage *, struct rows *in, struct err *);

/* ---- values: numbers of groups, for percentiles ------------------------------------- */

struct values {
	size_t		col;		/* column of in */
	enum cell_type	type;
	bool		by_row;		/* kept with their rows of in: only integers can be restored from keys */
	bool		grouped;
	uint64_t	n;
	struct scratch	group;		/* u32 */
	struct scratch	key;		/* u64, in their order */
	struct scratch	row;		/* u64, by_row: of in, and whether equal keys say that values are equal */
	struct scratch	end;		/* u64, once they are grouped: where those of each group end */
};

void	values_init(struct values *, size_t col, enum cell_type);
void	values_free(struct values *);
bool	values_add(struct values *, uint32_t group, uint64_t row, const struct cell *, struct err *);
/* Sort the values by group. */
bool	values_group(struct values *, uint64_t groups, struct rows *, struct err *);
/* The value of that rank, from 0, of a group that has more; moves values within the group. */
uint64_t values_select(struct values *, uint64_t group, uint64_t rank, struct rows *in);
void	values_cell(const struct values *, uint64_t value, struct rows *in, struct cell *);

#endif
