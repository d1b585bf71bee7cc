/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * show: print the operands of an instruction.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

enum { TAG_INTEGER = 3, TAG_FLOAT = 4, TAG_LONG = 5, TAG_DOUBLE = 6, TAG_CLASS = 7, TAG_STRING = 8,
    TAG_FIELD = 9,
	TAG_METHOD_TYPE = 16 };

/* ---- as in Java source ------------------------------------------------------------------- */

/* Return the character after the backslash; 0: c needs no backslash. */
static char
show_escape_of(uint32_t c)
{
	switch (c) {
	case '"': case '\\': return (char)c;
	case '\n': return 'n';
	case '\r': return 'r';
	case '\t': return 't';
	default: return 0;
	}
}

static bool
needs_number(uint32_t c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000);
}

static void
show_put_string(struct str s, struct buf *b)
{
	uint32_t c;
	size_t n;

	buf_chr(b, '"');
	for (; s.n > 0; s = str_after(s, n)) {
		n = modified_decode(s, &c);
		if (show_escape_of(c) != 0)
			buf_printf(b, "\\%c", show_escape_of(c));
		else if (needs_number(c))
			buf_printf(b, "\\u%04x", (unsigned)c);
		else
			modified_put((struct str){ s.s, n }, c, b);
	}
	buf_chr(b, '"');
}

#define REAL_PLACES 17		/* digits that identify any double */

/*
 * Find the fewest digits, at least two, that convert back to the number; return the text with an exponent,
 * and the number of decimals.
 */
static int
show_shortest(double d, bool narrow, char *text, size_t size, int *exponent)
{
	int places = 0;

	do
		snprintf(text, size, "%.*e", ++places, d);
	while (places < REAL_PLACES && (narrow ? strtof(text, NULL) != (float)d : strtod(text, NULL) != d));
	*exponent = atoi(strchr(text, 'e') + 1);
	return places;
}

/* Formats like Double.toString. */
static void
put_real(double d, bool narrow, struct buf *b)
{
	char text[48];
	int exponent, places;

	if (isnan(d) || isinf(d)) {
		buf_str(b, isnan(d) ? STR("NaN") : d < 0 ? STR("-Infinity") : STR("Infinity"));
		return;
	}
	places = show_shortest(d, narrow, text, sizeof text, &exponent);
	if (d != 0 && (exponent < -3 || exponent >= 7)) {
		*strchr(text, 'e') = '\0';
		buf_printf(b, "%sE%d", text, exponent);
		return;
	}
	snprintf(text, sizeof text, "%.*f", places > exponent ? places - exponent : 1, d);
	for (size_t n = strlen(text); text[n - 1] == '0' && text[n - 2] != '.'; n--)
		text[n - 1] = '\0';
	buf_str(b, str_of(text));
}

static void
show_put_number(const uint8_t *c, unsigned tag, struct buf *b)
{
	uint64_t wide = (uint64_t)be32(c) << 32 | be32(c + (tag == TAG_LONG || tag == TAG_DOUBLE ? 4 : 0));
	uint32_t narrow = be32(c);
	double d;
	float f;

	memcpy(&d, &wide, sizeof d);
	memcpy(&f, &narrow, sizeof f);
	switch (tag) {
	case TAG_INTEGER: buf_printf(b, "%" PRId32, (int32_t)narrow); return;
	case TAG_LONG: buf_printf(b, "%" PRId64 "L", (int64_t)wide); return;
	case TAG_FLOAT: put_real((double)f, true, b); break;
	default: put_real(d, false, b); break;
	}
	buf_chr(b, tag == TAG_FLOAT ? 'f' : 'd');
}

/* ---- references of instructions ------------------------------------------------------------ */

static void
show_put_part(struct buf *b, size_t from)
{
	if (b->n > from)
		buf_str(b, STR(", "));
}

/* Append "a.b.C.name" and, for a method, its descriptor. */
static void
put_ref(const struct code_pool *p, const struct code_ref *ref, bool method, struct buf *b)
{
	if (ref->owner.n > 0) {
		code_text(ref->owner, b);
		buf_chr(b, '.');
	}
	code_text(ref->name, b);
	if (method)
		code_pool_desc(p, ref, b);
}

static void
put_constant(const struct code_pool *p, uint32_t i, struct buf *b)
{
	const uint8_t *c = i > 0 && i < p->n && p->at[i] != 0 ? p->data + p->at[i] : NULL;
	struct code_ref ref;
	struct str s;

	if (c == NULL)
		buf_printf(b, "?%u", (unsigned)i);
	else if (*c >= TAG_INTEGER && *c <= TAG_DOUBLE)
		show_put_number(c + 1, *c, b);
	else if (*c == TAG_CLASS && code_pool_class(p, i, &s))
		code_text(s, b);
	else if (*c == TAG_STRING && code_pool_text(p, be16(c + 1), &s))
		show_put_string(s, b);
	else if (*c == TAG_METHOD_TYPE && code_pool_text(p, be16(c + 1), &s))
		code_text(s, b);
	else if (code_pool_method(p, i, &ref))
		put_ref(p, &ref, *c != TAG_FIELD, b);
	else
		buf_printf(b, "#%u", (unsigned)i);
}

/* Append what the index of a dex instruction refers to, for example a string, field, method or class. */
static void
put_index(const struct code_pool *p, const struct insn *i, struct buf *b)
{
	uint8_t op = i->code;
	struct code_ref ref;
	struct str s;
	bool ok;

	if (op == 0x1a || op == 0x1b) {
		if ((ok = code_pool_text(p, i->index, &s)))
			show_put_string(s, b);
	} else if ((op >= 0x52 && op <= 0x6d) || (op >= 0x6e && op <= 0x78) || op == 0xfa || op == 0xfb) {
		ok = op <= 0x6d ? code_pool_field(p, i->index, &ref) : code_pool_method(p, i->index, &ref);
		if (ok)
			put_ref(p, &ref, op > 0x6d, b);
	} else if (op == 0xff)
		ok = code_pool_proto(p, i->index, b);
	else if (op >= 0xfc) {
		ok = true;
		buf_printf(b, "#%u", (unsigned)i->index);
	} else if ((ok = code_pool_class(p, i->index, &s)))
		code_text(s, b);
	if (!ok)
		buf_printf(b, "?%u", (unsigned)i->index);
}

static void
put_registers(const struct insn *i, struct buf *b)
{
	bool list = i->op->form >= FORM_35C;

	if (list)
		buf_chr(b, '{');
	if (i->range && i->nregs > 0)
		buf_printf(b, "v%u..v%u", (unsigned)i->reg[0], (unsigned)(i->reg[0] + i->nregs - 1));
	for (uint32_t k = 0; !i->range && k < i->nregs; k++)
		buf_printf(b, "%sv%u", k > 0 ? ", " : "", (unsigned)i->reg[k]);
	if (list)
		buf_chr(b, '}');
}

static void
put_dex(const struct code_body *body, const struct insn *i, struct buf *b, size_t from)
{
	uint8_t form = i->op->form;

	put_registers(i, b);
	if (form == FORM_21H)
		buf_printf(b, ", 0x%" PRIx64, i->code == 0x15 ? ((uint64_t)i->value << 16 & UINT32_MAX) :
		    (uint64_t)i->value << 48);
	else if (form == FORM_11N || form == FORM_21S || form == FORM_22B || form == FORM_22S ||
	    form == FORM_31I || form == FORM_51L)
		buf_printf(b, ", %" PRId64, i->value);
	if (i->index != CODE_NONE) {
		show_put_part(b, from);
		put_index(&body->pool, i, b);
	}
	if (form == FORM_31T && i->code == 0x26)
		buf_printf(b, ", %" PRId64, i->value);
}

static void
put_jvm(const struct code_body *body, const struct insn *i, struct buf *b)
{
	static const char *const types[] = { "boolean", "char", "float", "double", "byte", "short", "int",
	    "long" };

	if (i->nregs > 0 && (i->op->form == FORM_SLOT || i->op->form == FORM_INC))
		buf_printf(b, "%u", (unsigned)i->reg[0]);
	if (i->op->form == FORM_INC || i->op->form == FORM_BYTE || i->op->form == FORM_SHORT)
		buf_printf(b, "%s%" PRId64, i->nregs > 0 ? ", " : "", i->value);
	if (i->op->form == FORM_ARRAY)
		buf_str(b, i->value >= 4 && i->value <= 11 ? str_of(types[i->value - 4]) : STR("?"));
	if (i->index != CODE_NONE)
		put_constant(&body->pool, i->index, b);
	if (i->op->form == FORM_MULTI)
		buf_printf(b, ", %" PRId64, i->value);
}

void
code_operands(const struct code_body *body, const struct insn *i, struct buf *b)
{
	size_t from = b->n;
	int64_t key, target;

	if (i->op == NULL) {
		if (i->size > 0)
			buf_printf(b, "%u units", (unsigned)i->size);
		else if (i->pc < body->size)
			buf_printf(b, "0x%02x",
			    (unsigned)body->insns[body->pool.dex ? 2 * (size_t)i->pc : i->pc]);
		return;
	}
	if (body->pool.dex)
		put_dex(body, i, b, from);
	else
		put_jvm(body, i, b);
	for (uint32_t k = 0; k < i->cases; k++) {
		target = code_case(body, i, k, &key);
		show_put_part(b, from);
		buf_printf(b, "%" PRId64 ": %" PRId64, key, target);
	}
	if (i->target < 0)
		return;
	show_put_part(b, from);
	buf_printf(b, "%s%" PRId64, i->cases > 0 ? "default: " : "", i->target);
}
