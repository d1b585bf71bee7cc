/*
 * children: what each object dominates, the largest first.
 */
#include "config.h"

#include <stdlib.h>

#include "pass/heap/heap.h"

#define TICK 65536u

struct children {
	struct work	*work;
	struct err	*err;
	struct heap	 h;
	uint32_t	*child;
};

/* For qsort, which has no argument for it; each thread sorts for itself. */
static _Thread_local const struct heap *sorting;

static int
by_retained(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t p = heap_retained(sorting, x), q = heap_retained(sorting, y);

	return num_order(q, p, num_order(x, y, 0));
}

/* All live objects by parent, those of one parent by number: a counting sort. */
static bool
place(struct children *c, uint32_t *next)
{
	uint64_t n = c->h.objects;
	uint32_t sum = 0, i, k, parent;

#define PARENT(o) ((parent = heap_dominator(&c->h, (o))) == HEAP_ROOT ? n + 1 : parent)
	for (i = 1; i <= n; i++)
		next[PARENT(i)]++;
	next[0] = 0;
	for (i = 1; i <= n + 1; i++) {
		k = next[i];
		next[i] = sum;
		sum += k;
	}
	work_start(c->work, "dominator tree", n);
	for (i = 1; i <= n; i++) {
		if (i % TICK == 0 && !work_tick(c->work, i))
			return fail_cancel(c->err);
		if (heap_dominator(&c->h, i) != 0)
			c->child[next[PARENT(i)]++] = i;
	}
#undef PARENT
	return true;
}

/* next: where the children of each end. */
static bool
sort_all(struct children *c, const uint32_t *next)
{
	uint32_t from = 0, i;

	sorting = &c->h;
	work_start(c->work, "sorting dominator tree", c->h.objects);
	for (i = 1; i <= c->h.objects + 1; i++) {
		if (i % TICK == 0 && !work_tick(c->work, i))
			return fail_cancel(c->err);
		if (next[i] - from > 1)
			qsort(c->child + from, next[i] - from, sizeof *c->child, by_retained);
		from = next[i];
	}
	return true;
}

static bool
run(struct store *st, enum heap_refs refs, enum heap_sizes sizes, struct work *w, struct err *err)
{
	struct children c = { .work = w, .err = err };
	struct scratch next = SCRATCH_INIT;
	bool ok;

	if (!heap_open(&c.h, st, refs, sizes, err))
		return false;
	scratch_budget_input(c.h.size, c.h.objects);
	c.child = heap_make(st, &c.h, COL_EACH_CHILDREN, COL_U32, heap_fact(st, "live_objects", refs, sizes), err);
	ok = c.child != NULL &&
	    scratch_array(&next, (uint64_t)c.h.objects + 2, sizeof(uint32_t), err) &&
	    place(&c, SCRATCH(next, uint32_t)) && sort_all(&c, SCRATCH(next, uint32_t));
	scratch_free(&next);
	return ok;
}

const struct pass pass_children = {
	.name = "children", .what = "dominator tree children", .run_choice = run,
	.needs = PASS_COLUMNS(COL_EACH_PARENT),
	.makes = PASS_COLUMNS(COL_EACH_CHILDREN)
};
