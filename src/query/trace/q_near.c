/*
 * q_near: what is near the calls or methods of the rows: who calls them, what they call, and on which threads they run.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "trace.h"

/* The kind of answer: its rows are callers, callees or threads. */
enum near_of { NEAR_CALLERS, NEAR_CALLEES, NEAR_THREADS };

/* Sums for one method or thread over the calls that were asked for. */
struct near {
	uint64_t	calls;
	uint64_t	self[2], total[2];	/* ticks; wall, cpu */
	uint64_t	weight;		/* total of the session's clock */
	uint32_t	covered;	/* calls below this id are within one that was counted */
	uint32_t	id;		/* of a method, 0: none, the top level; or of a thread */
	bool		seen;
};

struct near_rows {
	struct rows		 rows;
	const struct store	*store;
	const struct column	*tids;
	enum near_of		 of;
	size_t			 col;		/* of in: the id of a method, or of a call */
	bool			 of_calls;
	struct scratch		 wanted;	/* u8 by id of method or call: asked for */
	struct scratch		 near;		/* struct near for each id, then those seen in order */
	uint32_t		 nwanted, nnear;	/* the largest ids of both */
	uint64_t		 whole;		/* what percentages are of */
	uint64_t		 n;
	struct column_set	 cols;
	struct weights		 weights;
	struct buf		 text;
	bool			 done;
};

/* Columns are pairs of self and total, in the order of enum clock. */
enum near_col { NEAR_SELF_WALL = FIELD_OWN, NEAR_TOTAL_WALL, NEAR_SELF_CPU, NEAR_TOTAL_CPU, NEAR_SELF_OFF,
	NEAR_TOTAL_OFF, NEAR_PERCENT, NEAR_TID, NEAR_NAME, NEAR_MODULE, NEAR_PACKAGE };

/* Columns of times or weights, on an edge of a tree or of a thread. */
#define NEAR_WEIGHTS(where, edge) \
	{ "calls", CELL_COUNT, "calls" where, false, FIELD_OF(struct near, calls), TIMED }, \
	{ "self_wall", CELL_TIME, "wall self time" edge, false, NEAR_SELF_WALL, TIMED }, \
	{ "total_wall", CELL_TIME, "wall total time" edge ", recursion once", false, NEAR_TOTAL_WALL, TIMED }, \
	{ "self_cpu", CELL_TIME, "CPU self time" edge, false, NEAR_SELF_CPU, TIMED }, \
	{ "total_cpu", CELL_TIME, "CPU total time" edge, false, NEAR_TOTAL_CPU, TIMED }, \
	{ "self_off", CELL_TIME, "off-CPU self time" edge, true, NEAR_SELF_OFF, TIMED }, \
	{ "total_off", CELL_TIME, "off-CPU total time" edge, true, NEAR_TOTAL_OFF, TIMED }, \
	{ "samples", CELL_COUNT, "self samples" where, false, FIELD_OF(struct near, calls), SAMPLED }, \
	{ "self", CELL_NONE, "self weight", false, NEAR_SELF_WALL, SAMPLED }, \
	{ "total", CELL_NONE, "total weight" edge ", recursion once", false, NEAR_TOTAL_WALL, SAMPLED }, \
	{ "self_before", CELL_NONE, "self before", false, NEAR_SELF_CPU, SAMPLED, .differs = WEIGHT_BEFORE }, \
	{ "total_before", CELL_NONE, "total before", false, NEAR_TOTAL_CPU, SAMPLED, .differs = WEIGHT_BEFORE }, \
	{ "self_delta", CELL_NONE, "change of self", false, NEAR_SELF_OFF, SAMPLED, .differs = WEIGHT_DELTA }, \
	{ "total_delta", CELL_NONE, "change of total", false, NEAR_TOTAL_OFF, SAMPLED, .differs = WEIGHT_DELTA }

static const struct coldef near_cols[] = {
	{ "method", CELL_TEXT, "class and method", false, NEAR_NAME, .function = true, TIMED },
	{ "method", CELL_TEXT, "function", false, NEAR_NAME, .function = true, SAMPLED },
	NEAR_WEIGHTS(" on this edge", " on this edge"),
	{ "percent", CELL_PERCENT, "share of the methods' total", false, NEAR_PERCENT },
	{ "module", CELL_TEXT, "module, as in methods", true, NEAR_MODULE, .cut = CUT_MIDDLE, SAMPLED },
	{ "package", CELL_TEXT, "package, as by package has it", true, NEAR_PACKAGE },
	{ "method_id", CELL_ID, "method id; 0: top level", true, FIELD_OF(struct near, id), .of = ID_METHOD }
};

static const struct coldef share_cols[] = {
	{ "id", CELL_ID, "thread number", false, FIELD_OF(struct near, id) },
	{ "tid", CELL_ID, "OS thread id (tid)", false, NEAR_TID },
	{ "name", CELL_TEXT, "name (the last one)", false, NEAR_NAME },
	NEAR_WEIGHTS(" on this thread", ""),
	{ "percent", CELL_PERCENT, "share of the total over all threads", false, NEAR_PERCENT }
};

/* ---- adding up ------------------------------------------------------------------- */

struct call_columns {
	const struct column *parent, *size, *method, *thread, *calls, *self[2], *total[2];
};

static void
q_near_find_columns(struct call_columns *c, const struct store *st)
{
	c->parent = store_column(st, COL_CALL_PARENT);
	c->size = store_column(st, COL_CALL_SIZE);
	c->method = store_column(st, COL_CALL_METHOD);
	c->thread = store_column(st, COL_CALL_THREAD);
	c->calls = store_column(st, COL_CALL_CALLS);
	c->self[0] = store_column(st, COL_CALL_SELF_WALL);
	c->self[1] = store_column(st, COL_CALL_SELF_CPU);
	c->total[0] = store_column(st, COL_CALL_TOTAL_WALL);
	c->total[1] = store_column(st, COL_CALL_TOTAL_CPU);
}

/*
 * Calls are in pre-order: a call within an earlier one has an id below the end
 * of the earlier one.
 */
static void
near_add(struct near *near, const struct call_columns *c, uint32_t id)
{
	bool outermost = id >= near->covered;

	near->seen = true;
	near->calls += column_get(c->calls, id - 1);
	for (int i = 0; i < 2; i++) {
		near->self[i] = num_add(near->self[i],
		    column_get(c->self[i], id - 1));
		if (outermost)
			near->total[i] = num_add(near->total[i],
			    column_get(c->total[i], id - 1));
	}
	if (outermost)
		near->covered = id + (uint32_t)column_get(c->size, id - 1);
}

/* Deltas may be negative; off-CPU time is at least 0. */
static uint64_t
clock_ticks(const struct near_rows *s, const uint64_t v[2], enum clock clock)
{
	if (clock == CLOCK_OFF)
		return v[0] > v[1] || s->weights.differs ? v[0] - v[1] : 0;
	return v[clock == CLOCK_CPU];
}

/* Deltas weigh their absolute value. */
static uint64_t
clock_weight(const struct near_rows *s, const uint64_t v[2])
{
	uint64_t weight = clock_ticks(s, v, s->rows.session->clock);

	return (int64_t)weight < 0 && s->weights.differs ? 0 - weight : weight;
}

/* Add a call to its thread, or to the other method of its edge, if the call or its caller was asked for. */
static void
add_call(struct near_rows *s, const struct call_columns *c, uint32_t id, struct near *whole)
{
	struct near *near = SCRATCH(s->near, struct near);
	uint32_t method = (uint32_t)column_get(c->method, id - 1);
	uint32_t parent = (uint32_t)column_get(c->parent, id - 1);
	uint32_t caller = parent == 0 ? 0 : (uint32_t)column_get(c->method, parent - 1);
	uint32_t asked = s->of == NEAR_CALLEES ? caller : s->of_calls ? id : method;
	uint32_t to = s->of == NEAR_CALLERS ? caller : s->of == NEAR_CALLEES ? method :
	    (uint32_t)column_get(c->thread, id - 1);

	if (asked <= s->nwanted && to <= s->nnear && s->wanted.data[asked])
		near_add(&near[to], c, id);
	if (s->of != NEAR_THREADS && method <= s->nwanted && caller <= s->nwanted && s->wanted.data[method])
		near_add(whole, c, id);
}

static bool
add_calls(struct near_rows *s)
{
	struct near whole = { 0 };
	struct call_columns c;

	q_near_find_columns(&c, s->store);
	for (uint32_t id = 1; id <= c.method->rows; id++) {
		if (id % 4096 == 0 && !rows_tick(&s->rows, id))
			return false;
		add_call(s, &c, id, &whole);
	}
	s->whole = clock_weight(s, whole.total);
	return true;
}

/* ---- rows ------------------------------------------------------------------------ */

static bool
q_near_take_ids(struct near_rows *s)
{
	column_id near = s->of == NEAR_THREADS ? COL_THREAD_CALL : COL_METHOD_RAW;
	struct rows *in = s->rows.in;
	struct cell c;

	s->nwanted = (uint32_t)store_column(s->store, s->of_calls ? COL_CALL_METHOD : COL_METHOD_RAW)->rows;
	s->nnear = (uint32_t)store_column(s->store, near)->rows;
	if (!scratch_array(&s->wanted, s->nwanted + 1ull, 1, &s->rows.err) ||
	    !scratch_array(&s->near, s->nnear + 1ull, sizeof(struct near), &s->rows.err))
		return false;
	for (uint64_t row = 0; rows_reach(in, row + 1) > row; row++) {
		if (!rows_tick(&s->rows, row))
			return false;
		rows_cell(in, row, s->col, &c);
		if (c.type == CELL_ID && c.u > 0 && c.u <= s->nwanted)
			s->wanted.data[c.u] = 1;
	}
	return rows_error(in) == NULL;
}

/* The heaviest first. */
static int
q_near_by_weight(const void *x, const void *y)
{
	const struct near *a = x, *b = y;

	return num_order(b->weight, a->weight, num_order(a->id, b->id, 0));
}

/* Sort by weight.  For threads, percentages refer to the sum of all threads. */
static void
q_near_order(struct near_rows *s)
{
	struct near *near = SCRATCH(s->near, struct near);

	for (uint32_t id = s->of == NEAR_THREADS; id <= s->nnear; id++) {
		if (!near[id].seen)
			continue;
		near[id].id = id;
		near[id].weight = clock_weight(s, near[id].total);
		if (s->of == NEAR_THREADS)
			s->whole = num_add(s->whole, near[id].weight);
		near[s->n++] = near[id];
	}
	qsort(near, s->n, sizeof *near, q_near_by_weight);
}

static uint64_t
near_reach(struct rows *r, uint64_t n)
{
	struct near_rows *s = (struct near_rows *)r;

	if (n > 0 && !s->done) {
		s->done = true;
		if (q_near_take_ids(s) && add_calls(s))
			q_near_order(s);
	}
	return s->n;
}

static void
q_near_name_cell(struct near_rows *s, uint32_t id, struct cell *c)
{
	buf_clear(&s->text);
	if (s->of == NEAR_THREADS)
		thread_name(s->store, id, &s->text);
	else if (id != 0)
		method_name(s->store, id, &s->text);
	else
		buf_str(&s->text, STR("(top level)"));
	cell_text(&s->rows, c, &s->text);
}

static void
near_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct near_rows *s = (struct near_rows *)r;
	const struct near *near = &SCRATCH(s->near, struct near)[row];
	enum near_col what = (enum near_col)r->cols[col].kind;
	enum clock clock = (enum clock)((what - NEAR_SELF_WALL) / 2);

	if (cell_member(r, s->store, near, col, &s->text, c))
		return;
	switch (what) {
	case NEAR_SELF_WALL:
	case NEAR_SELF_CPU:
	case NEAR_SELF_OFF:
		cell_weight(c, &s->weights, clock, clock_ticks(s, near->self, clock));
		break;
	case NEAR_TOTAL_WALL:
	case NEAR_TOTAL_CPU:
	case NEAR_TOTAL_OFF:
		cell_weight(c, &s->weights, clock, clock_ticks(s, near->total, clock));
		break;
	case NEAR_PERCENT:
		c->f = s->whole == 0 ? 0 :
		    100.0 * (double)near->weight / (double)s->whole;
		break;
	case NEAR_TID:
		c->u = column_get(s->tids, near->id - 1);
		break;
	case NEAR_NAME:
		q_near_name_cell(s, near->id, c);
		break;
	case NEAR_MODULE:
		c->text = method_module(s->store, near->id);
		break;
	case NEAR_PACKAGE:
		cell_package(&s->rows, s->store, near->id, &s->text, c);
		break;
	}
}

static void
near_close(struct rows *r)
{
	struct near_rows *s = (struct near_rows *)r;

	SCRATCH_FREE(&s->wanted, &s->near);
	buf_free(&s->text);
}

static const struct rows_ops near_ops = { .reach = near_reach, .cell = near_cell, .close = near_close,
	.touch = touch_own };

/* ---- commands -------------------------------------------------------------------- */

/* Rows made by the source calls select calls by id; all other rows select methods by method_id. */
static bool
q_near_find_ids(struct near_rows *s, const struct stage *stage, struct err *err)
{
	struct rows *in = s->rows.in, *first = in;
	int col = rows_column(in, STR("id"));

	while (first->in != NULL)
		first = first->in;
	s->of_calls = s->of == NEAR_THREADS && table_is_calls(first) && col >= 0 && in->cols[col].type == CELL_ID;
	if (!s->of_calls)
		col = rows_column(in, STR("method_id"));
	s->col = (size_t)col;
	s->rows.reads = COLUMN_BIT(s->col);
	if (col >= 0)
		return true;
	if (s->of == NEAR_THREADS)
		return fail_at(err, E_USAGE, stage->at,
		    "'threads' starts a query or follows calls or methods, e.g. '%s'", command_example(stage->command, stage->shapes));
	return fail_at(err, E_USAGE, stage->at, "'%s' needs rows with column method_id, e.g. '%s'",
	    stage->command->word, command_example(stage->command, stage->shapes));
}

static bool
near_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct near_rows *s = rows_new(sizeof *s, &near_ops, session, in, err);

	if (s == NULL)
		return false;
	s->of = *(const enum near_of *)stage->command->source;
	s->store = session_store(session);
	s->tids = store_column(s->store, COL_THREAD_TID);
	weights_of(s->store, &s->weights);
	rows_weigh(&s->rows, &s->cols, stage, s->store);
	return rows_opened(&s->rows, q_near_find_ids(s, stage, err) && stage_at_most(stage, 0, err), out);
}

static const column_id needs[] = { COL_CALL_THREAD, COL_CALL_SELF_WALL, COL_NONE };

#define NEAR(word, who, table, says, query, samples, its_query) { STAGE(word, says, query, near_open), OVER(SHAPE_TREES, table), \
	.what_samples = (samples), .example_samples = (its_query), .needs = needs, .source = &(const enum near_of){ who } }

const struct command stage_callers = NEAR("callers", NEAR_CALLERS, near_cols,
    "callers of the methods, with time", "methods | where name = rows_print | callers",
    "callers of the frames, with weight", "methods | where name ~ logback | callers");
const struct command stage_callees = NEAR("callees", NEAR_CALLEES, near_cols,
    "callees of the methods, with time", "methods | where name = rows_print | callees",
    "callees of the frames, with weight", "methods | where name ~ logback | callees");
const struct command stage_on_threads = NEAR("threads", NEAR_THREADS, share_cols,
    "threads that run these calls or methods", "methods | where name ~ print | threads",
    "threads that run these frames", "methods | where name ~ logback | threads");
