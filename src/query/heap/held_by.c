/*
 * held_by: who owns an object: the nearest object above it that is there for more than to hold it.
 */
#include "config.h"

#include "icecore/collection.h"
#include "hrows.h"

struct collections *
view_collections(struct rows *r, struct heap_view *v)
{
	if (v->collections == NULL && r->err.kind == E_NONE)
		collections_open(&v->collections, &v->heap, &r->err);
	return v->collections;
}

uint32_t
view_owner(struct rows *r, struct heap_view *v, uint32_t object)
{
	struct collections *known = view_collections(r, v);

	return known == NULL ? 0 : collection_holder(known, object);
}

/* What the owner dominates at once, and under which the object is. */
static uint32_t
below_owner(const struct heap *h, uint32_t object, uint32_t owner)
{
	uint32_t above = heap_dominator(h, object);

	for (uint32_t hops = 0; above != owner && hops < h->objects; hops++) {
		object = above;
		above = heap_dominator(h, object);
	}
	return object;
}

void
held_by_add(const struct heap *h, uint32_t object, uint32_t owner, struct buf *b)
{
	struct heap_slot slot;

	if (!heap_link(h, owner, below_owner(h, object, owner), &slot) ||
	    (slot.kind != SLOT_FIELD && slot.kind != SLOT_STATIC)) {
		heap_label(h, owner, b);
		return;
	}
	heap_class_name(h, slot.class, b);
	buf_chr(b, '.');
	buf_str(b, slot.name);
}
