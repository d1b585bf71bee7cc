/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare: if a pane cannot compare two files, show a message and a query that can.
 */
#include "config.h"

#include "app.h"

/*
 * True if the pane cannot compare. Panes opened on request, or reached from another pane, show what was requested;
 * panes of the file alone, without a query that compares, show the file.
 */
bool
compare_lacks(const struct app *app)
{
	const struct pane *p = ui_pane(app->ui);

	return app->state == LOAD_DONE && look_differs(app->ui) && !p->extra && p->came == NULL &&
	    !p->kind->compares && (p->kind->diff != NULL || !p->kind->plain);
}

static void
compare_draw_line(struct area *in, enum role role, const struct buf *b)
{
	int	n;

	if (b->bad || in->h <= 0)
		return;
	n = screen_words(*in, role, buf_view(b)) + 1;
	in->y += n;
	in->h -= n;
}

void
compare_draw(const struct app *app, struct area a)
{
	const struct pane_kind *kind = ui_pane(app->ui)->kind;
	struct area	in = { a.y + 1, a.x + 2, a.h - 1, a.w - 4 };
	struct buf	b = BUF_INIT;

	buf_printf(&b, "no diff for %s; %s", kind->name, hint(VERB_DELTA, "_ shows one file").s);
	compare_draw_line(&in, ROLE_NORMAL, &b);
	buf_clear(&b);
	if (kind->diff != NULL) {
		buf_printf(&b, "%s%s", hint_in(kind->where, VERB_ENTER, "_: ").s, kind->diff);
		compare_draw_line(&in, ROLE_DIM, &b);
	}
	buf_free(&b);
}

/* True for keys that act on the contents of the pane. */
static bool
is_about_pane(enum verb verb)
{
	switch (verb) {
	case VERB_NONE: case VERB_HELP: case VERB_QUIT: case VERB_CLOSE: case VERB_NEXT_PANE: case VERB_PREV_PANE:
	case VERB_PANE: case VERB_GO: case VERB_PALETTE:
	case VERB_PROMPT: case VERB_REDRAW: case VERB_MOUSE: case VERB_CANCEL: case VERB_UNDO: case VERB_MARKS:
	case VERB_REDO: case VERB_CLEAR: case VERB_OTHER: case VERB_DELTA: case VERB_SCALE: case VERB_CLOCK:
		return false;
	default:
		return true;
	}
}

bool
compare_act(struct app *app, enum verb verb)
{
	const struct pane_kind *kind = ui_pane(app->ui)->kind;

	if (app->overlays.n > 0 || !is_about_pane(verb) || !compare_lacks(app))
		return false;
	if (verb == VERB_ENTER && kind->diff != NULL)
		ui_ask(app->ui, kind->diff);
	else
		ui_say(app->ui, "no diff for %s; %s", kind->name, hint(VERB_DELTA, "_ shows one file").s);
	return true;
}
