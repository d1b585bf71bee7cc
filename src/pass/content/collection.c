/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collection: how full one list, map or set is, and what of it is wasted.
 */
#include "config.h"

#include <assert.h>

#include "collections.h"

/*
 * Compute the unused bytes.  An empty array that another object holds as well, such as the one that all
 * empty lists share, counts neither as waste nor as capacity.
 */
static void
collection_add_waste(struct reading *r)
{
	const struct heap *h = &r->c->h;
	struct collection *out = r->out;
	bool own = r->slack.own;
	uint32_t owner;

	out->waste = r->slack.whole;
	for (unsigned i = 0; i < NELEM(r->slack.array); i++) {
		owner = r->slack.array[i] == 0 ? HEAP_ROOT : heap_dominator(h, r->slack.array[i]);
		if (owner != 0 && owner != r->f.object)
			continue;
		own = true;
		out->waste += heap_shallow(h, r->slack.array[i]);
	}
	if (out->size > 0)
		out->waste = out->capacity < out->size ? 0 :
		    (out->capacity - out->size) * r->slack.unit;
	else if (!own)
		out->capacity = 0;
}

/* Read a collection that keeps its elements itself. */
static bool
get_numbers(struct reading *r)
{
	enum collection_form form = r->f.plan->form;

	*r->out = (struct collection){ .size = 0 };
	if (form >= FORM_PARTS || collection_forms[form] == NULL || !collection_forms[form](r))
		return false;
	collection_add_waste(r);
	return true;
}

/* Read the collection in which a set keeps its elements.  Its waste counts only if the set alone holds it. */
static bool
get_wrapped(struct reading *r)
{
	const struct heap *h = &r->c->h;
	struct reading inner = { .c = r->c, .out = r->out, .buckets = r->buckets };
	uint32_t object, owner;

	assert(form_is_wrap(r->f.plan->form));
	if (!planned_object(&r->f, 0, &object) || !planned_open(r->c, object, &inner.f))
		return false;
	owner = heap_dominator(h, object);
	if ((owner != r->f.object && r->f.plan->form == FORM_VIEW) || !get_numbers(&inner))
		return false;
	if (owner != r->f.object)
		r->out->waste = 0;
	return true;
}

/* Whether the object is the inner collection of a set that alone holds it: then only the set is listed. */
static bool
belongs_to_set(const struct collections *c, uint32_t object)
{
	uint32_t owner = heap_dominator(&c->h, object), that;
	struct planned f;

	return owner != HEAP_ROOT && planned_open(c, owner, &f) &&
	    form_is_wrap(f.plan->form) &&
	    planned_object(&f, 0, &that) && that == object;
}

bool
collection_get(struct collections *c, uint32_t object, bool buckets, struct collection *out)
{
	struct reading r = { .c = c, .out = out, .buckets = buckets };

	*out = (struct collection){ .size = 0 };
	if (!planned_open(c, object, &r.f) || r.f.plan->form >= FORM_PARTS ||
	    belongs_to_set(c, object))
		return false;
	return form_is_wrap(r.f.plan->form) ? get_wrapped(&r) : get_numbers(&r);
}

bool
collection_size(struct collections *c, uint32_t object, struct collection *out)
{
	struct reading r = { .c = c, .out = out };

	*out = (struct collection){ .size = 0 };
	return planned_unwrap(c, object, &r.f) && collection_forms[r.f.plan->form](&r);
}
