/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merged and inverted trees, those of processes, and those of chosen methods, made node by node on demand.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "call_tree.h"

/* A deep recursion turned round grows with the square of its depth: there is an end to it. */
#define ENTRIES_MOST (32u << 20)

static uint32_t
new_grown(struct call_tree *t, uint32_t parent, uint32_t method)
{
	struct grown *g;

	if (!array_grow(&t->grown, t->ngrown + 1u, NULL))
		return 0;
	g = grown(t, ++t->ngrown);
	g->parent = parent;
	g->method = method;
	g->depth = parent == 0 ? 0 : grown(t, parent)->depth + 1;
	return t->ngrown;
}

/* Add a call to the set of the child of id for its method. */
static bool
tree_grow_join(struct call_tree *t, uint32_t id, uint32_t at, uint32_t leaf, uint32_t *child)
{
	uint32_t method = (uint32_t)column_get(t->call.method, at - 1);
	uint32_t *group = t->group.at;
	bool inverted = t->kind == TREE_INVERTED;
	uint64_t wall, cpu;
	struct grown *g;

	if (method > t->nmethods)
		return false;
	*child = group[method];
	if (*child == 0 || *child > t->ngrown || grown(t, *child)->parent != id) {
		if ((*child = new_grown(t, id, method)) == 0)
			return false;
		group[method] = *child;
	}
	/* Ids of children are larger than those of their parents. */
	assert(*child > id);
	g = grown(t, *child);
	wall = column_get(inverted ? t->call.self_wall : t->call.wall, leaf - 1);
	cpu = column_get(inverted ? t->call.self_cpu : t->call.cpu, leaf - 1);
	g->nentries++;
	g->calls += column_get(t->call.calls, leaf - 1);
	g->wall = num_add(g->wall, wall);
	g->cpu = num_add(g->cpu, cpu);
	g = grown(t, id);
	g->inner_wall = num_add(g->inner_wall, wall);
	g->inner_cpu = num_add(g->inner_cpu, cpu);
	return true;
}

/*
 * Calls do with each (call, leaf) below the node: for the root, the calls where the tree begins; otherwise
 * those one step further.
 */
typedef bool (*visit)(struct call_tree *, uint32_t id, uint32_t at, uint32_t leaf);

/* No sample ended in the call, so it is skipped. */
static bool
is_passed(const struct call_tree *t, uint64_t at)
{
	return column_get(t->call.calls, at - 1) == 0 && column_get(t->call.self_wall, at - 1) == 0 &&
	    column_get(t->call.self_cpu, at - 1) == 0;
}

/* Return whether the tree begins at the call; step leads past calls that a chosen one made. */
static bool
begins(const struct call_tree *t, uint64_t at, uint64_t size, uint64_t *step)
{
	uint64_t method;

	*step = 1;
	if (t->kind == TREE_INVERTED)
		return !is_passed(t, at);
	method = column_get(t->call.method, at - 1);
	if (t->has != NULL && (method > t->nmethods || t->has[method] == 0))
		return false;
	*step = size == 0 ? 1 : size;
	return true;
}

/* The calls among at up to end where the tree begins: of a merged tree at and its next siblings. */
static bool
each_beginning(struct call_tree *t, uint32_t id, uint64_t at, uint64_t end, visit v)
{
	uint64_t step;

	for (; at > 0 && at < end && at <= t->rows; at += step)
		if (begins(t, at, column_get(t->call.size, at - 1), &step) &&
		    !v(t, id, (uint32_t)at, (uint32_t)at))
			return false;
	return true;
}

/* Call at and its next siblings before end. */
static bool
each_call(struct call_tree *t, uint32_t id, uint64_t at, uint64_t end, visit v)
{
	uint64_t size;

	for (; at > 0 && at < end && at <= t->rows; at += size == 0 ? 1 : size) {
		size = column_get(t->call.size, at - 1);
		if (!v(t, id, (uint32_t)at, (uint32_t)at))
			return false;
	}
	return true;
}

/* The node of a process: its method is the process, its entries are threads. */
static bool
is_process(const struct call_tree *t, const struct grown *g)
{
	return t->kind == TREE_PROCESSES && g->depth == 1;
}

static bool
each_of_threads(struct call_tree *t, uint32_t id, uint64_t from, uint64_t end, visit v)
{
	for (uint64_t i = from; i < end; i++) {
		uint64_t at = column_get(t->thread.call, t->threads[i] - 1);
		uint64_t n = column_get(t->thread.size, t->threads[i] - 1);

		if (!each_beginning(t, id, at, at + n, v))
			return false;
	}
	return true;
}

static bool
each_below(struct call_tree *t, uint32_t id, visit v)
{
	uint64_t from = grown(t, id)->entry, n = grown(t, id)->nentries, up;

	if (id == TREE_ROOT)
		return each_of_threads(t, id, 0, t->nthreads, v);
	if (is_process(t, grown(t, id)))
		return each_of_threads(t, id, from, from + n, v);
	for (uint64_t i = from; i < from + n; i++) {
		struct tree_entry e = t->entries.at[i];

		if (tree_is_upward(t)) {
			/* Callers precede their callees, so a path upwards ends. */
			up = column_get(t->call.parent, e.at - 1);
			if (up != 0 && up < e.at &&
			    !v(t, id, (uint32_t)up, e.leaf))
				return false;
		} else if (!each_call(t, id, e.at + 1u, e.at +
		    column_get(t->call.size, e.at - 1), v)) {
			return false;
		}
	}
	return true;
}

static bool
count_entry(struct call_tree *t, uint32_t id, uint32_t at, uint32_t leaf)
{
	uint32_t child;

	return tree_grow_join(t, id, at, leaf, &child);
}

static bool
place_entry(struct call_tree *t, UNUSED uint32_t id, uint32_t at, uint32_t leaf)
{
	uint32_t method = (uint32_t)column_get(t->call.method, at - 1);
	struct grown *g = grown(t, t->group.at[method]);

	/* The entry was counted by count_entry. */
	assert(g->entry + g->nentries < t->nentries);
	t->entries.at[g->entry + g->nentries++] =
	    (struct tree_entry){ at, leaf };
	return true;
}

static int
tree_grow_by_weight(const void *a, const void *b)
{
	const struct grown *x = a, *y = b;

	return num_order(y->wall, x->wall, num_order(y->cpu, x->cpu, num_order(x->method, y->method, 0)));
}

/* Children get ids in a row; they are put in order before anybody sees them. */
static bool
tree_grow_expand(struct call_tree *t, uint32_t id)
{
	uint32_t from = t->ngrown + 1;
	uint64_t total = 0;

	assert(id > 0 && id <= t->ngrown && !grown(t, id)->expanded);
	grown(t, id)->expanded = 1;
	if (!each_below(t, id, count_entry))
		return false;
	if (t->ngrown < from)
		return true;
	qsort(grown(t, from), t->ngrown - from + 1, sizeof(struct grown), tree_grow_by_weight);
	for (uint32_t i = from; i <= t->ngrown; i++) {
		struct grown *g = grown(t, i);

		t->group.at[g->method] = i;
		g->entry = t->nentries + total;
		total += g->nentries;
		g->nentries = 0;
		assert(g->parent == id && g->nentries == 0 && !g->expanded);
		g->next = i < t->ngrown ? i + 1 : 0;
	}
	if (t->nentries + total > t->most || !array_grow(&t->entries,
	    t->nentries + total, NULL))
		return false;
	t->nentries += total;
	grown(t, id)->first = from;
	return each_below(t, id, place_entry);
}

static void
tree_grow_add_thread(const struct call_tree *t, struct grown *g, uint32_t row)
{
	g->calls += column_get(t->thread.calls, row);
	g->wall = num_add(g->wall, column_get(t->thread.wall, row));
	g->cpu = num_add(g->cpu, column_get(t->thread.cpu, row));
}

static int
tree_grow_by_key(const void *a, const void *b)
{
	return num_order(*(const uint64_t *)a, *(const uint64_t *)b, 0);
}

/* Order the threads by their processes. */
static bool
sort_by_process(struct call_tree *t, struct err *err)
{
	uint64_t *key = mem_array((size_t)t->nthreads + 1, sizeof *key);

	if (key == NULL)
		return fail_memory(err, "processes");
	for (uint32_t i = 0; i < t->nthreads; i++)
		key[i] = (uint64_t)thread_process(t->st, t->threads[i]) << 32 | t->threads[i];
	qsort(key, t->nthreads, sizeof *key, tree_grow_by_key);
	for (uint32_t i = 0; i < t->nthreads; i++)
		t->threads[i] = (uint32_t)key[i];
	free(key);
	return true;
}

/* The root is expanded from the start: processes are few. */
static bool
tree_grow_processes(struct call_tree *t, struct err *err)
{
	uint32_t process, id = TREE_ROOT;
	struct grown *g;

	if (!sort_by_process(t, err))
		return false;
	for (uint32_t i = 0; i < t->nthreads; i++) {
		process = thread_process(t->st, t->threads[i]);
		if (id == TREE_ROOT || grown(t, id)->method != process) {
			if ((id = new_grown(t, TREE_ROOT, process)) == 0)
				return fail_memory(err, "tree");
			grown(t, id)->entry = i;
		}
		grown(t, id)->nentries++;
		tree_grow_add_thread(t, grown(t, id), t->threads[i] - 1);
	}
	g = grown(t, TREE_ROOT);
	g->expanded = 1;
	g->first = id == TREE_ROOT ? 0 : TREE_ROOT + 1;
	g->inner_wall = g->wall;
	g->inner_cpu = g->cpu;
	if (id != TREE_ROOT)
		qsort(g + 1, t->ngrown - TREE_ROOT, sizeof *g, tree_grow_by_weight);
	for (id = TREE_ROOT + 1; id < t->ngrown; id++)
		grown(t, id)->next = id + 1;
	return true;
}

bool
tree_grow_root(struct call_tree *t, struct err *err)
{
	struct grown *g;
	uint64_t size;

	t->nmethods = store_column(t->st, COL_METHOD_RAW)->rows;
	if (!array_grow(&t->group, t->nmethods + 1, err))
		return false;
	if (new_grown(t, 0, 0) == 0)
		return fail_memory(err, "tree");
	g = grown(t, TREE_ROOT);
	assert(t->ngrown == TREE_ROOT);
	for (uint32_t i = 0; i < t->nthreads; i++) {
		uint32_t row = t->threads[i] - 1;

		tree_grow_add_thread(t, g, row);
		size = column_get(t->thread.size, row);
		t->most += size < t->rows ? size : t->rows;
	}
	/* In a top-down tree each call is in one node, whatever sizes a damaged index has. */
	if (tree_is_upward(t) || t->most > ENTRIES_MOST)
		t->most = ENTRIES_MOST;
	return t->kind != TREE_PROCESSES || tree_grow_processes(t, err);
}

/* ---- walking -------------------------------------------------------------------------------- */

/* Return a node; all zeros if there is no such node. */
static const struct grown *
tree_grow_node_of(struct tree *tree, uint32_t id)
{
	static const struct grown none;
	struct call_tree *t = (struct call_tree *)tree;

	return id == 0 || id > t->ngrown ? &none : grown(t, id);
}

/* Without room a node has no children rather than wrong ones. */
static uint32_t
tree_grow_first(struct tree *tree, uint32_t id)
{
	struct call_tree *t = (struct call_tree *)tree;

	if (id == 0 || id > t->ngrown)
		return 0;
	if (!grown(t, id)->expanded && !tree_grow_expand(t, id)) {
		grown(t, id)->first = 0;
		tree->full = true;
	}
	return grown(t, id)->first;
}

static void
tree_grow_peek(struct tree *tree, uint32_t id, struct tree_node *n)
{
	struct call_tree *t = (struct call_tree *)tree;
	const struct grown *g = tree_grow_node_of(tree, id);

	n->parent = g->parent;
	if (is_process(t, g))
		n->process = g->method;
	else
		n->method = g->method;
	n->thread = t->nthreads == 1 ? t->threads[0] : 0;
	n->depth = g->depth;
	n->calls = g->calls;
	tree_weights(t, n->total, g->wall, g->cpu);
}

static void
tree_grow_get(struct tree *tree, uint32_t id, struct tree_node *n)
{
	const struct grown *g;

	tree_grow_first(tree, id);	/* the self time is known once there are children */
	tree_grow_peek(tree, id, n);
	g = tree_grow_node_of(tree, id);
	tree_weights((struct call_tree *)tree, n->self, tree_less(g->wall, g->inner_wall),
	    tree_less(g->cpu, g->inner_cpu));
}

static uint64_t
tree_grow_total(struct tree *tree, uint32_t id, enum clock clock)
{
	const struct grown *g = tree_grow_node_of(tree, id);

	return tree_weight((struct call_tree *)tree, clock, g->wall, g->cpu);
}

static uint32_t
tree_grow_next(struct tree *tree, uint32_t id)
{
	return tree_grow_node_of(tree, id)->next;
}

static uint32_t
tree_grow_parent_of(struct tree *tree, uint32_t id)
{
	return tree_grow_node_of(tree, id)->parent;
}

static uint64_t
tree_grow_cost(struct tree *tree, uint32_t id)
{
	const struct call_tree *t = (struct call_tree *)tree;
	const struct grown *g = tree_grow_node_of(tree, id);

	if (id == TREE_ROOT && !g->expanded)
		return t->kind == TREE_MERGED ? t->nthreads : t->rows;
	return g->expanded ? 0 : g->nentries;
}

void
call_tree_close(struct tree *tree)
{
	struct call_tree *t = (struct call_tree *)tree;

	SCRATCH_FREE(&t->grown, &t->entries, &t->group);
	free(t->threads);
	free(t->has);
	free(t);
}

const struct tree_ops tree_grown_ops = {
	.get = tree_grow_get, .peek = tree_grow_peek, .total = tree_grow_total, .first = tree_grow_first,
	    .next = tree_grow_next, .parent = tree_grow_parent_of, .cost = tree_grow_cost,
	.close = call_tree_close
};
