/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_collections: the lists, maps and sets of a heap dump, how full they are and whose.
 */
#include "config.h"

#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_objects.h"
#include "hrows.h"

#define SLICE 4096u		/* collections looked at between two ticks */

/* ---- rows -------------------------------------------------------------------------- */

/* A row: one collection. */
struct entry {
	uint64_t	size, capacity, waste;
	uint32_t	object, table, owner;
	bool		hashed;
};

struct list {
	struct item_rows	 rows;
	struct collection_rows	 all;
};

static bool
list_step(struct item_rows *s)
{
	struct list *l = (struct list *)s;
	struct collection c;
	uint32_t object, owner;

	for (uint32_t left = SLICE; left > 0; left--) {
		if ((object = collection_rows_next(&l->all, &c, &owner)) == 0)
			return false;
		if (HEAP(s)->classes.has[heap_class(&HEAP(s)->view.heap, object)] && !item_rows_add(s,
		    &(struct entry){ c.size, c.capacity, c.waste, object, c.table, owner, c.hashed }))
			return false;
	}
	return true;
}

/* ---- cells ---------------------------------------------------------------------------- */

static void
site_cell(struct item_rows *s, uint64_t object, struct cell *c)
{
	view_site_cell(&s->rows, &HEAP(s)->view, (uint32_t)object, c);
}

static bool
q_collections_held_by_text(struct item_rows *s, uint64_t object, struct buf *b)
{
	return held_by_add(&s->rows, &HEAP(s)->view, (uint32_t)object, b);
}

static void
fill_cell(struct item_rows *s, uint64_t capacity, struct cell *c)
{
	cell_share(c, ((const struct entry *)s->item)->size, capacity);
}

static void
collisions_cell(struct item_rows *s, uint64_t object, struct cell *c)
{
	const struct entry *e = s->item;
	struct collections *known;
	struct collection whole;

	c->type = CELL_NONE;
	if (e->hashed && (known = view_collections(&s->rows, &HEAP(s)->view)) != NULL &&
	    collection_get(known, (uint32_t)object, true, &whole))
		cell_share(c, whole.size - whole.used, whole.size);
}

#define OF(member) ITEM(struct entry, member)

static const struct coldef collection_cols[] = {
	{ "object", CELL_ID, "collection object", SOME_OF(OF(object)), OBJECT_ID },
	{ "class", CELL_TEXT, "class", FROM(OBJECT_CLASS, OF(object)) },
	{ "size", CELL_COUNT, "elements or map entries", NUMBER_OF(OF(size)) },
	{ "capacity", CELL_COUNT, "capacity of its array or table", NUMBER_OF(OF(capacity)) },
	{ "fill_ratio", CELL_PERCENT, "fill ratio: size / capacity",
	    COMPUTED(fill_cell, OF(capacity)), .was = "fill" },
	{ "waste", CELL_BYTES, "bytes of unused slots", NUMBER_OF(OF(waste)) },
	{ "retained", CELL_BYTES, "retained size; 0: unreachable", FROM(OBJECT_RETAINED, OF(object)) },
	{ "holder", CELL_TEXT, "class and field of the nearest owner",
	    TEXT(q_collections_held_by_text, OF(object)), NEEDS(dominators), .cut = CUT_FRONT },
	{ "owner", CELL_ID, "owner object", MORE, SOME_OF(OF(owner)), OBJECT_ID },
	{ "collisions", CELL_PERCENT, "share of entries in a bucket with another entry", MORE,
	    COMPUTED(collisions_cell, OF(object)) },
	{ "table", CELL_ID, "backing array", MORE, SOME_OF(OF(table)), OBJECT_ID },
	{ "shallow", CELL_BYTES, "shallow size", MORE, FROM(OBJECT_SHALLOW, OF(object)) },
	{ "addr", CELL_ADDR, "address", MORE, FROM(OBJECT_ADDR, OF(object)) },
	{ "alloc_site", CELL_TEXT, "allocation site (HPROF agent dumps only)", MORE,
	    COMPUTED(site_cell, OF(object)), .was = "site" }
};

/* ---- source --------------------------------------------------------------------------------- */

/* The classes of the arguments, or all that are collections. */
static bool
list_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	const struct heap *h = &HEAP(s)->view.heap;
	const struct collections *known;
	uint8_t *has;

	if (!classes_of_stage(&HEAP(s)->classes, h, stage, err))
		return false;
	if ((known = view_collections(&s->rows, &HEAP(s)->view)) == NULL ||
	    !classes_make(&HEAP(s)->classes, h, err))
		return false;
	collection_rows_open(&((struct list *)s)->all, h);
	has = HEAP(s)->classes.has;
	for (uint32_t i = 1; i <= h->classes; i++)
		has[i] = (stage->n == 0 || has[i]) && collections_know(known, i);
	return true;
}

static const struct source list = {
	.domain = &heap_domain, .size = sizeof(struct list), .item = sizeof(struct entry), .args = ARGS_OWN,
	.begin = list_begin, .step = list_step
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_EACH_COLLECTIONS, COL_NONE };

const struct command source_collections = {
	VALUES_SOURCE("collections", "lists, maps and sets with size, fill ratio and owner",
	    "collections | group holder : count, sum waste as waste | sort -waste", collection_cols, list,
	    needs),
	.args = ARGS({ &arg_class, ARG_OPTIONAL | ARG_MANY })
};
