/*
 * list: a query drawn as lines.  What may take long (opening, reaching
 * far rows, searching) is done by the worker; the rows are its own meanwhile, and
 * the page stays as it was drawn.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "room.h"

enum { CHUNK = 4096, COUNT_NS = 300000000 };

/* ---- the query ----------------------------------------------------------- */

void
list_text(const struct list *l, struct buf *b)
{
	buf_str(b, str_of(l->base));
	if (l->filter != NULL)
		buf_printf(b, " | where %s", l->filter);
	if (l->sort[0] != '\0')
		buf_printf(b, " | sort %s", l->sort);
	if (l->tail[0] != '\0')
		buf_printf(b, " | %s", l->tail);
}

static bool
set_text(char **dst, const char *s)
{
	char	*copy = s != NULL ? strdup(s) : NULL;

	if (copy == NULL && s != NULL)
		return false;
	free(*dst);
	*dst = copy;
	return true;
}

static void list_give(struct list *, enum list_job);

void
list_set(struct list *l, const char *base, uint64_t row)
{
	if ((strcmp(l->base, base) == 0 && l->error[0] == '\0') || !set_text(&l->base, base))
		return;
	l->top = l->id = 0;
	l->sel = row;
	l->want = row + 1;
	l->other = os_now();
	l->stale = true;
	list_give(l, LIST_OPEN);
}

void
list_reset(struct list *l)
{
	uint64_t	id = list_id(l);

	/* What was written stays written. */
	if (l->query != NULL && query_writes(l->query))
		return;
	/* The rows may be another: keep the place by the id of the selected row. */
	if (id != 0)
		l->id = id;
	l->stale = true;
	list_give(l, LIST_OPEN);
}

/* ---- on the worker ------------------------------------------------------- */

static bool
cell_id(struct rows *r, uint64_t row, int col, uint64_t *id)
{
	struct cell	c;

	if (col < 0)
		return false;
	rows_cell(r, row, (size_t)col, &c);
	*id = c.u;
	return c.type == CELL_ID || c.type == CELL_COUNT;
}

static int
id_column(const struct rows *r)
{
	static const char *const names[] = { "id", "object", "method_id", "thread_id" };
	size_t	i;
	int	col;

	for (i = 0; i < NELEM(names); i++)
		if ((col = rows_column(r, str_of(names[i]))) >= 0)
			return col;
	return -1;
}

static void
look_for_id(struct list *l)
{
	struct rows	*r = l->new_rows;
	int		 col = id_column(r);
	uint64_t	 row, id;

	l->new_sel = l->asked_sel;
	if (l->asked_id == 0 || col < 0)
		return;
	for (row = 0; row < l->new_known; row++) {
		if (cell_id(r, row, col, &id) && id == l->asked_id) {
			l->new_sel = row;
			return;
		}
		if (row + 1 == l->new_known)
			l->new_known = rows_reach(r, l->new_known + CHUNK);
	}
	l->new_sel = 0;
}

/* Rows that ended early have said why. */
static bool
reached(const struct rows *r, struct err *err)
{
	const struct err *why = rows_error(r);

	if (why == NULL)
		return true;
	*err = *why;
	return false;
}

static bool
run_open(struct list *l, struct work *work, struct err *err)
{
	struct session	*s = l->task.ui->session;
	bool		 ok;

	ok = query_parse(&l->new_query, buf_view(&l->asked), err) &&
	    query_prepare(l->new_query, s, work, err) &&
	    query_open(l->new_query, s, &l->new_rows, err);
	if (ok && l->wrap != NULL) {
		l->new_rows = l->wrap(l, l->new_rows, err);
		ok = l->new_rows != NULL;
	}
	if (!ok)
		return false;
	rows_set_work(l->new_rows, work);
	l->new_known = rows_reach(l->new_rows, l->want);
	look_for_id(l);
	ok = l->warm == NULL || l->warm(l, l->new_rows, work, err);
	rows_set_work(l->new_rows, NULL);
	return ok && reached(l->new_rows, err);
}

static bool
row_matches(struct rows *r, uint64_t row, struct pattern *p)
{
	struct cell	c;
	size_t		i;

	for (i = 0; i < r->ncols; i++) {
		if (r->cols[i].type != CELL_TEXT)
			continue;
		rows_cell(r, row, i, &c);
		if (c.type == CELL_TEXT && pattern_match(p, c.text))
			return true;
	}
	return false;
}

static bool
find_reach(struct list *l, uint64_t row)
{
	if (row >= l->new_known)
		l->new_known = rows_reach(l->rows, row + CHUNK);
	return row < l->new_known;
}

/* Once around from the selected row; the first search counts as well, for a while. */
static bool
run_find(struct list *l, struct work *work, struct err *err)
{
	struct pattern	*p = pattern_make(str_of(l->find), err);
	uint64_t	 row, before = ROWS_ALL, after = ROWS_ALL, stop = 0;
	uint64_t	 first = ROWS_ALL, last = ROWS_ALL;

	if (p == NULL)
		return false;
	l->hits = 0;
	l->hit = ROWS_ALL;
	work_start(work, "search", l->all ? l->known : 0);
	rows_set_work(l->rows, work);
	for (row = 0; find_reach(l, row); row++) {
		if (!work_tick(work, row))
			break;
		if (stop != 0 && (row & 255) == 0 && os_now() > stop)
			break;
		if (!row_matches(l->rows, row, p))
			continue;
		l->hits++;
		if (first == ROWS_ALL)
			first = row;
		if (row < l->from)
			before = row;
		else if (row > l->from && after == ROWS_ALL)
			after = row;
		last = row;
		/* What was asked for is known: from here on it only counts. */
		if (!l->backward && after != ROWS_ALL && stop == 0)
			stop = os_now() + (l->quiet_find ? 0 : COUNT_NS);
		if (l->backward && before != ROWS_ALL && row >= l->from && l->quiet_find)
			break;
	}
	rows_set_work(l->rows, NULL);
	pattern_free(p);
	if (atomic_load(&work->cancel))
		return fail_cancel(err);
	if (l->backward)
		l->hit = before != ROWS_ALL ? before : last;
	else
		l->hit = after != ROWS_ALL ? after : first;
	return true;
}

static bool
list_run(struct task *task, struct work *work, struct err *err)
{
	struct list	*l = (struct list *)task;

	switch (l->job) {
	case LIST_OPEN:
		return run_open(l, work, err);
	case LIST_REACH:
		rows_set_work(l->rows, work);
		work_start(work, "rows", 0);
		l->new_known = rows_reach(l->rows, l->want);
		rows_set_work(l->rows, NULL);
		return reached(l->rows, err);
	case LIST_FIND:
		l->new_known = l->known;
		return run_find(l, work, err);
	}
	return true;
}

/* ---- back from it -------------------------------------------------------- */

static void
drop_new(struct list *l)
{
	rows_close(l->new_rows);
	query_free(l->new_query);
	l->new_rows = NULL;
	l->new_query = NULL;
}

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
		l->other = 0;
		snprintf(l->error, sizeof l->error, "%s",
		    err->kind == E_CANCEL ? "stopped; Enter goes on" : err->text);
		if (err->kind != E_CANCEL && !l->mute)
			ui_query_error(l->task.ui, buf_view(&l->asked), err);
		return;
	}
	l->error[0] = '\0';
	l->other = l->stale ? l->other : 0;
	rows_close(l->rows);
	query_free(l->query);
	l->rows = l->new_rows;
	l->query = l->new_query;
	l->new_rows = NULL;
	l->new_query = NULL;
	l->idcol = id_column(l->rows);
	l->known = l->new_known;
	l->all = l->known < l->want;
	l->sel = l->new_sel < l->known ? l->new_sel : l->known > 0 ? l->known - 1 : 0;
	memset(l->width, 0, sizeof l->width);
	if (l->opened != NULL)
		l->opened(l);
}

static void
done_find(struct list *l)
{
	char	n[NUM_TEXT];

	if (l->hit == ROWS_ALL) {
		ui_say(l->task.ui, "/%s: not found", l->find);
		return;
	}
	if (!l->quiet_find) {
		num_show_count(n, sizeof n, l->hits);
		ui_say(l->task.ui, "/%s: %s row%s", l->find, n, l->hits == 1 ? "" : "s");
	} else if ((l->hit <= l->from) != l->backward)
		ui_say(l->task.ui, "/%s: went on from the %s", l->find,
		    l->backward ? "end" : "top");
	l->sel = l->hit;
}

static void
list_done(struct task *task, bool ok, const struct err *err)
{
	struct list	*l = (struct list *)task;

	l->page_ok = false;
	if (l->job != LIST_OPEN && l->new_known > l->known) {
		l->all = l->job == LIST_REACH ? l->new_known < l->want : false;
		l->known = l->new_known;
	} else if (l->job == LIST_REACH)
		l->all = true;
	if (l->job == LIST_OPEN)
		done_open(l, ok, err);
	else if (!ok && !task->put_off)
		ui_fail(task->ui, err);
	else if (ok && l->job == LIST_FIND)
		done_find(l);
	if (l->to_end && l->all) {
		l->to_end = false;
		l->sel = l->known > 0 ? l->known - 1 : 0;
	}
	if (l->stale)
		list_give(l, LIST_OPEN);
}

/* False: the worker is to do it. */
static bool
open_at_once(struct list *l)
{
	struct ui	*ui = l->pane->ui;
	struct query	*q = NULL;
	struct err	 err = { .kind = E_NONE };
	bool		 known = query_parse(&q, buf_view(&l->asked), &err), now, ok;

	/* Nobody stops to write files. */
	l->task.pane = known && query_writes(q) ? NULL : l->pane;
	now = known && l->at_once && l->asked_id == 0 && query_ready(q, ui->session);
	query_free(q);
	if (!now)
		return false;
	l->task.ui = ui;
	ok = run_open(l, NULL, &err);
	list_done(&l->task, ok, &err);
	return true;
}

static void
list_give(struct list *l, enum list_job job)
{
	if (l->task.given || ui_store(l->pane->ui) == NULL)
		return;
	if (job == LIST_OPEN) {
		l->stale = false;
		l->want = l->want < 512 ? 512 : l->want;
		/* The worker reads copies: the user may go on changing the list. */
		buf_clear(&l->asked);
		list_text(l, &l->asked);
		l->asked_id = l->id;
		l->asked_sel = l->sel;
	}
	l->job = job;
	if (job == LIST_OPEN && open_at_once(l))
		return;
	task_give(l->pane->ui, &l->task);
}

/* ---- for everybody ------------------------------------------------------- */

struct list *
list_new(struct pane *p, const char *base, const char *tail, const char *sort)
{
	struct list	*l = mem_array(1, sizeof *l);

	if (l == NULL)
		return NULL;
	l->pane = p;
	l->task.run = list_run;
	l->task.done = list_done;
	l->idcol = -1;
	if (!set_text(&l->base, base) || !set_text(&l->tail, tail)) {
		list_free(l);
		return NULL;
	}
	snprintf(l->sort, sizeof l->sort, "%s", sort);
	return l;
}

void
list_free(struct list *l)
{
	size_t	i;

	if (l == NULL)
		return;
	task_drop(&l->task);
	drop_new(l);
	rows_close(l->rows);
	query_free(l->query);
	for (i = 0; i < l->nlines; i++)
		buf_free(&l->line[i]);
	pattern_free(l->pattern);
	free(l->line);
	free(l->base);
	free(l->filter);
	free(l->tail);
	buf_free(&l->asked);
	free(l);
}

/* Rows that the worker has, or of the query before, are not ours to read. */
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
list_id(struct list *l)
{
	uint64_t	id;

	if (!list_usable(l) || l->sel >= l->known ||
	    !cell_id(l->rows, l->sel, l->idcol, &id))
		return 0;
	return id;
}

void
list_find(struct list *l, const char *text, bool backward)
{
	if (!list_usable(l) || l->task.given) {
		ui_say(l->pane->ui, "still working");
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

/* A filter may hide it. */
void
list_goto(struct list *l, uint64_t id)
{
	free(l->filter);
	l->filter = NULL;
	l->id = id;
	l->stale = true;
	list_give(l, LIST_OPEN);
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
