/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page: what pages consist of, written as text, as Markdown or as HTML.
 */
#include "config.h"

#include "query/draw/draw.h"
#include "report.h"

#define LABELS 13u		/* columns of the labels */

/* Append raw text as the page shows texts. */
static void
put_text(struct printer *p, struct str raw)
{
	if (p->page == PAGE_MD)
		md_text(p, raw);
	else
		print_raw(p, raw, p->page == PAGE_HTML ? SIZE_MAX : p->width);
}

/* Print a line: text between marks of Markdown or HTML. */
static void
put_between(struct printer *p, const char *before, struct str raw, const char *after)
{
	buf_str(&p->line, str_of(before));
	put_text(p, raw);
	buf_str(&p->line, str_of(after));
	print_end(p);
}

void
page_title(struct printer *p, const char *title, char under)
{
	size_t width = text_width(str_of(title));
	bool top = under == '=';

	if (p->page != PAGE_PLAIN) {
		put_between(p, p->page == PAGE_HTML ? "<h2>" : top ? "# " : "\n## ", str_of(title),
		    p->page == PAGE_HTML ? "</h2>" : "\n");
		return;
	}
	put_between(p, top ? "" : "\n", str_of(title), "");
	for (width = width < p->width || p->width == 0 ? width : p->width; width > 0; width--)
		buf_chr(&p->line, under);
	print_end(p);
}

/* Print words as lines, all except the first indented. */
static void
page_words(struct printer *p, struct str raw, unsigned indent)
{
	struct buf fitted = BUF_INIT;
	size_t in = 0, n, width = p->width == 0 ? SIZE_MAX : p->width;

	text_fit_buf(&fitted, raw);
	for (struct str rest = buf_view(&fitted); rest.n > 0; in = indent) {
		n = text_words(rest, width - in, p->ascii);
		buf_printf(&p->line, "%*s", (int)in, "");
		print_fitted(p, (struct str){ rest.s, n }, width - in);
		print_end(p);
		n += n < rest.n;
		rest.s += n;
		rest.n -= n;
	}
	p->line.bad |= fitted.bad;
	buf_free(&fitted);
}

void
page_pair(struct printer *p, const char *label, struct str raw, bool first)
{
	struct buf line = BUF_INIT;

	if (p->page != PAGE_PLAIN) {
		buf_printf(&p->line, p->page == PAGE_HTML ? "<p class=\"pair\"><b>%s</b><span>" : "| %s | ",
		    label);
		put_between(p, "", raw, p->page == PAGE_HTML ? "</span></p>" : first ?
		    " |\n| --- | --- |" : " |");
		return;
	}
	buf_printf(&line, "%-*s", (int)LABELS, label);
	buf_str(&line, raw);
	p->line.bad |= line.bad;
	page_words(p, buf_view(&line), LABELS);
	buf_free(&line);
}

void
page_paragraph(struct printer *p, struct str raw, unsigned indent)
{
	if (p->page == PAGE_PLAIN)
		page_words(p, raw, indent);
	else
		put_between(p, p->page == PAGE_HTML ? "<p>" : "", raw, p->page == PAGE_HTML ? "</p>" : "");
}

void
page_rest(struct printer *p, uint64_t rest, const char *what)
{
	char n[NUM_TEXT];

	num_show_count(n, sizeof n, rest);
	buf_printf(&p->line, p->page == PAGE_HTML ? "<p class=\"rest\">+%s %s</p>" :
	    p->page == PAGE_MD ? "\n\\+%s %s" : "+%s %s", n, what);
	print_end(p);
}

void
page_more(struct printer *p, struct str command)
{
	struct buf text = BUF_INIT;

	if (p->page == PAGE_HTML)
		put_between(p, "<details class=\"rest\"><summary>Full list</summary><code>", command,
		    "</code></details>");
	else if (p->page == PAGE_MD) {
		buf_str(&p->line, STR("\nFull list: "));
		md_code(p, command);
		print_end(p);
	} else {
		buf_chr(&p->line, '\n');
		buf_str(&text, STR("(full list: "));
		buf_str(&text, command);
		buf_chr(&text, ')');
		p->line.bad |= text.bad;
		page_words(p, buf_view(&text), 4);
		buf_free(&text);
	}
}

void
page_advice(struct printer *p, const char *command, unsigned width, const char *what)
{
	if (p->page == PAGE_HTML) {
		buf_str(&p->line, STR("<p><code>"));
		put_text(p, str_of(command));
		buf_printf(&p->line, "</code>: %s</p>", what);
	} else if (p->page == PAGE_MD)
		buf_printf(&p->line, "- `%s`: %s", command, what);
	else
		buf_printf(&p->line, "%-*s  %s", (int)width, command, what);
	print_end(p);
}

void
page_verbatim(struct printer *p, bool begin)
{
	/* An indented block is code in Markdown. */
	p->indent = begin && p->page == PAGE_MD ? 4 : 0;
	if (p->page == PAGE_HTML)
		buf_str(&p->line, begin ? STR("<pre>") : STR("</pre>"));
	if (!begin && p->page == PAGE_HTML)
		print_end(p);
}

void
page_table(struct printer *p, struct rows *rows)
{
	uint64_t n = 0;

	if (p->page != PAGE_HTML) {
		print_unless(p, rows_print(rows, p->page == PAGE_MD ? FORMAT_MD : FORMAT_TABLE, p->width,
		    p->file, &n, p->err));
		return;
	}
	buf_str(&p->line, STR("<div class=\"wide\">\n"));
	html_add_rows(rows, &p->line, &n);
	buf_str(&p->line, STR("</div>\n"));
	print_unless(p, rows_whole(rows, p->err));
	print_line(p);
}
