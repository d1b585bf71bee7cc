/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dominators_undo: places in the dominator tree: the object for marks; expanded lines, groups and the
 * selection for undo. The worker rebuilds the groups.
 */
#include "config.h"

#include <string.h>

#include "dominators.h"

/* branches: the expanded ones, parents first, as BRANCH_NUMBERS each. */
#define DOMINATORS_AT(F, s) F(s, NUMBER, MARK, object) F(s, NUMBER, STEP, row) F(s, NUMBER, STEP, top) F(s, NUMBERS, \
    STEP, branches)

PLACED(dominators_at, DOMINATORS_AT);

/* The branch above, the line in it, the object, and the kind of groups of its lines. */
enum { BRANCH_UP, BRANCH_AT, BRANCH_OBJECT, BRANCH_KIND, BRANCH_NUMBERS };

static bool
dominators_undo_take(struct pane *p, void *place, enum placed_use use)
{
	struct dominators *d = p->data;
	struct dominators_at *at = place;
	const struct branches *t;

	if (d->going.n > 0 && use == OF_STEP) {
		at->row = d->going_row;
		at->top = d->going_top;
		buf_str(&at->branches, buf_view(&d->going));
		return true;
	}
	if (!dominators_usable(d))
		return false;
	at->object = pane_selected(p);
	at->row = d->list->sel;
	at->top = d->list->top;
	t = (const struct branches *)dominators_rows(d);
	for (size_t i = 0; use == OF_STEP && i < t->n; i++) {
		const struct branch *b = &t->branch[i];
		uint32_t number[BRANCH_NUMBERS] = { (uint32_t)b->up, (uint32_t)b->at, b->object,
		    b->kin != NULL ? b->kin->kind : KIN_NONE };

		buf_add(&at->branches, number, sizeof number);
	}
	return true;
}

/* Expand the branches, as far as the same objects are dominated. */
static bool
unfold_all(struct list *l, struct work *work, struct err *err)
{
	struct dominators *d = l->pane->data;
	struct rows	*r = l->now.rows;
	struct branches	*t = (struct branches *)r;
	uint32_t	 b[BRANCH_NUMBERS];
	struct kin	*kin;
	uint64_t	 line;

	for (size_t i = 0; i < d->going.n / sizeof b; i++) {
		memcpy(b, d->going.s + i * sizeof b, sizeof b);
		kin = NULL;
		if (b[BRANCH_KIND] != KIN_NONE &&
		    (kin = kin_make(branches_heap(r), b[BRANCH_OBJECT], (enum kinship)b[BRANCH_KIND], work,
		    err)) == NULL)
			return false;
		if (i == 0) {
			branches_start(r, b[BRANCH_OBJECT]);
			branches_group(r, 0, kin);
			continue;
		}
		line = b[BRANCH_UP] < i ? branches_line(r, b[BRANCH_UP], b[BRANCH_AT]) : ROWS_ALL;
		if (line >= branches_lines(r)) {
			kin_free(kin);
			break;
		}
		if (!branches_unfold(r, line, kin) || t->n != i + 1 ||
		    t->branch[i].object != b[BRANCH_OBJECT])
			break;
	}
	l->ask.sel = d->going_row;
	l->ask.top = d->going_top;
	return true;
}

static void
unfolded_all(struct list *l, bool ok)
{
	(void)ok;
	buf_clear(&((struct dominators *)l->pane->data)->going);
}

/* Object ids of another dump mean other objects. */
static bool
dominators_undo_go(struct pane *p, void *place, enum placed_use use, bool moved)
{
	struct dominators *d = p->data;
	const struct dominators_at *at = place;

	if (!dominators_usable(d))
		return false;
	if (use == OF_STEP && !moved && at->branches.n > 0) {
		buf_clear(&d->going);
		buf_str(&d->going, buf_view(&at->branches));
		d->going_row = at->row;
		d->going_top = at->top;
		list_do(d->list, true, unfold_all, unfolded_all);
	} else if (!moved && at->object > 0 && at->object <= branches_heap(dominators_rows(d))->objects)
		d->wanted = (uint32_t)at->object;
	return true;
}

const struct placed_kind dominators_places = PLACED_KIND(dominators_at, DOMINATORS_AT, dominators_undo_take,
    dominators_undo_go);
