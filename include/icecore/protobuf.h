/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * protobuf: read the fields of a message in place, one after another, and append fields to a buffer.
 *
 * Loaders need only these functions, so icecore has its own reader.  A library would build a tree of each
 * message first, would refuse a file because of one damaged field, and would add a schema compiler and
 * generated sources.
 */
#ifndef ICECORE_PROTOBUF_H
#define ICECORE_PROTOBUF_H

#include "icecore/str.h"

enum proto_wire { PROTO_VARINT, PROTO_8_BYTES, PROTO_BYTES, PROTO_4_BYTES = 5 };

struct proto_field {
	uint64_t	number;		/* never 0 */
	uint64_t	value;		/* value of a varint; otherwise the size in bytes */
	enum proto_wire	wire;
	/* The bytes; fewer than value if the message is truncated, see proto_whole. */
	struct str	in;
};

/*
 * Read a varint and advance s.  False: truncated, or longer than ten bytes.  Bits above the 64th are
 * dropped, as in other readers.
 */
static inline bool
proto_varint(struct str *s, uint64_t *v)
{
	const uint8_t *p = (const uint8_t *)s->s;
	size_t most = s->n < 10 ? s->n : 10;

	*v = 0;
	for (size_t i = 0; i < most; i++) {
		*v |= (uint64_t)(p[i] & 127) << 7 * i;
		if (p[i] < 128) {
			s->s += i + 1;
			s->n -= i + 1;
			return true;
		}
	}
	return false;
}

/*
 * Read the next field and advance s.  False: no more fields, a truncated or damaged key or length, or a
 * group (obsolete).
 */
static inline bool
proto_next(struct str *s, struct proto_field *f)
{
	uint64_t key;
	size_t n;

	if (!proto_varint(s, &key) || key >> 3 == 0)
		return false;
	f->number = key >> 3;
	f->wire = (enum proto_wire)(key & 7);
	f->in = (struct str){ s->s, 0 };
	if (f->wire == PROTO_VARINT)
		return proto_varint(s, &f->value);
	if (f->wire == PROTO_BYTES ? !proto_varint(s, &f->value) :
	    f->wire != PROTO_8_BYTES && f->wire != PROTO_4_BYTES)
		return false;
	if (f->wire != PROTO_BYTES)
		f->value = f->wire == PROTO_8_BYTES ? 8 : 4;
	n = f->value < s->n ? (size_t)f->value : s->n;
	f->in = (struct str){ s->s, n };
	s->s += n;
	s->n -= n;
	return true;
}

/* True if all bytes of the field are present. */
static inline bool
proto_whole(const struct proto_field *f)
{
	return f->wire == PROTO_VARINT || f->in.n == f->value;
}

/*
 * Read the next field, which must be complete.  False: no more fields, or the message is damaged; then *bad
 * is set.
 */
static inline bool
proto_next_whole(struct str *s, struct proto_field *f, bool *bad)
{
	bool some = s->n > 0;

	if (some && proto_next(s, f) && proto_whole(f))
		return true;
	*bad = *bad || some;
	return false;
}

/* The fields of a message, one after another: "PROTO_EACH(message, w) use(&w.f);" */
struct proto_walk {
	struct proto_field f;
	struct str	raw;		/* the field with its key */
	struct str	rest;		/* bytes after the field; at first the message */
	bool		bad;		/* the message is damaged there */
};

static inline bool
proto_step(struct proto_walk *w)
{
	w->raw = w->rest;
	if (!proto_next_whole(&w->rest, &w->f, &w->bad))
		return false;
	w->raw.n -= w->rest.n;
	return true;
}

#define PROTO_EACH(message, w) for (struct proto_walk w = { .rest = (message) }; proto_step(&w); )

/* ---- writing ----------------------------------------------------------------------------- */

static inline void
proto_put_varint(struct buf *b, uint64_t v)
{
	for (; v > 127; v >>= 7)
		buf_chr(b, (char)((v & 127) | 128));
	buf_chr(b, (char)v);
}

static inline void
proto_put_number(struct buf *b, uint64_t number, uint64_t v)
{
	proto_put_varint(b, number << 3 | PROTO_VARINT);
	proto_put_varint(b, v);
}

static inline void
proto_put_bytes(struct buf *b, uint64_t number, struct str bytes)
{
	proto_put_varint(b, number << 3 | PROTO_BYTES);
	proto_put_varint(b, bytes.n);
	buf_str(b, bytes);
}

#endif
