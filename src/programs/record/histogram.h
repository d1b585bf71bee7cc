/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * histogram: a histogram of a JVM, read from its answer.
 */
#ifndef RECORD_HISTOGRAM_H
#define RECORD_HISTOGRAM_H

#include "record.h"

struct counted_class {
	struct str	name;		/* name, in the text of the answer */
	uint64_t	instances, bytes;
	uint64_t	before;		/* bytes in the first histogram */
};

struct class_counts {
	struct counted_class	*row;	/* by name */
	size_t			 n, cap;
};

/* Ask the JVM; the rows refer to text. */
bool	histogram_ask(struct recording *, struct buf *text, struct class_counts *, struct err *) MUST_USE;
/* Lines without a class are skipped; false: there is no class. */
bool	histogram_read(struct str text, struct class_counts *, struct err *) MUST_USE;
/* NULL: there is no such class. Only before the rows are sorted otherwise. */
const struct counted_class *histogram_find(const struct class_counts *, struct str name);
/* For qsort: the largest first, or those that grew most. */
int	class_by_bytes(const void *, const void *);
int	class_by_growth(const void *, const void *);
/* Append "+12 MiB" in width columns behind the sign. */
void	put_growth(const struct counted_class *, int width, struct buf *);
/* Append the name in the source: "int[][]" for "[[I". */
void	class_source_name(struct str, struct buf *);
void	histogram_free(struct class_counts *);

#endif
