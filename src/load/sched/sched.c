/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for scheduler traces as text: ftrace, trace-cmd report, perf script of sched events, perf sched timehist,
 * atrace, systrace.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "icecore/facts.h"

#include "load/slice/slice.h"
#include "rows.h"

/* Sections that are not closed last to the end of the trace. */
static bool
end_marks(struct sched *s)
{
	for (uint32_t i = 1; i <= s->threads.nthreads; i++) {
		const struct sched_thread *t = sched_thread_at(&s->threads, i);

		if (!sched_marks_end(&s->marks, t->tid, t->depth, s->last, s->err))
			return false;
	}
	return true;
}

static uint64_t
count_alone(struct sched *s)
{
	const struct sched_row *row = SCRATCH(s->rows, struct sched_row);

	for (uint64_t i = 0; i < s->nrows && s->lost == 0; i++)
		sched_threads_switch(&s->threads, row[i].from, row[i].to);
	return sched_threads_alone(&s->threads);
}

static bool
sched_set_facts(struct sched *s)
{
	const struct sched_marks *m = &s->marks;
	unsigned calls = m->nevents > 0 ? SHAPE_CALLS | SHAPE_INTERVALS : 0;
	unsigned tasks = s->nrows > 0 ? SHAPE_TASKS : 0;
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("scheduler trace (text)") },
		{ FACT_SWITCHES, s->nrows },
		{ FACT_WAKEUPS, s->nwakes },
		{ FACT_MARKS, s->count[SCHED_MARK] },
		{ FACT_THREADS_LISTED, s->threads.nthreads },
		{ FACT_RENAMES, s->threads.renames, MAKE_ANY },
		{ FACT_REUSED, s->threads.reused, MAKE_ANY },
		{ FACT_COUNTERS, m->nseries, MAKE_ANY },
		{ FACT_INSTANTS, m->instants, MAKE_ANY },
		{ FACT_CLOCK_START, s->first },
		{ FACT_ELAPSED, s->last - s->first },
		{ FACT_RECORDS, m->nevents },
		MAKE_COLUMN_TRACE,
		{ FACT_TRACE_START, s->first },
		{ FACT_SHAPES, SHAPE_ROWS | SHAPE_TRACKS | tasks | calls },
		{ FACT_REPAIR_BAD_EVENTS, s->count[SCHED_BAD], MAKE_ANY },
		{ FACT_REPAIR_UNORDERED, s->unordered, MAKE_ANY },
		{ FACT_REPAIR_ENDED, s->ended, MAKE_ANY },
		{ FACT_REPAIR_ONE_PROCESS, count_alone(s), MAKE_ANY },
		{ FACT_REPAIR_MARKS, m->unknown, MAKE_ANY },
		{ FACT_REPAIR_UNOPENED, m->unopened, MAKE_ANY },
		{ FACT_REPAIR_NO_END, m->no_end, MAKE_ANY },
		{ FACT_REPAIR_BELOW_ZERO, m->negative, MAKE_ANY },
		{ FACT_LOSS_EVENTS, s->lost, MAKE_ANY },
		{ FACT_LOSS_TAIL_BYTES, s->tail, MAKE_ANY },
	};

	return unread_facts(&s->unread, s->st, s->err) && make_facts(s->st, facts, NELEM(facts), s->err) && (!m->has_realtime ||
	    fact_set(s->st, FACT_TRACE_REALTIME, num_add(m->realtime, s->first) > m->realtime_at ?
	    num_add(m->realtime, s->first) - m->realtime_at : 0, s->err));
}

bool
sched_loss_reason(struct store *st, uint64_t events, uint64_t tail, struct err *err)
{
	char text[256], n[NUM_TEXT];

	num_show_count(n, sizeof n, events);
	if (events > 0)
		snprintf(text, sizeof text, "%s events lost while recording; record fewer events or enlarge buffers",
		    n);
	else if (tail > 0)
		snprintf(text, sizeof text, "truncated: the last %llu bytes are not a complete line",
		    (unsigned long long)tail);
	else
		return true;
	return fact_set_text(st, FACT_LOSS_REASON, str_of(text), err);
}

static bool
sched_is_graph(const struct sched *s)
{
	struct str head = { s->data, s->size };

	return str_take(&head, STR("# tracer: ")) && str_has_prefix(head, STR("function"));
}

static bool
sched_put_columns(struct sched *s)
{
	if (s->first > s->last && s->count[SCHED_BAD] > 0)
		return fail(s->err, E_UNREADABLE,
		    "unsupported form of ftrace text; use trace_clock mono and nolatency-format");
	if (s->first > s->last && sched_is_graph(s))
		return fail(s->err, E_UNREADABLE, "an ftrace function trace (unsupported); record stacks with perf record -g, "
		    "or switches with trace-cmd record -e sched");
	if (s->first > s->last && s->count[SCHED_NONE] > s->count[SCHED_OTHER])
		return fail(s->err, E_UNREADABLE, "unsupported form of ftrace text; turn off the options raw, hex and bin");
	if (s->first > s->last)
		return fail(s->err, E_UNREADABLE,
		    "no sched_switch events or markers; record with trace-cmd record -e sched");
	if (!end_marks(s) || ((s->unordered > 0 || s->count[SCHED_RAN] > 0) && !sched_rows_sort(s)))
		return false;
	sched_rows_begin(s, 0, NULL);
	sched_marks_begin(&s->marks, s->first);
	return sched_rows_columns(s) && sched_threads_columns(&s->threads, s->st, s->data, s->err) &&
	    sched_marks_columns(&s->marks, s->st, s->data, s->err) &&
	    sched_set_facts(s) && sched_loss_reason(s->st, s->lost, s->tail, s->err);
}

static bool
sched_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct sched s = { .st = st, .work = w, .err = err, .data = (const char *)m->data, .size = m->size,
	    .first = UINT64_MAX };
	bool ok;

	scratch_budget_input(m->size, 0);
	ok = sched_rows_read(&s, err) && sched_put_columns(&s);
	sched_rows_close(&s);
	return ok;
}

const struct loader load_sched = {
	"sched", "scheduler trace text: ftrace, trace-cmd report, perf script, perf sched timehist, atrace, systrace",
	SHAPE_TASKS | SHAPE_TRACKS | SHAPE_INTERVALS | SHAPE_CALLS | SHAPE_ROWS, sched_sniff, sched_load,
	.threads = true, .slice = sched_slice, .meant = sched_meant
};
