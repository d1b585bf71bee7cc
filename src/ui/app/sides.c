/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sides: the visible pane, or two panes side by side; keys act on the one with the focus.
 */
#include "config.h"

#include "icecore/directory.h"
#include "app.h"
#include "ui/list/list.h"

enum { SPLIT_W = 60 };

/* Narrow terminals show the pane with the focus alone, until they are wide enough again. */
static struct pane *
sides_beside(const struct app *app)
{
	int	h, w;

	screen_size(&h, &w);
	return w >= SPLIT_W ? split_beside(app->ui) : NULL;
}

/* ---- what the sides show ---------------------------------------------------- */

/* The first pane to which keys of this one lead, otherwise the next. */
static struct pane *
sides_partner(struct ui *ui)
{
	static const enum place places[] = { PLACE_STRETCH, PLACE_CALLS, PLACE_METHOD, PLACE_DOMINATORS };
	struct pane	*p = ui_pane(ui), *to;
	size_t		 i;

	for (i = 0; i < NELEM(places); i++)
		if ((to = ui_answers(ui, places[i])) != NULL && to != p)
			return to;
	for (i = 0; ui_nth(ui, i) != p; i++)
		;
	return ui_nth(ui, (i + 1) % ui_panes(ui));
}

/* Replace a pane that was closed, or that no longer shows the other file of this one. */
static void
sides_settle(struct app *app)
{
	struct ui	*ui = app->ui;
	struct pane	*p = ui_pane(ui), *beside = split_beside(ui);
	struct err	 err;
	bool		 ok = true;

	if (!split_is(ui))
		return;
	if (split_files(ui) && !p->other && (beside == NULL || !beside->other || beside->kind != p->kind ||
	    (p->extra && !str_eq(buf_view(&beside->query), buf_view(&p->query)))))
		ok = couple_open(ui, &err);
	else if (beside == NULL || beside == p)
		split_set(ui, true, split_files(ui), sides_partner(ui));
	if (!ok || split_beside(ui) == p) {
		split_set(ui, false, false, NULL);
		ui_say(ui, "%s", ok ? "no other pane to show beside this one" : err.text);
	}
}

static bool
step_pane(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);

	p->unfinished = false;
	/* Rows that are not shown are not asked for. */
	if (compare_lacks(app))
		return false;
	if (p->stale) {
		p->stale = false;
		pane_on(p, PANE_RESET);
	}
	pane_on(p, PANE_FOLLOWS);
	return PANE_DOES(p, step) != NULL && PANE_DOES(p, step)(p, os_now() + STEP_NS);
}

bool
sides_step(struct app *app)
{
	bool	more;

	if (app->state != LOAD_DONE)
		return false;
	sides_settle(app);
	more = step_pane(app);
	if (split_beside(app->ui) != NULL) {
		couple_turn(app->ui);
		more |= step_pane(app);
		couple_turn(app->ui);
		couple_follow(app->ui, list_pane_side);
	}
	return more;
}

bool
sides_pending(const struct app *app)
{
	const struct pane *beside = split_beside(app->ui);

	return (ui_pane(app->ui)->stale && !compare_lacks(app)) || (beside != NULL && beside->stale);
}

bool
sides_unfinished(const struct app *app)
{
	const struct pane *beside = split_beside(app->ui);

	return app->state == LOAD_DONE && (ui_pane(app->ui)->unfinished || (beside != NULL && beside->unfinished));
}

/* ---- drawing ------------------------------------------------------------------ */

static void
draw_pane(struct app *app, struct area a)
{
	struct pane	*p = ui_pane(app->ui);

	p->area = a;
	if (compare_lacks(app))
		compare_draw(app, a);
	else
		PANE_DOES(p, draw)(p, a);
}

/* A side has a heading: its pane, and its file if there are two. */
static void
draw_side(struct app *app, struct area a, bool focus)
{
	const struct session *s = ui_session(app->ui);
	struct buf	 b = BUF_INIT;

	screen_fill(a.y, a.x, a.w, ROLE_TAB, focus ? LOOK_REVERSE : LOOK_PLAIN, GLYPH_BAR, true);
	buf_str(&b, str_of(pane_name(ui_pane(app->ui))));
	if (split_files(app->ui)) {
		buf_str(&b, s->at == 0 ? STR("  before: ") : STR("  after: "));
		buf_str(&b, shown_name(store_path(s->store[s->at])));
		/* Filters are of the view of the other side. */
		if (ui_pane(app->ui)->other && *look_now(app->ui) != '\0')
			buf_str(&b, STR("  (no filters)"));
	}
	screen_name(a.y, a.x, a.w, ROLE_TAB, focus ? LOOK_REVERSE : LOOK_PLAIN, buf_view(&b));
	buf_free(&b);
	draw_pane(app, (struct area){ a.y + 1, a.x, a.h - 1, a.w });
}

void
sides_draw(struct app *app, struct area a)
{
	int		half = (a.w - 1) / 2;
	struct area	left = { a.y, a.x, a.h, half }, right = { a.y, a.x + half + 1, a.h, a.w - half - 1 };
	bool		is_right = split_right(app->ui);

	if (sides_beside(app) == NULL) {
		draw_pane(app, a);
		return;
	}
	screen_split(a.y, a.x + half, a.h);
	couple_turn(app->ui);
	draw_side(app, is_right ? left : right, false);
	couple_turn(app->ui);
	draw_side(app, is_right ? right : left, true);
}

/* ---- keys --------------------------------------------------------------------- */

static void
split_or_not(struct app *app)
{
	struct ui	*ui = app->ui;
	int		 h, w;

	screen_size(&h, &w);
	if (split_is(ui)) {
		if (ui_pane(ui)->other)
			ui_show(ui, split_beside(ui));
		split_set(ui, false, false, NULL);
		ui_say(ui, "one pane again");
	} else if (w < SPLIT_W)
		ui_say(ui, "the terminal has %d columns; a split screen needs %d", w, SPLIT_W);
	else {
		/* Each side shows a file, not the change. */
		if (look_differs(ui))
			look_add(ui, "diff", STR(""));
		split_set(ui, true, look_alike(ui), NULL);
		ui_say(ui, "; goes to the other side, | ends the split screen");
	}
}

bool
sides_act(struct app *app, enum verb verb)
{
	if (app->state != LOAD_DONE || (verb != VERB_SPLIT && verb != VERB_SIDE))
		return false;
	if (verb == VERB_SPLIT)
		split_or_not(app);
	else if (sides_beside(app) != NULL)
		ui_show(app->ui, split_beside(app->ui));
	else
		ui_say(app->ui, "one pane is shown; | splits the screen");
	return true;
}

void
sides_click(struct app *app, const struct press *p)
{
	const struct area *a = sides_beside(app) != NULL ? &split_beside(app->ui)->area : NULL;

	if (a != NULL && app->overlays.n == 0 && p->y >= a->y - 1 && p->y < a->y + a->h && p->x >= a->x &&
	    p->x < a->x + a->w) {
		ui_show(app->ui, split_beside(app->ui));
		app->drawn = false;
	}
}
