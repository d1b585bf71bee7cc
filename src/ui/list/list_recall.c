/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list_recall: the place of a list for marks: sort order, filter, and name of the selected row.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "lines.h"

enum { LINES_MOST = 1 << 30 };

/* The filter as typed. */
static struct str
list_recall_typed(const struct list *l)
{
	const char	*at = l->chip != NULL ? strstr(l->chip, FILTER_SIGN) : NULL;

	return str_of(at != NULL ? at + strlen(FILTER_SIGN) : NULL);
}

void
list_pane_mark(struct pane *p, struct buf *b)
{
	struct list	*l = *(struct list **)p->data;
	struct buf	 row = BUF_INIT;
	struct cell	 c;
	size_t		 col;

	if (!list_usable(l))
		return;
	/* The query of an extra pane contains both. */
	if (!p->extra) {
		note_add(b, "sort", str_of(l->sort));
		note_add(b, "filter", list_recall_typed(l));
	}
	if (l->unfolded)
		note_add(b, "unfolded", STR(""));
	if (list_object(l) != 0)
		note_number(b, "object", list_object(l));
	col = column_naming(l);
	if (col != SIZE_MAX && list_cell(l, l->now.rows->cols[col].name, &c) && c.type == CELL_TEXT && c.text.n > 0) {
		buf_printf(&row, "%s ", l->now.rows->cols[col].name);
		buf_str(&row, c.text);
		note_add(b, "row", buf_view(&row));
	} else
		note_number(b, "line", l->sel);
	buf_free(&row);
}

/* True for an order that keys can set: "name", "-name", "-abs(name)", of a column of the rows. */
static bool
list_recall_sorts(const struct list *l, struct str s)
{
	if (l->is.fixed != NULL || s.n >= sizeof l->sort)
		return false;
	if (str_has_prefix(s, STR("-abs(")) && s.s[s.n - 1] == ')')
		s = (struct str){ s.s + 5, s.n - 6 };
	else if (str_has_prefix(s, STR("-")))
		s = str_behind(s, 1);
	return rows_column(l->now.rows, s) >= 0;
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

bool
list_pane_recall(struct pane *p, struct str text, bool moved)
{
	struct list	*l = *(struct list **)p->data;
	struct buf	 value = BUF_INIT;
	struct str	 word, v;
	uint64_t	 n;

	if (!list_usable(l) || l->task.given)
		return false;
	p->focus = 0;
	l->id = l->sel = l->top = 0;
	l->unfolded = false;
	while (note_next(&text, &word, &value)) {
		v = buf_view(&value);
		if (str_eq(word, STR("sort")) && (v.n == 0 ? l->is.fixed == NULL : list_recall_sorts(l, v)))
			snprintf(l->sort, sizeof l->sort, "%s", v.n > 0 ? v.s : "");
		else if (str_eq(word, STR("filter")))
			list_filter(l, v.n > 0 ? v.s : "");
		else if (str_eq(word, STR("unfolded")))
			l->unfolded = true;
		else if (str_eq(word, STR("object")) && !moved && num_u64(v, 10, &n))
			l->id = n;
		else if (str_eq(word, STR("row")))
			list_recall_row(l, v);
		else if (str_eq(word, STR("line")) && num_u64(v, 10, &n) && n < LINES_MOST) {
			l->sel = n;
			l->want = l->want > n ? l->want : n + 1;
		}
	}
	buf_free(&value);
	l->placed = 0;
	l->other = os_now();
	list_again(l);
	return true;
}
