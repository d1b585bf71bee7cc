/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * look: build the session's view and put it in place; keys that change the view.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/columns_dumps.h"
#include "icecore/dumps.h"
#include "app.h"
#include "ui/list/list.h"

/* ---- building ------------------------------------------------------------ */

static void look_done(struct task *, bool ok, const struct err *);

static bool
look_run(struct task *task, struct work *work, struct err *err)
{
	struct look_making *l = (struct look_making *)task;
	struct session	 s = *ui_seen(task->ui);
	char		 stages[APP_STAGES];
	struct buf	 text = BUF_INIT;
	bool		 ok = true;

	if (l->base != NULL)
		s.store[0] = l->base;
	s.at = l->asked_at;
	s.clock = l->asked_clock;
	s.view = NULL;
	l->made = NULL;
	memcpy(stages, l->asked, sizeof stages);
	if (l->by_rows)
		look_drop(stages, "diff");
	look_join(stages, " | ", &text);
	if (text.bad)
		ok = fail(err, E_SYSTEM, "out of memory (filters)");
	else if (text.n > 0)
		ok = query_view(&s, buf_view(&text), &l->made, work, err);
	buf_free(&text);
	return ok;
}

void
look_make(struct app *app)
{
	struct look_making *l = &app->look;

	(void)look_due(app->ui);
	if (l->task.task.given)
		return;
	TEXT_COPY(l->asked, look_wanted(app->ui));
	l->asked_at = look_file(app->ui);
	l->asked_clock = look_clock(app->ui);
	l->by_rows = !look_two(app->ui, SHAPE_TREES);
	app_give(app, &l->task, look_run, look_done);
}

/* True if the pane shows object ids: they mean other objects in another dump. */
static bool
is_of_dump(const struct pane *p)
{
	return (p->kind->shapes & SHAPE_GRAPH) != 0 || (p->extra && p->kind != &pane_query);
}

/* Replace all panes that show object ids when another dump is opened. */
static void
renew_heap(struct app *app)
{
	struct pane	*shown = ui_pane(app->ui), *p;
	const struct pane_kind *kind = shown->kind;
	bool		 stays = !is_of_dump(shown);
	size_t		 i = ui_panes(app->ui);

	while (i-- > 0) {
		p = ui_nth(app->ui, i);
		if (is_of_dump(p))
			ui_remove(app->ui, p);
	}
	app->preparer.begun = false;
	ui_heap_stop(app->ui, false);
	if (ui_place(app->ui, &app->err) && (p = stays ? shown : ui_find(app->ui, kind)) != NULL)
		ui_show(app->ui, p);
}

/* Close query panes whose query does not fit this kind of file. */
static void
drop_asked(struct app *app)
{
	struct err	 err;
	struct query	*q;
	struct pane	*p;
	size_t		 i = ui_panes(app->ui);

	while (i-- > 0) {
		p = ui_nth(app->ui, i);
		if (p->kind != &pane_query || !query_parse(&q, str_of(list_of(p)->base), &err))
			continue;
		if (!query_fits(q, app->session, &err))
			ui_remove(app->ui, p);
		query_free(q);
	}
}

static void
say_compares(struct app *app)
{
	ui_say(app->ui, "comparing two files; %s, %s", hint(VERB_DELTA, "_: one file").s,
	    hint(VERB_OTHER, "_: the other").s);
}

static void
show_file(struct app *app)
{
	const struct session *s = app->session;

	drop_asked(app);
	if (ui_shapes(app->ui) & SHAPE_GRAPH)
		renew_heap(app);
	else if (!ui_place(app->ui, &app->err))
		ui_fail(app->ui, &app->err);
	if (look_differs(app->ui))
		say_compares(app);
	else
		ui_say(app->ui, "file %zu of %zu: %s", s->at + 1, s->nstores, store_path(s->store[s->at]));
}

/* Reload the panes that compare rows. */
static void
renew_rows(struct app *app)
{
	struct pane	*p;

	for (size_t i = 0; (p = ui_nth(app->ui, i)) != NULL; i++)
		if (p->kind->compares && !p->extra)
			p->stale = true;
}

static void
take_view(struct app *app)
{
	struct look_making *l = &app->look;
	bool		 other = app->session->at != l->asked_at;

	look_taken(app->ui, l->asked);
	if (other || l->base != NULL || l->made != NULL || app->session->view != NULL)
		swap_stores(app, l->asked_at, l->base, l->made);
	l->base = NULL;
	renew_rows(app);
	if (other)
		show_file(app);
}

/* The view failed: show the new snapshot without it. */
static void
no_view(struct app *app)
{
	struct look_making *l = &app->look;
	bool		 none = l->base != NULL;

	if (none)
		swap_stores(app, app->session->at, l->base, NULL);
	l->base = NULL;
	look_refused(app->ui, none);
}

static void
look_done(struct task *task, bool ok, const struct err *err)
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
	else
		history_arrived(app->ui);
}

void
look_swap(struct app *app, struct store *st)
{
	struct look_making *l = &app->look;

	if (*look_wanted(app->ui) == '\0' && !l->task.task.given) {
		swap_stores(app, app->session->at, st, NULL);
		return;
	}
	/* A snapshot waits until its view is made; a newer snapshot replaces a waiting one. */
	store_close_pile(l->base, NULL);
	l->base = st;
	look_make(app);
}

void
look_swap_dump(struct app *app, struct store *st)
{
	look_swap(app, st);
	if (ui_shapes(app->ui) & SHAPE_GRAPH)
		renew_heap(app);
}

/* ---- patterns ------------------------------------------------------------ */

/* Append a pattern as / would search it. A pattern that begins with a quote or slash is already in query syntax. */
static void
look_add_pattern(struct buf *b, const char *line)
{
	if (line[0] == '/' || line[0] == '\'' || line[0] == '"')
		buf_str(b, str_of(line));
	else
		pattern_text(str_of(line), b);
}

static void
pattern_entered(void *asker, const char *line)
{
	struct app	*app = asker;
	struct buf	 b = BUF_INIT;

	if (*line == '\0')
		return;
	buf_printf(&b, "%s ", app->stage);
	look_add_pattern(&b, line);
	look_add(app->ui, NULL, buf_view(&b));
	buf_free(&b);
}

/* Split a typed line into stages: only a bar before a stage word ends a stage. */
void
look_split(const char *line, struct buf *b)
{
	const char	*from = line;
	struct str	one;

	for (const char *s = line;; s++) {
		if (*s != '\0' && (*s != '|' || !look_begins(str_of(s + 1))))
			continue;
		one = str_trim((struct str){ from, (size_t)(s - from) });
		if (one.n > 0) {
			buf_str(b, one);
			buf_chr(b, '\n');
		}
		if (*s == '\0')
			return;
		from = s + 1;
	}
}

static void
view_entered(void *asker, const char *line)
{
	struct app	*app = asker;
	struct buf	 b = BUF_INIT;

	look_split(line, &b);
	if (!b.bad)
		look_set(app->ui, b.n > 0 ? b.s : "");
	buf_free(&b);
}

/* Ask for a pattern; propose the class of that name, or its package. */
static void
ask_pattern(struct app *app, const char *stage, struct str name, bool package)
{
	char		label[16];
	struct buf	b = BUF_INIT;
	size_t		dots = package ? 2 : 1, n;

	for (n = name.n; n > 0 && dots > 0; n--)
		if (name.s[n - 1] == '.' && --dots == 0)
			break;
	n = n > 0 ? n : name.n;
	if (n > 0)
		buf_chr(&b, '^');
	for (size_t i = 0; i < n; i++) {
		if (is_one_of(name.s[i], "\\^$.[]|()*+?{}"))
			buf_chr(&b, '\\');
		buf_chr(&b, name.s[i]);
	}
	snprintf(label, sizeof label, "%s: ", stage);
	app->stage = stage;
	prompt_open(PROMPT_LINE, label, b.n > 0 && !b.bad ? b.s : "", pattern_entered, app);
	buf_free(&b);
}

static void
ask_view(struct app *app)
{
	struct buf	b = BUF_INIT;

	look_join(look_wanted(app->ui), " | ", &b);
	prompt_open(PROMPT_VIEW, "filters: ", b.n > 0 && !b.bad ? b.s : "", view_entered, app);
	buf_free(&b);
}

/* ---- what keys do -------------------------------------------------------- */

static void
look_add_exact(struct app *app, const char *word, struct str name)
{
	struct buf	b = BUF_INIT;

	buf_printf(&b, "%s ", word);
	if (name.n == 0)
		ui_say(app->ui, "select a frame first");
	else if (!list_quote(name, &b))
		ui_say_hint(app->ui, VERB_HIDE_LIKE, "name too long; use _ and a pattern");
	else
		look_add(app->ui, NULL, buf_view(&b));
	buf_free(&b);
}

static void
next_group(struct app *app)
{
	static const char *const groups[] = { "", "by class", "by package", "by file", "by module", "by name" };
	struct str	now = look_stage(look_wanted(app->ui), "by");
	size_t		i;

	for (i = 0; i < NELEM(groups) && !str_eq(now, str_of(groups[i])); i++)
		;
	i = (i + 1) % NELEM(groups);
	look_add(app->ui, "by", str_of(groups[i]));
	ui_say(app->ui, "grouped by %s", i == 0 ? "method" : groups[i] + 3);
}

static void
next_delta(struct app *app, enum verb verb)
{
	struct str	now = look_stage(look_wanted(app->ui), "diff");
	bool		trees = look_two(app->ui, SHAPE_TREES);

	if (!look_alike(app->ui))
		ui_say(app->ui, "cannot compare files of different kinds");
	else if (verb == VERB_DELTA) {
		if (!trees && now.n == 0)
			say_compares(app);
		look_add(app->ui, "diff", now.n > 0 ? STR("") : STR("diff"));
	} else if (!trees)
		ui_say(app->ui, "nothing to normalise: the files have no call tree");
	else
		look_add(app->ui, "diff", str_eq(now, STR("diff normalised")) ? STR("diff") :
		    STR("diff normalised"));
}

static void
say_dump(struct ui *ui, const struct store *st, uint64_t dump)
{
	struct str	when = store_text(st, store_cell(st, COL_TDUMP_WHEN, dump));

	when = str_head(when, 60);
	ui_say(ui, "dump %ju of %ju%s%.*s; %s", (uintmax_t)dump, (uintmax_t)dumps_count(st),
	    when.n > 0 ? ", " : "", (int)when.n, when.s, hint(VERB_UNDO, "_ undoes it").s);
}

/* The dump before or after the one shown; before the first and after the last come all of them. */
static void
next_dump(struct app *app, bool back)
{
	struct store *st = ui_file(app->ui);
	struct str	now = look_stage(look_wanted(app->ui), "dump"), word;
	uint64_t	n = dumps_count(st), at = 0;
	struct buf	stage = BUF_INIT;

	if (str_split(&now, ' ', &word) && !num_u64(now, 10, &at))
		at = n;
	at = back ? (at == 0 ? n : at - 1) : (at >= n ? 0 : at + 1);
	if (at > 0)
		buf_printf(&stage, "dump %ju", (uintmax_t)at);
	look_add(app->ui, "dump", buf_view(&stage));
	if (at > 0)
		say_dump(app->ui, st, at);
	else
		ui_say(app->ui, "all %ju dumps; lists show the last", (uintmax_t)n);
	buf_free(&stage);
}

void
look_act(struct app *app, enum verb verb, struct str name)
{
	switch (verb) {
	case VERB_HIDE: case VERB_KEEP:
		look_add_exact(app, verb == VERB_HIDE ? "hide" : "keep", name);
		break;
	case VERB_HIDE_LIKE:
		ask_pattern(app, "hide", name, false);
		break;
	case VERB_FOLD_LIKE:
		ask_pattern(app, "fold", name, true);
		break;
	case VERB_BY:
		next_group(app);
		break;
	case VERB_OTHER:
		look_choose(app->ui, (look_file(app->ui) + 1) % app->session->nstores);
		break;
	case VERB_VIEW:
		ask_view(app);
		break;
	case VERB_PREV_DUMP: case VERB_NEXT_DUMP:
		next_dump(app, verb == VERB_PREV_DUMP);
		break;
	case VERB_DELTA: case VERB_SCALE:
		next_delta(app, verb);
		break;
	default:
		break;
	}
}
