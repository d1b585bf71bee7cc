/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overlap: whether retained sizes count bytes twice when they are added up: one of the objects dominates
 * another one, or there are several classes.
 */
#include "config.h"

#include <stdlib.h>

#include "hrows.h"

#define STEPS_MAX 10000000u	/* up the tree; what is not found by then is not reported */

static const char says[] = "retained sizes overlap; use 'components package'";

static bool
mark_objects(struct rows *in, size_t col, const struct heap *h, struct scratch *marked, struct err *err)
{
	struct batch *b = mem_array(1, sizeof *b);
	bool ok = b != NULL && scratch_array(marked, h->objects / 64 + 1ull, sizeof(uint64_t), err), batch;
	struct cell c;
	size_t n;

	for (uint64_t row = 0; ok && (n = rows_next(in, row, BATCH)) > 0; row += n) {
		batch = rows_batch(in, row, n, col, b);
		for (size_t i = 0; i < n; i++) {
			if (batch)
				batch_cell(b, i, &c);
			else
				rows_cell(in, row + i, col, &c);
			if (cell_object(h, &c) != 0)
				set_bit(marked, (uint32_t)c.u);
		}
	}
	free(b);
	return ok;
}

static bool
has_marked_above(struct rows *in, size_t col, const struct heap *h, const struct scratch *marked)
{
	uint64_t steps = 0;
	struct cell c;
	uint32_t up;

	for (uint64_t row = 0; rows_reach(in, row + 1) > row; row++) {
		rows_cell(in, row, col, &c);
		up = cell_object(h, &c);
		while (up != 0 && up != HEAP_ROOT && steps++ < STEPS_MAX) {
			up = heap_dominator(h, up);
			if (up != 0 && up != HEAP_ROOT && has_bit(marked, up))
				return true;
		}
	}
	return false;
}

const char *
overlap_objects(struct rows *in)
{
	int col = rows_ids(in, ID_OBJECT);
	struct scratch marked = SCRATCH_INIT;
	struct heap_view v = { .class = 0 };
	struct err err;
	bool overlap;

	if (col < 0 || !heap_view_open(&v, in->session, &err))
		return NULL;
	overlap = mark_objects(in, (size_t)col, &v.heap, &marked, &err) &&
	    has_marked_above(in, (size_t)col, &v.heap, &marked);
	scratch_free(&marked);
	heap_view_close(&v);
	return overlap ? says : NULL;
}

const char *
overlap_classes(struct rows *in)
{
	return rows_reach(in, 2) > 1 ? says : NULL;
}
