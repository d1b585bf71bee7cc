/*
 * guess: what a mistyped word may have meant.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "stage.h"

#define GUESS_LONGEST 40		/* of words that get a suggestion */

/*
 * Changes of one letter, or swaps of two neighbours, that make b of a; the
 * words are at most GUESS_LONGEST long.
 */
static unsigned
distance(struct str a, struct str b)
{
	unsigned row[3][GUESS_LONGEST + 1];
	unsigned *before = row[0], *last = row[1], *now = row[2], *t;
	size_t i, j;

	for (j = 0; j <= b.n; j++)
		last[j] = (unsigned)j;
	for (i = 1; i <= a.n; i++) {
		now[0] = (unsigned)i;
		for (j = 1; j <= b.n; j++) {
			unsigned cost = last[j - 1] + (a.s[i - 1] != b.s[j - 1]);

			if (cost > last[j] + 1)
				cost = last[j] + 1;
			if (cost > now[j - 1] + 1)
				cost = now[j - 1] + 1;
			if (i > 1 && j > 1 && a.s[i - 1] == b.s[j - 2] &&
			    a.s[i - 2] == b.s[j - 1] && cost > before[j - 2] + 1)
				cost = before[j - 2] + 1;
			now[j] = cost;
		}
		t = before;
		before = last;
		last = now;
		now = t;
	}
	return last[b.n];
}

struct guess
guess_of(struct str word)
{
	/* One letter in three may be wrong, and one more. */
	return (struct guess){ .word = word, .best = NULL,
	    .cost = 2 + (unsigned)(word.n > GUESS_LONGEST ? 0 : word.n / 3) };
}

void
guess_try(struct guess *g, const char *candidate)
{
	struct str c = str_of(candidate);
	unsigned cost;

	if (g->word.n == 0 || g->word.n > GUESS_LONGEST || c.n > GUESS_LONGEST)
		return;
	cost = distance(g->word, c);
	if (g->word.n >= 3 && cost > 1 && str_has_prefix(c, g->word))
		cost = 1;
	if (cost < g->cost && cost < c.n) {
		g->cost = cost;
		g->best = candidate;
	}
}

const char *
guess_text(const struct guess *g, char *to, size_t size)
{
	if (g->best == NULL)
		return "";
	snprintf(to, size, "; did you mean '%s'?", g->best);
	return to;
}
