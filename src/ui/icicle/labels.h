/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * labels: names for the boxes of a level, shortened to their widths so that they stay distinct.
 */
#ifndef UI_LABELS_H
#define UI_LABELS_H

#include "icecore/name.h"
#include "frames.h"

/* A box with room for a name. */
struct label {
	struct buf	 full, fit, marks;
	uint32_t	 method;
	bool		 alike;		/* another name in the level has the same short form */
};

struct labels {
	struct label	 *at;
	struct name_shown *shown;
	size_t		 n, most;
};

/* Allocate labels for the levels from the top one to end; false: out of memory. Call labels_free in either case. */
bool	labels_open(struct labels *, const struct frames *, size_t end);
void	labels_free(struct labels *);
/* Compute the labels of a level, in order: boxes at least two columns wide, without groups. */
void	labels_level(struct labels *, const struct frames *, size_t level, void *,
	    void (*name)(void *, const struct box *, struct buf *));
/* Return "a.b.Node" of "a.b.Node @12". */
struct str object_without_number(struct str full);

#endif
