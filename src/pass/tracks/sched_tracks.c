/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "sched tracks": what each task was doing, its CPU time, which task each CPU ran, and counters, over
 * time.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/facts.h"
#include "sched_tracks.h"

/*
 * Points of all tracks come in the order of time, so each one goes to another page of the columns, which are
 * larger than the memory that may be resident.  A point waits until its track has a block of them.
 */
#define BLOCK_MOST 2048u
#define WAITING_MOST ((uint64_t)32 << 20)	/* bytes of points that wait, at most */
#define POINT_BYTES (2 * sizeof(uint64_t))

/* ---- points ----------------------------------------------------------------------- */

/* The waiting times of a track; its values follow, a block behind. */
static inline uint64_t *
waiting_at(const struct tracks *t, const struct filling *f, uint64_t at)
{
	return &t->waiting.at[2 * f->wait * t->block + (at & (t->block - 1))];
}

static inline void
sched_put_length(const struct tracks *t, uint64_t at, uint64_t length)
{
	uint64_t *longest = &t->longest[at / POINTS_PIECE];

	*longest = length > *longest ? length : *longest;
}

static void
put_waiting(const struct tracks *t, struct filling *f)
{
	const uint64_t *time = waiting_at(t, f, f->done), *value = time + t->block;
	uint64_t n = f->at - f->done;

	if (n == 0)
		return;
	store_put(t->st, COL_POINT_TIME, f->done, time, n);
	store_put(t->st, COL_POINT_VALUE, f->done, value, n);
	for (uint64_t i = 0; i < n; i++) {
		if (value[i] == f->value)
			continue;
		sched_put_length(t, f->run, time[i] - f->since);
		f->run = f->done + i;
		f->since = time[i];
		f->value = value[i];
	}
	f->done = f->at;
}

static inline void
sched_tracks_put(const struct tracks *t, struct filling *f, uint64_t time, uint64_t value)
{
	/* Counters of files that are out of order. */
	if (time < f->last)
		time = f->last;
	if (t->points != NULL && f->at >= f->end)
		return;
	f->last = time;
	if (t->points != NULL) {
		waiting_at(t, f, f->at)[0] = time;
		waiting_at(t, f, f->at)[t->block] = value;
	}
	f->at++;
	f->begun = true;
	if (t->points != NULL && (f->at & (t->block - 1)) == 0)
		put_waiting(t, f);
}

static enum task_state
sched_tracks_state_of(uint8_t letter)
{
	switch (letter) {
	case 'R': return ST_PREEMPTED;
	case 'S': return ST_SLEEPING;
	case 'D': return ST_DISK;
	case 'T': return ST_STOPPED;
	case 't': return ST_TRACED;
	case 'X': case 'x': return ST_DEAD;
	case 'Z': return ST_ZOMBIE;
	case 'P': return ST_PARKED;
	case 'I': return ST_IDLE;
	}
	return ST_OTHER;
}

static inline void
set_state(const struct tracks *t, struct task_track *k, uint64_t time, enum task_state state)
{
	sched_tracks_count(k, time);
	k->kind = t->kinds[state];
	sched_tracks_put(t, &k->state, time, state);
	k->now = (uint8_t)state;
	k->known = true;
}

/* Make the value of the last point unknown. */
static inline void
put_unknown(const struct tracks *t, struct filling *f)
{
	if (!f->begun)
		return;
	if (t->points != NULL && f->done == f->at)
		t->points[f->at - 1] = f->value = STATE_NONE;
	else if (t->points != NULL)
		waiting_at(t, f, f->at - 1)[t->block] = STATE_NONE;
}

static inline void
state_unknown(const struct tracks *t, struct task_track *k)
{
	put_unknown(t, &k->state);
	k->kind = KIND_NONE;
}

/* Handle a missed switch out: the state since the last point becomes unknown. */
static inline void
sched_tracks_lose(const struct tracks *t, struct task_track *k)
{
	if (k->in)
		state_unknown(t, k);
	k->in = k->known = false;
}

/*
 * Handle a missed switch in: a recording of one process has only the switches in which its threads leave a
 * CPU.
 */
static inline void
come_unseen(const struct tracks *t, struct task_track *k)
{
	if (!k->in && k->known) {
		state_unknown(t, k);
		k->unseen++;
	}
	sched_tracks_lose(t, k);
}

static inline void
sched_tracks_leave(const struct tracks *t, struct task_track *k, uint64_t time, uint8_t letter)
{
	if (k->in)
		k->total += time - k->last_in;
	k->in = false;
	k->left++;
	sched_tracks_put(t, &k->cpu, time, k->total);
	k->begun = true;
	set_state(t, k, time, sched_tracks_state_of(letter));
}

static inline void
sched_tracks_enter(const struct tracks *t, struct task_track *k, uint64_t time)
{
	sched_tracks_lose(t, k);
	k->in = true;
	k->last_in = time;
	/* The thread was off CPU before its first switch. */
	if (!k->begun && time > t->begin)
		sched_tracks_put(t, &k->cpu, t->begin, 0);
	k->begun = true;
	sched_tracks_put(t, &k->cpu, time, k->total);
	set_state(t, k, time, ST_RUNNING);
}

static inline void
wake(const struct tracks *t, struct task_track *k, uint64_t time)
{
	if (!k->known || k->now > ST_PREEMPTED)
		set_state(t, k, time, ST_RUNNABLE);
}

/* Extend the tracks of a thread to the end of the trace: it still runs, or is still off CPU. */
static void
sched_tracks_finish(const struct tracks *t, struct task_track *k)
{
	if (sched_alone(k->left, k->unseen) && !k->in && k->known)
		state_unknown(t, k);
	if (k->begun && k->cpu.last < t->end)
		sched_tracks_put(t, &k->cpu, t->end, k->in ? k->total + (t->end - k->last_in) : k->total);
}

/* Make the state of a CPU since its last switch unknown; before the first switch the track has no point. */
static void
lose_cpu(const struct tracks *t, uint32_t cpu)
{
	struct filling *f = &t->cpu.at[cpu];

	if (f->begun)
		put_unknown(t, f);
}

static inline void
sched_tracks_take_switch(struct tracks *t, uint64_t i)
{
	const struct sched_feed *f = &t->feed;
	uint32_t from = f->from[i], to = f->to[i], cpu = sched_cpu(&t->cpus, f->cpu[i]), gone;
	bool known = sched_seats_switch(&t->cpus.seats, f->cpu[i], from, to, &gone);

	if (gone != 0)
		sched_tracks_lose(t, sched_tracks_task_at(t, gone));
	if (from != 0 && !known)
		come_unseen(t, sched_tracks_task_at(t, from));
	if (from != 0)
		sched_tracks_leave(t, sched_tracks_task_at(t, from), f->time[i], f->state[i]);
	if (to != 0)
		sched_tracks_enter(t, sched_tracks_task_at(t, to), f->time[i]);
	if (cpu == UINT32_MAX)
		return;
	if (!known)
		lose_cpu(t, cpu);
	sched_tracks_put(t, &t->cpu.at[cpu], f->time[i], to);
}

static void
walk_levels(struct tracks *t)
{
	uint64_t series;

	for (uint64_t i = 0; t->level_time != NULL && i < t->level_time->rows; i++) {
		series = column_get(t->level_series, i);
		if (series < t->nseries)
			sched_tracks_put(t, &t->series.at[series], column_get(t->level_time, i),
			    column_get(t->level_value, i));
	}
}

/* The last value of a track lasts until the end. */
static void
put_rest(const struct tracks *t, struct filling *f, uint64_t end)
{
	put_waiting(t, f);
	if (f->begun)
		sched_put_length(t, f->run, end - f->since);
	t->last[f->wait] = f->last;
}

static void
put_all_waiting(struct tracks *t)
{
	uint64_t end = sched_tracks_end(t);

	for (uint32_t i = 0; i < t->cpus.n; i++)
		put_rest(t, &t->cpu.at[i], end);
	for (uint32_t i = 1; i <= t->feed.threads; i++) {
		put_rest(t, &sched_tracks_task_at(t, i)->state, end);
		put_rest(t, &sched_tracks_task_at(t, i)->cpu, end);
	}
	for (uint64_t i = 0; i < t->nseries; i++)
		put_rest(t, &t->series.at[i], end);
}

bool
sched_tracks_walk(struct tracks *t, struct err *err)
{
	struct sched_feed *f = &t->feed;
	uint64_t i;

	work_start(t->work, "tracks", f->n);
	if (!sched_seats_open(&t->cpus.seats, f->threads, err))
		return false;
	for (sched_feed_again(f); f->at < f->n || f->wake_at < f->nwakes; ) {
		if (f->at % 4096 == 0 && !work_go(t->work, f->at, err))
			return false;
		if (sched_feed_wakes(f)) {
			i = f->wake_at++;
			if (f->wake_thread[i] != 0)
				wake(t, sched_tracks_task_at(t, f->wake_thread[i]), f->wake_time[i]);
			continue;
		}
		sched_tracks_take_switch(t, f->at++);
	}
	for (i = 0; i < t->cpus.n; i++)
		if (!sched_seats_runs(&t->cpus.seats, t->cpus.number.at[i]))
			lose_cpu(t, (uint32_t)i);
	for (i = 1; i <= f->threads; i++)
		sched_tracks_finish(t, sched_tracks_task_at(t, (uint32_t)i));
	walk_levels(t);
	if (t->points != NULL)
		put_all_waiting(t);
	return true;
}

/* ---- tracks -------------------------------------------------------------------------- */

static bool
make_waiting(struct tracks *t, struct err *err)
{
	for (t->block = BLOCK_MOST; t->block > 1 && t->block * POINT_BYTES * t->ntracks > WAITING_MOST; t->block /= 2)
		;
	return scratch_array(&t->waiting.raw, t->block * (t->ntracks + 1), POINT_BYTES, err);
}

/* A count of an index, which may be anything. */
static uint64_t
points_count(const struct column *c, uint64_t row, uint64_t most)
{
	uint64_t n = column_get(c, row);

	return n < most ? n : most;
}

/* Take the numbers of points from pass task idle. */
static void
take_counts(struct tracks *t)
{
	const struct column *points = store_column(t->st, COL_TASK_POINTS);
	const uint64_t most = 2 * t->feed.n + t->feed.nwakes + 2;
	struct task_track *k;

	t->ntracks = t->cpus.n + t->nseries;
	for (uint32_t i = 0; i < t->cpus.n; i++)
		t->cpu.at[i].at = points_count(points, 2ull * t->feed.threads + i, most);
	for (uint32_t i = 0; i < t->feed.threads; i++) {
		k = sched_tracks_task_at(t, i + 1);
		k->state.at = points_count(points, 2ull * i, most);
		k->cpu.at = points_count(points, 2ull * i + 1, most);
		t->ntracks += (k->state.at > 0) + (k->cpu.at > 0);
	}
	walk_levels(t);
}

static bool
sched_tracks_fill(struct tracks *t, struct err *err)
{
	uint64_t points;

	take_counts(t);
	if (!sched_table_make(t, &points, err) || !make_waiting(t, err))
		return false;
	if (store_make_scattered(t->st, COL_POINT_TIME, COL_U64, points, err) == NULL ||
	    (t->points = store_make_scattered(t->st, COL_POINT_VALUE, COL_U64, points, err)) == NULL)
		return false;
	t->longest = store_make(t->st, COL_POINT_LONGEST, COL_U64, points / POINTS_PIECE + 1, err);
	if (t->longest == NULL)
		return false;
	return sched_tracks_walk(t, err) && sched_table_text(t, err);
}

bool
sched_tracks_open(struct tracks *t, struct err *err)
{
	const struct store *st = t->st;

	t->series_kind = store_column(st, COL_SERIES_KIND);
	t->series_word = store_column(st, COL_SERIES_WORD);
	t->level_time = store_column(st, COL_LEVEL_TIME);
	t->level_value = store_column(st, COL_LEVEL_VALUE);
	t->level_series = store_column(st, COL_LEVEL_SERIES);
	t->nseries = column_rows(t->series_kind);
	for (size_t i = 0; i < ST_STATES; i++)
		t->kinds[i] = state_kind_of(sched_state_names[i]);
	t->end = sched_recorded_to(st);
	/* A live trace keeps only the last switches. */
	if (fact_value(st, FACT_LIVE) != 0 && store_column(st, COL_SWITCH_TIME)->rows > 0)
		t->begin = column_get(store_column(st, COL_SWITCH_TIME), 0);
	return sched_feed_open(&t->feed, st, err) && sched_cpus_open(&t->cpus, &t->feed, err) &&
	    array_grow(&t->task, (uint64_t)t->feed.threads + 1, err) &&
	    array_grow(&t->cpu, (uint64_t)t->cpus.n + 1, err) &&
	    array_grow(&t->series, t->nseries + 1, err);
}

void
sched_tracks_close(struct tracks *t)
{
	sched_cpus_close(&t->cpus);
	SCRATCH_FREE(&t->task, &t->cpu, &t->series, &t->waiting);
	buf_free(&t->text);
}

static bool
sched_tracks_run(struct store *st, struct work *w, struct err *err)
{
	struct tracks t = { .st = st, .work = w, .text = BUF_INIT };
	bool ok = sched_tracks_open(&t, err) && sched_tracks_fill(&t, err);

	sched_tracks_close(&t);
	return ok;
}


const struct pass pass_sched_tracks = {
	.name = "sched tracks", .what = "scheduler tracks",
	.when = COL_SWITCH_TIME, .run = sched_tracks_run,
	.needs = PASS_COLUMNS(COL_SWITCH_TIME, COL_TASK_IDLE),
	.makes = PASS_COLUMNS(POINTS_COLUMNS, COL_POINT_LONGEST)
};
