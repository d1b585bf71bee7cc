/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * held: events from before a time that still hold then.
 */
#include "config.h"

#include <assert.h>

#include "icecore/mark.h"
#include "slice.h"

#define EVENT(h, i) (&SCRATCH((h)->events, struct held_event)[(i) - 1])
#define LAST(h, i) (&SCRATCH((h)->lasts, struct held_last)[(i) - 1])

static bool
held_add(struct holds *h, const struct held_event *new, struct err *err)
{
	return make_add(&h->events, &h->nevents, new, sizeof *new, MAKE_MOST, "events", err);
}

bool
held_span(struct holds *h, uint64_t key, uint64_t time, uint64_t at, bool begins, struct err *err)
{
	return held_add(h, &(struct held_event){ .time = time, .at = at, .key = key, .begins = begins }, err);
}

/* NULL: failure. */
static struct held_last *
held_last_of(struct holds *h, uint64_t key, struct err *err)
{
	struct held_last new = { .key = key };
	uint32_t at;

	if (!idmap_enter(&h->by_last, key, (uint32_t)h->nlasts + 1, &at, err) ||
	    (at > h->nlasts && !make_add(&h->lasts, &h->nlasts, &new, sizeof new, MAKE_MOST, "events", err)))
		return NULL;
	return LAST(h, at);
}

bool
held_last(struct holds *h, uint64_t key, uint64_t time, uint64_t at, struct err *err)
{
	struct held_last *l = held_last_of(h, key, err);

	if (l != NULL && (!l->told || time >= l->time)) {
		l->told = true;
		l->time = time;
		l->at = at;
	}
	return l != NULL;
}

bool
held_end(struct holds *h, uint64_t key, uint64_t time, struct err *err)
{
	struct held_last *l = held_last_of(h, key, err);

	if (l != NULL)
		l->ended = time > l->ended ? time : l->ended;
	return l != NULL;
}

/* The innermost event of a key that holds; 0: none.  The map has one more, as it has no 0. */
static uint32_t
held_top(const struct holds *h, uint64_t key)
{
	uint32_t at = idmap_get(&h->by_key, key);

	return at > 0 ? at - 1 : 0;
}

bool
held_switch(struct holds *h, uint64_t cpu, uint32_t from, uint32_t to, uint64_t time, uint64_t at, struct err *err)
{
	return held_last(h, held_key(HELD_ON_CPU, cpu), time, at, err) && held_end(h, held_key(HELD_WAKING, to), time, err) &&
	    held_end(h, held_key(HELD_LEFT, to), time, err) && (from == 0 || held_last(h, held_key(HELD_LEFT, from), time, at, err));
}

/* One after the other, in order of time. */
static bool
held_play(struct holds *h, uint32_t i, struct err *err)
{
	struct held_event *e = EVENT(h, i);
	uint32_t top = held_top(h, e->key);

	assert(top < i);
	if (e->begins && e->alone && top != 0)
		return true;
	if (e->begins) {
		e->below = top;
		e->depth = top == 0 ? 1 : EVENT(h, top)->depth + 1;
		e->holds = true;
		return idmap_put(&h->by_key, e->key, i + 1, err);
	}
	if (top == 0)
		return true;
	EVENT(h, top)->holds = false;
	return idmap_put(&h->by_key, e->key, EVENT(h, top)->below + 1, err);
}

/* From now on their numbers are behind those of the others. */
static bool
held_settle_lasts(struct holds *h, struct work *w, struct err *err)
{
	uint64_t later = 0;

	assert(h->nevents + h->nlasts < UINT32_MAX);
	if (!make_sort(&h->lasts, h->nlasts, sizeof(struct held_last), w, err))
		return false;
	for (uint32_t i = (uint32_t)h->nlasts; i > 0; i--) {
		struct held_last *l = LAST(h, i);

		if (!l->told || l->time < l->ended)
			continue;
		/* An event may be the last one of several keys. */
		if (idmap_get(&h->found, l->at + 1) == 0 && !idmap_put(&h->found, l->at + 1, (uint32_t)h->nevents + i, err))
			return false;
		l->above = later++;
	}
	return true;
}

bool
held_settle(struct holds *h, struct work *w, struct err *err)
{
	if (!make_sort(&h->events, h->nevents, sizeof(struct held_event), w, err))
		return false;
	for (uint32_t i = 1; i <= h->nevents; i++)
		if ((i % 4096 == 0 && !work_go(w, i, err)) || !held_play(h, i, err))
			return false;
	for (uint32_t i = 1; i <= h->nevents; i++)
		if (EVENT(h, i)->holds && !idmap_put(&h->found, EVENT(h, i)->at + 1, i, err))
			return false;
	return held_settle_lasts(h, w, err);
}

bool
held_holds(const struct holds *h, uint64_t at, uint64_t *above)
{
	uint32_t i = idmap_get(&h->found, at + 1);
	const struct held_event *e;

	*above = i > h->nevents ? LAST(h, i - h->nevents)->above : 0;
	if (i == 0 || i > h->nevents)
		return i != 0;
	e = EVENT(h, i);
	assert(e->holds);
	*above = EVENT(h, held_top(h, e->key))->depth - e->depth;
	return true;
}

void
held_close(struct holds *h)
{
	SCRATCH_FREE(&h->events, &h->lasts);
	idmap_free(&h->by_key);
	idmap_free(&h->by_last);
	idmap_free(&h->found);
}

/* ---- marks -------------------------------------------------------------------------------------------- */

/* Calls nest in their thread, and slices of G in their track.  Slices of S do not nest. */
bool
held_mark(struct holds *h, uint32_t tid, uint64_t time, uint64_t at, struct str text, struct err *err)
{
	struct user_mark m;

	if (!mark_read(text, &m))
		return true;
	switch (m.letter) {
	case 'B': case 'E':
		return held_span(h, held_key(HELD_CALL, tid), time, at, m.letter == 'B', err);
	case 'C':
		return held_last(h, held_key(HELD_COUNTER, idmap_hash_text(m.name, m.pid)), time, at, err);
	case 'S': case 'F':
		return held_add(h, &(struct held_event){ .time = time, .at = at, .key = held_key(HELD_ASYNC, mark_key(&m)), .begins = m.letter == 'S',
		    .alone = true }, err);
	case 'G': case 'H':
		return held_span(h, held_key(HELD_ASYNC_TRACK, mark_key(&m)), time, at, m.letter == 'G', err);
	default:
		return true;
	}
}
