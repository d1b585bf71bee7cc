/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_entries: the elements of lists, sets, maps and arrays, a row for each.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/columns_dominators.h"
#include "icecore/columns_objects.h"
#include "icecore/content.h"
#include "hrows.h"

#define SLICE 4096u		/* elements between two ticks */
#define ENTRIES 100000000u	/* rows at most */

struct entry {
	struct element	e;
	uint32_t	collection;
};

struct entry_rows {
	struct item_rows	 rows;
	struct collections	*known;
	struct scratch		 met;		/* u32 by object: the turn in which it was met */
	uint32_t		 turn;
	struct elements		 walk;		/* elements of the collection of the row before */
	bool			 walking;
};

/* ---- finding them -------------------------------------------------------------------- */

static bool
next_collection(struct entry_rows *s)
{
	uint32_t object;

	if (!heap_rows_next(&s->rows, &object))
		return false;
	s->walking = elements_open(s->known, object, &s->met, ++s->turn, &s->walk);
	return true;
}

/* Note which table is damaged and how many entries were dropped. */
static void
note_damage(struct entry_rows *s)
{
	static const char *const what[] = { [ELEMENTS_CYCLE] = "cycle",
	    [ELEMENTS_MISSING] = "part of it is missing in the dump",
		[ELEMENTS_DEEP] = "tree too deep" };
	const struct elements *w = &s->walk;
	uint32_t damaged = w->damaged != 0 ? w->damaged : w->object;

	if (w->hurt == ELEMENTS_WHOLE)
		return;
	if (w->size > w->found && w->size <= HEAP(&s->rows)->view.heap.objects)
		rows_note_add(&s->rows.rows, "table of @%u: %s, %" PRIu64 " entries dropped", damaged,
		    what[w->hurt], w->size - w->found);
	else
		rows_note_add(&s->rows.rows, "table of @%u: %s", damaged, what[w->hurt]);
}

static bool
entry_step(struct item_rows *r)
{
	struct entry_rows *s = (struct entry_rows *)r;
	struct entry row;

	if (!s->walking)
		return next_collection(s);
	s->walking = elements_next(&s->walk, &row.e);
	if (!s->walking) {
		note_damage(s);
		return true;
	}
	if (r->n == ENTRIES)
		return fail(&r->rows.err, E_USAGE, "too many entries (limit: %u)", ENTRIES);
	row.collection = s->walk.object;
	return item_rows_add(r, &row);
}

static bool
entries_begin(struct item_rows *r, UNUSED const struct stage *stage, struct err *err)
{
	struct entry_rows *s = (struct entry_rows *)r;
	const struct heap *h = &HEAP(r)->view.heap;

	return collections_open(&s->known, h, err) && scratch_array(&s->met, h->objects + 1ull,
	    sizeof(uint32_t), err);
}

static void
entries_end(struct item_rows *r)
{
	struct entry_rows *s = (struct entry_rows *)r;

	collections_close(s->known);
	scratch_free(&s->met);
}

/* ---- cells ------------------------------------------------------------------------------ */

static uint32_t
q_entries_object_of(uint8_t type, uint64_t bits)
{
	return type == HEAP_OBJECT ? (uint32_t)bits : 0;
}

/* A number as it is, an object by its content, or by its class where it has none. */
static void
part_cell(struct item_rows *s, uint8_t type, uint64_t bits, struct cell *c)
{
	struct heap_slot slot = { .kind = SLOT_ELEMENT, .type = type, .bits = bits };
	struct contents *contents = view_contents(&s->rows, &HEAP(s)->view);
	struct buf *b = cell_begin(s);

	c->type = CELL_NONE;
	if (contents == NULL || type == 0 || (type == HEAP_OBJECT && bits == 0))
		return;
	if (type != HEAP_OBJECT) {
		heap_value(&slot, b);
		if (mask_hides(&slot))
			mask_text(b, 0);
	} else
		content_add(contents, (uint32_t)bits, b);
	if (b->n == 0)
		slot_object_add(&HEAP(s)->view.heap, (uint32_t)bits, b);
	cell_text(&s->rows, c, b);
}

static void
key_cell(struct item_rows *s, uint64_t key, struct cell *c)
{
	part_cell(s, ((const struct entry *)s->item)->e.key_type, key, c);
}

static void
q_entries_value_cell(struct item_rows *s, uint64_t value, struct cell *c)
{
	part_cell(s, ((const struct entry *)s->item)->e.value_type, value, c);
}

static void
key_id_cell(struct item_rows *s, uint64_t key, struct cell *c)
{
	cell_number(c, CELL_ID, q_entries_object_of(((const struct entry *)s->item)->e.key_type, key));
}

static void
value_id_cell(struct item_rows *s, uint64_t value, struct cell *c)
{
	cell_number(c, CELL_ID, q_entries_object_of(((const struct entry *)s->item)->e.value_type, value));
}

/* Show the object that is the key or value; empty for primitive values. */
static void
of_key(struct item_rows *s, enum heap_show show, struct cell *c)
{
	const struct element *e = &((const struct entry *)s->item)->e;

	view_cell(&s->rows, &HEAP(s)->view, q_entries_object_of(e->key_type, e->key), show, c);
}

static void
of_value(struct item_rows *s, enum heap_show show, struct cell *c)
{
	const struct element *e = &((const struct entry *)s->item)->e;

	view_cell(&s->rows, &HEAP(s)->view, q_entries_object_of(e->value_type, e->value), show, c);
}

static void
key_class_cell(struct item_rows *s, UNUSED uint64_t key, struct cell *c)
{
	of_key(s, OBJECT_LABEL, c);
}

static void
value_class_cell(struct item_rows *s, UNUSED uint64_t value, struct cell *c)
{
	of_value(s, OBJECT_LABEL, c);
}

static void
q_entries_retained_cell(struct item_rows *s, UNUSED uint64_t value, struct cell *c)
{
	of_value(s, OBJECT_RETAINED, c);
}

static void
q_entries_hash_cell(struct item_rows *s, UNUSED uint64_t node, struct cell *c)
{
	const struct entry_rows *r = (const struct entry_rows *)s;

	if (!element_hash(r->known, &((const struct entry *)s->item)->e, &c->i))
		c->type = CELL_NONE;
}

#define OF(member) ITEM(struct entry, member)

static const column_id value_needs[] = { COL_EACH_PARENT, COL_NONE };

static const struct coldef entry_cols[] = {
	{ "collection", CELL_ID, "collection or array that contains it", SOME_OF(OF(collection)),
	    OBJECT_ID },
	{ "index", CELL_COUNT, "index in an array or list; order in a table",
	    NUMBER_OF(OF(e.index)) },
	{ "key", CELL_TEXT, "content of the key of a map entry", COMPUTED(key_cell, OF(e.key)) },
	{ "value", CELL_TEXT, "content of the value; for primitive arrays, the number",
	    COMPUTED(q_entries_value_cell, OF(e.value)) },
	{ "key_id", CELL_ID, "the key; empty: null, missing or a number", COMPUTED(key_id_cell, OF(e.key)),
	    OBJECT_ID },
	{ "value_id", CELL_ID, "the value; empty: null, missing or a number",
	    COMPUTED(value_id_cell, OF(e.value)), OBJECT_ID },
	{ "value_class", CELL_TEXT, "class of the value", COMPUTED(value_class_cell, OF(e.value)),
	    .cut = CUT_FRONT },
	{ "retained", CELL_BYTES, "retained size of the value",
	    COMPUTED(q_entries_retained_cell, OF(e.value)),
	    .needs = value_needs },
	{ "key_class", CELL_TEXT, "class of the key", MORE, COMPUTED(key_class_cell, OF(e.key)),
	    .cut = CUT_FRONT },
	{ "bucket", CELL_COUNT, "bucket of a hash table", MORE, FROM(SHOW_KNOWN, OF(e.bucket)) },
	{ "hash", CELL_INT, "hash as stored in a hash table", MORE,
	    COMPUTED(q_entries_hash_cell, OF(e.node)) },
	{ "object", CELL_ID, "the value, as value_id", MORE, COMPUTED(value_id_cell, OF(e.value)), OBJECT_ID }
};

static const struct source entries = {
	.domain = &heap_domain, .size = sizeof(struct entry_rows), .item = sizeof(struct entry),
	    OVER_OBJECTS,
	.begin = entries_begin, .step = entry_step, .steps = SLICE, .end = entries_end
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_NONE };

const struct command source_entries = {
	VALUES_SOURCE("entries", "elements of lists, sets, maps and arrays", "entries @4566", entry_cols,
	    entries, needs),
	.args = ARGS({ &arg_object, ARG_MANY, .name = "@ID..." })
};

const struct command stage_entries = {
	VALUES_STAGE("entries", "elements of the collections and arrays of the rows",
	    "collections | top 1 size | entries | top 10 retained", entry_cols, entries, needs)
};
