/*
 * q_during: what happened on a thread while the rows lasted.
 */
#include "config.h"

#include "during.h"

enum during_col { DURING_ROW, DURING_THREAD, DURING_DEPTH, DURING_METHOD, DURING_START,
	DURING_WALL, DURING_INSIDE, DURING_PERCENT, DURING_THREAD_ID, DURING_METHOD_ID, DURING_COLS };

static const struct coldef call_during_cols[DURING_COLS] = {
	[DURING_ROW] = { "row", CELL_ID, "number of the row it happened in", false },
	[DURING_THREAD] = { "thread", CELL_TEXT, "name of the thread", false },
	[DURING_DEPTH] = { "depth", CELL_COUNT, "calls above it", false },
	[DURING_METHOD] = { "method", CELL_TEXT, "class and name", false },
	[DURING_START] = { "start_wall", CELL_TIME, "when the call began", false },
	[DURING_WALL] = { "wall", CELL_TIME, "how long it took", false },
	[DURING_INSIDE] = { "inside", CELL_TIME, "how long it was the innermost call in the time of the row", false },
	[DURING_PERCENT] = { "percent", CELL_PERCENT, "the same as part of the row", false },
	[DURING_THREAD_ID] = { "thread_id", CELL_ID, "id of the thread", true },
	[DURING_METHOD_ID] = { "method_id", CELL_ID, "id of the method", true }
};

enum metric_col { METRIC_ROW, METRIC_TRACK, METRIC_THREAD, METRIC_START, METRIC_WALL,
	METRIC_VALUE, METRIC_MAX, METRIC_RATE, METRIC_USE, METRIC_THREAD_ID, METRIC_COLS };

static const struct coldef metric_during_cols[METRIC_COLS] = {
	[METRIC_ROW] = { "row", CELL_ID, "number of the row", false },
	[METRIC_TRACK] = { "track", CELL_TEXT, "name of the track", false },
	[METRIC_THREAD] = { "thread", CELL_TEXT, "name of its thread; empty: of the process", false },
	[METRIC_START] = { "start_wall", CELL_TIME, "when the row began", false },
	[METRIC_WALL] = { "wall", CELL_TIME, "how much of it the track covers", false },
	[METRIC_VALUE] = { "value", CELL_NONE, "of totals how much they grew in it, of levels the mean", false },
	[METRIC_MAX] = { "max", CELL_NONE, "of levels the highest, of totals the largest growth at once", false },
	[METRIC_RATE] = { "rate", CELL_REAL, "of totals the growth a second", false },
	[METRIC_USE] = { "use", CELL_PERCENT, "of cpu the growth as part of the time", false },
	[METRIC_THREAD_ID] = { "thread_id", CELL_ID, "id of the thread, 0 for none", true }
};

enum state_col { STATE_ROW, STATE_THREAD, STATE_STATE, STATE_START, STATE_WALL, STATE_INSIDE,
	STATE_PERCENT, STATE_THREAD_ID, STATE_COLS };

static const struct coldef state_during_cols[STATE_COLS] = {
	[STATE_ROW] = { "row", CELL_ID, "number of the row", false },
	[STATE_THREAD] = { "thread", CELL_TEXT, "name of the thread", false },
	[STATE_STATE] = { "state", CELL_TEXT, "what it was doing", false },
	[STATE_START] = { "start_wall", CELL_TIME, "when the row began", false },
	[STATE_WALL] = { "wall", CELL_TIME, "how long the row took", false },
	[STATE_INSIDE] = { "inside", CELL_TIME, "time in that state in it", false },
	[STATE_PERCENT] = { "percent", CELL_PERCENT, "the same as part of the row", false },
	[STATE_THREAD_ID] = { "thread_id", CELL_ID, "id of the thread", true }
};

static void
call_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct during *d = (struct during *)r;
	const struct item *item = &SCRATCH(d->item, struct item)[row];

	c->type = r->cols[col].type;
	switch ((enum during_col)col) {
	case DURING_ROW:
		c->u = item->row;
		break;
	case DURING_THREAD:
		cell_thread_name(r, d->store, item->thread, &d->text, c);
		break;
	case DURING_DEPTH:
		c->u = item->depth;
		break;
	case DURING_METHOD:
		buf_clear(&d->text);
		method_name(d->store, item->id, &d->text);
		cell_text(r, c, &d->text);
		break;
	case DURING_START:
		c->u = item->start;
		break;
	case DURING_WALL:
		c->u = item->end > item->start ? item->end - item->start : 0;
		break;
	case DURING_INSIDE:
		c->u = item->inside;
		break;
	case DURING_PERCENT:
		cell_use(item->inside, item->length, c);
		break;
	case DURING_THREAD_ID:
		c->u = item->thread;
		break;
	case DURING_METHOD_ID:
		c->u = item->id;
		break;
	case DURING_COLS:
		break;
	}
}

static void
metric_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct during *d = (struct during *)r;
	const struct item *item = &SCRATCH(d->item, struct item)[row];
	struct track_piece p;
	struct track t;

	c->type = CELL_NONE;
	if (!track_get(d->store, item->id - 1, &t))
		return;
	track_piece(&t, item->start, item->end, &p);
	c->type = r->cols[col].type;
	switch ((enum metric_col)col) {
	case METRIC_ROW:
		c->u = item->row;
		break;
	case METRIC_TRACK:
		c->text = str_of(t.name);
		break;
	case METRIC_THREAD:
		cell_thread_name(r, d->store, item->thread, &d->text, c);
		break;
	case METRIC_START:
		c->u = item->start;
		break;
	case METRIC_WALL:
		c->u = p.known;
		break;
	case METRIC_VALUE:
		cell_track(&t, p.sum, c);
		break;
	case METRIC_MAX:
		cell_track(&t, p.max, c);
		break;
	case METRIC_RATE:
		cell_rate(p.sum, t.kind == TRACK_LEVEL ? 0 : p.known, c);
		break;
	case METRIC_USE:
		cell_use(p.sum, t.kind == TRACK_CPU ? p.known : 0, c);
		break;
	case METRIC_THREAD_ID:
		c->u = item->thread;
		break;
	case METRIC_COLS:
		break;
	}
}

static void
state_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct during *d = (struct during *)r;
	const struct item *item = &SCRATCH(d->item, struct item)[row];

	c->type = r->cols[col].type;
	switch ((enum state_col)col) {
	case STATE_ROW:
		c->u = item->row;
		break;
	case STATE_THREAD:
		cell_thread_name(r, d->store, item->thread, &d->text, c);
		break;
	case STATE_STATE:
		c->text = str_of(state_name(d->store, item->id));
		break;
	case STATE_START:
		c->u = item->start;
		break;
	case STATE_WALL:
		c->u = item->end - item->start;
		break;
	case STATE_INSIDE:
		c->u = item->inside;
		break;
	case STATE_PERCENT:
		cell_use(item->inside, item->length, c);
		break;
	case STATE_THREAD_ID:
		c->u = item->thread;
		break;
	case STATE_COLS:
		break;
	}
}

static const struct kind {
	const char		*word;
	struct rows_ops		 ops;
	const struct coldef	*cols;
	size_t			 ncols;
} forms[] = {
	[DURING_CALLS] = { "calls", { .reach = during_reach, .cell = call_cell,
	    .close = during_close }, call_during_cols, DURING_COLS },
	[DURING_METRICS] = { "metrics", { .reach = during_reach, .cell = metric_cell,
	    .close = during_close }, metric_during_cols, METRIC_COLS },
	[DURING_STATES] = { "states", { .reach = during_reach, .cell = state_cell,
	    .close = during_close }, state_during_cols, STATE_COLS },
};

/* ---- the stage ------------------------------------------------------------------------- */

static bool
form_of(const struct stage *stage, enum what *what, struct err *err)
{
	size_t i;

	*what = DURING_CALLS;
	if (!stage_at_most(stage, 1, err))
		return false;
	for (i = 0; stage->n > 0 && i < NELEM(forms); i++)
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
	size_t i;
	int col;

	for (i = 0; i < NELEM(names); i++) {
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
	d = rows_new(sizeof *d, &forms[what].ops, session, in, err);
	if (d == NULL)
		return false;
	d->item = d->open = SCRATCH_INIT;
	d->states = TRACK_INDEX("state");
	d->rows.cols = forms[what].cols;
	d->rows.ncols = forms[what].ncols;
	d->what = what;
	d->store = session_store(session);
	if (d->store != NULL) {
		d->tick = trace_ns(d->store, 1);
		d->ahead = piece_ticks(d->store, d->tick);
	}
	if (!find_columns(d, stage, err)) {
		rows_close(&d->rows);
		return false;
	}
	*out = &d->rows;
	return true;
}

static const enum col needs[] = { COL_THREAD_TID, COL_TRACK_KIND, COL_SPAN_START, COL_NONE };

const struct command stage_during = {
	.word = "during",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_TRACKS | SHAPE_INTERVALS,
	.args = ARGS({ NULL, ARG_OPTIONAL, "calls" }, { NULL, ARG_OR, "metrics" },
	    { NULL, ARG_OR, "states" }),
	.what = "what happened on the thread in the time of each row",
	.example = "states | where state = Native and wall > 50ms and cpu_pct < 10 | during",
	.needs = needs,
	COLUMNS(call_during_cols),
	.open = during_open
};
