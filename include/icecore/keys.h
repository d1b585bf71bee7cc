/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keys: the table of keys, and the places where its rows apply.  Only files that use places include this
 * header, so a new place recompiles few files.  Belongs to layer ui.
 */
#ifndef ICECORE_KEYS_H
#define ICECORE_KEYS_H

#include "icecore/ui.h"

/*
 * Each place has a bit: a kind of pane, an overlay, or a condition that holds in some panes of some files.
 * A row of the table applies if at least one of its bits does.
 */
#define IN_LIST		(UINT64_C(1) << 0)	/* a list without a kind */
#define IN_THREADS	(UINT64_C(1) << 1)	/* threads and pools */
#define IN_METHODS	(UINT64_C(1) << 2)	/* methods, callers and callees */
#define IN_ICICLE	(UINT64_C(1) << 3)	/* the icicle of calls */
#define IN_TIME		(UINT64_C(1) << 4)	/* Stack chart */
#define IN_TREE		(UINT64_C(1) << 5)	/* dominators of a heap */
#define IN_BYTES	(UINT64_C(1) << 6)	/* the icicle of a heap */
#define IN_STACKS	(UINT64_C(1) << 7)	/* threads of a heap */
#define IN_STRINGS	(UINT64_C(1) << 8)	/* strings of a heap */
#define IN_OBJECT	(UINT64_C(1) << 9)	/* the pane of an object */
#define IN_OBJECTS	(UINT64_C(1) << 10)	/* any pane in which an object can be selected */
#define IN_CALLS	(UINT64_C(1) << 11)	/* lists of method traces */
#define IN_SUMMARY	(UINT64_C(1) << 12)	/* the overview of a heap: lines, but no list */
#define IN_BITMAPS	(UINT64_C(1) << 13)	/* bitmaps */
#define IN_PICTURE	(UINT64_C(1) << 14)	/* the pane of a bitmap */
#define IN_FINDINGS	(UINT64_C(1) << 15)	/* findings */
#define IN_TIMELINE	(UINT64_C(1) << 16)	/* threads and CPUs line by line over time */
/* The lists of tasks and marks, whose rows open the timeline. */
#define IN_TASKS	(UINT64_C(1) << 17)
#define IN_WAITS	(UINT64_C(1) << 18)	/* the list of waits, whose rows open the timeline */
#define IN_CODE		(UINT64_C(1) << 19)	/* lists of bytecode */
/* The facts about the file: a list without selectable columns. */
#define IN_FACTS	(UINT64_C(1) << 20)
#define IN_OVERLAY	(UINT64_C(1) << 21)	/* any overlay */
#define IN_HELP		(UINT64_C(1) << 22)	/* the help */
#define IN_TRACE	(UINT64_C(1) << 23)	/* the leak trace of a finding */
#define IN_GROUPS	(UINT64_C(1) << 24)	/* leaks of many heap dumps */
#define IN_TWO		(UINT64_C(1) << 25)	/* there are two files */
#define IN_CLOCKS	(UINT64_C(1) << 26)	/* there are clocks or weights to choose from */
#define IN_CHART	(UINT64_C(1) << 27)	/* lists whose rows open Stack chart, if the file has it */
#define IN_WAKERS	(UINT64_C(1) << 28)	/* waits in a file that records which task ended them */
#define IN_NO_FINDINGS	(UINT64_C(1) << 29)	/* nothing was found */
/* Panes without an axis that a range of time limits, if the file has times. */
#define IN_TIMES	(UINT64_C(1) << 30)
#define IN_EVENTS	(UINT64_C(1) << 31)	/* there are events to choose from, or calls and events */
#define IN_ABOUT	(UINT64_C(1) << 32)	/* methods of samples that are about classes */
#define IN_SANDWICH	(UINT64_C(1) << 33)	/* a method between icicles of its callers and callees */
#define IN_PROCESSES	(UINT64_C(1) << 34)	/* tasks in a file of several processes */
#define IN_DUMPS	(UINT64_C(1) << 35)	/* panes that show one of several stack dumps */
#define IN_FLOWS	(UINT64_C(1) << 36)	/* the list of flows */
#define IN_COSTS	(UINT64_C(1) << 37)	/* functions, arcs and lines of a call graph with costs */
#define IN_NESTED	(UINT64_C(1) << 38)	/* kinds of async slices in a file with nested tracks */
#define IN_FOLDER	(UINT64_C(1) << 39)	/* the files of a directory */
#define IN_TABLE	(UINT64_C(1) << 40)	/* lists of a table */
#define IN_BITS		41
static_assert(IN_TABLE == UINT64_C(1) << (IN_BITS - 1), "IN_BITS counts all places");

/* Places that rows often have together. */
#define IN_LISTS	(IN_LIST | IN_THREADS | IN_METHODS | IN_STACKS | IN_STRINGS | IN_OBJECT | \
	    IN_BITMAPS | IN_FINDINGS | IN_TASKS | IN_WAITS)
#define IN_FLAMES	(IN_ICICLE | IN_SANDWICH)
#define IN_FRAMES	(IN_FLAMES | IN_TIME | IN_BYTES)
#define IN_ALL		(IN_LISTS | IN_FRAMES | IN_TREE | IN_SUMMARY | IN_PICTURE | IN_TIMELINE | \
	    IN_NO_FINDINGS)
#define IN_ANY		(IN_ALL | IN_OVERLAY)

struct key {
	const char	*keys;		/* names with blanks between: "Down j" */
	uint64_t	 where;		/* an or of IN_X */
	enum verb	 verb;
	const char	*name;		/* a word or two, for hints */
	const char	*what;		/* line of the help */
};

extern const struct key keys[];		/* src/tables.c; ends with VERB_NONE */

#endif
