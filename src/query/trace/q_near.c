/*
 * q_near: the callers and the callees of methods, over all threads.
 */
#include "config.h"

#include <stdlib.h>

#include "trace.h"

/* What one method has to do with the methods asked for. */
struct near {
	uint64_t	calls;
	uint64_t	self[2], total[2];	/* ticks; wall, cpu */
	uint64_t	weight;		/* total of the session's clock */
	uint32_t	covered;	/* calls below this id are within one that was counted */
	uint32_t	method;		/* 0: no method, the top level */
	bool		seen;
};

struct near_rows {
	struct rows		 rows;
	const struct store	*store;
	bool			 up;		/* callers */
	size_t			 col;		/* method_id of in */
	struct scratch		 set;		/* u8 for each method id: asked for */
	struct scratch		 near;		/* struct near for each method id, then those seen in order */
	uint32_t		 nmethods;
	uint64_t		 whole;		/* total of the methods asked for, ticks of the clock */
	uint64_t		 n;
	uint64_t		 tick;
	struct column_set	 cols;
	struct weights		 weights;
	bool			 profile;
	struct buf		 text;
	bool			 done;
};

/* Self and total stand in pairs, in the order of enum clock. */
enum near_col { NEAR_METHOD, NEAR_CALLS, NEAR_SELF_WALL, NEAR_TOTAL_WALL,
	NEAR_SELF_CPU, NEAR_TOTAL_CPU, NEAR_SELF_OFF, NEAR_TOTAL_OFF, NEAR_PERCENT,
	NEAR_METHOD_ID, NEAR_COLS };

static const struct coldef near_cols[NEAR_COLS] = {
	[NEAR_METHOD] = { "method", CELL_TEXT, "class and name", false },
	[NEAR_CALLS] = { "calls", CELL_COUNT, "calls between it and the methods", false },
	[NEAR_SELF_WALL] = { "self_wall", CELL_TIME, "wall time in what was called so", false },
	[NEAR_TOTAL_WALL] = { "total_wall", CELL_TIME, "the same with what that called, recursion once", false },
	[NEAR_SELF_CPU] = { "self_cpu", CELL_TIME, "CPU time in what was called so", false },
	[NEAR_TOTAL_CPU] = { "total_cpu", CELL_TIME, "the same with what that called", false },
	[NEAR_SELF_OFF] = { "self_off", CELL_TIME, "wall time without CPU time in what was called so", true },
	[NEAR_TOTAL_OFF] = { "total_off", CELL_TIME, "the same with what that called", true },
	[NEAR_PERCENT] = { "percent", CELL_PERCENT, "share of the total of the methods", false },
	[NEAR_METHOD_ID] = { "method_id", CELL_ID, "id of the method, 0 at the top", true }
};

/* Of profiles. */
static const struct coldef near_profile_cols[NEAR_COLS] = {
	[NEAR_METHOD] = { "method", CELL_TEXT, "name of the frame", false },
	[NEAR_CALLS] = { "samples", CELL_COUNT, "samples that ended there", false },
	[NEAR_SELF_WALL] = { "self", CELL_NONE, "weight of these", false },
	[NEAR_TOTAL_WALL] = { "total", CELL_NONE, "weight of all samples that passed through both, recursion once", false },
	[NEAR_SELF_CPU] = { "self_before", CELL_NONE, "self before", false },
	[NEAR_TOTAL_CPU] = { "total_before", CELL_NONE, "total before", false },
	[NEAR_SELF_OFF] = { "self_delta", CELL_NONE, "what self grew by", false },
	[NEAR_TOTAL_OFF] = { "total_delta", CELL_NONE, "what total grew by", false },
	[NEAR_PERCENT] = { "percent", CELL_PERCENT, "share of the total of the methods", false },
	[NEAR_METHOD_ID] = { "method_id", CELL_ID, "id of the method, 0 at the top", true }
};

/* ---- adding up ------------------------------------------------------------------- */

struct call_columns {
	const struct column *parent, *size, *method, *calls, *self[2], *total[2];
};

static void
find_columns(struct call_columns *c, const struct store *st)
{
	c->parent = store_column(st, "call.parent");
	c->size = store_column(st, "call.size");
	c->method = store_column(st, "call.method");
	c->calls = store_column(st, "call.calls");
	c->self[0] = store_column(st, "call.self_wall");
	c->self[1] = store_column(st, "call.self_cpu");
	c->total[0] = store_column(st, "call.total_wall");
	c->total[1] = store_column(st, "call.total_cpu");
}

/*
 * Calls stand in pre-order, so one that lies within an earlier one has an id
 * below the end of that.
 */
static void
near_add(struct near *near, const struct call_columns *c, uint32_t id)
{
	bool outermost = id >= near->covered;
	int i;

	near->seen = true;
	near->calls += column_get(c->calls, id - 1);
	for (i = 0; i < 2; i++) {
		near->self[i] = num_add(near->self[i],
		    column_get(c->self[i], id - 1));
		if (outermost)
			near->total[i] = num_add(near->total[i],
			    column_get(c->total[i], id - 1));
	}
	if (outermost)
		near->covered = id + (uint32_t)column_get(c->size, id - 1);
}

/* What is more than before may be less. */
static uint64_t
clock_ticks(const struct near_rows *s, const uint64_t v[2], enum clock clock)
{
	if (clock == CLOCK_OFF)
		return v[0] > v[1] || s->weights.differs ? v[0] - v[1] : 0;
	return v[clock == CLOCK_CPU];
}

/* A delta is the heavier the further it is from nothing. */
static uint64_t
clock_weight(const struct near_rows *s, const uint64_t v[2])
{
	uint64_t weight = clock_ticks(s, v, s->rows.session->clock);

	return (int64_t)weight < 0 && s->weights.differs ? 0 - weight : weight;
}

static bool
add_calls(struct near_rows *s)
{
	const uint8_t *set = SCRATCH(s->set, uint8_t);
	struct near *near = SCRATCH(s->near, struct near), whole = { 0 };
	struct call_columns c;
	uint32_t id, parent, method, caller;

	find_columns(&c, s->store);
	for (id = 1; id <= c.method->rows; id++) {
		if (id % 4096 == 0 && !rows_tick(&s->rows, id))
			return false;
		method = (uint32_t)column_get(c.method, id - 1);
		parent = (uint32_t)column_get(c.parent, id - 1);
		caller = parent == 0 ? 0 : (uint32_t)column_get(c.method, parent - 1);
		if (method > s->nmethods || caller > s->nmethods)
			continue;
		if (set[method])
			near_add(&whole, &c, id);
		if (set[s->up ? method : caller])
			near_add(&near[s->up ? caller : method], &c, id);
	}
	s->whole = clock_weight(s, whole.total);
	return true;
}

/* ---- rows ------------------------------------------------------------------------ */

static bool
take_methods(struct near_rows *s)
{
	struct rows *in = s->rows.in;
	struct cell c;
	uint64_t row;

	s->nmethods = (uint32_t)store_column(s->store, "method.raw")->rows;
	if (!scratch_array(&s->set, s->nmethods + 1ull, 1, &s->rows.err) ||
	    !scratch_array(&s->near, s->nmethods + 1ull, sizeof(struct near),
	    &s->rows.err))
		return false;
	for (row = 0; rows_reach(in, row + 1) > row; row++) {
		rows_cell(in, row, s->col, &c);
		if (c.type == CELL_ID && c.u > 0 && c.u <= s->nmethods)
			SCRATCH(s->set, uint8_t)[c.u] = 1;
	}
	return rows_error(in) == NULL;
}

/* The heaviest first. */
static int
near_order(const void *x, const void *y)
{
	const struct near *a = x, *b = y;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return (a->method > b->method) - (a->method < b->method);
}

static void
order_methods(struct near_rows *s)
{
	struct near *near = SCRATCH(s->near, struct near);
	uint32_t method;

	for (method = 0; method <= s->nmethods; method++) {
		if (!near[method].seen)
			continue;
		near[method].method = method;
		near[method].weight = clock_weight(s, near[method].total);
		near[s->n++] = near[method];
	}
	qsort(near, s->n, sizeof *near, near_order);
}

static uint64_t
near_reach(struct rows *r, uint64_t n)
{
	struct near_rows *s = (struct near_rows *)r;

	if (n > 0 && !s->done) {
		s->done = true;
		if (s->store != NULL && take_methods(s) && add_calls(s))
			order_methods(s);
	}
	return s->n;
}

static void
near_weight(const struct near_rows *s, const uint64_t v[2], enum clock clock, struct cell *c)
{
	if (s->profile)
		cell_weight(c, &s->weights, clock, clock_ticks(s, v, clock));
	else
		cell_ticks(c, clock_ticks(s, v, clock), s->tick);
}

static void
near_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct near_rows *s = (struct near_rows *)r;
	const struct near *near = &SCRATCH(s->near, struct near)[row];

	c->type = r->cols[col].type;
	col = s->cols.from[col];
	switch ((enum near_col)col) {
	case NEAR_METHOD:
		buf_clear(&s->text);
		if (near->method == 0)
			buf_str(&s->text, STR("(top level)"));
		else
			method_name(s->store, near->method, &s->text);
		cell_text(r, c, &s->text);
		break;
	case NEAR_CALLS:
		c->u = near->calls;
		break;
	case NEAR_SELF_WALL:
	case NEAR_SELF_CPU:
	case NEAR_SELF_OFF:
		near_weight(s, near->self, (enum clock)((col - NEAR_SELF_WALL) / 2), c);
		break;
	case NEAR_TOTAL_WALL:
	case NEAR_TOTAL_CPU:
	case NEAR_TOTAL_OFF:
		near_weight(s, near->total, (enum clock)((col - NEAR_TOTAL_WALL) / 2), c);
		break;
	case NEAR_PERCENT:
		c->f = s->whole == 0 ? 0 :
		    100.0 * (double)near->weight / (double)s->whole;
		break;
	case NEAR_METHOD_ID:
		c->u = near->method;
		break;
	case NEAR_COLS:
		break;
	}
}

static void
near_close(struct rows *r)
{
	struct near_rows *s = (struct near_rows *)r;

	scratch_free(&s->set);
	scratch_free(&s->near);
	buf_free(&s->text);
}

static const struct rows_ops near_ops = { near_reach, near_cell, near_close };

/* ---- commands -------------------------------------------------------------------- */

static bool
near_open(struct session *session, const struct stage *stage, struct rows *in,
    bool up, struct rows **out, struct err *err)
{
	struct near_rows *s = rows_new(sizeof *s, &near_ops, session, in, err);
	int col;

	if (s == NULL)
		return false;
	s->set = s->near = SCRATCH_INIT;
	col = rows_column(in, STR("method_id"));
	if (col < 0)
		fail_at(err, E_USAGE, stage->at,
		    "'%s' takes rows with a column method_id, as in '%s'",
		    stage->command->word, stage->command->example);
	if (col < 0 || !stage_at_most(stage, 0, err)) {
		rows_close(&s->rows);
		return false;
	}
	s->col = (size_t)col;
	s->up = up;
	s->store = session_store(session);
	if (s->store != NULL) {
		s->tick = trace_ns(s->store, 1);
		weights_of(s->store, &s->weights);
	}
	s->profile = weights_are_profile(session, stage);
	weight_columns(&s->cols, s->profile ? near_profile_cols : near_cols, NEAR_COLS, s->store);
	s->rows.cols = s->cols.col;
	s->rows.ncols = s->cols.n;
	*out = &s->rows;
	return true;
}

static bool
callers_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	return near_open(session, stage, in, true, out, err);
}

static bool
callees_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	return near_open(session, stage, in, false, out, err);
}

static const char *const needs[] = { "call.method", NULL };

const struct command stage_callers = {
	.word = "callers",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_CALLS,
	.what = "what calls the methods of the rows, and with how much time",
	.example = "methods | where name = rows_print | callers",
	.needs = needs,
	.cols = near_cols,
	.ncols = NEAR_COLS,
	.open = callers_open
};

const struct command stage_callees = {
	.word = "callees",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_CALLS,
	.what = "what the methods of the rows call, and with how much time",
	.example = "methods | where name = rows_print | callees",
	.needs = needs,
	.cols = near_cols,
	.ncols = NEAR_COLS,
	.open = callees_open
};

/* Of profiles. */
const struct command stage_profile_callers = {
	.word = "callers",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_SAMPLES,
	.what = "what calls the frames of the rows, and with how much weight",
	.example = "methods | where name ~ logback | callers",
	.needs = needs,
	.cols = near_profile_cols,
	.ncols = NEAR_COLS,
	.open = callers_open
};

const struct command stage_profile_callees = {
	.word = "callees",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_SAMPLES,
	.what = "what the frames of the rows call, and with how much weight",
	.example = "methods | where name ~ logback | callees",
	.needs = needs,
	.cols = near_profile_cols,
	.ncols = NEAR_COLS,
	.open = callees_open
};
