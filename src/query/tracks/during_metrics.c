/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * during_metrics: the tracks relevant for the time of a row: those of its thread, and those without a thread.
 */
#include "config.h"

#include "during.h"

struct metric {
	uint64_t	thread;
	uint64_t	track;		/* place of the track in the file */
};

/* List the tracks by thread; within a thread in file order. */
static bool
list_tracks(struct during *d)
{
	struct metric m;
	struct track t;

	for (m.track = 0; m.track < tracks_count(d->rows.st); m.track++) {
		if (!rows_tick(&d->rows.rows, d->rows.n))
			return false;
		if (!track_get(d->rows.st, (size_t)m.track, &t) || t.kind == TRACK_STATE ||
		    t.kind == TRACK_TASK ||
		    (t.thread == 0 && t.cpu != 0))
			continue;
		m.thread = t.thread;
		if (!array_add(&d->tracks, &d->ntracks, &m, &d->rows.rows.err))
			return false;
	}
	d->listed = true;
	return make_sort(&d->tracks.raw, d->ntracks, sizeof m, d->rows.rows.work, &d->rows.rows.err);
}

/* Return place if its track is of the thread; otherwise ntracks. */
static uint64_t
track_at(const struct during *d, uint64_t place, uint32_t thread)
{
	return place < d->ntracks && d->tracks.at[place].thread == thread ? place : d->ntracks;
}

bool
during_metrics(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	const struct metric *m;
	struct track t;
	uint64_t own, all;
	struct during_item *item;

	if (!d->listed && !list_tracks(d))
		return false;
	m = d->tracks.at;
	all = track_at(d, 0, 0);
	own = thread == 0 ? d->ntracks : track_at(d, make_place(m, d->ntracks, sizeof *m, thread), thread);
	while (own < d->ntracks || all < d->ntracks) {
		bool first = all == d->ntracks || (own < d->ntracks && m[own].track < m[all].track);
		uint64_t *next = first ? &own : &all;

		/* Tracks without a thread are of its process or of the system. */
		if (thread != 0 && track_get(d->rows.st, (size_t)m[*next].track, &t) &&
		    track_is_foreign(d->rows.st, &t, thread)) {
			*next = track_at(d, *next + 1, (uint32_t)m[*next].thread);
			continue;
		}
		if (!rows_tick(&d->rows.rows, d->rows.n) ||
		    (item = during_add(d, x, (uint32_t)m[*next].thread)) == NULL)
			return false;
		item->id = (uint32_t)m[*next].track + 1;
		*next = track_at(d, *next + 1, (uint32_t)m[*next].thread);
	}
	return true;
}
