/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dominators: declarations shared by the pane (dominators.c) and its undo steps (dominators_undo.c).
 */
#ifndef UI_DOMINATORS_H
#define UI_DOMINATORS_H

#include "branches.h"
#include "ui/list/list.h"

struct dominators {
	struct list	*list;
	uint32_t	 wanted;	/* object to go to as soon as there are rows */
	uint32_t	 going_to;	/* the same, when the tree is expanded far enough */
	size_t		 branch;	/* object to group children of, */
	enum kinship	 kind;		/* and the kind of groups */
	struct buf	 place;		/* place to restore when there are rows; empty: none */
	struct buf	 going;		/* the same, when the tree is expanded again */
};

static inline bool
dominators_usable(const struct dominators *d)
{
	return list_usable(d->list) && !d->list->task.given && d->list->now.known > 0;
}

/* dominators_undo.c */
void	dominators_keep(struct pane *, struct buf *);
void	dominators_put(struct pane *, struct str place, bool moved);
void	dominators_mark(struct pane *, struct buf *);
bool	dominators_recall(struct pane *, struct str text, bool moved);
void	dominators_go(struct dominators *);	/* restore the place of undo, if there is one */
void	dominators_forget(struct dominators *);

#endif
