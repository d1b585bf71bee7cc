/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * elements: the elements of a list, a set, a map or an array, one after the other.
 *
 * Each form of collection begins in one of a few ways, whose step gives the next element.
 */
#include "config.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "collections.h"

/* The elements of an array from start on, behind whose end its beginning follows. */
static bool
step_array(struct elements *w, struct element *e)
{
	uint64_t at;

	while (w->at < w->end) {
		at = w->start + w->at++;
		if (w->start > 0 && at >= w->array.length)
			at -= w->array.length;
		assert(at < w->array.length);
		e->value = array_take(&w->c->h, &w->array, at, &e->value_type);
		if (w->nulls || e->value != 0 || e->value_type != HEAP_OBJECT)
			return true;
	}
	return false;
}

static bool
begin_array(struct elements *w, uint32_t array, uint64_t start, uint64_t n)
{
	uint64_t length = array_open(&w->c->h, array, &w->array);

	if (start > 0 && (start >= length || length < w->array.length))
		return false;
	w->start = start;
	w->end = n < length ? n : length;
	w->step = step_array;
	return true;
}

/* Keys and values in turns. */
static bool
step_pairs(struct elements *w, struct element *e)
{
	const struct heap *h = &w->c->h;

	while (w->at + 1 < w->end) {
		e->key = array_take(h, &w->array, w->at, &e->key_type);
		e->value = array_take(h, &w->array, w->at + 1, &e->value_type);
		w->at += 2;
		if (w->nulls || e->key != 0)
			return true;
	}
	return false;
}

static bool
begin_pairs(struct elements *w, uint32_t array, uint64_t n)
{
	bool ok = begin_array(w, array, 0, n);

	w->map = true;
	w->step = step_pairs;
	return ok;
}

/* Keys in an array of their own.  A deleted element of a sparse array is a plain Object. */
static bool
step_parallel(struct elements *w, struct element *e)
{
	const struct heap *h = &w->c->h;
	uint32_t class;

	while (w->at < w->end) {
		e->key = array_take(h, &w->other, w->at, &e->key_type);
		e->value = array_take(h, &w->array, w->at++, &e->value_type);
		if (e->value_type != HEAP_OBJECT || e->value == 0)
			return true;
		class = heap_class(h, (uint32_t)e->value);
		/* The marker of a deleted element is a plain Object, whose class has no superclass. */
		if (!w->deleted || column_get(w->c->super, class - 1ull) != 0)
			return true;
	}
	return false;
}

static bool
step_enums(struct elements *w, struct element *e)
{
	/* In an EnumMap a null means that the key is absent. */
	while (step_parallel(w, e))
		if (e->value != 0)
			return true;
	return false;
}

static bool
begin_parallel(struct elements *w, uint32_t keys, uint32_t values, uint64_t n)
{
	uint64_t length = array_open(&w->c->h, keys, &w->other);

	if (n > length)
		n = length;
	if (!begin_array(w, values, 0, n))
		return false;
	w->map = true;
	w->step = step_parallel;
	return true;
}

/* ---- a few fields ------------------------------------------------------------------------------ */

static bool
step_few(struct elements *w, struct element *e)
{
	if (w->at >= w->end)
		return false;
	e->value_type = HEAP_OBJECT;
	e->key_type = w->map ? HEAP_OBJECT : 0;
	e->key = w->map ? w->stack[0] : 0;
	e->value = w->stack[w->map ? 1 : w->at];
	w->at++;
	return true;
}

static bool
begin_few(struct elements *w, uint32_t first, uint32_t second, uint64_t n, bool map)
{
	assert(n <= 2 && (!map || n == 1));
	w->stack[0] = first;
	w->stack[1] = second;
	w->end = n;
	w->map = map;
	w->step = step_few;
	return true;
}

/* ---- all of them -------------------------------------------------------------------------------- */

/* The first object fields of a plan, and the first number among its fields behind the first. */
struct begun {
	uint32_t	object[RULE_FIELDS];
	int64_t		number[RULE_FIELDS];
};

static void
read_plan(const struct planned *f, struct begun *b)
{
	for (unsigned i = 0; i < RULE_FIELDS; i++) {
		b->object[i] = 0;
		b->number[i] = 0;
		if (!planned_number(f, i, &b->number[i]) && !planned_object(f, i, &b->object[i]))
			b->object[i] = 0;
	}
}

static bool
begin_lists(struct elements *w, enum collection_form form, const struct begun *b, uint64_t n)
{
	switch (form) {
	case FORM_LIST:
		w->nulls = true;
		return begin_array(w, b->object[1], 0, n);
	case FORM_FULL:
		w->nulls = true;
		return begin_array(w, b->object[0], 0, UINT64_MAX);
	case FORM_FIXED:
		return begin_array(w, b->object[1], 0, UINT64_MAX);
	case FORM_DEQUE:
		return begin_array(w, b->object[0], (uint64_t)b->number[1], n);
	case FORM_RING:
		return begin_array(w, b->object[1], (uint64_t)b->number[2], n);
	case FORM_INDEXED_SET:
		w->nulls = true;
		return begin_array(w, b->object[2], 0, n);
	case FORM_LINKED:
		w->nulls = true;
		return elements_chain(w, b->object[1], NODE_NEXT);
	case FORM_CIRCLE:
		w->nulls = true;
		return elements_circle(w, b->object[1], NODE_NEXT);
	case FORM_WALK:
		return elements_chain(w, b->object[0], NODE_NEXT);
	case FORM_COUNTED:
		return elements_chain(w, b->object[1], NODE_NEXT);
	case FORM_TWO:
		return begin_few(w, b->object[0], b->object[1], n, false);
	default:
		return begin_few(w, b->object[0], 0, 1, false);
	}
}

static bool
begin_maps(struct elements *w, enum collection_form form, const struct begun *b, uint64_t n)
{
	w->nulls = w->map = true;
	switch (form) {
	case FORM_TREE:
		return elements_tree(w, b->object[1]);
	case FORM_FIXED_PAIRS:
	case FORM_PAIRS:
		w->nulls = false;
		return begin_pairs(w, b->object[1], UINT64_MAX);
	case FORM_INDEXED:
		return begin_pairs(w, b->object[2], 2 * n);
	case FORM_ENUMS:
		begin_parallel(w, b->object[2], b->object[1], UINT64_MAX);
		w->step = step_enums;
		return true;
	case FORM_SPARSE:
	case FORM_GARBAGE:
		w->deleted = form == FORM_GARBAGE && b->number[3] != 0;
		return begin_parallel(w, b->object[1], b->object[2], (uint64_t)b->number[0]);
	case FORM_HASH_LINKED:
		return b->object[2] == 0 ? elements_hash(w, b->object[1], 0) : elements_chain(w, b->object[2],
		    NODE_AFTER);
	case FORM_HASH_CIRCLE:
		return b->object[2] == 0 ? elements_hash(w, b->object[1], 0) : elements_circle(w,
		    b->object[2], NODE_AFTER);
	case FORM_SEGMENTS:
		return elements_segments(w, b->object[0]);
	case FORM_STRIPED:
		w->nulls = false;
		return elements_hash(w, b->object[2], 0);
	case FORM_PAIR:
		return begin_few(w, b->object[0], b->object[1], 1, true);
	default:
		return elements_hash(w, b->object[1], form == FORM_HASH ? b->object[2] : 0);
	}
}

static bool
elements_begin(struct elements *w, uint32_t object)
{
	const struct collections *c = w->c;
	enum collection_kind kind = collection_kind(c, heap_class(&c->h, object)), inner;
	struct collection size;
	struct planned f;
	struct begun b;
	bool counted;

	if (!planned_unwrap(c, object, &f))
		return false;
	counted = collection_size(w->c, object, &size);
	/* A queue may be too long to be counted just for its size. */
	if (!counted && f.plan->form != FORM_WALK)
		return false;
	w->size = counted ? size.size : UINT64_MAX;
	inner = collection_kind(c, heap_class(&c->h, f.object));
	w->keys = kind == COLLECTION_SET && inner == COLLECTION_MAP;
	w->damaged = size.table != 0 ? size.table : f.object;
	read_plan(&f, &b);
	return inner == COLLECTION_MAP ? begin_maps(w, f.plan->form, &b, size.size) :
	    begin_lists(w, f.plan->form, &b, size.size);
}

bool
elements_open(struct collections *c, uint32_t object, struct scratch *met, uint32_t turn, struct elements *w)
{
	/* The stack is not worth to be cleared. */
	memset(w, 0, offsetof(struct elements, stack));
	w->c = c;
	w->object = w->damaged = object;
	w->met = met;
	w->turn = turn;
	w->first = UINT32_MAX;
	if (object == 0 || object > c->h.objects)
		return false;
	if (!heap_is_array(&c->h, object))
		return elements_begin(w, object);
	w->nulls = true;
	w->size = heap_length(&c->h, object);
	return begin_array(w, object, 0, UINT64_MAX);
}

bool
elements_next(struct elements *w, struct element *e)
{
	*e = (struct element){ .index = (uint32_t)w->found, .bucket = ELEMENT_NOWHERE };
	if (!w->step(w, e))
		return false;
	if (w->keys) {
		e->value = e->key;
		e->value_type = e->key_type;
		e->key_type = 0;
	}
	w->found++;
	return true;
}

bool
element_hash(struct collections *c, const struct element *e, int64_t *hash)
{
	struct link_node n;

	return e->node != 0 && node_open(c, e->node, &n) && node_number(c, &n, NODE_HASH, hash);
}
