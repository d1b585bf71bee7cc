/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * views: the steps that views are made of.  Each puts one store over *top, which it replaces; what it failed
 * on is closed.
 */
#ifndef PASS_VIEWS_H
#define PASS_VIEWS_H

#include "icecore/texts.h"
#include "icecore/view.h"

#include "pass/calls/calls.h"

#define VIEW_RULES 64u		/* a bit each */

/* Copies the texts to a store over another; refs[n - 1] is then the ref of text n. */
bool	view_put_texts(const struct text_pool *, struct store *, struct scratch *refs, struct err *);

/* Samples of one event, in a piece of time. */
bool	view_samples(struct store **top, const struct view *, struct work *, struct err *);
/* Calls, as far as they are inside a time range. */
bool	view_records(struct store **top, const struct view *, struct work *, struct err *);
/* A time range for views other than call trees: tasks, CPUs, states, values, switches, spans. */
bool	view_times(struct store **top, const struct view *, struct err *);
bool	view_put_range(struct store *, const struct view *, struct err *);	/* what view_range returns */
/* Rules, groups, threads. */
bool	view_rules(struct store **top, const struct view *, struct work *, struct err *);
/* Subtracts a store from *top; event: the default event to compare, or empty. */
bool	view_less(struct store **top, struct store *before, const struct view *, struct str event,
    struct work *, struct err *);

/* True if two profiles have the same current event, or the names show no difference. */
bool	events_alike(const struct store *after, const struct store *before);
/* Finds an event that two profiles share; 0 if their current events are alike, or if they share none. */
void	events_common(const struct store *after, const struct store *before, uint32_t *of_after,
    uint32_t *of_before);
/* Fails, listing the events that could be compared, or because the files are of different kinds. */
bool	events_fail(const struct store *after, const struct store *before, struct err *);

/* Names of threads, besides those that passes make. */
#define LISTED_THREADS \
	COL_LISTED_TID, COL_LISTED_PID, COL_LISTED_THREAD, COL_LISTED_THREAD_OWN, COL_LISTED_BEFORE, \
	COL_LISTED_EARLIER, \
	COL_LISTED_EARLIER_TEXT, COL_SIDE_TID, COL_SIDE_NAME, COL_SIDE_STATE, COL_SIDE_TOP, COL_SIDE_EARLIER, \
	COL_SIDE_BY, COL_SIDE_LISTED, \
	COL_SIDE_ALIKE, COL_SIDE_TEXT

/* Completes a store made over *top: if whole, it replaces *top, otherwise it is closed.  Returns whole. */
bool	view_put(struct store **top, struct store *made, bool whole);

/* Weight of a thread outside of its top-level calls: samples without frames, hidden frames. */
void	view_rest(const struct store *, uint32_t thread, uint64_t *wall, uint64_t *cpu);

#endif
