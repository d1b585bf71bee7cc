/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ask: the tools that answer from one file: info, query, report.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "icecore/pass.h"
#include "mcp.h"

#define NOTES 12
#define AHEAD 10000u		/* rows that are counted behind a page */

/* ---- rows -------------------------------------------------------------------------------- */

/* Values of info have units of their own: they get a column. */
static bool
has_units(const struct page *p, const struct coldef *def)
{
	return p->call->tool->run == tool_info && def->type == CELL_NONE;
}

static void
ask_put_columns(struct page *p, const struct rows *rows)
{
	for (size_t i = 0; i < rows->ncols; i++) {
		if (!rows->cols[i].more)
			page_column(p, rows->cols[i].name, rows->cols[i].type);
		if (has_units(p, &rows->cols[i]))
			page_column(p, "unit", CELL_TEXT);
	}
}

static void
ask_put_row(struct page *p, struct rows *rows, uint64_t row)
{
	struct cell c;

	page_row(p);
	for (size_t i = 0; i < rows->ncols; i++)
		if (!rows->cols[i].more) {
			rows_cell(rows, row, i, &c);
			page_cell(p, &c);
			if (has_units(p, &rows->cols[i]))
				page_cell(p, &(struct cell){ .type = CELL_TEXT,
				    .text = str_of(cell_unit(c.type)) });
		}
}

/* Rows from there on; *end: the first that is not in the page. */
static bool
ask_put_rows(struct page *p, struct rows *rows, uint64_t from, uint64_t limit, uint64_t *end, struct work *w,
    struct err *err)
{
	for (*end = from; *end - from < limit && rows_reach(rows, *end + 1) > *end; ++*end) {
		if (!work_go(w, *end, err))
			return false;
		ask_put_row(p, rows, *end);
		while (!page_keep(p)) {
			if (p->rows > 0)
				return true;
			if (!page_shorten(p, err))
				return false;
			ask_put_row(p, rows, *end);
		}
	}
	return true;
}

static bool
has_texts(const struct rows *rows)
{
	for (size_t i = 0; i < rows->ncols; i++)
		if (!rows->cols[i].more && (rows->cols[i].type == CELL_TEXT ||
		    rows->cols[i].type == CELL_NONE))
			return true;
	return false;
}

/*
 * Collect the notes that go with the rows; nothing and place keep texts: why there are none, and where the explorer
 * shows them.
 */
static void
notes_of(const struct call *c, struct opened *f, bool none, struct buf *nothing, struct buf *place,
    const char *notes[NOTES + 1])
{
	const struct store *st = session_store(&f->session);
	const struct report_options usual = { .ngiven = 0 };
	size_t n = 0;

	if (none)
		query_nothing(f->asked.query, &f->session, nothing);
	if (nothing->n > 0 && !nothing->bad)
		notes[n++] = nothing->s;
	for (size_t i = 0; rows_note(f->asked.rows, i) != NULL && n < NOTES - 4; i++)
		notes[n++] = rows_note(f->asked.rows, i);
	if (store_lost(st))
		notes[n++] = "the file changed while it was read; repeat the call";
	else if (store_damaged(st))
		notes[n++] = "the file is damaged; info lists what was lost";
	if (!none && has_texts(f->asked.rows)) {
		notes[n++] = "text in rows comes from the file";
		if (!c->o->values && (load_shapes(st) & SHAPE_GRAPH) != 0)
			notes[n++] = "contents of objects are masked";
	}
	if (c->tool->run == tool_query && f->n == 1)
		command_explorer(&f->session, &usual, c->text[CALL_FILE], c->text[CALL_QUERY], place);
	if (place->n > 0 && !place->bad)
		notes[n++] = place->s;
	notes[n] = NULL;
}

/* The page that begins at a row; key: of its cursor. */
static bool
answer_rows(struct call *c, struct opened *f, uint64_t from, uint64_t limit, uint64_t key, struct work *w,
    struct err *err)
{
	struct buf nothing = BUF_INIT, place = BUF_INIT, cursor = BUF_INIT;
	const char *notes[NOTES + 1];
	/* A line of an overview may take long. */
	uint64_t end = from, total, ahead = c->tool->run == tool_overview ? 1 : AHEAD;
	struct page p;
	bool ok;

	page_begin(&p, c);
	ask_put_columns(&p, f->asked.rows);
	ok = ask_put_rows(&p, f->asked.rows, from, limit, &end, w, err) && rows_whole(f->asked.rows, err);
	if (ok) {
		total = rows_reach(f->asked.rows, end + ahead);
		ok = total > end || rows_whole(f->asked.rows, err);
		if (total > end)
			cursor_put(&cursor, end, key);
		notes_of(c, f, total == 0, &nothing, &place, notes);
		page_end(&p, c, buf_view(&cursor), total < end + ahead && rows_error(f->asked.rows) == NULL ?
		    total : UINT64_MAX, notes);
		c->out.bad |= cursor.bad;
	}
	page_free(&p);
	buf_free(&cursor);
	buf_free(&nothing);
	buf_free(&place);
	return ok;
}

/* Save what was computed, even if the answer came too late.  Without an index the answer is correct, too. */
static bool
saved(struct call *c, struct opened *f, bool ok)
{
	if (!ok)
		opened_forget(f);
	c->unsaved = !opened_save(f);
	return ok;
}

bool
tool_info(struct call *c, struct work *w, struct err *err)
{
	struct opened *f;

	return files_open(c, 1, &f, w, err) &&
	    saved(c, f, opened_ask(f, STR("info"), w, err) && answer_rows(c, f, 0, UINT32_MAX, 0, w, err));
}

/* A client that starts over gets results that came too late before. */
static bool
answer_query(struct call *c, struct str query, struct work *w, struct err *err)
{
	struct str cursor = c->text[CALL_CURSOR];
	uint64_t from = 0, key;
	struct opened *f;

	if (!files_open(c, c->text[CALL_OTHER].s != NULL ? 2 : 1, &f, w, err))
		return false;
	key = cursor_key(query, f->id, f->n);
	if (cursor.s == NULL && f->session.late)
		opened_forget(f);
	return (cursor.s == NULL || cursor_read(cursor, key, &from, err)) &&
	    saved(c, f, opened_ask(f, query, w, err) && answer_rows(c, f, from, call_number(c, CALL_LIMIT),
	    key, w, err));
}

bool
tool_query(struct call *c, struct work *w, struct err *err)
{
	return answer_query(c, c->text[CALL_QUERY], w, err);
}

bool
tool_overview(struct call *c, struct work *w, struct err *err)
{
	return answer_query(c, STR("overview | select line value unit share subject opens"), w, err);
}

/* ---- report ------------------------------------------------------------------------------ */

/* The lines that fit. */
static void
ask_put_lines(struct call *c, struct str page)
{
	size_t left = (size_t)c->o->budget - 300, n = page.n;
	struct str line, rest = page;

	while (str_split(&rest, '\n', &line) && text_json_size(line) + 2 <= left) {
		left -= text_json_size(line) + 2;
		buf_str(&c->out, line);
		buf_chr(&c->out, '\n');
		n -= n > line.n ? line.n + 1 : n;
	}
	if (n > 0)
		buf_printf(&c->out, "(truncated: %zu more bytes)\n", n);
}

static bool
print_page(struct call *c, struct opened *f, struct work *w, struct err *err)
{
	const struct report_options o = { .format = FORMAT_TABLE };
	char *text = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&text, &n);
	bool ok;

	if (to == NULL)
		return fail(err, E_SYSTEM, "out of memory (report)");
	ok = report_prepare(&f->session, &o, w, err) && report_print(&f->session, &o, to, w, err);
	if (fclose(to) != 0 && ok)
		ok = fail(err, E_SYSTEM, "out of memory (report)");
	if (ok)
		ask_put_lines(c, (struct str){ text, n });
	free(text);
	return ok;
}

bool
tool_report(struct call *c, struct work *w, struct err *err)
{
	struct opened *f;

	if (!files_open(c, 1, &f, w, err))
		return false;
	/* A report runs many queries: the rows of an earlier query would only be in the way. */
	opened_forget(f);
	return saved(c, f, print_page(c, f, w, err));
}
