/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * column: the values of a column, of one type, one for each row.
 *
 * Values of an index are verified before they are used, a mebibyte at a time, by column_get and similar
 * functions; no other code reads values.  Damaged parts are rebuilt first, so callers see the original
 * values.
 */
#ifndef ICECORE_COLUMN_H
#define ICECORE_COLUMN_H

#include <stdatomic.h>

#include "icecore/base.h"
#include "icecore/columns.h"

enum column_type { COL_U8, COL_U16, COL_U32, COL_U64, COL_I64, COL_F64, COL_BYTES };

struct column {
	column_id		 col;
	enum column_type	 type;
	uint64_t		 rows;	/* COL_BYTES: bytes */
	const void		*values;	/* to be read through the functions below */
	atomic_bool		 guarded;	/* some rows are not verified yet */
};

enum column_type column_fit(uint64_t max);	/* narrowest unsigned type */

/* Bytes of a value. */
static inline size_t
column_width(enum column_type type)
{
	static const uint8_t width[] = {
		[COL_U8] = 1, [COL_U16] = 2, [COL_U32] = 4, [COL_U64] = 8,
		[COL_I64] = 8, [COL_F64] = 8, [COL_BYTES] = 1
	};

	return width[type];
}

/* Verifies n rows from first on (from 0), or as many as exist. */
void	column_verify(const struct column *, uint64_t first, uint64_t n);
static inline void
column_need(const struct column *c, uint64_t first, uint64_t n)
{
	if (__builtin_expect(atomic_load_explicit(&c->guarded, memory_order_acquire), 0))
		column_verify(c, first, n);
}

/* Value first, from which n can be read, or all; NULL for NULL.  first may be the end. */
static inline const void *
column_span(const struct column *c, uint64_t first, uint64_t n)
{
	if (c == NULL)
		return NULL;
	column_need(c, first, n);
	return (const char *)c->values + first * column_width(c->type);
}

static inline const void *
column_all(const struct column *c)
{
	return c == NULL ? NULL : column_span(c, 0, c->rows);
}

/* Any integer column, any row; 0 beyond the end and for a NULL column. */
static inline uint64_t
column_get(const struct column *c, uint64_t row)
{
	if (c == NULL || row >= c->rows)
		return 0;
	column_need(c, row, 1);
	switch (c->type) {
	case COL_U8: return ((const uint8_t *)c->values)[row];
	case COL_U16: return ((const uint16_t *)c->values)[row];
	case COL_U32: return ((const uint32_t *)c->values)[row];
	case COL_U64: return ((const uint64_t *)c->values)[row];
	case COL_I64: return (uint64_t)((const int64_t *)c->values)[row];
	case COL_F64:
	case COL_BYTES: break;
	}
	return 0;
}

/* column_get for a column of reals. */
static inline double
column_real(const struct column *c, uint64_t row)
{
	if (c == NULL || c->type != COL_F64 || row >= c->rows)
		return 0;
	column_need(c, row, 1);
	return ((const double *)c->values)[row];
}

/*
 * The rows of another table that belong to id, from 1.  count has their number, first their first row
 * (*row, from 1).  A damaged index may contain anything, so the result never exceeds has rows.
 */
static inline uint64_t
column_rows_of(const struct column *first, const struct column *count, const struct column *of, uint64_t id,
    uint64_t *row)
{
	uint64_t n = column_get(count, id - 1), rows = of == NULL ? 0 : of->rows;

	*row = column_get(first, id - 1);
	return *row == 0 || *row > rows ? 0 : n > rows - *row + 1 ? rows - *row + 1 : n;
}

/*
 * The same if first has one more row than there are ids: the rows of id i begin at *at and end where those
 * of the next begin.
 */
static inline uint64_t
column_list(const struct column *first, const struct column *of, uint64_t i, uint64_t *at)
{
	uint64_t begin = column_get(first, i), end = column_get(first, i + 1),
	    rows = of == NULL ? 0 : of->rows;

	end = end < rows ? end : rows;
	*at = begin < end ? begin : end;
	return end - *at;
}

/* Replaces each of n row numbers, from 1, by the value of that row; 0 as in column_get. */
void	column_look_up(const struct column *, uint64_t *number, size_t n);
/* The values of n rows from row on, in the same way. */
void	column_copy(const struct column *, uint64_t row, uint64_t *number, size_t n);

/* 0 for NULL. */
static inline uint64_t
column_rows(const struct column *c)
{
	return c == NULL ? 0 : c->rows;
}

/* In a column of rising values return the first row not below value; rows: none; 0 for NULL. */
uint64_t column_place(const struct column *, uint64_t value);
/* column_place among rows low .. high - 1, whose values rise. */
uint64_t column_place_in(const struct column *, uint64_t low, uint64_t high, uint64_t value);
/* The row, from 1, that has the value; 0: none has. */
uint64_t column_find(const struct column *, uint64_t value);

/* A value into a column that is being made. */
static inline void
column_set(void *data, enum column_type type, uint64_t row, uint64_t v)
{
	switch (type) {
	case COL_U8: ((uint8_t *)data)[row] = (uint8_t)v; break;
	case COL_U16: ((uint16_t *)data)[row] = (uint16_t)v; break;
	case COL_U32: ((uint32_t *)data)[row] = (uint32_t)v; break;
	case COL_U64:
	case COL_I64: ((uint64_t *)data)[row] = v; break;
	case COL_F64:
	case COL_BYTES: break;
	}
}

/* From row on; reals as their bits. */
void	column_set_many(void *data, enum column_type, uint64_t row, const uint64_t *, uint64_t n);

/* The text at a place, from 1, of a column of bytes whose texts end with NUL; "" at 0 and out of range. */
struct str column_text(const struct column *, uint64_t place);

#endif
