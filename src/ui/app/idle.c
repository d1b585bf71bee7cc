/*
 * idle: what is done when nobody waits for the worker.
 */
#include "config.h"

#include "app.h"
#include "ui/heap/heap.h"

/* ---- the index ----------------------------------------------------------- */

static bool
save_run(struct task *task, struct work *work, struct err *err)
{
	work_start(work, "writing index", 0);
	return store_save(ui_store(task->ui), err);
}

static void
save_done(struct task *task, bool ok, const struct err *err)
{
	if (!ok && err->kind != E_CANCEL)
		ui_fail(task->ui, err);
}

/* False: all passes are in it. */
static bool
save(struct app *app)
{
	size_t	n = task_passes(app->ui);

	if (n <= app->saved)
		return false;
	app->saved = n;
	app_give(app, &app->save, save_run, save_done);
	return true;
}

/* ---- passes, one at a time ------------------------------------------------- */

static bool
prepare_run(struct task *task, struct work *work, struct err *err)
{
	return ui_heap_want(task->ui, app_of(task)->preparer.column, work, err);
}

static void
prepare_done(struct task *task, bool ok, const struct err *err)
{
	if (ok)
		return;
	ui_heap_stop(task->ui, true);
	if (err->kind == E_CANCEL)
		ui_say(task->ui, "stopped; C-l resumes");
	else
		ui_fail(task->ui, err);
}

/* In the order in which panes can show more. */
static void
prepare(struct app *app)
{
	static const enum col columns[] = {
		COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_EACH_CHILDREN, COL_IN_LEN,
		COL_REACH_OBJECT, COL_FRAME_METHOD, COL_EACH_DUP_OBJECT, COL_EACH_FINDING_KIND
	};
	struct preparer	*p = &app->preparer;
	size_t		 i;

	if (ui_heap_stopped(app->ui) || !(ui_shapes(app->ui) & SHAPE_GRAPH))
		return;
	/* What needs no pass is asked before passes keep the worker busy. */
	if (!p->begun) {
		p->begun = true;
		pane_classes.reset(ui_find(app->ui, &pane_classes));
		return;
	}
	for (i = 0; i < NELEM(columns) && ui_heap_has(app->ui, columns[i]); i++)
		;
	if (i == NELEM(columns))
		return;
	p->column = columns[i];
	app_give(app, &p->task, prepare_run, prepare_done);
}

void
idle_work(struct app *app)
{
	if (app->state == LOAD_DONE && task_idle(app->ui) && !save(app))
		prepare(app);
}
