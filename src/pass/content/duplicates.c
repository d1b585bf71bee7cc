/*
 * duplicates: Strings of one text and arrays of one content, and what they waste.
 */
#include "config.h"

#include "duplicates.h"

static void
close_all(struct duplicates *d)
{
	unsigned i;

	for (i = 0; i < DUP_KINDS; i++)
		scratch_free(&d->list[i].items);
	scratch_free(&d->taken);
	scratch_free(&d->shared);
	scratch_free(&d->more);
	scratch_free(&d->before);
	scratch_free(&d->sharers);
	scratch_free(&d->groups);
	scratch_free(&d->members);
	scratch_free(&d->owns);
}

static bool
run(struct store *st, struct work *w, struct err *err, enum heap_refs refs,
    enum heap_sizes sizes)
{
	struct duplicates d = { .st = st, .work = w, .err = err, .taken = SCRATCH_INIT,
	    .shared = SCRATCH_INIT, .more = SCRATCH_INIT, .before = SCRATCH_INIT,
	    .sharers = SCRATCH_INIT, .groups = SCRATCH_INIT,
	    .members = SCRATCH_INIT, .owns = SCRATCH_INIT };
	unsigned i;
	bool ok;

	if (!heap_open(&d.h, st, refs, sizes, err))
		return false;
	for (i = 0; i < DUP_KINDS; i++)
		d.list[i].items = SCRATCH_INIT;
	scratch_budget_input(d.h.size, d.h.objects);
	text_fields_open(&d.h, &d.text);
	ok = dup_scan(&d);
	for (i = 0; ok && i < DUP_KINDS; i++)
		ok = dup_find(&d, (enum duplicate_kind)i);
	ok = ok && dup_put(&d);
	close_all(&d);
	return ok;
}

/* The pass for one choice. */
#define DUPLICATES(refs, REFS, sizes, SIZES) \
static bool \
run_##refs##_##sizes(struct store *st, struct work *w, struct err *err) \
{ \
	return run(st, w, err, REFS_##REFS, SIZES_##SIZES); \
} \
static const char *const needs_##refs##_##sizes[] = { #refs "." #sizes ".parent", NULL }; \
static const char *const makes_##refs##_##sizes[] = { \
	#refs "." #sizes ".dup.string", #refs "." #sizes ".dup.object", \
	#refs "." #sizes ".dup.copies", #refs "." #sizes ".dup.arrays", \
	#refs "." #sizes ".dup.waste", #refs "." #sizes ".dup.first", \
	#refs "." #sizes ".dup.member", #refs "." #sizes ".dup.owns", \
	#refs "." #sizes ".dup.shared", #refs "." #sizes ".dup.sharers", NULL }; \
const struct pass pass_duplicates_##refs##_##sizes = { \
	.name = "duplicates", \
	.what = "strings of one text and arrays of one content", \
	.needs = needs_##refs##_##sizes, \
	.makes = makes_##refs##_##sizes, \
	.run = run_##refs##_##sizes \
};

HEAP_CHOICES(DUPLICATES)
