/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_facts: facts about a heap dump that differ by the choice of --refs and --sizes.
 */
#ifndef ICECORE_HEAP_FACTS_H
#define ICECORE_HEAP_FACTS_H

#include "icecore/facts.h"
#include "icecore/graph.h"

/*
 * The value for one choice, such as FACT_LIVE_BYTES, FACT_LIVE_OBJECTS or FACT_HEAP_UNIT; 0 if the pass that
 * counts it has not run.
 */
uint64_t heap_fact(const struct store *, enum fact_id, enum heap_refs, enum heap_sizes);
/*
 * The whole that all percentages of a heap are of: the reachable heap and the native memory that belongs to
 * it.  Passes "dominators" and "direct" count it.
 */
uint64_t heap_whole(const struct store *, enum heap_refs, enum heap_sizes);
/* False: out of memory. */
bool	 heap_fact_set(struct store *, enum fact_id, enum heap_refs, enum heap_sizes, uint64_t,
    struct err *) MUST_USE;

#endif
