/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * boxes: flame graphs as rectangles, each above its caller, read back as stacks.
 */
#ifndef LOAD_TRACERS_BOXES_H
#define LOAD_TRACERS_BOXES_H

#include "tracers_in.h"

#define BOX_NO_COUNT UINT64_MAX
#define BOX_THREAD UINT32_MAX	/* the box is no frame: it names the thread of those above it */

/* Places are in any unit; those of an exact file are whole counts. */
struct flame_box {
	uint64_t	level, x;	/* level 0: the root; these two first: make_sort_both */
	uint64_t	w, count;	/* count: BOX_NO_COUNT: unknown, the width says it */
	uint64_t	left;		/* count without the boxes on it */
	uint64_t	before;		/* value of the other side of a comparison, plus BOX_ZERO */
	uint32_t	frame, stack;	/* frame 0: not a frame: the root */
	uint32_t	thread;		/* 0: that of the box below */
	const char	*at;
};

#define BOX_ZERO ((uint64_t)1 << 62)

struct boxes {
	ARRAY(struct flame_box) row;
	uint64_t	n;
	uint64_t	slack;		/* places of boxes differ by as much from what they should be */
};

/* Sets the frame or the thread that a box names, above the root.  If that fails, in->bad is set. */
void	box_named(struct tracers_in *, struct flame_box *, struct str name);
/*
 * Finds the box under each box and adds the samples of each: its count without the boxes on it.  The first
 * row with level 0 is the root.  Counts boxes of guessed places, without a box below, and with a count by width.
 */
void	boxes_read(struct tracers_in *, struct boxes *);

#endif
