/*
 * list: a query drawn as lines.  What may take long (opening, reaching
 * far rows, searching) is done by the worker; the rows are its own meanwhile, and
 * the page stays as it was drawn.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"

enum { ROOM_MIN = 128 };

/* ---- the query ----------------------------------------------------------- */

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
list_columns(struct list *l, const char *tail, const char *sort)
{
	if (strcmp(l->tail, tail) == 0 || !list_set_text(&l->tail, tail))
		return;
	snprintf(l->sort, sizeof l->sort, "%s", sort);
}

void
list_set(struct list *l, const char *base, uint64_t row)
{
	bool	there = l->error[0] == '\0' && (l->rows != NULL || l->task.given);

	if ((strcmp(l->base, base) == 0 && there) || !list_set_text(&l->base, base))
		return;
	l->top = l->id = 0;
	l->sel = row;
	l->want = row + 1;
	l->other = os_now();
	list_again(l);
}

bool
list_take(struct list *l, const struct list_form *form)
{
	if (strcmp(l->base, form->base) == 0)
		return false;
	list_unlimit(l);
	list_columns(l, form->columns, form->sort);
	snprintf(l->sort, sizeof l->sort, "%s", form->sort);
	list_set(l, form->base, 0);
	return true;
}

void
list_again_at(struct list *l, uint64_t id)
{
	/* Do not run a query again that writes files. */
	if (l->query != NULL && query_writes(l->query))
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

static void
list_drop(struct rows **rows, struct query **query)
{
	rows_close(*rows);
	query_free(*query);
	*rows = NULL;
	*query = NULL;
}

static void
drop_new(struct list *l)
{
	list_drop(&l->new_rows, &l->new_query);
}

/* Close rows and query before their store is closed. */
static void
drop_rows(struct list *l)
{
	list_drop(&l->rows, &l->query);
	l->known = 0;
	l->all = l->page_ok = false;
}

/* Ids differ between files: keep the place by name. */
void
list_forget(struct list *l)
{
	struct cell	c;

	task_drop(&l->task);
	if (l->is.named != NULL && list_cell(l, l->is.named, &c) && c.type == CELL_TEXT) {
		buf_clear(&l->kept);
		buf_str(&l->kept, c.text);
	}
	drop_new(l);
	drop_rows(l);
	l->id = l->placed != 0 ? l->id : 0;
}

/* ---- back from it -------------------------------------------------------- */

static void
done_open(struct list *l, bool ok, const struct err *err)
{
	if (!ok && l->task.put_off && err->kind == E_CANCEL) {
		drop_new(l);
		l->pane->stale = true;
		return;
	}
	if (!ok) {
		drop_new(l);
		if (l->version != ui_version(l->task.ui) || (err->kind == E_CANCEL && l->other != 0))
			drop_rows(l);
		l->stopped = err->kind == E_CANCEL && l->rows != NULL;
		l->other = 0;
		snprintf(l->error, sizeof l->error, "%s",
		    err->kind == E_CANCEL ? "stopped; Enter resumes" : err->text);
		if (err->kind != E_CANCEL && !l->is.mute)
			ui_query_error(l->task.ui, buf_view(&l->asked), err);
		return;
	}
	l->error[0] = '\0';
	buf_clear(&l->kept);
	l->other = l->stale ? l->other : 0;
	drop_rows(l);
	l->rows = l->new_rows;
	l->version = l->asked_version;
	l->query = l->new_query;
	l->new_rows = NULL;
	l->new_query = NULL;
	l->idcol = list_id_column(l->rows);
	l->known = l->new_known;
	l->all = l->new_all;
	l->read_from = l->new_from;
	l->read_to = l->new_to;
	l->sel = l->new_sel < l->known ? l->new_sel : l->known > 0 ? l->known - 1 : 0;
	memset(l->width, 0, sizeof l->width);
	memset(l->filled, 0, sizeof l->filled);
	if (l->is.opened != NULL)
		l->is.opened(l);
}

static void
done_read(struct list *l, bool ok)
{
	if (ok) {
		l->read_from = l->new_from;
		l->read_to = l->new_to;
	} else if (!l->task.put_off)
		l->sel = l->page_top;
}

static void
done_own(struct list *l, bool ok)
{
	l->known = l->new_known;
	l->all = true;
	l->read_from = l->read_to = 0;
	if (ok) {
		l->sel = l->new_sel < l->known ? l->new_sel : 0;
		l->top = l->new_top;
	}
	if (l->owned != NULL)
		l->owned(l, ok);
}

static void
list_done(struct task *task, bool ok, const struct err *err)
{
	struct list	*l = (struct list *)task;

	l->page_ok = false;
	if (l->job == LIST_OWN)
		done_own(l, ok);
	else if (l->job == LIST_READ)
		done_read(l, ok);
	else if (l->job != LIST_OPEN && l->new_known > l->known) {
		l->all = l->job == LIST_REACH && l->new_all;
		l->known = l->new_known;
	} else if (l->job == LIST_REACH)
		l->all = true;
	if (l->job == LIST_OPEN)
		done_open(l, ok, err);
	else if (!ok && !task->put_off)
		ui_fail(task->ui, err);
	else if (ok && l->job == LIST_FIND)
		lfind_done(l);
	if (ok && l->job <= LIST_REACH && rows_note(l->rows, 0) != NULL)
		ui_say(l->task.ui, "note: %s", rows_note(l->rows, 0));
	if (l->to_end && l->all) {
		l->to_end = false;
		l->sel = l->known > 0 ? l->known - 1 : 0;
	}
	if (l->stale)
		list_give(l, LIST_OPEN);
	else if (!ok && task->put_off && l->job == LIST_OWN)
		list_give(l, LIST_OWN);
}

/* Open the rows on the screen thread if that takes no time; false: the worker must do it. */
static bool
open_at_once(struct list *l)
{
	struct ui	*ui = l->pane->ui;
	struct query	*q = NULL;
	struct err	 err = { .kind = E_NONE };
	bool		 known = query_parse(&q, buf_view(&l->asked), &err), now, ok;

	/* Nobody stops to write files. */
	l->task.pane = known && query_writes(q) ? NULL : l->pane;
	now = known && l->is.at_once && l->asked_id == 0 && query_ready(q, &l->seen);
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
	if (job == LIST_OPEN) {
		l->stale = l->stopped = false;
		l->error[0] = '\0';
		l->since = os_now();
		l->want = l->want < 512 ? 512 : l->want;
		/* The worker reads copies: the user may go on changing the list. */
		buf_clear(&l->asked);
		list_text(l, &l->asked);
		l->asked_id = l->placed == 0 || l->placed == ui_version(ui) + 1 ? l->id : 0;
		l->placed = 0;
		l->asked_sel = l->sel;
		l->asked_room = room_for(l->page_h);
		l->folds = l->unfolded ? NULL : l->is.fold;
	}
	l->job = job;
	l->asked_want = l->want;
	/* Queries of plain panes contain the stages of the view themselves. */
	l->asked_version = ui_version(ui);
	l->seen = *(l->pane->kind->plain ? ui_plain(ui) : ui_session(ui));
	if (job == LIST_OPEN && open_at_once(l))
		return;
	task_give(ui, &l->task);
}

/* ---- for everybody ------------------------------------------------------- */

struct list *
list_new(struct pane *p, const struct list_spec *spec, const char *base)
{
	struct list	*l = mem_array(1, sizeof *l);

	if (l == NULL)
		return NULL;
	l->pane = p;
	l->is = *spec;
	l->task.run = list_run;
	l->task.done = list_done;
	l->idcol = -1;
	if (!list_set_text(&l->base, spec->base != NULL ? spec->base : base) ||
	    !list_set_text(&l->tail, spec->columns != NULL ? spec->columns : "")) {
		list_free(l);
		return NULL;
	}
	snprintf(l->sort, sizeof l->sort, "%s", spec->sort != NULL ? spec->sort : "");
	return l;
}

void
list_free(struct list *l)
{
	if (l == NULL)
		return;
	task_drop(&l->task);
	prompt_disown(l);
	drop_new(l);
	drop_rows(l);
	list_free_page(l);
	pattern_free(l->pattern);
	free(l->base);
	free(l->filter);
	free(l->chip);
	free(l->tail);
	buf_free(&l->asked);
	buf_free(&l->kept);
	free(l);
}

/* False if the worker has the rows, or if they belong to the previous query. */
bool
list_usable(const struct list *l)
{
	return l->rows != NULL && l->other == 0 && (!l->task.given || l->job == LIST_OPEN);
}

bool
list_cell(struct list *l, const char *column, struct cell *c)
{
	int	col;

	if (!list_usable(l) || l->sel >= l->known)
		return false;
	col = rows_column(l->rows, str_of(column));
	if (col < 0)
		return false;
	rows_cell(l->rows, l->sel, (size_t)col, c);
	return true;
}

uint64_t
list_number_at(struct rows *r, uint64_t row, const char *column)
{
	int		col = rows_column(r, str_of(column));
	struct cell	c = { .type = CELL_NONE };

	if (col >= 0)
		rows_cell(r, row, (size_t)col, &c);
	return c.type == CELL_NONE || c.type == CELL_TEXT ? 0 : c.u;
}

uint64_t
list_number(struct list *l, const char *column)
{
	return list_usable(l) && l->sel < l->known ? list_number_at(l->rows, l->sel, column) : 0;
}

uint64_t
list_id(struct list *l)
{
	uint64_t	id;

	if (!list_usable(l) || l->sel >= l->known ||
	    !list_row_id(l->rows, l->sel, l->idcol, &id))
		return 0;
	return id;
}

void
list_find(struct list *l, const char *text, bool backward)
{
	if (!list_usable(l) || l->task.given) {
		ui_say(l->pane->ui, "still working; C-c stops");
		return;
	}
	if (text != NULL) {
		snprintf(l->find, sizeof l->find, "%s", text);
		pattern_free(l->pattern);
		l->pattern = pattern_make(str_of(text), NULL);
		l->page_ok = false;
	}
	l->backward = backward;
	l->quiet_find = text == NULL;
	l->from = l->sel;
	if (l->find[0] != '\0')
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

/* Asks for the rows up to n if they are not known yet. */
void
list_want(struct list *l, uint64_t n)
{
	if (l->all || n <= l->known || l->task.given || l->rows == NULL)
		return;
	l->want = n;
	list_give(l, LIST_REACH);
}

bool
list_ready(struct list *l, uint64_t from, uint64_t to)
{
	to = to < l->known ? to : l->known;
	if (!list_slow(l->rows) || (from >= l->read_from && to <= l->read_to) || from >= to)
		return true;
	if (!l->task.given) {
		l->asked_sel = from;
		l->asked_room = room_for(to - from);
		list_give(l, LIST_READ);
	}
	return false;
}

void
list_do(struct list *l, bool long_work, list_own_job own, void (*done)(struct list *, bool ok))
{
	struct err	err = { .kind = E_NONE };
	bool		ok;

	l->own = own;
	l->owned = done;
	l->new_sel = l->sel;
	l->new_top = l->top;
	if (long_work) {
		list_give(l, LIST_OWN);
		return;
	}
	l->job = LIST_OWN;
	ok = list_run(&l->task, NULL, &err);
	list_done(&l->task, ok, &err);
}
