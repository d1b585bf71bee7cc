/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * retain: retained sizes from dominators: of objects, of classes, of class
 * loaders, of components.
 *
 * The retained size of a set is the sum of those objects that no other object of the set dominates.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_dominators.h"
#include "icecore/columns_heap.h"
#include "icecore/heap_facts.h"
#include "dominators.h"

#define TICK 4096u		/* each may write at random to pages that have left memory */
#define AHEAD 16u		/* so far in front, what will be written at random is fetched */

/* The sets that an object belongs to. Components have the numbers that they have in enum component_by. */
enum { SETS_CLASS = COMPONENTS, SETS_LOADER, SETS };
#define NO_SET UINT32_MAX

/* Data per class that the loops over all objects read, side by side. */
struct kind {
	uint32_t	bytes;		/* size of an instance; of an array without its elements */
	uint8_t		width;		/* width of an array element; 0: no array */
	/* objects differ: of java.lang.Class, stack chunks, heaps with sizes by object */
	bool		special;
	bool		loads;		/* some of its objects are loaders */
	uint32_t	set[SETS];	/* from 0; NO_SET: the bootstrap loader */
};

/* Sums over the members of a set, given in preorder, that no other member dominates. */
struct sum {
	uint64_t	retained;
	uint32_t	end;		/* where what its last member dominates ends */
};

/* Counts of a class. */
struct count {
	uint64_t	shallow;	/* sum of the shallow sizes of objects, in units */
	uint32_t	live, objects;	/* live objects of the class; objects that count for it */
};

/* Sums of one thread. */
struct part {
	ARRAY(struct sum)	sums;
	ARRAY(struct count)	counts;	/* counts: by class, from 1 */
	struct sum	*sum[SETS];
};

struct retain {
	struct dominators *d;
	ARRAY(struct kind)	kinds;		/* by class */
	struct part	*part;
	uint64_t	 parts, loaders;
	bool		 owned;		/* objects without bytes count with their owners: heap.owned */
	struct idmap	 map;		/* objects that are loaders */
	ARRAY(uint32_t)	preorder;
};

static inline void
retain_set_bytes(struct retain *r, uint32_t i, uint64_t n)
{
	if (r->d->wide)
		SCRATCH(r->d->bytes, uint64_t)[i] = n;
	else
		SCRATCH(r->d->bytes, uint32_t)[i] = (uint32_t)n;
}

static inline void
fetch_bytes(const struct retain *r, uint32_t i)
{
	__builtin_prefetch(r->d->bytes.data + (uint64_t)i * (r->d->wide ? 8 : 4), 1);
}

/* ---- classes ----------------------------------------------------------------------- */

static bool
map_loaders(struct retain *r, struct err *err)
{
	const struct column *object = store_column(r->d->st, COL_LOADER_OBJECT);
	uint32_t loader;

	for (uint32_t i = 1; i < r->loaders; i++) {
		loader = (uint32_t)column_get(object, i);
		if (loader == 0 || loader > r->d->h.objects)
			continue;
		if (!idmap_put(&r->map, loader, i + 1, err))
			return false;
		r->kinds.at[heap_class(&r->d->h, loader)].loads = true;
	}
	return true;
}

static bool
find_components(struct retain *r, struct err *err)
{
	const struct heap *h = &r->d->h;
	struct kind *kind = r->kinds.at;
	OWN_ARRAY(uint32_t) first = ARRAY_INIT;
	bool ok = array_grow(&first, h->classes + 1ull, err);

	for (unsigned by = 0; ok && by < COMPONENTS; by++) {
		ok = heap_components(h, (enum component_by)by, first.at, err);
		for (uint64_t i = 1; ok && i <= h->classes; i++) {
			kind[i].set[by] = first.at[i] - 1;
			assert(kind[i].set[by] < h->classes);
		}
	}
	return ok;
}

static bool
retain_find_kinds(struct retain *r, struct err *err)
{
	const struct heap *h = &r->d->h;
	const struct column *loader = store_column(r->d->st, COL_CLASS_LOADER);
	uint64_t nloaders = column_rows(store_column(r->d->st, COL_LOADER_OBJECT)), of;
	struct kind *k;

	if (!array_grow(&r->kinds, (uint64_t)h->classes + 1, err))
		return false;
	k = r->kinds.at;
	for (uint32_t i = 1; i <= h->classes; i++) {
		unsigned type = (unsigned)column_get(h->class_element, i - 1);

		k[i].bytes = type != 0 ? heap_rule_head(&h->rule, type) : (uint32_t)column_get(h->class_size,
		    i - 1);
		k[i].width = type != 0 ? (uint8_t)heap_rule_width(&h->rule, type) : 0;
		k[i].special = h->shallow != NULL || (type == 0 && (i == h->class_class || i == h->stack_class));
		k[i].set[SETS_CLASS] = i - 1;
		of = column_get(loader, i - 1);
		k[i].set[SETS_LOADER] = of != 0 && of <= nloaders ? (uint32_t)of - 1 : NO_SET;
	}
	r->loaders = nloaders;
	return map_loaders(r, err) && find_components(r, err);
}

/* The class for which an object counts: a class itself, else its own. */
static inline uint32_t
counts_for(const struct retain *r, uint32_t object, uint32_t class)
{
	const struct heap *h = &r->d->h;
	uint32_t of = r->kinds.at[class].special && h->class_class == h->class_last ? heap_class_of_object(h, object) :
	    0;

	return of != 0 ? of : class;
}

static bool
retain_open_part(const struct retain *r, struct part *p, struct err *err)
{
	uint64_t classes = r->d->h.classes;

	if (!array_grow(&p->sums, SETS_LOADER * classes + r->loaders + 1, err) ||
	    !array_grow(&p->counts, classes + 1, err))
		return false;
	for (unsigned i = 0; i < SETS; i++)
		p->sum[i] = p->sums.at + i * classes;
	return true;
}

/* ---- sums -------------------------------------------------------------------------- */

/* In units. */
static inline uint64_t
shallow_of(const struct retain *r, uint32_t object, uint32_t class)
{
	const struct heap *h = &r->d->h;
	const struct kind *k = &r->kinds.at[class];
	uint64_t length = column_get(h->length, object - 1ull), up = h->rule.android ? 0 : r->d->unit - 1;

	return ((k->special || length == HEAP_LONG_LIST ||
	    h->rule.align != r->d->unit ? heap_shallow(h, object) :
	    k->bytes + length * k->width) + up) >> __builtin_ctzll(r->d->unit);
}

/* Computes shallow sizes in file order of the objects, and stores them by number. */
static bool
add_shallow_of(void *arg, uint64_t part, struct work *w, struct err *err)
{
	struct retain *r = arg;
	struct dominators *d = r->d;
	const uint32_t *num = d->num.at;
	uint32_t to = (uint32_t)((part + 1) * d->h.objects / r->parts), class, of;
	struct count *count;
	uint64_t bytes;

	if (!retain_open_part(r, &r->part[part], err))
		return false;
	assert(to <= d->h.objects);
	count = r->part[part].counts.at;
	for (uint32_t i = (uint32_t)(part * d->h.objects / r->parts) + 1; i <= to; i++) {
		if (!work_each(w, i, TICK, err))
			return false;
		if (i + AHEAD <= to)
			fetch_bytes(r, num[i + AHEAD - 1]);
		if (num[i - 1] == 0)
			continue;
		assert(num[i - 1] <= d->n);
		class = heap_class(&d->h, i);
		bytes = shallow_of(r, i, class);
		retain_set_bytes(r, num[i - 1], bytes);
		of = counts_for(r, i, class);
		count[class].live += bytes > 0 || !r->owned;
		count[of].objects++;
		count[of].shallow += bytes;
	}
	return true;
}

static bool
add_shallow(struct retain *r)
{
	struct dominators *d = r->d;
	bool ok;

	work_start(d->work, "shallow sizes", d->h.objects);
	ok = pool_run(d->work, r->parts, add_shallow_of, r, d->err);
	array_free(&d->num);
	return ok;
}

/* A dominator has a smaller number than the objects it dominates. */
static bool
add_up(struct retain *r)
{
	uint32_t above;

	for (uint32_t i = r->d->n; i > 0; i--) {
		if (i % TICK == 0 && !work_go(r->d->work, r->d->n - i, r->d->err))
			return false;
		above = parent_of(r->d, i);
		assert(above < i);
		retain_set_bytes(r, above, dominators_bytes(r->d, above) + dominators_bytes(r->d, i));
	}
	return true;
}

/* ---- sets ----------------------------------------------------------------------------- */

/* above: only needed to know where the objects it dominates end. */
static inline void
retain_add_member(struct sum *s, uint32_t first, uint32_t size, uint64_t bytes, bool above)
{
	if (!above && first < s->end)
		return;
	assert(size > 0);
	s->end = first + size;
	if (!above)
		s->retained = num_add(s->retained, bytes);
}

/* The k-th of the preorder, which is number i, is a member of some sets. */
static inline void
add_to_sets(const struct retain *r, struct part *p, uint32_t k, uint32_t i, bool above)
{
	const struct dominators *d = r->d;
	uint32_t size = d->size.at[i], object = d->order[i - 1], class = heap_class(&d->h, object), loader;
	const struct kind *kind = &r->kinds.at[class];
	uint64_t bytes = dominators_bytes(r->d, i) * d->unit;
	bool loads = kind->loads;

	if (class == 0)
		return;
	assert(k <= d->n && i != 0 && i <= d->n);
	if (!r->owned || heap_shallow(&d->h, object) > 0)
		retain_add_member(&p->sum[SETS_CLASS][class - 1], k, size, bytes, above);
	kind = &r->kinds.at[counts_for(r, object, class)];
	for (unsigned by = 0; by < COMPONENTS; by++)
		retain_add_member(&p->sum[by][kind->set[by]], k, size, bytes, above);
	/* A loader holds itself, its classes and their instances. */
	if (kind->set[SETS_LOADER] != NO_SET)
		retain_add_member(&p->sum[SETS_LOADER][kind->set[SETS_LOADER]], k, size, bytes, above);
	if (loads && (loader = idmap_get(&r->map, object)) != 0)
		retain_add_member(&p->sum[SETS_LOADER][loader - 1], k, size, bytes, above);
}

/* Puts numbers in preorder of the dominator tree. */
static bool
put_preorder(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	const struct retain *r = arg;
	const uint32_t *first = r->d->first.at;
	uint32_t *number = r->preorder.at;

	for (uint64_t i = from; i < to; i++) {
		assert(first[i] <= r->d->n);
		number[first[i]] = (uint32_t)i;
	}
	return work_go(w, to, err);
}

/* Prefetches the data that the loop will read for number i, and the class of the number before. */
static inline void
fetch_member(const struct retain *r, uint32_t i, uint32_t before)
{
	const struct dominators *d = r->d;

	__builtin_prefetch(&d->order[i - 1]);
	__builtin_prefetch(&d->size.at[i]);
	__builtin_prefetch(r->d->bytes.data + (uint64_t)i * (d->wide ? 8 : 4));
	__builtin_prefetch((const char *)d->h.class->values + ((uint64_t)d->order[before - 1] - 1) *
	    column_width(d->h.class->type));
}

/*
 * Add up one range of the preorder.  Numbers dominated by a member in front of the range do not count: such
 * members dominate its first number, too.  The outermost one is passed last, so its end is the one that
 * stays.
 */
static bool
retain_add_part(void *arg, uint64_t part, struct work *w, struct err *err)
{
	const struct retain *r = arg;
	const struct dominators *d = r->d;
	const uint32_t *number = r->preorder.at, *first = d->first.at;
	uint32_t from = (uint32_t)(part * d->n / r->parts) + 1, to = (uint32_t)((part + 1) * d->n / r->parts),
	    i;
	struct part *p = &r->part[part];

	assert(part < r->parts && from <= to + 1 && to <= d->n);
	for (i = from > 1 ? parent_of(d, number[from]) : 0; i != 0; i = parent_of(d, i))
		add_to_sets(r, p, first[i], i, true);
	for (uint32_t k = from; k <= to; k++) {
		if (!work_each(w, k, TICK, err))
			return false;
		i = number[k];
		if (k + AHEAD <= to)
			fetch_member(r, number[k + AHEAD], number[k + AHEAD / 2]);
		add_to_sets(r, p, k, i, false);
	}
	return true;
}

static bool
retain_add_parts(struct retain *r)
{
	struct dominators *d = r->d;

	work_start(d->work, "retained sizes of classes", d->n);
	return array_grow(&r->preorder, (uint64_t)d->n + 1, d->err) &&
	    pool_ranges(d->work, (uint64_t)d->n + 1, put_preorder, r, d->err) &&
	    pool_run(d->work, r->parts, retain_add_part, r, d->err);
}

/* The columns are the sums of all parts. */
static bool
put_set(struct retain *r, column_id col, unsigned set, uint64_t n)
{
	struct dominators *d = r->d;
	uint64_t *to = heap_make(d->st, &d->h, col, COL_U64, n, d->err);

	for (struct part *p = r->part; to != NULL && p < r->part + r->parts; p++)
		for (uint64_t i = 0; i < n; i++)
			to[i] = num_add(to[i], p->sum[set][i].retained);
	return to != NULL;
}

static bool
put_counts(struct retain *r)
{
	struct dominators *d = r->d;
	uint32_t *live = heap_make(d->st, &d->h, COL_EACH_CLASS_LIVE, COL_U32, d->h.classes, d->err);
	uint32_t *objects = heap_make(d->st, &d->h, COL_EACH_COMPONENT_OBJECTS, COL_U32, d->h.classes,
	    d->err);
	uint64_t *shallow = heap_make(d->st, &d->h, COL_EACH_COMPONENT_SHALLOW, COL_U64, d->h.classes,
	    d->err);
	const struct count *count;

	if (live == NULL || objects == NULL || shallow == NULL)
		return false;
	for (struct part *p = r->part; p < r->part + r->parts; p++)
		for (uint64_t i = 0; i < d->h.classes; i++) {
			count = &p->counts.at[i + 1];
			live[i] += count->live;
			objects[i] += count->objects;
			shallow[i] += count->shallow * d->unit;
		}
	return true;
}

static bool
put_sets(struct retain *r)
{
	uint64_t classes = r->d->h.classes;

	for (unsigned by = 0; by < COMPONENTS; by++)
		if (!put_set(r, COL_EACH_COMPONENT_PACKAGE + by, by, classes))
			return false;
	return put_set(r, COL_EACH_CLASS_RETAINED, SETS_CLASS, classes) &&
	    put_set(r, COL_EACH_LOADER_RETAINED, SETS_LOADER, r->loaders) && put_counts(r);
}

static bool
retain_open_parts(struct retain *r)
{
	r->parts = pool_size();
	r->part = mem_array((size_t)r->parts, sizeof *r->part);
	return r->part != NULL || fail_memory(r->d->err, "retained sizes");
}

static void
close_parts(struct retain *r)
{
	for (uint64_t i = 0; r->part != NULL && i < r->parts; i++)
		SCRATCH_FREE(&r->part[i].sums, &r->part[i].counts);
	free(r->part);
	SCRATCH_FREE(&r->preorder, &r->kinds);
	idmap_free(&r->map);
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool
retain_put_facts(struct retain *r)
{
	struct dominators *d = r->d;

	return heap_fact_set(d->st, FACT_HEAP_UNIT, d->h.refs, d->h.sizes, d->unit, d->err) &&
	    heap_fact_set(d->st, FACT_LIVE_OBJECTS, d->h.refs, d->h.sizes, d->n, d->err) &&
	    heap_fact_set(d->st, FACT_LIVE_BYTES, d->h.refs, d->h.sizes, dominators_bytes(r->d, 0) * d->unit,
	    d->err);
}

bool
dominators_out(struct dominators *d)
{
	struct retain r = { .d = d, .owned = fact_value(d->st, FACT_HEAP_OWNED) != 0, .map = IDMAP_INIT };
	bool ok;

	ok = scratch_array(&d->bytes, (uint64_t)d->n + 1, d->wide ? sizeof(uint64_t) : sizeof(uint32_t),
	    d->err) &&
	    retain_find_kinds(&r, d->err) && retain_open_parts(&r) && add_shallow(&r) && add_up(&r);
	ok = ok && retain_add_parts(&r) && put_sets(&r);
	close_parts(&r);
	SCRATCH_FREE(&d->first, &d->size);
	ok = ok && retain_put_facts(&r) && dominators_by_object(d);
		return ok;
}
