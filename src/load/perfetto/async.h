/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * async: events that are not calls of a thread.
 */
#ifndef LOAD_PERFETTO_ASYNC_H
#define LOAD_PERFETTO_ASYNC_H

#include <stdbool.h>
#include <stdint.h>

struct perfetto;
struct pf_track;
struct err;

/* Spans that are not calls, by a key of their own, innermost first; counters; instants. */
struct pf_about {
	uint32_t	pid, tid;	/* those that are current; 0: none */
	uint32_t	process, task;	/* rows of them, instead of ids; 0: by the ids */
	uint32_t	name, cat;	/* words */
	uint32_t	kind;		/* word: of frames, whose names are numbers; else 0 */
	uint32_t	args;		/* number of pf_args; 0: none */
	uint32_t	tag;		/* word: of a line of a log; 0: none */
	char		priority;	/* its letter */
	uint32_t	track;		/* word: what spans over time are called together; 0: the name */
	uint32_t	up, above;	/* a nested track has 1 + the series of its parent and the path of its parents as a word; others 0 */
	uint32_t	path;		/* word: above and the name of the track; 0: it has none */
	struct str	unit;		/* what a counter counts in; empty: unknown */
};
/* Numbers of spans_in and marks_in. */
bool	pf_async_ids(struct perfetto *, const struct pf_about *, uint32_t *thread, uint32_t *process, struct err *);
/* tracks.c: set up, above and path for a track with a scope. */
bool	pf_nest(struct perfetto *, struct pf_track *, struct pf_about *, struct err *);
bool	pf_async_begin(struct perfetto *, uint64_t key, uint64_t time, const struct pf_about *, struct err *);
bool	pf_async_end(struct perfetto *, uint64_t key, uint64_t time, struct err *);
/* The args of the end that follows. */
bool	pf_async_end_args(struct perfetto *, uint64_t key, uint32_t args, struct err *);
bool	pf_instant(struct perfetto *, uint64_t time, const struct pf_about *, char scope, struct err *);
bool	pf_level(struct perfetto *, uint64_t time, const struct pf_about *, double value, struct err *);
bool	pf_async_columns(struct perfetto *, struct err *);
bool	pf_async_args(struct perfetto *, struct err *);		/* the columns of args */

#endif
