/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mask: the second walk over a dump: copy it to the sink piece by piece and replace the values.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/chunk.h"
#include "icecore/kept.h"
#include "icecore/telling.h"
#include "redact.h"

#define KEPT_MOST 64u		/* maximum bytes of a kept text, as char[] */
#define SOME CHUNK_OF(65536u)		/* bytes of a long value processed at once */

struct masker {
	const struct redaction	*r;
	const struct learned	*l;
	const struct map	*in, *peer;	/* peer: file to compare with, or NULL */
	struct dump_walk	 w;
	struct redacted		*result;
	/* unchanged numbers of 4 or 8 bytes; position of the first one */
	uint64_t		 equal, equal_at;
	uint8_t			 name[NAME_MOST];
};

/* ---- replacement of values ----------------------------------------------------------------------- */

static bool
mask_keep(struct masker *m, uint64_t at, uint64_t end)
{
	uint8_t *to;
	size_t n;

	for (; at < end; at += n) {
		n = end - at < SINK_BLOCK ? (size_t)(end - at) : SINK_BLOCK;
		if (!work_go(m->w.work, at, m->r->err) || (to = sink_take(m->r->s, n)) == NULL)
			return false;
		memcpy(to, m->in->data + at, n);
	}
	return true;
}

static bool
mask_fill(struct masker *m, uint64_t n, uint8_t byte)
{
	uint8_t *to;
	size_t some;

	for (; n > 0; n -= some) {
		some = n < SINK_BLOCK ? (size_t)n : SINK_BLOCK;
		if ((to = sink_take(m->r->s, some)) == NULL)
			return false;
		memset(to, byte, some);
	}
	return true;
}

/* Return the first byte that masked elements of a type never contain; n if there is none. */
static size_t
strange_at(const uint8_t *p, size_t n, unsigned type)
{
	size_t i = 0;

	if (type == HEAP_BYTE)
		while (i < n && p[i] >= 'a' && p[i] <= 'z')
			i++;
	else if (type == HEAP_CHAR)
		while (i < n && (i % 2 == 0 ? p[i] == 0 : p[i] >= 'a' && p[i] <= 'z'))
			i++;
	else if (type == HEAP_BOOLEAN)
		while (i < n && p[i] <= 1)
			i++;
	else
		i = n;
	return i;
}

/*
 * Check without the key: copy the bytes of the peer, which must be masked elements and differ from the
 * input.
 */
static bool
borrow(struct masker *m, uint64_t at, uint64_t end, unsigned type)
{
	uint64_t from = at;
	/* Few flags, and parts of elements, may become themselves. */
	bool same = end - at >= (type == HEAP_BOOLEAN ? 8 : heap_width(type, 1)), has = m->peer->size >= end;
	uint8_t *to;
	size_t n, odd;

	for (; at < end; at += n) {
		n = end - at < SINK_BLOCK ? (size_t)(end - at) : SINK_BLOCK;
		if (!work_go(m->w.work, at, m->r->err) || (to = sink_take(m->r->s, n)) == NULL)
			return false;
		memset(to, 0, n);
		if (has)
			memcpy(to, m->peer->data + at, n);
		odd = has ? strange_at(to, n, type) : n;
		if (odd < n)
			return fail_at(m->r->err, E_INPUT, at + odd,
			    "check failed at byte %llu: 0x%02x is not a replacement value",
			    (unsigned long long)(at + odd), to[odd]);
		same = same && memcmp(to, m->in->data + at, n) == 0;
	}
	return !same || fail_at(m->r->err, E_INPUT, from,
	    "check failed at byte %llu: value unchanged from the input", (unsigned long long)from);
}

static bool
is_zero(const uint8_t *p, uint64_t n)
{
	return n == 0 || (p[0] == 0 && memcmp(p, p + 1, (size_t)n - 1) == 0);
}

/* Use keyed bytes from at on. */
static bool
begin(struct masker *m, struct str what, uint64_t at, uint64_t end, struct keyed_bytes *b)
{
	size_t n;

	keyed_sum(m->r->key, what);
	for (; at < end; at += n) {
		n = end - at < SINK_BLOCK ? (size_t)(end - at) : SINK_BLOCK;
		if (!work_go(m->w.work, at, m->r->err))
			return false;
		keyed_add(m->r->key, m->in->data + at, n);
	}
	keyed_end(m->r->key, b);
	return true;
}

/* ---- strings and arrays ---------------------------------------------------------------------------- */

/*
 * Mask n bytes of elements of a type. SOME is a multiple of all widths; a partial element at the end
 * becomes 0.
 */
static void
take_elements(struct keyed_bytes *b, unsigned type, uint8_t *to, size_t n)
{
	uint8_t letters[SOME / 2];

	if (type == HEAP_BYTE)
		keyed_letters(b, to, n);
	else if (type == HEAP_CHAR) {
		keyed_letters(b, letters, n / 2);
		memset(to, 0, n);
		for (size_t i = 0; i < n / 2; i++)
			to[2 * i + 1] = letters[i];
	} else {
		keyed_take(b, to, n);
		for (size_t i = 0; type == HEAP_BOOLEAN && i < n; i++)
			to[i] &= 1;
	}
}

/* No array becomes itself: a check without the key would take it for one that was not masked. */
static void
other_element(unsigned type, uint8_t *to)
{
	if (type == HEAP_BYTE || type == HEAP_CHAR)
		*to = *to == 'z' ? 'a' : (uint8_t)(*to + 1);
	else if (type != HEAP_BOOLEAN)
		*to ^= 0x55;
}

static bool
mask_put_elements(struct masker *m, struct str what, unsigned type, uint64_t at, uint64_t end)
{
	struct keyed_bytes b;
	uint8_t *to;
	size_t n;

	if (m->peer != NULL)
		return borrow(m, at, end, type);
	if (!begin(m, what, at, end, &b))
		return false;
	for (; at < end; at += n) {
		n = end - at < SOME ? (size_t)(end - at) : SOME;
		if (!work_go(m->w.work, at, m->r->err) || (to = sink_take(m->r->s, n)) == NULL)
			return false;
		take_elements(&b, type, to, n);
		if (n >= heap_width(type, 4) && memcmp(to, m->in->data + at, n) == 0)
			other_element(type, to + heap_width(type, 4) - 1);
	}
	return true;
}

/* The characters of an array equal one of the fixed texts that the analysis needs. */
static bool
is_kept(const uint8_t *p, uint64_t n, unsigned width)
{
	const char *text;
	size_t k;

	for (size_t i = 0; n <= KEPT_MOST && (text = kept_word(i)) != NULL; i++) {
		for (k = 0; k < n / width && text[k] != '\0' &&
		    p[k * width + width - 1] == (uint8_t)text[k] && (width == 1 || p[k * width] == 0); k++)
			;
		if (n > 0 && k * width == n && text[k] == '\0')
			return true;
	}
	return false;
}

static bool
put_array(struct masker *m, const struct dump_piece *p)
{
	uint64_t n = p->end - p->body;

	if ((p->type == HEAP_BYTE || p->type == HEAP_CHAR) &&
	    is_kept(m->in->data + p->body, n, heap_width(p->type, 4))) {
		m->result->kept++;
		return mask_keep(m, p->body, p->end);
	}
	m->result->arrays += n > 0;
	m->result->masked += n;
	if (m->r->o->mode == REDACT_SHAPE || is_zero(m->in->data + p->body, n))
		return mask_fill(m, n, 0);
	return mask_put_elements(m, STR("a"), p->type, p->body, p->end);
}

static bool
mask_put_text(struct masker *m, const struct dump_piece *p)
{
	m->result->texts++;
	m->result->masked += p->end - p->body;
	if (m->r->o->mode == REDACT_SHAPE)
		return mask_fill(m, p->end - p->body, 'x');
	return mask_put_elements(m, STR("t"), HEAP_BYTE, p->body, p->end);
}

/* Without the key: of the letters that replace a name, most are others than in the name. */
static bool
mask_check_name(struct masker *m, struct str name, uint64_t at)
{
	size_t letters = 0, same = 0;

	if (m->peer->size < at + name.n)
		return true;
	for (size_t i = 0; i < name.n; i++)
		if (m->name[i] == NAME_LETTER) {
			letters++;
			same += m->peer->data[at + i] == (uint8_t)name.s[i];
		}
	return 2 * same <= letters || fail_at(m->r->err, E_INPUT, at,
	    "check failed at byte %llu: value unchanged from the input", (unsigned long long)at);
}

/* A name has slashes for dots, "com/home/page/Main": only one that is a path, or has an address, may have a user. */
static bool
mask_is_path(struct str name)
{
	return name.n > 0 && (is_one_of(name.s[0], "/\\~") || str_has(name, STR(":/")) || str_has(name, STR(":\\")));
}

/* A name that stays, but not a user in it. */
static bool
mask_put_name(struct masker *m, const struct dump_piece *p, struct str name)
{
	struct user_parts users = { .rest = name };
	struct dump_piece piece = { .end = p->body };
	enum meaning means;
	struct str part;
	const bool path = mask_is_path(name);
	uint64_t at = p->body;

	for (; path && telling_user_part(&users, &part, &means); at = piece.end) {
		piece.body = (uint64_t)(part.s - (const char *)m->in->data);
		piece.end = piece.body + part.n;
		if (!mask_keep(m, at, piece.body) || !mask_put_text(m, &piece))
			return false;
	}
	return mask_keep(m, at, p->end);
}

/* Mask a string: a name, or a text if it is too long for a name. */
static bool
put_string(struct masker *m, const struct dump_piece *p)
{
	struct str name = { (const char *)m->in->data + p->body, p->end - p->body };
	unsigned use = idmap_get(&m->l->use, p->id);
	uint8_t *to;

	if ((use & USE_NAME) == 0 || (m->r->o->names != REDACT_KEEP && name.n > NAME_MOST))
		return mask_put_text(m, p);
	m->result->names++;
	m->result->shared += (use & USE_THREAD) != 0;
	if (m->r->o->names == REDACT_KEEP)
		return mask_put_name(m, p, name);
	name_mask(m->r->key, m->l, m->r->o->names, use, name, m->name);
	m->result->renamed += memcmp(m->name, name.s, name.n) != 0;
	if (m->peer != NULL && memcmp(m->name, name.s, name.n) != 0)
		return mask_check_name(m, name, p->body) && borrow(m, p->body, p->end, HEAP_OBJECT);
	if ((to = sink_take(m->r->s, name.n)) == NULL)
		return false;
	memcpy(to, m->name, name.n);
	return true;
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

/* Mask a value of at most 8 bytes that was copied to the sink. */
static void
mask_put_value(struct masker *m, unsigned type, uint64_t at, unsigned width, uint8_t *to, uint64_t *result)
{
	const uint8_t *from = m->in->data + at;

	++*result;
	m->result->masked += width;
	if (m->r->o->mode == REDACT_SHAPE || is_zero(to, width))
		memset(to, 0, width);
	else if (m->peer == NULL)
		keyed_value(m->r->key, type, from, width, to);
	else if (m->peer->size >= at + width) {
		memcpy(to, m->peer->data + at, width);
		m->equal += width >= 4 && memcmp(to, from, width) == 0;
		m->equal_at = m->equal == 1 && m->equal_at == 0 ? at : m->equal_at;
	}
}

/* Own fields of a class, as many as fit. */
static bool
put_fields(struct masker *m, const struct class_layout *c, uint64_t object, uint64_t *at, uint64_t end)
{
	const struct field_layout *f = SCRATCH(m->l->fields, struct field_layout);
	uint64_t n = 0;
	uint32_t fields;
	uint8_t *to;

	if (c->fields == 0)
		return true;
	f += c->field;
	for (fields = 0; fields < c->fields && f[fields].width <= end - *at - n; fields++)
		n += f[fields].width;
	assert(n <= SINK_BLOCK);
	if (n == 0)
		return true;
	if ((to = sink_take(m->r->s, (size_t)n)) == NULL)
		return false;
	memcpy(to, m->in->data + *at, (size_t)n);
	for (uint32_t i = 0; i < fields; to += f[i].width, *at += f[i].width, i++) {
		if (f[i].type <= HEAP_OBJECT)
			continue;
		if (f[i].kept == KEPT_ALWAYS ||
		    (f[i].kept == KEPT_COUNTED && idmap_get(&m->l->counted, object) != 0))
			m->result->kept++;
		else
			mask_put_value(m, f[i].type, *at, f[i].width, to, &m->result->fields);
	}
	return true;
}

static bool
mask_put_instance(struct masker *m, const struct dump_piece *p)
{
	uint64_t at = p->body, object = p->record.id;
	uint32_t steps = 0;

	for (const struct class_layout *c = layout_first(m->l, p->id); c != NULL && steps < LAYOUT_STEPS &&
	    at < p->end; steps += c->steps, c = layout_next(m->l, c))
		if (!put_fields(m, c, object, &at, p->end))
			return false;
	m->result->tail += p->end - at;
	m->result->masked += p->end - at;
	return mask_fill(m, p->end - at, 0);
}

/* Mask a constant or static field, and copy the bytes since the previous one. */
static bool
mask_put_member(struct masker *m, uint64_t class, const struct hprof_members *c, uint64_t from)
{
	const bool is_static = c->list == LIST_STATICS;
	size_t n = (size_t)(c->at - from);
	uint8_t *to = sink_take(m->r->s, n);

	if (to == NULL)
		return false;
	memcpy(to, m->in->data + from, n);
	if (c->type <= HEAP_OBJECT)
		return true;
	if (is_static && layout_keeps_static(m->l, class, hprof_member_name(c)))
		m->result->kept++;
	else
		mask_put_value(m, c->type, c->value, c->width, to + (c->value - from), is_static ?
		    &m->result->statics : &m->result->constants);
	return true;
}

static bool
mask_put_class(struct masker *m, const struct dump_piece *p)
{
	struct hprof_members c = hprof_members(m->in->data, m->w.id_size, &p->record);
	uint64_t at = c.at;

	if (!mask_keep(m, p->body, at))
		return false;
	for (; hprof_member(&c) && c.list != LIST_FIELDS; at = c.at)
		if (!mask_put_member(m, p->record.id, &c, at))
			return false;
	return mask_keep(m, at, p->end);
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

static bool
put_header(struct masker *m, const struct dump_piece *p)
{
	return m->r->o->no_time ? mask_keep(m, 0, p->end - 8) && mask_fill(m, 8, 0) : mask_keep(m, 0, p->end);
}

static bool
put_piece(struct masker *m, const struct dump_piece *p)
{
	if (p->at == 0)
		return put_header(m, p);
	if (!mask_keep(m, p->at, p->body))
		return false;
	switch (p->kind) {
	case PIECE_NUMBERS:
		return true;
	case PIECE_STRING:
		return put_string(m, p);
	case PIECE_CLASS:
		return mask_put_class(m, p);
	case PIECE_INSTANCE:
		return mask_put_instance(m, p);
	case PIECE_ARRAY:
		return put_array(m, p);
	case PIECE_LOST:
		break;
	}
	m->result->masked += p->end - p->body;
	return mask_fill(m, p->end - p->body, 0);
}

bool
mask(const struct redaction *r, const struct learned *l, bool loose)
{
	struct masker *m = mem_array(1, sizeof *m);
	struct dump_piece p;
	bool end = false, ok;

	if (m == NULL)
		return fail(r->err, E_SYSTEM, "out of memory (names)");
	m->r = r;
	m->l = l;
	m->in = r->in;
	m->peer = loose ? r->s->peer : NULL;
	m->result = r->result;
	r->result->size = r->in->size;
	work_start_bytes(r->work, r->s->peer != NULL ? "comparing" : "redacting", r->in->size);
	ok = walk_begin(&m->w, r->in, r->work, r->err);
	while (ok && walk_next(&m->w, &p, &end))
		ok = put_piece(m, &p);
	ok = ok && end && sink_end(r->s);
	if (ok && m->equal > 0)
		ok = fail_at(r->err, E_INPUT, m->equal_at,
		    "check failed at byte %llu: this number and %llu others are unchanged from the input",
		    (unsigned long long)m->equal_at, (unsigned long long)m->equal - 1);
	free(m);
	return ok;
}
