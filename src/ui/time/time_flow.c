/*
 * time_flow: from the selected call to the other end of one of its flows.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/columns_trace.h"
#include "time.h"

enum { MOMENT_NS = 1000, BESIDE_NS = 10000 };	/* what is shorter is shown with that much beside it */

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

	if (column_get(e->thread, row) != t->thread || time < time_ns(t, s->start) || time > time_ns(t, s->end) ||
	    column_get(e->whole, row) == 0 || column_get(e->other, row) == 0)
		return 0;
	return column_get(e->method, row) == s->method ? 2 : 1;
}

/* Find the innermost call of a thread at a time (ns), of that method if it is not 0; without one, only its time is known. */
bool
time_flow_call(struct time_pane *t, uint32_t thread, uint32_t method, uint64_t time, struct span *call, struct err *err)
{
	uint64_t at = time_ticks(t, time);
	struct spans s = { 0 };
	bool ok = store_column(t->st, COL_SPAN_START) == NULL || column_get(store_column(t->st, COL_THREAD_CALLS), thread - 1) == 0 ||
	    spans_window(t->st, thread, at, at, 0, 0, &s, err);

	*call = (struct span){ .start = at, .end = at + 1 };
	for (size_t i = 0; ok && i < s.n; i++)
		if (s.span[i].crowd == 0 && (method == 0 || s.span[i].method == method))
			*call = s.span[i];
	spans_free(&s);
	return ok;
}

/* Take the first flow from the call, or the last one to it; those of the call itself go before those of calls in it. */
bool
time_flow_find(struct time_pane *t, struct work *work, struct err *err)
{
	struct time_seek *k = &t->seek;
	struct flow_ends e = { store_column(t->st, COL_FLOW_START), store_column(t->st, COL_FLOW_DELAY), store_column(t->st, COL_FLOW_WHOLE),
	    store_column(t->st, COL_FLOW_FROM_THREAD), store_column(t->st, COL_FLOW_FROM_METHOD), store_column(t->st, COL_FLOW_TO_THREAD) };
	const struct column *there = store_column(t->st, k->backward ? COL_FLOW_FROM_METHOD : COL_FLOW_TO_METHOD);
	uint64_t n = column_rows(e.start), start, end, at = 0, last = time_ns(t, k->left.end);
	int best = 0, now;

	if (k->backward) {
		e.other = e.thread;
		e.thread = store_column(t->st, COL_FLOW_TO_THREAD);
		e.method = store_column(t->st, COL_FLOW_TO_METHOD);
	}
	work_start(work, "searching for the flow", n);
	for (uint64_t row = 0; row < n && (k->backward || best < 2) && (start = column_get(e.start, row)) <= last; row++) {
		if (row % 4096 == 0 && !work_tick(work, row))
			return fail_cancel(err);
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
	return !k->hit || time_flow_call(t, k->thread, (uint32_t)column_get(there, at), k->at, &k->found, err);
}

/* Show both ends of a flow and the whole call at one of them, which is selected. */
void
time_flow_show(struct time_pane *t, const struct span *call, uint64_t from, uint64_t to)
{
	uint64_t start = time_ticks(t, from), end = time_ticks(t, to), beside;

	start = call->start < start ? call->start : start;
	end = call->end > end ? call->end : end;
	beside = time_ns(t, end - start) < MOMENT_NS ? time_ticks(t, BESIDE_NS) + 1 : (end - start) / 8 + 1;
	time_window(t, start > beside ? start - beside : 0, num_add(end, beside), false);
	t->begin = t->under = false;
	t->lanes.focus = 0;
	t->lanes.stretch = 0;
	t->sel_start = call->start;
	t->sel_depth = call->depth;
	t->fresh = t->extend = true;
}

void
time_flow_found(struct time_pane *t)
{
	const struct time_seek *k = &t->seek;

	if (!k->hit) {
		ui_say(t->pane->ui, k->backward ? "no flow leads to this call; f follows those from it" :
		    "no flow leads from this call; F follows those to it");
		return;
	}
	step_add(t->pane, STEP_VISIT, "flow");
	if (k->thread != t->thread)
		time_thread(t, k->thread);
	time_flow_show(t, &k->found, k->at < k->there ? k->at : k->there, k->at < k->there ? k->there : k->at);
}
