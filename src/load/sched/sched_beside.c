/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scheduler text beside samples or calls.
 */
#include "config.h"

#include "icecore/facts.h"

#include "rows.h"

/* Replace the ids of threads with those of the surrounding profile or trace. */
static bool
sched_beside_take_threads(struct sched *s, const struct sched_beside *b, uint32_t *most, struct err *err)
{
	struct sched_row *row = SCRATCH(s->rows, struct sched_row);
	struct sched_woken *w = SCRATCH(s->wakes, struct sched_woken);
	struct scratch ids = SCRATCH_INIT;
	bool ok = scratch_array(&ids, s->threads.nthreads + 1, sizeof(uint32_t), err);
	uint32_t *id = SCRATCH(ids, uint32_t);

	for (uint32_t i = 1; ok && i <= s->threads.nthreads; i++) {
		const struct sched_thread *t = sched_thread_at(&s->threads, i);

		ok = (id[i] = b->thread(b->arg, t->pid, t->tid, t->name, err)) != 0;
		*most = id[i] > *most ? id[i] : *most;
	}
	for (uint64_t i = 0; ok && i < s->nrows; i++) {
		resident_row(i);
		row[i].from = id[row[i].from];
		row[i].to = id[row[i].to];
	}
	for (uint64_t i = 0; ok && i < s->nwakes; i++) {
		resident_row(i);
		w[i].thread = id[w[i].thread];
		if (WAKE_ID(w[i].by) <= s->threads.nthreads)
			w[i].by = WAKE_BY(WAKE_KIND(w[i].by), id[WAKE_ID(w[i].by)]);
	}
	for (uint64_t i = 0; ok && i < s->nblocked; i++)
		SCRATCH(s->blocked, struct sched_blocked)[i].thread = id[SCRATCH(s->blocked, struct sched_blocked)[i].thread];
	scratch_free(&ids);
	return ok;
}

/* If the text states a clock, the surrounding events use it as well. */
static bool
sched_beside_place(struct sched *s, struct sched_beside *b)
{
	const struct sched_marks *m = &s->marks;
	uint64_t first = s->first, at = 0;

	if (m->has_parent && num_add(m->parent, first) >= m->parent_at)
		first = num_add(m->parent, first) - m->parent_at;
	if (!b->begin(b->arg, first, num_add(first, s->last - s->first), &at, s->err))
		return false;
	sched_rows_begin(s, at);
	return true;
}

bool
sched_beside_rows(struct sched *s, struct sched_beside *b)
{
	uint32_t most = 0;

	b->switches = s->nrows;
	b->wakeups = s->nrows == 0 ? 0 : s->nwakes;
	b->lost = s->lost;
	b->others = s->count[SCHED_MARK] + s->count[SCHED_LEVEL] + s->count[SCHED_OTHER] + s->count[SCHED_BAD] + s->count[SCHED_NONE] + (s->tail > 0);
	if (s->nrows == 0)
		return true;
	if ((s->unordered > 0 && !sched_rows_sort(s)) || !sched_beside_place(s, b) || !sched_beside_take_threads(s, b, &most, s->err))
		return false;
	s->threads.nthreads = most;
	return true;
}

bool
sched_beside_columns(struct sched *s)
{
	return sched_rows_columns(s) && fact_set(s->st, FACT_SWITCHES, s->nrows, s->err) && fact_set(s->st, FACT_WAKEUPS, s->nwakes, s->err);
}

bool
sched_beside(struct store *st, struct str text, struct sched_beside *b, struct work *w, struct err *err)
{
	struct sched s = { .st = st, .work = w, .data = text.s, .size = text.n, .first = UINT64_MAX };
	bool ok = sched_rows_read(&s, err) && sched_beside_rows(&s, b) && (s.nrows == 0 || sched_beside_columns(&s));

	sched_rows_close(&s);
	return ok;
}
