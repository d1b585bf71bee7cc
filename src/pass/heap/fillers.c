/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fillers: pass "fillers": objects with which HotSpot fills gaps of the heap: int[] that nothing reaches,
 * which hold zeros or what is left of other objects, and those of the classes that it has for them.
 *
 * A dump does not tell them from arrays of the program: an int[] of zeros that has become garbage counts as
 * well.
 */
#include "config.h"

#include "heap.h"
#include "icecore/columns_reach.h"
#include "icecore/facts.h"
#include "icecore/make.h"

#define TICK 4096u
#define LOOKED 1024u		/* elements of an array that are looked at */

/*
 * The mark of an object that is not locked, with its age, on a machine of either byte order; its class
 * follows.
 */
static bool
is_mark(uint32_t low, uint32_t high, uint32_t class)
{
	return high == 0 && (low & 3) == 1 && low < 128 && class != 0;
}

/* Zeros alone, or an object header. */
static bool
is_left_over(const struct heap *h, const struct heap_record *r)
{
	const uint8_t *d = h->data + r->data;
	uint32_t n = r->length < LOOKED ? r->length : LOOKED;
	bool zeros = true;

	for (uint32_t i = 0; i < n; i++) {
		zeros &= be32(d + 4ull * i) == 0;
		if (i + 2 < n && is_mark(be32(d + 4ull * i), be32(d + 4ull * i + 4), be32(d + 4ull * i + 8)))
			return true;
	}
	return zeros;
}

static bool
is_filler(const struct heap *h, uint32_t object, const uint8_t *marks)
{
	struct heap_record r;
	uint8_t mark = marks[heap_class(h, object)];

	return mark == MARK_YES || (mark == MARK_AHEAD && heap_take(h, object, &r) && r.tag == TAG_PRIMS &&
	    r.type == HEAP_INT &&
	    is_left_over(h, &r));
}

/* YES: a class of fillers; AHEAD: int[]. */
static bool
fillers_mark_classes(const struct heap *h, struct scratch *marks, struct err *err)
{
	static const char *const names[] = { "jdk.internal.vm.FillerElement[]",
	    "jdk.internal.vm.FillerObject" };

	if (!scratch_array(marks, h->classes + 1ull, 1, err))
		return false;
	for (uint32_t c = 1; c <= h->classes; c++)
		if (heap_class_like(h, c, names, NELEM(names)))
			marks->data[c] = MARK_YES;
		else if (column_get(h->class_element, c - 1ull) == HEAP_INT)
			marks->data[c] = MARK_AHEAD;
	return true;
}

static bool
fillers_run(struct store *st, struct work *w, struct err *err)
{
	OWN_SCRATCH marks = SCRATCH_INIT;
	uint64_t n = 0, bytes = 0;
	struct heap h;
	bool ok = heap_open(&h, st, REFS_ALL, SIZES_VM, err) && fillers_mark_classes(&h, &marks, err);

	if (ok)
		work_start(w, "fillers of the heap", h.objects);
	for (uint32_t object = 1; ok && !h.rule.android && object <= h.objects; object++) {
		ok = object % TICK != 0 || work_go(w, object, err);
		if (marks.data[heap_class(&h, object)] == MARK_NONE ||
		    heap_reach(&h, object) != HEAP_STRENGTHS ||
		    !is_filler(&h, object, marks.data))
			continue;
		n++;
		bytes = num_add(bytes, heap_shallow(&h, object));
	}
	return ok && make_copy(st, COL_FILLER_BYTES, COL_U64, &bytes, 1, err) && (n == 0 ||
	    (fact_set(st, FACT_FILLER_OBJECTS, n, err) && fact_set(st, FACT_FILLER_BYTES, bytes, err)));
}

const struct pass pass_fillers = {
	.name = "fillers", .what = "fillers of the heap", .beside = 1, .run = fillers_run,
	.needs = PASS_COLUMNS(COL_REACH_NONE),
	.makes = PASS_COLUMNS(COL_FILLER_BYTES)
};
