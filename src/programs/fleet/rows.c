/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows: the rows of a query and their cells by the names of columns.
 */
#include "config.h"

#include "fleet.h"

bool
rows_each(struct session *session, const char *query, struct work *w,
    bool (*each)(void *to, struct rows *, uint64_t row, struct err *), void *to, struct err *err)
{
	struct reply a;
	bool ok = query_ask(&a, str_of(query), 0, session, w, err);

	for (uint64_t i = 0; ok && rows_reach(a.rows, i + 1) > i; i++)
		ok = each(to, a.rows, i, err);
	ok = ok && rows_whole(a.rows, err);
	reply_close(&a);
	return ok;
}

bool
rows_text(struct rows *r, uint64_t row, const char *column, struct buf *b)
{
	struct cell c;

	buf_clear(b);
	if (cell_named(r, row, column, &c) && c.type == CELL_TEXT)
		buf_str(b, c.text);
	return b->n > 0 && !b->bad;
}

bool
cell_named(struct rows *r, uint64_t row, const char *column, struct cell *c)
{
	int col = rows_column(r, str_of(column));

	c->type = CELL_NONE;
	if (col >= 0)
		rows_cell(r, row, (size_t)col, c);
	return c->type != CELL_NONE;
}

void
row_put(struct triage_row *row, const char *field, const struct cell *c)
{
	struct buf b = BUF_INIT;

	if (c->type == CELL_PERCENT || c->type == CELL_REAL)
		triage_put_real(row, field, (double)(int64_t)(c->f * 1000 + 0.5) / 1000);
	else if (c->type != CELL_TEXT)
		triage_put_count(row, field, c->u > INT64_MAX ? INT64_MAX : (int64_t)c->u);
	else {
		text_fit_buf(&b, c->text);
		triage_put_text(row, field, buf_view(&b));
		row->bad |= b.bad;
		buf_free(&b);
	}
}
