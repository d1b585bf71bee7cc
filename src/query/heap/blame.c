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
	scratch_free(&b->verdicts);
}

bool
blame_path(struct blame *b, const uint32_t *object, size_t n, uint32_t owner, struct err *err)
{
	const struct verdict *v;
	size_t i;

	if (!scratch_array(&b->verdicts, n, sizeof *v, err))
		return false;
	inspect_path(b->inspector, object, n, SCRATCH(b->verdicts, struct verdict), &b->from,
	    &b->to);
	v = SCRATCH(b->verdicts, struct verdict);
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

void
blame_reference(const struct blame *b, uint32_t holder, uint32_t object, struct buf *text)
{
	const struct heap *h = &b->links;
	struct heap_slot slot;

	if (!heap_link(h, holder, object, &slot)) {
		heap_label(h, holder, text);
		return;
	}
	if (slot.kind == SLOT_FIELD || slot.kind == SLOT_STATIC) {
		if (slot.kind == SLOT_STATIC)
			buf_str(text, STR("static "));
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
	if (n == 0)
		return true;
	if (!blame_path(b, object, n, owner, err))
		return false;
	/* Start at hop 1: no object refers to hop 0, the object of the root. */
	for (size_t i = b->from > 0 ? b->from : 1; i <= b->to && i < n; i++) {
		if (i - b->from == REFERENCES_MAX) {
			buf_str(text, STR(", ..."));
			break;
		}
		if (text->n > 0)
			buf_str(text, STR(", "));
		blame_reference(b, object[i - 1], object[i], text);
	}
	return true;
}
