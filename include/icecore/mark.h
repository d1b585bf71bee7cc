/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mark: marks that user space writes into the kernel's trace (tracing_mark_write, print): "B|12|name", "E|12", "S|12|name|cookie",
 * "C|12|name|5", "trace_event_clock_sync: parent_ts=5.2".  All loaders read them here, and redaction does.
 */
#ifndef ICECORE_MARK_H
#define ICECORE_MARK_H

#include "icecore/base.h"
#include "icecore/meant.h"

#define MARK_SYNC 's'

/* Slices are pieces of the text; those that the mark does not have are empty. */
struct user_mark {
	char		letter;		/* B E: a call; S F, G H: begin and end of async slices; I N: instants; C: a counter; MARK_SYNC */
	bool		realtime;	/* of MARK_SYNC: milliseconds of the calendar; otherwise seconds of CLOCK_MONOTONIC */
	bool		synced;		/* of MARK_SYNC: it has a time that can be read */
	uint32_t	pid;		/* 0: E may have none */
	int64_t		value;		/* of C */
	uint64_t	time;		/* ns, if synced */
	struct str	track;		/* of G, H, N */
	struct str	name;		/* of H, it may be empty; of B, too; B, I and N may have | in it */
	struct str	cookie;		/* of S, F, G, H: a number */
	struct str	group;		/* of C: the category that Chrome writes */
	struct str	extra;		/* bytes behind the mark that mean nothing to it */
};

/* Reads a mark; line ends and NUL after it do not belong to it.  False: the text is another one. */
bool	mark_read(struct str text, struct user_mark *);

enum { MARK_PIECES = 4 };

/* A part of a text of user space that may be private.  Parts are in order of place, and not empty. */
struct mark_piece {
	struct str	text;
	enum meaning	means;
	const char	*path;		/* as of struct meant_part */
};

/* The rest of the text is the form of a mark, and numbers.  A text that is not a mark is one piece. */
size_t	mark_private(struct str text, struct mark_piece pieces[MARK_PIECES]);

#endif
