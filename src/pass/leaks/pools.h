/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pools: the numbers of a pool of objects, as a finding keeps them.
 */
#ifndef PASS_POOLS_H
#define PASS_POOLS_H

#include "icecore/kept.h"
#include "findings.h"

/* Objects in use, and all; how many there may be, 0: not known; threads that wait for one. */
struct pool_figures {
	uint16_t	used, all, limit, waiting;
};

static inline uint16_t
pool_figure(uint64_t n)
{
	return n > UINT16_MAX ? UINT16_MAX : (uint16_t)n;
}

static inline struct pool_figures
pool_figures_of(uint64_t used, uint64_t all, uint64_t limit, uint64_t waiting)
{
	return (struct pool_figures){ pool_figure(used), pool_figure(all),
	    limit >= INT32_MAX ? 0 : pool_figure(limit), pool_figure(waiting) };
}

/* For number of struct finding. */
static inline uint64_t
pool_figures_pack(const struct pool_figures *p)
{
	return (uint64_t)p->used << 48 | (uint64_t)p->all << 32 | (uint64_t)p->limit << 16 | p->waiting;
}

static inline struct pool_figures
pool_figures_unpack(uint64_t n)
{
	return (struct pool_figures){ (uint16_t)(n >> 48), (uint16_t)(n >> 32), (uint16_t)(n >> 16), (uint16_t)n };
}

/* Return whether a known pool keeps an object of its own in this one. */
bool	pool_is_entry(const struct heap *, uint32_t object);
/* The *ith number that the rules of pools read by name, as of collection_number. */
bool	pool_number(size_t *i, struct kept_field *);

#endif
