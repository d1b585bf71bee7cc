/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collection_forms: reads the numbers of a collection, by the form that its class has.
 */
#include "config.h"

#include <assert.h>

#include "collections.h"

#define CELLS 65536u		/* cells of a counter or segments of a map that are read */
#define NODES 65536u		/* nodes that are counted */

/* ---- arrays ------------------------------------------------------------------------ */

/* Counts the work done; false when the bound for one collection is reached. */
static bool
collection_forms_step(struct collections *c, uint64_t n)
{
	c->steps += n;
	return c->steps <= c->most;
}

static unsigned
element_type(const struct heap *h, uint32_t object)
{
	return (unsigned)column_get(h->class_element, heap_class(h, object) - 1ull);
}

/* Field i as an array, 0 for null; false when it refers to something else. */
static bool
collection_forms_take_array(struct reading *r, unsigned i, uint32_t *array, uint64_t *length)
{
	const struct heap *h = &r->c->h;

	if (!planned_object(&r->f, i, array))
		return false;
	*length = *array == 0 ? 0 : heap_length(h, *array);
	return *array == 0 || heap_is_array(h, *array);
}

static bool
collection_forms_take_objects(struct reading *r, unsigned i, uint32_t *array, uint64_t *length)
{
	return collection_forms_take_array(r, i, array, length) &&
	    (*array == 0 || element_type(&r->c->h, *array) == HEAP_OBJECT);
}

static bool
take_size(struct reading *r, unsigned i, uint64_t *size)
{
	int64_t n;

	if (!planned_number(&r->f, i, &n) || n < 0)
		return false;
	*size = (uint64_t)n;
	return true;
}

/* Bytes of an element. */
static uint64_t
collection_forms_width_of(const struct heap *h, uint32_t array)
{
	return array == 0 ? 0 : heap_rule_width(&h->rule, element_type(h, array));
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The raw ids of an array of objects. */
static bool
read_ids(const struct heap *h, uint32_t array, struct heap_record *r)
{
	return heap_read(h, array, r) && r->tag == TAG_OBJECTS;
}

static uint32_t
collection_forms_object_at(const struct heap *h, const struct heap_record *r, uint64_t i)
{
	assert(i < r->length);
	return heap_find(h, heap_id(h->data + r->data + i * h->id_size, h->id_size));
}

/* Buckets that are taken. */
static uint64_t
count_buckets(const struct heap *h, uint32_t table)
{
	struct heap_record r;
	uint64_t i, n = 0;
	const uint8_t *p;

	if (table == 0 || !read_ids(h, table, &r))
		return 0;
	p = h->data + r.data;
	for (i = 0; i < r.length; i++, p += h->id_size)
		n += heap_id(p, h->id_size) != 0;
	return n;
}

/* ---- lists ----------------------------------------------------------------------------- */

static bool
get_list(struct reading *r)
{
	struct collection *out = r->out;

	if (!take_size(r, 0, &out->size) || !collection_forms_take_array(r, 1, &out->table, &out->capacity))
		return false;
	out->size = least(out->size, out->capacity);
	r->slack = (struct slack){ { out->table, 0 }, collection_forms_width_of(&r->c->h, out->table), 0,
	    false };
	return true;
}

static bool
get_full(struct reading *r)
{
	struct collection *out = r->out;

	if (!collection_forms_take_array(r, 0, &out->table, &out->capacity))
		return false;
	out->size = out->capacity;
	r->slack.array[0] = out->table;
	return true;
}

/* A table that has holes by design, but cannot grow. */
static bool
get_fixed(struct reading *r)
{
	struct collection *out = r->out;

	if (!get_list(r))
		return false;
	out->capacity = out->size;
	return true;
}

static bool
get_deque(struct reading *r)
{
	struct collection *out = r->out;
	uint64_t head, tail;

	if (!collection_forms_take_objects(r, 0, &out->table, &out->capacity) || !take_size(r, 1, &head) ||
	    !take_size(r, 2, &tail) ||
	    (out->capacity > 0 && (head >= out->capacity || tail >= out->capacity)))
		return false;
	out->size = head <= tail ? tail - head : out->capacity - head + tail;
	out->size = least(out->size, out->capacity);
	r->slack = (struct slack){ { out->table, 0 }, collection_forms_width_of(&r->c->h, out->table), 0,
	    false };
	return true;
}

static bool
get_linked(struct reading *r)
{
	struct collection *out = r->out;

	if (!take_size(r, 0, &out->size))
		return false;
	out->capacity = out->size;
	return true;
}

static bool
get_counted(struct reading *r)
{
	struct planned count;
	struct collection *out = r->out;
	int64_t n;
	uint32_t object;

	if (!planned_object(&r->f, 0, &object) || !planned_open(r->c, object, &count) ||
	    count.plan->form != FORM_COUNTER || !planned_number(&count, 0, &n) || n < 0)
		return false;
	out->size = out->capacity = (uint64_t)n;
	return true;
}

/*
 * Nodes without an element do not count, and one that was taken out refers to itself; a queue that goes round
 * is none.
 */
static bool
get_walk(struct reading *r)
{
	struct collection *out = r->out;
	struct planned node;
	uint32_t at, next, item, seen = 0, i;

	if (!planned_object(&r->f, 0, &at))
		return false;
	for (i = 0; at != 0 && i < NODES; i++, at = next) {
		if (at == seen || !collection_forms_step(r->c, 1) || !planned_open(r->c, at, &node) ||
		    node.plan->form != FORM_NODE || !planned_object(&node, 1, &next))
			return false;
		out->size += !planned_object(&node, 0, &item) || item != 0;
		/* Brent's cycle detection: remember a node at each power of two; in a ring it comes again. */
		if ((i & (i + 1)) == 0)
			seen = at;
		if (next == at)
			break;
	}
	out->capacity = out->size;
	return true;
}

static bool
get_two(struct reading *r)
{
	uint32_t second;

	if (!planned_object(&r->f, 1, &second))
		return false;
	r->out->size = second == 0 || second == r->c->empty ? 1 : 2;
	r->out->capacity = r->out->size;
	return true;
}

static bool
get_one(struct reading *r)
{
	r->out->size = r->out->capacity = 1;
	return true;
}

/* ---- hash tables ------------------------------------------------------------------------ */

/* Fills in the table and its buckets; out->size is known already. */
static bool
take_table(struct reading *r, unsigned field)
{
	struct collection *out = r->out;

	if (!collection_forms_take_objects(r, field, &out->table, &out->capacity) ||
	    (out->table == 0 && out->size != 0))
		return false;
	out->hashed = true;
	r->slack = (struct slack){ { out->table, 0 }, collection_forms_width_of(&r->c->h, out->table), 0,
	    false };
	if (!r->buckets)
		return true;
	out->used = least(count_buckets(&r->c->h, out->table), out->size);
	return collection_forms_step(r->c, out->capacity / 16);
}

static bool
get_hash(struct reading *r)
{
	return take_size(r, 0, &r->out->size) && take_table(r, 1);
}

/* Call add for each element that is not null; fail if the array has more than CELLS. */
static bool
collection_forms_add_each(struct reading *r, uint32_t array, bool (*add)(struct reading *, uint32_t object))
{
	const struct heap *h = &r->c->h;
	struct heap_record record;
	uint32_t object;

	if (!read_ids(h, array, &record) || record.length > CELLS ||
	    !collection_forms_step(r->c, record.length))
		return false;
	for (uint32_t i = 0; i < record.length; i++) {
		object = collection_forms_object_at(h, &record, i);
		if (object != 0 && !add(r, object))
			return false;
	}
	return true;
}

/* A cell of a striped counter: a single one may well be negative. */
static bool
collection_forms_add_cell(struct reading *r, uint32_t object)
{
	struct planned cell;
	int64_t n;

	if (!planned_open(r->c, object, &cell) || cell.plan->form != FORM_NUMBER ||
	    !planned_number(&cell, 0, &n))
		return false;
	r->out->size += (uint64_t)n;
	return true;
}

static bool
get_striped(struct reading *r)
{
	struct collection *out = r->out;
	uint32_t cells;
	uint64_t length;
	int64_t base;

	if (!planned_number(&r->f, 0, &base) || !collection_forms_take_objects(r, 1, &cells, &length))
		return false;
	out->size = (uint64_t)base;
	if (cells != 0 && !collection_forms_add_each(r, cells, collection_forms_add_cell))
		return false;
	/* Taken in the middle of a change the sum may be below 0: the class itself says 0 then. */
	if ((int64_t)out->size < 0)
		out->size = 0;
	return take_table(r, 2);
}

/* False: the segment is not as it should be. */
static bool
add_segment(struct reading *r, uint32_t object)
{
	const struct heap *h = &r->c->h;
	struct collection one = { .size = 0 };
	struct reading s = { .c = r->c, .out = &one, .buckets = r->buckets };
	uint32_t owner;

	if (!planned_open(r->c, object, &s.f) || s.f.plan->form != FORM_SEGMENT || !get_hash(&s))
		return false;
	r->out->size = num_add(r->out->size, one.size);
	r->out->capacity += one.capacity;
	r->out->used += one.used;
	r->slack.unit = s.slack.unit > 0 ? s.slack.unit : r->slack.unit;
	owner = one.table == 0 ? HEAP_ROOT : heap_dominator(h, one.table);
	if (owner == 0 || owner == object) {
		r->slack.own = true;
		r->slack.whole += heap_shallow(h, one.table);
	}
	return true;
}

static bool
get_segments(struct reading *r)
{
	struct collection *out = r->out;
	uint64_t length;

	out->hashed = true;
	return collection_forms_take_objects(r, 0, &out->table, &length) &&
	    (out->table == 0 || collection_forms_add_each(r, out->table, add_segment));
}

static bool
get_pairs(struct reading *r)
{
	if (!get_list(r))
		return false;
	r->out->capacity /= 2;
	r->out->size = least(r->out->size, r->out->capacity);
	r->slack.unit *= 2;
	return true;
}

/* ---- Android ----------------------------------------------------------------------------- */

/* In FORM_INDEXED the array has two elements per hash for a map, one for a set. */
static bool
get_parallel(struct reading *r)
{
	const struct heap *h = &r->c->h;
	struct collection *out = r->out;
	bool indexed = r->f.plan->form == FORM_INDEXED || r->f.plan->form == FORM_INDEXED_SET;
	uint32_t keys;
	uint64_t length, each;

	if (!take_size(r, 0, &out->size) || !collection_forms_take_array(r, 1, &keys, &length) ||
	    !(indexed ? collection_forms_take_objects : collection_forms_take_array)(r, 2, &out->table,
	    &out->capacity))
		return false;
	each = indexed && length > 0 && out->capacity / 2 >= length ? 2 : 1;
	out->capacity = least(out->capacity, length);
	out->size = least(out->size, out->capacity);
	r->slack = (struct slack){ { keys, out->table },
	    collection_forms_width_of(h, keys) + each * collection_forms_width_of(h, out->table), 0, false };
	return true;
}

/*
 * A deleted entry refers to a marker until the collection is compacted, for example by size().  The marker is
 * a static DELETED of the class, or in Kotlin of the file; it is always a plain Object.
 */
static bool
get_garbage(struct reading *r)
{
	const struct heap *h = &r->c->h;
	struct collection *out = r->out;
	struct heap_record record;
	uint64_t i, n;
	uint32_t object;
	int64_t garbage;

	if (!get_parallel(r) || !planned_number(&r->f, 3, &garbage))
		return false;
	if (garbage == 0 || out->table == 0)
		return true;
	if (!read_ids(h, out->table, &record) || !collection_forms_step(r->c, out->size))
		return false;
	n = least(out->size, record.length);
	for (i = 0; i < n; i++) {
		object = collection_forms_object_at(h, &record, i);
		out->size -= object != 0 && column_get(r->c->super, heap_class(h, object) - 1ull) == 0;
	}
	return true;
}

/* ---- all of them ------------------------------------------------------------------------ */

bool (*const collection_forms[FORM_PARTS])(struct reading *) = {
	[FORM_LIST] = get_list, [FORM_FULL] = get_full, [FORM_DEQUE] = get_deque, [FORM_RING] = get_list,
	[FORM_LINKED] = get_linked, [FORM_CIRCLE] = get_linked, [FORM_TREE] = get_linked,
	[FORM_FIXED] = get_fixed, [FORM_FIXED_PAIRS] = get_fixed, [FORM_ENUMS] = get_list,
	[FORM_HASH] = get_hash, [FORM_HASH_LINKED] = get_hash, [FORM_HASH_CIRCLE] = get_hash,
	[FORM_STRIPED] = get_striped, [FORM_SEGMENTS] = get_segments, [FORM_PAIRS] = get_pairs,
	[FORM_SPARSE] = get_parallel, [FORM_GARBAGE] = get_garbage, [FORM_INDEXED] = get_parallel,
	[FORM_INDEXED_SET] = get_parallel,
	[FORM_WALK] = get_walk, [FORM_COUNTED] = get_counted, [FORM_TWO] = get_two,
	[FORM_ONE] = get_one, [FORM_PAIR] = get_one
};
