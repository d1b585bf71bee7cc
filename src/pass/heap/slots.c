/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slots: fields, elements and statics of one object, read from its record in the source.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_heap.h"
#include "heap.h"

/* Slots come in this order; the record of an object decides which of them it has. */
enum stage {
	STAGE_FIELDS, STAGE_ELEMENTS, STAGE_LOCALS, STAGE_CLASS, STAGE_STATICS,
	STAGE_SUPER, STAGE_LOADER, STAGE_SIGNERS, STAGE_DOMAIN, STAGE_EDGES, STAGE_END
};

/* ---- values ------------------------------------------------------------------ */

void
slots_read(const struct heap_slots *s, struct heap_slot *slot)
{
	const struct heap *h = s->heap;
	unsigned width = heap_width(slot->type, h->id_size);
	uint64_t end = s->record.next;

	if (slot->kind == SLOT_LOCAL || h->form != NULL)
		return;
	if (width == 0 || slot->at > end || end - slot->at < width || end > h->size) {
		slot->type = 0;
		/* Place a field beyond the end of the record at the end. */
		slot->at = slot->at < end ? slot->at : end;
		return;
	}
	/* Type 1 is an array, in the oldest files. */
	if (slot->type < HEAP_OBJECT)
		slot->type = HEAP_OBJECT;
	slot->bits = heap_bits(h->data + slot->at, width);
	if (slot->type == HEAP_OBJECT && slot->bits != 0)
		slot->object = heap_find(h, slot->bits);
}

/* ---- instances ------------------------------------------------------------------ */

static void
slots_enter_class(struct heap_slots *s, uint32_t class)
{
	uint64_t row;

	s->class = class;
	s->left = (uint32_t)column_rows_of(s->field, s->fields, s->field_name, class, &row);
	s->row = (uint32_t)row;
}

/* A column is looked up by its name, which takes longer than all the rest of a field. */
static void
enter_instance(struct heap_slots *s)
{
	const struct store *st = s->heap->st;

	s->super = store_column(st, COL_CLASS_SUPER);
	s->field = store_column(st, COL_CLASS_FIELD);
	s->fields = store_column(st, COL_CLASS_FIELDS);
	s->field_name = store_column(st, COL_FIELD_NAME);
	s->field_type = store_column(st, COL_FIELD_TYPE);
	slots_enter_class(s, heap_class(s->heap, s->object));
}

bool
field_chains(const struct heap *h, uint32_t declares, struct str name)
{
	return str_is(name, "discovered") && class_is(h, declares, "java.lang.ref.Reference");
}

/*
 * ART keeps the class in a field of every object as well.  HotSpot chains the references that a collection
 * cleared by java.lang.ref.Reference.discovered until its handler has seen them; their creator holds them
 * elsewhere.
 */
bool
field_idle(const struct heap *h, uint32_t declares, struct str name)
{
	return str_is(name, "shadow$_klass_") || field_chains(h, declares, name);
}

/* The referent of a java.lang.ref.Reference is held as its class says. */
static enum heap_strength
field_strength(const struct heap_slots *s, struct str name, uint32_t declared)
{
	const struct heap *h = s->heap;
	uint64_t strength;

	if (field_chains(h, declared, name))
		return HEAP_CHAINED;
	if (!str_is(name, "referent"))
		return HEAP_STRONG;
	strength = store_cell(h->st, COL_CLASS_STRENGTH, heap_class(h, s->object));
	if (strength == HEAP_STRONG || strength >= HEAP_STRENGTHS ||
	    class_named(h, declared, "java.lang.ref.Reference") != declared)
		return HEAP_STRONG;
	return (enum heap_strength)strength;
}

/* Dumps may lack names. */
static struct str
name_or(struct str name)
{
	return name.n > 0 ? name : STR("?");
}

static bool
next_field(struct heap_slots *s, struct heap_slot *slot)
{
	const struct heap *h = s->heap;

	while (s->left == 0) {
		if (s->class == 0 || s->hops++ >= h->classes)
			return false;
		slots_enter_class(s, (uint32_t)column_get(s->super, s->class - 1ull));
	}
	slot->kind = SLOT_FIELD;
	slot->class = s->class;
	slot->name = name_or(store_text(h->st, column_get(s->field_name, s->row - 1ull)));
	slot->type = (uint8_t)column_get(s->field_type, s->row - 1ull);
	slot->at = s->at;
	slot->strength = field_strength(s, slot->name, s->class);
	slot->idle = field_idle(h, s->class, slot->name);
	s->at += heap_width(slot->type, h->id_size);
	s->row++;
	s->left--;
	return true;
}

/* ---- arrays ----------------------------------------------------------------------- */

static uint32_t
elements(const struct heap_record *r, unsigned id_size)
{
	unsigned width = heap_width(r->type, id_size);

	return width == 0 || r->bytes / width < r->length ?
	    (uint32_t)(width == 0 ? 0 : r->bytes / width) : r->length;
}

static bool
next_element(struct heap_slots *s, struct heap_slot *slot)
{
	const struct heap_record *r = &s->record;

	if (s->left == 0)
		return false;
	assert(s->row < r->length);
	slot->kind = SLOT_ELEMENT;
	slot->class = s->class;
	slot->index = s->row;
	slot->type = r->type;
	slot->at = r->data + (uint64_t)s->row * heap_width(r->type, s->heap->id_size);
	s->row++;
	s->left--;
	return true;
}

/* ---- classes as objects -------------------------------------------------------------- */

struct str
heap_name(const struct heap *h, uint64_t id)
{
	uint64_t row = column_find(store_column(h->st, COL_NAME_ID), id);

	return row == 0 ? STR("?") : store_text(h->st, store_cell(h->st, COL_NAME_REF, row));
}

/*
 * A mapping file may have another one than the dump: s->row is where the next of those of the class is, in
 * the order of the record.
 */
static struct str
static_name(struct heap_slots *s, uint64_t id)
{
	const struct store *st = s->heap->st;

	if (s->row < column_rows(s->renamed) && column_get(s->renamed, s->row) == s->class &&
	    store_cell(st, COL_STATIC_ID, s->row + 1ull) == id)
		return store_text(st, store_cell(st, COL_STATIC_NAME, ++s->row));
	return heap_name(s->heap, id);
}

static bool
next_static(struct heap_slots *s, struct heap_slot *slot)
{
	struct hprof_members *m = &s->members;

	do
		s->left = s->left > 0 && hprof_member(m) && m->list != LIST_FIELDS;
	while (s->left > 0 && m->list == LIST_CONSTANTS);
	if (s->left == 0)
		return false;
	slot->kind = SLOT_STATIC;
	slot->class = s->class;
	slot->name = name_or(static_name(s, hprof_member_name(m)));
	slot->type = (uint8_t)m->type;
	slot->at = m->value;
	return true;
}

/* Superclass, loader, signers and domain are adjacent, before the other slots. */
static bool
next_relative(struct heap_slots *s, struct heap_slot *slot)
{
	static const enum heap_slot_kind kind[] = {
		SLOT_SUPER, SLOT_LOADER, SLOT_SIGNERS, SLOT_DOMAIN
	};
	unsigned id = s->heap->id_size;

	if (s->left == 0)
		return false;
	assert(s->stage >= STAGE_SUPER && s->stage <= STAGE_DOMAIN && s->record.tag == TAG_CLASS);
	slot->kind = kind[s->stage - STAGE_SUPER];
	slot->class = s->class;
	slot->type = HEAP_OBJECT;
	slot->at = s->record.data + id + 4 + (uint64_t)(s->stage - STAGE_SUPER) * id;
	s->left = 0;
	return true;
}

/* ---- what no record of a field says -------------------------------------------------- */

/* The class itself; if the record does not name the class of the class object, its number decides. */
static bool
next_class(struct heap_slots *s, struct heap_slot *slot)
{
	const struct heap *h = s->heap;

	if (s->left == 0)
		return false;
	s->left = 0;
	slot->kind = SLOT_CLASS;
	slot->class = heap_class(h, s->object);
	slot->type = HEAP_OBJECT;
	if (slot->class == 0)
		return false;
	slot->object = heap_class_object(h, slot->class);
	if (s->record.tag == TAG_INSTANCE || s->record.tag == TAG_OBJECTS)
		slot->at = s->record.offset + 1 + h->id_size +
		    (s->record.tag == TAG_INSTANCE ? 4 : 8);
	slot->bits = slot->object == 0 ? 0 : heap_addr(h, slot->object);
	return slot->object != 0;
}

/* A thread holds the locals of its stack, also those that a second root of it names. */
static bool
next_local(struct heap_slots *s, struct heap_slot *slot)
{
	const struct heap *h = s->heap;

	if (s->left == 0 || column_get(h->local_thread, s->row) != s->object)
		return false;
	slot->kind = SLOT_LOCAL;
	slot->type = HEAP_OBJECT;
	slot->index = (uint32_t)column_get(h->local_root, s->row++);
	slot->object = (uint32_t)store_cell(h->st, COL_ROOT_OBJECT, slot->index);
	slot->bits = slot->object == 0 ? 0 : heap_addr(h, slot->object);
	return true;
}

/* A reference of a heap without records. */
static bool
slots_next_edge(struct heap_slots *s, struct heap_slot *slot)
{
	static const enum heap_slot_kind kinds[] = {
		[EDGE_FIELD] = SLOT_FIELD, [EDGE_ELEMENT] = SLOT_ELEMENT, [EDGE_VARIABLE] = SLOT_VARIABLE,
		[EDGE_INTERNAL] = SLOT_INTERNAL, [EDGE_PLAIN] = SLOT_PLAIN, [EDGE_STATIC] = SLOT_STATIC
	};
	struct heap_edge e = { .kind = EDGE_PLAIN };

	if (s->heap->form == NULL || !s->heap->form->next(&s->edges, &e))
		return false;
	slot->kind = kinds[e.kind];
	slot->strength = e.strength;
	slot->name = e.name;
	slot->index = e.index < UINT32_MAX ? (uint32_t)e.index : UINT32_MAX;
	slot->class = e.class;
	slot->type = e.type != 0 ? e.type : HEAP_OBJECT;
	slot->at = e.at;
	slot->object = e.object <= s->heap->objects ? e.object : 0;
	slot->bits = slot->object == 0 ? e.bits : heap_addr(s->heap, slot->object);
	return true;
}

/* ---- all of them ------------------------------------------------------------------------ */

/* Prepares a stage; left is 0 if the object has no data of that kind. */
static void
slots_enter(struct heap_slots *s)
{
	const struct heap *h = s->heap;
	uint8_t tag = s->record.tag;

	assert(s->stage <= STAGE_END);
	s->left = s->row = 0;
	switch ((enum stage)s->stage) {
	case STAGE_FIELDS:
		s->class = 0;
		s->at = s->record.data;
		if (tag == TAG_INSTANCE)
			enter_instance(s);
		break;
	case STAGE_ELEMENTS:
		s->class = heap_class(h, s->object);
		if (tag == TAG_OBJECTS || tag == TAG_PRIMS)
			s->left = elements(&s->record, h->id_size);
		break;
	case STAGE_LOCALS:
		s->left = tag == TAG_INSTANCE && class_named(h,
		    heap_class(h, s->object), "java.lang.Thread") != 0;
		if (s->left > 0)
			s->row = (uint32_t)column_place(h->local_thread, s->object);
		break;
	case STAGE_CLASS:
		s->left = tag != TAG_CLASS;
		break;
	case STAGE_STATICS:
		s->class = heap_class_of_object(h, s->object);
		s->left = tag == TAG_CLASS;
		if (s->left > 0) {
			s->members = hprof_members(h->data, h->id_size, &s->record);
			s->renamed = store_column(h->st, COL_STATIC_CLASS);
			s->row = s->renamed == NULL ? 0 : (uint32_t)column_place(s->renamed, s->class);
		}
		break;
	case STAGE_SUPER:
	case STAGE_LOADER:
	case STAGE_SIGNERS:
	case STAGE_DOMAIN:
		s->left = tag == TAG_CLASS;
		break;
	case STAGE_EDGES:
	case STAGE_END:
		break;
	}
}

bool
heap_slots(const struct heap *h, uint32_t object, struct heap_slots *s)
{
	*s = (struct heap_slots){ .heap = h, .object = object, .stage = STAGE_END };
	if (h->form != NULL && object != 0 && object <= h->objects) {
		s->edges = (struct edge_walk){ .st = h->st, .ids = &h->ids, .object = object };
		s->stage = h->form->begin(&s->edges) ? STAGE_EDGES : STAGE_END;
		return s->stage == STAGE_EDGES;
	}
	if (!heap_read(h, object, &s->record))
		return false;
	s->stage = STAGE_FIELDS;
	slots_enter(s);
	return true;
}

void
heap_slots_skip(struct heap_slots *s)
{
	if (s->record.tag == TAG_INSTANCE || s->record.tag == TAG_CLASS || s->heap->form != NULL)
		return;
	s->stage = STAGE_CLASS;
	slots_enter(s);
}

bool
slots_next(struct heap_slots *s, struct heap_slot *slot)
{
	static bool (*const next[STAGE_END])(struct heap_slots *, struct heap_slot *) = {
		[STAGE_FIELDS] = next_field, [STAGE_ELEMENTS] = next_element,
		[STAGE_LOCALS] = next_local, [STAGE_CLASS] = next_class,
		[STAGE_STATICS] = next_static, [STAGE_SUPER] = next_relative,
		[STAGE_LOADER] = next_relative, [STAGE_SIGNERS] = next_relative,
		[STAGE_DOMAIN] = next_relative, [STAGE_EDGES] = slots_next_edge
	};

	for (; s->stage < STAGE_END; s->stage++, slots_enter(s)) {
		*slot = (struct heap_slot){ .name = STR("") };
		if (next[s->stage](s, slot))
			return true;
	}
	return false;
}

bool
heap_slot(struct heap_slots *s, struct heap_slot *slot)
{
	if (!slots_next(s, slot))
		return false;
	if (slot->kind != SLOT_CLASS)
		slots_read(s, slot);
	return true;
}
