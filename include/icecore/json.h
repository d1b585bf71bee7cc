/*
 * json: JSON values read in place, one after the other: no tree, no recursion, no memory.
 */
#ifndef ICECORE_JSON_H
#define ICECORE_JSON_H

#include "icecore/base.h"
#include "icecore/str.h"

/* A place in a text.  A plain value: copy it to come back. */
struct json {
	const char	*base;
	uint64_t	 size, at;
	bool		 bad;		/* it is cut or no JSON, behind at nothing was read */
};

char	scan_peek(struct json *);	/* the byte that the next value begins with; 0: there is none */
bool	scan_open(struct json *, char bracket);	/* into an object or array */
/* The next member: its name without quotes, the value comes next.  False behind the last one. */
bool	scan_member(struct json *, struct str *name);
bool	scan_item(struct json *);	/* the next one comes; false behind the last one */
bool	scan_word(struct json *, struct str *);	/* a number, true, false or null; of a string its text */
bool	scan_plain(struct json *, struct str *);	/* the same, and skips any value; for an object or array nothing */
bool	scan_skip(struct json *);
struct str scan_unescape(struct str raw, struct buf *);	/* the text of a string: the slice itself, or a copy without escapes in the buffer */
/* A number that is not below 0 times 10^decimals, rounded down; the most there is when it is too large. */
bool	scan_fixed(struct str, unsigned decimals, uint64_t *);

#endif
