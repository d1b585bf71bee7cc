/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tour: --tour shows eight keys on the user's own file, one after the other.
 */
#include "config.h"

#include "app.h"

/* A key and what it does, for hint(); go: the pane that it opens, where the file has one. */
static const struct tour_step {
	enum verb	 verb;
	const char	*told;
	char		 go;
} steps[] = {
	{ VERB_ENTER, "_ opens what the line is about", '\0' },
	{ VERB_BACK, "_ goes back", '\0' },
	{ VERB_GO, "_ and a letter open a pane: press _, then i for Icicle", 'i' },
	{ VERB_GO, "press _, then n for Info: what the file is, and what was lost", 'n' },
	{ VERB_FIND, "_ searches text; n is the next match", '\0' },
	{ VERB_PALETTE, "Ctrl-P finds a pane, key or name by a few letters", '\0' },
	{ VERB_PROMPT, "_ asks a query; Tab lists what fits", '\0' },
	{ VERB_HELP, "_ shows the keys of the pane; the tour ends", '\0' }
};

void
tour_tell(struct app *app, const struct press *pressed)
{
	size_t	*at = &app->awaits.tour;

	if (!app->opt->tour || app->state != LOAD_DONE || *at >= NELEM(steps))
		return;
	if (pressed != NULL && key_verb(pressed, ui_where(app->ui, ui_pane(app->ui))) == steps[*at].verb)
		++*at;
	while (*at < NELEM(steps) && steps[*at].go != '\0' && go_find(app->ui, steps[*at].go) == NULL)
		++*at;
	if (*at < NELEM(steps) && ui_message(app->ui)->text[0] == '\0')
		ui_say(app->ui, "tour, %zu of %zu: %s", *at + 1, NELEM(steps),
		    hint(steps[*at].verb, steps[*at].told).s);
}
