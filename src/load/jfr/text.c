/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text: strings of a recording, and names made from them.
 */
#include "config.h"

#include <assert.h>

#include "chunk.h"
#include "icecore/name.h"

#define HOPS 8		/* maximum depth of constants that refer to constants */

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

/* Follow a slot to its meaning, one step; false: done, or nothing there. */
static bool
text_follow(struct jfr_chunk *c, struct jfr_slot *slot, uint64_t *value, struct buf *to)
{
	const struct jfr_constant *k;
	struct jfr_in in;
	uint64_t key = 0;
	const struct jfr_plan *plan;

	switch ((enum jfr_slot_kind)slot->kind) {
	case JFR_TEXT:
		in = jfr_at(c, *value);
		jfr_text_read(&in, to, &key);
		if (key == 0 || c->string == 0)
			return false;
		*slot = (struct jfr_slot){ .kind = JFR_KEY, .type = c->string - 1 };
		*value = key;
		return true;
	case JFR_KEY:
		k = jfr_constant_any(c, slot->type, *value);
		plan = k == NULL ? NULL : jfr_constant_value(c, k);
		if (plan == NULL)
			return false;
		*slot = plan->slot[0];
		*value = c->slot[0];
		return true;
	case JFR_NUMBER: buf_printf(to, "%lld", (long long)*value); return false;
	case JFR_NOTHING:
	case JFR_F32:
	case JFR_F64:
	case JFR_ARRAY:
	case JFR_KEYS: break;
	}
	return false;
}

void
jfr_text_slot(struct jfr_chunk *c, struct jfr_slot slot, uint64_t value, struct buf *to)
{
	for (unsigned hop = 0; hop < HOPS && text_follow(c, &slot, &value, to); hop++)
		;
}

void
jfr_text_constant(struct jfr_chunk *c, uint32_t type, uint64_t key, struct buf *to)
{
	jfr_text_slot(c, (struct jfr_slot){ .kind = JFR_KEY, .type = type }, key, to);
}

bool
jfr_constant_says(struct jfr_chunk *c, struct str type, struct str text)
{
	uint32_t row = jfr_type_named(c, type);
	const struct jfr_constant *k = SCRATCH(c->constants, struct jfr_constant);
	const struct jfr_plan *plan;
	struct buf b = BUF_INIT;
	bool found = false;

	for (uint64_t i = 0; i < c->nconstants && !found; i++) {
		if (k[i].type != row || (plan = jfr_constant_value(c, &k[i])) == NULL)
			continue;
		buf_clear(&b);
		jfr_text_slot(c, plan->slot[0], c->slot[0], &b);
		found = str_eq(buf_view(&b), text);
	}
	buf_free(&b);
	return found;
}

/* ---- class names ----------------------------------------------------------------------------------- */

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
