/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_components: what packages, class loaders or classes hold together, each byte once.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/collection.h"
#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_findings.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "icecore/leak.h"
#include "hrows.h"

#define SLICE 65536u		/* objects between two ticks */

struct component {
	struct str	name;		/* name in names; until all names are known only the length is set */
	uint64_t	classes, objects, shallow, retained, waste, findings;
	uint32_t	loader;		/* object of the loader, if it has one */
	uint32_t	number;		/* from 0, before they are sorted */
};

struct component_rows {
	struct item_rows	 rows;
	enum component_by	 by;
	uint32_t		*of;		/* by class: row + 1 */
	struct buf		 names;
	bool			 wasted, found;	/* .waste and .findings are known */
};

/* ---- which component -------------------------------------------------------------- */

static void
add_loader(const struct heap *h, uint32_t loader, struct buf *b)
{
	if (loader == 0) {
		buf_text(b, "bootstrap");
		return;
	}
	heap_class_name(h, heap_class(h, loader), b);
	buf_printf(b, " @%u", loader);
}

/* Append the name of a component to names; class is the first class found in it. */
static void
name_component(struct component_rows *s, uint32_t class, struct component *c)
{
	const struct heap *h = &HEAP(&s->rows)->view.heap;
	size_t from = s->names.n;

	if (s->by == BY_CLASS) {
		heap_class_name(h, class, &s->names);
	} else if (s->by == BY_LOADER) {
		c->loader = heap_class_loader(h, class);
		add_loader(h, c->loader, &s->names);
	} else {
		heap_class_package(h, class, &s->names);
	}
	c->name.n = s->names.n - from;
}

/* Give a class the row of its component. The first class makes the row; later classes take it over. */
static bool
q_components_place_class(struct component_rows *s, uint32_t class)
{
	const struct heap *h = &HEAP(&s->rows)->view.heap;
	struct component *c, new = { .number = (uint32_t)s->rows.n };
	uint32_t first = s->of[class];

	if (first == class) {
		new.retained = column_get(heap_column(h, COL_EACH_COMPONENT_PACKAGE + s->by), class - 1);
		name_component(s, class, &new);
		if (s->names.bad)
			return fail_memory(&s->rows.rows.err, "components");
		if (!item_rows_add(&s->rows, &new))
			return false;
	}
	s->of[class] = first == class ? (uint32_t)s->rows.n : s->of[first];
	c = &SCRATCH(s->rows.list, struct component)[s->of[class] - 1];
	c->classes++;
	c->objects += column_get(heap_column(h, COL_EACH_COMPONENT_OBJECTS), class - 1);
	c->shallow += column_get(heap_column(h, COL_EACH_COMPONENT_SHALLOW), class - 1);
	return true;
}

static bool
q_components_place_all(struct component_rows *s)
{
	const struct heap *h = &HEAP(&s->rows)->view.heap;
	struct err *err = &s->rows.rows.err;

	s->of = mem_array(h->classes + 1ull, sizeof *s->of);
	if (s->of == NULL)
		return fail_memory(err, "components");
	if (!heap_components(h, s->by, s->of, err))
		return false;
	for (uint32_t class = 1; class <= h->classes; class++)
		if (!q_components_place_class(s, class))
			return false;
	return true;
}

/* A Class object counts for the class that it is; 0: for none. */
static uint32_t
component_of(const struct component_rows *s, uint32_t object)
{
	const struct heap *h = &HEAP(&s->rows)->view.heap;
	uint32_t class = heap_class(h, object), of = heap_holds_classes(h, class) ? heap_class_of_object(h,
	    object) : 0;

	class = of != 0 ? of : class;
	return class <= h->classes ? s->of[class] : 0;
}

/* ---- order --------------------------------------------------------------------------- */

static int
q_components_by_name(const void *a, const void *b)
{
	const struct component *x = a, *y = b;

	return str_cmp(x->name, y->name);
}

/* Sort components by name, and renumber the rows of the classes. */
static bool
q_components_sort(struct component_rows *s)
{
	struct component *c = SCRATCH(s->rows.list, struct component);
	uint32_t *row = mem_array(s->rows.n + 1, sizeof *row);
	size_t at = 0;

	if (row == NULL)
		return fail_memory(&s->rows.rows.err, "components");
	for (uint64_t i = 0; i < s->rows.n; at += c[i++].name.n)
		c[i].name.s = s->names.s + at;
	if (s->rows.n > 1)
		qsort(c, s->rows.n, sizeof *c, q_components_by_name);
	for (uint32_t i = 0; i < s->rows.n; i++)
		row[c[i].number] = i + 1;
	for (uint32_t class = 1; class <= HEAP(&s->rows)->view.heap.classes; class++)
		s->of[class] = row[s->of[class] - 1];
	free(row);
	return true;
}

static bool
components_step(struct item_rows *r)
{
	struct component_rows *s = (struct component_rows *)r;

	if (!q_components_place_all(s) || !q_components_sort(s))
		r->n = 0;
	return false;
}

static bool
components_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	static const char *const words[] = { [BY_PACKAGE] = "package", [BY_LOADER] = "loader",
	    [BY_CLASS] = "class" };
	enum component_by *by = &((struct component_rows *)r)->by;

	if (!stage_at_most(stage, 1, err))
		return false;
	if (stage->n == 0)
		return true;
	for (*by = 0; *by < NELEM(words); ++*by)
		if (token_is(&stage->token[0], words[*by]))
			return true;
	return fail_at(err, E_USAGE, stage_at(stage, 0), "expected package, loader or class");
}

static void
components_end(struct item_rows *r)
{
	struct component_rows *s = (struct component_rows *)r;

	free(s->of);
	buf_free(&s->names);
}

/* ---- what they waste, and what is suspect --------------------------------------------------- */

static struct component *
component_at(const struct component_rows *s, uint32_t row)
{
	return row == 0 ? NULL : &SCRATCH(s->rows.list, struct component)[row - 1];
}

/* Return the wasted bytes of an object: copies of equal content, and unused capacity of a collection. */
static uint64_t
q_components_waste_of(struct component_rows *s, struct collections *known, const struct copies *copies,
    uint32_t object)
{
	const struct heap *h = &HEAP(&s->rows)->view.heap;
	uint64_t waste = copies_waste(copies, h, object);
	struct collection c;

	if (collections_know(known, heap_class(h, object)) && collection_get(known, object, false, &c))
		waste = num_add(waste, c.waste);
	return waste;
}

/* Charge waste to the component of the owner, as holder does; without an owner, to that of the object. */
static bool
find_waste(struct component_rows *s)
{
	struct item_rows *r = &s->rows;
	const struct heap *h = &HEAP(r)->view.heap;
	struct collections *known = view_collections(&r->rows, &HEAP(r)->view);
	const struct copies *copies = view_copies(&r->rows, &HEAP(r)->view);
	struct component *c;
	uint32_t owner;
	uint64_t waste;

	s->wasted = true;
	for (uint32_t object = 1; known != NULL && copies != NULL && object <= h->objects; object++) {
		if (object % SLICE == 0 && !rows_tick(&r->rows, object))
			return false;
		waste = heap_dominator(h, object) == 0 ? 0 : q_components_waste_of(s, known, copies, object);
		if (waste == 0)
			continue;
		owner = collection_holder(known, object, NULL);
		c = component_at(s, component_of(s, owner != 0 ? owner : object));
		if (c != NULL)
			c->waste = num_add(c->waste, waste);
	}
	return known != NULL && copies != NULL;
}

/* Count findings by component. Findings without an object are about a class. */
static void
find_findings(struct component_rows *s)
{
	const struct heap *h = &HEAP(&s->rows)->view.heap;
	struct findings all;
	struct finding f;
	struct component *c;

	s->found = true;
	if (!findings_open(&all, h))
		return;
	for (uint64_t i = 0; i < all.n; i++) {
		finding_get(&all, i, &f);
		c = component_at(s, f.object != 0 ? component_of(s, f.object) :
		    f.class <= h->classes ? s->of[f.class] : 0);
		if (c != NULL)
			c->findings++;
	}
}

/* ---- cells ------------------------------------------------------------------------------ */

static void
q_components_waste_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	struct component_rows *s = (struct component_rows *)r;

	if (!s->wasted && !find_waste(s))
		c->type = CELL_NONE;
	c->u = ((const struct component *)r->item)->waste;
}

static void
findings_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	struct component_rows *s = (struct component_rows *)r;

	if (!s->found)
		find_findings(s);
	c->u = ((const struct component *)r->item)->findings;
}

static void
q_components_name_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	c->text = ((const struct component *)s->item)->name;
}

static const column_id needs_waste[] = { COL_EACH_PARENT, COL_EACH_DUP_MEMBER, COL_NONE };
static const column_id needs_findings[] = { COL_ROOT_FRAME, COL_EACH_PARENT, COL_EACH_FINDING_KIND,
    COL_NONE };

#define OF(member) ITEM(struct component, member)

static const struct coldef component_cols[] = {
	{ "component", CELL_TEXT, "package, class loader or class", COMPUTED(q_components_name_cell),
	    .cut = CUT_FRONT },
	{ "classes", CELL_COUNT, "number of its classes", NUMBER_OF(OF(classes)) },
	{ "objects", CELL_COUNT, "their reachable instances, with the Class objects",
	    NUMBER_OF(OF(objects)) },
	{ "shallow", CELL_BYTES, "shallow size of these objects", NUMBER_OF(OF(shallow)) },
	{ "retained", CELL_BYTES, "retained size of these objects, each byte once", NUMBER_OF(OF(retained)) },
	{ "share", CELL_PERCENT, "share of reachable heap and native memory; they overlap",
	    FROM(SHOW_PERCENT, OF(retained)) },
	{ "waste", CELL_BYTES, "unused capacity and duplicates owned by these objects",
	    COMPUTED(q_components_waste_cell), NEEDS(waste) },
	{ "findings", CELL_COUNT, "findings about these objects or classes", COMPUTED(findings_cell),
	    NEEDS(findings) },
	{ "id", CELL_ID, "class loader object", MORE, SOME_OF(OF(loader)),
	    OBJECT_ID }
};

static const struct source components = {
	.domain = &heap_domain, .size = sizeof(struct component_rows), .item = sizeof(struct component),
	    .args = ARGS_OWN,
	.begin = components_begin, .step = components_step, .end = components_end
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_EACH_COMPONENT_PACKAGE, COL_NONE };

const struct command source_components = {
	HEAP_SOURCE("components", "packages, class loaders or classes, with retained size",
	    "components | top 10 retained", component_cols, components, needs),
	.args = ARGS({ NULL, ARG_OPTIONAL, "package" }, { NULL, ARG_OR, "loader" },
	    { NULL, ARG_OR, "class" }),
	.names = { "component" },
	.numbered = true
};
