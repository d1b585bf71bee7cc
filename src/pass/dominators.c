/*
 * dominators: who keeps what alive, and how much of it.
 *
 * One pass for each choice of references and of sizes; each keeps its own columns.
 */
#include "config.h"

#include "dominators.h"

static bool
run(struct store *st, struct work *w, struct err *err, enum heap_refs refs,
    enum heap_sizes sizes)
{
	struct dominators d = { .st = st, .work = w, .err = err, .mark = SCRATCH_INIT,
	    .num = SCRATCH_INIT, .order = SCRATCH_INIT, .parent = SCRATCH_INIT,
	    .fold = SCRATCH_INIT, .edges = SCRATCH_INIT, .core = SCRATCH_INIT,
	    .number = SCRATCH_INIT, .first = SCRATCH_INIT, .size = SCRATCH_INIT };
	struct scratch *all[] = { &d.mark, &d.num, &d.order, &d.parent, &d.fold, &d.edges,
	    &d.core, &d.number, &d.first, &d.size };
	struct scratch classes = SCRATCH_INIT;
	size_t i;
	bool ok;

	if (!heap_open(&d.h, st, refs, sizes, err))
		return false;
	if (d.h.objects >= OBJECTS_MAX)
		return fail(err, E_INPUT, "more than 2 147 483 647 objects: too many for dominators");
	scratch_budget_input(d.h.size, d.h.objects);
	ok = scratch_array(&classes, (uint64_t)d.h.classes + 1, sizeof *d.class_object, err);
	d.class_object = SCRATCH(classes, uint32_t);
	ok = ok && dominators_search(&d) && dominators_solve(&d) && dominators_out(&d);
	for (i = 0; i < NELEM(all); i++)
		scratch_free(all[i]);
	scratch_free(&classes);
	return ok;
}

static const char *const needs[] = { "object.offset", NULL };

/* The pass for one choice. */
#define DOMINATORS(refs, REFS, sizes, SIZES) \
static bool \
run_##refs##_##sizes(struct store *st, struct work *w, struct err *err) \
{ \
	return run(st, w, err, REFS_##REFS, SIZES_##SIZES); \
} \
static const char *const makes_##refs##_##sizes[] = { #refs "." #sizes ".parent", \
	#refs "." #sizes ".retained", #refs "." #sizes ".class_live", \
	#refs "." #sizes ".class_retained", #refs "." #sizes ".loader_retained", NULL }; \
const struct pass pass_dominators_##refs##_##sizes = { \
	.name = "dominators", \
	.what = "dominators and retained sizes", \
	.needs = needs, \
	.makes = makes_##refs##_##sizes, \
	.run = run_##refs##_##sizes \
};

DOMINATORS(soft, SOFT, vm, VM)
DOMINATORS(soft, SOFT, mat, MAT)
DOMINATORS(strong, STRONG, vm, VM)
DOMINATORS(strong, STRONG, mat, MAT)
DOMINATORS(all, ALL, vm, VM)
DOMINATORS(all, ALL, mat, MAT)
