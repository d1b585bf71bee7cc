/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * levpairs FOLDER: the distances of the string pairs in a folder of known
 * answers, and the suggestions for its mistyped words, as TAP.
 *
 * pairs.tsv: a and b with \xHH escapes, and their distance, with swaps, and of
 * bytes.  bounded.tsv: a, b, the most allowed, the distance or "over".
 * large.tsv: a and b as HEX*COUNT.  suggest.tsv: "# dictionary in order: ...",
 * then words and what they suggest.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tools.h"
#include "icecore/lev.h"

static unsigned tests;

/* ---- reading ------------------------------------------------------------------- */

static bool
next_row(FILE *f, struct buf *line, struct str *cell, size_t n)
{
	struct str rest;
	size_t i;
	int c;

	buf_clear(line);
	while ((c = getc(f)) != EOF && c != '\n')
		buf_chr(line, (char)c);
	if (c == EOF && line->n == 0)
		return false;
	rest = buf_view(line);
	for (i = 0; i < n; i++)
		if (!str_split(&rest, '\t', &cell[i]))
			cell[i] = STR("");
	return true;
}

static unsigned
nibble(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
}

static struct str
unescape(struct str s, struct buf *to)
{
	size_t i;

	buf_clear(to);
	for (i = 0; i < s.n; i++) {
		if (s.n - i >= 4 && s.s[i] == '\\' && s.s[i + 1] == 'x') {
			buf_chr(to, (char)(nibble(s.s[i + 2]) << 4 | nibble(s.s[i + 3])));
			i += 3;
		} else
			buf_chr(to, s.s[i]);
	}
	return buf_view(to);
}

static struct str
repeated(struct str s, struct buf *to)
{
	uint64_t times = 0;
	struct str hex;
	size_t i;

	buf_clear(to);
	str_split(&s, '*', &hex);
	for (num_u64(s, 10, &times); times > 0; times--)
		for (i = 0; i + 1 < hex.n; i += 2)
			buf_chr(to, (char)(nibble(hex.s[i]) << 4 | nibble(hex.s[i + 1])));
	return buf_view(to);
}

/* ---- comparing -------------------------------------------------------------------- */

static uint64_t
distance(struct str a, struct str b, uint64_t max, unsigned how, uint64_t budget)
{
	uint64_t d = LEV_OVER - 1;
	struct lev *l;
	bool more = true;

	if (!lev_new(&l, how, NULL))
		return d;
	lev_start(l, a, b, max);
	while (more && lev_step(l, budget, &more, NULL))
		d = lev_distance(l);
	lev_free(l);
	return d;
}

static bool
is(struct str a, struct str b, uint64_t max, unsigned how, struct str want)
{
	static const uint64_t budgets[] = { 1, 2, 3, 7, 64, 10000, UINT64_MAX };
	uint64_t d = LEV_OVER;
	size_t i;

	if (!str_eq(want, STR("over")) && !num_u64(want, 10, &d))
		return false;
	for (i = a.n + b.n > 10000 ? 5 : 0; i < NELEM(budgets); i++)
		if (distance(a, b, max, how, budgets[i]) != d ||
		    distance(b, a, max, how, budgets[i]) != d)
			return false;
	return true;
}

static FILE *
open_table(const char *folder, const char *name)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return fopen(path, "rb");
}

static void
report(const char *name, unsigned rows, unsigned bad)
{
	printf("%sok %u - distances: %u rows of %s\n", bad > 0 || rows == 0 ? "not " : "",
	    ++tests, rows, name);
	if (bad > 0)
		printf("# %u are wrong\n", bad);
}

static bool
pair_good(const struct str *cell, struct str a, struct str b)
{
	return is(a, b, LEV_OVER, 0, cell[6]) && is(a, b, LEV_OVER, LEV_SWAPS, cell[7]) &&
	    is(a, b, LEV_OVER, LEV_BYTES, cell[8]);
}

static bool
bounded_good(const struct str *cell, struct str a, struct str b)
{
	uint64_t max;

	return num_u64(cell[2], 10, &max) && is(a, b, max, LEV_BYTES, cell[3]);
}

static bool
large_good(const struct str *cell, struct str a, struct str b)
{
	uint64_t max = 0;

	/* Without a bound the closest of them takes its time. */
	num_u64(cell[3], 10, &max);
	return is(a, b, max, 0, cell[3]) && is(a, b, max, LEV_SWAPS, cell[4]) &&
	    is(a, b, max - 1, 0, STR("over"));
}

static void
check_table(const char *folder, const char *name, size_t first,
    struct str (*read)(struct str, struct buf *),
    bool (*good)(const struct str *, struct str, struct str))
{
	struct buf line = BUF_INIT, a = BUF_INIT, b = BUF_INIT;
	unsigned rows = 0, bad = 0;
	struct str cell[9];
	FILE *f = open_table(folder, name);

	if (f == NULL)
		return;
	next_row(f, &line, cell, NELEM(cell));
	while (next_row(f, &line, cell, NELEM(cell))) {
		rows++;
		bad += !good(cell, read(cell[first], &a), read(cell[first + 1], &b));
	}
	report(name, rows, bad);
	fclose(f);
	buf_free(&line);
	buf_free(&a);
	buf_free(&b);
}

/* ---- suggestions ---------------------------------------------------------------------- */

struct words {
	struct buf	text;
	struct str	word[GUESS_WORDS];
	size_t		n;
};

static struct str
word_at(void *arg, uint64_t i)
{
	return ((const struct words *)arg)->word[i];
}

static void
read_words(struct words *w, struct str text)
{
	struct str rest, word;

	str_split(&text, ':', &rest);
	buf_str(&w->text, text);
	for (rest = buf_view(&w->text); w->n < NELEM(w->word) && str_split(&rest, ' ', &word);)
		if (word.n > 0)
			w->word[w->n++] = word;
}

/* "callers callees" from "; did you mean 'callers' or 'callees'?" */
static void
bare(const char *says, struct buf *to)
{
	struct str rest = str_of(says), part;
	bool quoted = false;

	buf_clear(to);
	for (; str_split(&rest, '\'', &part); quoted = !quoted)
		if (quoted) {
			buf_str(to, to->n > 0 ? STR(" ") : STR(""));
			buf_str(to, part);
		}
	if (to->n == 0)
		buf_chr(to, '-');
}

static void
check_guesses(const char *folder)
{
	struct words w = { .text = BUF_INIT };
	struct buf line = BUF_INIT, word = BUF_INIT, got = BUF_INIT;
	unsigned rows = 0, bad = 0;
	char says[GUESS_TEXT];
	struct str cell[2];
	FILE *f = open_table(folder, "suggest.tsv");

	if (f == NULL)
		return;
	while (next_row(f, &line, cell, NELEM(cell))) {
		if (cell[0].n > 0 && cell[0].s[0] == '#')
			read_words(&w, cell[0]);
		if (cell[1].n == 0 || str_eq(cell[0], STR("query")))
			continue;
		guess_among(unescape(cell[0], &word), word_at, &w, w.n, says, sizeof says);
		bare(says, &got);
		rows++;
		bad += !str_eq(buf_view(&got), cell[1]);
	}
	report("suggest.tsv", rows, bad);
	fclose(f);
	buf_free(&w.text);
	buf_free(&line);
	buf_free(&word);
	buf_free(&got);
}

TOOL(oracle, levpairs)
{
	if (argc != 2) {
		fprintf(stderr, "usage: levpairs FOLDER\n");
		return 2;
	}
	check_table(argv[1], "pairs.tsv", 2, unescape, pair_good);
	check_table(argv[1], "bounded.tsv", 0, unescape, bounded_good);
	check_table(argv[1], "large.tsv", 1, repeated, large_good);
	check_guesses(argv[1]);
	printf("1..%u\n", tests);
	return 0;
}
