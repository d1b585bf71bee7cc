/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nodes: the objects by which maps and linked lists hold their elements, and the ways through them.
 */
#include "config.h"

#include <assert.h>

#include "collections.h"

#define NODES_UNMET 4096u	/* nodes visited if visited ones are not recorded */

/* ---- arrays ---------------------------------------------------------------------------- */

uint64_t
array_open(const struct heap *h, uint32_t array, struct heap_record *r)
{
	unsigned width;

	if (array == 0 || !heap_read(h, array, r) || (r->tag != TAG_OBJECTS && r->tag != TAG_PRIMS)) {
		*r = (struct heap_record){ .length = 0 };
		return 0;
	}
	width = heap_width(r->type, h->id_size);
	return width == 0 ? 0 : r->bytes / width < r->length ? r->bytes / width : r->length;
}

uint64_t
array_take(const struct heap *h, const struct heap_record *r, uint64_t i, uint8_t *type)
{
	unsigned width = heap_width(r->type, h->id_size);
	uint64_t bits = heap_bits(h->data + r->data + i * width, width);

	*type = r->type <= HEAP_OBJECT ? HEAP_OBJECT : r->type;
	return *type != HEAP_OBJECT ? bits : bits == 0 ? 0 : heap_find(h, bits);
}

/* ---- fields --------------------------------------------------------------------------------- */

/* Names of fields in the classes of the JDK and of Android; the first that a class has counts. */
static const char *const node_names[NODE_FIELDS][6] = {
	[NODE_KEY] = { "key", "referent" },
	[NODE_VALUE] = { "value", "val", "item", "element", "data" },
	[NODE_NEXT] = { "next" },
	[NODE_HASH] = { "hash", "origKeyHash" },
	[NODE_AFTER] = { "after", "nxt", "chainForward" },
	[NODE_LEFT] = { "left" },
	[NODE_RIGHT] = { "right" },
	[NODE_FIRST] = { "first" },
	[NODE_TABLE] = { "nextTable" }
};

static bool
nodes_add_class(struct collections *c, uint32_t class)
{
	struct link_class *n;

	if (!mem_grow(&c->node, &c->nodes_cap, c->nodes + 1, sizeof *n))
		return false;
	n = &c->node[c->nodes++];
	*n = (struct link_class){ .class = class };
	for (unsigned i = 0; i < NODE_FIELDS; i++)
		for (unsigned k = 0; node_names[i][k] != NULL; k++)
			if (collections_field(c, class, node_names[i][k], &n->field[i]))
				break;
	return true;
}

/* A table has nodes of one class or two, and only collections have nodes: they are few. */
static const struct link_class *
nodes_find_class(struct collections *c, uint32_t class)
{
	size_t i;

	if (c->node_at < c->nodes && c->node[c->node_at].class == class)
		return &c->node[c->node_at];
	for (i = 0; i < c->nodes && c->node[i].class != class; i++)
		continue;
	if (i == c->nodes && !nodes_add_class(c, class))
		return NULL;
	c->node_at = i;
	return &c->node[i];
}

bool
node_open(struct collections *c, uint32_t object, struct link_node *n)
{
	if (object == 0 || object > c->h.objects || !heap_read(&c->h, object, &n->record) ||
	    n->record.tag != TAG_INSTANCE)
		return false;
	n->is = nodes_find_class(c, heap_class(&c->h, object));
	return n->is != NULL;
}

/* False: there is no such field, or the record ends before it. */
static bool
read_bits(const struct collections *c, const struct link_node *n, enum node_field field, unsigned *width,
    uint64_t *bits)
{
	const struct place *place = &n->is->field[field];

	assert(field < NODE_FIELDS);
	*width = heap_width(place->type, c->h.id_size);
	if (*width == 0 || n->record.bytes < *width || place->at > n->record.bytes - *width)
		return false;
	*bits = heap_bits(c->h.data + n->record.data + place->at, *width);
	return true;
}

bool
node_number(const struct collections *c, const struct link_node *n, enum node_field field, int64_t *number)
{
	unsigned width;
	uint64_t bits;

	if (n->is->field[field].type <= HEAP_OBJECT || !read_bits(c, n, field, &width, &bits))
		return false;
	*number = (int64_t)(bits << (64 - 8 * width)) >> (64 - 8 * width);
	return true;
}

bool
node_object(const struct collections *c, const struct link_node *n, enum node_field field, uint32_t *object)
{
	unsigned width;
	uint64_t bits;

	*object = 0;
	if (n->is->field[field].type > HEAP_OBJECT || !read_bits(c, n, field, &width, &bits) || bits == 0)
		return true;
	*object = heap_find(&c->h, bits);
	return *object != 0;
}

/* ---- chains and trees ------------------------------------------------------------------ */

static bool
hurt(struct elements *w, enum elements_hurt why)
{
	if (w->hurt == ELEMENTS_WHOLE)
		w->hurt = why;
	return false;
}

/* Goes to a node; false: it was met before. */
static bool
nodes_meet(struct elements *w, uint32_t object, struct link_node *n)
{
	uint32_t *turn = w->met == NULL ? NULL : &SCRATCH(*w->met, uint32_t)[object];

	assert(object > 0 && object <= w->c->h.objects);
	if (turn == NULL ? ++w->unmet > NODES_UNMET : *turn == w->turn)
		return hurt(w, ELEMENTS_CYCLE);
	if (turn != NULL)
		*turn = w->turn;
	return node_open(w->c, object, n) || hurt(w, ELEMENTS_MISSING);
}

/* The object to which a field of a node refers; 0: none. */
static uint32_t
nodes_follow(struct elements *w, const struct link_node *n, enum node_field field)
{
	uint32_t to;

	if (!node_object(w->c, n, field, &to))
		hurt(w, ELEMENTS_MISSING);
	return to;
}

/* Missing keys and values are not damage to their holders. */
static void
take_node(const struct elements *w, const struct link_node *n, uint32_t object, struct element *e)
{
	uint32_t key = 0, value = 0;

	node_object(w->c, n, NODE_VALUE, &value);
	if (w->map)
		node_object(w->c, n, NODE_KEY, &key);
	e->node = object;
	e->key = key;
	e->key_type = w->map ? HEAP_OBJECT : 0;
	e->value = value;
	e->value_type = HEAP_OBJECT;
}

/* Step along a chain to its end, or back to the first node of a ring, which has no element. */
static bool
step_chain(struct elements *w, struct element *e)
{
	struct link_node n;
	uint32_t at;

	while (w->node != 0 && w->node != w->first) {
		at = w->node;
		w->node = 0;
		if (!nodes_meet(w, at, &n))
			return false;
		w->node = nodes_follow(w, &n, (enum node_field)w->by);
		/* A node removed from a queue refers to itself. */
		if (w->node == at)
			w->node = 0;
		take_node(w, &n, at, e);
		if (w->nulls || e->value != 0)
			return true;
	}
	return false;
}

bool
elements_chain(struct elements *w, uint32_t node, enum node_field by)
{
	w->node = node;
	w->by = by;
	w->step = step_chain;
	return true;
}

bool
elements_circle(struct elements *w, uint32_t first, enum node_field by)
{
	struct link_node n;

	elements_chain(w, 0, by);
	w->first = first;
	if (first != 0 && nodes_meet(w, first, &n))
		w->node = nodes_follow(w, &n, by);
	return true;
}

/* Down to the leftmost node. */
static bool
push_left(struct elements *w, uint32_t object)
{
	struct link_node n;

	while (object != 0) {
		if (w->depth == ELEMENTS_STACK)
			return hurt(w, ELEMENTS_DEEP);
		if (!nodes_meet(w, object, &n))
			return false;
		w->stack[w->depth++] = object;
		object = nodes_follow(w, &n, NODE_LEFT);
	}
	return true;
}

/* Left of a node, itself, right of it. */
static bool
step_tree(struct elements *w, struct element *e)
{
	struct link_node n;
	uint32_t at;

	if (w->depth == 0)
		return false;
	at = w->stack[--w->depth];
	assert(w->depth < ELEMENTS_STACK);
	if (!node_open(w->c, at, &n))
		return false;
	take_node(w, &n, at, e);
	push_left(w, nodes_follow(w, &n, NODE_RIGHT));
	return true;
}

bool
elements_tree(struct elements *w, uint32_t root)
{
	w->map = true;
	w->step = step_tree;
	push_left(w, root);
	return true;
}

/* ---- hash tables ---------------------------------------------------------------------------- */

static bool
begin_table(struct elements *w, uint32_t table)
{
	w->map = true;
	w->at = 0;
	w->end = array_open(&w->c->h, table, &w->array);
	return true;
}

/*
 * The next node in a table or in one of its chains.  A tree bin leads to its nodes, which are also chained.
 * A forwarding node leads to another table, which follows.
 */
static uint32_t
next_node(struct elements *w, struct link_node *n)
{
	uint32_t object, first, table;
	uint8_t type;

	for (;;) {
		object = w->node;
		while (object == 0 && w->at < w->end) {
			w->bucket = (uint32_t)w->at;
			object = (uint32_t)array_take(&w->c->h, &w->array, w->at++, &type);
			if (type != HEAP_OBJECT)
				return 0;
		}
		w->node = 0;
		if (object == 0)
			return 0;
		if (!nodes_meet(w, object, n))
			continue;
		first = nodes_follow(w, n, NODE_FIRST);
		table = nodes_follow(w, n, NODE_TABLE);
		if (table != 0)
			w->next_table = table;
		w->node = first != 0 ? first : table != 0 ? 0 : nodes_follow(w, n, NODE_NEXT);
		if (first == 0 && table == 0)
			return object;
	}
}

/* A table to which nodes moved: once, as a node that was met. */
static bool
next_table(struct elements *w)
{
	uint32_t table = w->next_table;

	w->next_table = 0;
	if (table == 0 || w->met == NULL || SCRATCH(*w->met, uint32_t)[table] == w->turn)
		return false;
	SCRATCH(*w->met, uint32_t)[table] = w->turn;
	return begin_table(w, table);
}

static bool
step_table(struct elements *w, struct element *e)
{
	struct link_node n;
	uint32_t object;

	do {
		object = next_node(w, &n);
		if (object != 0)
			take_node(w, &n, object, e);
		/* A node may hold the place of one that is being made. */
	} while (object != 0 ? !w->nulls && e->key == 0 && e->value == 0 : next_table(w));
	e->bucket = w->bucket;
	return object != 0;
}

/* Maps of several tables; buckets are counted in each. */
static bool
step_segments(struct elements *w, struct element *e)
{
	struct planned f;
	uint32_t table;
	uint8_t type;

	while (!step_table(w, e)) {
		if (w->segment >= w->nsegments)
			return false;
		table = (uint32_t)array_take(&w->c->h, &w->segments, w->segment++, &type);
		if (type != HEAP_OBJECT)
			return false;
		if (planned_open(w->c, table, &f) && f.plan->form == FORM_SEGMENT &&
		    planned_object(&f, 1, &table))
			begin_table(w, table);
	}
	return true;
}

bool
elements_hash(struct elements *w, uint32_t table, uint32_t node)
{
	w->step = step_table;
	w->node = node;
	w->bucket = ELEMENT_NOWHERE;
	return begin_table(w, table);
}

bool
elements_segments(struct elements *w, uint32_t array)
{
	w->nsegments = array_open(&w->c->h, array, &w->segments);
	w->step = step_segments;
	return true;
}
