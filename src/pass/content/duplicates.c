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
run(struct store *st, enum heap_refs refs, enum heap_sizes sizes, struct work *w, struct err *err)
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

const struct pass pass_duplicates = {
	.name = "duplicates", .what = "strings of one text and arrays of one content", .run_choice = run,
	.needs = PASS_COLUMNS(COL_EACH_PARENT),
	.makes = PASS_COLUMNS(COL_EACH_DUP_STRING, COL_EACH_DUP_OBJECT, COL_EACH_DUP_COPIES,
	    COL_EACH_DUP_ARRAYS, COL_EACH_DUP_WASTE, COL_EACH_DUP_FIRST, COL_EACH_DUP_MEMBER,
	    COL_EACH_DUP_OWNS, COL_EACH_DUP_SHARED, COL_EACH_DUP_SHARERS)
};
