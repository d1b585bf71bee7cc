/*
 * dominators: who keeps what alive, and how much of it.
 *
 * One pass for each choice of references and of sizes; each keeps its own columns.
 */
#include "config.h"

#include <assert.h>

#include "dominators.h"

#define TICK 65536u

/* ---- dominators of everything from those of the core, and edges to classes that turn out to matter -------- */

static bool
number_core(struct dominators *d)
{
	uint32_t *rank, *number, i, n = 0;

	if (!scratch_array(&d->rank, (uint64_t)d->n / 64 + 1, sizeof *rank, d->err))
		return false;
	rank = SCRATCH(d->rank, uint32_t);
	set_bit(&d->fold, 0);
	for (i = 0; i <= d->n; i++) {
		if (i % 64 == 0)
			rank[i / 64] = n;
		n += !has_bit(&d->fold, i);
	}
	d->ncore = n;
	if (!scratch_array(&d->number, (uint64_t)n + 1, sizeof *number, d->err))
		return false;
	assert(n <= d->n);
	number = SCRATCH(d->number, uint32_t);
	for (n = 0, i = 1; i <= d->n; i++)
		if (!has_bit(&d->fold, i))
			number[++n] = i;
	return true;
}

/* ---- places in the dominator tree --------------------------------------------------- */

static bool
find_places(struct dominators *d)
{
	uint32_t *first, *size, i, core, at, above;

	if (!scratch_array(&d->first, (uint64_t)d->n + 1, sizeof *first, d->err) ||
	    !scratch_array(&d->size, (uint64_t)d->n + 1, sizeof *size, d->err))
		return false;
	first = SCRATCH(d->first, uint32_t);
	size = SCRATCH(d->size, uint32_t);
	for (i = 0; i <= d->n; i++)
		size[i] = 1;
	for (core = d->ncore, i = d->n; i > 0; i--) {
		size[dominator_at(d, i, core)] += size[i];
		core -= !has_bit(&d->fold, i);
	}
	assert(core == 0 && size[0] == d->n + 1);
	/* Of a node that was reached, first[] is where its next child goes. */
	for (core = 0, first[0] = 1, i = 1; i <= d->n; i++) {
		core += !has_bit(&d->fold, i);
		above = dominator_at(d, i, core);
		at = first[above];
		first[above] += size[i];
		first[i] = at + 1;
	}
	/* By now first[i] has advanced by the subtree sizes of all children of i, and by i itself: take that back. */
	for (i = 0; i <= d->n; i++)
		first[i] -= size[i];
	return true;
}

/* ---- classes -------------------------------------------------------------------------- */

/* Instances of one class outside of what dominates the class: the outermost ones in preorder. */
struct outside {
	uint32_t	held;		/* the number of the class */
	uint32_t	top;		/* the number that dominates it; nothing is outside of 0 */
	uint32_t	low, high;	/* numbers */
	bool		any;
};

/* Finds what dominates each class that only instances hold; false when nothing does for any. */
static bool
find_tops(struct dominators *d, struct outside *out)
{
	bool any = false;

	for (uint32_t c = 1; c <= d->h.classes; c++) {
		out[c].held = d->held_number[c];
		if (out[c].held != 0)
			out[c].top = dominator_at(d, out[c].held, core_of(d, out[c].held));
		any |= out[c].top != 0;
	}
	return any;
}

/* Goes by object, not by number, because the column of classes is in that order. */
static bool
find_outside(struct dominators *d, struct outside *out)
{
	const uint32_t *first = SCRATCH(d->first, uint32_t), *size = SCRATCH(d->size, uint32_t);
	const uint32_t *num = SCRATCH(d->num, uint32_t);
	struct outside *of;
	uint32_t i;

	for (uint32_t object = 1; object <= d->h.objects; object++) {
		if (object % TICK == 0 && !work_tick(d->work, object))
			return fail_cancel(d->err);
		of = &out[heap_class(&d->h, object)];
		i = num[object - 1];
		if (of->top == 0 || i == 0 || i == of->held ||
		    first[i] - first[of->top] < size[of->top])
			continue;
		if (!of->any || first[i] < first[of->low])
			of->low = i;
		if (!of->any || first[i] > first[of->high])
			of->high = i;
		of->any = true;
	}
	return true;
}

/* Replaces folded instances by what they are folded into: every way to them leads through that. */
static bool
unfold(struct dominators *d, struct outside *out)
{
	struct scratch scratch = SCRATCH_INIT;
	uint32_t *to;

	if (!scratch_array(&scratch, (uint64_t)d->n + 1, sizeof *to, d->err))
		return false;
	to = SCRATCH(scratch, uint32_t);
	for (uint32_t i = 1; i <= d->n; i++)
		to[i] = has_bit(&d->fold, i) ? to[parent_of(d, i)] : i;
	for (uint32_t c = 1; c <= d->h.classes; c++) {
		out[c].low = to[out[c].low];
		out[c].high = to[out[c].high];
	}
	scratch_free(&scratch);
	return true;
}

/*
 * Adds the edges from instances to their classes that were left out and matter; *more: there were
 * some.  An edge from within what dominates the class changes nothing.
 */
static bool
add_class_edges(struct dominators *d, bool *more)
{
	struct scratch scratch = SCRATCH_INIT;
	struct outside *out;
	bool ok;

	*more = false;
	ok = scratch_array(&scratch, (uint64_t)d->h.classes + 1, sizeof *out, d->err);
	out = SCRATCH(scratch, struct outside);
	ok = ok && (!find_tops(d, out) || find_outside(d, out));
	for (uint32_t c = 1; ok && c <= d->h.classes; c++)
		*more |= out[c].any;
	ok = ok && (!*more || unfold(d, out));
	for (uint32_t c = 1; ok && *more && c <= d->h.classes; c++)
		if (out[c].any)
			ok = dominators_edge(d, d->held_number[c], out[c].low) &&
			    dominators_edge(d, d->held_number[c], out[c].high);
	scratch_free(&scratch);
	return ok;
}

/* Turns the parents of the core into its dominators; the parent of a folded object is its dominator already. */
static void
settle(struct dominators *d)
{
	uint32_t core = 0;

	for (uint32_t i = 1; i <= d->n; i++)
		if (!has_bit(&d->fold, i))
			d->parent[i - 1] = dominator_at(d, i, ++core);
	SCRATCH_FREE(&d->nodes, &d->number, &d->edges);
}

/* Dominators of all numbers, places too. */
static bool
dominators_solve(struct dominators *d)
{
	bool more = true, ok = number_core(d);

	while (ok && more)
		ok = dominators_lengauer(d) && find_places(d) && add_class_edges(d, &more);
	if (ok)
		settle(d);
	return ok;
}

/* ---- the pass --------------------------------------------------------------------------- */

/*
 * Retained sizes fit 32 bits in units of the alignment, unless the heap is larger than 32 GiB: the sum
 * of all objects decides.
 */
static bool
make_columns(struct dominators *d)
{
	d->wide = heap_all_bytes(d->st, d->h.sizes) / d->unit >= UINT32_MAX;
	d->parent = heap_make(d->st, &d->h, COL_EACH_PARENT, COL_U32, d->h.objects, d->err);
	d->retained = d->parent == NULL ? NULL : heap_make(d->st, &d->h, COL_EACH_RETAINED,
	    d->wide ? COL_U64 : COL_U32, d->h.objects, d->err);
	d->order = d->retained;
	return d->order != NULL;
}

static bool
run(struct store *st, enum heap_refs refs, enum heap_sizes sizes, struct work *w, struct err *err)
{
	struct dominators d = { .st = st, .work = w, .err = err };
	struct scratch classes = SCRATCH_INIT;
	bool ok;

	if (!heap_open(&d.h, st, refs, sizes, err))
		return false;
	if (d.h.objects >= OBJECTS_MAX)
		return fail(err, E_SYSTEM, "too many objects for dominators (limit: 2 147 483 647)");
	scratch_budget_input(d.h.size, d.h.objects);
	/* A power of two that divides all sizes. */
	d.unit = d.h.rule.android ? 1 : d.h.rule.align & -d.h.rule.align;
	ok = scratch_array(&classes, 2 * ((uint64_t)d.h.classes + 1), sizeof *d.held, err);
	d.held = SCRATCH(classes, uint32_t);
	d.held_number = d.held + d.h.classes + 1;
	ok = ok && make_columns(&d) && dominators_search(&d) && dominators_solve(&d) &&
	    dominators_out(&d);
	SCRATCH_FREE(&d.num, &d.fold, &d.rank, &d.edges, &d.number, &d.nodes, &d.first, &d.size, &classes);
	return ok;
}

const struct pass pass_dominators = {
	.name = "dominators", .what = "dominators and retained sizes", .beside = 4, .run_choice = run,
	.needs = PASS_COLUMNS(COL_OBJECT_OFFSET),
	.makes = PASS_COLUMNS(COL_EACH_PARENT, COL_EACH_RETAINED, COL_EACH_CLASS_LIVE,
	    COL_EACH_CLASS_RETAINED, COL_EACH_LOADER_RETAINED, COL_EACH_COMPONENT_OBJECTS, COL_EACH_COMPONENT_SHALLOW,
	    COL_EACH_COMPONENT_PACKAGE, COL_EACH_COMPONENT_LOADER, COL_EACH_COMPONENT_CLASS)
};
