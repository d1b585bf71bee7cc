/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree_calls: call trees to walk.  The call tree itself is in columns; merged and inverted ones grow.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "call_tree.h"

/* Node ids of TREE_CALLS: the root, the threads, then the calls. */
#define FIRST_THREAD 2u

static uint32_t
first_call(const struct call_tree *t)
{
	return FIRST_THREAD + t->nthreads;
}

static bool
tree_calls_is_thread(const struct call_tree *t, uint32_t id)
{
	return id >= FIRST_THREAD && id < first_call(t);
}

/* ---- their input ------------------------------------------------------------------------------ */

static bool
tree_calls_take_threads(struct call_tree *t, const uint32_t *threads, size_t n, struct err *err)
{
	uint32_t all = (uint32_t)t->thread.call->rows;

	t->nthreads = n == 0 ? all : (uint32_t)n;
	t->threads = mem_array((size_t)t->nthreads + 1, sizeof *t->threads);
	if (t->threads == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	for (uint32_t i = 0; i < t->nthreads; i++) {
		t->threads[i] = n == 0 ? i + 1 : threads[i];
		if (t->threads[i] == 0 || t->threads[i] > all)
			return fail(err, E_USAGE, "no thread %u",
			    t->threads[i]);
	}
	if (t->rows + t->nthreads + FIRST_THREAD > UINT32_MAX)
		return fail(err, E_SYSTEM, "too many distinct stacks (limit: 2^32)");
	return true;
}

static bool
tree_calls_find_columns(struct call_tree *t, struct err *err)
{
	const struct { const struct column **to; column_id col; } want[] = {
		{ &t->call.parent, COL_CALL_PARENT },
		{ &t->call.size, COL_CALL_SIZE },
		{ &t->call.method, COL_CALL_METHOD },
		{ &t->call.calls, COL_CALL_CALLS },
		{ &t->call.wall, COL_CALL_TOTAL_WALL },
		{ &t->call.cpu, COL_CALL_TOTAL_CPU },
		{ &t->thread.calls, COL_THREAD_CALLS },
		{ &t->thread.wall, COL_THREAD_WALL },
		{ &t->thread.cpu, COL_THREAD_CPU },
		{ &t->thread.call, COL_THREAD_CALL },
		{ &t->thread.size, COL_THREAD_SIZE },
		{ &t->call.self_wall, COL_CALL_SELF_WALL },
		{ &t->call.self_cpu, COL_CALL_SELF_CPU },
	};

	for (size_t i = 0; i < NELEM(want) - (t->kind == TREE_INVERTED ? 0 : 2); i++)
		if ((*want[i].to = store_column(t->st, want[i].col)) == NULL)
			return fail(err, E_USAGE, "no call tree in this file");
	t->rows = t->call.method->rows;
	return true;
}

/* ---- walking ------------------------------------------------------------------------------------ */

static struct call_tree *
calls_of(struct tree *t)
{
	return (struct call_tree *)t;
}

static uint32_t
tree_calls_parent_of(struct tree *tree, uint32_t id)
{
	struct call_tree *t = calls_of(tree);
	uint64_t row, parent, thread;

	if (id == TREE_ROOT)
		return 0;
	if (tree_calls_is_thread(t, id))
		return TREE_ROOT;
	row = id - first_call(t);
	parent = column_get(t->call.parent, row);
	if (parent != 0)
		return first_call(t) + (uint32_t)parent - 1;
	thread = call_thread(t->st, (uint32_t)row + 1);
	/* Of all threads each is at its id. */
	if (thread > 0 && thread <= t->nthreads && t->threads[thread - 1] == thread)
		return FIRST_THREAD + (uint32_t)thread - 1;
	for (uint32_t i = 0; i < t->nthreads; i++)
		if (t->threads[i] == thread)
			return FIRST_THREAD + i;
	return TREE_ROOT;
}

/* Totals less those of the children. */
static void
get_self(const struct call_tree *t, uint64_t row, uint64_t *wall, uint64_t *cpu)
{
	uint64_t end = row + column_get(t->call.size, row), size;

	*wall = column_get(t->call.wall, row);
	*cpu = column_get(t->call.cpu, row);
	for (row++; row < end && row < t->rows; row += size == 0 ? 1 : size) {
		*wall = tree_less(*wall, column_get(t->call.wall, row));
		*cpu = tree_less(*cpu, column_get(t->call.cpu, row));
		size = column_get(t->call.size, row);
	}
}

static void
get_call(struct call_tree *t, uint32_t id, struct tree_node *n)
{
	uint64_t row = id - first_call(t);

	n->parent = tree_calls_parent_of(&t->tree, id);
	n->method = (uint32_t)column_get(t->call.method, row);
	n->thread = call_thread(t->st, (uint32_t)row + 1);
	n->calls = column_get(t->call.calls, row);
	tree_weights(t, n->total, column_get(t->call.wall, row), column_get(t->call.cpu, row));
}

static void
tree_calls_add_thread(struct call_tree *t, uint32_t thread, struct tree_node *n)
{
	n->calls += column_get(t->thread.calls, thread - 1);
	n->total[CLOCK_WALL] = num_add(n->total[CLOCK_WALL], column_get(t->thread.wall, thread - 1));
	n->total[CLOCK_CPU] = num_add(n->total[CLOCK_CPU], column_get(t->thread.cpu, thread - 1));
}

static void
tree_calls_peek(struct tree *tree, uint32_t id, struct tree_node *n)
{
	struct call_tree *t = calls_of(tree);

	if (id >= first_call(t)) {
		get_call(t, id, n);
	} else if (tree_calls_is_thread(t, id)) {
		n->parent = TREE_ROOT;
		n->thread = t->threads[id - FIRST_THREAD];
		tree_calls_add_thread(t, n->thread, n);
		n->total[CLOCK_OFF] = tree_off(t, n->total[CLOCK_WALL], n->total[CLOCK_CPU]);
	} else if (id == TREE_ROOT) {
		n->thread = t->nthreads == 1 ? t->threads[0] : 0;
		for (uint32_t i = 0; i < t->nthreads; i++)
			tree_calls_add_thread(t, t->threads[i], n);
		n->total[CLOCK_OFF] = tree_off(t, n->total[CLOCK_WALL], n->total[CLOCK_CPU]);
	}
}

static void
tree_calls_get(struct tree *tree, uint32_t id, struct tree_node *n)
{
	struct call_tree *t = calls_of(tree);
	uint64_t wall, cpu;

	tree_calls_peek(tree, id, n);
	if (id < first_call(t))
		return;
	get_self(t, id - first_call(t), &wall, &cpu);
	tree_weights(t, n->self, wall, cpu);
}

static uint64_t
tree_calls_total(struct tree *tree, uint32_t id, enum clock clock)
{
	struct call_tree *t = calls_of(tree);
	struct tree_node n;
	uint64_t row;

	if (id >= first_call(t)) {
		row = id - first_call(t);
		return tree_weight(t, clock, clock == CLOCK_CPU ? 0 : column_get(t->call.wall, row),
		    clock == CLOCK_WALL ? 0 : column_get(t->call.cpu, row));
	}
	tree_get(tree, id, &n);
	return n.total[clock];
}

static uint32_t
tree_calls_first(struct tree *tree, uint32_t id)
{
	struct call_tree *t = calls_of(tree);
	uint64_t row;

	if (id == TREE_ROOT)
		return t->nthreads > 0 ? FIRST_THREAD : 0;
	if (tree_calls_is_thread(t, id)) {
		uint32_t thread = t->threads[id - FIRST_THREAD] - 1;

		row = column_get(t->thread.call, thread);
		return column_get(t->thread.size, thread) == 0 || row == 0 ? 0 :
		    first_call(t) + (uint32_t)row - 1;
	}
	row = id - first_call(t);
	return column_get(t->call.size, row) > 1 ? id + 1 : 0;
}

static uint32_t
tree_calls_next(struct tree *tree, uint32_t id)
{
	struct call_tree *t = calls_of(tree);
	uint64_t row, parent, end, thread;

	if (id == TREE_ROOT)
		return 0;
	if (tree_calls_is_thread(t, id))
		return id + 1 < first_call(t) ? id + 1 : 0;
	row = id - first_call(t);
	parent = column_get(t->call.parent, row);
	if (parent != 0) {
		end = parent - 1 + column_get(t->call.size, parent - 1);
	} else {
		thread = call_thread(t->st, (uint32_t)row + 1);
		end = column_get(t->thread.call, thread - 1) - 1 +
		    column_get(t->thread.size, thread - 1);
	}
	row += column_get(t->call.size, row);
	return row < end && row < t->rows && row >= id - first_call(t) + 1u ?
	    first_call(t) + (uint32_t)row : 0;
}

/* ---- opening -------------------------------------------------------------------------------- */

static const struct tree_ops tree_calls_ops = {
	.get = tree_calls_get, .peek = tree_calls_peek, .total = tree_calls_total, .first = tree_calls_first,
	    .next = tree_calls_next, .parent = tree_calls_parent_of, .close = call_tree_close
};

/* Takes over has, also on failure. */
static bool
open_call_tree(struct tree **out, const struct store *st, enum tree_kind kind, const uint32_t *threads,
    size_t n, uint8_t *has,
    struct err *err)
{
	struct call_tree *t = mem_array(1, sizeof *t);

	*out = NULL;
	if (t == NULL) {
		free(has);
		return fail(err, E_SYSTEM, "out of memory");
	}
	t->has = has;
	t->tree.ops = kind == TREE_CALLS ? &tree_calls_ops : &tree_grown_ops;
	t->st = st;
	t->kind = kind;
	t->differs = fact_value(st, FACT_WEIGHT_DIFFERS) != 0;
	if (!tree_calls_find_columns(t, err) || !tree_calls_take_threads(t, threads, n, err) ||
	    (kind != TREE_CALLS && !tree_grow_root(t, err))) {
		call_tree_close(&t->tree);
		return false;
	}
	*out = &t->tree;
	return true;
}

bool
tree_open(struct tree **out, const struct store *st, enum tree_kind kind,
    const uint32_t *threads, size_t n, struct err *err)
{
	/* Trees of heap dumps have functions of their own. */
	assert(kind == TREE_CALLS || kind == TREE_MERGED || kind == TREE_PROCESSES || kind == TREE_INVERTED);
	return open_call_tree(out, st, kind, threads, n, NULL, err);
}

bool
tree_open_methods(struct tree **out, const struct store *st, enum tree_kind kind, uint8_t *has,
    struct err *err)
{
	assert(kind == TREE_CALLERS || kind == TREE_CALLEES);
	return open_call_tree(out, st, kind, NULL, 0, has, err);
}
