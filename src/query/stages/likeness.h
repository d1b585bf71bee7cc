/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query/stages: texts that are nearly equal, in groups.
 *
 * Two texts are alike if their edit distance is within a limit.  Groups are the connected parts: a text is in
 * the group of each text that it is like.  The groups are exact: filters only leave out pairs that cannot be
 * alike.
 */
#ifndef ICECORE_QUERY_LIKENESS_H
#define ICECORE_QUERY_LIKENESS_H

#include "icecore/lev.h"
#include "icecore/texts.h"
#include "icecore/work.h"

/* Distance that depends on the letters of the shorter text: likeness_limit. */
#define LIKENESS_BY_LENGTH UINT64_MAX
#define LIKENESS_DISTANCE 32u		/* maximum distance, */
#define LIKENESS_TEXTS (1u << 20)	/* texts, */
#define LIKENESS_BYTES (1u << 30)	/* bytes of them, */
#define LIKENESS_PAIRS (1ull << 30)	/* pairs that are compared */
#define PIECE_LENGTHS 8			/* lengths of pieces */

/* A part of a text: letters from at on.  size: index of its length. */
struct piece_place {
	uint32_t	at;
	unsigned	size;
};

/* Reads texts as letters, and chooses their pieces. */
struct like_pieces {
	struct scratch	 sums;		/* u64: of the text read last, the hash of all letters before each place */
	uint32_t	 n;		/* letters of the text read last, as far as they count here */
	uint64_t	 power[PIECE_LENGTHS];
	struct scratch	 counts;	/* u32, by hash: how frequent pieces are, roughly */
	uint64_t	 mask;
	unsigned	 block;		/* a block has 2^block places */
	struct scratch	 cost, choice;	/* while pieces are chosen */
	struct piece_place chosen[LIKENESS_DISTANCE + 1];
};

/* limit: the largest distance that counts.  letters: of all texts that pieces_count will see. */
bool	pieces_open(struct like_pieces *, uint64_t limit, uint64_t letters, struct err *);
void	pieces_close(struct like_pieces *);
bool	pieces_read(struct like_pieces *, struct str, struct err *);
/* The lengths that pieces of a text of so many letters have, as bits, for limit + 1 pieces. */
unsigned pieces_lengths(uint64_t letters, uint64_t limit);
uint32_t pieces_length(unsigned size);
/* Key of a piece of the text read last as one in that block. */
uint64_t pieces_key(const struct like_pieces *, uint32_t at, unsigned size, uint32_t block);
/* Count the pieces of the text read last. */
void	pieces_count(struct like_pieces *, unsigned lengths);
/*
 * Choose n disjoint pieces of the text read last, which has at least n letters: those that are rare.  Read
 * the text again afterwards.
 */
bool	pieces_choose(struct like_pieces *, unsigned n, unsigned lengths, struct err *);

struct likeness;

/* Texts are numbered from 1, and stay as they are.  pairs: LIKENESS_PAIRS or less. */
bool	likeness_open(struct likeness **, const struct text_pool *, uint64_t distance, uint64_t pairs,
    struct err *);
void	likeness_close(struct likeness *);	/* NULL is fine */
/* Find the groups. */
bool	likeness_join(struct likeness *, struct work *, struct err *);
/* The number of the text that stands for the group of a text. */
uint32_t likeness_group(struct likeness *, uint32_t text);
/* The distance of two texts; LEV_OVER: it is above max. */
bool	likeness_distance(struct likeness *, uint32_t a, uint32_t b, uint64_t max, uint64_t *distance,
    struct work *, struct err *);

#endif
