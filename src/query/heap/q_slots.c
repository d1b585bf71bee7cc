/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_slots: what objects refer to, and their fields, elements and statics.
 */
#include "config.h"

#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "hrows.h"

#define SLICE 4096u		/* slots looked at between two ticks */

/* Where a slot is found again: the element, or how many of the other slots come before it. */
struct place {
	uint32_t	holder, nth;
	bool		element;
};

struct slot_rows {
	struct item_rows	 rows;
	struct heap_slots	 walk;		/* the slots of the object of the row before */
	bool			 walking;
	uint32_t		 nth;		/* number of its slots scanned, without elements */
	/* The slot that was asked for last. */
	struct place		 at;
	struct heap_slots	 again;
	struct heap_slot	 slot;
};

/* The source refs lists references; fields lists fields, elements and statics with their values. */
static const struct source refs;

/* ---- finding them ---------------------------------------------------------------- */

static bool
q_slots_is_wanted(const struct slot_rows *s, const struct heap_slot *slot)
{
	if (s->rows.source == &refs)
		return heap_slot_refers(slot);
	return slot->kind == SLOT_FIELD || slot->kind == SLOT_ELEMENT ||
	    slot->kind == SLOT_STATIC;
}

/* The object of the next row; false at the end of the rows. */
static bool
next_holder(struct slot_rows *s)
{
	const struct heap *h = &HEAP(&s->rows)->view.heap;
	uint32_t object;

	if (!heap_rows_next(&s->rows, &object))
		return false;
	s->nth = 0;
	s->walking = object != 0 && heap_slots(h, object, &s->walk);
	if (s->walking && s->rows.source == &refs && heap_kind(h, object) == HEAP_PRIM_ARRAY)
		heap_slots_skip(&s->walk);
	return true;
}

/* Add the next slot, if it is wanted, or go on to the next object. */
static bool
slot_step(struct item_rows *r)
{
	struct slot_rows *s = (struct slot_rows *)r;
	struct heap_slot slot;
	bool element;

	if (!s->walking)
		return next_holder(s);
	if (!heap_slot(&s->walk, &slot)) {
		s->walking = false;
		return true;
	}
	/* In a heap without records an element is found as the others are. */
	element = slot.kind == SLOT_ELEMENT && HEAP(r)->view.heap.form == NULL;
	if (q_slots_is_wanted(s, &slot) && !item_rows_add(r,
	    &(struct place){ s->walk.object, element ? slot.index : s->nth, element }))
		return false;
	s->nth += !element;
	return true;
}

/* ---- cells ----------------------------------------------------------------------- */

/* Find the slot of a row. Rows are read in order, so the walk resumes at the last slot if it can. */
static const void *
slot_at(struct item_rows *r, uint64_t row)
{
	struct slot_rows *s = (struct slot_rows *)r;
	struct place p = SCRATCH(r->list, struct place)[row];
	bool same = s->at.holder == p.holder && !s->at.element && !p.element;
	const struct heap *h = &HEAP(r)->view.heap;
	uint32_t nth = s->at.nth + 1;

	if (s->at.holder == p.holder && s->at.element == p.element && s->at.nth == p.nth)
		return &s->slot;
	s->at = p;
	if (p.element) {
		if (!heap_element(h, p.holder, p.nth, &s->slot))
			s->slot = (struct heap_slot){ .type = 0 };
		return &s->slot;
	}
	if (!same || nth > p.nth) {
		nth = 0;
		if (heap_slots(h, p.holder, &s->again))
			heap_slots_skip(&s->again);
	}
	s->slot = (struct heap_slot){ .type = 0 };
	for (; nth <= p.nth && heap_slot(&s->again, &s->slot); nth++)
		continue;
	return &s->slot;
}

static void
q_slots_name_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	slot_name_cell(s, s->item, c);
}

static void
q_slots_value_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	slot_value_cell(s, s->item, c);
}

/* Show a reference even if the dump does not have the object. */
static void
q_slots_class_cell(struct item_rows *s, uint64_t object, struct cell *c)
{
	const struct heap_slot *slot = s->item;
	struct buf *b;

	view_cell(&s->rows, &HEAP(s)->view, object, OBJECT_LABEL, c);
	if (object == 0 && slot->type == HEAP_OBJECT && slot->bits != 0) {
		b = cell_begin(s);
		slot_missing_add(slot, b);
		cell_text(&s->rows, c, b);
	}
}

static void
declared_cell(struct item_rows *s, uint64_t class, struct cell *c)
{
	const struct heap_slot *slot = s->item;

	view_cell(&s->rows, &HEAP(s)->view, slot->kind == SLOT_ELEMENT ? 0 : class, SHOW_CLASS, c);
}

static void
addr_cell(struct item_rows *s, uint64_t bits, struct cell *c)
{
	const struct heap_slot *slot = s->item;

	cell_number(c, CELL_ADDR, slot->type == HEAP_OBJECT ? bits : 0);
}

static void
q_slots_strength_cell(UNUSED struct item_rows *s, uint64_t strength, struct cell *c)
{
	cell_word(c, heap_strength_name((enum heap_strength)strength));
}

static void
q_slots_holder_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	cell_number(c, CELL_ID, ((const struct slot_rows *)s)->at.holder);
}

/* ---- refs ------------------------------------------------------------------------ */

#define TO ITEM(struct heap_slot, object)

static const struct coldef ref_cols[] = {
	{ "name", CELL_TEXT, "referring field, element or root type", COMPUTED(q_slots_name_cell) },
	{ "object", CELL_ID, "target object; empty: not in the dump", SOME_OF(TO), OBJECT_ID },
	{ "class", CELL_TEXT, "class of the target", COMPUTED(q_slots_class_cell, TO),
	    .cut = CUT_FRONT },
	{ "shallow", CELL_BYTES, "shallow size of the target", FROM(OBJECT_SHALLOW, TO) },
	{ "retained", CELL_BYTES, "retained size of the target", FROM(OBJECT_RETAINED, TO) },
	{ "addr", CELL_ADDR, "address of the target", MORE,
	    COMPUTED(addr_cell, ITEM(struct heap_slot, bits)) },
	{ "strength", CELL_TEXT, "reference strength: strong, soft, finalizer, weak, phantom", MORE,
	    COMPUTED(q_slots_strength_cell, ITEM(struct heap_slot, strength)) },
	{ "value", CELL_TEXT, "value of a String, otherwise class and id", MORE,
	    COMPUTED(q_slots_value_cell) },
	{ "owner", CELL_ID, "referrer", MORE, COMPUTED(q_slots_holder_cell), OBJECT_ID, .was = "holder" }
};

static const struct source refs = {
	.domain = &heap_domain, .size = sizeof(struct slot_rows), .item = sizeof(struct place),
	    OVER_OBJECTS,
	.step = slot_step, .steps = SLICE, .item_at = slot_at
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_NONE };

const struct command source_refs = {
	HEAP_SOURCE("refs", "outgoing references of an object", "refs @1", ref_cols, refs, needs),
	.args = ARGS({ &arg_object, ARG_MANY, .name = "@ID..." }),
	.draws = DRAWS_REFS
};

const struct command stage_refs = {
	HEAP_STAGE("refs", "outgoing references of the objects", "threads | refs", ref_cols, refs, needs),
	.draws = DRAWS_REFS
};

/* ---- fields ---------------------------------------------------------------------- */

static const struct coldef field_cols[] = {
	{ "name", CELL_TEXT, "field name or element index", COMPUTED(q_slots_name_cell) },
	{ "type", CELL_TEXT, "type; empty: record truncated",
	    MADE(.word = heap_type_name, ITEM(struct heap_slot, type)) },
	{ "value", CELL_TEXT, "value: number, \"string\", null, or class and id",
	    COMPUTED(q_slots_value_cell), .cut = CUT_MIDDLE },
	{ "object", CELL_ID, "target object", SOME_OF(TO), OBJECT_ID },
	{ "class", CELL_TEXT, "class of the target", COMPUTED(q_slots_class_cell, TO), .cut = CUT_FRONT },
	{ "declared_in", CELL_TEXT, "declaring class",
	    COMPUTED(declared_cell, ITEM(struct heap_slot, class)), .was = "declared", .cut = CUT_FRONT },
	{ "shallow", CELL_BYTES, "shallow size of the target", MORE, FROM(OBJECT_SHALLOW, TO) },
	{ "retained", CELL_BYTES, "retained size of the target", MORE, FROM(OBJECT_RETAINED, TO) },
	{ "addr", CELL_ADDR, "raw reference", MORE, COMPUTED(addr_cell, ITEM(struct heap_slot, bits)) },
	{ "owner", CELL_ID, "object owning the field", MORE, COMPUTED(q_slots_holder_cell), OBJECT_ID,
	    .was = "holder" },
	{ "offset", CELL_ID, "offset in the uncompressed file", MORE, SOME_OF(ITEM(struct heap_slot, at)) }
};

static const struct source fields = {
	.domain = &heap_domain, .size = sizeof(struct slot_rows), .item = sizeof(struct place),
	    OVER_OBJECTS,
	.step = slot_step, .steps = SLICE, .item_at = slot_at
};

const struct command source_fields = {
	HEAP_SOURCE("fields", "fields, array elements or statics of an object", "fields @1",
	    field_cols, fields, needs),
	.args = ARGS({ &arg_object, ARG_MANY, .name = "@ID..." }),
	.draws = DRAWS_REFS
};

const struct command stage_fields = {
	HEAP_STAGE("fields", "fields, array elements or statics of the objects", "threads | head 1 | fields",
	    field_cols, fields, needs),
	.draws = DRAWS_REFS
};
