/*
 * Private to src/query/trace: rows that stand in columns of the store.
 */
#ifndef ICECORE_QUERY_TABLE_H
#define ICECORE_QUERY_TABLE_H

#include "icecore/batch.h"
#include "trace.h"

struct table {
	struct rows		 rows;
	const struct store	*store;
	struct column_set	 set;
	const struct column	*column[COLUMN_SET_MAX], *other[COLUMN_SET_MAX];
	struct weights		 weights;
	uint64_t		 whole;		/* weights of all threads */
	uint64_t		 whole_self, whole_cpu;	/* once known */
	bool			 has_self, has_cpu;
	struct id_range		*range;
	size_t			 nranges;
	uint64_t		 n;
	uint64_t		 tick;		/* ns */
	uint64_t		 zero;		/* moment of time 0; 0: unknown */
	bool			 dated;		/* moments have dates */
	bool			 off;		/* both clocks are there */
	bool			 cpu_clock;
	struct buf		 text;		/* of the last cell */
	const struct column	*parent, *method;	/* of calls; else NULL */
	const struct column	*moment;	/* by which views limit the rows; or NULL */
	struct any		 frames;
	struct track_index	 cpu;		/* for traces whose records have no CPU clock */
	bool			 tracks;	/* there may be some */
};

uint32_t table_id(const struct table *, uint64_t row);
/* For .batch and .value: columns that are numbers, or names by a number. */
bool	table_batch(struct rows *, uint64_t first, size_t n, size_t col, struct batch *);
void	table_value(struct rows *, size_t col, uint64_t value, struct cell *);

#endif
