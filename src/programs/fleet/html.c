/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * html: self-contained pages for screens of any width, with the head of all of icecore's pages.
 */
#include "config.h"

#include <string.h>

#include "fleet.h"

void
html_text(struct buf *b, struct str raw)
{
	static const char marks[] = "&<>\"'";
	static const char *const forms[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
	struct buf fit = BUF_INIT;
	struct str rest, part;
	int mark;

	text_fit_buf(&fit, raw);
	rest = buf_view(&fit);
	do {
		mark = str_split_any(&rest, marks, &part);
		buf_str(b, part);
		if (mark >= 0)
			buf_str(b, str_of(forms[mark]));
	} while (mark >= 0);
	b->bad |= fit.bad;
	buf_free(&fit);
}

void
html_begin(struct buf *b, struct str title)
{
	struct buf fitted = BUF_INIT;

	text_fit_buf(&fitted, title);
	html_page_begin(buf_view(&fitted), b);
	b->bad |= fitted.bad;
	buf_free(&fitted);
}

/* For example "3 leaks", in a card. */
void
html_card(struct buf *b, uint64_t n, const char *what)
{
	buf_printf(b, "<div><b>%llu</b>", (unsigned long long)n);
	html_text(b, str_of(what));
	buf_str(b, STR("</div>\n"));
}

/* Append a displayed cell after a text; nothing if the cell is empty. */
bool
html_cell(struct buf *b, const char *before, struct rows *r, uint64_t row, const char *column)
{
	struct buf text = BUF_INIT;
	struct cell c = { .type = CELL_NONE };
	int col = rows_column(r, str_of(column));

	if (col >= 0)
		rows_cell(r, row, (size_t)col, &c);
	cell_show(&c, &text);
	if (text.n > 0) {
		buf_str(b, str_of(before));
		html_text(b, buf_view(&text));
	}
	buf_free(&text);
	return c.type != CELL_NONE && (c.type != CELL_TEXT || c.text.n > 0);
}

bool
html_write(struct buf *b, const char *path, struct err *err)
{
	struct file f = FILE_INIT;
	bool ok;

	html_page_end(b);
	ok = !b->bad ? file_begin(&f, path, err) && file_write(&f, b->s, b->n, err) : fail(err, E_SYSTEM, "out of memory (page)");
	if (ok)
		return file_commit(&f, true, err);
	file_abandon(&f);
	return false;
}
