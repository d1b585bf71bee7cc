/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * batch: the cells of a column in many rows at once.
 */
#include "config.h"

#include <string.h>

#include "icecore/batch.h"
#include "lang.h"

bool
rows_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	assert((r->untouched & COLUMN_BIT(col)) == 0);
	b->of = r;
	b->col = col;
	b->values = 0;
	return r->ops->batch != NULL && r->ops->batch(r, first, n, col, b);
}

bool
same_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	return rows_batch(r->in, first, n, col, b);
}

static bool
is_integer(enum cell_type type)
{
	return type != CELL_NONE && type != CELL_TEXT && type != CELL_DECIMAL && !is_real(type);
}

bool
batch_put(struct batch *b, size_t i, const struct cell *c)
{
	if (i == 0)
		batch_full(b, CELL_NONE);
	b->none[i] = c->type == CELL_NONE;
	b->empty |= b->none[i];
	b->u[i] = c->u;
	b->type = b->type == CELL_NONE ? c->type : b->type;
	return b->none[i] || (c->type == b->type && is_integer(c->type));
}

bool
batch_of_cells(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	struct cell c;

	for (size_t i = 0; i < n; i++) {
		r->ops->cell(r, first + i, col, &c);
		if (!batch_put(b, i, &c))
			return false;
	}
	return true;
}

static void
batch_value(const struct batch *b, uint64_t value, struct cell *c)
{
	c->type = b->of->cols[b->col].type;
	b->of->ops->value(b->of, b->col, value, c);
}

bool
batch_keys(struct batch_keys *k, const struct rows *r, size_t n, size_t col, bool down)
{
	const struct batch *b = &k->batch;

	if (b->values != 0 || b->empty || b->type == CELL_INT || r->cols[col].type == CELL_NONE)
		return false;
	for (size_t i = 0; i < n; i++)
		k->key[i] = down ? ~b->u[i] : b->u[i];
	return true;
}

void
batch_cell(const struct batch *b, size_t i, struct cell *c)
{
	if (b->empty && b->none[i])
		c->type = CELL_NONE;
	else if (b->values > 0)
		batch_value(b, b->u[i], c);
	else {
		c->type = b->type;
		c->u = b->u[i];
	}
}

void
batch_full(struct batch *b, enum cell_type type)
{
	b->type = type;
	b->empty = false;
}

void
batch_some(struct batch *b, size_t n, enum cell_type type)
{
	uint8_t any = 0;

	b->type = type;
	for (size_t i = 0; i < n; i++)
		any |= b->none[i] = b->u[i] == 0;
	b->empty = any != 0;
}

/* ---- going through rows --------------------------------------------------------- */

size_t
rows_next(struct rows *r, uint64_t row, uint64_t wanted)
{
	uint64_t known = rows_reach(r, row + (wanted < BATCH ? wanted : BATCH));

	return known <= row ? 0 : known - row < BATCH ? (size_t)(known - row) : BATCH;
}
