/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ids_in: the set of object addresses that a loader of heaps collects, and the columns id.* of it.
 *
 * Addresses may come in any order and again.  After a failure, err is set and further calls may be made.
 */
#ifndef LOAD_IDS_IN_H
#define LOAD_IDS_IN_H

#include <assert.h>

#include "icecore/heap.h"
#include "icecore/make.h"

#define IDS_CACHE 256u

struct ids_in {
	unsigned	 shift, words;	/* shift of addresses, and words of a page; see struct heap_ids */
	struct scratch	 bits;		/* pages in order of appearance */
	struct scratch	 pages;		/* u64: page number of each */
	uint64_t	 npages;
	struct idmap	 map;		/* 1 + page of addresses, to 1 + page of bits */
	struct {
		uint64_t page;		/* 1 + page of addresses */
		uint64_t slot;
	} cache[IDS_CACHE];
	uint64_t	 last;		/* 1 + page of the last added address; 0: none */
	uint64_t	*last_bits;	/* bits of that page */
	bool		 sparse;	/* too few objects per page: addresses are in list and map */
	struct scratch	 list;
	uint64_t	 n;		/* objects */
	struct err	*err;
	bool		 failed;	/* err is set */
};

void	ids_in_init(struct ids_in *, struct err *);
void	ids_in_free(struct ids_in *);
bool	ids_in_add_slow(struct ids_in *, uint64_t addr);

/* Return true if the address is new. */
static inline bool
ids_in_add(struct ids_in *b, uint64_t addr)
{
	uint64_t bit = (addr & (HEAP_PAGE - 1)) >> b->shift, *word;

	if (b->last != addr / HEAP_PAGE + 1 || (addr & ((1u << b->shift) - 1)) != 0)
		return ids_in_add_slow(b, addr);
	assert(bit >> 6 < b->words);
	word = &b->last_bits[bit >> 6];
	if (*word >> (bit & 63) & 1)
		return false;
	*word |= (uint64_t)1 << (bit & 63);
	b->n++;
	return true;
}

/* Make the columns id.*; readers may open them from then on. */
bool	ids_in_out(struct ids_in *, struct store *, struct heap_ids *, struct err *);

#endif
