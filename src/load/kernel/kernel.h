/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel: what marks of user space in the kernel's trace (mark.h) mean.  Traces as text (text_trace.c) and as packets (load/perfetto) play
 * them here, in order of time, each with the threads and processes that it knows.
 */
#ifndef LOAD_KERNEL_H
#define LOAD_KERNEL_H

#include "icecore/mark.h"
#include "load/profile/profile.h"
#include "load/sched/beside.h"

/* ---- async spans: rows of marks_in --------------------------------------------------------- */

struct async_row {
	struct mark_span is;
	uint32_t	id, parent, points, series, args, end_args;
};

static inline struct async_row *
async_row(const struct marks_in *m, uint64_t span)
{
	return (struct async_row *)(void *)marks_span(m, span);
}

/*
 * Spans of a key nest: one that begins within another one has that as its parent.  Those like one that this describes are one line over
 * time; up: 1 + the series above it, 0: none.
 */
bool	async_begin(struct marks_in *, uint64_t key, struct async_row *, const struct mark_span *like, uint32_t up, struct err *);
/* End the innermost one; without one, count it. */
bool	async_end(struct marks_in *, uint64_t key, uint64_t time, struct err *);
/* *span 0: the key has no open span. */
bool	async_innermost(struct marks_in *, uint64_t key, uint32_t *span, struct err *);
/* async.* and operation.*; spans that are open end at that time. */
bool	async_columns(struct marks_in *, uint64_t end, struct err *);

/* A value of a counter; unit: what it counts in, empty: unknown. */
bool	counter_value(struct marks_in *, uint64_t time, uint32_t name, uint32_t process, struct str unit, double value, struct err *);

/* ---- marks ------------------------------------------------------------------------------------- */

/* All of these are about the thread that wrote the mark, which arg knows; times are ns since the first event. */
struct mark_player {
	struct marks_in	*marks;
	/* A call of it begins or ends: B or E.  It is a thread of that process; 0: unknown. */
	bool		(*call)(void *arg, uint64_t time, char letter, uint32_t pid, struct str name, struct err *);
	/* Its number for instants; 0: it has none.  It is a thread of that process. */
	bool		(*thread)(void *arg, uint32_t pid, uint32_t *thread, struct err *);
	/* The number of a process of marks, which may be new; pid 0: what is of no process.  0: failure. */
	uint32_t	(*process)(void *arg, uint32_t pid, struct err *);
	void		*arg;
	uint64_t	bad;		/* marks that are not shown */
};

/* The name of a call, which may be empty. */
static inline struct str
mark_call_name(struct str name)
{
	return name.n > 0 ? name : STR(SCHED_OWN_NAMES);
}

bool	mark_play(struct mark_player *, uint64_t time, const struct user_mark *, struct err *);

#endif
