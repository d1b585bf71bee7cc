/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ftrace: what ftrace.c gives to ftrace_spans.c.
 */
#ifndef LOAD_PERFETTO_FTRACE_H
#define LOAD_PERFETTO_FTRACE_H

#include "perfetto.h"

/* The fields of an event outside the message of its kind. */
struct pf_event_of {
	uint64_t	time;
	uint32_t	tid, flags;
	bool		has_tid;
};

/* ftrace.c: the message of an event.  False: it is damaged. */
bool	pf_event_read(struct str, struct kernel_event *, struct pf_event_of *);

/*
 * An event that only packets have: it begins or ends a call, or is a mark of a driver. *known false: it is another one.
 */
bool	pf_play_span(struct perfetto *, const struct kernel_when *, const struct kernel_event *, bool *known,
    struct err *);

#endif
