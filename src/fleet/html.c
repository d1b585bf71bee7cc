/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * html: self-contained pages for screens of any width. Their security policy permits only the embedded style.
 */
#include "config.h"

#include <string.h>

#include "fleet.h"

static const char style[] =
    ":root{color-scheme:light dark}"
    "body{font:16px/1.45 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}"
    "h1{font-size:1.5rem;margin:.3rem 0}h2{font-size:1.15rem;margin:1.6rem 0 .6rem}h3{font-size:1rem;margin:0}"
    "h1,h3,p,code,a{overflow-wrap:anywhere}p{margin:.3rem 0}"
    ".cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.6rem}"
    ".cards div,section{border:1px solid #8886;border-radius:.4rem;padding:.6rem .9rem}"
    ".cards b{display:block;font-size:1.5rem}section{margin:.6rem 0;border-left-width:.35rem}"
    "table{border-collapse:collapse;width:100%}th,td{padding:.15rem .6rem .15rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
    "th{font-weight:normal;opacity:.75}th,.n{white-space:nowrap;overflow-wrap:normal}td:last-child{width:100%}"
    "pre{font-size:.85rem;margin:.6rem 0;white-space:pre-wrap;overflow-wrap:anywhere}"
    ".leak{border-left-color:#c33}.warning{border-left-color:#c80}.dim{opacity:.75}";

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
	unsigned char digest[SHA256_BYTES];

	sha256(str_of(style), digest);
	buf_str(b, STR("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"));
	buf_base64(b, (struct str){ (const char *)digest, sizeof digest });
	buf_str(b, STR("'; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"));
	html_text(b, title);
	buf_printf(b, "</title>\n<style>%s</style>\n</head>\n<body>\n<h1>", style);
	html_text(b, title);
	buf_str(b, STR("</h1>\n"));
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

	buf_str(b, STR("</body>\n</html>\n"));
	ok = !b->bad ? file_begin(&f, path, err) && file_write(&f, b->s, b->n, err) : fail(err, E_SYSTEM, "out of memory (page)");
	if (ok)
		return file_commit(&f, true, err);
	file_abandon(&f);
	return false;
}
