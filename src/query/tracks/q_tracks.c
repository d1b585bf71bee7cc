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

/* One track of those in the answer. */
struct chosen {
	struct track	track;
	uint32_t	id;		/* of the track, from 1 */
	uint64_t	row;		/* of its first point in the answer */
	uint64_t	skip;		/* so many points are before that one */
};

struct track_rows {
	struct rows		 rows;
	const struct store	*store;
	struct chosen		*list;
	size_t			 nlist, cap;
	uint64_t		 n;		/* points */
	uint64_t		 end;		/* of the last level or state */
	uint64_t		 from, to;	/* what is wanted of the tracks */
	bool			 ranged;	/* that is not all */
	struct buf		 text;
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
	struct chosen *c;
	uint64_t end;

	if (!mem_grow(&s->list, &s->cap, s->nlist + 1, sizeof *s->list))
		return fail(err, E_SYSTEM, "out of memory (list of tracks)");
	c = &s->list[s->nlist++];
	c->track = *t;
	c->id = (uint32_t)i + 1;
	c->row = s->n;
	wanted_points(s, t, &c->skip, &end);
	s->n += end - c->skip;
	return true;
}

static void
tracks_close(struct rows *r)
{
	struct track_rows *s = (struct track_rows *)r;

	free(s->list);
	buf_free(&s->text);
}

static void
q_tracks_name_of(const struct store *st, uint32_t number, struct buf *b)
{
	struct track t;

	if (track_get(st, number - 1, &t) && has_values(&t))
		buf_str(b, str_of(t.name));
}

/* Choose the tracks that an argument names (NULL: all); values: only tracks with values. */
static bool
choose_named(struct track_rows *s, const struct token *token, bool values, struct err *err)
{
	size_t i, n = tracks_count(s->store), before = s->nlist;
	struct track t;

	for (i = 0; i < n; i++) {
		if (!track_get(s->store, i, &t) || (values && !has_values(&t)) || (token != NULL && !token_means(token, str_of(t.name))))
			continue;
		if (!q_tracks_choose(s, &t, i, err))
			return false;
	}
	return token == NULL || s->nlist > before || store_is_blank(s->store) || fail_no_named(&(struct named){ .what = "track with values",
	    .query = "tracks", .n = (uint32_t)n, .st = s->store, .name = q_tracks_name_of }, token, err);
}

static struct track_rows *
new_rows(const struct rows_ops *ops, struct session *session, const struct stage *stage, struct rows *in,
    struct err *err)
{
	struct track_rows *s = rows_of_command(sizeof *s, ops, session, stage, in, err);

	if (s == NULL)
		return NULL;
	s->store = session_store(session);
	s->end = tracks_end(s->store);
	s->ranged = view_range(s->store, &s->from, &s->to);
	return s;
}

/* ---- tracks ------------------------------------------------------------------------ */

/* Cells computed from the track, not stored in struct chosen. */
enum { TRACK_NAME = FIELD_OWN, TRACK_KIND, TRACK_ON, TRACK_POINTS, TRACK_START, TRACK_WALL, TRACK_GROWTH, TRACK_USE,
	TRACK_MAX, TRACK_UNIT, TRACK_PROCESS };

static const struct coldef track_cols[] = {
	{ "id", CELL_ID, "track number", false, FIELD_OF(struct chosen, id) },
	{ "track", CELL_TEXT, "name", false, TRACK_NAME },
	{ "kind", CELL_TEXT, "kind: state, task, counter, cpu or gauge", false, TRACK_KIND },
	{ "thread", CELL_TEXT, "thread name; empty: track of a CPU or the process", false,
	    THREAD_OF(struct chosen, track.thread), .needs = name_needs },
	{ "on_cpu", CELL_COUNT, "CPU, for CPU tracks", true, TRACK_ON },
	{ "points", CELL_COUNT, "number of points", false, TRACK_POINTS },
	{ "start_wall", CELL_TIME, "start", false, TRACK_START },
	{ "wall", CELL_TIME, "duration", false, TRACK_WALL },
	{ "growth", CELL_NONE, "growth of counters; mean of gauges", false, TRACK_GROWTH },
	{ "utilisation", CELL_PERCENT, "CPU utilisation", false, TRACK_USE, .was = "use", .head = "util" },
	{ "max", CELL_NONE, "maximum level, or largest single growth", false, TRACK_MAX },
	{ "unit", CELL_TEXT, "unit of the values", true, TRACK_UNIT },
	{ "thread_id", CELL_ID, "thread id; 0: none", true, FIELD_OF(struct chosen, track.thread) },
	{ "process", CELL_TEXT, "process of a counter or async track", true, TRACK_PROCESS }
};

static uint64_t
tracks_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct track_rows *)r)->nlist;
}

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

static void
q_tracks_whole_cell(struct track_rows *s, const struct track *t, unsigned col, struct cell *c)
{
	struct track_piece p;
	uint64_t from, to;

	c->type = CELL_NONE;
	if (t->n == 0 || !has_values(t))
		return;
	track_times(s, t, &from, &to);
	if (s->ranged && from == to)
		return;
	track_piece(t, from, to, &p);
	if (col == TRACK_USE) {
		if (t->kind == TRACK_CPU)
			cell_use(p.sum, p.known, c);
		return;
	}
	cell_track(t, col == TRACK_MAX ? p.max : p.sum, c);
}

static void
tracks_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct track_rows *s = (struct track_rows *)r;
	const struct track *t = &s->list[row].track;
	uint64_t from, to;

	if (cell_member(r, s->store, &s->list[row], col, &s->text, c))
		return;
	track_times(s, t, &from, &to);
	switch (r->cols[col].kind) {
	case TRACK_NAME:
		c->text = str_of(t->name);
		break;
	case TRACK_KIND:
		c->text = str_of(kinds[t->kind]);
		break;
	case TRACK_ON:
		c->type = t->cpu > 0 ? CELL_COUNT : CELL_NONE;
		c->u = t->cpu - 1;
		break;
	case TRACK_POINTS:
		c->u = !s->ranged ? t->n : s->to > s->from ?
		    points_before(t, s->to) - points_before(t, s->from) : 0;
		break;
	case TRACK_START:
		c->u = from;
		break;
	case TRACK_WALL:
		c->u = to - from;
		break;
	case TRACK_UNIT:
		c->text = str_of(t->unit);
		break;
	case TRACK_PROCESS:
		c->text = process_name(s->store, t->process);
		break;
	default:
		q_tracks_whole_cell(s, t, r->cols[col].kind, c);
		break;
	}
}

static const struct rows_ops tracks_ops = { .reach = tracks_reach, .cell = tracks_cell,
	.close = tracks_close };

static bool
tracks_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct track_rows *s = new_rows(&tracks_ops, session, stage, in, err);

	return s != NULL && rows_opened(&s->rows, stage_at_most(stage, 0, err) &&
	    choose_named(s, NULL, false, err), out);
}

const struct command source_tracks = {
	SOURCE("tracks", "tracks: CPU use, counters, states", "tracks", tracks_open),
	OVER(SHAPE_TRACKS, track_cols),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};

/* ---- metrics ----------------------------------------------------------------------- */

/* Cells computed from a point of the track. */
enum { METRIC_TRACK = FIELD_OWN, METRIC_START, METRIC_WALL, METRIC_VALUE, METRIC_DELTA, METRIC_RATE, METRIC_USE };

static const struct coldef metric_cols[] = {
	{ "track", CELL_TEXT, "track name", false, METRIC_TRACK },
	{ "thread", CELL_TEXT, "thread name; empty: track of a CPU or the process", false,
	    THREAD_OF(struct chosen, track.thread), .needs = name_needs },
	{ "start_wall", CELL_TIME, "start of the interval", false, METRIC_START },
	{ "wall", CELL_TIME, "duration of the interval", false, METRIC_WALL },
	{ "value", CELL_NONE, "value (counters: at the end)", false, METRIC_VALUE },
	{ "delta", CELL_NONE, "growth of the counter", false, METRIC_DELTA },
	{ "rate", CELL_REAL, "growth per second", false, METRIC_RATE },
	{ "utilisation", CELL_PERCENT, "CPU utilisation", false, METRIC_USE, .was = "use", .head = "util" },
	{ "thread_id", CELL_ID, "thread id; 0: none", true, FIELD_OF(struct chosen, track.thread) },
	{ "track_id", CELL_ID, "track id", true, FIELD_OF(struct chosen, id) }
};

static uint64_t
metrics_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct track_rows *)r)->n;
}

static const struct chosen *
q_tracks_track_of(const struct track_rows *s, uint64_t row)
{
	size_t low = 0, high = s->nlist, middle;

	/* A track without points has the row of the next track: the last track at that row is the right one. */
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (s->list[middle].row <= row)
			low = middle;
		else
			high = middle;
	}
	return &s->list[low];
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

static void
q_tracks_delta_cell(const struct track_rows *s, const struct track *t, uint64_t i, uint64_t ns,
    unsigned col, struct cell *c)
{
	uint64_t delta;

	c->type = CELL_NONE;
	if (is_level(t) || (col == METRIC_USE && t->kind != TRACK_CPU))
		return;
	delta = point_growth(s, t, i);
	if (col == METRIC_DELTA)
		cell_track(t, delta, c);
	else if (col == METRIC_RATE)
		cell_rate(delta, ns, c);
	else
		cell_use(delta, ns, c);
}

static void
metrics_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct track_rows *s = (struct track_rows *)r;
	const struct chosen *chosen = q_tracks_track_of(s, row);
	const struct track *t = &chosen->track;
	uint64_t i = row - chosen->row + chosen->skip, from, to;

	if (cell_member(r, s->store, chosen, col, &s->text, c))
		return;
	point_times(s, t, i, &from, &to);
	switch (r->cols[col].kind) {
	case METRIC_TRACK:
		c->text = str_of(t->name);
		break;
	case METRIC_START:
		c->u = from;
		break;
	case METRIC_WALL:
		c->u = to - from;
		break;
	case METRIC_VALUE:
		cell_track(t, column_get(t->value, t->first + i), c);
		break;
	default:
		q_tracks_delta_cell(s, t, i, to - from, r->cols[col].kind, c);
		break;
	}
}

static const struct rows_ops metrics_ops = { .reach = metrics_reach, .cell = metrics_cell,
	.close = tracks_close };

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
metrics_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct track_rows *s = new_rows(&metrics_ops, session, stage, in, err);

	return s != NULL && rows_opened(&s->rows, metrics_arguments(s, stage, err), out);
}

const struct command source_metrics = {
	SOURCE("metrics", "points of counter and CPU tracks",
	    "metrics cpu | where utilisation > 90 | sort -wall | head 5", metrics_open),
	OVER(SHAPE_TRACKS, metric_cols),
	.args = ARGS({ &arg_track, ARG_OPTIONAL | ARG_MANY }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};
