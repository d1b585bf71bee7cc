/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * method: find a method in the file that has its class, and read its code.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_code.h"
#include "bytes.h"

/* Find the bytes of the file that has a class, from data + *at on; false: out of range. */
static bool
piece_of(const struct code *c, uint32_t piece, uint64_t *at, uint64_t *size)
{
	*at = store_cell(c->st, COL_PIECE_AT, piece);
	*size = store_cell(c->st, COL_PIECE_SIZE, piece);
	return *size > 0 && *at < c->size && *size <= c->size - *at;
}

void
code_method_desc(const struct code *c, uint32_t method, struct buf *b)
{
	uint32_t class = (uint32_t)store_cell(c->st, COL_CODE_METHOD_CLASS, method);
	uint32_t piece = (uint32_t)store_cell(c->st, COL_CODE_CLASS_PIECE, class);
	uint64_t desc = store_cell(c->st, COL_CODE_METHOD_DESC, method), at, size;
	struct code_pool pool = { .at = NULL };
	size_t from = b->n;

	if (store_cell(c->st, COL_PIECE_DEX, piece) == 0)
		buf_str(b, store_text(c->st, desc));
	else if (piece_of(c, piece, &at, &size) && code_pool_open(&pool, c->data + at, size) &&
	    !code_pool_proto(&pool, (uint32_t)desc, b)) {
		b->n = from;
		buf_printf(b, "?%u", (unsigned)desc);
	}
	code_pool_free(&pool);
}

bool
code_body_piece(struct code_body *b, const struct code *c, uint32_t piece)
{
	uint64_t at, size;

	if (piece == b->piece && piece != 0)
		return true;
	b->piece = 0;
	if (!piece_of(c, piece, &at, &size) || !code_pool_open(&b->pool, c->data + at, size))
		return false;
	b->piece = piece;
	return true;
}

bool
code_interface(struct code_body *b, const struct code *c, uint32_t class, uint32_t i, struct str *name)
{
	uint64_t list = store_cell(c->st, COL_CODE_CLASS_AT, class), at, n, width;

	if (list == 0 || !code_body_piece(b, c, (uint32_t)store_cell(c->st, COL_CODE_CLASS_PIECE, class)))
		return false;
	at = list - (uint64_t)(b->pool.data - c->data);
	width = b->pool.dex ? 4 : 2;
	if (at > b->pool.size || b->pool.size - at < width)
		return false;
	n = b->pool.dex ? le32(c->data + list) : be16(c->data + list);
	if (i >= n || (b->pool.size - at - width) / 2 <= i)
		return false;
	list += width + 2 * (uint64_t)i;
	return code_pool_class(&b->pool, b->pool.dex ? le16(c->data + list) : be16(c->data + list), name);
}

bool
code_field_access(struct code_body *b, const struct code *c, uint32_t class, struct str name, uint32_t *access)
{
	uint64_t list = store_cell(c->st, COL_CODE_CLASS_AT, class);

	return list != 0 && code_body_piece(b, c, (uint32_t)store_cell(c->st, COL_CODE_CLASS_PIECE, class)) &&
	    list >= (uint64_t)(b->pool.data - c->data) &&
	    class_field_access(&b->pool, list - (uint64_t)(b->pool.data - c->data), name, access);
}

static int
line_order(const void *x, const void *y)
{
	const struct code_line *a = x, *b = y;

	return num_order(a->pc, b->pc, num_order(a->place, b->place, 0));
}

/* A file may contain them in any order. */
static void
body_sort_lines(struct code_body *b)
{
	struct code_line *l = SCRATCH(b->lines, struct code_line);
	uint64_t i = 1;

	while (i < b->nlines && l[i - 1].pc <= l[i].pc)
		i++;
	if (i < b->nlines)
		qsort(l, b->nlines, sizeof *l, line_order);
}

bool
code_body_open(struct code_body *b, const struct code *c, uint32_t method, struct err *err)
{
	uint64_t at = store_cell(c->st, COL_CODE_METHOD_AT, method), from;

	err->kind = E_NONE;
	b->code = c;
	b->method = method;
	b->class = (uint32_t)store_cell(c->st, COL_CODE_METHOD_CLASS, method);
	b->ntries = b->nlines = b->nlocals = 0;
	b->has_cursor = false;
	b->map = STR("");
	b->frame.at = NULL;
	if (at == 0 || !code_body_piece(b, c, (uint32_t)store_cell(c->st, COL_CODE_CLASS_PIECE, b->class)))
		return false;
	from = (uint64_t)(b->pool.data - c->data);
	if (at < from)
		return false;
	if (!(b->pool.dex ? dex_body : class_body)(b, &b->pool, at - from, err))
		return false;
	body_sort_lines(b);
	body_sort_locals(b);
	return true;
}

void
code_body_free(struct code_body *b)
{
	code_pool_free(&b->pool);
	SCRATCH_FREE(&b->tries, &b->lines, &b->locals, &b->last_in, &b->frame.types[0], &b->frame.types[1]);
	b->piece = 0;
}

uint32_t
code_line_of(const struct code_body *b, uint32_t pc)
{
	const struct code_line *l = SCRATCH(b->lines, struct code_line);
	uint64_t low = 0, high = b->nlines, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (l[middle].pc <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	assert(low == 0 || l[low - 1].pc <= pc);
	return low == 0 ? 0 : l[low - 1].line;
}
