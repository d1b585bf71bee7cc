/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * async_rows: spans of tracks, and counters.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_marks.h"
#include "kernel.h"

bool
async_innermost(struct marks_in *m, uint64_t key, uint32_t *span, struct err *err)
{
	return marks_innermost(m, (uint32_t)(key >> 32), (uint32_t)key, span, err);
}

bool
async_begin(struct marks_in *m, uint64_t key, struct async_row *new, const struct mark_span *like,
    uint32_t up, struct err *err)
{
	assert(new->is.process != 0 && new->is.start == new->is.end);
	m->span_size = sizeof *new;
	if (!async_innermost(m, key, &new->parent, err) || !marks_track(m, like, &new->series, err))
		return false;
	if (up != 0)
		marks_nest(m, new->series, up - 1);
	new->is.depth = new->parent == 0 ? 0 : async_row(m, new->parent)->is.depth + 1;
	return marks_begin(m, new, (uint32_t)(key >> 32), (uint32_t)key, err) &&
	    marks_level(m, new->series, new->is.start, 1, err);
}

bool
async_end(struct marks_in *m, uint64_t key, uint64_t time, struct err *err)
{
	uint32_t span;

	if (!async_innermost(m, key, &span, err))
		return false;
	if (span == 0) {
		m->no_begin++;
		return true;
	}
	marks_end(m, span, time);
	return marks_level(m, async_row(m, span)->series, time, MARK_LESS, err);
}

bool
async_columns(struct marks_in *m, uint64_t end, struct err *err)
{
	static const struct make_column columns[] = {
		ASYNC_COLUMNS(async_row),
		MAKE(COL_ASYNC_THREAD, async_row, is.thread), MAKE(COL_ASYNC_TRACK, async_row, is.track),
	};

	m->span_size = sizeof(struct async_row);
	for (uint64_t i = 1; i <= m->nspans; i++)
		if (async_row(m, i)->is.open) {
			assert(async_row(m, i)->is.start <= end);
			async_row(m, i)->is.end = end;
		}
	return marks_sum_spans(m, err) && marks_operation_columns(m, err) && make_columns(m->l->st, columns,
	    NELEM(columns), MAKE_ROWS(SCRATCH(m->spans, struct async_row), m->nspans), err);
}

bool
counter_value(struct marks_in *m, uint64_t time, const struct mark_counter *new, struct str unit,
    double value, struct err *err)
{
	struct mark_counter *known;
	uint32_t counter = new->process == 0 ? 0 : mark_set_add(&m->counters, new,
	    offsetof(struct mark_counter, series), sizeof *new, "counters", err);

	if (counter == 0)
		return false;
	known = &SCRATCH(m->counters.rows, struct mark_counter)[counter - 1];
	return (unit.n == 0 || known->unit != 0 || marks_word_of(m, unit, &known->unit, err)) &&
	    marks_count(m, counter, time, value, err);
}
