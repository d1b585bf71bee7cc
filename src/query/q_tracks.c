/*
 * q_tracks: the tracks of a file, and the points of those with values.
 */
#include "config.h"

#include <stdlib.h>

#include "tracks.h"

static const char *const needs[] = { "thread.tid", "track.kind", NULL };
static const char *const kinds[] = {
	[TRACK_STATE] = "state", [TRACK_TASK] = "task", [TRACK_TOTAL] = "total",
	[TRACK_CPU] = "cpu", [TRACK_LEVEL] = "level"
};

/* One track of those in the answer. */
struct chosen {
	struct track	track;
	uint32_t	id;		/* of the track, from 1 */
	uint64_t	row;		/* of its first point */
};

struct track_rows {
	struct rows		 rows;
	const struct store	*store;
	struct chosen		*list;
	size_t			 nlist, cap;
	uint64_t		 n;		/* points */
	uint64_t		 end;		/* of the last level or state */
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

static bool
choose(struct track_rows *s, const struct track *t, size_t i, struct err *err)
{
	struct chosen *c;

	if (!mem_grow(&s->list, &s->cap, s->nlist + 1, sizeof *s->list))
		return fail(err, E_SYSTEM, "no memory for a list of tracks");
	c = &s->list[s->nlist++];
	c->track = *t;
	c->id = (uint32_t)i + 1;
	c->row = s->n;
	s->n += t->n;
	return true;
}

static void
tracks_close(struct rows *r)
{
	struct track_rows *s = (struct track_rows *)r;

	free(s->list);
	buf_free(&s->text);
}

static bool
open_rows(struct track_rows **out, const struct rows_ops *ops, struct session *session,
    const struct stage *stage, struct err *err)
{
	struct track_rows *s = rows_new(sizeof *s, ops, session, NULL, err);

	if (s == NULL)
		return false;
	s->rows.cols = stage->command->cols;
	s->rows.ncols = stage->command->ncols;
	s->store = session_store(session);
	if (s->store != NULL)
		s->end = tracks_end(s->store);
	*out = s;
	return true;
}

/* ---- tracks ------------------------------------------------------------------------ */

enum track_col { TRACK_ID, TRACK_NAME, TRACK_KIND, TRACK_THREAD, TRACK_ON, TRACK_POINTS,
	TRACK_START, TRACK_WALL, TRACK_GROWTH, TRACK_USE, TRACK_MAX, TRACK_UNIT,
	TRACK_THREAD_ID, TRACK_COLS };

static const struct coldef track_cols[TRACK_COLS] = {
	[TRACK_ID] = { "id", CELL_ID, "number of the track", false },
	[TRACK_NAME] = { "track", CELL_TEXT, "its name", false },
	[TRACK_KIND] = { "kind", CELL_TEXT, "state, task, total (what counts is how it grows), cpu or level", false },
	[TRACK_THREAD] = { "thread", CELL_TEXT, "name of its thread; empty: of a CPU or the process", false },
	[TRACK_ON] = { "on_cpu", CELL_COUNT, "number of its CPU, if it is one's", true },
	[TRACK_POINTS] = { "points", CELL_COUNT, "how often it was measured", false },
	[TRACK_START] = { "start_wall", CELL_TIME, "when it began", false },
	[TRACK_WALL] = { "wall", CELL_TIME, "how long it is", false },
	[TRACK_GROWTH] = { "growth", CELL_NONE, "of totals how much they grew, of levels the mean", false },
	[TRACK_USE] = { "use", CELL_PERCENT, "of cpu its growth as part of the time", false },
	[TRACK_MAX] = { "max", CELL_NONE, "of levels the highest, of totals the largest growth at once", false },
	[TRACK_UNIT] = { "unit", CELL_TEXT, "of its values", true },
	[TRACK_THREAD_ID] = { "thread_id", CELL_ID, "id of the thread, 0 for none", true }
};

static uint64_t
tracks_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct track_rows *)r)->nlist;
}

static uint64_t
track_start(const struct track *t)
{
	return t->n == 0 ? 0 : column_get(t->time, t->first);
}

static uint64_t
track_end(const struct track_rows *s, const struct track *t)
{
	return t->n == 0 ? 0 : is_level(t) ? s->end : column_get(t->time, t->first + t->n - 1);
}

static void
whole_cell(struct track_rows *s, const struct track *t, enum track_col col, struct cell *c)
{
	struct track_piece p;

	c->type = CELL_NONE;
	if (t->n == 0 || !has_values(t))
		return;
	track_piece(t, track_start(t), track_end(s, t), &p);
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

	c->type = r->cols[col].type;
	switch ((enum track_col)col) {
	case TRACK_ID:
		c->u = s->list[row].id;
		break;
	case TRACK_NAME:
		c->text = str_of(t->name);
		break;
	case TRACK_KIND:
		c->text = str_of(kinds[t->kind]);
		break;
	case TRACK_THREAD:
		cell_track_thread(r, s->store, t->thread, &s->text, c);
		break;
	case TRACK_ON:
		c->type = t->cpu > 0 ? CELL_COUNT : CELL_NONE;
		c->u = t->cpu - 1;
		break;
	case TRACK_POINTS:
		c->u = t->n;
		break;
	case TRACK_START:
		c->u = track_start(t);
		break;
	case TRACK_WALL:
		c->u = track_end(s, t) - track_start(t);
		break;
	case TRACK_GROWTH:
	case TRACK_USE:
	case TRACK_MAX:
		whole_cell(s, t, (enum track_col)col, c);
		break;
	case TRACK_UNIT:
		c->text = str_of(t->unit);
		break;
	case TRACK_THREAD_ID:
		c->u = t->thread;
		break;
	case TRACK_COLS:
		break;
	}
}

static const struct rows_ops tracks_ops = { .reach = tracks_reach, .cell = tracks_cell,
	.close = tracks_close };

static bool
tracks_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct track_rows *s;
	struct track t;
	size_t i;

	(void)in;
	if (!stage_at_most(stage, 0, err) || !open_rows(&s, &tracks_ops, session, stage, err))
		return false;
	for (i = 0; s->store != NULL && i < tracks_count(s->store); i++)
		if (track_get(s->store, i, &t) && !choose(s, &t, i, err)) {
			rows_close(&s->rows);
			return false;
		}
	*out = &s->rows;
	return true;
}

const struct command source_tracks = {
	.word = "tracks",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_TRACKS,
	.args = "",
	.what = "what was measured over time: CPU use, counters, states",
	.example = "tracks",
	.needs = needs,
	.cols = track_cols,
	.ncols = TRACK_COLS,
	.open = tracks_open
};

/* ---- metrics ----------------------------------------------------------------------- */

enum metric_col { METRIC_TRACK, METRIC_THREAD, METRIC_START, METRIC_WALL, METRIC_VALUE,
	METRIC_DELTA, METRIC_RATE, METRIC_USE, METRIC_THREAD_ID, METRIC_TRACK_ID, METRIC_COLS };

static const struct coldef metric_cols[METRIC_COLS] = {
	[METRIC_TRACK] = { "track", CELL_TEXT, "name of the track", false },
	[METRIC_THREAD] = { "thread", CELL_TEXT, "name of its thread; empty: of a CPU or the process", false },
	[METRIC_START] = { "start_wall", CELL_TIME, "when it was measured; of totals the time before", false },
	[METRIC_WALL] = { "wall", CELL_TIME, "how long it stayed so, of totals in what time it grew", false },
	[METRIC_VALUE] = { "value", CELL_NONE, "what was measured, of totals behind that time", false },
	[METRIC_DELTA] = { "delta", CELL_NONE, "of totals the growth in that time", false },
	[METRIC_RATE] = { "rate", CELL_REAL, "of totals the growth a second", false },
	[METRIC_USE] = { "use", CELL_PERCENT, "of cpu the growth as part of the time", false },
	[METRIC_THREAD_ID] = { "thread_id", CELL_ID, "id of the thread, 0 for none", true },
	[METRIC_TRACK_ID] = { "track_id", CELL_ID, "id of the track", true }
};

static uint64_t
metrics_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct track_rows *)r)->n;
}

static const struct chosen *
track_of(const struct track_rows *s, uint64_t row)
{
	size_t low = 0, high = s->nlist, middle;

	/* Of tracks without points only the one behind them counts. */
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (s->list[middle].row <= row)
			low = middle;
		else
			high = middle;
	}
	return &s->list[low];
}

/* From and to of a point: up to the next one, of totals from the one before. */
static void
point_times(const struct track_rows *s, const struct track *t, uint64_t i, uint64_t *from, uint64_t *to)
{
	uint64_t here = column_get(t->time, t->first + i);

	*from = *to = here;
	if (is_level(t))
		*to = i + 1 < t->n ? column_get(t->time, t->first + i + 1) : s->end;
	else if (i > 0)
		*from = column_get(t->time, t->first + i - 1);
}

static void
delta_cell(const struct track *t, uint64_t i, uint64_t ns, enum metric_col col, struct cell *c)
{
	uint64_t now = column_get(t->value, t->first + i), before, delta;

	c->type = CELL_NONE;
	if (is_level(t) || (col == METRIC_USE && t->kind != TRACK_CPU))
		return;
	before = i > 0 ? column_get(t->value, t->first + i - 1) : now;
	delta = now > before ? now - before : 0;
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
	const struct chosen *chosen = track_of(s, row);
	const struct track *t = &chosen->track;
	uint64_t i = row - chosen->row, from, to;

	c->type = r->cols[col].type;
	point_times(s, t, i, &from, &to);
	switch ((enum metric_col)col) {
	case METRIC_TRACK:
		c->text = str_of(t->name);
		break;
	case METRIC_THREAD:
		cell_track_thread(r, s->store, t->thread, &s->text, c);
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
	case METRIC_DELTA:
	case METRIC_RATE:
	case METRIC_USE:
		delta_cell(t, i, to - from, (enum metric_col)col, c);
		break;
	case METRIC_THREAD_ID:
		c->u = t->thread;
		break;
	case METRIC_TRACK_ID:
		c->u = chosen->id;
		break;
	case METRIC_COLS:
		break;
	}
}

static const struct rows_ops metrics_ops = { .reach = metrics_reach, .cell = metrics_cell,
	.close = tracks_close };

static bool
means(const struct token *token, const struct track *t)
{
	return token_is_glob(token) ? str_glob(token->text, str_of(t->name)) :
	    str_eq(token->text, str_of(t->name));
}

struct track_names {
	const struct store	*st;
	struct track		 track;
};

static struct str
name_of(void *arg, uint64_t i)
{
	struct track_names *names = arg;

	return track_get(names->st, (size_t)i, &names->track) && has_values(&names->track) ?
	    str_of(names->track.name) : STR("");
}

/* Tracks with values that the arguments name, or all. */
static bool
choose_metrics(struct track_rows *s, const struct token *token, struct err *err)
{
	struct track_names names = { .st = s->store };
	size_t i, n = tracks_count(s->store), before = s->nlist;
	struct track t;

	for (i = 0; i < n; i++) {
		if (!track_get(s->store, i, &t) || !has_values(&t) || (token != NULL && !means(token, &t)))
			continue;
		if (!choose(s, &t, i, err))
			return false;
	}
	if (token == NULL || s->nlist > before)
		return true;
	return fail_no_name(token, "track with values", "tracks", name_of, &names, n, err);
}

static bool
metrics_arguments(struct track_rows *s, const struct stage *stage, struct err *err)
{
	const struct token *t;
	size_t i = 0;

	if (stage->n == 0)
		return s->store == NULL || choose_metrics(s, NULL, err);
	while ((t = stage_next(stage, &i)) != NULL) {
		if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
			return fail_at(err, E_USAGE, t->at, "expected the name of a track here");
		if (s->store != NULL && !choose_metrics(s, t, err))
			return false;
	}
	return true;
}

static bool
metrics_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct track_rows *s;

	(void)in;
	if (!open_rows(&s, &metrics_ops, session, stage, err))
		return false;
	if (!metrics_arguments(s, stage, err)) {
		rows_close(&s->rows);
		return false;
	}
	*out = &s->rows;
	return true;
}

const struct command source_metrics = {
	.word = "metrics",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_TRACKS,
	.args = "[TRACK ...]",
	.what = "what tracks measured, point after point",
	.example = "metrics cpu | where use > 90 | sort -wall | head 5",
	.needs = needs,
	.cols = metric_cols,
	.ncols = METRIC_COLS,
	.open = metrics_open
};
