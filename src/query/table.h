/*
 * Private to src/query: rows that stand in columns of the store, id by id.
 */
#ifndef ICECORE_QUERY_TABLE_H
#define ICECORE_QUERY_TABLE_H

#include "stage.h"

enum field_kind {
	FIELD_ID,
	FIELD_NUMBER,		/* of the column, with the type of the cell */
	FIELD_TICKS,
	FIELD_OFF,		/* ticks: column less the other one, never below 0 */
	FIELD_LINE,		/* i64, negative: unknown */
	FIELD_TEXT,		/* ref */
	FIELD_DOTTED,		/* ref to a class name, slashes shown as dots */
	FIELD_NAME,		/* ref to a method's name; of unknown methods what METHOD gives */
	FIELD_METHOD,		/* name of the method whose id is in the column; NULL: of this one */
	FIELD_THREAD,
	FIELD_POOL,		/* thread name, each number as * */
	FIELD_EARLIER		/* other names of the thread */
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

/* One field a column of the command.  ranges NULL: all ids there are; else they are taken over. */
bool	table_open(struct session *, const struct command *, const struct field *,
	    const char *key, struct id_range *, size_t nranges, struct rows **,
	    struct err *);

#endif
