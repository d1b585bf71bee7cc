/*
 * Private to src/query: rows that stand in columns of the store, id by id.
 */
#ifndef ICECORE_QUERY_TABLE_H
#define ICECORE_QUERY_TABLE_H

#include "query/lang/stage.h"

enum field_kind {
	FIELD_ID,
	FIELD_NUMBER,		/* of the column, with the type of the cell */
	FIELD_TICKS,
	FIELD_OFF,		/* ticks: column less the other one, never below 0 */
	FIELD_CPU,		/* ticks of a thread; where the records have no CPU clock its track tells */
	FIELD_OFF_CPU,		/* ticks: column less that */
	FIELD_WEIGHT,		/* as the weights of the file have it */
	FIELD_BEFORE,		/* the same, of the second weight */
	FIELD_DELTA,		/* the same: column less the other one */
	FIELD_SHARE,		/* percent of the weights of all threads */
	FIELD_LINE,		/* i64, negative: unknown */
	FIELD_TEXT,		/* ref */
	FIELD_DOTTED,		/* ref to a class name, slashes shown as dots */
	FIELD_NAME,		/* ref to a method's name; of unknown methods what METHOD gives */
	FIELD_METHOD,		/* name of the method whose id is in the column; NULL: of this one */
	FIELD_THREAD,
	FIELD_POOL,		/* thread name, each number as * */
	FIELD_EARLIER,		/* other names of the thread */
	FIELD_BY, FIELD_STATE,	/* where its name is from; what it did, as a thread dump says */
	FIELD_ANY,		/* the frames of the call, a line each */
	FIELD_KIND		/* what kind of frame the method is whose id is in the column; NULL: this one */
};

struct field {
	enum field_kind	 kind;
	const char	*column, *other;
};

/* ids first .. first + n - 1 are rows from row on. */
struct id_range {
	uint64_t	row;
	uint32_t	first, n;
};

/* Columns, and a field for each. */
struct table_kind {
	const struct coldef	*cols;
	size_t			 ncols;
	const struct field	*field;
	const char		*key;		/* column with a row for each id */
};

/* ranges NULL: all ids there are; else they are taken over. */
bool	table_open(struct session *, const struct table_kind *, struct id_range *, size_t nranges,
	    struct rows **, struct err *);

/* They were opened so, with a row for each call. */
bool	table_is_calls(const struct rows *);

/* Of profiles; and what opens the sources of both kinds of files. */
extern const struct table_kind profile_threads, profile_methods, profile_calls;
bool	threads_open(struct session *, const struct stage *, struct rows *in, struct rows **, struct err *);
bool	methods_open(struct session *, const struct stage *, struct rows *in, struct rows **, struct err *);
bool	calls_open(struct session *, const struct stage *, struct rows *in, struct rows **, struct err *);
bool	merged_open(struct session *, const struct stage *, struct rows *in, struct rows **, struct err *);
bool	inverted_open(struct session *, const struct stage *, struct rows *in, struct rows **, struct err *);

#endif
