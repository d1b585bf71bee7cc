/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convert lines of scheduler text to switches and wakeups.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_sched.h"
#include "icecore/mark.h"
#include "rows.h"

#define ROUNDED 2000		/* maximum rounding error of timehist times, in ns */

/* Time when a task last left a CPU, and the row of that switch; 0: none yet. */
struct sched_left {
	uint64_t	time;
	uint32_t	row;
};

/* ---- lines -------------------------------------------------------------------------- */

/* Get a task by its id in a payload; id 0 is the idle task of a CPU. False: failure. */
static inline bool
sched_rows_take_task(struct sched *s, uint32_t tid, struct str name, uint32_t *thread)
{
	*thread = 0;
	if (tid == 0)
		return true;
	*thread = sched_thread_of(&s->threads, tid, s->err);
	return *thread != 0 && sched_thread_named(&s->threads, *thread, name, s->err);
}

static inline void
sched_rows_take_time(struct sched *s, uint64_t time)
{
	if (time < s->first)
		s->first = time;
	if (time > s->last)
		s->last = time;
}

static bool
sched_rows_add_row(struct sched *s, uint64_t time, uint32_t cpu, uint32_t from, uint32_t to, uint8_t state)
{
	struct sched_row row = { time, from, to, (uint32_t)s->nrows, (uint16_t)cpu, state };

	return make_add(&s->rows, &s->nrows, &row, sizeof row, UINT32_MAX, "switches", s->err);
}

static bool
add_wake(struct sched *s, uint64_t time, uint32_t thread, uint32_t by, uint32_t cpu, uint16_t target)
{
	struct sched_woken w = { time, thread, (uint32_t)s->nrows, by, (uint16_t)cpu, target };

	return make_add(&s->wakes, &s->nwakes, &w, sizeof w, UINT32_MAX, "wakeups", s->err);
}

/* Take the time of a switch or wakeup. Events out of order are counted, and sorted at the end. */
static bool
take_order(struct sched *s, const struct sched_line *l)
{
	s->unordered += l->time < s->last_event;
	s->last_event = l->time;
	return sched_loss_line(&s->losses, l->cpu, l->time, s->err);
}

static bool
sched_rows_take_switch(struct sched *s, const struct sched_line *l)
{
	uint32_t from, to;

	if (!sched_rows_take_task(s, l->from, l->from_name, &from) ||
	    !sched_rows_take_task(s, l->to, l->to_name, &to) ||
	    !sched_rows_add_row(s, l->time, l->cpu, from, to, l->state))
		return false;
	s->threads.idles |= from == 0;
	if (from != 0)
		sched_thread_left(sched_thread_at(&s->threads, from), l);
	return take_order(s, l);
}

/* Return the task in the prefix of a line; 0: the idle task. */
static bool
sched_rows_take_self(struct sched *s, const struct sched_line *l, uint32_t *thread)
{
	*thread = 0;
	if (l->tid == 0)
		return true;
	if ((*thread = sched_thread_of(&s->threads, l->tid, s->err)) == 0)
		return false;
	if (l->pid != 0)
		sched_thread_at(&s->threads, *thread)->pid = l->pid;
	return sched_thread_at(&s->threads, *thread)->named ||
	    sched_thread_called(&s->threads, *thread, sched_line_name(l), s->err);
}

static bool
sched_rows_take_wake(struct sched *s, const struct sched_line *l)
{
	uint32_t thread, waker;

	if (!take_order(s, l) || !sched_rows_take_task(s, l->to, l->to_name, &thread))
		return false;
	if (thread == 0)
		return true;
	return sched_rows_take_self(s, l, &waker) &&
	    add_wake(s, l->time, thread, sched_wake_by((enum wake_kind)l->wake, l->irq, waker), l->cpu,
	    l->target);
}

/*
 * Add the arrival of a task: in the row with which the previous task left, if the times are equal, otherwise
 * in a row of its own.
 */
static bool
add_came(struct sched *s, struct sched_left *left, uint64_t begin, uint32_t cpu, uint32_t thread)
{
	struct sched_row *row = left->row == 0 ? NULL : &SCRATCH(s->rows, struct sched_row)[left->row - 1];

	assert(left->row <= s->nrows && thread != 0);
	if (row == NULL || row->time != begin || row->from == thread)
		return sched_rows_add_row(s, begin, cpu, 0, thread, 'R');
	row->to = thread;
	return true;
}

/*
 * Convert a line of timehist to switches.  Its times are rounded, so times that nearly meet are made equal.
 */
static bool
take_ran(struct sched *s, const struct sched_line *l)
{
	uint64_t begin = l->time - l->value;
	struct sched_left *left;
	uint32_t thread;

	/* sched_ran rejects lines whose task ran longer than the time since the start. */
	assert(l->value <= l->time && l->cpu < SCHED_CPUS);
	if (!sched_rows_take_task(s, l->from, l->from_name, &thread) ||
	    !scratch_array(&s->left, l->cpu + 1ull, sizeof *left, s->err))
		return false;
	if (thread == 0)
		return true;
	s->ended += l->from == SCHED_ENDED;
	if (l->pid != 0 && l->from != SCHED_ENDED)
		sched_thread_at(&s->threads, thread)->pid = l->pid;
	left = &SCRATCH(s->left, struct sched_left)[l->cpu];
	if (begin + ROUNDED >= left->time && begin <= left->time + ROUNDED)
		begin = left->time;
	left->time = l->time;
	sched_rows_take_time(s, begin - (l->delay <= begin ? l->delay : 0));
	sched_rows_take_time(s, l->time);
	if ((l->delay > 0 && l->delay <= begin && !add_wake(s, begin - l->delay, thread,
	    WAKE_BY(WAKE_WAKEUP, 0), SWITCH_NO_CPU, SWITCH_NO_CPU)) ||
	    !add_came(s, left, begin, l->cpu, thread) || !sched_rows_add_row(s, l->time, l->cpu, thread, 0,
	    l->state))
		return false;
	left->row = (uint32_t)s->nrows;
	return true;
}

static void
take_sync(struct sched_syncs *c, const struct user_mark *m, uint64_t time)
{
	c->bad += !m->synced;
	if (m->synced && m->realtime) {
		c->has_realtime = true;
		c->realtime = m->time;
		c->realtime_at = time;
	} else if (m->synced) {
		c->has_parent = true;
		c->parent = m->time;
		c->parent_at = time;
	}
}

static bool
add_note(struct sched *s, struct sched_noted new)
{
	const struct sched_noted *note = SCRATCH(s->notes, struct sched_noted);

	s->notes_back |= s->nnotes > 0 && new.time < note[s->nnotes - 1].time;
	return !s->keeps_notes || make_add(&s->notes, &s->nnotes, &new, sizeof new, MAKE_MOST, "marks",
	    s->err);
}

/* Process a mark of the task that wrote the line. */
static bool
take_mark(struct sched *s, const struct sched_line *l)
{
	struct sched_noted new = { .time = l->time, .at = (uint64_t)(l->text.s - s->data),
	    .n = (uint32_t)l->text.n, .cpu = (uint16_t)l->cpu,
	    .kind = KERNEL_PRINT };
	struct user_mark sync;

	assert(l->text.s >= s->data && l->text.n <= s->size);
	if (!sched_rows_take_self(s, l, &new.thread))
		return false;
	if (l->text.n > 0 && l->text.s[0] == 't' && mark_read(l->text, &sync)) {
		take_sync(&s->syncs, &sync, l->time);
		return true;
	}
	return add_note(s, new);
}

/* A new task may run from then on. */
static bool
take_fork(struct sched *s, const struct sched_line *l, uint32_t maker, uint32_t new)
{
	sched_thread_made(&s->threads, l, maker, new);
	return take_order(s, l) && add_wake(s, l->time, new, sched_wake_by(WAKE_NEW, 0, maker), l->cpu, SWITCH_NO_CPU);
}

/* An event of the kernel that is played later, and what it says of tasks. */
static bool
take_event(struct sched *s, const struct sched_line *l)
{
	struct sched_noted new = { .time = l->time, .at = (uint64_t)(l->text.s - s->data),
	    .n = (uint32_t)l->text.n, .cpu = (uint16_t)l->cpu,
	    .kind = l->event_kind };

	/* Beside samples, these are not asked for. */
	if (!s->keeps_notes)
		return true;
	assert(l->text.s >= s->data && l->text.n <= s->size);
	if ((kernel_event_runs(l->event_kind) && !sched_rows_take_self(s, l, &new.thread)) ||
	    !sched_rows_take_task(s, l->to, l->to_name, &new.about))
		return false;
	if (l->event_kind == KERNEL_FREE && new.about != 0)
		sched_thread_at(&s->threads, new.about)->ended = true;
	if (l->event_kind == KERNEL_NEW_TASK && !take_fork(s, l, new.thread, new.about))
		return false;
	return l->event_kind == KERNEL_FREE || l->event_kind == KERNEL_RENAME || add_note(s, new);
}

static bool
take_exit(struct sched *s, const struct sched_line *l)
{
	uint32_t thread;

	if (!sched_rows_take_task(s, l->to, l->to_name, &thread))
		return false;
	if (thread != 0)
		sched_thread_at(&s->threads, thread)->ended = true;
	return true;
}

/* Store a line. */
static bool
sched_rows_take(struct sched *s, const struct sched_line *l)
{
	assert(l->kind < SCHED_KINDS);
	s->count[l->kind]++;
	if ((l->kind == SCHED_OTHER && !l->failed) || l->kind == SCHED_ODD)
		unread_add(&s->unread, UNREAD_KERNEL, l->event, 1);
	/* Events that are not shown were recorded, too. */
	if (l->kind == SCHED_SWITCH || l->kind == SCHED_WAKE || l->kind == SCHED_MARK ||
	    l->kind == SCHED_EVENT ||
	    (s->keeps_notes && sched_has_time(l)))
		sched_rows_take_time(s, l->time);
	switch (l->kind) {
	case SCHED_SWITCH: return sched_rows_take_switch(s, l);
	case SCHED_WAKE: return sched_rows_take_wake(s, l);
	case SCHED_MARK: return take_mark(s, l);
	case SCHED_EVENT: return take_event(s, l);
	case SCHED_EXIT: return take_exit(s, l);
	case SCHED_RAN: return take_ran(s, l);
	case SCHED_USED: return sched_used_add(s, l);
	case SCHED_COMMENT:
		s->lost = num_add(s->lost, sched_overwritten(l->text));
		return true;
	case SCHED_LOST:
		s->lost = num_add(s->lost, l->value);
		return true;
	default:
		return true;
	}
}

static bool
sched_rows_take_lines(void *arg, const struct sched_line *l, size_t n, struct err *err)
{
	struct sched *s = arg;

	s->err = err;
	for (const struct sched_line *end = l + n; l < end; l++) {
		if (l->kind == SCHED_LOST && !sched_loss(&s->losses, l->text, err))
			return false;
		if (l->text.s + l->text.n == s->data + s->size && sched_cut_off(l) > 0)
			s->tail = l->text.n;
		else if (!sched_rows_take(s, l))
			return false;
	}
	return true;
}

bool
sched_rows_read(struct sched *s, struct err *err)
{
	bool ok = sched_lines((struct str){ s->data, (size_t)s->size }, s->work, sched_rows_take_lines, s,
	    err);

	s->err = err;
	return ok;
}

/* ---- columns ------------------------------------------------------------------------ */

/* Convert the number of switches before each wakeup from file order to time order. */
static void
place_wakes(const struct sched_row *row, uint64_t nrows, struct sched_woken *w, uint64_t nwakes)
{
	uint64_t at = 0;

	for (uint64_t i = 0; i < nwakes; i++) {
		assert(i == 0 || w[i - 1].time <= w[i].time);
		resident_row(i);
		while (at < nrows && (row[at].time < w[i].time ||
		    (row[at].time == w[i].time && row[at].row < w[i].before)))
			at++;
		w[i].before = (uint32_t)at;
	}
}

bool
sched_rows_sort(struct sched *s)
{
	work_start(s->work, "sorting", 64);
	if (!make_sort(&s->wakes, s->nwakes, sizeof(struct sched_woken), s->work, s->err) ||
	    !make_sort(&s->rows, s->nrows, sizeof(struct sched_row), s->work, s->err) ||
	    (s->nused > 0 && !sched_used_rebuild(s)))
		return false;
	place_wakes(SCRATCH(s->rows, struct sched_row), s->nrows, SCRATCH(s->wakes, struct sched_woken),
	    s->nwakes);
	return true;
}

void
sched_rows_begin(struct sched *s, uint64_t at, const uint32_t *id)
{
	struct sched_row *row = SCRATCH(s->rows, struct sched_row);
	struct sched_woken *w = SCRATCH(s->wakes, struct sched_woken);
	uint32_t by;

	for (uint64_t i = 0; i < s->nrows; i++) {
		assert(row[i].time >= s->first);
		resident_row(i);
		row[i].time = num_add(row[i].time - s->first, at);
		if (id == NULL)
			continue;
		row[i].from = id[row[i].from];
		row[i].to = id[row[i].to];
	}
	for (uint64_t i = 0; i < s->nwakes; i++) {
		assert(w[i].time >= s->first && w[i].before <= s->nrows);
		resident_row(i);
		w[i].time = num_add(w[i].time - s->first, at);
		if (id == NULL)
			continue;
		w[i].thread = id[w[i].thread];
		if ((by = WAKE_ID(w[i].by)) <= s->threads.nthreads)
			w[i].by = WAKE_BY(WAKE_KIND(w[i].by), id[by]);
	}
	sched_losses_begin(&s->losses, s->first, at);
}

bool
sched_rows_columns(struct sched *s)
{
	const struct make_rows rows = MAKE_ROWS(SCRATCH(s->rows, struct sched_row), s->nrows);

	return sched_row_columns(s->st, &rows, SCRATCH(s->wakes, struct sched_woken), &s->nwakes,
	    s->threads.nthreads, &s->losses, s->err) && sched_loss_columns(s->st, &s->losses, s->err);
}

bool
sched_rows_levels(struct sched *s)
{
	static const struct sched_row none;
	const struct sched_row *row = s->nrows > 0 ? SCRATCH(s->rows, struct sched_row) : &none;
	const struct sched_lanes switches = { &row->time, &row->from, &row->state, sizeof *row, sizeof *row,
	    sizeof *row, s->nrows };

	return sched_level_columns(&s->levels, s->st, &switches, 0, s->threads.nthreads + 1, s->work, s->err);
}

void
sched_rows_close(struct sched *s)
{
	SCRATCH_FREE(&s->rows, &s->wakes, &s->notes, &s->used, &s->left, &s->ids);
	sched_level_close(&s->levels);
	sched_losses_close(&s->losses);
	sched_threads_close(&s->threads);
}
