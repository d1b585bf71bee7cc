/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tour: --tour shows eight keys on the user's own file, one after the other.
 */
#include "config.h"

#include <string.h>

#include "app.h"

/* A key and what it does; go: the pane that it opens, where the file has one. */
static const struct tour_step {
	const char	*key, *told;
	char		 go;
} steps[] = {
	{ "Enter", "Enter opens what the line is about", '\0' },
	{ "Backspace", "Backspace goes back", '\0' },
	{ "g", "g and a letter open a pane: press g, then i for Icicle", 'i' },
	{ "g", "press g, then n for Info: what the file is, and what was lost", 'n' },
	{ "/", "/ searches text; n is the next match", '\0' },
	{ "C-p", "Ctrl-P finds a pane, key or name by a few letters", '\0' },
	{ ":", ": asks a query; Tab lists what fits", '\0' },
	{ "?", "? shows the keys of the pane; the tour ends", '\0' }
};

void
tour_tell(struct app *app, const struct press *pressed)
{
	size_t	*at = &app->awaits.tour;

	if (!app->opt->tour || app->state != LOAD_DONE || *at >= NELEM(steps))
		return;
	if (pressed != NULL && strcmp(pressed->name, steps[*at].key) == 0)
		++*at;
	while (*at < NELEM(steps) && steps[*at].go != '\0' && go_find(app->ui, steps[*at].go) == NULL)
		++*at;
	if (*at < NELEM(steps) && ui_message(app->ui)->text[0] == '\0')
		ui_say(app->ui, "tour, %zu of %zu: %s", *at + 1, NELEM(steps), steps[*at].told);
}
