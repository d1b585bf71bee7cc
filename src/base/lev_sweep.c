/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lev_sweep: Myers' bit vectors, in bands.
 *
 * The table of distances has a row for each symbol of the shorter string (the word) and a column for each of the longer
 * one (the text).  64 rows are a band; in a band a column is two machine words, the bits where a cell is one more (vp)
 * or one less (vn) than the cell above it.  The bands are swept over the text in order, and the carry to the band below
 * is kept as a byte per column.  So only the masks of 64 symbols are in memory at any time, and an interrupted run
 * needs only its position.
 *
 * With at most k changes allowed, only cells near the diagonal count: cells outside are treated as larger than they
 * are, which never makes a distance within k wrong.
 */
#include "config.h"

#include <string.h>

#include "lev.h"

#define K_FIRST 64		/* changes allowed at first when there may be many */

/*
 * Bits that a band carries to the band below, per column: whether the lowest
 * cell is not more than the one to its left, whether it is less, and, as the
 * third bit, whether a swap began there.
 */
enum { CARRY_FLAT = 1, CARRY_LESS = 2, CARRY_SWAP_AT = 2 };

/* ---- masks ------------------------------------------------------------------- */

static inline uint32_t
mask_slot(uint32_t symbol)
{
	return (symbol * UINT32_C(2654435761)) >> 25;
}

static inline uint64_t
lev_sweep_mask_of(const struct masks *m, uint32_t symbol)
{
	if (symbol < NELEM(m->direct))
		return m->direct[symbol];
	if (!m->any_hashed)
		return 0;
	for (uint32_t i = mask_slot(symbol); m->hashed[i] != 0; i = (i + 1) % LEV_SLOTS)
		if (m->symbol[i] == symbol)
			return m->hashed[i];
	return 0;
}

static void
mask_add(struct masks *m, uint32_t symbol, uint64_t bit)
{
	uint32_t i;

	if (symbol < NELEM(m->direct)) {
		m->direct[symbol] |= bit;
		return;
	}
	m->any_hashed = true;
	i = mask_slot(symbol);
	while (m->hashed[i] != 0 && m->symbol[i] != symbol)
		i = (i + 1) % LEV_SLOTS;
	m->symbol[i] = symbol;
	m->hashed[i] |= bit;
}

/* Set the masks for the rows of the band; the masks must be clear. */
static void
masks_fill(struct lev *l)
{
	const struct sweep *s = &l->sweep;
	uint64_t bit = 1;

	for (size_t i = 0; i < s->rows; i++, bit <<= 1) {
		uint32_t c = lev_at(l->word, l->word->from + s->row + i);

		mask_add(&l->masks, c, bit);
		if ((l->how & LEV_NOCASE) && lev_letter(c))
			mask_add(&l->masks, c ^ 0x20, bit);
	}
}

/* Clears what masks_fill set: 64 symbols are fewer than the table has. */
static void
masks_clear(struct lev *l)
{
	const struct sweep *s = &l->sweep;

	for (size_t i = 0; i < s->rows; i++) {
		uint32_t c = lev_at(l->word, l->word->from + s->row + i);

		if (c >= NELEM(l->masks.direct))
			continue;
		l->masks.direct[c] = 0;
		if ((l->how & LEV_NOCASE) && lev_letter(c))
			l->masks.direct[c ^ 0x20] = 0;
	}
	if (l->masks.any_hashed)
		memset(l->masks.hashed, 0, sizeof l->masks.hashed);
	l->masks.any_hashed = false;
}

/* ---- a band ------------------------------------------------------------------- */

/* Return the first column of a band: one before its cells count, for the swaps. */
static size_t
first_column(const struct sweep *s, size_t row)
{
	return row > s->above ? row - s->above - 1 : 0;
}

static void
band_begin(struct lev *l)
{
	struct sweep *s = &l->sweep;
	size_t text = l->text->rest, left = l->word->rest - s->row;

	s->rows = left < LEV_BAND ? left : LEV_BAND;
	s->at = first_column(s, s->row);
	/* One column more, where a swap that ends in the next band begins. */
	s->to = s->row + s->rows + s->below + 1;
	if (s->to > text)
		s->to = text;
	s->next_at = first_column(s, s->row + LEV_BAND);
	s->score = s->least = s->next_score + s->rows;
	s->next_score = s->score;
	s->vp = ~UINT64_C(0);
	s->vn = 0;
	masks_fill(l);
	/*
	 * No swap ends in the first column: the one before it, unless the table's own, is not a true one, and a swap
	 * builds on two true ones.
	 */
	s->d0 = ~UINT64_C(0);
	s->before = 0;
}

/*
 * Moves the band on to the column to.  bytes and swaps are constants of each
 * call, and so the loop has neither question in it.
 */
static inline __attribute__((always_inline)) void
band_run(struct lev *l, size_t to, bool bytes, bool swaps)
{
	struct sweep *s = &l->sweep;
	const unsigned char *byte = (const unsigned char *)l->text->src.s + l->text->from;
	const uint32_t *wide = bytes ? NULL : l->text->wide + l->text->from;
	uint64_t vp = s->vp, vn = s->vn, d0 = s->d0, before = s->before;
	uint64_t score = s->score, least = s->least;
	unsigned bottom = (unsigned)s->rows - 1;
	uint8_t *carry = s->row + s->rows < l->word->rest ? l->carry : NULL;

	for (size_t i = s->at; i < to; i++) {
		uint64_t e = bytes ? l->masks.direct[byte[i]] : lev_sweep_mask_of(&l->masks, wide[i]);
		unsigned in = i < s->known ? l->carry[i] : s->unknown;
		uint64_t flat_in = in & CARRY_FLAT, less_in = (in & CARRY_LESS) >> 1;
		uint64_t hit = e | less_in, moved = 0, flat, less;

		if (swaps)
			moved = ~d0 & e;
		d0 = (((hit & vp) + vp) ^ vp) | hit | vn;
		if (swaps)
			d0 |= (moved << 1 | in >> CARRY_SWAP_AT) & before;
		flat = (d0 | vp) & ~vn;
		less = d0 & vp;
		score += ~flat >> bottom & 1;
		score -= less >> bottom & 1;
		least = score < least ? score : least;
		if (carry != NULL)
			carry[i] = (uint8_t)(flat >> 63 | less >> 63 << 1 | moved >> 63 << CARRY_SWAP_AT);
		flat = flat << 1 | flat_in;
		less = less << 1 | less_in;
		vp = less | (flat & ~d0);
		vn = d0 & ~flat;
		before = e;
	}
	s->at = to;
	s->vp = vp;
	s->vn = vn;
	s->d0 = d0;
	s->before = before;
	s->score = score;
	s->least = least;
}

static void
band_move(struct lev *l, size_t to)
{
	bool swaps = l->how & LEV_SWAPS;

	if (l->text->is_wide && swaps)
		band_run(l, to, false, true);
	else if (l->text->is_wide)
		band_run(l, to, false, false);
	else if (swaps)
		band_run(l, to, true, true);
	else
		band_run(l, to, true, false);
}

/* ---- the sweep ------------------------------------------------------------------ */

void
lev_done(struct lev *l, uint64_t distance)
{
	l->distance = distance <= l->limit ? distance : LEV_OVER;
	l->phase = PHASE_DONE;
}

/*
 * From the first row.  A path that leaves the diagonals between the two
 * corners must come back to them: each step outside costs two changes.
 */
static void
sweep_begin(struct lev *l, uint64_t k)
{
	struct sweep *s = &l->sweep;
	size_t text = l->text->rest, surplus = text - l->word->rest;

	s->k = k;
	s->above = s->below = SIZE_MAX / 2;
	if (!(l->how & LEV_PART)) {
		s->above = (size_t)((k - surplus) / 2);
		s->below = surplus + s->above;
	}
	s->row = s->known = 0;
	s->unknown = l->how & LEV_PART ? CARRY_FLAT : 0;
	s->next_score = 0;
	band_begin(l);
}

void
lev_sweep(struct lev *l)
{
	size_t word = l->word->rest;
	uint64_t k = l->text->rest - word + K_FIRST;

	if (word <= LEV_BAND || (l->how & LEV_PART) || k > l->limit)
		k = l->limit;
	sweep_begin(l, k);
}

void
lev_sweep_drop(struct lev *l)
{
	memset(&l->masks, 0, sizeof l->masks);
}

/* No distance within k: tries more, up to the limit. */
static void
sweep_widen(struct lev *l)
{
	uint64_t k = l->sweep.k;

	if (k >= l->limit)
		lev_done(l, LEV_OVER);
	else
		sweep_begin(l, k > l->limit / 4 ? l->limit : k * 4);
}

static void
band_end(struct lev *l)
{
	struct sweep *s = &l->sweep;
	bool last = s->row + s->rows == l->word->rest;
	uint64_t found = l->how & LEV_PART ? s->least : s->score;

	masks_clear(l);
	if (s->least > s->k || (last && found > s->k))
		sweep_widen(l);
	else if (last)
		lev_done(l, found);
	else {
		s->row += s->rows;
		s->known = s->to;
		s->unknown = 0;
		band_begin(l);
	}
}

bool
lev_step_sweep(struct lev *l, uint64_t *budget, struct err *err)
{
	struct sweep *s = &l->sweep;
	size_t n = (size_t)lev_chunk(*budget, s->to - s->at);

	(void)err;
	if (s->at < s->next_at && n > s->next_at - s->at)
		n = s->next_at - s->at;
	band_move(l, s->at + n);
	lev_spend(budget, n + 1);
	if (s->at == s->next_at)
		s->next_score = s->score;
	if (s->at == s->to) {
		lev_spend(budget, 2 * LEV_BAND);
		band_end(l);
	}
	return true;
}

