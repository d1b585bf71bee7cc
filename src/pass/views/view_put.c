/*
 * view_put: what steps of views share: how each ends, the weight a thread has beside its calls, and pieces of time.
 */
#include "config.h"

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
	uint64_t row = column_get(store_column(st, COL_THREAD_CALL), thread - 1) - 1;
	uint64_t end = row + column_get(store_column(st, COL_THREAD_SIZE), thread - 1);
	uint64_t in_wall = 0, in_cpu = 0;

	*wall = column_get(store_column(st, COL_THREAD_WALL), thread - 1);
	*cpu = column_get(store_column(st, COL_THREAD_CPU), thread - 1);
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
	bool ranged = store_fact_get(st, "range.set") != 0;

	*from = ranged ? store_fact_get(st, "range.from") : 0;
	*to = ranged ? store_fact_get(st, "range.to") : UINT64_MAX;
	return ranged;
}

bool
view_put_range(struct store *st, const struct view *v, struct err *err)
{
	return store_fact(st, "range.set", FACT_COUNT, 1, err) &&
	    store_fact(st, "range.from", FACT_TIME, v->from, err) &&
	    store_fact(st, "range.to", FACT_TIME, v->to, err);
}

/* What is counted of tasks and CPUs is counted anew in it; sources of things that have a time take what lies in it. */
bool
view_times(struct store **top, const struct view *v, struct err *err)
{
	static const enum col masked[] = { TASK_COLUMNS, COL_NONE };
	struct store *st;

	if (!store_over(&st, *top, masked, err))
		return false;
	return view_put(top, st, view_put_range(st, v, err));
}
