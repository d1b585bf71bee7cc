/*
 * allocations: who made the objects of a heap dump, as recordings beside it tell, by the names of their classes.
 */
#ifndef PASS_HEAP_ALLOCATIONS_H
#define PASS_HEAP_ALLOCATIONS_H

#include "heap.h"
#include "icecore/make.h"
#include "icecore/pass.h"

/* Of a class and a site. */
struct made_row {
	uint64_t	bytes, samples, old;
	uint64_t	total;		/* bytes of all sites of the class */
	uint32_t	name, site;	/* offset in the text, from 1; 0: none */
	uint32_t	class;		/* the first of the dump that has the name; 0: none has */
};

/* Starts from zeros. */
struct made_list {
	struct scratch	 rows;		/* struct made_row */
	uint64_t	 n;
	struct idmap	 by_text, by_pair;
	struct buf	 text;
};

/* Adds what a recording tells. */
bool	made_read(struct made_list *, const struct store *recording, struct work *, struct err *);
/* Where that text is, from 1; 0: nowhere. */
uint32_t made_find(const struct made_list *, struct str text);
void	made_close(struct made_list *);

#endif
