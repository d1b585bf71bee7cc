/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idle: background work while the worker is free.
 */
#include "config.h"

#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_findings.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "icecore/columns_reach.h"
#include "app.h"
#include "ui/heap/heap.h"

enum { CHECK_NS = 30000000 };

/* ---- index --------------------------------------------------------------- */

static bool
save_run(struct task *task, struct work *work, struct err *err)
{
	work_start(work, "writing index", 0);
	return store_save(session_store(ui_seen(task->ui)), err);
}

static void
save_done(struct task *task, bool ok, const struct err *err)
{
	if (!ok && err->kind != E_CANCEL)
		ui_fail(task->ui, err);
}

/* Save the index; false: it already contains all passes and repaired parts. */
static bool
idle_save(struct app *app)
{
	size_t	n = task_passes(app->ui) + store_mended(ui_file(app->ui));

	if (n <= app->saved)
		return false;
	app->saved = n;
	app_give(app, &app->save, save_run, save_done);
	return true;
}

/* Verify for at most CHECK_NS, so that other work does not wait for the worker. */
static bool
check_run(struct task *task, struct work *work, struct err *err)
{
	struct checker	*c = &app_of(task)->checker;

	c->more = store_verify(ui_seen(task->ui)->store[c->done], os_now() + CHECK_NS, work);
	return work_go(work, 0, err);
}

static void
check_done(struct task *task, bool ok, const struct err *err)
{
	struct app	*app = app_of(task);

	(void)err;
	/* If the user stops verification, do not continue: values are still verified on use. */
	if (!ok)
		app->checker.done = app->session->nstores;
	else if (!app->checker.more)
		app->checker.done++;
}

static void
idle_check(struct app *app)
{
	struct checker	*c = &app->checker;
	struct buf	 said = BUF_INIT;

	for (size_t i = 0; !c->told && i < app->session->nstores; i++)
		if (store_damage_text(app->session->store[i], &said)) {
			if (!said.bad)
				ui_say(app->ui, "%s", said.s);
			c->told = true;
		}
	buf_free(&said);
	if (c->done < app->session->nstores)
		app_give(app, &c->task, check_run, check_done);
}

/* ---- passes, one at a time ------------------------------------------------- */

static bool
prepare_run(struct task *task, struct work *work, struct err *err)
{
	return ui_heap_want(ui_seen(task->ui), app_of(task)->preparer.column, work, err);
}

static void
prepare_done(struct task *task, bool ok, const struct err *err)
{
	if (ok)
		return;
	ui_heap_stop(task->ui, true);
	if (err->kind == E_CANCEL)
		ui_say_hint(task->ui, VERB_REDRAW, "stopped; _ resumes");
	else
		ui_fail(task->ui, err);
}

/* Run passes in the order in which panes can show more. */
static bool
idle_prepare(struct app *app)
{
	static const column_id columns[] = {
		COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_EACH_CHILDREN, COL_IN_LEN,
		COL_REACH_OBJECT, COL_FRAME_METHOD, COL_EACH_DUP_OBJECT, COL_EACH_FINDING_KIND
	};
	struct preparer	*p = &app->preparer;
	size_t		 i;

	if (ui_heap_stopped(app->ui) || !(ui_shapes(app->ui) & SHAPE_GRAPH))
		return false;
	/* Fill the Classes pane first, which needs no pass: later, passes keep the worker busy. */
	if (!p->begun) {
		p->begun = true;
		pane_on(ui_find(app->ui, &pane_classes), PANE_RESET);
		return true;
	}
	for (i = 0; i < NELEM(columns) && ui_heap_has(app->ui, columns[i]); i++)
		;
	if (i == NELEM(columns))
		return false;
	p->column = columns[i];
	app_give(app, &p->task, prepare_run, prepare_done);
	return true;
}

void
idle_work(struct app *app)
{
	if (app->state == LOAD_DONE && task_idle(app->ui) && !idle_save(app) && !idle_prepare(app))
		idle_check(app);
}
