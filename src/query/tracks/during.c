/*
 * during: looks for what happened on a thread while rows lasted: calls, metrics or states.
 *
 * Rows are taken one after the other, as far as answers are asked for.
 */
#include "config.h"

#include <stdlib.h>

#include "during.h"

/* A row of in. */
struct span_of_row {
	uint64_t	row, from, to;		/* ns */
	uint32_t	thread;			/* 0: all */
};

static struct item *
add_item(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	struct item *item;

	if (!scratch_array(&d->item, d->n + 1, sizeof *item, &d->rows.err))
		return NULL;
	item = &SCRATCH(d->item, struct item)[d->n++];
	*item = (struct item){ .row = x->row, .start = x->from, .end = x->to,
	    .length = x->to - x->from, .thread = thread };
	return item;
}

static uint64_t
to_ns(const struct during *d, uint64_t ticks)
{
	return d->tick != 0 && ticks > UINT64_MAX / d->tick ? UINT64_MAX : ticks * d->tick;
}

/* ---- calls -------------------------------------------------------------------------- */

/* Rows mostly follow each other in time: what was read for one serves the next ones. */
static bool
read_spans(struct during *d, uint32_t thread, uint64_t from, uint64_t to)
{
	if (thread == d->spans_thread && from >= d->from && to <= d->to)
		return true;
	d->spans_thread = 0;
	if (!spans_window(d->store, thread, from, num_add(to, d->ahead), 0, 0, &d->spans, &d->rows.err))
		return false;
	d->spans_thread = thread;
	d->from = from;
	d->to = num_add(to, d->ahead);
	return true;
}

/* Time in which the call at that place was the innermost one. */
static bool
add_inside(struct during *d, const struct span_of_row *x, uint64_t place, uint64_t from, uint64_t to)
{
	const struct span *s = &d->spans.span[place];
	struct item *item;

	from = from > x->from ? from : x->from;
	to = to < x->to ? to : x->to;
	if (to <= from)
		return true;
	if ((item = add_item(d, x, d->spans_thread)) == NULL)
		return false;
	item->start = to_ns(d, s->start);
	item->end = to_ns(d, s->end);
	item->inside = to - from;
	item->order = place;
	item->depth = s->depth;
	item->id = s->method;
	return true;
}

static uint64_t
span_end(const struct during *d, uint64_t place)
{
	const struct span *s = &d->spans.span[place];

	return to_ns(d, s->end > s->start ? s->end : s->start);
}

/* Calls end before the next one at their depth, or above, begins: the innermost has all the time between. */
static bool
walk_calls(struct during *d, const struct span_of_row *x)
{
	uint64_t i, depth = 0, now = 0, start, *open;

	for (i = 0; i <= d->spans.n; i++) {
		if (i % 256 == 0 && !rows_tick(&d->rows, d->n))
			return false;
		start = i < d->spans.n ? to_ns(d, d->spans.span[i].start) : UINT64_MAX;
		if (i < d->spans.n && span_end(d, i) < x->from)
			continue;
		open = SCRATCH(d->open, uint64_t);
		while (depth > 0 && span_end(d, open[depth - 1]) <= start) {
			if (!add_inside(d, x, open[depth - 1], now, span_end(d, open[depth - 1])))
				return false;
			now = span_end(d, open[--depth]);
		}
		if (depth > 0 && !add_inside(d, x, open[depth - 1], now, start))
			return false;
		now = start;
		if (i == d->spans.n || start > x->to)
			break;
		if (!scratch_array(&d->open, depth + 1, sizeof(uint64_t), &d->rows.err))
			return false;
		SCRATCH(d->open, uint64_t)[depth++] = i;
	}
	return true;
}

static int
by_order(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return num_order(x->order, y->order, 0);
}

static int
by_inside(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return num_order(y->inside, x->inside, num_order(x->order, y->order, 0));
}

/* The pieces of each call put together, from item first on; the longest first. */
static void
sort_calls(struct during *d, uint64_t first)
{
	struct item *item = SCRATCH(d->item, struct item) + first;
	uint64_t i, n = 0, all = d->n - first;

	if (all < 2)
		return;
	qsort(item, (size_t)all, sizeof *item, by_order);
	for (i = 1; i < all; i++) {
		if (item[i].order == item[n].order)
			item[n].inside += item[i].inside;
		else
			item[++n] = item[i];
	}
	d->n = first + n + 1;
	qsort(item, (size_t)n + 1, sizeof *item, by_inside);
}

static bool
during_calls(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	uint64_t first = d->n;
	uint64_t from = d->tick > 0 ? x->from / d->tick : 0;
	uint64_t to = d->tick > 0 ? x->to / d->tick + (x->to % d->tick != 0) : 0;

	if (x->to <= x->from)
		return true;
	if (!read_spans(d, thread, from, to) || !walk_calls(d, x))
		return false;
	sort_calls(d, first);
	return true;
}

/* ---- metrics and states -------------------------------------------------------------- */

static bool
during_metrics(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	const struct column *threads = store_column(d->store, COL_TRACK_THREAD);
	size_t i, n = tracks_count(d->store);
	struct item *item;
	struct track t;

	for (i = 0; i < n; i++) {
		if (!rows_tick(&d->rows, d->n))
			return false;
		if ((column_get(threads, i) != thread && column_get(threads, i) != 0) ||
		    !track_get(d->store, i, &t) || t.kind == TRACK_STATE || t.kind == TRACK_TASK ||
		    (t.thread == 0 && t.cpu != 0))
			continue;
		if ((item = add_item(d, x, t.thread)) == NULL)
			return false;
		item->id = (uint32_t)i + 1;
	}
	return true;
}

static bool
during_states(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	size_t n = states_count(d->store), i;
	uint64_t *ns, first = d->n;
	struct item *item;
	struct track t;
	bool ok = true;

	if (n == 0 || !track_index_find(&d->states, d->store, thread, &t))
		return true;
	if ((ns = mem_array(n, sizeof *ns)) == NULL)
		return fail(&d->rows.err, E_SYSTEM, "no memory for times of states");
	track_states(&t, x->from, x->to, ns, n);
	for (i = 0; ok && i < n; i++) {
		if (ns[i] == 0)
			continue;
		if (!(ok = (item = add_item(d, x, thread)) != NULL))
			break;
		item->id = (uint32_t)i;
		item->order = i;
		item->inside = ns[i];
	}
	free(ns);
	if (d->n > first)
		qsort(SCRATCH(d->item, struct item) + first, (size_t)(d->n - first), sizeof *item,
		    by_inside);
	return ok;
}

/* ---- rows ---------------------------------------------------------------------------- */

static uint64_t
number_of(struct during *d, size_t col)
{
	struct cell c;

	rows_cell(d->rows.in, d->next, d->col[col], &c);
	return c.type == CELL_TIME || c.type == CELL_ID || c.type == CELL_COUNT ? c.u : 0;
}

static bool
one_thread(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	switch (d->what) {
	case DURING_CALLS:
		return during_calls(d, x, thread);
	case DURING_METRICS:
		return during_metrics(d, x, thread);
	case DURING_STATES:
		return during_states(d, x, thread);
	}
	return true;
}

static bool
next_row(struct during *d)
{
	const struct column *tids = store_column(d->store, COL_THREAD_TID);
	struct span_of_row x = { .row = d->next + 1 };
	uint32_t i, n = tids == NULL ? 0 : (uint32_t)tids->rows;

	x.from = number_of(d, 0);
	x.to = num_add(x.from, number_of(d, 1));
	x.thread = (uint32_t)number_of(d, 2);
	d->next++;
	if (x.thread > n)
		return true;
	if (x.thread != 0 || d->what == DURING_METRICS)
		return one_thread(d, &x, x.thread);
	for (i = 1; i <= n; i++)
		if (!one_thread(d, &x, i))
			return false;
	return true;
}

uint64_t
during_reach(struct rows *r, uint64_t n)
{
	struct during *d = (struct during *)r;

	while (d->store != NULL && d->n < n && r->err.kind == E_NONE &&
	    rows_reach(r->in, d->next + 1) > d->next)
		if (!rows_tick(r, d->next) || !next_row(d))
			break;
	return d->n;
}

void
during_close(struct rows *r)
{
	struct during *d = (struct during *)r;

	SCRATCH_FREE(&d->item, &d->open);
	idmap_free(&d->states.places);
	spans_free(&d->spans);
	buf_free(&d->text);
}
