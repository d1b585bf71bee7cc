/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page: a picture, or rows as a table, as one self-contained page of HTML.
 *
 * Its policy allows only its own script and style, known by their hashes, and no requests.  Without the
 * script everything is still readable.
 */
#include "config.h"

#include <string.h>

#include "draw.h"

#define ROWS_MOST 5000u		/* maximum number of rows in a table */
#define TEXT_MOST 400u		/* columns of a text in it */

/* 'sha256-...' of the text of an element. */
static void
add_hash(struct buf *b, struct str text)
{
	unsigned char digest[SHA256_BYTES];

	sha256(text, digest);
	buf_str(b, STR("'sha256-"));
	buf_base64(b, (struct str){ (const char *)digest, sizeof digest });
	buf_chr(b, '\'');
}

static void
add_lines(struct str lines, struct buf *b)
{
	struct str line;

	while (str_split(&lines, '\n', &line)) {
		buf_str(b, STR("<p>"));
		text_html(b, line);
		buf_str(b, STR("</p>\n"));
	}
}

void
html_page_begin(const struct html_page *page, struct buf *b)
{
	struct buf style = BUF_INIT;

	buf_printf(&style, "\n%s%s", draw_picture_css, draw_page_css);
	buf_str(b, STR("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "));
	add_hash(b, buf_view(&style));
	buf_str(b, STR("; script-src "));
	add_hash(b, str_of(draw_page_js));
	buf_str(b, page->images ? STR("; img-src data:") : STR(""));
	buf_str(b, STR("; base-uri 'none'; form-action 'none'\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"));
	text_html(b, page->title);
	buf_str(b, STR("</title>\n<style>"));
	buf_str(b, buf_view(&style));
	buf_str(b, STR("</style>\n</head>\n<body>\n<h1>"));
	text_html(b, page->heading.n > 0 ? page->heading : page->title);
	buf_str(b, STR("</h1>\n"));
	b->bad |= style.bad;
	buf_free(&style);
}

void
html_page_end(struct buf *b)
{
	buf_str(b, STR("<script>"));
	buf_str(b, str_of(draw_page_js));
	buf_str(b, STR("</script>\n</body>\n</html>\n"));
}

/* p: NULL: of a table. */
static void
add_head(struct rows *rows, const struct drawing *p, const struct draw_options *o, struct buf *b)
{
	struct buf title = BUF_INIT, lead = BUF_INIT;

	lead_add(rows, p, &lead);
	title_add(rows, o, &title);
	html_page_begin(&(struct html_page){ .title = buf_view(&title) }, b);
	buf_str(b, STR("<header>\n"));
	add_lines(buf_view(&lead), b);
	buf_str(b, STR("</header>\n"));
	b->bad |= title.bad || lead.bad;
	buf_free(&lead);
	buf_free(&title);
}

static void
add_foot(struct rows *rows, const struct drawing *p, struct buf *b)
{
	struct buf notes = BUF_INIT;

	notes_add(rows, p, &notes);
	buf_str(b, STR("<footer>\n"));
	if (p != NULL && p->stacks.differs)
		legend_add(0, b);
	add_lines(buf_view(&notes), b);
	buf_str(b, STR("</footer>\n"));
	html_page_end(b);
	b->bad |= notes.bad;
	buf_free(&notes);
}

/* ---- a picture ------------------------------------------------------------------------ */

static bool
draw_picture(struct rows *rows, const struct draw_options *o, struct buf *b, uint64_t *n, struct err *err)
{
	struct drawing p = { .n = 0 };
	bool ok = picture_open(&p, rows, o, err);

	if (ok && rows_error(rows) == NULL) {
		add_head(rows, &p, o, b);
		if (picture_calls(&p))
			kinds_add(&p, b);
		buf_str(b, STR("<main>\n"));
		svg_add(rows, &p, o, false, b);
		buf_str(b, STR("</main>\n<details>\n<summary>Table</summary>\n"));
		ok = tops_add(&p, b, err);
		buf_str(b, STR("</details>\n"));
		add_foot(rows, &p, b);
		*n = p.n;
	}
	picture_close(&p);
	return ok;
}

bool
html_add_figure(struct rows *rows, const struct draw_options *o, struct buf *b, struct err *err)
{
	struct drawing p = { .n = 0 };
	bool ok = picture_open(&p, rows, o, err);

	if (ok && rows_error(rows) == NULL && p.n > 0) {
		buf_str(b, STR("<section>\n<figure>\n"));
		if (p.stacks.differs)
			legend_add(0, b);
		else if (picture_calls(&p))
			kinds_add(&p, b);
		svg_add(rows, &p, o, false, b);
		buf_str(b, STR("</figure>\n</section>\n"));
	}
	picture_close(&p);
	return ok;
}

/* ---- a table -------------------------------------------------------------------------- */

/* Columns of a table are named by its file. */
static bool
page_is_named(struct rows *rows)
{
	return (session_shapes(rows_origin(rows)->session) & SHAPE_TABLE) == 0;
}

static bool
page_is_change(struct rows *rows, const struct coldef *def)
{
	return def->type != CELL_TEXT && page_is_named(rows) && str_has_suffix(str_of(def->name), STR("_delta"));
}

/* Append the name of a column in words: "max wait", "self change"; a meaning as its title. */
static void
page_add_head(struct rows *rows, const struct coldef *def, struct buf *b)
{
	struct str rest = str_of(def->head != NULL ? def->head : def->name), word;
	bool first = true;

	buf_str(b, STR("<th scope=\"col\""));
	buf_str(b, def->type == CELL_TEXT ? STR(" class=\"text\"") : STR(""));
	if (def->what != NULL && def->what[0] != '\0') {
		buf_str(b, STR(" title=\""));
		text_html(b, str_of(def->what));
		buf_chr(b, '"');
	}
	buf_chr(b, '>');
	while (str_split(&rest, page_is_named(rows) ? '_' : '\0', &word)) {
		buf_str(b, first ? STR("") : STR(" "));
		text_html(b, page_is_change(rows, def) && str_eq(word, STR("delta")) ? STR("change") : word);
		first = false;
	}
	buf_str(b, STR("</th>"));
}

static void
page_add_cell(struct rows *rows, uint64_t row, size_t col, struct buf text[2], struct buf *b)
{
	const struct coldef *def = &rows->cols[col];
	struct cell c;
	double by;

	rows_cell(rows, row, col, &c);
	buf_clear(&text[0]);
	buf_clear(&text[1]);
	by = page_is_change(rows, def) ? cell_real(&c) : 0;
	buf_str(&text[0], by > 0 ? STR("+") : STR(""));
	if (c.type == CELL_BOOL)
		buf_str(&text[0], c.u != 0 ? STR("yes") : STR("no"));
	else
		cell_show_in(def, &c, &text[0]);
	for (size_t i = 0; i < text[0].n && strcmp(def->name, "field") == 0; i++)
		if (text[0].s[i] == '_')
			text[0].s[i] = ' ';
	words_cut(&text[1], buf_view(&text[0]), TEXT_MOST);
	buf_str(b, def->type == CELL_TEXT ? STR("<td class=\"text\">") : by > 0 ? STR("<td class=\"more\">") :
	    by < 0 ? STR("<td class=\"less\">") : STR("<td>"));
	text_html(b, buf_view(&text[1]));
	buf_str(b, STR("</td>"));
}

static void
add_columns(struct rows *rows, struct buf *b)
{
	buf_str(b, STR("<table class=\"rows\">\n<thead><tr>"));
	for (size_t i = 0; i < rows->ncols; i++)
		if (!rows->cols[i].more)
			page_add_head(rows, &rows->cols[i], b);
	buf_str(b, STR("</tr></thead>\n<tbody>\n"));
}

void
html_add_rows(struct rows *rows, struct buf *b, uint64_t *n)
{
	struct buf text[2] = { BUF_INIT, BUF_INIT };

	add_columns(rows, b);
	for (; *n < ROWS_MOST && rows_reach(rows, *n + 1) > *n; ++*n) {
		buf_str(b, STR("<tr>"));
		for (size_t i = 0; i < rows->ncols; i++)
			if (!rows->cols[i].more)
				page_add_cell(rows, *n, i, text, b);
		buf_str(b, STR("</tr>\n"));
	}
	buf_str(b, STR("</tbody>\n</table>\n"));
	if (*n == ROWS_MOST && rows_reach(rows, *n + 1) > *n)
		buf_printf(b, "<p>Only the first %u rows are shown.</p>\n", ROWS_MOST);
	b->bad |= text[0].bad || text[1].bad;
	buf_free(&text[0]);
	buf_free(&text[1]);
}

bool
draw_html(struct rows *rows, const struct draw_options *o, struct buf *b, uint64_t *n, struct err *err)
{
	bool ok = true;

	if (objects_fit(rows) || stacks_fit(rows) || chart_fits(rows))
		ok = draw_picture(rows, o, b, n, err);
	else {
		add_head(rows, NULL, o, b);
		buf_str(b, STR("<main>\n"));
		html_add_rows(rows, b, n);
		buf_str(b, STR("</main>\n"));
		add_foot(rows, NULL, b);
	}
	return ok && (!b->bad || fail(err, E_SYSTEM, "out of memory (page)"));
}
