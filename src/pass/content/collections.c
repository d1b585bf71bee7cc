/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collections: which classes of a heap are collections, where their fields are, and whose a
 * collection is.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_heap.h"
#include "collections.h"

/* ---- names of classes -------------------------------------------------------------- */

/* The part of a name in front of its first $. */
static struct str
outer_name(struct str name)
{
	size_t i;

	for (i = 0; i < name.n && name.s[i] != '$'; i++)
		continue;
	return (struct str){ name.s, i };
}

/* Only names of these packages can be in the table. */
static bool
may_have_rule(struct str name)
{
	static const char *const begin[] = { "java.util", "android", "androidx" };
	struct str head, want;

	for (size_t i = 0; i < NELEM(begin); i++) {
		want = str_of(begin[i]);
		head = (struct str){ name.s, name.n < want.n ? name.n : want.n };
		if (heap_same_name(head, want))
			return true;
	}
	return false;
}

static const struct collection_rule *
first_rule(struct str name)
{
	const struct collection_rule *r;

	if (!may_have_rule(name))
		return NULL;
	for (r = collection_rules; r->class != NULL; r++)
		if (name.n == r->length && heap_same_name(name, str_of(r->class)))
			return r;
	return NULL;
}

/* ---- fields of classes ---------------------------------------------------------------- */

/* A place or a size; never more than fits. */
static uint32_t
cut32(uint64_t n)
{
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* Bytes of the values of the fields that a class declares itself. */
static uint32_t
own_bytes(const struct collections *c, uint32_t class)
{
	uint64_t bytes = 0;
	uint8_t type;

	class_field(&c->h, class, NULL, &bytes, &type);
	return cut32(bytes);
}

#define SUPERS 64		/* superclasses that are asked for a field: collections have fewer */

bool
collections_field(const struct collections *c, uint32_t class, const char *name, struct place *place)
{
	uint64_t at = 0;
	uint8_t type;

	for (uint32_t hops = 0; class != 0 && hops < SUPERS; hops++) {
		if (class_field(&c->h, class, name, &at, &type)) {
			*place = (struct place){ cut32(at), type };
			return true;
		}
		class = (uint32_t)column_get(c->super, class - 1ull);
	}
	return false;
}

static bool
collections_fits(const struct collections *c, uint32_t class, const struct collection_rule *rule,
    struct plan *plan)
{
	*plan = (struct plan){ .form = rule->form, .class = class };
	for (unsigned i = 0; i < RULE_FIELDS && rule->field[i] != NULL; i++)
		if (!collections_field(c, class, rule->field[i], &plan->field[i]))
			return false;
	return rule->form != FORM_OUTER;
}

/* ---- plans ------------------------------------------------------------------------------ */

/* A class of the table gets its plan, and all are marked that are parts of collections. */
static bool
plan_own(struct collections *c, uint32_t class, struct err *err)
{
	struct str name = class_text(&c->h, class);
	const struct collection_rule *rule = first_rule(name);
	struct known *k = &c->known[class];
	struct plan plan;

	k->part = rule != NULL || first_rule(outer_name(name)) != NULL;
	for (const struct collection_rule *r = rule; r != NULL && r->class != NULL; r++) {
		if (!heap_same_name(name, str_of(r->class)) || !collections_fits(c, class, r, &plan))
			continue;
		if (!mem_grow(&c->plan, &c->plans_cap, c->plans + 1, sizeof plan))
			return fail_memory(err, "classes of collections");
		c->plan[c->plans++] = plan;
		k->plan = (uint32_t)c->plans;
		k->done = true;
		return true;
	}
	return true;
}

/*
 * A class without a plan of its own has that of its superclass.  Cyclic superclasses have none: each class is
 * done once, on the way up as without a plan, on the way back finally.
 */
static void
collections_inherit(struct collections *c, uint32_t class, uint32_t *way)
{
	struct known *above;
	size_t n = 0;

	for (; class != 0 && class <= c->h.classes && !c->known[class].done;
	    class = (uint32_t)column_get(c->super, class - 1ull)) {
		c->known[class].done = true;
		way[n++] = class;
	}
	/* None of them is on the way twice. */
	assert(n <= c->h.classes);
	above = class == 0 || class > c->h.classes ? NULL : &c->known[class];
	for (; n > 0 && above != NULL && above->plan != 0; above = &c->known[way[n]]) {
		class = way[--n];
		c->known[class].plan = above->plan;
		c->known[class].skip = cut32((uint64_t)above->skip + own_bytes(c, class));
	}
}

static bool
plan_all(struct collections *c, struct err *err)
{
	uint32_t *way = mem_array(c->h.classes + 1ull, sizeof *way);
	bool ok;

	c->known = mem_array(c->h.classes + 1ull, sizeof *c->known);
	ok = (way != NULL && c->known != NULL) ||
	    fail_memory(err, "classes of collections");

	for (uint32_t i = 1; ok && i <= c->h.classes; i++)
		ok = plan_own(c, i, err);
	for (uint32_t i = 1; ok && i <= c->h.classes; i++)
		collections_inherit(c, i, way);
	free(way);
	return ok;
}

bool
collections_open(struct collections **out, const struct heap *h, struct err *err)
{
	struct collections *c = mem_array(1, sizeof *c);
	struct heap_slot slot;

	if (c == NULL)
		return fail_memory(err, "classes of collections");
	c->h = *h;
	c->super = store_column(h->st, COL_CLASS_SUPER);
	/* Each node belongs to one collection; where many share them, it ends some day. */
	c->most = 64 * (uint64_t)h->objects + h->size / 16 + (1u << 20);
	if (!plan_all(c, err)) {
		collections_close(c);
		return false;
	}
	if (heap_static(h, class_find(h, "java.util.ImmutableCollections", 0), STR("EMPTY"), &slot))
		c->empty = slot.object;
	*out = c;
	return true;
}

void
collections_close(struct collections *c)
{
	if (c == NULL)
		return;
	free(c->known);
	free(c->plan);
	free(c->node);
	free(c);
}

bool
collections_know(const struct collections *c, uint32_t class)
{
	return class <= c->h.classes && c->known[class].plan != 0 &&
	    c->plan[c->known[class].plan - 1].form < FORM_PARTS;
}

enum collection_kind
collection_kind(const struct collections *c, uint32_t class)
{
	static const enum collection_kind kinds[FORM_PARTS] = {
		[FORM_TREE] = COLLECTION_MAP, [FORM_FIXED] = COLLECTION_SET,
		    [FORM_FIXED_PAIRS] = COLLECTION_MAP,
		[FORM_ENUMS] = COLLECTION_MAP, [FORM_HASH] = COLLECTION_MAP,
		    [FORM_HASH_LINKED] = COLLECTION_MAP,
		[FORM_HASH_CIRCLE] = COLLECTION_MAP, [FORM_STRIPED] = COLLECTION_MAP,
		    [FORM_SEGMENTS] = COLLECTION_MAP,
		[FORM_PAIRS] = COLLECTION_MAP, [FORM_SPARSE] = COLLECTION_MAP,
		    [FORM_GARBAGE] = COLLECTION_MAP,
		[FORM_INDEXED] = COLLECTION_MAP, [FORM_PAIR] = COLLECTION_MAP, [FORM_SET] = COLLECTION_SET,
		[FORM_VIEW] = COLLECTION_SET, [FORM_INDEXED_SET] = COLLECTION_SET
	};
	enum collection_form form;

	if (!collections_know(c, class))
		return COLLECTION_NONE;
	form = c->plan[c->known[class].plan - 1].form;
	return kinds[form] == COLLECTION_NONE ? COLLECTION_LIST : kinds[form];
}

/* ---- fields of an object --------------------------------------------------------------- */

bool
planned_open(const struct collections *c, uint32_t object, struct planned *f)
{
	const struct known *k;

	if (object == 0 || object > c->h.objects)
		return false;
	k = &c->known[heap_class(&c->h, object)];
	if (k->plan == 0 || !heap_take(&c->h, object, &f->record) ||
	    f->record.tag != TAG_INSTANCE)
		return false;
	f->c = c;
	f->plan = &c->plan[k->plan - 1];
	f->object = object;
	f->at = f->record.data + k->skip;
	return true;
}

/* The bytes of field i, NULL: the record ends before it. */
static const uint8_t *
field_bytes(const struct planned *f, unsigned i, unsigned *width)
{
	uint64_t at = f->at + f->plan->field[i].at, end = f->record.next;

	assert(i < RULE_FIELDS);
	*width = heap_width(f->plan->field[i].type, f->c->h.id_size);
	if (*width == 0 || at > end || end - at < *width)
		return NULL;
	return f->c->h.data + at;
}

bool
planned_number(const struct planned *f, unsigned i, int64_t *n)
{
	unsigned width;
	const uint8_t *p = field_bytes(f, i, &width);
	uint64_t bits;

	if (p == NULL || f->plan->field[i].type <= HEAP_OBJECT ||
	    (collection_numbers[f->plan->form] >> i & 1) == 0)
		return false;
	assert(width <= 8);
	bits = heap_bits(p, width) << (64 - 8 * width);
	*n = (int64_t)bits >> (64 - 8 * width);
	return true;
}

bool
planned_object(const struct planned *f, unsigned i, uint32_t *object)
{
	unsigned width;
	const uint8_t *p = field_bytes(f, i, &width);
	uint64_t id;

	if (p == NULL || f->plan->field[i].type > HEAP_OBJECT)
		return false;
	id = heap_id(p, f->c->h.id_size);
	*object = id == 0 ? 0 : heap_find(&f->c->h, id);
	return id == 0 || *object != 0;
}

#define WRAPS 4			/* collections in one another */

bool
planned_unwrap(const struct collections *c, uint32_t object, struct planned *f)
{
	for (unsigned i = 0; i < WRAPS; i++) {
		if (!planned_open(c, object, f) || f->plan->form >= FORM_PARTS)
			return false;
		if (!form_is_wrap(f->plan->form))
			return true;
		if (!planned_object(f, 0, &object))
			return false;
	}
	return false;
}

/* ---- owners ------------------------------------------------------------------------ */

/* An array, or an object of the platform that is there for a collection only. */
static bool
collections_is_part(const struct collections *c, uint32_t object)
{
	return heap_is_array(&c->h, object) || c->known[heap_class(&c->h, object)].part;
}

/* Objects on the way are at equal distances, mostly, and must not share few places. */
static struct holding *
held_at(struct collections *c, uint32_t object)
{
	return &c->holders[object * 2654435761u >> (32 - HOLDER_BITS)];
}

/* Remembers the answer for some objects on the way up, the nearest ones: these are asked for next. */
static void
keep_holder(struct collections *c, uint32_t object, uint32_t hops, uint32_t holder, uint32_t below)
{
	for (uint32_t i = 0; i < hops && i < HOLDERS / 2 * 64; i++) {
		object = heap_dominator(&c->h, object);
		if (i % 64 == 0)
			*held_at(c, object) = (struct holding){ object, holder, below };
	}
}

/*
 * In a chain of nodes, each of which dominates the next, every query would scan all nodes below: the answer
 * is kept for some nodes on the way.
 */
uint32_t
collection_holder(struct collections *c, uint32_t object, uint32_t *below)
{
	uint32_t at = object, under = 0, hops, holder = 0;
	const struct holding *held;

	for (hops = 0; hops < c->h.objects; hops++) {
		under = at;
		at = heap_dominator(&c->h, at);
		if (at == 0 || at == HEAP_ROOT)
			break;
		held = held_at(c, at);
		holder = held->holder;
		if (held->object == at) {
			under = held->below;
			break;
		}
		holder = at;
		if (!collections_is_part(c, at))
			break;
		holder = 0;
	}
	keep_holder(c, object, hops, holder, under);
	if (below != NULL)
		*below = under;
	return holder;
}
