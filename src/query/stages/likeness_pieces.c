/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * likeness_pieces: parts of texts that few other texts have.
 *
 * A step that changes a text changes at most one of its disjoint pieces.  Of limit + 1 pieces, counted from
 * 0, let piece i be the first up to whose end at most i steps are made.  Then exactly i steps are before it,
 * and it is unchanged.
 *
 * Any disjoint pieces will do.  The rarest are chosen, so that parts which many lines share are in no piece,
 * if possible.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "likeness.h"

#define FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define LETTERS_MAX 65536u	/* letters of a text that pieces are chosen from */
#define LETTERS_READ (LETTERS_MAX + LIKENESS_DISTANCE)	/* letters in which pieces are looked for */
#define COUNTED (1u << 24)	/* letters that are counted */
#define COSTLY (UINT32_MAX / 2)

static const uint32_t lengths_of[PIECE_LENGTHS] = { 1, 2, 3, 4, 6, 8, 12, 16 };

/* Bits of the lengths above: of short texts, and of those with room for longer pieces. */
enum { SHORT_TEXT = 0x3f, LONG_TEXT = 0xae, LONG_FROM = 32 };

uint32_t
pieces_length(unsigned size)
{
	return lengths_of[size];
}

unsigned
pieces_lengths(uint64_t letters, uint64_t limit)
{
	return letters >= LONG_FROM && letters >= 2 * (limit + 1) ? LONG_TEXT : SHORT_TEXT;
}

/* ---- letters ----------------------------------------------------------------------- */

bool
pieces_read(struct like_pieces *p, struct str text, struct err *err)
{
	uint64_t sum = 0, *sums;
	uint32_t symbol;
	size_t n;

	if (!scratch_array(&p->sums, (text.n < LETTERS_READ ? text.n : LETTERS_READ) + 1, sizeof *sums, err))
		return false;
	sums = SCRATCH(p->sums, uint64_t);
	sums[0] = 0;
	for (p->n = 0; text.n > 0 && p->n < LETTERS_READ; text.s += n, text.n -= n) {
		n = lev_symbol(text, 0, &symbol);
		sum = sum * FACTOR + symbol + 1;
		sums[++p->n] = sum;
	}
	return true;
}

static uint64_t
piece_hash(const struct like_pieces *p, uint32_t at, unsigned size)
{
	const uint64_t *sums = SCRATCH(p->sums, uint64_t);

	assert(at + lengths_of[size] <= p->n);
	return sums[at + lengths_of[size]] - sums[at] * p->power[size] + size;
}

uint64_t
pieces_key(const struct like_pieces *p, uint32_t at, unsigned size, uint32_t block)
{
	uint64_t key = (piece_hash(p, at, size) ^ (block + UINT64_C(1)) * UINT64_C(0xd6e8feb86659fd93)) * FACTOR;

	key ^= key >> 32;
	return key == 0 ? 1 : key;
}

static uint32_t *
piece_counter(const struct like_pieces *p, uint32_t at, unsigned size)
{
	uint64_t key = pieces_key(p, at, size, at >> p->block) * FACTOR;

	return &SCRATCH(p->counts, uint32_t)[(key >> 32) & p->mask];
}

/* ---- how frequent they are --------------------------------------------------------- */

bool
pieces_open(struct like_pieces *p, uint64_t limit, uint64_t letters, struct err *err)
{
	*p = (struct like_pieces){ .mask = UINT64_C(1) << 16, .block = 2, .sums = SCRATCH_INIT,
	    .counts = SCRATCH_INIT, .cost = SCRATCH_INIT, .choice = SCRATCH_INIT };
	while (p->mask < letters && p->mask < COUNTED / 4)
		p->mask *= 2;
	/* Places of equal pieces differ by at most limit: they are in the same block, or the next. */
	while (UINT64_C(1) << p->block < 4 * limit + 4)
		p->block++;
	for (unsigned size = 0; size < PIECE_LENGTHS; size++) {
		p->power[size] = 1;
		for (uint32_t i = 0; i < lengths_of[size]; i++)
			p->power[size] *= FACTOR;
	}
	return scratch_array(&p->counts, p->mask--, sizeof(uint32_t), err);
}

void
pieces_close(struct like_pieces *p)
{
	SCRATCH_FREE(&p->sums, &p->counts, &p->cost, &p->choice);
}

void
pieces_count(struct like_pieces *p, unsigned lengths)
{
	for (unsigned size = 0; size < PIECE_LENGTHS; size++)
		for (uint32_t at = 0; (lengths >> size & 1) != 0 && at + lengths_of[size] <= p->n; at++)
			++*piece_counter(p, at, size);
}

/* ---- the rarest -------------------------------------------------------------------- */

/*
 * Costs of k pieces in the first letters, from those of k - 1 pieces; how[at]: 0, or 1 more than the size of
 * a piece that ends there.
 */
static void
choose_one_more(const struct like_pieces *p, unsigned lengths, const uint32_t *less, uint32_t *cost,
    uint8_t *how, bool first)
{
	uint32_t sum, begin;

	cost[0] = COSTLY;
	for (uint32_t at = 1; at <= p->n; at++) {
		cost[at] = cost[at - 1];
		how[at] = 0;
		for (unsigned size = 0; size < PIECE_LENGTHS && lengths_of[size] <= at; size++) {
			if ((lengths >> size & 1) == 0)
				continue;
			begin = at - lengths_of[size];
			sum = (first ? 0 : less[begin]) + SCRATCH(p->cost,
			    uint32_t)[size * (p->n + UINT64_C(1)) + begin];
			if (sum < cost[at]) {
				cost[at] = sum;
				how[at] = (uint8_t)(size + 1);
			}
		}
	}
}

static void
look_up_costs(struct like_pieces *p, unsigned lengths)
{
	uint32_t *cost = SCRATCH(p->cost, uint32_t), count;

	for (unsigned size = 0; size < PIECE_LENGTHS; size++)
		for (uint32_t at = 0; (lengths >> size & 1) != 0 && at + lengths_of[size] <= p->n; at++) {
			count = *piece_counter(p, at, size);
			/* The sum of all pieces stays below COSTLY. */
			cost[size * (p->n + UINT64_C(1)) + at] = count < COUNTED ? count : COUNTED;
		}
}

bool
pieces_choose(struct like_pieces *p, unsigned n, unsigned lengths, struct err *err)
{
	uint32_t *cost, at;
	uint64_t row;
	uint8_t *how;

	p->n = p->n < LETTERS_MAX ? p->n : LETTERS_MAX;
	at = p->n;
	row = at + UINT64_C(1);
	assert(n > 0 && n <= NELEM(p->chosen) && n <= p->n);
	if (!scratch_array(&p->cost, row * (PIECE_LENGTHS + 2), sizeof *cost, err) ||
	    !scratch_array(&p->choice, row * n, 1, err))
		return false;
	look_up_costs(p, lengths);
	cost = SCRATCH(p->cost, uint32_t) + row * PIECE_LENGTHS;
	how = SCRATCH(p->choice, uint8_t);
	for (unsigned k = 0; k < n; k++)
		choose_one_more(p, lengths, cost + row * (k % 2), cost + row * ((k + 1) % 2), how + row * k,
		    k == 0);
	for (unsigned k = n; k-- > 0;) {
		while (how[row * k + at] == 0)
			at--;
		p->chosen[k].size = how[row * k + at] - 1u;
		at -= lengths_of[p->chosen[k].size];
		p->chosen[k].at = at;
	}
	return true;
}
