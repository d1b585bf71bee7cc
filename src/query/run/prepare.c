/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prepare: what a query needs before it can be opened: columns of the file, and views.
 */
#include "config.h"

#include <stdlib.h>

#include "run.h"

#define SLICE 4096u

/* ---- views that were made --------------------------------------------------- */

void
made_free(struct query *q)
{
	struct made *m;

	while ((m = q->made) != NULL) {
		q->made = m->next;
		store_close_pile(m->view, m->under);
		free(m);
	}
}

bool
made_take(struct query *q, struct store **view)
{
	if (q->made == NULL || q->nstages != 1 + views_behind(q, 0, SHAPE_TREES))
		return false;
	*view = q->made->view;
	q->made->view = NULL;
	return *view != NULL;
}

static bool
has_files(const struct query *q, const struct session *session)
{
	return session->nstores > 0 || q->stage[0].command->no_file ||
	    (q->stage[0].command->args_no_file && q->stage[0].n > 0);
}

/* ---- what is read ------------------------------------------------------------ */

void
query_reads_shown(struct query *q)
{
	q->shown = true;
}

static uint64_t
columns_read(const struct query *q, const struct rows *rows)
{
	bool table = rows->format == 0 || format_shows((enum format)(rows->format - 1));

	return q->shown && table ? columns_shown(rows) : COLUMNS_ALL;
}

static void
add_need(struct needed *to, size_t stage, const column_id *needs)
{
	for (; *needs != COL_NONE; needs++)
		to->stage[stage].cols[*needs / 64] |= UINT64_C(1) << *needs % 64;
}

/* Add the needs of late rows that the condition may keep. */
static void
tell_late(struct needed *to, const struct rows *r)
{
	const struct late_row *late = r->command->late;
	struct sifted *s = r->sifted;
	uint8_t known[BATCH] = { KNOWN_NOT };
	size_t n = 0;

	while (late[n].name != NULL)
		n++;
	assert(n <= BATCH);
	if (s != NULL && s->tell != NULL)
		s->tell(s, n, known);
	for (size_t i = 0; i < n; i++)
		if (known[i] != KNOWN_FALSE)
			add_need(to, r->step, late[i].needs);
}

/* Record the store columns needed by the read columns of the rows of a stage. */
static void
tell_needs(struct touching *touching, const struct rows *r)
{
	struct needed *to = (struct needed *)touching;
	bool made;

	to->stage[r->step].command = r->command;
	for (size_t i = 0; i < r->ncols; i++) {
		/* A column made on demand is looked up at each opening, even if it is not read. */
		made = r->ops->find != NULL && r->in != NULL && i >= r->in->ncols;
		if (r->cols[i].needs == NULL || (!made && (r->untouched & COLUMN_BIT(i)) != 0))
			continue;
		add_need(to, r->step, r->cols[i].needs);
	}
	if ((r->command->late_over & to->shapes) != 0)
		tell_late(to, r);
}

static struct needed *
new_needed(unsigned shapes, enum clock clock)
{
	struct needed *needed = mem_array(1, sizeof *needed);

	if (needed != NULL) {
		needed->touching.tell = tell_needs;
		needed->shapes = shapes;
		needed->clock = clock;
	}
	return needed;
}

/* Open the query over the store of no file to find which columns its stages read. */
static struct needed *
find_needed(struct query *q, const struct session *session, unsigned shapes)
{
	struct needed *needed = new_needed(shapes, session->clock);
	struct session nothing = *session;
	struct rows *rows;
	struct err err;

	if (needed == NULL)
		return NULL;
	nothing.nstores = 0;
	nothing.view = store_blank();
	nothing.plain = NULL;
	if (open_until(q, q->nstages, &nothing, shapes, &needed->touching, &rows, &err)) {
		rows_touch(rows, columns_read(q, rows), &needed->touching);
		rows_close(rows);
	}
	return needed;
}

/* NULL: out of memory; the caller then assumes that all columns are read. */
static const struct needed *
needed_of(struct query *q, const struct session *session)
{
	unsigned shapes = session_shapes(session);
	struct needed *needed;

	pthread_mutex_lock(&q->lock);
	for (needed = q->needed; needed != NULL; needed = needed->next)
		if (needed->shapes == shapes && needed->clock == session->clock)
			break;
	if (needed == NULL && (needed = find_needed(q, session, shapes)) != NULL) {
		needed->next = q->needed;
		q->needed = needed;
	}
	pthread_mutex_unlock(&q->lock);
	return needed;
}

static void
needed_add(struct query *q, const struct needed *around, struct rows *rows, uint64_t columns)
{
	struct needed *needed;

	pthread_mutex_lock(&q->lock);
	for (needed = q->needed; needed != NULL; needed = needed->next)
		if (needed->shapes == around->shapes && needed->clock == around->clock)
			break;
	if (needed == NULL && (needed = new_needed(around->shapes, around->clock)) != NULL) {
		needed->next = q->needed;
		q->needed = needed;
	}
	rows_touch(rows, columns, needed == NULL ? NULL : &needed->touching);
	pthread_mutex_unlock(&q->lock);
}

void
nested_touch(const struct nested *nested, struct rows *rows, uint64_t columns, struct touching *touching)
{
	const struct nested_query *n = (const struct nested_query *)nested;

	if (touching == NULL)
		rows_touch(rows, columns, NULL);
	else
		needed_add(n->query, (const struct needed *)touching, rows, columns);
}

void
needed_free(struct query *q)
{
	struct needed *needed;

	while ((needed = q->needed) != NULL) {
		q->needed = needed->next;
		free(needed);
	}
}

/* ---- what is missing --------------------------------------------------------- */

/* Adds a column that is not there. */
static void
add_if_lacking(column_id need, struct session *session, struct missing *m)
{
	column_id col = heap_col(need, session->refs, session->sizes);

	if (m->n < MISSING_MOST && store_column(session_store(session), col) == NULL) {
		m->column[m->n++] = col;
		m->session = session;
	}
}

static void
add_lacking(const column_id *need, struct session *session, struct missing *m)
{
	for (; need != NULL && *need != COL_NONE; need++)
		add_if_lacking(*need, session, m);
}

static void
add_lacking_of(const uint64_t *cols, struct session *session, struct missing *m)
{
	for (column_id col = COL_NONE; col < COL_END; col++) {
		if (cols[col / 64] == 0)
			col |= 63;
		else if ((cols[col / 64] >> col % 64 & 1) != 0)
			add_if_lacking(col, session, m);
	}
}

/*
 * List the missing columns that the command of a stage or its read cells need; all cells if the read ones are
 * unknown.
 */
static bool
lacks_column(const struct query *q, const struct command *c, const struct needed *needed, size_t stage,
    struct session *session, struct missing *m)
{
	bool told = needed != NULL && needed->stage[stage].command == c;
	unsigned shapes = session_shapes(session);
	const struct late_row *late = told || (c->late_over & shapes) == 0 ? NULL : c->late;

	m->n = 0;
	add_lacking(c->needs, session, m);
	if (q->stage[stage].n > 0)
		add_lacking(c->arg_needs, session, m);
	for (size_t i = 0; !told && i < c->ncols; i++)
		if (command_has_column(c, i, shapes))
			add_lacking(c->cols[i].needs, session, m);
	for (; late != NULL && late->name != NULL; late++)
		add_lacking(late->needs, session, m);
	if (told)
		add_lacking_of(needed->stage[stage].cols, session, m);
	return m->n > 0;
}

/*
 * List what a source over all files lacks in the other files.  The cells of its rows need only the last file.
 */
static bool
lacks_in_others(const struct command *c, const struct session *session, struct missing *m)
{
	for (size_t i = 0; c->all_files && i < session->nstores; i++) {
		m->other = *session;
		m->other.view = NULL;
		m->other.at = i;
		if (i != session->at && command_fits(c, session_shapes(&m->other)))
			add_lacking(c->needs, &m->other, m);
		if (m->n > 0)
			return true;
	}
	return false;
}

static bool query_missing(struct query *, struct session *, struct missing *);

/* Find the first thing that the queries in parentheses of a stage lack. */
static bool
nested_missing(const struct stage *s, struct session *session, struct missing *m)
{
	const struct nested_query *n;

	for (size_t i = 0; i < s->n; i++) {
		if (s->token[i].kind != TOKEN_QUERY)
			continue;
		n = (const struct nested_query *)s->token[i].nested;
		if (query_missing(n->query, nested_session(session), m))
			return true;
	}
	return false;
}

/* Find what the first stages lack; false: nothing is missing. */
static bool
find_missing(struct query *q, const struct needed *needed, size_t end, struct session *top,
    struct session *session, struct missing *m)
{
	unsigned shapes = session_shapes(session);
	struct made *made;
	struct stage s;
	size_t n;

	for (size_t i = 0; i < end && session->nstores > 0; i += 1 + n) {
		n = views_behind(q, i, shapes);
		s = stage_for(q, i, shapes);
		if (!command_fits(s.command, shapes))
			return false;
		if (compares(q, i) || n > 0 || of_threads(q, i)) {
			made = find_made(q, i, session);
			if (made == NULL) {
				*m = (struct missing){ .session = session, .query = q, .top = top, .stage = i,
				    .nviews = n };
				return true;
			}
			session = &made->session;
			if (compares(q, i)) {
				if (find_missing(q, needed, i, top, &made->before, m) ||
				    find_missing(q, needed, i, top, session, m))
					return true;
				continue;
			}
			shapes = session_shapes(session);
			s = source_for(q, i, shapes);
		}
		if (lacks_column(q, s.command, needed, i, session, m) ||
		    lacks_in_others(s.command, session, m) || nested_missing(&s, session, m))
			return true;
	}
	return false;
}

/* Find what a query lacks; false: nothing is missing. */
static bool
query_missing(struct query *q, struct session *session, struct missing *m)
{
	return find_missing(q, needed_of(q, session), q->nstages, session, session, m);
}

bool
query_ready(struct query *q, struct session *session)
{
	struct missing m;

	return has_files(q, session) && (query_lacks(q, session) != 0 || !query_missing(q, session, &m));
}

/* ---- making views ---------------------------------------------------------- */

/* Read the ids of the threads in the rows in front of a stage. */
static bool
prepare_read_threads(struct rows *rows, uint32_t **ids, size_t *n, struct err *err)
{
	size_t col = (size_t)rows_column(rows, STR("id")), cap = 0;
	struct cell c;

	for (uint64_t row = 0; rows_reach(rows, row + 1) > row; row++) {
		if (row % SLICE == 0 && !rows_tick(rows, row))
			break;
		if (!mem_grow(ids, &cap, *n + 1, sizeof **ids))
			return fail(err, E_SYSTEM, "out of memory (list of threads)");
		rows_cell(rows, row, col, &c);
		if (c.type == CELL_ID && c.u <= UINT32_MAX)
			(*ids)[(*n)++] = (uint32_t)c.u;
	}
	return rows_whole(rows, err);
}

/* The caller frees *ids in any case. */
static bool
threads_before(struct query *q, size_t i, struct session *session, uint32_t **ids,
    size_t *n, struct work *work, struct err *err)
{
	struct rows *rows;
	bool ok;

	*ids = NULL;
	*n = 0;
	if (!of_threads(q, i))
		return true;
	if (!open_until(q, i, session, session_shapes(session), NULL, &rows, err))
		return false;
	rows_touch(rows, COLUMN_BIT((size_t)rows_column(rows, STR("id"))), NULL);
	rows_set_work(rows, work);
	ok = prepare_read_threads(rows, ids, n, err);
	rows_close(rows);
	/* An empty list must not be NULL, which means all threads. */
	if (ok && *ids == NULL && (*ids = mem_array(1, sizeof **ids)) == NULL)
		ok = fail(err, E_SYSTEM, "out of memory");
	return ok;
}

/* Return the session of the same file without the view of the query. */
static struct session
plain_session(const struct session *from, const struct session *seen)
{
	struct session plain = from->plain != NULL ? *from->plain : *from;

	if (plain.at != seen->at)
		plain.view = NULL;
	plain.at = seen->at;
	plain.plain = NULL;
	return plain;
}

static bool
make_view(const struct missing *at, struct work *work, struct err *err)
{
	struct query *q = at->query;
	struct made *m = mem_array(1, sizeof *m);
	struct plan *plan = NULL;
	uint32_t *ids = NULL;
	size_t n = 0;
	bool ok = m != NULL || fail(err, E_SYSTEM, "out of memory");

	if (ok && compares(q, at->stage))
		ok = diff_sessions(at->session, &q->stage[at->stage], m, err);
	else
		ok = ok && threads_before(q, at->stage, at->top, &ids, &n, work, err) &&
		    plan_open(&plan, at->session, &q->stage[at->stage], at->nviews, err) &&
		    plan_run(plan, ids, n, m, work, err);
	plan_close(plan);
	free(ids);
	if (!ok) {
		free(m);
		return false;
	}
	m->plain = plain_session(at->session, &m->session);
	m->session.plain = compares(q, at->stage) ? NULL : &m->plain;
	m->stage = at->stage;
	m->stamp = made_stamp(at->session);
	pthread_mutex_lock(&q->lock);
	m->next = q->made;
	q->made = m;
	pthread_mutex_unlock(&q->lock);
	return true;
}

/* List the columns of the session's store that a query lacks first, at most MISSING_MOST. */
static size_t
needed_later(struct query *q, struct session *session, column_id *col)
{
	struct missing m;
	struct err why;

	if (!query_fits(q, session, &why) || !query_missing(q, session, &m) ||
	    session_store(m.session) != session_store(session))
		return 0;
	for (size_t i = 0; i < m.n; i++)
		col[i] = m.column[i];
	return m.n;
}

bool
query_prepare_before(struct query *q, struct query *next, struct session *session, struct work *work,
    struct err *err)
{
	column_id later[MISSING_MOST];
	struct missing m;
	size_t n;

	if (!has_files(q, session))
		return fail(err, E_USAGE, "no file open");
	if (!query_fits(q, session, err))
		return query_lacks(q, session) != 0;
	while (query_missing(q, session, &m)) {
		n = next != NULL ? needed_later(next, session, later) : 0;
		if (!(m.n == 0 ? make_view(&m, work, err) :
		    passes_want(session_store(m.session), m.column, m.n, later,
		    session_store(m.session) == session_store(session) ? n : 0, work, err)))
			return false;
	}
	return true;
}

bool
query_prepare(struct query *q, struct session *session, struct work *work, struct err *err)
{
	return query_prepare_before(q, NULL, session, work, err);
}

bool
query_open(struct query *q, struct session *session, struct rows **out,
    struct err *err)
{
	unsigned lacks = query_lacks(q, session);

	if (!query_ready(q, session))
		return fail(err, E_USAGE,
		    "still indexing; try again when done");
	if (lacks != 0) {
		q->nothing = (struct session){ .view = store_blank(), .clock = session->clock };
		return query_rows(q, &q->nothing, lacks, out, err);
	}
	if (!query_rows(q, session, session_shapes(session), out, err))
		return false;
	rows_touch(*out, columns_read(q, *out), NULL);
	return true;
}
