/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fold: every reachable object goes to its node, below that of its dominator.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_content.h"
#include "icecore/content.h"
#include "fold.h"

#define UP_OWN 6u		/* nodes above one of a program that it may be folded into */
#define UP_ALL 12u		/* the same of the JDK, where there are */
#define UP_MANY 3u		/* at least this many of its kind: maps in maps are not one map */
#define NODES_LEAST 65536u	/* nodes allowed in any heap; above that, one for this many objects: */
#define NODES_SHARE 8u
#define MET 4096u		/* places of objects that are remembered */
#define AHEAD 16u		/* objects by which the fetching of referrers is ahead */
#define KIDS 4096u		/* children of one node when there are more nodes */

static inline struct fold_node *
node_at(const struct folding *f, uint32_t node)
{
	assert(node < f->n);
	return &SCRATCH(f->nodes, struct fold_node)[node];
}

/* ---- nodes ------------------------------------------------------------------------------------------ */

static bool
fold_is_same(const struct fold_node *a, const struct fold_node *b)
{
	return a->up == b->up && a->label == b->label && a->holder == b->holder && a->class == b->class &&
	    a->kind == b->kind;
}

static uint64_t
fold_key_of(const struct fold_node *n)
{
	const uint32_t key[] = { n->up, n->label, n->holder, n->class, n->kind };

	return hash_bytes(key, sizeof key, 0);
}

static bool
find_child(struct folding *f, const struct fold_node *new, uint32_t *node)
{
	uint64_t key = fold_key_of(new);

	for (; (*node = idmap_get(&f->by_key, key)) != 0; key++)
		if (fold_is_same(node_at(f, *node), new))
			return true;
	if (node_at(f, new->up)->kids >= KIDS && new->role != ROLE_REST && f->n > NODES_LEAST &&
	    f->n > f->h.objects / NODES_SHARE)
		return find_child(f, &(struct fold_node){ .up = new->up, .kind = NAME_REST,
		    .role = ROLE_REST }, node);
	/* Parents come before their children. */
	assert(new->up < f->n && f->n <= UINT32_MAX);
	node_at(f, new->up)->kids++;
	*node = (uint32_t)f->n;
	return make_add(&f->nodes, &f->n, new, sizeof *new, MAKE_MOST, "names", f->err) &&
	    idmap_put(&f->by_key, key, *node, f->err);
}

/*
 * Lists and trees are one node, with objects below each other: directly, or with others and arrays between.
 * For JDK classes only if several are above it already.
 */
static uint32_t
same_above(const struct folding *f, const struct fold_node *new)
{
	uint32_t nearest = 0, seen = 0, at = new->up;

	for (uint32_t n = 0; n < UP_ALL && at != 0; n++, at = node_at(f, at)->up) {
		const struct fold_node *up = node_at(f, at);

		assert(up->up < at);
		if (up->class != new->class || up->role != new->role)
			continue;
		nearest = nearest == 0 ? at : nearest;
		seen++;
		if ((!(new->parts & (CLASS_JDK | PART_PLAIN)) && n < UP_OWN) || seen >= UP_MANY)
			return nearest;
	}
	return 0;
}

/* The node that an object like this one was given recently. */
struct met {
	struct fold_node	new;
	uint32_t		node;		/* 0: the place is free */
	bool			above;		/* same_above found the node */
};

/* Find the node of new, or add a child that equals it.  Most objects are like one before them. */
static bool
fold_node_for(struct folding *f, const struct fold_node *new, uint32_t *node)
{
	struct met *met = &f->met.at[(new->up * 37 + new->label * 5 + new->class) % MET];

	if (met->node == 0 || !fold_is_same(&met->new, new) || met->new.role != new->role ||
	    met->new.parts != new->parts) {
		*met = (struct met){ .new = *new, .node = same_above(f, new) };
		met->above = met->node != 0;
		if (!met->above && !find_child(f, new, &met->node))
			return false;
	}
	*node = met->node;
	node_at(f, *node)->folded += met->above;
	return true;
}

/* ---- which node --------------------------------------------------------------------------------------- */

static bool fold_place(struct folding *f, uint32_t object);

static enum name_role
fold_role_of(uint32_t parts)
{
	return parts & PART_COLLECTION ? ROLE_COLLECTION : parts & PART_ARRAY ? ROLE_ARRAY : ROLE_PLAIN;
}

/* Objects that a class loader keeps through its list of classes belong to the classes. */
static bool
fold_is_of_loader(const struct fold_node *above)
{
	return above->parts & PART_LOADER;
}

/* up has no direct reference to the object: make it an element of its holder below up, if there is one. */
static bool
label_of_several(struct folding *f, uint32_t object, uint32_t up, uint32_t *above, struct label *label)
{
	bool thread = up != 0 && (name_class(f, up)->parts & PART_THREAD);
	uint32_t below = 0, node;

	f->several = object;
	if (up != 0 && !thread && !label_below(f, object, up, &below))
		return false;
	if (below == 0) {
		*above = fold_is_of_loader(node_at(f, *above)) ? 0 : *above;
		return label_shared(f, object, label);
	}
	/* up refers to below by a field, so placing below does not place yet another object. */
	if (f->of.at[below - 1] == 0 && !fold_place(f, below))
		return false;
	node = f->of.at[below - 1] - 1;
	if (node != *above && node_at(f, node)->class != name_class(f, object)->text) {
		*above = node;
		*label = (struct label){ .kind = NAME_ELEMENT };
		return true;
	}
	if (!label_find(f, up, below, label))
		return false;
	label->kind = NAME_SHARED;
	return true;
}

/*
 * In a collection or array: label the object as an element, unless a field that a program's collection
 * declares holds it.
 */
static bool
label_inside(struct folding *f, uint32_t object, uint32_t up, uint32_t *above, struct label *label)
{
	uint32_t parts = name_class(f, up)->parts;

	if ((parts & PART_COLLECTION) && !(parts & CLASS_JDK)) {
		if (!label_find(f, up, object, label))
			return false;
		if (label->kind == NAME_FIELD && !(f->classes.at[label->declares].parts & CLASS_JDK))
			return true;
	}
	*label = (struct label){ .kind = NAME_ELEMENT };
	if (!fold_is_of_loader(node_at(f, *above)) || label_refers(f, up, object))
		return true;
	*above = 0;
	return label_shared(f, object, label);
}

static bool
find_label(struct folding *f, uint32_t object, uint32_t up, uint32_t *above, struct label *label)
{
	enum name_role role = (enum name_role)node_at(f, *above)->role;

	if (up == 0)
		return label_shared(f, object, label);
	if (name_class(f, up)->parts & PART_ENTRY)
		return label_entry(f, up, label);
	if (is_fast_table(f, up))
		return label_fast_local(f, up, object, label);
	if (role == ROLE_COLLECTION || role == ROLE_ARRAY)
		return label_inside(f, object, up, above, label);
	if (!label_find(f, up, object, label))
		return false;
	/* The table of thread locals has no elements except its entries. */
	return (label->kind != NAME_ROOT && (label->kind != NAME_ELEMENT || role != ROLE_THREADS)) ||
	    label_of_several(f, object, up, above, label);
}

/* A plain object belongs to its holder, in collections to theirs. */
static uint32_t
fold_whose(const struct folding *f, const struct fold_node *n)
{
	while (n->holder_whose == 0 && n->kind == NAME_ELEMENT && n->up != 0 &&
	    !(node_at(f, n->up)->parts & CLASS_PROGRAM))
		n = node_at(f, n->up);
	return n->holder_whose != 0 ? n->holder_whose : n->kind == NAME_ELEMENT ?
	    node_at(f, n->up)->parts & (CLASS_KINDS - 1) :
	    CLASS_JDK;
}

/* Find or add the node of an object that is not a part of the object above it. */
static bool
fold_find_node(struct folding *f, uint32_t object, uint32_t up, uint32_t above, uint32_t *node)
{
	const struct name_class *c = name_class(f, object);
	uint32_t class = heap_class_of_object(&f->h, object);
	struct fold_node new = { .class = c->text };
	struct title title;
	struct label label;

	if (class != 0) {
		c = &f->classes.at[class];
		return find_child(f, &(struct fold_node){ .class = c->text,
		    .parts = c->parts & (CLASS_KINDS - 1), .kind = NAME_CLASS,
		    .role = ROLE_CLASS }, node);
	}
	/* A thread that was not started, or has ended, is an ordinary object. */
	if ((c->parts & PART_THREAD) && (idmap_get(&f->roots, object) != 0 ||
	    heap_thread_alive(&f->h, object)))
		return find_child(f, &(struct fold_node){ .kind = NAME_THREADS, .parts = CLASS_JDK,
		    .role = ROLE_THREADS }, node);
	if (!find_label(f, object, up, &above, &label))
		return false;
	if (!title_find(f, object, &title))
		return false;
	new.class = title.text;
	new.parts = title.parts;
	new.role = (uint8_t)fold_role_of(title.parts | (title_is_wide(f, object) ? PART_COLLECTION : 0));
	new.up = above;
	new.kind = (uint8_t)label.kind;
	new.label = label.text;
	new.holder = label.holder;
	c = &f->classes.at[label.class];
	if (label.kind != NAME_LOCAL && !name_is_thread_local(label.kind))
		new.parts |= c->parts & PART_LOADER;
	new.holder_whose = label.whose != 0 ? label.whose : c->parts & (CLASS_KINDS - 1);
	if (new.parts & PART_PLAIN)
		new.parts = (new.parts & ~(CLASS_KINDS - 1u)) | fold_whose(f, &new);
	return fold_node_for(f, &new, node);
}

static void
fold_count(struct fold_node *n, uint32_t object, uint64_t retained)
{
	n->count += n->count < UINT32_MAX;
	if (retained > n->most || (retained == n->most && object < n->object)) {
		n->most = retained;
		n->object = object;
	}
}

/* Place an object; its dominator was placed before. */
static bool
fold_place(struct folding *f, uint32_t object)
{
	uint32_t up = heap_above(&f->h, object), above = up == 0 ? 0 : f->of.at[up - 1] - 1, node = above;
	bool part = false;

	if (up != 0 && !heap_holds_classes(&f->h, heap_class(&f->h, object)) &&
	    !part_find(f, object, up, node_at(f, above)->role == ROLE_COLLECTION, &part))
		return false;
	if (!part) {
		if (!fold_find_node(f, object, up, above, &node))
			return false;
		fold_count(node_at(f, node), object, heap_retained(&f->h, object));
	}
	node_at(f, node)->self = num_add(node_at(f, node)->self, heap_shallow(&f->h, object));
	assert(node < f->n);
	f->of.at[object - 1] = node + 1;
	return true;
}

/*
 * Place an object after its dominators, outermost first.  The path is stored, not recursed: it may be very
 * long.
 */
static bool
place_below(struct folding *f, uint32_t object)
{
	uint32_t *of = f->of.at;
	uint64_t n = 0;

	for (; object != 0 && of[object - 1] == 0; object = heap_above(&f->h, object))
		if (!make_add(&f->path.raw, &n, &object, sizeof object, UINT64_MAX, "dominators", f->err))
			return false;
	while (n > 0) {
		if (n % FOLD_TICK == 0 && !work_go(f->work, 0, f->err))
			return false;
		object = f->path.at[--n];
		/* Placing another object may have placed this one. */
		if (of[object - 1] == 0 && !fold_place(f, object))
			return false;
	}
	return true;
}

/*
 * ---- all --------------------------------------------------------------------------------------------------
 */

/* Totals, when all objects have their places. */
void
fold_sum(struct folding *f)
{
	for (uint64_t i = f->n; i-- > 0; ) {
		struct fold_node *n = node_at(f, (uint32_t)i), *up = node_at(f, n->up);

		assert(i == 0 || n->up < i);
		n->total = num_add(n->total, n->self);
		n->native_total = num_add(n->native_total, n->native);
		if (i == 0)
			break;
		up->total = num_add(up->total, n->total);
		up->native_total = num_add(up->native_total, n->native_total);
	}
}

static bool
mark_inside(struct folding *f)
{
	if (!scratch_array(&f->inside, f->h.objects / 64 + 1ull, sizeof(uint64_t), f->err))
		return false;
	for (uint32_t object = 1; object <= f->h.objects; object++) {
		if (object % FOLD_TICK == 0 && !work_go(f->work, 0, f->err))
			return false;
		if (name_class(f, object)->parts & (PART_OF_COLLECTION | PART_ARRAY))
			set_bit(&f->inside, object);
	}
	return true;
}

/* Prefetches the data of the referrers of an object without a single holder. */
static void
fold_fetch(const struct folding *f, uint32_t object)
{
	struct heap_walk w;
	uint32_t holder;

	heap_in(&f->h, object, &w);
	for (uint32_t n = 0; n < AHEAD && (holder = list_next(&w)) != 0 && holder <= f->h.objects; n++)
		heap_fetch_list(&f->h, holder);
}

bool
fold_objects(struct folding *f)
{
	struct fold_node root = { .kind = NAME_ROOT, .role = ROLE_ROOT, .count = 1 };

	if (!make_add(&f->nodes, &f->n, &root, sizeof root, MAKE_MOST, "names", f->err) ||
	    !array_grow(&f->of, f->h.objects + 1ull, f->err) ||
	    !array_grow(&f->met, MET, f->err) || !mark_inside(f))
		return false;
	work_start(f->work, "field paths", f->h.objects);
	for (uint32_t object = 1; object <= f->h.objects; object++) {
		if (!work_each(f->work, object, FOLD_TICK, f->err))
			return false;
		/* Objects of that kind are adjacent. */
		if (f->several == object - 1 && object + AHEAD <= f->h.objects)
			fold_fetch(f, object + AHEAD);
		if (heap_dominator(&f->h, object) != 0 && !place_below(f, object))
			return false;
	}
	return true;
}

/*
 * ---- memory outside the heap ------------------------------------------------------------------------------
 */

static void
add_native(struct folding *f, const struct column *objects, const struct column *bytes)
{
	for (uint64_t i = 0; i < column_rows(objects) && i < column_rows(bytes); i++) {
		uint64_t object = column_get(objects, i);
		uint32_t node = object == 0 || object > f->h.objects ? 0 : f->of.at[object - 1];

		if (node != 0)
			node_at(f, node - 1)->native = num_add(node_at(f, node - 1)->native,
			    column_get(bytes, i));
	}
}

void
fold_native(struct folding *f)
{
	add_native(f, heap_column(&f->h, COL_EACH_DIRECT_OBJECT), heap_column(&f->h, COL_EACH_DIRECT_BYTES));
	add_native(f, f->h.native_object, f->h.native_bytes);
}
