/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ids: from the address of an object of a heap dump to its number, and back.
 * Belongs to layer load.
 */
#ifndef ICECORE_IDS_H
#define ICECORE_IDS_H

#include "icecore/load.h"

/* Count the bits that are set, without a special instruction or a call. */
static inline unsigned
heap_ones(uint64_t x)
{
	x -= x >> 1 & 0x5555555555555555u;
	x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return (unsigned)(x * 0x0101010101010101u >> 56);
}

#define HEAP_PAGE (1u << 20)		/* addresses in a page */

struct heap_ids {
	uint64_t	 base;		/* lowest address, rounded down to a page */
	unsigned	 shift;		/* log2 of the granule: 3, 2 or 0 */
	unsigned	 words;		/* words of 64 granules per page */
	uint64_t	 npages;	/* in the directory */
	/* 0: no object in this page; otherwise 1 + number of its page of bits, ascending. */
	const uint32_t	*page;
	const uint32_t	*place;		/* for each page of bits: its position in page */
	uint64_t	 nplaces;
	const uint64_t	*bits;		/* 1: an object begins there */
	const uint32_t	*rank;		/* objects before the word, all pages counted by ascending address */
	uint64_t	 nwords;	/* in bits and rank */
	const uint64_t	*sorted;	/* used instead if addresses are too far apart */
	uint64_t	 n;		/* objects */
};

/* Maps what the store has: nothing is to be freed.  False: the store is damaged. */
bool	 heap_ids_open(struct heap_ids *, const struct store *, struct err *);
uint32_t heap_ids_find_sorted(const struct heap_ids *, uint64_t addr);

/* Prefetch the memory that heap_ids_find will read for addr: random look-ups mostly wait for memory. */
static inline void
heap_ids_fetch(const struct heap_ids *ids, uint64_t addr)
{
	uint64_t d = addr - ids->base, page = d / HEAP_PAGE, word;

	if (page >= ids->npages || ids->page[page] == 0)
		return;
	word = (uint64_t)(ids->page[page] - 1) * ids->words + ((d & (HEAP_PAGE - 1)) >> ids->shift >> 6);
	__builtin_prefetch(&ids->bits[word]);
	__builtin_prefetch(&ids->rank[word]);
}

/* 0: no object has that address. */
static inline uint32_t
heap_ids_find(const struct heap_ids *ids, uint64_t addr)
{
	uint64_t d = addr - ids->base, page = d / HEAP_PAGE, word, bits;
	uint32_t object;

	if (page >= ids->npages || ids->page[page] == 0)
		return ids->sorted == NULL ? 0 : heap_ids_find_sorted(ids, addr);
	d &= HEAP_PAGE - 1;
	word = (uint64_t)(ids->page[page] - 1) * ids->words + (d >> ids->shift >> 6);
	if (word >= ids->nwords || (d & ((1u << ids->shift) - 1)) != 0)
		return 0;
	bits = ids->bits[word] << (63 - ((d >> ids->shift) & 63));
	if (bits >> 63 == 0)
		return 0;
	object = ids->rank[word] + heap_ones(bits);
	/* A damaged index may yield a number that is too large. */
	return object <= ids->n ? object : 0;
}

/* The address of an object: 1 <= object <= n. */
uint64_t heap_ids_addr(const struct heap_ids *, uint32_t object);
/* The lowest address of an object above addr; 0: none. */
uint64_t heap_ids_after(const struct heap_ids *, uint64_t addr);

#endif
