/*
 * q_on_threads: on which threads the calls or methods of the rows run, and what they take there.
 */
#include "config.h"

#include <stdlib.h>

#include "trace.h"

/* What the calls asked for take on one thread. */
struct share {
	uint64_t	calls, self[2], total[2];	/* wall, cpu */
	uint64_t	weight;
	uint32_t	thread;
};

struct shares {
	struct rows		 rows;
	const struct store	*store;
	size_t			 col;		/* of in: the id of a call, or of a method */
	bool			 of_calls;
	struct scratch		 wanted;	/* u8 by id of call or method */
	uint64_t		 nwanted;
	struct scratch		 share;		/* struct share by thread, then those that have any in order */
	uint64_t		 n, whole;
	uint64_t		 tick;
	struct column_set	 cols;
	struct weights		 weights;
	bool			 profile, done;
	struct buf		 text;
};

/* Self and total stand in pairs, in the order of enum clock. */
enum share_col { SHARE_ID, SHARE_TID, SHARE_NAME, SHARE_CALLS, SHARE_SELF_WALL, SHARE_TOTAL_WALL,
	SHARE_SELF_CPU, SHARE_TOTAL_CPU, SHARE_SELF_OFF, SHARE_TOTAL_OFF, SHARE_PERCENT, SHARE_COLS };

static const struct coldef share_cols[SHARE_COLS] = {
	[SHARE_ID] = { "id", CELL_ID, "number of the thread", false },
	[SHARE_TID] = { "tid", CELL_ID, "thread id of the system", false },
	[SHARE_NAME] = { "name", CELL_TEXT, "its last name", false },
	[SHARE_CALLS] = { "calls", CELL_COUNT, "calls of them on the thread", false },
	[SHARE_SELF_WALL] = { "self_wall", CELL_TIME, "wall time in them, not in what they called", false },
	[SHARE_TOTAL_WALL] = { "total_wall", CELL_TIME, "wall time in them and what they called, once where they call each other", false },
	[SHARE_SELF_CPU] = { "self_cpu", CELL_TIME, "CPU time in them", false },
	[SHARE_TOTAL_CPU] = { "total_cpu", CELL_TIME, "CPU time in them and what they called", false },
	[SHARE_SELF_OFF] = { "self_off", CELL_TIME, "wall time without CPU time in them", true },
	[SHARE_TOTAL_OFF] = { "total_off", CELL_TIME, "wall time without CPU time in them and what they called", true },
	[SHARE_PERCENT] = { "percent", CELL_PERCENT, "share of their total on all threads", false }
};

/* Of profiles. */
static const struct coldef share_profile_cols[SHARE_COLS] = {
	[SHARE_ID] = { "id", CELL_ID, "number of the thread", false },
	[SHARE_TID] = { "tid", CELL_ID, "thread id of the system", false },
	[SHARE_NAME] = { "name", CELL_TEXT, "its last name", false },
	[SHARE_CALLS] = { "samples", CELL_COUNT, "samples that ended in them on the thread", false },
	[SHARE_SELF_WALL] = { "self", CELL_NONE, "weight of these", false },
	[SHARE_TOTAL_WALL] = { "total", CELL_NONE, "weight of all samples that passed through them", false },
	[SHARE_SELF_CPU] = { "self_before", CELL_NONE, "self before", false },
	[SHARE_TOTAL_CPU] = { "total_before", CELL_NONE, "total before", false },
	[SHARE_SELF_OFF] = { "self_delta", CELL_NONE, "what self grew by", false },
	[SHARE_TOTAL_OFF] = { "total_delta", CELL_NONE, "what total grew by", false },
	[SHARE_PERCENT] = { "percent", CELL_PERCENT, "share of their total on all threads", false }
};

/* ---- adding up ------------------------------------------------------------------- */

static bool
take_ids(struct shares *s)
{
	struct rows *in = s->rows.in;
	struct cell c;
	uint64_t row;

	s->nwanted = store_column(s->store, s->of_calls ? "call.method" : "method.raw")->rows;
	if (!scratch_array(&s->wanted, s->nwanted + 1, 1, &s->rows.err))
		return false;
	for (row = 0; rows_reach(in, row + 1) > row; row++) {
		if (!rows_tick(&s->rows, row))
			return false;
		rows_cell(in, row, s->col, &c);
		if (c.type == CELL_ID && c.u > 0 && c.u <= s->nwanted)
			s->wanted.data[c.u] = 1;
	}
	return rows_error(in) == NULL;
}

/* Calls stand in pre-order: one that lies within an earlier one comes before the end of that. */
static bool
add_calls(struct shares *s)
{
	static const char *const names[] = { "call.self_wall", "call.self_cpu", "call.total_wall",
		"call.total_cpu" };
	const struct column *method = store_column(s->store, "call.method");
	const struct column *thread = store_column(s->store, "call.thread");
	const struct column *size = store_column(s->store, "call.size");
	const struct column *calls = store_column(s->store, "call.calls"), *c[NELEM(names)];
	uint64_t row, id, covered = 0, threads = store_column(s->store, "thread.call")->rows;
	struct share *to;
	size_t i;

	for (i = 0; i < NELEM(names); i++)
		c[i] = store_column(s->store, names[i]);
	for (row = 0; row < method->rows; row++) {
		if (!rows_tick(&s->rows, row))
			return false;
		id = s->of_calls ? row + 1 : column_get(method, row);
		if (id > s->nwanted || !s->wanted.data[id] || column_get(thread, row) > threads)
			continue;
		to = &SCRATCH(s->share, struct share)[column_get(thread, row)];
		to->calls += column_get(calls, row);
		for (i = 0; i < 2; i++) {
			to->self[i] = num_add(to->self[i], column_get(c[i], row));
			if (row >= covered)
				to->total[i] = num_add(to->total[i], column_get(c[2 + i], row));
		}
		to->thread = (uint32_t)column_get(thread, row);
		if (row >= covered)
			covered = row + column_get(size, row);
	}
	return true;
}

static uint64_t
value_of(const struct shares *s, const uint64_t v[2], enum clock clock)
{
	if (clock == CLOCK_OFF)
		return v[0] > v[1] || s->weights.differs ? v[0] - v[1] : 0;
	return v[clock == CLOCK_CPU];
}

/* The heaviest first. */
static int
by_weight(const void *x, const void *y)
{
	const struct share *a = x, *b = y;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

static void
order_threads(struct shares *s)
{
	struct share *share = SCRATCH(s->share, struct share);
	uint64_t i, weight, threads = store_column(s->store, "thread.call")->rows;

	for (i = 1; i <= threads; i++) {
		if (share[i].thread == 0)
			continue;
		weight = value_of(s, share[i].total, s->rows.session->clock);
		/* A delta is the heavier the further it is from nothing. */
		share[i].weight = (int64_t)weight < 0 && s->weights.differs ? 0 - weight : weight;
		s->whole = num_add(s->whole, share[i].weight);
		share[s->n++] = share[i];
	}
	qsort(share, s->n, sizeof *share, by_weight);
}

/* ---- rows ------------------------------------------------------------------------ */

static uint64_t
shares_reach(struct rows *r, uint64_t n)
{
	struct shares *s = (struct shares *)r;

	if (n > 0 && !s->done) {
		s->done = true;
		if (s->store != NULL && take_ids(s) && scratch_array(&s->share,
		    store_column(s->store, "thread.call")->rows + 1, sizeof(struct share), &r->err) &&
		    add_calls(s))
			order_threads(s);
	}
	return s->n;
}

static void
weight_cell(const struct shares *s, const uint64_t v[2], enum clock clock, struct cell *c)
{
	if (s->profile)
		cell_weight(c, &s->weights, clock, value_of(s, v, clock));
	else
		cell_ticks(c, value_of(s, v, clock), s->tick);
}

static void
shares_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct shares *s = (struct shares *)r;
	const struct share *share = &SCRATCH(s->share, struct share)[row];

	c->type = r->cols[col].type;
	col = s->cols.from[col];
	switch ((enum share_col)col) {
	case SHARE_ID:
		c->u = share->thread;
		break;
	case SHARE_TID:
		c->u = column_get(store_column(s->store, "thread.tid"), share->thread - 1);
		break;
	case SHARE_NAME:
		buf_clear(&s->text);
		thread_name(s->store, share->thread, &s->text);
		cell_text(r, c, &s->text);
		break;
	case SHARE_CALLS:
		c->u = share->calls;
		break;
	case SHARE_SELF_WALL:
	case SHARE_SELF_CPU:
	case SHARE_SELF_OFF:
		weight_cell(s, share->self, (enum clock)((col - SHARE_SELF_WALL) / 2), c);
		break;
	case SHARE_TOTAL_WALL:
	case SHARE_TOTAL_CPU:
	case SHARE_TOTAL_OFF:
		weight_cell(s, share->total, (enum clock)((col - SHARE_TOTAL_WALL) / 2), c);
		break;
	case SHARE_PERCENT:
		c->f = s->whole == 0 ? 0 : 100.0 * (double)share->weight / (double)s->whole;
		break;
	case SHARE_COLS:
		break;
	}
}

static void
shares_close(struct rows *r)
{
	struct shares *s = (struct shares *)r;

	scratch_free(&s->wanted);
	scratch_free(&s->share);
	buf_free(&s->text);
}

static const struct rows_ops shares_ops = { .reach = shares_reach, .cell = shares_cell,
	.close = shares_close };

/* ---- command --------------------------------------------------------------------- */

/* Of rows that source calls made the calls count, of others their methods. */
static int
find_ids(struct shares *s, struct rows *in)
{
	struct rows *first = in;
	int col = rows_column(in, STR("id"));

	while (first->in != NULL)
		first = first->in;
	s->of_calls = table_is_calls(first) && col >= 0 && in->cols[col].type == CELL_ID;
	return s->of_calls ? col : rows_column(in, STR("method_id"));
}

static bool
shares_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct shares *s = rows_new(sizeof *s, &shares_ops, session, in, err);
	int col;

	if (s == NULL)
		return false;
	s->wanted = s->share = SCRATCH_INIT;
	col = find_ids(s, in);
	if (col < 0)
		fail_at(err, E_USAGE, stage->at, "'threads' begins a query, or takes rows of calls or "
		    "of methods with their ids, as in '%s'", stage->command->example);
	if (col < 0 || !stage_at_most(stage, 0, err)) {
		rows_close(&s->rows);
		return false;
	}
	s->col = (size_t)col;
	s->store = session_store(session);
	if (s->store != NULL) {
		s->tick = trace_ns(s->store, 1);
		weights_of(s->store, &s->weights);
	}
	s->profile = weights_are_profile(session, stage);
	weight_columns(&s->cols, s->profile ? share_profile_cols : share_cols, SHARE_COLS, s->store);
	s->rows.cols = s->cols.col;
	s->rows.ncols = s->cols.n;
	*out = &s->rows;
	return true;
}

static const char *const needs[] = { "call.method", NULL };

const struct command stage_on_threads = {
	.word = "threads",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_CALLS,
	.what = "the threads on which the calls or methods of the rows run",
	.example = "methods | where name ~ print | threads",
	.needs = needs,
	.cols = share_cols,
	.ncols = SHARE_COLS,
	.open = shares_open
};

/* Of profiles. */
const struct command stage_profile_on_threads = {
	.word = "threads",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_SAMPLES,
	.what = "the threads on which the frames of the rows run",
	.example = "methods | where name ~ logback | threads",
	.needs = needs,
	.cols = share_profile_cols,
	.ncols = SHARE_COLS,
	.open = shares_open
};
