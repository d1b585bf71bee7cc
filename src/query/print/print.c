/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * print: rows in each format; tsv and csv themselves.
 */
#include "config.h"

#include <errno.h>

#include "print.h"
#include "query/draw/draw.h"

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
	static const char *const leads[] = { "=", "+", "-", "@", "\t", "\r", "\xef\xbc\x9d", "\xef\xbc\x8b",
	    "\xef\xbc\x8d",
		"\xef\xbc\xa0" };

	while (str_take(&s, STR("'")))
		;
	for (size_t i = 0; i < NELEM(leads); i++)
		if (str_has_prefix(s, str_of(leads[i])))
			return (s.s[0] != '+' && s.s[0] != '-') || !print_is_number(str_after(s, 1));
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

static void
plain_end(struct printer *p)
{
	buf_str(&p->line, str_of(line_end(p->csv)));
	print_line(p);
}

static void
plain_head(struct printer *p)
{
	for (size_t i = 0; i < p->rows->ncols; i++) {
		plain_next(p, i);
		if (p->csv)
			csv_text(p, str_of(p->rows->cols[i].name));
		else
			tsv_text(p, str_of(p->rows->cols[i].name));
	}
	plain_end(p);
}

static void
plain_row(struct printer *p, uint64_t row)
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
	plain_end(p);
}

/* ---- all ------------------------------------------------------------------------- */

static const struct writer {
	void	(*head)(struct printer *);
	void	(*row)(struct printer *, uint64_t);
} writers[FORMATS] = {
	[FORMAT_TABLE] = { table_head, table_row },
	[FORMAT_TSV] = { plain_head, plain_row },
	[FORMAT_CSV] = { plain_head, plain_row },
	[FORMAT_JSON] = { NULL, print_object },
	[FORMAT_MD] = { md_head, md_row }
};

static void
print_print_rows(struct printer *p, const struct writer *w, uint64_t *n)
{
	/* If the first row fails, print no header. */
	rows_reach(p->rows, 1);
	print_unless(p, rows_error(p->rows) == NULL);
	if (w->head != NULL && !p->ended)
		w->head(p);
	for (; !p->ended && rows_reach(p->rows, *n + 1) > *n; *n += !p->ended) {
		print_unless(p, rows_tick(p->rows, *n));
		if (!p->ended)
			w->row(p, *n);
	}
}

static void
print_picture(struct printer *p, enum format format, const struct draw_options *o, uint64_t *n)
{
	print_unless(p, format == FORMAT_SVG ? draw_svg(p->rows, o, &p->line, n, p->err) :
	    format == FORMAT_HTML ? draw_html(p->rows, o, &p->line, n, p->err) :
	    draw_dot(p->rows, o, &p->line, n, p->err));
	if (rows_error(p->rows) == NULL)
		print_line(p);
}

static void
print_as(struct printer *p, enum format format, const struct draw_options *o, uint64_t *n)
{
	switch (format) {
	case FORMAT_FOLDED:
		folded_print(p, n);
		break;
	case FORMAT_SARIF:
		sarif_print(p, n);
		break;
	case FORMAT_TREE:
		tree_print(p, n);
		break;
	case FORMAT_DOT:
	case FORMAT_SVG:
	case FORMAT_HTML:
		print_picture(p, format, o, n);
		break;
	default:
		print_print_rows(p, &writers[format], n);
		break;
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
	struct printer p = printer_to(file, 0, err);
	bool ok;

	*n = 0;
	p.rows = rows;
	format = print_format_of(rows, format);
	p.csv = format == FORMAT_CSV;
	p.width = format == FORMAT_MD ? 0 : width;
	print_as(&p, format, o, n);
	table_free(&p);
	printer_free(&p);
	ok = rows_whole(rows, err) && !p.ended;
	errno = 0;
	if (fflush(file) != 0 && ok && !p.closed) {
		p.closed = errno == EPIPE;
		ok = p.closed || fail_errno(err, "cannot write output");
	}
	return ok || p.closed;
}
