/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mask: hide the contents of objects from readers who may not see them.
 */
#include "config.h"

#include "heap.h"
#include "icecore/os.h"
#include "icecore/values.h"

enum { SHORT = 6 };	/* bytes: of a character, or a number of one or two bytes */

static bool masked;

void
mask_begin(void)
{
	masked = true;
}

/* The hash of a short text gives the text away, because all texts of that length can be tried. */
static bool
is_hash(const struct heap_slot *slot)
{
	return slot->type == HEAP_INT && (str_is(slot->name, "hash") || str_is(slot->name, "hashCode"));
}

bool
mask_hides(const struct heap_slot *slot)
{
	return masked && slot->type != HEAP_OBJECT &&
	    (slot->kind == SLOT_ELEMENT || slot->type == HEAP_CHAR || heap_width(slot->type, 4) == 8 ||
	    is_hash(slot));
}

void
mask_text(struct buf *b, size_t from)
{
	struct str text = str_after(buf_view(b), from);
	unsigned hash;

	if (!masked || b->bad || from >= b->n)
		return;
	hash = (unsigned)(idmap_hash_text(text, 0) & 0xffffff);
	b->n = from;
	/* Who sees a known text as its characters, each with a number of its own, reads all others by these. */
	if (text.n <= SHORT)
		buf_text(b, "\xe2\x80\xb9short text\xe2\x80\xba");
	else
		buf_printf(b, "\xe2\x80\xb9text %zu bytes #%06x\xe2\x80\xba", text.n, hash);
}
