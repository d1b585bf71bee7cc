/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lanes: tracks of a pane: which are shown, and which has the focus.
 */
#ifndef UI_LANES_H
#define UI_LANES_H

#include "lane.h"

struct lanes {
	struct lane	*at;
	size_t		 n, cap;
	bool		 every;		/* tracks of CPUs and hidden tracks are shown, too */
	size_t		 focus;		/* 0: none; otherwise lane focus - 1 */
	size_t		 top;		/* the first drawn one of the shown lanes */
	uint64_t	 stretch;	/* selected interval of the focused lane */
};

void	lanes_clear(struct lanes *);		/* keeps its memory */
bool	lanes_shows(const struct lanes *, size_t lane);
/* Fold the tracks below a lane or show them; all: those below every lane. */
void	lanes_fold(struct lanes *, size_t lane, bool folded, bool all);
/* Show a lane, which may be below folded ones. */
void	lanes_reveal(struct lanes *, size_t lane);
/* After all were added: number those of one name, find those with nested tracks, and fold them. */
void	lanes_nest(struct lanes *);
size_t	lanes_shown(const struct lanes *);	/* number of shown lanes */
const struct lane *lanes_focused(const struct lanes *);	/* or NULL */
int	lanes_left(const struct lanes *, int w);	/* width of lane names on a line of w columns */
/* Return the next or previous shown lane as a focus; 0: none. */
size_t	lanes_beside(const struct lanes *, size_t focus, bool before);
/* the shown lane that says most about the thread, as a focus; 0: none */
size_t	lanes_first(const struct lanes *);
void	lanes_scroll(struct lanes *, size_t room);	/* scroll so that the focused lane is drawn */

#endif
