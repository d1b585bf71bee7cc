/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks as tracks: values of counters, and numbers of open spans.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/sched.h"
#include "profile.h"

struct count {
	uint64_t	time;		/* first: marks_order */
	double		value;
	uint32_t	counter;
};

/* Spans that share a track. */
struct span_track {
	uint32_t	thread, process, cat, name;
	uint32_t	series;
};

struct series {
	uint32_t	name, key;	/* words; key: of counters */
	uint32_t	process, thread;
	uint32_t	parent;		/* 1 + the number of the track above it, which is older; 0: none */
	uint32_t	unit;		/* word; 0: none */
	uint8_t		kind, decimals, depth;	/* kind: enum series_kind; depth: tracks above it */
	uint64_t	below;
};

/* A value; for spans a change of the number of open ones, until the levels are sorted. */
struct level {
	uint64_t	series, time;	/* series from 0; both first: sort_levels */
	uint64_t	value;
};

enum { DEPTH_MOST = 10 };

#define SERIES(m, i) (&SCRATCH((m)->series, struct series)[i])
#define COUNTER(m, i) (&SCRATCH((m)->counters.rows, struct mark_counter)[(i) - 1])

/* ---- reading -------------------------------------------------------------------------- */

bool
marks_level(struct marks_in *m, uint32_t series, uint64_t time, uint64_t value, struct err *err)
{
	struct level new = { series, time, value };

	for (;;) {
		if (!make_add(&m->levels, &m->nlevels, &new, sizeof new, UINT64_MAX, "values", err))
			return false;
		if (SERIES(m, new.series)->parent == 0)
			return true;
		new.series = SERIES(m, new.series)->parent - 1;
	}
}

bool
marks_track(struct marks_in *m, const struct mark_span *s, uint32_t *series, struct err *err)
{
	struct span_track new = { s->thread, s->process, s->cat, s->name, (uint32_t)m->nseries };
	struct series with = { .name = s->name, .process = s->process, .thread = s->thread, .kind = SERIES_ASYNC };
	uint64_t before = m->tracks.n;
	uint32_t track = mark_set_add(&m->tracks, &new, offsetof(struct span_track, series), sizeof new,
	    "tracks", err);

	if (track == 0)
		return false;
	*series = SCRATCH(m->tracks.rows, struct span_track)[track - 1].series;
	return m->tracks.n == before || make_add(&m->series, &m->nseries, &with, sizeof with, MAKE_MOST,
	    "tracks", err);
}

void
marks_nest(struct marks_in *m, uint32_t series, uint32_t parent)
{
	if (parent >= series || SERIES(m, series)->parent != 0 || SERIES(m, parent)->depth >= DEPTH_MOST)
		return;
	SERIES(m, series)->parent = parent + 1;
	SERIES(m, series)->depth = (uint8_t)(SERIES(m, parent)->depth + 1);
}

bool
marks_count(struct marks_in *m, uint32_t counter, uint64_t time, double value, struct err *err)
{
	struct count new = { time, value, counter };

	assert(counter != 0 && counter <= m->counters.n);
	return make_add(&m->counts, &m->ncounts, &new, sizeof new, UINT64_MAX, "values of counters", err);
}

static void
take_value(struct mark_counter *c, double v, unsigned decimals)
{
	c->min = c->points == 0 || v < c->min ? v : c->min;
	c->max = c->points == 0 || v > c->max ? v : c->max;
	c->last = v;
	c->decimals = decimals > c->decimals ? (uint8_t)decimals : c->decimals;
	c->points++;
}

bool
marks_counter_columns(struct marks_in *m, const struct mark_scale *scale, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_COUNTER_NAME, mark_counter, name), MAKE(COL_COUNTER_KEY, mark_counter, key),
		MAKE(COL_COUNTER_PROCESS, mark_counter, process), MAKE(COL_COUNTER_POINTS, mark_counter, points),
		MAKE_COLUMN(COL_COUNTER_MIN, mark_counter, min, MAKE_REAL),
		MAKE_COLUMN(COL_COUNTER_MAX, mark_counter, max, MAKE_REAL),
		MAKE_COLUMN(COL_COUNTER_LAST, mark_counter, last, MAKE_REAL),
		MAKE(COL_COUNTER_UNIT, mark_counter, unit),
	};
	const struct count *count;

	if (!marks_order(m, &m->counts, m->ncounts, sizeof *count, err))
		return false;
	count = SCRATCH(m->counts, struct count);
	for (uint64_t i = 0; i < m->ncounts; i++) {
		if (i % 4096 == 0 && !work_go(m->l->work, m->l->doc.size, err))
			return false;
		take_value(COUNTER(m, count[i].counter), count[i].value, scale->decimals(count[i].value));
	}
	for (uint64_t i = 1; i <= m->counters.n; i++) {
		struct mark_counter *c = COUNTER(m, i);
		double low = scale->signs && c->min < 0 ? -c->min : 0;
		unsigned most = scale->most == NULL ? c->decimals : scale->most((c->max > 0 ? c->max : 0) + low);
		struct series new = { .name = c->name, .key = c->key, .process = c->process, .kind = SERIES_COUNTER,
		    .unit = c->unit, .decimals = c->decimals < most ? c->decimals : (uint8_t)most };

		c->decimals = new.decimals;
		c->below = new.below = low > 0 ? scale->level(c, low) : 0;
		c->series = (uint32_t)m->nseries;
		if (!make_add(&m->series, &m->nseries, &new, sizeof new, MAKE_MOST, "tracks", err))
			return false;
	}
	for (uint64_t i = 0; i < m->ncounts; i++) {
		const struct mark_counter *c = COUNTER(m, count[i].counter);

		if (!marks_level(m, c->series, count[i].time, scale->level(c, count[i].value), err))
			return false;
	}
	scratch_free(&m->counts);
	return make_columns(m->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(m->counters.rows, struct mark_counter), m->counters.n), err);
}

/* Sort levels by series and time if needed; for spans, sum up the number of open ones. */
static bool
sort_levels(struct marks_in *m, bool (*sort)(struct scratch *, uint64_t, size_t, struct work *, struct err *),
    struct err *err)
{
	struct level *l;

	if (!sort(&m->levels, m->nlevels, sizeof *l, m->l->work, err))
		return false;
	l = SCRATCH(m->levels, struct level);
	for (uint64_t i = 1; i < m->nlevels; i++)
		if (l[i].series == l[i - 1].series &&
		    SCRATCH(m->series, struct series)[l[i].series].kind == SERIES_ASYNC)
			l[i].value += l[i - 1].value;
	return true;
}

/* Make "name.key" for a counter, or the name for spans; with a NUL, in l->name. */
static bool
series_name(const struct marks_in *m, const struct series *s, struct err *err)
{
	struct buf *b = &m->l->name;

	buf_clear(b);
	buf_str(b, marks_text(m, s->name));
	if (s->kind == SERIES_COUNTER && s->key != 0) {
		buf_chr(b, '.');
		buf_str(b, marks_text(m, s->key));
	}
	buf_chr(b, '\0');
	return !b->bad || fail(err, E_SYSTEM, "out of memory (name)");
}

/* Renumber the tracks, so that those below a track follow it: parents are older than what is below them. */
static bool
order_series(struct marks_in *m, struct err *err)
{
	struct scratch ordered = SCRATCH_INIT, place = SCRATCH_INIT;
	struct series *s = SCRATCH(m->series, struct series);
	uint64_t n = m->nseries, *size, *to, next = 0;
	bool ok = scratch_array(&ordered, n, sizeof *s, err) && scratch_array(&place, 3 * n, sizeof *size, err);

	size = SCRATCH(place, uint64_t);
	to = size + n;
	for (uint64_t i = 0; ok && i < n; i++)
		size[i] = 1;
	for (uint64_t i = n; ok && i > 0; i--)
		if (s[i - 1].parent != 0)
			size[s[i - 1].parent - 1] += size[i - 1];
	/* to[n + i]: where the next track below track i goes. */
	for (uint64_t i = 0; ok && i < n; i++) {
		uint64_t *at = s[i].parent != 0 ? &to[n + s[i].parent - 1] : &next;

		to[i] = *at;
		to[n + i] = *at + 1;
		*at += size[i];
		SCRATCH(ordered, struct series)[to[i]] = s[i];
	}
	for (uint64_t i = 0; ok && i < m->nlevels; i++) {
		struct level *l = &SCRATCH(m->levels, struct level)[i];

		l->series = to[l->series];
	}
	scratch_free(&place);
	if (ok) {
		scratch_free(&m->series);
		m->series = ordered;
	} else
		scratch_free(&ordered);
	return ok;
}

bool
marks_level_columns(struct marks_in *m, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_SERIES_KIND, series, kind), MAKE(COL_SERIES_WORD, series, name),
		MAKE(COL_SERIES_PROCESS, series, process), MAKE(COL_SERIES_DECIMALS, series, decimals),
		MAKE(COL_SERIES_BELOW, series, below), MAKE(COL_SERIES_UNIT, series, unit),
	}, nested[] = {
		MAKE(COL_SERIES_DEPTH, series, depth),
	}, levels[] = {
		MAKE(COL_LEVEL_TIME, level, time), MAKE(COL_LEVEL_VALUE, level, value),
		MAKE_FIT(COL_LEVEL_SERIES, level, series),
	};
	struct store *st = m->l->st;
	bool nests = false;
	struct series *s;

	for (uint64_t i = 0; i < m->nseries; i++)
		nests |= SERIES(m, i)->depth > 0;
	if (nests && !order_series(m, err))
		return false;
	s = SCRATCH(m->series, struct series);
	for (uint64_t i = 0; i < m->nseries; i++)
		if (!series_name(m, &s[i], err) ||
		    !marks_word_of(m, (struct str){ m->l->name.s, m->l->name.n - 1 }, &s[i].name, err))
			return false;
	return sort_levels(m, make_sort, err) &&
	    make_columns(st, columns, NELEM(columns), MAKE_ROWS(s, m->nseries), err) &&
	    (!nests || make_columns(st, nested, NELEM(nested), MAKE_ROWS(s, m->nseries), err)) &&
	    make_columns(st, levels, NELEM(levels), MAKE_ROWS(SCRATCH(m->levels, struct level), m->nlevels), err);
}

static bool
begin_points(const struct marks_in *m, const struct series *s, struct points *points, struct err *err)
{
	if (!series_name(m, s, err) ||
	    !points_track(points, TRACK_LEVEL, m->l->name.s, s->kind == SERIES_ASYNC ? "open" : "", s->thread,
	    0, err))
		return false;
	points_of(points, s->process, s->decimals);
	points_below(points, s->below);
	return true;
}

bool
marks_points(struct marks_in *m, struct points *points, struct err *err)
{
	const struct level *l;

	if (!sort_levels(m, make_sort_both, err))
		return false;
	l = SCRATCH(m->levels, struct level);
	for (uint64_t i = 0; i < m->nlevels; i++)
		if (((i == 0 || l[i].series != l[i - 1].series) && (!work_go(m->l->work, m->l->doc.size, err) ||
		    !begin_points(m, &SCRATCH(m->series, struct series)[l[i].series], points, err))) ||
		    !points_add(points, l[i].time, l[i].value, err))
			return false;
	return true;
}
