/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list_run: the worker's part of a list.
 */
#include "config.h"

#include "lines.h"

enum { CHUNK = 4096 };

bool
list_row_id(struct rows *r, uint64_t row, int col, uint64_t *id)
{
	struct cell	c;

	if (col < 0)
		return false;
	rows_cell(r, row, (size_t)col, &c);
	*id = c.u;
	return c.type == CELL_ID || c.type == CELL_COUNT;
}

int
list_id_column(const struct rows *r)
{
	static const char *const names[] = { "id", "object", "method_id", "thread_id" };
	int	col;

	for (size_t i = 0; i < NELEM(names); i++)
		if ((col = rows_column(r, str_of(names[i]))) >= 0)
			return col;
	return -1;
}

static bool
cell_is(struct rows *r, uint64_t row, int col, struct str name)
{
	struct cell	c;
	uint64_t	v;

	rows_cell(r, row, (size_t)col, &c);
	return c.type == CELL_ID ? num_u64(name, 10, &v) && c.u == v : c.type == CELL_TEXT && str_eq(c.text, name);
}

/* Find the row to select, by its id or its name. */
static void
look_for_row(struct list *l)
{
	struct rows	*r = l->next.rows;
	bool		 named = l->ask.id == 0 && l->ask.name.text.n > 0;
	int		 col = named ? rows_column(r, str_of(l->ask.name.column)) : list_id_column(r);
	uint64_t	 id;

	if ((l->ask.id == 0 && !named) || col < 0)
		return;
	/* If several rows have the id, choose the one with the same number. */
	if (!named && l->ask.sel < l->next.known && list_row_id(r, l->ask.sel, col, &id) && id == l->ask.id)
		return;
	for (uint64_t row = 0; row < l->next.known; row++) {
		if (named ? cell_is(r, row, col, buf_view(&l->ask.name.text)) :
		    list_row_id(r, row, col, &id) && id == l->ask.id) {
			l->ask.sel = row;
			return;
		}
		if (row + 1 == l->next.known)
			l->next.known = rows_reach(r, l->next.known + CHUNK);
	}
	l->ask.sel = 0;
}

bool
list_slow(const struct rows *r)
{
	while (r != NULL && !r->slow)
		r = r->in;
	return r != NULL;
}

/* Compute a cell of each row around a row, so that slow rows are ready to draw. */
static bool
read_around(struct list *l, struct rows *r, uint64_t row, uint64_t known, struct err *err)
{
	struct cell	c;

	l->next.from = row > l->ask.room ? row - l->ask.room : 0;
	l->next.to = known - row > l->ask.room ? row + l->ask.room : known;
	for (uint64_t i = l->next.from; i < l->next.to && rows_error(r) == NULL; i++)
		rows_cell(r, i, 0, &c);
	return rows_whole(r, err);
}

/* Clear errors of slow rows: a cancelled cell can be read again. */
static void
forget_errors(struct rows *r)
{
	for (; r != NULL; r = r->in)
		r->err.kind = r->slow ? E_NONE : r->err.kind;
}

static bool
run_read(struct list *l, struct work *work, struct err *err)
{
	bool	ok;

	l->next.known = l->now.known;
	rows_set_work(l->now.rows, work);
	work_start(work, "rows", 0);
	ok = read_around(l, l->now.rows, l->ask.sel, l->now.known, err);
	rows_set_work(l->now.rows, NULL);
	return ok;
}

static bool
run_own(struct list *l, struct work *work, struct err *err)
{
	bool	ok;

	rows_set_work(l->now.rows, work);
	ok = l->ask.own(l, work, err);
	rows_set_work(l->now.rows, NULL);
	return ok && (work == NULL || !atomic_load(&work->cancel) || fail_cancel(err));
}

/* If more rows are known than asked for, they may be all, as after a sort: ask for one more to find out. */
static void
reach_asked(struct list *l, struct rows *r)
{
	uint64_t	known = rows_reach(r, l->ask.want);

	l->next.known = known > l->ask.want ? rows_reach(r, known + 1) : known;
	l->next.all = known < l->ask.want || (known > l->ask.want && l->next.known == known);
}

static bool
run_open(struct list *l, struct work *work, struct err *err)
{
	struct reply	 a;
	struct cell	 c;
	bool		 ok = query_ask(&a, buf_view(&l->ask.query), 0, &l->ask.seen, work, err);

	l->next.query = a.query;
	l->next.rows = a.rows;
	if (ok && l->is.wrap != NULL) {
		l->next.rows = l->is.wrap(l, l->next.rows, err);
		ok = l->next.rows != NULL;
	}
	if (ok)
		ok = (l->next.rows = list_fold_rows(l, l->next.rows, err)) != NULL;
	if (!ok)
		return false;
	rows_set_work(l->next.rows, work);
	reach_asked(l, l->next.rows);
	look_for_row(l);
	for (size_t col = 0; l->is.warm_first && l->next.known > 0 && col < l->next.rows->ncols; col++)
		rows_cell(l->next.rows, 0, col, &c);
	ok = (l->is.warm == NULL || l->is.warm(l, l->next.rows, work, err)) &&
	    (!list_slow(l->next.rows) || read_around(l, l->next.rows, l->ask.sel, l->next.known, err));
	rows_set_work(l->next.rows, NULL);
	return ok && rows_whole(l->next.rows, err);
}

bool
list_run(struct task *task, struct work *work, struct err *err)
{
	struct list	*l = (struct list *)task;
	bool		 ok;

	switch (l->ask.job) {
	case LIST_OPEN:
		return run_open(l, work, err);
	case LIST_REACH:
		rows_set_work(l->now.rows, work);
		work_start(work, "rows", 0);
		reach_asked(l, l->now.rows);
		rows_set_work(l->now.rows, NULL);
		return rows_whole(l->now.rows, err);
	case LIST_FIND:
		l->next.known = l->now.known;
		ok = lfind_run(l, work, err);
		forget_errors(l->now.rows);
		return ok;
	case LIST_READ:
		ok = run_read(l, work, err);
		forget_errors(l->now.rows);
		return ok;
	case LIST_OWN:
		return run_own(l, work, err);
	}
	return true;
}
