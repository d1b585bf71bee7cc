/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text trace of its own: its switches, wakeups, threads and frequencies.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"

#include "rows.h"

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
	const struct sched_syncs *m = &s->syncs;
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("scheduler trace (text)") },
		{ FACT_SWITCHES, s->nrows - s->nmade },
		{ FACT_WAKEUPS, s->nwakes },
		{ FACT_MARKS, s->count[SCHED_MARK] },
		{ FACT_THREADS_LISTED, s->threads.nthreads },
		{ FACT_RENAMES, s->threads.renames, MAKE_ANY },
		{ FACT_REUSED, s->threads.reused, MAKE_ANY },
		{ FACT_CLOCK_START, s->first },
		{ FACT_ELAPSED, s->last - s->first },
		MAKE_COLUMN_TRACE,
		{ FACT_TRACE_START, s->first },
		{ FACT_REPAIR_BAD_EVENTS, s->count[SCHED_BAD], MAKE_ANY },
		{ FACT_REPAIR_UNORDERED, s->unordered, MAKE_ANY },
		{ FACT_REPAIR_ENDED, s->ended, MAKE_ANY },
		{ FACT_REPAIR_MADE_SWITCHES, s->nmade, MAKE_ANY },
		{ FACT_REPAIR_ONE_PROCESS, count_alone(s), MAKE_ANY },
		{ FACT_LOSS_EVENTS, s->lost, MAKE_ANY },
		{ FACT_LOSS_TAIL_BYTES, s->tail, MAKE_ANY },
	};

	return unread_facts(&s->unread, s->st, s->err) && make_facts(s->st, facts, NELEM(facts), s->err) &&
	    (!m->has_realtime ||
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

/* The text has events.  If not, say why. */
static bool
has_events(const struct sched *s)
{
	if (s->nrows + s->nwakes + s->nnotes > 0)
		return true;
	if (s->count[SCHED_BAD] > 0)
		return fail(s->err, E_UNREADABLE,
		    "unsupported form of ftrace text; use trace_clock mono and nolatency-format");
	if (s->count[SCHED_NONE] > s->count[SCHED_OTHER])
		return fail(s->err, E_UNREADABLE,
		    "unsupported form of ftrace text; turn off the options raw, hex and bin");
	return fail(s->err, E_UNREADABLE, "no sched_switch events or markers; record with trace-cmd record -e sched");
}

static bool
sched_text_read(struct sched *s, struct err *err)
{
	return sched_rows_read(s, err) && has_events(s) &&
	    ((s->unordered == 0 && s->count[SCHED_RAN] == 0 && s->nused == 0) || sched_rows_sort(s)) &&
	    (!s->notes_back || make_sort(&s->notes, s->nnotes, sizeof(struct sched_noted), s->work, err));
}

struct sched *
sched_text_open(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct sched *s = mem_array(1, sizeof *s);

	if (s == NULL) {
		fail(err, E_SYSTEM, "out of memory (text)");
		return NULL;
	}
	*s = (struct sched){ .st = st, .work = w, .err = err, .data = (const char *)m->data, .size = m->size,
	    .first = UINT64_MAX,
	    .keeps_notes = true };
	if (sched_text_read(s, err))
		return s;
	sched_text_close(s);
	return NULL;
}

void
sched_text_close(struct sched *s)
{
	if (s != NULL)
		sched_rows_close(s);
	free(s);
}

struct sched_found
sched_text_found(const struct sched *s)
{
	return (struct sched_found){ .note = SCRATCH(s->notes, struct sched_noted), .notes = s->nnotes,
	    .switches = s->nrows,
	    .threads = s->threads.nthreads, .first = s->first, .last = s->last, .bad_syncs = s->syncs.bad };
}

struct sched_task
sched_text_task(const struct sched *s, uint32_t thread)
{
	const struct sched_thread *t = sched_thread_at(&s->threads, thread);

	return (struct sched_task){ t->tid, t->pid, t->name };
}

void
sched_text_joins(struct sched *s, uint32_t thread, uint32_t pid)
{
	struct sched_thread *t = sched_thread_at(&s->threads, thread);

	t->pid = t->pid == 0 ? pid : t->pid;
}

void
sched_text_joins_main(struct sched *s, uint32_t pid)
{
	uint32_t thread = sched_thread_known(&s->threads, pid);

	if (thread != 0)
		sched_text_joins(s, thread, pid);
}

uint32_t
sched_text_calls(struct sched *s, uint32_t thread, uint32_t pid, uint32_t **depth)
{
	struct sched_thread *t = sched_thread_at(&s->threads, thread);

	sched_text_joins(s, thread, pid);
	*depth = &t->depth;
	return t->tid;
}

bool
sched_call_columns(struct store *st, struct make_rows names, struct str own_text, struct make_rows events,
    struct err *err)
{
	static const struct make_column name[] = {
		MAKE_CONST(COL_LISTED_CLASS, 8, MAKE_ZERO), MAKE_CONST(COL_LISTED_SIGNATURE, 8, MAKE_ZERO),
		MAKE_CONST(COL_LISTED_FILE, 8, MAKE_ZERO), MAKE_CONST(COL_LISTED_METHOD, 8, MAKE_METHOD),
		MAKE_COLUMN(COL_LISTED_NAME, sched_name, name, MAKE_REF),
		MAKE_CONST(COL_LISTED_LINE, 8, MAKE_NO_LINE),
	}, own[] = { MAKE(COL_LISTED_OWN, sched_name, own) }, event[] = {
		MAKE(COL_EVENT_TIME, sched_event, time), MAKE(COL_EVENT_WORD, sched_event, word),
		MAKE(COL_EVENT_TID, sched_event, tid),
	};

	return make_columns(st, name, NELEM(name), names, err) &&
	    (own_text.n == 0 || (make_columns(st, own, NELEM(own), names, err) &&
	    make_copy(st, COL_LISTED_OWN_TEXT, COL_BYTES, own_text.s, own_text.n, err))) &&
	    make_columns(st, event, NELEM(event), events, err) && make_segment(st, err);
}

bool
sched_text_blocked(struct sched *s, uint32_t thread, uint64_t time, bool io, uint32_t word, struct err *err)
{
	return sched_level_blocked(&s->levels, thread, time, io, word, err);
}

bool
sched_text_frequency(struct sched *s, uint32_t cpu, uint64_t time, uint32_t khz, struct err *err)
{
	return sched_level_pace(&s->levels, cpu, time, khz, err);
}

bool
sched_text_columns(struct sched *s, struct err *err)
{
	s->err = err;
	sched_rows_begin(s, 0, NULL);
	return sched_rows_columns(s) && sched_threads_columns(&s->threads, s->st, s->data, err) &&
	    sched_rows_levels(s) &&
	    sched_set_facts(s) && sched_loss_reason(s->st, s->lost, s->tail, err);
}
