/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lev: the distance of two strings: their symbols, their common ends, and then the sweep over the middle.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "lev.h"

#define FOREIGN 0x110000	/* symbols above are bytes of invalid UTF-8 */

/* ---- symbols ----------------------------------------------------------------- */

size_t
lev_symbol(struct str src, unsigned how, uint32_t *symbol)
{
	unsigned char c = (unsigned char)src.s[0];
	size_t n;

	*symbol = c;
	if (c < 0x80 || (how & LEV_BYTES))
		return 1;
	n = text_decode(src, symbol);
	/* Half a pair of UTF-16 is invalid in UTF-8. */
	if (n > 1 && (c != 0xed || (unsigned char)src.s[1] < 0xa0))
		return n;
	*symbol = FOREIGN + c;
	return 1;
}

bool
lev_ascii(struct str s)
{
	uint64_t eight, high = 0;
	size_t i;

	for (i = 0; i + 8 <= s.n; i += 8) {
		memcpy(&eight, s.s + i, 8);
		high |= eight;
	}
	if (s.n >= 8) {
		memcpy(&eight, s.s + s.n - 8, 8);
		return ((high | eight) & UINT64_C(0x8080808080808080)) == 0;
	}
	for (; i < s.n; i++)
		high |= (unsigned char)s.s[i];
	return (high & 0x80) == 0;
}

/* Read the side again from its start, as code points. */
static bool
side_widen(struct lev_side *s, struct err *err)
{
	if (!mem_grow(&s->wide, &s->cap, s->src.n, sizeof *s->wide))
		return fail(err, E_SYSTEM, "out of memory (comparing strings of %zu bytes)",
		    s->src.n);
	s->is_wide = true;
	s->read = s->n = 0;
	return true;
}

static bool
side_read(struct lev_side *s, unsigned how, uint64_t *budget, struct err *err)
{
	size_t n = (size_t)lev_chunk(*budget, s->src.n - s->read), end = s->read + n;

	lev_spend(budget, n);
	if (how & LEV_BYTES) {
		s->read = s->n = s->src.n;
		return true;
	}
	if (!s->is_wide) {
		if (!lev_ascii((struct str){ s->src.s + s->read, n }))
			return side_widen(s, err);
		s->read = s->n = end;
		return true;
	}
	while (s->read < end)
		s->read += lev_symbol((struct str){ s->src.s + s->read,
		    s->src.n - s->read }, how, &s->wide[s->n++]);
	return true;
}

/* ---- equal ends ---------------------------------------------------------------- */

uint64_t
lev_limit(uint64_t max, size_t a, size_t b, unsigned how)
{
	size_t n = a > b || (how & LEV_PART) ? a : b;

	if (max == LEV_SLIPS)
		return n < 3 ? 0 : n < 5 ? 1 : n < 9 ? 2 : 3;
	return max < n ? max : n;
}

static bool
step_read(struct lev *l, uint64_t *budget, struct err *err)
{
	struct lev_side *s = l->side;

	if (s->read == s->src.n)
		s++;
	if (s->read < s->src.n && !side_read(s, l->how, budget, err))
		return false;
	if (l->side[0].read < l->side[0].src.n || l->side[1].read < l->side[1].src.n)
		return true;
	l->limit = lev_limit(l->max, l->side[0].n, l->side[1].n, l->how);
	l->phase = PHASE_BEGIN;
	return true;
}

/* Number of equal ones among the next n symbols, from the front or from the back. */
static size_t
equal_run(const struct lev *l, size_t n, bool front)
{
	const struct lev_side *a = &l->side[0], *b = &l->side[1];
	size_t i, at;

	for (i = 0; i < n; i++) {
		at = l->equal + i;
		if (lev_fold(lev_at(a, front ? at : a->n - 1 - at), l->how) !=
		    lev_fold(lev_at(b, front ? at : b->n - 1 - at), l->how))
			break;
	}
	return i;
}

/* Counts equal symbols at one end; true when all are counted. */
static bool
count_equal(struct lev *l, size_t most, bool front, uint64_t *budget)
{
	size_t n = (size_t)lev_chunk(*budget, most - l->equal);
	size_t run = equal_run(l, n, front);

	l->equal += run;
	lev_spend(budget, run + 1);
	return run < n || l->equal == most;
}

static size_t
shorter(const struct lev *l)
{
	return l->side[0].n < l->side[1].n ? l->side[0].n : l->side[1].n;
}

static bool
step_begin(struct lev *l, uint64_t *budget, struct err *err)
{
	(void)err;
	if (count_equal(l, shorter(l), true, budget)) {
		l->begins = l->equal;
		l->equal = 0;
		l->phase = PHASE_END;
	}
	return true;
}

/* Cut the equal ends off both sides; the shorter rest becomes the word. */
static void
cut_ends(struct lev *l)
{
	bool part = l->how & LEV_PART;

	for (struct lev_side *s = l->side; s < l->side + 2; s++) {
		s->from = part ? 0 : l->begins;
		s->rest = s->n - s->from - l->equal;
	}
	l->word = &l->side[0];
	l->text = &l->side[1];
	if (!part && l->word->rest > l->text->rest) {
		l->word = &l->side[1];
		l->text = &l->side[0];
	}
}

static bool
ends_cut(struct lev *l, struct err *err)
{
	uint64_t word, text;

	cut_ends(l);
	word = l->word->rest;
	text = l->text->rest;
	if (word == 0)
		lev_done(l, l->how & LEV_PART ? 0 : text);
	else if (text == 0)
		lev_done(l, word);
	else if (l->how & LEV_PART ? word > text && word - text > l->limit :
	    text - word > l->limit)
		lev_done(l, LEV_OVER);
	else if (word > LEV_BAND && !mem_grow(&l->carry, &l->carry_cap, (size_t)text, 1))
		return fail(err, E_SYSTEM, "out of memory (comparing strings)");
	else {
		l->phase = PHASE_SWEEP;
		lev_sweep(l);
	}
	return true;
}

static bool
step_end(struct lev *l, uint64_t *budget, struct err *err)
{
	if (!(l->how & LEV_PART) &&
	    !count_equal(l, shorter(l) - l->begins, false, budget))
		return true;
	return ends_cut(l, err);
}

/* ---- the job -------------------------------------------------------------------------- */

bool
lev_new(struct lev **l, unsigned how, struct err *err)
{
	*l = mem_array(1, sizeof **l);
	if (*l == NULL)
		return fail(err, E_SYSTEM, "out of memory (comparing strings)");
	(*l)->how = how;
	(*l)->phase = PHASE_DONE;
	return true;
}

void
lev_free(struct lev *l)
{
	if (l == NULL)
		return;
	free(l->side[0].wide);
	free(l->side[1].wide);
	free(l->carry);
	free(l);
}

static void
side_start(struct lev_side *s, struct str src)
{
	s->src = src;
	s->is_wide = false;
	s->read = s->n = 0;
}

/* Whether their lengths alone set the strings apart; a symbol has at most 4 bytes. */
static bool
far_apart(const struct lev *l, struct str a, struct str b)
{
	size_t most = a.n < b.n ? a.n : b.n, more = a.n < b.n ? b.n : a.n;
	size_t least = l->how & LEV_BYTES ? more : more / 4;

	return !(l->how & LEV_PART) && least > most &&
	    least - most > (l->max == LEV_SLIPS ? 3 : l->max);
}

void
lev_start(struct lev *l, struct str a, struct str b, uint64_t max)
{
	if (l->phase == PHASE_SWEEP)
		lev_sweep_drop(l);
	side_start(&l->side[0], a);
	side_start(&l->side[1], b);
	l->max = max;
	l->begins = l->equal = 0;
	l->limit = 0;
	l->phase = PHASE_READ;
	if (far_apart(l, a, b))
		lev_done(l, LEV_OVER);
}

bool
lev_step(struct lev *l, uint64_t budget, bool *more, struct err *err)
{
	static bool (*const steps[])(struct lev *, uint64_t *, struct err *) = {
		[PHASE_READ] = step_read, [PHASE_BEGIN] = step_begin,
		[PHASE_END] = step_end, [PHASE_SWEEP] = lev_step_sweep
	};
	uint64_t left = budget > 0 ? budget : 1;

	while (l->phase != PHASE_DONE && left > 0)
		if (!steps[l->phase](l, &left, err)) {
			l->phase = PHASE_DONE;
			l->distance = LEV_OVER;
			*more = false;
			return false;
		}
	*more = l->phase != PHASE_DONE;
	return true;
}

uint64_t
lev_distance(const struct lev *l)
{
	return l->distance;
}
