/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "holders in all dumps": in how many dumps of a process the same thread, or a lock without a known holder, holds
 * up others, and which deadlocks no later dump has. The process is the one whose last dump is shown first.
 */
#include "config.h"

#include "icecore/columns_dumps.h"
#include "dumps.h"

/* A holder over all dumps. */
struct dump_holder {
	uint32_t	dumps, most, last;	/* most: threads behind it; last: number of the last such dump */
};

struct held_row {
	/* row of its tree's holder in struct dump_holder, from 1; 0: of another process */
	uint32_t	held;
	uint32_t	dumps, most;	/* of a holder; 0: a thread that waits */
	uint8_t		newest;
};

struct dump_series {
	const struct store	*st;
	struct idmap		 by_key;
	ARRAY(struct dump_holder)	held;
	ARRAY(struct held_row)	rows;
	uint64_t		 nheld, nrows, pid;
};

uint64_t
series_lock_key(const struct store *st, uint64_t lock)
{
	return idmap_hash_text(dump_text(st, COL_LOCK_KEY, COL_LOCK_KEY_OWN, lock),
	    idmap_hash_text(dump_text(st, COL_LOCK_CLASS, COL_LOCK_CLASS_OWN, lock), 0));
}

/* Find or add the holder in a row of behind.* without others above it. */
static bool
series_count(struct dump_series *s, uint64_t row, uint32_t dump, struct err *err)
{
	uint64_t thread = store_cell(s->st, COL_BEHIND_THREAD, row),
	    below = store_cell(s->st, COL_BEHIND_BELOW, row);
	uint64_t key = thread != 0 ? store_cell(s->st, COL_DUMPED_THREAD, thread) :
	    series_lock_key(s->st, store_cell(s->st, COL_BEHIND_LOCK, row));
	struct dump_holder new = { 0 }, *held;
	uint32_t found = 0;

	if (!idmap_enter(&s->by_key, key, (uint32_t)s->nheld + 1, &found, err) ||
	    (found > s->nheld && !array_add(&s->held, &s->nheld, &new, err)))
		return false;
	held = &s->held.at[found - 1];
	held->dumps += held->last != dump;
	held->last = dump;
	held->most = below > held->most ? (uint32_t)below : held->most;
	s->rows.at[row - 1].held = found;
	return true;
}

/* Count the dumps of the process. */
static bool
series_dumps(const struct dump_series *s, struct store *st, struct err *err)
{
	uint64_t n = dumps_count(st);
	uint32_t *series = store_make(st, COL_TDUMP_SERIES, COL_U32, n, err), dumps = 0;

	for (uint64_t d = 1; d <= n; d++)
		dumps += store_cell(st, COL_TDUMP_PID, d) == s->pid;
	for (uint64_t d = 1; series != NULL && d <= n; d++)
		series[d - 1] = store_cell(st, COL_TDUMP_PID, d) == s->pid ? dumps : 0;
	return series != NULL;
}

static bool
series_read(struct dump_series *s, struct work *work, struct err *err)
{
	uint32_t holder = 0;
	bool ok = true;

	for (uint64_t i = 1; ok && i <= s->nrows; i++) {
		uint64_t dump = store_cell(s->st, COL_BEHIND_DUMP, i);

		ok = work_each(work, i, 4096, err);
		if (store_cell(s->st, COL_BEHIND_DEPTH, i) != 0)
			s->rows.at[i - 1].held = holder;
		else if (store_cell(s->st, COL_TDUMP_PID, dump) == s->pid)
			ok = ok && series_count(s, i, (uint32_t)dump, err);
		holder = s->rows.at[i - 1].held;
	}
	return ok;
}

static void
series_fill(struct dump_series *s)
{
	for (uint64_t i = 0; i < s->nrows; i++) {
		struct held_row *row = &s->rows.at[i];
		const struct dump_holder *held = row->held == 0 ? NULL : &s->held.at[row->held - 1];

		if (held == NULL)
			continue;
		row->newest = held->last == store_cell(s->st, COL_BEHIND_DUMP, i + 1);
		if (store_cell(s->st, COL_BEHIND_DEPTH, i + 1) == 0) {
			row->dumps = held->dumps;
			row->most = held->most;
		}
	}
}

/* Mark the rows of deadlocks that no later dump has; a deadlock is known by its first thread. */
static bool
series_circles(struct dump_series *s, struct store *st, struct err *err)
{
	uint64_t n = column_rows(store_column(st, COL_CIRCLE_DUMP));
	uint8_t *newest = store_make(st, COL_CIRCLE_NEWEST, COL_U8, n, err);
	uint32_t found;

	idmap_clear(&s->by_key);
	for (uint64_t i = n; newest != NULL && i > 0; i--) {
		uint64_t first = store_cell(st, COL_CIRCLE_FIRST, i), dump = store_cell(st, COL_CIRCLE_DUMP, i),
		    thread = store_cell(st, COL_CIRCLE_THREAD, first), told = store_cell(st,
		    COL_CIRCLE_REPORT, first);
		uint64_t key = thread != 0 ? idmap_hash(store_cell(st, COL_DUMPED_THREAD, thread)) :
		    idmap_hash_text(store_text(st, store_cell(st, COL_REPORT_NAME, told)), 0);

		if (store_cell(st, COL_TDUMP_PID, dump) != s->pid)
			continue;
		if (!idmap_enter(&s->by_key, key, (uint32_t)dump, &found, err))
			return false;
		newest[i - 1] = found == dump;
	}
	return newest != NULL;
}

static bool
series_run(struct store *st, struct work *work, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_BEHIND_NEWEST, held_row, newest), MAKE_FIT(COL_BEHIND_DUMPS, held_row, dumps),
		MAKE_FIT(COL_BEHIND_MOST, held_row, most),
	};
	struct dump_series s = { .st = st, .by_key = IDMAP_INIT,
	    .nrows = column_rows(store_column(st, COL_BEHIND_DUMP)),
	    .pid = store_cell(st, COL_TDUMP_PID, dumps_shown(st)) };
	bool ok;

	work_start(work, "holders", s.nrows);
	ok = array_grow(&s.rows, s.nrows + 1, err) && series_read(&s, work, err);
	if (ok)
		series_fill(&s);
	ok = ok && make_columns(st, columns, NELEM(columns), MAKE_ROWS(s.rows.at, s.nrows), err) &&
	    series_dumps(&s, st, err) && series_circles(&s, st, err);
	SCRATCH_FREE(&s.held, &s.rows);
	idmap_free(&s.by_key);
	return ok;
}

const struct pass pass_dump_series = {
	.name = "holders in all dumps", .what = "in how many dumps each thread holds up others",
	    .when = COL_DUMPED_STATE, .run = series_run,
	.needs = PASS_COLUMNS(COL_BEHIND_DUMP, COL_CIRCLE_DUMP),
	.makes = PASS_COLUMNS(COL_BEHIND_NEWEST, COL_BEHIND_DUMPS, COL_BEHIND_MOST, COL_TDUMP_SERIES,
	    COL_CIRCLE_NEWEST)
};
