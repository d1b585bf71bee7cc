/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_pools: fields of phrases about pools of objects: their names, and who holds what is in use.
 */
#include "config.h"

#include "icecore/heap_names.h"
#include "findings.h"

#define REFERRERS 64u	/* of an object in use that are looked at */
#define NAME_MOST 80u	/* characters of a name */

/* The part of the program that has the pool, or the nearest field. */
void
finding_pool_owner(const struct findings *f, const struct finding *x, struct buf *b)
{
	if (!names_nearest(f->heap, x->object, false, b))
		finding_owner(f, x, b);
}

void
finding_pool(const struct findings *f, const struct finding *x, struct buf *b)
{
	static const char *const fields[] = { "poolName", "name" };
	uint32_t name = 0;

	heap_stable_name(f->heap, x->class, b);
	for (size_t i = 0; i < NELEM(fields) && name == 0; i++)
		name = heap_field_object(f->heap, x->object, fields[i]);
	if (name != 0) {
		size_t from = b->n, text;

		buf_text(b, " \"");
		text = b->n;
		if (heap_string(f->heap, name, NAME_MOST, b)) {
			mask_text(b, text);
			buf_chr(b, '"');
		} else
			b->n = from;
	}
	buf_text(b, " of ");
	finding_pool_owner(f, x, b);
}

/* The part of the program that has an object of the pool: it holds the object's proxy. */
void
finding_borrower(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t pool = names_of(f->heap, x->object), from;
	struct name_node n, in;
	struct heap_walk walk;

	if (x->other == 0 || pool == 0)
		return;
	names_get(f->heap, pool, &n);
	heap_in(f->heap, x->other, &walk);
	for (unsigned i = 0; i < REFERRERS && (from = heap_next(&walk, NULL)) != 0; i++) {
		uint32_t at = names_of(f->heap, from);
		size_t start = b->n;

		if (at == 0 || heap_is_array(f->heap, from) || (at >= pool && at - pool < n.size))
			continue;
		names_get(f->heap, at, &in);
		if (!name_is_collection(&in) && names_nearest(f->heap, from, true, b))
			return;
		b->n = start;
	}
}
