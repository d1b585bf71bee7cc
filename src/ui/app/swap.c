/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * swap: replace stores and views, and close the replaced ones when no pane refers to them.
 */
#include "config.h"

#include "app.h"

static void
swap_forget(struct pane *p)
{
	p->stale = true;
	pane_on(p, PANE_FORGETS);
}

void
swap_close_old(struct app *app)
{
	for (size_t i = 0; i < app->nold; i++)
		store_close_pile(app->old[i].top, app->old[i].bottom);
	app->nold = 0;
}

/* Panes that do not depend on the view hold no rows of it. */
static void
let_go(struct app *app, bool all)
{
	struct pane	*p;
	bool		 base = false;

	for (size_t i = 0; i < app->nold; i++)
		base |= app->old[i].bottom == NULL;
	for (size_t i = 0; (p = ui_nth(app->ui, i)) != NULL; i++)
		if ((all || p->stale) && (base || !p->kind->plain))
			swap_forget(p);
	swap_close_old(app);
}

/* A hidden pane that was shown before may still hold rows of a replaced store. */
void
swap_settle(struct app *app)
{
	if (app->nold > 0 && !ui_pane(app->ui)->stale)
		let_go(app, false);
}

/*
 * Mark the panes stale.  The visible pane keeps its rows until it has new ones; hidden panes drop theirs at
 * once. plain: panes that do not depend on the view stay as they are.
 */
static void
make_way(struct app *app, bool plain)
{
	struct pane	*p;

	if (app->nold > 0)
		let_go(app, true);
	for (size_t i = 0; (p = ui_nth(app->ui, i)) != NULL; i++) {
		if (plain && p->kind->plain && !p->kind->ranged && p->kind->shapes != SHAPE_DUMPS)
			continue;
		if (p != ui_pane(app->ui))
			swap_forget(p);
		p->stale = true;
	}
	prompt_forget();
}

/* Return the store of the session below a view. */
static const struct store *
bottom_of(const struct session *s, struct store *view)
{
	for (struct store *st = view; st != NULL; st = store_below(st))
		for (size_t i = 0; i < s->nstores; i++)
			if (st == s->store[i])
				return st;
	return NULL;
}

static void
put_by(struct app *app, struct store *top, const struct store *bottom)
{
	if (top != NULL)
		app->old[app->nold++] = (struct old_store){ top, bottom };
}

void
swap_stores(struct app *app, size_t at, struct store *base, struct store *view)
{
	struct session	*s = app->session;
	struct buf	 sought = BUF_INIT;

	make_way(app, base == NULL && at == s->at);
	found_drop(app->ui, &sought);
	put_by(app, s->view, bottom_of(s, s->view));
	if (base != NULL) {
		put_by(app, s->store[0], NULL);
		s->store[0] = base;
		history_renumber(app->ui);
	}
	s->view = view;
	s->at = at;
	ui_swapped(app->ui);
	app->saved = task_passes(app->ui);
	session_choose_clock(app->session, ui_store(app->ui));
	/* Another store numbers methods differently. */
	if (sought.n > 0 && !sought.bad && (ui_shapes(app->ui) & SHAPE_GRAPH) == 0)
		found_start(app->ui, sought.s, false, true);
	buf_free(&sought);
}
