/*
 * Private to src/query/stages: what rows are grouped by: columns, columns by a width, conditions.
 */
#ifndef ICECORE_QUERY_KEY_H
#define ICECORE_QUERY_KEY_H

#include "query/lang/lang.h"

struct groupkey {
	size_t		 col;		/* unless it is a condition */
	struct cell	 width;		/* CELL_NONE: each value is a key; else values fall into buckets */
	struct expr	*test;		/* the condition; or NULL */
	char		*name;		/* of a condition; or NULL */
	bool		 number;	/* many rows at once say it as a number: only one may be so */
};

struct groupkeys {
	struct groupkey	*key;
	size_t		 n;
	struct key_room	*room;		/* of many rows at once; or NULL */
	struct scratch	 number;	/* u32: of each combination of their values, that of its group; 0: not known yet */
	struct idmap	 seen;		/* which, from 1, of those seen a number is; zeros: none */
	bool		 alone;		/* a row after the other, cell by cell */
};

/* All arguments of a stage: COLUMN [by WIDTH], (CONDITION) [as NAME]. */
bool	groupkeys_read(struct groupkeys *, const struct stage *, struct rows *in, struct err *);
void	groupkeys_free(struct groupkeys *);
uint64_t groupkeys_touch(const struct groupkeys *);
struct coldef groupkey_column(const struct groupkey *, const struct rows *in);
bool	groupkey_cell(const struct groupkey *, struct rows *in, uint64_t row, struct cell *, struct err *);
/* The number of the group of a row, from 1; a new one is one more than all before. */
bool	groupkeys_row(const struct groupkeys *, struct keys *, struct rows *in, uint64_t row, uint32_t *number, struct err *);
/* All that they read has batches, as far as these rows show. */
bool	groupkeys_batch(struct groupkeys *, struct rows *in, uint64_t first, size_t n, struct batch *);
/* The same of n rows of r->in from first on, BATCH at most, in their order; false: r->err is filled. */
bool	groupkeys_rows(struct groupkeys *, struct keys *, struct rows *r, uint64_t first, size_t n, uint32_t *number);

#endif
