/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * callgrind_graph: the cycles of a call graph, the totals of its functions, and its columns.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "callgrind.h"
#include "icecore/columns_costs.h"
#include "icecore/columns_trace.h"

/* ---- cycles ------------------------------------------------------------------------------- */

/*
 * Strongly connected functions, found as by Tarjan, with a stack of our own.  Functions are numbered from 1.
 */
struct cycles {
	struct scratch	 first, to;	/* u32: arcs by caller, and their callees */
	struct scratch	 next;		/* u32: the arc that is followed next */
	/* u32: when it was reached, from 1; the first that is reached from it */
	struct scratch	 order, low;
	/* u32: the functions that are being followed; those in no component so far */
	struct scratch	 path, open;
	/* u32: number of its component, from 1; 0: it is open, or was not reached */
	struct scratch	 component;
};

static bool
cycles_open(struct cycles *y, const struct callgrind *c)
{
	struct scratch *const all[] = { &y->first, &y->next, &y->order, &y->low, &y->path, &y->open,
	    &y->component };
	const struct callgrind_arc *arc = SCRATCH(c->arcs, struct callgrind_arc);
	uint32_t *first, *next;

	memset(y, 0, sizeof *y);
	for (size_t i = 0; i < NELEM(all); i++)
		if (!scratch_array(all[i], c->nfunctions + 2, sizeof *first, c->err))
			return false;
	if (!scratch_array(&y->to, c->narcs + 1, sizeof *first, c->err))
		return false;
	first = SCRATCH(y->first, uint32_t);
	next = SCRATCH(y->next, uint32_t);
	for (uint64_t i = 0; i < c->narcs; i++) {
		assert(arc[i].caller > 0 && arc[i].caller <= c->nfunctions);
		assert(arc[i].callee > 0 && arc[i].callee <= c->nfunctions);
		first[arc[i].caller + 1]++;
	}
	for (uint64_t i = 1; i <= c->nfunctions + 1; i++)
		first[i] += first[i - 1];
	memcpy(next, first, (c->nfunctions + 2) * sizeof *next);
	for (uint64_t i = 0; i < c->narcs; i++)
		SCRATCH(y->to, uint32_t)[next[arc[i].caller]++] = arc[i].callee;
	memcpy(next, first, (c->nfunctions + 2) * sizeof *next);
	return true;
}

static void
cycles_close(struct cycles *y)
{
	SCRATCH_FREE(&y->first, &y->to, &y->next, &y->order, &y->low, &y->path, &y->open, &y->component);
}

/* Follow all arcs from root on. */
static bool
cycles_follow(struct cycles *y, uint32_t root, uint32_t *reached, uint32_t *components,
    const struct callgrind *c)
{
	const uint32_t *first = SCRATCH(y->first, uint32_t), *to = SCRATCH(y->to, uint32_t);
	uint32_t *next = SCRATCH(y->next, uint32_t), *order = SCRATCH(y->order, uint32_t),
	    *low = SCRATCH(y->low, uint32_t);
	uint32_t *path = SCRATCH(y->path, uint32_t), *open = SCRATCH(y->open, uint32_t),
	    *component = SCRATCH(y->component, uint32_t);
	uint32_t depth = 0, nopen = 0, v, w;

	path[depth++] = open[nopen++] = root;
	order[root] = low[root] = ++*reached;
	for (uint64_t i = 0; depth > 0; i++) {
		if (!work_tick(c->work, i))
			return fail_cancel(c->err);
		v = path[depth - 1];
		if (next[v] < first[v + 1]) {
			w = to[next[v]++];
			if (order[w] == 0) {
				assert(depth < c->nfunctions && nopen < c->nfunctions);
				path[depth++] = open[nopen++] = w;
				order[w] = low[w] = ++*reached;
			} else if (component[w] == 0 && order[w] < low[v]) {
				low[v] = order[w];
			}
			continue;
		}
		depth--;
		if (depth > 0 && low[v] < low[path[depth - 1]])
			low[path[depth - 1]] = low[v];
		if (low[v] != order[v])
			continue;
		++*components;
		do {
			assert(nopen > 0);
			w = open[--nopen];
			assert(component[w] == 0);
			component[w] = *components;
		} while (w != v);
	}
	return true;
}

/* Each component with more than one function is a cycle.  Cycles are numbered by their first functions. */
static void
number_cycles(struct cycles *y, struct callgrind *c)
{
	const uint32_t *component = SCRATCH(y->component, uint32_t);
	uint32_t *members = SCRATCH(y->path, uint32_t), *number = SCRATCH(y->open, uint32_t), n = 0;
	struct callgrind_function *f = SCRATCH(c->functions, struct callgrind_function);

	memset(members, 0, (c->nfunctions + 2) * sizeof *members);
	memset(number, 0, (c->nfunctions + 2) * sizeof *number);
	for (uint64_t i = 1; i <= c->nfunctions; i++)
		members[component[i]]++;
	for (uint64_t i = 1; i <= c->nfunctions; i++) {
		if (members[component[i]] < 2)
			continue;
		if (number[component[i]] == 0)
			number[component[i]] = ++n;
		f[i - 1].cycle = number[component[i]];
		c->in_cycles++;
	}
}

static bool
find_cycles(struct callgrind *c)
{
	uint32_t reached = 0, components = 0;
	struct cycles y;
	bool ok = cycles_open(&y, c);

	for (uint32_t i = 1; ok && i <= c->nfunctions; i++)
		ok = SCRATCH(y.order, uint32_t)[i] != 0 || cycles_follow(&y, i, &reached, &components, c);
	if (ok)
		number_cycles(&y, c);
	cycles_close(&y);
	return ok;
}

/* ---- columns ------------------------------------------------------------------------------ */

static uint64_t
cost_rows(const struct callgrind *c, enum callgrind_costs kind)
{
	return kind == COSTS_ARC ? c->narcs : kind < COSTS_ARC ? c->nfunctions : c->nplaces;
}

/*
 * Total: self and all arcs out of it, without those to itself, whose cost self and the other arcs have
 * already.
 */
static bool
sum_totals(struct callgrind *c, struct callgrind_event *e)
{
	const struct callgrind_arc *arc = SCRATCH(c->arcs, struct callgrind_arc);
	uint64_t *total, *below;

	for (unsigned kind = 0; kind < CALLGRIND_COST_KINDS; kind++)
		if (!scratch_array(&e->cost[kind], cost_rows(c, kind) + 1, sizeof *total, c->err))
			return false;
	total = SCRATCH(e->cost[COSTS_TOTAL], uint64_t);
	memcpy(total, e->cost[COSTS_SELF].data, c->nfunctions * sizeof *total);
	for (uint64_t i = 0; i < c->narcs; i++)
		if (arc[i].caller != arc[i].callee)
			total[arc[i].caller - 1] =
			    num_add(total[arc[i].caller - 1], SCRATCH(e->cost[COSTS_ARC], uint64_t)[i]);
	below = SCRATCH(e->cost[COSTS_BELOW], uint64_t);
	for (uint64_t i = 0; i < c->nplaces; i++)
		below[i] = num_add(below[i], SCRATCH(e->cost[COSTS_LINE], uint64_t)[i]);
	return true;
}

/* A column of the numbers of several scratches in order. */
static bool
put_numbers(struct callgrind *c, column_id col, const struct scratch *const *from, size_t n, uint64_t rows)
{
	uint64_t all = 0, *wide;
	uint32_t *narrow;

	for (size_t i = 0; i < n; i++)
		for (uint64_t k = 0; k < rows; k++)
			all |= SCRATCH(*from[i], uint64_t)[k];
	if (all > UINT32_MAX) {
		wide = store_make(c->st, col, COL_U64, rows * n, c->err);
		for (size_t i = 0; wide != NULL && rows > 0 && i < n; i++)
			memcpy(wide + i * rows, from[i]->data, rows * sizeof *wide);
		return wide != NULL;
	}
	narrow = store_make(c->st, col, COL_U32, rows * n, c->err);
	for (size_t i = 0; narrow != NULL && i < n; i++)
		for (uint64_t k = 0; k < rows; k++)
			narrow[i * rows + k] = (uint32_t)SCRATCH(*from[i], uint64_t)[k];
	return narrow != NULL;
}

static bool
put_costs(struct callgrind *c)
{
	static const column_id cols[CALLGRIND_COST_KINDS] =
	    { COL_COST_SELF, COL_COST_TOTAL, COL_ARC_COST, COL_COST_LINE_SELF, COL_COST_LINE_TOTAL };
	const struct scratch *from[CALLGRIND_EVENTS];
	bool ok = true;

	for (unsigned kind = 0; ok && kind < CALLGRIND_COST_KINDS; kind++) {
		for (size_t i = 0; i < c->nevents; i++)
			from[i] = &c->event[i].cost[kind];
		ok = put_numbers(c, cols[kind], from, c->nevents, cost_rows(c, kind));
	}
	return ok;
}

/* Numbers of calls of all threads, then those of each thread. */
static bool
put_cost_calls(struct callgrind *c)
{
	const struct scratch *calls[CALLGRIND_THREADS + 1], *arc_calls[CALLGRIND_THREADS + 1];

	for (size_t i = 0; i <= c->nthreads; i++) {
		struct callgrind_thread *t = &c->threads[i];

		if (!scratch_array(&t->calls, c->nfunctions + 1, sizeof(uint64_t), c->err) ||
		    !scratch_array(&t->arc_calls, c->narcs + 1, sizeof(uint64_t), c->err))
			return false;
		calls[i] = &t->calls;
		arc_calls[i] = &t->arc_calls;
	}
	return put_numbers(c, COL_COST_CALLS, calls, c->nthreads + 1, c->nfunctions) &&
	    put_numbers(c, COL_ARC_CALLS, arc_calls, c->nthreads + 1, c->narcs);
}

static bool
put_cost_events(struct callgrind *c)
{
	static const struct make_column events[] = {
		MAKE(COL_COST_SUM, callgrind_event, sum), MAKE_FIT(COL_COST_THREAD, callgrind_event, thread),
		/* Profiles have these already. */
		MAKE_COLUMN(COL_EVENT_NAME, callgrind_event, name, MAKE_REF),
		MAKE_FIT(COL_EVENT_OWN, callgrind_event, own), MAKE_CONST(COL_EVENT_TYPE, 1, MAKE_ZERO),
	};

	return make_columns(c->st, events, c->tree ? 2 : NELEM(events),
	    MAKE_TEXT_ROWS(c->event, c->nevents, store_source(c->st)->data), c->err) &&
	    (c->tree || make_copy(c->st, COL_EVENT_TEXT, COL_BYTES, c->texts.bytes.data, c->texts.size,
	    c->err));
}

bool
callgrind_columns(struct callgrind *c)
{
	static const struct make_column functions[] = {
		MAKE_COLUMN(COL_COST_NAME, callgrind_function, name, MAKE_REF),
		MAKE_COLUMN(COL_COST_FILE, callgrind_function, file, MAKE_REF),
		MAKE_COLUMN(COL_COST_OBJECT, callgrind_function, object, MAKE_REF),
		MAKE_FIT(COL_COST_CYCLE, callgrind_function, cycle),
	}, arcs[] = {
		MAKE_FIT(COL_ARC_CALLER, callgrind_arc, caller),
		MAKE_FIT(COL_ARC_CALLEE, callgrind_arc, callee),
	}, places[] = {
		MAKE_FIT(COL_COST_LINE_FUNCTION, callgrind_place, function),
		MAKE_COLUMN(COL_COST_LINE_FILE, callgrind_place, file, MAKE_REF),
		MAKE_FIT(COL_COST_LINE, callgrind_place, line),
	};
	const void *text = store_source(c->st)->data;

	for (size_t i = 0; i < c->nevents; i++)
		if (!sum_totals(c, &c->event[i]))
			return false;
	return find_cycles(c) && callgrind_tree(c) &&
	    make_columns(c->st, functions, NELEM(functions),
	    MAKE_TEXT_ROWS(SCRATCH(c->functions, struct callgrind_function), c->nfunctions, text), c->err) &&
	    make_columns(c->st, arcs, NELEM(arcs),
	    MAKE_ROWS(SCRATCH(c->arcs, struct callgrind_arc), c->narcs), c->err) &&
	    make_columns(c->st, places, NELEM(places),
	    MAKE_TEXT_ROWS(SCRATCH(c->places, struct callgrind_place), c->nplaces, text), c->err) &&
	    put_costs(c) && put_cost_calls(c) && put_cost_events(c);
}
