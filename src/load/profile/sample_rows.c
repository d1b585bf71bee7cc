/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sample_rows: samples being read.
 */
#include "config.h"

#include "icecore/make.h"
#include "sample_rows.h"

#define COLUMNS_OF(r) { &(r)->weight, &(r)->before, &(r)->time, &(r)->offset, &(r)->count, &(r)->stack, \
    &(r)->thread, &(r)->event, \
	&(r)->state, &(r)->labels }

struct sample
sample_rows_get(const struct sample_rows *r, uint64_t row)
{
	return (struct sample){ narrow_get(&r->weight, row), narrow_get(&r->before, row), narrow_get(&r->time, row),
	    narrow_get(&r->offset, row), narrow_get(&r->count, row), (uint32_t)narrow_get(&r->stack, row),
	    (uint32_t)narrow_get(&r->thread, row), (uint32_t)narrow_get(&r->event, row),
	    (uint32_t)narrow_get(&r->state, row), (uint32_t)narrow_get(&r->labels, row) };
}

/* Most files have no labels. */
static inline bool
set_labels(struct sample_rows *r, uint64_t row, uint32_t labels, struct err *err)
{
	struct narrow *c = &r->labels;

	if (labels == 0 && c->bits == 0)
		return true;
	if (c->bits == 0)
		c->n = r->stack.n == row + 1 ? row : r->stack.n;
	return narrow_set(c, row, labels, err);
}

bool
sample_rows_set(struct sample_rows *r, uint64_t row, const struct sample *s, struct err *err)
{
	return narrow_set(&r->weight, row, s->weight, err) && narrow_set(&r->before, row, s->before, err) &&
	    narrow_set(&r->time, row, s->time, err) && narrow_set(&r->offset, row, s->offset, err) &&
	    narrow_set(&r->count, row, s->count, err) && narrow_set(&r->stack, row, s->stack, err) &&
	    narrow_set(&r->thread, row, s->thread, err) && narrow_set(&r->event, row, s->event, err) &&
	    narrow_set(&r->state, row, s->state, err) && set_labels(r, row, s->labels, err);
}

void
sample_rows_keep(struct sample_rows *r, uint64_t n)
{
	struct narrow *const columns[] = COLUMNS_OF(r);

	for (size_t i = 0; i < NELEM(columns); i++)
		columns[i]->n = n;
}

void
sample_rows_free(struct sample_rows *r)
{
	struct narrow *const columns[] = COLUMNS_OF(r);

	for (size_t i = 0; i < NELEM(columns); i++)
		narrow_free(columns[i]);
}
