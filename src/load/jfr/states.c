/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * states: states of threads during events, and pauses of the collector. The state between events is unknown.
 */
#include "config.h"

#include <assert.h>

#include "jfr.h"

/* Intervals of one thread, by start; open ones are a stack. */
struct open_interval {
	uint64_t	end;
	uint32_t	state;
};

struct stack_of_states {
	struct scratch	open;
	uint64_t	n;
	uint32_t	now;		/* the state written last */
};

static void
states_put(struct jfr *j, struct points *out, struct stack_of_states *s, uint64_t time, uint32_t state)
{
	INTO(&j->to, state == s->now || points_add(out, time, state, j->to.err));
	s->now = state;
}

/* Close intervals that end up to a time; the interval around them resumes. */
static void
close_until(struct jfr *j, struct points *out, struct stack_of_states *s, uint64_t time)
{
	const struct open_interval *open = SCRATCH(s->open, struct open_interval);
	uint64_t end;

	while (s->n > 0 && open[s->n - 1].end <= time) {
		end = open[s->n - 1].end;
		while (s->n > 0 && open[s->n - 1].end <= end)
			s->n--;
		/* An interval that follows immediately sets the state instead. */
		if (end == time && s->n == 0)
			break;
		states_put(j, out, s, end, s->n > 0 ? open[s->n - 1].state : STATE_NONE);
	}
}

static void
states_put_track(struct jfr *j, struct points *out, const struct jfr_interval *const *rows, uint64_t n, bool pauses)
{
	struct stack_of_states s = { SCRATCH_INIT, 0, STATE_NONE };
	struct open_interval open;
	const char *name;
	bool pause;

	assert(n > 0);
	INTO(&j->to, points_track(out, TRACK_STATE, pauses ? "gc" : "state", "", pauses ? 0 : rows[0]->thread,
	    0, j->to.err));
	for (uint64_t i = 0; i < n && !j->to.bad; i++) {
		assert(i == 0 || rows[i - 1]->start <= rows[i]->start);
		name = jfr_interval_state(j, rows[i], &pause);
		open = (struct open_interval){ rows[i]->start + rows[i]->length,
		    points_state(out, pauses ? "Pause" : name, j->to.err) };
		INTO(&j->to, open.state != STATE_NONE);
		if (i % 4096 == 0)
			into_go(&j->to, j->c.size);
		close_until(j, out, &s, rows[i]->start);
		INTO_ROW(&j->to, s.open, s.n, open, "open intervals");
		states_put(j, out, &s, rows[i]->start, open.state);
	}
	/* Close all open intervals. */
	close_until(j, out, &s, UINT64_MAX);
	assert(s.n == 0);
	scratch_free(&s.open);
}

/* Sort the intervals by thread, then by start.  first: first row by thread, with one entry more than threads. */
static void
sort_by_thread(struct jfr *j, struct scratch *sorted, struct scratch *first)
{
	const struct jfr_interval *row = SCRATCH(j->intervals.rows, struct jfr_interval);
	uint64_t threads = j->s.nthreads, *at;
	bool pause;

	INTO(&j->to, scratch_array(sorted, j->intervals.nrows, sizeof(void *), j->to.err) &&
	    scratch_array(first, threads + 2, sizeof *at, j->to.err));
	at = SCRATCH(*first, uint64_t);
	for (int pass = 0; pass < 2 && !j->to.bad; pass++) {
		for (uint64_t i = 0; i < j->intervals.nrows; i++) {
			const char *state = jfr_interval_state(j, &row[i], &pause);
			uint64_t thread = pause ? 0 : row[i].thread;

			if (row[i].length == 0 || (!pause && (state == NULL || thread == 0)))
				continue;
			assert(thread <= threads);
			if (pass == 0)
				at[thread + 1]++;
			else
				SCRATCH(*sorted, const struct jfr_interval *)[at[thread]++] = &row[i];
		}
		for (uint64_t i = 1; pass == 0 && i <= threads + 1; i++)
			at[i] += at[i - 1];
	}
}

void
jfr_states_put(struct jfr *j, struct points *out)
{
	struct scratch sorted = SCRATCH_INIT, first = SCRATCH_INIT;
	const struct jfr_interval *const *rows;
	const uint64_t *end;
	uint64_t from = 0;

	sort_by_thread(j, &sorted, &first);
	rows = SCRATCH(sorted, const struct jfr_interval *);
	end = SCRATCH(first, uint64_t);
	/* After filling, end[i] is the first row of the next thread. */
	for (uint64_t i = 0; i <= j->s.nthreads && !j->to.bad; from = end[i++]) {
		assert(from <= end[i] && end[i] <= j->intervals.nrows);
		if (end[i] > from)
			states_put_track(j, out, rows + from, end[i] - from, i == 0);
	}
	SCRATCH_FREE(&sorted, &first);
}
