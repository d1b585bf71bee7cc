/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sifted: rows that are some of others.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "lang.h"

#define GAP_MAX 64u		/* rows that a batch may skip between two */

void *
sifted_new(size_t size, const struct rows_ops *ops, bool (*wants)(struct sifted *, bool *yes),
    struct session *session, struct rows *in, struct err *err)
{
	struct sifted *s = rows_new(size, ops, session, in, err);

	if (s != NULL) {
		s->wants = wants;
		in->sifted = s;
	}
	return s;
}

void
sifted_close(struct sifted *s)
{
	scratch_free(&s->found);
	free(s->piece);
}

static struct rows *
sifted_from(const struct sifted *s)
{
	return s->from != NULL ? s->from : s->rows.in;
}

/* Look up what is known of the next n rows. */
static void
sifted_tell(struct sifted *s, size_t n)
{
	s->asked = s->next;
	s->told = s->next + n;
	if (s->tell != NULL)
		s->tell(s, n, s->known);
	else
		memset(s->known, KNOWN_NOT, n);
}

/* Count the rows that are KNOWN_TRUE, eight at once. */
static uint64_t
count_some(const uint8_t *known, uint64_t n)
{
	const uint64_t ones = UINT64_MAX / UINT8_MAX;
	uint64_t eight, some = 0;

	for (; n >= sizeof eight; n -= sizeof eight, known += sizeof eight) {
		memcpy(&eight, known, sizeof eight);
		some += (eight / KNOWN_TRUE & ones) * ones >> 56;
	}
	while (n > 0)
		some += known[--n] == KNOWN_TRUE;
	return some;
}

/* Accept the rows that are KNOWN_TRUE among n rows from next on. */
static bool
sifted_take(struct sifted *s, uint64_t n)
{
	const uint8_t *known = &s->known[s->next - s->asked];
	bool read = s->rows.untouched != COLUMNS_ALL;
	uint64_t *found;

	if (read && !scratch_array(&s->found, s->n + n, sizeof *found, &s->rows.err))
		return false;
	found = SCRATCH(s->found, uint64_t);
	for (uint64_t i = 0; read && i < n; i++) {
		found[s->n] = s->next + i;
		s->n += known[i] == KNOWN_TRUE;
	}
	s->n += read ? 0 : count_some(known, n);
	s->next += n;
	return true;
}

/* Test the next row alone. */
static bool
sifted_ask(struct sifted *s)
{
	bool yes;

	if (!rows_tick(&s->rows, s->next) || !s->wants(s, &yes))
		return false;
	s->known[s->next - s->asked] = yes ? KNOWN_TRUE : KNOWN_FALSE;
	return sifted_take(s, 1);
}

/* Test rows that are available.  Once `most` rows are found, no further row is tested alone. */
static bool
sifted_sift(struct sifted *s, uint64_t most)
{
	struct rows *from = sifted_from(s);
	size_t there = rows_next(from, s->next, rows_skip(from) ? 8 : most - s->n);
	const uint8_t *known;

	if (there == 0 || !rows_tick(&s->rows, s->next))
		return false;
	if (s->next >= s->told)
		sifted_tell(s, there);
	while (s->next < s->told) {
		known = memchr(&s->known[s->next - s->asked], KNOWN_NOT, (size_t)(s->told - s->next));
		if (!sifted_take(s, known == NULL ? s->told - s->next :
		    (uint64_t)(known - s->known) + s->asked - s->next))
			return false;
		if (known != NULL && (s->n >= most || !sifted_ask(s)))
			return s->n >= most;
	}
	return true;
}

uint64_t
sifted_reach(struct rows *r, uint64_t n)
{
	struct sifted *s = (struct sifted *)r;

	while (s->n < n && !s->ended)
		if (!sifted_sift(s, n))
			s->ended = true;
	return s->n;
}

void
sifted_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct sifted *s = (struct sifted *)r;

	rows_cell(sifted_from(s), SCRATCH(s->found, uint64_t)[row], col, c);
}

/* Count how many of n rows are close together in one batch of the input. */
static size_t
piece_size(const uint64_t *row, size_t n)
{
	size_t i = 1;

	while (i < n && row[i] - row[i - 1] <= GAP_MAX && row[i] - row[0] < BATCH)
		i++;
	return i;
}

/* Merge the type of a piece into the batch; false: they differ.  A piece of empty cells alone has no type. */
static bool
sifted_join(struct batch *b, const struct batch *piece, bool begins)
{
	if (begins) {
		b->type = piece->type;
		b->values = piece->values;
		b->of = piece->of;
		b->col = piece->col;
		b->empty = piece->empty;
		return true;
	}
	b->empty |= piece->empty;
	if (b->values != piece->values)
		return false;
	if (b->values > 0 || piece->type == CELL_NONE || piece->type == b->type)
		return true;
	if (b->type != CELL_NONE)
		return false;
	b->type = piece->type;
	return true;
}

bool
sifted_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	struct sifted *s = (struct sifted *)r;
	const uint64_t *row = SCRATCH(s->found, uint64_t) + first;
	size_t size, at;

	if (s->piece == NULL && (s->piece = mem_array(1, sizeof *s->piece)) == NULL)
		return fail(&r->err, E_SYSTEM, "out of memory (answer)");
	for (size_t done = 0; done < n; done += size) {
		size = piece_size(row + done, n - done);
		if (!rows_batch(sifted_from(s), row[done], (size_t)(row[done + size - 1] - row[done]) + 1,
		    col, s->piece))
			return false;
		for (size_t i = done; i < done + size; i++) {
			at = (size_t)(row[i] - row[done]);
			b->u[i] = s->piece->u[at];
			b->none[i] = s->piece->empty && s->piece->none[at];
		}
		if (!sifted_join(b, s->piece, done == 0))
			return false;
	}
	return true;
}
