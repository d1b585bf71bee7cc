/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lev: a comparison of two strings; shared by lev*.c.
 */
#ifndef BASE_LEV_H
#define BASE_LEV_H

#include "icecore/lev.h"

#define LEV_CHUNK 1024		/* units between two checks whether to continue */
#define LEV_BAND 64		/* rows */
#define LEV_SLOTS (LEV_BAND * 2)

enum phase { PHASE_READ, PHASE_BEGIN, PHASE_END, PHASE_SWEEP, PHASE_DONE };

/* A string as symbols: bytes as long as all are ASCII, else wide. */
struct lev_side {
	struct str	 src;
	uint32_t	*wide;
	size_t		 cap;
	bool		 is_wide;
	size_t		 read;		/* bytes */
	size_t		 n;		/* symbols */
	size_t		 from, rest;	/* rest of both without their equal ends */
};

/* Rows of the band that have a symbol, as bits. */
struct masks {
	uint64_t	direct[256];
	uint32_t	symbol[LEV_SLOTS];
	uint64_t	hashed[LEV_SLOTS];	/* 0: the slot is free */
	bool		any_hashed;
};

struct sweep {
	uint64_t	 k;		/* changes allowed in this run */
	size_t		 above, below;	/* diagonals that count, on both sides of the one from 0, 0 */
	size_t		 row;		/* row of the word at which the band begins */
	size_t		 rows;
	size_t		 at, to;	/* columns of the band: next, end */
	size_t		 known;		/* columns from this one on have no carry yet */
	unsigned	 unknown;	/* carry that these columns are treated as having */
	uint64_t	 vp, vn, d0, before;
	uint64_t	 score, least;	/* the lowest cell of this column, the least of all lowest ones */
	size_t		 next_at;	/* first column of the band below */
	uint64_t	 next_score;
};

struct lev {
	unsigned	 how;
	enum phase	 phase;
	uint64_t	 max, limit, distance;
	struct lev_side	 side[2];
	struct lev_side	*word, *text;
	size_t		 equal;
	size_t		 begins;
	struct sweep	 sweep;
	uint8_t		*carry;
	size_t		 carry_cap;
	struct masks	 masks;
};

/* ---- symbols */

/* The highest distance that counts between strings of that many symbols. */
uint64_t lev_limit(uint64_t max, size_t a, size_t b, unsigned how);

static inline bool
lev_letter(uint32_t symbol)
{
	return (symbol | 0x20) >= 'a' && (symbol | 0x20) <= 'z';
}

static inline uint32_t
lev_fold(uint32_t symbol, unsigned how)
{
	return (how & LEV_NOCASE) && lev_letter(symbol) ? symbol | 0x20 : symbol;
}

static inline uint32_t
lev_at(const struct lev_side *s, size_t i)
{
	return s->is_wide ? s->wide[i] : (unsigned char)s->src.s[i];
}

/* ---- budgets */

static inline void
lev_spend(uint64_t *budget, uint64_t units)
{
	*budget -= units < *budget ? units : *budget;
}

/* Return how much of left can be done before the budget is checked again. */
static inline uint64_t
lev_chunk(uint64_t budget, uint64_t left)
{
	uint64_t n = budget < LEV_CHUNK ? budget : LEV_CHUNK;

	return n < left ? n : left;
}

/* ---- the sweep over the table */

/* Starts, with word and text set; lev_step_sweep ends it with PHASE_DONE. */
void	lev_sweep(struct lev *);
bool	lev_step_sweep(struct lev *, uint64_t *budget, struct err *);
/* Clears the masks of a sweep that is given up, whose strings may be gone. */
void	lev_sweep_drop(struct lev *);
/* The distance is known. */
void	lev_done(struct lev *, uint64_t distance);

#endif
