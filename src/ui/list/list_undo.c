/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list_undo: the place of a list for undo: its query, sort order, filter and selected row; and undo steps for filters
 * and folded rows.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "lines.h"

/* The texts follow. */
struct list_at {
	uint64_t	id, sel, top;
	size_t		left, text[LIST_TEXTS];	/* length of each, with its NUL; 0: none */
	const char	*empty;
	bool		followed;		/* its query comes from another pane */
	bool		unfolded;
};

static void
list_undo_tell(struct list *l, struct buf *b)
{
	const char	*text[LIST_TEXTS] = { l->base, l->tail, l->sort, l->filter, l->chip };
	uint64_t	id = list_id(l);
	struct list_at s;

	memset(&s, 0, sizeof s);
	s.id = id != 0 || list_folded(l, l->sel) ? id : l->id;
	s.sel = l->sel;
	s.top = l->top;
	s.left = l->left;
	s.empty = l->is.empty;
	s.unfolded = l->unfolded;
	s.followed = l->is.base != NULL && l->is.base[0] == '\0';
	for (size_t i = 0; i < LIST_TEXTS; i++)
		s.text[i] = text[i] != NULL ? strlen(text[i]) + 1 : 0;
	buf_add(b, &s, sizeof s);
	for (size_t i = 0; i < LIST_TEXTS; i++)
		buf_add(b, text[i], s.text[i]);
}

static bool
differs(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a != b : strcmp(a, b) != 0;
}

/* Restore a place.  Rows are read when the pane is shown, so the current rows must not change the place. */
static void
list_undo_go_to(struct list *l, const struct list_at *s, const char *const text[LIST_TEXTS], bool moved)
{
	bool	other = differs(l->sort, text[LIST_SORT]) || differs(l->filter, text[LIST_FILTER]);

	l->left = s->left;
	l->unfolded = s->unfolded;
	if (!s->followed) {
		l->other = os_now();
		l->sel = s->sel;
		l->want = l->want > s->sel ? l->want : s->sel + 1;
		l->top = s->top;
		l->id = moved ? 0 : s->id;
		l->placed = ui_version(l->pane->ui) + 1;
		l->is.empty = s->empty;
	}
	if (!s->followed && list_set_text(&l->base, text[LIST_BASE]))
		list_set_text(&l->tail, text[LIST_TAIL]);
	snprintf(l->sort, sizeof l->sort, "%s", text[LIST_SORT]);
	list_set_text(&l->filter, text[LIST_FILTER]);
	list_set_text(&l->chip, text[LIST_CHIP]);
	l->page.ok = false;
	l->pane->stale = true;
	if (s->followed && other)
		list_again(l);
}

/* Restore the place of one list; return the rest of the text. */
static struct str
list_undo_put(struct list *l, struct str place, bool moved)
{
	const char	*text[LIST_TEXTS] = { NULL };
	struct list_at s;
	struct str	behind;

	if (place.n < sizeof s)
		return STR("");
	memcpy(&s, place.s, sizeof s);
	behind = str_behind(place, sizeof s);
	for (size_t i = 0; i < LIST_TEXTS; i++) {
		text[i] = s.text[i] > 0 ? behind.s : NULL;
		behind = str_behind(behind, s.text[i]);
	}
	list_undo_go_to(l, &s, text, moved);
	return behind;
}

void
list_pane_keep(struct pane *p, struct buf *b)
{
	struct list	**list = p->data;

	buf_add(b, &p->focus, sizeof p->focus);
	for (size_t i = 0; i < p->kind->nlists && (list[0]->now.rows != NULL || list[0]->other != 0); i++)
		list_undo_tell(list[i], b);
}

void
list_pane_put(struct pane *p, struct str place, bool moved)
{
	struct list	**list = p->data;

	if (place.n < sizeof p->focus + sizeof(struct list_at))
		return;
	memcpy(&p->focus, place.s, sizeof p->focus);
	place = str_behind(place, sizeof p->focus);
	for (size_t i = 0; i < p->kind->nlists; i++)
		place = list_undo_put(list[i], place, moved);
}

/* ---- filter of & ------------------------------------------------------------- */

/* Texts that the list shows, and processes: their names may be in headings, or left out for lack of room. */
static bool
is_searched(const struct list *l, size_t col)
{
	return column_is_searched(&l->now.rows->cols[col]) &&
	    (!column_is_hidden(l, col) || str_has_suffix(str_of(l->now.rows->cols[col].name), STR("process")));
}

/* Return the name of the searched column if there is only one, otherwise "row". */
static const char *
only_text(const struct list *l)
{
	const char	*name = NULL;

	for (size_t col = 0; l->now.rows != NULL && col < l->now.rows->ncols; col++) {
		if (!is_searched(l, col))
			continue;
		if (name != NULL)
			return "row";
		name = l->now.rows->cols[col].name;
	}
	return name != NULL ? name : "row";
}

void
list_unlimit(struct list *l)
{
	list_set_text(&l->filter, NULL);
	list_set_text(&l->chip, NULL);
}

/* Return whether the filter changes; the rows must then be reopened. keep: as an undo step. */
static bool
set_filter(struct list *l, const char *typed, bool keep)
{
	struct buf	b = BUF_INIT, name = BUF_INIT;
	bool		changed;

	for (size_t col = 0; *typed != '\0' && col < l->now.rows->ncols; col++) {
		if (!is_searched(l, col))
			continue;
		buf_str(&b, b.n > 0 ? STR(" or ") : STR(""));
		column_put_name(&l->now.rows->cols[col], &b);
		buf_str(&b, STR(" ~ "));
		pattern_text(str_of(typed), &b);
	}
	if (b.n > 0)
		buf_printf(&name, "%s" FILTER_SIGN "%s", only_text(l), typed);
	else
		buf_str(&name, STR("all rows"));
	changed = !name.bad && !b.bad && (b.n > 0 || l->filter != NULL);
	if (changed && keep)
		step_add(l->pane, STEP_FILTER, name.s);
	if (changed) {
		list_set_text(&l->filter, b.n > 0 ? b.s : NULL);
		list_set_text(&l->chip, b.n > 0 ? name.s : NULL);
	}
	buf_free(&name);
	buf_free(&b);
	return changed;
}

void
list_limit(struct list *l, const char *typed)
{
	/* Keep the selected row when the filter changes. */
	if (set_filter(l, typed, true))
		list_again_at(l, list_id(l) != 0 ? list_id(l) : l->id);
}

void
list_filter(struct list *l, const char *typed)
{
	set_filter(l, typed, false);
}

/* ---- folded rows ------------------------------------------------------------- */

void
list_unfold(struct list *l, uint64_t row)
{
	step_add(l->pane, STEP_GROUP, "unfold");
	l->unfolded = true;
	l->id = 0;
	l->sel = row;
	l->want = row < l->want ? l->want : row + 1;
	l->other = os_now();
	list_again(l);
}

bool
list_enter_folded(struct list *l)
{
	if (!list_usable(l) || l->task.given || !list_folded(l, l->sel))
		return false;
	list_unfold(l, list_hidden(l, 0));
	return true;
}
