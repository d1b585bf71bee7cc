/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * print_json: rows as objects of JSON, one a line.
 */
#include "config.h"

#include <math.h>

#include "print.h"

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

void
print_object(struct printer *p, uint64_t row)
{
	print_members(p, row);
	print_end(p);
}
