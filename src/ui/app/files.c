/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * files: open the requested files, one after the other.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/dumped.h"
#include "icecore/named.h"
#include "icecore/view.h"
#include "app.h"

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
	return (app->loaded != NULL || load_open(&app->loaded, app->opt->paths[app->loading], &opt, work,
	    err)) &&
	    load_sides(&app->loaded, app->loaded, &app->opt->sides, work, err) &&
	    files_choose_event(app, work, err);
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
	tour_tell(app, NULL);
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
		if (!load_recording(&s->store[i], s->store[last], &app->err) ||
		    !load_recording(&s->store[last], s->store[i], &app->err))
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
		else if (app->opt->npaths == 2 && look_compare(app->ui))
			look_make(app);
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
	if (app->state != LOAD_DONE || app->loading >= app->opt->npaths)
		return;
	if (app->session->nstores < SESSION_STORES)
		app_give(app, &app->load, run_load, load_done);
	else
		ui_say(app->ui, "%d of %zu files are open; 'icecore triage' reads more", SESSION_STORES,
		    app->opt->npaths);
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

/* ---- another dump of the first file ------------------------------------------- */

static bool
run_dump(struct task *task, struct work *work, struct err *err)
{
	struct app	*app = app_of(task);
	struct store_options opt = app->opt->store;

	opt.dump = (unsigned)app->dump_wanted;
	return load_open(&app->loaded, app->opt->paths[0], &opt, work, err) &&
	    load_sides(&app->loaded, app->loaded, &app->opt->sides, work, err) && files_choose_event(app, work, err);
}

/* The options as if --dump had been given: copied queries and addresses, and reports, show them. */
static void
give_dump(struct app *app, unsigned dump)
{
	struct report_options *page = &app->opt->page;
	struct report_option *given = mem_array(page->ngiven + 1, sizeof *given);
	size_t		 n = 0;

	app->opt->store.dump = dump;
	snprintf(app->dump, sizeof app->dump, "%u", dump);
	if (given == NULL)
		return;
	for (size_t i = 0; i < page->ngiven; i++)
		if (strcmp(page->given[i].name, "dump") != 0)
			given[n++] = page->given[i];
	given[n++] = (struct report_option){ .name = "dump", .value = app->dump };
	page->given = given;
	page->ngiven = n;
	free(app->given);
	app->given = given;
}

static void
dump_done(struct task *task, bool ok, const struct err *err)
{
	struct app	*app = app_of(task);
	struct store	*st = app->loaded;
	uint64_t	 at, n;

	app->loaded = NULL;
	if (!ok) {
		store_close_pile(st, NULL);
		ui_fail(app->ui, err);
		return;
	}
	n = load_dumps(st, &at);
	give_dump(app, (unsigned)at);
	look_swap_dump(app, st);
	ui_say(app->ui, "dump %ju of %ju", (uintmax_t)at, (uintmax_t)n);
}

bool
files_dump(struct app *app, bool back)
{
	uint64_t	at, n = load_dumps(app->session->store[0], &at);

	if (n == 0)
		return false;
	if (app->session->nstores > 1)
		ui_say(app->ui, "two files are open; --dump chooses the dump of the first");
	if (app->session->nstores > 1 || app->load.task.given)
		return true;
	app->dump_wanted = back ? (at > 1 ? at - 1 : n) : at < n ? at + 1 : 1;
	app_give(app, &app->load, run_dump, dump_done);
	return true;
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
	swap_close_old(app);
	store_close_pile(app->loaded, NULL);
	store_close_pile(app->look.base, NULL);
}
