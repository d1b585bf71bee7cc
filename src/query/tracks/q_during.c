/*
 * q_during: what happened on a thread while the rows lasted.
 */
#include "config.h"

#include "during.h"

/* What is not a member of struct item. */
enum { DURING_WALL = FIELD_OWN, DURING_PERCENT, METRIC_TRACK, METRIC_WALL, METRIC_VALUE, METRIC_MAX, METRIC_RATE,
	METRIC_USE, STATE_STATE };

static const struct coldef call_cols_during[] = {
	{ "row", CELL_ID, "number of the row it happened in", false, FIELD_OF(struct item, row) },
	{ "thread", CELL_TEXT, "name of the thread", false, THREAD_OF(struct item, thread) },
	{ "depth", CELL_COUNT, "calls above it", false, FIELD_OF(struct item, depth) },
	{ "method", CELL_TEXT, "class and name", false, METHOD_OF(struct item, id) },
	{ "start_wall", CELL_TIME, "when the call began", false, FIELD_OF(struct item, start) },
	{ "wall", CELL_TIME, "how long it took", false, DURING_WALL },
	{ "inside", CELL_TIME, "how long it was the innermost call in the time of the row", false, FIELD_OF(struct item, inside) },
	{ "percent", CELL_PERCENT, "the same as part of the row", false, DURING_PERCENT },
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_OF(struct item, thread) },
	{ "method_id", CELL_ID, "id of the method", true, FIELD_OF(struct item, id) }
};

static const struct coldef metric_cols_during[] = {
	{ "row", CELL_ID, "number of the row", false, FIELD_OF(struct item, row) },
	{ "track", CELL_TEXT, "name of the track", false, METRIC_TRACK },
	{ "thread", CELL_TEXT, "name of its thread; empty: of the process", false, THREAD_OF(struct item, thread) },
	{ "start_wall", CELL_TIME, "when the row began", false, FIELD_OF(struct item, start) },
	{ "wall", CELL_TIME, "how much of it the track covers", false, METRIC_WALL },
	{ "value", CELL_NONE, "of totals how much they grew in it, of levels the mean", false, METRIC_VALUE },
	{ "max", CELL_NONE, "of levels the highest, of totals the largest growth at once", false, METRIC_MAX },
	{ "rate", CELL_REAL, "of totals the growth a second", false, METRIC_RATE },
	{ "use", CELL_PERCENT, "of cpu the growth as part of the time", false, METRIC_USE },
	{ "thread_id", CELL_ID, "id of the thread, 0 for none", true, FIELD_OF(struct item, thread) }
};

static const struct coldef state_cols_during[] = {
	{ "row", CELL_ID, "number of the row", false, FIELD_OF(struct item, row) },
	{ "thread", CELL_TEXT, "name of the thread", false, THREAD_OF(struct item, thread) },
	{ "state", CELL_TEXT, "what it was doing", false, STATE_STATE },
	{ "start_wall", CELL_TIME, "when the row began", false, FIELD_OF(struct item, start) },
	{ "wall", CELL_TIME, "how long the row took", false, DURING_WALL },
	{ "inside", CELL_TIME, "time in that state in it", false, FIELD_OF(struct item, inside) },
	{ "percent", CELL_PERCENT, "the same as part of the row", false, DURING_PERCENT },
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_OF(struct item, thread) }
};

static void
metric_cell(const struct during *d, const struct item *item, unsigned what, struct cell *c)
{
	struct track_piece p;
	struct track t;

	c->type = CELL_NONE;
	if (!track_get(d->store, item->id - 1, &t))
		return;
	if (what == METRIC_TRACK) {
		c->type = CELL_TEXT;
		c->text = str_of(t.name);
		return;
	}
	track_piece(&t, item->start, item->end, &p);
	if (what == METRIC_WALL) {
		c->type = CELL_TIME;
		c->u = p.known;
	} else if (what == METRIC_RATE)
		cell_rate(p.sum, t.kind == TRACK_LEVEL ? 0 : p.known, c);
	else if (what == METRIC_USE)
		cell_use(p.sum, t.kind == TRACK_CPU ? p.known : 0, c);
	else
		cell_track(&t, what == METRIC_MAX ? p.max : p.sum, c);
}

static void
during_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct during *d = (struct during *)r;
	const struct item *item = &SCRATCH(d->item, struct item)[row];

	if (cell_member(r, d->store, item, col, &d->text, c))
		return;
	switch (r->cols[col].kind) {
	case DURING_WALL:
		c->u = item->end > item->start ? item->end - item->start : 0;
		break;
	case DURING_PERCENT:
		cell_use(item->inside, item->length, c);
		break;
	case STATE_STATE:
		c->text = str_of(state_name(d->store, item->id));
		break;
	default:
		metric_cell(d, item, r->cols[col].kind, c);
		break;
	}
}

static const struct rows_ops during_ops = { .reach = during_reach, .cell = during_cell, .close = during_close };

static const struct form {
	const char		*word;
	const struct coldef	*cols;
	size_t			 ncols;
} forms[] = {
	[DURING_CALLS] = { "calls", COLUMNS(call_cols_during) },
	[DURING_METRICS] = { "metrics", COLUMNS(metric_cols_during) },
	[DURING_STATES] = { "states", COLUMNS(state_cols_during) }
};

/* ---- the stage ------------------------------------------------------------------------- */

static bool
form_of(const struct stage *stage, enum what *what, struct err *err)
{
	*what = DURING_CALLS;
	if (!stage_at_most(stage, 1, err))
		return false;
	for (size_t i = 0; stage->n > 0 && i < NELEM(forms); i++)
		if (token_is(&stage->token[0], forms[i].word)) {
			*what = (enum what)i;
			return true;
		}
	return stage->n == 0 || fail_at(err, E_USAGE, stage->token[0].at,
	    "expected calls, metrics or states here");
}

static bool
find_columns(struct during *d, const struct stage *stage, struct err *err)
{
	static const char *const names[] = { "start_wall", "wall", "thread_id" };
	int col;

	for (size_t i = 0; i < NELEM(names); i++) {
		if ((col = rows_column(d->rows.in, str_of(names[i]))) < 0)
			return fail_at(err, E_USAGE, stage->at, "'during' takes rows with the columns "
			    "start_wall, wall and thread_id, as in '%s'", stage->command->example);
		d->col[i] = (size_t)col;
	}
	return true;
}

/* Pieces of records are about as long as the trace with so many of its records. */
static uint64_t
piece_ticks(const struct store *st, uint64_t tick)
{
	uint64_t records = store_fact_get(st, "records"), wall = store_fact_get(st, "last_wall");

	return records == 0 || tick == 0 ? 0 :
	    (uint64_t)((double)(wall / tick) * 65536 / (double)records);
}

static bool
during_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct during *d;
	enum what what;

	if (!form_of(stage, &what, err)) {
		rows_close(in);
		return false;
	}
	d = rows_new(sizeof *d, &during_ops, session, in, err);
	if (d == NULL)
		return false;
	d->states = TRACK_INDEX("state");
	d->rows.cols = forms[what].cols;
	d->rows.ncols = forms[what].ncols;
	d->what = what;
	d->store = session_store(session);
	if (d->store != NULL) {
		d->tick = trace_ns(d->store, 1);
		d->ahead = piece_ticks(d->store, d->tick);
	}
	return rows_opened(&d->rows, find_columns(d, stage, err), out);
}

static const enum col needs[] = { COL_THREAD_TID, COL_TRACK_KIND, COL_SPAN_START, COL_NONE };

const struct command stage_during = {
	STAGE("during", "what happened on the thread in the time of each row",
	    "states | where state = Native and wall > 50ms and cpu_pct < 10 | during", during_open),
	OVER(SHAPE_TRACKS | SHAPE_INTERVALS, call_cols_during),
	.args = ARGS({ NULL, ARG_OPTIONAL, "calls" }, { NULL, ARG_OR, "metrics" },
	    { NULL, ARG_OR, "states" }),
	.needs = needs
};
