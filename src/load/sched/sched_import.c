/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scheduler text beside samples or calls.
 */
#include "config.h"

#include "icecore/facts.h"

#include "rows.h"

/* Ask for the ids of threads in the surrounding profile or trace. */
static bool
sched_import_ask_threads(struct sched *s, const struct sched_import *b)
{
	uint32_t *id;

	if (!scratch_array(&s->ids, s->threads.nthreads + 1, sizeof *id, s->err))
		return false;
	id = SCRATCH(s->ids, uint32_t);
	for (uint32_t i = 1; i <= s->threads.nthreads; i++) {
		const struct sched_thread *t = sched_thread_at(&s->threads, i);

		if ((id[i] = b->thread(b->arg, t->pid, t->tid, t->name, s->err)) == 0)
			return false;
	}
	return true;
}

/* If the text states a clock, the surrounding events use it as well. */
static bool
sched_import_place(struct sched *s, struct sched_import *b)
{
	const struct sched_syncs *m = &s->syncs;
	uint64_t first = s->first;

	if (m->has_parent && num_add(m->parent, first) >= m->parent_at)
		first = num_add(m->parent, first) - m->parent_at;
	return b->begin(b->arg, first, num_add(first, s->last - s->first), &s->begin, s->err);
}

/* Ask for threads and the begin. */
static bool
sched_import_ask(struct sched *s, struct sched_import *b)
{
	b->switches = s->nrows - s->nmade;
	b->wakeups = s->nrows == 0 ? 0 : s->nwakes;
	b->lost = s->lost;
	b->others = s->count[SCHED_MARK] + s->count[SCHED_EVENT] + s->count[SCHED_ODD] +
	    s->count[SCHED_OTHER] + s->count[SCHED_USED] +
	    s->count[SCHED_BAD] + s->count[SCHED_NONE] + (s->tail > 0);
	return s->nrows == 0 || (((s->unordered == 0 && s->nused == 0) || sched_rows_sort(s)) &&
	    sched_import_place(s, b) &&
	    sched_import_ask_threads(s, b));
}

/* Give them to the rows. */
static void
sched_import_rows(struct sched *s)
{
	const uint32_t *id = SCRATCH(s->ids, uint32_t);
	uint32_t most = 0;

	sched_rows_begin(s, s->begin, id);
	for (uint64_t i = 1; i <= s->threads.nthreads; i++)
		most = id[i] > most ? id[i] : most;
	s->threads.nthreads = most;
}

static bool
sched_import_columns(struct sched *s)
{
	return sched_rows_columns(s) && fact_set(s->st, FACT_SWITCHES, s->nrows - s->nmade, s->err) &&
	    (s->nmade == 0 || fact_set(s->st, FACT_REPAIR_MADE_SWITCHES, s->nmade, s->err)) &&
	    fact_set(s->st, FACT_WAKEUPS, s->nwakes, s->err);
}

static bool
sched_import_reasons(struct sched *s, const struct sched_import *b)
{
	for (uint64_t i = 0; i < b->nreasons; i++) {
		const struct sched_reason *r = &b->reasons[i];

		if (r->thread <= s->threads.nthreads &&
		    !sched_level_blocked(&s->levels, r->thread, r->time, r->io, r->word, s->err))
			return false;
	}
	return sched_rows_levels(s);
}

bool
sched_import(struct store *st, struct str text, struct sched_import *b, struct work *w, struct err *err)
{
	struct sched s = { .st = st, .work = w, .data = text.s, .size = text.n, .first = UINT64_MAX };
	bool ok = sched_rows_read(&s, err) && sched_import_ask(&s, b);

	if (ok && s.nrows > 0) {
		sched_import_rows(&s);
		ok = sched_import_columns(&s) && sched_import_reasons(&s, b);
	}
	sched_rows_close(&s);
	return ok;
}
