/*
 * learn: has the worker run the passes that the names for the menu need.
 */
#include "config.h"

#include "menu.h"

static bool
run(struct task *task, struct work *work, struct err *err)
{
	struct learner	*l = (struct learner *)task;
	struct query	*q;
	bool		 ok;

	if (!query_parse(&q, buf_view(&l->query), err))
		return false;
	ok = query_prepare(q, l->session, work, err);
	query_free(q);
	return ok;
}

static void
done(struct task *task, bool ok, const struct err *err)
{
	struct learner	*l = (struct learner *)task;

	if (ok) {
		menu_clear(l->menu);
		return;
	}
	buf_clear(&l->query);
	menu_close(l->menu);
	ui_fail(task->ui, err);
}

bool
learn_names(struct learner *l, struct menu *m, struct ui *ui)
{
	struct str	lacks = buf_view(&m->c.lacks);

	if (l->task.given)
		return true;
	/* What was done for them already did not help. */
	if (lacks.n == 0 || str_eq(lacks, buf_view(&l->query)))
		return false;
	buf_clear(&l->query);
	buf_str(&l->query, lacks);
	l->task.run = run;
	l->task.done = done;
	l->menu = m;
	l->session = ui_plain(ui);
	if (!l->query.bad)
		task_give(ui, &l->task);
	return l->task.given;
}

void
learn_end(struct learner *l)
{
	task_drop(&l->task);
	buf_free(&l->query);
}
