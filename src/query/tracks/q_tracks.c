/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_tracks: the tracks of a file, and the points of those with values.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/view.h"
#include "query/trace/trace.h"

static const column_id needs[] = { COL_TRACK_KIND, COL_NONE };
static const column_id name_needs[] = { COL_THREAD_TID, COL_NONE };
static const struct arg_type arg_track = { .name = "TRACK" };

static const char *const kinds[] = {
	[TRACK_STATE] = "state", [TRACK_TASK] = "task", [TRACK_TOTAL] = "counter",
	[TRACK_CPU] = "cpu", [TRACK_LEVEL] = "gauge"
};

/* A track in the answer. */
struct chosen {
	struct track	track;
	uint32_t	id;		/* number of the track, from 1 */
	uint64_t	row;		/* row of the first point of the track in the answer */
	uint64_t	skip;		/* so many points are before that one */
};

/* The interval of a point of a track. */
struct point {
	const struct chosen	*of;
	const char		*name;
	uint64_t		 at, from, to;
	uint32_t		 thread, id, process;	/* thread, number and process of the track */
};

struct track_rows {
	struct item_rows	 rows;		/* tracks, or points; their list is of struct chosen */
	uint64_t		 chosen, points;
	struct point		 point;		/* point of the last cell */
	uint64_t		 end;		/* end of the last level or state */
	uint64_t		 from, to;	/* what is wanted of the tracks */
	bool			 ranged;	/* that is not all */
};

static bool
has_values(const struct track *t)
{
	return t->kind != TRACK_STATE && t->kind != TRACK_TASK;
}

static bool
is_level(const struct track *t)
{
	return t->kind == TRACK_LEVEL || !has_values(t);
}

/* Count the points of a track before a time. */
static uint64_t
points_before(const struct track *t, uint64_t time)
{
	uint64_t row = time == 0 ? 0 : track_before(t, time - 1);

	return row == 0 ? 0 : row - t->first;
}

/* Find the points of the wanted range: a level lasts until the next point, a total since the previous one. */
static void
wanted_points(const struct track_rows *s, const struct track *t, uint64_t *first, uint64_t *end)
{
	uint64_t until = track_before(t, s->from);

	*first = 0;
	*end = t->n;
	if (!s->ranged)
		return;
	until = until == 0 ? 0 : until - t->first;
	*end = points_before(t, s->to);
	*first = is_level(t) ? until - (until > 0) : until;
	if (!is_level(t) && *end > 0 && *end < t->n)
		*end += 1;
	if (*first > *end || s->to <= s->from)
		*first = *end;
}

static bool
q_tracks_choose(struct track_rows *s, const struct track *t, size_t i, struct err *err)
{
	struct chosen c = { .track = *t, .id = (uint32_t)i + 1, .row = s->points };
	uint64_t end;

	wanted_points(s, t, &c.skip, &end);
	s->points += end - c.skip;
	return scratch_add(&s->rows.list, &s->chosen, &c, sizeof c, err);
}

static void
q_tracks_name_of(const struct store *st, uint32_t number, struct buf *b)
{
	struct track t;

	if (track_get(st, number - 1, &t) && has_values(&t))
		buf_text(b, t.name);
}

/* Choose the tracks that an argument names (NULL: all); values: only tracks with values. */
static bool
choose_named(struct track_rows *s, const struct token *token, bool values, struct err *err)
{
	size_t i, n = tracks_count(s->rows.st);
	uint64_t before = s->chosen;
	struct track t;

	for (i = 0; i < n; i++) {
		if (!track_get(s->rows.st, i, &t) || (values && !has_values(&t)) ||
		    (token != NULL && !token_means(token, str_of(t.name))))
			continue;
		if (!q_tracks_choose(s, &t, i, err))
			return false;
	}
	return token == NULL || s->chosen > before || store_is_blank(s->rows.st) ||
	    fail_no_named(&(struct named){ .what = "track with values",
	    .query = "tracks", .n = (uint32_t)n, .st = s->rows.st, .name = q_tracks_name_of }, token, err);
}

static void
q_tracks_limit(struct track_rows *s)
{
	s->end = tracks_end(s->rows.st);
	s->ranged = view_range(s->rows.st, &s->from, &s->to);
}

/* ---- tracks ------------------------------------------------------------------------ */

/* Compute the extent of a track within the wanted range. */
static void
track_times(const struct track_rows *s, const struct track *t, uint64_t *from, uint64_t *to)
{
	*from = t->n == 0 ? 0 : column_get(t->time, t->first);
	*to = t->n == 0 ? 0 : is_level(t) ? s->end : column_get(t->time, t->first + t->n - 1);
	if (s->ranged && t->n > 0) {
		*from = *from > s->from ? *from : s->from;
		*to = *to < s->to ? *to : s->to;
		*from = *from < s->to ? *from : s->to;
	}
	*to = *to > *from ? *to : *from;
}

enum { TRACK_START, TRACK_WALL, TRACK_GROWTH, TRACK_USE, TRACK_MAX };

/* Which value a level has at a time: until its first point it has that one. */
static uint64_t
level_at(const struct track *t, uint64_t time)
{
	uint64_t row = track_before(t, time);

	return column_get(t->value, row == 0 ? t->first : row - 1);
}

/* A level may fall. */
static void
level_growth(const struct track *t, uint64_t from, uint64_t to, struct cell *c)
{
	uint64_t first = level_at(t, from), last = level_at(t, to);

	cell_track(t, num_add(t->below, last > first ? last - first : 0), c);
	if (c->type == CELL_REAL && last < first)
		c->f = track_real(t, last) - track_real(t, first);
	else if (last < first) {
		c->bytes = c->type == CELL_BYTES;
		c->type = CELL_INT;
		c->i = -(int64_t)(first - last);
	}
}

static void
q_tracks_whole_cell(const struct track_rows *s, const struct track *t, uint64_t from, uint64_t to,
    struct cell *c)
{
	unsigned show = item_show(&s->rows);
	struct track_piece p;

	c->type = CELL_NONE;
	if (t->n == 0 || !has_values(t) || (s->ranged && from == to))
		return;
	if (show == TRACK_GROWTH && t->kind == TRACK_LEVEL) {
		level_growth(t, from, to, c);
		return;
	}
	track_piece(t, from, to, &p);
	if (show != TRACK_USE)
		cell_track(t, show == TRACK_MAX ? p.max : p.sum, c);
	else if (t->kind == TRACK_CPU)
		cell_use(p.sum, p.known, c);
}

static void
q_tracks_track_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	const struct track_rows *s = (const struct track_rows *)r;
	const struct track *t = &((const struct chosen *)r->item)->track;
	uint64_t from, to;

	track_times(s, t, &from, &to);
	switch (item_show(r)) {
	case TRACK_START: c->u = from; break;
	case TRACK_WALL: c->u = to - from; break;
	default: q_tracks_whole_cell(s, t, from, to, c); break;
	}
}

static void
q_tracks_on_cell(UNUSED struct item_rows *s, uint64_t cpu, struct cell *c)
{
	c->type = cpu > 0 ? CELL_COUNT : CELL_NONE;
	c->u = cpu - 1;
}

static void
points_cell(struct item_rows *r, uint64_t n, struct cell *c)
{
	const struct track_rows *s = (const struct track_rows *)r;
	const struct track *t = &((const struct chosen *)r->item)->track;

	c->u = !s->ranged ? n : s->to > s->from ? points_before(t, s->to) - points_before(t, s->from) : 0;
}

#define OF(member) ITEM(struct chosen, member)
#define OF_TRACK(what) COMPUTED(q_tracks_track_cell, .show = (what))

static const struct coldef track_cols[] = {
	{ "id", CELL_ID, "track number", MADE(OF(id)) },
	{ "track", CELL_TEXT, "name", MADE(.show = SHOW_WORD, OF(track.name)) },
	{ "kind", CELL_TEXT, "kind: state, task, counter, cpu or gauge",
	    MADE(.words = kinds, OF(track.kind)) },
	{ "thread", CELL_TEXT, "thread name; empty: track of a CPU or the process",
	    THREAD_FROM(OF(track.thread)), .needs = name_needs },
	{ "on_cpu", CELL_COUNT, "CPU, for CPU tracks", MORE, COMPUTED(q_tracks_on_cell, OF(track.cpu)) },
	{ "points", CELL_COUNT, "number of points", COMPUTED(points_cell, OF(track.n)) },
	{ "start_wall", CELL_TIME, "start", OF_TRACK(TRACK_START) },
	{ "wall", CELL_TIME, "duration", OF_TRACK(TRACK_WALL) },
	{ "growth", CELL_NONE, "growth of counters; of gauges, last minus first value", OF_TRACK(TRACK_GROWTH) },
	{ "utilisation", CELL_PERCENT, "CPU utilisation", OF_TRACK(TRACK_USE), .was = "use", .head = "util" },
	{ "max", CELL_NONE, "maximum level, or largest single growth", OF_TRACK(TRACK_MAX) },
	{ "unit", CELL_TEXT, "unit of the values", MORE, MADE(.show = SHOW_WORD, OF(track.unit)) },
	{ "depth", CELL_COUNT, "tracks above a nested track", MORE, MADE(OF(track.depth)) },
	{ "thread_id", CELL_ID, "thread id; 0: none", MORE, MADE(OF(track.thread)) },
	{ "process", CELL_TEXT, "process of a counter or async track", MORE,
	    MADE(.show = TRACE_PROCESS, OF(track.process)) },
	{ "process_id", CELL_ID, "number of that process; 0: none", MORE, MADE(OF(track.process)) },
	PROCESS_LABEL(OF(track.process))
};

static bool
tracks_begin(struct item_rows *r, UNUSED const struct stage *stage, struct err *err)
{
	struct track_rows *s = (struct track_rows *)r;
	bool ok;

	q_tracks_limit(s);
	ok = choose_named(s, NULL, false, err);
	r->n = s->chosen;
	return ok;
}

static const struct source tracks = {
	.domain = &trace_domain, .size = sizeof(struct track_rows), .item = sizeof(struct chosen),
	    .begin = tracks_begin
};

const struct command source_tracks = {
	SOURCE("tracks", "tracks: CPU use, counters, states", "tracks", item_rows_open),
	OVER(SHAPE_TRACKS, track_cols), .source = &tracks,
	.needs = needs,
	.views = VIEWS_OF_TIMES
};

/* ---- metrics ----------------------------------------------------------------------- */

static const struct chosen *
q_tracks_track_of(const struct track_rows *s, uint64_t row)
{
	const struct chosen *list = SCRATCH(s->rows.list, struct chosen);

	/*
	 * A track without points has the row of the next track: the last track at that row is the right one.
	 */
	return &list[num_last(&list->row, sizeof *list, s->chosen, row)];
}

/* Compute the interval of a point: up to the next point; for totals from the previous one. */
static void
point_times(const struct track_rows *s, const struct track *t, uint64_t i, uint64_t *from, uint64_t *to)
{
	uint64_t here = column_get(t->time, t->first + i);

	*from = *to = here;
	if (is_level(t))
		*to = i + 1 < t->n ? column_get(t->time, t->first + i + 1) : s->end;
	else if (i > 0)
		*from = column_get(t->time, t->first + i - 1);
	if (s->ranged) {
		*from = *from > s->from ? *from : s->from;
		*to = *to < s->to ? *to : s->to;
		*to = *to > *from ? *to : *from;
	}
}

/* Return the growth of a total up to a point, within the wanted range. */
static uint64_t
point_growth(const struct track_rows *s, const struct track *t, uint64_t i)
{
	uint64_t now = column_get(t->value, t->first + i), before, from, to;
	struct track_piece p;

	before = i > 0 ? column_get(t->value, t->first + i - 1) : now;
	if (!s->ranged)
		return now > before ? now - before : 0;
	point_times(s, t, i, &from, &to);
	track_piece(t, from, to, &p);
	return p.sum;
}

static const void *
point_at(struct item_rows *r, uint64_t row)
{
	struct track_rows *s = (struct track_rows *)r;
	const struct chosen *of = q_tracks_track_of(s, row);
	struct point *p = &s->point;

	*p = (struct point){ .of = of, .name = of->track.name, .at = row - of->row + of->skip,
	    .thread = of->track.thread, .id = of->id,
	    .process = of->track.process != 0 ? of->track.process : thread_process(r->st, of->track.thread) };
	point_times(s, &of->track, p->at, &p->from, &p->to);
	return p;
}

enum { METRIC_WALL, METRIC_VALUE, METRIC_DELTA, METRIC_RATE, METRIC_USE };

static void
q_tracks_delta_cell(const struct track_rows *s, const struct track *t, struct cell *c)
{
	uint64_t delta, ns = s->point.to - s->point.from;
	unsigned show = item_show(&s->rows);

	c->type = CELL_NONE;
	if (is_level(t) || (show == METRIC_USE && t->kind != TRACK_CPU))
		return;
	delta = point_growth(s, t, s->point.at);
	if (show == METRIC_DELTA)
		cell_track(t, delta, c);
	else if (show == METRIC_RATE)
		cell_rate(delta, ns, c);
	else
		cell_use(delta, ns, c);
}

static void
q_tracks_metric_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	const struct track_rows *s = (const struct track_rows *)r;
	const struct track *t = &s->point.of->track;

	switch (item_show(r)) {
	case METRIC_WALL: c->u = s->point.to - s->point.from; break;
	case METRIC_VALUE: cell_track(t, column_get(t->value, t->first + s->point.at), c); break;
	default: q_tracks_delta_cell(s, t, c); break;
	}
}

#define OF_POINT(member) ITEM(struct point, member)
#define METRIC(what) COMPUTED(q_tracks_metric_cell, .show = (what))

static const struct coldef metric_cols[] = {
	{ "track", CELL_TEXT, "track name", MADE(.show = SHOW_WORD, OF_POINT(name)) },
	{ "thread", CELL_TEXT, "thread name; empty: track of a CPU or the process",
	    THREAD_FROM(OF_POINT(thread)), .needs = name_needs },
	{ "start_wall", CELL_TIME, "start of the interval", MADE(OF_POINT(from)) },
	{ "wall", CELL_TIME, "duration of the interval", METRIC(METRIC_WALL) },
	{ "value", CELL_NONE, "value (counters: at the end)", METRIC(METRIC_VALUE) },
	{ "delta", CELL_NONE, "growth of the counter", METRIC(METRIC_DELTA) },
	{ "rate", CELL_REAL, "growth per second", METRIC(METRIC_RATE) },
	{ "utilisation", CELL_PERCENT, "CPU utilisation", METRIC(METRIC_USE), .was = "use", .head = "util" },
	{ "thread_id", CELL_ID, "thread id; 0: none", MORE, MADE(OF_POINT(thread)) },
	{ "track_id", CELL_ID, "track id", MORE, MADE(OF_POINT(id)) },
	{ "process", CELL_TEXT, "process of the track or of its thread", MORE, .beside = SHAPE_MARKS,
	    MADE(.show = TRACE_PROCESS, OF_POINT(process)) }
};

static bool
metrics_arguments(struct track_rows *s, const struct stage *stage, struct err *err)
{
	const struct token *t;
	size_t i = 0;

	if (stage->n == 0)
		return choose_named(s, NULL, true, err);
	while ((t = stage_next(stage, &i)) != NULL) {
		if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
			return fail_at(err, E_USAGE, t->at, "expected a track name");
		if (!choose_named(s, t, true, err))
			return false;
	}
	return true;
}

static bool
metrics_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	struct track_rows *s = (struct track_rows *)r;
	bool ok;

	q_tracks_limit(s);
	ok = metrics_arguments(s, stage, err);
	r->n = s->points;
	return ok;
}

static const struct source metrics = {
	.domain = &trace_domain, .size = sizeof(struct track_rows), .args = ARGS_OWN, .begin = metrics_begin,
	    .item_at = point_at
};

const struct command source_metrics = {
	SOURCE("metrics", "points of counter and CPU tracks",
	    "metrics cpu | where utilisation > 90 | sort -wall | head 5", item_rows_open),
	OVER(SHAPE_TRACKS, metric_cols), .source = &metrics,
	.args = ARGS({ &arg_track, ARG_OPTIONAL | ARG_MANY }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};
