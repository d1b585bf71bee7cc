/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records of heap dumps, those in the segments of the heap, and what they are made of: ids, types, counts.
 *
 * A walk reports each field that it understands; the rest is one piece up to the end.
 */
#include "config.h"

#include <string.h>

#include "icecore/bytes.h"
#include "mutate.h"

enum { RECORDS, PARTS, LEVELS };

enum kind { FIELD_ID, FIELD_TYPE, FIELD_COUNT, FIELD_KINDS };

struct reader {
	const struct mutant	*m;
	size_t			 at, end;	/* of the record */
	size_t			 idsize;
	struct piece		*field;		/* of one kind; or NULL */
	size_t			 nfields;
	enum kind		 kind;
};

/* ---- the walk ------------------------------------------------------------------------- */

/* The first record and the size of ids. */
static size_t
first_record(const struct mutant *m, size_t *idsize)
{
	const uint8_t *end = m->n > 0 ? memchr(m->data, '\0', m->n < 64 ? m->n : 64) : NULL;
	size_t at = end == NULL ? m->n : (size_t)(end - m->data) + 1;

	*idsize = m->n - at >= 4 ? be32(m->data + at) : 0;
	if (*idsize != 4 && *idsize != 8)
		*idsize = 4;
	return m->n - at < 12 ? m->n : at + 12;
}

static void
field(struct reader *r, enum kind kind, size_t n)
{
	if (n > r->end - r->at)
		n = r->end - r->at;
	if (r->field != NULL && r->kind == kind && n > 0 && r->nfields < PIECES)
		r->field[r->nfields++] = (struct piece){ r->at, n };
	r->at += n;
}

static void
skip(struct reader *r, uint64_t n)
{
	r->at += n < r->end - r->at ? (size_t)n : r->end - r->at;
}

static uint32_t
number(struct reader *r, enum kind kind, size_t n)
{
	size_t at = r->at;

	if (r->end - at < n)
		n = 0;
	field(r, kind, n);
	return n == 4 ? be32(r->m->data + at) : n == 2 ? be16(r->m->data + at) : n == 1 ? r->m->data[at] : 0;
}

static size_t
width(const struct reader *r, uint32_t type)
{
	static const uint8_t widths[] = { 0, 0, 0, 0, 1, 2, 4, 8, 1, 2, 4, 8 };

	return type == 2 ? r->idsize : type < sizeof widths ? widths[type] : 0;
}

static void
class_dump(struct reader *r)
{
	field(r, FIELD_ID, r->idsize);
	skip(r, 4);
	for (int i = 0; i < 6; i++)
		field(r, FIELD_ID, r->idsize);
	(void)number(r, FIELD_COUNT, 4);
	for (uint32_t n = number(r, FIELD_COUNT, 2); n > 0 && r->at < r->end; n--) {
		skip(r, 2);
		skip(r, width(r, number(r, FIELD_TYPE, 1)));
	}
	for (uint32_t n = number(r, FIELD_COUNT, 2); n > 0 && r->at < r->end; n--) {
		field(r, FIELD_ID, r->idsize);
		field(r, FIELD_ID, width(r, number(r, FIELD_TYPE, 1)));
	}
	for (uint32_t n = number(r, FIELD_COUNT, 2); n > 0 && r->at < r->end; n--) {
		field(r, FIELD_ID, r->idsize);
		(void)number(r, FIELD_TYPE, 1);
	}
}

/* One record of a segment; what is unknown goes to its end. */
static void
part(struct reader *r)
{
	uint32_t tag = number(r, FIELD_TYPE, 1), n;

	if (tag == 0x20) {
		class_dump(r);
		return;
	}
	if (tag == 0xfe) {
		skip(r, 4);
		field(r, FIELD_ID, r->idsize);
		return;
	}
	field(r, FIELD_ID, r->idsize);
	switch (tag) {
	case 0x01: field(r, FIELD_ID, r->idsize); break;
	case 0x02: case 0x03: case 0x08: case 0x8e: skip(r, 8); break;
	case 0x04: case 0x06: skip(r, 4); break;
	case 0x05: case 0x07: case 0x89: case 0x8a: case 0x8b: case 0x8c: case 0x8d: case 0x90: case 0xff: break;
	case 0x21:
		skip(r, 4);
		field(r, FIELD_ID, r->idsize);
		/* Ids are anywhere in the values. */
		for (n = number(r, FIELD_COUNT, 4); n >= r->idsize && r->at < r->end; n -= (uint32_t)r->idsize)
			field(r, FIELD_ID, r->idsize);
		skip(r, n);
		break;
	case 0x22:
		skip(r, 4);
		n = number(r, FIELD_COUNT, 4);
		for (field(r, FIELD_ID, r->idsize); n > 0 && r->at < r->end; n--)
			field(r, FIELD_ID, r->idsize);
		break;
	case 0x23: case 0xc3:
		skip(r, 4);
		n = number(r, FIELD_COUNT, 4);
		tag = number(r, FIELD_TYPE, 1);
		skip(r, (uint64_t)n * width(r, tag));
		break;
	default:
		r->at = r->end;
	}
}

static bool
is_segment(const struct mutant *m, size_t at)
{
	return m->data[at] == 0x0c || m->data[at] == 0x1c;
}

/* The records, or what is in their segments. */
static size_t
walk(struct reader *r, unsigned level, struct piece *p)
{
	const struct mutant *m = r->m;
	size_t at = first_record(m, &r->idsize), n = 0, end, start;
	uint32_t size;

	for (; m->n - at >= 9 && n < PIECES; at = end) {
		size = be32(m->data + at + 5);
		end = size > m->n - at - 9 ? m->n : at + 9 + size;
		if (level == RECORDS)
			p[n++] = (struct piece){ at, end - at };
		r->end = end;
		r->at = at + 9;
		if (!is_segment(m, at)) {
			if (m->data[at] == 0x01 || m->data[at] == 0x02)
				skip(r, m->data[at] == 0x02 ? 4 : 0);
			field(r, FIELD_ID, r->idsize);
			continue;
		}
		while (r->at < end && n < PIECES) {
			start = r->at;
			part(r);
			if (level == PARTS)
				p[n++] = (struct piece){ start, r->at - start };
		}
	}
	return n;
}

static size_t
pieces(const struct mutant *m, unsigned level, struct piece *p)
{
	struct reader r = { .m = m };

	return walk(&r, level, p);
}

static size_t
fields(const struct mutant *m, enum kind kind, struct piece *p, size_t *idsize)
{
	struct piece all[PIECES];
	struct reader r = { .m = m, .field = p, .kind = kind };

	(void)walk(&r, RECORDS, all);
	*idsize = r.idsize;
	return r.nfields;
}

/* ---- changes ---------------------------------------------------------------------------- */

static void
put_be(uint8_t *to, uint64_t v, size_t n)
{
	while (n-- > 0) {
		to[n] = (uint8_t)v;
		v >>= 8;
	}
}

/* Another one of the file, none, or its neighbour. */
static void
change_id(struct mutant *m, struct piece a, struct piece b)
{
	switch (mutant_below(m, 4)) {
	case 0: memset(m->data + a.at, 0, a.n); break;
	case 1: m->data[a.at + a.n - 1] ^= 1; break;
	default:
		if (a.n == b.n)
			memcpy(m->data + a.at, m->data + b.at, a.n);
	}
}

/* One more or less, with or without the bytes of an id behind it; or far too many. */
static void
change_count(struct mutant *m, struct piece a, size_t idsize)
{
	uint64_t was = a.n == 4 ? be32(m->data + a.at) : a.n == 2 ? be16(m->data + a.at) : m->data[a.at];
	size_t behind = a.at + a.n, how = mutant_below(m, 6);

	if (how >= 4)
		put_be(m->data + a.at, how == 4 ? UINT64_MAX : 0, a.n);
	else
		put_be(m->data + a.at, how % 2 == 0 ? was + 1 : was - 1, a.n);
	if (how == 2)
		(void)mutant_put(m, behind, 0, m->data + behind, m->n - behind < idsize ? m->n - behind : idsize);
	else if (how == 3 && m->n - behind >= idsize)
		(void)mutant_put(m, behind, idsize, NULL, 0);
}

/* A length of a record: nothing, everything, one off, too much. */
static void
change_length(struct mutant *m, const struct piece *p, size_t n)
{
	struct piece a = p[mutant_below(m, n)];
	uint32_t real = (uint32_t)a.n - 9, lengths[] = { 0, real + 1, real - 1, UINT32_MAX, real / 2, (uint32_t)(m->n - a.at) };

	put_be(m->data + a.at + 5, lengths[mutant_below(m, sizeof lengths / sizeof lengths[0])], 4);
}

/* A segment becomes two between its records, or takes in the next one. */
static void
change_segments(struct mutant *m, const struct piece *p, size_t n)
{
	uint8_t head[9] = { 0x1c };
	struct piece parts[PIECES], a;
	size_t nparts = pieces(m, PARTS, parts), at;

	if (nparts > 0 && mutant_below(m, 2) == 0) {
		at = parts[mutant_below(m, nparts)].at;
		for (size_t i = 0; i < n; i++)
			if (p[i].at < at && at < p[i].at + p[i].n) {
				put_be(head + 5, p[i].at + p[i].n - at, 4);
				m->level = RECORDS;
				put_be(m->data + p[i].at + 5, at - p[i].at - 9, 4);
				(void)mutant_put(m, at, 0, head, sizeof head);
				return;
			}
	} else if (n > 1) {
		at = mutant_below(m, n - 1);
		a = p[at + 1];
		if (is_segment(m, p[at].at) && is_segment(m, a.at)) {
			put_be(m->data + p[at].at + 5, p[at].n + a.n - 18, 4);
			(void)mutant_put(m, a.at, 9, NULL, 0);
		}
	}
}

/* Ids of four bytes become eight, or the other way round: in the header alone, or each of them that the walk knows, too. */
static void
change_width(struct mutant *m, size_t first)
{
	static const uint8_t zeros[4];
	struct piece p[PIECES];
	size_t idsize, n = fields(m, FIELD_ID, p, &idsize);

	m->data[first - 9] ^= 4 | 8;
	if (mutant_below(m, 2) == 0)
		return;
	while (n-- > 0)
		if (p[n].n == idsize && !mutant_put(m, p[n].at, idsize == 8 ? 4 : 0, zeros, idsize == 8 ? 0 : 4))
			return;
}

static void
change(struct mutant *m)
{
	static const uint8_t types[] = { 2, 4, 5, 6, 7, 8, 9, 10, 11, 0x20, 0x21, 0x22, 0x23, 0xc3, 0xfe, 0xff };
	struct piece p[PIECES];
	size_t idsize, what = mutant_below(m, 8), n;

	n = what < 3 ? fields(m, FIELD_ID, p, &idsize) : what == 3 ? fields(m, FIELD_TYPE, p, &idsize) :
	    what == 4 ? fields(m, FIELD_COUNT, p, &idsize) : pieces(m, RECORDS, p);
	if (n == 0)
		return;
	if (what < 3)
		change_id(m, p[mutant_below(m, n)], p[mutant_below(m, n)]);
	else if (what == 3)
		m->data[p[mutant_below(m, n)].at] = types[mutant_below(m, sizeof types)];
	else if (what == 4)
		change_count(m, p[mutant_below(m, n)], idsize);
	else if (what == 5)
		change_length(m, p, n);
	else if (what == 6)
		change_segments(m, p, n);
	else if (mutant_below(m, 8) == 0 && p[0].at >= 12)
		change_width(m, p[0].at);
}

/* Lengths of the enclosing record; a change of its length alone does not change other bytes. */
static void
moves(struct mutant *m, size_t at, size_t cut, size_t n)
{
	struct piece p[PIECES];
	size_t k = m->level == PARTS || m->level == LEVELS ? pieces(m, RECORDS, p) : 0;

	for (size_t i = 0; i < k; i++)
		if (at >= p[i].at + 9 && at <= p[i].at + p[i].n && cut <= p[i].at + p[i].n - at && p[i].n >= 9) {
			put_be(m->data + p[i].at + 5, p[i].n - 9 - cut + n, 4);
			return;
		}
}

const struct mutator mutate_hprof = { .levels = LEVELS, .pieces = pieces, .change = change, .moves = moves };
