/*
 * q_during: what happened on a thread while the rows lasted: calls, metrics or states.
 *
 * Rows are taken one after the other, as far as answers are asked for.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "during.h"
#include "stretch.h"

struct during_item *
during_add(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	struct during_item item = { .row = x->row, .start = x->from, .end = x->to,
	    .length = x->to - x->from, .thread = thread };

	return scratch_add(&d->item, &d->n, &item, sizeof item, &d->rows.err) ?
	    &SCRATCH(d->item, struct during_item)[d->n - 1] : NULL;
}

int
during_by_inside(const void *a, const void *b)
{
	const struct during_item *x = a, *y = b;

	return num_order(y->inside, x->inside, num_order(x->order, y->order, 0));
}

/* ---- states ---------------------------------------------------------------------------- */

static bool
during_states(struct during *d, const struct span_of_row *x, uint32_t thread)
{
	size_t n = states_count(d->store), i;
	uint64_t *ns, first = d->n;
	struct during_item *item;
	struct track t;
	bool ok = true;

	if (n == 0 || !track_index_find(&d->states, d->store, thread, &t))
		return true;
	if ((ns = mem_array(n, sizeof *ns)) == NULL)
		return fail(&d->rows.err, E_SYSTEM, "out of memory (times of states)");
	track_states(&t, x->from, x->to, ns, n);
	for (i = 0; ok && i < n; i++) {
		if (ns[i] == 0)
			continue;
		if (!(ok = (item = during_add(d, x, thread)) != NULL))
			break;
		item->id = (uint32_t)i;
		item->order = i;
		item->inside = ns[i];
	}
	free(ns);
	if (d->n > first)
		qsort(SCRATCH(d->item, struct during_item) + first, (size_t)(d->n - first), sizeof *item,
		    during_by_inside);
	return ok;
}

/* ---- rows ---------------------------------------------------------------------------- */

static uint64_t
q_during_number_of(struct during *d, size_t col)
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
		return d->all ? during_ask(d, x, thread) : during_calls(d, x, thread);
	case DURING_METRICS:
		return during_metrics(d, x, thread);
	case DURING_STATES:
		return during_states(d, x, thread);
	}
	return true;
}

static bool
q_during_next_row(struct during *d)
{
	const struct column *tids = store_column(d->store, COL_THREAD_TID), *pids = store_column(d->store, COL_LISTED_PID);
	struct span_of_row x = { .row = d->next + 1 };
	uint32_t n = tids == NULL ? 0 : (uint32_t)tids->rows;
	bool all;

	x.from = q_during_number_of(d, 0);
	x.to = num_add(x.from, q_during_number_of(d, 1));
	x.thread = (uint32_t)q_during_number_of(d, 2);
	d->next++;
	if (x.thread > n)
		return true;
	all = x.thread == 0 || (d->what == DURING_STATES && lasting_is_of_all(d->store, &d->states, x.thread));
	if (d->what == DURING_METRICS || !all)
		return one_thread(d, &x, x.thread);
	for (uint32_t i = 1; i <= n; i++)
		if ((x.thread == 0 || column_get(pids, i - 1) == column_get(pids, x.thread - 1)) && !one_thread(d, &x, i))
			return false;
	return true;
}

static uint64_t
during_reach(struct rows *r, uint64_t n)
{
	struct during *d = (struct during *)r;

	while (d->n < n && r->err.kind == E_NONE &&
	    rows_reach(r->in, d->next + 1) > d->next) {
		d->all = d->all || (d->what == DURING_CALLS && (n == ROWS_ALL || during_is_slow(d)));
		if (!rows_tick(r, d->next) || !q_during_next_row(d))
			break;
	}
	if (d->nasked > 0 && r->err.kind == E_NONE)
		during_answer(d);
	return d->n;
}

static void
during_close(struct rows *r)
{
	struct during *d = (struct during *)r;

	SCRATCH_FREE(&d->item, &d->calls.open, &d->calls.inner, &d->asked, &d->tracks);
	idmap_free(&d->states.places);
	spans_free(&d->calls.spans);
	buf_free(&d->text);
}

/* ---- columns -------------------------------------------------------------------------- */

/* Cells computed from the item, not stored in struct during_item. */
enum { DURING_WALL = FIELD_OWN, DURING_PERCENT, METRIC_TRACK, METRIC_WALL, METRIC_VALUE, METRIC_MAX, METRIC_RATE,
	METRIC_USE, STATE_STATE };

static const struct coldef call_cols_during[] = {
	{ "row", CELL_ID, "row number of the input", false, FIELD_OF(struct during_item, row) },
	{ "thread", CELL_TEXT, "thread name", false, THREAD_OF(struct during_item, thread) },
	{ "depth", CELL_COUNT, "depth", false, FIELD_OF(struct during_item, depth) },
	{ "method", CELL_TEXT, "class and method", false, METHOD_OF(struct during_item, id), .function = true },
	{ "start_wall", CELL_TIME, "start", false, FIELD_OF(struct during_item, start) },
	{ "wall", CELL_TIME, "duration", false, DURING_WALL },
	{ "overlap", CELL_TIME, "time as the innermost call within the row", false, FIELD_OF(struct during_item, inside), .was = "inside" },
	{ "percent", CELL_PERCENT, "share of the row", false, DURING_PERCENT },
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_OF(struct during_item, thread) },
	{ "method_id", CELL_ID, "id of the method", true, FIELD_OF(struct during_item, id), .of = ID_METHOD }
};

static const struct coldef metric_cols_during[] = {
	{ "row", CELL_ID, "row number of the input", false, FIELD_OF(struct during_item, row) },
	{ "track", CELL_TEXT, "track name", false, METRIC_TRACK },
	{ "thread", CELL_TEXT, "thread; empty: process track", false, THREAD_OF(struct during_item, thread) },
	{ "start_wall", CELL_TIME, "start of the row", false, FIELD_OF(struct during_item, start) },
	{ "wall", CELL_TIME, "time covered by the track", false, METRIC_WALL },
	{ "value", CELL_NONE, "growth of totals; mean of levels", false, METRIC_VALUE },
	{ "max", CELL_NONE, "maximum level, or largest single growth", false, METRIC_MAX },
	{ "rate", CELL_REAL, "growth per second", false, METRIC_RATE },
	{ "utilisation", CELL_PERCENT, "CPU utilisation", false, METRIC_USE, .was = "use", .head = "util" },
	{ "thread_id", CELL_ID, "thread id; 0: none", true, FIELD_OF(struct during_item, thread) }
};

static const struct coldef state_cols_during[] = {
	{ "row", CELL_ID, "row number of the input", false, FIELD_OF(struct during_item, row) },
	{ "thread", CELL_TEXT, "thread name", false, THREAD_OF(struct during_item, thread) },
	{ "state", CELL_TEXT, "thread state", false, STATE_STATE },
	{ "start_wall", CELL_TIME, "start of the row", false, FIELD_OF(struct during_item, start) },
	{ "wall", CELL_TIME, "duration of the row", false, DURING_WALL },
	{ "overlap", CELL_TIME, "time in the state within the row", false, FIELD_OF(struct during_item, inside), .was = "inside" },
	{ "percent", CELL_PERCENT, "share of the row", false, DURING_PERCENT },
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_OF(struct during_item, thread) }
};

static void
metric_cell(const struct during *d, const struct during_item *item, unsigned what, struct cell *c)
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
	const struct during_item *item = &SCRATCH(d->item, struct during_item)[row];

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
	return stage->n == 0 || fail_at(err, E_USAGE, stage->token[0].at, "expected calls, metrics or states");
}

static bool
q_during_find_columns(struct during *d, const struct stage *stage, struct err *err)
{
	static const char *const names[] = { "start_wall", "wall", "thread_id" };
	int col;

	for (size_t i = 0; i < NELEM(names); i++) {
		if ((col = rows_column(d->rows.in, str_of(names[i]))) < 0)
			return fail_at(err, E_USAGE, stage->at,
			    "'during' needs columns start_wall, wall, thread_id, e.g. '%s'", stage->command->example);
		d->col[i] = (size_t)col;
	}
	return true;
}

/* Return the mean duration of 65536 records, in ticks. */
static uint64_t
piece_ticks(const struct store *st, uint64_t tick)
{
	uint64_t records = fact_value(st, FACT_RECORDS), wall = fact_value(st, FACT_LAST_WALL);

	return records == 0 || tick == 0 ? 0 :
	    num_whole((double)(wall / tick) * 65536 / (double)records);
}

bool
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
	d->tick = trace_ns(d->store, 1);
	d->calls.ahead = piece_ticks(d->store, d->tick);
	return rows_opened(&d->rows, q_during_find_columns(d, stage, err), out);
}

static const column_id needs[] = { COL_THREAD_TID, COL_TRACK_KIND, COL_SPAN_START, COL_NONE };

const struct command stage_during = {
	STAGE("during", "what ran on the thread during each row",
	    "states | where state = Native and wall > 50ms and utilisation < 10 | during", during_open),
	OVER(SHAPE_TRACKS | SHAPE_INTERVALS, call_cols_during),
	.args = ARGS({ NULL, ARG_OPTIONAL, "calls" }, { NULL, ARG_OR, "metrics" },
	    { NULL, ARG_OR, "states" }),
	.needs = needs
};
