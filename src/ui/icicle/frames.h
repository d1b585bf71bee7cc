/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frames: rows of boxes of the icicle and Stack chart: their positions, and how keys move between them.
 */
#ifndef UI_FRAMES_H
#define UI_FRAMES_H

#include "icecore/ui.h"

struct box {
	uint32_t	x, w;
	uint32_t	node;		/* node of the tree (in a group: the parent), or index of a span */
	uint32_t	first;		/* icicle: the node of the first frame in the row; node is of the last one */
	uint32_t	lead;		/* offset + 1 in frames.leads of the names before the last one; 0: none */
	uint32_t	method, thread, process;
	uint32_t	group;		/* 0: one call or frame; otherwise the number of merged ones */
	bool		crowd;		/* a group of calls in Stack chart */
	bool		idle;		/* a group of folded threads */
	bool		is_process;
	bool		match;
	char		 kind;		/* method_kind */
	bool		 bug;		/* the open bytecode has bugs in this method */
	int8_t		 shade;		/* growth (above 0) or decrease, up to SHADES */
	uint64_t	weight;
};

struct frames {
	struct box	*at;
	size_t		 n, cap;
	size_t		*level;		/* first frame of each level; one more than nlevels */
	size_t		 nlevels, caplevels;
	struct buf	 leads;		/* "a › b › ", each ends with NUL */
	size_t		 top, sel, sel_level;
	const struct store *st;		/* store with the modules of methods; or NULL */
	bool		 objects;	/* boxes are objects of a heap, with their names */
	bool		 differ;	/* boxes are coloured by their change */
	/*
	 * half: one of two icicles in a pane that share level 0. The lower one draws level 0 in its first
	 * line, which does not scroll. up: the upper one, whose levels grow upwards; it does not draw level
	 * 0. mute: nothing is shown as selected.
	 */
	bool		 half, up, mute;
	size_t		 h;		/* number of lines in the last drawing */
};

/* The boxes of a node: its own, one for children too narrow to draw, one for folded threads. */
enum box_part { PART_OWN, PART_REST, PART_IDLE };

static inline enum box_part
box_part(const struct box *b)
{
	return b->group == 0 ? PART_OWN : b->idle ? PART_IDLE : PART_REST;
}

void	 box_idle_name(uint32_t n, struct buf *);	/* "+19 idle threads"; appends */
void	 frames_clear(struct frames *);
void	 frames_free(struct frames *);
bool	 frames_level(struct frames *);		/* begin the next level */
struct box *frames_add(struct frames *, struct box);	/* NULL: out of memory */

static inline size_t
frames_begin(const struct frames *f, size_t level)
{
	return level < f->nlevels ? f->level[level] : f->n;
}

static inline size_t
frames_end(const struct frames *f, size_t level)
{
	return frames_begin(f, level + 1);
}

struct box *frames_selected(struct frames *);	/* NULL: there is none */
void	 frames_select(struct frames *, size_t i);
bool	 frames_move(struct frames *, enum verb, size_t height);
void	 frames_click(struct frames *, int y, int x);	/* select the box drawn at y, x, relative to the area */
bool	 frames_next_match(struct frames *, bool backward);
/* name appends the full raw name of a box that is not a group. */
void	 frames_draw(struct frames *, struct area, void *,
	    void (*name)(void *, const struct box *, struct buf *));
/*
 * frames_legend appends the meaning of colours and marks; kinds_legend that of the marks in kinds (letters of
 * method_kind).
 */
void	 frames_legend(const struct frames *, struct items *);
void	 kinds_legend(const char *kinds, struct items *);
/* Return "Class.method" of "a.b.Class.method"; a name without packages is unchanged. */
struct str frame_short(struct str full);
/*
 * Append a short form of "class a.b.Map$Node @12": without packages; if longer than w columns, without outer classes.
 */
void	 object_short(struct buf *, struct str full, size_t w);

extern const struct pane_kind pane_icicle, pane_sandwich;

#endif
