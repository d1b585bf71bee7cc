/*
 * dominators: who keeps what alive, and how much of it.
 *
 * One pass for each choice of references and of sizes; each keeps its own columns.
 */
#include "config.h"

#include "dominators.h"

/*
 * Retained sizes fit 32 bits in units of the alignment, unless the heap is larger than 32 GiB: the sum
 * of all objects decides.
 */
static bool
make_columns(struct dominators *d)
{
	d->wide = heap_all_bytes(d->st, d->h.sizes) / d->unit >= UINT32_MAX;
	d->parent = store_make(d->st, heap_col(COL_EACH_PARENT, d->h.refs, d->h.sizes), COL_U32, d->h.objects,
	    d->err);
	d->retained = d->parent == NULL ? NULL : store_make(d->st, heap_col(COL_EACH_RETAINED, d->h.refs,
	    d->h.sizes), d->wide ? COL_U64 : COL_U32, d->h.objects, d->err);
	d->order = d->retained;
	return d->order != NULL;
}

static bool
run(struct store *st, enum heap_refs refs, enum heap_sizes sizes, struct work *w, struct err *err)
{
	struct dominators d = { .st = st, .work = w, .err = err, .num = SCRATCH_INIT,
	    .fold = SCRATCH_INIT, .rank = SCRATCH_INIT,
	    .edges = SCRATCH_INIT, .number = SCRATCH_INIT, .nodes = SCRATCH_INIT,
	    .first = SCRATCH_INIT, .size = SCRATCH_INIT };
	struct scratch classes = SCRATCH_INIT, *all[] = { &d.num, &d.fold, &d.rank,
	    &d.edges, &d.number, &d.nodes, &d.first, &d.size, &classes };
	size_t i;
	bool ok;

	if (!heap_open(&d.h, st, refs, sizes, err))
		return false;
	if (d.h.objects >= OBJECTS_MAX)
		return fail(err, E_INPUT, "more than 2 147 483 647 objects: too many for dominators");
	scratch_budget_input(d.h.size, d.h.objects);
	/* A power of two that divides all sizes. */
	d.unit = d.h.rule.android ? 1 : d.h.rule.align & -d.h.rule.align;
	ok = scratch_array(&classes, 2 * ((uint64_t)d.h.classes + 1), sizeof *d.held, err);
	d.held = SCRATCH(classes, uint32_t);
	d.held_number = d.held + d.h.classes + 1;
	ok = ok && make_columns(&d) && dominators_search(&d) && dominators_solve(&d) &&
	    dominators_out(&d);
	for (i = 0; i < NELEM(all); i++)
		scratch_free(all[i]);
	return ok;
}

const struct pass pass_dominators = {
	.name = "dominators", .what = "dominators and retained sizes", .run_choice = run,
	.needs = PASS_COLUMNS(COL_OBJECT_OFFSET),
	.makes = PASS_COLUMNS(COL_EACH_PARENT, COL_EACH_RETAINED, COL_EACH_CLASS_LIVE,
	    COL_EACH_CLASS_RETAINED, COL_EACH_LOADER_RETAINED)
};
