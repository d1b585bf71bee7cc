/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_seek: search over time: the next call of a method, the next call longer than a display frame, the
 * other end of a flow, all matches of a pattern.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "time.h"

enum { SEEK_FEW = 10000, SEEK_MANY = 200000 };
enum { MOMENT_NS = 1000, BESIDE_NS = 10000 };	/* shorter flows are shown with that much time on both sides */

void
time_give(struct time_pane *t, enum time_job job)
{
	if (t->task.given || (job == TIME_PREPARE ? t->next : t->st) == NULL)
		return;
	t->job = job;
	task_give(t->pane->ui, &t->task);
}

void
time_stop(struct time_pane *t)
{
	if (t->job == TIME_PREPARE)
		return;
	task_drop(&t->task);
	t->method = 0;
}

/* ---- the next call: on the worker ------------------------------------------- */

static bool
time_seek_is_wanted(const struct time_seek *k, const struct span *x)
{
	if (x->crowd > 0)
		return false;
	if (k->method == 0 ? x->end - x->start <= k->longer : x->method != k->method)
		return false;
	return k->backward ? x->start < k->start : x->start > k->start;
}

/* Search the first hit in a window, or the last one when searching backward. */
static bool
look_in(struct time_seek *k, const struct spans *s)
{
	const struct span *x;
	bool		 hit = false;

	for (size_t i = 0; i < s->n; i++) {
		x = &s->span[i];
		if (!time_seek_is_wanted(k, x))
			continue;
		if (!hit || (k->backward ? x->start > k->found.start : x->start < k->found.start))
			k->found = *x;
		hit = true;
	}
	return hit;
}

/* Search window by window; each has about SEEK_FEW calls, which are read fast. */
bool
time_seek(struct time_pane *t, struct work *work, struct err *err)
{
	struct spans	 s = { 0 };
	uint64_t	 calls = column_get(store_column(t->st, COL_THREAD_CALLS), t->thread - 1);
	uint64_t	 tick = t->axis.tick, all_from = t->axis.all_from / tick,
	    all_to = t->axis.all_to / tick;
	uint64_t	 width = (all_to - all_from) / (calls / SEEK_FEW + 1) + 1,
	    at = t->seek.start / tick, from, to;
	bool		 ok = true, end = false;

	t->seek.hit = false;
	work_start(work, "searching for the call", all_to - all_from);
	while (ok && !t->seek.hit && !end) {
		if (t->seek.backward) {
			to = at;
			from = at - all_from > width ? at - width : all_from;
			end = from == all_from;
			at = from;
		} else {
			from = at;
			to = all_to - at > width ? at + width : all_to;
			end = to == all_to;
			at = to;
		}
		ok = spans_window(t->st, t->thread, from, to, 0, 0, &s, err);
		time_read(t->st, s.span, ok ? s.n : 0);
		t->seek.hit = ok && look_in(&t->seek, &s);
		if (s.n < SEEK_FEW && width < UINT64_MAX / 2)
			width *= 2;
		else if (s.n > SEEK_MANY && width > 1)
			width /= 2;
		ok = ok && work_go(work, at - all_from, err);
	}
	spans_free(&s);
	return ok;
}

/* ---- the other end of a flow -------------------------------------------------- */

/* Columns of flows at the end that is known, and at the other one. */
struct flow_ends {
	const struct column	*start, *delay, *whole, *thread, *method, *other;
};

void
time_flow(struct time_pane *t, bool backward)
{
	const struct span *s = time_selected(t);

	if (column_rows(store_column(t->st, COL_FLOW_START)) == 0)
		ui_say(t->pane->ui, "no flows in this file");
	else if (s == NULL || t->stacks)
		ui_say(t->pane->ui, "no call is selected");
	else if (!t->task.given) {
		t->seek.backward = backward;
		t->seek.left = *s;
		time_give(t, TIME_FLOW);
	}
}

/* Whether a flow begins (or ends) at a time in the call; 2: in the call itself, 1: perhaps in one that it calls. */
static int
touches(const struct time_pane *t, const struct flow_ends *e, uint64_t row, uint64_t time)
{
	const struct span *s = &t->seek.left;

	if (column_get(e->thread, row) != t->thread || time < s->start || time > s->end ||
	    column_get(e->whole, row) == 0 || column_get(e->other, row) == 0)
		return 0;
	return column_get(e->method, row) == s->method ? 2 : 1;
}

/*
 * Find the innermost call of a thread at a time (ns), of that method if it is not 0; without one, only its
 * time is known.
 */
bool
time_flow_call(struct time_pane *t, uint32_t thread, uint32_t method, uint64_t time, struct span *call,
    struct err *err)
{
	uint64_t at = time / t->axis.tick;
	struct spans s = { 0 };
	bool ok = store_column(t->st, COL_SPAN_START) == NULL ||
	    column_get(store_column(t->st, COL_THREAD_CALLS), thread - 1) == 0 ||
	    spans_window(t->st, thread, at, at, 0, 0, &s, err);

	*call = (struct span){ .start = at, .end = at + 1 };
	for (size_t i = 0; ok && i < s.n; i++)
		if (s.span[i].crowd == 0 && (method == 0 || s.span[i].method == method))
			*call = s.span[i];
	time_read(t->st, call, 1);
	spans_free(&s);
	return ok;
}

/* Take the first flow from the call, or the last one to it.  Flows of the call itself precede those of its callees. */
bool
time_flow_find(struct time_pane *t, struct work *work, struct err *err)
{
	struct time_seek *k = &t->seek;
	struct flow_ends e = { store_column(t->st, COL_FLOW_START), store_column(t->st, COL_FLOW_DELAY),
	    store_column(t->st, COL_FLOW_WHOLE),
	    store_column(t->st, COL_FLOW_FROM_THREAD), store_column(t->st, COL_FLOW_FROM_METHOD),
	    store_column(t->st, COL_FLOW_TO_THREAD) };
	const struct column *there = store_column(t->st, k->backward ? COL_FLOW_FROM_METHOD :
	    COL_FLOW_TO_METHOD);
	uint64_t n = column_rows(e.start), start, end, at = 0, last = k->left.end;
	int best = 0, now;

	if (k->backward) {
		e.other = e.thread;
		e.thread = store_column(t->st, COL_FLOW_TO_THREAD);
		e.method = store_column(t->st, COL_FLOW_TO_METHOD);
	}
	work_start(work, "searching for the flow", n);
	for (uint64_t row = 0; row < n && (k->backward || best < 2) &&
	    (start = column_get(e.start, row)) <= last; row++) {
		if (!work_go(work, row, err))
			return false;
		end = num_add(start, column_get(e.delay, row));
		now = touches(t, &e, row, k->backward ? end : start);
		if (now == 0 || (k->backward ? now < best : now <= best))
			continue;
		best = now;
		at = row;
		k->thread = (uint32_t)column_get(e.other, row);
		k->at = k->backward ? start : end;
		k->there = k->backward ? end : start;
	}
	k->hit = best > 0;
	return !k->hit || time_flow_call(t, k->thread, (uint32_t)column_get(there, at), k->at, &k->found,
	    err);
}

/* Show both ends of a flow and the whole call at one of them, which is selected. */
void
time_flow_show(struct time_pane *t, const struct span *call, uint64_t from, uint64_t to)
{
	uint64_t start = axis_floor(&t->axis, from), end = axis_floor(&t->axis, to), beside;

	start = call->start < start ? call->start : start;
	end = call->end > end ? call->end : end;
	beside = axis_part(&t->axis, end - start < MOMENT_NS ? BESIDE_NS : (end - start) / 8,
	    1) + t->axis.tick;
	time_window(t, start > beside ? start - beside : 0, num_add(end, beside), false);
	t->begin = t->under = false;
	t->lanes.focus = 0;
	t->lanes.stretch = 0;
	t->sel_start = call->start;
	t->sel_depth = call->depth;
	t->fresh = t->extend = true;
}

/* ---- the longest call: on the worker ---------------------------------------- */

/* Among calls of equal length take the first call of the thread with the lowest id. */
static bool
take_longest(void *arg, const struct span *s, const uint32_t *thread, size_t n, struct err *err)
{
	struct time_pane *t = arg;
	uint64_t most = t->seek.found.end - t->seek.found.start, length;

	(void)err;
	for (size_t i = 0; i < n; i++) {
		length = s[i].end - s[i].start;
		if (s[i].crowd > 0 || s[i].method != t->method ||
		    (t->seek.hit && (length < most || (length == most && thread[i] >= t->seek.thread))))
			continue;
		most = length;
		t->seek.found = s[i];
		t->seek.thread = thread[i];
		t->seek.hit = true;
	}
	return true;
}

bool
time_longest(struct time_pane *t, struct work *work, struct err *err)
{
	uint32_t n = t->any ? (uint32_t)column_rows(store_column(t->st, COL_THREAD_TID)) :
	    1, *threads = mem_array(n + 1ull, sizeof *threads);
	struct span_sweep all = { threads, n, 0, UINT64_MAX, work, take_longest, t };
	bool ok = threads != NULL || fail(err, E_SYSTEM, "out of memory (list of threads)");

	t->seek.hit = false;
	for (uint32_t i = 0; ok && i < n; i++)
		threads[i] = t->any ? i + 1 : t->thread;
	work_start(work, "searching for the longest call", fact_value(t->st, FACT_RECORDS));
	ok = ok && spans_sweep(t->st, &all, err);
	time_read(t->st, &t->seek.found, 1);
	free(threads);
	return ok;
}

/* ---- all that match: on the worker ------------------------------------------- */

static bool
add_hits(struct time_search *h, const struct spans *s, struct err *err)
{
	const struct span *x;

	for (size_t i = 0; i < s->n; i++) {
		x = &s->span[i];
		if (x->crowd > 0 || x->method > h->nset || !h->set[x->method])
			continue;
		if (!scratch_array(&h->hits, h->n + 1, sizeof(struct time_hit), err))
			return false;
		SCRATCH(h->hits, struct time_hit)[h->n++] = (struct time_hit){ x->start, x->end, x->depth,
		    x->method };
	}
	return true;
}

bool
time_search(struct time_pane *t, struct work *work, struct err *err)
{
	struct spans	s = { 0 };
	uint64_t	n = t->calls ? spans_chunks(t->st, t->thread) : 0;
	bool		ok;

	t->search.n = 0;
	free(t->search.set);
	t->search.set = pattern_names(t->search.asked, t->st, NULL, &t->search.nset, work, err);
	ok = t->search.set != NULL;
	work_start(work, "search", n);
	for (uint64_t k = 0; ok && k < n; k++) {
		ok = spans_chunk(t->st, t->thread, k, &s, err);
		time_read(t->st, s.span, ok ? s.n : 0);
		ok = ok && add_hits(&t->search, &s, err);
		ok = ok && work_go(work, k, err);
	}
	spans_free(&s);
	return ok;
}

/* ---- hits --------------------------------------------------------------------- */

/* Return the first hit at or after a call. */
static uint64_t
hit_from(const struct time_search *s, uint64_t start, uint32_t depth)
{
	const struct time_hit *h = SCRATCH(s->hits, struct time_hit);
	uint64_t	 lo = 0, hi = s->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (h[mid].start < start || (h[mid].start == start && h[mid].depth < depth))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void
say_hit(struct time_pane *t, uint64_t i)
{
	const struct time_hit *h = &SCRATCH(t->search.hits, struct time_hit)[i];
	struct scale	 s = scale_within(t->axis.from, t->axis.to);
	char		 n[NUM_TEXT], of[NUM_TEXT], from[NUM_TEXT], to[NUM_TEXT], took[NUM_TEXT],
	    next[NUM_TEXT];

	num_show_count(n, sizeof n, i + 1);
	num_show_count(of, sizeof of, t->search.n);
	scale_show(from, sizeof from, &s, h->start);
	scale_show(to, sizeof to, &s, h->end);
	num_show_duration(took, sizeof took, h->end - h->start);
	if (i + 1 < t->search.n)
		scale_show(next, sizeof next, &s, h[1].start);
	ui_say(t->pane->ui, "match %s of %s: %s%s%s %s, duration %s, %s%s%s%s  /%s", n, of, from,
	    glyph(GLYPH_DASH), to, s.unit, took,
	    i + 1 < t->search.n ? "next at " : "last match", i + 1 < t->search.n ? next :
	    "", i + 1 < t->search.n ? " " : "",
	    i + 1 < t->search.n ? s.unit : "", t->search.text);
}

/* Show the call and select it. */
static void
time_show_call(struct time_pane *t, uint64_t start, uint64_t end, uint32_t depth)
{
	time_show(t, start, end);
	t->begin = t->under = false;
	t->lanes.focus = 0;
	t->sel_start = start;
	t->sel_depth = depth;
	t->fresh = t->extend = true;
}

/* Show the longest call with a small margin (1/8 of its length). */
static void
show_longest(struct time_pane *t)
{
	const struct span x = t->seek.found;
	uint64_t	 beside = axis_part(&t->axis, x.end - x.start, 8);

	if (!t->seek.hit) {
		ui_say(t->pane->ui, "no call of this method in time order");
		return;
	}
	t->visit = true;
	time_window(t, x.start > beside ? x.start - beside : 0, x.end + beside, true);
	t->visit = false;
	time_show_call(t, x.start, x.end, x.depth);
}

/* Go to the next or previous hit; first: the selected call counts as a hit. */
static void
go_hit(struct time_pane *t, bool backward, bool first)
{
	const struct span *s = time_selected(t);
	uint64_t	 i = hit_from(&t->search, s != NULL ? s->start : t->axis.from, s != NULL ?
	    s->depth : 0);
	const struct time_hit *h = SCRATCH(t->search.hits, struct time_hit);

	if (t->search.n == 0) {
		found_none(t->pane->ui, t->search.text, " in this thread");
		return;
	}
	if (backward)
		i = i > 0 ? i - 1 : t->search.n - 1;
	else if (!first && i < t->search.n && s != NULL && h[i].start == s->start && h[i].depth == s->depth)
		i++;
	if (i == t->search.n)
		i = 0;
	time_show_call(t, h[i].start, h[i].end, h[i].depth);
	say_hit(t, i);
}

void
time_found(struct time_pane *t)
{
	if (t->job == TIME_SEARCH) {
		memcpy(t->search.text, t->search.asked, sizeof t->search.text);
		t->search.thread = t->thread;
		t->fresh = true;
		go_hit(t, t->seek.backward, true);
	} else if (t->job == TIME_LONGEST)
		show_longest(t);
	else if (t->seek.hit)
		time_show_call(t, t->seek.found.start, t->seek.found.end, t->seek.found.depth);
	else if (t->seek.method != 0)
		ui_say(t->pane->ui, "no %s call of this method in this thread",
		    t->seek.backward ? "earlier" : "later");
	else
		ui_say(t->pane->ui, "no %s call longer than a display frame",
		    t->seek.backward ? "earlier" : "later");
}

/* Find a pattern. As in other panes, the weight of a new one is computed first; then the search continues. */
void
time_find(struct pane *p, const char *what, bool backward)
{
	struct time_pane	*t = p->data;

	if (what != NULL) {
		found_start(p->ui, what, backward, false);
		return;
	}
	if (!t->ready || ui_found(p->ui)->text[0] == '\0')
		return;
	if (strcmp(t->search.text, ui_found(p->ui)->text) == 0 && t->search.thread == t->thread) {
		go_hit(t, backward, false);
		return;
	}
	if (task_refuses(&t->task))
		return;
	TEXT_COPY(t->search.asked, ui_found(p->ui)->text);
	t->search.text[0] = '\0';
	t->seek.backward = backward;
	time_give(t, TIME_SEARCH);
}

void
time_unmark(struct pane *p)
{
	struct time_pane *t = p->data;

	t->search.text[0] = '\0';
	t->fresh = true;
}
