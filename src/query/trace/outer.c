/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * outer: calls that only begin the work of their thread, for nearly all of the file: its only outermost call, the only
 * call of that one, and so on.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/idle.h"
#include "icecore/spans.h"
#include "trace.h"

/*
 * Find the calls of a thread that are alone at their depths, from the outermost one on, and last that long. *first: the
 * first one below them.
 */
static struct outer_thread
outer_of(struct tree *t, uint32_t thread, uint64_t least, uint32_t *first)
{
	struct outer_thread of = { .depth = 0 };
	struct tree_node node;
	uint32_t below;

	*first = tree_first(t, thread);
	for (uint32_t at = *first; at != 0; at = below) {
		tree_peek(t, at, &node);
		below = tree_first(t, at);
		if (node.calls > 1 || tree_next(t, at) != 0)
			break;
		of.only = of.only == 0 ? node.method : of.only;
		if (tree_total(t, at, CLOCK_WALL) < least)
			break;
		of.leaf = below == 0;
		of.depth += below != 0;
		*first = below != 0 ? below : at;
	}
	return of;
}

static void
outer_sum_first(struct outer *o, struct tree *t, uint32_t first)
{
	struct tree_node node;

	for (uint32_t at = first; at != 0; at = tree_next(t, at)) {
		tree_peek(t, at, &node);
		if (node.method <= o->methods)
			o->first.at[node.method] = num_add(o->first.at[node.method], tree_total(t, at, CLOCK_WALL));
	}
}

/* The method that takes more than half of a thread's time itself; 0: there is none. */
static uint32_t
outer_most(struct tree *t, uint32_t thread)
{
	uint64_t half = tree_total(t, thread, CLOCK_WALL) / 2, callees, total;
	struct tree_node node;
	uint32_t at = thread, most;

	do {
		most = 0;
		callees = 0;
		for (uint32_t child = tree_first(t, at); child != 0; child = tree_next(t, child)) {
			total = tree_total(t, child, CLOCK_WALL);
			callees = num_add(callees, total);
			most = total > half ? child : most;
		}
		total = tree_total(t, at, CLOCK_WALL);
		if (at != thread && total > callees && total - callees > half) {
			tree_peek(t, at, &node);
			return node.method;
		}
		at = most;
	} while (most != 0);
	return 0;
}

/* A file that does not tell its main thread: the longest is it. */
static uint32_t
outer_main(const struct store *st, uint64_t threads)
{
	uint64_t best = 1;

	for (uint64_t i = 2; i <= threads; i++) {
		uint64_t main = store_cell(st, COL_THREAD_MAIN, i), best_main = store_cell(st, COL_THREAD_MAIN, best);

		if (main > best_main || (main == best_main &&
		    store_cell(st, COL_THREAD_WALL, i) > store_cell(st, COL_THREAD_WALL, best)))
			best = i;
	}
	return (uint32_t)best;
}

/* The file's length, in ticks; its events may be more than calls. */
static uint64_t
outer_elapsed(const struct store *st)
{
	uint64_t tick = trace_ns(st, 1), elapsed = fact_value(st, FACT_ELAPSED) / (tick == 0 ? 1 : tick),
	    calls = threads_elapsed(st);

	return calls > elapsed ? calls : elapsed;
}

/* Find the methods that have callees in any of their calls. */
static void
outer_callers(struct outer *o, const struct store *st)
{
	const struct column *parent = store_column(st, COL_CALL_PARENT), *method = store_column(st, COL_CALL_METHOD);
	uint64_t of, n = column_rows(method);

	for (uint64_t row = 0; row < column_rows(parent); row++) {
		of = column_get(parent, row);
		of = of > 0 && of <= n ? column_get(method, of - 1) : 0;
		if (of <= o->methods)
			o->calls.at[of] = 1;
	}
}

static bool
outer_read(struct outer *o, const struct store *st, struct err *err)
{
	uint64_t elapsed = outer_elapsed(st);
	struct tree_node node;
	struct tree *t;
	uint32_t first;

	o->n = column_rows(store_column(st, COL_THREAD_TID));
	o->methods = column_rows(store_column(st, COL_METHOD_RAW));
	if (!array_grow(&o->calls, o->methods + 1, err) || !array_grow(&o->first, o->methods + 1, err) ||
	    !tree_open(&t, st, TREE_CALLS, NULL, 0, err))
		return false;
	if (array_grow(&o->threads, o->n + 1, err)) {
		outer_callers(o, st);
		o->main = outer_main(st, o->n);
		for (uint32_t at = tree_first(t, TREE_ROOT); at != 0; at = tree_next(t, at)) {
			tree_peek(t, at, &node);
			if (node.thread > o->n)
				continue;
			o->threads.at[node.thread] = outer_of(t, at, elapsed - elapsed / 20, &first);
			if (node.thread != o->main)
				continue;
			o->most = outer_most(t, at);
			outer_sum_first(o, t, first);
		}
	}
	tree_close(t);
	return o->threads.at != NULL;
}

/* Cells ask for each call. */
bool
outer_make(struct outer *o, const struct store *st, struct err *err)
{
	return o->threads.at != NULL || outer_read(o, st, err);
}

bool
outer_begins(const struct outer *o, uint32_t thread, uint32_t depth, bool waits)
{
	const struct outer_thread *of = thread <= o->n ? &o->threads.at[thread] : NULL;

	return of != NULL && (depth < of->depth || (waits && of->leaf && depth == of->depth));
}

bool
outer_is_most(const struct outer *o, uint32_t thread, uint32_t method)
{
	return o->most != 0 && thread == o->main && method == o->most;
}

bool
outer_is_alone(const struct outer *o, uint32_t thread, uint32_t depth, uint32_t method, uint64_t wall)
{
	return thread == o->main && thread <= o->n && depth == o->threads.at[thread].depth && method <= o->methods &&
	    wall > o->first.at[method] / 2;
}

bool
outer_calls(const struct outer *o, uint32_t method)
{
	return method <= o->methods && o->calls.at[method] != 0;
}

void
outer_end(struct outer *o)
{
	array_free(&o->threads);
	array_free(&o->calls);
	array_free(&o->first);
}

uint32_t
outer_only(const struct outer *o, uint32_t thread)
{
	return thread <= o->n ? o->threads.at[thread].only : 0;
}
