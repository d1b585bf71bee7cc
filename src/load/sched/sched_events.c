/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Switches and wakeups found by a reader of another format.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_sched.h"

#include "rows.h"

struct sched_events {
	struct sched	s;
};

struct sched_events *
sched_events_open(struct store *st, struct work *w, struct err *err)
{
	struct sched_events *f = mem_array(1, sizeof *f);

	if (f == NULL)
		fail(err, E_SYSTEM, "out of memory (switches)");
	else
		f->s = (struct sched){ .st = st, .work = w, .first = UINT64_MAX };
	return f;
}

void
sched_events_close(struct sched_events *f)
{
	if (f != NULL)
		sched_rows_close(&f->s);
	free(f);
}

static bool
sched_events_feed(struct sched_events *f, enum sched_kind kind, const struct sched_told *e, struct err *err)
{
	bool nobody = kind == SCHED_WAKE && e->self == SCHED_NOBODY;
	struct sched_line l = { .kind = kind, .time = e->time, .cpu = e->cpu, .tid = kind == SCHED_SWITCH ? e->from : nobody ? 0 : e->self,
	    .from = e->from, .to = e->to, .state = e->state, .irq = e->irq ? 'h' : nobody ? SCHED_IRQ_NOBODY : 0, .wake = (uint8_t)e->wake,
	    .target = e->target < SCHED_CPUS ? (uint16_t)e->target : SWITCH_NO_CPU, .name = STR(""), .from_name = e->from_name,
	    .to_name = e->to_name };

	f->s.err = err;
	return sched_rows_take(&f->s, &l);
}

bool
sched_events_switch(struct sched_events *f, const struct sched_told *e, struct err *err)
{
	return sched_events_feed(f, SCHED_SWITCH, e, err);
}

bool
sched_events_waking(struct sched_events *f, const struct sched_told *e, struct err *err)
{
	return sched_events_feed(f, SCHED_WAKE, e, err);
}

bool
sched_events_blocked(struct sched_events *f, uint32_t tid, uint64_t time, bool io, uint32_t word, struct err *err)
{
	struct sched_blocked new = { .time = time, .word = word, .io = io };

	if (tid == 0)
		return true;
	return (new.thread = sched_thread_of(&f->s.threads, tid, err)) != 0 &&
	    make_add(&f->s.blocked, &f->s.nblocked, &new, sizeof new, UINT32_MAX, "reasons of waits", err);
}

bool
sched_events_frequency(struct sched_events *f, uint32_t cpu, uint64_t time, uint32_t khz, struct err *err)
{
	struct sched_pace new = { .time = time, .khz = khz, .cpu = (uint16_t)cpu };

	return cpu >= SCHED_CPUS || make_add(&f->s.paces, &f->s.npaces, &new, sizeof new, UINT32_MAX, "frequencies", err);
}

bool
sched_events_lost(struct sched_events *f, uint32_t cpu, struct err *err)
{
	return sched_loss_begins(&f->s.losses, cpu, err);
}

bool
sched_events_end(struct sched_events *f, struct sched_beside *b, struct err *err)
{
	f->s.err = err;
	return sched_beside_ask(&f->s, b);
}

/* Reasons get the rows of the switches with which their tasks left to sleep; those without one go. */
static bool
place_blocked(struct sched *s)
{
	const struct sched_row *row = SCRATCH(s->rows, struct sched_row);
	struct sched_blocked *b = SCRATCH(s->blocked, struct sched_blocked);
	struct scratch left = SCRATCH_INIT;
	uint64_t at = 0, n = 0;

	if (!scratch_array(&left, s->threads.nthreads + 1, sizeof(uint32_t), s->err))
		return false;
	for (uint64_t i = 0; i < s->nblocked; i++) {
		for (; at < s->nrows && row[at].time <= b[i].time; at++)
			SCRATCH(left, uint32_t)[row[at].from] = row[at].state == 'R' ? 0 : (uint32_t)at + 1;
		b[n] = b[i];
		b[n].time = b[i].row = SCRATCH(left, uint32_t)[b[i].thread];
		n += b[n].time != 0;
	}
	scratch_free(&left);
	s->nblocked = n;
	if (!make_sort(&s->blocked, n, sizeof *b, s->work, s->err))
		return false;
	b = SCRATCH(s->blocked, struct sched_blocked);
	s->nblocked = 0;
	for (uint64_t i = 0; i < n; i++)
		if (i + 1 == n || b[i + 1].time != b[i].time) {
			b[s->nblocked] = b[i];
			b[s->nblocked++].row = (uint32_t)b[i].time;
		}
	return true;
}

static bool
more_columns(struct sched *s)
{
	static const struct make_column blocked[] = {
		MAKE(COL_BLOCKED_SWITCH, sched_blocked, row), MAKE(COL_BLOCKED_IO, sched_blocked, io), MAKE(COL_BLOCKED_IN, sched_blocked, word),
	}, paces[] = {
		MAKE(COL_FREQUENCY_TIME, sched_pace, time), MAKE(COL_FREQUENCY_CPU, sched_pace, cpu), MAKE(COL_FREQUENCY_KHZ, sched_pace, khz),
	};

	return (s->nblocked == 0 || (place_blocked(s) && make_columns(s->st, blocked, NELEM(blocked),
	    MAKE_ROWS(SCRATCH(s->blocked, struct sched_blocked), s->nblocked), s->err))) &&
	    (s->npaces == 0 || make_columns(s->st, paces, NELEM(paces), MAKE_ROWS(SCRATCH(s->paces, struct sched_pace), s->npaces), s->err));
}

bool
sched_events_columns(struct sched_events *f, const uint32_t *place, struct err *err)
{
	struct sched *s = &f->s;
	uint32_t *id = SCRATCH(s->ids, uint32_t);
	bool ok;

	s->err = err;
	for (uint64_t i = 1; i <= s->threads.nthreads; i++)
		id[i] = place[id[i] - 1];
	sched_beside_rows(s);
	ok = more_columns(s) && sched_beside_columns(s);
	/* Free the large tables before the next step. */
	SCRATCH_FREE(&s->rows, &s->wakes);
	return ok;
}
