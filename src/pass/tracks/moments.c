/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "moments": the instants of each thread and process, in order of time.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/make.h"
#include "icecore/track.h"

enum moment_owner { OF_THREAD, OF_PROCESS, OWNERS };

struct moments {
	const struct column	*thread, *process;
	uint64_t		*first[OWNERS];	/* by id */
	uint64_t		 most[OWNERS];	/* the highest ids */
};

/* The id of the owner of an instant; 0: it has none, or the index has no such id. */
static uint64_t
moment_owner(const struct moments *m, uint64_t row, enum moment_owner *kind)
{
	uint64_t id = m->thread != NULL ? column_get(m->thread, row) : 0;

	*kind = id != 0 ? OF_THREAD : OF_PROCESS;
	id = id != 0 || m->process == NULL ? id : column_get(m->process, row);
	return id <= m->most[*kind] ? id : 0;
}

/* Instants are in order of time, so those of each owner are, too. */
static bool
moments_sort(struct moments *m, struct store *st, const struct column *time, struct work *w, struct err *err)
{
	uint64_t *at = store_make_scattered(st, COL_MOMENT_TIME, COL_U64, time->rows, err), *row, id,
	    before = 0;
	enum moment_owner kind;

	if (at == NULL || (row = store_make_scattered(st, COL_MOMENT_ROW, COL_U64, time->rows, err)) == NULL)
		return false;
	for (uint64_t i = 0; i < time->rows; i++) {
		id = moment_owner(m, i, &kind);
		m->first[kind][id]++;
	}
	for (kind = OF_THREAD; kind < OWNERS; kind++)
		for (id = 0; id <= m->most[kind] + 1; id++)
			before = m->first[kind][id] += before;
	for (uint64_t i = time->rows; i-- > 0;) {
		if (!work_go(w, i, err))
			return false;
		id = moment_owner(m, i, &kind);
		before = --m->first[kind][id];
		at[before] = column_get(time, i);
		row[before] = i;
	}
	return true;
}

static bool
moments_run(struct store *st, struct work *w, struct err *err)
{
	const struct column *time = store_column(st, COL_INSTANT_TIME);
	struct moments m = { .thread = store_column(st, COL_INSTANT_THREAD),
	    .process = store_column(st, COL_INSTANT_PROCESS),
	    .most = { [OF_THREAD] = column_rows(store_column(st, COL_LISTED_PROCESS)),
		[OF_PROCESS] = column_rows(store_column(st, COL_PROCESS_PID)) } };
	static const column_id first[] = { [OF_THREAD] = COL_MOMENT_THREAD,
	    [OF_PROCESS] = COL_MOMENT_PROCESS };
	enum moment_owner kind;

	work_start(w, "marks by thread", time->rows);
	for (kind = OF_THREAD; kind < OWNERS; kind++)
		if ((m.first[kind] = store_make(st, first[kind], COL_U64, m.most[kind] + 2, err)) == NULL)
			return false;
	return moments_sort(&m, st, time, w, err);
}

const struct pass pass_moments = {
	.name = "moments", .what = "instant events of each thread and process",
	.when = COL_INSTANT_TIME, .run = moments_run,
	.needs = PASS_COLUMNS(COL_INSTANT_TIME),
	.makes = PASS_COLUMNS(COL_MOMENT_THREAD, COL_MOMENT_PROCESS, COL_MOMENT_TIME, COL_MOMENT_ROW)
};

bool
moments_track(const struct store *st, uint32_t thread, uint32_t process, struct track *t)
{
	const struct column *c = store_column(st, thread != 0 ? COL_MOMENT_THREAD : COL_MOMENT_PROCESS);
	uint64_t id = thread != 0 ? thread : process;

	*t = (struct track){ .kind = TRACK_MOMENT, .name = thread != 0 ? "marks" : process != 0 ? "process marks" :
	    "global marks", .unit = "",
	    .thread = thread, .process = process, .time = store_column(st, COL_MOMENT_TIME),
	    .value = store_column(st, COL_MOMENT_ROW) };
	if (c == NULL || t->time == NULL || t->value == NULL || id + 1 >= c->rows)
		return false;
	t->first = column_get(c, id);
	t->n = column_get(c, id + 1) - t->first;
	return t->n > 0 && t->first < t->time->rows && t->n <= t->time->rows - t->first;
}
