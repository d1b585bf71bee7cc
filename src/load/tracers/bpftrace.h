/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bpftrace: values of maps being read, interface between bpftrace.c and bpftrace_rows.c.
 */
#ifndef LOAD_TRACERS_BPFTRACE_H
#define LOAD_TRACERS_BPFTRACE_H

#include "tracers_in.h"

/*
 * A value with a stack.  map, block: first, for make_sort_both; a block ends with a line that is not of a
 * map.
 */
struct bpf_row {
	uint64_t	map, block, value, samples;
	const char	*at;
	uint32_t	stack, thread;
	bool		hist;		/* a number of values, in a range */
};

struct bpftrace {
	struct tracers_in *in;
	struct scratch	 rows, sums;
	uint64_t	 nrows, block;
	uint64_t	 waits, waited;	/* all waits of record offcpu, and those in the stacks */
	struct text_pool maps;
	bool		 stack_value;	/* a blank line after it does not end the block */
	/* The first histogram of its block, which ends if the same comes again. */
	struct str	 hist_map, hist_key;
	uint64_t	 hist_block;
	bool		 hist;		/* the next value is of a histogram */
};

/* The map of icecore record offcpu: its keys end with the process, the thread and its name. */
#define BPF_OFFCPU "@offcpu_ns"
#define BPF_WAITS "@offcpu_waits"

/* Keep a value with the stack of the path; without frames: without a stack. */
void	bpf_put(struct bpftrace *, struct str map, uint64_t value, uint64_t samples, const char *at);
/* The values become samples: of a map that was printed several times the last ones, or all. */
void	bpf_all_rows(struct bpftrace *);

#endif
