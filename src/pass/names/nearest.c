/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nearest: find the nearest holder of the program for an object with many holders: search referrers
 * recursively.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_frames.h"
#include "icecore/heap_names.h"
#include "pass/heap/heap.h"

/* objects that are looked at: in a list of waiters the object may be far from the head */
#define STEPS 65536u
#define LOOKED 32u		/* classes of the referrers of an object that are followed */
#define SCANNED 65536u		/* referrers of one object that are scanned */
#define SCANNED_ALL (1u << 20)	/* referrers scanned in all */
#define ALIKE 4u		/* referrers of one class that are looked at */
#define PARTS 64u		/* references of an object that are looked at for its parts */
#define CLIMB 64u		/* dominators of one, and names above it */

struct search {
	const struct heap	*h;
	uint32_t		 of;		/* the object that is asked about */
	bool			 locals;	/* local variables hold as well */
	struct scratch		 todo;		/* u32 */
	uint64_t		 n, scanned;
	struct idmap		 met;
	struct buf		*to;
	/* the object whose field has it; 0: a static or a local variable does */
	uint32_t		 found;
};

static unsigned
whose(const struct heap *h, uint32_t object)
{
	uint32_t id = names_of(h, object);
	struct name_node n;

	if (id == 0)
		return CLASS_JDK;
	names_get(h, id, &n);
	return n.whose;
}

/* Return whether the object in question dominates the holder: then it keeps the holder, not vice versa. */
static bool
nearest_is_own(const struct search *s, uint32_t holder)
{
	for (uint32_t n = 0; holder != 0 && n < CLIMB; n++, holder = heap_above(s->h, holder))
		if (holder == s->of)
			return true;
	return false;
}

/* An element of an array that the object has, or a collection of it: a part that knows the whole. */
static bool
nearest_is_part(const struct search *s, uint32_t holder)
{
	struct heap_walk w, inner;
	struct heap_slot slot;
	uint32_t at, array;

	heap_out(s->h, s->of, &w);
	for (uint32_t n = 0; n < PARTS && (at = heap_next(&w, NULL)) != 0; n++) {
		if (heap_is_array(s->h, at)) {
			if (heap_link(s->h, at, holder, &slot))
				return true;
			continue;
		}
		heap_out(s->h, at, &inner);
		for (uint32_t k = 0; k < ALIKE && (array = heap_next(&inner, NULL)) != 0; k++)
			if (heap_is_array(s->h, array) && heap_link(s->h, array, holder, &slot))
				return true;
	}
	return false;
}

static bool
nearest_is_lambda(const struct heap *h, uint32_t object)
{
	static const char *const lambdas[] = { "*$$Lambda*" };

	return heap_label_like(h, object, lambdas, NELEM(lambdas));
}

/*
 * Append the field, static or local variable of the program by which holder has the object, if there is one.
 */
static bool
nearest_tell(struct search *s, uint32_t holder, uint32_t held)
{
	uint32_t frame;
	struct heap_slot slot;

	if (heap_is_array(s->h, holder) || !heap_link(s->h, holder, held, &slot))
		return false;
	if (slot.kind == SLOT_LOCAL && !s->locals)
		return false;
	if (slot.kind == SLOT_LOCAL) {
		frame = (uint32_t)store_cell(s->h->st, COL_ROOT_FRAME, slot.index);
		slot.class = frame == 0 ? 0 : (uint32_t)store_cell(s->h->st, COL_FRAME_CLASS, frame);
		slot.name = store_text(s->h->st, store_cell(s->h->st, COL_FRAME_METHOD, frame));
	}
	if (slot.class == 0 || slot.class > s->h->classes || slot.name.n == 0 ||
	    heap_is_platform(s->h, slot.class, PLATFORM_BLAME))
		return false;
	if (slot.kind != SLOT_LOCAL && ((whose(s->h, holder) & CLASS_PROGRAM) == 0 ||
	    nearest_is_lambda(s->h, holder) || nearest_is_part(s, holder)))
		return false;
	if (slot.kind == SLOT_LOCAL)
		buf_text(s->to, "a local variable of ");
	heap_stable_name(s->h, slot.class, s->to);
	buf_chr(s->to, '.');
	buf_str(s->to, slot.name);
	s->found = slot.kind == SLOT_FIELD ? holder : 0;
	return true;
}

/*
 * Do not search beyond threads, class loaders and classes: their holders do not hold the object on purpose.
 */
static bool
nearest_leads_on(const struct search *s, uint32_t holder)
{
	uint32_t class = heap_class(s->h, holder);

	return !heap_holds_classes(s->h, class) && class_named(s->h, class, "java.lang.ClassLoader") == 0 &&
	    class_named(s->h, class, "java.lang.Thread") == 0 &&
	    class_named(s->h, class, "java.lang.ThreadGroup") == 0;
}

/* Holders seen per class: a thousand workers of a pool must not crowd out holders of other classes. */
struct alike {
	uint32_t	class[LOOKED], n[LOOKED], classes;
};

static bool
nearest_is_enough(struct alike *a, uint32_t class)
{
	uint32_t i = 0;

	while (i < a->classes && a->class[i] != class)
		i++;
	if (i == LOOKED)
		return true;
	if (i == a->classes) {
		a->class[a->classes] = class;
		a->n[a->classes++] = 0;
	}
	assert(i < a->classes && a->classes <= LOOKED);
	return a->n[i]++ >= ALIKE;
}

static bool
nearest_push(struct search *s, uint32_t object)
{
	struct err err;

	return s->n >= STEPS || (idmap_put(&s->met, object, 1, &err) &&
	    scratch_add(&s->todo, &s->n, &object, sizeof object, &err));
}

/* Search the referrers of object.  False: the search ends, because it was found or memory ran out. */
static bool
nearest_look(struct search *s, uint32_t object, bool *told)
{
	struct alike alike = { .classes = 0 };
	enum heap_strength strength;
	struct heap_walk w;
	uint32_t holder;

	heap_in(s->h, object, &w);
	for (uint32_t i = 0; i < SCANNED && s->scanned++ < SCANNED_ALL &&
	    (holder = heap_next(&w, &strength)) != 0; i++) {
		uint32_t class = heap_class(s->h, holder);

		if (strength != HEAP_STRONG || heap_dominator(s->h, holder) == 0 ||
		    (!heap_holds_classes(s->h, class) && nearest_is_enough(&alike, class)) ||
		    idmap_get(&s->met, holder) != 0 || nearest_is_own(s, holder))
			continue;
		*told = nearest_tell(s, holder, object);
		if (*told || (nearest_leads_on(s, holder) && !nearest_push(s, holder)))
			return false;
	}
	return true;
}

static bool
nearest_find(const struct heap *h, uint32_t object, bool locals, struct buf *b, uint32_t *found)
{
	struct search s = { .h = h, .of = object, .locals = locals, .to = b };
	bool told = false, ok = nearest_push(&s, object);

	for (uint64_t at = 0; ok && at < s.n; at++)
		ok = nearest_look(&s, SCRATCH(s.todo, uint32_t)[at], &told);
	scratch_free(&s.todo);
	idmap_free(&s.met);
	*found = s.found;
	return told;
}

/*
 * The field of the program by which the tree of names has the object; false: there is none, or a lambda
 * captured it.
 */
static bool
nearest_add_name(const struct heap *h, uint32_t object, struct buf *b)
{
	struct name_node n;
	uint32_t id = names_of(h, object), steps = 0;

	for (; id > 1 && steps < CLIMB; id = n.parent, steps++) {
		names_get(h, id, &n);
		if (n.kind == NAME_ELEMENT || !(n.holder_whose & CLASS_PROGRAM))
			continue;
		if ((n.kind != NAME_FIELD && n.kind != NAME_STATIC && n.kind != NAME_SHARED) ||
		    str_has_suffix(n.holder, STR("$$Lambda")))
			return false;
		name_add_field(&n, b);
		return true;
	}
	return false;
}

bool
names_nearest(const struct heap *h, uint32_t object, bool locals, struct buf *b)
{
	uint32_t holder, other;
	size_t from;

	if (!nearest_find(h, object, locals, b, &holder))
		return false;
	from = b->n;
	buf_text(b, " in ");
	if (holder == 0 || (!nearest_add_name(h, holder, b) && !nearest_find(h, holder, false, b, &other)))
		b->n = from;
	return true;
}
