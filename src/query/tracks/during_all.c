/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * during_all: the innermost calls while many rows lasted, in one pass over the records.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "during.h"

/* A row to answer, on one thread. */
struct asked_row {
	uint64_t	thread;
	uint64_t	from, to, row;
};

struct met_call {
	struct span	span;
	uint64_t	end, order;	/* ns */
};

/* State of one thread while its calls are read. */
struct walked {
	uint64_t	 next, end;	/* rows that begin later */
	uint64_t	*now;		/* rows at this time: places in asked */
	size_t		 nnow, cap_now;
	struct met_call	*open;
	size_t		 depth, cap;
	uint64_t	 time, calls;
};

struct walk {
	struct during	*d;
	ARRAY(struct walked)	threads;	/* by thread */
	uint64_t	 nthreads;
};

bool
during_ask(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	struct asked_row asked = { thread, x->from, x->to, x->row };

	return x->to <= x->from || array_add(&d->asked, &d->nasked, &asked, &d->rows.rows.err);
}

/* ---- times ---------------------------------------------------------------------------- */

static bool
during_all_add_piece(struct walk *w, const struct asked_row *a, const struct met_call *call, uint64_t from,
    uint64_t to)
{
	struct span_of_row x = { a->row, a->from, a->to, (uint32_t)a->thread };

	return during_add_call(w->d, &x, x.thread, &call->span,
	    (to < a->to ? to : a->to) - (from > a->from ? from : a->from), call->order);
}

/* Add the time from .. to, in which a call is the innermost one, to the rows at that time. */
static bool
during_all_tell(struct walk *w, struct walked *s, const struct met_call *call, uint64_t from, uint64_t to)
{
	const struct asked_row *all = w->d->asked.at, *a;
	size_t kept = 0;

	if (to <= from)
		return true;
	for (; s->next < s->end && all[s->next].from < to; s->next++) {
		if (!mem_grow(&s->now, &s->cap_now, s->nnow + 1, sizeof *s->now))
			return fail(&w->d->rows.rows.err, E_SYSTEM, "out of memory (%zu rows at one time)",
			    s->nnow);
		s->now[s->nnow++] = s->next;
	}
	for (size_t i = 0; i < s->nnow; i++) {
		a = &all[s->now[i]];
		if (a->to <= from)
			continue;
		s->now[kept++] = s->now[i];
		if (!during_all_add_piece(w, a, call, from, to))
			return false;
	}
	s->nnow = kept;
	return true;
}

static bool
during_all_go_to(struct walk *w, struct walked *s, uint64_t time)
{
	const struct met_call *top;
	uint64_t until;

	while (s->depth > 0) {
		top = &s->open[s->depth - 1];
		until = top->end <= time ? top->end : time;
		if (!during_all_tell(w, s, top, s->time, until))
			return false;
		s->time = until;
		if (top->end > time)
			break;
		s->depth--;
	}
	s->time = time;
	return true;
}

static bool
during_all_take_calls(void *arg, const struct span *span, const uint32_t *thread, size_t n, struct err *err)
{
	struct walk *w = arg;
	struct walked *s;
	uint64_t start;

	for (size_t i = 0; i < n; i++) {
		s = &w->threads.at[thread[i]];
		start = during_ns(w->d, span[i].start);
		if (!during_all_go_to(w, s, start))
			return false;
		if (!mem_grow(&s->open, &s->cap, s->depth + 1, sizeof *s->open))
			return fail(err, E_SYSTEM, "out of memory (stack of %zu calls)", s->depth);
		s->open[s->depth++] = (struct met_call){ span[i],
		    during_ns(w->d, span[i].end > span[i].start ? span[i].end : span[i].start),
		    s->calls++ };
	}
	return true;
}

/* ---- all rows ------------------------------------------------------------------------- */

static bool
during_all_answer(struct walk *w, uint32_t *ids)
{
	struct during *d = w->d;
	struct span_sweep sweep = { ids, 0, 0, UINT64_MAX, d->rows.rows.work, during_all_take_calls, w };
	const struct asked_row *a = d->asked.at;
	struct walked *s = NULL;

	for (uint64_t i = 0; i < d->nasked; i++) {
		if (i == 0 || a[i].thread != a[i - 1].thread) {
			s = &w->threads.at[a[i].thread];
			s->next = i;
			ids[sweep.n++] = (uint32_t)a[i].thread;
		}
		s->end = i + 1;
	}
	if (!spans_sweep(d->rows.st, &sweep, &d->rows.rows.err))
		return false;
	for (size_t i = 0; i < sweep.n; i++)
		if (!during_all_go_to(w, &w->threads.at[ids[i]], UINT64_MAX))
			return false;
	return true;
}

bool
during_answer(struct during *d)
{
	struct walk w = { .d = d, .threads = ARRAY_INIT,
	    .nthreads = column_rows(store_column(d->rows.st, COL_THREAD_TID)) };
	uint32_t *ids = mem_array(w.nthreads + 1, sizeof *ids);
	uint64_t first = d->rows.n;
	bool ok = ids != NULL || fail_memory(&d->rows.rows.err, "list of threads");

	ok = ok && make_sort_both(&d->asked.raw, d->nasked, sizeof(struct asked_row), d->rows.rows.work,
	    &d->rows.rows.err) &&
	    array_grow(&w.threads, w.nthreads + 1, &d->rows.rows.err) && during_all_answer(&w, ids);
	for (uint64_t i = 0; w.threads.raw.data != NULL && i <= w.nthreads; i++) {
		free(w.threads.at[i].now);
		free(w.threads.at[i].open);
	}
	array_free(&w.threads);
	free(ids);
	if (ok)
		during_sort(d, first);
	d->nasked = 0;
	return ok;
}
