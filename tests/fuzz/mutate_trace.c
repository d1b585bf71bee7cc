/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines and fields of the lists of a method trace, its records, and the packets of a stream. */
#include "config.h"

#include <string.h>

#include "mutate.h"

enum { RECORDS, LINES, FIELDS, LEVELS };

static unsigned
get16(const struct mutant *m, size_t at)
{
	return m->n - at < 2 ? 0 : m->data[at] | (unsigned)m->data[at + 1] << 8;
}

/* Where the header of the records begins; n: there is none. */
static size_t
header(const struct mutant *m)
{
	const uint8_t *hit = m->n > 0 ? memmem(m->data, m->n, "SLOW", 4) : NULL;

	return hit == NULL ? m->n : (size_t)(hit - m->data);
}

/* Their size; *first: where they begin. */
static size_t
record_size(const struct mutant *m, size_t *first)
{
	static const uint8_t sizes[] = { 9, 9, 10, 14 };
	size_t at = header(m), size;

	*first = m->n;
	if (m->n - at < 18)
		return sizes[3];
	*first = at + get16(m, at + 6);
	if (*first > m->n)
		*first = m->n;
	size = m->data[at + 4] & 15;
	size = size > 3 ? sizes[3] : size < 3 ? sizes[size] : get16(m, at + 16);
	return size < 2 || size > 64 ? sizes[3] : size;
}

/* A packet begins with thread 0. */
static size_t
item_size(const struct mutant *m, size_t at, size_t size, bool stream)
{
	unsigned kind;

	if (!stream || get16(m, at) != 0 || m->n - at < 7)
		return size;
	kind = m->data[at + 2];
	return kind == 1 ? 5u + get16(m, at + 3) : kind == 2 ? 7u + get16(m, at + 5) : m->n - at;
}

static size_t
records(const struct mutant *m, struct piece *p)
{
	size_t at, size = record_size(m, &at), head = header(m), n = 0, some;
	bool stream = m->n - head >= 18 && (m->data[head + 4] & 0xf0) != 0;

	for (; at < m->n && n < PIECES; at += some) {
		some = item_size(m, at, size, stream);
		if (some > m->n - at)
			some = m->n - at;
		p[n++] = (struct piece){ at, some };
	}
	return n;
}

static size_t
pieces(const struct mutant *m, unsigned level, struct piece *p)
{
	size_t first, end;

	if (level == RECORDS)
		return records(m, p);
	/* The lists of a stream follow its records, those of a file precede them. */
	(void)record_size(m, &first);
	end = header(m);
	if (end == 0)
		return mutant_split(m, first, m->n, level == LINES ? "\n" : "\t\n=", p);
	return mutant_split(m, 0, end, level == LINES ? "\n" : "\t\n=", p);
}

/* Fields of the header, or of a record: its thread, its method and action, its times. */
static void
change(struct mutant *m)
{
	static const uint32_t numbers[] = { 0, 1, 2, 3, 4, 9, 10, 14, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, 0xfffffffc };
	struct piece p[PIECES], a, b;
	size_t n = records(m, p), at = header(m), field;
	uint32_t value = numbers[mutant_below(m, sizeof numbers / sizeof numbers[0])];

	if (n == 0 || mutant_below(m, 8) == 0) {
		if (m->n - at >= 18)
			memcpy(m->data + at + 4 + 2 * mutant_below(m, 7), &value, 2);
		return;
	}
	a = p[mutant_below(m, n)];
	b = p[mutant_below(m, n)];
	if (a.n < 9 || b.n < 9)
		return;
	field = mutant_below(m, 4);
	if (field == 0)
		memcpy(m->data + a.at, m->data + b.at, 2);
	else if (field == 1)
		m->data[a.at + 1 + mutant_below(m, 2)] ^= (uint8_t)(1 + mutant_below(m, 3));
	else if (field == 2)
		memcpy(m->data + a.at + 1 + mutant_below(m, 2), m->data + b.at + 2, 4);
	else
		memcpy(m->data + a.at + a.n - 4 * (1 + mutant_below(m, 2)), &value, 4);
}

/* The text of a packet, or the lists behind the records, have a length in front; a wrong one ends the stream. */
static void
moves(struct mutant *m, size_t at, size_t cut, size_t n)
{
	struct piece p[PIECES];
	size_t k = m->level == RECORDS ? 0 : records(m, p), head, width;
	uint64_t size;

	for (size_t i = 0; i < k; i++) {
		if (at < p[i].at || at >= p[i].at + p[i].n || get16(m, p[i].at) != 0 || p[i].n < 7)
			continue;
		head = m->data[p[i].at + 2] == 1 ? 5 : 7;
		width = m->data[p[i].at + 2] == 3 ? 4 : 2;
		if (at < p[i].at + head)
			return;
		size = p[i].n - head - cut + n;
		for (size_t b = 0; b < width; b++)
			m->data[p[i].at + head - width + b] = (uint8_t)(size >> 8 * b);
	}
}

const struct mutator mutate_trace = {
	.levels = LEVELS, .between = { [LINES] = '\n', [FIELDS] = '\t' },
	.pieces = pieces, .change = change, .moves = moves
};
