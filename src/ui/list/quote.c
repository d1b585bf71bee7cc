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
	name_quote(b, s, true);
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
