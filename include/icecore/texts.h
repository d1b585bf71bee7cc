/*
 * texts: many texts, each stored once, one after the other.
 *
 * A pool is used in one of two ways.  texts_number numbers the texts from 1 in order of arrival; they may have any
 * bytes.  texts_place puts a NUL after each, as in a column of texts, and returns places: offsets from 1.
 */
#ifndef ICECORE_TEXTS_H
#define ICECORE_TEXTS_H

#include "icecore/os.h"

/* All zeros: there are none. */
struct text_pool {
	struct scratch	 bytes;
	uint64_t	 size;		/* bytes that are used */
	struct scratch	 from;		/* u64: where each numbered one begins; one more */
	uint32_t	 n;		/* numbered ones */
	struct idmap	 by_hash;
};

/* The number of a text; one that is not there yet is added. */
bool	 texts_number(struct text_pool *, struct str, uint32_t *number, struct err *) MUST_USE;
/* The text with that number, until another one is added. */
struct str texts_get(const struct text_pool *, uint32_t number);
/* The place of a text, which is added if missing, unless the pool would exceed 4 GiB.  A NUL in it becomes \1. */
bool	 texts_place(struct text_pool *, struct str, uint32_t *place, struct err *) MUST_USE;
/* texts_place of a text that nobody will look for: it is added even if it is there. */
bool	 texts_add(struct text_pool *, struct str, uint32_t *place, struct err *) MUST_USE;
/* The text at that place, until another one is added. */
const char *texts_at(const struct text_pool *, uint32_t place);
/* The number or the place of a text; 0: it is not there. */
uint32_t texts_find(const struct text_pool *, struct str);
void	 texts_free(struct text_pool *);

#endif
