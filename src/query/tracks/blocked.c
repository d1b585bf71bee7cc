/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blocked: why a task slept, from the kernel's events.
 */
#include "config.h"

#include "icecore/columns_sched.h"
#include "icecore/pass.h"
#include "blocked.h"

/* The row (from 1) of blocked.* of a thread that left its CPU at a time; 0: none. */
static uint64_t
blocked_row(const struct store *st, uint32_t thread, uint64_t time)
{
	const struct column *rows = store_column(st, COL_BLOCKED_SWITCH), *t, *from;
	uint64_t n, at;

	if (rows == NULL)
		return 0;
	t = store_column(st, COL_SWITCH_TIME);
	from = store_column(st, COL_SWITCH_FROM);
	n = column_rows(t);
	for (uint64_t i = n == 0 ? 0 : column_place(t, time); i < n && column_get(t, i) == time; i++)
		if (column_get(from, i) == thread && (at = column_place(rows, i + 1)) < column_rows(rows) &&
		    column_get(rows, at) == i + 1)
			return at + 1;
	return 0;
}

bool
blocked_for_io(const struct store *st, uint32_t thread, uint64_t time)
{
	uint64_t row = blocked_row(st, thread, time);

	return row != 0 && store_cell(st, COL_BLOCKED_IO, row) != 0;
}

void
blocked_cell(const struct store *st, uint32_t thread, uint64_t time, unsigned what, struct cell *c)
{
	uint64_t row = blocked_row(st, thread, time);

	if (what == BLOCKED_IN) {
		c->text = row == 0 ? STR("") : word_text(st, (uint32_t)store_cell(st, COL_BLOCKED_IN, row));
		return;
	}
	c->type = row == 0 ? CELL_NONE : CELL_BOOL;
	c->u = row == 0 ? 0 : store_cell(st, COL_BLOCKED_IO, row) != 0;
}
