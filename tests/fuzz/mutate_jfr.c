/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of a recording, their sizes and types, and the compressed numbers of which nearly all else is made.
 *
 * Chunks are walked as their headers say; what their sizes do not fit is one piece up to the end.
 */
#include "config.h"

#include <string.h>

#include "icecore/bytes.h"
#include "mutate.h"

enum { EVENTS, NUMBERS, LEVELS };

#define HEADER 68u
#define NUMBER_MOST 9u

static void
put_be64(uint8_t *to, uint64_t v)
{
	for (unsigned i = 8; i-- > 0; v >>= 8)
		to[i] = (uint8_t)v;
}

/* ---- the walk ------------------------------------------------------------------------- */

/* A compressed number; gives how many bytes it has, 0 at the end. */
static size_t
number(const struct mutant *m, size_t at, size_t end, uint64_t *v)
{
	size_t n;

	*v = 0;
	for (n = 0; n < NUMBER_MOST && at + n < end; n++) {
		uint8_t b = m->data[at + n];

		*v |= (uint64_t)(n == 8 ? b : b & 127) << 7 * n;
		if (n == 8 || b < 128)
			return n + 1;
	}
	return 0;
}

/* In as many bytes as are there; what does not fit loses its upper bits. */
static void
put_number(uint8_t *to, size_t n, uint64_t v)
{
	for (size_t i = 0; i < n; i++, v >>= 7)
		to[i] = (uint8_t)(i + 1 < n ? (v & 127) | 128 : n == NUMBER_MOST ? v : v & 127);
}

static bool
is_chunk(const struct mutant *m, size_t at)
{
	return m->n - at >= HEADER && memcmp(m->data + at, "FLR", 4) == 0;
}

/* Where the next event begins behind at, which may be a header of a chunk: that is gone over. */
static size_t
event(const struct mutant *m, size_t at, struct piece *p)
{
	uint64_t size;

	if (is_chunk(m, at))
		at += HEADER;
	if (number(m, at, m->n, &size) == 0 || size == 0 || size > m->n - at)
		size = m->n - at;
	*p = (struct piece){ at, (size_t)size };
	return at + (size_t)size;
}

static size_t
events(const struct mutant *m, struct piece *p)
{
	size_t n = 0;

	for (size_t at = 0; at < m->n && n < PIECES;) {
		at = event(m, at, &p[n]);
		n += p[n].n > 0;
	}
	return n;
}

static size_t
numbers(const struct mutant *m, struct piece of, struct piece *p)
{
	size_t n = 0, end = of.at + of.n, width;
	uint64_t v;

	for (size_t at = of.at; at < end && n < PIECES; at += width) {
		width = number(m, at, end, &v);
		width = width == 0 ? end - at : width;
		p[n++] = (struct piece){ at, width };
	}
	return n;
}

/* Of numbers those of one event, which differs with what is there. */
static size_t
pieces(const struct mutant *m, unsigned level, struct piece *p)
{
	struct piece all[PIECES];
	size_t n = events(m, level == EVENTS ? p : all);

	if (level == EVENTS || n == 0)
		return level == EVENTS ? n : 0;
	return numbers(m, all[(m->chance >> 33) % n], p);
}

/* ---- changes ---------------------------------------------------------------------------- */

/* Version, size, times, state and flags of a chunk. */
static void
change_header(struct mutant *m)
{
	static const uint64_t values[] = { 0, 1, 68, 0x7f, 0xffff, 1000000000, INT64_MAX, UINT64_MAX, (uint64_t)1 << 63 };
	size_t field = mutant_below(m, 10), at = 0, next = mutant_below(m, m->n);
	uint8_t *hit = memmem(m->data + next, m->n - next, "FLR", 4);

	if (hit != NULL && is_chunk(m, (size_t)(hit - m->data)))
		at = (size_t)(hit - m->data);
	else if (!is_chunk(m, 0))
		return;
	if (field < 7)
		put_be64(m->data + at + 8 + 8 * field, values[mutant_below(m, sizeof values / sizeof values[0])]);
	else if (field < 9)
		m->data[at + (field == 7 ? 64 : 67)] = (uint8_t)mutant_below(m, 256);
	else
		m->data[at + 5 + 2 * mutant_below(m, 2)] = (uint8_t)mutant_below(m, 4);
}

static void
change_number(struct mutant *m, struct piece a, struct piece b)
{
	static const uint64_t values[] = { 0, 1, 2, 3, 5, 0x7f, 0x3fff, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX };
	uint8_t copy[NUMBER_MOST];
	uint64_t v;

	if (a.n > NUMBER_MOST || b.n > NUMBER_MOST)
		return;
	switch (mutant_below(m, 4)) {
	case 0:
		put_number(m->data + a.at, a.n, values[mutant_below(m, sizeof values / sizeof values[0])]);
		break;
	case 1:
		(void)number(m, a.at, a.at + a.n, &v);
		put_number(m->data + a.at, a.n, v + mutant_below(m, 3) - 1);
		break;
	case 2:
		put_number(copy, NUMBER_MOST, values[mutant_below(m, sizeof values / sizeof values[0])]);
		(void)mutant_put(m, a.at, a.n, copy, NUMBER_MOST);
		break;
	default:
		(void)mutant_put(m, a.at, a.n, m->data + b.at, b.n);
	}
}

/* The size of an event, or its type, that of another one as well. */
static void
change_event(struct mutant *m, struct piece a, struct piece b)
{
	uint64_t v, other;
	size_t width = number(m, a.at, a.at + a.n, &v), from = number(m, b.at, b.at + b.n, &other);
	size_t type = number(m, a.at + width, a.at + a.n, &v), type_b = number(m, b.at + from, b.at + b.n, &other);

	if (width == 0 || from == 0 || type == 0 || type_b == 0)
		return;
	if (mutant_below(m, 3) == 0)
		put_number(m->data + a.at, width, mutant_below(m, 2) == 0 ? a.n + mutant_below(m, 5) - 2 : mutant_below(m, m->n));
	else if (mutant_below(m, 2) == 0)
		put_number(m->data + a.at + width, type, mutant_below(m, 3));
	else
		put_number(m->data + a.at + width, type, other);
}

static void
change(struct mutant *m)
{
	struct piece p[PIECES], some[PIECES];
	size_t n = events(m, p), k, what = mutant_below(m, 8);

	if (n == 0 || what == 0) {
		change_header(m);
	} else if (what < 3) {
		change_event(m, p[mutant_below(m, n)], p[mutant_below(m, n)]);
	} else {
		k = numbers(m, p[mutant_below(m, n)], some);
		change_number(m, some[mutant_below(m, k)], some[mutant_below(m, k)]);
	}
}

/* The size of the event around it and that of the chunk. */
static void
moves(struct mutant *m, size_t at, size_t cut, size_t n)
{
	size_t chunk = m->n, next;
	struct piece p;
	uint64_t size;

	for (size_t begin = 0; begin < m->n && begin <= at; begin = next) {
		if (is_chunk(m, begin))
			chunk = begin;
		next = event(m, begin, &p);
		if (at <= p.at || at >= next || cut > next - at)
			continue;
		if (at > p.at + 4 && (m->level == NUMBERS || m->level == LEVELS))
			put_number(m->data + p.at, number(m, p.at, next, &size), p.n - cut + n);
	}
	if (chunk < m->n && at >= chunk + HEADER)
		put_be64(m->data + chunk + 8, be64(m->data + chunk + 8) - cut + n);
}

const struct mutator mutate_jfr = { .levels = LEVELS, .pieces = pieces, .change = change, .moves = moves };
