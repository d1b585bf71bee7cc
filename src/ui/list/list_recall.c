/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list_recall: the places of lists: for marks the sort order, the filter, and the name of the selected row
 * of the first list; for undo the query and the row of each list.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "lines.h"

enum { LINES_MOST = 1 << 30 };

PLACED(list_at, LIST_AT);
static const struct placed_kind one_list = PLACED_KIND(list_at, LIST_AT, NULL, NULL);

/* ---- for undo -------------------------------------------------------------- */

static void
list_recall_keep_text(struct buf *to, const char *text)
{
	if (text != NULL)
		buf_str(to, str_of(text));
}

static void
list_keep(struct list *l, struct buf *b)
{
	uint64_t	id = list_id(l);
	struct list_at	at = { .id = id != 0 || list_folded(l, l->sel) ? id : l->id, .sel = l->sel,
	    .top = l->top, .left = l->left,
			    .followed = l->is.base != NULL && l->is.base[0] == '\0',
			    .unfolded = l->unfolded };

	list_recall_keep_text(&at.base, l->base);
	list_recall_keep_text(&at.tail, l->tail);
	list_recall_keep_text(&at.sort, l->sort);
	list_recall_keep_text(&at.limit, l->filter);
	list_recall_keep_text(&at.chip, l->chip);
	placed_write(&one_list, &at, OF_STEP, b);
	buf_chr(b, '\0');
	placed_free(&one_list, &at);
}

static bool
differs(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a != b : strcmp(a, b) != 0;
}

/* Restore a place.  Rows are read when the pane is shown, so the current rows must not change the place. */
static void
list_go_to(struct list *l, const struct list_at *at, bool moved)
{
	bool	other = differs(l->sort, at->sort.s) || differs(l->filter, at->limit.s);

	l->left = (size_t)at->left;
	l->unfolded = at->unfolded;
	/* The query of the others comes from another pane. */
	if (!at->followed) {
		l->other = os_now();
		l->sel = at->sel;
		l->want = l->want > at->sel ? l->want : at->sel + 1;
		l->top = at->top;
		l->id = moved ? 0 : at->id;
		l->placed = ui_version(l->pane->ui) + 1;
		if (list_set_text(&l->base, at->base.s))
			list_set_text(&l->tail, at->tail.s);
	}
	TEXT_COPY(l->sort, at->sort.s);
	list_set_text(&l->filter, at->limit.s);
	list_set_text(&l->chip, at->chip.s);
	l->page.ok = false;
	l->pane->stale = true;
	if (at->followed && other)
		list_again(l);
}

/* ---- for marks ------------------------------------------------------------- */

/* The filter as typed. */
static struct str
list_recall_typed(const struct list *l)
{
	const char	*at = l->chip != NULL ? strstr(l->chip, FILTER_SIGN) : NULL;

	return str_of(at != NULL ? at + strlen(FILTER_SIGN) : NULL);
}

/* True for an order that keys can set: "name", "-name", "-abs(name)", of a column of the rows. */
static bool
list_recall_sorts(const struct list *l, struct str s)
{
	enum order	order;

	return l->is.fixed == NULL && s.n < sizeof l->sort && column_ordered(l, s, &order) >= 0;
}

/* Find the row by name when the rows are reopened. */
static void
list_recall_row(struct list *l, struct str row)
{
	struct str	column;
	char		name[sizeof l->kept.column];

	if (!str_split(&row, ' ', &column) || column.n >= sizeof l->kept.column)
		return;
	snprintf(name, sizeof name, "%.*s", (int)column.n, column.s);
	list_set_name(&l->kept, name, row);
}

static void
list_mark(struct list *l, struct list_pane_at *at)
{
	struct cell	 c;
	size_t		 col = column_naming(l);

	/* The query of an extra pane contains both. */
	if (!l->pane->extra) {
		buf_str(&at->sort, str_of(l->sort));
		buf_str(&at->filter, list_recall_typed(l));
	}
	at->unfolded = l->unfolded;
	at->object = list_object(l);
	if (col != SIZE_MAX && list_cell(l, l->now.rows->cols[col].name, &c) && c.type == CELL_TEXT &&
	    c.text.n > 0) {
		buf_printf(&at->row, "%s ", l->now.rows->cols[col].name);
		buf_str(&at->row, c.text);
	} else
		at->line = l->sel;
}

static void
list_recall(struct list *l, const struct list_pane_at *at, bool moved)
{
	struct str	sort = buf_view(&at->sort);

	if (at->sort.s != NULL && (sort.n == 0 ? l->is.fixed == NULL : list_recall_sorts(l, sort)))
		TEXT_COPY(l->sort, at->sort.s);
	if (at->filter.s != NULL)
		list_filter(l, at->filter.s);
	l->unfolded = at->unfolded;
	l->id = moved ? 0 : at->object;
	l->top = 0;
	list_recall_row(l, buf_view(&at->row));
	l->sel = at->line < LINES_MOST ? at->line : 0;
	l->want = l->want > l->sel ? l->want : l->sel + 1;
	l->placed = 0;
	l->other = os_now();
	list_again(l);
}

/* ---- places of panes ------------------------------------------------------- */

bool
list_take_place(struct pane *p, void *place, enum placed_use use)
{
	struct list_pane_at *at = place;
	struct list	**list = p->data;

	at->focus = p->focus;
	if (use == OF_MARK && list_usable(list[0]))
		list_mark(list[0], at);
	for (size_t i = 0; use == OF_STEP && i < p->kind->nlists &&
	    (list[0]->now.rows != NULL || list[0]->other != 0); i++)
		list_keep(list[i], &at->list);
	return true;
}

bool
list_go_place(struct pane *p, void *place, enum placed_use use, bool moved)
{
	const struct list_pane_at *at = place;
	struct list	**list = p->data;
	struct list_at	 one;
	const char	*text;

	if (use == OF_MARK) {
		if (!list_placeable(p))
			return false;
		p->focus = 0;
		list_recall(list[0], at, moved);
		return true;
	}
	p->focus = at->focus < p->kind->nlists ? (size_t)at->focus : 0;
	for (size_t i = 0, n = 0; n < p->kind->nlists && placed_next(&at->list, &i, &text); n++) {
		placed_read(&one_list, str_of(text), OF_STEP, &one);
		list_go_to(list[n], &one, moved);
		placed_free(&one_list, &one);
	}
	return true;
}

const struct placed_kind list_places = PLACED_KIND(list_pane_at, LIST_PANE_AT, list_take_place,
    list_go_place);
