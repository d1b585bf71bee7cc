/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quote: texts and names of columns in a query, and which columns have texts.
 */
#include "config.h"

#include "lines.h"

enum { VALUE_MAX = 1000 };

bool
list_quote(struct str s, struct buf *b)
{
	buf_chr(b, '\'');
	for (size_t i = 0; i < s.n; i++) {
		if (s.s[i] == '\'' || s.s[i] == '\\')
			buf_printf(b, "\\%c", s.s[i]);
		else if ((unsigned char)s.s[i] < ' ' || s.s[i] == 0x7f)
			buf_printf(b, "\\x%02x", (unsigned)(unsigned char)s.s[i]);
		else
			buf_chr(b, s.s[i]);
	}
	buf_chr(b, '\'');
	return s.n <= VALUE_MAX && !b->bad;
}

void
column_put_name(const struct coldef *def, struct buf *b)
{
	if (def->type == CELL_NONE)
		list_quote(str_of(def->name), b);
	else
		buf_str(b, str_of(def->name));
}

bool
column_has_words(const struct coldef *def)
{
	return def->type == CELL_TEXT && !def->bars;
}

bool
column_is_searched(const struct coldef *def)
{
	return def->type == CELL_NONE || column_has_words(def);
}
