/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series: how many threads waited for a lock in each of several stack dumps: "3 3 3 1 0".
 */
#include "config.h"

#include "overview.h"

enum { LOCKS_MOST = 64, LOCKS_SHOWN = 3, DUMPS_MOST = 20, THREADS_LEAST = 2 };

/* Rows of one lock, by dump. */
struct series_lock {
	uint64_t	first, n, most;
};

static uint64_t
series_number(struct answering *a, uint64_t row, struct str name)
{
	struct cell c;

	rows_cell(a->asked.rows, row, (size_t)rows_column(a->asked.rows, name), &c);
	return c.type == CELL_NONE ? 0 : c.u;
}

static struct str
series_lock_name(struct answering *a, uint64_t row, struct cell *c)
{
	rows_cell(a->asked.rows, row, (size_t)rows_column(a->asked.rows, STR("waits_for")), c);
	return c->text;
}

/* The locks of the rows, which are sorted by lock and dump. */
static size_t
series_find(struct answering *a, struct series_lock locks[LOCKS_MOST])
{
	OWN_BUF last = BUF_INIT;
	struct cell c;
	size_t n = 0;

	for (uint64_t row = 0; rows_reach(a->asked.rows, row + 1) > row; row++) {
		uint64_t threads = series_number(a, row, STR("n"));

		if (n == 0 || !str_eq(series_lock_name(a, row, &c), buf_view(&last))) {
			if (n == LOCKS_MOST)
				break;
			locks[n++] = (struct series_lock){ .first = row };
			buf_clear(&last);
			buf_str(&last, series_lock_name(a, row, &c));
		}
		locks[n - 1].n++;
		locks[n - 1].most = threads > locks[n - 1].most ? threads : locks[n - 1].most;
	}
	return n;
}

static void
series_add(struct answering *a, const struct series_lock *lock, uint64_t dumps)
{
	struct overview_item *to = answering_add(a);
	uint64_t row = lock->first, dump = dumps > DUMPS_MOST ? dumps - DUMPS_MOST : 0;
	struct cell c;

	if (to == NULL)
		return;
	to->value = (struct cell){ .type = CELL_COUNT, .u = lock->most };
	buf_str(&to->words, series_lock_name(a, row, &c));
	TEXT_COPY(to->by, "waits_for");
	buf_str(&to->key, buf_view(&to->words));
	buf_text(&to->words, dump > 0 ? "  ..." : " ");
	while (++dump <= dumps) {
		while (row < lock->first + lock->n && series_number(a, row, STR("dump")) < dump)
			row++;
		c = (struct cell){ .type = CELL_COUNT };
		if (row < lock->first + lock->n && series_number(a, row, STR("dump")) == dump)
			c.u = series_number(a, row, STR("n"));
		buf_chr(&to->words, ' ');
		cell_show(&c, &to->words);
	}
}

bool
own_lock_series(struct answering *a, struct err *err)
{
	struct series_lock locks[LOCKS_MOST];
	size_t n = series_find(a, locks), best;
	struct cell dumps;

	answering_given(a, STR("dumps"), &dumps);
	for (size_t shown = 0; shown < LOCKS_SHOWN && n > 0; shown++) {
		best = 0;
		for (size_t i = 1; i < n; i++)
			best = locks[i].most > locks[best].most ? i : best;
		if (locks[best].most < THREADS_LEAST)
			break;
		series_add(a, &locks[best], dumps.u);
		locks[best].most = 0;
	}
	return rows_whole(a->asked.rows, err);
}
