/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * app: the main loop: collect results of the worker, handle all input, draw once.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/keys.h"
#include "app.h"
#include "ui/list/list.h"

enum { STEP_NS = 8000000, TYPED_NS = 500000000, BUSY_MS = 250, PASTE_NS = 50000000, ESCAPE_MS = 25, ANSWER_WAITS = 40, INPUT_MAX = 4096 };

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

/* ---- the pane that is shown ------------------------------------------------ */

/* Let the visible pane work; true if it has more to do at once. */
static bool
step_pane(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);

	if (app->state != LOAD_DONE)
		return false;
	p->unfinished = false;
	if (p->stale) {
		p->stale = false;
		pane_on(p, PANE_RESET);
	}
	pane_on(p, PANE_FOLLOWS);
	return PANE_DOES(p, step) != NULL && PANE_DOES(p, step)(p, os_now() + STEP_NS);
}

/* ---- input --------------------------------------------------------------- */

static bool
take_paste(struct app *app, const struct press *p)
{
	if (strcmp(p->name, "PasteBegin") == 0) {
		app->pasting = true;
		buf_clear(&app->paste);
		return true;
	}
	if (!app->pasting)
		return false;
	if (strcmp(p->name, "PasteEnd") == 0) {
		app->pasting = false;
		if (prompt_is_open())
			prompt_insert(buf_view(&app->paste));
		else
			burst_say(app);
	} else
		buf_add(&app->paste, p->raw, p->n);
	return true;
}

static enum verb
verb_of(struct app *app, const struct press *p)
{
	return key_verb(p, overlay_where(&app->overlays, app->ui));
}

static void
act(struct app *app, const struct press *p)
{
	const struct key *k = key_row(p, overlay_where(&app->overlays, app->ui));

	if (k == NULL)
		dead_key(app, p);
	else if (k->verb == VERB_CANCEL)
		task_cancel_all(app->ui);
	else {
		dead_watch(app, k);
		app_act(app, k->verb, p);
	}
	app->leaving &= k != NULL && k->verb == VERB_CLOSE;
}

static void
app_take(struct app *app, const struct press *p)
{
	if (take_paste(app, p))
		return;
	app->drawn = false;
	ui_message(app->ui)->text[0] = '\0';
	if (app->lacks)
		ui_reset(app->ui);
	app->lacks = false;
	if (prompt_is_open()) {
		app->leaving = false;
		prompt_feed(p);
		prompt_poll();
	} else
		act(app, p);
	if (look_due(app->ui))
		look_make(app);
}

static bool
must_wait(struct app *app, const struct press *p)
{
	return !app->pasting && !prompt_is_open() && app_waits(app, verb_of(app, p));
}

/* Press a key, or queue it until the rows it needs are there (at most TYPED_NS). */
static void
press(struct app *app, const struct press *p)
{
	if (verb_of(app, p) == VERB_CANCEL)
		buf_clear(&app->typed);
	if (app->typed.n == 0 && !must_wait(app, p)) {
		app_take(app, p);
		return;
	}
	if (app->typed.n == 0)
		app->typed_at = os_now();
	buf_add(&app->typed, p->raw, p->n);
}

void
app_press(struct app *app, const struct press *p)
{
	struct press	key;
	bool		wheel = p->mouse == MOUSE_WHEEL_UP || p->mouse == MOUSE_WHEEL_DOWN;
	int		n = 1;

	if (p->said != SAID_NONE && !app->pasting) {
		screen_said(p);
		return;
	}
	if (p->mouse != MOUSE_NONE && !app->pasting) {
		app->leaving = false;
		n = prompt_is_open() ? 0 : click_take(app, p, &key);
		p = &key;
	} else
		app->mouse.down = false;
	while (n-- > 0)
		press(app, p);
	/*
	 * The wheel needs no redraw before the next mouse event: it sends many events per frame and removes nothing.
	 */
	app->drawn |= wheel;
	if (look_due(app->ui))
		look_make(app);
}

/* Handle the keys that waited; true if there were any. */
static bool
take_typed(struct app *app)
{
	/* A script waits without a time limit. */
	bool		late = app->script == NULL && os_now() - app->typed_at > TYPED_NS;
	struct str	s = buf_view(&app->typed);
	struct press	p;
	size_t		n;

	while ((n = key_decode(s, true, &p)) > 0 && (late || !must_wait(app, &p))) {
		app_take(app, &p);
		s.s += n;
		s.n -= n;
	}
	if (s.n == app->typed.n)
		return false;
	memmove(app->typed.s, s.s, s.n);
	app->typed.n = s.n;
	return true;
}

/*
 * Handle all input. Wait briefly for the rest of an incomplete key sequence, and longer for the rest of a terminal's
 * answer.
 */
static bool
app_take_input(struct app *app)
{
	char		in[INPUT_MAX];
	size_t		have = 0, n, waits = 0;
	bool		input = true, alive = true, final;

	do {
		n = 0;
		if (input && !screen_read(in + have, sizeof in - have, &n))
			return false;
		input = n > 0;
		have += n;
		if (have == 0)
			return true;
		app->pasted &= os_now() - app->pasted_at < PASTE_NS;
		final = !input && (waits++ == ANSWER_WAITS || !(screen_awaits() || key_is_said((struct str){ in, have })));
		n = burst_take(app, (struct str){ in, have }, final || have == sizeof in, &app->pasted);
		app->pasted_at = os_now();
		memmove(in, in + n, have - n);
		have -= n;
		if (have > 0)
			alive = screen_wait(ESCAPE_MS, false, &input);
	} while (have > 0 && alive);
	return alive;
}

static void
take_wakes(struct app *app)
{
	struct press	c = { "C-c", "\003", 1 };
	enum wake	w;

	while ((w = screen_woken()) != WAKE_NONE) {
		if (w == WAKE_SIZE)
			screen_resize(0, 0);
		else if (w == WAKE_AGAIN)
			screen_again();
		else if (w == WAKE_INTERRUPT)
			app_press(app, &c);
		else if (w == WAKE_END)
			app->quit = true;
	}
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
	idle_work(app);
	files_lead(app);
	more = step_pane(app);
	more |= bookmark_step(app->ui);
	if (app->opt->typed != NULL && !app->began_typing && app->state == LOAD_DONE) {
		app->began_typing = true;
		app->typed_at = os_now();
		buf_str(&app->typed, str_of(app->opt->typed));
	}
	more |= take_typed(app);
	more |= prompt_step(app->ui, os_now() + STEP_NS, app_words);
	app_draw(app);
	if (dead_check(app, more))
		app_draw(app);
	more |= app->state == LOAD_DONE && ui_pane(app->ui)->unfinished;
	app_check_memory(app);
	/* A stopped load waits for the user; its panes stay as they are. */
	idle = !more && app->typed.n == 0 && task_idle(app->ui) &&
	    (app->state != LOAD_DONE || !ui_pane(app->ui)->stale);
	if (idle) {
		files_settle(app);
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
	take_wakes(app);
	return !input || app_take_input(app);
}

static void
app_end(struct app *app)
{
	struct app_task	*tasks[] = { &app->writer.task, &app->copier.task, &app->preparer.task, &app->checker.task, &app->save,
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
	app->opt = opt = &chosen;
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
