/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * column: the list of columns, and how one is looked up.
 *
 * The lock is for the list: one thread at a time makes columns.  Others look them up without a lock: a column
 * that is published has a slot, and is seen when its batch is.  Bytes do not change any more by then.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inside.h"

/* ---- types ------------------------------------------------------------------ */

enum column_type
column_fit(uint64_t max)
{
	if (max <= UINT8_MAX)
		return COL_U8;
	if (max <= UINT16_MAX)
		return COL_U16;
	return max <= UINT32_MAX ? COL_U32 : COL_U64;
}

#define SET(type) do { \
	type *to = (type *)data + row; \
	for (uint64_t i = 0; i < n; i++) \
		to[i] = (type)v[i]; \
	return; \
} while (0)

void
column_set_many(void *data, enum column_type type, uint64_t row, const uint64_t *v, uint64_t n)
{
	switch (type) {
	case COL_U8: SET(uint8_t);
	case COL_U16: SET(uint16_t);
	case COL_U32: SET(uint32_t);
	case COL_U64:
	case COL_I64:
	case COL_F64: SET(uint64_t);
	case COL_BYTES: break;
	}
}

/* ---- the list ------------------------------------------------------------------ */

struct held *
column_find_made(const struct store *st, column_id col)
{
	for (size_t i = st->entries.n; i > 0; i--)
		if (st->entries.at[i - 1]->state == STATE_MADE && st->entries.at[i - 1]->column.col == col)
			return st->entries.at[i - 1];
	return NULL;
}

struct held *
column_add(struct store *st, column_id col)
{
	struct held *e = mem_array(1, sizeof *e);
	bool ok = e != NULL;

	assert(col > COL_NONE && col < COL_COUNT);
	if (ok)
		e->column.col = col;
	pthread_mutex_lock(&st->lock);
	ok = ok && mem_grow(&st->entries.at, &st->entries.cap, st->entries.n + 1,
	    sizeof(struct held *));
	if (ok) {
		st->entries.at[st->entries.n++] = e;
		store_making(st);
	}
	pthread_mutex_unlock(&st->lock);
	if (ok)
		return e;
	free(e);
	return NULL;
}

void
column_free(struct held *e)
{
	chunks_open(e);
	if (e->mapped > 0) {
		resident_remove(e->column.values);
		munmap((void *)(uintptr_t)e->column.values, (size_t)e->mapped);
	}
	scratch_free(&e->memory);
	free(e->sums);
	free(e->chunk);
	free(e);
}

/* Publish a column that was made: it is visible from the next batch on.  Called under lock. */
void
column_show(struct store *st, struct held *e)
{
	assert(e->state == STATE_MADE && atomic_load(&st->slot[e->column.col]) == NULL);
	e->state = STATE_PUBLISHED;
	e->batch = atomic_load(&st->batch) + 1;
	atomic_store_explicit(&st->slot[e->column.col], e, memory_order_release);
}

static const struct column *
own_column(const struct store *st, column_id col)
{
	struct held *e = atomic_load_explicit(&st->slot[col], memory_order_acquire);

	if (e == NULL || e->batch > atomic_load_explicit(&st->batch, memory_order_acquire))
		return NULL;
	return &e->column;
}

const struct column *
store_column(const struct store *st, column_id col)
{
	const struct column *c;

	assert(col > COL_NONE && col < COL_COUNT);
	while ((c = own_column(st, col)) == NULL && st->below != NULL && !st->masked[col])
		st = st->below;
	return c;
}

uint64_t
store_version(const struct store *st)
{
	uint64_t n = 0;

	for (; st != NULL; st = st->below)
		n += atomic_load_explicit(&st->batch, memory_order_acquire);
	return n;
}

struct store *
store_of(struct store *st, column_id col)
{
	assert(col > COL_NONE && col < COL_COUNT);
	while (st->below != NULL && !st->masked[col] && own_column(st, col) == NULL)
		st = st->below;
	return st;
}
