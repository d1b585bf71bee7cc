/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * event_args: args of a trace event, read from the file in place.
 */
#ifndef ICECORE_EVENT_ARGS_H
#define ICECORE_EVENT_ARGS_H

#include "icecore/store.h"

#define ARGS_DEPTH 64u		/* deeper values are reported as raw JSON */

/* An arg, or a member or item of one. */
struct event_arg {
	unsigned	 depth;		/* number of enclosing args, which are reported first */
	struct str	 name;		/* "[3]" for an item of an array */
	struct str	 value;		/* without escapes; empty for objects and arrays with members */
};

/*
 * The args of a call, by the row of its enter (struct span), in file order.  Args of its end are added to
 * those of its begin and override them.  False: truncated at the limit.
 */
bool	event_args(const struct store *, uint64_t row, void (*tell)(void *, const struct event_arg *),
    void *);
/* Appends a short description of the args of a call; nothing if it has none. */
void	event_detail(const struct store *, uint64_t row, struct buf *);
/* The same for rows of args.place, of a begin and an end; 0: none. */
void	args_detail(const struct store *, uint64_t begin, uint64_t end, struct buf *);

#endif
