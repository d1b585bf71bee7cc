/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/load/callgrind: a call graph with costs being read.
 */
#ifndef LOAD_CALLGRIND_H
#define LOAD_CALLGRIND_H

#include "icecore/make.h"

#define CALLGRIND_EVENTS 32	/* limit for a file; further events are only counted */

struct callgrind_function {
	struct str	 name, file, object;
	uint64_t	 calls;
	uint32_t	 cycle;
};

struct callgrind_arc {
	uint32_t	 caller, callee;
	uint64_t	 calls;
};

/* Costs of an event, by function or by arc. */
enum callgrind_costs { COSTS_SELF, COSTS_TOTAL, COSTS_ARC, CALLGRIND_COST_KINDS };

struct callgrind_event {
	struct str	 name;
	struct scratch	 cost[CALLGRIND_COST_KINDS];	/* u64; shorter if the rest is 0 */
	uint64_t	 sum;			/* total of all self costs */
	uint64_t	 summary, totals;	/* values of the lines summary: and totals: */
};

/* The three tables of compressed names. */
enum callgrind_names { NAMES_FUNCTION, NAMES_FILE, NAMES_OBJECT, CALLGRIND_NAMES };

/* Counts of lines and events. */
enum callgrind_count {
	CALLGRIND_COSTS,	/* lines of costs */
	CALLGRIND_JUMPS, CALLGRIND_PARTS,
	CALLGRIND_UNREAD,	/* lines of unknown form */
	CALLGRIND_BAD_COSTS,	/* lines of costs that cannot be read, or belong to no function */
	CALLGRIND_BAD_ARCS,	/* calls without a callee or without their cost */
	CALLGRIND_CUT,		/* last line without an end */
	CALLGRIND_EXTRA,	/* events beyond CALLGRIND_EVENTS, or named twice */
	CALLGRIND_COUNTS
};

struct callgrind {
	struct store	*st;
	struct work	*work;
	struct err	*err;
	bool		 bad;		/* err is filled */
	struct str	 text, rest;
	uint64_t	 ticked;	/* offset at which the work is checked next */

	struct idmap	 ids[CALLGRIND_NAMES];	/* ID of a compressed name to its place in names, from 1 */
	struct scratch	 names;			/* struct str */
	uint64_t	 nnames;
	struct idmap	 by_id, by_name;	/* to functions */
	struct scratch	 functions, arcs;	/* struct callgrind_function, struct callgrind_arc */
	uint64_t	 nfunctions, narcs;
	struct idmap	 by_pair;		/* to arcs */
	struct callgrind_event event[CALLGRIND_EVENTS];
	size_t		 nevents;
	uint8_t		 of_column[CALLGRIND_EVENTS];	/* event of a column of costs; CALLGRIND_EVENTS: dropped */
	size_t		 ncolumns, npositions;
	bool		 has_totals, has_summary, exact;	/* exact: the writer is callgrind, whose sums agree */

	/* State that the next lines use. */
	struct str	 file, object, called_file, called_object;
	bool		 has_called_file, has_called_object;
	uint32_t	 function, callee;	/* from 1; 0: none */
	bool		 called;		/* the last line was calls= */
	uint64_t	 calls;			/* its number of calls */

	struct str	 recorder, command;
	uint64_t	 in_cycles;
	uint64_t	 count[CALLGRIND_COUNTS];
};

void	callgrind_read(struct callgrind *);
/* Find the cycles, sum the totals, make the columns. */
bool	callgrind_columns(struct callgrind *);

#endif
