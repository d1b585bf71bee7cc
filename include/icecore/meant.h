/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * meant: what the bytes of a file mean, as its loader reads them, for code that copies the file without
 * what is private.
 *
 * A loader reports the parts of a file by `meant` of struct loader, in the order of their place, none
 * inside another.  Bytes that no part covers are text of unknown meaning, as are lines that the loader does
 * not read: private.  So a loader reports only what its own readers took whole.
 */
#ifndef ICECORE_MEANT_H
#define ICECORE_MEANT_H

#include "icecore/work.h"

enum meaning {
	MEANT_FORM,	/* the format's own words, and numbers that are ids, times or counts: they stay */
	MEANT_WHO,	/* a process, thread, user, host, package */
	MEANT_USER,	/* a user in a path, whose name is hidden in all names of the file */
	MEANT_PLACE,	/* a directory in a path that may be that of a user: it is only hidden there */
	MEANT_NAME,	/* a name in a program: function, class, file, event, tag */
	/*
	 * A name of several words, as functions with their classes and paths: each is replaced alone, marks
	 * between them stay.
	 */
	MEANT_WORDS,
	MEANT_TEXT,	/* contents: messages, arguments, values */
	/* A Java class, package or module, or a descriptor with classes: those of the platform stay. */
	MEANT_CLASS,
	MEANT_MEMBER,	/* a method or field of a Java class */
	MEANT_NUMBER,	/* a number of somebody's data, or damaged bytes: zeros */
	MEANT_DIGITS,	/* a private number in JSON: each digit becomes 1 */
	/* The same two, in an event of the program's own: redact --numbers. */
	MEANT_OWN_NUMBER,
	MEANT_OWN_DIGITS,	/* also hexadecimal ones */
};

struct meant_part {
	uint64_t	at, n;
	enum meaning	means;
	/* Numbers of 7 bits per byte, at most 9 bytes: each is a character, or the number. */
	bool		packed;
	/* The field, for people: "sched_switch prev_comm"; lives as long as the call. */
	const char	*path;
};

typedef bool (*meant_take)(void *arg, const struct meant_part *, struct err *);

#endif
