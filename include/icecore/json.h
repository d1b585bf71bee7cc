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
/* Read a number, true, false, null, or the content of a string. */
bool	scan_word(struct json *, struct str *);
/* The same, but skips objects and arrays and returns an empty string. */
bool	scan_plain(struct json *, struct str *);
bool	scan_skip(struct json *);
/*
 * For each item of an array, up to damage: "JSON_EACH(array, item) use(item);" Any other value has no
 * items.
 */
#define JSON_EACH(array, item) for (struct json item##_rest = json_items(array), item; json_next(&item##_rest, &item); )
/*
 * The text of a string: the slice itself, or a copy without escapes in the buffer.  Some programs write paths
 * of Windows without escapes.  So a string with an escape that JSON lacks keeps all its backslashes, except in
 * front of quotes.
 */
struct str scan_unescape(struct str raw, struct buf *);
/* How many such strings this thread has read since the last call. */
uint64_t scan_plain_read(void);
/*
 * Whether the text is one value exactly by RFC 8259; the other functions accept more.  False with *deep:
 * more than SCAN_DEPTH objects and arrays are open at once.
 */
#define SCAN_DEPTH 32
bool	scan_strict(struct str, bool *deep);
/* Read a number of at least 0, multiplied by 10^decimals and rounded down; UINT64_MAX if it is too large. */
bool	scan_fixed(struct str, unsigned decimals, uint64_t *);

/* The position at the first item; base NULL: not an array. */
static inline struct json
json_items(struct json array)
{
	return scan_open(&array, '[') ? array : (struct json){ .base = NULL };
}

static inline bool
json_next(struct json *rest, struct json *item)
{
	if (rest->base == NULL || !scan_item(rest))
		return false;
	*item = *rest;
	scan_skip(rest);
	return true;
}

/* Read the next item of an array as a word, as scan_plain does. */
static inline bool
json_next_word(struct json *rest, struct str *word)
{
	return rest->base != NULL && scan_item(rest) && scan_plain(rest, word);
}

/* Whether there is a value at this position. */
static inline bool
json_is(struct json j)
{
	return j.at < j.size;
}

#endif
