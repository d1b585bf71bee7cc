/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lays marks and saved spans out as columns.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "icecore/make.h"
#include "order.h"

static int
by_thread_and_row(const void *a, const void *b)
{
	const struct saved *x = a, *y = b;

	return num_order(x->thread, y->thread, num_order(x->row, y->row, num_order(x->depth, y->depth, 0)));
}

/* Spans get ids in their final order: parents and marks must follow. */
static bool
renumber(struct order *o, struct err *err)
{
	struct saved *s = o->saved.at;
	struct marked *m = o->marks.at;
	OWN_ARRAY(uint32_t) ids = ARRAY_INIT;
	uint32_t *id;

	if (!array_grow(&ids, o->nsaved, err))
		return false;
	id = ids.at;
	for (uint64_t i = 0; i < o->nsaved; i++)
		s[i].id = (uint32_t)i;
	qsort(s, o->nsaved, sizeof *s, by_thread_and_row);
	for (uint64_t i = 0; i < o->nsaved; i++)
		id[s[i].id] = (uint32_t)i + 1;
	for (uint64_t i = 0; i < o->nsaved; i++)
		if (s[i].parent != 0) {
			assert(s[i].parent <= o->nsaved);
			s[i].parent = id[s[i].parent - 1];
		}
	for (uint64_t i = 0; i < o->nmarks; i++)
		if (m[i].top != 0) {
			assert(m[i].top <= o->nsaved);
			m[i].top = id[m[i].top - 1];
		}
	return true;
}

static bool
put_spans(struct order *o, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_SPAN_START, saved, start), MAKE_FIT(COL_SPAN_END, saved, end),
		MAKE_FIT(COL_SPAN_START_CPU, saved, start_cpu), MAKE_FIT(COL_SPAN_END_CPU, saved, end_cpu),
		MAKE_FIT(COL_SPAN_PARENT, saved, parent), MAKE_FIT(COL_SPAN_METHOD, saved, method),
		MAKE_FIT(COL_SPAN_DEPTH, saved, depth), MAKE_FIT(COL_SPAN_CROWD, saved, crowd),
		MAKE_FIT(COL_SPAN_ROW, saved, row)
	};

	return make_columns(o->st, columns, NELEM(columns), MAKE_ROWS(o->saved.at, o->nsaved), err);
}

static bool
put_marks(struct order *o, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_MARK_THREAD, marked, thread), MAKE_FIT(COL_MARK_BLOCK, marked, block),
		MAKE_FIT(COL_MARK_TOP, marked, top), MAKE_FIT(COL_MARK_FLOOR, marked, floor),
		MAKE_FIT(COL_MARK_WALL, marked, clock.wall), MAKE_FIT(COL_MARK_CPU, marked, clock.cpu),
		MAKE_FIT(COL_MARK_RAW_WALL, marked, clock.raw_wall),
		MAKE_FIT(COL_MARK_RAW_CPU, marked, clock.raw_cpu),
		MAKE_FIT(COL_MARK_BASE_WALL, marked, clock.base_wall),
		MAKE_FIT(COL_MARK_BASE_CPU, marked, clock.base_cpu),
		MAKE_FIT(COL_MARK_SEEN, marked, clock.seen)
	};

	return make_columns(o->st, columns, NELEM(columns), MAKE_ROWS(o->marks.at, o->nmarks), err) &&
	    store_pack(o->st, COL_BLOCK_LATEST, o->latest.at, o->nblocks, err);
}

/* Makes a column of n + 1 numbers: where the rows with each key (from 0) begin; keys[i] of stride bytes. */
static uint32_t *
order_out_put_first(struct order *o, column_id col, uint64_t n, const uint32_t *key,
    size_t stride, uint64_t rows, uint32_t less, struct err *err)
{
	uint32_t *first = store_make(o->st, col, COL_U32, n + 1, err), sum = 0;

	if (first == NULL)
		return NULL;
	for (uint64_t i = 0; i < rows; i++)
		first[*(const uint32_t *)((const char *)key + i * stride) - less]++;
	for (uint64_t i = 0; i <= n; i++) {
		uint32_t here = first[i];

		first[i] = sum;
		sum += here;
	}
	assert(sum == rows && first[n] == rows);
	return first;
}

/* Marks are ordered by block, as they were set; mark.list has them by thread. */
static bool
put_lists(struct order *o, struct err *err)
{
	const struct marked *m = o->marks.at;
	const struct saved *s = o->saved.at;
	OWN_ARRAY(uint32_t) next = ARRAY_INIT;
	uint32_t *first, *list;

	if (order_out_put_first(o, COL_SPAN_FIRST, o->threads.n, &s->thread, sizeof *s,
	    o->nsaved, 1, err) == NULL ||
	    order_out_put_first(o, COL_BLOCK_MARK, o->nblocks, &m->block, sizeof *m,
	    o->nmarks, 0, err) == NULL ||
	    (first = order_out_put_first(o, COL_MARK_FIRST, o->threads.n, &m->thread,
	    sizeof *m, o->nmarks, 1, err)) == NULL ||
	    (list = store_make(o->st, COL_MARK_LIST, COL_U32, o->nmarks, err)) == NULL ||
	    !array_grow(&next, o->threads.n + 1ull, err))
		return false;
	memcpy(next.raw.data, first, o->threads.n * sizeof *first);
	for (uint64_t i = 0; i < o->nmarks; i++)
		list[next.at[m[i].thread - 1]++] = (uint32_t)i;
	return true;
}

bool
order_publish(struct order *o, struct err *err)
{
	work_start(o->work, "time order, sorted", 0);
	/* At least one row: sorting an empty list still needs an array. */
	return array_grow(&o->saved, o->nsaved + 1, err) &&
	    array_grow(&o->marks, o->nmarks + 1, err) &&
	    renumber(o, err) && put_spans(o, err) && put_marks(o, err) && put_lists(o, err);
}
