/*
 * list_run: what the worker does for a list.
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

	rows_cell(r, row, (size_t)col, &c);
	return c.type == CELL_TEXT && str_eq(c.text, name);
}

/* Find the row to select, by its id or, in another file, by its name. */
static void
look_for_row(struct list *l)
{
	struct rows	*r = l->new_rows;
	bool		 named = l->is.named != NULL && l->asked_id == 0 && l->kept.n > 0;
	int		 col = named ? rows_column(r, str_of(l->is.named)) : list_id_column(r);
	uint64_t	 id;

	l->new_sel = l->asked_sel;
	if ((l->asked_id == 0 && !named) || col < 0)
		return;
	/* Where ids are of several rows it is the one that it was. */
	if (!named && l->asked_sel < l->new_known && list_row_id(r, l->asked_sel, col, &id) && id == l->asked_id)
		return;
	for (uint64_t row = 0; row < l->new_known; row++) {
		if (named ? cell_is(r, row, col, buf_view(&l->kept)) :
		    list_row_id(r, row, col, &id) && id == l->asked_id) {
			l->new_sel = row;
			return;
		}
		if (row + 1 == l->new_known)
			l->new_known = rows_reach(r, l->new_known + CHUNK);
	}
	l->new_sel = 0;
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

	l->new_from = row > l->asked_room ? row - l->asked_room : 0;
	l->new_to = known - row > l->asked_room ? row + l->asked_room : known;
	for (uint64_t i = l->new_from; i < l->new_to && rows_error(r) == NULL; i++)
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

	l->new_known = l->known;
	rows_set_work(l->rows, work);
	work_start(work, "rows", 0);
	ok = read_around(l, l->rows, l->asked_sel, l->known, err);
	rows_set_work(l->rows, NULL);
	return ok;
}

static bool
run_own(struct list *l, struct work *work, struct err *err)
{
	bool	ok;

	rows_set_work(l->rows, work);
	ok = l->own(l, work, err);
	l->new_known = rows_reach(l->rows, ROWS_ALL);
	rows_set_work(l->rows, NULL);
	return ok && (work == NULL || !atomic_load(&work->cancel) || fail_cancel(err));
}

/* If more rows are known than asked for, they may be all, as after a sort: ask for one more to find out. */
static void
reach_asked(struct list *l, struct rows *r)
{
	uint64_t	known = rows_reach(r, l->asked_want);

	l->new_known = known > l->asked_want ? rows_reach(r, known + 1) : known;
	l->new_all = known < l->asked_want || (known > l->asked_want && l->new_known == known);
}

static bool
run_open(struct list *l, struct work *work, struct err *err)
{
	struct reply	 a;
	struct cell	 c;
	bool		 ok = query_ask(&a, buf_view(&l->asked), 0, &l->seen, work, err);

	l->new_query = a.query;
	l->new_rows = a.rows;
	if (ok && l->is.wrap != NULL) {
		l->new_rows = l->is.wrap(l, l->new_rows, err);
		ok = l->new_rows != NULL;
	}
	if (ok)
		ok = (l->new_rows = list_fold_rows(l, l->new_rows, err)) != NULL;
	if (!ok)
		return false;
	rows_set_work(l->new_rows, work);
	reach_asked(l, l->new_rows);
	look_for_row(l);
	for (size_t col = 0; l->is.warm_first && l->new_known > 0 && col < l->new_rows->ncols; col++)
		rows_cell(l->new_rows, 0, col, &c);
	ok = (l->is.warm == NULL || l->is.warm(l, l->new_rows, work, err)) &&
	    (!list_slow(l->new_rows) || read_around(l, l->new_rows, l->new_sel, l->new_known, err));
	rows_set_work(l->new_rows, NULL);
	return ok && rows_whole(l->new_rows, err);
}

bool
list_run(struct task *task, struct work *work, struct err *err)
{
	struct list	*l = (struct list *)task;
	bool		 ok;

	switch (l->job) {
	case LIST_OPEN:
		return run_open(l, work, err);
	case LIST_REACH:
		rows_set_work(l->rows, work);
		work_start(work, "rows", 0);
		reach_asked(l, l->rows);
		rows_set_work(l->rows, NULL);
		return rows_whole(l->rows, err);
	case LIST_FIND:
		l->new_known = l->known;
		ok = lfind_run(l, work, err);
		forget_errors(l->rows);
		return ok;
	case LIST_READ:
		ok = run_read(l, work, err);
		forget_errors(l->rows);
		return ok;
	case LIST_OWN:
		return run_own(l, work, err);
	}
	return true;
}
