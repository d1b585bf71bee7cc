/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mutate: changes of fuzz inputs that know the pieces of a format: lines, records, values.
 *
 * mutate.c has what can be done with the pieces of any format; each mutate_FORMAT.c describes one.
 */
#ifndef TESTS_MUTATE_H
#define TESTS_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PIECES 512u

struct piece {
	size_t	at, n;
};

/* An input while it changes. */
struct mutant {
	uint8_t		*data;
	size_t		 n, max;
	uint64_t	 chance;
	const struct mutator	*how;
	unsigned	 level;		/* of the pieces that are changed */
};

struct mutator {
	unsigned levels;	/* kinds of pieces, from 0 on */
	char between[4];	/* the bytes between two of the same kind; 0: nothing */
	/* At most PIECES. */
	size_t (*pieces)(const struct mutant *, unsigned level, struct piece *);
	/* A change that only this format has. */
	void (*change)(struct mutant *);
	/* Keeps the lengths around a change right; NULL where a format has none. */
	void (*moves)(struct mutant *, size_t at, size_t cut, size_t n);
};
extern const struct mutator mutate_hprof, mutate_index, mutate_jfr, mutate_json, mutate_proto, mutate_text, mutate_trace;

size_t	mutant_below(struct mutant *, size_t);	/* any number below it; 0 for 0 */
/* n bytes, which may be some of its own, take the place of cut bytes; false: there is no room. */
bool	mutant_put(struct mutant *, size_t at, size_t cut, const void *bytes, size_t n);
/* Twice, away, swapped, moved, in the place of another, or some of its bytes changed. */
void	mutant_piece(struct mutant *, const struct piece *, size_t n);
/* Digits become others that are near, far, or too many. */
void	mutant_number(struct mutant *, struct piece);
/* The pieces between bytes of that set, without them. */
size_t	mutant_split(const struct mutant *, size_t from, size_t to, const char *set, struct piece *);

/* Do the work of libFuzzer's custom mutator and crossover, for inputs of that format. */
size_t	mutant_make(const struct mutator *, uint8_t *, size_t n, size_t max, unsigned seed);
size_t	mutant_cross(const struct mutator *, const uint8_t *, size_t n, const uint8_t *other, size_t nother, uint8_t *out, size_t max,
    unsigned seed);

/* libFuzzer's own mutator. */
size_t	LLVMFuzzerMutate(uint8_t *, size_t, size_t);

#endif
