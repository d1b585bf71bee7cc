/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spans: threads and events of spans_in.c, which spans_nest.c converts to calls.
 */
#ifndef LOAD_SPANS_H
#define LOAD_SPANS_H

#include <assert.h>

#include "profile.h"

struct span_thread {
	struct str	name, ids[2];	/* in the source; process and thread */
	uint64_t	own, own_n;	/* 1 + offset of the name in text, and its length; own 0: name is used */
	uint32_t	pid, tid;
};

enum span_kind { SPAN_WHOLE, SPAN_BEGIN, SPAN_END };

struct span_row {
	uint64_t	thread, start;	/* first: make_sort_both */
	uint64_t	length;
	uint32_t	cpu;		/* row of cpus, from 1; 0: its CPU time is unknown */
	uint32_t	frame;
	uint32_t	order;		/* number, in order of appearance */
	uint32_t	cat : 30, kind : 2;	/* kind: enum span_kind */
};

/* CPU times, which few formats have. */
struct span_cpu {
	uint64_t	at, length;	/* or SPAN_NO_CPU */
};

/* NULL: unknown. */
static inline struct span_cpu *
spans_cpu(const struct spans_in *in, const struct span_row *row)
{
	return row->cpu == 0 ? NULL : &SCRATCH(in->cpus, struct span_cpu)[row->cpu - 1];
}

static inline struct span_thread *
spans_thread_at(const struct spans_in *in, uint32_t thread)
{
	assert(thread != 0 && thread <= in->nthreads);
	return &SCRATCH(in->threads, struct span_thread)[thread - 1];
}

bool	spans_threads(struct spans_in *, struct err *);

/*
 * An open span.  same: depth of the next outer span with its frame; 0: none.  left: its own depth; after a
 * strange end closed it, a smaller depth: spans between the two are closed as well.
 */
struct open_span {
	uint32_t	row, same, left;
};

/* An end that names no open span, and the number of open spans at it. */
struct strange_end {
	struct span_row	end;
	uint32_t	depth;
};

/* Open spans of a thread while its begins and ends are paired. */
struct span_pairs {
	struct spans_in	*in;
	ARRAY(struct open_span)	open;
	ARRAY(struct strange_end)	strange;
	ARRAY(uint32_t)	innermost;	/* by frame: the depth of its innermost open span; 0: none */
	uint64_t	 depth, nstrange;
};

/*
 * Pair the begins and ends of a thread, which are in order of time.  *n: number of rows, later that of spans.
 * Spans without an end stay SPAN_BEGIN.
 */
bool	spans_pair(struct span_pairs *, struct span_row *, uint64_t *n, struct err *);
void	spans_pairs_close(struct span_pairs *);
struct span_args spans_args_of(const struct spans_in *, const struct span_row *);

#endif
