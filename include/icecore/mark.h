/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mark: marks that user space writes into the kernel's trace (tracing_mark_write, print): "B|12|name",
 * "E|12", "S|12|name|cookie", "C|12|name|5", "trace_event_clock_sync: parent_ts=5.2".  All loaders read
 * them here, and redaction does.
 */
#ifndef ICECORE_MARK_H
#define ICECORE_MARK_H

#include "icecore/base.h"
#include "icecore/meant.h"

#define MARK_SYNC 's'

/* Slices are pieces of the text; those that the mark does not have are empty. */
struct user_mark {
	/* B, E: begin, end of a call; S, F, G, H: of async slices; I, N: instant; C: counter; MARK_SYNC. */
	char		letter;
	/* MARK_SYNC in milliseconds of the calendar; otherwise in seconds of CLOCK_MONOTONIC. */
	bool		realtime;
	bool		synced;		/* MARK_SYNC has a readable time */
	uint32_t	pid;		/* 0: none, only for E */
	int64_t		value;		/* counter value */
	uint64_t	time;		/* ns, if synced */
	struct str	track;		/* for G, H, N: the name of the track */
	struct str	name;		/* may be empty for B and H; may contain | for B, I and N */
	struct str	cookie;		/* for S, F, G, H: digits */
	int64_t		id;		/* number of the digits of cookie */
	struct str	group;		/* category of a counter of Chrome */
	struct str	extra;		/* unused bytes after the mark */
};

/* Read a mark; line ends and NUL after it are not part of it.  False: not a mark. */
bool	mark_read(struct str text, struct user_mark *);

/*
 * The key of the slice of an S, F, G or H: a hash of the process, of the track or otherwise the name, and of
 * the number.
 */
uint64_t mark_key(const struct user_mark *);

enum { MARK_PIECES = 7 };

/* A part of a text of user space that may be private.  Parts are in order of place, and not empty. */
struct mark_piece {
	struct str	text;
	enum meaning	means;
	const char	*path;		/* field, for people: path of struct meant_part */
};

/* The rest of the text is the form of a mark, and numbers.  A text that is not a mark is one piece. */
size_t	mark_private(struct str text, struct mark_piece pieces[MARK_PIECES]);

#endif
