/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stack_at: the innermost call of a thread at a time, and the one around it.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "stack_at.h"

void
stack_open(struct stack_at *s, const struct store *st)
{
	uint64_t records = fact_value(st, FACT_RECORDS), wall = fact_value(st, FACT_LAST_WALL);

	s->store = st;
	s->tick = trace_ns(st, 1);
	/* 65536 records: one replay reads as many. */
	s->ahead = records == 0 || s->tick == 0 ? 0 :
	    num_whole((double)(wall / s->tick) * 65536 / (double)records);
}

void
stack_close(struct stack_at *s)
{
	spans_free(&s->spans);
	array_free(&s->open);
}

uint64_t
stack_ticks(const struct stack_at *s, uint64_t ns)
{
	return s->tick > 0 ? ns / s->tick : 0;
}

bool
stack_is_slow(const struct stack_at *s)
{
	return s->pieces > column_rows(store_column(s->store, COL_BLOCK_LATEST));
}

/* ---- one after the other ------------------------------------------------------------ */

static bool
read_calls(struct stack_at *s, uint32_t thread, uint64_t at, struct err *err)
{
	if (thread == s->thread && at >= s->at && at <= s->to)
		return true;
	s->next = s->depth = 0;
	if (thread == s->thread && at >= s->from && at <= s->to)
		return true;
	s->thread = 0;
	s->pieces++;
	if (!spans_window(s->store, thread, at, num_add(at, s->ahead), 0, 0, &s->spans, err))
		return false;
	s->thread = thread;
	s->from = at;
	s->to = num_add(at, s->ahead);
	return true;
}

static void
stack_at_close_ended(struct stack_at *s, uint64_t time)
{
	while (s->depth > 0 && s->spans.span[s->open.at[s->depth - 1]].end <= time)
		s->depth--;
}

bool
stack_top(struct stack_at *s, uint32_t thread, uint64_t ns, struct top_calls *top, struct err *err)
{
	uint64_t at = stack_ticks(s, ns), *open;
	struct idle_look look = { .n = 0 };

	*top = (struct top_calls){ .method = 0 };
	if (!read_calls(s, thread, at, err))
		return false;
	for (; s->next < s->spans.n && s->spans.span[s->next].start <= at; s->next++) {
		stack_at_close_ended(s, s->spans.span[s->next].start);
		if (!array_add(&s->open, &s->depth, &s->next, err))
			return false;
	}
	stack_at_close_ended(s, at);
	s->at = at;
	open = s->open.at;
	if (s->depth > 0)
		top->method = s->spans.span[open[s->depth - 1]].method;
	if (s->depth > 1)
		top->caller = s->spans.span[open[s->depth - 2]].method;
	for (uint64_t n = s->methods != NULL ? s->depth : 0; n > 0 && idle_look_on(s->methods, &look,
	    s->spans.span[open[n - 1]].method); n--)
		continue;
	top->idle = idle_look_says(&look);
	return true;
}

/* ---- many at once ------------------------------------------------------------------- */

struct open_call {
	uint64_t	end;
	uint32_t	method;
};

/* A thread, as far as its calls were seen. */
struct stacked {
	uint64_t	 next, end;	/* range of the times of the thread that have no answer yet */
	struct open_call	*open;
	size_t		 depth, cap;
};

struct stacking {
	const struct idle_methods	*methods;
	const struct stack_time	*time;
	struct top_calls		*top;
	ARRAY(struct stacked)	threads;	/* by thread */
	uint64_t		 nthreads;
};

static void
end_calls(struct stacked *s, uint64_t time)
{
	while (s->depth > 0 && s->open[s->depth - 1].end <= time)
		s->depth--;
}

static bool
stacked_is_idle(const struct idle_methods *methods, const struct stacked *s)
{
	struct idle_look look = { .n = 0 };

	for (size_t n = s->depth; n > 0 && idle_look_on(methods, &look, s->open[n - 1].method); n--)
		continue;
	return idle_look_says(&look);
}

/* Answer the times before "before": no later call can be open then. */
static void
answer_before(struct stacking *all, struct stacked *s, uint64_t before)
{
	struct top_calls *top;

	for (; s->next < s->end && all->time[s->next].at < before; s->next++) {
		end_calls(s, all->time[s->next].at);
		top = &all->top[all->time[s->next].row];
		if (s->depth > 0)
			top->method = s->open[s->depth - 1].method;
		if (s->depth > 1)
			top->caller = s->open[s->depth - 2].method;
		top->idle = all->methods != NULL && stacked_is_idle(all->methods, s);
	}
}

static bool
stack_at_take_calls(void *arg, const struct span *span, const uint32_t *thread, size_t n, struct err *err)
{
	struct stacking *all = arg;
	struct stacked *s;

	for (size_t i = 0; i < n; i++) {
		s = &all->threads.at[thread[i]];
		answer_before(all, s, span[i].start);
		if (s->next == s->end)
			continue;
		end_calls(s, span[i].start);
		if (!mem_grow(&s->open, &s->cap, s->depth + 1, sizeof *s->open))
			return fail(err, E_SYSTEM, "out of memory (stack of %zu calls)", s->depth);
		s->open[s->depth++] = (struct open_call){ span[i].end, span[i].method };
	}
	return true;
}
bool
stack_tops(const struct stack_at *at, struct scratch *times, uint64_t n, struct top_calls *tops,
    struct work *work, struct err *err)
{
	struct stacking all = { .methods = at->methods, .top = tops, .threads = ARRAY_INIT,
	    .nthreads = column_rows(store_column(at->store, COL_THREAD_TID)) };
	uint32_t *asked = mem_array(all.nthreads + 1, sizeof *asked);
	struct span_sweep sweep = { asked, 0, 0, UINT64_MAX, work, stack_at_take_calls, &all };
	struct stacked *s = NULL;
	bool ok = asked != NULL || fail_memory(err, "list of threads");

	ok = ok && make_sort_both(times, n, sizeof(struct stack_time), work, err) &&
	    array_grow(&all.threads, all.nthreads + 1, err);
	all.time = SCRATCH(*times, struct stack_time);
	for (uint64_t i = 0; ok && i < n && all.time[i].thread <= all.nthreads; i++) {
		if (i == 0 || all.time[i].thread != all.time[i - 1].thread) {
			s = &all.threads.at[all.time[i].thread];
			s->next = i;
			asked[sweep.n++] = (uint32_t)all.time[i].thread;
		}
		s->end = i + 1;
	}
	ok = ok && spans_sweep(at->store, &sweep, err);
	for (uint64_t i = 0; ok && i <= all.nthreads; i++)
		answer_before(&all, &all.threads.at[i], UINT64_MAX);
	for (uint64_t i = 0; all.threads.raw.data != NULL && i <= all.nthreads; i++)
		free(all.threads.at[i].open);
	array_free(&all.threads);
	free(asked);
	return ok;
}
