/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dominators: which object keeps which alive, and how much memory.  One pass for each choice of references
 * and of sizes; each keeps its own columns.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_dominators.h"
#include "icecore/columns_objects.h"
#include "dominators.h"

#define TICK 65536u

/*
 * ---- dominators of everything from those of the core, and edges to classes that turn out to matter --------
 */

/* Edges between numbers become edges between core numbers; their ends are not folded. */
static bool
turn_edges(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	const struct dominators *d = arg;
	struct edge *edge = d->edges.at;

	for (uint64_t i = from; i < to; i++)
		edge[i] = (struct edge){ core_of(d, edge[i].target), core_of(d, edge[i].source) };
	return work_go(w, to, err);
}

static bool
number_core(struct dominators *d)
{
	const uint64_t *fold;
	uint32_t *rank, *number, i, n = 0;
	uint64_t core;

	if (!array_grow(&d->rank, (uint64_t)d->n / 64 + 1, d->err))
		return false;
	rank = d->rank.at;
	/* Neither 0 nor numbers beyond the last one belong to the core. */
	set_bit(&d->fold.raw, 0);
	for (i = d->n + 1; i % 64 != 0; i++)
		set_bit(&d->fold.raw, i);
	fold = d->fold.at;
	for (i = 0; i <= d->n / 64; i++) {
		rank[i] = n;
		n += heap_ones(~fold[i]);
	}
	assert(n <= d->n);
	d->ncore = n;
	if (!array_grow(&d->number, (uint64_t)n + 1, d->err))
		return false;
	number = d->number.at;
	for (n = i = 0; i <= d->n / 64; i++)
		for (core = ~fold[i]; core != 0; core &= core - 1)
			number[++n] = i * 64 + (uint32_t)__builtin_ctzll(core);
	assert(n == d->ncore);
	return pool_ranges(d->work, d->nedges, turn_edges, d, d->err);
}

/* ---- places in the dominator tree --------------------------------------------------- */

/*
 * Swap search parents and dominators of core nodes; a second call swaps back.  In folded nodes both are
 * equal.
 */
static bool
turn_parents(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	const struct dominators *d = arg;
	const uint32_t *number = d->number.at;
	struct node *node = d->nodes.at;
	uint32_t *parent, other;

	for (uint64_t i = from + 1; i <= to; i++) {
		if (!work_each(w, i, TICK, err))
			return false;
		parent = &d->parent[number[i] - 1];
		other = *parent;
		*parent = number[node[i].idom];
		node[i].idom = core_of(d, other);
	}
	return work_go(w, to, err);
}

static bool
find_places(struct dominators *d)
{
	uint32_t *first, *size, i, at, above;

	if (!array_grow(&d->first, (uint64_t)d->n + 1, d->err) ||
	    !array_grow(&d->size, (uint64_t)d->n + 1, d->err))
		return false;
	first = d->first.at;
	size = d->size.at;
	for (i = 0; i <= d->n; i++) {
		if (!work_each(d->work, i, TICK, d->err))
			return false;
		size[i] = 1;
	}
	for (i = d->n; i > 0; i--) {
		if (i % TICK == 0 && !work_go(d->work, d->n - i, d->err))
			return false;
		size[parent_of(d, i)] += size[i];
	}
	assert(size[0] == d->n + 1);
	/* Once a node has a place, first[] is where its next child goes. */
	for (first[0] = 1, i = 1; i <= d->n; i++) {
		if (!work_each(d->work, i, TICK, d->err))
			return false;
		above = parent_of(d, i);
		assert(above < i);
		at = first[above];
		first[above] += size[i];
		first[i] = at + 1;
	}
	/*
	 * By now first[i] has advanced by the subtree sizes of all children of i, and by i itself: take that
	 * back.
	 */
	for (i = 0; i <= d->n; i++) {
		if (!work_each(d->work, i, TICK, d->err))
			return false;
		first[i] -= size[i];
	}
	assert(first[0] == 0);
	return true;
}

/* ---- classes -------------------------------------------------------------------------- */

/*
 * Instances of one class outside of what dominates the class: the outermost ones in preorder, as their places
 * << 32 and their numbers.
 */
struct outside {
	uint32_t	held;		/* the number of the class */
	uint32_t	top;		/* the number that dominates it; 0 dominates everything */
	_Atomic uint64_t low, high;	/* 0: there is none */
};

/* Finds the dominator of each class that only instances hold; false if there are none. */
static bool
dominators_find_tops(const struct dominators *d, struct outside *out)
{
	bool any = false;

	for (uint32_t c = 1; c <= d->h.classes; c++) {
		out[c].held = d->held_number[c];
		assert(out[c].held <= d->n);
		if (out[c].held != 0)
			out[c].top = parent_of(d, out[c].held);
		any |= out[c].top != 0;
	}
	return any;
}

static inline void
dominators_widen(struct outside *of, uint64_t at)
{
	uint64_t low = atomic_load_explicit(&of->low, memory_order_relaxed);
	uint64_t high = atomic_load_explicit(&of->high, memory_order_relaxed);

	assert(at != 0);
	while ((low == 0 || at < low) && !atomic_compare_exchange_weak(&of->low, &low, at))
		;
	while (at > high && !atomic_compare_exchange_weak(&of->high, &high, at))
		;
}

struct outsides {
	const struct dominators *d;
	struct outside	*out;		/* by class */
};

/* Goes by object, not by number, because the column of classes is in that order. */
static bool
find_outside(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	const struct outsides *all = arg;
	const struct dominators *d = all->d;
	const uint32_t *first = d->first.at, *size = d->size.at;
	const uint32_t *num = d->num.at;
	struct outside *of;
	uint32_t i;

	for (uint64_t object = from + 1; object <= to; object++) {
		if (!work_each(w, object, TICK, err))
			return false;
		of = &all->out[heap_class(&d->h, (uint32_t)object)];
		if (of->top == 0)
			continue;
		i = num[object - 1];
		assert(i <= d->n);
		if (i != 0 && i != of->held && first[i] - first[of->top] >= size[of->top])
			dominators_widen(of, (uint64_t)first[i] << 32 | i);
	}
	return true;
}

/*
 * Replaces folded instances by the node they are folded into, as core numbers, which may be 0, the root:
 * every path to them passes through it.  held is 0 if there are none.
 */
static bool
dominators_unfold(const struct dominators *d, struct outside *out)
{
	OWN_ARRAY(uint32_t) scratch = ARRAY_INIT;
	uint32_t *to, core = 0;
	bool ok = true;

	if (!array_grow(&scratch, (uint64_t)d->n + 1, d->err))
		return false;
	to = scratch.at;
	for (uint32_t i = 1; ok && i <= d->n; i++) {
		to[i] = has_bit(&d->fold.raw, i) ? to[parent_of(d, i)] : ++core;
		ok = i % TICK != 0 || work_go(d->work, i, d->err);
	}
	assert(!ok || core == d->ncore);
	for (uint32_t c = 1; ok && c <= d->h.classes; c++) {
		/* Classes that instances hold are never folded. */
		assert(out[c].held == 0 || !has_bit(&d->fold.raw, out[c].held));
		out[c].held = out[c].low != 0 ? to[out[c].held] : 0;
		out[c].low = to[(uint32_t)out[c].low];
		out[c].high = to[(uint32_t)out[c].high];
	}
	return ok;
}

/*
 * Adds the omitted edges from instances to their classes that matter; *more: there were some.  An edge from
 * within the dominator of the class has no effect.
 */
static bool
add_class_edges(struct dominators *d, bool *more)
{
	OWN_ARRAY(struct outside) scratch = ARRAY_INIT;
	struct outsides all = { .d = d };
	struct outside *out;
	bool ok;

	*more = false;
	ok = array_grow(&scratch, (uint64_t)d->h.classes + 1, d->err);
	all.out = out = scratch.at;
	if (ok && dominators_find_tops(d, out)) {
		work_start(d->work, "classes held by instances", d->h.objects);
		ok = pool_ranges(d->work, d->h.objects, find_outside, &all, d->err);
	}
	for (uint32_t c = 1; ok && c <= d->h.classes; c++)
		*more |= out[c].low != 0;
	ok = ok && (!*more || dominators_unfold(d, out));
	for (uint32_t c = 1; ok && *more && c <= d->h.classes; c++)
		if (out[c].held != 0)
			ok = dominators_edge(d, out[c].held, (uint32_t)out[c].low) &&
			    dominators_edge(d, out[c].held, (uint32_t)out[c].high);
	return ok;
}

/* Dominators of all numbers, which replace their parents, and places. */
static bool
dominators_solve(struct dominators *d)
{
	bool more = true, ok = number_core(d);

	while (ok && more)
		ok = dominators_lengauer(d) && pool_ranges(d->work, d->ncore, turn_parents, d, d->err) &&
		    find_places(d) &&
		    add_class_edges(d, &more) && (!more ||
		    pool_ranges(d->work, d->ncore, turn_parents, d, d->err));
	SCRATCH_FREE(&d->nodes, &d->number, &d->edges, &d->from, &d->source);
	return ok;
}

/* ---- the pass --------------------------------------------------------------------------- */

/*
 * Retained sizes fit 32 bits in units of the alignment, unless the heap is larger than 32 GiB: the sum
 * of all objects decides.
 */
static bool
dominators_make_columns(struct dominators *d)
{
	d->wide = heap_all_bytes(d->st, d->h.sizes) / d->unit >= UINT32_MAX;
	d->parent = heap_make(d->st, &d->h, COL_EACH_PARENT, COL_U32, d->h.objects, d->err);
	if (d->parent == NULL || !array_grow(&d->orders, d->h.objects, d->err))
		return false;
	d->order = d->orders.at;
	return true;
}

static bool
dominators_run(struct store *st, enum heap_refs refs, enum heap_sizes sizes, struct work *w, struct err *err)
{
	struct dominators d = { .st = st, .work = w, .err = err };
	ARRAY(uint32_t) classes = ARRAY_INIT;
	bool ok;

	if (!heap_open(&d.h, st, refs, sizes, err))
		return false;
	if (d.h.objects >= OBJECTS_MAX)
		return fail(err, E_SYSTEM, "too many objects for dominators (limit: 2 147 483 647)");
	scratch_budget_input(d.h.size, d.h.objects);
	/*
	 * If memory is short, the arrays with the most random accesses must not be in a file: this needs one
	 * array more than most passes.
	 */
	scratch_budget_rows((uint64_t)d.h.objects / 4 * 5);
	/* A power of two that divides all sizes. */
	d.unit = d.h.rule.android ? 1 : d.h.rule.align & -d.h.rule.align;
	assert(d.unit > 0 && (d.unit & (d.unit - 1)) == 0);
	ok = array_grow(&classes, 2 * ((uint64_t)d.h.classes + 1), err);
	d.held = classes.at;
	d.held_number = d.held + d.h.classes + 1;
	ok = ok && dominators_make_columns(&d) && dominators_search(&d) && dominators_solve(&d) &&
	    dominators_out(&d);
	SCRATCH_FREE(&d.orders, &d.bytes, &d.num, &d.fold, &d.rank, &d.edges, &d.from, &d.source, &d.number,
	    &d.nodes, &d.first, &d.size, &classes);
	return ok;
}

const struct pass pass_dominators = {
	.name = "dominators", .what = "dominators and retained sizes", .beside = 4,
	    .run_choice = dominators_run,
	.needs = PASS_COLUMNS(COL_OBJECT_OFFSET),
	.makes = PASS_COLUMNS(COL_EACH_PARENT, COL_EACH_RETAINED, COL_EACH_LARGE_OBJECT,
	    COL_EACH_LARGE_RETAINED, COL_EACH_TOP, COL_EACH_CLASS_LIVE,
	    COL_EACH_CLASS_RETAINED, COL_EACH_LOADER_RETAINED, COL_EACH_COMPONENT_OBJECTS,
	    COL_EACH_COMPONENT_SHALLOW,
	    COL_EACH_COMPONENT_PACKAGE, COL_EACH_COMPONENT_LOADER, COL_EACH_COMPONENT_CLASS)
};
