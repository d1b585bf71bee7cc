/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * body: names, and the code of a method: common parts of class files and dex files.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_code.h"
#include "bytes.h"

bool
code_open(struct code *c, const struct store *st)
{
	const struct column *classes = store_column(st, COL_CODE_CLASS_NAME);
	struct store *of = store_of((struct store *)(uintptr_t)st, COL_CODE_CLASS_NAME);
	struct str own;

	if (classes == NULL)
		return false;
	*c = (struct code){ .st = st, .nclasses = (uint32_t)classes->rows };
	c->nmethods = (uint32_t)store_column(st, COL_CODE_METHOD_NAME)->rows;
	own = store_own(of);
	if (own.n > 0) {
		c->data = (const uint8_t *)own.s;
		c->size = own.n;
		c->base = store_own_at(of);
	} else {
		c->data = store_source(of)->data;
		c->size = store_source(of)->size;
	}
	return true;
}

/* ---- names -------------------------------------------------------------------------------- */

struct str
code_class_name(const struct code *c, uint32_t class)
{
	return store_text(c->st, store_cell(c->st, COL_CODE_CLASS_NAME, class));
}

struct str
code_method_name(const struct code *c, uint32_t method)
{
	return store_text(c->st, store_cell(c->st, COL_CODE_METHOD_NAME, method));
}

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

/* Decode half of a surrogate pair; 0: not one. */
static uint32_t
surrogate(struct str s)
{
	const uint8_t *p = (const uint8_t *)s.s;

	if (s.n < 3 || p[0] != 0xed || (p[1] & 0xe0) != 0xa0 || (p[2] & 0xc0) != 0x80)
		return 0;
	return 0xd000 | (p[1] & 63u) << 6 | (p[2] & 63u);
}

size_t
modified_decode(struct str s, uint32_t *c)
{
	uint32_t low;

	if (str_has_prefix(s, STR("\xc0\x80"))) {
		*c = 0;
		return 2;
	}
	if ((*c = surrogate(s)) == 0)
		return text_decode(s, c);
	low = *c < 0xdc00 ? surrogate(str_behind(s, 3)) : 0;
	if (low < 0xdc00)
		return 3;
	*c = 0x10000 + ((*c & 1023) << 10 | (low & 1023));
	return 6;
}

/* text_fit handles bytes that are not UTF-8. */
void
modified_put(struct str s, uint32_t c, struct buf *b)
{
	char to[4];

	if (c == 0 || c > 0xffff)
		buf_add(b, to, text_encode(c, to));
	else
		buf_str(b, s);
}

void
code_text(struct str s, struct buf *b)
{
	uint32_t c;
	size_t n;

	for (; s.n > 0; s = str_behind(s, n)) {
		for (n = 0; n < s.n && (signed char)s.s[n] >= 0 && s.s[n] != '/'; n++)
			;
		buf_add(b, s.s, n);
		if (n > 0)
			continue;
		n = modified_decode(s, &c);
		if (c == '/')
			buf_chr(b, '.');
		else
			modified_put((struct str){ s.s, n }, c, b);
	}
}

void
code_method_told(const struct code *c, uint32_t method, struct buf *b)
{
	code_text(code_class_name(c, (uint32_t)store_cell(c->st, COL_CODE_METHOD_CLASS, method)), b);
	buf_chr(b, '.');
	code_text(code_method_name(c, method), b);
}

/* ---- code ---------------------------------------------------------------------------------- */

enum catch_what
catch_of(struct str type)
{
	if (str_eq(type, STR("java/lang/Throwable")))
		return CATCH_ALL;
	return str_eq(type, STR("java/lang/Exception")) || str_eq(type, STR("java/lang/RuntimeException")) ?
	    CATCH_EXCEPTION : CATCH_SOME;
}

bool
body_add_line(struct code_body *b, uint32_t pc, uint32_t line, struct err *err)
{
	return scratch_add(&b->lines, &b->nlines, &(struct code_line){ pc, line, (uint32_t)b->nlines }, sizeof(struct code_line), err);
}

bool
body_add_try(struct code_body *b, const struct code_try *t, struct err *err)
{
	return scratch_add(&b->tries, &b->ntries, t, sizeof *t, err);
}

bool
code_insn(const struct code_body *b, uint32_t pc, struct insn *i)
{
	return b->pool.dex ? dex_insn(b, pc, i) : jvm_insn(b, pc, i);
}

int64_t
code_case(const struct code_body *b, const struct insn *i, uint32_t n, int64_t *key)
{
	uint64_t step = i->keys != 0 && !b->pool.dex ? 8 : 4, width = b->pool.dex ? 2 : 1;
	const uint8_t *target = b->insns + width * i->targets + step * n, *at = b->insns + width * i->keys + step * n;

	assert(n < i->cases);
	*key = i->keys == 0 ? i->value + n : b->pool.dex ? (int32_t)le32(at) : (int32_t)be32(at);
	return (int64_t)i->pc + (int32_t)(b->pool.dex ? le32(target) : be32(target));
}

bool
body_sound(const struct code_body *b)
{
	struct insn i;

	for (uint32_t pc = 0; pc < b->size; pc += i.size)
		if (!code_insn(b, pc, &i))
			return false;
	return true;
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
