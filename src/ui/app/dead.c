/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dead: report keys without effect. A key unknown in this pane: say where it works. A key that changed
 * nothing on the screen: say so.
 */
#include "config.h"

#include <string.h>

#include "icecore/keys.h"
#include "app.h"

#define NOTHING_TO_OPEN "this row has nothing to open"

enum { PANES_NAMED = 3 };

static void
say_help(struct app *app, const char *why)
{
	ui_say(app->ui, "%s; %s", why, hint(VERB_HELP, "_ shows help").s);
}

/* ---- keys without a row -------------------------------------------------- */

static void
add_pane(struct buf *b, const struct pane_kind *kind, size_t *n)
{
	if (*n < PANES_NAMED)
		buf_printf(b, "%s%s", *n > 0 ? ", " : "", kind->name);
	else if (*n == PANES_NAMED)
		buf_printf(b, ", %s", glyph(GLYPH_CUT));
	++*n;
}

/* Append the names of the other panes where the key works; return their number. */
static size_t
panes_of(struct ui *ui, uint64_t where, struct buf *b)
{
	const struct pane *p;
	size_t		 n = 0;

	for (size_t i = 0; (p = ui_nth(ui, i)) != NULL; i++)
		if (!p->extra && p != ui_pane(ui) && (ui_where(ui, p) & where) != 0)
			add_pane(b, p->kind, &n);
	for (size_t i = 0; called_panes[i] != NULL; i++)
		if (ui_suits(ui, called_panes[i]) && (called_panes[i]->where & where) != 0 &&
		    called_panes[i] != ui_pane(ui)->kind)
			add_pane(b, called_panes[i], &n);
	return n;
}

static bool
dead_has_name(const struct key *k, const char *name)
{
	struct str	one;

	for (struct str rest = str_of(k->keys); str_split(&rest, ' ', &one);)
		if (str_eq(one, str_of(name)))
			return true;
	return false;
}

/* Return all places in which the key has the action of this row. */
static uint64_t
places_of(const struct key *row, const char *name)
{
	uint64_t	where = 0;

	for (const struct key *k = keys; k->verb != VERB_NONE; k++)
		if (dead_has_name(k, name) && strcmp(k->name, row->name) == 0)
			where |= k->where;
	return where;
}

/* Find a row of the key that applies in other panes, or needs a second file; NULL: none. */
static const struct key *
row_elsewhere(struct app *app, const char *name, struct buf *told)
{
	for (const struct key *k = keys; k->verb != VERB_NONE; k++) {
		buf_clear(told);
		if (dead_has_name(k, name) && (k->where == IN_TWO ? app->session->nstores == 1 :
		    panes_of(app->ui, k->where, told) > 0)) {
			buf_clear(told);
			panes_of(app->ui, places_of(k, name), told);
			return k;
		}
	}
	return NULL;
}

static bool
say_elsewhere(struct app *app, const char *name)
{
	struct buf	 told = BUF_INIT;
	const struct key *k = row_elsewhere(app, name, &told);

	if (k != NULL && k->where == IN_TWO)
		ui_say(app->ui, "'%s' (%s) needs two files: icecore A B", name, k->name);
	else if (k != NULL && k->verb == VERB_ENTER && strcmp(name, "Enter") == 0)
		say_help(app, NOTHING_TO_OPEN);
	else if (k != NULL && !told.bad)
		ui_say(app->ui, "'%s' (%s) works in %s", name, k->name, told.s);
	buf_free(&told);
	return k != NULL;
}

void
dead_key(struct app *app, const struct press *p)
{
	/* Ignore sequences that terminals send by themselves. */
	if (p->name[0] == '\0')
		return;
	if (app->overlays.n > 0 || !say_elsewhere(app, p->name))
		ui_say(app->ui, "'%s' does nothing here; %s", p->name, app->overlays.n > 0 ?
		    hint_in(IN_OVERLAY, VERB_BACK, "_ closes").s : hint(VERB_HELP, "_ shows help").s);
}

/* ---- keys that change nothing -------------------------------------------- */

/* Compute a checksum of the screen, except the first line, messages and key hints. */
static uint64_t
sum_of_screen(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 status = BUF_INIT;
	uint64_t	 sum = 0;
	int		 h, w;

	screen_size(&h, &w);
	if (app->state == LOAD_DONE && app->overlays.n == 0)
		pane_tell(p, TELL_STATUS, &status);
	sum = screen_sum(1, h - 2);
	sum = idmap_hash_text(buf_view(&status), sum);
	buf_free(&status);
	return sum;
}

void
dead_watch(struct app *app, const struct key *k)
{
	/* Take the checksum before the first of several keys in a frame: one may undo another. */
	if (app->watched.many++ == 0)
		app->watched.sum = sum_of_screen(app);
	app->watched.key = k;
}

/* True if everything that a key may have requested is done; background tasks do not count. */
static bool
is_settled(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	uint64_t	since;
	const struct task *t = task_running(app->ui, &since);

	return app->typed.n == 0 && !p->stale && !pane_busy(p) && !task_waits(app->ui) &&
	    (t == NULL || t == &app->save.task || t == &app->checker.task.task ||
	    t == &app->preparer.task.task || t == &app->stream.task.task ||
	    (t == &app->load.task && app->state != LOAD_DONE));
}

static void
say_nothing(struct app *app, const struct key *k)
{
	bool	list = (ui_where(app->ui, ui_pane(app->ui)) & IN_LISTS) != 0;

	switch (k->verb) {
	case VERB_REDRAW:
		break;
	case VERB_UP: case VERB_PAGE_UP: case VERB_HALF_UP: case VERB_TOP:
		ui_say(app->ui, "already at the top");
		break;
	case VERB_DOWN: case VERB_PAGE_DOWN: case VERB_HALF_DOWN: case VERB_BOTTOM:
		ui_say(app->ui, "already at the end");
		break;
	case VERB_LEFT:
		say_help(app, list ? "first column" : "nothing to the left");
		break;
	case VERB_RIGHT:
		say_help(app, list ? "last column" : "nothing to the right");
		break;
	case VERB_ENTER:
		say_help(app, NOTHING_TO_OPEN);
		break;
	case VERB_BACK:
		ui_say(app->ui, "nothing to go back to");
		break;
	case VERB_FIND: case VERB_FIND_NAME: case VERB_FIND_NEXT: case VERB_FIND_PREV:
		ui_say(app->ui, "no other match");
		break;
	case VERB_PANE:
		ui_say(app->ui, "this pane is already open");
		break;
	default:
		ui_say(app->ui, "%s: nothing to do here", k->name);
		break;
	}
}

bool
dead_check(struct app *app, bool more)
{
	struct watched	 was = app->watched;

	if (was.key == NULL || more || !is_settled(app))
		return false;
	app->watched = (struct watched){ .key = NULL };
	if (was.many > 1 || prompt_is_open() || ui_message(app->ui)->text[0] != '\0' ||
	    sum_of_screen(app) != was.sum)
		return false;
	if (app->state != LOAD_DONE)
		ui_say(app->ui, "%s", app->state == LOAD_STOPPED ? hint(VERB_ENTER, "stopped; _ resumes").s :
		    hint(VERB_CANCEL, "still loading; _ stops").s);
	else
		say_nothing(app, was.key);
	return true;
}
