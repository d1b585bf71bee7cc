/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * short: a name that is being shortened, a byte at a time: leaving out, and in which order.
 */
#ifndef BASE_SHORT_H
#define BASE_SHORT_H

#include "icecore/name.h"

#define SHORT_PIECE 8192u		/* bytes that are looked at: of longer names so many first and last ones */
#define SHORT_LONGEST (2 * SHORT_PIECE)
#define SHORT_GROUPS 256u

/* Flags of a byte. */
enum {
	GONE = 1,
	SILENT = 2,		/* needs no mark */
	KEPT = 4,		/* must be seen */
	BEGINS = 8		/* a character */
};

/* A pair of brackets. */
struct brackets {
	uint16_t	open, close, depth;
};

struct cutter {
	struct str	 s;
	size_t		 width, goal, mark;	/* columns: of what is left, at most, of a mark */
	struct name_parts parts;
	struct brackets	 group[SHORT_GROUPS];
	size_t		 ngroups;
	uint8_t		 cols[SHORT_LONGEST], is[SHORT_LONGEST];
	char		 text[SHORT_LONGEST];
};

static inline bool
cutter_marks(const struct cutter *c, size_t at)
{
	return (c->is[at] & (GONE | SILENT)) == GONE;
}

/* Each unbroken run of dropped characters gets a mark, if part of it needs one. */
static inline bool
cutter_mark_begins(const struct cutter *c, size_t at)
{
	if (!cutter_marks(c, at))
		return false;
	while (at > 0 && (c->is[at - 1] & SILENT))
		at--;
	return at == 0 || !cutter_marks(c, at - 1);
}

/* Return where the next character begins. */
static inline size_t
cutter_next(const struct cutter *c, size_t at)
{
	for (at++; at < c->s.n && (c->is[at] & BEGINS) == 0; at++)
		;
	return at;
}

/* Bytes from .. to - 1 become GONE, whether SILENT or not, except those that are KEPT. */
void	cutter_leave_out(struct cutter *, size_t from, size_t to, unsigned how);
/* Piece by piece, until it fits; false: what is left must be cut. */
bool	cutter_shorten(struct cutter *);
/* places: what is KEPT, which goes last. */
void	cutter_cut(struct cutter *, bool places);

#endif
