/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * weigh: the columns of call trees, methods and threads as the weights of a file want them.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_trace.h"
#include "trace.h"

static enum cell_type
weight_type(const struct weights *w, bool delta)
{
	if (w->type == WEIGHT_MONEY)
		return CELL_DECIMAL;
	if (w->type == WEIGHT_COUNT && w->scale > 1)
		return CELL_REAL;
	return w->type == WEIGHT_TIME ? CELL_TIME : w->type == WEIGHT_BYTES ? CELL_BYTES :
	    delta ? CELL_INT : CELL_COUNT;
}

void
rows_weigh(struct rows *r, struct column_set *set, const struct stage *stage, const struct store *st)
{
	const struct coldef *cols = r->cols;
	struct weights w;

	set->n = 0;
	weights_of(st, &w);
	assert(cols == stage->command->cols);
	for (size_t i = 0; i < r->ncols && set->n < COLUMN_SET_MAX; i++) {
		if (!command_has_column(stage->command, i, stage->shapes) ||
		    (!store_is_blank(st) && !w.differs && cols[i].differs != WEIGHT_AFTER))
			continue;
		set->col[set->n] = cols[i];
		if (cols[i].type == CELL_NONE && cols[i].origin->cell == NULL && !store_is_blank(st))
			set->col[set->n].type = weight_type(&w, cols[i].differs == WEIGHT_DELTA);
		set->from[set->n++] = (uint8_t)i;
	}
	r->cols = set->col;
	r->ncols = set->n;
}

bool
threads_nameless(const struct store *st)
{
	const struct column *tid = store_column(st, COL_THREAD_TID);
	OWN_BUF name = BUF_INIT;
	bool nameless = false;

	/* A profile without threads has a single one with tid 0 and the name "all". */
	if (trace_is_profile(st) && tid != NULL && tid->rows == 1 &&
	    column_get(tid, 0) == 0) {
		thread_name(st, 1, &name);
		nameless = str_is(buf_view(&name), "all");
	}
	return nameless;
}

bool
weight_by_clock(const struct rows *r, const struct weights *w, uint64_t wall, uint64_t cpu, uint64_t *weight)
{
	enum clock clock = w->clocks ? r->session->clock : CLOCK_WALL;

	*weight = clock == CLOCK_WALL ? wall : clock == CLOCK_CPU ? cpu : wall > cpu ? wall - cpu : 0;
	return !w->clocks || w->name[clock] != NULL;
}

uint64_t
self_weights(const struct rows *r, const struct store *st, const struct weights *w)
{
	const struct column *wall = store_column(st, COL_CALL_SELF_WALL),
	    *cpu = store_column(st, COL_CALL_SELF_CPU);
	uint64_t whole = 0, one;

	for (uint64_t i = 0; wall != NULL && i < wall->rows; i++)
		if (weight_by_clock(r, w, column_get(wall, i), cpu == NULL ? 0 : column_get(cpu, i), &one))
			whole = num_add(whole, one);
	return whole;
}

void
cell_part(struct cell *c, uint64_t part, uint64_t whole)
{
	c->type = whole == 0 ? CELL_NONE : CELL_PERCENT;
	c->f = whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

void
cell_weight(struct cell *c, const struct weights *w, enum clock clock, uint64_t value)
{
	bool delta = w->differs && clock == CLOCK_OFF, below = delta && (int64_t)value < 0;
	unsigned __int128 amount = below ? 0 - value : value;

	if (w->clocks && w->name[clock] == NULL) {
		c->type = CELL_NONE;
		return;
	}
	c->type = weight_type(w, delta);
	if (c->type == CELL_DECIMAL || c->type == CELL_REAL) {
		cell_decimal(c, (struct decimal){ below ? -(__int128)amount : (__int128)amount,
		    weights_places(w) },
		    c->type == CELL_REAL ? MONEY_NO_CURRENCY : money_currency(w->unit));
		return;
	}
	amount *= w->tick;
	if (w->scale != 1)
		amount /= w->scale;
	if (c->type != CELL_INT && !below) {
		c->u = amount > UINT64_MAX ? UINT64_MAX : (uint64_t)amount;
		return;
	}
	/* Negative amounts are integers, here too. */
	c->type = CELL_INT;
	c->i = amount > INT64_MAX ? INT64_MAX : (int64_t)amount;
	c->i = below ? -c->i : c->i;
}
