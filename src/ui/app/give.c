/*
 * give: work of the app for the worker.
 */
#include "config.h"

#include "app.h"

struct app *
app_of(struct task *task)
{
	return ((struct app_task *)task)->app;
}

void
app_give(struct app *app, struct app_task *t, bool (*run)(struct task *, struct work *, struct err *),
    void (*done)(struct task *, bool ok, const struct err *))
{
	t->app = app;
	t->task.run = run;
	t->task.done = done;
	task_give(app->ui, &t->task);
}
