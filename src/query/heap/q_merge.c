/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_merge: the shortest paths from GC roots to many objects, merged from the roots on into one tree.
 *
 * A step of a path is a field and a class.  Objects reached by the same steps share a node; steps that repeat
 * the previous one, as along a list, are one.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "hrows.h"

#define TICK 65536u
#define CLASS_ITSELF (UINT32_C(1) << 31)	/* in a class: the Class object that it is */
#define NO_PATH UINT32_MAX			/* field of the row of those that are unreachable */

struct merged {
	uint32_t	parent;		/* from 1; 0: none */
	uint32_t	field, class;	/* number in fields, of a class */
	uint32_t	object;		/* the first one */
	uint32_t	nodes, objects;	/* objects at this step; targets on and below it */
	uint32_t	times, depth;
};

struct merge_rows {
	struct item_rows	 rows;
	enum heap_refs		 refs;
	struct heap		 graph;
	struct heap_routes	*routes;
	const struct route_node	*node;		/* nodes of the routes */
	uint64_t		 nnodes;
	struct scratch		 target;	/* bits by object */
	ARRAY(uint32_t)	objects;	/* the targets, each once */
	uint64_t		 ntargets;
	ARRAY(uint32_t)	of;		/* by object: its node + 1 */
	ARRAY(uint32_t)	level, from;	/* by node: distance; the node in front of it */
	struct scratch		 needed;	/* bits by node: a target is there or beyond */
	ARRAY(uint32_t)	place, times;	/* by node: where in the tree; steps like this one */
	ARRAY(struct merged)	tree;
	ARRAY(uint32_t)	order;	/* numbers from 1, by parent */
	uint64_t		 ntree;
	struct text_pool	 fields, steps;
	struct buf		 name[2];
};

/* ---- targets ------------------------------------------------------------------------ */

static bool
read_targets(struct merge_rows *s)
{
	struct err *err = &s->rows.rows.err;
	uint32_t object;

	if (!scratch_array(&s->target, s->graph.objects / 64 + 1ull, sizeof(uint64_t), err))
		return false;
	while (heap_rows_next(&s->rows, &object)) {
		if (object == 0 || has_bit(&s->target, object))
			continue;
		set_bit(&s->target, object);
		if (!array_add(&s->objects, &s->ntargets, &object, err))
			return false;
	}
	return rows_error(&s->rows.rows) == NULL;
}

/* ---- paths -------------------------------------------------------------------------- */

static bool
begin_paths(struct merge_rows *s)
{
	struct err *err = &s->rows.rows.err;
	uint32_t *level, *from, *of;

	if (!heap_routes_open(&s->routes, &s->graph, ROUTE_PLAIN, s->objects.at, s->ntargets,
	    s->rows.rows.work, err))
		return false;
	s->node = heap_routes_nodes(s->routes, &s->nnodes);
	if (!array_grow(&s->of, s->graph.objects + 1ull, err) || !array_grow(&s->level, s->nnodes, err) ||
	    !array_grow(&s->from, s->nnodes, err) || !array_grow(&s->times, s->nnodes, err) ||
	    !scratch_array(&s->needed, s->nnodes / 64 + 1, sizeof(uint64_t), err) ||
	    !array_grow(&s->place, s->nnodes, err))
		return false;
	level = s->level.at;
	from = s->from.at;
	of = s->of.at;
	for (uint64_t i = 0; i < s->nnodes; i++) {
		of[s->node[i].object] = (uint32_t)i + 1;
		from[i] = s->node[i].from;
		level[i] = from[i] == ROUTE_ROOT ? 0 : level[from[i]] + 1;
	}
	return true;
}

/* A class that nothing but its instances holds. */
static void
choose_instance(struct merge_rows *s, uint64_t i)
{
	const uint32_t *level = s->level.at;
	uint32_t *from = s->from.at, class = heap_class(&s->graph, s->node[i].object), object, k;

	object = class == 0 || class > s->graph.classes ? 0 : heap_class_object(&s->graph, class);
	k = object == 0 || object > s->graph.objects ? 0 : s->of.at[object];
	if (k-- != 0 && i < k && from[k] != ROUTE_ROOT && level[k] == level[i] + 1 &&
	    heap_class(&s->graph, s->node[from[k]].object) == class &&
	    s->node[i].object < s->node[from[k]].object)
		from[k] = (uint32_t)i;
}

/* Among equally near holders, choose the one with the lowest object number. */
static void
choose_lowest(struct merge_rows *s, uint64_t i)
{
	const uint32_t *level = s->level.at, *of = s->of.at;
	uint32_t *from = s->from.at, to;
	enum heap_strength strength;
	struct heap_walk w;
	uint64_t k;

	heap_out(&s->graph, s->node[i].object, &w);
	while ((to = heap_next(&w, &strength)) != 0) {
		if (to > s->graph.objects || of[to] == 0 || !heap_counts(&s->graph, strength))
			continue;
		k = of[to] - 1ull;
		/* A holder comes before the nodes that it holds. */
		if (i < k && level[k] == level[i] + 1 && s->node[i].object < s->node[from[k]].object)
			from[k] = (uint32_t)i;
	}
}

static bool
q_merge_find_needed(struct merge_rows *s)
{
	const uint32_t *from = s->from.at;
	uint32_t at;

	for (uint64_t i = 0; i < s->nnodes; i++) {
		if (i % TICK == 0 && !rows_tick(&s->rows.rows, i))
			return false;
		choose_lowest(s, i);
		choose_instance(s, i);
	}
	for (uint64_t i = 0; i < s->ntargets; i++) {
		at = s->of.at[s->objects.at[i]];
		for (at = at == 0 ? ROUTE_ROOT : at - 1; at != ROUTE_ROOT &&
		    !has_bit(&s->needed, at); at = from[at])
			set_bit(&s->needed, at);
	}
	return true;
}

/* ---- the tree ----------------------------------------------------------------------- */

/* Name the reference to a node: a field, "[*]" for all elements of an array, or the kind of root. */
static bool
q_merge_field_of(struct merge_rows *s, uint32_t holder, uint32_t object, uint32_t *field)
{
	struct buf *b = cell_begin(&s->rows);
	struct heap_slot slot;
	uint32_t row;

	if (holder == 0) {
		row = heap_routes_root(s->routes, object);
		buf_text(b, heap_root_name(row == 0 ? ROOT_PSEUDO : (unsigned)column_get(s->graph.root_kind,
		    row - 1ull)));
	} else if (heap_kind(&s->graph, holder) == HEAP_OBJECT_ARRAY) {
		buf_text(b, "[*]");
	} else if (link_index_link(&HEAP(&s->rows)->view.links, &s->graph, holder, object, &slot,
	    &s->rows.rows.err)) {
		slot_name_add(&s->graph, &slot, b);
	} else {
		buf_text(b, "<class>");
	}
	return b->bad ? fail_memory(&s->rows.rows.err, "paths") :
	    texts_number(&s->fields, buf_view(b), field, &s->rows.rows.err);
}

static bool
q_merge_add_step(struct merge_rows *s, uint32_t parent, uint32_t field, uint32_t class, uint32_t object,
    uint32_t *number)
{
	uint32_t key[3] = { parent, field, class };
	struct merged m = { .parent = parent, .field = field, .class = class, .object = object };

	if (!texts_number(&s->steps, (struct str){ (const char *)key, sizeof key }, number,
	    &s->rows.rows.err))
		return false;
	if (*number <= s->ntree)
		return true;
	m.depth = parent == 0 ? 0 : s->tree.at[parent - 1].depth + 1;
	return array_add(&s->tree, &s->ntree, &m, &s->rows.rows.err);
}

/* Place a node in the tree. Its holder already has a place. */
static bool
place_node(struct merge_rows *s, uint64_t i)
{
	uint32_t object = s->node[i].object, front = s->from.at[i], parent = 0, field, class;
	uint32_t *place = s->place.at, *times = s->times.at;
	struct merged *m;

	class = heap_class_of_object(&s->graph, object);
	class = class != 0 ? class | CLASS_ITSELF : heap_class(&s->graph, object);
	if (front != ROUTE_ROOT)
		parent = place[front];
	if (!q_merge_field_of(s, front == ROUTE_ROOT ? 0 : s->node[front].object, object, &field))
		return false;
	m = parent == 0 ? NULL : &s->tree.at[parent - 1];
	times[i] = 1;
	place[i] = parent;
	if (m != NULL && m->field == field && m->class == class && m->depth > 0)
		times[i] = times[front] + 1;
	else if (!q_merge_add_step(s, parent, field, class, object, &place[i]))
		return false;
	m = &s->tree.at[place[i] - 1];
	m->nodes++;
	m->objects += has_bit(&s->target, object);
	if (times[i] > m->times)
		m->times = times[i];
	return true;
}

static bool
q_merge_place_nodes(struct merge_rows *s)
{
	struct merged *m;

	for (uint64_t i = 0; i < s->nnodes; i++) {
		if (i % TICK == 0 && !rows_tick(&s->rows.rows, i))
			return false;
		if (has_bit(&s->needed, (uint32_t)i) && !place_node(s, i))
			return false;
	}
	m = s->tree.at;
	for (uint64_t i = s->ntree; i > 0; i--)
		if (m[i - 1].parent != 0)
			m[m[i - 1].parent - 1].objects += m[i - 1].objects;
	return true;
}

/* ---- rows ----------------------------------------------------------------------------- */

static void
q_merge_add_class(const struct merge_rows *s, uint32_t class, struct buf *b)
{
	if ((class & CLASS_ITSELF) != 0)
		buf_text(b, "class ");
	heap_class_name(&s->graph, class & ~CLASS_ITSELF, b);
}

/* Siblings: those with more objects first. */
static int
by_parent(const void *x, const void *y, void *arg)
{
	struct merge_rows *s = arg;
	const struct merged *tree = s->tree.at;
	const struct merged *a = &tree[*(const uint32_t *)x - 1], *b = &tree[*(const uint32_t *)y - 1];
	int order = num_order(a->parent, b->parent, num_order(b->objects, a->objects, 0));

	if (order != 0 || x == y)
		return order;
	order = str_cmp(texts_get(&s->fields, a->field), texts_get(&s->fields, b->field));
	if (order != 0)
		return order;
	buf_clear(&s->name[0]);
	buf_clear(&s->name[1]);
	q_merge_add_class(s, a->class, &s->name[0]);
	q_merge_add_class(s, b->class, &s->name[1]);
	order = str_cmp(buf_view(&s->name[0]), buf_view(&s->name[1]));
	return order != 0 ? order : num_order(a->class, b->class, 0);
}

/* Sort the tree by parent. first: where the children of each node begin in the order, and the end. */
static bool
sort_tree(struct merge_rows *s, struct scratch *first)
{
	struct err *err = &s->rows.rows.err;
	uint32_t *order, *begin;
	uint64_t at = 0;

	if (!array_grow(&s->order, s->ntree, err) || !scratch_array(first, s->ntree + 2, sizeof *begin, err))
		return false;
	order = s->order.at;
	begin = SCRATCH(*first, uint32_t);
	for (uint64_t i = 0; i < s->ntree; i++)
		order[i] = (uint32_t)i + 1;
	if (s->ntree > 1)
		qsort_r(order, s->ntree, sizeof *order, by_parent, s);
	for (uint64_t parent = 0; parent <= s->ntree + 1; parent++) {
		begin[parent] = (uint32_t)at;
		while (at < s->ntree && s->tree.at[order[at] - 1].parent == parent)
			at++;
	}
	return true;
}

/* From the top down; each node comes before those below it. */
static bool
list_rows(struct merge_rows *s, const struct scratch *first)
{
	const uint32_t *begin = SCRATCH(*first, uint32_t), *order = s->order.at;
	OWN_ARRAY(uint32_t) stack = ARRAY_INIT;
	uint64_t depth = 0;
	uint32_t at = 0, k;
	bool ok;

	for (k = begin[1], ok = true; ok && k > begin[0]; k--)
		ok = array_add(&stack, &depth, &order[k - 1], &s->rows.rows.err);
	while (ok && depth > 0) {
		at = stack.at[--depth];
		ok = item_rows_add(&s->rows, &s->tree.at[at - 1]);
		for (k = begin[at + 1]; ok && k > begin[at]; k--)
			ok = array_add(&stack, &depth, &order[k - 1], &s->rows.rows.err);
	}
	return ok;
}

static bool
list_unreachable(struct merge_rows *s)
{
	struct merged m = { .field = NO_PATH };

	for (uint64_t i = 0; i < s->ntargets; i++)
		m.objects += s->of.at[s->objects.at[i]] == 0;
	return m.objects == 0 || item_rows_add(&s->rows, &m);
}

static bool
merge_step(struct item_rows *r)
{
	struct merge_rows *s = (struct merge_rows *)r;
	OWN_SCRATCH first = SCRATCH_INIT;

	if (!(read_targets(s) && s->ntargets > 0 && begin_paths(s) && q_merge_find_needed(s) &&
	    q_merge_place_nodes(s) && sort_tree(s, &first) &&
	    list_rows(s, &first) && list_unreachable(s)))
		r->n = 0;
	return false;
}

/* ---- cells ------------------------------------------------------------------------------ */

static bool
q_merge_field_text(struct item_rows *r, uint64_t field, struct buf *b)
{
	const struct merge_rows *s = (const struct merge_rows *)r;
	const struct merged *m = r->item;

	if (field == NO_PATH) {
		buf_text(b, "unreachable");
		return true;
	}
	buf_str(b, texts_get(&s->fields, (uint32_t)field));
	if (m->times > 1)
		buf_printf(b, " \xc3\x97%u", m->times);
	return true;
}

static bool
q_merge_class_text(struct item_rows *r, uint64_t class, struct buf *b)
{
	if (class != 0)
		q_merge_add_class((const struct merge_rows *)r, (uint32_t)class, b);
	return class != 0;
}

static void
q_merge_percent_cell(struct item_rows *r, uint64_t objects, struct cell *c)
{
	cell_share(c, objects, ((const struct merge_rows *)r)->ntargets);
}

static void
one_cell(struct item_rows *r, uint64_t object, struct cell *c)
{
	c->u = object;
	if (((const struct merged *)r->item)->nodes != 1)
		c->type = CELL_NONE;
}

static void
q_merge_retained_cell(struct item_rows *r, uint64_t object, struct cell *c)
{
	one_cell(r, object, c);
	if (c->type != CELL_NONE)
		view_cell(&r->rows, &HEAP(r)->view, object, OBJECT_RETAINED, c);
}

#define OF(member) ITEM(struct merged, member)

static const struct coldef merge_cols[] = {
	{ "depth", CELL_COUNT, "distance from the root, in steps", NUMBER_OF(OF(depth)) },
	{ "field", CELL_TEXT, "reference to this object; for a root, its type",
	    TEXT(q_merge_field_text, OF(field)) },
	{ "class", CELL_TEXT, "class; class X: the Class object of X", TEXT(q_merge_class_text, OF(class)),
	    .cut = CUT_FRONT },
	{ "objects", CELL_COUNT, "target objects on this path", NUMBER_OF(OF(objects)) },
	{ "percent", CELL_PERCENT, "share of all target objects",
	    COMPUTED(q_merge_percent_cell, OF(objects)) },
	{ "nodes", CELL_COUNT, "different objects at this step", SOME_OF(OF(nodes)) },
	{ "retained", CELL_BYTES, "retained size, if it is one object",
	    COMPUTED(q_merge_retained_cell, OF(object)),
	    NEEDS(dominators) },
	{ "id", CELL_ID, "the object, if it is only one", MORE, COMPUTED(one_cell, OF(object)), OBJECT_ID }
};

/* ---- arguments -------------------------------------------------------------------------- */

static bool
merge_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	const struct session *session = r->rows.session;
	struct merge_rows *s = (struct merge_rows *)r;
	int i = 0;

	s->refs = session->refs;
	if (!stage_at_most(stage, 1, err))
		return false;
	while (stage->n > 0 && i < HEAP_REFS && !token_is(&stage->token[0], heap_refs_names[i]))
		i++;
	if (i == HEAP_REFS)
		return fail_at(err, E_USAGE, stage_at(stage, 0), "expected strong, soft or all");
	if (stage->n > 0)
		s->refs = (enum heap_refs)i;
	if (!heap_open(&s->graph, r->st, s->refs, session->sizes, err))
		return false;
	/* Without incoming references, routes are searched from the roots on. */
	s->graph.in.data = NULL;
	return true;
}

static void
merge_end(struct item_rows *r)
{
	struct merge_rows *s = (struct merge_rows *)r;

	heap_routes_close(s->routes);
	SCRATCH_FREE(&s->target, &s->objects, &s->of, &s->level, &s->from, &s->needed, &s->place, &s->times,
	    &s->tree, &s->order);
	texts_free(&s->fields);
	texts_free(&s->steps);
	buf_free(&s->name[0]);
	buf_free(&s->name[1]);
}

static size_t
no_objects(UNUSED const struct stage *stage)
{
	return 0;
}

static const struct source merge = {
	.domain = &heap_domain, .size = sizeof(struct merge_rows), .item = sizeof(struct merged),
	    OVER_OBJECTS, .leading = no_objects,
	.begin = merge_begin, .step = merge_step, .end = merge_end
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_NONE };

const struct command stage_merge_paths = {
	HEAP_STAGE("merge_paths", "shortest GC-root paths of all objects, merged into a tree",
	    "instances java.lang.Class | merge_paths | head 20", merge_cols, merge, needs),
	.args = ARGS({ NULL, ARG_OPTIONAL, "strong" }, { NULL, ARG_OR, "soft" }, { NULL, ARG_OR, "all" })
};
