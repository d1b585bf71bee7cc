/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * search: the search of / and #, in any pane, until Esc clears it.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/keys.h"
#include "app.h"
#include "ui/list/list.h"

/* Search from the start, or continue from the last match in the same pane. */
static void
search_go(struct app *app, bool again, bool backward)
{
	struct pane	*p = ui_pane(app->ui);
	bool		 fresh = !again || app->searched != p ||
			    (!ui_found(app->ui)->known && (p->kind->where & IN_FRAMES) != 0);

	app->searched = p;
	ui_set_search(app->ui, app->search);
	PANE_DOES(p, find)(p, fresh ? app->search : NULL, backward);
}

static void
entered(void *asker, const char *line)
{
	struct app	*app = asker;

	/* If nothing is entered, search for the previous text. */
	if (*line != '\0')
		TEXT_COPY(app->search, line);
	if (app->search[0] != '\0' && PANE_DOES(ui_pane(app->ui), find) != NULL)
		search_go(app, false, false);
}

/* Escape a name as a pattern.  Dots are not escaped: they match themselves too. */
static void
as_pattern(struct str name, struct buf *b)
{
	for (size_t i = 0; i < name.n; i++) {
		if (is_one_of(name.s[i], "\\$^*+?()[]{}|"))
			buf_chr(b, '\\');
		buf_chr(b, name.s[i]);
	}
}

/* Search for the name of the selection. */
static void
search_name(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 name = BUF_INIT, pattern = BUF_INIT;

	pane_tell(p, TELL_SUBJECT, &name);
	as_pattern(buf_view(&name), &pattern);
	if (pattern.n == 0 || pattern.n >= sizeof app->search)
		ui_say(app->ui, pattern.n == 0 ? "the selection has no name" : "name too long to search for");
	else
		entered(app, pattern.s);
	buf_free(&name);
	buf_free(&pattern);
}

/* List what matches in the whole file or the range; /regex/ as in queries. */
static void
all_entered(void *asker, const char *line)
{
	struct app	*app = asker;
	struct str	 text = str_of(line);
	struct buf	 query = BUF_INIT;
	bool		 regex = text.n > 2 && text.s[0] == '/' && text.s[text.n - 1] == '/', ok = true;

	if (text.n == 0)
		return;
	buf_str(&query, STR("search "));
	if (regex)
		buf_str(&query, text);
	else
		ok = list_quote(text, &query);
	buf_str(&query, STR(" | select name wall start_wall thread process detail kind thread_id call_of"));
	if (ok && !query.bad)
		ui_ask(app->ui, query.s);
	buf_free(&query);
}

void
search_act(struct app *app, enum verb verb)
{
	uint64_t from, to;

	if (verb == VERB_FIND_ALL)
		prompt_open(PROMPT_LINE, look_ranged(app->ui, &from, &to) ? "in the range: " :
		    "in the whole file: ", "", all_entered, app);
	else if (PANE_DOES(ui_pane(app->ui), find) == NULL)
		ui_say(app->ui, "nothing to search in this pane");
	else if (verb == VERB_FIND)
		prompt_open(PROMPT_LINE, "/", "", entered, app);
	else if (verb == VERB_FIND_NAME)
		search_name(app);
	else if (app->search[0] == '\0')
		ui_say_hint(app->ui, VERB_FIND, "no search yet; press _");
	else
		search_go(app, true, verb == VERB_FIND_PREV);
}

bool
search_forget(struct app *app)
{
	struct pane	*p;
	bool		 any = app->searched != NULL;

	app->searched = NULL;
	ui_set_search(app->ui, "");
	for (size_t i = 0; any && (p = ui_nth(app->ui, i)) != NULL; i++)
		pane_on(p, PANE_UNMARKS);
	if (any)
		found_forget(app->ui);
	return any;
}
