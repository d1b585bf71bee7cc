/*
 * route_begin: the roots, in the order in which they answer.
 */
#include "config.h"

#include "pass/heap/heap.h"
#include "routes.h"

#define RANKS 7u			/* path_rank gives 0 .. RANKS - 1 */

/* Marked ones, by rising number; they are unmarked. */
static bool
add_marked(struct heap_routes *r, struct scratch *marks)
{
	uint64_t *word = SCRATCH(*marks, uint64_t), i;
	unsigned bit;

	for (i = 0; i <= r->heap->objects / 64; i++) {
		for (; word[i] != 0; word[i] &= word[i] - 1) {
			bit = (unsigned)__builtin_ctzll(word[i]);
			if (!route_meet(r, (uint32_t)(i * 64 + bit), ROUTE_ROOT))
				return false;
		}
		if (!route_tick(r))
			return false;
	}
	return true;
}

/* All of one rank; what stacks hold without a known thread comes late when somebody is to blame. */
static bool
add_rank(struct heap_routes *r, struct scratch *marks, uint32_t rank)
{
	const struct column *objects = store_column(r->heap->st, COL_ROOT_OBJECT);
	const struct column *kind = r->heap->root_kind;
	uint32_t object, row;

	for (row = 1; objects != NULL && row <= objects->rows; row++) {
		if (!route_tick(r))
			return false;
		if (root_rank(column_get(kind, row - 1)) != rank ||
		    (object = root_object(r->heap, objects, row)) == 0)
			continue;
		if (r->rule == ROUTE_PLAIN || !root_is_local(column_get(kind, row - 1)))
			set_bit(marks, object);
		else if (!route_late(r, object, ROUTE_ROOT))
			return false;
	}
	return add_marked(r, marks);
}

/* In a dump without roots: classes, and what nothing refers to. */
static bool
add_pseudo(struct heap_routes *r, struct scratch *referred)
{
	const struct heap_lists *out = &r->heap->out;
	uint64_t i, at = 0;
	struct heap_walk w;
	uint32_t to;

	for (i = 0; i < r->heap->objects; i++) {
		heap_list(out, i, at, &w);
		at = (uint64_t)(w.end - out->data);
		while ((to = list_next(&w)) != 0) {
			if (to <= r->heap->objects)
				set_bit(referred, to);
			if (!route_tick(r))
				return false;
		}
	}
	for (to = 1; to <= r->heap->objects; to++)
		if ((!has_bit(referred, to) || heap_class_of_object(r->heap, to) != 0) &&
		    (!route_add(r, to, ROUTE_ROOT) || !route_tick(r)))
			return false;
	return true;
}

bool
route_begin(struct heap_routes *r)
{
	struct scratch marks = SCRATCH_INIT;
	uint32_t rank;
	bool ok;

	ok = scratch_array(&marks, r->heap->objects / 64 + 1ull, sizeof(uint64_t), r->err);
	if (store_fact_get(r->heap->st, "heap.pseudo") != 0)
		ok = ok && add_pseudo(r, &marks);
	else
		for (rank = 0; ok && rank < RANKS; rank++)
			ok = add_rank(r, &marks, rank);
	scratch_free(&marks);
	return ok;
}
