/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sample_rows: samples being read.
 */
#include "config.h"

#include "icecore/make.h"
#include "sample_rows.h"

#define COLUMNS_OF(r) { &(r)->weight, &(r)->before, &(r)->time, &(r)->offset, &(r)->count, &(r)->stack, &(r)->thread, &(r)->event, \
	&(r)->state }

struct sample
sample_rows_get(const struct sample_rows *r, uint64_t row)
{
	return (struct sample){ narrow_get(&r->weight, row), narrow_get(&r->before, row), narrow_get(&r->time, row),
	    narrow_get(&r->offset, row), narrow_get(&r->count, row), (uint32_t)narrow_get(&r->stack, row),
	    (uint32_t)narrow_get(&r->thread, row), (uint32_t)narrow_get(&r->event, row),
	    (uint32_t)narrow_get(&r->state, row) };
}

bool
sample_rows_set(struct sample_rows *r, uint64_t row, const struct sample *s, struct err *err)
{
	return narrow_set(&r->weight, row, s->weight, err) && narrow_set(&r->before, row, s->before, err) &&
	    narrow_set(&r->time, row, s->time, err) && narrow_set(&r->offset, row, s->offset, err) &&
	    narrow_set(&r->count, row, s->count, err) && narrow_set(&r->stack, row, s->stack, err) &&
	    narrow_set(&r->thread, row, s->thread, err) && narrow_set(&r->event, row, s->event, err) &&
	    narrow_set(&r->state, row, s->state, err);
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
