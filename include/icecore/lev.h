/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lev: the edit distance between words, the nearest word of a list, and suggestions for a misspelled word.
 * Belongs to layer base.
 */
#ifndef ICECORE_LEV_H
#define ICECORE_LEV_H

#include "icecore/base.h"

/* ---- lev: two words, or one and many --------------------------------------- */

/*
 * A distance counts symbols that are inserted, deleted or replaced.  A symbol
 * is a code point, or a byte that is not part of valid UTF-8, so any two byte
 * strings can be compared.
 */
enum lev_how {
	LEV_SWAPS = 1,	/* a swap of two neighbours counts 1; no symbol is changed twice */
	LEV_NOCASE = 2,	/* ASCII letters are equal in either case */
	LEV_BYTES = 4,	/* a symbol is a byte */
	LEV_PART = 8	/* the first string is compared with the most similar part of the second */
};

/* Take the first symbol of src, which is not empty; returns its bytes.  how: LEV_BYTES counts, or 0. */
size_t		lev_symbol(struct str src, unsigned how, uint32_t *symbol);
bool		lev_ascii(struct str);

#define LEV_OVER UINT64_MAX	/* a distance above the maximum; as a maximum: no limit */

/*
 * Both jobs below work in slices.  A step does about budget units of work (about
 * 2 ns each, never much more than requested), then returns with *more set
 * if work is left.  LEV_SLICE takes half a millisecond.  Results do not depend
 * on the budgets.  Free a job to cancel it.
 */
#define LEV_SLICE 250000

/* A job that compares two strings.  It can be restarted any number of times and keeps its memory. */
struct lev;

/* how: an or of LEV_X.  False: no memory.  lev_free also takes NULL. */
bool		lev_new(struct lev **, unsigned how, struct err *);
void		lev_free(struct lev *);
/* Start a comparison; returns at once.  a and b must stay valid until the distance is known. */
void		lev_start(struct lev *, struct str a, struct str b, uint64_t max);
/* Fails if memory runs out. */
bool		lev_step(struct lev *, uint64_t budget, bool *more, struct err *);
/* Return the distance of a finished job; LEV_OVER if it is above max. */
uint64_t	lev_distance(const struct lev *);

/*
 * Compare one word with n candidates, and find the nearest ones within distance max.  They are sorted by
 * distance, then by longest common prefix, then by input order.
 */
struct lev_ask {
	struct str	 word;		/* must stay valid until the search is freed */
	/* The result must stay valid until the next call. */
	struct str	(*candidate)(void *arg, uint64_t i);
	void		*arg;
	uint64_t	 n;
	size_t		 best;		/* maximum number of results, up to 1000 */
	uint64_t	 max;
	unsigned	 how;
};

/*
 * A value of max that allows typing errors: 1 from 3 symbols on, 2 from 5, 3
 * from 9.  The longer string counts, or with LEV_PART the word.
 */
#define LEV_SLIPS (UINT64_MAX - 1)

struct lev_match {
	uint64_t	at;		/* index of the candidate */
	uint64_t	distance;
	uint64_t	begins;		/* length of the common prefix, in symbols */
};

struct lev_search;

/* A search, which does nothing before lev_search_step; lev_search_free also takes NULL. */
bool	lev_search_new(struct lev_search **, const struct lev_ask *, struct err *);
void	lev_search_free(struct lev_search *);
/* Goes on for about budget units of work; *more: it is not at its end.  False: no memory. */
bool	lev_search_step(struct lev_search *, uint64_t budget, bool *more, struct err *);
/* The best of the candidates seen so far, in order; their number goes to *done unless it is NULL. */
const struct lev_match *lev_search_found(const struct lev_search *, size_t *n, uint64_t *done);

/* ---- guess: did you mean ------------------------------------------------- */

#define GUESS_WORDS 256		/* maximum number of candidates */
#define GUESS_TEXT 200		/* bytes for the text of a guess */

struct guess {
	struct str	 word;
	const char	*list[GUESS_WORDS];
	size_t		 n;
};

/*
 * Call guess_of, then guess_try for each candidate, then guess_text.  The text is
 * "; did you mean 'sort' or 'stat'?" with up to three equally near candidates,
 * or "".  If no candidate is within a few typing errors, candidates that contain
 * the word are suggested.
 */
struct guess	guess_of(struct str word);
void		guess_try(struct guess *, const char *candidate);
const char	*guess_text(struct guess *, char *, size_t);
/* guess_text over n names from a function, as in struct lev_ask; tries names for at most about 50 ms. */
const char	*guess_among(struct str word, struct str (*candidate)(void *, uint64_t),
		    void *, uint64_t n, char *, size_t);
/*
 * For words without a suggestion: "; nearest: sleeping self_pct" with up to three candidates that nearly
 * contain the word; or "".
 */
const char	*guess_nearest(struct str word, struct str (*candidate)(void *, uint64_t),
		    void *, uint64_t n, char *, size_t);

#endif
