/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * input: read keys, mouse reports and pasted text, and press the keys: at once, or when their rows are ready.
 */
#include "config.h"

#include <string.h>

#include "icecore/keys.h"
#include "app.h"

enum { TYPED_NS = 500000000, PASTE_NS = 50000000, ESCAPE_MS = 25, ANSWER_WAITS = 40, INPUT_MAX = 4096 };

static void
say_pasted(struct app *app)
{
	app->leaving = false;
	ui_say(app->ui, "pasted text? %s, %s", hint(VERB_PROMPT, "_ for a query").s,
	    hint(VERB_FIND, "_ for a search").s);
}

static bool
take_paste(struct app *app, const struct press *p)
{
	if (strcmp(p->name, "PasteBegin") == 0) {
		app->pasting = true;
		buf_clear(&app->paste);
		return true;
	}
	if (!app->pasting)
		return false;
	if (strcmp(p->name, "PasteEnd") == 0) {
		app->pasting = false;
		if (prompt_is_open())
			prompt_insert(buf_view(&app->paste));
		else
			say_pasted(app);
	} else
		buf_add(&app->paste, p->raw, p->n);
	return true;
}

static enum verb
verb_of(struct app *app, const struct press *p)
{
	return app->awaits.letter ? VERB_GO : key_verb(p, overlay_where(&app->overlays, app->ui));
}

static void
input_act(struct app *app, const struct press *p)
{
	const struct key *k = key_row(p, overlay_where(&app->overlays, app->ui));
	struct press	next = { .n = 0 };

	if (go_press(app, p, &next) || typed_press(app, p))
		k = NULL;
	else if (k == NULL)
		dead_key(app, p);
	else if (k->verb == VERB_CANCEL)
		task_cancel_all(app->ui);
	else {
		dead_watch(app, k);
		app_act(app, k->verb, p, &next);
	}
	if (next.n > 0)
		input_press(app, &next);
	app->leaving &= k != NULL && k->verb == VERB_CLOSE;
}

static void
take_press(struct app *app, const struct press *p)
{
	if (take_paste(app, p))
		return;
	app->drawn = false;
	ui_message(app->ui)->text[0] = '\0';
	if (app->lacks)
		ui_reset(app->ui);
	app->lacks = false;
	if (prompt_is_open()) {
		app->leaving = false;
		prompt_feed(p);
		prompt_poll();
	} else
		input_act(app, p);
	tour_tell(app, p);
	if (look_due(app->ui))
		look_make(app);
}

static bool
must_wait(struct app *app, const struct press *p)
{
	return !app->pasting && !prompt_is_open() && app_waits(app, verb_of(app, p));
}

/* Press a key, or queue it until the rows it needs are there (at most TYPED_NS). */
static void
press(struct app *app, const struct press *p)
{
	if (verb_of(app, p) == VERB_CANCEL)
		buf_clear(&app->typed);
	if (app->typed.n == 0 && !must_wait(app, p)) {
		take_press(app, p);
		return;
	}
	if (app->typed.n == 0)
		app->typed_at = os_now();
	buf_add(&app->typed, p->raw, p->n);
}

void
input_press(struct app *app, const struct press *p)
{
	struct press	key;
	bool		wheel = p->mouse == MOUSE_WHEEL_UP || p->mouse == MOUSE_WHEEL_DOWN;
	int		n = 1;

	if (p->said != SAID_NONE && !app->pasting) {
		screen_said(p);
		return;
	}
	if (p->mouse != MOUSE_NONE && !app->pasting) {
		app->leaving = false;
		n = prompt_is_open() ? 0 : click_take(app, p, &key);
		p = &key;
	} else
		app->mouse.down = false;
	while (n-- > 0)
		press(app, p);
	/*
	 * The wheel needs no redraw before the next mouse event: it sends many events per frame and removes
	 * nothing.
	 */
	app->drawn |= wheel;
	if (look_due(app->ui))
		look_make(app);
}

/* Handle the keys that waited; true if there were any. */
bool
input_typed(struct app *app)
{
	/* A script waits without a time limit. */
	bool		late = app->script == NULL && os_now() - app->typed_at > TYPED_NS;
	struct str	s = buf_view(&app->typed);
	struct press	p;
	size_t		n;

	while ((n = key_decode(s, true, &p)) > 0 && (late || !must_wait(app, &p))) {
		take_press(app, &p);
		s = str_after(s, n);
	}
	if (s.n == app->typed.n)
		return false;
	memmove(app->typed.s, s.s, s.n);
	app->typed.n = s.n;
	return true;
}

size_t
input_take(struct app *app, struct str s, bool final, bool *text)
{
	struct press	p;
	size_t		n, all = 0;

	*text = !app->pasting && (*text || burst_is_text(app, s, final));
	if (*text)
		say_pasted(app);
	for (; (n = key_decode(s, final, &p)) > 0; s = str_after(s, n), all += n)
		if (!*text || strcmp(p.name, "C-c") == 0)
			input_press(app, &p);
	return all;
}

/*
 * Handle all input. Wait briefly for the rest of an incomplete key sequence, and longer for the rest of a
 * terminal's answer.
 */
bool
input_read(struct app *app)
{
	char		in[INPUT_MAX];
	size_t		have = 0, n, waits = 0;
	bool		input = true, alive = true, final;

	do {
		n = 0;
		if (input && !screen_read(in + have, sizeof in - have, &n))
			return false;
		input = n > 0;
		have += n;
		if (have == 0)
			return true;
		app->pasted &= os_now() - app->pasted_at < PASTE_NS;
		final = !input && (waits++ == ANSWER_WAITS ||
		    !(screen_awaits() || key_is_said((struct str){ in, have })));
		n = input_take(app, (struct str){ in, have }, final || have == sizeof in, &app->pasted);
		app->pasted_at = os_now();
		memmove(in, in + n, have - n);
		have -= n;
		if (have > 0)
			alive = screen_wait(ESCAPE_MS, false, &input);
	} while (have > 0 && alive);
	return alive;
}

void
input_wakes(struct app *app)
{
	struct press	c = { "C-c", "\003", 1 };
	enum wake	w;

	while ((w = screen_woken()) != WAKE_NONE) {
		if (w == WAKE_SIZE)
			screen_resize(0, 0);
		else if (w == WAKE_AGAIN)
			screen_again();
		else if (w == WAKE_INTERRUPT)
			input_press(app, &c);
		else if (w == WAKE_END)
			app->quit = true;
	}
}
