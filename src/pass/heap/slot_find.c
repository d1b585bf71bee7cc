/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slot_find: one slot of an object: by its number, its name, or its target.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_heap.h"
#include "heap.h"

bool
heap_element(const struct heap *h, uint32_t object, uint32_t i, struct heap_slot *slot)
{
	struct heap_slots s;

	if (!heap_slots(h, object, &s))
		return false;
	if (h->form != NULL) {
		while (heap_slot(&s, slot))
			if (slot->kind == SLOT_ELEMENT && slot->index == i)
				return true;
		return false;
	}
	/* The slots of an array begin with its elements; other objects have none. */
	if ((s.record.tag != TAG_OBJECTS && s.record.tag != TAG_PRIMS) ||
	    i >= s.record.length)
		return false;
	*slot = (struct heap_slot){ .kind = SLOT_ELEMENT, .name = STR(""),
	    .class = heap_class(h, object), .index = i, .type = s.record.type,
	    .at = s.record.data + (uint64_t)i * heap_width(s.record.type, h->id_size) };
	slots_read(&s, slot);
	return slot->type != 0;
}

/*
 * Find the next slot of a kind with that name (slots of a kind are adjacent); in: the declaring class, or 0
 * for any.
 */
static bool
slot_find_find_named(struct heap_slots *s, enum heap_slot_kind kind, struct str name, uint32_t in,
    struct heap_slot *slot)
{
	while (slots_next(s, slot) && (slot->kind == kind || s->heap->form != NULL))
		if (slot->kind == kind && (in == 0 || slot->class == in) && str_eq(slot->name, name)) {
			slots_read(s, slot);
			return true;
		}
	return false;
}

bool
heap_field(const struct heap *h, uint32_t object, const char *name, uint32_t in,
    struct heap_slot *slot)
{
	struct heap_slots s;

	return heap_slots(h, object, &s) && (s.record.tag == TAG_INSTANCE || h->form != NULL) &&
	    slot_find_find_named(&s, SLOT_FIELD, str_of(name), in, slot);
}

uint32_t
heap_field_object(const struct heap *h, uint32_t object, const char *name)
{
	struct heap_slot slot;

	return object != 0 && heap_field(h, object, name, 0, &slot) ? slot.object : 0;
}

bool
heap_static(const struct heap *h, uint32_t class, struct str name, struct heap_slot *slot)
{
	struct heap_slots s;
	uint32_t object = (uint32_t)store_cell(h->st, COL_CLASS_OBJECT, class);

	return heap_slots(h, object, &s) && (s.record.tag == TAG_CLASS || h->form != NULL) &&
	    slot_find_find_named(&s, SLOT_STATIC, name, 0, slot);
}

/* ---- links --------------------------------------------------------------------- */

bool
heap_slot_refers(const struct heap_slot *slot)
{
	return slot->type == HEAP_OBJECT && slot->bits != 0 && !slot->idle;
}

/*
 * Find the first element from i on with this address, compared in file byte order: arrays have millions of
 * elements.
 */
static bool
link_element(const struct heap_slots *s, uint64_t addr, uint64_t i, uint32_t *found)
{
	unsigned id = s->heap->id_size, k;
	uint64_t n = s->record.bytes / id, wide, wanted;
	const uint8_t *p = s->heap->data + s->record.data;
	uint8_t key[8] = { 0 };
	uint32_t narrow;

	for (k = 0; k < id; k++)
		key[k] = (uint8_t)(addr >> 8 * (id - 1 - k));
	memcpy(&wanted, key, sizeof wanted);
	memcpy(&narrow, key, sizeof narrow);
	if (id == 8)
		while (i < n && (memcpy(&wide, p + i * 8, 8), wide != wanted))
			i++;
	else
		while (i < n && memcmp(p + i * 4, &narrow, 4) != 0)
			i++;
	*found = (uint32_t)i;
	return i < n;
}

/* A reference that counts is the better answer. */
bool
heap_link(const struct heap *h, uint32_t holder, uint32_t object, struct heap_slot *slot)
{
	struct heap_slot one = { .type = 0 };
	bool found = false;

	while (heap_link_next(h, holder, object, &one)) {
		if (!found || heap_counts(h, one.strength))
			*slot = one;
		found = true;
		if (heap_counts(h, one.strength))
			break;
	}
	return found;
}

bool
heap_link_next(const struct heap *h, uint32_t holder, uint32_t object,
    struct heap_slot *slot)
{
	const struct heap_slot before = *slot;
	bool behind = before.type == 0, element;
	struct heap_slots s;
	uint32_t i;

	if (object == 0 || !heap_slots(h, holder, &s))
		return false;
	element = s.record.tag == TAG_OBJECTS && (behind || before.kind == SLOT_ELEMENT);
	if (element && link_element(&s, heap_addr(h, object),
	    behind ? 0 : before.index + 1ull, &i))
		return heap_element(h, holder, i, slot);
	behind = behind || element;
	for (heap_slots_skip(&s); heap_slot(&s, slot); ) {
		if (behind && slot->object == object && heap_slot_refers(slot))
			return true;
		behind = behind || (slot->kind == before.kind && slot->at == before.at &&
		    slot->index == before.index);
	}
	return false;
}
