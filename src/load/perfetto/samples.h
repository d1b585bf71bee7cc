/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples: stacks that were sampled, as samples.c, heapprofd.c, stacks.c and symbols.c give them to one another.
 */
#ifndef LOAD_PERFETTO_SAMPLES_H
#define LOAD_PERFETTO_SAMPLES_H

#include "icecore/make.h"

enum { NAME_FUNCTION = 5, NAME_FRAME = 6, NAME_STACK = 7, NAME_BUILD = 16, NAME_PATH = 17, NAME_SOURCE = 18, NAME_MAPPING = 19,
    NAME_KERNEL_SYMBOL = 26, NAME_TASK = 48, NAME_COUNTER = 50, NAME_OF_PROFILE = 1 };

/* Units of weights. */
enum pf_unit { PF_SAMPLES, PF_NS, PF_BYTES, PF_ALLOCATIONS };

struct pf_sample {
	uint64_t	time, weight;	/* ns */
	uint64_t	stack;		/* iid of its callstack, 0: none; of an inline callstack its offset */
	uint32_t	n;		/* bytes of that one; 0: it has an iid */
	uint32_t	task, state, event;	/* task: its row; event: word */
	uint8_t		unit;
	bool		heap;		/* of a heap profile */
};

/* Addresses and renamed methods, by their hashes; a chain of rows for each. */
struct pf_symbols {
	struct scratch	told, rows;	/* packets; struct pf_symbol */
	uint64_t	ntold, nrows;
	struct idmap	by_key;
	struct scratch	inlined;	/* uint32_t: how many, and frames, outermost first */
	uint64_t	ninlined;
	bool		renamed;	/* there are methods */
};

/* Heap profiles: the dumps, and the sums so far for each stack of a process. */
struct pf_heaps {
	struct scratch	dumps, sums, totals, starts;
	uint64_t	ndumps, nsums, ntotals, nstarts;
	struct idmap	by_sum, by_total, by_start, by_seen;
};

#endif
