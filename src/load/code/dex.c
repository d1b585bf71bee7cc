/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dex: dex files: names of the methods of their classes, and positions of their code.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "bytes.h"

#define CODE_HEAD 16		/* bytes before the code units */
#define DEBUG_STEPS 1000000	/* maximum number of lines in a method */
#define NO_INDEX UINT32_MAX

/* Read a number at *at and advance. */
static bool
dex_take(const struct code_pool *p, uint64_t *at, uint64_t *v)
{
	return leb_u32(p->data, p->size, at, v);
}

/* ---- code of a method ---------------------------------------------------------------------- */

/* Read the handlers of a try block, in order. */
static bool
read_handlers(struct code_body *b, const struct code_pool *p, uint64_t at, struct code_try t, struct err *err)
{
	uint64_t type, handler, n;
	int64_t count;
	bool all;

	if (!leb_i32(p->data, p->size, &at, &count))
		return false;
	all = count <= 0;
	for (n = (uint64_t)(all ? -count : count) + all; n > 0; n--) {
		bool last = all && n == 1;

		t.type = STR("");
		if ((!last && (!dex_take(p, &at, &type) || !code_pool_class(p, (uint32_t)type, &t.type))) ||
		    !dex_take(p, &at, &handler) ||
		    handler >= b->size)
			return false;
		t.what = last ? CATCH_ALL : catch_of(t.type);
		t.handler = (uint32_t)handler;
		if (!body_add_try(b, &t, err))
			return false;
	}
	return true;
}

static bool
dex_read_tries(struct code_body *b, const struct code_pool *p, uint64_t at, uint32_t n, struct err *err)
{
	uint64_t lists = at + 8 * (uint64_t)n;

	if (lists > p->size)
		return false;
	for (; n > 0; n--, at += 8) {
		const uint8_t *e = p->data + at;
		struct code_try t = { .start = le32(e), .end = le32(e) + le16(e + 4) };

		if (t.start >= b->size || !read_handlers(b, p, lists + le16(e + 6), t, err))
			return false;
	}
	return true;
}

/* Make a variable of numbers that are one more than those of its name and type. */
static struct code_local
local_of(const struct code_pool *p, uint64_t reg, uint64_t pc, uint64_t name, uint64_t type)
{
	struct code_local v = { .start = (uint32_t)pc, .end = LOCAL_STAYS, .slot = (uint32_t)reg,
	    .name = STR(""), .type = STR("") };

	code_pool_text(p, (uint32_t)name - 1, &v.name);
	code_pool_class(p, (uint32_t)type - 1, &v.type);
	return v;
}

/* Read the names of n parameters at *at. Parameters are in the last registers, after "this". */
static bool
read_parameters(struct code_body *b, const struct code_pool *p, uint64_t *at, uint64_t n, struct err *err)
{
	uint32_t reg = b->regs - b->ins, proto = 0;
	struct code_local v;
	uint64_t name;
	bool ok = true;

	if (b->named) {
		proto = (uint32_t)store_cell(b->code->st, COL_CODE_METHOD_DESC, b->method);
		v = (struct code_local){ .end = LOCAL_STAYS, .slot = reg, .name = STR("this"),
		    .type = code_class_name(b->code, b->class) };
		if ((store_cell(b->code->st, COL_CODE_METHOD_ACCESS, b->method) & 8) == 0) {
			ok = local_begins(b, &v, err);
			reg++;
		}
	}
	for (uint32_t i = 0; ok && n > 0; n--, i++) {
		if (!dex_take(p, at, &name))
			return false;
		v = local_of(p, reg, 0, name, 0);
		if (!b->named || !pool_parameter(p, proto, i, &v.type))
			continue;
		ok = local_begins(b, &v, err);
		reg += 1 + (str_eq(v.type, STR("J")) || str_eq(v.type, STR("D")));
	}
	return ok;
}

/* Opcodes 3 to 6 of the debug info, with these numbers; false: out of memory. */
static bool
local_step(struct code_body *b, const struct code_pool *p, uint8_t op, const uint64_t *v, uint64_t pc,
    struct err *err)
{
	struct code_local new;

	if (op < 5) {
		new = local_of(p, v[0], pc, v[1], v[2]);
		return local_begins(b, &new, err);
	}
	if (op == 5)
		local_ends(b, (uint32_t)v[0], (uint32_t)pc);
	return op == 5 || local_again(b, (uint32_t)v[0], (uint32_t)pc, err);
}

/* Arguments of opcodes 0 to 9 of the debug info state machine. */
static const uint8_t debug_numbers[10] = { 0, 1, 1, 3, 4, 1, 1, 0, 0, 1 };

/* Lines up to the first invalid step; false: out of memory. */
static bool
read_debug(struct code_body *b, const struct code_pool *p, uint64_t at, struct err *err)
{
	uint64_t line, n, v[4] = { 0 }, pc = 0;
	int64_t change;
	uint8_t op;

	if (!dex_take(p, &at, &line) || !dex_take(p, &at, &n))
		return true;
	if (!locals_start(b, err) || !read_parameters(b, p, &at, n, err))
		return err->kind == E_NONE;
	for (unsigned step = 0; step < DEBUG_STEPS && at < p->size && pc < b->size; step++) {
		if ((op = p->data[at++]) == 0)
			break;
		if (op == 2) {
			if (!leb_i32(p->data, p->size, &at, &change))
				break;
			line += (uint64_t)change;
			continue;
		}
		for (unsigned k = 0; k < (op < 10 ? debug_numbers[op] : 0); k++)
			if (!dex_take(p, &at, &v[k]))
				return true;
		if (b->named && op >= 3 && op <= 6 && !local_step(b, p, op, v, pc, err))
			return false;
		pc += op == 1 ? v[0] : op < 10 ? 0 : (op - 10u) / 15;
		if (op < 10)
			continue;
		line += (uint64_t)((op - 10) % 15 - 4);
		if (!body_add_line(b, (uint32_t)pc, (uint32_t)line, err))
			return false;
	}
	return true;
}

bool
dex_body(struct code_body *b, const struct code_pool *p, uint64_t at, struct err *err)
{
	const uint8_t *h;
	uint32_t tries;
	uint64_t end;

	if (at > p->size || p->size - at < CODE_HEAD)
		return false;
	h = p->data + at;
	b->regs = le16(h);
	b->ins = le16(h + 2);
	b->stack = 0;
	tries = le16(h + 6);
	b->size = le32(h + 12);
	b->insns = h + CODE_HEAD;
	if (b->size == 0 || b->ins > b->regs || b->size > (p->size - at - CODE_HEAD) / 2)
		return false;
	end = at + CODE_HEAD + 2 * (uint64_t)b->size;
	if (tries > 0 && !dex_read_tries(b, p, end + (b->size & 1 ? 2 : 0), tries, err))
		return false;
	return le32(h + 8) == 0 || read_debug(b, p, le32(h + 8), err);
}

/* ---- a complete dex file -------------------------------------------------------------------- */

static bool
dex_add_method(struct code_tables *rows, uint32_t index, uint64_t access, uint64_t code, struct err *err)
{
	struct code_method_row row = { .access = (uint32_t)access, .class = (uint32_t)rows->nclasses,
	    .desc = NO_INDEX };
	struct code_ref ref;

	if (code_pool_method(&rows->pool, index, &ref)) {
		row.name = rows_ref(rows, ref.name);
		row.desc = ref.proto;
	} else
		rows->bad_methods += row.bad = 1;
	if (code != 0)
		row.at = (uint64_t)(rows->pool.data - rows->data) + code;
	return make_add(&rows->method, &rows->nmethods, &row, sizeof row, MAKE_MOST, "methods", err);
}

/* *whole: none of its lists is truncated. */
static bool
read_class_data(struct code_tables *rows, uint64_t at, bool *whole, struct err *err)
{
	const struct code_pool *p = &rows->pool;
	uint64_t n[4], diff, access, code, index;

	*whole = false;
	for (unsigned k = 0; k < 4; k++)
		if (!dex_take(p, &at, &n[k]))
			return true;
	for (uint64_t i = n[0] + n[1]; i > 0; i--)
		if (!dex_take(p, &at, &diff) || !dex_take(p, &at, &access))
			return true;
	for (unsigned k = 2; k < 4; k++)
		for (index = 0; n[k] > 0; n[k]--) {
			if (!dex_take(p, &at, &diff) || !dex_take(p, &at, &access) || !dex_take(p, &at, &code))
				return true;
			index += diff;
			if (index > p->table[DEX_METHODS].n)
				return true;
			if (!dex_add_method(rows, (uint32_t)index, access, code, err))
				return false;
		}
	*whole = true;
	return true;
}

static bool
dex_read_class(struct code_tables *rows, const uint8_t *def, struct err *err)
{
	struct code_class_row row = { .piece = (uint32_t)rows->npieces,
	    .first = (uint32_t)rows->nmethods + 1 };
	const struct code_pool *p = &rows->pool;
	struct str name, super = STR(""), source = STR("");
	bool whole = true;

	if (!code_pool_class(p, le32(def), &name)) {
		rows->bad_classes++;
		return true;
	}
	code_pool_class(p, le32(def + 8), &super);
	code_pool_text(p, le32(def + 16), &source);
	row.name = rows_ref(rows, name);
	row.super = rows_ref(rows, super);
	row.source = rows_ref(rows, source);
	row.access = le32(def + 4);
	if (le32(def + 12) != 0)
		row.at = (uint64_t)(p->data - rows->data) + le32(def + 12);
	rows->nclasses++;
	if (le32(def + 24) != 0 && !read_class_data(rows, le32(def + 24), &whole, err))
		return false;
	rows->nclasses--;
	rows->bad_classes += !whole;
	assert(row.first <= rows->nmethods + 1);
	row.methods = (uint32_t)(rows->nmethods + 1 - row.first);
	return make_add(&rows->class, &rows->nclasses, &row, sizeof row, MAKE_MOST, "classes", err);
}

/* Return whether the file ends before a table or before the size in its header. */
static bool
dex_is_cut(const struct code_pool *p)
{
	bool cut = le32(p->data + 32) > p->size;

	for (size_t i = 0; i < NELEM(p->table); i++)
		cut |= le32(p->data + TABLES_AT + 8 * i) > p->table[i].n;
	return cut;
}

static bool
dex_is_changed(struct str piece)
{
	const uint8_t *data = (const uint8_t *)piece.s;
	uLong sum = adler32(0, NULL, 0);

	for (size_t at = 12, n; at < piece.n; at += n) {
		n = piece.n - at < 1u << 30 ? piece.n - at : 1u << 30;
		sum = adler32(sum, data + at, (uInt)n);
	}
	return sum != le32(data + 8) || le32(data + 32) != piece.n;
}

bool
read_dex_file(struct code_tables *rows, struct str piece, struct err *err)
{
	const struct code_table *classes = &rows->pool.table[DEX_CLASSES];

	if (!code_pool_open(&rows->pool, (const uint8_t *)piece.s, piece.n) ||
	    le32(rows->pool.data + 40) != 0x12345678) {
		rows->bad_pieces++;
		return true;
	}
	if (dex_is_cut(&rows->pool))
		rows->cut++;
	else
		rows->bad_checksum += dex_is_changed(piece);
	for (uint32_t i = 0; i < classes->n; i++)
		if (!work_go(rows->work, (uint64_t)((const uint8_t *)piece.s - rows->data), err) ||
		    !dex_read_class(rows, rows->pool.data + classes->at + 32 * (uint64_t)i, err))
			return false;
	return true;
}
