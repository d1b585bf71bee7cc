/*
 * decimal: exact decimal numbers, for values that must not be rounded: value * 10^-places.  Belongs to layer base.
 */
#ifndef ICECORE_DECIMAL_H
#define ICECORE_DECIMAL_H

#include "icecore/base.h"

#define DECIMAL_PLACES 38	/* limit of places; values are within -DECIMAL_MOST .. DECIMAL_MOST */
#define DECIMAL_MOST ((__int128)(~(unsigned __int128)0 >> 1))
#define DECIMAL_TEXT 48		/* bytes of the longest one as text */

struct decimal {
	__int128	value;
	unsigned	places;
};

/* Digits with a minus and a point where they have them, and nothing else; false: it is none, or it does not fit. */
bool	decimal_read(struct str, struct decimal *);
/* Appends a digit; false: it does not fit, and stays unchanged. */
bool	decimal_digit(struct decimal *, char digit);
/* False: the sum does not fit, and *to stays as it was. */
bool	decimal_add(struct decimal *to, struct decimal);
struct decimal decimal_minus(struct decimal);
/* Return the same value with as few decimal places as possible. */
struct decimal decimal_narrow(struct decimal);
/* The greatest multiple of the width, which is above 0, that is not greater; false: it does not fit, and stays as it was. */
bool	decimal_floor(struct decimal *, struct decimal width);
/* By value: 1.5 and 1.50 are equal. */
int	decimal_cmp(struct decimal, struct decimal);
double	decimal_real(struct decimal);
/* Multiplied by that and rounded; 0 if negative or too large. */
uint64_t decimal_units(struct decimal, uint64_t times);
/* Exact, without zeros at its end. */
void	decimal_text(struct decimal, struct buf *);
/* For people: two places at least, digits in groups. */
void	decimal_show(struct decimal, struct buf *);

#endif
