/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * body: names, and parts of the code of a method that class files and dex files have in common.
 */
#include "config.h"

#include <assert.h>
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
	low = *c < 0xdc00 ? surrogate(str_after(s, 3)) : 0;
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

	for (; s.n > 0; s = str_after(s, n)) {
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
	return scratch_add(&b->lines, &b->nlines, &(struct code_line){ pc, line, (uint32_t)b->nlines },
	    sizeof(struct code_line), err);
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
	const uint8_t *target = b->insns + width * i->targets + step * n,
	    *at = b->insns + width * i->keys + step * n;

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
