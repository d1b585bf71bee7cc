/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * late: what the main thread of an application did in its late frames, and while it started.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/runtime.h"
#include "overview.h"
#include "query/trace/trace.h"

enum { FRAMES_MOST = 50, DEEP = 64, NAMES_MOST = 16, PARTS_MOST = 3, HALF = 2 };

/* The methods that took most of a late frame, and of how many. */
struct late {
	const struct store *st;
	struct spans	 spans;
	uint32_t	 method[NAMES_MOST];
	uint64_t	 frames[NAMES_MOST];
	size_t		 n;
};

/* The span with most time of its own between these times; 0: none has so much. */
static uint32_t
late_longest(struct late *l, uint64_t from, uint64_t until, uint64_t least)
{
	uint64_t own[DEEP] = { 0 };
	uint32_t method[DEEP] = { 0 }, best = 0;
	size_t n = l->spans.n, open = 0;

	/* A span ends where the next one of the same depth, or above it, begins. */
	for (size_t i = 0; i <= n; i++) {
		const struct span *s = i < n ? &l->spans.span[i] : NULL;
		size_t depth = s == NULL ? 0 : s->depth < DEEP ? s->depth : DEEP - 1;
		uint64_t wall = 0;

		for (; open > depth; open--)
			if (method[open - 1] != 0 && own[open - 1] >= least) {
				least = own[open - 1];
				best = method[open - 1];
			}
		if (s == NULL)
			break;
		if (s->start < until && s->end > from)
			wall = (s->end < until ? s->end : until) - (s->start > from ? s->start : from);
		for (; open < depth; open++)
			method[open] = 0;
		if (depth > 0)
			own[depth - 1] -= wall < own[depth - 1] ? wall : own[depth - 1];
		own[depth] = wall;
		method[depth] = s->crowd == 0 ? s->method : 0;
		open = depth + 1;
	}
	return best;
}

static void
late_count(struct late *l, uint32_t method)
{
	size_t i = 0;

	while (i < l->n && l->method[i] != method)
		i++;
	if (method == 0 || i == NAMES_MOST)
		return;
	if (i == l->n) {
		l->method[l->n++] = method;
		l->frames[i] = 0;
	}
	l->frames[i]++;
}

/* Append the method that took most of most of these frames; false: there is none. */
static bool
late_add_cause(const struct late *l, uint64_t frames, struct buf *b)
{
	struct str name;
	size_t best = 0;
	OWN_BUF text = BUF_INIT;

	for (size_t i = 1; i < l->n; i++)
		best = l->frames[i] > l->frames[best] ? i : best;
	if (l->n == 0 || l->frames[best] * HALF < frames)
		return false;
	method_name(l->st, l->method[best], &text);
	name = buf_view(&text);
	if (str_glob(STR("*doFrame*"), name) || runtime_is(name, RUNTIME_FRAME))
		return false;
	buf_printf(b, ": %llu in %.*s on the main thread", (unsigned long long)l->frames[best], (int)name.n, name.s);
	return true;
}

/* Count what the main thread did in each frame of the rows: start, duration, overrun. */
static bool
late_count_all(struct late *l, struct answering *a, uint32_t thread, uint64_t *frames, struct err *err)
{
	struct cell start, wall, over;
	struct weights w;
	uint64_t tick, from, until;

	if (!pass_want(session_store(a->session), COL_SPAN_START, a->work, err))
		return false;
	weights_of(l->st, &w);
	tick = w.tick > 0 ? w.tick : 1;
	for (*frames = 0; *frames < FRAMES_MOST && rows_reach(a->asked.rows, *frames + 1) > *frames; ++*frames) {
		rows_cell(a->asked.rows, *frames, 0, &start);
		rows_cell(a->asked.rows, *frames, 1, &wall);
		rows_cell(a->asked.rows, *frames, 2, &over);
		from = start.u / tick;
		until = num_add(start.u, wall.u) / tick;
		if (!spans_window(l->st, thread, from, until, 0, 0, &l->spans, err))
			return false;
		late_count(l, late_longest(l, from, until, over.u / tick / HALF));
	}
	return true;
}

bool
own_story_frames(struct answering *a, struct err *err)
{
	struct late l = { .st = session_store(a->session) };
	struct overview_item *to = rows_reach(a->asked.rows, 1) > 0 ? answering_row(a, 0) : NULL;
	struct cell main, missed, all;
	uint64_t frames = 0;
	bool ok = true;

	if (to == NULL)
		return rows_whole(a->asked.rows, err);
	if (answering_given(a, STR("main_id"), &main) != NULL && main.type != CELL_NONE && main.u > 0 &&
	    (session_shapes(a->session) & SHAPE_CALLS) != 0)
		ok = late_count_all(&l, a, (uint32_t)main.u, &frames, err);
	if (answering_given(a, STR("late_frames"), &all) != NULL && all.u < FRAMES_MOST)
		frames = all.u;
	if (ok && !late_add_cause(&l, frames, &to->words) && answering_given(a, STR("missed"), &missed) != NULL &&
	    missed.u > 0) {
		buf_text(&to->words, ": ");
		cell_show(&missed, &to->words);
		buf_text(&to->words, " missed the app's deadline");
	}
	spans_free(&l.spans);
	return ok && rows_whole(a->asked.rows, err);
}

bool
own_story_parts(struct answering *a, struct err *err)
{
	struct overview_item *to = rows_reach(a->asked.rows, 1) > 0 ? answering_row(a, 0) : NULL;
	struct cell method, part;

	for (uint64_t row = 1; to != NULL && row < PARTS_MOST && rows_reach(a->asked.rows, row + 1) > row; row++) {
		rows_cell(a->asked.rows, row, 0, &method);
		rows_cell(a->asked.rows, row, 1, &part);
		buf_text(&to->words, ", ");
		buf_str(&to->words, method.text);
		buf_chr(&to->words, ' ');
		cell_show(&part, &to->words);
	}
	return rows_whole(a->asked.rows, err);
}
