/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lines: the lines of a text, one after another, for loaders of text.
 *
 * A line ends with "\n" or "\r\n"; the last one may have no end, and may be incomplete.  Lines of a log
 * begin with a prefix that is taken off.  Texts are UTF-8: decode.h has converted UTF-16, and joined the
 * lines that a log wraps, before a loader reads them.  A copy of the struct looks ahead without effects.
 * To limit the bytes that are read, shorten rest.
 */
#ifndef ICECORE_LINES_H
#define ICECORE_LINES_H

#include "icecore/work.h"

struct lines {
	struct str	 rest;		/* from the next line on */
	const char	*begin;		/* where the text begins */
	uint64_t	 next_look;	/* the offset at which the work is looked at next */
	/*
	 * Runs of digits and of blanks may be longer or shorter; empty: there is none. If it ends with a blank, it is
	 * blanks alone, and those at the start of a line.
	 */
	struct str	 prefix;
	uint64_t	 prefixed;	/* lines that had it */
	bool		 cut;		/* the line that was taken last has no end */
};

static inline struct lines
lines_of(struct str text)
{
	return (struct lines){ .rest = text, .begin = text.s };
}

/* Return the offset of the next line. */
static inline uint64_t
lines_at(const struct lines *l)
{
	return (uint64_t)(l->rest.s - l->begin);
}

/* Take the prefix off the front of a line; false: the line has another one. */
bool	lines_take_prefix(struct str *line, struct str prefix);

/* Take the next line, without its end; false: there is none. */
static inline bool
lines_next(struct lines *l, struct str *line)
{
	const char *end;

	if (l->rest.n == 0)
		return false;
	end = memchr(l->rest.s, '\n', l->rest.n);
	l->cut = end == NULL;
	*line = (struct str){ l->rest.s, l->cut ? l->rest.n : (size_t)(end - l->rest.s) };
	l->rest.s += line->n + !l->cut;
	l->rest.n -= line->n + !l->cut;
	line->n -= line->n > 0 && line->s[line->n - 1] == '\r';
	if (l->prefix.n > 0)
		l->prefixed += lines_take_prefix(line, l->prefix);
	return true;
}

/* Show the progress of the work at an offset, at most once in 64 KiB; false: it was cancelled. */
static inline bool
lines_look(struct lines *l, uint64_t at, struct work *w, struct err *err)
{
	if (at < l->next_look)
		return true;
	l->next_look = at + 65536;
	return work_go(w, at, err);
}

/* Return whether the text has such a line; the last one may be cut. */
bool	lines_have(struct str text, bool (*is)(struct str line));

#endif
