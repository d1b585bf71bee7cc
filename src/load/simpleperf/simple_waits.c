/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simple_waits: samples in order of time, and what threads waited.
 *
 * A sample of a switch begins the wait of its thread.  The next switch that gives it a CPU, or its next
 * sample, ends it.
 */
#include "config.h"

#include <assert.h>

#include "simpleperf.h"

#define OFF_CPU "off-cpu"
#define TICK 4096u

/* At one time, switches come before samples; both in the order of the file. */
struct simple_row {
	uint64_t	time, order;
	uint64_t	weight, offset;
	uint32_t	tid, thread, stack;
	uint32_t	event;		/* 0: a thread gets a CPU */
	bool		begins;		/* a wait */
};

#define ORDER_SAMPLE ((uint64_t)1 << 63)

struct simple_wait {
	struct sample	sample;
	bool		open;
};

void
simple_close(struct simple *p)
{
	SCRATCH_FREE(&p->rows, &p->events, &p->frames, &p->waits);
	idmap_free(&p->by_tid);
	buf_free(&p->name);
	buf_free(&p->system);
	buf_free(&p->recorder);
	samples_close(&p->s);
}

static bool
simple_put_row(struct simple *p, struct simple_row *r, struct err *err)
{
	r->order |= p->nrows;
	return make_add(&p->rows, &p->nrows, r, sizeof *r, UINT32_MAX, "samples", err);
}

bool
simple_sample(struct simple *p, const struct sample *s, uint32_t tid, uint64_t number, struct err *err)
{
	struct simple_row r = { .time = s->time, .order = ORDER_SAMPLE, .weight = s->weight,
	    .offset = s->offset,
	    .tid = tid, .thread = s->thread, .stack = s->stack, .event = s->event,
	    .begins = p->off_cpu && number > 0 };

	assert(s->event != 0 && s->thread != 0);
	p->nsamples++;
	return simple_put_row(p, &r, err);
}

bool
simple_switch(struct simple *p, uint64_t time, uint32_t tid, struct err *err)
{
	struct simple_row r = { .time = time, .tid = tid };

	return !p->off_cpu || simple_put_row(p, &r, err);
}

/* The wait of a thread; NULL: out of memory. */
static struct simple_wait *
simple_wait_of(struct simple *p, uint32_t tid, struct err *err)
{
	uint32_t row = idmap_get(&p->by_tid, tid);

	if (row == 0) {
		const struct simple_wait none = { .open = false };

		if (!make_add(&p->waits, &p->nwaits, &none, sizeof none, MAKE_MOST, "threads", err) ||
		    !idmap_put(&p->by_tid, tid, (uint32_t)p->nwaits, err))
			return NULL;
		row = (uint32_t)p->nwaits;
	}
	assert(row <= p->nwaits);
	return &SCRATCH(p->waits, struct simple_wait)[row - 1];
}

static bool
simple_end_wait(struct simple *p, struct simple_wait *w, uint64_t time, struct err *err)
{
	struct sample *s = &w->sample;

	assert(w->open && (p->timeless || time >= s->time));
	w->open = false;
	p->count[SIMPLE_OPEN]--;
	s->event = samples_event(&p->s, STR(OFF_CPU), WEIGHT_TIME, "ns", err);
	s->weight = time > s->time ? time - s->time : 1;
	return s->event != 0 && samples_add(&p->s, s, err);
}

/* A sample, or a thread that gets a CPU. */
static bool
simple_play(struct simple *p, const struct simple_row *r, struct err *err)
{
	const struct sample s = { .time = r->time, .weight = r->weight, .offset = r->offset, .count = 1,
	    .thread = r->thread, .stack = r->stack, .event = r->event };
	struct simple_wait *w = p->off_cpu ? simple_wait_of(p, r->tid, err) : NULL;

	if (p->off_cpu && w == NULL)
		return false;
	if (w != NULL && w->open && !simple_end_wait(p, w, r->time, err))
		return false;
	if (r->begins) {
		assert(w != NULL);
		*w = (struct simple_wait){ s, true };
		p->count[SIMPLE_OPEN]++;
	}
	return r->event == 0 || samples_add(&p->s, &s, err);
}

/* Samples that only begin waits say less than the waits. */
static void
simple_choose(struct simple *p)
{
	const struct sample_event *e = SCRATCH(p->s.events, struct sample_event);
	uint32_t best = 1;

	for (uint32_t i = 2; i <= p->s.nevents; i++)
		best = e[i - 1].samples > e[best - 1].samples ? i : best;
	if (!p->off_cpu || !str_begins(samples_event_name(&p->s, best), "sched:"))
		return;
	for (uint32_t i = 1; i <= p->s.nevents; i++)
		if (str_is(samples_event_name(&p->s, i), OFF_CPU)) {
			p->s.chosen = i;
			p->s.chosen_by = "times, not the events that begin them";
		}
}

bool
simple_end(struct simple *p, struct err *err)
{
	p->s.times = !p->timeless;
	p->off_cpu &= !p->timeless;
	if (!p->timeless && !make_sort_both(&p->rows, p->nrows, sizeof(struct simple_row), p->s.work, err))
		return false;
	work_start(p->s.work, "samples", p->nrows);
	for (uint64_t i = 0; i < p->nrows; i++)
		if (!work_each(p->s.work, i, TICK, err) || !simple_play(p, &SCRATCH(p->rows,
		    struct simple_row)[i], err))
			return false;
	simple_choose(p);
	return true;
}
