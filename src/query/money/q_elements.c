/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_elements: all elements of a bank statement or request, with their values.
 */
#include "config.h"

#include "icecore/columns_money.h"
#include "q_money.h"

#define PATH_MOST 64u	/* names in a path; files may nest elements a million deep */

static bool
element_path(struct item_rows *s, uint64_t n, struct buf *b)
{
	const struct money_source *from = (const struct money_source *)s->own;
	uint64_t at[PATH_MOST], depth = 0;

	for (; n != 0 && depth < PATH_MOST; n = store_cell(s->st, COL_ELEMENT_PARENT, n))
		at[depth++] = n;
	buf_str(b, n != 0 ? STR("../") : STR(""));
	while (depth-- > 0) {
		buf_str(b, store_text(from->st, store_cell(s->st, COL_ELEMENT_NAME, at[depth])));
		buf_str(b, depth > 0 ? STR("/") : STR(""));
	}
	return true;
}

static bool
element_name(struct item_rows *s, uint64_t n, struct buf *b)
{
	buf_str(b, store_text(s->st, store_cell(s->st, COL_ELEMENT_NAME, n)));
	return true;
}

static bool
element_value(struct item_rows *s, uint64_t n, struct buf *b)
{
	money_element((const struct money_source *)s->own, store_text(s->st,
	    store_cell(s->st, COL_ELEMENT_NAME, n)), store_cell(s->st, COL_ELEMENT_VALUE, n), b);
	return true;
}

static const struct coldef element_cols[] = {
	{ "path", CELL_TEXT, "names from the outermost element on", TEXT(element_path) },
	{ "name", CELL_TEXT, "name as in the file", TEXT(element_name) },
	{ "value", CELL_TEXT, "value; --full shows all of account numbers and passwords",
	    TEXT(element_value) },
};

static const struct source elements = { .domain = &money_domain, .rows_of = COL_ELEMENT_NAME };

const struct command source_elements = {
	MONEY_SOURCE("elements", "all elements of a bank statement or request, in file order",
	    "elements | where value != ''", element_cols, elements),
	.names = { "path", "name" }
};
