/*
 * view_times: a piece of time.  What is counted of tasks and CPUs is counted anew in it; sources of things that have a time take
 * what lies in it.
 */
#include "config.h"

#include "views.h"

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

bool
view_times(struct store **top, const struct view *v, struct err *err)
{
	static const char *const masked[] = { "task.", "cpu.", NULL };
	struct store *st;

	if (!store_over(&st, *top, masked, err))
		return false;
	return view_put(top, st, view_put_range(st, v, err));
}
