/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frames: stack-map frames of class files: types of locals and stack, which each entry of a table changes.
 */
#include "config.h"

#include <string.h>

#include "bytes.h"

#define FRAME_SHOWN 64		/* types of a frame that are printed */

enum { LOCALS, STACK };
enum { TYPE_TOP, TYPE_INT, TYPE_FLOAT, TYPE_DOUBLE, TYPE_LONG, TYPE_NULL, TYPE_THIS, TYPE_OBJECT, TYPE_NEW,
    TYPES,
	TYPE_OWN = TYPES, TYPE_ARGUMENT };	/* these two are of the first frame: the class, and a type
						 * at a place in the descriptor */

static bool
frames_put(struct code_body *b, unsigned which, uint32_t type)
{
	struct code_frame *f = &b->frame;

	if (f->n[which] >= (which == LOCALS ? b->regs : b->stack))
		return false;
	SCRATCH(f->types[which], uint32_t)[f->n[which]++] = type;
	return true;
}

/* Read n types from the table. */
static bool
frame_take(struct code_body *b, unsigned which, uint32_t n)
{
	struct code_frame *f = &b->frame;

	for (; n > 0; n--) {
		uint32_t tag, of = 0;

		if (f->at == f->end || (tag = *f->at++) >= TYPES)
			return false;
		if (tag >= TYPE_OBJECT) {
			if (f->end - f->at < 2)
				return false;
			of = be16(f->at);
			f->at += 2;
		}
		if (!frames_put(b, which, tag | of << 8))
			return false;
	}
	return true;
}

static struct str
frame_desc(const struct code_body *b)
{
	return store_text(b->code->st, store_cell(b->code->st, COL_CODE_METHOD_DESC, b->method));
}

/* The type at the start of a descriptor: how long it is; 0: none. */
static size_t
type_size(struct str desc)
{
	size_t n = 0;
	const char *end;

	while (n < desc.n && desc.s[n] == '[')
		n++;
	if (n == desc.n)
		return 0;
	if (desc.s[n] != 'L')
		return is_one_of(desc.s[n], "BCDFIJSZ") ? n + 1 : 0;
	end = memchr(desc.s + n, ';', desc.n - n);
	return end == NULL ? 0 : (size_t)(end - desc.s) + 1;
}

/* The frame of a method that begins: this and the arguments. */
static bool
frame_first(struct code_body *b)
{
	static const char letters[] = "BCDFIJSZ";
	static const uint8_t tags[] = { TYPE_INT, TYPE_INT, TYPE_DOUBLE, TYPE_FLOAT, TYPE_INT, TYPE_LONG,
	    TYPE_INT, TYPE_INT };
	bool is_static = (store_cell(b->code->st, COL_CODE_METHOD_ACCESS, b->method) & 8) != 0;
	struct str desc = frame_desc(b);

	if (!is_static && !frames_put(b, LOCALS,
	    str_eq(code_method_name(b->code, b->method), STR("<init>")) ? TYPE_THIS : TYPE_OWN))
		return false;
	for (size_t at = 1, n; at < desc.n && desc.s[at] != ')'; at += n) {
		const char *letter = strchr(letters, desc.s[at]);

		n = type_size(str_after(desc, at));
		if (n == 0 || at >= 1u << 24 ||
		    !frames_put(b, LOCALS, letter != NULL ? tags[letter - letters] :
		    TYPE_ARGUMENT | (uint32_t)at << 8))
			return false;
	}
	return true;
}

static bool
frame_begin(struct code_body *b)
{
	struct code_frame *f = &b->frame;

	f->at = (const uint8_t *)b->map.s;
	f->end = f->at + b->map.n;
	f->n[LOCALS] = f->n[STACK] = 0;
	f->pc = 0;
	f->invalid = false;
	f->left = be16(f->at);
	f->at += 2;
	return frame_first(b);
}

/* Change the types as an entry of this kind does. */
static bool
frame_change(struct code_body *b, uint32_t kind)
{
	struct code_frame *f = &b->frame;
	uint32_t n;

	if (kind >= 248 && kind < 251) {
		if (f->n[LOCALS] < 251 - kind)
			return false;
		f->n[LOCALS] -= 251 - kind;
		return true;
	}
	if (kind > 251 && kind < 255)
		return frame_take(b, LOCALS, kind - 251);
	if (kind < 255)
		return (kind < 64 || kind == 251) || frame_take(b, STACK, 1);
	f->n[LOCALS] = 0;
	for (unsigned which = LOCALS; which <= STACK; which++) {
		if (f->end - f->at < 2)
			return false;
		n = be16(f->at);
		f->at += 2;
		if (!frame_take(b, which, n))
			return false;
	}
	return true;
}

/* Read the next entry; false: it is invalid. */
static bool
frame_step(struct code_body *b)
{
	struct code_frame *f = &b->frame;
	bool first = f->at == (const uint8_t *)b->map.s + 2;
	uint32_t kind, delta;

	if (f->at == f->end)
		return false;
	kind = *f->at++;
	delta = kind & 63;
	if (kind >= 128) {
		if (kind < 247 || f->end - f->at < 2)
			return false;
		delta = be16(f->at);
		f->at += 2;
	}
	f->pc += delta + !first;
	f->n[STACK] = 0;
	f->left--;
	return f->pc < b->size && frame_change(b, kind);
}

static void
put_type(const struct code_body *b, uint32_t type, struct buf *to)
{
	static const char *const names[] = { "top", "int", "float", "double", "long", "null", "this", NULL,
	    "new" };
	struct str desc, name;

	switch (type & 255) {
	case TYPE_OWN:
		code_text(code_class_name(b->code, b->class), to);
		return;
	case TYPE_ARGUMENT:
		desc = str_after(frame_desc(b), type >> 8);
		code_text(code_type_name((struct str){ desc.s, type_size(desc) }), to);
		return;
	case TYPE_OBJECT:
		if (code_pool_class(&b->pool, type >> 8, &name))
			code_text(name, to);
		else
			buf_printf(to, "?%u", (unsigned)(type >> 8));
		return;
	default:
		buf_str(to, str_of(names[type & 255]));
		if ((type & 255) == TYPE_NEW)
			buf_printf(to, " at %u", (unsigned)(type >> 8));
	}
}

static void
put_types(const struct code_body *b, unsigned which, struct buf *to)
{
	const uint32_t *type = SCRATCH(b->frame.types[which], uint32_t);

	buf_chr(to, '[');
	for (uint32_t i = 0; i < b->frame.n[which]; i++) {
		buf_str(to, i > 0 ? STR(", ") : STR(""));
		if (i == FRAME_SHOWN) {
			buf_str(to, STR("..."));
			break;
		}
		put_type(b, type[i], to);
	}
	buf_chr(to, ']');
}

/* Move to the frame at pc, or to the next one; false: an entry before it is invalid. */
static bool
frame_find(struct code_body *b, uint32_t pc)
{
	struct code_frame *f = &b->frame;
	bool ok = true;

	if (f->at == NULL || f->pc > pc || (f->invalid && f->pc == pc))
		ok = frame_begin(b);
	if (ok && pc == 0 && f->left > 0 && (!frame_step(b) || f->pc > 0))
		ok = frame_begin(b);
	while (ok && !f->invalid && f->pc < pc && f->left > 0)
		ok = frame_step(b);
	f->invalid |= !ok;
	return !f->invalid;
}

bool
code_frame_at(struct code_body *b, uint32_t pc, struct buf *to, struct err *err)
{
	struct code_frame *f = &b->frame;

	if (b->map.n < 2)
		return true;
	if (!scratch_array(&f->types[LOCALS], b->regs + 1ull, sizeof(uint32_t), err) ||
	    !scratch_array(&f->types[STACK], b->stack + 1ull, sizeof(uint32_t), err))
		return false;
	if (!frame_find(b, pc) || f->pc != pc)
		return true;
	put_types(b, LOCALS, to);
	if (f->n[STACK] > 0) {
		buf_str(to, STR(" stack "));
		put_types(b, STACK, to);
	}
	return true;
}
