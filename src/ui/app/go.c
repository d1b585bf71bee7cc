/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * go: the panes by their letters, behind g.
 */
#include "config.h"

#include <string.h>

#include "icecore/keys.h"
#include "app.h"

char
go_letter(const struct pane *p)
{
	const struct pane_letter *l = pane_letters;

	while (l->name != NULL && strcmp(l->name, p->kind->name) != 0)
		l++;
	return p->extra || l->name == NULL ? '\0' : l->letter;
}

struct pane *
go_find(const struct ui *ui, char letter)
{
	struct pane	*p;

	for (size_t i = 0; (p = ui_nth(ui, i)) != NULL; i++)
		if (letter != '\0' && go_letter(p) == letter)
			return p;
	return NULL;
}

void
go_begin(struct app *app)
{
	app->awaits.letter = true;
	ui_say_hint(app->ui, VERB_GO, "letter of a pane; _: first row, Esc: stay");
}

bool
go_press(struct app *app, const struct press *p, struct press *next)
{
	struct pane	*to = p->name[0] != '\0' && p->name[1] == '\0' ? go_find(app->ui, p->name[0]) : NULL;

	if (!app->awaits.letter)
		return false;
	app->awaits.letter = false;
	if (to != NULL)
		ui_show(app->ui, to);
	else if (key_verb(p, IN_ALL) == VERB_GO)
		key_named("Home", next);
	else if (strcmp(p->name, "C-c") == 0)
		return false;
	else if (strcmp(p->name, "Esc") != 0)
		ui_say(app->ui, "no pane has the letter '%s'; %s", p->name, hint(VERB_GO, "_ shows them").s);
	return true;
}
