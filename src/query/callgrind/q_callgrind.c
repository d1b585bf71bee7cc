/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_callgrind: the functions, the arcs and the lines of a call graph with costs.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_costs.h"
#include "icecore/facts.h"
#include "query/trace/trace.h"

/* ---- cells --------------------------------------------------------------------------------- */

/*
 * How a cell shows a number, in addition to enum show of items.h: a value of a row for the current event, or
 * its share.
 */
enum cost_show {
	COST_OF_SELF = SHOW_OWN, COST_OF_TOTAL, COST_OF_ARC, COST_OF_LINE, COST_LINE_TOTAL, COST_OF_CALLS,
	    COST_ARC_CALLS,
	COST_SELF_PART, COST_TOTAL_PART, COST_ARC_PART, COST_LINE_PART, COST_LINE_TOTAL_PART
};

struct costs_own {
	/* The current event, its thread, 0: all, and the sum of all self costs for it. */
	uint64_t	 event, thread, whole;
};

#define COSTS(s) ((struct costs_own *)(s)->own)

static bool
costs_open(struct item_rows *s, const struct stage *stage, struct err *err)
{
	(void)stage;
	(void)err;
	COSTS(s)->event = fact_value(s->st, FACT_EVENT);
	COSTS(s)->thread = store_cell(s->st, COL_COST_THREAD, COSTS(s)->event);
	COSTS(s)->whole = store_cell(s->st, COL_COST_SUM, COSTS(s)->event);
	return true;
}

/* Column col, of rows that rows has, too, in row n of the part with that index. */
static uint64_t
cost_at(const struct item_rows *s, column_id col, column_id rows, uint64_t part, uint64_t n)
{
	return store_cell(s->st, col, part * column_rows(store_column(s->st, rows)) + n);
}

static void
costs_cell(struct item_rows *s, uint64_t n, unsigned show, struct cell *c)
{
	uint64_t event = COSTS(s)->event - 1, thread = COSTS(s)->thread;

	switch ((enum cost_show)show) {
	case COST_OF_SELF: case COST_SELF_PART: c->u = cost_at(s, COL_COST_SELF, COL_COST_NAME, event, n); break;
	case COST_OF_TOTAL: case COST_TOTAL_PART: c->u = cost_at(s, COL_COST_TOTAL, COL_COST_NAME, event, n); break;
	case COST_OF_ARC: case COST_ARC_PART: c->u = cost_at(s, COL_ARC_COST, COL_ARC_CALLER, event, n); break;
	case COST_OF_LINE: case COST_LINE_PART: c->u = cost_at(s, COL_COST_LINE_SELF, COL_COST_LINE, event, n); break;
	case COST_LINE_TOTAL: case COST_LINE_TOTAL_PART: c->u =
	    cost_at(s, COL_COST_LINE_TOTAL, COL_COST_LINE, event, n); break;
	case COST_OF_CALLS: c->u = cost_at(s, COL_COST_CALLS, COL_COST_NAME, thread, n); break;
	case COST_ARC_CALLS: c->u = cost_at(s, COL_ARC_CALLS, COL_ARC_CALLER, thread, n); break;
	}
	if (show >= COST_SELF_PART)
		cell_part(c, c->u, COSTS(s)->whole);
}

static const struct domain costs_domain = { .size = sizeof(struct costs_own), .open = costs_open,
    .cell = costs_cell };

/* ---- functions -------------------------------------------------------------------------------- */

static const column_id cost_needs[] = { COL_COST_NAME, COL_COST_SELF, COL_COST_TOTAL, COL_COST_SUM,
    COL_NONE };
static const column_id arc_needs[] = { COL_ARC_CALLER, COL_ARC_COST, COL_COST_SUM, COL_NONE };

static const struct coldef cost_cols[] = {
	{ "id", CELL_ID, "function number", MADE(SHOW_NUMBER) },
	{ "self", CELL_COUNT, "cost of its own lines", MADE(COST_OF_SELF) },
	{ "self_pct", CELL_PERCENT, "self as a share of all self costs", .head = "self%",
	    MADE(COST_SELF_PART) },
	{ "total", CELL_COUNT, "self and what it calls; in a cycle an upper limit", MADE(COST_OF_TOTAL) },
	{ "total_pct", CELL_PERCENT, "total as a share of all self costs", .head = "total%",
	    MADE(COST_TOTAL_PART) },
	{ "calls", CELL_COUNT, "calls of it", MADE(COST_OF_CALLS) },
	{ "cycle", CELL_ID, "number of the cycle of functions that it is in; empty: none",
	    IN(SHOW_SOME, COL_COST_CYCLE) },
	{ "name", CELL_TEXT, "name", IN(SHOW_REF, COL_COST_NAME), .function = true },
	{ "file", CELL_TEXT, "source file", IN(SHOW_REF, COL_COST_FILE), .cut = CUT_FRONT },
	{ "object", CELL_TEXT, "program or library", IN(SHOW_REF, COL_COST_OBJECT), .cut = CUT_FRONT },
	{ "method", CELL_TEXT, "same as name", .more = true, IN(SHOW_REF, COL_COST_NAME), .function = true }
};

static const struct source functions = { .domain = &costs_domain, .rows_of = COL_COST_NAME };

/*
 * Views: only 'event' fits call graphs.  A graph that is a tree has the sources of profiles instead of those
 * with the same words.
 */
#define COSTS_SOURCE(name, says, query, table, from) SOURCE(name, says, query, item_rows_open), \
    OVER(SHAPE_COSTS, table), \
	.source = &(from), .by_rows = true, .views = VIEWS_OF_TREES

const struct command source_costs = {
	COSTS_SOURCE("methods", "functions with self and total cost", "methods | top 10 self", cost_cols,
	    functions),
	.unless = SHAPE_SAMPLES, .needs = cost_needs, .names = { "name", "object", "file" }
};

/* ---- arcs --------------------------------------------------------------------------------------- */

static const struct coldef arc_cols[] = {
	{ "id", CELL_ID, "row", MADE(SHOW_NUMBER) },
	{ "caller", CELL_TEXT, "caller", IN(SHOW_REF, COL_ARC_CALLER, .then = COL_COST_NAME),
	    .function = true },
	{ "callee", CELL_TEXT, "called function", IN(SHOW_REF, COL_ARC_CALLEE, .then = COL_COST_NAME),
	    .function = true },
	{ "calls", CELL_COUNT, "calls", MADE(COST_ARC_CALLS) },
	{ "cost", CELL_COUNT, "cost of these calls, with what the callee calls", MADE(COST_OF_ARC) },
	{ "cost_pct", CELL_PERCENT, "cost as a share of all self costs", .head = "cost%",
	    MADE(COST_ARC_PART) },
	{ "caller_id", CELL_ID, "row of the caller in 'methods'", .more = true,
	    IN(SHOW_NUMBER, COL_ARC_CALLER) },
	{ "callee_id", CELL_ID, "row of the callee in 'methods'", .more = true,
	    IN(SHOW_NUMBER, COL_ARC_CALLEE) }
};

static const struct source arcs = { .domain = &costs_domain, .rows_of = COL_ARC_CALLER };

const struct command source_arcs = {
	COSTS_SOURCE("arcs", "calls from function to function, with their cost", "arcs | top 10 cost",
	    arc_cols, arcs),
	.needs = arc_needs, .names = { "caller", "callee" }
};

static void
function_name(const struct store *st, uint32_t n, struct buf *b)
{
	buf_str(b, store_text(st, store_cell(st, COL_COST_NAME, n)));
}

/* Marks the functions that the arguments mean. */
static bool
mark_functions(const struct store *st, const struct stage *stage, struct named *names, uint8_t *has,
    struct err *err)
{
	const struct token *t;
	uint32_t hits;
	size_t i = 0;

	if (stage->n == 0)
		return fail_needs(stage, err);
	while ((t = stage_next(stage, &i)) != NULL) {
		hits = 0;
		if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
			return fail_at(err, E_USAGE, t->at, "expected a function: name or @id");
		if (store_is_blank(st) || named_mark_id(t, names->n, has))
			continue;
		if (!named_mark(names, t, NULL, has, &hits, err))
			return false;
		if (hits == 0)
			return fail_no_named(names, t, err);
	}
	return true;
}

/* Adds the arcs whose caller or callee the arguments select. */
static bool
add_arcs_of(struct item_rows *s, const struct stage *stage, column_id end, struct err *err)
{
	struct named names = { .what = "function", .query = "methods", .st = s->st, .name = function_name,
		.n = (uint32_t)column_rows(store_column(s->st, COL_COST_NAME)) };
	uint64_t n = column_rows(store_column(s->st, COL_ARC_CALLER));
	uint8_t *has = mem_array(names.n + 1ull, 1);
	bool ok = (has != NULL || fail(err, E_SYSTEM, "out of memory (list of functions)")) &&
	    mark_functions(s->st, stage, &names, has, err);

	for (uint64_t i = 1; ok && i <= n; i++) {
		uint64_t f = store_cell(s->st, end, i);

		ok = f > names.n || !has[f] || item_rows_add_number(s, (uint32_t)i);
	}
	free(has);
	return ok;
}

static bool
callers_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	return add_arcs_of(s, stage, COL_ARC_CALLEE, err);
}

static bool
callees_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	return add_arcs_of(s, stage, COL_ARC_CALLER, err);
}

static const struct arg_type arg_cost_function = { .name = "FUNCTION", .hint = "function: name or @id",
    .look = LOOK_NAMES,
	.query = "methods", .column = "name", .quoted = true };
static const struct source arcs_to = { .domain = &costs_domain, .args = ARGS_OWN, .begin = callers_begin };
static const struct source arcs_from = { .domain = &costs_domain, .args = ARGS_OWN, .begin = callees_begin };

const struct command source_arc_callers = {
	COSTS_SOURCE("callers", "callers of a function, with the cost of their calls",
	    "callers @2 | sort -cost", arc_cols, arcs_to),
	.unless = SHAPE_SAMPLES, .needs = arc_needs, .names = { "caller" },
	.args = ARGS({ &arg_cost_function, ARG_MANY })
};
const struct command source_arc_callees = {
	COSTS_SOURCE("callees", "functions that a function calls, with the cost of its calls",
	    "callees @1 | sort -cost", arc_cols, arcs_from),
	.unless = SHAPE_SAMPLES, .needs = arc_needs, .names = { "callee" },
	.args = ARGS({ &arg_cost_function, ARG_MANY })
};

/* ---- lines ---------------------------------------------------------------------------------------- */

static const column_id line_needs[] = { COL_COST_LINE, COL_COST_LINE_SELF, COL_COST_LINE_TOTAL, COL_COST_SUM,
    COL_NONE };

static const struct coldef line_cols[] = {
	{ "id", CELL_ID, "row", MADE(SHOW_NUMBER) },
	{ "self", CELL_COUNT, "cost of the line, without calls", MADE(COST_OF_LINE) },
	{ "self_pct", CELL_PERCENT, "self as a share of all self costs", .head = "self%",
	    MADE(COST_LINE_PART) },
	{ "total", CELL_COUNT, "self and its calls of other functions", MADE(COST_LINE_TOTAL) },
	{ "total_pct", CELL_PERCENT, "total as a share of all self costs", .head = "total%",
	    MADE(COST_LINE_TOTAL_PART) },
	{ "line", CELL_ID, "line in the file; empty: unknown", IN(SHOW_SOME, COL_COST_LINE) },
	{ "file", CELL_TEXT, "source file; of inlined lines not that of the function",
	    IN(SHOW_REF, COL_COST_LINE_FILE), .cut = CUT_FRONT },
	{ "function", CELL_TEXT, "function that contains the line, after inlining",
	    IN(SHOW_REF, COL_COST_LINE_FUNCTION, .then = COL_COST_NAME), .function = true },
	{ "function_id", CELL_ID, "row of the function in 'methods'", .more = true,
	    IN(SHOW_NUMBER, COL_COST_LINE_FUNCTION) }
};

static const struct source lines = { .domain = &costs_domain, .rows_of = COL_COST_LINE };

const struct command source_cost_lines = {
	COSTS_SOURCE("lines", "lines of the source with their cost", "lines | top 10 self", line_cols, lines),
	.needs = line_needs, .names = { "file" }
};

/* ---- events --------------------------------------------------------------------------------------- */

static void
cost_event_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	c->text = event_name(s->st, (uint32_t)id);
}

static void
cost_current_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	c->u = COSTS(s)->event == id;
}

static const struct coldef cost_event_cols[] = {
	{ "id", CELL_ID, "event number in file order", .more = true, MADE(SHOW_NUMBER) },
	{ "name", CELL_TEXT, "event", COMPUTED(cost_event_cell) },
	{ "total", CELL_COUNT, "sum of all self costs", IN(SHOW_NUMBER, COL_COST_SUM) },
	{ "current", CELL_BOOL, "the current event; --event chooses another", COMPUTED(cost_current_cell) }
};

static const struct source cost_events = { .domain = &costs_domain, .rows_of = COL_COST_SUM };

const struct command source_cost_events = {
	SOURCE("events", "events of a call graph, one of which is current", "events | sort -total",
	    item_rows_open),
	OVER(SHAPE_COSTS, cost_event_cols), .unless = SHAPE_SAMPLES, .source = &cost_events, .by_rows = true,
	.names = { "name" }
};
