/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reports: reports of crashes and dumps of ART line by line, for logs of Android, which have both.
 */
#ifndef LOAD_STACKS_REPORTS_H
#define LOAD_STACKS_REPORTS_H

#include "dumps_in.h"

struct crash {
	struct dumps_in	*in;
	struct str	 heading;	/* what a sanitizer says of the next frames */
	bool		 open;		/* frames belong to the thread */
	bool		 fresh;		/* a report has begun: the next thread is of a new dump */
	bool		 panic;		/* frames of a Rust panic follow */
	bool		 sanitizer;	/* a sanitizer has reported something */
	struct str	 program;
	struct str	 queue;		/* dispatch queue, which names the next thread (macOS) */
	uint64_t	 pid;
};

/* Take a line without blanks at its ends; false: it belongs to no report. */
bool	crash_takes(struct crash *, struct str line);
void	crash_finish(struct dumps_in *);	/* the end of a thread */

struct art {
	struct dumps_in	*in;
	bool		 headed, closed;	/* the open dump has a heading, its end mark */
};

/* Take the head of a process or of a thread; false: another line. */
bool	art_begins(struct art *, struct str line);
/* Take a line behind the head of a thread. */
void	art_goes_on(struct art *, struct str line);
void	art_end(struct art *);		/* after the last line */

#endif
