/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * narrow: a growing column of numbers, stored in the narrowest type that fits the largest number so far.
 *
 * Loaders that read millions of rows store each member of a row this way.  Most numbers are small, and a
 * member that is 0 in all rows takes no memory.
 */
#ifndef ICECORE_NARROW_H
#define ICECORE_NARROW_H

#include "icecore/store.h"

struct narrow {
	struct scratch	data;
	uint64_t	n;
	unsigned	bits;		/* bits per number: 8, 16, 32 or 64; 0: all numbers are 0 */
};

/* Make room for a value at an existing row or at the next one; widens all rows if necessary. */
bool	narrow_room(struct narrow *, uint64_t row, uint64_t value, struct err *) MUST_USE;
/* Write the numbers to a column of the store, in the narrowest type. */
bool	narrow_column(const struct narrow *, struct store *, column_id, struct work *, struct err *) MUST_USE;
void	narrow_free(struct narrow *);

static inline uint64_t
narrow_get(const struct narrow *c, uint64_t row)
{
	switch (c->bits) {
	case 0: return 0;
	case 8: return c->data.data[row];
	case 16: return SCRATCH(c->data, uint16_t)[row];
	case 32: return SCRATCH(c->data, uint32_t)[row];
	default: return SCRATCH(c->data, uint64_t)[row];
	}
}

/* Set an existing row, or append the next one. */
static inline bool MUST_USE
narrow_set(struct narrow *c, uint64_t row, uint64_t value, struct err *err)
{
	/* Shift in two steps, because a shift by 64 bits is undefined. */
	if ((value >> c->bits / 2 >> (c->bits + 1) / 2 != 0 || (row + 1) * (c->bits / 8) > c->data.size) &&
	    !narrow_room(c, row, value, err))
		return false;
	switch (c->bits) {
	case 0: break;
	case 8: c->data.data[row] = (uint8_t)value; break;
	case 16: SCRATCH(c->data, uint16_t)[row] = (uint16_t)value; break;
	case 32: SCRATCH(c->data, uint32_t)[row] = (uint32_t)value; break;
	default: SCRATCH(c->data, uint64_t)[row] = value;
	}
	c->n += row == c->n;
	return true;
}

static inline bool MUST_USE
narrow_add(struct narrow *c, uint64_t value, struct err *err)
{
	return narrow_set(c, c->n, value, err);
}

#endif
