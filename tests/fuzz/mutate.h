/*
 * mutate: changes of fuzz inputs that know the pieces of a format: lines, records, values.
 *
 * mutate.c has what libFuzzer calls, and what can be done with any pieces; a mutate_FORMAT.c, which a target links
 * with it, has what begins with format_.  Without libFuzzer nothing calls them.
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
	unsigned	 level;		/* of the pieces that are changed */
};

size_t	mutant_below(struct mutant *, size_t);	/* any number below it; 0 for 0 */
/* n bytes, which may be some of its own, take the place of cut bytes; false: there is no room. */
bool	mutant_put(struct mutant *, size_t at, size_t cut, const void *bytes, size_t n);
/* Twice, away, swapped, moved, in the place of another, or some of its bytes changed. */
void	mutant_piece(struct mutant *, const struct piece *, size_t n);
/* Digits become others that are near, far, or too many. */
void	mutant_number(struct mutant *, struct piece);
/* The pieces between bytes of that set, without them. */
size_t	mutant_split(const struct mutant *, size_t from, size_t to, const char *set, struct piece *);

/* Kinds of pieces, from 0 on, and what stands between two of one kind; 0: nothing. */
extern const unsigned format_levels;
uint8_t	format_between(unsigned level);
/* At most PIECES. */
size_t	format_pieces(const struct mutant *, unsigned level, struct piece *);
/* What only this format has. */
void	format_change(struct mutant *);
/* Lengths around it that are to stay right; NULL where a format has none. */
__attribute__((weak)) void	format_moves(struct mutant *, size_t at, size_t cut, size_t n);

size_t	LLVMFuzzerMutate(uint8_t *, size_t, size_t);
size_t	LLVMFuzzerCustomMutator(uint8_t *, size_t, size_t, unsigned);
size_t	LLVMFuzzerCustomCrossOver(const uint8_t *, size_t, const uint8_t *, size_t, uint8_t *, size_t, unsigned);

#endif
