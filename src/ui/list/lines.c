/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lines: draw a list.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/name.h"
#include "lines.h"


/* ---- the page ------------------------------------------------------------ */

static void
lines_pad(struct buf *b, size_t n)
{
	while (n-- > 0)
		buf_chr(b, ' ');
}

static void
lines_add_cell(struct buf *line, struct str s, size_t w, bool text, enum cell_cut cut)
{
	size_t	used = text_width(s);

	if (!text && used < w)
		lines_pad(line, w - used);
	(cut == CUT_END ? screen_short : cut == CUT_FRONT ? screen_tail : screen_middle)(line, s, w);
	if (text && used < w)
		lines_pad(line, w - used);
	lines_pad(line, COLUMN_GAP);
}

/* Names of functions are shortened so that those on the page stay distinct. */
static void
lines_shorten(struct buf *cell, size_t n, size_t w)
{
	struct name_shown *name = mem_array(n, sizeof *name);

	for (size_t i = 0; name != NULL && i < n; i++) {
		name[i].whole = buf_view(&cell[i]);
		name[i].width = w;
	}
	if (name == NULL)
		return;
	names_short(name, n, str_of(glyph(GLYPH_CUT)));
	for (size_t i = 0; i < n; i++) {
		buf_free(&cell[i]);
		cell[i] = name[i].text;
	}
	free(name);
}

static void
column_head(const struct list *l, size_t col, struct buf *b)
{
	enum order order;
	int	sort = column_sorted(l, &order);

	buf_clear(b);
	column_title(&l->now.rows->cols[col], b);
	if ((int)col == sort)
		buf_str(b, str_of(glyph(order == ORDER_RISING ? GLYPH_RISING : GLYPH_FALLING)));
}

/* Append one column to the lines of the heading and of n rows from the top one on. */
static void
lines_make_column(struct list *l, size_t col, size_t w, size_t n, struct buf *cell)
{
	const struct coldef *def = &l->now.rows->cols[col];
	bool left = def->type == CELL_TEXT || def->mostly >= MOSTLY_TEXTS;
	bool named = def->cut == CUT_END && !def->rest && col == column_naming(l);
	enum cell_cut cut = named ? CUT_MIDDLE : def->cut;

	column_head(l, col, &cell[0]);
	for (size_t i = 0; i < n; i++)
		column_cell(l, l->top + i, col, &cell[i + 1]);
	if (def->function)
		lines_shorten(cell + 1, n, w);
	for (size_t i = 0; i <= n; i++)
		lines_add_cell(&l->page.line[i], buf_view(&cell[i]), w, left, i == 0 ?
		    CUT_END : cut);
}

/* Mark functions of the page with equal names (and classes): other columns must distinguish them. */
static void
lines_find_alike(struct list *l, size_t n)
{
	int		class = rows_column(l->now.rows, STR("class"));
	struct buf	b = BUF_INIT;
	size_t		col = 0;

	for (size_t i = 0; i < n; i++)
		l->page.alike[i] = false;
	while (col < l->now.rows->ncols && (!l->now.rows->cols[col].function || column_is_hidden(l, col)))
		col++;
	if (col == l->now.rows->ncols)
		return;
	for (size_t i = 0; i < n; i++) {
		column_cell(l, l->top + i, col, &l->page.cell[i]);
		if (class >= 0)
			column_cell(l, l->top + i, (size_t)class, &b);
		buf_chr(&l->page.cell[i], '\0');
		buf_str(&l->page.cell[i], buf_view(&b));
	}
	buf_free(&b);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (str_eq(buf_view(&l->page.cell[i]), buf_view(&l->page.cell[k])))
				l->page.alike[i] = l->page.alike[k] = true;
}

/* Line 0 is the heading. */
static void
lines_make_page(struct list *l, size_t h, size_t w)
{
	size_t		*width = l->page.shown;
	uint64_t	 end = l->top + h < l->now.known ? l->top + h : l->now.known;

	if (!list_page_room(&l->page, h))
		return;
	if (l->left >= l->now.rows->ncols)
		l->left = 0;
	lines_find_alike(l, end > l->top ? (size_t)(end - l->top) : 0);
	l->page.top = l->top;
	columns_measure(l, l->top, end);
	cells_look(l, end > l->top ? (size_t)(end - l->top) : 0);
	memset(width, 0, sizeof l->page.shown);
	columns_fit(l, w > LIST_MARGIN ? w - LIST_MARGIN : 1, width);
	for (size_t i = 0; i <= h; i++)
		buf_clear(&l->page.line[i]);
	for (size_t col = 0; col < l->now.rows->ncols && col < COLUMNS_MAX; col++)
		if (width[col] > 0)
			lines_make_column(l, col, width[col], end > l->top ? (size_t)(end - l->top) :
			    0, l->page.cell);
	l->page.h = h;
	l->page.ok = true;
}

static void
lines_keep_visible(struct list *l, size_t h)
{
	if (l->sel >= l->now.known)
		l->sel = l->now.known > 0 ? l->now.known - 1 : 0;
	l->top = key_scroll(l->top, l->sel, h);
	if (l->top + h > l->now.known && l->now.all)
		l->top = l->now.known > h ? l->now.known - h : 0;
}

bool
list_partial(const struct list *l)
{
	return l->now.rows != NULL && (l->part || l->stopped || (l->task.given && l->ask.job == LIST_OPEN &&
	    os_now() - l->since > STALE_NS));
}

static void
lines_draw_line(struct list *l, struct area a, size_t i, bool focus)
{
	struct buf	*b = &l->page.line[i + 1];
	bool		 sel = l->page.top + i == l->sel;
	bool		 hit = cells_hit(l, i), partial = list_partial(l);
	bool		 mark = l->is.marked != NULL && list_usable(l) &&
			    l->page.top + i < l->now.known && l->is.marked(l, l->page.top + i);
	unsigned	 look = sel && focus ? LOOK_REVERSE : LOOK_PLAIN;
	int		 y = a.y + (l->is.bare ? 0 : 1) + (int)i;
	char		 margin[3] = "  ";
	enum role	 role = ROLE_NORMAL;

	if (b->n == 0)
		return;
	margin[0] = sel && focus ? '>' : ' ';
	if (partial)
		role = ROLE_DIM;
	else if (l->is.role != NULL && list_usable(l) && l->page.top + i < l->now.known)
		role = l->is.role(l, l->page.top + i);
	margin[1] = mark ? '+' : hit ? '*' : ' ';
	if (sel && focus)
		screen_fill(y, a.x, a.w, ROLE_NORMAL, look, GLYPH_RULE, true);
	screen_puts(y, a.x, LIST_MARGIN, ROLE_NORMAL, look | (hit ? LOOK_BOLD : 0), margin);
	screen_put(y, a.x + LIST_MARGIN, a.w - LIST_MARGIN, role, look, buf_view(b));
	if (!partial)
		cells_draw_line(l, i, y, a.x + LIST_MARGIN, a.w - LIST_MARGIN, role, look);
	if (sel && focus)
		screen_cursor(y, a.x, false);
}

static bool
is_filtered(const struct list *l)
{
	const struct pane *p = l->pane;
	bool		 asked = l->is.base == NULL || l->is.base[0] != '\0';

	return l->filter != NULL || (asked && (!p->kind->plain || p->kind->ranged) && look_hides(p->ui));
}

void
list_draw(struct list *l, struct area a, bool focus)
{
	int	head = l->is.bare ? 0 : 1;
	size_t	h = a.h > head ? (size_t)(a.h - head) : 1;

	if (a.h < 1)
		return;
	if (l->now.rows == NULL || (l->error[0] != '\0' && !l->stopped) ||
	    (l->other != 0 && os_now() - l->other > STALE_NS)) {
		screen_puts(a.y, a.x + LIST_MARGIN, a.w - LIST_MARGIN, ROLE_DIM, LOOK_PLAIN,
		    l->error[0] != '\0' ? l->error : l->task.given ?
		    hint(VERB_CANCEL, "working; _ stops").s : "no rows yet");
		return;
	}
	if (list_usable(l)) {
		lines_keep_visible(l, h);
		if ((!l->page.ok || l->page.top != l->top || l->page.h != h || l->page.w != a.w) &&
		    list_ready(l, l->top, l->top + h))
			lines_make_page(l, h, (size_t)a.w);
		l->page.w = a.w;
		list_want(l, l->top + 2 * h);
	}
	if (l->page.nlines == 0)
		return;
	list_spots(l, a, head);
	if (!l->is.bare) {
		screen_fill(a.y, a.x, a.w, ROLE_HEAD, LOOK_PLAIN, GLYPH_RULE, true);
		screen_put(a.y, a.x + LIST_MARGIN, a.w - LIST_MARGIN, ROLE_HEAD, LOOK_PLAIN,
		    buf_view(&l->page.line[0]));
		if (l->page.more)
			screen_puts(a.y, a.x + a.w - 1, 1, ROLE_HEAD, LOOK_PLAIN, glyph(GLYPH_MORE));
	}
	for (size_t i = 0; i < h && i < l->page.h && i + 1 < l->page.nlines; i++)
		lines_draw_line(l, a, i, focus);
	screen_thumb((struct area){ a.y + head, a.x, a.h - head, a.w }, l->page.top, l->now.known);
	if (l->now.known == 0 && l->now.all && a.h > head)
		screen_puts(a.y + head, a.x + LIST_MARGIN, a.w - LIST_MARGIN, ROLE_DIM, LOOK_PLAIN,
		    is_filtered(l) ? hint(VERB_UNDO, "the filters hide everything; _ undoes the last one").s :
		    l->is.empty != NULL ? l->is.empty : "no rows");
}

void
list_draw_titled(struct list *l, const char *title, struct area a, bool focus)
{
	screen_fill(a.y, a.x, a.w, ROLE_DIM, LOOK_PLAIN, GLYPH_RULE, false);
	screen_puts(a.y, a.x + 2, a.w - 2, ROLE_TITLE, focus ? LOOK_REVERSE : LOOK_BOLD, title);
	list_draw(l, (struct area){ a.y + 1, a.x, a.h - 1, a.w }, focus);
}

/* ---- status of the selection --------------------------------------------- */

void
list_add_place(const struct list *l, struct str name, struct buf *rest)
{
	size_t		w = l->pane->status_w, least = text_width(name);
	struct buf	place = BUF_INIT;

	buf_str(&place, STR("  ("));
	list_place(l, &place);
	buf_str(&place, l->now.all ? STR("") : STR("+"));
	/* Reserve a third of the status line for the name. */
	least = least < w / 3 ? least : w / 3;
	buf_chr(&place, ')');
	if (least + text_width(buf_view(rest)) + text_width(buf_view(&place)) <= w)
		buf_str(rest, buf_view(&place));
	buf_free(&place);
}

/* Show texts, and only those numbers that the page dropped or cut: key hints need the room. */
void
list_status(struct pane *p, struct buf *b)
{
	struct list	*l = list_of(p);
	struct buf	 c = BUF_INIT, name = BUF_INIT, rest = BUF_INIT;

	if (!list_has_row(l))
		return;
	if (list_folded(l, l->sel)) {
		buf_printf(b, "%s; %s", list_folded_why(l),
		    hint_in(ui_where(p->ui, p), VERB_ENTER, "_ shows them").s);
		return;
	}
	for (size_t col = 0; col < l->now.rows->ncols; col++) {
		if (column_is_hidden(l, col) || (l->page.shown[col] > 0 &&
		    l->page.shown[col] >= l->page.width[col] &&
		    !column_has_words(&l->now.rows->cols[col])))
			continue;
		column_cell(l, l->sel, col, &c);
		if (c.n == 0)
			continue;
		if (column_has_words(&l->now.rows->cols[col]))
			buf_printf(&name, "%s%s", name.n > 0 ? "  " : "", c.s + strspn(c.s, " "));
		else {
			buf_str(&rest, STR("  "));
			column_title(&l->now.rows->cols[col], &rest);
			buf_printf(&rest, " %s", c.s);
		}
	}
	list_add_place(l, buf_view(&name), &rest);
	p->status_cut = screen_pair(b, &name, &rest, p->status_w);
	buf_free(&c);
}

void
list_place(const struct list *l, struct buf *b)
{
	screen_number(b, "", num_show_count, l->sel + 1);
	screen_number(b, " of ", num_show_count, l->now.known);
}

/* Append the cells shown of the selected row, with tabs between them. */
void
list_copy(struct pane *p, struct buf *b)
{
	struct list	*l = list_of(p);
	struct buf	 c = BUF_INIT;

	for (size_t col = 0; list_has_row(l) && col < l->now.rows->ncols; col++) {
		if (column_is_hidden(l, col))
			continue;
		column_cell(l, l->sel, col, &c);
		if (b->n > 0)
			buf_chr(b, '\t');
		buf_str(b, buf_view(&c));
	}
	buf_free(&c);
}

void
list_sorted(struct pane *p, struct buf *b)
{
	struct list	*l = list_of(p);
	enum order order;
	int	col = list_usable(l) ? column_sorted(l, &order) : -1;

	if (col >= 0 && column_order_told(l, (size_t)col, order, b))
		return;
	if (col < 0)
		return;
	column_title(&l->now.rows->cols[col], b);
	buf_str(b, str_of(glyph(order == ORDER_RISING ? GLYPH_RISING : GLYPH_FALLING)));
}

/* The cells in query syntax, where the list shows them differently. */
void
list_details(struct pane *p, struct items *items)
{
	struct list	*l = list_of(p);
	struct buf	 c = BUF_INIT;

	for (size_t col = 0; list_has_row(l) && col < l->now.rows->ncols; col++) {
		column_cell(l, l->sel, col, &c);
		items_add(items, str_of(l->now.rows->cols[col].name), str_skip_blanks(buf_view(&c)),
		    l->now.rows->cols[col].what);
	}
	buf_free(&c);
}

void
list_subject(struct pane *p, struct buf *b)
{
	struct list	*l = list_of(p);
	size_t	col = column_naming(l);
	struct cell c;

	if (!list_has_row(l) || col >= l->now.rows->ncols || list_folded(l, l->sel))
		return;
	rows_cell(l->now.rows, l->sel, col, &c);
	if (c.type == CELL_TEXT)
		buf_str(b, c.text);
}
