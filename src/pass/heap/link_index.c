/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * link_index: the slots by which an object refers to others.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/make.h"
#include "icecore/values.h"

#define SCANS 4u		/* scans of a holder before it is indexed */
#define SMALL 64u		/* slots that are looked through always */

/* The slots of one holder: its part of keys, and where its slots begin. */
struct indexed {
	uint64_t	first, n, slots;
};

static int
key_order(const void *a, const void *b)
{
	return num_order(*(const uint64_t *)a, *(const uint64_t *)b, 0);
}

static bool
is_array(const struct heap *h, uint32_t holder)
{
	return h->form == NULL && heap_kind(h, holder) == HEAP_OBJECT_ARRAY;
}

static bool
link_index_read_keys(struct link_index *x, const struct heap *h, uint32_t holder, struct indexed *in,
    struct err *err)
{
	bool array = is_array(h, holder);
	struct heap_slots s;
	struct heap_slot slot;
	uint64_t n = x->nkeys, key;

	*in = (struct indexed){ x->nkeys, 0, x->nslots };
	if (!heap_slots(h, holder, &s))
		return true;
	while (heap_slot(&s, &slot) && (!array || slot.kind == SLOT_ELEMENT)) {
		if (slot.object == 0 || !heap_slot_refers(&slot))
			continue;
		key = (uint64_t)slot.object << 32 | (array ? slot.index : (uint32_t)(x->nslots - in->slots));
		if (!scratch_add(&x->keys, &n, &key, sizeof key, err) ||
		    (!array && !scratch_add(&x->slots, &x->nslots, &slot, sizeof slot, err)))
			return false;
	}
	assert(n >= in->first && x->nslots >= in->slots);
	in->n = n - in->first;
	x->nkeys = n;
	if (in->n > 0)
		qsort(SCRATCH(x->keys, uint64_t) + in->first, in->n, sizeof n, key_order);
	return true;
}

static bool
link_index_add_holder(struct link_index *x, const struct heap *h, uint32_t holder, struct err *err)
{
	struct indexed in;

	return link_index_read_keys(x, h, holder, &in, err) &&
	    scratch_add(&x->holders, &x->nholders, &in, sizeof in, err) &&
	    idmap_put(&x->seen, holder, (uint32_t)(SCANS + x->nholders), err);
}

/* A reference in the list of an object takes a byte or more. */
static bool
is_large(const struct heap *h, uint32_t holder)
{
	struct heap_walk w;

	if (is_array(h, holder))
		return heap_length(h, holder) > SMALL;
	heap_out(h, holder, &w);
	return w.end - w.p > (ptrdiff_t)SMALL;
}

bool
link_index_has(struct link_index *x, const struct heap *h, uint32_t holder, struct err *err)
{
	uint32_t seen;

	if (holder == 0 || !is_large(h, holder))
		return false;
	seen = idmap_get(&x->seen, holder);
	if (seen > SCANS)
		return true;
	if (seen < SCANS && !idmap_put(&x->seen, holder, seen + 1, err))
		return false;
	return seen == SCANS && link_index_add_holder(x, h, holder, err);
}

bool
link_index_find(const struct link_index *x, const struct heap *h, uint32_t holder, uint32_t object,
    uint32_t nth, struct heap_slot *slot)
{
	const struct indexed *in = SCRATCH(x->holders, struct indexed) + (idmap_get(&x->seen,
	    holder) - SCANS - 1);
	const uint64_t *keys = SCRATCH(x->keys, uint64_t) + in->first;
	uint64_t at = make_place(keys, in->n, sizeof *keys, (uint64_t)object << 32) + nth;
	uint64_t key = at < in->n ? keys[at] : 0;

	assert(idmap_get(&x->seen, holder) > SCANS && in->first + in->n <= x->nkeys);
	if (object == 0 || key >> 32 != object)
		return false;
	if (is_array(h, holder))
		return heap_element(h, holder, (uint32_t)key, slot);
	assert(in->slots + (uint32_t)key < x->nslots);
	*slot = SCRATCH(x->slots, struct heap_slot)[in->slots + (uint32_t)key];
	return true;
}

bool
link_index_link(struct link_index *x, const struct heap *h, uint32_t holder, uint32_t object,
    struct heap_slot *slot, struct err *err)
{
	struct heap_slot one;
	uint32_t n = 0;

	if (!link_index_has(x, h, holder, err))
		return heap_link(h, holder, object, slot);
	/* A reference that counts is the better answer. */
	for (; link_index_find(x, h, holder, object, n, &one); n++) {
		if (n == 0 || heap_counts(h, one.strength))
			*slot = one;
		if (heap_counts(h, one.strength))
			return true;
	}
	return n > 0;
}

void
link_index_free(struct link_index *x)
{
	idmap_free(&x->seen);
	SCRATCH_FREE(&x->keys, &x->holders, &x->slots);
}
