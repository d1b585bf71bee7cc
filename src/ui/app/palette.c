/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * palette: one prompt for everything that has a name: panes, marks, keys, sources of queries, presets, and the rows of
 * the lists of the file.
 */
#include "config.h"

#include <stdio.h>

#include "app.h"
#include "icecore/keys.h"
#include "icecore/preset.h"
#include "ui/list/list.h"

/* The effect of Enter; the number of the act is that of a pane, or of a row of keys. */
enum palette_act { ACT_PANE, ACT_MARK, ACT_KEY, ACT_QUERY, ACT_PRESET, ACT_ROW };

/* ---- what is offered ----------------------------------------------------------------- */

static void
offer_panes(const struct ui *ui, struct completion *c)
{
	struct pane	*p;
	char		 what[16];

	for (size_t i = 0; (p = ui_nth(ui, i)) != NULL; i++) {
		c->act = (struct candidate_act){ ACT_PANE, (unsigned)i, 0 };
		snprintf(what, sizeof what, go_letter(p) != '\0' ? "pane  g %c" : "pane", go_letter(p));
		completion_offer(c, pane_name(p), what);
	}
}

static void
offer_marks(const struct ui *ui, struct completion *c)
{
	const char	*name;

	c->act.what = ACT_MARK;
	for (size_t i = 0; (name = bookmark_at(ui, i)) != NULL; i++)
		completion_offer(c, name, "mark");
}

/* The column with the names of the rows of a pane of the file, a list; NULL: it is another pane. */
static const char *
names_column(const struct pane *p)
{
	const struct list *l = !p->extra && p->kind->like == &list_pane ? list_of(p) : NULL;

	if (l == NULL || p->kind->query == NULL)
		return NULL;
	return l->is.named != NULL ? l->is.named : l->is.naming != NULL ? l->is.naming : "name";
}

/* The names of one more list; behind the last one, the presets that fit. */
static void
offer_names_of(const struct ui *ui, struct completion *c)
{
	struct buf	query = BUF_INIT;
	struct pane	*p;
	bool		begun = false;

	while (!begun && (p = ui_nth(ui, c->turn)) != NULL) {
		const char *column = names_column(p);

		c->act = (struct candidate_act){ ACT_ROW, c->turn++, 0 };
		if (column == NULL)
			continue;
		buf_clear(&query);
		buf_printf(&query, "%s | select %s", p->kind->query, column);
		begun = !query.bad && completion_names(c, ui_session(ui), buf_view(&query), column, p->kind->name);
	}
	if (!begun && p == NULL && c->turn == ui_panes(ui)) {
		c->turn++;
		c->act.what = ACT_PRESET;
		completion_names(c, ui_session(ui), STR("presets | where fits = true | select title"), "title",
		    "preset");
	}
	buf_free(&query);
}

void
palette_offer(const struct ui *ui, struct completion *c)
{
	if (c->turn == 0 && c->n == 0) {
		offer_panes(ui, c);
		offer_marks(ui, c);
		c->act.what = ACT_KEY;
		help_offer(ui, c);
		c->act.what = ACT_QUERY;
		completion_sources(c, ui_shapes(ui), "query  ");
	}
	if (c->word.n > 0)
		offer_names_of(ui, c);
}

/* ---- what Enter does ----------------------------------------------------------------- */

/* Ask the query of the first preset with that title that fits. */
static void
ask_preset(struct ui *ui, struct str title)
{
	const struct presets	*presets = ui_session(ui)->presets;
	struct buf	 text = BUF_INIT;

	for (size_t i = 0; text.n == 0 && i < presets->nqueries; i++)
		if (str_eq(presets->query[i].title, title) && preset_fits(ui_session(ui), presets->query[i].text))
			buf_str(&text, presets->query[i].text);
	if (text.n > 0 && !text.bad)
		ui_ask(ui, text.s);
	buf_free(&text);
}

/* The key of another pane waits for the rows of that pane. */
static void
press_key(struct app *app, const struct candidate_act *act)
{
	struct press	press;

	if (act->of > 0)
		ui_show(app->ui, ui_nth(app->ui, act->of - 1));
	if (!key_first(str_of(keys[act->n].keys), &press))
		return;
	app->typed_at = os_now();
	buf_add(&app->typed, press.raw, press.n);
}

static void
palette_entered(void *asker, const char *line)
{
	struct app	*app = asker;
	struct candidate_act act = prompt_chosen();
	struct pane	*p = ui_nth(app->ui, act.n);

	switch ((enum palette_act)act.what) {
	case ACT_PANE:
		ui_show(app->ui, p);
		break;
	case ACT_MARK:
		bookmark_go(app->ui, line);
		break;
	case ACT_KEY:
		press_key(app, &act);
		break;
	case ACT_QUERY:
		ui_ask(app->ui, line);
		break;
	case ACT_PRESET:
		ask_preset(app->ui, str_of(line));
		break;
	case ACT_ROW:
		ui_show(app->ui, p);
		list_land(p, names_column(p), str_of(line));
	}
}

void
palette_open(struct app *app)
{
	if (app->state != LOAD_DONE)
		return;
	prompt_open(PROMPT_PALETTE, "find: ", "", palette_entered, app);
	prompt_list();
}
