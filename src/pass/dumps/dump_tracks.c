/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "states of dumps": the states of each thread over time, from dump to dump, as a track.  Between two dumps a thread counts as in
 * the state of the earlier one; nothing is known about it where a dump lacks it.
 */
#include "config.h"

#include "icecore/columns_dumps.h"
#include "icecore/points.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "dumps.h"

struct state_tracks {
	const struct store	*st;
	struct work		*work;
	struct points		 out;
	struct scratch		 time;		/* u64 by dump, from 1: ns since the first one; never falls */
	struct scratch		 dump;		/* u32 by row of dumped.* */
	struct scratch		 first, list;	/* u32: rows by thread; one more than threads */
	uint64_t		 ndumps, nrows, nthreads;
};

/* Times of the dumps, and the dump of each row. */
static bool
dump_times(struct state_tracks *t, struct err *err)
{
	uint64_t first = store_cell(t->st, COL_TDUMP_TIME, 1), *time, done = 1;

	if (!scratch_array(&t->time, t->ndumps + 2, sizeof *time, err) || !scratch_array(&t->dump, t->nrows + 1, sizeof(uint32_t), err))
		return false;
	time = SCRATCH(t->time, uint64_t);
	for (uint64_t d = 1; d <= t->ndumps; d++) {
		uint64_t at = store_cell(t->st, COL_TDUMP_TIME, d);
		struct dump_rows r = dump_rows_next(t->st, d, &done);

		time[d] = at < first ? 0 : at - first;
		time[d] = time[d] < time[d - 1] ? time[d - 1] : time[d];
		for (uint64_t i = r.from; i < r.to; i++)
			SCRATCH(t->dump, uint32_t)[i] = (uint32_t)d;
	}
	/* The last states last as long as those before. */
	time[t->ndumps + 1] = t->ndumps < 2 ? 0 : num_add(time[t->ndumps], time[t->ndumps] - time[t->ndumps - 1]);
	return true;
}

bool
dumps_timed(const struct store *st)
{
	uint64_t n = dumps_count(st);

	for (uint64_t d = 1; d <= n; d++)
		if (store_cell(st, COL_TDUMP_TIME, d) == UINT64_MAX)
			return false;
	return n > 1;
}

/* The row of a thread in the last dump until a time; 0: it is not in it. */
static uint64_t
dumped_at(const struct store *st, uint32_t thread, uint64_t at)
{
	uint64_t n = dumps_count(st), first = store_cell(st, COL_TDUMP_TIME, 1), done = 1;
	struct dump_rows last = { 1, 1 }, r;

	for (uint64_t d = 1; d <= n; d++) {
		uint64_t time = store_cell(st, COL_TDUMP_TIME, d);

		r = dump_rows_next(st, d, &done);
		if (time >= first && time - first <= at)
			last = r;
	}
	for (uint64_t i = last.from; i < last.to; i++)
		if (store_cell(st, COL_DUMPED_THREAD, i) == thread)
			return i;
	return 0;
}

void
dumped_wait(const struct store *st, uint32_t thread, uint64_t at, struct buf *b)
{
	uint64_t row = dumps_timed(st) ? dumped_at(st, thread, at) : 0, want = store_cell(st, COL_DUMPED_WANT, row);
	uint64_t lock = store_cell(st, COL_DUMPED_LOCK, row), holder = store_cell(st, COL_DUMPED_HOLDER, row);
	struct str class = dump_text(st, COL_LOCK_CLASS, COL_LOCK_CLASS_OWN, lock);

	if (row == 0 || (want != WANT_LOCK && want != WANT_INIT))
		return;
	buf_str(b, STR(", wants "));
	buf_str(b, class.n > 0 ? class : STR("a lock"));
	if (holder != 0) {
		buf_str(b, STR(" held by "));
		dumped_label(st, holder, b);
	}
}

/* Rows by thread, in the order of the file. */
static bool
rows_by_thread(struct state_tracks *t, struct err *err)
{
	const struct column *thread = store_column(t->st, COL_DUMPED_THREAD);
	uint32_t *first, *list;

	if (!scratch_array(&t->first, t->nthreads + 2, sizeof *first, err) || !scratch_array(&t->list, t->nrows + 1, sizeof *list, err))
		return false;
	first = SCRATCH(t->first, uint32_t);
	list = SCRATCH(t->list, uint32_t);
	for (uint64_t i = 0; i < t->nrows; i++)
		if (column_get(thread, i) <= t->nthreads)
			first[column_get(thread, i)]++;
	for (uint64_t k = 1; k <= t->nthreads; k++)
		first[k] += first[k - 1];
	first[t->nthreads + 1] = first[t->nthreads];
	for (uint64_t i = t->nrows; i > 0; i--)
		if (column_get(thread, i - 1) <= t->nthreads)
			list[--first[column_get(thread, i - 1)]] = (uint32_t)i;
	return true;
}

/* States that do not change make one point. */
static bool
put_thread(struct state_tracks *t, uint32_t thread, struct err *err)
{
	const uint32_t *list = SCRATCH(t->list, uint32_t), *first = SCRATCH(t->first, uint32_t);
	const uint64_t *time = SCRATCH(t->time, uint64_t);
	uint32_t now = STATE_NONE, last = 0, state;

	if (first[thread] == first[thread + 1])
		return true;
	if (!points_track(&t->out, TRACK_STATE, "state", "", thread, 0, err))
		return false;
	for (uint32_t k = first[thread]; k < first[thread + 1]; k++) {
		uint32_t dump = SCRATCH(t->dump, uint32_t)[list[k]];
		uint64_t word = store_cell(t->st, COL_DUMPED_STATE, list[k]);

		if (dump == 0)
			continue;
		state = points_state(&t->out, dump_state_words[word < DUMP_STATES ? word : DSTATE_UNKNOWN], err);
		if (state == STATE_NONE || (last != 0 && dump > last + 1 && !points_add(&t->out, time[last + 1], STATE_NONE, err)))
			return false;
		if ((state != now || (last != 0 && dump > last + 1)) && !points_add(&t->out, time[dump], state, err))
			return false;
		now = state;
		last = dump;
	}
	return last == 0 || points_add(&t->out, time[last + 1], STATE_NONE, err);
}

static bool
tracks_of_dumps_run(struct store *st, struct work *work, struct err *err)
{
	struct state_tracks t = { .st = st, .work = work, .ndumps = dumps_count(st), .nrows = column_rows(store_column(st, COL_DUMPED_STATE)),
	    .nthreads = column_rows(store_column(st, COL_LISTED_TID)) };
	bool ok = true;

	points_open(&t.out);
	if (dumps_timed(st)) {
		work_start(work, "states", t.nthreads);
		ok = dump_times(&t, err) && rows_by_thread(&t, err);
		for (uint64_t k = 1; ok && k <= t.nthreads; k++)
			ok = (k % 1024 != 0 || work_tick(work, k) || fail_cancel(err)) && put_thread(&t, (uint32_t)k, err);
	}
	ok = ok && points_columns(&t.out, st, err);
	points_close(&t.out);
	SCRATCH_FREE(&t.time, &t.dump, &t.first, &t.list);
	return ok;
}

const struct pass pass_dump_tracks = {
	.name = "states of dumps", .what = "states of threads from stack dump to stack dump", .when = COL_TDUMP_TIME, .run = tracks_of_dumps_run,
	.needs = PASS_COLUMNS(COL_NONE),
	.makes = PASS_COLUMNS(POINTS_COLUMNS)
};
