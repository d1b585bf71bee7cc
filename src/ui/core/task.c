/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * task: tasks for the worker, run one after the other.
 */
#include "config.h"

#include <time.h>

#include "state.h"

static bool
run_task(void *arg, struct work *work, struct err *err)
{
	struct task	*t = arg;

	return t->run(t, work, err);
}

static void
take_out(struct ui *ui, struct task *t)
{
	for (struct task **p = &ui->queue; *p != NULL; p = &(*p)->next)
		if (*p == t) {
			*p = t->next;
			break;
		}
	t->next = NULL;
}

static bool
is_looked_at(const struct ui *ui, const struct task *t)
{
	return t->pane != NULL && (t->pane == ui_pane(ui) || t->pane == ui->split.beside);
}

/* Start the next task; a task of the pane shown comes first. */
static void
task_start_next(struct ui *ui)
{
	struct task	*t = ui->queue;
	struct session	*now;

	while (t != NULL && !is_looked_at(ui, t))
		t = t->next;
	if (t == NULL)
		t = ui->queue;
	if (ui->running != NULL || t == NULL)
		return;
	/* The worker gets a copy: the user may change the session meanwhile. */
	now = ui->session;
	split_enter(ui, t->other);
	ui->seen = *ui->session;
	ui->session = now;
	if (!worker_give(ui->worker, run_task, t))
		return;
	take_out(ui, t);
	t->put_off = false;
	ui->running = t;
	ui->since = os_now();
}

/* Put off the running task of a hidden pane if the shown pane waits for a task. */
static void
task_make_room(struct ui *ui, const struct task *t)
{
	struct task	*running = ui->running;

	if (running == NULL || running->pane == NULL || is_looked_at(ui, running) ||
	    !is_looked_at(ui, t))
		return;
	running->put_off = true;
	atomic_store(&task_work(ui)->cancel, true);
}

void
task_give(struct ui *ui, struct task *t)
{
	struct task	**end;

	if (t->given)
		return;
	t->ui = ui;
	t->given = true;
	t->other = ui->session != ui->main;
	t->next = NULL;
	for (end = &ui->queue; *end != NULL; end = &(*end)->next)
		;
	*end = t;
	task_make_room(ui, t);
	task_start_next(ui);
}

/* The pane shown may be of another file than the task. */
static void
task_end(struct ui *ui, struct task *t, bool ok, const struct err *err)
{
	split_enter(ui, t->other);
	t->done(t, ok, err);
	split_enter(ui, ui_pane(ui)->other);
}

static void
unqueue(struct ui *ui, struct task *t)
{
	take_out(ui, t);
	t->given = false;
}

void
task_drop(struct task *t)
{
	const struct timespec	nap = { 0, 1000000 };
	struct ui		*ui = t->ui;
	bool			 ok;

	if (!t->given)
		return;
	if (ui->running != t) {
		unqueue(ui, t);
		return;
	}
	/* A cancelled task ends at its next tick, after about a millisecond. */
	atomic_store(&task_work(ui)->cancel, true);
	while (!worker_take(ui->worker, &ok, NULL))
		nanosleep(&nap, NULL);
	ui->running = NULL;
	t->given = false;
}

/* Return the number of passes with a result; more than were saved: the index can grow. */
size_t
task_passes(const struct ui *ui)
{
	return ui_store(ui) == NULL ? 0 : passes_run(ui_store(ui));
}

void
task_collect(struct ui *ui)
{
	struct err	 err = { .kind = E_NONE };
	struct task	*t = ui->running;
	bool		 ok;

	if (t != NULL && worker_take(ui->worker, &ok, &err)) {
		ui->running = NULL;
		t->given = false;
		ui->stopped = ok && !ui->heap.stopped ? 0 : ui->stopped;
		task_end(ui, t, ok, &err);
	}
	task_start_next(ui);
}

bool
task_refuses(const struct task *t)
{
	if (t->given)
		ui_say_hint(t->ui, VERB_CANCEL, "still working; _ stops");
	return t->given;
}

void
task_why(const struct err *err, char *text, size_t size)
{
	snprintf(text, size, "%s", err->kind == E_CANCEL ?
	    hint(VERB_ENTER, "stopped; _ resumes").s : err->text);
}

bool
task_idle(const struct ui *ui)
{
	return ui->running == NULL && ui->queue == NULL;
}

bool
task_waits(const struct ui *ui)
{
	return ui->queue != NULL;
}

const struct task *
task_running(const struct ui *ui, uint64_t *since)
{
	*since = ui->since;
	return ui->running;
}

struct work *
task_work(const struct ui *ui)
{
	return worker_work(ui->worker);
}

static unsigned
task_percent(struct work *w)
{
	uint64_t	all = atomic_load(&w->total), part = atomic_load(&w->done);

	return all == 0 ? 0 : part >= all ? 100 : (unsigned)((double)part / (double)all * 100);
}

unsigned
ui_stopped(const struct ui *ui)
{
	return ui->stopped;
}

/* Also drop waiting tasks: they would restart the stopped work. */
void
task_cancel_all(struct ui *ui)
{
	struct task	*t;
	struct err	 err;

	if (ui->running == NULL) {
		ui_say_hint(ui, VERB_QUIT, "press _ to quit");
		return;
	}
	ui->stopped = task_percent(task_work(ui));
	ui->stopped += ui->stopped == 0;
	/* Panes do not wait for queries of the user. */
	ui->heap.stopped |= ui_store(ui) != NULL && (ui->running->pane == NULL || !ui->running->pane->extra);
	atomic_store(&task_work(ui)->cancel, true);
	fail_cancel(&err);
	while ((t = ui->queue) != NULL) {
		unqueue(ui, t);
		task_end(ui, t, false, &err);
	}
}
