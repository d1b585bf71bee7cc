/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "states of dumps": the states of each thread over time, from dump to dump, as a track.  Between two
 * dumps a thread counts as in the state of the nearer one; nothing is known about it where a dump lacks it.
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
	/* by dump, from 1: when its states begin, ns since the first one; never falls */
	ARRAY(uint64_t)	time;
	ARRAY(uint32_t)	dump;		/* by row of dumped.* */
	ARRAY(uint32_t)	first, list;	/* rows by thread; one more than threads */
	uint64_t		 ndumps, nrows, nthreads;
};

/* When the states of a dump begin, ns since the first dump: in the middle between it and the one before. */
static uint64_t
dump_begins(const struct store *st, uint64_t dump)
{
	uint64_t first = store_cell(st, COL_TDUMP_TIME, 1), at = store_cell(st, COL_TDUMP_TIME, dump),
	    before = store_cell(st, COL_TDUMP_TIME, dump - (dump > 1));

	at = at < first ? 0 : at - first;
	before = before < first ? 0 : before - first;
	return at > before ? before + (at - before) / 2 : at;
}

/* Times of the dumps, and the dump of each row. */
static bool
dump_times(struct state_tracks *t, struct err *err)
{
	uint64_t first = store_cell(t->st, COL_TDUMP_TIME, 1), *time, done = 1, last;

	if (!array_grow(&t->time, t->ndumps + 2, err) || !array_grow(&t->dump, t->nrows + 1, err))
		return false;
	time = t->time.at;
	for (uint64_t d = 1; d <= t->ndumps; d++) {
		struct dump_rows r = dump_rows_next(t->st, d, &done);

		time[d] = dump_begins(t->st, d);
		time[d] = time[d] < time[d - 1] ? time[d - 1] : time[d];
		for (uint64_t i = r.from; i < r.to; i++)
			t->dump.at[i] = (uint32_t)d;
	}
	last = store_cell(t->st, COL_TDUMP_TIME, t->ndumps);
	time[t->ndumps + 1] = last < first || last - first < time[t->ndumps] ? time[t->ndumps] : last - first;
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

/* The row of a thread in the dump next to a time; 0: it is not in it. */
static uint64_t
dumped_at(const struct store *st, uint32_t thread, uint64_t at)
{
	uint64_t n = dumps_count(st), done = 1;
	struct dump_rows last = { 1, 1 }, r;

	for (uint64_t d = 1; d <= n; d++) {
		r = dump_rows_next(st, d, &done);
		if (dump_begins(st, d) <= at)
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
	uint64_t row = dumps_timed(st) ? dumped_at(st, thread, at) : 0,
	    want = store_cell(st, COL_DUMPED_WANT, row);
	uint64_t lock = store_cell(st, COL_DUMPED_LOCK, row), holder = store_cell(st, COL_DUMPED_HOLDER, row);
	struct str class = dump_text(st, COL_LOCK_CLASS, COL_LOCK_CLASS_OWN, lock);

	if (row == 0 || (want != WANT_LOCK && want != WANT_INIT))
		return;
	buf_text(b, ", waits for ");
	buf_str(b, class.n > 0 ? class : STR("a lock"));
	if (holder != 0) {
		buf_text(b, " held by ");
		dumped_label(st, holder, b);
	}
}

/* Rows by thread, in the order of the file. */
static bool
rows_by_thread(struct state_tracks *t, struct err *err)
{
	const struct column *thread = store_column(t->st, COL_DUMPED_THREAD);
	uint32_t *first, *list;

	if (!array_grow(&t->first, t->nthreads + 2, err) || !array_grow(&t->list, t->nrows + 1, err))
		return false;
	first = t->first.at;
	list = t->list.at;
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
	const uint32_t *list = t->list.at, *first = t->first.at;
	const uint64_t *time = t->time.at;
	uint32_t now = STATE_NONE, last = 0, state;

	if (first[thread] == first[thread + 1])
		return true;
	if (!points_track(&t->out, TRACK_STATE, "state", "", thread, 0, err))
		return false;
	for (uint32_t k = first[thread]; k < first[thread + 1]; k++) {
		uint32_t dump = t->dump.at[list[k]];
		uint64_t word = store_cell(t->st, COL_DUMPED_STATE, list[k]);

		if (dump == 0)
			continue;
		state = points_state(&t->out, dump_state_words[word < DUMP_STATES ? word : DSTATE_UNKNOWN],
		    err);
		if (state == STATE_NONE || (last != 0 && dump > last + 1 &&
		    !points_add(&t->out, time[last + 1], STATE_NONE, err)))
			return false;
		if ((state != now || (last != 0 && dump > last + 1)) &&
		    !points_add(&t->out, time[dump], state, err))
			return false;
		now = state;
		last = dump;
	}
	return last == 0 || points_add(&t->out, time[last + 1], STATE_NONE, err);
}

static bool
tracks_of_dumps_run(struct store *st, struct work *work, struct err *err)
{
	struct state_tracks t = { .st = st, .work = work, .ndumps = dumps_count(st),
	    .nrows = column_rows(store_column(st, COL_DUMPED_STATE)),
	    .nthreads = column_rows(store_column(st, COL_LISTED_TID)) };
	bool ok = true;

	points_open(&t.out);
	if (dumps_timed(st)) {
		work_start(work, "states", t.nthreads);
		ok = dump_times(&t, err) && rows_by_thread(&t, err);
		for (uint64_t k = 1; ok && k <= t.nthreads; k++)
			ok = work_each(work, k, 1024, err) && put_thread(&t, (uint32_t)k, err);
	}
	ok = ok && points_columns(&t.out, st, err);
	points_close(&t.out);
	SCRATCH_FREE(&t.time, &t.dump, &t.first, &t.list);
	return ok;
}

const struct pass pass_dump_tracks = {
	.name = "states of dumps", .what = "states of threads from stack dump to stack dump",
	    .when = COL_TDUMP_TIME, .run = tracks_of_dumps_run,
	.needs = PASS_COLUMNS(COL_NONE),
	.makes = PASS_COLUMNS(POINTS_COLUMNS)
};
