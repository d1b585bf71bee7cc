/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_fold: fold idle threads into one box at the end of their row until Enter shows them. On the wall
 * clock parked threads would take most of the width.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/view.h"
#include "icicle.h"

enum { LEFT_LEAST = 2 };

static bool
can_fold(const struct icicle *ic)
{
	return ic->kind == TREE_CALLS && ic->root == TREE_ROOT && ic->nthreads == 0 && !ic->unfolded &&
	    ui_session(ic->pane->ui)->clock != CLOCK_CPU && trace_has_idle(ic->st);
}

static bool
icicle_fold_is_idle(struct icicle *ic, uint32_t node)
{
	struct tree_node n;

	tree_peek(ic->tree, node, &n);
	return n.parent == TREE_ROOT && thread_idle(ic->st, n.thread) && !mark_has(ic->pane->ui, n.thread);
}

/* Threads without time never get a box, but are counted: other panes show the same number of idle threads. */
static uint32_t
count_idle(const struct icicle *ic)
{
	uint64_t	threads = column_rows(store_column(ic->st, COL_THREAD_IDLE));
	uint32_t	n = 0;

	for (uint64_t i = 1; i <= threads; i++)
		n += thread_idle(ic->st, (uint32_t)i) && !mark_has(ic->pane->ui, (uint32_t)i);
	return n;
}

/* Do not fold if fewer than LEFT_LEAST other threads would remain. */
void
icicle_fold(struct icicle *ic)
{
	uint64_t	weight;
	size_t		left = 0;

	ic->folded = (struct folded){ .n = 0 };
	if (!can_fold(ic))
		return;
	for (uint32_t id = tree_first(ic->tree, TREE_ROOT); id != 0; id = tree_next(ic->tree, id)) {
		if ((weight = icicle_weight(ic, id)) == 0)
			continue;
		if (!icicle_fold_is_idle(ic, id)) {
			left++;
			continue;
		}
		ic->folded.sum = num_add(ic->folded.sum, weight);
		if (weight > ic->folded.most) {
			ic->folded.most = weight;
			ic->folded.first = id;
		}
	}
	if (left >= LEFT_LEAST && ic->folded.sum > 0)
		ic->folded.n = count_idle(ic);
}

bool
icicle_folds(struct icicle *ic, uint32_t node)
{
	return ic->folded.n > 0 && icicle_fold_is_idle(ic, node);
}

/*
 * Return the share of the width, limited to the length of the name and to a third, so that busy threads get the room.
 */
uint32_t
icicle_fold_width(struct icicle *ic, const struct box *all)
{
	struct buf	name = BUF_INIT;
	double		scale = (double)ic->folded.sum / (double)all->weight * all->w;
	uint32_t	most, w = scale < all->w ? (uint32_t)scale : all->w;

	box_idle_name(ic->folded.n, &name);
	most = (uint32_t)name.n + 2;
	buf_free(&name);
	most = most < all->w / 3 ? most : all->w / 3;
	return w < 1 ? 1 : w < most ? w : most;
}
