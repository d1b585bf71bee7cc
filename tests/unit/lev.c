/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lev: distances against a plain table, in slices of all sizes.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "icecore/lev.h"

#define SYMBOLS 700		/* of the longest string here */
#define LEAST(a, b) ((a) < (b) ? (a) : (b))

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t
roll(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

/* ---- the oracle ---------------------------------------------------------------- */

static uint32_t
fold(uint32_t c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

static size_t
symbols_of(uint32_t *to, struct str s, unsigned how)
{
	size_t n = 0, step;

	while (s.n > 0) {
		unsigned char byte = (unsigned char)s.s[0];

		assert_true(n < SYMBOLS);
		step = text_decode(s, &to[n]);
		/* U+FFFD itself is the one character that is valid and decodes to it. */
		if (how & LEV_BYTES || (byte >= 0x80 && to[n] == 0xfffd && (step == 1 || memcmp(s.s, "\xef\xbf\xbd", 3) != 0))) {
			to[n] = byte >= 0x80 ? UINT32_C(0x110000) + byte : byte;
			step = 1;
		}
		if (how & LEV_NOCASE)
			to[n] = fold(to[n]);
		n++;
		s.s += step;
		s.n -= step;
	}
	return n;
}

/* The whole table, cell by cell. */
static uint64_t
table(struct str word, struct str text, unsigned how)
{
	static unsigned (*cell)[SYMBOLS + 1];
	static uint32_t a[SYMBOLS], b[SYMBOLS];
	size_t m = symbols_of(a, word, how), n = symbols_of(b, text, how), i, j;
	unsigned best;

	if (cell == NULL)
		cell = malloc((SYMBOLS + 1) * sizeof *cell);
	for (j = 0; j <= n; j++)
		cell[0][j] = how & LEV_PART ? 0 : (unsigned)j;
	for (i = 1; i <= m; i++) {
		cell[i][0] = (unsigned)i;
		for (j = 1; j <= n; j++) {
			best = cell[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			best = LEAST(best, cell[i - 1][j] + 1);
			best = LEAST(best, cell[i][j - 1] + 1);
			if (how & LEV_SWAPS && i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				best = LEAST(best, cell[i - 2][j - 2] + 1);
			cell[i][j] = best;
		}
	}
	best = cell[m][n];
	for (j = 0; how & LEV_PART && j <= n; j++)
		best = LEAST(best, cell[m][j]);
	return best;
}

static uint64_t
begins(struct str word, struct str text, unsigned how)
{
	static uint32_t a[SYMBOLS], b[SYMBOLS];
	size_t m = symbols_of(a, word, how), n = symbols_of(b, text, how), i;

	for (i = 0; i < m && i < n && a[i] == b[i]; i++)
		continue;
	return i;
}

/* ---- strings ------------------------------------------------------------------------ */

/* Few letters, so that much is equal; with some, code points and bytes that are not UTF-8. */
static struct str
random_text(char *to, size_t symbols, unsigned letters, bool hostile)
{
	static const char *const odd[] = { "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\xa6\x86",
		"\xc3\xa8", "\xff", "\x80", "\xe2\x82", "\xed\xa0\x80" };
	size_t n = 0, i;

	for (i = 0; i < symbols; i++) {
		const char *c = odd[roll(NELEM(odd))];

		if (hostile && roll(4) == 0) {
			memcpy(to + n, c, strlen(c));
			n += strlen(c);
		} else
			to[n++] = (char)((roll(2) ? 'a' : 'A') + (char)roll(letters));
	}
	return (struct str){ to, n };
}

/* A copy with some changes, swaps among them. */
static struct str
vary(char *to, struct str s, size_t changes)
{
	size_t at, n = s.n;

	memcpy(to, s.s, n);
	for (; changes > 0 && n > 1; changes--) {
		at = (size_t)roll(n - 1);
		switch (roll(4)) {
		case 0:
			memmove(to + at, to + at + 1, --n - at);
			break;
		case 1:
			memmove(to + at + 1, to + at, n++ - at);
			break;
		case 2:
			to[at] = 'b';
			break;
		default:
			to[at] ^= to[at + 1];
			to[at + 1] ^= to[at];
			to[at] ^= to[at + 1];
		}
	}
	return (struct str){ to, n };
}

/* ---- two strings ---------------------------------------------------------------------- */

/* budget 0: a new one for each step. */
static uint64_t
measure(struct lev *l, struct str a, struct str b, uint64_t max, uint64_t budget)
{
	bool more = true;

	lev_start(l, a, b, max);
	while (more)
		assert_true(lev_step(l, budget == 0 ? roll(200) : budget, &more, NULL));
	return lev_distance(l);
}

static void
check_pair(struct lev *l, struct str a, struct str b, unsigned how)
{
	uint64_t want = table(a, b, how), k, got;

	got = measure(l, a, b, LEV_OVER, UINT64_MAX);
	if (got != want)
		fail_msg("how %u: %llu, not %llu: '%.*s' '%.*s'", how, (unsigned long long)got,
		    (unsigned long long)want, (int)a.n, a.s, (int)b.n, b.s);
	for (k = want > 3 ? want - 3 : 0; k < want + 3; k++) {
		got = measure(l, a, b, k, 1 + roll(500));
		if (got != (k < want ? LEV_OVER : want))
			fail_msg("how %u: %llu, not %llu within %llu: '%.*s' '%.*s'", how,
			    (unsigned long long)got, (unsigned long long)want,
			    (unsigned long long)k, (int)a.n, a.s, (int)b.n, b.s);
	}
}

static void
pairs_known(void **state)
{
	static const struct {
		const char *a, *b;
		unsigned how;
		uint64_t distance;
	} known[] = {
		{ "", "", 0, 0 }, { "", "cat", 0, 3 }, { "dog", "", 0, 3 }, { "kitten", "sitting", 0, 3 },
		{ "ca", "abc", 0, 3 }, { "ca", "abc", LEV_SWAPS, 3 },
		{ "srot", "sort", 0, 2 }, { "srot", "sort", LEV_SWAPS, 1 }, { "SORT", "sort", LEV_NOCASE, 0 },
		{ "caf\xc3\xa9", "cafe", 0, 1 }, { "caf\xc3\xa9", "cafe", LEV_BYTES, 2 },
		{ "\xff", "\xc3\xbf", 0, 1 }, { "xyz", "", LEV_PART, 3 }, { "", "xyz", LEV_PART, 0 },
		{ "onDraw", "android.view.View.onDraw(Canvas)", LEV_PART, 0 },
		{ "onDarw", "android.view.View.onDraw(Canvas)", LEV_PART | LEV_SWAPS, 1 },
		{ "7ab02d24-2d67-11e8-835d-0b1d27744c6d",
		    "80393ca4-2d67-11e8-8f7f-c7a8488e4904", 0, 21 },
	};
	struct lev *l;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(known); i++) {
		assert_true(lev_new(&l, known[i].how, NULL));
		assert_int_equal(measure(l, str_of(known[i].a), str_of(known[i].b), LEV_OVER, 7),
		    known[i].distance);
		check_pair(l, str_of(known[i].a), str_of(known[i].b), known[i].how);
		lev_free(l);
	}
	lev_free(NULL);
}

static void
pairs_random(void **state)
{
	static char a[4 * SYMBOLS], b[4 * SYMBOLS];
	struct lev *l;
	unsigned how, i;

	(void)state;
	for (how = 0; how < 16; how++) {
		assert_true(lev_new(&l, how, NULL));
		for (i = 0; i < 300; i++) {
			struct str x = random_text(a, roll(i % 3 ? 20 : 150), 1 + i % 5, i % 2);
			struct str y = i % 4 ? vary(b, x, roll(9)) :
			    random_text(b, roll(i % 3 ? 20 : 150), 1 + i % 5, i % 2);

			check_pair(l, x, y, how);
		}
		lev_free(l);
	}
}

/* Where one machine word ends and the next begins. */
static void
pairs_edges(void **state)
{
	static const size_t edge[] = { 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 256 };
	static char a[4 * SYMBOLS], b[4 * SYMBOLS];
	struct lev *l;
	size_t i, j;
	unsigned how;

	(void)state;
	for (how = 0; how < 16; how++) {
		assert_true(lev_new(&l, how, NULL));
		for (i = 0; i < NELEM(edge); i++)
			for (j = 0; j < NELEM(edge); j++)
				check_pair(l, random_text(a, edge[i], 2, j % 2),
				    random_text(b, edge[j], 2, i % 2), how);
		for (i = 0; i < NELEM(edge); i++)
			check_pair(l, random_text(a, edge[i], 3, true),
			    vary(b, (struct str){ a, edge[i] }, 1 + i), how);
		lev_free(l);
	}
}

static void
pairs_long(void **state)
{
	static const uint64_t budgets[] = { 0, 1, 2, 3, 7, 64, 10000 };
	static char a[4 * SYMBOLS], b[4 * SYMBOLS];
	struct lev *l;
	size_t i, j;
	unsigned how;

	(void)state;
	for (how = 0; how < 16; how++) {
		assert_true(lev_new(&l, how, NULL));
		for (i = 0; i < 4; i++) {
			struct str x = random_text(a, 150 + roll(60), 2, i == 3);
			struct str y = i % 2 ? vary(b, x, 1 + roll(40)) :
			    random_text(b, 150 + roll(60), 2, i == 2);
			uint64_t want = table(x, y, how);

			for (j = 0; j < NELEM(budgets); j++)
				assert_int_equal(measure(l, x, y, LEV_OVER, budgets[j]), want);
		}
		lev_free(l);
	}
}

static char *
repeat(const char *what, size_t times)
{
	size_t n = strlen(what), i;
	char *to = mem_array(times, n);

	assert_non_null(to);
	for (i = 0; i < times; i++)
		memcpy(to + i * n, what, n);
	return to;
}

/* A plain table cannot solve these pairs: it would have 10^10 cells, most of which do not matter. */
static void
pairs_huge(void **state)
{
	char *a = repeat("a", 1000000), *ab = repeat("ab", 5000), *ba = repeat("ba", 5000);
	struct lev *l;

	(void)state;
	assert_true(lev_new(&l, 0, NULL));
	assert_int_equal(measure(l, (struct str){ a, 100000 }, (struct str){ a, 100001 }, 1, 999), 1);
	assert_int_equal(measure(l, STR("b"), (struct str){ a, 1000000 }, LEV_OVER, 999), 1000000);
	assert_true(measure(l, STR("b"), (struct str){ a, 1000000 }, 10, 1) == LEV_OVER);
	assert_int_equal(measure(l, (struct str){ ab, 10000 }, (struct str){ ba, 10000 }, LEV_OVER, 9999), 2);
	assert_int_equal(measure(l, (struct str){ a, 10000 }, (struct str){ ba, 10000 }, LEV_OVER, 0), 5000);
	free(a);
	free(ab);
	free(ba);
	lev_free(l);
}

/* A job that is given up in its middle, and whose strings are gone, starts again. */
static void
pairs_given_up(void **state)
{
	static char a[4 * SYMBOLS], b[4 * SYMBOLS];
	struct str x, y;
	struct lev *l;
	bool more;
	unsigned i;

	(void)state;
	assert_true(lev_new(&l, LEV_SWAPS, NULL));
	for (i = 0; i < 300; i++) {
		lev_start(l, random_text(a, 200, 3, true), random_text(b, 200, 3, true), LEV_OVER);
		assert_true(lev_step(l, roll(3000), &more, NULL));
		x = random_text(a, roll(100), 3, true);
		y = random_text(b, roll(100), 3, true);
		assert_int_equal(measure(l, x, y, LEV_OVER, 50), table(x, y, LEV_SWAPS));
	}
	lev_free(l);
}

/* ---- one against many --------------------------------------------------------------------- */

#define CANDIDATES 400

static struct str candidates[CANDIDATES];

/* Each in the same place, so that one that is read too late shows. */
static struct str
candidate(void *arg, uint64_t i)
{
	struct buf *b = arg;

	buf_clear(b);
	buf_str(b, candidates[i]);
	return buf_view(b);
}

static uint64_t
limit(struct str word, struct str text, uint64_t max, unsigned how)
{
	static uint32_t scratch[SYMBOLS];
	size_t m = symbols_of(scratch, word, how), n = symbols_of(scratch, text, how);

	if (max != LEV_SLIPS)
		return max;
	if (n < m || how & LEV_PART)
		n = m;
	return n < 3 ? 0 : n < 5 ? 1 : n < 9 ? 2 : 3;
}

static int
by_match(const void *x, const void *y)
{
	const struct lev_match *a = x, *b = y;

	if (a->distance != b->distance)
		return a->distance < b->distance ? -1 : 1;
	if (a->begins != b->begins)
		return a->begins > b->begins ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static size_t
search_plainly(const struct lev_ask *ask, struct lev_match *m)
{
	size_t n = 0, i;

	for (i = 0; i < ask->n; i++) {
		m[n].at = i;
		m[n].distance = table(ask->word, candidates[i], ask->how);
		m[n].begins = begins(ask->word, candidates[i], ask->how);
		if (m[n].distance <= limit(ask->word, candidates[i], ask->max, ask->how))
			n++;
	}
	qsort(m, n, sizeof *m, by_match);
	return n < ask->best ? n : ask->best;
}

static void
check_search(const struct lev_ask *ask, uint64_t budget)
{
	static struct lev_match want[CANDIDATES];
	size_t n = search_plainly(ask, want), found, i;
	const struct lev_match *got;
	struct lev_search *s;
	uint64_t done;
	bool more = true;

	assert_true(lev_search_new(&s, ask, NULL));
	while (more)
		assert_true(lev_search_step(s, budget == 0 ? roll(300) : budget, &more, NULL));
	got = lev_search_found(s, &found, &done);
	assert_int_equal(done, ask->n);
	assert_int_equal(found, n);
	for (i = 0; i < n; i++) {
		assert_int_equal(got[i].at, want[i].at);
		assert_int_equal(got[i].distance, want[i].distance);
		assert_int_equal(got[i].begins, want[i].begins);
	}
	lev_search_free(s);
}

static void
search_random(void **state)
{
	static const uint64_t max[] = { 0, 1, 3, 10, LEV_SLIPS, LEV_OVER };
	static const size_t best[] = { 0, 1, 3, 20, 1000 }, words[] = { 0, 1, 2, 5, 9, 30, 64, 65, 80 };
	static char word[4 * SYMBOLS], text[CANDIDATES][4 * 100];
	struct buf scratch = BUF_INIT;
	struct lev_ask ask = { .candidate = candidate, .arg = &scratch };
	size_t i, j, k;

	(void)state;
	for (i = 0; i < NELEM(words) * 6; i++) {
		ask.word = random_text(word, words[i % NELEM(words)], 3, i % 2);
		ask.n = i % 7 == 0 ? roll(4) : 40;
		for (j = 0; j < ask.n; j++)
			candidates[j] = j % 3 == 0 ? vary(text[j], ask.word, roll(5)) :
			    random_text(text[j], roll(j % 8 ? 12 : 90), 3, j % 2);
		for (j = 0; j < NELEM(max); j++) {
			ask.max = max[j];
			ask.best = best[(i + j) % NELEM(best)];
			for (k = 0; k < 16; k++) {
				ask.how = (unsigned)k;
				check_search(&ask, k % 3 == 0 ? 0 : k % 3 == 1 ? 1 : UINT64_MAX);
			}
		}
	}
	buf_free(&scratch);
}

/* A candidate that is far too long takes no time, and one that must be compared stops no step. */
static void
search_long(void **state)
{
	char *a = repeat("a", 1000000);
	struct buf scratch = BUF_INIT;
	struct lev_ask ask = { STR("aab"), candidate, &scratch, 3, 3, 2, 0 };
	const struct lev_match *m;
	struct lev_search *s;
	unsigned steps = 0;
	bool more = true;
	size_t n;

	(void)state;
	candidates[0] = (struct str){ a, 1000000 };
	candidates[1] = STR("aabb");
	candidates[2] = (struct str){ a, 999999 };
	assert_true(lev_search_new(&s, &ask, NULL));
	assert_true(lev_search_step(s, LEV_SLICE, &more, NULL));
	assert_false(more);
	m = lev_search_found(s, &n, NULL);
	assert_int_equal(n, 1);
	assert_true(m[0].at == 1 && m[0].distance == 1 && m[0].begins == 3);
	lev_search_free(s);
	ask.max = LEV_OVER;
	assert_true(lev_search_new(&s, &ask, NULL));
	for (more = true; more; steps++)
		assert_true(lev_search_step(s, 10000, &more, NULL));
	assert_true(steps > 200 && steps < 2000);
	m = lev_search_found(s, &n, NULL);
	assert_int_equal(n, 3);
	assert_true(m[0].at == 1 && m[1].at == 2 && m[2].at == 0);
	assert_int_equal(m[1].distance, 999997);
	lev_search_free(s);
	buf_free(&scratch);
	free(a);
}

TOOL(unit, lev)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_known),
		cmocka_unit_test(pairs_random),
		cmocka_unit_test(pairs_edges),
		cmocka_unit_test(pairs_long),
		cmocka_unit_test(pairs_huge),
		cmocka_unit_test(pairs_given_up),
		cmocka_unit_test(search_random),
		cmocka_unit_test(search_long),
	};

	return cmocka_run_group_tests_name("lev", tests, NULL, NULL);
}
