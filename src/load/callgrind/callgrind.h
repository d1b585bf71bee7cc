/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/load/callgrind: a call graph with costs being read.
 */
#ifndef LOAD_CALLGRIND_H
#define LOAD_CALLGRIND_H

#include "icecore/lines.h"
#include "icecore/make.h"
#include "icecore/texts.h"

#define CALLGRIND_COLUMNS 32	/* limits: events of a line; further ones are only counted */
#define CALLGRIND_EVENTS 256	/* events, with those of single threads */
#define CALLGRIND_THREADS 64

struct callgrind_function {
	struct str	 name, file, object;
	uint32_t	 cycle;
};

struct callgrind_arc {
	uint32_t	 caller, callee;
};

/* A line of the source, in a function. */
struct callgrind_place {
	struct str	 file;
	uint64_t	 line;
	uint32_t	 function;
};

/*
 * Costs of an event, by function, arc or line.  COSTS_BELOW: of calls from a line to other functions, then
 * with its own.
 */
enum callgrind_costs { COSTS_SELF, COSTS_TOTAL, COSTS_ARC, COSTS_LINE, COSTS_BELOW, CALLGRIND_COST_KINDS };

struct callgrind_event {
	struct str	 name;			/* in the source; empty: own is that of a single thread */
	uint32_t	 own;			/* in callgrind.texts */
	uint32_t	 thread;		/* index of the thread; 0: of all threads */
	struct scratch	 cost[CALLGRIND_COST_KINDS];	/* u64; shorter if the rest is 0 */
	uint64_t	 sum;			/* total of all self costs */
	uint64_t	 summary, totals;	/* values of the lines summary: and totals: */
};

/* Numbers of calls of a thread; the first one stands for all threads. */
struct callgrind_thread {
	uint64_t	 number;
	struct scratch	 calls, arc_calls;	/* u64, by function and by arc; shorter if the rest is 0 */
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
	CALLGRIND_CUT,		/* last line without an end, dropped */
	CALLGRIND_LAST,		/* last line without an end, read because it has all costs */
	CALLGRIND_EXTRA,	/* events beyond a limit, or named twice */
	CALLGRIND_COUNTS
};

/* Events of a column of costs: of all threads, of the current thread; CALLGRIND_EVENTS: none. */
struct callgrind_column {
	uint16_t	 all, own;
};

/* The callee of the next calls. */
struct callgrind_call {
	struct str	 file, object;		/* s NULL: those of the caller */
	uint32_t	 callee;		/* from 1; 0: none */
	bool		 open;			/* the last line was calls= */
	uint64_t	 calls;			/* number of calls */
};

/* Tables that are found by a hash. */
enum callgrind_map { BY_ID, BY_NAME, BY_PAIR, BY_LINE, CALLGRIND_MAPS };

struct callgrind {
	struct store	*st;
	struct work	*work;
	struct err	*err;
	bool		 bad;		/* err is filled */
	struct str	 text;
	struct lines	 lines;

	struct idmap	 ids[CALLGRIND_NAMES];	/* ID of a compressed name to its place in names, from 1 */
	struct scratch	 names;			/* struct str */
	uint64_t	 nnames;
	/* BY_ID, BY_NAME: to functions; BY_PAIR: to arcs; BY_LINE: to places */
	struct idmap	 by[CALLGRIND_MAPS];
	/* struct callgrind_function, callgrind_arc, callgrind_place */
	struct scratch	 functions, arcs, places;
	uint64_t	 nfunctions, narcs, nplaces;
	struct callgrind_event event[CALLGRIND_EVENTS];
	size_t		 nevents, most_events;
	struct callgrind_thread threads[CALLGRIND_THREADS + 1];
	size_t		 nthreads;		/* without the first one */
	struct text_pool texts;			/* names of events of single threads */
	struct callgrind_column of_column[CALLGRIND_COLUMNS];
	size_t		 ncolumns, npositions;
	size_t		 line_position;		/* which position is that of a line; npositions: none */
	/* exact: the writer is callgrind, whose sums agree */
	bool		 has_totals, has_summary, exact;
	bool		 tree;			/* no function has two callers */
	/* a file of cProfile; its times are rounded, so that they make no tree */
	bool		 python;

	/* State that the next lines use. */
	struct callgrind_call call;
	struct str	 file, object;
	/* Source file of the next lines; file belongs to the function */
	struct str	 line_file;
	uint64_t	 file_hash;		/* hash of line_file; 0: not computed */
	uint64_t	 line;			/* position of the last line of costs */
	uint32_t	 function;		/* from 1; 0: none */
	uint32_t	 thread;		/* index; 0: none */
	uint32_t	 place;			/* row of the last line of costs; 0: none */

	struct str	 recorder, command;
	uint64_t	 in_cycles;
	uint64_t	 count[CALLGRIND_COUNTS];
};

void	callgrind_read(struct callgrind *);
/* Read a file of cProfile.  A truncated file, or one with other values, counts as a bad cost. */
void	pstats_read(struct callgrind *);
bool	pstats_sniff(const uint8_t *head, size_t n);
/*
 * Columns of costs from here on, by the words of the line events:; parts of a file may have different ones.
 */
void	callgrind_events(struct callgrind *, struct str words);
/* The thread of the lines from here on, by its number. */
void	callgrind_thread(struct callgrind *, uint64_t number);
void	callgrind_no_thread(struct callgrind *);
/* A line of costs.  After calls= it has the cost of the calls, otherwise that of a line of the function. */
void	callgrind_cost_line(struct callgrind *, struct str line);
/* Add costs, by column, to the current function. */
void	callgrind_self(struct callgrind *, const uint64_t *cost);
/* Add costs, by column, to the calls from the current function to the current callee. */
void	callgrind_called(struct callgrind *, const uint64_t *cost);
/* Add calls of a function that no function in the file made. */
void	callgrind_outer_calls(struct callgrind *, uint32_t function, uint64_t n);
/* The next word of a list; false: there is none. */
bool	callgrind_word(struct str *rest, struct str *word);
/* Events of a single thread are removed: no other thread has any. */
void	callgrind_join_threads(struct callgrind *);
/* If the graph is a tree, set c->tree and make the columns of a profile, with those of the events. */
bool	callgrind_tree(struct callgrind *);
/* Find the cycles, sum the totals, make the columns. */
bool	callgrind_columns(struct callgrind *);

#endif
