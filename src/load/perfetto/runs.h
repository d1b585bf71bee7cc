/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runs: rows in order of time.  A writer emits its events nearly in order, so rows are kept as runs that
 * are in order, and merged as they are played.  Runs of kernel events are most of a trace: they are made
 * into rows only while they are played.
 */
#ifndef LOAD_PERFETTO_RUNS_H
#define LOAD_PERFETTO_RUNS_H

#include "perfetto.h"

/*
 * Rows in order of time that follow one another in the file; or kernel events of a bundle that are not rows
 * yet.
 */
struct pf_run {
	uint64_t	time;		/* time of the first row or event */
	uint64_t	order;		/* order in the file */
	uint64_t	at, n;		/* rows; or the bundle: where, and bytes */
	uint32_t	state;
	uint8_t		kind;		/* PF_RUN_ROWS, or which events of a bundle */
};

enum { PF_RUN_ROWS, PF_RUN_EVENTS, PF_RUN_SWITCHES, PF_RUN_WAKINGS };

/* Rows that were made of one. */
struct pf_made {
	struct pf_row	*row;
	size_t		 n, cap;
};

/* Kernel events that become rows later: the first and last time, and how many, more or less. */
bool	pf_run_later(struct perfetto *, struct pf_run *, uint64_t last, uint64_t n, struct err *);

/* merge.c: the state of a merge. */
struct pf_merge;

struct pf_merge *pf_merge_open(struct perfetto *, struct err *);	/* NULL: failure */
void	pf_merge_close(struct pf_merge *);				/* may be NULL */
/* Makes the next rows, for relay_run; merge: struct pf_merge. */
bool	pf_merge_rows(void *merge, void *rows, size_t room, size_t *n, struct err *);

/* ftrace_rows.c: the rows of a run of kernel events. */
bool	pf_ftrace_later(struct perfetto *, const struct pf_run *, struct pf_made *, struct err *);

#endif
