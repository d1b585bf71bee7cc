/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_android: ended objects of Android that are still reachable, Views in statics.
 */
#include "config.h"

#include "findings.h"
#include "inspect.h"

enum { WANT_KNOWN = 1, WANT_STATICS = 2 };

struct android {
	struct scratch	wants;		/* u8 by class: WANT_* */
};

/* ---- classes --------------------------------------------------------------------------- */

static bool
detect_android_begin(struct finder *f, void *state)
{
	struct android *a = state;

	return scratch_array(&a->wants, f->h.classes + 1ull, 1, f->err);
}

static bool
wants(struct finder *f, void *state, uint32_t class)
{
	struct android *a = state;
	uint8_t *w = &a->wants.data[class];

	if (inspector_knows(f->inspector, class))
		*w |= WANT_KNOWN;
	if (heap_holds_classes(&f->h, class))
		*w |= WANT_STATICS;
	return *w != 0;
}

/* ---- Views in statics --------------------------------------------------------------------- */

static bool
is_view(const struct finder *f, uint32_t object)
{
	enum inspect_is is = inspect_is(f->inspector, object);

	return is == IS_VIEW || is == IS_DECOR;
}

static bool
detect_android_add_view(struct finder *f, uint32_t class, uint32_t view)
{
	struct verdict v;

	inspect(f->inspector, view, &v);
	return v.mark == LEAK_YES || finding_add(f, &(struct finding){
	    .kind = FINDING_STATIC_VIEW, .object = view, .other = class });
}

static bool
look_at_statics(struct finder *f, uint32_t object)
{
	struct heap_walk w;
	struct heap_slots s;
	struct heap_slot slot;
	uint32_t to;

	if (!finder_is_app(f, object))
		return true;
	/* Read the names of the statics only if the class refers to a view at all. */
	heap_out(&f->h, object, &w);
	while ((to = heap_next(&w, NULL)) != 0 && !is_view(f, to))
		continue;
	if (to == 0 || !heap_slots(&f->h, object, &s))
		return true;
	while (heap_slot(&s, &slot) && slot.kind != SLOT_SUPER)
		if (slot.kind == SLOT_STATIC && slot.object != 0 &&
		    heap_dominator(&f->h, slot.object) != 0 &&
		    is_view(f, slot.object) && !detect_android_add_view(f, object, slot.object))
			return false;
	return true;
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool
detect_android_look(struct finder *f, void *state, uint32_t object)
{
	struct android *a = state;
	unsigned wanted = finder_wanted(f, &a->wants, object);
	struct verdict v;

	if (wanted & WANT_STATICS && !look_at_statics(f, object))
		return false;
	if (!(wanted & WANT_KNOWN))
		return true;
	inspect(f->inspector, object, &v);
	/* Other detectors report those. */
	return v.mark != LEAK_YES || v.kind == FINDING_BITMAP_RECYCLED || v.kind == FINDING_THREAD_LOCAL ||
	    v.kind == FINDING_LOADER ||
	    finding_add(f, &(struct finding){ .kind = v.kind, .object = object });
}

/* The scan skips objects that no root reaches; list those that LeakCanary watched. */
static bool
detect_android_end(struct finder *f, UNUSED void *state)
{
	const struct watch *w = f->inspector->watches.at;

	for (uint64_t i = 0; i < f->inspector->nwatches; i++)
		if (heap_dominator(&f->h, w[i].referent) == 0 &&
		    !finding_add(f, &(struct finding){ .kind = FINDING_UNREACHABLE, .object = w[i].referent }))
			return false;
	return true;
}

static void
detect_android_release(void *state)
{
	scratch_free(&((struct android *)state)->wants);
}

const struct detector detector_android = {
	.state_size = sizeof(struct android), .begin = detect_android_begin, .wants = wants,
	    .object = detect_android_look, .end = detect_android_end,
	    .release = detect_android_release
};
