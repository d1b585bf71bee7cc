/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
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
#define AHEAD 16u	/* objects by which the fetching of lists is ahead */
#define NONE_SHARE 40u	/* more than one of so many is not reached: a bit for each takes less than rows of 5 bytes */

struct reach {
	const struct heap *h;
	struct work	*work;
	struct err	*err;
	uint64_t	*reached;	/* bits by object (from 0) */
	/* by object (from 0): enum heap_strength of the best way; 0 unless all of them are weak */
	uint8_t		*weak;
	struct scratch	 list[HEAP_STRENGTHS];	/* u32: objects that can be reached that way, or better */
	uint64_t	 n[HEAP_STRENGTHS];
	unsigned	 level;		/* the list being scanned: its objects are marked */
	uint64_t	 seen, nweak;
};

static inline bool
is_reached(const uint64_t *reached, uint32_t object)
{
	return reached[(object - 1) / 64] >> (object - 1) % 64 & 1;
}

static void
reach_mark(struct reach *r, uint32_t object)
{
	r->reached[(object - 1) / 64] |= UINT64_C(1) << (object - 1) % 64;
	r->seen++;
	if (r->level != HEAP_STRONG) {
		r->weak[object - 1] = (uint8_t)r->level;
		r->nweak++;
	}
}

/* Objects of the current level are marked at once, others at their level, unless a better path was found. */
static bool
reach_add(struct reach *r, uint32_t object, unsigned level)
{
	assert(level < HEAP_STRENGTHS && level >= r->level);
	if (object == 0 || object > r->h->objects || is_reached(r->reached, object))
		return true;
	if (level == r->level)
		reach_mark(r, object);
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

/* Mark the objects in the list of the level, except those that a better level reached. */
static void
mark_list(struct reach *r)
{
	uint32_t *list = SCRATCH(r->list[r->level], uint32_t);
	uint64_t n = 0;

	for (uint64_t i = 0; i < r->n[r->level]; i++) {
		if (is_reached(r->reached, list[i]))
			continue;
		reach_mark(r, list[i]);
		list[n++] = list[i];
	}
	r->n[r->level] = n;
}

static bool
visit(struct reach *r, uint32_t object, uint64_t at)
{
	const struct heap *h = r->h;
	unsigned strength;
	struct heap_walk w;
	uint32_t to;

	assert(object != 0 && object <= h->objects);
	heap_list(&h->out, object - 1ull, at, &w);
	if (w.chain != 0 && h->refs >= REFS_ALL && !reach_add(r, w.chain,
	    HEAP_CHAINED > r->level ? HEAP_CHAINED : r->level))
		return false;
	for (; (to = list_next(&w)) != 0; w.weak -= w.weak > 0) {
		strength = w.weak > 0 ? w.strength : HEAP_STRONG;
		if (!reach_add(r, to, strength > r->level && strength < HEAP_STRENGTHS ? strength : r->level))
			return false;
	}
	return h->form != NULL || reach_add(r, heap_class_object(h, heap_class(h, object)), r->level);
}

/* An object that is processed AHEAD objects later: its data is prefetched meanwhile. */
struct near {
	uint32_t	object;
	uint64_t	at;		/* where its list begins, from the middle of the way on */
};

/* In any order: a window of objects goes over the list. */
static bool
visit_level(struct reach *r)
{
	const struct heap_lists *out = &r->h->out;
	struct near near[AHEAD], *n;
	uint64_t in = 0, placed = 0, done = 0;

	while (done < in || r->n[r->level] > 0) {
		for (; r->n[r->level] > 0 && in - done < AHEAD; in++) {
			n = &near[in % AHEAD];
			n->object = SCRATCH(r->list[r->level], uint32_t)[--r->n[r->level]];
			heap_fetch_list(r->h, n->object);
		}
		for (; placed < in && placed <= done + AHEAD / 2; placed++) {
			n = &near[placed % AHEAD];
			n->at = heap_list_at(out, n->object - 1ull);
			__builtin_prefetch(&out->data[n->at]);
		}
		n = &near[done++ % AHEAD];
		if ((done % TICK == 0 && !work_go(r->work, r->seen, r->err)) || !visit(r, n->object, n->at))
			return false;
	}
	return true;
}

static bool
visit_all(struct reach *r)
{
	heap_lists_all(&r->h->out);
	work_start(r->work, "strength of reachability", r->h->objects);
	for (; r->level < HEAP_STRENGTHS; r->level++) {
		if (r->level != HEAP_STRONG)
			mark_list(r);
		if (!visit_level(r))
			return false;
	}
	return true;
}

/* The bytes follow the bits. */
static inline uint8_t *
weak_of(const struct heap *h, const struct scratch *levels)
{
	return levels->data + (h->objects / 64 + 1ull) * sizeof(uint64_t);
}

/* Find the level of each object from its roots; *weak objects are reached, but not strongly. */
static bool
find_levels(const struct heap *h, struct scratch *levels, uint64_t *weak, struct work *w, struct err *err)
{
	struct reach r = { .h = h, .work = w, .err = err };
	bool ok;

	scratch_budget_input(h->size, h->objects);
	ok = scratch_array(levels, (h->objects / 64 + 1ull) * sizeof(uint64_t) + h->objects, 1, err);
	r.reached = SCRATCH(*levels, uint64_t);
	r.weak = weak_of(h, levels);
	ok = ok && add_roots(&r) && visit_all(&r);
	for (size_t i = 0; i < HEAP_STRENGTHS; i++)
		scratch_free(&r.list[i]);
	assert(r.seen <= h->objects && r.nweak <= r.seen);
	*weak = r.nweak;
	return ok;
}

bool
heap_reach_find(const struct heap *h, uint32_t object, struct scratch *levels, enum heap_strength *reach,
    struct work *w,
    struct err *err)
{
	uint64_t weak;

	*reach = HEAP_STRENGTHS;
	if (h->reach.object != NULL || object == 0 || object > h->objects)
		*reach = heap_reach(h, object);
	else if (levels->data == NULL && !find_levels(h, levels, &weak, w, err))
		return false;
	else if (is_reached(SCRATCH(*levels, uint64_t), object))
		*reach = (enum heap_strength)weak_of(h, levels)[object - 1];
	return true;
}

/* Count the objects that nothing reaches. */
static uint64_t
count_none(const struct heap *h, const struct scratch *levels)
{
	uint64_t n = h->objects;

	for (uint64_t i = 0; i <= h->objects / 64; i++)
		n -= heap_ones(SCRATCH(*levels, uint64_t)[i]);
	return n;
}

/*
 * Rows for objects that are not held strongly; if many are not reached, these have a bit each and not a row.
 */
static bool
reach_put(struct store *st, const struct heap *h, const struct scratch *levels, uint64_t weak,
    struct err *err)
{
	uint64_t unreached = count_none(h, levels), n = 0;
	bool bits = unreached > h->objects / NONE_SHARE;
	uint64_t rows = bits ? weak : weak + unreached;
	uint32_t *object = store_make(st, COL_REACH_OBJECT, COL_U32, rows, err);
	uint8_t *strength = object == NULL ? NULL : store_make(st, COL_REACH_LEVEL, COL_U8, rows, err);
	uint64_t *none = strength == NULL ? NULL : store_make(st, COL_REACH_NONE, COL_U64,
	    bits ? h->objects / 64 + 1ull : 0, err);
	const uint8_t *level = weak_of(h, levels);
	unsigned of;

	for (uint32_t i = 1; none != NULL && bits && i <= h->objects; i++)
		none[i / 64] |= (uint64_t)!is_reached(SCRATCH(*levels, uint64_t), i) << i % 64;
	for (uint32_t i = 0; none != NULL && i < h->objects && n < rows; i++) {
		of = bits || is_reached(SCRATCH(*levels, uint64_t), i + 1) ? level[i] : HEAP_STRENGTHS;
		if (of == HEAP_STRONG)
			continue;
		object[n] = i + 1;
		strength[n++] = (uint8_t)of;
	}
	assert(none == NULL || n == rows);
	return none != NULL;
}

static bool
reach_run(struct store *st, struct work *w, struct err *err)
{
	OWN_SCRATCH levels = SCRATCH_INIT;
	struct heap h;
	uint64_t weak;

	return heap_open(&h, st, REFS_ALL, SIZES_VM, err) && find_levels(&h, &levels, &weak, w, err) &&
	    reach_put(st, &h, &levels, weak, err);
}

const struct pass pass_reach = {
	.name = "reach", .what = "reachability", .beside = 2, .run = reach_run,
	.needs = PASS_COLUMNS(COL_OBJECT_OFFSET),
	.makes = PASS_COLUMNS(COL_REACH_OBJECT, COL_REACH_LEVEL, COL_REACH_NONE)
};
