/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Switches and wakeups from the columns of the loader.
 */
#include "config.h"

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "scheds.h"

static const void *
sched_feed_column_of(const struct store *st, column_id col, enum column_type type, uint64_t rows)
{
	const struct column *c = store_column(st, col);

	return c == NULL || c->type != type || c->rows != rows ? NULL : column_all(c);
}

/* Ids are indices from here on. */
static bool
ids_fit(const uint32_t *id, uint64_t n, uint32_t most)
{
	for (uint64_t i = 0; i < n; i++) {
		resident_row(i);
		if (id[i] > most)
			return false;
	}
	return true;
}

bool
sched_feed_open(struct sched_feed *f, const struct store *st, struct err *err)
{
	*f = (struct sched_feed){ .n = column_rows(store_column(st, COL_SWITCH_TIME)),
	    .nwakes = column_rows(store_column(st, COL_WAKE_TIME)),
	    .threads = (uint32_t)column_rows(store_column(st, COL_LISTED_TID)) };
	f->time = sched_feed_column_of(st, COL_SWITCH_TIME, COL_U64, f->n);
	f->cpu = sched_feed_column_of(st, COL_SWITCH_CPU, COL_U16, f->n);
	f->from = sched_feed_column_of(st, COL_SWITCH_FROM, COL_U32, f->n);
	f->to = sched_feed_column_of(st, COL_SWITCH_TO, COL_U32, f->n);
	f->state = sched_feed_column_of(st, COL_SWITCH_STATE, COL_U8, f->n);
	f->wake_time = sched_feed_column_of(st, COL_WAKE_TIME, COL_U64, f->nwakes);
	f->wake_thread = sched_feed_column_of(st, COL_WAKE_THREAD, COL_U32, f->nwakes);
	f->wake_before = sched_feed_column_of(st, COL_WAKE_BEFORE, COL_U32, f->nwakes);
	if ((f->n > 0 && (f->time == NULL || f->cpu == NULL || f->from == NULL || f->to == NULL ||
	    f->state == NULL)) || (f->nwakes > 0 && (f->wake_time == NULL || f->wake_thread == NULL ||
	    f->wake_before == NULL)) || !ids_fit(f->from, f->n, f->threads) ||
	    !ids_fit(f->to, f->n, f->threads) || !ids_fit(f->wake_thread, f->nwakes, f->threads))
		return fail(err, E_SYSTEM, "index does not match the trace; --no-index ignores it");
	return true;
}

bool
sched_cpus_open(struct sched_cpus *c, const struct sched_feed *f, struct err *err)
{
	uint32_t *id, most = 0;

	*c = (struct sched_cpus){ .n = 0 };
	if (!array_grow(&c->id, UINT16_MAX + 1u, err) || !sched_seats_open(&c->seats, f->threads, err))
		return false;
	id = c->id.at;
	for (uint64_t i = 0; i < f->n; i++) {
		resident_row(i);
		id[f->cpu[i]] = f->cpu[i] != SWITCH_NO_CPU;
		if (f->cpu[i] > most)
			most = f->cpu[i];
	}
	for (uint32_t number = 0; number <= most; number++)
		if (id[number] != 0)
			id[number] = ++c->n;
	if (!array_grow(&c->number, (uint64_t)c->n + 1, err))
		return false;
	for (uint32_t number = 0; number <= most; number++)
		if (id[number] != 0)
			c->number.at[id[number] - 1] = number;
	return true;
}

void
sched_cpus_close(struct sched_cpus *c)
{
	SCRATCH_FREE(&c->id, &c->number);
	sched_seats_close(&c->seats);
}
