/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lev_search: one word against many candidates.
 *
 * Most words and names are short: a word of at most 64 symbols gets its masks once, and eight candidates at a time are
 * compared with them, two in each of four vectors.  Candidates are copied as codes: a byte for each symbol, with
 * letters in one case if case is ignored.  Longer strings use the job for two strings.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "lev.h"

#define LANES 8
#define LANE_MAX 256		/* bytes */
#define WORD_MAX 64		/* symbols */
#define BEST_MAX 1000
#define CODE_WIDE 0x80		/* codes from here on are the word's own symbols that are not ASCII */
#define CODE_OTHER 0xff		/* a symbol that the word has not */
#define LOOK 8			/* units for a candidate that is not compared */

/* Two lanes: what every machine with vectors has registers for. */
typedef uint64_t two __attribute__((vector_size(2 * sizeof(uint64_t))));

/* The last column of two lanes. */
struct lane_column {
	two	vp, vn, d0, before;
};

struct lev_lane {
	unsigned char	code[LANE_MAX];
	size_t		n;
	uint64_t	at;		/* the candidate */
};

struct lev_search {
	struct lev_ask	 ask;
	uint64_t	 at;		/* candidates looked at */
	struct lev_match *match;	/* in order */
	size_t		 n;
	struct lev	*pair;		/* at the candidate at, when comparing */
	bool		 comparing;
	bool		 is_short;
	unsigned char	 code[WORD_MAX];
	size_t		 word;		/* symbols */
	uint32_t	 wide[WORD_MAX];
	size_t		 nwide;
	unsigned char	 plain[256];	/* codes of bytes that are symbols */
	uint64_t	 mask[256];	/* by code */
	struct lev_lane	 lane[LANES];
	size_t		 filled;
};

/* ---- what is best ------------------------------------------------------------ */

static bool
lev_search_better(const struct lev_match *a, const struct lev_match *b)
{
	if (a->distance != b->distance)
		return a->distance < b->distance;
	if (a->begins != b->begins)
		return a->begins > b->begins;
	return a->at < b->at;
}

static void
lev_search_keep(struct lev_search *s, const struct lev_match *m)
{
	size_t i;

	if (s->n == s->ask.best) {
		if (s->n == 0 || !lev_search_better(m, &s->match[s->n - 1]))
			return;
		s->n--;
	}
	for (i = s->n++; i > 0 && lev_search_better(m, &s->match[i - 1]); i--)
		s->match[i] = s->match[i - 1];
	s->match[i] = *m;
}

/* No distance above it is of use any more. */
static uint64_t
lev_search_highest(const struct lev_search *s, uint64_t limit)
{
	uint64_t worst;

	if (s->n == 0 || s->n < s->ask.best)
		return limit;
	worst = s->match[s->n - 1].distance;
	return worst < limit ? worst : limit;
}

/* ---- codes ------------------------------------------------------------------- */

static unsigned char
code_of(const struct lev_search *s, uint32_t symbol)
{
	if (symbol < CODE_WIDE || (s->ask.how & LEV_BYTES))
		return (unsigned char)lev_fold(symbol, s->ask.how);
	for (size_t i = 0; i < s->nwide; i++)
		if (s->wide[i] == symbol)
			return (unsigned char)(CODE_WIDE + i);
	return CODE_OTHER;
}

/* Write up to max codes of src; return their number, or max + 1 if there are more. */
static size_t
codes_of(const struct lev_search *s, unsigned char *code, size_t max, struct str src)
{
	uint32_t symbol;
	size_t n = 0, step;

	while (src.n > 0) {
		if (n == max)
			return max + 1;
		step = lev_symbol(src, s->ask.how, &symbol);
		code[n++] = code_of(s, symbol);
		src.s += step;
		src.n -= step;
	}
	return n;
}

/* codes_of() for text in which each byte is a symbol. */
static void
codes_plain(const struct lev_search *s, unsigned char *code, struct str src)
{
	if (!(s->ask.how & LEV_NOCASE) && src.n > 0) {
		memcpy(code, src.s, src.n);
		return;
	}
	for (size_t i = 0; i < src.n; i++)
		code[i] = s->plain[(unsigned char)src.s[i]];
}

/* Names the symbols of the word that are not ASCII. */
static void
name_wide(struct lev_search *s)
{
	struct str rest = s->ask.word;
	uint32_t symbol;
	size_t step;

	while (rest.n > 0 && !(s->ask.how & LEV_BYTES)) {
		step = lev_symbol(rest, s->ask.how, &symbol);
		if (symbol >= CODE_WIDE && code_of(s, symbol) == CODE_OTHER)
			s->wide[s->nwide++] = symbol;
		rest.s += step;
		rest.n -= step;
	}
}

static void
word_read(struct lev_search *s)
{
	/* Before the symbols have names, only their number counts. */
	s->word = codes_of(s, s->code, WORD_MAX, s->ask.word);
	s->is_short = s->word > 0 && s->word <= WORD_MAX;
	if (!s->is_short)
		return;
	name_wide(s);
	for (size_t i = 0; i < NELEM(s->plain); i++)
		s->plain[i] = (unsigned char)lev_fold((uint32_t)i, s->ask.how);
	codes_of(s, s->code, WORD_MAX, s->ask.word);
	for (size_t i = 0; i < s->word; i++)
		s->mask[s->code[i]] |= UINT64_C(1) << i;
}

static uint64_t
lev_search_begins(const struct lev_search *s, const struct lev_lane *l)
{
	size_t i = 0;

	while (i < s->word && i < l->n && s->code[i] == l->code[i])
		i++;
	return i;
}

/* ---- eight at a time ----------------------------------------------------------- */

static void
lane_done(struct lev_search *s, const struct lev_lane *l, uint64_t distance)
{
	struct lev_match m = { .at = l->at, .distance = distance };

	if (distance > lev_search_highest(s, lev_limit(s->ask.max, s->word, l->n, s->ask.how)))
		return;
	m.begins = lev_search_begins(s, l);
	lev_search_keep(s, &m);
}

/* The last cell of a column: the first is n, and the bits lead down from there. */
static uint64_t
lane_cell(const struct lev_search *s, uint64_t n, uint64_t vp, uint64_t vn)
{
	uint64_t rows = ~UINT64_C(0) >> (64 - s->word);

	return n + (uint64_t)__builtin_popcountll(vp & rows) - (uint64_t)__builtin_popcountll(vn & rows);
}

/* The nearest end after from among the lanes that extend beyond it; from if none does. */
static size_t
next_end(const struct lev_search *s, size_t from)
{
	size_t end = SIZE_MAX;

	for (size_t i = 0; i < s->filled; i++)
		if (s->lane[i].n > from && s->lane[i].n < end)
			end = s->lane[i].n;
	return end == SIZE_MAX ? from : end;
}

static inline __attribute__((always_inline)) struct lane_column
column_next(struct lane_column c, two e, bool swaps)
{
	two swap = ~c.d0 & e, flat;

	c.d0 = (((e & c.vp) + c.vp) ^ c.vp) | e | c.vn;
	if (swaps)
		c.d0 |= swap << 1 & c.before;
	flat = ((c.d0 | c.vp) & ~c.vn) << 1;
	c.vp = (c.d0 & c.vp) << 1 | (flat & ~c.d0);
	c.vn = c.d0 & ~flat;
	c.before = e;
	return c;
}

/* Takes the lanes on from one column to another. */
static inline __attribute__((always_inline)) void
lanes_move(const struct lev_search *s, struct lane_column *c, size_t i, size_t end, bool swaps)
{
	const struct lev_lane *l = s->lane;
	const uint64_t *mask = s->mask;
	struct lane_column a = c[0], b = c[1], d = c[2], f = c[3];

	for (; i < end; i++) {
		a = column_next(a, (two){ mask[l[0].code[i]], mask[l[1].code[i]] }, swaps);
		b = column_next(b, (two){ mask[l[2].code[i]], mask[l[3].code[i]] }, swaps);
		d = column_next(d, (two){ mask[l[4].code[i]], mask[l[5].code[i]] }, swaps);
		f = column_next(f, (two){ mask[l[6].code[i]], mask[l[7].code[i]] }, swaps);
	}
	c[0] = a;
	c[1] = b;
	c[2] = d;
	c[3] = f;
}

/* All lanes run until the longest ends; results of a lane beyond its own end are ignored. */
static inline __attribute__((always_inline)) void
lanes_run(struct lev_search *s, bool swaps)
{
	const struct lane_column first = { .vp = ~(two){ 0 } };
	struct lane_column c[LANES / 2] = { first, first, first, first };
	size_t i = 0, end;

	for (;;) {
		for (size_t j = 0; j < s->filled; j++)
			if (s->lane[j].n == i)
				lane_done(s, &s->lane[j], lane_cell(s, i,
				    c[j / 2].vp[j % 2], c[j / 2].vn[j % 2]));
		if ((end = next_end(s, i)) == i)
			break;
		lanes_move(s, c, i, end, swaps);
		i = end;
	}
	s->filled = 0;
}

static void
lanes_flush(struct lev_search *s)
{
	if (s->ask.how & LEV_SWAPS)
		lanes_run(s, true);
	else
		lanes_run(s, false);
}

/* The word against the nearest part of one lane: the first row is 0 all along. */
static void
lane_part(struct lev_search *s, const struct lev_lane *l)
{
	uint64_t vp = ~UINT64_C(0), vn = 0, d0 = 0, before = 0;
	uint64_t score = s->word, least = score, e, swap, flat, less;
	unsigned bottom = (unsigned)s->word - 1;

	for (size_t i = 0; i < l->n; i++) {
		e = s->mask[l->code[i]];
		swap = s->ask.how & LEV_SWAPS ? (~d0 & e) << 1 & before : 0;
		d0 = (((e & vp) + vp) ^ vp) | e | vn | swap;
		flat = (d0 | vp) & ~vn;
		less = d0 & vp;
		score += ~flat >> bottom & 1;
		score -= less >> bottom & 1;
		least = score < least ? score : least;
		flat = flat << 1 | 1;
		vp = less << 1 | (flat & ~d0);
		vn = d0 & ~flat;
		before = e;
	}
	lane_done(s, l, least);
}

/* ---- candidates ------------------------------------------------------------------ */

/* Whether strings of these lengths may be near enough. */
static bool
length_fits(const struct lev_search *s, size_t least, size_t most)
{
	uint64_t limit = lev_search_highest(s, lev_limit(s->ask.max, s->word, most, s->ask.how));

	if (s->ask.how & LEV_PART)
		return most >= s->word || s->word - most <= limit;
	return least > s->word ? least - s->word <= limit :
	    most >= s->word || s->word - most <= limit;
}

/* Try a candidate that is short enough for a lane. */
static void
try_short(struct lev_search *s, struct str c, uint64_t *budget)
{
	struct lev_lane *l = &s->lane[s->filled];
	bool plain = (s->ask.how & LEV_BYTES) || lev_ascii(c);

	lev_spend(budget, LOOK);
	l->at = s->at++;
	if (!length_fits(s, plain ? c.n : (c.n + 3) / 4, c.n))
		return;
	l->n = c.n;
	if (plain)
		codes_plain(s, l->code, c);
	else
		l->n = codes_of(s, l->code, LANE_MAX, c);
	lev_spend(budget, l->n);
	if (s->ask.how & LEV_PART)
		lane_part(s, l);
	else if (++s->filled == LANES)
		lanes_flush(s);
}

static bool
try_long(struct lev_search *s, uint64_t *budget, struct err *err)
{
	struct lev_match m = { .at = s->at };
	uint64_t slice = *budget < LEV_CHUNK ? *budget : LEV_CHUNK;

	lev_spend(budget, slice);
	if (!lev_step(s->pair, slice, &s->comparing, err))
		return false;
	if (s->comparing)
		return true;
	s->at++;
	m.distance = lev_distance(s->pair);
	m.begins = s->pair->begins;
	if (m.distance != LEV_OVER)
		lev_search_keep(s, &m);
	return true;
}

static bool
try_next(struct lev_search *s, uint64_t *budget, struct err *err)
{
	struct str c;

	if (s->comparing)
		return try_long(s, budget, err);
	c = s->ask.candidate(s->ask.arg, s->at);
	if (s->is_short && c.n <= LANE_MAX) {
		try_short(s, c, budget);
		return true;
	}
	lev_spend(budget, LOOK);
	lev_start(s->pair, s->ask.word, c, s->ask.max == LEV_SLIPS ? LEV_SLIPS :
	    lev_search_highest(s, s->ask.max));
	s->comparing = true;
	return true;
}

/* ---- the job ---------------------------------------------------------------------- */

bool
lev_search_new(struct lev_search **search, const struct lev_ask *ask, struct err *err)
{
	struct lev_search *s = mem_array(1, sizeof *s);

	*search = NULL;
	if (s == NULL)
		return fail(err, E_SYSTEM, "out of memory (search)");
	s->ask = *ask;
	if (s->ask.best > BEST_MAX)
		s->ask.best = BEST_MAX;
	s->match = mem_array(s->ask.best, sizeof *s->match);
	if (s->match == NULL || !lev_new(&s->pair, ask->how, NULL)) {
		lev_search_free(s);
		return fail(err, E_SYSTEM, "out of memory (search)");
	}
	word_read(s);
	*search = s;
	return true;
}

void
lev_search_free(struct lev_search *s)
{
	if (s == NULL)
		return;
	lev_free(s->pair);
	free(s->match);
	free(s);
}

bool
lev_search_step(struct lev_search *s, uint64_t budget, bool *more, struct err *err)
{
	uint64_t left = budget > 0 ? budget : 1;

	*more = false;
	while (s->at < s->ask.n && left > 0)
		if (!try_next(s, &left, err)) {
			s->at = s->ask.n;
			return false;
		}
	*more = s->at < s->ask.n;
	if (!*more && s->filled > 0)
		lanes_flush(s);
	return true;
}

const struct lev_match *
lev_search_found(const struct lev_search *s, size_t *n, uint64_t *done)
{
	*n = s->n;
	if (done != NULL)
		*done = s->at - s->filled;
	return s->match;
}
