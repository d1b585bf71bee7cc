/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * any: the column any of call trees, for stacks that pass through some frame.
 */
#include "config.h"

#include "lang.h"

static const struct coldef column_any = {
	COLUMN_ANY, CELL_TEXT, "all frames of the stack, one per line; a condition holds if any line matches",
	true
};

int
column_set_add(struct rows *r, struct column_set *set, struct coldef def)
{
	assert(set->n < COLUMN_SET_MAX);
	set->col[set->n] = def;
	set->from[set->n] = UINT8_MAX;
	r->ncols = ++set->n;
	return (int)set->n - 1;
}

int
any_find(struct rows *r, struct column_set *set, struct str name)
{
	int col = rows_column(r, name);

	if (col >= 0 || !str_eq(name, STR(COLUMN_ANY)) || set->n == COLUMN_SET_MAX)
		return col;
	return column_set_add(r, set, column_any);
}

bool
any_known(struct rows *r, uint64_t i, struct str *name)
{
	(void)r;
	*name = STR(COLUMN_ANY);
	return i == 0;
}

bool
any_add(struct any *f, uint32_t method)
{
	if (!mem_grow(&f->method, &f->cap, f->n + 1, sizeof *f->method))
		return false;
	f->method[f->n++] = method;
	return true;
}

void
any_text(struct any *f, const struct store *st, struct buf *b)
{
	while (f->n > 0) {
		method_name(st, f->method[--f->n], b);
		if (f->n > 0)
			buf_chr(b, '\n');
	}
}

/* ---- the tree that rows came from -------------------------------------------------- */

static uint64_t
call_id(struct rows *tree, uint64_t row)
{
	struct cell c;

	rows_cell(tree, row, CALL_ID, &c);
	return c.u;
}

bool
tree_row(struct rows *tree, uint64_t id, uint64_t *row)
{
	uint64_t low = 0, high = rows_reach(tree, 0), middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (call_id(tree, middle) < id)
			low = middle + 1;
		else
			high = middle;
	}
	*row = low;
	return id > 0 && low < rows_reach(tree, 0) && call_id(tree, low) == id;
}

/* Detect rows of calls, merged or inverted, of any kind of file, by their columns that have fixed places. */
static bool
is_tree(const struct rows *r)
{
	return rows_column(r, STR("id")) == CALL_ID && rows_column(r, STR("parent")) == CALL_PARENT &&
	    rows_column(r, STR("depth")) == CALL_DEPTH && rows_column(r, STR("method")) == CALL_METHOD;
}

struct rows *
tree_rows(struct rows *r)
{
	struct rows *tree = NULL;

	for (; r != NULL; r = r->in)
		if (is_tree(r))
			tree = r;
	return tree;
}
