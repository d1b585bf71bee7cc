/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * files: open the requested files, one after the other, and close replaced stores when no pane refers to them.
 */
#include "config.h"

#include <string.h>

#include "icecore/dumped.h"
#include "icecore/named.h"
#include "icecore/view.h"
#include "app.h"

/* ---- unused stores ------------------------------------------------------- */

static void
files_forget(struct pane *p)
{
	p->stale = true;
	pane_on(p, PANE_FORGETS);
}

static void
close_old(struct app *app)
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
			files_forget(p);
	close_old(app);
}

/* A hidden pane that was shown before may still hold rows of a replaced store. */
void
files_settle(struct app *app)
{
	if (app->nold > 0 && !ui_pane(app->ui)->stale)
		let_go(app, false);
}

/*
 * Mark the panes stale.  The visible pane keeps its rows until it has new ones; hidden panes drop theirs at once.
 * plain: panes that do not depend on the view stay as they are.
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
			files_forget(p);
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
files_swap(struct app *app, size_t at, struct store *base, struct store *view)
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

/* ---- loading ------------------------------------------------------------- */

/* The event of the configuration applies only to files that contain it. */
static bool
files_choose_event(struct app *app, struct work *work, struct err *err)
{
	const char	*must = app->opt->event, *liked = app->opt->event_liked;

	if ((load_shapes(app->loaded) & (SHAPE_SAMPLES | SHAPE_EVENTS | SHAPE_COSTS)) == 0)
		return true;
	if (liked != NULL)
		return view_event(&app->loaded, liked, work, err) || err->kind == E_USAGE;
	return must == NULL || view_event(&app->loaded, must, work, err);
}

static bool
run_load(struct task *task, struct work *work, struct err *err)
{
	struct app	*app = app_of(task);
	struct store_options opt = app->opt->store;

	app->taken = 1;
	if (app->loading > 0)
		opt.dump = 0;
	else if (!stream_open(app, work, err))
		return false;
	else if (app->stream.live != NULL)
		return true;
	else if (!load_series(&app->loaded, app->opt->paths, app->opt->npaths, &opt, work, err))
		return false;
	if (app->loaded != NULL)
		app->taken = app->opt->npaths;
	return (app->loaded != NULL || load_open(&app->loaded, app->opt->paths[app->loading], &opt, work, err)) &&
	    load_sides(&app->loaded, app->loaded, &app->opt->sides, work, err) && files_choose_event(app, work, err);
}

static void
take_loaded(struct app *app)
{
	struct session	*s = app->session;

	if (s->nstores == 1 && app->opt->has_offset)
		s->offset[1] = app->opt->offset;
	s->store[s->nstores++] = app->loaded;
	app->loaded = NULL;
	app->loading += app->taken;
}

static void
first_loaded(struct app *app)
{
	struct pane	*shown = ui_pane(app->ui);

	take_loaded(app);
	app->state = LOAD_DONE;
	app->saved = task_passes(app->ui);
	session_choose_clock(app->session, ui_store(app->ui));
	if (!ui_place(app->ui, &app->err)) {
		app->state = LOAD_FAILED;
		app->quit = true;
	}
	if (!shown->extra)
		ui_show(app->ui, ui_nth(app->ui, ui_nth(app->ui, app->wanted) != NULL ? app->wanted : 0));
	ui_reset(app->ui);
	bookmarks_load(app);
}

static void
first_failed(struct app *app, const struct err *err)
{
	if (err->kind == E_CANCEL) {
		app->state = LOAD_STOPPED;
		return;
	}
	app->state = LOAD_FAILED;
	app->err = *err;
	app->quit = true;
}

/* Join a recording and a heap dump: the panes then query the dump again, which has more data. */
static void
join_loaded(struct app *app)
{
	struct session	*s = app->session;
	size_t		 last = s->nstores - 1;

	for (size_t i = 0; i < last; i++)
		if (!load_recording(&s->store[i], s->store[last], &app->err) || !load_recording(&s->store[last], s->store[i], &app->err))
			ui_fail(app->ui, &app->err);
}

/* Add a further file; if it cannot be read, report it and keep the first. */
static void
other_done(struct app *app, bool ok, const struct err *err)
{
	struct err	why = *err, told;

	if (ok) {
		take_loaded(app);
		join_loaded(app);
		if (!ui_place(app->ui, &app->err))
			ui_fail(app->ui, &app->err);
		ui_reset(app->ui);
		if (!session_together(app->session, app->session->nstores - 1, &app->err))
			ui_fail(app->ui, &app->err);
		return;
	}
	if (why.kind == E_CANCEL)
		fail(&why, E_CANCEL, "stopped");
	fail_about(&told, app->opt->paths[app->loading], &why);
	ui_say(app->ui, "%s", told.text);
	ui_message(app->ui)->bad = true;
	app->loading++;
}

static void
load_done(struct task *task, bool ok, const struct err *err)
{
	struct app	*app = app_of(task);

	if (!ok) {
		store_close_pile(app->loaded, NULL);
		app->loaded = NULL;
	}
	if (app->loading > 0)
		other_done(app, ok, err);
	else if (ok)
		first_loaded(app);
	else
		first_failed(app, err);
	if (app->state == LOAD_DONE && app->loading < app->opt->npaths &&
	    app->session->nstores < SESSION_STORES)
		app_give(app, &app->load, run_load, load_done);
}

/* Report why the other process ended, in its own words. */
static void
lead_tell(struct app *app, struct str said)
{
	struct str line;

	str_take(&said, STR("icecore: "));
	if (!str_split(&said, '\n', &line) || line.n == 0)
		return;
	ui_say(app->ui, "%.*s", (int)line.n, line.s);
	ui_message(app->ui)->bad = true;
}

/* The file is read by a process of its own: this one has no right to read it. */
void
files_lead(struct app *app)
{
	const char	*path = app->load.task.given ? NULL : look_opened(app->ui);
	struct buf	 said = BUF_INIT;
	struct err	 err;
	int		 status;
	bool		 ok;

	if (path == NULL)
		return;
	fflush(app->opt->frames);
	screen_leave();
	ok = named_start(path, look_asking(app->ui), &status, &said);
	if (!ok)
		fail_path(&err, path);
	screen_return();
	app->drawn = false;
	/* The key had an effect, though the screen is as before. */
	app->watched.key = NULL;
	if (!ok)
		ui_fail(app->ui, &err);
	else if (status != E_NONE && !said.bad)
		lead_tell(app, buf_view(&said));
	buf_free(&said);
}

void
app_load(struct app *app)
{
	app->state = LOAD_RUNNING;
	app_give(app, &app->load, run_load, load_done);
}

/* After the panes were closed and the worker has stopped. */
void
files_end(struct app *app)
{
	stream_end(app);
	close_old(app);
	store_close_pile(app->loaded, NULL);
	store_close_pile(app->look.base, NULL);
}
