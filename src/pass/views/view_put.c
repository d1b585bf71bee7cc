/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view_put: shared steps of views: how each ends, the weight of a thread outside its calls, time ranges, and
 * names.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/sched.h"
#include "views.h"

bool
view_put(struct store **top, struct store *made, bool whole)
{
	if (whole) {
		store_publish(made);
		*top = made;
	} else {
		store_discard(made);
		store_close(made);
	}
	return whole;
}

void
view_rest(const struct store *st, uint32_t thread, uint64_t *wall, uint64_t *cpu)
{
	const struct column *size = store_column(st, COL_CALL_SIZE);
	const struct column *total_wall = store_column(st, COL_CALL_TOTAL_WALL);
	const struct column *total_cpu = store_column(st, COL_CALL_TOTAL_CPU);
	uint64_t row = store_cell(st, COL_THREAD_CALL, thread) - 1;
	uint64_t end = row + store_cell(st, COL_THREAD_SIZE, thread);
	uint64_t in_wall = 0, in_cpu = 0;

	*wall = store_cell(st, COL_THREAD_WALL, thread);
	*cpu = store_cell(st, COL_THREAD_CPU, thread);
	for (; row < end && column_get(size, row) != 0; row += column_get(size, row)) {
		in_wall = num_add(in_wall, column_get(total_wall, row));
		in_cpu = num_add(in_cpu, column_get(total_cpu, row));
	}
	*wall = *wall > in_wall ? *wall - in_wall : 0;
	*cpu = *cpu > in_cpu ? *cpu - in_cpu : 0;
}

bool
view_range(const struct store *st, uint64_t *from, uint64_t *to)
{
	bool ranged = fact_value(st, FACT_RANGE_SET) != 0;

	*from = ranged ? fact_value(st, FACT_RANGE_FROM) : 0;
	*to = ranged ? fact_value(st, FACT_RANGE_TO) : UINT64_MAX;
	return ranged;
}

bool
view_put_range(struct store *st, const struct view *v, struct err *err)
{
	return fact_set(st, FACT_RANGE_SET, 1, err) &&
	    fact_set(st, FACT_RANGE_FROM, v->from, err) &&
	    fact_set(st, FACT_RANGE_TO, v->to, err);
}

/*
 * Limit to a range: tasks and CPUs are counted again; query sources with times select the rows in the range.
 */
bool
view_times(struct store **top, const struct view *v, struct err *err)
{
	static const column_id masked[] = { RANGED_COLUMNS, COL_NONE };
	struct store *st;

	if (!store_over(&st, *top, masked, err))
		return false;
	return view_put(top, st, view_put_range(st, v, err));
}

/* ---- names ------------------------------------------------------------------------------ */

bool
view_put_texts(const struct text_pool *t, struct store *st, struct scratch *refs, struct err *err)
{
	uint64_t from = store_own_at(st);
	char *text = store_make(st, COL_VIEW_TEXT, COL_BYTES, t->size, err);

	if (text == NULL || !scratch_array(refs, t->n + 1ull, sizeof(uint64_t), err))
		return false;
	if (t->size > 0)
		memcpy(text, t->bytes.data, t->size);
	for (uint32_t i = 1; i <= t->n; i++)
		SCRATCH(*refs, uint64_t)[i - 1] = ref_make(from + SCRATCH(t->from, uint64_t)[i - 1],
		    texts_get(t, i).n);
	store_own_text(st, (struct str){ text, t->size });
	return true;
}

bool
trace_has_idle(const struct store *st)
{
	struct weights w;

	weights_of(st, &w);
	return w.clocks && w.name[CLOCK_WALL] != NULL && w.name[CLOCK_CPU] != NULL &&
	    !(load_shapes(st) & SHAPE_TASKS);
}

bool
thread_idle(const struct store *st, uint32_t thread)
{
	uint64_t from, to;

	return store_cell(st, COL_THREAD_IDLE, thread) != 0 && !view_range(st, &from, &to);
}
