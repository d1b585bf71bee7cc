/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * print_md: rows as a table of GitHub-flavored Markdown, for tickets.
 */
#include "config.h"

#include <ctype.h>
#include <string.h>

#include "print.h"

static bool
print_md_is_word(struct str s, size_t i)
{
	return i < s.n && (isalnum((unsigned char)s.s[i]) || (unsigned char)s.s[i] >= 0x80);
}

/* An underscore within a word needs no escape. */
static bool
is_escaped(struct str s, size_t i)
{
	return s.s[i] == '_' ? i == 0 || !print_md_is_word(s, i - 1) || !print_md_is_word(s, i + 1) : strchr("\\`*[]|~", s.s[i]) != NULL;
}

void
md_fitted(struct printer *p, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.s[i] == '<' || s.s[i] == '>' || s.s[i] == '&') {
			buf_str(&p->line, s.s[i] == '<' ? STR("&lt;") : s.s[i] == '>' ? STR("&gt;") : STR("&amp;"));
			continue;
		}
		if (is_escaped(s, i))
			buf_chr(&p->line, '\\');
		buf_chr(&p->line, s.s[i]);
	}
}

void
md_text(struct printer *p, struct str raw)
{
	struct buf fitted = BUF_INIT;

	text_fit_buf(&fitted, raw);
	print_ascii(p, &fitted);
	md_fitted(p, buf_view(&fitted));
	p->line.bad |= fitted.bad;
	buf_free(&fitted);
}

bool
md_head(struct printer *p, struct err *err)
{
	if (!table_columns(p, err))
		return false;
	for (size_t i = 0; i < p->nfit; i++) {
		buf_str(&p->line, STR("| "));
		md_text(p, str_of(p->rows->cols[p->fit[i].col].name));
		buf_chr(&p->line, ' ');
	}
	buf_str(&p->line, STR("|\n"));
	for (size_t i = 0; i < p->nfit; i++)
		buf_str(&p->line, p->fit[i].right ? STR("| ---: ") : STR("| --- "));
	buf_chr(&p->line, '|');
	return print_end(p, err);
}

bool
md_row(struct printer *p, uint64_t row, struct err *err)
{
	for (size_t i = 0; i < p->nfit; i++) {
		buf_str(&p->line, STR("| "));
		md_fitted(p, table_show(p, row, p->fit[i].col));
		buf_chr(&p->line, ' ');
	}
	buf_chr(&p->line, '|');
	return print_end(p, err);
}
