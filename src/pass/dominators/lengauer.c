/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lengauer: dominators of the core, by the simple algorithm of Lengauer and
 * Tarjan ("A fast algorithm for finding dominators in a flowgraph", 1979) with
 * path compression and no recursion.
 *
 * Only edges that are not of the search tree are kept as predecessors: the parent
 * is known.  Chosen because it is never quadratic: iterative algorithms and Semi-NCA are, on the long lists
 * and rings of ordinary Java heaps.
 */
#include "config.h"

#include <assert.h>

#include "dominators.h"

#define TICK 4096u		/* each may read swapped-out data at random */
#define AHEAD 16u		/* sources so far in front are fetched */

struct solver {
	struct dominators *d;
	struct node	*node;
	ARRAY(uint32_t)	bucket;	/* by core number: the first whose semidominator it is */
	ARRAY(uint32_t)	path;
};

static inline uint32_t
sorted_of(const struct dominators *d, uint32_t target)
{
	const uint32_t *from = d->from.at;

	return from == NULL ? 0 : from[target + 1] - from[target];
}

/* Places sources by target: a counting sort of edges and of those that were sorted before. */
static bool
place_sources(const struct dominators *d, uint32_t *from, uint32_t *source)
{
	const struct edge *edge = d->edges.at;
	uint32_t k;

	for (uint64_t i = 0; i < d->nedges; i++) {
		if (i % TICK == 0 && !work_go(d->work, 0, d->err))
			return false;
		from[edge[i].target]++;
	}
	for (k = 1; k <= d->ncore; k++)
		from[k] += from[k - 1] + sorted_of(d, k);
	from[k] = from[k - 1];
	assert(k == d->ncore + 1);
	for (uint64_t i = d->nedges; i > 0; i--) {
		if (i % TICK == 0 && !work_go(d->work, 0, d->err))
			return false;
		source[--from[edge[i - 1].target]] = edge[i - 1].source;
	}
	for (k = 1; k <= d->ncore; k++)
		for (uint32_t i = sorted_of(d, k); i > 0; i--)
			source[--from[k]] = d->source.at[d->from.at[k] + i - 1];
	assert(from[0] == 0 && from[1] == 0);
	return true;
}

/* The nodes reuse the memory of the edges. */
static bool
sort_edges(struct dominators *d)
{
	ARRAY(uint32_t) from = ARRAY_INIT, source = ARRAY_INIT;
	uint64_t n = d->nedges + (d->from.raw.data == NULL ? 0 : d->from.at[d->ncore + 1]);

	if (n > UINT32_MAX)
		return fail(d->err, E_SYSTEM, "too many references (limit: 4 294 967 295)");
	if (!array_grow(&from, (uint64_t)d->ncore + 2, d->err) || !array_grow(&source, n, d->err) ||
	    !place_sources(d, from.at, source.at)) {
		SCRATCH_FREE(&from, &source);
		return false;
	}
	SCRATCH_FREE(&d->from, &d->source, &d->edges);
	d->nedges = 0;
	d->from.raw = from.raw;
	d->source.raw = source.raw;
	return true;
}

static bool
put_nodes(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	const struct dominators *d = arg;
	const uint32_t *number = d->number.at;
	struct node *node = d->nodes.at;

	for (uint32_t i = (uint32_t)from + 1; i <= to; i++) {
		/* The parent of a node that is not folded is not folded. */
		node[i] = (struct node){ core_of(d, parent_of(d, number[i])), i, i, 0 };
		if (!work_each(w, i, TICK, err))
			return false;
	}
	return work_go(w, to, err);
}

static bool
make_nodes(struct solver *s)
{
	struct dominators *d = s->d;

	if (!array_grow(&d->nodes, (uint64_t)d->ncore + 1, d->err) ||
	    !array_grow(&s->bucket, (uint64_t)d->ncore + 1, d->err))
		return false;
	s->node = d->nodes.at;
	return pool_ranges(d->work, d->ncore, put_nodes, d, d->err);
}

/*
 * The one with the least semi on the way from v up to, and without, the first that is
 * below floor: those from floor on are linked to their parents.
 */
static bool
eval(struct solver *s, uint32_t v, uint32_t floor, uint32_t *best)
{
	struct node *node = s->node, *at;
	uint32_t x = v;
	uint64_t n = 0;

	/* The way up ends at the root, whose up is 0. */
	assert(floor > 0);
	for (; node[x].up >= floor; x = node[x].up)
		if (!array_add(&s->path, &n, &x, s->d->err))
			return false;
	for (struct node *above = &node[x]; n > 0; above = at) {
		at = &node[s->path.at[--n]];
		if (node[above->best].semi < node[at->best].semi)
			at->best = above->best;
		at->up = above->up;
	}
	*best = node[v].best;
	return true;
}

static bool
semidominator(struct solver *s, uint32_t w, uint32_t parent)
{
	const uint32_t *from = s->d->from.at;
	const uint32_t *source = s->d->source.at;
	const struct node *near;
	uint32_t semi = parent, v, best;

	assert(parent < w && w <= s->d->ncore);
	for (uint32_t i = from[w]; i < from[w + 1] && i >= AHEAD; i++) {
		near = &s->node[source[i - AHEAD / 2]];
		__builtin_prefetch(&s->node[source[i - AHEAD]]);
		__builtin_prefetch(&s->node[near->up]);
		__builtin_prefetch(&s->node[near->best]);
	}
	for (uint32_t i = from[w]; i < from[w + 1]; i++) {
		v = source[i];
		if (v > w) {
			if (!eval(s, v, w + 1, &best))
				return false;
			v = s->node[best].semi;
		}
		if (v < semi)
			semi = v;
	}
	assert(semi <= parent && parent < w);
	s->node[w].semi = semi;
	return true;
}

/* Decides on all nodes whose semidominator is parent, now that w is linked to it. */
static bool
empty_bucket(struct solver *s, uint32_t w, uint32_t parent)
{
	uint32_t *bucket = s->bucket.at, next, best;

	for (uint32_t v = bucket[parent]; v != 0; v = next) {
		next = s->node[v].idom;
		assert(s->node[v].semi == parent);
		if (!eval(s, v, w, &best))
			return false;
		s->node[v].idom = s->node[best].semi < parent ? best : parent;
	}
	bucket[parent] = 0;
	return true;
}

static bool
lengauer_run(struct solver *s)
{
	uint32_t *bucket = s->bucket.at, parent;
	struct node *node = s->node;

	work_start(s->d->work, "dominators", s->d->ncore);
	for (uint32_t w = s->d->ncore; w > 0; w--) {
		if (w % TICK == 0 && !work_go(s->d->work, s->d->ncore - w, s->d->err))
			return false;
		/* w is not linked yet, so up is still its parent: no path compression has changed it. */
		parent = node[w].up;
		if (!semidominator(s, w, parent))
			return false;
		assert(node[w].semi <= parent);
		if (node[w].semi == parent) {
			node[w].idom = parent;
		} else {
			node[w].idom = bucket[node[w].semi];
			bucket[node[w].semi] = w;
		}
		if (bucket[parent] != 0 && !empty_bucket(s, w, parent))
			return false;
	}
	/* The last node hangs below the root, and so all are decided. */
	assert(bucket[0] == 0);
	for (uint32_t w = 1; w <= s->d->ncore; w++) {
		if (w % TICK == 0 && !work_go(s->d->work, s->d->ncore, s->d->err))
			return false;
		if (node[w].idom != node[w].semi)
			node[w].idom = node[node[w].idom].idom;
	}
	return true;
}

bool
dominators_lengauer(struct dominators *d)
{
	struct solver s = { .d = d };
	bool ok = sort_edges(d) && make_nodes(&s) && lengauer_run(&s);

	SCRATCH_FREE(&s.bucket, &s.path);
	return ok;
}
