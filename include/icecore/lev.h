/*
 * lev: edit distance of two words, the nearest candidate for a word, and guesses for a mistyped word.  Belongs to layer
 * base.
 */
#ifndef ICECORE_LEV_H
#define ICECORE_LEV_H

#include "icecore/base.h"

/* ---- lev: two words, or one and many --------------------------------------- */

/*
 * Distances count changes of one symbol: inserted, deleted or replaced.  A
 * symbol is a code point; a byte that is part of no valid UTF-8 is a symbol of
 * its own, so any two byte strings compare.
 */
enum lev_how {
	LEV_SWAPS = 1,	/* two neighbours that changed places count 1; nothing is changed twice */
	LEV_NOCASE = 2,	/* ASCII letters are equal in either case */
	LEV_BYTES = 4,	/* a symbol is a byte */
	LEV_PART = 8	/* the first string against that part of the second one that is nearest to it */
};

#define LEV_OVER UINT64_MAX	/* a distance above the requested maximum; as a maximum: no bound */

/*
 * Both jobs below work in slices: a step does about budget units of work (some
 * 2 ns each; never much more than requested), then returns, with *more set
 * while work is left.  LEV_SLICE is half a millisecond.  No result depends on the
 * budgets.  A job is given up by freeing it.
 */
#define LEV_SLICE 250000

/* Two strings.  A job may be started again and again; its memory stays. */
struct lev;

bool		lev_new(struct lev **, unsigned how, struct err *);
void		lev_free(struct lev *);
/* Takes no time.  a and b must stay until the distance is known. */
void		lev_start(struct lev *, struct str a, struct str b, uint64_t max);
/* Fails when out of memory. */
bool		lev_step(struct lev *, uint64_t budget, bool *more, struct err *);
/* Return the distance of a finished job; LEV_OVER if it is above max. */
uint64_t	lev_distance(const struct lev *);

/*
 * One word against n candidates: finds the best few within distance max, nearest first, then longest common prefix, then
 * input order.
 */
struct lev_ask {
	struct str	 word;		/* must stay until the search is freed */
	/* The slice must stay until the next call. */
	struct str	(*candidate)(void *arg, uint64_t i);
	void		*arg;
	uint64_t	 n;
	size_t		 best;		/* how many at most, up to 1000 */
	uint64_t	 max;
	unsigned	 how;
};

/*
 * For max: typing errors.  By the symbols of the longer string (of the word, with
 * LEV_PART) 1 from 3, 2 from 5, 3 from 9.
 */
#define LEV_SLIPS (UINT64_MAX - 1)

struct lev_match {
	uint64_t	at;		/* the candidate */
	uint64_t	distance;
	uint64_t	begins;		/* symbols at the beginning that are equal */
};

struct lev_search;

bool	lev_search_new(struct lev_search **, const struct lev_ask *, struct err *);
void	lev_search_free(struct lev_search *);
bool	lev_search_step(struct lev_search *, uint64_t budget, bool *more, struct err *);
/* The best of the candidates seen so far, in order; their number goes to *done unless it is NULL. */
const struct lev_match *lev_search_found(const struct lev_search *, size_t *n, uint64_t *done);

/* ---- guess: did you mean ------------------------------------------------- */

#define GUESS_WORDS 256		/* more are not tried */
#define GUESS_TEXT 200		/* bytes of its text */

struct guess {
	struct str	 word;
	const char	*list[GUESS_WORDS];
	size_t		 n;
};

/*
 * guess_of(word), guess_try for each that it could be, guess_text: "; did you
 * mean 'sort' or 'stat'?", up to three that are equally near, or "".  When
 * nothing is a few typing errors away, those count that contain the word.
 */
struct guess	guess_of(struct str word);
void		guess_try(struct guess *, const char *candidate);
const char	*guess_text(struct guess *, char *, size_t);
/* guess_text over n names from a function, as in struct lev_ask; tries names for at most about 50 ms. */
const char	*guess_among(struct str word, struct str (*candidate)(void *, uint64_t),
		    void *, uint64_t n, char *, size_t);
/* When there is nothing to suggest: "; nearest: sleeping self_pct", up to three that have nearly the word in them; or "". */
const char	*guess_nearest(struct str word, struct str (*candidate)(void *, uint64_t),
		    void *, uint64_t n, char *, size_t);

#endif
