/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list_undo: undo steps for filters and folded rows of a list.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "lines.h"

/* ---- filter of & ------------------------------------------------------------- */

/* Texts that the list shows, and processes: their names may be in headings, or left out for lack of room. */
static bool
is_searched(const struct list *l, size_t col)
{
	return column_is_searched(&l->now.rows->cols[col]) &&
	    (!column_is_hidden(l, col) || str_has_suffix(str_of(l->now.rows->cols[col].name),
	    STR("process")));
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

bool
list_enter_folded(struct list *l)
{
	if (!list_usable(l) || l->task.given || !list_folded(l, l->sel))
		return false;
	list_unfold(l, list_hidden(l, 0));
	return true;
}
