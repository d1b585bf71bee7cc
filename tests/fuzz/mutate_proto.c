/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of a message of protobuf, those of the messages in it, and their numbers. */
#include "config.h"

#include <string.h>

#include "icecore/protobuf.h"
#include "mutate.h"

/* Fields of the input, of the messages in it, of those in these, and so on. */
enum { FIELDS, INNER, DEEP, DEEPEST, LEVELS };

static size_t
place(const struct mutant *m, struct str rest)
{
	return (size_t)((const uint8_t *)rest.s - m->data);
}

/* Fields of a message from n on; what is behind the last whole one is none. */
static size_t
take_fields(const struct mutant *m, struct str in, struct piece *p, size_t n)
{
	struct proto_field f;
	size_t at = place(m, in);

	for (; n < PIECES && proto_next(&in, &f) && proto_whole(&f); at = place(m, in))
		p[n++] = (struct piece){ at, place(m, in) - at };
	return n;
}

/* Each time another part of a large input: earlier bytes are skipped. */
static struct str
begin(const struct mutant *m)
{
	struct str all = { (const char *)m->data, m->n }, rest = all;
	size_t skip = m->n > 4096 ? (size_t)(m->chance >> 33) % (m->n / 2) : 0;
	struct proto_field f;

	while (place(m, rest) < skip && proto_next(&rest, &f) && proto_whole(&f))
		;
	return rest.n == 0 ? all : rest;
}

/* Fields of the messages among n fields. */
static size_t
take_inner(const struct mutant *m, const struct piece *from, size_t n, struct piece *p)
{
	struct proto_field f;
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		struct str rest = { (const char *)m->data + from[i].at, from[i].n };

		if (proto_next(&rest, &f) && f.wire == PROTO_BYTES && f.number != 6)
			k = take_fields(m, f.in, p, k);
	}
	return k;
}

static size_t
pieces(const struct mutant *m, unsigned level, struct piece *p)
{
	struct piece outer[PIECES];
	size_t n = m->n == 0 ? 0 : take_fields(m, begin(m), p, 0);

	for (unsigned i = FIELDS; i < level && level < LEVELS; i++) {
		memcpy(outer, p, n * sizeof *p);
		n = take_inner(m, outer, n, p);
	}
	return n;
}

/* Another number: near, far, an id of another table, a negative one, or one in too many bytes. */
static void
change(struct mutant *m)
{
	static const struct {
		const char	*bytes;
		size_t		 n;
	} numbers[] = {
		{ "\0", 1 }, { "\1", 1 }, { "\2", 1 }, { "\3", 1 }, { "\5", 1 }, { "\x7f", 1 }, { "\x80\1", 2 }, { "\xff\xff\xff\xff\x0f", 5 },
		{ "\x80\x80\x80\x80\x10", 5 }, { "\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 9 }, { "\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 10 },
		{ "\x80\x80\x80\x80\x80\x80\x80\x80\x80\1", 10 }, { "\x81\x80\x80\0", 4 }, { "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\1", 11 }
	};
	struct piece p[PIECES], some;
	size_t k = mutant_below(m, sizeof numbers / sizeof numbers[0]), n;

	m->level = (unsigned)mutant_below(m, LEVELS);
	n = pieces(m, m->level, p);
	m->level = LEVELS;
	if (n == 0)
		return;
	some = p[mutant_below(m, n)];
	/* Its key, mostly of one byte, stays. */
	if (some.n > 1)
		(void)mutant_put(m, some.at + 1, (m->data[some.at] & 7) == PROTO_VARINT ? some.n - 1 : 1, numbers[k].bytes, numbers[k].n);
}

/* The length of a message around it, as long as it has as many bytes as before. */
static void
move_length(struct mutant *m, const struct piece *of, size_t at, size_t cut, size_t n)
{
	size_t key = 1 + (m->data[of->at] > 127), in = of->at + key, size;
	bool longer = of->n > key + 1 && m->data[in] > 127;
	uint8_t *length = &m->data[in];

	in += 1 + longer;
	size = of->at + of->n - in;
	if ((m->data[of->at] & 7) != PROTO_BYTES || of->n <= key || at < in || at > in + size || cut > in + size - at)
		return;
	size = size - cut + n;
	if (longer && size < 1u << 14) {
		length[0] = (uint8_t)(size | 128);
		length[1] = (uint8_t)(size >> 7);
	} else if (!longer && size < 128)
		*length = (uint8_t)size;
}

/* From the innermost message outwards: where one is depends on the lengths around it. */
static void
moves(struct mutant *m, size_t at, size_t cut, size_t n)
{
	struct piece p[PIECES];

	for (unsigned level = m->level; level-- > FIELDS; )
		for (size_t i = pieces(m, level, p); i-- > 0; )
			if (at > p[i].at && at - p[i].at < p[i].n)
				move_length(m, &p[i], at, cut, n);
}

const struct mutator mutate_proto = { .levels = LEVELS, .pieces = pieces, .change = change, .moves = moves };
