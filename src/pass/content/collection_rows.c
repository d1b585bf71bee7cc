/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collection_rows: pass "collections": all collections of a heap with their numbers and owners, packed.
 *
 * They are scattered over the dump, and reading one mostly waits for memory: so it is done once.  Each entry
 * follows the one before: the object, whether it has buckets, size, capacity, waste, table and owner.
 */
#include "config.h"

#include <assert.h>

#include "collections.h"
#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_objects.h"
#include "icecore/make.h"

#define SLICE 4096u		/* objects looked at between two ticks */
#define SOME 64u		/* collections read between two ticks */
#define ROW_MAX 60u		/* bytes of a row at most: six numbers */

struct packing {
	struct collections	*c;
	ARRAY(uint8_t)	packed;
	uint64_t		 n;		/* bytes of it */
	uint32_t		 last;		/* object */
	struct err		*err;
};

/* A table and an owner are other objects, so the object itself means none. */
static uint8_t *
put_other(uint8_t *p, uint32_t object, uint32_t other)
{
	int64_t d = other != 0 ? (int64_t)other - (int64_t)object : 0;

	return put_number(p, (uint64_t)d << 1 ^ (uint64_t)(d >> 63));
}

static bool
collection_rows_put_row(struct packing *s, uint32_t object)
{
	struct collection c;
	uint8_t *p;

	if (!collection_get(s->c, object, false, &c))
		return true;
	if (s->n + ROW_MAX > s->packed.raw.size && !scratch_grow(&s->packed.raw, s->n + ROW_MAX, s->err))
		return false;
	/* Rows have differences, by rising object. */
	assert(object > s->last);
	p = s->packed.at + s->n;
	p = put_number(p, (uint64_t)(object - s->last) << 1 | c.hashed);
	p = put_number(p, c.size);
	p = put_number(p, c.capacity);
	p = put_number(p, c.waste);
	p = put_other(p, object, c.table);
	p = put_other(p, object, collection_holder(s->c, object, NULL));
	s->n = (uint64_t)(p - s->packed.at);
	assert(s->n <= s->packed.raw.size);
	s->last = object;
	return true;
}

/* Add some collections behind object *at; prefetch all of them before the first is read. */
static bool
put_some(struct packing *s, uint32_t *at)
{
	const struct heap *h = &s->c->h;
	uint32_t found[SOME];
	size_t n = 0;

	for (uint32_t left = SLICE; left > 0 && n < SOME && *at < h->objects; left--)
		if (collections_know(s->c, heap_class(h, ++*at))) {
			heap_fetch(h, *at);
			found[n++] = *at;
		}
	for (size_t i = 0; i < n; i++)
		if (!collection_rows_put_row(s, found[i]))
			return false;
	return true;
}

static bool
collection_rows_put_all(struct packing *s, struct work *w)
{
	uint32_t at = 0;

	work_start(w, "collections", s->c->h.objects);
	while (at < s->c->h.objects) {
		if (!work_go(w, at, s->err))
			return false;
		if (!put_some(s, &at))
			return false;
	}
	return true;
}

static bool
collection_rows_run(struct store *st, enum heap_refs refs, enum heap_sizes sizes, struct work *w,
    struct err *err)
{
	struct packing s = { .err = err };
	struct heap h;
	bool ok;

	if (!heap_open(&h, st, refs, sizes, err))
		return false;
	scratch_budget_input(h.size, h.objects);
	ok = collections_open(&s.c, &h, err) && collection_rows_put_all(&s, w) &&
	    make_copy(st, heap_col(COL_EACH_COLLECTIONS, refs, sizes), COL_BYTES, s.packed.raw.data, s.n,
	    err);
	array_free(&s.packed);
	collections_close(s.c);
	return ok;
}

const struct pass pass_collections = {
	.name = "collections", .what = "lists, maps and sets", .beside = 2, .run_choice = collection_rows_run,
	.needs = PASS_COLUMNS(COL_OBJECT_OFFSET, COL_EACH_PARENT),
	.makes = PASS_COLUMNS(COL_EACH_COLLECTIONS)
};

/* ---- reading them --------------------------------------------------------------------- */

void
collection_rows_open(struct collection_rows *r, const struct heap *h)
{
	const struct column *c = store_column(h->st, heap_col(COL_EACH_COLLECTIONS, h->refs, h->sizes));

	*r = (struct collection_rows){ .objects = h->objects };
	if (c == NULL || c->type != COL_BYTES)
		return;
	r->p = column_all(c);
	r->end = r->p + c->rows;
}

static uint32_t
take_other(struct collection_rows *r)
{
	uint64_t v = packed_number(&r->p, r->end);
	uint32_t other = r->object + ((uint32_t)(v >> 1) ^ -(uint32_t)(v & 1));

	return other == r->object || other > r->objects ? 0 : other;
}

uint32_t
collection_rows_next(struct collection_rows *r, struct collection *c, uint32_t *owner)
{
	uint64_t v = r->p < r->end ? packed_number(&r->p, r->end) : 0;

	assert(r->object <= r->objects);
	if (v >> 1 == 0 || v >> 1 > r->objects - r->object)
		return 0;
	r->object += (uint32_t)(v >> 1);
	*c = (struct collection){ .hashed = v & 1 };
	c->size = packed_number(&r->p, r->end);
	c->capacity = packed_number(&r->p, r->end);
	c->waste = packed_number(&r->p, r->end);
	c->table = take_other(r);
	*owner = take_other(r);
	return r->object;
}
