/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lookup: the values of a column, many rows at once; where a value is among those that rise.
 */
#include "config.h"

#include <string.h>

#include "inside.h"

#define NEAR (1u << 18)	/* bytes between two rows that are verified with them */

/* Verify the numbers that are rows, and the bytes between rows that are near each other. */
static void
need_all(const struct column *c, const uint64_t *number, size_t n)
{
	uint64_t near = NEAR / column_width(c->type), low = 0, high = 0, row;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		row = number[i] - 1;
		if (row >= c->rows)
			continue;
		if (any && (row + near < low || row > high + near))
			column_need(c, low, high - low + 1);
		if (!any || row + near < low || row > high + near)
			low = high = row;
		low = row < low ? row : low;
		high = row > high ? row : high;
		any = true;
	}
	if (any)
		column_need(c, low, high - low + 1);
}

#define LOOK_UP(type) do { \
	const type *value = c->values; \
	for (size_t i = 0; i < n; i++) \
		number[i] = number[i] - 1 < rows ? (uint64_t)value[number[i] - 1] : 0; \
	return; \
} while (0)

void
column_look_up(const struct column *c, uint64_t *number, size_t n)
{
	uint64_t rows = column_rows(c);

	if (c != NULL && atomic_load_explicit(&c->guarded, memory_order_acquire))
		need_all(c, number, n);
	switch (c == NULL ? COL_BYTES : c->type) {
	case COL_U8: LOOK_UP(uint8_t);
	case COL_U16: LOOK_UP(uint16_t);
	case COL_U32: LOOK_UP(uint32_t);
	case COL_U64: LOOK_UP(uint64_t);
	case COL_I64: LOOK_UP(int64_t);
	case COL_F64:
	case COL_BYTES: break;
	}
	memset(number, 0, n * sizeof *number);
}

#define COPY(type) do { \
	const type *value = (const type *)c->values + row; \
	for (uint64_t i = 0; i < there; i++) \
		number[i] = (uint64_t)value[i]; \
} while (0)

void
column_copy(const struct column *c, uint64_t row, uint64_t *number, size_t n)
{
	uint64_t rows = column_rows(c), there = row >= rows ? 0 : n < rows - row ? n : rows - row;

	if (there > 0)
		column_need(c, row, there);
	switch (there == 0 ? COL_BYTES : c->type) {
	case COL_U8: COPY(uint8_t); break;
	case COL_U16: COPY(uint16_t); break;
	case COL_U32: COPY(uint32_t); break;
	case COL_U64: COPY(uint64_t); break;
	case COL_I64: COPY(int64_t); break;
	case COL_F64:
	case COL_BYTES: there = 0; break;
	}
	memset(number + there, 0, (n - there) * sizeof *number);
}

uint64_t
column_place_in(const struct column *c, uint64_t low, uint64_t high, uint64_t value)
{
	uint64_t middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (column_get(c, middle) < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t
column_place(const struct column *c, uint64_t value)
{
	return column_place_in(c, 0, column_rows(c), value);
}

uint64_t
column_find(const struct column *c, uint64_t value)
{
	uint64_t row = column_place(c, value);

	return c != NULL && row < c->rows && column_get(c, row) == value ? row + 1 : 0;
}
