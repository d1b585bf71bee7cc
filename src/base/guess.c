/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * guess: suggestions for a mistyped word.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/lev.h"

#define GUESS_SHOWN 3
#define GUESS_LONGEST 256		/* bytes of words that get a suggestion */
#define GUESS_PART 3			/* bytes of words that can be part of a suggestion */
#define GUESS_SLICES 50		/* slices of a search, about 25 ms: the longest wait for a suggestion */

/* The best of the ask, all equally far away, as long as they fit: "; did you mean 'a' or 'b'?". */
static void
guess_say(const struct lev_ask *ask, const struct lev_match *m, size_t n, char *to, size_t size)
{
	size_t used = 0;

	while (n > 0 && m[n - 1].distance > m[0].distance)
		n--;
	for (size_t i = 0; i < n; i++) {
		struct str s = ask->candidate(ask->arg, m[i].at);
		int len = snprintf(to + used, size - used, "%s'%.*s'?",
		    i == 0 ? "; did you mean " : " or ",
		    (int)(s.n < size ? s.n : size), s.s);

		if (len < 0 || (size_t)len >= size - used)
			break;
		/* The next one takes the place of the question mark. */
		used += (size_t)len - 1;
	}
	if (used > 0)
		to[used++] = '?';
	to[used] = '\0';
}

/* All of them: "; nearest: a b". */
static void
list(const struct lev_ask *ask, const struct lev_match *m, size_t n, char *to, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < n && used < size; i++) {
		struct str s = ask->candidate(ask->arg, m[i].at);

		used += (size_t)snprintf(to + used, size - used, "%s%.*s", i == 0 ? "; nearest: " : " ",
		    (int)(s.n < size ? s.n : size), s.s);
	}
}

static bool
guess_search(const struct lev_ask *ask,
    void (*put)(const struct lev_ask *, const struct lev_match *, size_t, char *, size_t), char *to, size_t size)
{
	const struct lev_match *m;
	struct lev_search *s;
	bool more = true;
	size_t n;

	if (!lev_search_new(&s, ask, NULL))
		return false;
	for (unsigned i = 0; more && i < GUESS_SLICES; i++)
		if (!lev_search_step(s, LEV_SLICE, &more, NULL))
			break;
	m = lev_search_found(s, &n, NULL);
	put(ask, m, n, to, size);
	lev_search_free(s);
	return n > 0;
}

const char *
guess_among(struct str word, struct str (*candidate)(void *, uint64_t), void *arg,
    uint64_t n, char *to, size_t size)
{
	struct lev_ask ask = { .word = word, .candidate = candidate, .arg = arg, .n = n,
	    .best = GUESS_SHOWN, .max = LEV_SLIPS, .how = LEV_SWAPS | LEV_NOCASE };

	to[0] = '\0';
	if (word.n == 0 || word.n > GUESS_LONGEST || guess_search(&ask, guess_say, to, size))
		return to;
	ask.how |= LEV_PART;
	ask.max = 0;
	if (word.n >= GUESS_PART)
		guess_search(&ask, guess_say, to, size);
	return to;
}

const char *
guess_nearest(struct str word, struct str (*candidate)(void *, uint64_t), void *arg, uint64_t n, char *to, size_t size)
{
	struct lev_ask ask = { .word = word, .candidate = candidate, .arg = arg, .n = n,
	    .best = GUESS_SHOWN, .max = LEV_SLIPS, .how = LEV_SWAPS | LEV_NOCASE | LEV_PART };

	to[0] = '\0';
	if (word.n > 0 && word.n <= GUESS_LONGEST)
		guess_search(&ask, list, to, size);
	return to;
}

/* ---- words ----------------------------------------------------------------- */

struct guess
guess_of(struct str word)
{
	return (struct guess){ .word = word };
}

void
guess_try(struct guess *g, const char *candidate)
{
	if (g->n < NELEM(g->list))
		g->list[g->n++] = candidate;
}

static struct str
guess_word(void *arg, uint64_t i)
{
	const struct guess *g = arg;

	return str_of(g->list[i]);
}

const char *
guess_text(struct guess *g, char *to, size_t size)
{
	return guess_among(g->word, guess_word, g, g->n, to, size);
}
