/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ruby_graph: references, and objects that are alive though no root in the file leads to them.
 *
 * The collector marks the class of each object, but the dump does not list it.  Ruby 3.4 and later do not list
 * finalizers, and parts of a dump have no roots at all.
 */
#include "config.h"

#include "ruby.h"

#define GRAPH_TICK 4096u	/* objects between two looks at the clock */

struct graph {
	struct ruby	*r;
	struct lists_in	 lists;
	ARRAY(uint64_t)	 at;		/* begin of each list, and the end of the last one */
	ARRAY(uint32_t)	 targets;	/* references of one object; then objects to follow */
	ARRAY(uint64_t)	 reached, behind;	/* bits by number - 1; behind: a lost object refers to it */
	ARRAY(struct lost) lost;
	uint64_t	 nlost;
};

/* An object that is alive by its mark and that no root reaches. */
struct lost {
	uint64_t	place;
	uint32_t	object;
};

/* ---- lists ------------------------------------------------------------------------------------- */

static bool
ruby_put_list(struct graph *g, uint32_t object)
{
	struct ruby *r = g->r;
	const struct ruby_kind *k = &r->kinds.at[r->kind.at[object - 1] - 1];
	struct str list = ruby_list(r, object);
	uint64_t addr, n = 0;
	uint32_t to;

	for (; ruby_line_next(&list, &addr); r->count.references++) {
		to = heap_ids_find(&r->ids, addr);
		if (to == 0)
			r->count.missing++;
		else if (!array_add(&g->targets, &n, &to, r->err))
			return false;
	}
	r->count.missing_classes += k->addr != 0 && k->object == 0;
	if (k->object != 0 && !array_add(&g->targets, &n, &k->object, r->err))
		return false;
	g->at.at[object - 1] = g->lists.pos;
	lists_in_put(&g->lists, object, HEAP_STRONG, NULL, 0, g->targets.at, n);
	return true;
}

static bool
ruby_put_lists(struct graph *g)
{
	struct ruby *r = g->r;

	work_start(r->work, "references", r->n);
	if (!array_grow(&g->at, r->n + 1ull, r->err) ||
	    !lists_in_open(&g->lists, r->st, r->n, r->count.links + r->n, r->err))
		return false;
	for (uint32_t object = 1; object <= r->n; object++)
		if (!work_each(r->work, object, GRAPH_TICK, r->err) || !ruby_put_list(g, object))
			return false;
	g->at.at[r->n] = g->lists.pos;
	return true;
}

/* ---- what roots reach ------------------------------------------------------------------------------ */

static inline bool
graph_bit(const uint64_t *bits, uint32_t object)
{
	return bits[(object - 1) / 64] >> (object - 1) % 64 & 1;
}

static inline void
graph_set(uint64_t *bits, uint32_t object)
{
	bits[(object - 1) / 64] |= UINT64_C(1) << (object - 1) % 64;
}

/* Sets the bits of the targets of an object other than itself; those that are new get in line. */
static bool
follow(struct graph *g, uint64_t *bits, uint32_t object, uint64_t *todo)
{
	const uint8_t *p = g->lists.data + g->at.at[object - 1], *end = g->lists.data + g->at.at[object];
	uint32_t to = object;
	uint64_t step;

	if (g->lists.len[object - 1] == HEAP_LONG_LIST)
		packed_number(&p, end);
	while (p < end) {
		step = packed_number(&p, end);
		to += (uint32_t)(step >> 1) ^ -(uint32_t)(step & 1);
		if (to == object || graph_bit(bits, to))
			continue;
		graph_set(bits, to);
		if (todo != NULL && !array_add(&g->targets, todo, &to, g->r->err))
			return false;
	}
	return true;
}

static bool
ruby_reach(struct graph *g, uint32_t from)
{
	uint64_t todo = 0, steps = 0;

	if (graph_bit(g->reached.at, from))
		return true;
	graph_set(g->reached.at, from);
	if (!array_add(&g->targets, &todo, &from, g->r->err))
		return false;
	while (todo > 0)
		if (!work_each(g->r->work, ++steps, GRAPH_TICK, g->r->err) ||
		    !follow(g, g->reached.at, g->targets.at[--todo], &todo))
			return false;
	return true;
}

/* In the order of the file. */
static bool
find_lost(struct graph *g)
{
	struct ruby *r = g->r;
	struct lost lost;

	for (lost.object = 1; lost.object <= r->n; lost.object++) {
		if (graph_bit(g->reached.at, lost.object) ||
		    (r->count.rooted && (r->type.at[lost.object - 1] & RUBY_IS_MARKED) == 0))
			continue;
		lost.place = r->place.at[lost.object - 1];
		if (!array_add(&g->lost, &g->nlost, &lost, r->err) || !follow(g, g->behind.at, lost.object, NULL))
			return false;
	}
	return make_sort(&g->lost.raw, g->nlost, sizeof *g->lost.at, r->work, r->err);
}

/* First those that no other one refers to, then what is left of circles. */
static bool
root_lost(struct graph *g, bool circles)
{
	struct ruby *r = g->r;
	struct root_in root = { .kind = r->count.rooted ? ROOT_RUBY_LOST : ROOT_RUBY_NONE };

	for (uint64_t i = 0; i < g->nlost; i++) {
		root.object = g->lost.at[i].object;
		if (graph_bit(g->reached.at, root.object) || (!circles && graph_bit(g->behind.at, root.object)))
			continue;
		if (!array_add(&r->roots, &r->nroots, &root, r->err) || !ruby_reach(g, root.object))
			return false;
		r->count.found += r->count.rooted;
	}
	return true;
}

static bool
ruby_find_roots(struct graph *g)
{
	struct ruby *r = g->r;
	uint64_t words = r->n / 64 + 1;

	if (!array_grow(&g->reached, words, r->err) || !array_grow(&g->behind, words, r->err))
		return false;
	for (uint64_t i = 0; i < r->nroots; i++)
		if (!ruby_reach(g, r->roots.at[i].object))
			return false;
	return find_lost(g) && root_lost(g, false) && root_lost(g, true);
}

bool
ruby_graph(struct ruby *r)
{
	struct graph g = { .r = r };
	bool ok = ruby_put_lists(&g) && ruby_find_roots(&g) && lists_in_close(&g.lists);

	SCRATCH_FREE(&g.at, &g.targets, &g.reached, &g.behind, &g.lost);
	return ok;
}
