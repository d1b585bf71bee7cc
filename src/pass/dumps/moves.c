/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "thread changes": each thread of a dump beside the same thread in the next one.
 */
#include "config.h"

#include "icecore/columns_dumps.h"
#include "dumps.h"

struct move_row {
	uint32_t	dump, from, to;
	uint8_t		how;
};

struct moves {
	const struct store	*st;
	struct work		*work;
	ARRAY(struct move_row)	rows;
	ARRAY(uint32_t)	same;		/* by row of dumped.* */
	ARRAY(uint8_t)	since;		/* enum move_how, by row of dumped.* */
	ARRAY(uint32_t)	first;		/* by thread: its stack in the first dump + 1; 0: it is not there */
	ARRAY(uint32_t)	second;	/* by thread: its first row in the later dump; 0: none, or taken */
	uint64_t		 n, nthreads;
};

static uint32_t *
second_of(struct moves *m, uint64_t row)
{
	uint64_t thread = store_cell(m->st, COL_DUMPED_THREAD, row);

	return &m->second.at[thread <= m->nthreads ? thread : 0];
}

static bool
put_move(struct moves *m, uint32_t dump, uint64_t from, uint64_t to, struct err *err)
{
	struct move_row row = { dump, (uint32_t)from, (uint32_t)to, MOVE_MOVED };

	if (to == 0)
		row.how = MOVE_GONE;
	else if (from == 0)
		row.how = MOVE_NEW;
	else if (store_cell(m->st, COL_DUMPED_STACK, from) == store_cell(m->st, COL_DUMPED_STACK, to)) {
		row.how = MOVE_SAME;
		m->same.at[to] = m->same.at[from] + 1;
	}
	return make_add(&m->rows.raw, &m->n, &row, sizeof row, MAKE_MOST, "changes of threads", err);
}

/* Threads of the earlier dump in its order, then those that are new. */
static bool
moves_compare(struct moves *m, uint32_t dump, struct dump_rows a, struct dump_rows b, struct err *err)
{
	bool ok = true;

	for (uint64_t i = b.to; i-- > b.from; )
		*second_of(m, i) = (uint32_t)i;
	for (uint64_t i = a.from; ok && i < a.to; i++) {
		uint32_t *second = second_of(m, i);

		ok = work_each(m->work, i, 4096, err) && put_move(m, dump, i, *second, err);
		*second = 0;
	}
	for (uint64_t i = b.from; i < b.to; i++) {
		uint32_t *second = second_of(m, i);

		ok = ok && (*second != i || put_move(m, dump, 0, i, err));
		if (*second == i)
			*second = 0;
	}
	return ok;
}

/* Each thread against the first dump. */
static void
moves_since(struct moves *m, uint32_t dump, struct dump_rows r)
{
	uint32_t *first = m->first.at;

	for (uint64_t i = r.from; i < r.to; i++) {
		uint64_t thread = store_cell(m->st, COL_DUMPED_THREAD, i),
		    stack = store_cell(m->st, COL_DUMPED_STACK, i) + 1;

		thread = thread <= m->nthreads ? thread : 0;
		if (dump == 1 && first[thread] == 0)
			first[thread] = (uint32_t)stack;
		m->since.at[i] = first[thread] == 0 ? MOVE_NEW : first[thread] == stack ? MOVE_SAME :
		    MOVE_MOVED;
	}
}

static bool
moves_run(struct store *st, struct work *work, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_MOVE_DUMP, move_row, dump), MAKE_FIT(COL_MOVE_FROM, move_row, from),
		MAKE_FIT(COL_MOVE_TO, move_row, to),
		MAKE(COL_MOVE_HOW, move_row, how),
	};
	struct moves m = { .st = st, .work = work, .nthreads = column_rows(store_column(st,
	    COL_DUMPED_STATE)) };
	uint64_t ndumps = dumps_count(st), done = 1;
	struct dump_rows before = { 1, 1 }, r;
	bool ok = array_grow(&m.second, m.nthreads + 1, err) && array_grow(&m.same, m.nthreads + 1, err) &&
	    array_grow(&m.first, m.nthreads + 1, err) && array_grow(&m.since, m.nthreads + 1, err);

	work_start(work, "changes", m.nthreads);
	for (uint64_t i = 0; ok && i <= m.nthreads; i++)
		m.same.at[i] = 1;
	for (uint64_t d = 1; ok && d <= ndumps; d++, before = r) {
		r = dump_rows_next(st, d, &done);
		moves_since(&m, (uint32_t)d, r);
		if (d > 1)
			ok = moves_compare(&m, (uint32_t)d - 1, before, r, err);
	}
	ok = ok && make_copy(st, COL_DUMPED_SINCE, COL_U8, m.since.at + 1, m.nthreads, err) &&
	    make_copy(st, COL_DUMPED_SAME, COL_U32, m.same.at + 1, m.nthreads, err) &&
	    make_columns(st, columns, NELEM(columns), MAKE_ROWS(m.rows.at, m.n), err);
	SCRATCH_FREE(&m.rows, &m.since, &m.first, &m.second, &m.same);
	return ok;
}

const struct pass pass_dump_moves = {
	.name = "thread changes", .what = "threads of one stack dump and the next", .when = COL_DUMPED_STATE,
	    .run = moves_run,
	.needs = PASS_COLUMNS(COL_NONE),
	.makes = PASS_COLUMNS(COL_MOVE_DUMP, COL_MOVE_FROM, COL_MOVE_TO, COL_MOVE_HOW, COL_DUMPED_SAME,
	    COL_DUMPED_SINCE)
};
