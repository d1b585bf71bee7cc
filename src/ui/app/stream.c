/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stream: follow a scheduler trace that is still being written to a pipe: the panes show a new snapshot
 * every second.
 */
#include "config.h"

#include <sys/stat.h>

#include <string.h>
#include <unistd.h>

#include "app.h"

enum { FIRST_MS = 300, READ_MS = 80 };

#define SNAPSHOT_NS 1000000000u

/* Only pipes and sockets are followed; a regular file on standard input is read as a whole. */
static bool
is_pipe(const struct app *app)
{
	struct stat	st;

	return strcmp(app->opt->paths[0], "-") == 0 && fstat(STDIN_FILENO, &st) == 0 &&
	    (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/* Make a store of the events read so far, with names from the side files. */
static bool
stream_take(struct app *app, struct store **out, struct work *work, struct err *err)
{
	return live_store(app->stream.live, out, err) && load_sides(out, *out, &app->opt->sides, work, err);
}

bool
stream_open(struct app *app, struct work *work, struct err *err)
{
	struct stream	*s = &app->stream;

	const char	*as = app->opt->store.as;

	if (!is_pipe(app) || (as != NULL && strcmp(as, "sched") != 0))
		return true;
	if (s->live == NULL && !live_open(&s->live, STDIN_FILENO, work, err))
		return false;
	if (s->live == NULL)
		return true;
	s->shown = os_now();
	return live_read(s->live, FIRST_MS, &s->end, work, err) &&
	    stream_take(app, &app->loaded, work, err);
}

/* ---- snapshots -------------------------------------------------------------- */

static bool
stream_run(struct task *task, struct work *work, struct err *err)
{
	struct stream	*s = &app_of(task)->stream;

	if (!live_read(s->live, READ_MS, &s->end, work, err))
		return false;
	return (!s->end && os_now() - s->shown < SNAPSHOT_NS) ||
	    stream_take(app_of(task), &s->snapshot, work, err);
}

/* Stop following; if the user cancelled, keep the data read so far. */
static void
stream_stop(struct app *app, const struct err *why)
{
	struct stream	*s = &app->stream;
	struct err	 err;

	s->ended = true;
	if (why->kind != E_CANCEL || (s->snapshot == NULL && !stream_take(app, &s->snapshot, NULL, &err)))
		ui_fail(app->ui, why);
	else
		ui_say(app->ui, "stopped reading; showing data read so far");
}

static void
stream_done(struct task *task, bool ok, const struct err *err)
{
	struct app	*app = app_of(task);
	struct stream	*s = &app->stream;

	s->ended = s->end;
	if (!ok)
		stream_stop(app, err);
	else if (s->ended)
		ui_say(app->ui, "end of input");
	if (s->snapshot == NULL)
		return;
	s->shown = os_now();
	look_swap(app, s->snapshot);
	s->snapshot = NULL;
}

void
stream_go(struct app *app)
{
	struct stream	*s = &app->stream;

	if (!stream_runs(app) || s->task.task.given)
		return;
	app_give(app, &s->task, stream_run, stream_done);
}

bool
stream_runs(const struct app *app)
{
	return app->stream.live != NULL && !app->stream.ended && app->state == LOAD_DONE;
}

void
stream_end(struct app *app)
{
	task_drop(&app->stream.task.task);
	live_close(app->stream.live);
	app->stream.live = NULL;
	store_close_pile(app->stream.snapshot, NULL);
	app->stream.snapshot = NULL;
}
