/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * times: plausible times of a chunk. A time far from those at which the chunk was written is an error of its
 * writer, and must not shift all others.
 */
#include "config.h"

#include <assert.h>

#include "jfr.h"

#define MINUTE UINT64_C(60000000000)
#define WEEK (7 * 24 * 60 * MINUTE)
#define PROBE 64u		/* events examined to decide whether all times of a chunk are far from it */

static void
times_widen(struct jfr *j, uint64_t time)
{
	j->earliest = time < j->earliest ? time : j->earliest;
	j->latest = time > j->latest ? time : j->latest;
}

/* Widen the window by the times at which metadata or checkpoints were written. */
static void
widen_by(struct jfr *j, const struct scratch *places, uint64_t n)
{
	struct jfr_in in;
	uint64_t ticks;

	for (uint64_t i = 0; i < n; i++) {
		in = jfr_at(&j->c, SCRATCH(*places, uint64_t)[i]);
		/* After its size and type. */
		jfr_skip(&in, 2);
		ticks = jfr_u64(&in);
		if (!in.bad)
			times_widen(j, jfr_chunk_time(&j->c, ticks));
	}
}

/*
 * Find the window of plausible times from the header, metadata and checkpoints.  Clocks may run faster than
 * stated.
 */
static void
find_window(struct jfr *j)
{
	const struct jfr_chunk *c = &j->c;
	uint64_t slack = MINUTE + c->duration / 2;

	j->earliest = j->latest = c->start_ns;
	times_widen(j, num_add(c->start_ns, c->duration));
	widen_by(j, &c->metas, c->nmetas);
	widen_by(j, &c->checkpoints, c->ncheckpoints);
	j->earliest = j->earliest > slack ? j->earliest - slack : 0;
	/* The end time of an unfinished chunk is unknown. */
	j->latest = num_add(j->latest, c->unfinished || c->duration == 0 ? WEEK : slack);
	assert(j->earliest <= c->start_ns && c->start_ns <= j->latest);
}

bool
jfr_times_sensible(const struct jfr *j, uint64_t begin, uint64_t end)
{
	return end >= j->earliest && end <= j->latest && begin <= end;
}

bool
jfr_times_of(const struct jfr *j, const struct jfr_plan *plan, uint64_t *begin, uint64_t *end)
{
	const struct jfr_chunk *c = &j->c;

	if (plan->slot[EVENT_START].kind != JFR_NUMBER)
		return false;
	*begin = jfr_chunk_time(c, c->slot[EVENT_START]);
	*end = num_add(*begin, plan->slot[EVENT_DURATION].kind == JFR_NUMBER ?
	    jfr_chunk_length(c, c->slot[EVENT_DURATION]) : 0);
	return true;
}

void
jfr_times_begin(struct jfr *j)
{
	uint64_t at = j->c.begin + JFR_HEADER, begin, end;
	unsigned seen = 0, far = 0;
	const struct jfr_plan *plan;
	struct jfr_event e;
	struct jfr_reader *r;

	find_window(j);
	while (seen < PROBE && !j->c.no_clock && !j->to.bad && jfr_chunk_event(&j->c, &at, &e)) {
		r = e.type <= 1 ? NULL : jfr_reader_of(j, e.type);
		plan = r == NULL ? NULL : jfr_steps_of(&j->c, r->plan);
		if (r == NULL || r->ignored || !jfr_steps_run(&j->c, plan, &e.body) ||
		    !jfr_times_of(j, plan, &begin, &end))
			continue;
		seen++;
		far += !jfr_times_sensible(j, begin, end);
	}
	assert(far <= seen && seen <= PROBE);
	/* If most events are far from the times of the chunk, its header is wrong: accept all times. */
	if (j->c.no_clock || far > seen / 2) {
		j->earliest = 0;
		j->latest = UINT64_MAX;
	}
}
