/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * app: the main loop: collect results of the worker, handle all input, draw once.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/home.h"
#include "app.h"

enum { BUSY_MS = 250 };

/* ---- panes --------------------------------------------------------------- */

/* Open the panes for every kind of file; other panes follow when the file is loaded. */
static bool
open_panes(struct app *app, struct err *err)
{
	for (size_t i = 0; panes[i] != NULL; i++)
		if (panes[i]->shapes == 0 && !ui_add(app->ui, panes[i], panes[i]->query, err))
			return false;
	ui_show(app->ui, ui_nth(app->ui, 0));
	return true;
}

/* ---- the loop ------------------------------------------------------------ */

/* After a failed allocation results may be incomplete: report it, and reload the pane at the next key. */
static void
app_check_memory(struct app *app)
{
	if (mem_refused() == app->refused)
		return;
	app->refused = mem_refused();
	app->lacks = true;
	ui_lacks_memory(app->ui);
	app_draw(app);
}

static bool
app_turn(struct app *app)
{
	struct err	err;
	uint64_t	since;
	bool		more, input, idle, running;
	int		timeout;

	task_collect(app->ui);
	ui_sweep(app->ui);
	idle_work(app);
	files_lead(app);
	more = sides_step(app);
	more |= bookmark_step(app->ui);
	if (app->opt->typed != NULL && !app->began_typing && app->state == LOAD_DONE) {
		app->began_typing = true;
		app->typed_at = os_now();
		buf_str(&app->typed, str_of(app->opt->typed));
	}
	more |= input_typed(app);
	more |= prompt_step(app->ui, os_now() + STEP_NS, app_words);
	app_draw(app);
	if (dead_check(app, more))
		app_draw(app);
	more |= sides_unfinished(app);
	app_check_memory(app);
	/* A stopped load waits for the user; its panes stay as they are. */
	idle = !more && app->typed.n == 0 && task_idle(app->ui) &&
	    (app->state != LOAD_DONE || !sides_pending(app));
	if (idle) {
		swap_settle(app);
		stream_go(app);
		idle = !stream_runs(app);
	}
	running = task_running(app->ui, &since) != NULL;
	timeout = more ? 0 : running ? BUSY_MS : -1;
	if (app->script != NULL) {
		if (!script_step(app->script, app, idle, &err)) {
			app->err = err;
			app->state = LOAD_FAILED;
			return false;
		}
		timeout = task_running(app->ui, &since) != NULL ? 1 : 0;
	}
	if (app->quit)
		return false;
	if (!screen_wait(timeout, true, &input))
		return false;
	input_wakes(app);
	return !input || input_read(app);
}

static void
app_end(struct app *app)
{
	struct app_task	*tasks[] = { &app->writer.task, &app->copier.task, &app->preparer.task,
	    &app->checker.task, &app->save,
	    &app->load, &app->look.task };

	prompt_end();
	bookmarks_end(app);
	for (size_t i = 0; i < NELEM(tasks); i++)
		task_drop(&tasks[i]->task);
	if (app->ui != NULL)
		ui_stop(app->ui);
	files_end(app);
	ui_free(app->ui);
	buf_free(&app->writer.path);
	buf_free(&app->writer.query);
	buf_free(&app->copier.text);
	buf_free(&app->paste);
	buf_free(&app->typed);
	buf_free(&app->asked);
	while (app->overlays.n > 0)
		overlay_close(&app->overlays);
	free(app->given);
	settings_free(&app->settings);
	script_close(app->script);
	screen_close();
}

bool
ui_run(struct session *session, const struct ui_options *opt, struct err *err)
{
	struct app	*app = mem_array(1, sizeof *app);
	struct ui_options chosen = *opt;
	bool		 ok = false;

	if (app == NULL)
		return fail(err, E_SYSTEM, "out of memory (explorer)");
	app->session = session;
	settings_begin(&app->settings, &chosen, session);
	opt = app->opt = &chosen;
	app->mouse.on = !opt->no_mouse;
	work_init(&app->waits, title_wait);
	work_of_thread(&app->waits);
	if (opt->keys != NULL && (app->script = script_open(opt->keys, err)) == NULL)
		goto out;
	if (!screen_open(opt->keys != NULL, (enum graphics)opt->graphics, err))
		goto out;
	prompt_start(opt);
	bookmarks_begin(app);
	if (opt->confine != NULL && !opt->confine(opt->confined, err))
		goto out;
	screen_confined();
	if ((app->ui = ui_new(session, opt, screen_wake_fd(), err)) == NULL || !open_panes(app, err))
		goto out;
	if (screen_note() != NULL)
		ui_say(app->ui, "%s", screen_note());
	if (home_note() != NULL)
		ui_say(app->ui, "%s", home_note());
	settings_tell(&app->settings, app->ui);
	app_load(app);
	while (app_turn(app))
		;
	ok = app->state != LOAD_FAILED;
	if (!ok)
		*err = app->err;
out:
	app_end(app);
	work_of_thread(NULL);
	free(app);
	if (signals_ended() != 0) {
		session_close(session);
		signals_raise();
	}
	return ok;
}
