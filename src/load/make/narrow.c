/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * narrow: growing columns of numbers, as narrow as possible.
 */
#include "config.h"

#include <assert.h>

#include "icecore/make.h"
#include "icecore/narrow.h"

void
narrow_free(struct narrow *c)
{
	scratch_free(&c->data);
	*c = (struct narrow){ SCRATCH_INIT, 0, 0 };
}

static unsigned
bits_of(uint64_t value)
{
	return value == 0 ? 0 : value >> 8 == 0 ? 8 : value >> 16 == 0 ? 16 : value >> 32 == 0 ? 32 : 64;
}

/* Widen in place, from the last row on, so that no row is overwritten before it is read. */
static void
narrow_widen(struct narrow *c, unsigned bits)
{
	struct narrow wide = { c->data, c->n, bits };
	struct err never;

	for (uint64_t i = c->n; i-- > 0; ) {
		bool ok = narrow_set(&wide, i, narrow_get(c, i), &never);

		assert(ok);
		(void)ok;
	}
	c->bits = bits;
}

bool
narrow_room(struct narrow *c, uint64_t row, uint64_t value, struct err *err)
{
	unsigned bits = bits_of(value);

	assert(row <= c->n);
	bits = bits > c->bits ? bits : c->bits;
	if (!scratch_array(&c->data, c->n + 1, bits / 8, err))
		return false;
	if (bits > c->bits)
		narrow_widen(c, bits);
	return true;
}

bool
narrow_column(const struct narrow *c, struct store *st, column_id col, struct work *w, struct err *err)
{
	struct make_column column = c->bits == 0 ? (struct make_column)MAKE_CONST(col, 1, MAKE_ZERO) :
	    (struct make_column){ col, 0, (uint8_t)(c->bits / 8), MAKE_NARROW };
	/* Without memory no row exists, and nothing is read. */
	struct make_rows rows = { .data = c->bits == 0 ? (const void *)c : c->data.data, .n = c->n, .size = c->bits / 8,
	    .work = w };

	return make_columns(st, &column, 1, rows, err);
}
