/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * children: what each object dominates.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_dominators.h"
#include "icecore/heap_facts.h"
#include "icecore/make.h"
#include "pass/heap/heap.h"

#define TICK 65536u

struct children {
	struct work	*work;
	struct err	*err;
	struct heap	 h;
	ARRAY(uint32_t)	child;
	ARRAY(uint8_t)	packed;
	uint64_t	 n;		/* bytes of packed */
};

/* All live objects by parent, those of one parent by number: a counting sort. */
static bool
children_place(struct children *c, uint32_t *next)
{
	uint32_t *child = c->child.at, sum = 0, i, k, parent;
	uint64_t n = c->h.objects;

#define PARENT(o) ((parent = heap_dominator(&c->h, (o))) == HEAP_ROOT ? n + 1 : parent)
	for (i = 1; i <= n; i++)
		next[PARENT(i)]++;
	next[0] = 0;
	for (i = 1; i <= n + 1; i++) {
		k = next[i];
		next[i] = sum;
		sum += k;
	}
	assert(sum <= c->child.raw.size / sizeof *child);
	work_start(c->work, "dominator tree", n);
	for (i = 1; i <= n; i++) {
		if (!work_each(c->work, i, TICK, c->err))
			return false;
		if (heap_dominator(&c->h, i) != 0)
			child[next[PARENT(i)]++] = i;
	}
#undef PARENT
	return true;
}

/* end: where the children of each end. */
static bool
children_pack(struct children *c, const uint32_t *end, uint64_t *at, uint64_t *mask)
{
	const uint32_t *child = c->child.at;
	uint64_t most = c->h.objects + 1ull, room;
	uint32_t from = 0;
	uint8_t *p;

	for (uint64_t i = 1; i <= most; i++) {
		if (!work_each(c->work, i, TICK, c->err))
			return false;
		if (i % 64 == 1)
			at[i / 64] = c->n;
		assert(from <= end[i]);
		if (from == end[i])
			continue;
		assert(from < end[i]);
		room = c->n + (uint64_t)(end[i] - from) * CHILD_ROOM;
		if (room > c->packed.raw.size && !scratch_grow(&c->packed.raw, room, c->err))
			return false;
		p = c->packed.at + c->n;
		for (uint32_t last = 0; from < end[i]; last = child[from++])
			p = child_put(p, (uint32_t)i, last, child[from], from + 1 == end[i]);
		c->n = (uint64_t)(p - c->packed.at);
		assert(c->n <= room && from == end[i]);
		mask[(i - 1) / 64] |= UINT64_C(1) << (i - 1) % 64;
	}
	return true;
}

static bool
children_make(struct children *c, struct store *st, const uint32_t *end)
{
	uint64_t blocks = c->h.objects / 64 + 1ull, *mask = heap_make(st, &c->h, COL_EACH_CHILDREN_MASK,
	    COL_U64, blocks, c->err);
	OWN_ARRAY(uint64_t) at = ARRAY_INIT;

	return mask != NULL && array_grow(&at, blocks, c->err) &&
	    children_pack(c, end, at.at, mask) &&
	    store_pack(st, heap_col(COL_EACH_CHILDREN_AT, c->h.refs, c->h.sizes), at.at, blocks, c->err) &&
	    make_copy(st, heap_col(COL_EACH_CHILDREN, c->h.refs, c->h.sizes), COL_BYTES, c->packed.raw.data,
	    c->n, c->err);
}

static bool
children_run(struct store *st, enum heap_refs refs, enum heap_sizes sizes, struct work *w, struct err *err)
{
	struct children c = { .work = w, .err = err };
	ARRAY(uint32_t) next = ARRAY_INIT;
	bool ok;

	if (!heap_open(&c.h, st, refs, sizes, err))
		return false;
	scratch_budget_input(c.h.size, c.h.objects);
	ok = array_grow(&next, (uint64_t)c.h.objects + 2, err) &&
	    array_grow(&c.child, heap_fact(st, FACT_LIVE_OBJECTS, refs, sizes), err) &&
	    children_place(&c, next.at) && children_make(&c, st, next.at);
	SCRATCH_FREE(&next, &c.child, &c.packed);
	return ok;
}

const struct pass pass_children = {
	.name = "children", .what = "dominator tree children", .beside = 1, .run_choice = children_run,
	.needs = PASS_COLUMNS(COL_EACH_PARENT),
	.makes = PASS_COLUMNS(COL_EACH_CHILDREN, COL_EACH_CHILDREN_AT, COL_EACH_CHILDREN_MASK)
};
