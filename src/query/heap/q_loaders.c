/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_loaders: the class loaders of a heap dump.
 */
#include "config.h"

#include "icecore/columns_dominators.h"
#include "icecore/columns_heap.h"
#include "hrows.h"

/* Totals of the classes that a loader loaded. */
struct loaded {
	uint64_t	classes, objects, shallow;
	uint32_t	loader;
};

static void
q_loaders_class_cell(struct item_rows *s, uint64_t object, struct cell *c)
{
	if (object == 0)
		cell_word(c, "boot");
	else
		view_cell(&s->rows, &HEAP(s)->view, object, OBJECT_LABEL, c);
}

/* Both Java and Android call the field so. */
static void
parent_cell(struct item_rows *s, uint64_t object, struct cell *c)
{
	cell_number(c, CELL_ID, heap_field_object(&HEAP(s)->view.heap, (uint32_t)object, "parent"));
}

#define LOADER ITEM(struct loaded, loader), .by = COL_LOADER_OBJECT

static const struct coldef loader_cols[] = {
	{ "id", CELL_ID, "loader object; empty: bootstrap loader", SOME_OF(LOADER), OBJECT_ID },
	{ "class", CELL_TEXT, "loader class, or boot", COMPUTED(q_loaders_class_cell, LOADER),
	    .cut = CUT_FRONT },
	{ "parent", CELL_ID, "parent loader; empty: bootstrap loader",
	    COMPUTED(parent_cell, LOADER), OBJECT_ID },
	{ "classes", CELL_COUNT, "loaded classes", NUMBER_OF(ITEM(struct loaded, classes)) },
	{ "objects", CELL_COUNT, "instances of its classes", NUMBER_OF(ITEM(struct loaded, objects)) },
	{ "shallow", CELL_BYTES, "shallow size of the instances",
	    NUMBER_OF(ITEM(struct loaded, shallow)) },
	{ "retained", CELL_BYTES, "retained size of its classes and instances",
	    MADE(ITEM(struct loaded, loader), .by = COL_EACH_LOADER_RETAINED), NEEDS(dominators) },
	{ "addr", CELL_ADDR, "address", MORE, FROM(OBJECT_ADDR, LOADER) }
};

static bool
loaders_step(struct item_rows *s)
{
	const struct heap *h = &HEAP(s)->view.heap;
	const struct column *object = store_column(h->st, COL_LOADER_OBJECT);
	const struct column *loader = store_column(h->st, COL_CLASS_LOADER);
	const struct column *objects = store_column(h->st, COL_CLASS_OBJECTS);
	const struct column *shallow = heap_class_shallow(h->st, h->sizes);
	uint64_t i, at, n = object == NULL ? 0 : object->rows;
	struct loaded *l;

	while (s->n < n)
		if (!item_rows_add(s, &(struct loaded){ .loader = (uint32_t)s->n + 1 }))
			return false;
	for (i = 0; i < h->classes; i++) {
		at = column_get(loader, i);
		if (at == 0 || at > n)
			continue;
		l = &SCRATCH(s->list, struct loaded)[at - 1];
		l->classes++;
		l->objects += column_get(objects, i);
		l->shallow += column_get(shallow, i);
	}
	return false;
}

static const struct source loaders_source = { .domain = &heap_domain, .item = sizeof(struct loaded),
    .step = loaders_step };

const struct command source_loaders = {
	HEAP_SOURCE("loaders", "class loaders with classes, objects and retained size",
	    "loaders | sort -retained", loader_cols,
	    loaders_source, needs_objects),
	.names = { "class" }
};
