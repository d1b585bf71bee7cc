/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dominators_undo: the place in the dominator tree, for marks (its object) and for undo (expanded lines, groups and
 * selection). The worker rebuilds the groups.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "dominators.h"

/* Header of a saved place; the expanded branches follow, parents first. */
struct dominators_at {
	uint64_t	sel, top;
};

struct unfolded {
	size_t		up;
	uint64_t	at;
	uint32_t	object;
	enum kinship	kind;		/* kind of groups of its lines */
};

struct unfolding {
	struct unfolded	*branch;
	struct kin	**kin;
	size_t		 n;
};

static void
dominators_undo_tell(const struct rows *r, struct buf *b)
{
	const struct branches *t = (const struct branches *)r;
	const struct branch *from;
	struct unfolded	 u;

	for (size_t i = 0; i < t->n; i++) {
		from = &t->branch[i];
		memset(&u, 0, sizeof u);
		u.up = from->up;
		u.at = from->at;
		u.object = from->object;
		u.kind = from->kin != NULL ? from->kin->kind : KIN_NONE;
		buf_add(b, &u, sizeof u);
	}
}

static void
unfolding_free(struct unfolding *u)
{
	if (u == NULL)
		return;
	for (size_t i = 0; u->kin != NULL && i < u->n; i++)
		kin_free(u->kin[i]);
	free(u->kin);
	free(u->branch);
	free(u);
}

static struct unfolding *
unfolding_new(const struct rows *r, struct str told, struct work *work, struct err *err)
{
	struct unfolding *u = mem_array(1, sizeof *u);
	const struct unfolded *b;

	if (u != NULL) {
		u->n = told.n / sizeof *u->branch;
		u->branch = mem_array(u->n, sizeof *u->branch);
		u->kin = mem_array(u->n, sizeof *u->kin);
	}
	if (u == NULL || u->branch == NULL || u->kin == NULL) {
		unfolding_free(u);
		fail(err, E_SYSTEM, "out of memory (tree)");
		return NULL;
	}
	memcpy(u->branch, told.s, u->n * sizeof *u->branch);
	for (size_t i = 0; i < u->n; i++) {
		b = &u->branch[i];
		if (b->kind == KIN_NONE || (u->kin[i] = kin_make(branches_heap(r), b->object, b->kind, work, err)) != NULL)
			continue;
		unfolding_free(u);
		return NULL;
	}
	return u;
}

/* As far as the same objects are dominated. */
static void
dominators_undo_unfold(struct rows *r, struct unfolding *u)
{
	struct branches	*t = (struct branches *)r;
	const struct unfolded *b = u->branch;
	uint64_t	 line;
	bool		 same = u->n > 0;

	if (same) {
		branches_start(r, b->object);
		branches_group(r, 0, u->kin[0]);
		u->kin[0] = NULL;
	}
	for (size_t i = 1; same && i < u->n; i++) {
		b = &u->branch[i];
		line = b->up < i ? branches_line(r, b->up, b->at) : ROWS_ALL;
		if (line >= branches_lines(r))
			break;
		same = branches_unfold(r, line, u->kin[i]) && t->n == i + 1 && t->branch[i].object == b->object;
		u->kin[i] = NULL;
	}
}

/* ---- places ---------------------------------------------------------------- */

void
dominators_keep(struct pane *p, struct buf *b)
{
	struct dominators *d = p->data;
	struct dominators_at s = { d->list->sel, d->list->top };

	if (d->place.n > 0 || d->going.n > 0)
		buf_str(b, buf_view(d->place.n > 0 ? &d->place : &d->going));
	else if (dominators_usable(d)) {
		buf_add(b, &s, sizeof s);
		dominators_undo_tell(d->list->now.rows, b);
	}
}

/* Object ids of another dump mean other objects. */
void
dominators_put(struct pane *p, struct str place, bool moved)
{
	struct dominators *d = p->data;

	buf_clear(&d->place);
	if (!moved && place.n > sizeof(struct dominators_at))
		buf_str(&d->place, place);
}

void
dominators_mark(struct pane *p, struct buf *b)
{
	if (pane_selected(p) != 0)
		note_number(b, "object", pane_selected(p));
}

bool
dominators_recall(struct pane *p, struct str text, bool moved)
{
	struct dominators *d = p->data;
	struct buf	 value = BUF_INIT;
	struct str	 word;
	uint64_t	 n;

	if (!dominators_usable(d))
		return false;
	while (!moved && note_next(&text, &word, &value))
		if (str_eq(word, STR("object")) && num_u64(buf_view(&value), 10, &n) && n <= branches_heap(d->list->now.rows)->objects)
			d->wanted = (uint32_t)n;
	buf_free(&value);
	return true;
}

static bool
dominators_undo_run(struct list *l, struct work *work, struct err *err)
{
	const struct buf *going = &((struct dominators *)l->pane->data)->going;
	struct unfolding *u = unfolding_new(l->now.rows, str_behind(buf_view(going), sizeof(struct dominators_at)), work, err);
	struct dominators_at s;

	if (u == NULL)
		return false;
	dominators_undo_unfold(l->now.rows, u);
	unfolding_free(u);
	memcpy(&s, going->s, sizeof s);
	l->ask.sel = s.sel;
	l->ask.top = s.top;
	return true;
}

static void
dominators_undo_done(struct list *l, bool ok)
{
	(void)ok;
	buf_clear(&((struct dominators *)l->pane->data)->going);
}

void
dominators_go(struct dominators *d)
{
	if (d->place.n == 0 || !dominators_usable(d))
		return;
	buf_clear(&d->going);
	buf_str(&d->going, buf_view(&d->place));
	buf_clear(&d->place);
	list_do(d->list, true, dominators_undo_run, dominators_undo_done);
}

void
dominators_forget(struct dominators *d)
{
	buf_free(&d->place);
	buf_free(&d->going);
}
