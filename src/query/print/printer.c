/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * printer: lines of text on their way to a stream, cut and converted as its reader needs them.
 */
#include "config.h"

#include <errno.h>
#include <langinfo.h>
#include <string.h>

#include "print.h"

struct printer
printer_to(FILE *file, unsigned width, struct err *err)
{
	return (struct printer){ .file = file, .width = width, .err = err,
		.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0 };
}

void
printer_free(struct printer *p)
{
	buf_free(&p->line);
	buf_free(&p->cell);
}

void
print_unless(struct printer *p, bool ok)
{
	p->ended |= !ok;
}

void
print_line(struct printer *p)
{
	size_t n = p->line.n, written;

	if (p->ended)
		return;
	if (n > 1 && p->indent > 0)
		fprintf(p->file, "%*s", (int)p->indent, "");
	/* Drop the line if its rows failed while their cells were read. */
	if (p->rows != NULL && rows_error(p->rows) != NULL)
		p->ended = true;
	else if (p->line.bad || p->cell.bad)
		print_unless(p, fail(p->err, E_SYSTEM, "out of memory (output)"));
	if (p->ended)
		return;
	errno = 0;
	written = n == 0 ? 0 : fwrite(p->line.s, 1, n, p->file);
	buf_clear(&p->line);
	if (written == n)
		return;
	p->closed = errno == EPIPE;
	print_unless(p, !p->closed && fail_errno(p->err, "cannot write output"));
}

void
print_end(struct printer *p)
{
	buf_chr(&p->line, '\n');
	print_line(p);
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

	if (p->page == PAGE_HTML) {
		text_html(&p->line, s);
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
