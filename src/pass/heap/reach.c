/*
 * reach: how strongly each object is held: by the best way there is from a
 * root to it, whose weakest reference counts.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_objects.h"
#include "icecore/columns_reach.h"
#include "icecore/facts.h"
#include "heap.h"

#define TICK 65536u

struct reach {
	const struct heap *h;
	struct work	*work;
	struct err	*err;
	uint8_t		*level;		/* by object (from 0): 1 + enum heap_strength, 0: not reached */
	struct scratch	 list[HEAP_STRENGTHS];	/* u32: objects that can be reached that way, or better */
	uint64_t	 n[HEAP_STRENGTHS];
	uint64_t	 seen, weak;
};

static bool
reach_add(struct reach *r, uint32_t object, unsigned level)
{
	assert(level < HEAP_STRENGTHS);
	if (object == 0 || object > r->h->objects || r->level[object - 1] != 0)
		return true;
	return scratch_add(&r->list[level], &r->n[level], &object, sizeof object, r->err);
}

static bool
add_roots(struct reach *r)
{
	uint32_t row = 0, object;

	while ((object = root_next(r->h, &row)) != 0)
		if (!reach_add(r, object, HEAP_STRONG))
			return false;
	if (fact_value(r->h->st, FACT_HEAP_PSEUDO) == 0)
		return true;
	for (uint64_t i = 1; i <= r->h->objects; i++)
		if (!reach_add(r, (uint32_t)i, HEAP_STRONG))
			return false;
	return true;
}

static bool
visit(struct reach *r, uint32_t object, unsigned level)
{
	enum heap_strength strength;
	struct heap_walk w;
	uint32_t to;

	assert(object != 0 && object <= r->h->objects);
	if (r->level[object - 1] != 0)
		return true;
	r->level[object - 1] = (uint8_t)(level + 1);
	r->weak += level != HEAP_STRONG;
	if (++r->seen % TICK == 0 && !work_tick(r->work, r->seen))
		return fail_cancel(r->err);
	heap_out(r->h, object, &w);
	while ((to = heap_next(&w, &strength)) != 0)
		if (!reach_add(r, to, strength > level && strength < HEAP_STRENGTHS ? strength : level))
			return false;
	return reach_add(r, heap_class_object(r->h, heap_class(r->h, object)), level);
}

static bool
visit_all(struct reach *r)
{
	work_start(r->work, "strength of reachability", r->h->objects);
	for (unsigned level = 0; level < HEAP_STRENGTHS; level++)
		while (r->n[level] > 0)
			if (!visit(r, SCRATCH(r->list[level], uint32_t)[--r->n[level]], level))
				return false;
	return true;
}

/* As its roots and the strongest ways from them have it; *weak of them are reached, but not strongly. */
static bool
find_levels(const struct heap *h, struct scratch *levels, uint64_t *weak, struct work *w, struct err *err)
{
	struct reach r = { .h = h, .work = w, .err = err };
	bool ok;

	scratch_budget_input(h->size, h->objects);
	ok = scratch_array(levels, h->objects + 1ull, 1, err);
	r.level = levels->data;
	ok = ok && add_roots(&r) && visit_all(&r);
	for (size_t i = 0; i < HEAP_STRENGTHS; i++)
		scratch_free(&r.list[i]);
	assert(r.seen <= h->objects && r.weak <= r.seen);
	*weak = r.weak;
	return ok;
}

bool
heap_reach_find(const struct heap *h, uint32_t object, struct scratch *levels, enum heap_strength *reach, struct work *w,
    struct err *err)
{
	uint64_t weak;

	*reach = HEAP_STRENGTHS;
	if (h->reach_object != NULL || object == 0 || object > h->objects)
		*reach = heap_reach(h, object);
	else if (levels->data == NULL && !find_levels(h, levels, &weak, w, err))
		return false;
	else if (levels->data[object - 1] != 0)
		*reach = (enum heap_strength)(levels->data[object - 1] - 1);
	return true;
}

/* Only those that are not held strongly, and are reached; of the others a bit. */
static bool
reach_put(struct store *st, const struct heap *h, const uint8_t *level, uint64_t weak, struct err *err)
{
	uint32_t *object = store_make(st, COL_REACH_OBJECT, COL_U32, weak, err);
	uint8_t *strength = object == NULL ? NULL : store_make(st, COL_REACH_LEVEL, COL_U8, weak, err);
	uint64_t *none = strength == NULL ? NULL : store_make(st, COL_REACH_NONE, COL_U64, h->objects / 64 + 1ull, err), n = 0;

	for (uint32_t i = 1; none != NULL && i <= h->objects; i++)
		none[i / 64] |= (uint64_t)(level[i - 1] == 0) << i % 64;
	for (uint32_t i = 0; none != NULL && i < h->objects && n < weak; i++) {
		if (level[i] <= 1)
			continue;
		object[n] = i + 1;
		strength[n++] = level[i] - 1;
	}
	assert(none == NULL || n == weak);
	return none != NULL;
}

static bool
reach_run(struct store *st, struct work *w, struct err *err)
{
	struct scratch levels = SCRATCH_INIT;
	struct heap h;
	uint64_t weak;
	bool ok = heap_open(&h, st, REFS_ALL, SIZES_VM, err) && find_levels(&h, &levels, &weak, w, err) &&
	    reach_put(st, &h, levels.data, weak, err);

	scratch_free(&levels);
	return ok;
}

const struct pass pass_reach = {
	.name = "reach", .what = "reachability", .beside = 2, .run = reach_run,
	.needs = PASS_COLUMNS(COL_OBJECT_OFFSET),
	.makes = PASS_COLUMNS(COL_REACH_OBJECT, COL_REACH_LEVEL, COL_REACH_NONE)
};
