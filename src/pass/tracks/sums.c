/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sums: times of states, summed up along a track.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/idle.h"
#include "icecore/sums.h"

#define STRIDE 64u		/* points between two kept sums */
enum { GRID_POINTS = 16, GRID_LEAST = 4096, GRID_MOST = 1 << 20 };	/* points for a step of a grid; steps */


static enum time_kind
kind_at(const struct track_sums *s, uint64_t value)
{
	if (s->track.kind == TRACK_TASK)
		return value == 0 ? KIND_SLEEP : value < STATE_NONE ? KIND_RUN : KIND_NONE;
	return value < s->nkinds ? (enum time_kind)s->kind[value] : KIND_NONE;
}

static bool
kinds_of_states(struct track_sums *s, const struct store *st, struct err *err)
{
	s->nkinds = states_count(st);
	if ((s->kind = mem_array(s->nkinds + 1, 1)) == NULL)
		return fail_memory(err, "kinds of states");
	for (uint32_t i = 0; i < s->nkinds; i++)
		s->kind[i] = (uint8_t)state_kind(st, i);
	return true;
}

static void
sums_count(struct track_sums *s, enum time_kind kind, uint64_t from, uint64_t to)
{
	if (kind == KIND_NONE || to <= from)
		return;
	if (s->last == 0)
		s->first = from;
	s->last = to;
	s->total[kind] += to - from;
	if (to - from > s->longest[kind])
		s->longest[kind] = to - from;
}

bool
sums_make(struct track_sums *s, const struct store *st, const struct track *t, uint64_t end, bool keep,
    struct work *w, struct err *err)
{
	const uint64_t *at = column_span(t->time, t->first, t->n),
	    *value = column_span(t->value, t->first, t->n);
	uint64_t n = t->n;

	*s = (struct track_sums){ .track = *t, .end = end };
	if (!kinds_of_states(s, st, err))
		return false;
	if (keep && (s->kept = mem_array(n / STRIDE + 1, sizeof(uint64_t) * KINDS)) == NULL)
		return fail_memory(err, "sums of states");
	for (uint64_t i = 0; i < n; i++) {
		if (i % STRIDE == 0 && keep)
			for (size_t k = 0; k < KINDS; k++)
				s->kept[i / STRIDE * KINDS + k] = s->total[k];
		if (i % 4096 == 0 && w != NULL && !work_tick(w, i))
			return fail_cancel(err);
		sums_count(s, kind_at(s, value[i]), at[i], i + 1 < n ? at[i + 1] : end);
	}
	return true;
}

void
sums_free(struct track_sums *s)
{
	free(s->kind);
	free(s->kept);
	*s = (struct track_sums){ .nkinds = 0 };
}

/*
 * How many points are at or before a time.  Times that are asked for one after the other are mostly as far
 * apart as the two before, so the search begins a little before there, where memory is near.
 */
static uint64_t
sums_points_until(const struct track *t, uint64_t time, const struct sums_place *p)
{
	const uint64_t *at = column_span(t->time, t->first, t->n);
	uint64_t low = p->n, high, step = p->step / 8 + 1, middle;

	assert(low <= t->n);
	for (high = p->step < 8 ? low : low + p->step - step; high < t->n && at[high] <= time; step *= 2) {
		low = high + 1;
		high = step < t->n - low ? low + step : t->n;
	}
	high = high < t->n ? high : t->n;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (at[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds the times from some points to the next ones; without branches, as states alternate. */
static void
sums_add(const struct track_sums *s, uint64_t from, uint64_t to, uint64_t sum[KINDS])
{
	const struct track *t = &s->track;
	const uint64_t *at = column_span(t->time, t->first, t->n),
	    *value = column_span(t->value, t->first, t->n);
	uint64_t all[KINDS + 1] = { 0 };

	for (uint64_t i = from; i < to; i++)
		all[kind_at(s, value[i])] += at[i + 1] - at[i];
	for (size_t k = 0; k < KINDS; k++)
		sum[k] += all[k];
}

void
sums_at(const struct track_sums *s, uint64_t time, struct sums_place *p, uint64_t sum[KINDS])
{
	const struct track *t = &s->track;
	const uint64_t *at = column_span(t->time, t->first, t->n),
	    *value = column_span(t->value, t->first, t->n);
	uint64_t n = sums_points_until(t, time, p), i = p->n > 0 ? p->n - 1 : 0,
	    kept = n > 0 ? (n - 1) / STRIDE * STRIDE : 0, end;
	enum time_kind kind;

	if (kept > i) {
		assert(s->kept != NULL);
		i = kept;
		memcpy(p->sum, s->kept + kept / STRIDE * KINDS, sizeof p->sum);
	}
	if (i + 1 < n)
		sums_add(s, i, n - 1, p->sum);
	p->step = n - p->n;
	p->n = n;
	memcpy(sum, p->sum, sizeof p->sum);
	end = time < s->end ? time : s->end;
	if (n > 0 && end > at[n - 1] && (kind = kind_at(s, value[n - 1])) != KIND_NONE)
		sum[kind] += end - at[n - 1];
}

/* ---- spans of a kind --------------------------------------------------------- */

static uint64_t
sums_place(const struct track_sums *s, uint64_t time)
{
	return sums_points_until(&s->track, time, &(struct sums_place){ .n = 0, .step = s->track.n / 2 });
}

uint64_t
sums_points(const struct track_sums *s, uint64_t from, uint64_t to)
{
	uint64_t first = sums_place(s, from), last = sums_place(s, to);

	return last > first ? last - first : 0;
}

void
sums_spans(const struct track_sums *s, enum time_kind kind, uint64_t from, uint64_t to,
    void (*fn)(void *, uint64_t from, uint64_t to), void *arg)
{
	const struct track *t = &s->track;
	const uint64_t *at = column_span(t->time, t->first, t->n),
	    *value = column_span(t->value, t->first, t->n);
	uint64_t i = sums_place(s, from), begin, end;

	for (i = i > 0 ? i - 1 : 0; i < t->n && at[i] < to; i++) {
		if (kind_at(s, value[i]) != kind)
			continue;
		begin = at[i] > from ? at[i] : from;
		end = i + 1 < t->n ? at[i + 1] : s->end;
		end = end < to ? end : to;
		if (end > begin)
			fn(arg, begin, end);
	}
}

/* ---- many tracks together ------------------------------------------------------ */

void
sums_grid_open(struct sums_grid *g, uint64_t end, uint64_t points)
{
	uint64_t n = points / GRID_POINTS < GRID_MOST ? points / GRID_POINTS : GRID_MOST;

	*g = (struct sums_grid){ .step = n > 0 ? end / n + 1 : 1 };
	if (n < GRID_LEAST)
		return;
	g->sum = mem_array((size_t)n + 1, sizeof *g->sum);
	g->whole = mem_array((size_t)n + 1, sizeof *g->whole);
	if (g->sum != NULL && g->whole != NULL)
		g->n = n;
	else
		sums_grid_free(g);
}

static void
grid_span(void *grid, uint64_t from, uint64_t to)
{
	struct sums_grid *g = grid;
	uint64_t first = from / g->step, last = to / g->step;

	if (last >= g->n)
		return;
	if (first == last) {
		g->sum[first] += to - from;
		return;
	}
	g->sum[first] += g->step - from % g->step;
	g->sum[last] += to % g->step;
	g->whole[first + 1]++;
	g->whole[last]--;
}

void
sums_grid_add(struct sums_grid *g, const struct track_sums *s, enum time_kind kind)
{
	if (g->n > 0)
		sums_spans(s, kind, 0, g->n * g->step - 1, grid_span, g);
}

void
sums_grid_done(struct sums_grid *g)
{
	uint64_t cover = 0, before = 0, own;

	for (uint64_t i = 0; i < g->n; i++) {
		cover += g->whole[i];
		own = g->sum[i] + cover * g->step;
		g->sum[i] = before;
		before += own;
	}
	if (g->n > 0)
		g->sum[g->n] = before;
	free(g->whole);
	g->whole = NULL;
}

uint64_t
sums_grid_at(const struct sums_grid *g, uint64_t time)
{
	uint64_t i = time / g->step;

	return i >= g->n ? g->sum[g->n] :
	    g->sum[i] + (uint64_t)((unsigned __int128)(g->sum[i + 1] - g->sum[i]) * (time % g->step) / g->step);
}

void
sums_grid_free(struct sums_grid *g)
{
	free(g->sum);
	free(g->whole);
	*g = (struct sums_grid){ .n = 0 };
}

/* ---- idle threads --------------------------------------------------------------- */

bool
sums_idle(const struct track_sums *s)
{
	static const enum time_kind waits[] = { KIND_RUNQ, KIND_DISK, KIND_MONITOR, KIND_GC };
	struct idle_times t = { .whole = s->end, .run = s->total[KIND_RUN] };

	for (size_t i = 0; i < NELEM(waits); i++)
		t.blocked = s->longest[waits[i]] > t.blocked ? s->longest[waits[i]] : t.blocked;
	return idle_thread(&t);
}

/* A sleep may be of several states. */
void
sums_sleep(const struct track_sums *s, uint64_t from, uint64_t to, struct idle_sleep *x)
{
	const struct track *t = &s->track;
	const uint64_t *at = column_span(t->time, t->first, t->n),
	    *value = column_span(t->value, t->first, t->n);
	uint64_t begin, end;

	*x = (struct idle_sleep){ .length = to - from, .life = s->last - s->first, .run = s->total[KIND_RUN],
		.last = to >= s->last };
	for (uint64_t i = 0; i < t->n;) {
		begin = at[i];
		if (kind_at(s, value[i++]) != KIND_SLEEP)
			continue;
		while (i < t->n && kind_at(s, value[i]) == KIND_SLEEP)
			i++;
		end = i < t->n ? at[i] : s->end;
		if (end <= begin || (begin < to && end > from))
			continue;
		x->others++;
		x->longest = end - begin > x->longest ? end - begin : x->longest;
	}
}

unsigned
use_step(uint64_t run, uint64_t length)
{
	static const unsigned steps[USE_STEPS - 1] = { 188, 313, 438, 563, 700, 813,
	    938 };	/* per mille */
	unsigned step = 0;

	while (run > 0 && step < USE_STEPS - 1 && (unsigned __int128)run * 1000 >= (unsigned __int128)steps[step] *
	    length)
		step++;
	assert(step < USE_STEPS);
	return run == 0 ? 0 : step + 1;
}
