/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keys: distinct rows.
 */
#include "config.h"

#include <string.h>

#include "lang.h"

void
keys_free(struct keys *k)
{
	texts_free(&k->texts);
	buf_free(&k->row);
}

static struct str
without_number(struct str s)
{
	size_t n = s.n;

	while (n > 0 && is_digit(s.s[n - 1]))
		n--;
	return n > 1 && n < s.n && s.s[n - 1] == '@' && s.s[n - 2] == ' ' ? (struct str){ s.s, n - 2 } : s;
}

/* Append bytes that are the same for equal cells only. */
static void
keys_add_cell(struct buf *b, const struct cell *cell)
{
	struct cell c = cell_normal(*cell);
	uint64_t n = c.type == CELL_TEXT ? c.text.n : c.u;

	buf_chr(b, (char)c.type);
	if (c.type == CELL_NONE)
		return;
	if (c.type == CELL_DECIMAL) {
		buf_printf(b, "%u ", c.currency);
		decimal_text(cell_exact(&c), b);
		buf_chr(b, '\0');
		return;
	}
	buf_add(b, &n, sizeof n);
	if (c.type == CELL_TEXT)
		buf_str(b, c.text);
}

static void
keys_begin(struct keys *k)
{
	buf_clear(&k->row);
}

static void
keys_add(struct keys *k, const struct cell *c)
{
	struct cell short_one = *c;

	if (c->type == CELL_TEXT && k->unnumbered)
		short_one.text = without_number(c->text);
	keys_add_cell(&k->row, &short_one);
}

/* Return the number of the cells added since keys_begin; equal cells have the same number. */
static bool
keys_end(struct keys *k, uint32_t *number, struct err *err)
{
	if (k->row.bad)
		return fail(err, E_SYSTEM, "out of memory (row)");
	return texts_number(&k->texts, buf_view(&k->row), number, err);
}

bool
keys_row(struct keys *k, struct rows *rows, uint64_t row, const struct column_ref *ref, size_t n,
    uint32_t *number, struct err *err)
{
	struct cell c;

	keys_begin(k);
	for (size_t i = 0; i < n; i++) {
		rows_cell(rows, row, ref[i].col, &c);
		keys_add(k, &c);
	}
	return keys_end(k, number, err);
}

static void
begin_cell(struct keys *k, uint32_t group, const struct cell *c)
{
	keys_begin(k);
	buf_add(&k->row, &group, sizeof group);
	keys_add(k, c);
}

bool
keys_cell(struct keys *k, uint32_t group, const struct cell *c, uint32_t *number, struct err *err)
{
	begin_cell(k, group, c);
	return keys_end(k, number, err);
}

bool
keys_have(struct keys *k, uint32_t group, const struct cell *c)
{
	begin_cell(k, group, c);
	return !k->row.bad && texts_find(&k->texts, buf_view(&k->row)) != 0;
}
