/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stretch: states of threads from their tracks.  A row is the place of a point, so that millions of them stay
 * small.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_sched.h"
#include "icecore/view.h"
#include "stretch.h"

/* A track with rows. */
struct part {
	uint64_t	row;		/* the first */
	uint32_t	track;
};

static bool
stretch_choose(struct stretches *s, struct err *err)
{
	uint32_t most = 0;

	for (size_t i = 0; i < s->threads.n; i++)
		most = s->threads.id[i] > most ? s->threads.id[i] : most;
	s->nchosen = s->threads.n == 0 ? 0 : most + UINT64_C(1);
	if (!scratch_array(&s->chosen, s->nchosen, 1, err))
		return false;
	for (size_t i = 0; i < s->threads.n; i++)
		s->chosen.data[s->threads.id[i]] = 1;
	return true;
}

static bool
stretch_is_chosen(const struct stretches *s, uint32_t thread)
{
	return s->threads.n == 0 || (thread < s->nchosen && s->chosen.data[thread] != 0);
}

static struct stretch_points
stretch_points_of(const struct track *t)
{
	return (struct stretch_points){ column_span(t->time, t->first, 0), column_span(t->value, t->first, 0),
	    0, 0 };
}

/* Makes a point readable: of an index, pieces that nobody reads are not verified. */
static inline void
stretch_reach(const struct track *t, struct stretch_points *p, uint64_t at)
{
	uint64_t n = t->n - at < POINTS_PIECE ? t->n - at : POINTS_PIECE;

	if (at >= p->from && at < p->until)
		return;
	(void)column_span(t->time, t->first + at, n);
	(void)column_span(t->value, t->first + at, n);
	p->from = at == p->until ? p->from : at;
	p->until = at + n;
}

static bool
next_track(struct stretches *s, struct err *err)
{
	size_t n = tracks_count(s->store);
	struct part part = { s->n, 0 };
	uint64_t nparts = s->nparts;

	s->at = s->known = 0;
	if (s->next == 0 && !stretch_choose(s, err))
		return false;
	while (s->next < n) {
		part.track = (uint32_t)s->next;
		if (!track_get(s->store, s->next++, &s->track) || s->track.kind != TRACK_STATE ||
		    !stretch_is_chosen(s, s->track.thread))
			continue;
		if (s->track.n > UINT32_MAX)
			return fail(err, E_SYSTEM, "too many states of a thread");
		if (!array_add(&s->parts, &nparts, &part, err))
			return false;
		s->nparts = (uint32_t)nparts;
		s->points = stretch_points_of(&s->track);
		return true;
	}
	s->track.n = 0;
	return false;
}

/* Join the points at "at" that have the same state; return their number. */
static uint64_t
stretch_take(const struct stretches *s, const struct track *t, struct stretch_points *p, uint64_t at,
    struct stretch *x)
{
	uint64_t i = at, state;

	stretch_reach(t, p, at);
	state = p->state[at];
	x->start = p->time[at];
	do {
		if (++i < t->n)
			stretch_reach(t, p, i);
	} while (i < t->n && p->state[i] == state);
	x->until = i < t->n ? p->time[i] : s->end;
	x->then = i < t->n && p->state[i] < STATE_NONE ? (uint32_t)p->state[i] : STATE_NONE;
	x->end = x->until < s->to ? x->until : s->to;
	x->start = x->start > s->from ? x->start : s->from;
	x->length = x->end - x->start;
	x->thread = t->thread;
	x->state = state < STATE_NONE ? (uint32_t)state : STATE_NONE;
	return i - at;
}

/* Skip pieces of points whose states are all too short, and the rest of a state that began in them. */
static void
stretches_skip(struct stretches *s)
{
	uint64_t first = s->track.first, at = s->at;

	if (at < s->known || s->least == 0 || s->longest == NULL)
		return;
	while (at < s->track.n && column_get(s->longest, (first + at) / POINTS_PIECE) < s->least)
		at = (first + at) / POINTS_PIECE * POINTS_PIECE + POINTS_PIECE - first;
	s->known = (first + at) / POINTS_PIECE * POINTS_PIECE + POINTS_PIECE - first;
	if (at > s->at && at < s->track.n) {
		struct stretch x;

		at += stretch_take(s, &s->track, &s->points, at - 1, &x) - 1;
	}
	s->at = at < s->track.n ? at : s->track.n;
}

bool
stretches_read(struct stretches *s, struct stretch *x, struct err *err)
{
	bool last;

	for (;;) {
		if (s->at >= s->track.n && !next_track(s, err))
			return false;
		if (s->at >= s->track.n)
			continue;
		stretches_skip(s);
		if (s->at >= s->track.n)
			continue;
		x->part = s->nparts - 1;
		s->got_row = 0;
		s->began = s->at;
		s->at += stretch_take(s, &s->track, &s->points, s->at, x);
		/* The last state is read also where the file ends as it begins. */
		last = s->at >= s->track.n && x->start == s->end && x->end == s->end;
		if ((x->end > x->start || last) && x->length >= s->least && x->state != STATE_NONE)
			return true;
	}
}

bool
stretches_keep(struct stretches *s, struct err *err)
{
	uint32_t at = (uint32_t)s->began;

	return array_add(&s->rows, &s->n, &at, err);
}

/* Finds the track of a row, which is mostly that of the row before.  False: there is none. */
static bool
stretch_find_track(struct stretches *s, uint64_t row)
{
	const struct part *p = s->parts.at;
	uint32_t at = s->got_part;

	if (at != 0 && p[at - 1].row <= row && (at == s->nparts || row < p[at].row))
		return true;
	at = (uint32_t)num_last(&p->row, sizeof *p, s->nparts, row);
	s->got_part = track_get(s->store, p[at].track, &s->got_track) ? at + 1 : 0;
	s->got.part = at;
	if (s->got_part != 0)
		s->got_points = stretch_points_of(&s->got_track);
	return s->got_part != 0;
}

const struct stretch *
stretches_row(struct stretches *s, uint64_t row)
{
	if (s->got_row == row + 1)
		return &s->got;
	s->got = (struct stretch){ .part = s->got.part };
	if (stretch_find_track(s, row))
		stretch_take(s, &s->got_track, &s->got_points, s->rows.at[row], &s->got);
	s->got_row = row + 1;
	return &s->got;
}

bool
stretch_lost(const struct store *st, const struct stretch *x)
{
	const struct column *from = store_column(st, COL_LOST_FROM);
	uint64_t n = from == NULL ? 0 : column_place(from, x->until);

	return n > 0 && store_cell(st, COL_LOST_TO, n) > x->start;
}

bool
stretches_open(struct stretches *s, struct session *session, const struct stage *stage, struct err *err)
{
	s->store = session_store(session);
	s->end = tracks_end(s->store);
	s->longest = store_column(s->store, COL_POINT_LONGEST);
	view_range(s->store, &s->from, &s->to);
	return stage == NULL || threads_of_stage(&s->threads, s->store, stage, false, err);
}

void
stretches_close(struct stretches *s)
{
	free(s->threads.id);
	SCRATCH_FREE(&s->parts, &s->rows, &s->chosen);
}
