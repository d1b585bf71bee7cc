/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tabs: names of the panes; the visible one in reverse video.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "app.h"

/* Layout of the tabs.  close: no blanks around a tab; tight: none after the digit; name: columns of a name. */
struct tabs {
	bool	close, tight;
	int	name;
};

enum { NARROW_W = 60, NAME_LEAST = 9, NAME_MOST = 16, DIGITS = 9 };

/* A name that is too long loses whole words, if it has several. */
static int
tab_width(const char *name, int most)
{
	int n = most;

	if (strlen(name) <= (size_t)most)
		return most;
	while (n > 0 && name[n] != ' ')
		n--;
	return n > 0 ? n : most;
}

static int
tab_text(const struct app *app, size_t i, struct tabs t, char *tab, size_t size)
{
	const struct pane *p = ui_nth(app->ui, i);
	char	sign[24] = "";

	tab[0] = '\0';
	if (p->other)
		return 0;
	/* After g the letters of the panes take the place of their numbers; a digit goes to one of nine panes. */
	if (go_letter(p) != '\0' && (app->awaits.letter || i >= DIGITS))
		snprintf(sign, sizeof sign, app->awaits.letter ? "%c" : t.tight ? "g%c " : "g%c", go_letter(p));
	else if (i < DIGITS)
		snprintf(sign, sizeof sign, "%zu", i + 1);
	return snprintf(tab, size, t.tight ? "%s%.*s" : t.close ? "%s %.*s" : " %s %.*s ", sign,
	    tab_width(pane_name(p), t.name), pane_name(p));
}

static int
tabs_width(const struct app *app, size_t from, size_t to, struct tabs t)
{
	char	tab[64];
	int	n = 0;

	for (; from < to; from++)
		n += tab_text(app, from, t, tab, sizeof tab) + (t.close && from + 1 < to);
	return n;
}

/* Shorten the tabs until all fit, if possible. */
static struct tabs
fit_tabs(const struct app *app, int w)
{
	struct tabs	t = { .name = NAME_MOST };
	size_t		n = ui_panes(app->ui);

	if (tabs_width(app, 0, n, t) <= w)
		return t;
	t.close = true;
	t.tight = tabs_width(app, 0, n, t) > w;
	while (t.name > NAME_LEAST && tabs_width(app, 0, n, t) > w)
		t.name--;
	return t;
}

static void
tabs_click(void *who, size_t tab, int y, int x)
{
	struct app	*app = who;

	(void)x;
	if (y != SPOT_FOCUS && ui_nth(app->ui, tab) != NULL)
		ui_show(app->ui, ui_nth(app->ui, tab));
	app->wanted = tab;
}

static int
tabs_put(struct app *app, size_t tab, int y, int x, int w, unsigned look, const char *text)
{
	int	n = screen_puts(y, x, w, ROLE_TAB, look, text);

	spot_add(&(struct spot){ .area = { y, x, 1, n }, .click = tabs_click, .who = app, .what = tab });
	return n;
}

int
tabs_draw(struct app *app, int y, int w)
{
	struct tabs	t = fit_tabs(app, w);
	const struct pane *p = ui_pane(app->ui);
	char		tab[64];
	size_t		i, first = 0, cur = 0, n = ui_panes(app->ui);
	int		x;

	if (p->other)
		p = split_beside(app->ui);
	while (ui_nth(app->ui, cur) != p)
		cur++;
	if (w < NARROW_W) {
		snprintf(tab, sizeof tab, "[%zu/%zu %s]", cur + 1, n - split_files(app->ui),
		    pane_name(ui_pane(app->ui)));
		return tabs_put(app, (cur + 1) % n, y, 0, w, LOOK_REVERSE, tab);
	}
	/* The current tab is always visible, and beside it a sign that more follow. */
	while (first < cur && tabs_width(app, first, cur + 1, t) > w - (cur + 1 < n))
		first++;
	for (i = first, x = 0; i < n && x < w; i++) {
		tab_text(app, i, t, tab, sizeof tab);
		x += tabs_put(app, i, y, x, w - x, i == cur ? LOOK_REVERSE : LOOK_PLAIN, tab);
		x += t.close && i + 1 < n;
	}
	if (tabs_width(app, first, n, t) > w)
		screen_puts(y, w - 1, 1, ROLE_TAB, LOOK_PLAIN, glyph(GLYPH_MORE));
	return x;
}
