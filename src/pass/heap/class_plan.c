/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * class_plan: offsets of the references in the values of an instance.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "objects.h"

void
class_plans_close(struct class_plans *p)
{
	free(p->plan);
	array_free(&p->refs);
	idmap_free(&p->numbers);
}

static bool
add_ref(struct class_plans *p, struct class_plan *plan, uint64_t offset, struct err *err)
{
	uint32_t ref = (uint32_t)offset;

	if (offset > UINT32_MAX - 8 || plan->n == UINT32_MAX)
		return true;
	/* Only the plan that is being made grows. */
	assert(plan->first + plan->n == p->nrefs);
	plan->n++;
	return array_add(&p->refs, &p->nrefs, &ref, err);
}

/* A field that is a reference, behind those that were there before. */
static bool
class_plan_add_reference(struct class_plans *p, struct class_plan *plan, uint32_t class, struct str name,
    struct err *err)
{
	if (field_idle(p->h, class, name)) {
		if (field_chains(p->h, class, name) && plan->bytes < UINT32_MAX - 8)
			plan->chain = (uint32_t)plan->bytes;
		return true;
	}
	if (plan->strength == HEAP_STRONG || !str_is(name, "referent") ||
	    plan->bytes >= UINT32_MAX - 8)
		return add_ref(p, plan, plan->bytes, err);
	/*
	 * Superclasses come last, so the last one is that of java.lang.ref.Reference; earlier ones are
	 * ordinary fields.
	 */
	if (plan->referent != PLAN_NONE && !add_ref(p, plan, plan->referent, err))
		return false;
	plan->referent = (uint32_t)plan->bytes;
	return true;
}

/* The fields that class declares itself. */
static bool
class_plan_add_fields(struct class_plans *p, struct class_plan *plan, uint32_t class, struct err *err)
{
	const struct store *st = p->h->st;
	uint64_t row, n = heap_class_fields(st, class, &row), type;
	struct str name;

	for (; n > 0; n--, row++) {
		type = store_cell(st, COL_FIELD_TYPE, row);
		name = store_text(st, store_cell(st, COL_FIELD_NAME, row));
		if (type <= HEAP_OBJECT && type > 0 && !class_plan_add_reference(p, plan, class, name, err))
			return false;
		plan->bytes += heap_width((unsigned)type, p->h->id_size);
	}
	return true;
}

uint32_t
class_same_fields(const struct heap *h, uint32_t class)
{
	uint32_t super = (uint32_t)store_cell(h->st, COL_CLASS_SUPER, class);
	bool same = super != 0 && super <= h->classes && store_cell(h->st, COL_CLASS_FIELDS, class) == 0 &&
	    store_cell(h->st, COL_CLASS_STRENGTH, class) == store_cell(h->st, COL_CLASS_STRENGTH, super);

	return same ? super : 0;
}

/*
 * A class that has a plan has an object with all its values in the file, so that all of them together are no
 * longer than that.  In a file where they would be the objects of the classes that are left count as damaged.
 */
static bool
class_plan_add_chain(struct class_plans *p, struct class_plan *plan, uint32_t class, struct err *err)
{
	const struct column *super = store_column(p->h->st, COL_CLASS_SUPER);

	*plan = (struct class_plan){ .first = p->nrefs, .referent = PLAN_NONE, .chain = PLAN_NONE, .made = true };
	plan->strength = (uint8_t)store_cell(p->h->st, COL_CLASS_STRENGTH, class);
	for (uint32_t c = class, hops = 0; c != 0 && c <= p->h->classes && hops <= p->h->classes; hops++) {
		if (plan->bytes > p->room) {
			plan->bytes = UINT64_MAX;
			return true;
		}
		if (!class_plan_add_fields(p, plan, c, err))
			return false;
		c = (uint32_t)column_get(super, (uint64_t)c - 1);
	}
	assert(plan->first + plan->n == p->nrefs);
	p->room -= plan->bytes < p->room ? plan->bytes : p->room;
	return true;
}

/* Make one plan for class and all classes up to the superclass that declares its fields. */
static bool
class_plan_make_plan(struct class_plans *p, uint32_t class, struct err *err)
{
	struct class_plan plan;
	uint32_t top = class, up, hops = 0;

	/* Find the first class that has a plan or needs one of its own. */
	for (; !p->plan[top].made && hops <= p->h->classes &&
	    (up = class_same_fields(p->h, top)) != 0; hops++)
		top = up;
	if (p->plan[top].made)
		plan = p->plan[top];
	else if (!class_plan_add_chain(p, &plan, top, err))
		return false;
	assert(plan.made);
	/* Chains of superclasses may be cyclic. */
	for (; !p->plan[class].made; class = up) {
		assert(plan.made && plan.first + plan.n <= p->nrefs);
		p->plan[class] = plan;
		if (class == top)
			break;
		up = class_same_fields(p->h, class);
	}
	return true;
}

/* Make the plans of all classes with objects in advance, because threads only read them. */
static bool
make_plans(struct class_plans *p, struct err *err)
{
	p->plan[0] = (struct class_plan){ .referent = PLAN_NONE, .chain = PLAN_NONE, .made = true };
	for (uint32_t c = 1; c <= p->h->classes; c++)
		if (!p->plan[c].made && store_cell(p->h->st, COL_CLASS_OBJECTS, c) > 0 &&
		    !class_plan_make_plan(p, c, err))
			return false;
	return true;
}

bool
class_plans_open(struct class_plans *p, const struct heap *h, struct err *err)
{
	const struct column *addr = store_column(h->st, COL_CLASS_ADDR);
	uint64_t element;
	bool ok;

	memset(p, 0, sizeof *p);
	p->h = h;
	p->room = h->size;
	p->plan = mem_array((size_t)h->classes + 1, sizeof *p->plan);
	/* Allocate one element, so that pointers into refs are valid without references, too. */
	ok = p->plan == NULL ? fail_memory(err, "classes") : array_grow(&p->refs, 1, err);
	for (uint64_t i = 0; ok && i < h->classes; i++) {
		element = column_get(h->class_element, i);
		if (element > HEAP_OBJECT && element <= HEAP_LONG && p->prims[element] == 0)
			p->prims[element] = (uint32_t)i + 1;
		ok = idmap_put(&p->numbers, column_get(addr, i) + 1, (uint32_t)i + 1, err);
	}
	if (ok && make_plans(p, err))
		return true;
	class_plans_close(p);
	return false;
}
