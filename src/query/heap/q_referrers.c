/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_referrers: what refers to objects.
 */
#include "config.h"

#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "hrows.h"

#define SLICE 16384u		/* references looked at between two ticks */

/* ---- finding them ---------------------------------------------------------------- */

/* A reference; nth: as many of the same holder to the same object come before it. */
struct link {
	uint32_t	holder, object, nth;
};

struct link_rows {
	struct item_rows	 rows;
	struct heap_walk	 walk;		/* what refers to the object of the row before */
	uint32_t		 object;	/* current target; 0: none yet, or all were scanned */
	uint64_t		 from;		/* first row of the current target */
	struct link		 at;		/* the one whose slot is in slot */
	struct heap_slot	 slot;
	bool			 known;		/* the slot was found */
};

static bool
q_referrers_add_link(struct link_rows *s, uint32_t holder)
{
	struct link link = { holder, s->object, 0 };
	const struct link *last;

	/* Input rows can have the same object twice. */
	if (s->rows.n > s->from) {
		last = &SCRATCH(s->rows.list, struct link)[s->rows.n - 1];
		link.nth = last->holder == holder ? last->nth + 1 : 0;
	}
	return item_rows_add(&s->rows, &link);
}

/* Add the next reference, or go on to the next object. */
static bool
link_step(struct item_rows *r)
{
	struct link_rows *s = (struct link_rows *)r;
	uint32_t holder;

	if (s->object == 0) {
		if (!heap_rows_next(r, &s->object))
			return false;
		s->from = r->n;
		if (s->object != 0)
			heap_in(&HEAP(r)->view.heap, s->object, &s->walk);
		return true;
	}
	holder = heap_next(&s->walk, NULL);
	if (holder != 0 && holder <= HEAP(r)->view.heap.objects)
		return q_referrers_add_link(s, holder);
	s->object = 0;
	return true;
}

/* ---- cells ----------------------------------------------------------------------- */

/* The slot is that of the nth reference of the same holder to the same object. */
static void
find_slot(struct link_rows *s, const struct link *l, uint32_t nth)
{
	const struct heap *h = &HEAP(&s->rows)->view.heap;

	if (link_index_has(&HEAP(&s->rows)->view.links, h, l->holder, &s->rows.rows.err)) {
		s->known = link_index_find(&HEAP(&s->rows)->view.links, h, l->holder, l->object, l->nth, &s->slot);
		return;
	}
	if (nth == 0)
		s->slot = (struct heap_slot){ .type = 0 };
	for (s->known = true; nth <= l->nth && s->known; nth++)
		s->known = heap_link_next(h, l->holder, l->object, &s->slot);
}

/* Find the field of a row on demand. Rows are read in order, so the search resumes at the last one. */
static const struct heap_slot *
slot_of(struct item_rows *r)
{
	struct link_rows *s = (struct link_rows *)r;
	const struct link *l = r->item;
	bool same = s->at.holder == l->holder && s->at.object == l->object;
	uint32_t nth = s->at.nth + 1;

	if (!same || s->at.nth != l->nth) {
		s->at = *l;
		find_slot(s, l, same && s->known && nth <= l->nth ? nth : 0);
	}
	return s->known ? &s->slot : NULL;
}

static void
q_referrers_name_cell(struct item_rows *r, UNUSED uint64_t holder, struct cell *c)
{
	slot_name_cell(r, slot_of(r), c);
}

static void
q_referrers_strength_cell(struct item_rows *r, UNUSED uint64_t holder, struct cell *c)
{
	const struct heap_slot *slot = slot_of(r);

	cell_word(c, slot == NULL ? NULL : heap_strength_name(slot->strength));
}

#define HOLDER ITEM(struct link, holder)

static const struct coldef link_cols[] = {
	{ "name", CELL_TEXT, "referring field, element or root type", COMPUTED(q_referrers_name_cell) },
	{ "object", CELL_ID, "referrer", SOME_OF(HOLDER), OBJECT_ID },
	{ "class", CELL_TEXT, "class (of a Class object: its name)", FROM(OBJECT_LABEL, HOLDER) },
	{ "shallow", CELL_BYTES, "shallow size of the referrer", FROM(OBJECT_SHALLOW, HOLDER) },
	{ "retained", CELL_BYTES, "retained size; 0: unreachable", FROM(OBJECT_RETAINED, HOLDER) },
	{ "addr", CELL_ADDR, "address", MORE, FROM(OBJECT_ADDR, HOLDER) },
	{ "strength", CELL_TEXT, "reference strength: strong, soft, finalizer, weak, phantom",
	    MORE, COMPUTED(q_referrers_strength_cell) },
	{ "target", CELL_ID, "target object", MORE, SOME_OF(ITEM(struct link, object)), OBJECT_ID,
	    .was = "to" }
};

/* ---- commands -------------------------------------------------------------------- */

static const struct source links = {
	.domain = &heap_domain, .size = sizeof(struct link_rows), .item = sizeof(struct link),
	    OVER_OBJECTS,
	.step = link_step, .steps = SLICE
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_IN_LEN, COL_NONE };

const struct command source_referrers = {
	HEAP_SOURCE("referrers", "referrers (incoming references) of an object",
	    "referrers @1", link_cols, links, needs),
	.args = ARGS({ &arg_object, ARG_MANY, .name = "@ID..." }),
	.draws = DRAWS_REFERRERS
};

const struct command stage_referrers = {
	HEAP_STAGE("referrers", "referrers of the objects", "threads | referrers", link_cols, links, needs),
	.draws = DRAWS_REFERRERS
};
