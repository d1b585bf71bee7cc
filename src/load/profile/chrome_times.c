/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of Chrome trace events: join clocks with different epochs in one file.
 */
#include "config.h"

#include "chrome.h"
#include "spans.h"

#define PIECE_BITS 50			/* the length of a piece is 13 days */
#define PIECES ((size_t)1 << (64 - PIECE_BITS))
#define APART (365 * 24 * HOUR)		/* a gap of this length separates different epochs */

/* Times of one piece; join_pieces() merges pieces that are near each other.  events 0: the piece is empty. */
struct era {
	uint64_t	first, last, events;
	uint64_t	at;		/* where first is displayed */
};

static struct era *
era_at(const struct chrome_times *t, uint64_t i)
{
	return &SCRATCH(t->eras, struct era)[i];
}

bool
chrome_times_open(struct chrome_times *t, struct err *err)
{
	return scratch_array(&t->eras, PIECES, sizeof(struct era), err);
}

void
chrome_times_close(struct chrome_times *t)
{
	scratch_free(&t->eras);
}

void
chrome_times_see(struct chrome_times *t, uint64_t time)
{
	/* TIME_ZERO itself belongs to the piece before it, because 0 may mean no time. */
	struct era *e = era_at(t, (time - 1) >> PIECE_BITS);

	e->first = e->events == 0 || time < e->first ? time : e->first;
	e->last = time > e->last ? time : e->last;
	e->events++;
	t->none += time <= TIME_ZERO;
	if (time > TIME_ZERO && (t->low == 0 || time < t->low))
		t->low = time;
}

void
chrome_times_end(struct chrome_times *t, uint64_t start, uint64_t end)
{
	struct era *e = era_at(t, (start - 1) >> PIECE_BITS);

	e->last = end > e->last ? end : e->last;
}

/* Combine pieces to eras, in time order. */
static void
join_pieces(struct chrome_times *t)
{
	struct era *to;

	for (uint64_t i = 0; i < PIECES; i++) {
		struct era e = *era_at(t, i);

		if (e.events == 0 || (t->epoch && e.first <= TIME_ZERO))
			continue;
		to = t->n == 0 ? NULL : era_at(t, t->n - 1);
		if (to == NULL || (e.first > to->last && e.first - to->last > APART)) {
			*era_at(t, t->n++) = e;
			continue;
		}
		to->last = e.last > to->last ? e.last : to->last;
		to->events += e.events;
	}
}

/*
 * The era with most events keeps its times; earlier eras end where the next one begins, later ones begin where the
 * previous one ends.
 */
static void
place_eras(struct chrome_times *t)
{
	uint64_t best = 0;

	for (uint64_t i = 1; i < t->n; i++)
		best = era_at(t, i)->events >= era_at(t, best)->events ? i : best;
	era_at(t, best)->at = era_at(t, best)->first;
	for (uint64_t i = best; i-- > 0; ) {
		struct era *e = era_at(t, i);
		uint64_t length = e->last - e->first, next = e[1].at;

		e->at = next > length ? next - length : 1;
		t->moved += e->events;
	}
	for (uint64_t i = best + 1; i < t->n; i++) {
		struct era *e = era_at(t, i);

		e->at = num_add(e[-1].at, e[-1].last - e[-1].first);
		t->moved += e->events;
	}
}

void
chrome_times_choose(struct chrome_times *t)
{
	const struct era *last;

	t->epoch = t->low >= TIME_ZERO + HOUR;
	t->none = t->epoch ? t->none : 0;
	join_pieces(t);
	if (t->n == 0)
		return;
	place_eras(t);
	last = era_at(t, t->n - 1);
	t->first = era_at(t, 0)->at;
	t->last = num_add(last->at, last->last - last->first);
	if (t->last - t->first > TIMES_LENGTH)
		t->last = t->first + TIMES_LENGTH;
}

uint64_t
chrome_times_shown(struct chrome_times *t, uint64_t time)
{
	const struct era *e;
	uint64_t low, after;

	if (t->n == 0 || time <= era_at(t, 0)->first)
		return t->first;
	low = num_last(&era_at(t, 0)->first, sizeof *e, t->n, time);
	e = era_at(t, low);
	after = time - e->first;
	/* A time between two eras maps to the end of the earlier one. */
	if (low + 1 < t->n && after > e->last - e->first)
		after = e->last - e->first;
	time = num_add(e->at, after);
	if (time - t->first <= TIMES_LENGTH)
		return time;
	t->beyond++;
	return t->first + TIMES_LENGTH;
}

uint64_t
chrome_times_since(void *times, uint64_t time)
{
	return chrome_times_shown(times, time) - ((struct chrome_times *)times)->first;
}

void
chrome_times_spans(struct chrome_times *t, struct spans_in *in)
{
	struct span_row *row = SCRATCH(in->rows, struct span_row);
	uint64_t room;

	for (uint64_t i = 0; i < in->nrows; i++) {
		row[i].start = chrome_times_shown(t, row[i].start);
		room = t->first + TIMES_LENGTH - row[i].start;
		if (row[i].length > room) {
			row[i].length = room;
			t->beyond += room > 0;
		}
	}
	in->last = t->last;
}

void
chrome_times_samples(struct chrome_times *t, struct into *to)
{
	struct samples *s = to->samples;

	for (uint64_t i = 0; t->n > 1 && i < s->nsamples && !to->bad; i++)
		INTO(to, narrow_set(&s->rows.time, i, chrome_times_shown(t, narrow_get(&s->rows.time, i)), to->err));
}
