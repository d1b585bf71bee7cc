/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "event sums": for each kind of samples, its number of threads, and the number of incomplete samples:
 * without a stack, or without the outermost frames.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/make.h"
#include "calls.h"

enum { STACK_BARE = 1, STACK_CUT = 2 };

struct event_sum {
	uint64_t	threads, bare, cut;
};

struct event_sums {
	struct store	*st;
	struct work	*work;
	const struct column *stack, *thread, *event, *count;	/* sample.* */
	uint64_t	 nstacks, nthreads, nevents;
	struct scratch	 state;		/* u8: by stack */
	ARRAY(struct event_sum)	sums;
	struct idmap	 seen;		/* threads of events */
};

/* A class frame names the allocated or awaited object: alone it does not make a stack. */
static unsigned
state_of_outermost(const struct store *st, uint32_t frame)
{
	if (frame == 0 || !method_named(st, frame) || method_kind(st, frame) == 'c')
		return STACK_BARE;
	return frame == fact_value(st, FACT_TRACE_CUT_FRAME) ? STACK_CUT : 0;
}

/* Callers precede their callees. */
static bool
find_states(struct event_sums *s, struct err *err)
{
	const struct column *parent = store_column(s->st, COL_STACK_PARENT),
	    *method = store_column(s->st, COL_STACK_METHOD);
	uint64_t up;
	uint8_t *state;

	if (!scratch_array(&s->state, s->nstacks + 1, 1, err))
		return false;
	state = s->state.data;
	state[0] = STACK_BARE;
	for (uint64_t i = 1; i <= s->nstacks; i++) {
		if (!work_each(s->work, i, 65536, err))
			return false;
		up = column_get(parent, i - 1);
		state[i] = up > 0 && up < i ? state[up] & STACK_CUT :
		    (uint8_t)state_of_outermost(s->st, (uint32_t)column_get(method, i - 1));
	}
	return true;
}

static bool
event_sums_sum_samples(struct event_sums *s, struct err *err)
{
	struct event_sum *sums = s->sums.at, *to;
	uint64_t event, thread, stack, n, key, last = UINT64_MAX;
	uint32_t found, new;
	uint8_t state;

	for (uint64_t i = 0; i < s->stack->rows; i++) {
		if (i % 65536 == 0 && !work_go(s->work, s->nstacks + i, err))
			return false;
		event = column_get(s->event, i);
		thread = column_get(s->thread, i);
		stack = column_get(s->stack, i);
		if (event == 0 || event > s->nevents || thread > s->nthreads || stack > s->nstacks)
			continue;
		to = &sums[event - 1];
		n = s->count == NULL ? 1 : column_get(s->count, i);
		state = s->state.data[stack];
		to->bare += state & STACK_BARE ? n : 0;
		to->cut += state & STACK_CUT ? n : 0;
		key = event << 32 | thread;
		if (thread == 0 || key == last)
			continue;
		last = key;
		new = (uint32_t)s->seen.n + 1;
		if (!idmap_enter(&s->seen, key, new, &found, err))
			return false;
		to->threads += found == new;
	}
	return true;
}

static bool
event_sums_publish(struct event_sums *s, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_EVENT_THREADS, event_sum, threads), MAKE(COL_EVENT_BARE, event_sum, bare),
		MAKE(COL_EVENT_CUT, event_sum, cut),
	};

	return make_columns(s->st, columns, NELEM(columns), MAKE_ROWS(s->sums.at, s->nevents), err);
}

static bool
event_sums_run(struct store *st, struct work *w, struct err *err)
{
	struct event_sums s = { .st = st, .work = w, .stack = store_column(st, COL_SAMPLE_STACK),
	    .thread = store_column(st, COL_SAMPLE_THREAD), .event = store_column(st, COL_SAMPLE_EVENT),
	    .count = store_column(st, COL_SAMPLE_COUNT),
	    .nstacks = column_rows(store_column(st, COL_STACK_PARENT)),
	    .nthreads = column_rows(store_column(st, COL_LISTED_TID)),
	    .nevents = column_rows(store_column(st, COL_EVENT_TYPE)) };
	bool ok;

	if (s.thread->rows != s.stack->rows || s.event->rows != s.stack->rows || s.nthreads >= UINT32_MAX ||
	    column_rows(store_column(st, COL_STACK_METHOD)) != s.nstacks)
		return fail(err, E_SYSTEM, "index does not match the profile; --no-index ignores it");
	work_start(w, "events", s.nstacks + s.stack->rows);
	ok = find_states(&s, err) && array_grow(&s.sums, s.nevents, err) && event_sums_sum_samples(&s, err) &&
	    event_sums_publish(&s, err);
	SCRATCH_FREE(&s.state, &s.sums);
	idmap_free(&s.seen);
	return ok;
}

const struct pass pass_event_sums = {
	.name = "event sums", .what = "threads and incomplete stacks of events", .run = event_sums_run,
	    .when = COL_SAMPLE_EVENT,
	.needs = PASS_COLUMNS(COL_SAMPLE_STACK, COL_SAMPLE_THREAD, COL_SAMPLE_EVENT, COL_STACK_PARENT,
	    COL_STACK_METHOD, COL_EVENT_TYPE),
	.makes = PASS_COLUMNS(COL_EVENT_THREADS, COL_EVENT_BARE, COL_EVENT_CUT)
};
