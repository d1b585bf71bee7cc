/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * loader_holds: references to a class loader and its world from outside.
 *
 * Code that works with a loader refers to it.  If nothing refers to the loader, only to an object or class of
 * its world, the loader was abandoned but could not be unloaded.
 */
#include "config.h"

#include "icecore/columns_heap.h"
#include "loader_holds.h"

#define TICK 1024u

/* The class that it is, or that it is of. */
static uint32_t
loader_holds_class_of(const struct finder *f, uint32_t object)
{
	uint32_t class = heap_class_of_object(&f->h, object);

	return class != 0 ? class : heap_class(&f->h, object);
}

uint32_t
world_row(const struct finder *f, uint32_t object)
{
	return (uint32_t)column_get(store_column(f->st, COL_CLASS_LOADER),
	    loader_holds_class_of(f, object) - 1ull);
}

/* Return whether the loader, or an object of its classes, dominates the object or is the object itself. */
static bool
loader_holds_is_inside(const struct finder *f, const struct world *w, uint32_t object)
{
	for (uint32_t n = 0; object != 0 && n < DEEP; n++, object = heap_above(&f->h, object))
		if (object == w->object || world_row(f, object) == w->row)
			return true;
	return false;
}

/* The VM and the class library keep such objects for every loader, whether it is in use or not. */
static bool
is_note(const struct finder *f, uint32_t object)
{
	static const char *const notes[] = {
		"java.security.ProtectionDomain", "java.lang.Module", "java.lang.Package",
		"java.lang.NamedPackage", "java.lang.ClassLoader$*"
	};

	return heap_label_like(&f->h, object, notes, NELEM(notes));
}

/* A referrer does so by a reference that counts. */
static bool
refers(const struct finder *f, uint32_t holder, uint32_t object, bool by_stack)
{
	struct heap_slot slot = { .type = 0 };

	/* Do not search the elements of an array: all of them are strong references. */
	if (heap_is_array(&f->h, holder))
		return !by_stack && heap_counts(&f->h, HEAP_STRONG);
	while (heap_link_next(&f->h, holder, object, &slot))
		if (heap_counts(&f->h, slot.strength) && (!by_stack || slot.kind == SLOT_LOCAL))
			return true;
	return false;
}

/*
 * Somebody works with the loader itself.  A child names its parent only to ask it, and a thread has
 * some context class loader always: its stack counts.
 */
static bool
is_user(const struct finder *f, const struct world *w, uint32_t holder)
{
	unsigned sort = finder_sort(f, holder);

	return heap_dominator(&f->h, holder) != 0 && (sort & SORT_LOADER) == 0 &&
	    !is_note(f, holder) && !loader_holds_is_inside(f, w, holder) &&
	    refers(f, holder, w->object, (sort & SORT_THREAD) != 0);
}

/* URLClassLoader when close() was called, and the loaders of Tomcat when their application was stopped. */
bool
loader_closed(const struct heap *h, uint32_t loader)
{
	uint32_t path = heap_field_object(h, loader, "ucp"), name;
	struct heap_slot slot;
	OWN_BUF b = BUF_INIT;
	bool closed = false;

	if (path != 0 && heap_field(h, path, "closed", 0, &slot) && slot.type == HEAP_BOOLEAN)
		return slot.bits != 0;
	name = heap_field_object(h, heap_field_object(h, loader, "state"), "name");
	if (name != 0 && heap_string(h, name, 16, &b))
		closed = str_is(buf_view(&b), "STOPPED") ||
		    str_is(buf_view(&b), "DESTROYED");
	return closed;
}

bool
world_look(struct finder *f, struct world *w)
{
	struct heap_walk walk;
	uint32_t holder, last = 0;
	uint64_t n = 0;

	w->closed = loader_closed(&f->h, w->object);
	heap_in(&f->h, w->object, &walk);
	while (!w->held && (holder = heap_next(&walk, NULL)) != 0) {
		if (++n % TICK == 0 && !work_go(f->work, n, f->err))
			return false;
		if (holder != last)
			w->held = is_user(f, w, holder);
		last = holder;
	}
	return true;
}

bool
world_count(struct finder *f, struct world *w, uint32_t object, uint32_t most)
{
	struct heap_walk walk;
	uint32_t holder, last = 0;
	uint64_t n = 0;

	heap_in(&f->h, object, &walk);
	while (w->holds < most && (holder = heap_next(&walk, NULL)) != 0) {
		if (++n % TICK == 0 && !work_go(f->work, n, f->err))
			return false;
		if (holder == last || heap_dominator(&f->h, holder) == 0 ||
		    loader_holds_is_inside(f, w, holder) ||
		    is_note(f, holder) || !refers(f, holder, object, false))
			continue;
		last = holder;
		w->holds++;
		for (uint32_t i = 0; i < WORLD_HOLDS; i++)
			if (w->hold[i].by == 0) {
				w->hold[i] = (struct hold){ holder, loader_holds_class_of(f, object) };
				break;
			}
	}
	return true;
}
