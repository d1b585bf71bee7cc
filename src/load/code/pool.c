/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool: resolve numbers in instructions: the constant pool of class files, the tables of dex files.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

enum { TAG_UTF8 = 1, TAG_LONG = 5, TAG_DOUBLE = 6, TAG_CLASS = 7, TAG_FIELD = 9, TAG_METHOD = 10,
    TAG_INTERFACE_METHOD = 11,
	TAG_NAME_AND_TYPE = 12, TAG_DYNAMIC = 17, TAG_INVOKE_DYNAMIC = 18 };

/* ---- class files ------------------------------------------------------------------------- */

/* Size of a constant after its tag (for texts, without the text); 0: no such tag. */
static const uint8_t tag_bytes[21] = { 0, 2, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2 };

#define CONSTANTS_AT 10

static bool
read_constants(struct code_pool *p)
{
	uint64_t at = CONSTANTS_AT, n;
	uint8_t tag;

	p->n = be16(p->data + 8);
	if (!mem_grow(&p->at, &p->cap, (size_t)p->n + 1, sizeof *p->at))
		return false;
	memset(p->at, 0, p->n * sizeof *p->at);
	for (uint32_t i = 1; i < p->n; i++) {
		tag = at < p->size ? p->data[at] : 0;
		n = tag < NELEM(tag_bytes) ? tag_bytes[tag] : 0;
		if (n == 0 || p->size - at < 1 + n)
			return false;
		if (tag == TAG_UTF8)
			n += be16(p->data + at + 1);
		if (p->size - at < 1 + n)
			return false;
		p->at[i] = (uint32_t)at;
		at += 1 + n;
		i += tag == TAG_LONG || tag == TAG_DOUBLE;
	}
	assert(at <= p->size);
	p->end = at;
	return true;
}

/* Return the bytes after the tag of constant i if the tag is in [low, high], otherwise NULL. */
static const uint8_t *
constant(const struct code_pool *p, uint32_t i, unsigned low, unsigned high)
{
	const uint8_t *c;

	if (i == 0 || i >= p->n || p->at[i] == 0)
		return NULL;
	assert(p->at[i] < p->size);
	c = p->data + p->at[i];
	return *c >= low && *c <= high ? c + 1 : NULL;
}

static bool
pool_class_text(const struct code_pool *p, uint32_t i, struct str *s)
{
	const uint8_t *c = constant(p, i, TAG_UTF8, TAG_UTF8);

	if (c != NULL)
		*s = (struct str){ (const char *)c + 2, be16(c) };
	return c != NULL;
}

static bool
class_reference(const struct code_pool *p, uint32_t i, struct code_ref *ref)
{
	const uint8_t *c = constant(p, i, TAG_FIELD, TAG_INTERFACE_METHOD), *named;

	ref->owner = STR("");
	ref->proto = CODE_NONE;
	if (c == NULL)
		c = constant(p, i, TAG_DYNAMIC, TAG_INVOKE_DYNAMIC);
	else if (!code_pool_class(p, be16(c), &ref->owner))
		return false;
	if (c == NULL || (named = constant(p, be16(c + 2), TAG_NAME_AND_TYPE, TAG_NAME_AND_TYPE)) == NULL)
		return false;
	return pool_class_text(p, be16(named), &ref->name) && pool_class_text(p, be16(named + 2), &ref->desc);
}

/* ---- dex files --------------------------------------------------------------------------- */

static const uint8_t table_width[6] = { 4, 4, 12, 8, 8, 32 };

static bool
read_tables(struct code_pool *p)
{
	const uint8_t *h = p->data + TABLES_AT;
	uint64_t n, at, room;

	for (size_t i = 0; i < NELEM(p->table); i++, h += 8) {
		n = le32(h);
		at = le32(h + 4);
		room = at < p->size ? (p->size - at) / table_width[i] : 0;
		p->table[i].n = (uint32_t)(n < room ? n : room);
		p->table[i].at = (uint32_t)at;
	}
	return true;
}

static const uint8_t *
pool_entry(const struct code_pool *p, enum code_table_kind table, uint32_t i)
{
	const struct code_table *t = &p->table[table];

	assert((size_t)table < NELEM(p->table));
	assert(i >= t->n || t->at + (i + 1ull) * table_width[table] <= p->size);
	return i < t->n ? p->data + t->at + (uint64_t)i * table_width[table] : NULL;
}

static bool
dex_text(const struct code_pool *p, uint32_t i, struct str *s)
{
	const uint8_t *e = pool_entry(p, DEX_STRINGS, i), *end;
	uint64_t at, units, most;

	if (e == NULL)
		return false;
	at = le32(e);
	if (!leb_u32(p->data, p->size, &at, &units))
		return false;
	/*
	 * A code unit takes at most three bytes. Without this limit each name would search the whole file
	 * for its end.
	 */
	most = p->size - at < units * 3 + 1 ? p->size - at : units * 3 + 1;
	end = most == 0 ? NULL : memchr(p->data + at, 0, most);
	if (end != NULL)
		*s = (struct str){ (const char *)p->data + at, (size_t)(end - p->data - at) };
	return end != NULL;
}

struct str
code_type_name(struct str d)
{
	if (d.n > 2 && d.s[0] == 'L' && d.s[d.n - 1] == ';')
		return (struct str){ d.s + 1, d.n - 2 };
	return d;
}

static bool
dex_descriptor(const struct code_pool *p, uint32_t i, struct str *s)
{
	const uint8_t *e = pool_entry(p, DEX_TYPES, i);

	return e != NULL && dex_text(p, le32(e), s);
}

/*
 * The numbers of the types of parameters, and how many; NULL: no such prototype, or a part is outside the
 * file.
 */
static const uint8_t *
proto_types(const struct code_pool *p, const uint8_t *e, uint64_t *n)
{
	uint64_t at = e == NULL ? 0 : le32(e + 8);

	*n = at == 0 || at > p->size || p->size - at < 4 ? 0 : le32(p->data + at);
	/* A method has at most this number of words of arguments. */
	return e == NULL || *n > 255 || (*n > 0 && (p->size - at - 4) / 2 < *n) ? NULL :
	    p->data + (*n > 0 ? at + 4 : 0);
}

bool
pool_parameter(const struct code_pool *p, uint32_t proto, uint32_t i, struct str *s)
{
	uint64_t n;
	const uint8_t *types = proto_types(p, pool_entry(p, DEX_PROTOS, proto), &n);

	return types != NULL && i < n && code_pool_class(p, le16(types + 2 * i), s);
}

bool
code_pool_proto(const struct code_pool *p, uint32_t proto, struct buf *b)
{
	const uint8_t *e = pool_entry(p, DEX_PROTOS, proto), *types;
	uint64_t n;
	struct str s;

	if ((types = proto_types(p, e, &n)) == NULL)
		return false;
	buf_chr(b, '(');
	for (uint64_t i = 0; i < n; i++) {
		if (!dex_descriptor(p, le16(types + 2 * i), &s))
			return false;
		buf_str(b, s);
	}
	buf_chr(b, ')');
	if (!dex_descriptor(p, le32(e + 4), &s))
		return false;
	buf_str(b, s);
	return true;
}

/* ---- both -------------------------------------------------------------------------------- */

bool
code_pool_open(struct code_pool *p, const uint8_t *data, uint64_t size)
{
	p->data = data;
	p->size = size;
	p->dex = size >= 4 && memcmp(data, "dex\n", 4) == 0;
	p->n = 0;
	if (p->dex)
		return size >= DEX_HEADER && read_tables(p);
	return size >= CONSTANTS_AT && read_constants(p);
}

void
code_pool_free(struct code_pool *p)
{
	free(p->at);
	*p = (struct code_pool){ .at = NULL };
}

bool
code_pool_text(const struct code_pool *p, uint32_t i, struct str *s)
{
	return p->dex ? dex_text(p, i, s) : pool_class_text(p, i, s);
}

bool
code_pool_class(const struct code_pool *p, uint32_t i, struct str *s)
{
	const uint8_t *c;

	if (p->dex) {
		if (!dex_descriptor(p, i, s))
			return false;
		*s = code_type_name(*s);
		return true;
	}
	c = constant(p, i, TAG_CLASS, TAG_CLASS);
	return c != NULL && pool_class_text(p, be16(c), s);
}

bool
code_pool_field(const struct code_pool *p, uint32_t i, struct code_ref *ref)
{
	const uint8_t *e;

	if (!p->dex)
		return class_reference(p, i, ref);
	e = pool_entry(p, DEX_FIELDS, i);
	ref->proto = CODE_NONE;
	return e != NULL && code_pool_class(p, le16(e), &ref->owner) &&
	    dex_descriptor(p, le16(e + 2), &ref->desc) &&
	    dex_text(p, le32(e + 4), &ref->name);
}

bool
code_pool_method(const struct code_pool *p, uint32_t i, struct code_ref *ref)
{
	const uint8_t *e;

	if (!p->dex)
		return class_reference(p, i, ref);
	e = pool_entry(p, DEX_METHODS, i);
	if (e == NULL)
		return false;
	ref->desc = STR("");
	ref->proto = le16(e + 2);
	return code_pool_class(p, le16(e), &ref->owner) && dex_text(p, le32(e + 4), &ref->name) &&
	    pool_entry(p, DEX_PROTOS, ref->proto) != NULL;
}

bool
code_pool_desc(const struct code_pool *p, const struct code_ref *ref, struct buf *b)
{
	if (ref->proto != CODE_NONE)
		return code_pool_proto(p, ref->proto, b);
	buf_str(b, ref->desc);
	return true;
}
