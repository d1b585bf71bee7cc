/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decimal: exact decimal numbers, for values that must not be rounded: value * 10^-places.  Belongs to
 * layer base.
 */
#ifndef ICECORE_DECIMAL_H
#define ICECORE_DECIMAL_H

#include "icecore/base.h"

#define DECIMAL_PLACES 38	/* limit of places; values are within -DECIMAL_MOST .. DECIMAL_MOST */
#define DECIMAL_MOST ((__int128)(~(unsigned __int128)0 >> 1))
#define DECIMAL_TEXT 48		/* bytes of the longest number as text */

struct decimal {
	__int128	value;
	unsigned	places;
};

/* Parse digits with an optional minus and point.  False: other characters, or the number does not fit. */
bool	decimal_read(struct str, struct decimal *);
/* Append a digit.  False: the number does not fit, and is unchanged. */
bool	decimal_digit(struct decimal *, char digit);
/* Add to *to.  False: the sum does not fit, and *to is unchanged. */
bool	decimal_add(struct decimal *to, struct decimal);
struct decimal decimal_minus(struct decimal);
/* Return the same value with as few decimal places as possible. */
struct decimal decimal_narrow(struct decimal);
/*
 * Round down to a multiple of width, which is above 0.  False: the result does not fit, and the number is
 * unchanged.
 */
bool	decimal_floor(struct decimal *, struct decimal width);
/* Compare by value: 1.5 and 1.50 are equal. */
int	decimal_cmp(struct decimal, struct decimal);
double	decimal_real(struct decimal);
/* Multiply by times and round; 0 if the result is negative or too large. */
uint64_t decimal_units(struct decimal, uint64_t times);
/* Append the exact number, without trailing zeros. */
void	decimal_text(struct decimal, struct buf *);
/* Append the exact number with all its places, also zeros. */
void	decimal_full(struct decimal, struct buf *);
/* Append the number for display: at least two places, digits in groups. */
void	decimal_show(struct decimal, struct buf *);

#endif
