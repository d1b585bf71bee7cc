/*
 * histogram: a histogram of a JVM, read from its answer.
 */
#ifndef RECORD_HISTOGRAM_H
#define RECORD_HISTOGRAM_H

#include "record.h"

struct class_row {
	struct str	name;		/* of the answer */
	uint64_t	instances, bytes;
	uint64_t	before;		/* bytes in the first histogram */
};

struct histogram {
	struct class_row	*row;	/* by name */
	size_t			 n, cap;
};

/* Ask the JVM; the rows refer to text. */
bool	histogram_ask(struct recording *, struct buf *text, struct histogram *, struct err *) MUST_USE;
/* Lines without a class are skipped; false: there is no class. */
bool	histogram_read(struct str text, struct histogram *, struct err *) MUST_USE;
/* NULL: there is no such class. Only before the rows are sorted otherwise. */
const struct class_row *histogram_find(const struct histogram *, struct str name);
void	histogram_free(struct histogram *);

#endif
