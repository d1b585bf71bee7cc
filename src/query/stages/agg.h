/*
 * Private to src/query: values of many rows put together into one.
 */
#ifndef ICECORE_QUERY_AGG_H
#define ICECORE_QUERY_AGG_H

#include "query/lang/lang.h"

enum agg_kind { AGG_COUNT, AGG_SUM, AGG_MIN, AGG_MAX, AGG_AVG, AGG_KINDS };

struct agg {
	enum agg_kind	 kind;
	size_t		 col;		/* of in; unused by count */
	enum cell_type	 type;		/* of that column */
	enum id_of	 of;
	char		*name;		/* of the column it gives */
};

/* What one has gathered so far. */
struct acc {
	uint64_t	n;		/* cells that are not empty; count: rows */
	uint32_t	currency;	/* of all of them */
	union {
		struct {
			struct decimal	sum;		/* of what is exact */
			double		f;		/* of the others */
			bool		real, decimals;	/* there are others; some that are exact are no integers */
		};
		struct {			/* the least or the greatest */
			uint64_t	row;	/* of in */
			struct cell	best;	/* unless it is a text */
		};
	};
};

/* AGG_KINDS when there is none of that name. */
enum agg_kind agg_find(struct str name);
extern const char *const agg_names[AGG_KINDS];
/* Fails, at the token that names the column, when its values cannot be put together so. */
bool	agg_check(const struct agg *, const struct token *, const char *column, struct err *);
void	agg_column(const struct agg *, struct coldef *);
/* text: room for a copy of a text that is compared.  False: amounts of money in several currencies, or too large together. */
bool	agg_add(const struct agg *, struct acc *, struct rows *in, uint64_t row, struct buf *text, struct err *);
void	agg_cell(const struct agg *, const struct acc *, struct rows *in, struct cell *);

#endif
