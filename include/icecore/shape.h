/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shape: messages of protobuf, declared once as lists of their fields.
 *
 * A list is a macro of F(number, member, kind).  SHAPE makes a struct of it and its reader, NAME_read.  If
 * a field comes again, the last value counts.  A field of another wire type is ignored.  An absent field is
 * 0 or empty; has_MEMBER says whether it is there.
 *
 * Fields that the list lacks are counted by their number under the name of the message.  Fields of kind
 * UNREAD hold what icecore does not show; they are counted by their name.  Fields of kind NONE are not
 * counted: they repeat and are read by SHAPE_EACH or shape_number, another reader shows them, or they have
 * no content of their own.  Name all fields that the format has.  A kind of Perfetto packet is a row of
 * src/load/perfetto/kinds.h; a kernel event is one of src/load/kernel_events.c, and a case in
 * src/load/kernel/event_player.c (tests/kernel.test).  A FLAG says that the field is there, of any type; SAME is
 * another number of a member of kind BYTES.
 */
#ifndef ICECORE_SHAPE_H
#define ICECORE_SHAPE_H

#include <string.h>

#include "icecore/bytes.h"
#include "icecore/protobuf.h"
#include "icecore/unread.h"

/*
 * A kind X of fields is its member, SHAPE_IS_X, and how it is taken from a field, SHAPE_TAKE_X.  Formats
 * may add kinds.
 */
#define SHAPE_IS_U64(member) uint64_t member; bool has_##member;
#define SHAPE_IS_I64(member) int64_t member; bool has_##member;
#define SHAPE_IS_BYTES(member) struct str member; bool has_##member;
#define SHAPE_IS_REAL(member) double member; bool has_##member;
#define SHAPE_IS_FLAG(member) bool member;
#define SHAPE_IS_SAME(member)
#define SHAPE_IS_UNREAD(member)
#define SHAPE_IS_NONE(member)
#define SHAPE_TAKE_U64(f, m, member) \
	if ((f).wire == PROTO_VARINT) { (m)->member = (f).value; (m)->has_##member = true; }
#define SHAPE_TAKE_I64(f, m, member) \
	if ((f).wire == PROTO_VARINT) { (m)->member = (int64_t)(f).value; (m)->has_##member = true; }
#define SHAPE_TAKE_BYTES(f, m, member) \
	if ((f).wire == PROTO_BYTES) { (m)->member = (f).in; (m)->has_##member = true; }
#define SHAPE_TAKE_REAL(f, m, member) \
	if ((f).wire == PROTO_8_BYTES) { memcpy(&(m)->member, (f).in.s, 8); (m)->has_##member = true; }
#define SHAPE_TAKE_FLAG(f, m, member) (m)->member = true;
#define SHAPE_TAKE_SAME(f, m, member) SHAPE_TAKE_BYTES(f, m, member)
#define SHAPE_TAKE_UNREAD(f, m, member) if (unread != NULL) unread_add_member(unread, message, #member);
#define SHAPE_TAKE_NONE(f, m, member)

#define SHAPE_MEMBER(number, member, kind) SHAPE_IS_##kind(member)
#define SHAPE_CASE(number_, member, kind) case number_: SHAPE_TAKE_##kind(*f, m, member) break;

/*
 * struct NAME, and bool NAME_read(struct str in, struct NAME *, struct unread *): false if the message is
 * damaged; then *m has the fields before the damage.  NAME_take takes one field, for messages whose fields
 * are walked anyway.  schema: the name of the message.  unread NULL: nothing is counted.
 */
#define SHAPE(name, schema, FIELDS) \
	struct name { FIELDS(SHAPE_MEMBER) }; \
	static inline void \
	name##_take(const struct proto_field *f, struct name *m, struct unread *unread) \
	{ \
		const struct str message = STR(schema); \
		(void)m; /* a message may have no field that is read */ \
		switch (f->number) { \
		FIELDS(SHAPE_CASE) \
		default: \
			if (unread != NULL) \
				unread_add_field(unread, message, f->number); \
			break; \
		} \
	} \
	static inline bool \
	name##_read(struct str in, struct name *m, struct unread *unread) \
	{ \
		struct proto_field f; \
		bool bad = false; \
		memset(m, 0, sizeof *m); \
		while (proto_next_whole(&in, &f, &bad)) \
			name##_take(&f, m, unread); \
		return !bad; \
	}

/* For each message in the fields of that number, up to damage: "SHAPE_EACH(in, 2, each) use(each);" */
#define SHAPE_EACH(message, number_, each) \
	for (struct str each##_rest = (message), each; shape_next(&each##_rest, (number_), &each); )

static inline bool
shape_next(struct str *rest, uint64_t number, struct str *in)
{
	struct proto_field f;
	bool bad = false;

	while (proto_next_whole(rest, &f, &bad))
		if (f.number == number && f.wire == PROTO_BYTES) {
			*in = f.in;
			return true;
		}
	return false;
}

/* Numbers of a repeated field, packed or not.  fixed: each takes 8 bytes, otherwise they are varints. */
struct shape_numbers {
	struct str	rest, packed;
	unsigned	field;
	bool		fixed;
};

static inline struct shape_numbers
shape_numbers(struct str message, unsigned field, bool fixed)
{
	return (struct shape_numbers){ message, STR(""), field, fixed };
}

static inline bool
shape_take_number(struct shape_numbers *n, uint64_t *v)
{
	if (!n->fixed)
		return proto_varint(&n->packed, v);
	if (n->packed.n < 8)
		return false;
	*v = le64((const uint8_t *)n->packed.s);
	n->packed = str_after(n->packed, 8);
	return true;
}

/* Take the next number; false: there is none, or the message is damaged there. */
static inline bool
shape_number(struct shape_numbers *n, uint64_t *v)
{
	struct proto_field f;
	bool bad = false;

	while (n->packed.n == 0 || !shape_take_number(n, v)) {
		n->packed = STR("");
		do
			if (!proto_next_whole(&n->rest, &f, &bad))
				return false;
		while (f.number != n->field);
		if (f.wire == PROTO_VARINT) {
			*v = f.value;
			return true;
		}
		n->packed = f.in;
	}
	return true;
}

/* For each number of that field, up to damage: "SHAPE_NUMBERS(in, 2, id) use(id);" */
#define SHAPE_NUMBERS(message, number, each) \
	for (struct shape_numbers each##_all = shape_numbers((message), (number), false); \
	    shape_number(&each##_all, &(each)); )

#endif
