/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * click: mouse actions on drawn spots; see spot_add.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "icecore/keys.h"
#include "app.h"

enum { DOUBLE_NS = 400000000, WHEEL_ROWS = 3 };

/* Return the first key of the verb, as in the table of keys. */
static int
as_verb(struct app *app, enum verb verb, struct press *key)
{
	struct pane	*p = ui_pane(app->ui);
	const struct key *k = key_of(verb, overlay_where(&app->overlays, app->ui));

	if (verb == VERB_QUIT || (verb == VERB_CLOSE && ui_leads_out(p))) {
		ui_say_hint(app->ui, VERB_QUIT, "clicks do not quit; press _");
		return 0;
	}
	return k != NULL && key_first(str_of(k->keys), key) ? 1 : 0;
}

static bool
click_is_double(struct app *app, const struct press *p)
{
	struct mouse_state *m = &app->mouse;
	uint64_t	now = os_now();
	bool		again = m->at != 0 && now - m->at <= DOUBLE_NS && abs(m->x - p->x) <= 1 &&
	    m->y == p->y;

	m->y = p->y;
	m->x = p->x;
	m->at = again ? 0 : now;
	return again;
}

static int
click_click(struct app *app, const struct press *p, struct press *key)
{
	const struct area *a = &ui_pane(app->ui)->area;
	bool		 again = click_is_double(app, p);
	const struct spot *s = spot_at(p->y, p->x);

	app->mouse.down = app->state == LOAD_DONE && app->overlays.n == 0 && p->y >= a->y &&
	    p->y - a->y < a->h;
	app->mouse.moved = false;
	app->mouse.from = p->x;

	ui_message(app->ui)->text[0] = '\0';
	if (s == NULL)
		return 0;
	if (s->enters && again)
		return as_verb(app, VERB_ENTER, key);
	if (s->verb != VERB_NONE)
		return as_verb(app, s->verb, key);
	app->drawn = false;
	s->click(s->who, s->what, p->y - s->area.y, p->x - s->area.x);
	return 0;
}

/* A terminal that reports no motion still reports where the button was released. */
static void
click_drag(struct app *app, const struct press *p)
{
	struct mouse_state *m = &app->mouse;
	struct pane	*pane = ui_pane(app->ui);
	bool		 end = p->mouse == MOUSE_RELEASE;

	m->moved |= p->x != m->from;
	if (m->down && m->moved && PANE_DOES(pane, drag) != NULL) {
		ui_message(app->ui)->text[0] = '\0';
		PANE_DOES(pane, drag)(pane, m->from, p->x, end);
	}
	m->down &= !end;
}

static int
click_turn(struct app *app, const struct press *p, struct press *key)
{
	const struct spot *s = spot_at(p->y, p->x);

	if (s != NULL && s->enters)
		s->click(s->who, s->what, SPOT_FOCUS, 0);
	return as_verb(app, p->mouse == MOUSE_WHEEL_UP ? VERB_UP : VERB_DOWN, key) * WHEEL_ROWS;
}

int
click_take(struct app *app, const struct press *p, struct press *key)
{
	if (!app->mouse.on || !screen_fits())
		return 0;
	/* Redraw first if a key changed something since the last frame: the clicked spot may be gone. */
	if (!app->drawn && p->mouse < MOUSE_DRAG)
		app_draw(app);
	switch (p->mouse) {
	case MOUSE_CLICK: case MOUSE_WHEEL_UP: case MOUSE_WHEEL_DOWN:
		sides_click(app, p);
		break;
	default:
		break;
	}
	switch (p->mouse) {
	case MOUSE_CLICK:
		return click_click(app, p, key);
	case MOUSE_WHEEL_UP: case MOUSE_WHEEL_DOWN:
		return click_turn(app, p, key);
	case MOUSE_DRAG: case MOUSE_RELEASE:
		click_drag(app, p);
		return 0;
	case MOUSE_BACK:
		return as_verb(app, VERB_BACK, key);
	default:
		return 0;
	}
}

void
click_switch(struct app *app)
{
	if (app->mouse.none) {
		ui_say(app->ui, "no mouse in this terminal");
		return;
	}
	app->mouse.on = !app->mouse.on;
	ui_say(app->ui, "%s", app->mouse.on ? "mouse on: Shift+drag selects text" :
	    "mouse off: select text with the terminal");
}
