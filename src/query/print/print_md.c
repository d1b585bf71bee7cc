/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * print_md: rows as a table of GitHub-flavored Markdown, for tickets.
 */
#include "config.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

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
	return s.s[i] == '_' ? i == 0 || !print_md_is_word(s, i - 1) ||
	    !print_md_is_word(s, i + 1) : is_one_of(s.s[i], "\\`*[]|~");
}

/*
 * Trackers make links of "@name", "#12", "!12", "$12", "&12", "GH-12" and addresses, and notify those whom
 * they name. True: such a link is cut behind byte i.
 */
static bool
is_link(struct str s, size_t i)
{
	struct str next = str_after(s, i + 1);
	bool digit = next.n > 0 && is_digit(next.s[0]);

	switch (s.s[i]) {
	case '@': return next.n > 0 && next.s[0] != ' ';
	case '#': case '!': case '$': case '&': return digit;
	case '-': return digit && i >= 2 && strncasecmp(next.s - 3, "GH-", 3) == 0;
	case 'w': case 'W': return i >= 2 && next.n > 0 && strncasecmp(next.s - 3, "www.", 4) == 0;
	default: return str_has_prefix(str_after(s, i), STR("://"));
	}
}

static void
md_fitted(struct printer *p, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (is_escaped(s, i))
			buf_chr(&p->line, '\\');
		if (s.s[i] == '<' || s.s[i] == '>' || s.s[i] == '&')
			buf_str(&p->line, s.s[i] == '<' ? STR("&lt;") : s.s[i] == '>' ? STR("&gt;") :
			    STR("&amp;"));
		else
			buf_chr(&p->line, s.s[i]);
		/*
		 * A space without width: trackers look at the text that is shown, so an escape of the byte
		 * would not help.
		 */
		if (is_link(s, i))
			buf_str(&p->line, STR("&#8203;"));
	}
}

/* Backticks around it are more than follow one another in it. */
void
md_code(struct printer *p, struct str raw)
{
	struct buf fitted = BUF_INIT;
	size_t run = 0, ticks = 1;

	text_fit_buf(&fitted, raw);
	print_ascii(p, &fitted);
	for (size_t i = 0; i < fitted.n; i++) {
		run = fitted.s[i] == '`' ? run + 1 : 0;
		ticks = run >= ticks ? run + 1 : ticks;
	}
	for (size_t i = 0; i < ticks; i++)
		buf_chr(&p->line, '`');
	buf_str(&p->line, buf_view(&fitted));
	for (size_t i = 0; i < ticks; i++)
		buf_chr(&p->line, '`');
	p->line.bad |= fitted.bad;
	buf_free(&fitted);
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

void
md_head(struct printer *p)
{
	if (!table_columns(p))
		return;
	for (size_t i = 0; i < p->nfit; i++) {
		buf_str(&p->line, STR("| "));
		md_text(p, str_of(p->rows->cols[p->fit[i].col].name));
		buf_chr(&p->line, ' ');
	}
	buf_str(&p->line, STR("|\n"));
	for (size_t i = 0; i < p->nfit; i++)
		buf_str(&p->line, p->fit[i].right ? STR("| ---: ") : STR("| --- "));
	buf_chr(&p->line, '|');
	print_end(p);
}

void
md_row(struct printer *p, uint64_t row)
{
	for (size_t i = 0; i < p->nfit; i++) {
		buf_str(&p->line, STR("| "));
		md_fitted(p, table_show(p, row, p->fit[i].col));
		buf_chr(&p->line, ' ');
	}
	buf_chr(&p->line, '|');
	print_end(p);
}
