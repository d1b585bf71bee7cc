/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * print: rows as text.
 */
#include "config.h"

#include <errno.h>
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"
#include "query/draw/draw.h"

struct printer
printer_to(FILE *file, unsigned width)
{
	return (struct printer){ .file = file, .width = width,
		.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0 };
}

void
printer_free(struct printer *p)
{
	buf_free(&p->line);
	buf_free(&p->cell);
	table_free(p);
}

bool
print_line(struct printer *p, struct err *err)
{
	size_t n = p->line.n, written;

	if (n > 1 && p->indent > 0)
		fprintf(p->file, "%*s", (int)p->indent, "");
	/* Drop the line if its rows failed while their cells were read. */
	if (p->rows != NULL && rows_error(p->rows) != NULL)
		return false;
	if (p->line.bad || p->cell.bad)
		return fail(err, E_SYSTEM, "out of memory (output)");
	errno = 0;
	written = n == 0 ? 0 : fwrite(p->line.s, 1, n, p->file);
	buf_clear(&p->line);
	if (written == n)
		return true;
	p->closed = errno == EPIPE;
	return p->closed ? false : fail_errno(err, "cannot write output");
}

bool
print_end(struct printer *p, struct err *err)
{
	buf_chr(&p->line, '\n');
	return print_line(p, err);
}

struct str
print_mark(const struct printer *p)
{
	return p->ascii ? STR("...") : STR("\xe2\x80\xa6");
}

/* Cut texts after their first third: they differ at the end. */
size_t
print_shortened(struct printer *p, struct str s, size_t width)
{
	struct str dots = print_mark(p);
	size_t ndots = p->ascii ? 3 : 1, used = text_width(s), left;
	struct str end;

	if (p->html) {
		xml_add(&p->line, s);
		return used;
	}
	if (used <= width || width <= ndots) {
		buf_str(&p->line, s);
		return used;
	}
	left = text_cut(s, (width - ndots) / 3, &used);
	end = text_end(s, width - ndots - used);
	buf_add(&p->line, s.s, left);
	buf_str(&p->line, dots);
	buf_str(&p->line, end);
	return used + ndots + text_width(end);
}

/* No character gets longer, so this can be done in place. */
void
print_ascii(const struct printer *p, struct buf *b)
{
	if (p->ascii && b->n > 0)
		b->n = text_fit_ascii(b->s, b->n + 1, buf_view(b));
}

void
print_fitted(struct printer *p, struct str fitted, size_t width)
{
	buf_clear(&p->cell);
	buf_str(&p->cell, fitted);
	print_ascii(p, &p->cell);
	print_shortened(p, buf_view(&p->cell), width);
}

void
print_raw(struct printer *p, struct str raw, size_t width)
{
	struct buf fitted = BUF_INIT;

	text_fit_buf(&fitted, raw);
	print_fitted(p, buf_view(&fitted), width);
	p->line.bad |= fitted.bad;
	buf_free(&fitted);
}

/* ---- tsv ------------------------------------------------------------------------- */

static void
tsv_text(struct printer *p, struct str s)
{
	text_backslash(&p->line, s, "\t\n\r\\", "tnr\\", text_fit_data);
}

/* ---- csv ------------------------------------------------------------------------- */

/* Match a number after its sign: digits with points and commas, or anything that num_f64 reads. */
static bool
print_is_number(struct str s)
{
	size_t i = 0;
	double v;

	if (s.n > 0 && (s.s[0] == '+' || s.s[0] == '-'))
		return false;
	while (i < s.n && (is_digit(s.s[i]) || s.s[i] == '.' || s.s[i] == ','))
		i++;
	return s.n > 0 && (i == s.n || num_f64(s, &v));
}

/*
 * Match a text that a spreadsheet would evaluate as a formula.  The last four characters are full-width.  A
 * formula after single quotes counts, too: csv_text adds one more, so that removing one restores any text.
 */
static bool
is_formula(struct str s)
{
	static const char *const leads[] = { "=", "+", "-", "@", "\t", "\r", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
		"\xef\xbc\xa0" };

	while (str_take(&s, STR("'")))
		;
	for (size_t i = 0; i < NELEM(leads); i++)
		if (str_has_prefix(s, str_of(leads[i])))
			return (s.s[0] != '+' && s.s[0] != '-') || !print_is_number(str_behind(s, 1));
	return false;
}

/* Quote texts that contain a comma or a quote.  text_fit_data replaces line ends, which would split rows. */
static void
csv_text(struct printer *p, struct str s)
{
	static const char bytes[] = "\",";
	bool formula = !p->rows->session->raw_csv && is_formula(s), quoted = false;
	struct str part;
	int byte = s.n > 0 ? 0 : -1;

	buf_clear(&p->cell);
	while (byte >= 0) {
		byte = str_split_any(&s, bytes, &part);
		text_fit_data(&p->cell, part);
		quoted |= byte >= 0;
		if (byte >= 0)
			buf_chr(&p->cell, bytes[byte]);
		if (byte == 0)
			buf_chr(&p->cell, '"');
	}
	if (quoted)
		buf_chr(&p->line, '"');
	if (formula)
		buf_chr(&p->line, '\'');
	buf_str(&p->line, buf_view(&p->cell));
	if (quoted)
		buf_chr(&p->line, '"');
}

/* ---- both ------------------------------------------------------------------------ */

static void
plain_next(struct printer *p, size_t i)
{
	if (i > 0)
		buf_chr(&p->line, p->csv ? ',' : '\t');
}

static const char *
line_end(bool csv)
{
	return csv ? "\r\n" : "\n";
}

static bool
print_plain_end(struct printer *p, struct err *err)
{
	buf_str(&p->line, str_of(line_end(p->csv)));
	return print_line(p, err);
}

static bool
plain_head(struct printer *p, struct err *err)
{
	for (size_t i = 0; i < p->rows->ncols; i++) {
		plain_next(p, i);
		if (p->csv)
			csv_text(p, str_of(p->rows->cols[i].name));
		else
			tsv_text(p, str_of(p->rows->cols[i].name));
	}
	return print_plain_end(p, err);
}

static bool
plain_row(struct printer *p, uint64_t row, struct err *err)
{
	struct cell c;

	for (size_t i = 0; i < p->rows->ncols; i++) {
		plain_next(p, i);
		rows_cell(p->rows, row, i, &c);
		if (c.type != CELL_TEXT)
			cell_plain(&c, &p->line);
		else if (p->csv)
			csv_text(p, c.text);
		else
			tsv_text(p, c.text);
	}
	return print_plain_end(p, err);
}

/* ---- json: an object for each row, one a line ------------------------------------ */

void
print_quoted(struct printer *p, struct str raw)
{
	text_json(&p->line, raw, text_fit_data);
}

/* Addresses and infinities are strings, as JSON has no such numbers.  NaN and empty cells are null. */
static void
print_value(struct printer *p, const struct cell *c)
{
	bool quotes = c->type == CELL_ADDR || (is_real(c->type) && isinf(c->f));

	if (c->type == CELL_TEXT) {
		print_quoted(p, c->text);
		return;
	}
	if (c->type == CELL_NONE || (is_real(c->type) && isnan(c->f))) {
		buf_str(&p->line, STR("null"));
		return;
	}
	if (quotes)
		buf_chr(&p->line, '"');
	cell_plain(c, &p->line);
	if (quotes)
		buf_chr(&p->line, '"');
}

void
print_members(struct printer *p, uint64_t row)
{
	struct cell c;

	for (size_t i = 0; i < p->rows->ncols; i++) {
		buf_chr(&p->line, i == 0 ? '{' : ',');
		print_quoted(p, str_of(p->rows->cols[i].name));
		buf_chr(&p->line, ':');
		rows_cell(p->rows, row, i, &c);
		print_value(p, &c);
	}
	buf_chr(&p->line, '}');
}

bool
print_object(struct printer *p, uint64_t row, struct err *err)
{
	print_members(p, row);
	buf_chr(&p->line, '\n');
	return print_line(p, err);
}

/* ---- all ------------------------------------------------------------------------- */

static const struct writer {
	bool	(*head)(struct printer *, struct err *);
	bool	(*row)(struct printer *, uint64_t, struct err *);
} writers[FORMATS] = {
	[FORMAT_TABLE] = { table_head, table_row },
	[FORMAT_TSV] = { plain_head, plain_row },
	[FORMAT_CSV] = { plain_head, plain_row },
	[FORMAT_JSON] = { NULL, print_object },
	[FORMAT_MD] = { md_head, md_row }
};

static bool
print_print_rows(struct printer *p, const struct writer *w, uint64_t *n, struct err *err)
{
	/* If the first row fails, print no header. */
	rows_reach(p->rows, 1);
	if (rows_error(p->rows) != NULL || (w->head != NULL && !w->head(p, err)))
		return false;
	for (; rows_reach(p->rows, *n + 1) > *n; ++*n)
		if (!rows_tick(p->rows, *n) || !w->row(p, *n, err))
			return false;
	return true;
}

static bool
print_picture(struct printer *p, enum format format, const struct draw_options *o, uint64_t *n, struct err *err)
{
	bool ok = format == FORMAT_SVG ? draw_svg(p->rows, o, &p->line, n, err) :
	    format == FORMAT_HTML ? draw_html(p->rows, o, &p->line, n, err) : draw_dot(p->rows, o, &p->line, n, err);

	return ok && (rows_error(p->rows) != NULL || print_line(p, err));
}

static bool
print_as(struct printer *p, enum format format, const struct draw_options *o, uint64_t *n, struct err *err)
{
	switch (format) {
	case FORMAT_FOLDED:
		return folded_print(p, n, err);
	case FORMAT_SARIF:
		return sarif_print(p, n, err);
	case FORMAT_TREE:
		return tree_print(p, n, err);
	case FORMAT_DOT:
	case FORMAT_SVG:
	case FORMAT_HTML:
		return print_picture(p, format, o, n, err);
	default:
		return print_print_rows(p, &writers[format], n, err);
	}
}

/* Return the format that the rows require, otherwise the requested one. */
static enum format
print_format_of(const struct rows *rows, enum format format)
{
	return rows->format != 0 ? (enum format)(rows->format - 1) : format;
}

void
rows_gap(const struct rows *rows, enum format format, FILE *file)
{
	fputs(line_end(print_format_of(rows, format) == FORMAT_CSV), file);
}

bool
rows_print(struct rows *rows, enum format format, unsigned width, FILE *file, uint64_t *n, struct err *err)
{
	return rows_draw(rows, format, &DRAW_OPTIONS, width, file, n, err);
}

bool
rows_draw(struct rows *rows, enum format format, const struct draw_options *o, unsigned width, FILE *file,
    uint64_t *n, struct err *err)
{
	struct printer p = printer_to(file, 0);
	bool ok;

	*n = 0;
	p.rows = rows;
	format = print_format_of(rows, format);
	p.csv = format == FORMAT_CSV;
	p.width = format == FORMAT_MD ? 0 : width;
	ok = print_as(&p, format, o, n, err);
	printer_free(&p);
	ok = rows_whole(rows, err) && ok;
	errno = 0;
	if (fflush(file) != 0 && ok && !p.closed) {
		p.closed = errno == EPIPE;
		ok = p.closed || fail_errno(err, "cannot write output");
	}
	return ok || p.closed;
}
