/*
 * look: makes the session's view, and puts it in its place.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "app.h"
#include "ui/list/list.h"

static void done(struct task *, bool ok, const struct err *);

static bool
run(struct task *task, struct work *work, struct err *err)
{
	struct look_making *l = (struct look_making *)task;
	struct session	 s = *l->task.app->session;
	struct buf	 text = BUF_INIT;
	bool		 ok = true;

	if (l->base != NULL)
		s.store[0] = l->base;
	s.at = l->asked_at;
	s.clock = l->asked_clock;
	s.view = NULL;
	l->made = NULL;
	look_join(l->asked, " | ", &text);
	if (text.bad)
		ok = fail(err, E_SYSTEM, "no memory for the view");
	else if (text.n > 0)
		ok = query_view(&s, buf_view(&text), &l->made, work, err);
	buf_free(&text);
	return ok;
}

void
look_make(struct app *app)
{
	struct look_making *l = &app->look;

	if (l->task.task.given)
		return;
	snprintf(l->asked, sizeof l->asked, "%s", look_wanted(app->ui));
	l->asked_at = look_file(app->ui);
	l->asked_clock = look_clock(app->ui);
	app_give(app, &l->task, run, done);
}

/* Of another dump nothing can stay. */
static void
renew_heap(struct app *app)
{
	const struct pane_kind *shown = ui_pane(app->ui)->kind;
	struct pane	*p;
	size_t		 i = ui_panes(app->ui);

	while (i-- > 0) {
		p = ui_nth(app->ui, i);
		if ((p->kind->shapes & SHAPE_GRAPH) != 0 ||
		    (p->extra && p->kind != &pane_query && p->kind != &pane_help))
			ui_remove(app->ui, p);
	}
	app->preparer.begun = false;
	ui_heap_stop(app->ui, false);
	if (ui_place(app->ui, &app->err) && (p = ui_find(app->ui, shown)) != NULL)
		ui_show(app->ui, p);
}

static void
show_file(struct app *app)
{
	const struct session *s = app->session;

	if (ui_shapes(app->ui) & SHAPE_GRAPH)
		renew_heap(app);
	else if (!ui_place(app->ui, &app->err))
		ui_fail(app->ui, &app->err);
	ui_say(app->ui, "file %zu of %zu: %s", s->at + 1, s->nstores, store_path(s->store[s->at]));
}

static void
take_view(struct app *app)
{
	struct look_making *l = &app->look;
	bool		 other = app->session->at != l->asked_at;

	look_taken(app->ui, l->asked);
	files_swap(app, l->asked_at, l->base, l->made);
	l->base = NULL;
	if (other)
		show_file(app);
}

/* The new snapshot is there all the same. */
static void
no_view(struct app *app)
{
	struct look_making *l = &app->look;
	bool		 none = l->base != NULL;

	if (none)
		files_swap(app, app->session->at, l->base, NULL);
	l->base = NULL;
	look_refused(app->ui, none);
}

static void
done(struct task *task, bool ok, const struct err *err)
{
	struct look_making *l = (struct look_making *)task;
	struct app	*app = l->task.app;

	if (!ok) {
		ui_fail(app->ui, err);
		no_view(app);
		return;
	}
	take_view(app);
	if (strcmp(look_wanted(app->ui), l->asked) != 0 || look_file(app->ui) != l->asked_at)
		look_make(app);
}

void
look_swap(struct app *app, struct store *st)
{
	struct look_making *l = &app->look;

	if (*look_wanted(app->ui) == '\0' && !l->task.task.given) {
		files_swap(app, app->session->at, st, NULL);
		return;
	}
	/* The view of it comes first; of several that came meanwhile the last counts. */
	store_close_pile(l->base, NULL);
	l->base = st;
	look_make(app);
}

