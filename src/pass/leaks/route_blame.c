/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * route_blame: references without blame: the lists of finalizers and cleaners, and the stacks of threads.
 */
#include "config.h"

#include "icecore/columns_heap.h"
#include "routes.h"
#include "pass/heap/heap.h"

/* Their fields that hold the list together. */
static const char *const listed_classes[] = {
	"java.lang.ref.Finalizer", "java.lang.ref.FinalizerReference", "sun.misc.Cleaner",
	"jdk.internal.ref.Cleaner"
};
static const char *const list_fields[] = { "next", "prev", "element" };

static bool
one_of(struct str name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (heap_same_name(name, str_of(list[i])))
			return true;
	return false;
}

/* ---- what is odd ------------------------------------------------------------------------ */

static bool
route_blame_has_class(const struct heap_routes *r, const struct scratch *classes, uint32_t class)
{
	return class <= r->heap->classes && has_bit(classes, class);
}

static bool
route_blame_mark_classes(struct heap_routes *r)
{
	const struct heap *h = r->heap;
	OWN_SCRATCH marks = SCRATCH_INIT;
	uint32_t object;

	if (!scratch_array(&marks, h->classes + 1ull, 1, r->err))
		return false;
	for (uint32_t i = 1; i <= h->classes; i++) {
		if (one_of(class_text(h, i), listed_classes, NELEM(listed_classes)))
			set_bit(&r->listed, i);
		if (leak_known_class(h, i))
			marks.data[i] = MARK_YES;
	}
	class_inherit(h, marks.data);
	for (uint32_t i = 1; i <= h->classes; i++) {
		if (marks.data[i] != MARK_YES)
			continue;
		set_bit(&r->known, i);
		/* Static fields of the class may be known leaks, too. */
		object = heap_class_object(h, i);
		if (object != 0)
			set_bit(&r->odd, object);
	}
	return true;
}

bool
route_is_odd(const struct heap_routes *r, uint32_t object)
{
	uint32_t class = heap_class(r->heap, object);

	return has_bit(&r->odd, object) || route_blame_has_class(r, &r->listed, class) ||
	    route_blame_has_class(r, &r->known, class);
}

bool
route_blame_mark(struct heap_routes *r)
{
	for (uint32_t i = 1; i <= r->heap->objects; i++) {
		if (route_is_odd(r, i))
			set_bit(&r->odd, i);
		if (!route_tick(r))
			return false;
	}
	return true;
}

/*
 * Locals of the main thread are released soon, and the finalizer watchdog only observes: do not blame them.
 */
static bool
route_blame_is_idle(const struct heap *h, uint32_t row)
{
	static const char *const names[] = { "main", "FinalizerWatchdogDaemon" };
	OWN_BUF b = BUF_INIT;
	bool idle;

	heap_thread_name(h, (uint32_t)column_get(h->root_thread, row - 1ull), &b);
	idle = one_of(buf_view(&b), names, NELEM(names));
	return idle;
}

/* Threads with locals; those of which the locals may be followed get a list of them, by rising row. */
static bool
route_blame_mark_threads(struct heap_routes *r)
{
	const struct heap *h = r->heap;
	uint64_t rows = h->root_kind == NULL ? 0 : h->root_kind->rows;
	uint32_t row, thread, last = 0;
	bool idle = false;

	if (!array_grow(&r->next_local, rows + 1, r->err))
		return false;
	for (row = (uint32_t)rows; row > 0; row--) {
		if (!route_tick(r))
			return false;
		thread = heap_root_thread(h, row);
		if (thread == 0 || thread > h->objects)
			continue;
		set_bit(&r->odd, thread);
		/* The rows of a thread are adjacent: read its name only once. */
		if (thread != last)
			idle = route_blame_is_idle(h, row);
		last = thread;
		if (idle)
			continue;
		r->next_local.at[row - 1] = idmap_get(&r->locals, thread);
		if (!idmap_put(&r->locals, thread, row, r->err))
			return false;
	}
	return true;
}

bool
route_blame_open(struct heap_routes *r)
{
	uint64_t words = r->heap->classes / 64 + 1ull;
	bool ok;

	ok = scratch_array(&r->odd, r->heap->objects / 64 + 1ull, sizeof(uint64_t), r->err) &&
	    scratch_array(&r->listed, words, sizeof(uint64_t), r->err) &&
	    scratch_array(&r->known, words, sizeof(uint64_t), r->err);
	return ok && route_blame_mark_classes(r) && route_blame_mark_threads(r);
}

/* ---- references of special objects ----------------------------------------------------------- */

static bool
follow_locals(struct heap_routes *r, uint32_t thread, uint32_t from)
{
	const struct column *objects = store_column(r->heap->st, COL_ROOT_OBJECT);
	uint32_t row = idmap_get(&r->locals, thread);

	for (; row != 0; row = r->next_local.at[row - 1])
		if (!route_late(r, (uint32_t)column_get(objects, row - 1ull), from) || !route_tick(r))
			return false;
	return true;
}

/* How to follow a reference of an odd object. */
enum way { WAY_NONE, WAY_LATE, WAY_GOOD };

static enum way
way_of(const struct heap_routes *r, const struct heap_slot *slot, bool listed)
{
	if (slot->kind == SLOT_CLASS || !heap_slot_refers(slot) ||
	    slot->strength != HEAP_STRONG ||
	    (listed && one_of(slot->name, list_fields, NELEM(list_fields))))
		return WAY_NONE;
	if ((slot->kind == SLOT_FIELD || slot->kind == SLOT_STATIC) &&
	    route_blame_has_class(r, &r->known, slot->class) &&
	    leak_known_reference(r->heap, slot->class, slot->name) != NULL)
		return WAY_LATE;
	return WAY_GOOD;
}

/* Fields an instance of the class has. */
static uint64_t
count_fields(const struct heap *h, uint32_t class)
{
	const struct column *super = store_column(h->st, COL_CLASS_SUPER);
	uint64_t n = 0, row;

	/* Superclasses may be cyclic in a hostile file. */
	for (uint32_t hops = 0; class != 0 && hops < h->classes; hops++) {
		n += heap_class_fields(h->st, class, &row);
		class = (uint32_t)column_get(super, class - 1ull);
	}
	return n;
}

/*
 * Return how many slots to follow: the locals of a thread come after its fields and have a list of their own.
 */
static uint64_t
begin_slots(const struct heap_routes *r, uint32_t object, struct heap_slots *s)
{
	if (!heap_slots(r->heap, object, s))
		return 0;
	return s->record.tag != TAG_INSTANCE ? UINT64_MAX :
	    count_fields(r->heap, heap_class(r->heap, object));
}

bool
route_follow_odd(struct heap_routes *r, uint32_t object, uint32_t from)
{
	bool listed = route_blame_has_class(r, &r->listed, heap_class(r->heap, object)), ok = true;
	struct heap_slots s;
	struct heap_slot slot;
	uint64_t left = begin_slots(r, object, &s);
	enum way way;

	for (; ok && left > 0 && heap_slot(&s, &slot); left--) {
		way = way_of(r, &slot, listed);
		if (way == WAY_GOOD)
			ok = route_meet(r, slot.object, from);
		else if (way == WAY_LATE)
			ok = route_late(r, slot.object, from);
		ok = ok && route_tick(r);
	}
	return ok && follow_locals(r, object, from);
}

bool
route_odd_leads_to(const struct heap_routes *r, uint32_t holder, uint32_t object)
{
	bool listed = route_blame_has_class(r, &r->listed, heap_class(r->heap, holder));
	struct heap_slots s;
	struct heap_slot slot;
	uint64_t left = begin_slots(r, holder, &s);

	for (; left > 0 && heap_slot(&s, &slot); left--)
		if (slot.object == object && way_of(r, &slot, listed) == WAY_GOOD)
			return true;
	return false;
}
