/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marking: a range of time while the user marks it by cells, with keys or the mouse. Times are ns of the axis.
 */
#ifndef UI_MARKING_H
#define UI_MARKING_H

#include "lane.h"

struct marking {
	bool		 open;
	uint64_t	 anchor, at;	/* start and current end: starts of cells */
	uint64_t	 cell;		/* length of the cell at "at" */
};

void	marking_to(struct marking *, uint64_t at, uint64_t cell);	/* start marking if it is not active */
/* The range to show on an axis: the one being marked, otherwise that of the view; false: none. */
bool	marking_shown(const struct marking *, const struct ui *, uint64_t *from, uint64_t *to);
void	marking_set(struct marking *, struct ui *);	/* make it the range of all panes, and stop marking */
/* Mouse drag on the axis from one screen column to another. */
void	marking_drag(struct marking *, struct ui *, const struct axis *, int from, int to, bool end);
void	marking_status(const struct marking *, struct buf *);	/* append both ends and the keys */

#endif
