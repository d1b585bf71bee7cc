/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list: draw the result of a query as lines. The worker does everything slow (opening, reaching distant rows,
 * searching) and owns the rows meanwhile; the page keeps its last drawing.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"

enum { ROOM_MIN = 128 };

/* ---- the query of a list ------------------------------------------------- */

bool
list_set_text(char **dst, const char *s)
{
	char	*copy = s != NULL ? mem_copy(str_of(s)) : NULL;

	if (copy == NULL && s != NULL)
		return false;
	free(*dst);
	*dst = copy;
	return true;
}

static void list_give(struct list *, enum list_job);

void
list_again(struct list *l)
{
	l->stale = true;
	list_give(l, LIST_OPEN);
}

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

void
list_columns(struct list *l, const char *tail, const char *sort)
{
	if (strcmp(l->tail, tail) == 0 || !list_set_text(&l->tail, tail))
		return;
	TEXT_COPY(l->sort, sort);
}

void
list_set(struct list *l, const char *base, uint64_t row)
{
	bool	there = l->error[0] == '\0' && (l->now.rows != NULL || l->task.given);

	if ((strcmp(l->base, base) == 0 && there) || !list_set_text(&l->base, base))
		return;
	l->top = l->id = 0;
	l->sel = row;
	l->want = row + 1;
	l->other = os_now();
	list_again(l);
}

void
list_unlimit(struct list *l)
{
	list_set_text(&l->filter, NULL);
	list_set_text(&l->chip, NULL);
}

bool
list_take(struct list *l, const struct list_form *form)
{
	if (strcmp(l->base, form->base) == 0)
		return false;
	list_unlimit(l);
	list_columns(l, form->columns, form->sort);
	TEXT_COPY(l->sort, form->sort);
	list_set(l, form->base, 0);
	return true;
}

void
list_again_at(struct list *l, uint64_t id)
{
	/* Do not run a query again that writes files. */
	if (l->now.query != NULL && query_writes(l->now.query))
		return;
	l->id = id;
	list_again(l);
}

/* Rows may change: keep the place by the id of the selected row, but stay at the top if the first row is selected. */
void
list_reset(struct list *l)
{
	uint64_t	id = list_id(l);

	list_again_at(l, id == 0 && !list_folded(l, l->sel) ? l->id : l->sel != 0 ? id : 0);
}

/* Close rows and query before their store is closed. */
static void
answer_drop(struct list_answer *a)
{
	rows_close(a->rows);
	query_free(a->query);
	*a = (struct list_answer){ .version = a->version };
}

void
list_set_name(struct list_name *to, const char *column, struct str text)
{
	TEXT_COPY(to->column, column);
	buf_clear(&to->text);
	buf_str(&to->text, text);
}

/* Ids differ between files: keep the place by name. */
void
list_forget(struct list *l)
{
	struct cell	c;

	task_drop(&l->task);
	if (l->is.named != NULL && list_cell(l, l->is.named, &c) && c.type == CELL_TEXT)
		list_set_name(&l->kept, l->is.named, c.text);
	answer_drop(&l->next);
	answer_drop(&l->now);
	l->page.ok = false;
	l->id = l->placed != 0 ? l->id : 0;
}

/* ---- back from it -------------------------------------------------------- */

static void
done_open(struct list *l, bool ok, const struct err *err)
{
	if (!ok)
		answer_drop(&l->next);
	if (!ok && l->task.put_off && err->kind == E_CANCEL) {
		l->pane->stale = true;
		return;
	}
	if (!ok) {
		if (l->now.version != ui_version(l->task.ui) || (err->kind == E_CANCEL && l->other != 0))
			answer_drop(&l->now);
		l->stopped = err->kind == E_CANCEL && l->now.rows != NULL;
		l->other = 0;
		task_why(err, l->error, sizeof l->error);
		if (err->kind != E_CANCEL && !l->is.mute)
			ui_query_error(l->task.ui, buf_view(&l->ask.query), err);
		return;
	}
	l->error[0] = '\0';
	if (!l->stale)
		buf_clear(&l->kept.text);
	l->other = l->stale ? l->other : 0;
	answer_drop(&l->now);
	l->now = l->next;
	l->next = (struct list_answer){ .rows = NULL };
	l->sel = l->ask.sel < l->now.known ? l->ask.sel : l->now.known > 0 ? l->now.known - 1 : 0;
	memset(l->page.width, 0, sizeof l->page.width);
	memset(l->page.filled, 0, sizeof l->page.filled);
	if (l->is.opened != NULL)
		l->is.opened(l);
}

static void
done_read(struct list *l, bool ok)
{
	if (ok) {
		l->now.from = l->next.from;
		l->now.to = l->next.to;
	} else if (!l->task.put_off)
		l->sel = l->page.top;
}

static void
done_own(struct list *l, bool ok)
{
	list_recount(l);
	if (ok) {
		l->sel = l->ask.sel < l->now.known ? l->ask.sel : 0;
		l->top = l->ask.top;
	}
	if (l->ask.done != NULL)
		l->ask.done(l, ok);
}

static void
list_done(struct task *task, bool ok, const struct err *err)
{
	struct list	*l = (struct list *)task;

	l->page.ok = false;
	if (l->ask.job == LIST_OWN)
		done_own(l, ok);
	else if (l->ask.job == LIST_READ)
		done_read(l, ok);
	else if (l->ask.job != LIST_OPEN && l->next.known > l->now.known) {
		l->now.all = l->ask.job == LIST_REACH && l->next.all;
		l->now.known = l->next.known;
	} else if (l->ask.job == LIST_REACH)
		l->now.all = true;
	if (l->ask.job == LIST_OPEN)
		done_open(l, ok, err);
	else if (!ok && !task->put_off)
		ui_fail(task->ui, err);
	else if (ok && l->ask.job == LIST_FIND && lfind_done(l))
		list_unfold(l, l->search.hidden);
	if (ok && l->ask.job <= LIST_REACH && rows_note(l->now.rows, 0) != NULL)
		ui_say(l->task.ui, "note: %s", rows_note(l->now.rows, 0));
	if (l->to_end && l->now.all) {
		l->to_end = false;
		l->sel = l->now.known > 0 ? l->now.known - 1 : 0;
	}
	if (l->stale)
		list_give(l, LIST_OPEN);
	else if (!ok && task->put_off && l->ask.job == LIST_OWN)
		list_give(l, LIST_OWN);
}

/* Open the rows on the screen thread if that is fast; false: the worker must open them. */
static bool
open_at_once(struct list *l)
{
	struct ui	*ui = l->pane->ui;
	struct query	*q = NULL;
	struct err	 err = { .kind = E_NONE };
	bool		 known = query_parse(&q, buf_view(&l->ask.query), &err), now, ok;

	/* Exports are not stopped by navigation. */
	l->task.pane = known && query_writes(q) ? NULL : l->pane;
	now = known && l->is.at_once && l->ask.id == 0 && query_ready(q, &l->ask.seen);
	query_free(q);
	if (!now)
		return false;
	l->task.ui = ui;
	ok = list_run(&l->task, NULL, &err);
	list_done(&l->task, ok, &err);
	return true;
}

static uint64_t
room_for(uint64_t lines)
{
	return 2 * (lines > ROOM_MIN ? lines : ROOM_MIN);
}

static void
list_give(struct list *l, enum list_job job)
{
	struct ui	*ui = l->pane->ui;

	if (l->task.given || ui_store(ui) == NULL)
		return;
	/* Queries of plain panes contain the stages of the view themselves. */
	l->ask.seen = *(l->pane->kind->plain ? ui_plain(ui) : ui_session(ui));
	if (job == LIST_OPEN) {
		list_choose(l, &l->ask.seen);
		l->stale = l->stopped = false;
		l->error[0] = '\0';
		l->since = os_now();
		l->want = l->want < 512 ? 512 : l->want;
		/* The worker reads copies: the user may change the list meanwhile. */
		buf_clear(&l->ask.query);
		list_opens_text(l, &l->ask.query);
		l->ask.id = l->placed == 0 || l->placed == ui_version(ui) + 1 ? l->id : 0;
		l->placed = 0;
		list_set_name(&l->ask.name, l->kept.column, buf_view(&l->kept.text));
		l->ask.sel = l->sel;
		l->ask.room = room_for(l->page.h);
		l->ask.fold = l->unfolded ? NULL : l->is.fold;
	}
	l->ask.job = job;
	l->ask.want = l->want;
	l->next.version = ui_version(ui);
	if (job == LIST_OPEN && open_at_once(l))
		return;
	task_give(ui, &l->task);
}

/* ---- used by other files ------------------------------------------------- */

struct list *
list_new(struct pane *p, const struct list_spec *spec, const char *base)
{
	struct list	*l = mem_array(1, sizeof *l);

	if (l == NULL)
		return NULL;
	l->pane = p;
	l->is = *spec;
	l->unfolded = ui_options(p->ui)->idle_shown;
	l->task.run = list_run;
	l->task.done = list_done;
	if (!list_set_text(&l->base, spec->base != NULL ? spec->base : base) ||
	    !list_set_text(&l->tail, spec->columns != NULL ? spec->columns : "")) {
		list_free(l);
		return NULL;
	}
	TEXT_COPY(l->sort, spec->sort != NULL ? spec->sort : "");
	return l;
}

void
list_free(struct list *l)
{
	if (l == NULL)
		return;
	task_drop(&l->task);
	prompt_disown(l);
	answer_drop(&l->next);
	answer_drop(&l->now);
	list_page_free(&l->page);
	pattern_free(l->search.pattern);
	free(l->base);
	free(l->filter);
	free(l->chip);
	free(l->tail);
	buf_free(&l->ask.query);
	buf_free(&l->chosen);
	buf_free(&l->kept.text);
	buf_free(&l->ask.name.text);
	free(l);
}

/* False if the worker has the rows, or if they belong to the previous query. */
bool
list_usable(const struct list *l)
{
	return l->now.rows != NULL && l->other == 0 && (!l->task.given || l->ask.job == LIST_OPEN);
}

bool
list_has_row(const struct list *l)
{
	return list_usable(l) && l->sel < l->now.known;
}

bool
list_cell(struct list *l, const char *column, struct cell *c)
{
	int	col;

	if (!list_has_row(l))
		return false;
	col = rows_column(l->now.rows, str_of(column));
	if (col < 0)
		return false;
	rows_cell(l->now.rows, l->sel, (size_t)col, c);
	return true;
}

struct str
list_word(struct list *l, const char *column)
{
	struct cell	c;

	return list_cell(l, column, &c) && c.type == CELL_TEXT ? c.text : STR("");
}

uint64_t
list_number(struct list *l, const char *column)
{
	return list_has_row(l) ? list_number_at(l->now.rows, l->sel, column) : 0;
}

uint64_t
list_id(struct list *l)
{
	uint64_t	id;

	if (!list_has_row(l) ||
	    !list_row_id(l->now.rows, l->sel, list_id_column(l->now.rows), &id))
		return 0;
	return id;
}

void
list_find(struct pane *p, const char *text, bool backward)
{
	struct list	*l = list_of(p);

	if (!list_usable(l) || l->task.given) {
		ui_say_hint(p->ui, VERB_CANCEL, "still working; _ stops");
		return;
	}
	if (text != NULL) {
		TEXT_COPY(l->search.text, text);
		pattern_free(l->search.pattern);
		l->search.pattern = pattern_make(str_of(text), NULL);
		l->page.ok = false;
	}
	l->search.backward = backward;
	l->search.quiet = text == NULL;
	l->search.from = l->sel;
	if (l->search.text[0] != '\0')
		list_give(l, LIST_FIND);
}

/* Select a row by id; drop the filter, which may hide the row. */
void
list_goto(struct list *l, uint64_t id)
{
	list_unlimit(l);
	l->id = id;
	list_again(l);
}

/* Request the rows up to n if they are not known yet. */
void
list_want(struct list *l, uint64_t n)
{
	if (l->now.all || n <= l->now.known || l->task.given || l->now.rows == NULL)
		return;
	l->want = n;
	list_give(l, LIST_REACH);
}

void
list_recount(struct list *l)
{
	l->now.known = rows_reach(l->now.rows, ROWS_ALL);
	l->now.all = true;
	l->now.from = l->now.to = 0;
	l->page.ok = false;
}

bool
list_ready(struct list *l, uint64_t from, uint64_t to)
{
	to = to < l->now.known ? to : l->now.known;
	if (!list_slow(l->now.rows) || (from >= l->now.from && to <= l->now.to) || from >= to)
		return true;
	if (!l->task.given) {
		l->ask.sel = from;
		l->ask.room = room_for(to - from);
		list_give(l, LIST_READ);
	}
	return false;
}

void
list_do(struct list *l, bool long_work, list_own_job own, void (*done)(struct list *, bool ok))
{
	struct err	err = { .kind = E_NONE };
	bool		ok;

	l->ask.own = own;
	l->ask.done = done;
	l->ask.sel = l->sel;
	l->ask.top = l->top;
	if (long_work) {
		list_give(l, LIST_OWN);
		return;
	}
	l->ask.job = LIST_OWN;
	ok = list_run(&l->task, NULL, &err);
	list_done(&l->task, ok, &err);
}
