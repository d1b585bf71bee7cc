/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Wakeups: who woke a task, which events belong to one wakeup, and the switch that it led to.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_sched.h"
#include "wakes.h"

#define LOSSES_MOST 4096u	/* of more CPUs, the last ones are treated as one */

/* ---- losses ------------------------------------------------------------------------ */

void
sched_losses_close(struct sched_losses *l)
{
	SCRATCH_FREE(&l->cpus, &l->list);
}

/* Place 0 is for lines of any CPU. */
static struct sched_loss *
sched_wakes_place_of(struct sched_losses *l, uint64_t cpu, struct err *err)
{
	uint64_t at = cpu >= SCHED_CPUS ? 0 : cpu + 1;

	if ((at + 1) * sizeof(struct sched_loss) > l->cpus.size && !scratch_array(&l->cpus, at + 1, sizeof(struct sched_loss), err))
		return NULL;
	return &SCRATCH(l->cpus, struct sched_loss)[at];
}

bool
sched_loss_begins(struct sched_losses *l, uint64_t cpu, struct err *err)
{
	struct sched_loss *at = sched_wakes_place_of(l, cpu, err);

	if (at != NULL)
		at->to = 1;
	return at != NULL;
}

/* Begin a loss.  It ends with the next line of that CPU, or of any CPU if the line names none. */
bool
sched_loss(struct sched_losses *l, struct str line, struct err *err)
{
	uint64_t cpu = SCHED_CPUS;

	if (str_take(&line, STR("CPU:")) && !str_number(&line, &cpu))
		cpu = SCHED_CPUS;
	return sched_loss_begins(l, cpu, err);
}

static bool
add_loss(struct sched_losses *l, struct sched_loss new, struct err *err)
{
	struct sched_loss *list;
	uint64_t at;

	if (l->n == LOSSES_MOST) {
		list = &SCRATCH(l->list, struct sched_loss)[l->n - 1];
		list->to = list->to > new.to ? list->to : new.to;
		return true;
	}
	if (!scratch_add(&l->list, &l->n, &new, sizeof new, err))
		return false;
	list = SCRATCH(l->list, struct sched_loss);
	for (at = l->n - 1; at > 0 && list[at - 1].from > new.from; at--)
		list[at] = list[at - 1];
	list[at] = new;
	assert((at == 0 || list[at - 1].from <= new.from) && l->n <= LOSSES_MOST);
	return true;
}

bool
sched_loss_ends(struct sched_losses *l, uint32_t cpu, uint64_t time, struct err *err)
{
	uint64_t of[] = { SCHED_CPUS, cpu };
	struct sched_loss *at;

	for (size_t i = 0; i < NELEM(of); i++) {
		if ((at = sched_wakes_place_of(l, of[i], err)) == NULL ||
		    (at->to != 0 && !add_loss(l, (struct sched_loss){ at->from, time }, err)))
			return false;
		*at = (struct sched_loss){ time, 0 };
	}
	return true;
}

void
sched_losses_begin(struct sched_losses *l, uint64_t first, uint64_t at)
{
	struct sched_loss *list = SCRATCH(l->list, struct sched_loss);

	for (uint64_t i = 0; i < l->n; i++) {
		list[i].from = list[i].from > first ? num_add(list[i].from - first, at) : 0;
		list[i].to = list[i].to > first ? num_add(list[i].to - first, at) : 0;
	}
}

/* A search then needs to check one entry only. */
void
sched_losses_join(struct sched_losses *l)
{
	struct sched_loss *list = SCRATCH(l->list, struct sched_loss);

	for (uint64_t i = 1; i < l->n; i++)
		if (list[i].to < list[i - 1].to)
			list[i].to = list[i - 1].to;
}

bool
sched_loss_columns(struct store *st, const struct sched_losses *l, struct err *err)
{
	static const struct make_column columns[] = { MAKE(COL_LOST_FROM, sched_loss, from), MAKE(COL_LOST_TO, sched_loss, to) };

	return l->n == 0 || make_columns(st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(l->list, struct sched_loss), l->n), err);
}

bool
sched_losses_between(const struct sched_losses *l, uint64_t from, uint64_t to)
{
	const struct sched_loss *list = SCRATCH(l->list, struct sched_loss);
	uint64_t n = l->n == 0 ? 0 : make_place(list, l->n, sizeof *list, to);

	return n > 0 && list[n - 1].to > from;
}

/* ---- single lines ------------------------------------------------------------------ */

/* An interrupt wakes by itself: the interrupted task is not the waker. */
uint32_t
sched_wake_by(const struct sched_line *l, uint32_t waker)
{
	uint32_t id = waker;

	if (l->irq == 'h' || l->irq == 'H' || l->irq == 'z' || l->irq == 'Z')
		id = WAKER_IRQ;
	else if (l->irq == 's')
		id = WAKER_SOFTIRQ;
	else if (l->tid == 0 && l->irq != SCHED_IRQ_NOBODY)
		id = WAKER_IDLE;
	return WAKE_BY(l->wake, id);
}

/* ---- all wakeups ------------------------------------------------------------------- */

struct wakes {
	const struct make_rows	*switches;
	const struct sched_losses *losses;
	struct sched_targets	 targets;
	struct scratch		 in;		/* u32 by row: the resulting switch */
	struct sched_woken	*row;
	uint64_t		 n;
	bool			 wakings;	/* the file has waking events: only they identify wakers */
};

static const struct sched_row *
switch_at(const struct wakes *w, uint64_t i)
{
	const struct make_rows *r = w->switches;
	uint64_t at = r->ring > 0 ? (r->first + i) % r->ring : i;

	return &((const struct sched_row *)r->data)[at];
}

/* Replace an event by a row.  If it continues a waking event, that one gives the waker. */
static void
take_woken(struct wakes *w, struct sched_woken e)
{
	uint32_t merged;

	if (!sched_targets_woken(&w->targets, w->n, e.thread, e.by, &merged))
		return;
	assert(merged <= w->n);
	if (merged != 0) {
		e.by = w->row[merged - 1].by;
		e.cpu = w->row[merged - 1].cpu;
		w->row[merged - 1].thread = 0;
	} else if (w->wakings && WAKE_KIND(e.by) == WAKE_WAKEUP) {
		/* A wakeup without its waking may be logged on the CPU of the woken task: the waker is unknown. */
		e.by = WAKE_BY(WAKE_WAKEUP, 0);
		e.cpu = SWITCH_NO_CPU;
	}
	w->row[w->n++] = e;
}

static void
sched_wakes_take_switch(struct wakes *w, uint64_t i)
{
	const struct sched_row *s = switch_at(w, i);
	uint32_t woken = sched_targets_switch(&w->targets, s->cpu, s->from, s->to, s->state);

	if (woken != 0 && !sched_losses_between(w->losses, w->row[woken - 1].time, s->time))
		SCRATCH(w->in, uint32_t)[woken - 1] = (uint32_t)i + 1;
}

static void
sched_wakes_walk(struct wakes *w, uint64_t n)
{
	uint64_t at = 0;

	for (uint64_t i = 0; i < n && !w->wakings; i++)
		w->wakings = WAKE_KIND(w->row[i].by) == WAKE_WAKING;
	for (uint64_t i = 0; i < n; i++) {
		resident_row(i);
		for (; at < w->row[i].before; at++)
			sched_wakes_take_switch(w, at);
		take_woken(w, w->row[i]);
	}
	for (; at < w->switches->n; at++)
		sched_wakes_take_switch(w, at);
	assert(w->n <= n);
}

/* Remove the rows that were merged into others. */
static void
close_ranks(struct wakes *w)
{
	uint32_t *in = SCRATCH(w->in, uint32_t);
	uint64_t n = 0;

	for (uint64_t i = 0; i < w->n; i++) {
		resident_row(i);
		if (w->row[i].thread == 0)
			continue;
		w->row[n] = w->row[i];
		in[n++] = in[i];
	}
	w->n = n;
}

bool
sched_wake_columns(struct store *st, const struct make_rows *switches, struct sched_woken *row, uint64_t *n,
    uint64_t threads, struct sched_losses *losses, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_WAKE_TIME, sched_woken, time), MAKE(COL_WAKE_THREAD, sched_woken, thread),
		MAKE(COL_WAKE_BEFORE, sched_woken, before), MAKE(COL_WAKE_BY, sched_woken, by),
		MAKE(COL_WAKE_CPU, sched_woken, cpu), MAKE(COL_WAKE_TARGET, sched_woken, target),
	};
	struct wakes w = { .switches = switches, .losses = losses, .row = row };
	bool ok = scratch_array(&w.targets.target, threads + 1, sizeof(struct sched_target), err) &&
	    scratch_array(&w.in, *n + 1, sizeof(uint32_t), err) && sched_seats_open(&w.targets.seats, threads, err);

	sched_losses_join(losses);
	if (ok) {
		sched_wakes_walk(&w, *n);
		close_ranks(&w);
		*n = w.n;
	}
	ok = ok && make_columns(st, columns, NELEM(columns), MAKE_ROWS(row, w.n), err) &&
	    make_copy(st, COL_WAKE_SWITCH, COL_U32, w.in.data, w.n, err);
	SCRATCH_FREE(&w.targets.target, &w.in);
	sched_seats_close(&w.targets.seats);
	return ok;
}
