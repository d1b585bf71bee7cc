/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "tracks": CPU use and waits of each thread, from the two clocks of a method trace; and the levels of
 * trace events.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/sched.h"
#include "icecore/track.h"
#include "pass/calls/calls.h"

#define STEPS 32768u		/* the trace is cut into so many; a thread has at most two points in each */

struct cpu_point {
	uint64_t	wall, cpu;	/* ticks */
	uint32_t	thread;
	bool		quiet;		/* a step without events begins */
};

/* Last values of a thread, and the last ones that became a point. */
struct cpu_thread {
	struct cpu_point	seen, kept;
	bool			begun;
	uint64_t		points;
	uint64_t		at;	/* where the next one goes when they are sorted; until then, of kept */
};

struct cpu_tracks {
	struct store	*st;
	struct replay	 replay;
	struct scratch	threads;
	ARRAY(struct cpu_point)	points, sorted;
	uint64_t	 n, step;
	bool		 unknown;	/* the CPU time of some calls is unknown */
};

static bool
tracks_keep(struct cpu_tracks *c, struct cpu_thread *t, const struct cpu_point *p, struct err *err)
{
	if (!array_add(&c->points, &c->n, p, err))
		return false;
	t->kept = *p;
	t->at = c->n - 1;
	t->points++;
	return true;
}

/* After a step without points both its ends become points, so that a wait keeps its exact bounds. */
static bool
tracks_take_event(struct cpu_tracks *c, struct cpu_thread *t, const struct cpu_point *p, struct err *err)
{
	bool ok = true;

	assert(!t->begun || p->wall >= t->seen.wall);
	if (!t->begun)
		ok = tracks_keep(c, t, p, err);
	else if (p->wall - t->kept.wall >= c->step) {
		ok = t->seen.wall == t->kept.wall || tracks_keep(c, t, &t->seen, err);
		c->points.at[t->at].quiet = p->wall - t->seen.wall >= c->step;
		ok = ok && tracks_keep(c, t, p, err);
	}
	t->begun = true;
	t->seen = *p;
	return ok;
}

static bool
tracks_read_all(struct cpu_tracks *c, struct err *err)
{
	struct cpu_thread *t;
	struct event_run run;

	work_start(c->replay.work, "tracks", c->replay.in.rows);
	while (replay_next(&c->replay, &run)) {
		if (!scratch_array(&c->threads, run.thread, sizeof *t, err))
			return false;
		t = &SCRATCH(c->threads, struct cpu_thread)[run.thread - 1];
		for (uint32_t i = 0; i < run.n; i++) {
			struct cpu_point p = { run.ev[i].wall, run.ev[i].cpu, run.thread, false };

			if (!tracks_take_event(c, t, &p, err))
				return false;
		}
	}
	return !c->replay.failed;
}

/* The last point of each thread, then all points by thread. */
static bool
tracks_sort_points(struct cpu_tracks *c, struct err *err)
{
	struct cpu_thread *t;
	uint64_t at = 0;

	if (!scratch_array(&c->threads, c->replay.nthreads, sizeof *t, err))
		return false;
	t = SCRATCH(c->threads, struct cpu_thread);
	for (uint32_t k = 0; k < c->replay.nthreads; k++) {
		if (t[k].begun && (t[k].seen.wall != t[k].kept.wall || t[k].seen.cpu != t[k].kept.cpu) &&
		    !tracks_keep(c, &t[k], &t[k].seen, err))
			return false;
		t[k].at = at;
		at += t[k].points;
	}
	assert(at == c->n);
	if (!array_grow(&c->sorted, c->n, err))
		return false;
	for (uint64_t i = 0; i < c->n; i++) {
		const struct cpu_point *p = &c->points.at[i];

		c->sorted.at[t[p->thread - 1].at++] = *p;
	}
	return true;
}

/*
 * Between two points a thread was running when at least half of the time was CPU time; otherwise it was off the CPU
 * first, and ran for its CPU time then.
 */
static bool
tracks_was_off(const struct cpu_point *p)
{
	return p[1].cpu - p[0].cpu < (p[1].wall - p[0].wall) / 2;
}

/* p[0 .. n - 1] are of one thread. */
static bool
put_use(const struct cpu_tracks *c, const struct cpu_point *p, uint64_t n, struct points *points,
    struct err *err)
{
	bool ok = points_track(points, TRACK_CPU, "cpu", "ns", p->thread, 0, err);

	assert(n > 0);
	for (uint64_t i = 0; ok && i < n; i++)
		ok = points_add(points, trace_ns(c->st, p[i].wall), trace_ns(c->st, p[i].cpu), err) &&
		    (i + 1 == n || p[i + 1].cpu == p[i].cpu || !tracks_was_off(&p[i]) || points_add(points,
		    trace_ns(c->st, p[i + 1].wall - (p[i + 1].cpu - p[i].cpu)), trace_ns(c->st, p[i].cpu), err));
	return ok;
}

/* Add a state from a time on, unless it goes on; *last: the state before. */
static bool
tracks_put_state(const struct cpu_tracks *c, struct points *points, uint64_t from, uint32_t state, uint32_t *last,
    struct err *err)
{
	bool ok = state == *last || points_add(points, trace_ns(c->st, from), state, err);

	*last = state;
	return ok;
}

/*
 * A call whose CPU time is unknown ends with that of its start, so where the CPU time of some calls is unknown, one
 * that does not grow says nothing.  Before a step without events the thread ran, be it for no time that the clock
 * shows: who waits between two calls and then in one waits twice.
 */
static bool
tracks_put_states(const struct cpu_tracks *c, const struct cpu_point *p, uint64_t n, struct points *points,
    struct err *err)
{
	uint32_t off, running = points_state(points, "running", err), last = STATE_NONE;
	bool ok;

	if (running == STATE_NONE || (off = points_state(points, "off CPU", err)) == STATE_NONE)
		return false;
	ok = points_track(points, TRACK_STATE, "state", "", p->thread, 0, err);
	for (uint64_t i = 0; ok && i + 1 < n; i++) {
		uint64_t cpu = p[i + 1].cpu - p[i].cpu;
		bool was_off = tracks_was_off(&p[i]);

		if (p[i + 1].wall == p[i].wall)
			continue;
		ok = (last != off || !p[i].quiet || tracks_put_state(c, points, p[i].wall, running, &last, err)) &&
		    tracks_put_state(c, points, p[i].wall, c->unknown && cpu == 0 ? STATE_NONE : was_off ? off :
		    running, &last, err) && (cpu == 0 || !was_off ||
		    tracks_put_state(c, points, p[i + 1].wall - cpu, running, &last, err));
	}
	/* Behind its last record nothing is known of a thread. */
	return ok && (last == STATE_NONE || points_add(points, trace_ns(c->st, p[n - 1].wall), STATE_NONE,
	    err));
}

static bool
tracks_put_points(const struct cpu_tracks *c, struct points *points, struct err *err)
{
	const struct cpu_point *p = c->sorted.at;
	uint64_t n;

	for (uint64_t i = 0; i < c->n; i += n) {
		for (n = 1; i + n < c->n && p[i + n].thread == p[i].thread; n++)
			;
		if (!put_use(c, p + i, n, points, err) || !tracks_put_states(c, p + i, n, points, err))
			return false;
	}
	return true;
}

static bool
cpu_tracks(struct store *st, struct work *w, struct points *points, struct err *err)
{
	uint64_t tick = trace_ns(st, 1);
	struct cpu_tracks c = { .st = st, .unknown = fact_value(st, FACT_REPAIR_NO_CPU) > 0,
	    .step = fact_value(st, FACT_LAST_WALL) / (tick > 0 ? tick : 1) / STEPS + 1 };
	bool ok;

	ok = replay_open(&c.replay, st, w, err) && tracks_read_all(&c, err) && tracks_sort_points(&c, err) &&
	    tracks_put_points(&c, points, err);
	replay_close(&c.replay);
	SCRATCH_FREE(&c.threads, &c.points, &c.sorted);
	return ok;
}

static bool
begin_series(const struct store *st, uint64_t series, struct points *points, struct err *err)
{
	bool async = store_cell(st, COL_SERIES_KIND, series) == SERIES_ASYNC;
	OWN_BUF name = BUF_INIT, unit = BUF_INIT;
	bool ok;

	buf_str(&name, word_text(st, (uint32_t)store_cell(st, COL_SERIES_WORD, series)));
	buf_chr(&name, '\0');
	buf_str(&unit, async ? STR("open") : word_text(st,
	    (uint32_t)store_cell(st, COL_SERIES_UNIT, series)));
	buf_chr(&unit, '\0');
	ok = ((!name.bad && !unit.bad) || fail_memory(err, "name of a track")) &&
	    points_track(points, TRACK_LEVEL, name.s, unit.s, 0, 0, err);
	if (ok) {
		points_of(points, (uint32_t)store_cell(st, COL_SERIES_PROCESS, series),
		    (unsigned)store_cell(st, COL_SERIES_DECIMALS, series));
		points_below(points, store_cell(st, COL_SERIES_BELOW, series));
		points_depth(points, (unsigned)store_cell(st, COL_SERIES_DEPTH, series));
	}
	return ok;
}

/* Make tracks of the counters and async operations that a loader stored, series by series. */
static bool
level_tracks(struct store *st, struct work *w, struct points *points, struct err *err)
{
	const struct column *time = store_column(st, COL_LEVEL_TIME),
	    *value = store_column(st, COL_LEVEL_VALUE);
	const struct column *series = store_column(st, COL_LEVEL_SERIES);
	uint64_t n = column_rows(time);

	work_start(w, "tracks", n);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t of = column_get(series, i);

		if (!work_go(w, i, err) ||
		    ((i == 0 || column_get(series, i - 1) != of) && !begin_series(st, of + 1, points, err)) ||
		    !points_add(points, column_get(time, i), column_get(value, i), err))
			return false;
	}
	return true;
}

static bool
tracks_run(struct store *st, struct work *w, struct err *err)
{
	struct points points;
	bool ok;

	points_open(&points);
	/* A single clock says nothing about CPU use. */
	ok = (!trace_has_clock(st, CLOCK_OFF) || cpu_tracks(st, w, &points, err)) &&
	    level_tracks(st, w, &points, err) &&
	    points_columns(&points, st, err);
	points_close(&points);
	return ok;
}

const struct pass pass_tracks = {
	.name = "tracks", .what = "CPU use and waits over time, from the two clocks of a method trace; counters and "
	"async operations of trace events",
	.when = COL_SEGMENT_ROW, .run = tracks_run,
	.needs = PASS_COLUMNS(COL_THREAD_RAW),
	.makes = PASS_COLUMNS(POINTS_COLUMNS)
};
