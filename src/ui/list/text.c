/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text: the query of a list as text.
 */
#include "config.h"

#include <string.h>

#include "lines.h"

/*
 * Which parts of a list's query to include: all; all except columns and the view's range; all with folded
 * rows, as for opening.
 */
enum part { TEXT_WHOLE, TEXT_ROWS, TEXT_OPENS };

/* Stages directly after the source, before the rest of the base. */
static void
add_behind(const struct list *l, struct str stages, enum part part, struct buf *b)
{
	size_t	n = strcspn(l->base, "|");

	while (n > 0 && l->base[n - 1] == ' ')
		n--;
	buf_add(b, l->base, n);
	buf_str(b, stages);
	buf_str(b, str_of(l->base + n));
	if (l->filter != NULL)
		buf_printf(b, " | where %s", l->filter);
	if (part != TEXT_OPENS)
		list_fold_text(l, b);
	if (l->sort[0] != '\0')
		buf_printf(b, " | sort %s", l->sort);
	if (part != TEXT_ROWS && (l->chosen.n > 0 || l->tail[0] != '\0'))
		buf_printf(b, " | %s", l->chosen.n > 0 ? l->chosen.s : l->tail);
}

static void
add_query(const struct list *l, enum part part, struct buf *b)
{
	struct buf	stage = BUF_INIT;
	struct str	range = look_stage(look_now(l->pane->ui), "range");

	if (part != TEXT_ROWS && l->pane->kind->ranged && range.n > 0) {
		buf_str(&stage, STR(" | "));
		buf_str(&stage, range);
	}
	add_behind(l, buf_view(&stage), part, b);
	buf_free(&stage);
}

void
list_opens_text(const struct list *l, struct buf *b)
{
	add_query(l, TEXT_OPENS, b);
}

void
list_text(const struct list *l, struct buf *b)
{
	add_query(l, TEXT_WHOLE, b);
}

void
list_rows_text(const struct list *l, struct buf *b)
{
	add_query(l, TEXT_ROWS, b);
}

/* Add the stages of the session's view, so that the query gives the same rows outside of it. */
static void
add_look_query(const struct list *l, enum part part, struct buf *b)
{
	struct buf	stages = BUF_INIT;

	look_stages(l->pane->ui, &stages);
	add_behind(l, buf_view(&stages), part, b);
	buf_free(&stages);
}

void
list_look_text(const struct list *l, struct buf *b)
{
	add_look_query(l, TEXT_WHOLE, b);
}

void
list_pane_file_text(struct pane *p, struct buf *b)
{
	(p->kind->plain ? add_query : add_look_query)(list_of(p), TEXT_OPENS, b);
}

/* ---- columns that the user chose in the configuration file, in place of those of the pane ---- */

static bool
chosen_has(struct str words, struct str word)
{
	struct str	one;

	while (str_split(&words, ' ', &one))
		if (str_eq(one, word))
			return true;
	return false;
}

/* Keys need the pane's hidden columns. */
static void
chosen_text(const struct list *l, const char *columns, struct buf *b)
{
	struct str	tail = str_of(l->tail), base = str_of(l->base), hidden = str_of(l->is.hide), one;

	buf_printf(b, "select %s", columns);
	while (str_split(&hidden, ' ', &one))
		if ((chosen_has(tail, one) || chosen_has(base, one)) && !chosen_has(str_of(columns), one)) {
			buf_chr(b, ' ');
			buf_str(b, one);
		}
}

/* True if the pane of that name has these columns in files of another kind. */
static bool
chosen_elsewhere(const struct pane_kind *kind, const char *names)
{
	struct str	rest, word, has;
	bool		all = false;

	for (size_t i = 0; panes[i] != NULL && !all; i++) {
		if (panes[i] == kind || panes[i]->nlists == 0 || strcmp(panes[i]->name, kind->name) != 0)
			continue;
		has = str_of(panes[i]->lists[0].columns);
		rest = str_of(names);
		for (all = true; all && str_split(&rest, ' ', &word);)
			all = word.n == 0 || chosen_has(has, word);
	}
	return all;
}

/* True if the rows have these columns. */
static bool
chosen_fits(struct list *l, const char *names, const struct session *seen, struct err *err)
{
	struct buf	query = BUF_INIT;
	struct query	*q = NULL;
	bool		 fits;

	buf_clear(&l->chosen);
	chosen_text(l, names, &l->chosen);
	list_text(l, &query);
	fits = query_parse(&q, buf_view(&query), err) && query_fits(q, seen, err);
	query_free(q);
	buf_free(&query);
	if (!fits)
		buf_clear(&l->chosen);
	return fits;
}

void
list_choose(struct list *l, const struct session *seen)
{
	const struct pane_kind *kind = l->pane->kind;
	const struct ui_options *opt = ui_options(l->pane->ui);
	const struct pane_columns *wrong = NULL;
	struct err	 why, err;

	buf_clear(&l->chosen);
	if (l != *(struct list *const *)l->pane->data || l->pane->extra || look_differs(l->pane->ui))
		return;
	for (size_t i = opt->nchosen; i-- > 0;) {
		if (strcmp(opt->chosen[i].pane, kind->name) != 0)
			continue;
		if (chosen_fits(l, opt->chosen[i].names, seen, &err))
			return;
		if (wrong == NULL && !chosen_elsewhere(kind, opt->chosen[i].names)) {
			wrong = &opt->chosen[i];
			why = err;
		}
	}
	/* A pane may begin with the columns that need no pass. */
	if (wrong == NULL || l->part || l->refused)
		return;
	l->refused = true;
	ui_say(l->pane->ui, "%s:%u: %s", opt->config_read, wrong->line, why.text);
	ui_message(l->pane->ui)->bad = true;
}
