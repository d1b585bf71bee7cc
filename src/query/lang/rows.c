/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows: what all kinds of rows share, and the arguments of commands.
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "lang.h"

const char *const format_names[FORMATS] = {
	[FORMAT_TABLE] = "table", [FORMAT_TSV] = "tsv", [FORMAT_CSV] = "csv",
	[FORMAT_JSON] = "json", [FORMAT_MD] = "md", [FORMAT_FOLDED] = "folded",
	[FORMAT_TREE] = "tree",
	[FORMAT_DOT] = "dot", [FORMAT_SVG] = "svg", [FORMAT_HTML] = "html", [FORMAT_SARIF] = "sarif"
};
const char *const clock_names[CLOCKS] = { "wall", "cpu", "off" };

/* Close a view: its stores from the top down to one that the session owns. */
static void
close_view(const struct session *s, struct store *st)
{
	struct store *below;

	for (; st != NULL; st = below) {
		for (size_t i = 0; i < s->nstores; i++)
			if (st == s->store[i])
				return;
		below = store_below(st);
		store_close(st);
	}
}

void
session_choose_clock(struct session *s, const struct store *st)
{
	struct weights w;

	weights_of(st, &w);
	if (!s->clock_chosen || w.name[s->clock] == NULL)
		s->clock = weights_clock(&w);
	s->clock_chosen = true;
}

void
session_close(struct session *s)
{
	close_view(s, s->view);
	s->view = NULL;
	while (s->nstores > 0) {
		s->nstores--;
		close_view(s, s->store[s->nstores]);
	}
}

/* Run the passes that track_offset needs. */
static bool
want_activity(struct store *st, struct work *work, struct err *err)
{
	return pass_want(st, COL_THREAD_TID, work, err) &&
	    (!(load_shapes(st) & SHAPE_TRACKS) || pass_want(st, COL_TRACK_KIND, work, err));
}

bool
session_line_up(struct session *s, size_t i, unsigned *sure, struct work *work, struct err *err)
{
	struct store *first = s->store[0], *other = s->store[i];

	*sure = 0;
	if (((load_shapes(first) ^ load_shapes(other)) & SHAPE_TASKS) == 0 ||
	    ((load_shapes(first) | load_shapes(other)) & SHAPE_GRAPH) != 0)
		return true;
	if (!want_activity(first, work, err) || !want_activity(other, work, err))
		return false;
	if (!track_offset(first, other, &s->offset[i], sure))
		*sure = 0;
	return true;
}

void *
rows_new(size_t size, const struct rows_ops *ops, struct session *session,
    struct rows *in, struct err *err)
{
	struct rows *r = mem_array(1, size);

	if (r == NULL) {
		rows_close(in);
		fail(err, E_SYSTEM, "out of memory (answer)");
		return NULL;
	}
	r->ops = ops;
	r->session = session;
	r->in = in;
	r->most = ROWS_ALL;
	if (in != NULL) {
		r->cols = in->cols;
		r->ncols = in->ncols;
		r->work = in->work;
	}
	return r;
}

void *
rows_of_command(size_t size, const struct rows_ops *ops, struct session *session, const struct stage *stage,
    struct rows *in, struct err *err)
{
	struct rows *r = rows_new(size, ops, session, in, err);

	if (r == NULL)
		return NULL;
	r->cols = stage->command->cols;
	r->ncols = stage->command->ncols;
	return r;
}

bool
rows_opened(struct rows *r, bool ok, struct rows **out)
{
	if (ok)
		*out = r;
	else
		rows_close(r);
	return ok;
}

void
rows_close(struct rows *r)
{
	struct rows *in;

	for (; r != NULL; r = in) {
		in = r->in;
		if (r->ops->close != NULL)
			r->ops->close(r);
		free(r->note);
		free(r);
	}
}

const struct err *
rows_error(const struct rows *r)
{
	for (; r != NULL; r = r->in)
		if (r->err.kind != E_NONE)
			return &r->err;
	return NULL;
}

bool
rows_whole(const struct rows *r, struct err *err)
{
	const struct err *why = rows_error(r);

	if (why != NULL)
		*err = *why;
	return why == NULL;
}

void
rows_note_add(struct rows *r, const char *fmt, ...)
{
	struct buf fitted = BUF_INIT;
	char *text;
	va_list ap;
	int n;

	if (r->note != NULL)
		return;
	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	/* The note may contain names from the file. */
	text_fit_buf(&fitted, str_of(text));
	free(text);
	if (fitted.bad)
		buf_free(&fitted);
	r->note = fitted.s;
}

void
rows_note_order(struct rows *r, const struct coldef *def)
{
	if (def->mostly == MOSTLY_LATE_YEARS)
		rows_note_add(r, "'%s' is compared as text: its dates do not begin with the year", def->name);
}

const char *
rows_note(const struct rows *r, size_t i)
{
	for (; r != NULL; r = r->in)
		if (r->note != NULL && i-- == 0)
			return r->note;
	return NULL;
}

void
rows_touch(struct rows *r, uint64_t columns, struct touching *touching)
{
	for (; r != NULL; r = r->in) {
		/* In a tree callers are looked up by id, whatever columns are shown. */
		columns |= r->behind;
		r->untouched = ~(r->ops->caller == NULL ? columns : columns | COLUMN_BIT(CALL_ID));
		if (touching != NULL && r->command != NULL)
			touching->tell(touching, r);
		columns = r->ops->touch == NULL ? COLUMNS_ALL : r->ops->touch(r, ~r->untouched, touching);
	}
}

uint64_t
same_reach(struct rows *r, uint64_t n)
{
	return rows_reach(r->in, n);
}

void
same_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	rows_cell(r->in, row, col, c);
}

uint64_t
touch_same(struct rows *r, uint64_t mine, struct touching *touching)
{
	(void)touching;
	return mine | r->reads;
}

uint64_t
touch_own(struct rows *r, uint64_t mine, struct touching *touching)
{
	(void)mine;
	(void)touching;
	return r->reads;
}

uint64_t
columns_shown(const struct rows *r)
{
	uint64_t shown = 0;

	for (size_t i = 0; i < r->ncols; i++)
		if (!r->cols[i].more)
			shown |= COLUMN_BIT(i);
	return shown;
}

uint64_t
columns_of_refs(const struct column_ref *ref, size_t n)
{
	uint64_t set = 0;

	while (n-- > 0)
		set |= COLUMN_BIT(ref[n].col);
	return set;
}

void
rows_set_work(struct rows *r, struct work *work)
{
	for (; r != NULL; r = r->in)
		r->work = work;
}

bool
rows_tick(struct rows *r, uint64_t done)
{
	if (r->work == NULL || work_tick(r->work, done))
		return true;
	return fail_cancel(&r->err);
}

#define FORMER_MAX 128	/* bytes of a name in which an old name replaces a new one */

/* ---- columns ------------------------------------------------------------- */

static int
column_exact(const struct rows *r, struct str name)
{
	for (size_t i = 0; i < r->ncols; i++)
		if (str_eq(name, str_of(r->cols[i].name)))
			return (int)i;
	return -1;
}

/* Suffixes of column names by clock, where a file has two weights. */
static const char *const weight_names[CLOCKS] = { "", "_before", "_delta" };

/*
 * The column whose name has this one's former name at a place where a word of it begins and ends, as in
 * sum_NAME or NAME_delta.
 */
static int
column_renamed(const struct rows *r, struct str name, const struct coldef *def)
{
	size_t n = strlen(def->was);
	char now[FORMER_MAX];

	for (size_t i = 0; i + n <= name.n; i++) {
		if (memcmp(name.s + i, def->was, n) != 0 || (i > 0 && name.s[i - 1] != '_') ||
		    (i + n < name.n && name.s[i + n] != '_'))
			continue;
		snprintf(now, sizeof now, "%.*s%s%.*s", (int)i, name.s, def->name, (int)(name.n - i - n),
		    name.s + i + n);
		return column_exact(r, str_of(now));
	}
	return -1;
}

/* Find a column by its former name, in these rows or in those they were made from. */
static int
column_former(const struct rows *r, struct str name)
{
	int col = -1;

	if (name.n < FORMER_MAX / 2)
		for (const struct rows *of = r; col < 0 && of != NULL; of = of->in)
			for (size_t i = 0; col < 0 && i < of->ncols; i++)
				if (of->cols[i].was != NULL)
					col = column_renamed(r, name, &of->cols[i]);
	return col;
}

int
rows_column(const struct rows *r, struct str name)
{
	static const struct str after = STR("_after");
	char clocked[16];
	int col = column_exact(r, name), other;

	if (col < 0 && (col = column_former(r, name)) >= 0)
		return col;
	/* NAME_after is column NAME: of two weights the second one, whatever the clock. */
	if (col < 0 && name.n > after.n && str_eq((struct str){ name.s + name.n - after.n, after.n }, after))
		return column_exact(r, (struct str){ name.s, name.n - after.n });
	if (col < 0 && str_eq(name, STR("delta")))
		return column_exact(r, STR("total_delta"));
	if (!(str_eq(name, STR("self")) || str_eq(name, STR("total"))))
		return col;
	snprintf(clocked, sizeof clocked, "%.*s%s%s", (int)name.n, name.s, col >= 0 ? "" : "_",
	    col >= 0 ? weight_names[r->session->clock] : clock_names[r->session->clock]);
	other = column_exact(r, str_of(clocked));
	return other >= 0 ? other : col;
}

int
rows_ids(const struct rows *r, enum id_of of)
{
	for (size_t i = 0; i < r->ncols; i++)
		if (r->cols[i].of == of && r->cols[i].type == CELL_ID)
			return (int)i;
	return -1;
}

/* The limit passes through stages whose rows map 1:1 to their input. */
void
rows_limit(struct rows *r, uint64_t n)
{
	for (; r != NULL; r = r->each ? r->in : NULL)
		if (n < r->most)
			r->most = n;
}

struct rows *
rows_origin(struct rows *r)
{
	while (r->same)
		r = r->in;
	return r;
}

int
rows_find(struct rows *r, struct str name, bool quoted)
{
	struct rows *origin = rows_origin(r);
	/* Where columns are made by naming them a quoted name can be that of another one. */
	int col = quoted && origin->ops->find != NULL ? -1 : rows_column(r, name);

	if (col >= 0 || origin->ops->find == NULL)
		return col;
	col = origin->ops->find(origin, name, quoted);
	for (; r != origin; r = r->in) {
		r->cols = origin->cols;
		r->ncols = origin->ncols;
	}
	return col;
}
