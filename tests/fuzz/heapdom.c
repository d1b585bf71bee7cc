/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heapdom: dominators by iteration (Cooper, Harvey and Kennedy), to hold
 * against those of the program.  Quadratic on some graphs; for tests only.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_heap.h"
#include "heapwalk.h"

/* Nodes are objects, from 1, and behind them the root above all roots. */
struct graph {
	const struct heap	*h;
	uint32_t		*to, *first;	/* edges of node i: to[first[i]] .. to[first[i + 1] - 1] */
	uint32_t		 n, cap;
	uint32_t		*rank, *order;	/* rank: place in post-order, from 1; 0: not reached */
	uint32_t		*dom;		/* by rank */
	uint32_t		 reached;
	uint32_t		 root;
};

static void *
zeros(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	MUST(p != NULL);
	return p;
}

static uint64_t
cell(const struct heap *h, column_id column, uint64_t row)
{
	const struct column *c = store_column(h->st, column);

	MUST(c != NULL && row < c->rows);
	return column_get(c, row);
}

/* ---- edges ---------------------------------------------------------------------- */

static void
add_edge(struct graph *g, uint32_t to)
{
	if (g->n == g->cap) {
		g->cap = g->cap * 2 + 64;
		g->to = realloc(g->to, g->cap * sizeof *g->to);
		MUST(g->to != NULL);
	}
	MUST(to != 0 && to <= g->h->objects);
	g->to[g->n++] = to;
}

/* Objects on the stack of a known thread are children of the thread. */
static bool
on_thread(const struct heap *h, uint64_t row)
{
	uint64_t kind = cell(h, COL_ROOT_KIND, row), thread = cell(h, COL_ROOT_THREAD, row);

	switch (kind) {
	case ROOT_JNI_LOCAL:
	case ROOT_JAVA_FRAME:
	case ROOT_NATIVE_STACK:
	case ROOT_THREAD_BLOCK:
	case ROOT_JNI_MONITOR:
		return thread != 0 && cell(h, COL_JTHREAD_OBJECT, thread - 1) != 0;
	default:
		return false;
	}
}

static void
add_roots(struct graph *g)
{
	const struct column *c = store_column(g->h->st, COL_ROOT_OBJECT);
	uint64_t i;

	for (i = 0; c != NULL && i < c->rows; i++)
		if (!on_thread(g->h, i) && cell(g->h, COL_ROOT_KIND, i) != ROOT_V8_PART)
			add_edge(g, (uint32_t)column_get(c, i));
}

static void
add_object(struct graph *g, uint32_t object)
{
	const struct heap *h = g->h;
	uint32_t class = heap_class(h, object), to;
	enum heap_strength strength;
	struct heap_walk w;

	heap_out(h, object, &w);
	while ((to = heap_next(&w, &strength)) != 0)
		if (heap_counts(h, strength))
			add_edge(g, to);
	if (class != 0 && h->form == NULL && (to = (uint32_t)cell(h, COL_CLASS_OBJECT, class - 1)) != 0)
		add_edge(g, to);
}

/* Marks all objects that can be reached from object as seen. */
static void
spread(const struct graph *g, uint32_t object, bool *seen, uint32_t *stack)
{
	uint32_t n = 0, at, k;

	seen[object] = true;
	stack[n++] = object;
	while (n > 0) {
		at = stack[--n];
		for (k = g->first[at]; k < g->first[at + 1]; k++)
			if (!seen[g->to[k]]) {
				seen[g->to[k]] = true;
				stack[n++] = g->to[k];
			}
	}
}

/* Finds the objects that some object refers to: however weakly, or as counts. */
static bool *
find_referred(const struct graph *g, bool counts)
{
	enum heap_strength strength;
	bool *referred = zeros((size_t)g->root + 1, sizeof *referred);
	struct heap_walk w;
	uint32_t to;

	for (uint32_t i = 1; i <= g->h->objects; i++) {
		heap_out(g->h, i, &w);
		while ((to = heap_next(&w, &strength)) != 0)
			referred[to] |= !counts || heap_counts(g->h, strength);
	}
	return referred;
}

/*
 * Beside the n roots that there are: what nothing refers to, the first of each circle; in a dump without roots classes as well.
 */
static void
add_pseudo(struct graph *g, bool pseudo, uint32_t first, uint32_t n)
{
	bool *seen = zeros((size_t)g->root + 1, sizeof *seen), *referred = find_referred(g, false);
	uint32_t *stack = zeros((size_t)g->root + 1, sizeof *stack);
	uint32_t *root = zeros((size_t)g->root + 1, sizeof *root), nroots = 0, i;
	int round;

	for (i = 0; i < n; i++)
		spread(g, g->to[first + i], seen, stack);
	for (round = 0; round < 2; round++)
		for (i = 1; i <= g->h->objects; i++)
			if (round == 1 || !pseudo ? !seen[i] && (round == 1 ||
			    ((g->h->form != NULL || heap_kind(g->h, i) != HEAP_CLASS) && !referred[i])) :
			    heap_kind(g->h, i) == HEAP_CLASS || !referred[i]) {
				root[nroots++] = i;
				spread(g, i, seen, stack);
			}
	for (i = 0; i < nroots; i++)
		add_edge(g, root[i]);
	free(referred);
	free(seen);
	free(stack);
	free(root);
}

/* heap.rest: what nothing that counts refers to is held by the root; circles are too, object by object, and hold nothing. */
static void
add_rest(struct graph *g, uint32_t first)
{
	bool *seen = zeros((size_t)g->root + 1, sizeof *seen), *referred = find_referred(g, true);
	uint32_t *stack = zeros((size_t)g->root + 1, sizeof *stack), n = g->n;

	for (uint32_t i = first; i < n; i++)
		if (!seen[g->to[i]])
			spread(g, g->to[i], seen, stack);
	for (uint32_t i = 1; i <= g->h->objects; i++)
		if (!seen[i] && !referred[i]) {
			spread(g, i, seen, stack);
			add_edge(g, i);
		}
	for (uint32_t i = 1; i <= g->h->objects; i++) {
		if (seen[i])
			continue;
		for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++)
			g->to[k] = i;
		add_edge(g, i);
	}
	free(referred);
	free(seen);
	free(stack);
}

static void
build(struct graph *g)
{
	uint32_t i;

	g->first = zeros((size_t)g->root + 2, sizeof *g->first);
	for (i = 1; i <= g->h->objects; i++) {
		g->first[i] = g->n;
		add_object(g, i);
	}
	g->first[i] = g->n;
	if (store_fact_get(g->h->st, "heap.pseudo") == 0)
		add_roots(g);
	if (store_fact_get(g->h->st, "heap.rest") != 0)
		add_rest(g, g->first[i]);
	else if (store_fact_get(g->h->st, "heap.pseudo") != 0 || g->h->refs == REFS_UNREACHABLE)
		add_pseudo(g, store_fact_get(g->h->st, "heap.pseudo") != 0, g->first[i], g->n - g->first[i]);
	g->first[i + 1] = g->n;
}

/* ---- order and dominators --------------------------------------------------------- */

static void
visit_all(struct graph *g)
{
	uint32_t *stack = zeros((size_t)g->root + 1, sizeof *stack);
	uint32_t *next = zeros((size_t)g->root + 1, sizeof *next);
	bool *seen = zeros((size_t)g->root + 1, sizeof *seen);
	uint32_t n = 0, at, to;

	memcpy(next, g->first, ((size_t)g->root + 1) * sizeof *next);
	seen[g->root] = true;
	stack[n++] = g->root;
	while (n > 0) {
		at = stack[n - 1];
		if (next[at] < g->first[at + 1]) {
			to = g->to[next[at]++];
			if (!seen[to]) {
				seen[to] = true;
				stack[n++] = to;
			}
		} else {
			g->order[++g->reached] = at;
			g->rank[at] = g->reached;
			n--;
		}
	}
	free(stack);
	free(next);
	free(seen);
}

static uint32_t
meet(const uint32_t *dom, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (a < b)
			a = dom[a];
		while (b < a)
			b = dom[b];
	}
	return a;
}

/* Who refers to each node, both by rank: g->to and g->first turned round. */
static void
turn(const struct graph *g, uint32_t *from, uint32_t *start)
{
	uint32_t i, k, r;

	for (r = 1; r <= g->reached; r++)
		for (k = g->first[g->order[r]]; k < g->first[g->order[r] + 1]; k++)
			start[g->rank[g->to[k]]]++;
	for (i = 1; i <= g->reached + 1; i++)
		start[i] += start[i - 1];
	for (r = 1; r <= g->reached; r++)
		for (k = g->first[g->order[r]]; k < g->first[g->order[r] + 1]; k++)
			from[--start[g->rank[g->to[k]]]] = r;
}

static bool
one_round(struct graph *g, const uint32_t *from, const uint32_t *start)
{
	uint32_t r, k, new;
	bool changed = false;

	for (r = g->reached - 1; r > 0; r--) {
		new = 0;
		for (k = start[r]; k < start[r + 1] && new != g->reached; k++)
			if (g->dom[from[k]] != 0)
				new = new == 0 ? from[k] : meet(g->dom, new, from[k]);
		changed |= g->dom[r] != new;
		g->dom[r] = new;
	}
	return changed;
}

static void
solve(struct graph *g)
{
	uint32_t *start = zeros((size_t)g->reached + 2, sizeof *start);
	uint32_t *from = zeros(g->n, sizeof *from);

	turn(g, from, start);
	g->dom[g->reached] = g->reached;
	while (one_round(g, from, start))
		;
	free(from);
	free(start);
}

static uint32_t
compare(const struct graph *g)
{
	uint32_t i, d, wrong = 0;

	for (i = 1; i <= g->h->objects; i++) {
		d = g->rank[i] == 0 ? 0 : g->order[g->dom[g->rank[i]]];
		if (d == g->root)
			d = HEAP_ROOT;
		wrong += d != heap_dominator(g->h, i);
	}
	return wrong;
}

uint32_t
heapdom_differ(const struct heap *h)
{
	struct graph g = { .h = h, .root = h->objects + 1 };
	uint32_t wrong;

	g.rank = zeros((size_t)g.root + 1, sizeof *g.rank);
	g.order = zeros((size_t)g.root + 1, sizeof *g.order);
	g.dom = zeros((size_t)g.root + 1, sizeof *g.dom);
	build(&g);
	visit_all(&g);
	solve(&g);
	wrong = compare(&g);
	free(g.to);
	free(g.first);
	free(g.rank);
	free(g.order);
	free(g.dom);
	return wrong;
}
