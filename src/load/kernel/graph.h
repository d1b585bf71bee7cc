/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph: calls of functions of the kernel that tracer function_graph of ftrace draws, as "trace" of tracefs, trace-cmd
 * report and uftrace replay print them.  The indentation of a line is the depth of its call.
 */
#ifndef LOAD_GRAPH_H
#define LOAD_GRAPH_H

#include "load/profile/profile.h"
#include "load/sched/import.h"

/* ---- lines (graph_line.c) --------------------------------------------------------------------- */

enum graph_kind {
	GRAPH_BAD,		/* the form is unknown */
	GRAPH_BLANK,		/* has no event */
	GRAPH_OTHER,		/* an event, with its name */
	GRAPH_COMMENT,		/* name: its text */
	GRAPH_OPEN, GRAPH_LEAF, GRAPH_CLOSE,
	GRAPH_INTERRUPT, GRAPH_RETURN,	/* an interrupt begins and ends */
	GRAPH_SWITCH,		/* tid runs on the CPU after from */
	GRAPH_KINDS
};

#define GRAPH_UNKNOWN UINT64_MAX	/* a time, length or CPU that is not printed */

/* All texts are in the line. */
struct graph_line {
	enum graph_kind	kind;
	bool		has_task, user;	/* user: uftrace traces programs */
	uint64_t	time, length;	/* ns */
	uint64_t	cpu;
	uint32_t	tid, from;
	struct str	task, from_task;	/* names; empty: unknown */
	uint32_t	depth;
	struct str	name;		/* functions have their module in it */
	uint64_t	lost;		/* events that the line reports as lost */
};

void	graph_read(struct str line, struct graph_line *);
/* Lines between the events: "-----", "##### CPU 1 buffer started", "cpus=2", "version = 6". */
bool	graph_blank(struct str);

/* ---- calls (graph_tree.c) --------------------------------------------------------------------- */

struct graph_tree {
	struct into	*to;
	struct scratch	nodes, tracks;
	uint64_t	nnodes, ntracks;
	struct idmap	by_task, by_cpu;	/* tracks of tasks; the track that runs on a CPU */
	uint64_t	calls, outer_end, no_begin, end_name, overlap, overlap_time, moved, timeless;
};

void	graph_tree_close(struct graph_tree *);
void	graph_take(struct graph_tree *, const struct graph_line *);
/* The thread of a task, which may be new; 0: failure. */
uint32_t graph_thread(struct graph_tree *, uint32_t tid, struct str name);
/* At the end: give the calls their times and add them. */
void	graph_calls(struct graph_tree *, struct calls_in *);

#endif
