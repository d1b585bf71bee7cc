/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * copies: which objects have equal content, as pass "duplicates" left them.
 */
#include "config.h"

#include "icecore/columns_content.h"
#include "hrows.h"

#define MEMBERS 16384u		/* members of groups looked at between two ticks */

void
copies_free(struct copies *c)
{
	SCRATCH_FREE(&c->has, &c->before, &c->row);
}

static uint32_t
copies_place(const struct copies *c, uint32_t object)
{
	uint64_t bits = c->has.at[object / 64] & ((UINT64_C(1) << object % 64) - 1);

	return c->before.at[object / 64] + heap_ones(bits);
}

/* Set a bit for each member, count the bits before each word, and store the row of each member by rank. */
static bool
copies_fill(struct copies *c, uint32_t objects, struct work *work, struct err *err)
{
	uint64_t n = c->member == NULL ? 0 : c->member->rows, i;
	uint32_t object, sum = 0;

	for (i = 0; i < n; i++) {
		object = (uint32_t)column_get(c->member, i);
		if (object <= objects)
			set_bit(&c->has.raw, object);
	}
	for (i = 0; i <= objects / 64; i++) {
		c->before.at[i] = sum;
		sum += heap_ones(c->has.at[i]);
	}
	for (i = 0; i < n; i++) {
		if (!work_each(work, i, MEMBERS, err))
			return false;
		object = (uint32_t)column_get(c->member, i);
		if (object <= objects)
			c->row.at[copies_place(c, object)] = (uint32_t)i + 1;
	}
	return true;
}

bool
copies_make(struct copies *c, const struct heap *h, struct work *work, struct err *err)
{
	uint64_t words = h->objects / 64 + 1ull;

	if (c->made)
		return true;
	c->first = heap_column(h, COL_EACH_DUP_FIRST);
	c->member = heap_column(h, COL_EACH_DUP_MEMBER);
	c->owns = heap_column(h, COL_EACH_DUP_OWNS);
	c->copies = heap_column(h, COL_EACH_DUP_COPIES);
	c->waste = heap_column(h, COL_EACH_DUP_WASTE);
	c->shared = heap_column(h, COL_EACH_DUP_SHARED);
	c->sharers = heap_column(h, COL_EACH_DUP_SHARERS);
	/* Do not retry after a failure: no object has copies then, and the rows have the error. */
	c->made = true;
	return array_grow(&c->has, words, err) &&
	    array_grow(&c->before, words, err) &&
	    array_grow(&c->row, (c->member == NULL ? 0 : c->member->rows) + 1, err) &&
	    copies_fill(c, h->objects, work, err);
}

uint64_t
copies_row(const struct copies *c, uint32_t object)
{
	return c->row.raw.data != NULL && has_bit(&c->has.raw,
	    object) ? c->row.at[copies_place(c, object)] : 0;
}

uint64_t
copies_group(const struct copies *c, uint64_t row)
{
	return row == 0 ? 0 : column_place(c->first, row);
}

uint64_t
copies_sharers(const struct copies *c, uint32_t array)
{
	uint64_t row = column_find(c->shared, array);

	return row == 0 ? 1 : column_get(c->sharers, row - 1);
}

uint64_t
copies_waste(const struct copies *c, const struct heap *h, uint32_t object)
{
	uint64_t row = copies_row(c, object), group = copies_group(c, row), waste;
	struct heap_text t;

	if (row == 0 || column_get(c->first, group - 1) == row - 1)
		return 0;
	waste = heap_shallow(h, object);
	if (heap_text(h, object, &t) && t.array != 0 && column_get(c->owns, row - 1) != 0)
		waste += heap_shallow(h, t.array);
	return waste;
}
