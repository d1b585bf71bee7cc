/*
 * Switches and wakeups that were read: in order of time, which most files have and some of several buffers do not,
 * and as columns.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "sched.h"

/* How many switches stand before each wakeup now, from how many did in the file. */
static void
place_wakes(const struct sched_row *row, uint64_t nrows, struct sched_woken *w, uint64_t nwakes)
{
	uint64_t i, at = 0;

	for (i = 0; i < nwakes; i++) {
		assert(i == 0 || w[i - 1].time <= w[i].time);
		while (at < nrows && (row[at].time < w[i].time ||
		    (row[at].time == w[i].time && row[at].row < w[i].before)))
			at++;
		w[i].before = (uint32_t)at;
	}
}

bool
sched_sort(struct scratch *rows, uint64_t nrows, struct scratch *wakes, uint64_t nwakes, struct work *w,
    struct err *err)
{
	work_start(w, "sorting", 64);
	if (!make_sort(wakes, nwakes, sizeof(struct sched_woken), w, err) ||
	    !make_sort(rows, nrows, sizeof(struct sched_row), w, err))
		return false;
	place_wakes(SCRATCH(*rows, struct sched_row), nrows, SCRATCH(*wakes, struct sched_woken), nwakes);
	return true;
}

bool
sched_switch_columns(struct store *st, struct make_rows rows, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_SWITCH_TIME, sched_row, time), MAKE(COL_SWITCH_CPU, sched_row, cpu),
		MAKE(COL_SWITCH_FROM, sched_row, from), MAKE(COL_SWITCH_TO, sched_row, to),
		MAKE(COL_SWITCH_STATE, sched_row, state),
	};

	return make_columns(st, columns, NELEM(columns), rows, err);
}
