/*
 * reach: how strongly each object is held: by the best way there is from a
 * root to it, whose weakest reference counts.
 */
#include "config.h"

#include "heap.h"

#define TICK 65536u

struct reach {
	struct store	*st;
	struct work	*work;
	struct err	*err;
	struct heap	 h;
	uint8_t		*level;		/* by object (from 0): 1 + enum heap_strength, 0: not reached */
	struct scratch	 levels;
	struct scratch	 list[HEAP_STRENGTHS];	/* u32: objects that can be reached that way, or better */
	uint64_t	 n[HEAP_STRENGTHS];
	uint64_t	 seen, weak;
};

static bool
add(struct reach *r, uint32_t object, unsigned level)
{
	if (object == 0 || object > r->h.objects || r->level[object - 1] != 0)
		return true;
	return scratch_add(&r->list[level], &r->n[level], &object, sizeof object, r->err);
}

static bool
add_roots(struct reach *r)
{
	uint32_t row = 0, object;

	while ((object = root_next(&r->h, &row)) != 0)
		if (!add(r, object, HEAP_STRONG))
			return false;
	if (store_fact_get(r->st, "heap.pseudo") == 0)
		return true;
	for (uint64_t i = 1; i <= r->h.objects; i++)
		if (!add(r, (uint32_t)i, HEAP_STRONG))
			return false;
	return true;
}

static bool
visit(struct reach *r, uint32_t object, unsigned level)
{
	enum heap_strength strength;
	struct heap_walk w;
	uint32_t to;

	if (r->level[object - 1] != 0)
		return true;
	r->level[object - 1] = (uint8_t)(level + 1);
	r->weak += level != HEAP_STRONG;
	if (++r->seen % TICK == 0 && !work_tick(r->work, r->seen))
		return fail_cancel(r->err);
	heap_out(&r->h, object, &w);
	while ((to = heap_next(&w, &strength)) != 0)
		if (!add(r, to, strength > level && strength < HEAP_STRENGTHS ? strength : level))
			return false;
	to = heap_class(&r->h, object);
	return add(r, (uint32_t)column_get(r->h.class_object, (uint64_t)to - 1), level);
}

static bool
visit_all(struct reach *r)
{
	work_start(r->work, "strength of reachability", r->h.objects);
	for (unsigned level = 0; level < HEAP_STRENGTHS; level++)
		while (r->n[level] > 0)
			if (!visit(r, SCRATCH(r->list[level], uint32_t)[--r->n[level]], level))
				return false;
	return true;
}

/* Only those that are not held strongly, and are reached. */
static bool
put(struct reach *r)
{
	uint32_t *object = store_make(r->st, COL_REACH_OBJECT, COL_U32, r->weak, r->err);
	uint8_t *level = object == NULL ? NULL :
	    store_make(r->st, COL_REACH_LEVEL, COL_U8, r->weak, r->err);
	uint64_t n = 0;

	for (uint32_t i = 0; level != NULL && i < r->h.objects && n < r->weak; i++) {
		if (r->level[i] <= 1)
			continue;
		object[n] = i + 1;
		level[n++] = r->level[i] - 1;
	}
	return level != NULL;
}

static bool
run(struct store *st, struct work *w, struct err *err)
{
	struct reach r = { .st = st, .work = w, .err = err };
	bool ok;

	if (!heap_open(&r.h, st, REFS_ALL, SIZES_VM, err))
		return false;
	scratch_budget_input(r.h.size, r.h.objects);
	ok = scratch_array(&r.levels, (uint64_t)r.h.objects + 1, 1, err);
	r.level = SCRATCH(r.levels, uint8_t);
	ok = ok && add_roots(&r) && visit_all(&r) && put(&r);
	scratch_free(&r.levels);
	for (size_t i = 0; i < HEAP_STRENGTHS; i++)
		scratch_free(&r.list[i]);
	return ok;
}

const struct pass pass_reach = {
	.name = "reach", .what = "reachability", .beside = 2, .run = run,
	.needs = PASS_COLUMNS(COL_OBJECT_OFFSET),
	.makes = PASS_COLUMNS(COL_REACH_OBJECT, COL_REACH_LEVEL)
};
