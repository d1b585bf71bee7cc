/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * menu: completion candidates at the cursor, as a list above the prompt.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "menu.h"

enum { MENU_ROWS = 8, TEXT_MIN = 12 };

void
menu_begin(struct menu *m, struct str line, size_t point, struct session *session)
{
	menu_clear(m);
	completion_begin(&m->c, line, point, session);
	m->begun = true;
}

/* Complete a line of view stages: put a source before it that accepts all view stages, and offer only those. */
void
menu_begin_view(struct menu *m, struct str line, size_t point, struct session *session)
{
	static const struct str source = { "calls | ", 8 };
	struct buf	b = BUF_INIT;
	struct str	ahead;

	buf_str(&b, source);
	buf_str(&b, line);
	if (!b.bad)
		menu_begin(m, buf_view(&b), source.n + point, session);
	ahead = str_trim(str_head(buf_view(&b), b.bad ? 0 : m->c.from));
	if (ahead.n > 0 && ahead.s[ahead.n - 1] == '|')
		completion_filter(&m->c, look_begins);
	if (line.n == 0)
		TEXT_COPY(m->c.hint, "hide /^java/, keep /x/, range 2s 3s");
	if (m->c.from >= source.n) {
		m->c.from -= source.n;
		m->c.to -= source.n;
	}
	buf_free(&b);
}

/* If the whole line is one name, the prompt's owner offers candidates. */
void
menu_begin_name(struct menu *m, struct str line, size_t point)
{
	menu_clear(m);
	buf_str(&m->c.word, str_head(line, point));
	m->c.to = line.n;
	m->c.first = m->c.nocase = true;
	m->begun = true;
}

void
menu_clear(struct menu *m)
{
	completion_free(&m->c);
	m->begun = false;
	m->sel = MENU_NONE;
	m->top = 0;
}

void
menu_close(struct menu *m)
{
	menu_clear(m);
	m->open = m->asked = false;
}

void
menu_move(struct menu *m, int by)
{
	size_t	n = m->c.n;

	if (n == 0)
		return;
	if (m->sel == MENU_NONE || m->sel >= n)
		m->sel = by > 0 ? 0 : n - 1;
	else
		m->sel = (m->sel + (by > 0 ? 1 : n - 1)) % n;
}

const struct candidate *
menu_chosen(const struct menu *m)
{
	return m->open && m->sel < m->c.n ? &m->c.item[m->sel] : NULL;
}

/* Return n reduced so that it does not cut a UTF-8 character or an escape. */
static size_t
menu_whole(const char *s, size_t n)
{
	while (n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80)
		n--;
	for (size_t i = n; i > 0 && n - i < 4; i--)
		if (s[i - 1] == '\\')
			return i - 1;
	return n;
}

/* Return the length of the common prefix of all candidates; 0 if one does not begin with the typed text. */
size_t
menu_common(const struct menu *m)
{
	const char	*first, *text;
	size_t		 i, k, n;

	if (m->c.n == 0)
		return 0;
	first = m->c.item[0].text;
	for (n = strlen(first), i = 0; i < m->c.n; i++) {
		if (m->c.item[i].rank > 0)
			return 0;
		text = m->c.item[i].text;
		for (k = 0; k < n && first[k] == text[k]; k++)
			;
		n = k;
	}
	return menu_whole(first, n);
}

/* ---- names that passes compute ------------------------------------------- */

static bool
menu_run(struct task *task, struct work *work, struct err *err)
{
	struct menu	*m = (struct menu *)task;

	return query_want(buf_view(&m->query), m->session, work, err);
}

static void
menu_done(struct task *task, bool ok, const struct err *err)
{
	struct menu	*m = (struct menu *)task;

	if (ok) {
		menu_clear(m);
		return;
	}
	buf_clear(&m->query);
	menu_close(m);
	ui_fail(task->ui, err);
}

bool
menu_learns(struct menu *m, struct ui *ui)
{
	struct str	lacks = buf_view(&m->c.lacks);

	if (m->task.given)
		return true;
	/* If the passes already ran for these names, do not run them again. */
	if (lacks.n == 0 || str_eq(lacks, buf_view(&m->query)))
		return false;
	buf_clear(&m->query);
	buf_str(&m->query, lacks);
	m->task.run = menu_run;
	m->task.done = menu_done;
	m->session = ui_plain(ui);
	if (!m->query.bad)
		task_give(ui, &m->task);
	return m->task.given;
}

void
menu_end(struct menu *m)
{
	menu_close(m);
	task_drop(&m->task);
	buf_free(&m->query);
}

/* ---- drawing ------------------------------------------------------------- */

static size_t
text_column(const struct menu *m, size_t from, size_t to, size_t w)
{
	struct buf	b = BUF_INIT;
	size_t		widest = TEXT_MIN, n;

	for (; from < to; from++) {
		buf_clear(&b);
		screen_fit(&b, str_of(m->c.item[from].text));
		n = text_width(buf_view(&b));
		widest = n > widest ? n : widest;
	}
	buf_free(&b);
	return widest < w / 2 ? widest : w / 2;
}

static void
draw_row(const struct candidate *item, struct area a, size_t col, bool chosen)
{
	unsigned	look = chosen ? LOOK_REVERSE : LOOK_PLAIN;
	struct buf	b = BUF_INIT, cut = BUF_INIT;
	int		x;

	screen_fill(a.y, a.x, a.w, ROLE_NORMAL, look, GLYPH_RULE, true);
	x = a.x + screen_puts(a.y, a.x, a.w, ROLE_NORMAL, look, chosen ? ">" : glyph(GLYPH_BAR)) + 1;
	screen_fit(&b, str_of(item->text));
	screen_middle(&cut, buf_view(&b), col);
	screen_put(a.y, x, (int)col, ROLE_NORMAL, look, buf_view(&cut));
	x += (int)col + 2;
	screen_name(a.y, x, a.w - x, chosen ? ROLE_NORMAL : ROLE_DIM, look, str_of(item->what));
	buf_free(&b);
	buf_free(&cut);
}

static void
draw_count(const struct menu *m, struct area a, size_t to)
{
	char	text[48];
	int	n = snprintf(text, sizeof text, " %zu of %zu%s", to, m->c.n,
	    m->c.names != NULL ? ", searching" : "");

	screen_puts(a.y, a.w - n, n, ROLE_DIM, LOOK_PLAIN, text);
}

void
menu_draw(struct menu *m, struct area above)
{
	size_t	rows = MENU_ROWS, to, col;

	if (!m->open || m->c.n == 0 || above.h < 1)
		return;
	if (rows > (size_t)above.h)
		rows = (size_t)above.h;
	if (rows > m->c.n)
		rows = m->c.n;
	if (m->sel != MENU_NONE)
		m->top = (size_t)key_scroll(m->top, m->sel, rows);
	if (m->top + rows > m->c.n)
		m->top = m->c.n - rows;
	to = m->top + rows;
	col = text_column(m, m->top, to, (size_t)above.w);
	above.y += above.h - (int)rows;
	for (size_t i = m->top; i < to; i++, above.y++)
		draw_row(&m->c.item[i], above, col, i == m->sel);
	above.y--;
	if (rows < m->c.n)
		draw_count(m, above, to);
}

/* ---- suffixes ------------------------------------------------------------ */

size_t
menu_suffix(const char *const *suffixes, struct str line)
{
	size_t	i = 0;

	while (suffixes[i] != NULL && !str_has_suffix(line, str_of(suffixes[i])))
		i++;
	return i;
}

void
menu_draw_suffixes(const char *const *suffixes, struct str line, struct area a)
{
	struct buf	b = BUF_INIT;
	size_t		now = menu_suffix(suffixes, line);

	buf_str(&b, STR("(Tab:"));
	for (size_t i = 0; suffixes[i] != NULL; i++)
		if (i != now)
			buf_printf(&b, " %s", suffixes[i]);
	buf_chr(&b, ')');
	screen_name(a.y, a.x, a.w, ROLE_DIM, LOOK_PLAIN, buf_view(&b));
	buf_free(&b);
}
