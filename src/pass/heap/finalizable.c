/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finalizable: objects that only wait for finalize() to run, with everything they hold.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_heap.h"
#include "heap.h"

#define TICK 4096u

bool
finalizer_class(const struct heap *h, uint32_t class)
{
	return class_is(h, class, "java.lang.ref.Finalizer") ||
	    class_is(h, class, "java.lang.ref.FinalizerReference");
}

uint32_t
finalizer_waits(const struct heap *h, uint32_t reference)
{
	/* Android moves what waits to another field. */
	uint32_t waits = heap_field_object(h, reference, "zombie");

	if (waits == 0)
		waits = heap_field_object(h, reference, "referent");
	return waits == 0 || waits > h->objects || heap_dominator(h, waits) != 0 ? 0 : waits;
}

bool
finalizable_add(struct finalizable *f, const struct heap *h, uint32_t object, struct work *w, uint64_t *bytes,
    struct err *err)
{
	enum heap_strength strength;
	struct heap_walk walk;
	uint64_t n = 0;

	assert(object != 0 && object <= h->objects);
	if (!scratch_array(&f->seen, h->objects / 64 + 1ull, sizeof(uint64_t), err))
		return false;
	do {
		if (!has_bit(&f->seen, object)) {
			set_bit(&f->seen, object);
			*bytes = num_add(*bytes, heap_shallow(h, object));
			heap_out(h, object, &walk);
			for (uint32_t to; (to = heap_next(&walk, &strength)) != 0; )
				if (heap_counts(h, strength) && heap_dominator(h, to) == 0 &&
				    !has_bit(&f->seen, to) &&
				    !scratch_add(&f->todo, &n, &to, sizeof to, err))
					return false;
		}
		if (!work_each(w, n, TICK, err))
			return false;
		object = n == 0 ? 0 : SCRATCH(f->todo, uint32_t)[--n];
	} while (object != 0);
	return true;
}

void
finalizable_close(struct finalizable *f)
{
	SCRATCH_FREE(&f->seen, &f->todo);
}

static bool
add_all(const struct heap *h, uint32_t class, struct finalizable *f, struct work *w, uint64_t *bytes,
    struct err *err)
{
	uint64_t left = store_cell(h->st, COL_CLASS_OBJECTS, class);
	uint32_t waits;

	for (uint32_t i = 1; i <= h->objects && left > 0; i++) {
		if (!work_each(w, i, TICK, err))
			return false;
		if (heap_class(h, i) != class)
			continue;
		left--;
		waits = heap_dominator(h, i) == 0 ? 0 : finalizer_waits(h, i);
		if (waits != 0 && !finalizable_add(f, h, waits, w, bytes, err))
			return false;
	}
	return true;
}

bool
finalizable_bytes(const struct heap *h, struct work *w, uint64_t *bytes, struct err *err)
{
	struct finalizable f = { SCRATCH_INIT, SCRATCH_INIT };
	bool ok = true;

	*bytes = 0;
	for (uint32_t class = 1; class <= h->classes && ok; class++)
		if (finalizer_class(h, class))
			ok = add_all(h, class, &f, w, bytes, err);
	finalizable_close(&f);
	return ok;
}
