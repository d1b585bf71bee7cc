/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame: which references of a path are to blame for a leak, and what they are called.
 */
#include "config.h"

#include "leaktrace.h"

#define REFERENCES_MAX 4u	/* that a text names */

bool
blame_open(struct blame *b, const struct session *session, struct err *err)
{
	const struct store *st = session_store(session);

	return heap_open(&b->links, st, REFS_STRONG, session->sizes, err) &&
	    (store_is_blank(st) || inspector_open(&b->inspector, &b->links, err));
}

void
blame_close(struct blame *b)
{
	inspector_close(b->inspector);
	array_free(&b->verdicts);
	link_index_free(&b->index);
}

bool
blame_path(struct blame *b, const uint32_t *object, size_t n, uint32_t owner, struct err *err)
{
	const struct verdict *v;
	size_t i;

	if (!array_grow(&b->verdicts, n, err))
		return false;
	inspect_path(b->inspector, object, n, b->verdicts.at, &b->from,
	    &b->to);
	v = b->verdicts.at;
	b->leaks = false;
	for (b->kept = i = 0; i < n; i++) {
		if (v[i].mark == LEAK_NOT)
			b->kept = i;
		b->leaks |= v[i].mark == LEAK_YES;
	}
	b->owner = n;
	for (i = 0; owner != 0 && !b->leaks && i + 1 < n; i++)
		if (object[i] == owner) {
			b->owner = i;
			b->from = b->to = i + 1;
		}
	return true;
}

bool
blame_link(struct blame *b, uint32_t holder, uint32_t object, struct heap_slot *slot)
{
	struct err err;

	return link_index_link(&b->index, &b->links, holder, object, slot, &err);
}

void
blame_reference(struct blame *b, uint32_t holder, uint32_t object, struct buf *text)
{
	const struct heap *h = &b->links;
	struct heap_slot slot;

	if (!blame_link(b, holder, object, &slot)) {
		heap_label(h, holder, text);
		return;
	}
	if (slot.kind == SLOT_FIELD || slot.kind == SLOT_STATIC) {
		if (slot.kind == SLOT_STATIC)
			buf_text(text, "static ");
		heap_class_name(h, slot.class, text);
		buf_chr(text, '.');
		buf_str(text, slot.name);
		return;
	}
	heap_label(h, holder, text);
	if (slot.kind != SLOT_ELEMENT)
		buf_chr(text, ' ');
	else if (text->n > 1 && text->s[text->n - 1] == ']')
		text->n -= 2;
	heap_slot_name(h, &slot, text);
}

bool
blame_text(struct blame *b, const uint32_t *object, size_t n, uint32_t owner, struct buf *text,
    struct err *err)
{
	size_t inner, told = 0;

	if (n == 0)
		return true;
	if (!blame_path(b, object, n, owner, err))
		return false;
	/* Start at hop 1: no object refers to hop 0, the object of the root. */
	for (size_t i = b->from > 0 ? b->from : 1; i <= b->to && i < n; i++) {
		if (told++ == REFERENCES_MAX) {
			buf_text(text, ", ...");
			break;
		}
		if (text->n > 0)
			buf_text(text, ", ");
		inner = heap_inside(&b->links, object + i - 1, n - i + 1);
		i += inner;
		if (inner == 0) {
			blame_reference(b, object[i - 1], object[i], text);
			continue;
		}
		heap_label(&b->links, object[i - inner - 1], text);
		heap_inside_name(&b->links, object[i - 1], object[i], text);
	}
	return true;
}
