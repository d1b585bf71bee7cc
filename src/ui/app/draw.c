/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * draw: draw the whole screen: title, tabs, path, pane, status, keys.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "app.h"

enum { LOW_H = 10, FOOTER_H = 16, HELP_W = 8, TOP_LINES = 2, DIFF_W = 5, MESSAGE_LINES = 4 };

/* ---- modes and path ------------------------------------------------------- */

/* True if the pane compares files, or its query has a diff stage. */
static bool
draw_compares(const struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 b = BUF_INIT;
	struct str	 before;
	bool		 diff = false;

	if (look_differs(app->ui) && !p->extra && (p->kind->compares || compare_lacks(app)))
		return true;
	if (app->session->nstores > 1 && app->state == LOAD_DONE) {
		pane_tell(p, TELL_QUERY, &b);
		diff = query_find_stage(buf_view(&b), "diff", &before, NULL);
	}
	buf_free(&b);
	return diff;
}

/* Append the modes of the pane; for a diff also the sort order, if it fits. */
static void
add_modes(struct app *app, bool diff, int room, struct buf *b)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 by = BUF_INIT;

	if (app->state != LOAD_DONE || compare_lacks(app))
		return;
	pane_tell(p, TELL_MODES, b);
	if (diff)
		pane_tell(p, TELL_SORTED, &by);
	if (by.n > 0 && (int)(text_width(buf_view(b)) + text_width(buf_view(&by)) + strlen("sort: , ")) <= room)
		buf_printf(b, "%ssort: %s", b->n > 0 ? ", " : "", by.s);
	buf_free(&by);
}

/* Return the columns used; -1: no room from x on. */
static int
draw_modes(struct app *app, int y, int x, int w)
{
	struct buf	 b = BUF_INIT;
	int		 n;
	bool		 fit, diff;

	diff = draw_compares(app);
	add_modes(app, diff, w - x - 2 - DIFF_W, &b);
	n = (int)text_width(buf_view(&b)) + (diff ? DIFF_W : 0);
	fit = x + 2 + n <= w;
	if (fit)
		screen_put(y, w - n, n, ROLE_NORMAL, LOOK_PLAIN, buf_view(&b));
	if (fit && diff)
		screen_puts(y, w - DIFF_W + 1, DIFF_W - 1, ROLE_NORMAL, LOOK_REVERSE, "diff");
	buf_free(&b);
	return fit ? n : -1;
}

/* ---- status -------------------------------------------------------------- */

/* Return how many lines the text fills. */
static int
draw_lines(struct str s, int w)
{
	int	lines = 0;

	for (; s.n > 0 && lines < MESSAGE_LINES; lines++)
		s = str_trim(str_after(s, screen_break(s, (size_t)w)));
	return lines;
}

/*
 * An error may have three lines: message, query, and a mark below the fault. The first one wraps; y: the
 * last line.
 */
static void
draw_message(struct app *app, int y, int w)
{
	const struct message *m = ui_message(app->ui);
	enum role	role = m->bad ? ROLE_ERROR : ROLE_NORMAL;
	struct str	rest = str_of(m->text), first, line;
	int		below = 0, lines;

	str_split(&rest, '\n', &first);
	for (size_t i = 0; i < rest.n; i++)
		below += i == 0 || rest.s[i] == '\n';
	lines = draw_lines(first, w);
	for (int at = y - below - lines + 1; at <= y && below + lines > 1; at++)
		screen_fill(at, 0, w, ROLE_NORMAL, LOOK_PLAIN, GLYPH_RULE, true);
	screen_words((struct area){ y - below - lines + 1, 0, lines, w }, role, first);
	for (int at = y - below + 1; str_split(&rest, '\n', &line); at++) {
		line = str_after(line, text_cut(line, m->skip, NULL));
		screen_put(at, 0, w, role, LOOK_PLAIN, line);
	}
}

/* Draw the status of the selection; return the columns used. */
static int
draw_selected(struct app *app, int y, int w)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 b = BUF_INIT;
	int		 n;

	p->status_cut = false;
	p->status_w = (size_t)w;
	if (app->state != LOAD_DONE)
		buf_str(&b, str_of(app->state == LOAD_STOPPED ? hint(VERB_ENTER, "stopped; _ resumes").s :
		    hint(VERB_CANCEL, "_ stops; partial results are kept").s));
	else if (!compare_lacks(app))
		pane_tell(p, TELL_STATUS, &b);
	p->status_cut |= text_width(buf_view(&b)) > (size_t)w;
	n = screen_name(y, 0, w, ROLE_NORMAL, LOOK_PLAIN, buf_view(&b));
	spot_add(&(struct spot){ .area = { y, 0, 1, w }, .verb = VERB_DETAILS });
	buf_free(&b);
	return n;
}

/* Draw the selection, a message or the prompt.  Key hints are below, or to the right if there is no message. */
static void
draw_status(struct app *app, int y, int w, bool footer)
{
	bool	 over = app->overlays.n > 0, cut = false;
	int	 n = 0;

	if (prompt_is_open()) {
		prompt_draw((struct area){ y, 0, 1, w }, y - TOP_LINES);
		if (ui_message(app->ui)->text[0] != '\0')
			draw_message(app, y - 1, w);
		return;
	}
	if (ui_message(app->ui)->text[0] != '\0') {
		draw_message(app, y, w);
		if (!footer)
			return;
	} else if (!over) {
		n = draw_selected(app, y, footer ? w : w - HELP_W);
		cut = ui_pane(app->ui)->status_cut;
	}
	hints_draw(app, footer ? y + 1 : y, footer ? 0 : n, w, !footer && !over, cut);
}

/* ---- all ----------------------------------------------------------------- */

/* Draw the overlay or the pane.  An overlay also covers the line of the path. */
static void
draw_middle(struct app *app, int top, int bottom, int w)
{
	struct area	 a = { top, 0, bottom - top, w };
	struct buf	 b = BUF_INIT;
	uint64_t	 since;

	if (app->overlays.n > 0)
		overlay_draw(&app->overlays, a);
	else if (app->state == LOAD_DONE)
		sides_draw(app, a);
	else if (task_running(app->ui, &since) != NULL) {
		title_progress(app, &b);
		screen_put(top + 1, 2, w - 2, ROLE_NORMAL, LOOK_PLAIN, buf_view(&b));
		buf_free(&b);
	}
}

/* Draw no pane: the selection is kept until the terminal is large enough again. */
static void
draw_small(int h, int w)
{
	char	s[64];
	int	n = snprintf(s, sizeof s, "%dx%d is too small; %dx%d needed", w, h, SCREEN_MIN_W,
	    SCREEN_MIN_H);

	/* Shorten the text: the required size must be readable. */
	if (n > w)
		n = snprintf(s, sizeof s, "needs %dx%d", SCREEN_MIN_W, SCREEN_MIN_H);
	screen_cursor(h / 2, 0, false);
	screen_puts(h / 2, n < w ? (w - n) / 2 : 0, w, ROLE_NORMAL, LOOK_PLAIN, s);
}

/* The prompt reads bytes, not keys. */
static void
draw_switch_mouse(struct app *app)
{
	if (screen_mouse(app->mouse.on && !prompt_is_open()))
		return;
	app->mouse.none = true;
	app->mouse.on = false;
}

void
app_draw(struct app *app)
{
	int		 h, w, top = TOP_LINES, status, x, modes;
	bool		 crumbs;

	screen_size(&h, &w);
	screen_erase(app->redraw);
	draw_switch_mouse(app);
	app->redraw = false;
	app->drawn = true;
	if (!screen_fits()) {
		draw_small(h, w);
		screen_flush();
		return;
	}
	status = h - (h >= FOOTER_H ? 2 : 1);
	screen_cursor(h - 1, 0, false);
	title_draw(app, w);
	modes = draw_modes(app, 1, tabs_draw(app, 1, w), w);
	crumbs = app->overlays.n == 0 && h >= LOW_H && crumbs_any(app);
	/* Draw the pane before its path and modes, which describe what it just drew. */
	draw_middle(app, top + crumbs, status, w);
	if (crumbs) {
		x = crumbs_draw(app, top, w);
		modes = modes < 0 ? draw_modes(app, top, x, w) : 0;
		crumbs_strip(app, top, x, w - (modes > 0 ? modes + 2 : 0));
	}
	draw_status(app, status, w, h >= FOOTER_H);
	screen_flush();
}
