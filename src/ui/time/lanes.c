/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lanes: tracks of a pane: which are shown, and which has the focus.
 */
#include "config.h"

#include <limits.h>

#include "icecore/scratch.h"
#include "lanes.h"

enum { LEFT_LEAST = 5, WIDE = 100, WIDE_PART = 3 };

void
lanes_clear(struct lanes *l)
{
	for (size_t i = 0; i < l->n; i++)
		lane_free(&l->at[i]);
	l->n = l->focus = l->top = 0;
	l->stretch = 0;
}

bool
lanes_shows(const struct lanes *l, size_t lane)
{
	return !l->at[lane].below && (l->every || !l->at[lane].hidden);
}

/* Find the lanes below folded ones. */
static void
lanes_cover(struct lanes *l)
{
	unsigned	depth = UINT_MAX;	/* depth of the folded lane above */

	for (size_t i = 0; i < l->n; i++) {
		if (l->at[i].track.depth <= depth)
			depth = UINT_MAX;
		l->at[i].below = depth != UINT_MAX;
		if (depth == UINT_MAX && l->at[i].folded)
			depth = l->at[i].track.depth;
	}
}

/* Tell tracks apart that have one label below one track; two counters of a process may have one name. */
static void
number_same(struct lanes *l)
{
	struct idmap	 seen = IDMAP_INIT;
	struct buf	 label = BUF_INIT;
	uint64_t	 above[UINT8_MAX + 2] = { 0 };	/* hash of the newest label of each depth, from 1 */

	for (size_t i = 0; i < l->n; i++) {
		struct lane *lane = &l->at[i];
		unsigned depth = lane->track.depth < UINT8_MAX ? lane->track.depth : UINT8_MAX;
		uint64_t h;

		lane->same = 0;
		buf_clear(&label);
		lane_label(lane, &label);
		h = above[depth + 1] = idmap_hash_text(buf_view(&label), above[depth]);
		lane->same = idmap_get(&seen, h);
		if (!idmap_put(&seen, h, lane->same + 1, NULL))
			break;
	}
	idmap_free(&seen);
	buf_free(&label);
}

void
lanes_nest(struct lanes *l)
{
	number_same(l);
	for (size_t i = 0; i + 1 < l->n; i++)
		l->at[i].heads = l->at[i].folded = l->at[i + 1].track.depth > l->at[i].track.depth;
	lanes_cover(l);
}

void
lanes_fold(struct lanes *l, size_t lane, bool folded, bool all)
{
	for (size_t i = all ? 0 : lane; i < (all ? l->n : lane + 1); i++)
		l->at[i].folded = folded && l->at[i].heads;
	lanes_cover(l);
}

void
lanes_reveal(struct lanes *l, size_t lane)
{
	unsigned	depth = l->at[lane].track.depth;

	l->at[lane].hidden = false;
	for (size_t i = lane; i > 0 && depth > 0; i--)
		if (l->at[i - 1].track.depth < depth) {
			depth = l->at[i - 1].track.depth;
			l->at[i - 1].folded = false;
		}
	lanes_cover(l);
}

/* Count the shown ones of the first n lanes. */
static size_t
shown_of(const struct lanes *l, size_t n)
{
	size_t	shown = 0;

	for (size_t i = 0; i < n; i++)
		shown += lanes_shows(l, i);
	return shown;
}

size_t
lanes_shown(const struct lanes *l)
{
	return shown_of(l, l->n);
}

const struct lane *
lanes_focused(const struct lanes *l)
{
	return l->focus > 0 && l->focus <= l->n ? &l->at[l->focus - 1] : NULL;
}

/*
 * Return the width of the longest label, at most NAMES_NARROW, or 1/WIDE_PART of a wide line; 1/3 if labels have the
 * names of processes, too.
 */
int
lanes_left(const struct lanes *l, int w)
{
	struct buf	label = BUF_INIT;
	size_t		most = LEFT_LEAST, room = w < WIDE ? NAMES_NARROW : (size_t)w / WIDE_PART;

	for (size_t i = 0; i < l->n; i++)
		if (lanes_shows(l, i)) {
			if (l->at[i].of_all && l->at[i].track.process != 0 && room < (size_t)w / 3)
				room = (size_t)w / 3;
			buf_clear(&label);
			lane_head(&l->at[i], &label);
			most = label.n + 1 > most ? label.n + 1 : most;
		}
	buf_free(&label);
	return (int)(most > room ? room : most);
}

size_t
lanes_beside(const struct lanes *l, size_t focus, bool before)
{
	for (size_t i = 0; i <= l->n; i++) {
		focus = before ? (focus + l->n) % (l->n + 1) : (focus + 1) % (l->n + 1);
		if (focus == 0 || lanes_shows(l, focus - 1))
			return focus;
	}
	return 0;
}

/* How much a track says about the thread: its own before those of the process, states before amounts, instants last. */
static int
lanes_rank(const struct lane *l)
{
	return l->track.kind == TRACK_MOMENT ? -1 :
	    (l->track.thread != 0 ? 2 : 0) + (l->track.kind == TRACK_STATE);
}

size_t
lanes_first(const struct lanes *l)
{
	size_t	first = 0;

	for (size_t i = l->n; i > 0; i--)
		if (lanes_shows(l, i - 1) && (first == 0 ||
		    lanes_rank(&l->at[i - 1]) >= lanes_rank(&l->at[first - 1])))
			first = i;
	return first;
}

void
lanes_scroll(struct lanes *l, size_t room)
{
	size_t	place = l->focus > 0 ? shown_of(l, l->focus - 1) : 0;

	if (place < l->top || l->focus == 0)
		l->top = place;
	if (room > 0 && place >= l->top + room)
		l->top = place - room + 1;
}
