/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slot_cells: what columns say of references.
 */
#include "config.h"

#include "hrows.h"

#define TEXT_MAX 1000u		/* characters of a String that a value shows */

void
slot_missing_add(const struct heap_slot *slot, struct buf *b)
{
	buf_printf(b, "missing 0x%llx", (unsigned long long)slot->bits);
}

void
slot_name_add(const struct heap *h, const struct heap_slot *slot, struct buf *b)
{
	if (slot->kind == SLOT_FIELD)
		heap_slot_text(h, slot->name, b);
	else
		heap_slot_name(h, slot, b);
}

void
slot_name_cell(struct item_rows *s, const struct heap_slot *slot, struct cell *c)
{
	struct buf *b = cell_begin(s);

	c->type = CELL_NONE;
	if (slot == NULL)
		return;
	slot_name_add(&HEAP(s)->view.heap, slot, b);
	cell_text(&s->rows, c, b);
}

void
root_name_add(const struct heap *h, uint32_t root, struct buf *b)
{
	buf_printf(b, "<%s>", heap_root_name(root == 0 ? ROOT_PSEUDO :
	    (unsigned)column_get(h->root_kind, root - 1ull)));
}

void
hop_name_cell(struct item_rows *s, const struct heap *links, uint32_t holder, uint32_t object, uint32_t root,
    bool inside, struct cell *c)
{
	struct heap_slot slot;
	struct buf *b;

	/* The index has the elements of large arrays. */
	if (holder != 0 && (!inside || heap_kind(links, holder) == HEAP_OBJECT_ARRAY)) {
		slot_name_cell(s, link_index_link(&HEAP(s)->view.links, links, holder, object, &slot,
		    &s->rows.err) ? &slot : NULL, c);
		return;
	}
	b = cell_begin(s);
	if (inside)
		heap_inside_name(links, holder, object, b);
	else
		root_name_add(links, root, b);
	cell_text(&s->rows, c, b);
}

static void
slot_cells_add_string(const struct heap *h, uint32_t object, struct buf *b)
{
	struct heap_text t;
	size_t from;

	buf_chr(b, '"');
	from = b->n;
	heap_string(h, object, TEXT_MAX, b);
	mask_text(b, from);
	buf_chr(b, '"');
	if (heap_text(h, object, &t) && t.length > TEXT_MAX)
		buf_text(b, "\xe2\x80\xa6");
}

void
slot_object_add(const struct heap *h, uint32_t object, struct buf *b)
{
	heap_label(h, object, b);
	if (heap_is_array(h, object) && b->n > 1 && b->s[b->n - 1] == ']') {
		b->n--;
		buf_printf(b, "%u]", heap_length(h, object));
	}
	buf_printf(b, " @%u", object);
}

static bool
slot_cells_is_text(const struct heap *h, uint32_t object)
{
	uint32_t class = heap_class(h, object);

	if (h->form != NULL)
		return column_get(h->class_element, class - 1ull) == HEAP_CHAR;
	return class == h->string_class && class != 0 && heap_kind(h, object) == HEAP_INSTANCE;
}

void
slot_value_cell(struct item_rows *s, const struct heap_slot *slot, struct cell *c)
{
	const struct heap *h = &HEAP(s)->view.heap;
	struct buf *b = cell_begin(s);

	c->type = CELL_NONE;
	if (slot->type == 0)
		return;
	if (slot->type != HEAP_OBJECT) {
		heap_value(slot, b);
		if (mask_hides(slot))
			mask_text(b, 0);
	}
	else if (slot->bits == 0)
		buf_text(b, "null");
	else if (slot->object == 0)
		slot_missing_add(slot, b);
	else if (slot_cells_is_text(h, slot->object))
		slot_cells_add_string(h, slot->object, b);
	else
		slot_object_add(h, slot->object, b);
	cell_text(&s->rows, c, b);
}
