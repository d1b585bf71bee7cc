/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text: strings of a recording, and names made from them.
 */
#include "config.h"

#include <assert.h>

#include "chunk.h"
#include "icecore/name.h"

bool
jfr_text_take(struct jfr_in *in, struct jfr_text *t)
{
	uint64_t n;

	*t = (struct jfr_text){ .kind = (uint8_t)jfr_u8(in), .body = { in->at, in->at, false } };
	switch ((enum jfr_text_kind)t->kind) {
	case TEXT_NULL:
	case TEXT_EMPTY: return !in->bad;
	case TEXT_CONSTANT:
		t->key = jfr_u64(in);
		t->body.at = t->body.end = in->at;
		return !in->bad;
	case TEXT_UTF8:
	case TEXT_UTF16:
	case TEXT_LATIN1:
		t->units = n = jfr_count(in);
		t->body.at = in->at;
		if (t->kind == TEXT_UTF16)
			jfr_skip(in, n);
		else
			jfr_bytes(in, n);
		t->body.end = in->at;
		return !in->bad;
	}
	in->bad = true;
	return false;
}

static void
add_latin(const struct jfr_text *t, struct buf *to)
{
	char c[4];

	for (const uint8_t *p = t->body.at; p < t->body.end; p++)
		buf_add(to, c, text_encode(*p, c));
}

/* Unpaired surrogates are kept. */
static void
text_add_units(struct jfr_text t, struct buf *to)
{
	uint32_t high = 0, unit;
	char c[4];

	for (; t.units > 0 && !t.body.bad; t.units--) {
		unit = (uint32_t)jfr_u64(&t.body) & 0xffff;
		if (high != 0 && unit >= 0xdc00 && unit <= 0xdfff) {
			buf_add(to, c, text_encode(0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00), c));
			high = 0;
			continue;
		}
		if (high != 0)
			buf_add(to, c, text_encode(high, c));
		high = unit >= 0xd800 && unit <= 0xdbff ? unit : 0;
		if (high == 0)
			buf_add(to, c, text_encode(unit, c));
	}
	if (high != 0)
		buf_add(to, c, text_encode(high, c));
}

void
jfr_text_add(const struct jfr_text *t, struct buf *to)
{
	switch ((enum jfr_text_kind)t->kind) {
	case TEXT_UTF8: buf_add(to, t->body.at, jfr_left(&t->body)); break;
	case TEXT_UTF16: text_add_units(*t, to); break;
	case TEXT_LATIN1: add_latin(t, to); break;
	case TEXT_NULL:
	case TEXT_EMPTY:
	case TEXT_CONSTANT: break;
	}
}

void
jfr_text_read(struct jfr_in *in, struct buf *to, uint64_t *key)
{
	struct jfr_text t;

	if (jfr_text_take(in, &t))
		jfr_text_add(&t, to);
	*key = t.key;
}

void
jfr_text_class(struct str symbol, struct buf *to)
{
	size_t depth, from = to->n;

	buf_str(to, name_lasting(name_element(symbol, &depth)));
	for (size_t i = from; !to->bad && i < to->n; i++)
		if (to->s[i] == '/')
			to->s[i] = '.';
	for (; depth > 0; depth--)
		buf_str(to, STR("[]"));
}
