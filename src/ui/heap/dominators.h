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
	uint32_t	 going_to;	/* object to go to when the tree is expanded far enough */
	size_t		 branch;	/* object whose children are grouped */
	enum kinship	 kind;		/* kind of groups */
	struct buf	 going;		/* branches that the worker expands again; empty: none */
	uint64_t	 going_row, going_top;
};

static inline bool
dominators_usable(const struct dominators *d)
{
	return list_usable(d->list) && !d->list->task.given && d->list->now.known > 0;
}

static inline struct rows *
dominators_rows(const struct dominators *d)
{
	return d->list->now.rows;
}

extern const struct placed_kind dominators_places;	/* dominators_undo.c */

#endif
