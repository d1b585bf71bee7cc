/*
 * q_referrers: what refers to objects.
 */
#include "config.h"

#include <stdlib.h>

#include "hrows.h"

#define SLICE 16384u		/* references looked at between two ticks */
#define SCANS 4u		/* arrays are looked through so often before they are indexed */
#define SMALL 64u		/* elements that are looked through always */

/* ---- arrays with many elements ---------------------------------------------------- */

/*
 * At which elements an array refers to an object, when many objects of one array are asked for: to look through
 * all of it for each would take the square of its length.
 */
/* The elements of one array in keys: object << 32 | element, in order. */
struct indexed {
	uint64_t	first, n;
};

struct array_index {
	struct idmap	seen;		/* arrays to how often they were asked for, then to their row in arrays */
	struct scratch	keys, arrays;
	uint64_t	nkeys, narrays;
};

static int
key_order(const void *a, const void *b)
{
	return num_order(*(const uint64_t *)a, *(const uint64_t *)b, 0);
}

static bool
read_keys(struct array_index *x, const struct heap *h, uint32_t array, struct indexed *in,
    struct err *err)
{
	struct heap_slots s;
	struct heap_slot slot;
	uint64_t n = x->nkeys;

	if (!heap_slots(h, array, &s))
		return true;
	while (heap_slot(&s, &slot) && slot.kind == SLOT_ELEMENT) {
		if (slot.object == 0)
			continue;
		if (!scratch_array(&x->keys, n + 1, sizeof n, err))
			return false;
		SCRATCH(x->keys, uint64_t)[n++] = (uint64_t)slot.object << 32 | slot.index;
	}
	*in = (struct indexed){ x->nkeys, n - x->nkeys };
	x->nkeys = n;
	if (in->n > 0)
		qsort(SCRATCH(x->keys, uint64_t) + in->first, in->n, sizeof n, key_order);
	return true;
}

static bool
add_array(struct array_index *x, const struct heap *h, uint32_t array, struct err *err)
{
	struct indexed in = { 0, 0 };

	return read_keys(x, h, array, &in, err) && scratch_add(&x->arrays, &x->narrays, &in, sizeof in, err) &&
	    idmap_put(&x->seen, array, (uint32_t)(SCANS + x->narrays), err);
}

/* The first key that is not below. */
static uint64_t
key_place(const struct array_index *x, const struct indexed *in, uint64_t key)
{
	const uint64_t *keys = SCRATCH(x->keys, uint64_t);
	uint64_t low = in->first, high = in->first + in->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (keys[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether it has the elements of an array: of a large one that was asked for several times before.  False on failure too. */
static bool
index_has(struct array_index *x, const struct heap *h, uint32_t array, struct err *err)
{
	uint32_t seen;

	if (heap_kind(h, array) != HEAP_OBJECT_ARRAY || heap_length(h, array) <= SMALL)
		return false;
	seen = idmap_get(&x->seen, array);
	if (seen > SCANS)
		return true;
	if (seen < SCANS && !idmap_put(&x->seen, array, seen + 1, err))
		return false;
	return seen == SCANS && add_array(x, h, array, err);
}

/* The nth element (from 0) that is the object. */
static bool
index_find(const struct array_index *x, uint32_t array, uint32_t object, uint32_t nth,
    uint32_t *element)
{
	const struct indexed *in = SCRATCH(x->arrays, struct indexed) +
	    (idmap_get(&x->seen, array) - SCANS - 1);
	uint64_t at = key_place(x, in, (uint64_t)object << 32) + nth;
	uint64_t key = at < in->first + in->n ? SCRATCH(x->keys, uint64_t)[at] : 0;

	*element = (uint32_t)key;
	return key >> 32 == object;
}

/* ---- finding them ---------------------------------------------------------------- */

/* A reference; nth: as many of the same holder to the same object come before it. */
struct link {
	uint32_t	holder, object, nth;
};

struct link_rows {
	struct heap_rows	 rows;
	struct heap_walk	 walk;		/* what refers to the object of the row before */
	uint32_t		 object;	/* that one; 0: none yet, or all was gone through */
	struct link		 at;		/* the one whose slot is in slot */
	struct heap_slot	 slot;
	bool			 known;		/* it was found */
	struct array_index	 arrays;
};

static bool
add_link(struct link_rows *s, uint32_t holder)
{
	struct link link = { holder, s->object, 0 }, last = link;

	if (s->rows.n > 0)
		last = SCRATCH(s->rows.list, struct link)[s->rows.n - 1];
	if (s->rows.n > 0 && last.holder == holder && last.object == s->object)
		link.nth = last.nth + 1;
	return heap_rows_add(&s->rows, &link);
}

/* One reference on. */
static bool
link_step(struct heap_rows *r)
{
	struct link_rows *s = (struct link_rows *)r;
	uint32_t holder;

	if (s->object == 0) {
		if (!heap_rows_next(r, &s->object))
			return false;
		if (s->object != 0)
			heap_in(&r->view.heap, s->object, &s->walk);
		return true;
	}
	holder = heap_next(&s->walk, NULL);
	if (holder != 0 && holder <= r->view.heap.objects)
		return add_link(s, holder);
	s->object = 0;
	return true;
}

/* ---- cells ----------------------------------------------------------------------- */

/* The slot is that of the nth reference of the same holder to the same object. */
static void
find_slot(struct link_rows *s, const struct link *l, uint32_t nth)
{
	const struct heap *h = &s->rows.view.heap;
	uint32_t i;

	if (index_has(&s->arrays, h, l->holder, &s->rows.rows.err)) {
		s->known = index_find(&s->arrays, l->holder, l->object, l->nth, &i) &&
		    heap_element(h, l->holder, i, &s->slot);
		return;
	}
	if (nth == 0)
		s->slot = (struct heap_slot){ .type = 0 };
	for (s->known = true; nth <= l->nth && s->known; nth++)
		s->known = heap_link_next(h, l->holder, l->object, &s->slot);
}

/* Fields are looked for only when they are asked for; rows are asked one after the other. */
static const struct heap_slot *
slot_of(struct heap_rows *r)
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
name_cell(struct heap_rows *r, uint64_t holder, struct cell *c)
{
	(void)holder;
	slot_name_cell(r, slot_of(r), c);
}

static void
strength_cell(struct heap_rows *r, uint64_t holder, struct cell *c)
{
	const struct heap_slot *slot = slot_of(r);

	(void)holder;
	cell_word(c, slot == NULL ? NULL : heap_strength_name(slot->strength));
}

#define HOLDER ITEM(struct link, holder)

static const struct coldef link_cols[] = {
	{ "name", CELL_TEXT, "referring field, element or root type", false, COMPUTED(name_cell) },
	{ "object", CELL_ID, "referrer", false, FROM(SHOW_SOME, HOLDER), .of = ID_OBJECT },
	{ "class", CELL_TEXT, "class (of a Class object: its name)", false, FROM(OBJECT_LABEL, HOLDER) },
	{ "shallow", CELL_BYTES, "size", false, FROM(OBJECT_SHALLOW, HOLDER) },
	{ "retained", CELL_BYTES, "retained size; 0: unreachable", false, FROM(OBJECT_RETAINED, HOLDER) },
	{ "addr", CELL_ADDR, "address", true, FROM(OBJECT_ADDR, HOLDER) },
	{ "strength", CELL_TEXT, "reference strength: strong, soft, finalizer, weak, phantom",
	    true, COMPUTED(strength_cell) },
	{ "target", CELL_ID, "target object", true, FROM(SHOW_SOME, ITEM(struct link, object)), .of = ID_OBJECT, .was = "to" }
};

/* ---- commands -------------------------------------------------------------------- */

static void
links_end(struct heap_rows *s)
{
	struct array_index *x = &((struct link_rows *)s)->arrays;

	idmap_free(&x->seen);
	SCRATCH_FREE(&x->keys, &x->arrays);
}

static const struct heap_source links = {
	.size = sizeof(struct link_rows), .item = sizeof(struct link), .args = ARGS_OBJECTS,
	.step = link_step, .steps = SLICE, .end = links_end
};

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_IN_LEN, COL_NONE };

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
