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
	struct buf fit = BUF_INIT;

	text_fit_buf(&fit, raw);
	text_html(b, buf_view(&fit));
	b->bad |= fit.bad;
	buf_free(&fit);
}

void
html_begin(struct buf *b, struct str title)
{
	struct buf fitted = BUF_INIT;

	text_fit_buf(&fitted, title);
	html_page_begin(&(struct html_page){ .title = buf_view(&fitted) }, b);
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

bool
html_write(struct buf *b, const char *path, struct err *err)
{
	struct file f = FILE_INIT;
	bool ok;

	html_page_end(b);
	ok = !b->bad ? file_begin(&f, path, err) && file_write(&f, b->s, b->n, err) :
	    fail(err, E_SYSTEM, "out of memory (page)");
	if (ok)
		return file_commit(&f, true, err);
	file_abandon(&f);
	return false;
}
