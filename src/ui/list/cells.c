/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cells: highlighting of list cells: search matches, shares, severities; and its legend.
 */
#include "config.h"

#include "icecore/sums.h"
#include "lines.h"

/* True if rows are objects with a retained size, which is 0 for unreachable ones. */
static bool
cells_has_objects(const struct list *l)
{
	return (ui_shapes(l->pane->ui) & SHAPE_GRAPH) != 0 && rows_ids(l->now.rows, ID_OBJECT) >= 0 &&
	    rows_column(l->now.rows, STR("retained")) >= 0;
}

enum role
list_row_role(struct list *l, uint64_t row)
{
	uint64_t	object;

	/* A call that is shorter than a clock read. */
	if (rows_column(l->now.rows, STR("noise")) >= 0 && list_number_at(l->now.rows, row, "noise") != 0)
		return ROLE_DIM;
	if (!cells_has_objects(l))
		return ROLE_NORMAL;
	object = list_number_at(l->now.rows, row, l->now.rows->cols[rows_ids(l->now.rows, ID_OBJECT)].name);
	return object != 0 && list_number_at(l->now.rows, row, "retained") == 0 ? ROLE_DIM : ROLE_NORMAL;
}

/* Return the role that the list gives a cell; for a delta whether it is an increase. */
static enum role
cell_role(struct list *l, uint64_t row, size_t col)
{
	const struct coldef *def = &l->now.rows->cols[col];
	enum role	role = l->is.cell_role != NULL ? l->is.cell_role(l, row, col) : ROLE_NORMAL;
	struct cell	c;
	int		sign;

	if (def->bars)
		return ROLE_BAR;
	if (role != ROLE_NORMAL || !column_is_delta(def))
		return role;
	rows_cell(l->now.rows, row, col, &c);
	sign = column_sign(def, &c);
	return sign == 0 ? ROLE_NORMAL : sign > 0 ? ROLE_MORE : ROLE_LESS;
}

/* Compute how the cells of the page stand out.  The search matches hidden columns, too. */
void
cells_look(struct list *l, size_t rows)
{
	struct cell_look *look;
	struct cell	c;

	for (size_t i = 0; i < rows; i++)
		for (size_t col = 0; col < l->now.rows->ncols && col < COLUMNS_MAX; col++) {
			look = &l->page.look[i * COLUMNS_MAX + col];
			*look = (struct cell_look){ .hit = false };
			look->role = cell_role(l, l->top + i, col);
			c.type = CELL_NONE;
			if (l->now.rows->cols[col].type == CELL_PERCENT ||
			    (l->search.pattern != NULL && column_is_searched(&l->now.rows->cols[col])))
				rows_cell(l->now.rows, l->top + i, col, &c);
			if (c.type == CELL_TEXT)
				look->hit = pattern_match(l->search.pattern, c.text);
			else if (c.type == CELL_PERCENT)
				look->share = (uint8_t)(c.f >= 100 ? 100 : c.f > 0 ? c.f + 0.5 : 0);
		}
}

bool
cells_hit(const struct list *l, size_t line)
{
	for (size_t col = 0; l->search.pattern != NULL && col < COLUMNS_MAX; col++)
		if (l->page.look[line * COLUMNS_MAX + col].hit)
			return true;
	return false;
}

/* Return w screen columns of a text, beginning at column from. */
static struct str
cells_part_of(struct str s, size_t from, size_t w)
{
	s = str_after(s, text_cut(s, from, NULL));
	s.n = text_cut(s, w, NULL);
	return s;
}

/* Draw bars of CPU use, each of one column. */
static void
cells_draw_bars(struct str bars, int y, int x, unsigned look)
{
	for (int i = 0; bars.n > 0; i++) {
		struct str	 one = cells_part_of(bars, 0, 1);
		unsigned	 step = USE_STEPS;

		while (step > 0 && !str_eq(one, str_of(screen_bar(step))))
			step--;
		screen_put(y, x + i, 1, screen_bar_role(step), look, one);
		bars = str_after(bars, one.n > 0 ? one.n : bars.n);
	}
}

/* Redraw cells with their colours over the drawn line. A percentage also gets a bar in its background. */
void
cells_draw_line(const struct list *l, size_t line, int y, int x, int w, enum role role, unsigned look)
{
	struct str	text = buf_view(&l->page.line[line + 1]), part;
	size_t		at = 0, n;
	const struct cell_look *c;

	for (size_t col = l->left; col < COLUMNS_MAX && (int)at < w; col++) {
		if (l->page.shown[col] == 0)
			continue;
		c = &l->page.look[line * COLUMNS_MAX + col];
		n = c->hit || c->role != ROLE_NORMAL ? l->page.shown[col] :
		    (l->page.shown[col] * c->share + 99) / 100;
		part = cells_part_of(text, at, n);
		if (c->role == ROLE_BAR)
			cells_draw_bars(cells_part_of(part, 0, (size_t)w - at), y, x + (int)at, look);
		else if (c->hit || c->role != ROLE_NORMAL)
			screen_put(y, x + (int)at, w - (int)at, c->role != ROLE_NORMAL ? c->role : role,
			    look | (c->hit ? LOOK_BOLD : 0), part);
		else if (n > 0 && look == LOOK_PLAIN && screen_colours() >= 256)
			screen_put(y, x + (int)at, w - (int)at, ROLE_SHARE, look, part);
		at += l->page.shown[col] + COLUMN_GAP;
	}
}

/* ---- legend -------------------------------------------------------------- */

void
list_legend(struct pane *p, struct items *items)
{
	struct list	*l = list_of(p);
	bool	bars = false, delta = false, share = false;

	for (size_t col = 0; list_usable(l) && col < l->now.rows->ncols; col++) {
		delta |= column_is_delta(&l->now.rows->cols[col]);
		bars |= l->now.rows->cols[col].bars;
		share |= l->now.rows->cols[col].type == CELL_PERCENT && !column_is_hidden(l, col);
	}
	items_sample(items, ">", ROLE_NORMAL, "the selected row");
	items_sample(items, "*", ROLE_KEY, "search match; its cells are bold");
	if (l->is.marked != NULL)
		items_sample(items, "+", ROLE_NORMAL, "marked row (Space)");
	if (delta) {
		items_sample(items, "+", ROLE_MORE, "grew");
		items_sample(items, "-", ROLE_LESS, "shrank");
	}
	if (bars)
		bars_legend(items);
	if (share)
		items_sample(items, "12.5%", screen_colours() >= 256 ? ROLE_SHARE : ROLE_NORMAL,
		    "share; in colour also a bar of this length");
	if (l->is.cell_role != NULL) {
		items_sample(items, "leak", ROLE_BAD, "severity: certainly a leak");
		items_sample(items, "warning", ROLE_WARN, "severity: probable or large");
		items_sample(items, "note", ROLE_NORMAL, "severity: worth knowing");
	}
	if (list_usable(l) && cells_has_objects(l))
		items_sample(items, "0 B", ROLE_DIM, "retained size of an unreachable object");
	if (l->page.more)
		items_sample(items, glyph(GLYPH_MORE), ROLE_HEAD, "hidden columns (> scrolls, . shows all)");
}
