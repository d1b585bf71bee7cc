/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_near: what is near the calls or methods of the rows: who calls them, what they call, and on which threads
 * they run.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "trace.h"

/* The kind of answer: its rows are callers, callees or threads. */
enum near_of { NEAR_CALLERS, NEAR_CALLEES, NEAR_THREADS };

struct near_source {
	struct source	rows;
	enum near_of	of;
};

/* Sums for one method or thread over the calls that were asked for. */
struct near {
	uint64_t	calls;
	uint64_t	self[CLOCKS], total[CLOCKS];	/* sums by clock, in the unit of the file's weights */
	uint64_t	weight;		/* total of the session's clock */
	uint32_t	covered;	/* calls below this id are within one that was counted */
	uint32_t	id;		/* number of the method (0: none, the top level) or of the thread */
	bool		seen;
};

struct near_rows {
	struct item_rows	 rows;
	enum near_of		 of;
	bool			 of_calls;	/* column col of in has ids of calls, not of methods */
	struct scratch		 wanted;	/* u8 by id of method or call: asked for */
	uint32_t		 nwanted, nnear;	/* the largest ids of both */
	uint64_t		 whole;		/* what percentages are of */
};

/* ---- columns ----------------------------------------------------------------------- */

static void
q_near_percent_cell(struct item_rows *s, uint64_t weight, struct cell *c)
{
	uint64_t whole = ((struct near_rows *)s)->whole;

	c->f = whole == 0 ? 0 : 100.0 * (double)weight / (double)whole;
}

static bool
near_method(struct item_rows *s, uint64_t method, struct buf *b)
{
	if (method != 0)
		method_name(s->st, (uint32_t)method, b);
	else
		buf_text(b, "(top level)");
	return true;
}

#define OF(member) ITEM(struct near, member)
#define WALL(member) MADE(.show = TRACE_WEIGHT, OF(member[CLOCK_WALL]))
#define CPU(member) MADE(.show = TRACE_WEIGHT_CPU, OF(member[CLOCK_CPU]))
#define OFF(member) MADE(.show = TRACE_WEIGHT_OFF, OF(member[CLOCK_OFF]))
#define PERCENT COMPUTED(q_near_percent_cell, OF(weight))

/* Columns of times or weights, on an edge of a tree or of a thread. */
#define NEAR_WEIGHTS(where, edge) \
	{ "calls", CELL_COUNT, "calls" where, MADE(OF(calls)), TIMED }, \
	{ "self_wall", CELL_TIME, "wall self time" edge, WALL(self), TIMED }, \
	{ "total_wall", CELL_TIME, "wall total time" edge ", recursion once", WALL(total), TIMED }, \
	{ "self_cpu", CELL_TIME, "CPU self time" edge, CPU(self), TIMED }, \
	{ "total_cpu", CELL_TIME, "CPU total time" edge, CPU(total), TIMED }, \
	{ "self_off", CELL_TIME, "off-CPU self time" edge, MORE, OFF(self), TIMED }, \
	{ "total_off", CELL_TIME, "off-CPU total time" edge, MORE, OFF(total), TIMED }, \
	{ "samples", CELL_COUNT, "self samples" where, MADE(OF(calls)), SAMPLED }, \
	{ "self", CELL_NONE, "self weight", WALL(self), SAMPLED }, \
	{ "total", CELL_NONE, "total weight" edge ", recursion once", WALL(total), SAMPLED }, \
	{ "self_before", CELL_NONE, "self before", CPU(self), SAMPLED, .differs = WEIGHT_BEFORE }, \
	{ "total_before", CELL_NONE, "total before", CPU(total), SAMPLED, .differs = WEIGHT_BEFORE }, \
	{ "self_delta", CELL_NONE, "change of self", OFF(self), SAMPLED, .differs = WEIGHT_DELTA }, \
	{ "total_delta", CELL_NONE, "change of total", OFF(total), SAMPLED, .differs = WEIGHT_DELTA }

static const struct coldef near_cols[] = {
	{ "method", CELL_TEXT, "class and method", TEXT(near_method, OF(id)), FUNCTION, TIMED },
	{ "method", CELL_TEXT, "function", TEXT(near_method, OF(id)), FUNCTION, SAMPLED },
	NEAR_WEIGHTS(" on this edge", " on this edge"),
	{ "percent", CELL_PERCENT, "share of the methods' total", .head = "%", PERCENT },
	{ "module", CELL_TEXT, "module, as in methods", MORE, MADE(.show = TRACE_MODULE, OF(id)),
	    .cut = CUT_MIDDLE, SAMPLED },
	{ "package", CELL_TEXT, "package, as in 'by package'", MORE, MADE(.show = TRACE_PACKAGE, OF(id)) },
	{ "method_id", CELL_ID, "method id; 0: top level", MORE, MADE(OF(id)), METHOD_ID }
};

static const struct coldef share_cols[] = {
	{ "id", CELL_ID, "thread number", MADE(OF(id)) },
	{ "tid", CELL_ID, "OS thread id (tid)", MADE(OF(id), .by = COL_THREAD_TID) },
	{ "name", CELL_TEXT, "name (the last one)", MADE(.show = TRACE_THREAD, OF(id)) },
	NEAR_WEIGHTS(" on this thread", ""),
	{ "percent", CELL_PERCENT, "share of the total over all threads", .head = "%", PERCENT }
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

/* Deltas may be negative, and weigh their absolute value; off-CPU time is at least 0. */
static uint64_t
weight_of(const struct near_rows *s, uint64_t v[CLOCKS])
{
	bool differs = TRACE(&s->rows)->weights.differs;
	uint64_t weight;

	v[CLOCK_OFF] = v[CLOCK_WALL] > v[CLOCK_CPU] || differs ? v[CLOCK_WALL] - v[CLOCK_CPU] : 0;
	weight = v[s->rows.rows.session->clock];
	return (int64_t)weight < 0 && differs ? 0 - weight : weight;
}

/* Add a call to its thread, or to the other method of its edge, if the call or its caller was asked for. */
static void
add_call(struct near_rows *s, const struct call_columns *c, uint32_t id, struct near *whole)
{
	struct near *near = SCRATCH(s->rows.list, struct near);
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

	q_near_find_columns(&c, s->rows.st);
	for (uint32_t id = 1; id <= c.method->rows; id++) {
		if (id % 4096 == 0 && !rows_tick(&s->rows.rows, id))
			return false;
		add_call(s, &c, id, &whole);
	}
	s->whole = weight_of(s, whole.total);
	return true;
}

/* ---- rows ------------------------------------------------------------------------ */

static bool
q_near_take_ids(struct near_rows *s)
{
	column_id near = s->of == NEAR_THREADS ? COL_THREAD_CALL : COL_METHOD_RAW;
	struct rows *r = &s->rows.rows, *in = r->in;
	struct cell c;

	s->nwanted = (uint32_t)store_column(s->rows.st, s->of_calls ? COL_CALL_METHOD : COL_METHOD_RAW)->rows;
	s->nnear = (uint32_t)store_column(s->rows.st, near)->rows;
	if (!scratch_array(&s->wanted, s->nwanted + 1ull, 1, &r->err) ||
	    !scratch_array(&s->rows.list, s->nnear + 1ull, sizeof(struct near), &r->err))
		return false;
	for (uint64_t row = 0; rows_reach(in, row + 1) > row; row++) {
		if (!rows_tick(r, row))
			return false;
		rows_cell(in, row, s->rows.col, &c);
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
	struct near *near = SCRATCH(s->rows.list, struct near);

	for (uint32_t id = s->of == NEAR_THREADS; id <= s->nnear; id++) {
		if (!near[id].seen)
			continue;
		near[id].id = id;
		(void)weight_of(s, near[id].self);
		near[id].weight = weight_of(s, near[id].total);
		if (s->of == NEAR_THREADS)
			s->whole = num_add(s->whole, near[id].weight);
		near[s->rows.n++] = near[id];
	}
	qsort(near, s->rows.n, sizeof *near, q_near_by_weight);
}

static bool
near_step(struct item_rows *r)
{
	struct near_rows *s = (struct near_rows *)r;

	if (q_near_take_ids(s) && add_calls(s))
		q_near_order(s);
	return false;
}

static void
near_end(struct item_rows *r)
{
	scratch_free(&((struct near_rows *)r)->wanted);
}

/* ---- commands -------------------------------------------------------------------- */

/* Rows made by the source calls select calls by id; all other rows select methods by method_id. */
static bool
near_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	struct near_rows *s = (struct near_rows *)r;
	struct rows *in = r->rows.in, *first = in;
	int col = rows_column(in, STR("id"));

	while (first->in != NULL)
		first = first->in;
	s->of = ((const struct near_source *)r->source)->of;
	s->of_calls = s->of == NEAR_THREADS && first->ops == &calls_ops && col >= 0 &&
	    in->cols[col].type == CELL_ID;
	if (!s->of_calls)
		col = rows_column(in, STR("method_id"));
	r->col = (size_t)col;
	r->rows.reads = COLUMN_BIT(r->col);
	if (col >= 0)
		return stage_at_most(stage, 0, err);
	if (s->of == NEAR_THREADS)
		return fail_at(err, E_USAGE, stage->at,
		    "'threads' starts a query or follows calls or methods, e.g. '%s'",
		    command_example(stage->command, stage->shapes));
	return fail_at(err, E_USAGE, stage->at, "'%s' needs rows with column method_id, e.g. '%s'",
	    stage->command->word, command_example(stage->command, stage->shapes));
}

static const column_id needs[] = { COL_CALL_THREAD, COL_CALL_SELF_WALL, COL_NONE };

#define NEAR(word, who, table, says, query, samples, its_query) { STAGE(word, says, query, item_rows_open), \
    OVER(SHAPE_TREES, table), \
	.what_samples = (samples), .example_samples = (its_query), .needs = needs, \
	    .source = &(const struct near_source){ \
	{ .domain = &trace_domain, .size = sizeof(struct near_rows), .item = sizeof(struct near), .args = ARGS_OWN, \
	    .begin = near_begin, \
	.step = near_step, .end = near_end }, who } }

const struct command stage_callers = NEAR("callers", NEAR_CALLERS, near_cols,
    "callers of the methods, with time", "methods | where name = rows_print | callers",
    "callers of the frames, with weight", "methods | where name ~ logback | callers");
const struct command stage_callees = NEAR("callees", NEAR_CALLEES, near_cols,
    "callees of the methods, with time", "methods | where name = rows_print | callees",
    "callees of the frames, with weight", "methods | where name ~ logback | callees");
const struct command stage_on_threads = NEAR("threads", NEAR_THREADS, share_cols,
    "threads that run these calls or methods", "methods | where name ~ print | threads",
    "threads that run these frames", "methods | where name ~ logback | threads");
