/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_lev: distances by bit vectors are those of a plain table, in slices of
 * any size, and the search finds what comparing each finds.
 *
 * The input: a byte of how, a byte of budget, then strings between newlines.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/lev.h"
#include "target.h"

#define LONGEST 300
#define STRINGS 24

static void
need(bool ok)
{
	if (!ok)
		abort();
}

static uint32_t
fold(uint32_t c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

/* Half a pair of UTF-16 is not valid UTF-8. */
static bool
is_half(struct str s)
{
	return s.n >= 2 && (unsigned char)s.s[0] == 0xed && (unsigned char)s.s[1] >= 0xa0;
}

static size_t
symbols_of(uint32_t *to, struct str s, unsigned how)
{
	size_t n = 0, step;

	for (; s.n > 0; s.s += step, s.n -= step, n++) {
		unsigned char byte = (unsigned char)s.s[0];

		step = text_decode(s, &to[n]);
		if (byte >= 0x80 && (how & LEV_BYTES || step == 1 || is_half(s))) {
			to[n] = UINT32_C(0x110000) + byte;
			step = 1;
		}
		to[n] = how & LEV_NOCASE ? fold(to[n]) : to[n];
	}
	return n;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
table(struct str word, struct str text, unsigned how)
{
	static uint64_t (*cell)[LONGEST + 1];
	uint32_t a[LONGEST], b[LONGEST];
	size_t m = symbols_of(a, word, how), n = symbols_of(b, text, how), i, j;
	uint64_t best;

	if (cell == NULL)
		cell = malloc((LONGEST + 1) * sizeof *cell);
	for (i = 0; i <= m; i++)
		for (j = 0; j <= n; j++) {
			if (i == 0 || j == 0) {
				cell[i][j] = i > 0 ? i : how & LEV_PART ? 0 : j;
				continue;
			}
			best = cell[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			best = least(best, least(cell[i - 1][j], cell[i][j - 1]) + 1);
			if (how & LEV_SWAPS && i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				best = least(best, cell[i - 2][j - 2] + 1);
			cell[i][j] = best;
		}
	best = cell[m][n];
	for (j = 0; how & LEV_PART && j <= n; j++)
		best = least(best, cell[m][j]);
	return best;
}

static uint64_t
distance(struct lev *l, struct str a, struct str b, uint64_t max, uint64_t budget)
{
	bool more = true;

	lev_start(l, a, b, max);
	while (more)
		need(lev_step(l, budget, &more, NULL));
	return lev_distance(l);
}

static struct str
candidate(void *arg, uint64_t i)
{
	return ((const struct str *)arg)[i];
}

/* The first one is the word. */
static void
check_search(const struct str *s, size_t n, unsigned how, uint64_t budget, uint64_t nearest)
{
	struct lev_ask ask = { s[0], candidate, (void *)(uintptr_t)(s + 1), n - 1, 3, LEV_OVER, how };
	const struct lev_match *m;
	struct lev_search *search;
	bool more = true;
	size_t found, i;

	need(lev_search_new(&search, &ask, NULL));
	while (more)
		need(lev_search_step(search, budget, &more, NULL));
	m = lev_search_found(search, &found, NULL);
	need(found == (n - 1 < 3 ? n - 1 : 3));
	need(found == 0 || m[0].distance == nearest);
	for (i = 0; i < found; i++)
		need(m[i].distance == table(s[0], s[1 + m[i].at], how));
	for (i = 1; i < found; i++)
		need(m[i - 1].distance <= m[i].distance);
	lev_search_free(search);
}

TARGET(lev, NULL)
{
	struct str rest = { (const char *)data + 2, size < 2 ? 0 : size - 2 }, s[STRINGS];
	uint64_t budget, d, nearest = UINT64_MAX;
	unsigned how;
	struct lev *l;
	size_t n = 0, i;

	if (size < 3)
		return;
	how = data[0] & 15;
	budget = data[1] == 0 ? UINT64_MAX : data[1];
	while (n < NELEM(s) && str_split(&rest, '\n', &s[n]))
		if (s[n].n <= LONGEST)
			n++;
	if (n == 0)
		return;
	need(lev_new(&l, how, NULL));
	for (i = 1; i < n; i++) {
		d = table(s[0], s[i], how);
		nearest = least(nearest, d);
		need(distance(l, s[0], s[i], LEV_OVER, budget) == d);
		need(distance(l, s[0], s[i], d, budget) == d);
		need(d == 0 || distance(l, s[0], s[i], d - 1, budget) == LEV_OVER);
	}
	lev_free(l);
	check_search(s, n, how, budget, nearest);
}
