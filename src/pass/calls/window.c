/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The calls of a time window; calls too short to be distinguished are merged.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/facts.h"

#include "order.h"

struct window {
	uint64_t	from, to, min;
};

bool
spans_add_callers(const struct marks *m, uint64_t id, uint64_t from, struct spans *s,
    struct err *err)
{
	size_t first = s->n, i, j;
	uint64_t n = 0;

	for (; id != 0 && n < m->start->rows; n++) {
		if (column_get(m->end, id - 1) >= from &&
		    !spans_add_stored(m, id - 1, s, err))
			return false;
		id = column_get(m->parent, id - 1);
	}
	for (i = first, j = s->n; i + 1 < j; i++, j--) {
		struct span x = s->span[i];

		s->span[i] = s->span[j - 1];
		s->span[j - 1] = x;
	}
	return true;
}

/* Drops what does not touch the window from place first on. */
static void
keep_touching(struct spans *s, size_t first, const struct window *w)
{
	size_t i, n = first;

	assert(first <= s->n);
	for (i = first; i < s->n; i++)
		if (s->span[i].end >= w->from && s->span[i].start <= w->to)
			s->span[n++] = s->span[i];
	s->n = n;
}

static bool
by_replay(const struct marks *m, uint64_t k, uint64_t last,
    const struct window *w, struct spans *s, struct err *err)
{
	size_t first;

	if (!spans_add_callers(m, column_get(m->top, mark_of(m, k)), w->from, s, err))
		return false;
	for (; k <= last; k++) {
		first = s->n;
		if (!spans_replay(m, k, s, err))
			return false;
		keep_touching(s, first, w);
	}
	return true;
}

static bool
by_stored(const struct marks *m, const struct window *w, struct spans *s,
    struct err *err)
{
	uint64_t end = m->span_first + m->nspans, row = column_place_in(m->start, m->span_first, end,
	    w->from);

	if (row > m->span_first && !spans_add_callers(m, row, w->from, s, err))
		return false;
	for (; row < end && column_get(m->start, row) <= w->to; row++)
		if (!spans_add_stored(m, row, s, err))
			return false;
	return true;
}

/* ---- crowds -------------------------------------------------------------------------------------------- */

/*
 * Puts short calls together, in place.  A short call and all below it join
 * the crowd of its siblings; a longer call at the same depth or above ends a
 * crowd, and so does a gap of min or more.
 */
struct crowds {
	size_t	*open;		/* by depth: 1 + place of the crowd, or 0 */
	size_t	 cap, n;	/* n: depths in use */
	size_t	 last;		/* 1 + place of the crowd the last short call joined */
	uint32_t last_depth;
};

static bool
window_join(struct spans *s, struct crowds *c, const struct span *x, uint64_t min,
    size_t *n, struct err *err)
{
	uint32_t calls = x->crowd > 0 ? x->crowd : 1;
	struct span *crowd;

	if (!mem_grow(&c->open, &c->cap, (size_t)x->depth + 1, sizeof *c->open))
		return fail(err, E_SYSTEM, "out of memory");
	while (c->n <= x->depth)
		c->open[c->n++] = 0;
	assert(c->n > x->depth);
	crowd = c->open[x->depth] ? &s->span[c->open[x->depth] - 1] : NULL;
	if (crowd == NULL || x->start - crowd->end >= min) {
		s->span[*n] = *x;
		crowd = &s->span[(*n)++];
		crowd->crowd = 0;
		c->open[x->depth] = *n;
	}
	crowd->crowd += calls;
	if (x->end > crowd->end) {
		crowd->end = x->end;
		crowd->end_cpu = x->end_cpu;
	}
	c->last = c->open[x->depth];
	assert(c->last > 0 && c->last <= *n && *n <= s->n);
	c->last_depth = x->depth;
	return true;
}

static bool
compress(struct spans *s, uint64_t min, struct err *err)
{
	struct crowds c = { .open = NULL };
	size_t i, n = 0;
	bool ok = true;

	for (i = 0; ok && i < s->n; i++) {
		struct span x = s->span[i];

		assert(n <= i && c.last <= n);
		if (c.last != 0 && x.depth > c.last_depth) {
			s->span[c.last - 1].crowd += x.crowd > 0 ? x.crowd : 1;
			continue;
		}
		c.last = 0;
		if (x.end - x.start < min) {
			ok = window_join(s, &c, &x, min, &n, err);
			continue;
		}
		if (c.n > x.depth)
			c.n = x.depth;
		s->span[n++] = x;
	}
	assert(n <= s->n);
	s->n = n;
	/* A crowd of one is just that call. */
	for (i = 0; i < s->n; i++) {
		if (s->span[i].crowd > 1)
			s->span[i].method = 0;
		else
			s->span[i].crowd = 0;
	}
	free(c.open);
	return ok;
}

/* The last mark from k on that is before a time, or at it; k itself where no other is. */
static uint64_t
last_mark(const struct marks *m, uint64_t k, uint64_t time, bool at)
{
	uint64_t lo = k, hi = m->n - 1, mid, is;

	assert(k < m->n);
	while (lo < hi) {
		mid = hi - (hi - lo) / 2;
		is = mark_time(m, mid);
		if (is < time || (at && is == time))
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

void
marks_between(const struct marks *m, uint64_t from, uint64_t to, uint64_t *k, uint64_t *last)
{
	*k = last_mark(m, 0, from, false);
	*last = last_mark(m, *k, to, true);
	assert(*k <= *last && *last < m->n);
}

bool
spans_window(const struct store *st, uint32_t thread, uint64_t from, uint64_t to,
    uint64_t min, uint64_t budget, struct spans *s, struct err *err)
{
	struct window w = { from, to, min };
	uint64_t k, last;
	struct marks m;
	bool ok;

	s->n = 0;
	if (!marks_open(&m, st, thread, err))
		return false;
	if (m.n == 0 || from > to)
		return true;
	marks_between(&m, from, to, &k, &last);
	if (budget == 0 || (last - k + 1) * BLOCK_ROWS <= budget ||
	    fact_value(st, FACT_RECORDS) <= budget)
		ok = by_replay(&m, k, last, &w, s, err);
	else
		ok = by_stored(&m, &w, s, err);
	return ok && (min == 0 || compress(s, min, err));
}
