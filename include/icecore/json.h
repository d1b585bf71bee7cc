/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json: read JSON values in place, one after another, without a tree, recursion or memory.
 */
#ifndef ICECORE_JSON_H
#define ICECORE_JSON_H

#include "icecore/base.h"
#include "icecore/str.h"

/* A position in a text.  Copy it to return to the position later. */
struct json {
	const char	*base;
	uint64_t	 size, at;
	bool		 bad;		/* the text is truncated or invalid; nothing after at was read */
};

char	scan_peek(struct json *);	/* the first byte of the next value; 0: no more values */
bool	scan_open(struct json *, char bracket);	/* enter an object or array */
/* Read the name of the next member, without quotes; its value follows.  False after the last member. */
bool	scan_member(struct json *, struct str *name);
bool	scan_item(struct json *);	/* move to the next item of an array; false after the last one */
bool	scan_word(struct json *, struct str *);	/* read a number, true, false, null, or the content of a string */
bool	scan_plain(struct json *, struct str *);	/* the same, but skips objects and arrays and returns an empty string */
bool	scan_skip(struct json *);
struct str scan_unescape(struct str raw, struct buf *);	/* the text of a string: the slice itself, or a copy without escapes in the buffer */
/* Read a number of at least 0, multiplied by 10^decimals and rounded down; UINT64_MAX if it is too large. */
bool	scan_fixed(struct str, unsigned decimals, uint64_t *);

#endif
