/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * texts: a pool of strings, each stored once, one after another.
 *
 * texts_number numbers the strings from 1 in order of arrival; they may contain any bytes.  texts_place puts
 * a NUL after each string, as in a column of strings, and returns places: offsets from 1.  Use only one of
 * the two functions for a pool.
 */
#ifndef ICECORE_TEXTS_H
#define ICECORE_TEXTS_H

#include "icecore/os.h"

/* A zeroed pool is empty. */
struct text_pool {
	struct scratch	 bytes;
	uint64_t	 size;		/* bytes in use */
	struct scratch	 from;		/* u64: start of each numbered string, and the end of the last one */
	uint32_t	 n;		/* numbered strings */
	struct idmap	 by_hash;
};

/* The number of a string, which is added if missing. */
bool	 texts_number(struct text_pool *, struct str, uint32_t *number, struct err *) MUST_USE;
/* The string with that number; valid until another string is added. */
struct str texts_get(const struct text_pool *, uint32_t number);
/*
 * The place of a string, which is added if missing, unless the pool would exceed 4 GiB.  A NUL in it
 * becomes \1.
 */
bool	 texts_place(struct text_pool *, struct str, uint32_t *place, struct err *) MUST_USE;
/* texts_place without a search: the string may be stored twice, and texts_find does not find it. */
bool	 texts_add(struct text_pool *, struct str, uint32_t *place, struct err *) MUST_USE;
/* The string at that place; valid until another string is added. */
const char *texts_at(const struct text_pool *, uint32_t place);
/* The number or the place of a string; 0: not in the pool. */
uint32_t texts_find(const struct text_pool *, struct str);
void	 texts_free(struct text_pool *);

/* ---- lists of words ------------------------------------------------------------------------- */

/* Lists that were asked about, each a text with blanks between its words.  A zeroed one is empty. */
struct word_lists {
	struct idmap	 by_word;
	const char	*list[32];
	unsigned	 n;
	bool		 bad;		/* memory ran out: an answer may be wrong */
};

/* Whether the word is in the list, which stays where it is. */
bool	 listed_has(struct word_lists *, const char *list, struct str word);
void	 listed_free(struct word_lists *);

#endif
